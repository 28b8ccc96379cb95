"""From files and data sets of every kind to pairs: `open_pairs` is the door."""

import os
from collections.abc import Sequence
from pathlib import Path

from nmt.corpus.formats import huggingface, locations
from nmt.corpus.formats.json_rows import JsonDocument, JsonLines
from nmt.corpus.formats.lines import Tsv, TwoFiles
from nmt.corpus.formats.locations import open_input
from nmt.corpus.formats.markup import MarkupStream
from nmt.corpus.formats.po import PoStream
from nmt.corpus.formats.streams import EmptyTextError, FormatStream, Shards
from nmt.corpus.formats.tables import Table, arrow_parts, parquet_parts
from nmt.corpus.formats.tmx import TmxUnits
from nmt.corpus.formats.xliff import XliffUnits
from nmt.errors import DataError

__all__ = ["EmptyTextError", "FormatStream", "Location", "open_pairs"]

Location = str | os.PathLike[str] | Sequence[str]


def open_pairs(location: Location, source_language: str, target_language: str, *, split: str = "train") -> FormatStream:
    """Parallel text from wherever it is, as a stream that may be walked through as often as needed.

    location: a prefix, two files (source first), one file that holds both sides, standard input, or a data set;
    nmt/corpus/formats/locations.py has the names.
    split: the part of a data set to read where `location` names none.
    Errors: DataError for what is not there; the stream raises it for what is broken, with file and line.
    """
    languages = source_language, target_language
    if not isinstance(location, str | os.PathLike):
        if len(location) != 2:
            raise DataError(
                f"parallel text is two files, source and target, not {len(location)}: {', '.join(location) or 'none'}.",
                "name two files, or one prefix, or one .tsv file",
            )
        source, target = map(os.fspath, location)
        for path in (source, target):
            _check_is_a_side(path)
        return _two_sides(locations.files_of_both(source, target), f"{source} and {target}")
    name = os.fspath(location)
    if huggingface.is_data_set(name):
        return huggingface.DataSet(name, languages, split)
    if file := locations.single(name):
        return _joined([_one_file(path, file, languages, split) for path in locations.files_of(file.path)], name)
    return _two_sides(locations.files_of_prefix(name, languages), name)


def _check_is_a_side(path: str) -> None:
    """Errors: DataError for a file that by its ending has both sides in it, and none of them as plain lines."""
    file = locations.single(path)
    if file is not None and file.format in ("tmx", "xliff", "po", "parquet", "arrow"):
        raise DataError(
            f"{path} holds both sides, but stands here as one of two files.",
            f'one such file at a time, or all that fit a pattern, as in "*{Path(path).suffix}"',
        )


def _two_sides(files: Sequence[tuple[str, str]], name: str) -> FormatStream:
    return _joined([TwoFiles(open_input(source), open_input(target), name) for source, target in files], name)


def _joined(streams: Sequence[FormatStream], name: str) -> FormatStream:
    return streams[0] if len(streams) == 1 else Shards(name, streams)


def _one_file(path: str, file: locations.OneFile, languages: tuple[str, str], split: str) -> FormatStream:
    source = open_input(path, file.packing)
    match file.format:
        case "tsv":
            return Tsv(source)
        case "jsonl":
            return JsonLines(source, languages)
        case "json":
            return JsonDocument(source, languages, split)
        case "tmx":
            return MarkupStream(source, TmxUnits, "tmx", languages)
        case "xliff":
            return MarkupStream(source, XliffUnits, "xliff", languages)
        case "po":
            return PoStream(source, languages)
        case "parquet":
            return Table(source, parquet_parts, languages)
        case "arrow":
            return Table(source, arrow_parts, languages)
