"""Parallel text out of files: two plain files, one TSV, or a Hugging Face data set.

Files are read as bytes and cut at LF only, so that a pair stays a pair whatever it contains; never by a CSV or text
reader, which cut at other characters and give quotes a meaning.
"""

import difflib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nmt import console
from nmt.errors import DataError
from nmt.text.lines import clean, read_lines

Location = str | os.PathLike[str] | Sequence[str]


@dataclass
class ParallelText:
    """Pairs of segments in the order of their files; cleaned, and without pairs that have a blank side, to train on."""

    name: str
    source: list[str] = field(default_factory=list)
    target: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)  # where each pair stood, counted from 1
    dropped: list[tuple[int, str]] = field(default_factory=list)  # line, and what is wrong with it

    def __len__(self) -> int:
        return len(self.source)

    def clean_pairs(self) -> Iterator[tuple[str, str]]:
        """The pairs in the form in which text is learned from."""
        return ((clean(source), clean(target)) for source, target in zip(self.source, self.target, strict=True))

    def describe_dropped(self) -> str:
        """One line for the log that names the pairs left out; "" if there are none."""
        if not self.dropped:
            return ""
        total = len(self) + len(self.dropped)
        reasons = ", ".join(f"{count} {reason}" for reason, count in Counter(why for _, why in self.dropped).items())
        shown = ", ".join(str(line) for line, _ in self.dropped[:10]) + (", ..." if len(self.dropped) > 10 else "")
        plural = "s" if len(self.dropped) > 1 else ""
        return f"{self.name}: left out {len(self.dropped)} of {total} pairs ({reasons}): line{plural} {shown}"


def read_parallel(
    location: Location, source_language: str, target_language: str, *, split: str = "train", keep_all: bool = False
) -> ParallelText:
    """Read parallel text from wherever it is; pairs left out are warned of.

    location: a prefix ("corpus/train" for corpus/train.en and corpus/train.de), two files (source first), one .tsv
    (source TAB target), or "hf:NAME[:CONFIG][#SPLIT]" (a data set of the Hugging Face hub, or a local folder of one).
    split: the part of a data set to read where `location` names none.
    keep_all: every line as it is written, blank ones too: for text to be scored on, where scores must be comparable.
    Errors: DataError for text that is missing, not UTF-8, or unequal in its number of lines.
    """
    pairs: Iterable[tuple[str, str]]
    if not isinstance(location, str | os.PathLike):
        if len(location) != 2:
            raise DataError(
                f"parallel text is two files, source and target, not {len(location)}: {', '.join(location) or 'none'}.",
                "name two files, or one prefix, or one .tsv file",
            )
        source, target = Path(location[0]), Path(location[1])
        name, pairs = f"{source} and {target}", _pairs_of_files(source, target)
    elif (name := str(location)).startswith("hf:"):
        pairs = _pairs_of_data_set(name, source_language, target_language, split)
    elif name.endswith(".tsv"):
        pairs = _pairs_of_tsv(Path(name))
    else:
        pairs = _pairs_of_files(*_files_of_prefix(name, source_language, target_language))
    text = ParallelText(name)
    for line, (source_text, target_text) in enumerate(pairs, start=1):
        if not keep_all:
            source_text, target_text = clean(source_text), clean(target_text)
        if keep_all or (source_text and target_text):
            text.source.append(source_text)
            text.target.append(target_text)
            text.lines.append(line)
        else:
            text.dropped.append((line, _which_is_blank(source_text, target_text)))
    if text.dropped:
        console.warn(text.describe_dropped())
    return text


def available_splits(location: Location, source_language: str, target_language: str) -> list[str]:
    """The parts a "hf:" data set has ("train", "validation", ...); none for a location of any other kind.

    Errors: DataError if the data set cannot be loaded.
    """
    if not str(location).startswith("hf:"):
        return []
    name, config, _ = _parse_hub(str(location))
    return list(_load(name, config, None, source_language, target_language))


def _which_is_blank(source: str, target: str) -> str:
    if source or target:
        return "with blank target" if source else "with blank source"
    return "with both sides blank"


# Files


def _files_of_prefix(prefix: str, source_language: str, target_language: str) -> tuple[Path, Path]:
    paths = Path(f"{prefix}.{source_language}"), Path(f"{prefix}.{target_language}")
    missing = [path for path in paths if not path.is_file()]
    if missing:
        message = f"there is no parallel text at {prefix}: {' and '.join(map(str, missing))} not found."
        raise DataError(message, _suggestion(Path(prefix), missing[0]))
    return paths


def _suggestion(prefix: Path, missing: Path) -> str:
    folder = missing.parent
    if not folder.is_dir():
        return f"check the path: there is no folder {folder}"
    if prefix.is_dir():
        return f"name files inside the folder by what they have in common, as in {prefix / 'train'}"
    names = sorted(entry.name for entry in folder.iterdir() if entry.is_file())
    near = [name for name in names if name.startswith(prefix.name)]
    near += [name for name in difflib.get_close_matches(missing.name, names, n=5) if name not in near]
    if not near:
        return f"check the path: nothing in {folder} has a similar name"
    return f"check the name and the languages; {folder} has {', '.join(near[:8])}"


def _pairs_of_files(source: Path, target: Path) -> Iterable[tuple[str, str]]:
    for path in (source, target):
        if not path.exists():
            raise DataError(f"{path} does not exist.", _suggestion(path, path))
    source_lines, target_lines = _text_lines(source), _text_lines(target)
    if len(source_lines) != len(target_lines):
        raise DataError(
            f"{source} has {_counted(source_lines)} but {target} has {_counted(target_lines)}.",
            "take both files from the same source again: line N of one must be the translation of line N of the other",
        )
    return zip(source_lines, target_lines, strict=True)


def _text_lines(path: Path) -> list[str]:
    """UTF-16 without its mark is valid UTF-8 as long as it is ASCII, and would be learned letter by letter."""
    lines = read_lines(path)
    if sum("\0" in line for line in lines) > len(lines) / 2:
        raise DataError(
            f"{path} looks like UTF-16, not UTF-8: most of its lines have NUL bytes.",
            f"convert the file first: iconv -f UTF-16LE -t UTF-8 {path} > converted.txt",
        )
    return lines


def _counted(lines: list[str]) -> str:
    return f"{len(lines)} line" if len(lines) == 1 else f"{len(lines)} lines"


def _pairs_of_tsv(path: Path) -> Iterator[tuple[str, str]]:
    if not path.exists():
        raise DataError(f"{path} does not exist.", _suggestion(path, path))
    for number, line in enumerate(_text_lines(path), start=1):
        fields = line.split("\t")
        if len(fields) != 2:
            found = "1 field" if len(fields) == 1 else f"{len(fields)} fields"
            raise DataError(
                f"{path} line {number} has {found}, not 2.",
                "each line must be: source TAB target; cut other columns off, as with: cut -f 1,2",
            )
        yield fields[0], fields[1]


# Hugging Face data sets


def _parse_hub(location: str) -> tuple[str, str | None, str | None]:
    """Name, config and split of "hf:NAME[:CONFIG][#SPLIT]"."""
    name, _, split = location.removeprefix("hf:").partition("#")
    config = ""
    if not Path(name).exists():  # a folder may have a colon in its name
        name, _, config = name.partition(":")
    if not name:
        raise DataError(f'"{location}" names no data set.', "write hf:NAME, hf:NAME:CONFIG or hf:NAME:CONFIG#SPLIT")
    return name, config or None, split or None


def _pairs_of_data_set(
    location: str, source_language: str, target_language: str, split: str
) -> Iterator[tuple[str, str]]:
    name, config, own_split = _parse_hub(location)
    data = _load(name, config, own_split or split, source_language, target_language)
    inner = _languages(data.features.get("translation"))
    found = inner or data.column_names
    absent = [language for language in (source_language, target_language) if language not in found]
    if absent:
        raise DataError(
            f"data set {name} has no text in {' and '.join(absent)}; it has {', '.join(found)}.",
            "choose the languages by these names, or another config: hf:NAME:CONFIG",
        )
    # Whole columns of a thousand rows at a time: hundreds of times faster than row by row.
    for batch in data.iter(batch_size=1000):
        if inner:
            rows = [row or {} for row in batch["translation"]]
            sides = [row.get(source_language) for row in rows], [row.get(target_language) for row in rows]
        else:
            sides = batch[source_language], batch[target_language]
        for source, target in zip(*sides, strict=True):
            yield _text(source, name), _text(target, name)


def _languages(feature: Any) -> list[str]:
    """The languages inside a `translation` column; none if it is missing or of another kind."""
    import datasets

    if isinstance(feature, datasets.Translation):
        return list(feature.languages)
    return list(feature) if isinstance(feature, dict) else []


def _text(value: object, name: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise DataError(f"data set {name} holds {type(value).__name__} values where text is needed.", "name another")
    return value


def _load(name: str, config: str | None, split: str | None, source_language: str, target_language: str) -> Any:
    """A `datasets.Dataset`, or the `DatasetDict` of all splits where `split` is None.

    Without a config the data set's own default is taken, else the one named for the two languages in either order.
    """
    # Imported here: it takes a second, and few need it.
    import datasets
    import huggingface_hub

    datasets.disable_progress_bars()
    datasets.logging.set_verbosity_error()
    huggingface_hub.logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    _check_local(name)
    if _is_saved(Path(name)):
        return _load_saved(name, split)
    pair, reverse = f"{source_language}-{target_language}", f"{target_language}-{source_language}"
    candidates = [config] if config else [None, pair, reverse]
    for position, candidate in enumerate(candidates, start=1):
        try:
            return datasets.load_dataset(name, candidate, split=split)
        except Exception as error:  # a network, a cache, a dozen file formats: anything may come out of there
            lacks_config = "Config name is missing" in str(error) or "BuilderConfig" in str(error)
            if not lacks_config or position == len(candidates):
                raise _data_set_error(error, name, split) from error
    raise AssertionError("the last candidate returns or raises")


def _is_saved(folder: Path) -> bool:
    """Whether `Dataset.save_to_disk` made this folder."""
    return (folder / "dataset_dict.json").is_file() or (folder / "state.json").is_file()


def _load_saved(name: str, split: str | None) -> Any:
    import datasets

    try:
        saved = datasets.load_from_disk(name)
    except Exception as error:  # pyarrow, json, the file system: anything may come out of there
        raise DataError(f"data set {name} is damaged: {_reason(error)}", "save it again") from error
    parts = saved if isinstance(saved, datasets.DatasetDict) else {"train": saved}
    if split is None:
        return parts
    if split not in parts:
        raise _no_split(name, split, ", ".join(parts))
    return parts[split]


def _no_split(name: str, split: str | None, found: str) -> DataError:
    return DataError(f"data set {name} has no split {split}; it has {found}.", "name a split it has: hf:NAME#SPLIT")


def _check_local(name: str) -> None:
    path = Path(name)
    if path.is_file():
        raise DataError(f"hf:{name} is a file.", "name the folder of a data set after hf:, or a .tsv without it")
    if name.startswith((".", "/", "~")) and not path.is_dir():
        raise DataError(f"hf:{name}: there is no such folder.", "check the path")


def _reason(error: BaseException) -> str:
    """What it says on one line; what caused it, where that says more."""
    while error.__cause__ is not None:
        error = error.__cause__
    return re.sub(r"\s+", " ", str(error)).strip() or type(error).__name__


def _data_set_error(error: Exception, name: str, split: str | None) -> DataError:
    text = _reason(error)
    if found := re.search(r"Unknown split .*one of \[(.*)\]", text):
        return _no_split(name, split, found[1].replace("'", ""))
    if found := re.search(r"[Aa]vailable(?: configs)?: \[(.*?)\]", text):
        configs = found[1].replace("'", "")
        return DataError(
            f"data set {name} must be read by one of its configs: {configs}.", f"name it: hf:{name}:CONFIG"
        )
    if isinstance(error, ConnectionError) or "offline" in text.lower():
        return DataError(
            f"data set {name} cannot be reached on the Hugging Face hub, and is not in the local cache.",
            "check the network connection, or give a local folder: hf:./FOLDER",
        )
    local = Path(name).is_dir()
    remedy = "check the files in that folder" if local else "check the name on https://huggingface.co/datasets"
    return DataError(f"data set {name} cannot be loaded: {text}", remedy)
