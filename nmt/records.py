"""What a run has written down, as far as it can be told: a file may be broken, of another version, or edited by hand.

Whoever reads a record may rely on the shapes here; what has another is left out, with a reason.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

_MOST = 1e300  # beyond any number that was measured; what cannot be told or drawn
_NUMBERS = re.compile("step|seconds|tokens|parameters|(source|target)_vocab_size|(parent_)?dev_[a-z]+")


class _Shape(BaseModel):
    """What must be there, and of which kind; there may be more."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)


class _Hardware(_Shape):
    processor: Any
    cores: Any
    system: Any
    gpus: list[str]
    memory: float | None = None


class _Sitting(_Shape):
    command: str | None
    began: str
    saved: str
    from_step: int
    to_step: int
    seconds: float
    device: Any
    threads: Any
    processes: int
    versions: dict[str, Any]
    hardware: _Hardware
    peak_memory: float | None = None


class _Corpus(_Shape):
    name: str
    lines: int
    lines_encoded: int
    pairs: int
    source_tokens: int
    target_tokens: int
    left_out: dict[str, int]


class _HeldOut(_Shape):
    name: str
    lines: int


class _Data(_Shape):
    train: list[_Corpus] = []
    dev: _HeldOut | None = None
    parent_dev: _HeldOut | None = None


class _Parent(_Shape):
    model: str
    step: int | None


class _Training(_Shape):
    sittings: list[_Sitting]
    data: _Data
    init_from: _Parent | None = None


class _Result(_Shape):
    score: float
    low: float | None = None
    high: float | None = None
    signature: str = ""

    @model_validator(mode="after")
    def _both_ends(self) -> Self:
        if (self.low is None) != (self.high is None):
            raise ValueError("an interval has two ends")
        return self


class _Entry(_Shape):
    results: dict[str, _Result]
    test: str = ""
    hash: str = ""
    lines: int = 0
    decode: dict[str, Any] = {}
    tags: list[str] = []
    language: str | None = None
    date: str = ""


def is_number(value: object) -> bool:
    """Finite, and small enough to be drawn; neither NaN nor true."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -_MOST < value < _MOST


def sound_facts(facts: Mapping[str, Any], problems: list[str]) -> dict[str, Any]:
    """Of what model.json says that which can be told: numbers that are numbers, and a whole record of the training."""
    kept = dict(facts)
    for name, value in facts.items():
        wrong = _NUMBERS.fullmatch(name) and value is not None and not is_number(value)
        if wrong or (name == "step" and not isinstance(value, int)) or (name == "machine" and not _is_mapping(value)):
            problems.append(f"model.json is broken: {name} is left out")
            del kept[name]
    if "training" in kept and (why := _misfit(_Training, kept["training"])):
        problems.append(f"model.json is broken: what it says of the training is left out ({why})")
        del kept["training"]
    return kept


def sound_rows(rows: Sequence[Any]) -> tuple[list[dict[str, Any]], list[int]]:
    """Of rows of metrics.jsonl the numbers; and which of them, from 1, are no rows, as they have no update.

    A number that is none (NaN, as of a training that has diverged) is not in its row.
    """
    found, broken = [], []
    for number, row in enumerate(rows, start=1):
        kept = {name: value for name, value in row.items() if is_number(value)} if _is_mapping(row) else {}
        if isinstance(kept.get("step"), int):
            found.append(kept)
        else:
            broken.append(number)
    return found, broken


def sound_scores(entries: Sequence[Any]) -> tuple[list[dict[str, Any]], list[int]]:
    """The entries of scores.json that can be told; and which of them, from 1, cannot."""
    broken = [number for number, entry in enumerate(entries, start=1) if _misfit(_Entry, entry)]
    return [entry for number, entry in enumerate(entries, start=1) if number not in broken], broken


def _is_mapping(value: object) -> bool:
    return isinstance(value, dict)


def _misfit(shape: type[_Shape], value: object) -> str:
    """What is wrong with it first; "" when nothing is."""
    try:
        shape.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg'].lower()}".removeprefix(": ")
    return ""
