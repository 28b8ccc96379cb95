"""What a run or a model folder tells of its past: how it was trained, how it went, what it scored. Without torch.

metrics.jsonl of a run: one row each few updates, and one each validation.  model.json of a model folder: what
`nmt.training.record` has put there.  scores.json of a model folder: what `nmt eval` has measured; it looks so:

{"scores": [{"test": name, "hash": of sources and references, "lines": n, "decode": {...}, "tags": [...],
             "lowercase": false, "language": null, or how words were found instead,
             "date": ISO 8601, "nmtkit": version, "seconds": of translating,
             "results": {"bleu": {"score": ..., "low": ..., "high": ..., "signature": ...}, ...}}]}
"""

import contextlib
import json
import os
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nmt import console
from nmt.config import Config
from nmt.errors import DataError, ModelError
from nmt.folders import METRICS, TAKE_ANOTHER, find_model, load_config, pointed, read_facts
from nmt.records import sound_facts, sound_rows, sound_scores
from nmt.text.lines import atomic_file

SCORES = "scores.json"
_SAME_SCORE = (
    "test",
    "hash",
    "decode",
    "tags",
    "lowercase",
    "language",
)  # entries that agree in these are one, measured again
_SHOWN = 5  # numbers of what is broken
_MOST_HEADER = 100 << 20  # bytes; safetensors' own limit


@dataclass(frozen=True)
class RunHistory:
    """A run, or a lone model folder, which has neither updates nor validations.

    name: what to call it.  folder: the run; of a lone model folder that itself.
    model: the folder of the best model.  config: how that was trained, and decodes.  facts: what its model.json says.
    last: what model.json of the last checkpoint says; of a lone model folder the same as `facts`.
    updates: rows of metrics.jsonl with "step", "loss", "tokens_per_second", "learning_rate", "seconds".
    validations: rows with "step", "epoch", "seconds", "dev_loss", "dev_bleu", ...
    parent: in fine-tuning the row with the parent's own scores ("parent_dev_bleu", ...) before the first update.
    scores: entries of scores.json, the oldest first.
    training: whether a training is writing to it now; None where the system does not tell.
    problems: what could not be read, in words.
    """

    name: str
    folder: Path
    model: Path
    config: Config
    facts: dict[str, Any]
    last: dict[str, Any]
    updates: list[dict[str, Any]] = field(default_factory=list)
    validations: list[dict[str, Any]] = field(default_factory=list)
    parent: dict[str, Any] | None = None
    scores: list[dict[str, Any]] = field(default_factory=list)
    training: bool | None = None
    problems: list[str] = field(default_factory=list)

    @property
    def is_run(self) -> bool:
        """Whether this is a run and not a lone model folder."""
        return self.folder != self.model

    @property
    def sittings(self) -> list[dict[str, Any]]:
        """Of the training up to its last checkpoint, the first one first; empty where that was not recorded."""
        return list(self.last.get("training", {}).get("sittings", []))

    @property
    def data(self) -> dict[str, Any]:
        """What it was trained on: "train", "dev", "parent_dev"; empty where that was not recorded."""
        return dict(self.last.get("training", {}).get("data", {}))

    @property
    def steps(self) -> int:
        """Updates that have been made, as far as the run tells: its best model may be of an earlier one."""
        rows = [*self.updates[-1:], *self.validations[-1:], self.last]
        return max(row.get("step") or 0 for row in rows)


def read_history(folder: Path) -> RunHistory:
    """Of a run, or of a model folder.

    Raises ModelError when there is no model in it, or one whose model.json or config.yaml cannot be read. What else is
    missing or broken is told in `problems`.
    """
    model = find_model(folder)
    problems: list[str] = []
    facts, config = sound_facts(read_facts(model), problems), load_config(model)
    rows = _read_rows(folder / METRICS, problems) if folder != model else []
    last = _last_facts(folder, problems) if folder != model else None
    return RunHistory(
        # Of `.` or `runs/x/checkpoints/..` the name is only known when it is resolved.
        name=folder.name if folder.name not in ("", "..") else folder.resolve().name,
        folder=folder,
        model=model,
        config=config,
        facts=facts,
        last=facts if last is None else last,
        updates=[row for row in rows if "loss" in row],
        validations=[row for row in rows if "dev_loss" in row],
        parent=next((row for row in rows if "parent_dev_loss" in row and "dev_loss" not in row), None),
        scores=_read_scores(model / SCORES, problems),
        training=is_training(folder),
        problems=list(dict.fromkeys(problems)),  # of one model that is both best and last, once
    )


def _last_facts(run: Path, problems: list[str]) -> dict[str, Any] | None:
    folder = pointed(run, "last")
    try:
        return None if folder is None else sound_facts(read_facts(folder), problems)
    except ModelError as error:
        problems.append(error.message)
        return None


def _read_rows(path: Path, problems: list[str]) -> list[dict[str, Any]]:
    """Rows with a step. The last line may be half written: the training may be at work."""
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        problems.append(f"there is no {path.name}: how the training went is not known")
        return []
    except OSError as error:
        problems.append(f"{path.name} cannot be read: {(error.strerror or str(error)).lower()}")
        return []
    found, broken = sound_rows([_parsed(line) for line in lines[:-1]])
    _tell_broken(f"{path.name} line", broken, problems)
    return found


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _tell_broken(what: str, numbers: Sequence[int], problems: list[str]) -> None:
    """what: is counted."""
    if len(numbers) == 1:
        problems.append(f"{what} {numbers[0]} is broken and left out")
    elif numbers:
        shown = ", ".join(map(str, numbers[:_SHOWN])) + (f", ... ({len(numbers):,} in all)" * (len(numbers) > _SHOWN))
        problems.append(f"{what}s {shown} are broken and left out")


def is_training(run: Path) -> bool | None:
    """Whether a training holds the run's lock; None where only taking it would tell (not Linux)."""
    try:
        lock = (run / "lock").stat()
        held = Path("/proc/locks").read_text(encoding="ascii")
    except FileNotFoundError:
        return None if (run / "lock").is_file() else False
    except OSError:
        return None
    device = f"{os.major(lock.st_dev):02x}:{os.minor(lock.st_dev):02x}:{lock.st_ino}"
    return any(device in line.split() for line in held.splitlines())


# ---- scores


def read_scores(model: Path) -> list[dict[str, Any]]:
    """What a model folder has scored, the oldest first; nothing when nobody has measured it.

    A broken scores.json counts as none, with a warning.
    """
    problems: list[str] = []
    found = _read_scores(model / SCORES, problems)
    for problem in problems:
        console.warn(f"{model}: {problem}")
    return found


def _read_scores(path: Path, problems: list[str]) -> list[dict[str, Any]]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(found["scores"], list):
            entries, broken = sound_scores(found["scores"])
            _tell_broken(f"{path.name} score", broken, problems)
            return entries
    except FileNotFoundError:
        return []
    except OSError as error:
        problems.append(f"{path.name} cannot be read: {(error.strerror or str(error)).lower()}")
        return []
    except (ValueError, RecursionError, KeyError, TypeError):
        pass
    problems.append(f"{path.name} cannot be read and is not used; the next nmt eval writes it anew")
    return []


def record_scores(model: Path, entry: Mapping[str, Any]) -> None:
    """Add what was measured to scores.json of a model folder (see above); the same measured again takes its old place.

    Several may do so at once. A folder that cannot be written to is worth a warning, and no more.
    """
    try:
        with _alone(model):
            with contextlib.suppress(FileNotFoundError):
                (model / SCORES).read_bytes()  # what may not be read must not be replaced
            kept = [other for other in read_scores(model) if _key(other) != _key(entry)]
            text = json.dumps({"scores": [*kept, dict(entry)]}, indent=2, ensure_ascii=False)
            with atomic_file(model / SCORES) as file:
                file.write(f"{text}\n".encode(errors="backslashreplace"))  # a name may be no UTF-8; in JSON this is one
    except (DataError, OSError) as error:
        reason = error.message if isinstance(error, DataError) else f"{model}: {error.strerror or error}"
        console.warn(f"the scores are not kept: {reason}")


def _key(entry: Mapping[str, Any]) -> str:
    """As text: a tuple that is written to JSON comes back as a list."""
    return json.dumps([entry.get(name) for name in _SAME_SCORE], sort_keys=True)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Of several who write here one after the other: by a lock on the folder itself, which leaves nothing behind."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # a network drive may have no locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


# ---- parameters


def parameters_by_part(model: Path) -> dict[str, int]:
    """How many numbers each part of a model has, out of the head of model.safetensors alone; in the order of the model.

    Parts: "embeddings" (with the output layer when they are tied), "encoder", "decoder", "output layer". A weight that
    several parts share is stored, and counted, once.  Raises ModelError when the file is missing or damaged.
    """
    counts: dict[str, int] = {}
    for name, shape in _shapes(model / "model.safetensors").items():
        size = 1
        for length in shape:
            size *= length
        part = _part_of(name)
        counts[part] = counts.get(part, 0) + size
    if "embeddings" not in counts and "output layer" in counts:  # tied: of the two names the file has either
        counts["embeddings"] = counts.pop("output layer")
    order = "embeddings", "encoder", "decoder", "output layer"
    return {part: counts[part] for part in (*order, *sorted(set(counts) - set(order))) if part in counts}


def _part_of(name: str) -> str:
    top = name.partition(".")[0]
    if top in ("source_embedding", "target_embedding"):
        return "embeddings"
    return {"output": "output layer"}.get(top, top.removesuffix("_norm"))


def _shapes(path: Path) -> dict[str, list[int]]:
    """Of each weight. The format: 8 bytes with the length of the head, and a head in JSON (huggingface/safetensors)."""
    try:
        with path.open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            if length > _MOST_HEADER:
                raise ValueError("its head is too long")
            head = json.loads(file.read(length))
        return {name: weight["shape"] for name, weight in head.items() if name != "__metadata__"}
    except (OSError, ValueError, struct.error, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{path} is damaged or missing: {error}", TAKE_ANOTHER) from error
