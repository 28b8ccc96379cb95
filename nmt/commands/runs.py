"""`nmt runs`: runs side by side, and what differs in their configurations."""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nmt import console
from nmt.commands.eval_sets import unusual
from nmt.commands.models import RUNS
from nmt.commands.streams import standard_output
from nmt.commands.table import columns, count, duration, shortened, visible, width
from nmt.errors import ModelError, UsageError
from nmt.folders import CHECKPOINTS, METRICS, checkpoints
from nmt.history import RunHistory, is_training, read_history

_OLD_WIDTH = 100  # cells, where there is no terminal to ask
_LONGEST, _SHORTEST = 40, 8  # characters of a value in a table: at most, and at most where there is little room
_MANY = 3  # runs with one value, more of which are told by their number
# Of the table, by how much they are missed where there is no room for all: the last ones go first.
_BY_WORTH = "run", "dev BLEU", "chrF", "test", "updates", "loss", "parameters", "time", "pair", "saved"
_LEFT = "run", "pair", "saved"  # columns of words


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt runs`. folders: of runs, or runs and model folders; none: runs/."""

    folders: tuple[Path, ...] = ()
    json: bool = False


def run(arguments: Arguments) -> None:
    """Print the table. What cannot be read is told, and left out."""
    histories: dict[str, RunHistory] = {}
    broken: dict[str, str] = {}
    for name, folder in _named(arguments.folders or (RUNS,)):
        try:
            histories[name] = read_history(folder)
        except ModelError as error:
            broken[name] = error.message
        except OSError as error:  # a folder that may not be looked into
            broken[name] = f"{error.filename}: {(error.strerror or str(error)).lower()}"
    broken |= dict.fromkeys(_beginners(arguments.folders or (RUNS,)), "it is in training, and has no checkpoint yet")
    for name, reason in broken.items():
        console.warn(f"left out: {name}: {reason}")
    for name, history in histories.items():
        for problem in history.problems:
            console.warn(f"{name}: {problem}")
    histories = dict(sorted(histories.items(), key=lambda item: _age(item[1])))
    rows = [_gather(name, history) for name, history in histories.items()]
    differences = _differences(histories)
    found = {"runs": rows, "differences": differences, "broken": broken}
    with standard_output():
        if arguments.json:
            print(json.dumps(found, ensure_ascii=False))
        elif rows:
            room = shutil.get_terminal_size((_OLD_WIDTH, 24)).columns
            print(visible("\n".join(_describe(rows, differences, room))))


def _named(folders: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """(what to call it, where it is) of every run and model folder; each once.

    Raises UsageError when there is none.
    """
    seen = set()
    found = []
    for folder in folders:
        if not folder.is_dir():
            # Of `runs/` nobody has asked for, too.
            raise UsageError(f"there is no folder {folder}", "nmt train makes runs/NAME; or nmt runs FOLDER")
        if _is_one(folder):
            inside = [(str(folder), folder)]
        else:
            paths = sorted(path for path in folder.glob("[!.]*") if path.is_dir() and _is_one(path))
            inside = [(path.name if len(folders) == 1 else str(path), path) for path in paths]
        for name, path in inside:
            if (place := path.resolve()) not in seen:
                seen.add(place)
                found.append((name, path))
    if not found:
        raise UsageError(f"there is no run in {', '.join(map(str, folders))}", "nmt train -o DIR makes one")
    yield from found


def _beginners(folders: Sequence[Path]) -> list[str]:
    """Trainings that are at work before their first checkpoint, in the hidden folder .NAME.new."""
    found = [path for folder in folders for path in sorted(folder.glob(".*.new")) if is_training(path)]
    return [path.name.removeprefix(".").removesuffix(".new") for path in found]


def _age(history: RunHistory) -> float:
    """When training last wrote to it, in seconds since 1970: the youngest run is the nearest to the next prompt."""
    files = (history.folder / METRICS, history.model / "model.json")
    return max(path.stat().st_mtime for path in files if path.is_file())


def _is_one(folder: Path) -> bool:
    """Whether it is, or was meant to be, a run or a model folder: half of one is worth telling."""
    signs = "config.yaml", "model.json", "model.safetensors", CHECKPOINTS, "best", "last"
    try:
        return any((folder / sign).exists() for sign in signs)
    except PermissionError:
        return True


def _gather(name: str, history: RunHistory) -> dict[str, Any]:
    """One run as plain values; null is what nobody has written down."""
    facts, data = history.facts, history.data
    sittings = history.sittings
    return {
        "name": name,
        "folder": str(history.folder),
        "model": str(history.model),
        "training_now": history.training if history.is_run else None,
        "saved": sittings[-1]["saved"] if sittings else None,
        "source_language": facts.get("source_language", history.config.data.source_language),
        "target_language": facts.get("target_language", history.config.data.target_language),
        "parameters": facts.get("parameters"),
        "updates": history.steps,
        "best_update": facts.get("step"),
        "seconds": history.last.get("seconds"),
        "dev_loss": facts.get("dev_loss"),
        "dev_bleu": facts.get("dev_bleu"),
        "dev_chrf": facts.get("dev_chrf"),
        "dev": data.get("dev"),
        "checkpoints": len(checkpoints(history.folder)),
        "decode": unusual(history.config.decode.model_copy(update={"guard": "off"})),
        "scores": history.scores,
    }


# ---- what differs


def _differences(histories: Mapping[str, RunHistory]) -> dict[str, dict[str, Any]]:
    """Of each key that is not the same everywhere: the value of each run."""
    configs = {name: dict(_flat(history.config.model_dump(mode="json"))) for name, history in histories.items()}
    keys = dict.fromkeys(key for config in configs.values() for key in config)
    values = {key: {name: config.get(key) for name, config in configs.items()} for key in keys}
    return {key: of for key, of in values.items() if len(set(map(_told, of.values()))) > 1}


def _flat(tree: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield before + name, value


def _told(value: Any) -> str:
    """As one would write it after the equals sign."""
    if value is None:
        return "unset"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# ---- in words


def _describe(rows: Sequence[Mapping[str, Any]], differences: Mapping[str, Any], room: int) -> Iterator[str]:
    """room: cells of a line."""
    several = len({_pair(row) for row in rows}) > 1
    texts: dict[str, set[str]] = {}
    for row in rows:
        for entry in row["scores"]:
            texts.setdefault(entry.get("test", "test"), set()).add(entry.get("hash", ""))
    cells = [_cells(row, several=several, texts=texts) for row in rows]
    names = list(dict.fromkeys(name for row in cells for name, text in row.items() if text))
    dropped = []
    while sum(_width(cells, name) + 2 for name in names) - 2 > room and len(names) > 1:
        dropped.append(max(reversed(names), key=_worth))
        names.remove(dropped[-1])
    right = [index for index, name in enumerate(names) if name not in _LEFT]
    yield from columns([names, *([row.get(name) or "-" for name in names] for row in cells)], right)
    if dropped:
        yield f"(no room for {', '.join(reversed(dropped))}; --json has all)"
    if _dev_differs(rows, differences):
        yield "Their dev sets are not the same: dev scores do not compare."
    if len(rows) > 1:
        yield ""
        yield from _describe_differences([row["name"] for row in rows], differences, room)


def _pair(row: Mapping[str, Any]) -> str:
    return f"{row['source_language']}-{row['target_language']}"


def _cells(row: Mapping[str, Any], *, several: bool, texts: Mapping[str, set[str]]) -> dict[str, str]:
    """several: whether there are several pairs of languages.  texts: the hashes that go by each name of a test set."""

    def number(value: float | None, form: str) -> str:
        return "" if value is None else f"{value:{form}}"

    steps = f"{row['updates']:,}" + (" now" if row["training_now"] else "")
    cells = {
        "run": row["name"],
        "pair": _pair(row) if several else "",
        "parameters": "" if row["parameters"] is None else count(row["parameters"]),
        "updates": steps,
        "time": "" if row["seconds"] is None else duration(row["seconds"]),
        "loss": number(row["dev_loss"], ".3f"),
        "dev BLEU": number(row["dev_bleu"], ".2f"),
        "chrF": number(row["dev_chrf"], ".2f"),
    }
    for entry in row["scores"]:  # the newest last
        if "bleu" in entry["results"]:
            bleu = entry["results"]["bleu"]
            half = f" ±{(bleu['high'] - bleu['low']) / 2:.1f}" if bleu.get("low") is not None else ""
            cells[f"{_column(entry, row['decode'], texts)} BLEU"] = f"{bleu['score']:.2f}{half}"
    return cells | {"saved": (row["saved"] or "")[:10]}


def _column(entry: Mapping[str, Any], own: Mapping[str, Any], texts: Mapping[str, set[str]]) -> str:
    """The test set, and how it was scored where that is not the usual way: only like stands below like.

    own: the run's own settings of decoding.
    """
    name, decode = entry.get("test", "test"), entry.get("decode", own)
    told = [entry.get("hash", "")[:4]] if len(texts[name]) > 1 else []
    told += [f"{key} {decode.get(key, 'usual')}" for key in {**own, **decode} if decode.get(key) != own.get(key)]
    told += [f"tag {tag}" for tag in entry.get("tags", [])] + ["lowercase"] * bool(entry.get("lowercase"))
    told += [f"words as in {entry['language']}"] if entry.get("language") else []
    told += ["nmt eval"] * (name == "dev")  # "dev BLEU" is what validation has found
    return f"{name} ({', '.join(told)})" if told else name


def _width(cells: Sequence[Mapping[str, str]], name: str) -> int:
    return max(width(text) for text in (name, *(row.get(name, "") for row in cells)))


def _worth(name: str) -> int:
    return _BY_WORTH.index(name if name in _BY_WORTH else "test")


def _dev_differs(rows: Sequence[Mapping[str, Any]], differences: Mapping[str, Any]) -> bool:
    """As far as anyone can know: by what was written down, else by the names in the configurations."""
    known = [row["dev"] for row in rows]
    if None not in known:
        return any(dev != known[0] for dev in known)
    return "data.dev" in differences


def _describe_differences(names: Sequence[str], differences: Mapping[str, Any], room: int) -> Iterator[str]:
    """A column a run; where there is no room for that, a line a value, with the runs that have it."""
    if not differences:
        yield "Their configurations are the same."
        return
    table = _side_by_side(names, differences, room)
    if table is not None:
        yield from table
        return
    yield "what differs"
    for key, values in differences.items():
        yield f"  {key}"
        runs: dict[str, list[str]] = {}
        for name in names:
            runs.setdefault(_told(values[name]), []).append(name)
        largest = max(map(len, runs.values()))
        for value, having in sorted(runs.items(), key=lambda item: len(item[1])):
            many = len(having) == largest > _MANY
            told = f"the other {len(having)}" if many and len(runs) > 1 else ", ".join(having)
            yield f"    {shortened(value, max(room - 4, 10))}: {told}"


def _side_by_side(names: Sequence[str], differences: Mapping[str, Any], room: int) -> list[str] | None:
    """None when there is no room, or only for values cut so short that different ones look alike."""
    most = min(_LONGEST, (room - max(map(len, differences))) // len(names) - 2)
    rows = [["what differs", *names]]
    for key, values in differences.items():
        whole = [_told(values[name]) for name in names]
        short = [shortened(value, most) for value in whole]
        if most < _SHORTEST or len(set(short)) != len(set(whole)):
            return None
        rows.append([key, *short])
    table = columns(rows)
    return table if max(map(width, table)) <= room else None
