"""From files and data sets of every kind to pairs: `open_pairs` is the door."""

import os
from collections.abc import Sequence

from nmt.corpus.formats import huggingface, locations
from nmt.corpus.formats.inputs import Input
from nmt.corpus.formats.lines import Tsv, TwoFiles
from nmt.corpus.formats.streams import EmptyTextError, FormatStream
from nmt.corpus.formats.tables import Table, arrow_parts, parquet_parts
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
        return _two_files(location)
    name = os.fspath(location)
    if huggingface.is_data_set(name):
        return huggingface.DataSet(name, languages, split)
    if single := locations.single(name):
        return _one_file(single, languages)
    return TwoFiles(*locations.files_of_prefix(name, languages), name)


def _two_files(paths: Sequence[str]) -> FormatStream:
    if len(paths) != 2:
        raise DataError(
            f"parallel text is two files, source and target, not {len(paths)}: {', '.join(paths) or 'none'}.",
            "name two files, or one prefix, or one .tsv file",
        )
    for path in paths:
        locations.check_exists(path)
    source, target = (Input(path, locations.packing_of(path)) for path in paths)
    return TwoFiles(source, target)


def _one_file(file: locations.OneFile, languages: tuple[str, str]) -> FormatStream:
    locations.check_exists(file.path)
    match file.format:
        case "tsv":
            return Tsv(file.input())
        case "parquet":
            return Table(file.input(), parquet_parts, languages)
        case "arrow":
            return Table(file.input(), arrow_parts, languages)
    raise NotImplementedError(file.format)
