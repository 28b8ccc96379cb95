"""Corpora in several files: names with a star, in natural order, and which of two sides belong together."""

import glob
import re
from collections.abc import Iterable
from pathlib import Path

from nmt.errors import DataError

_WILD = re.compile(r"(\*\*/|\*|\?|\[!?\]?[^\]]*\])")

Key = tuple[str, ...]  # what the stars of a pattern stand for


def is_pattern(path: str) -> bool:
    """Whether the path has a star (or ?, or [...]) that is not simply a part of its name."""
    return glob.has_magic(path) and not Path(path).exists()


def matches(pattern: str, endings: Iterable[str] = ("",)) -> dict[Key, str]:
    """The files that fit a pattern and one of the endings after it, by what its stars stand for, in natural order.

    Where several endings fit for one key, the first is taken.
    """
    expression = re.compile("".join(map(_translated, _WILD.split(pattern))), re.DOTALL)
    found: dict[Key, str] = {}
    for ending in endings:
        for path in glob.iglob(pattern + glob.escape(ending), recursive=True):  # noqa: PTH207 - of a whole path
            fits = expression.fullmatch(path.removesuffix(ending))
            if fits and Path(path).is_file():
                found.setdefault(tuple(part or "" for part in fits.groups()), path)
    return dict(sorted(found.items(), key=lambda item: _natural(item[1])))


def paired(source: dict[Key, str], target: dict[Key, str], name: str) -> list[tuple[str, str]]:
    """The files of both sides whose stars stand for the same.

    Errors: DataError that names those without a partner.
    """
    odd = [path for key, path in source.items() if key not in target]
    odd += [path for key, path in target.items() if key not in source]
    if odd:
        shown = ", ".join(odd[:5]) + (f" and {len(odd) - 5} more" if len(odd) > 5 else "")
        raise DataError(
            f"{name}: {len(odd)} of {len(source) + len(target)} files have no partner on the other side: {shown}.",
            "what the star stands for must be the same on both sides, as in part-1.en and part-1.de",
        )
    return [(path, target[key]) for key, path in source.items()]


def nothing(pattern: str) -> DataError:
    """The error to raise where no file fits."""
    folder = Path(re.split(r"[*?\[]", pattern, maxsplit=1)[0] + "x").parent
    remedy = "check the pattern, and that the shell has not replaced it: put it into quotes"
    if not folder.is_dir():
        remedy = f"check the path: there is no folder {folder}"
    return DataError(f"no file fits {pattern}.", remedy)


def _translated(part: str) -> str:
    match part:
        case "**/":
            return "((?:.*/)?)"
        case "*":
            return "([^/]*)"
        case "?":
            return "([^/])"
    if _WILD.fullmatch(part):
        inner = part[1:-1].replace("\\", r"\\")
        return f"([^{inner[1:]}])" if inner.startswith("!") else f"([{inner}])"
    return re.escape(part)


def _natural(path: str) -> list[tuple[str, int]]:
    """2 before 10."""
    pieces = re.split(r"([0-9]+)", path)  # text, number, text, number, ..., text
    return [(text, int(number)) for text, number in zip(pieces[::2], [*pieces[1::2], "0"], strict=True)] + [(path, 0)]
