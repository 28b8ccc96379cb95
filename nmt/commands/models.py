"""Which model a command means when none is named."""

import os
from collections.abc import Sequence
from pathlib import Path

from nmt.errors import UsageError
from nmt.folders import newest_run

RUNS = Path("runs")


def choose_models(given: Sequence[Path]) -> list[Path]:
    """The models named, else the one that `choose_model` finds."""
    return list(given) or [choose_model(None)]


def choose_model(given: Path | None) -> Path:
    """The model named, else $NMT_MODEL, else the newest run under runs/. Raises UsageError when there is none."""
    if given is not None:
        return given
    named = os.environ.get("NMT_MODEL")
    if named:
        return Path(named)
    newest = newest_run(RUNS)
    if newest is None:
        raise UsageError("no model is named, and there is no run under runs/", "nmt train, or -m MODEL")
    return newest
