"""`nmt info`: what a model is, where it comes from, and what it scored."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nmt import console
from nmt.commands.models import choose_model
from nmt.commands.streams import standard_output
from nmt.commands.table import columns, count, duration, visible
from nmt.history import RunHistory, parameters_by_part, read_history
from nmt.text.tokenizer import Tokenizer

NOT_RECORDED = "not recorded"
METRICS = {"bleu": "BLEU", "chrf": "chrF2", "chrf++": "chrF2++", "ter": "TER"}  # as `nmt eval` says
_SHAPE = "d_model", "num_heads", "d_ff", "encoder_layers", "decoder_layers", "positions", "norm_position", "max_length"
_DEV = (("loss", "loss", ".3f"), ("accuracy", "accuracy %", ".1f"), ("bleu", "BLEU", ".2f"), ("chrf", "chrF", ".2f"))


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt info`. model: a run or a model folder; None: as for other commands."""

    model: Path | None = None
    json: bool = False


def run(arguments: Arguments) -> None:
    """Print what is known of the model."""
    history = read_history(choose_model(arguments.model))
    found = gather(history)
    for problem in history.problems:
        console.warn(f"{history.folder}: {problem}")
    with standard_output():
        print(json.dumps(found, ensure_ascii=False) if arguments.json else visible("\n".join(_describe(found))))


def gather(history: RunHistory) -> dict[str, Any]:
    """All that is told, as plain values; null is what nobody has written down.

    Raises ModelError when the weights or the subword models are damaged.
    """
    facts, config = history.facts, history.config
    recorded = "training" in history.last
    return {
        "name": history.name,
        "folder": str(history.folder),
        "model": str(history.model),
        "run": history.is_run,
        "training_now": history.training if history.is_run else None,
        "step": facts.get("step"),
        "steps_of_run": history.steps if history.is_run else None,
        "average_of": facts.get("average_of"),
        "nmtkit": facts.get("nmtkit"),
        "source_language": facts.get("source_language", config.data.source_language),
        "target_language": facts.get("target_language", config.data.target_language),
        "parameters": parameters_by_part(history.model),
        "shape": {name: getattr(config.model, name) for name in _SHAPE} | {"tie": config.model.tie_embeddings},
        "bytes": sum(path.stat().st_size for path in history.model.iterdir() if path.is_file()),
        "vocabulary": _vocabulary(history),
        "seconds": history.last.get("seconds"),
        "target_tokens": history.last.get("tokens"),
        "sittings": history.sittings if recorded else None,
        "init_from": history.last["training"].get("init_from") if recorded else _named_parent(history),
        "data": history.data if recorded else None,
        "named_data": {part: _named(getattr(config.data, part)) for part in ("train", "dev", "test")},
        "dev": {name: facts.get(f"dev_{name}") for name, _, _ in _DEV},
        "parent_dev": {name: facts[f"parent_dev_{name}"] for name, _, _ in _DEV if f"parent_dev_{name}" in facts},
        "validations": history.validations,
        "scores": history.scores,
    }


def _named_parent(history: RunHistory) -> dict[str, Any] | None:
    parent = history.config.train.init_from
    return None if parent is None else {"model": parent, "step": None, "crc32": None}


def _named(place: Any) -> Any:
    """A place of `data.*` as JSON takes it."""
    if isinstance(place, list | tuple):
        return [_named(one) for one in place]
    return place if place is None or isinstance(place, str) else place.model_dump(mode="json")


def _vocabulary(history: RunHistory) -> list[dict[str, Any]]:
    """One for both sides when they share it, else one each."""
    source, target = (history.model / f"{side}.spm" for side in ("source", "target"))
    if source.is_file() and target.is_file() and source.read_bytes() == target.read_bytes():
        return [{"sides": ["source", "target"], **_subwords(source)}]
    return [{"sides": [path.stem], **_subwords(path)} for path in (source, target)]


def _subwords(path: Path) -> dict[str, Any]:
    tokenizer = Tokenizer.load(path)
    return {
        "pieces": tokenizer.vocab_size,
        "kind": tokenizer.kind,
        "tags": list(tokenizer.tags),
        "description": tokenizer.description,
    }


# ---- in words


def _describe(found: Mapping[str, Any]) -> Iterator[str]:
    yield _headline(found)
    yield from _model(found)
    yield from _training(found)
    yield from _data(found)
    yield from _dev(found)
    yield from _scores(found["scores"])


def _headline(found: Mapping[str, Any]) -> str:
    languages = f"{found['source_language']} -> {found['target_language']}"
    if not found["run"]:
        return f"{found['folder']}: a model folder, {languages}, {_step(found)}"
    now = ", in training now" if found["training_now"] else ""
    model = Path(found["model"]).name
    return f"{found['folder']}: a run, {languages}, {found['steps_of_run']:,} updates{now}; its best model is {model}"


def _step(found: Mapping[str, Any]) -> str:
    if found["average_of"]:
        return f"the average of {', '.join(found['average_of'])}"
    return "its update not recorded" if found["step"] is None else f"as after update {found['step']:,}"


def _model(found: Mapping[str, Any]) -> Iterator[str]:
    shape, parts = found["shape"], found["parameters"]
    total = sum(parts.values())
    yield f"\nmodel   {total:,} parameters, {found['bytes'] / 2**20:.1f} MiB on the disk"
    tied = {"all": "both sides and the output layer have one", "target": "the output layer has the target's"}
    notes = {
        "embeddings": tied.get(shape["tie"], ""),
        "encoder": _plural(shape["encoder_layers"], "block"),
        "decoder": _plural(shape["decoder_layers"], "block"),
    }
    rows = [
        (f"  {part}", f"{size:,}", f"{100 * size / total:.1f} %", notes.get(part, "")) for part, size in parts.items()
    ]
    yield from columns(rows, right=(1, 2))
    yield (
        f"  d_model {shape['d_model']}, {_plural(shape['num_heads'], 'head')}, feed-forward {shape['d_ff']}, "
        f"{shape['positions']} positions, {shape['norm_position']}-norm, segments up to {shape['max_length']} pieces"
    )
    for subwords in found["vocabulary"]:
        sides = "subwords of both sides" if len(subwords["sides"]) == 2 else f"{subwords['sides'][0]} subwords"
        tags = f"; tags: {', '.join(subwords['tags'])}" if subwords["tags"] else ""
        yield f"  {sides}: {subwords['description']}{tags}"


def _plural(number: int, one: str) -> str:
    return f"{number} {one}{'' if number == 1 else 's'}"


def _training(found: Mapping[str, Any]) -> Iterator[str]:
    done = []
    if found["target_tokens"] is not None:
        done.append(f"{count(found['target_tokens'])} target tokens")
    if found["seconds"] is not None:
        done.append(duration(found["seconds"]))
    yield f"\ntraining   {', '.join(done) or NOT_RECORDED}"
    if (parent := found["init_from"]) is not None:
        step = "" if parent["step"] is None else f", its update {parent['step']:,}"
        yield f"  fine-tuned from {parent['model']}{step}"
    sittings = found["sittings"]
    if not sittings:
        made = "" if found["nmtkit"] is None else f"; written by nmtkit {found['nmtkit']}"
        yield f"  command, versions and machine: {NOT_RECORDED}{made}"
        return
    if sittings[0]["from_step"]:
        yield f"  up to update {sittings[0]['from_step']:,}: {NOT_RECORDED}"
    for sitting in sittings:
        yield from _sitting(sitting)


def _sitting(sitting: Mapping[str, Any]) -> Iterator[str]:
    hardware, versions = sitting["hardware"], sitting["versions"]
    began = sitting["began"][:16].replace("T", " ")
    memory = sitting.get("peak_memory")
    peak = "" if memory is None else f", {memory / 2**30:.1f} GiB of memory at most"
    several = f", {sitting['processes']} processes" if sitting["processes"] > 1 else ""
    yield (
        f"  {began} UTC   updates {sitting['from_step']:,} to {sitting['to_step']:,} in {duration(sitting['seconds'])}"
        f"{peak}{several}"
    )
    yield f"    {sitting['command'] or f'command: {NOT_RECORDED}'}"
    processor = f"{hardware['processor']}, {_plural(hardware['cores'], 'core')}"
    if hardware.get("memory") is not None:
        processor += f", {hardware['memory'] / 2**30:.0f} GiB"
    gpus = f"{', '.join(hardware['gpus'])}; " if hardware["gpus"] else ""
    threads = _plural(sitting["threads"], "thread")
    yield f"    on {sitting['device']}: {gpus}{processor}, {threads}; {hardware['system']}"
    yield f"    {', '.join(f'{name} {version}' for name, version in versions.items())}"


def _data(found: Mapping[str, Any]) -> Iterator[str]:
    yield "\ndata"
    if found["data"] is None:
        for part, place in found["named_data"].items():
            if place is not None:
                yield f"  {part}: {place if isinstance(place, str) else json.dumps(place)}, sizes {NOT_RECORDED}"
        return
    for corpus in found["data"].get("train", []):
        left = ", ".join(f"{number:,} {reason}" for reason, number in corpus["left_out"].items())
        some = corpus["lines_encoded"] < corpus["lines"]
        of = f" of the first {corpus['lines_encoded']:,}" if some else ""
        yield (
            f"  train: {corpus['name']}, {corpus['pairs']:,} pairs{of} of {corpus['lines']:,} lines, "
            f"{count(corpus['source_tokens'])} source and {count(corpus['target_tokens'])} target pieces"
            f"{f'; left out: {left}' if left else ''}"
        )
    for part in ("dev", "parent_dev"):
        if (text := found["data"].get(part)) is not None:
            yield f"  {part.replace('_', ' ')}: {text['name']}, {text['lines']:,} lines"
    if (test := found["named_data"]["test"]) is not None:
        yield f"  test: {test if isinstance(test, str) else json.dumps(test)}"


def _dev(found: Mapping[str, Any]) -> Iterator[str]:
    rows = [
        (f"  {name}", *(f"{scores[key]:{form}}" if scores.get(key) is not None else "-" for key, _, form in _DEV))
        for name, scores in (("dev", found["dev"]), ("parent dev", found["parent_dev"]))
        if any(value is not None for value in scores.values())
    ]
    if not rows:
        yield f"\ndev scores   {NOT_RECORDED}"
        return
    yield ""
    yield from columns([("dev scores", *(name for _, name, _ in _DEV)), *rows], right=(1, 2, 3, 4))


def _scores(entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if not entries:
        yield "\nscores   none recorded yet; nmt eval measures them"
        return
    known = any(result.get("low") is not None for entry in entries for result in entry["results"].values())
    yield f"\nscores{', with 95 % intervals' if known else ''}"
    for entry in entries:
        results = [f"{METRICS.get(key, key)} {_score(result)}" for key, result in entry["results"].items()]
        told = [f"{name.replace('beam_size', 'beam')} {value}" for name, value in (entry.get("decode") or {}).items()]
        told += [f"tag {tag}" for tag in entry.get("tags") or []]
        told += ["lowercase"] if entry.get("lowercase") else []
        told += [f"words as in {entry['language']}"] if entry.get("language") else []
        where = f"{entry.get('test', '?')}, {entry.get('lines', 0):,} lines, {str(entry.get('date', '?'))[:10]}"
        yield f"  {', '.join([where, *told])}"
        yield f"    {'  '.join(results)}"


def _score(result: Mapping[str, Any]) -> str:
    ends = f" [{result['low']:.2f}, {result['high']:.2f}]" if result.get("low") is not None else ""
    return f"{result['score']:.2f}{ends}"
