"""What a location means: which files, in which format, packed how."""

import difflib
import re
from pathlib import Path
from typing import Literal, NamedTuple, cast, get_args

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
    """A file (or standard input) of a format that has both sides in it. packing: None: as its name says."""

    path: str
    format: Format
    packing: Packing | None = None

    def input(self) -> Input:
        return Input(self.path, self.packing or packing_of(self.path))


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


def check_exists(path: str) -> None:
    """Errors: DataError that says what is there, where `path` is not."""
    if path != STANDARD_INPUT and not Path(path).exists():
        raise DataError(f"{path} does not exist.", _suggestion(Path(path), Path(path)))


def files_of_prefix(prefix: str, languages: tuple[str, str]) -> tuple[Input, Input]:
    """PREFIX.SOURCE and PREFIX.TARGET, each plain or compressed.

    Errors: DataError that says what was looked for, and what is there.
    """
    wanted = [f"{prefix}.{language}" for language in languages]
    found = [_plain_or_packed(path) for path in wanted]
    source, target = found
    if source is None or target is None:
        missing = [path for path, there in zip(wanted, found, strict=True) if there is None]
        message = f"there is no parallel text at {prefix}: {' and '.join(missing)} not found."
        raise DataError(message, _suggestion(Path(prefix), Path(missing[0])))
    return source, target


def _plain_or_packed(path: str) -> Input | None:
    for ending in ("", *(f".{packing}" for packing in PACKINGS)):
        if Path(path + ending).is_file():
            return Input(path + ending, packing_of(path + ending))
    return None


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
