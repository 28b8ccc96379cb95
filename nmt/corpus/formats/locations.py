"""What a location means: which files, in which format, packed how."""

import difflib
import re
from pathlib import Path
from typing import Literal, NamedTuple, cast, get_args

from nmt.corpus.formats import patterns
from nmt.corpus.formats.inputs import PACKINGS, STANDARD_INPUT, Input, Packing
from nmt.errors import DataError

Format = Literal["tsv", "jsonl", "json", "tmx", "po", "xliff", "parquet", "arrow"]
_FORMATS: tuple[Format, ...] = get_args(Format)
_ENDINGS: dict[str, Format] = {name: name for name in _FORMATS} | {
    "ndjson": "jsonl",
    "xlf": "xliff",
    "sdlxliff": "xliff",
    "mqxliff": "xliff",
    "mxliff": "xliff",
}
_FORCED = re.compile(rf"({'|'.join(_FORMATS)})(?:\.({'|'.join(PACKINGS)}))?:(.+)", re.DOTALL)


class OneFile(NamedTuple):
    """A file of a format that has both sides in it, a pattern of such files, or standard input.

    packing: None: as its name says.
    """

    path: str
    format: Format
    packing: Packing | None = None


def open_input(path: str, packing: Packing | None = None) -> Input:
    """packing: None: as the name says."""
    return Input(path, packing or packing_of(path))


def single(location: str) -> OneFile | None:
    """The file that `location` names, by its ending or a format before it; None for a prefix."""
    if forced := _FORCED.fullmatch(location):
        return OneFile(forced[3], cast(Format, forced[1]), cast(Packing | None, forced[2]))
    if location == STANDARD_INPUT:
        return OneFile(location, "tsv")
    packing = packing_of(location)
    bare = location[: -len(packing) - 1] if packing else location
    if format_ := _ENDINGS.get(Path(bare).suffix[1:].lower()):
        return OneFile(location, format_)
    return None


def packing_of(path: str) -> Packing | None:
    ending = Path(path).suffix[1:].lower()
    return next((packing for packing in PACKINGS if packing == ending), None)


def files_of(path: str) -> list[str]:
    """The file at `path`, or those that fit it as a pattern, in natural order.

    Errors: DataError that says what is there, where nothing is.
    """
    if path != STANDARD_INPUT and patterns.is_pattern(path):
        if not (found := patterns.matches(path)):
            raise patterns.nothing(path)
        return list(found.values())
    check_exists(path)
    return [path]


def files_of_both(source: str, target: str) -> list[tuple[str, str]]:
    """Two files, or those that fit two patterns.

    Errors: DataError that says what is there, where one is missing, or files without a partner.
    """
    if not (patterns.is_pattern(source) and patterns.is_pattern(target)):
        for path in (source, target):
            check_exists(path)
        return [(source, target)]
    sides = patterns.matches(source), patterns.matches(target)
    for pattern, found in zip((source, target), sides, strict=True):
        if not found:
            raise patterns.nothing(pattern)
    return patterns.paired(*sides, f"{source} and {target}")


def check_exists(path: str) -> None:
    """Errors: DataError that says what is there, where `path` is not."""
    if path != STANDARD_INPUT and not Path(path).exists():
        raise DataError(f"{path} does not exist.", _suggestion(Path(path), Path(path)))


def files_of_prefix(prefix: str, languages: tuple[str, str]) -> list[tuple[str, str]]:
    """PREFIX.SOURCE and PREFIX.TARGET, each plain or compressed; or those of all prefixes that fit a pattern.

    Errors: DataError that says what was looked for, and what is there.
    """
    wanted = [f"{prefix}.{language}" for language in languages]
    source, target = found = [_plain_or_packed(path) for path in wanted]
    if source and target:
        return [(source, target)]
    if patterns.is_pattern(prefix) and not (source or target):
        sources, targets = (patterns.matches(prefix, _endings(language)) for language in languages)
        if sources or targets:
            return patterns.paired(sources, targets, prefix)
        raise patterns.nothing(" or ".join(wanted))
    missing = [path for path, there in zip(wanted, found, strict=True) if there is None]
    message = f"there is no parallel text at {prefix}: {' and '.join(missing)} not found."
    bare = prefix.removesuffix(f".{packing_of(prefix)}")
    if Path(bare).suffix[1:] in languages and Path(prefix).is_file():  # one of the two files
        raise DataError(message, f"name what both files have in common, as in {Path(bare).with_suffix('')}")
    raise DataError(message, _suggestion(Path(prefix), Path(missing[0])))


def _endings(language: str) -> list[str]:
    return [f".{language}", *(f".{language}.{packing}" for packing in PACKINGS)]


def _plain_or_packed(path: str) -> str | None:
    return next((path + end for end in ("", *(f".{name}" for name in PACKINGS)) if Path(path + end).is_file()), None)


def _suggestion(prefix: Path, missing: Path) -> str:
    folder = missing.parent
    if not folder.is_dir():
        return f"check the path: there is no folder {folder}"
    if prefix.is_dir():
        return f"name files inside the folder by what they have in common, as in {prefix / 'train'}"
    if prefix.is_file():
        return f"if that one file holds both sides, say what it is: one of {', '.join(_FORMATS)}, as in tsv:{prefix}"
    names = sorted(entry.name for entry in folder.iterdir() if entry.is_file())
    near = [name for name in names if name.startswith(prefix.name)]
    near += [name for name in difflib.get_close_matches(missing.name, names, n=5) if name not in near]
    if not near:
        return f"check the path: nothing in {folder} has a similar name"
    return f"check the name and the languages; {folder} has {', '.join(near[:8])}"
