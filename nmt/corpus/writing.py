"""Pairs into files: two plain ones or one TSV, gzipped if wanted; all appear together, when all is done."""

import contextlib
import gzip
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, cast

from nmt.errors import UsageError
from nmt.text.lines import atomic_file, unwritable

Write = Callable[[str, str], None]

_NOT_WRITTEN = (".xz", ".zst", ".bz2", ".json", ".jsonl", ".tmx", ".po", ".xlf", ".xliff", ".parquet", ".arrow")


def pair_paths(output: str, languages: tuple[str, str]) -> list[Path]:
    """The files that `output` means: NAME.tsv or NAME.tsv.gz is one; any other name begins two.

    "corpus/train" gives corpus/train.en and corpus/train.de, "corpus/train.gz" the same with .gz behind each.
    Raises UsageError for a format that is only read, and for a folder.
    """
    if output.rpartition("/")[2] in ("", ".", ".."):  # its files would be hidden ones, .en and .de
        raise UsageError(f"{output or 'an empty name'} is no name for files", "a prefix, as in FOLDER/train")
    if output.endswith(_NOT_WRITTEN):
        ending = Path(output).suffix
        raise UsageError(f"{output}: {ending} is read, not written", "a prefix, NAME.tsv, or either with .gz")
    bare = output.removesuffix(".gz")
    packed = ".gz" if bare != output else ""
    if bare.endswith(".tsv"):
        return [Path(output)]
    return [Path(f"{bare}.{language}{packed}") for language in languages]


@contextlib.contextmanager
def row_files(paths: Sequence[Path]) -> Iterator[list[BinaryIO]]:
    """Files to write bytes to; a name that ends in .gz is gzipped, the same bytes each time. Folders are made for them.

    Errors: DataError if one cannot be written; then none of them is.
    """
    with contextlib.ExitStack() as stack:
        for path in paths:
            stack.enter_context(_folder(path.parent))
        plain = [stack.enter_context(atomic_file(path)) for path in paths]
        files = [_gzipped(file) if path.suffix == ".gz" else file for path, file in zip(paths, plain, strict=True)]
        try:
            yield files
        finally:
            for file, below in zip(files, plain, strict=True):
                if file is not below:
                    file.close()  # leaves the one below open
        for file in plain:  # a full disk is met before the first of them takes its place
            file.flush()
            with contextlib.suppress(OSError):  # a pipe
                os.fsync(file.fileno())


@contextlib.contextmanager
def _folder(folder: Path) -> Iterator[None]:
    """Make it, where it is missing; what was made for nothing goes again."""
    missing = [above for above in (folder, *folder.parents) if not above.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from error
    try:
        yield
    except BaseException:
        for made in missing:
            with contextlib.suppress(OSError):  # not empty: somebody else's
                made.rmdir()
        raise


def _gzipped(file: BinaryIO) -> BinaryIO:
    return cast(BinaryIO, gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=6, mtime=0))


def pair_writer(files: Sequence[BinaryIO]) -> Write:
    """What writes a pair: to two files a line each, to one a row of a TSV. A line end or TAB inside becomes a blank."""
    if len(files) == 1:
        table = files[0]
        return lambda source, target: write_row(table, (source, target))
    left, right = files

    def write(source: str, target: str) -> None:
        left.write(encoded_line(source))
        right.write(encoded_line(target))

    return write


def write_row(file: BinaryIO, cells: Sequence[str]) -> None:
    """One row of a TSV."""
    file.write(encoded_line("\t".join(cell.replace("\t", " ") if "\t" in cell else cell for cell in cells)))


def encoded_line(text: str) -> bytes:
    """One line, and nothing else of it changed: only LF, which no line can hold, becomes a blank."""
    if "\n" in text:
        text = text.replace("\n", " ")
    return f"{text}\n".encode("utf-8", "replace")
