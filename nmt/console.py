"""What a person sees while work goes on: log lines, warnings and progress bars, all on stderr.

stdout carries results only. Every rank but the first is silent (torchrun sets RANK).
"""

import os
import sys
from collections.abc import Iterable
from typing import Any, TypeVar

from tqdm import tqdm

Item = TypeVar("Item")

_quiet = False


def set_quiet(quiet: bool) -> None:
    """Drop log lines and bars from now on; warnings and errors stay."""
    global _quiet
    _quiet = quiet


def _is_first_rank() -> bool:
    return int(os.environ.get("RANK", "0")) == 0


def log(text: str) -> None:
    """One line of what is going on."""
    if not _quiet and _is_first_rank():
        _write(text)


def warn(text: str) -> None:
    """Something the user should know although the work goes on."""
    if _is_first_rank():
        _write(f"warning: {text}")


def error(text: str) -> None:
    """Why the work has ended. Every rank speaks: the one that failed may not be the first."""
    _write(f"error: {text}")


def _write(text: str) -> None:
    # tqdm.write clears a running bar first and redraws it below.
    tqdm.write(text, file=sys.stderr)
    sys.stderr.flush()


def progress(
    items: Iterable[Item] | None = None,
    *,
    total: int | None = None,
    done: int = 0,
    description: str = "",
    unit: str = "it",
) -> "tqdm[Item]":
    """A tqdm bar on stderr; invisible when stderr is no terminal, when quiet, and on other ranks.

    done: how many of `total` an earlier run has done.
    """
    hidden = _quiet or not _is_first_rank() or not sys.stderr.isatty()
    settings: dict[str, Any] = {"total": total, "initial": done, "desc": description, "unit": unit, "disable": hidden}
    return tqdm(items, **settings, file=sys.stderr, leave=False, dynamic_ncols=True, mininterval=0.3)
