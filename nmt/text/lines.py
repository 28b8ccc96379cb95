"""Segments out of a file, and back into it.

Text is bytes, cut at 0x0A only and read as UTF-8: never `str.splitlines()` (which also cuts at U+2028, VT, FF, ...),
never the locale's encoding. So line N of one file stays beside line N of the other whatever the text contains.
"""

import contextlib
import hashlib
import os
import re
import shutil
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Literal

from nmt.errors import DataError

BOM = b"\xef\xbb\xbf"
# All that some program takes for the end of a line, and NUL, which ends a string in others.
_LINE_SEPARATORS = re.compile("[\x00\n\x0b\x0c\r\x1c-\x1e\x85\u2028\u2029]")
_CONTROLS = re.compile("[\x00-\x1f\x7f\x85\u2028\u2029]")
_SPACES = re.compile("  +")
# What `str.strip` takes for blank, and the marks of no width that would leave a line looking empty without being so.
_BLANKS = "".join(map(chr, (c for c in range(0x3001) if chr(c).isspace()))) + "\u200b\u2060\ufeff"


def clean(text: str) -> str:
    """The form in which text is learned from and translated.

    NFC; tabs, line separators and other control characters become a space; runs of plain spaces become one; blanks of
    every kind (U+00A0, U+3000, ...) are taken off both ends but stay inside. A line of blanks only becomes "".
    """
    if not (text.isascii() and text.isprintable()):
        text = _CONTROLS.sub(" ", unicodedata.normalize("NFC", text))
    if "  " in text:
        text = _SPACES.sub(" ", text)
    return text.strip(_BLANKS)


def one_line(text: str) -> str:
    """`text` with each line separator (and NUL) made a space, so that every reader finds exactly one line in it."""
    return text if text.isprintable() else _LINE_SEPARATORS.sub(" ", text)


def visible(text: str) -> str:
    """`clean`, with nothing in it that a terminal obeys: every blank is a plain one, what cannot be seen is U+FFFD."""
    text = clean(text)
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else " " if letter.isspace() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )


def read_lines(path: Path) -> list[str]:
    """The lines of a UTF-8 file, without their ends (LF or CR LF) and without a byte order mark at its start.

    A last line without LF counts; a trailing LF adds none.
    Errors: DataError for a file that cannot be opened, and for the first byte that is not UTF-8, with its line.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error
    data = data.removeprefix(BOM)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        start = data.rfind(b"\n", 0, error.start) + 1
        raise not_utf8(str(path), data.count(b"\n", 0, start) + 1, error.start - start, data[error.start]) from error
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


class TextFile:
    """The lines of a file by the rules of `read_lines`, as often as they are asked for, and never all in memory.

    It is read once when it is made. What can be read only once (a pipe) is kept in memory after all.
    """

    def __init__(self, path: Path) -> None:
        """Raises DataError as `read_lines` does."""
        self.path = path
        self._kept = read_lines(path) if path.exists() and not path.is_file() else None
        content, count = hashlib.sha256(), 0
        for line in self._lines():
            content.update(line.encode("utf-8") + b"\n")
            count += 1
        self._count, self.sha256 = count, content.hexdigest()  # of the lines, each with LF

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        """Raises DataError when there are more or fewer lines than there were at first."""
        count = 0
        for count, line in enumerate(self._lines(), start=1):  # noqa: B007
            yield line
        if count != self._count:
            raise DataError(
                f"{self.path} has changed while it was read: {count} lines, not {self._count}.", "once more"
            )

    def _lines(self) -> Iterator[str]:
        if self._kept is not None:
            yield from self._kept
            return
        try:
            file = self.path.open("rb")
        except OSError as error:
            raise unreadable(self.path, error) from error
        with file:
            yield from iter_lines(file, str(self.path))


def iter_lines(
    stream: BinaryIO,
    name: str,
    invalid: Literal["error", "replace"] = "error",
    on_replaced: Callable[[int], None] | None = None,
) -> Iterator[str]:
    """The lines of a stream by the rules of `read_lines`, each as soon as its LF has arrived.

    name: what messages call the stream.
    invalid: "error" raises DataError at a byte that is not UTF-8; "replace" puts U+FFFD there instead and calls
    `on_replaced` with the number of that line, counted from 1.
    """
    for number, line in enumerate(iter(stream.readline, b""), start=1):
        if number == 1:
            line = line.removeprefix(BOM)
            if not line:  # nothing but the mark
                return
        line = line.removesuffix(b"\n").removesuffix(b"\r")
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError as error:
            if invalid == "error":
                raise not_utf8(name, number, error.start, line[error.start]) from error
            if on_replaced is not None:
                on_replaced(number)
            yield line.decode("utf-8", errors="replace")


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write one line for each text, whatever it contains; the file appears when it is complete.

    Errors: DataError if the file cannot be written.
    """
    with atomic_file(path) as file:
        for line in lines:
            file.write(one_line(line).encode("utf-8", errors="replace") + b"\n")


@contextlib.contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write bytes to that takes the place of `path` only when all went well: no reader ever sees half of it.

    A device or pipe (/dev/null) is written to directly; a link keeps pointing where it did.
    Errors: DataError if the file cannot be written.
    """
    path = real_path(path)
    if path.is_dir():
        raise DataError(f"{path} cannot be written: is a directory.", "name a file inside it")
    in_place = path.exists() and not path.is_file()
    temporary = path if in_place else path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            if not in_place and path.exists():
                shutil.copymode(path, temporary)  # what was private stays so
            yield file
            file.flush()
            if not in_place:
                os.fsync(file.fileno())
        if not in_place:
            temporary.replace(path)
    except BrokenPipeError:  # the reader of a pipe has seen enough: the command's matter
        raise
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        if not in_place:
            with contextlib.suppress(OSError):  # after the rename there is nothing left to remove
                temporary.unlink()


def real_path(path: Path) -> Path:
    """Where links lead; never an error, as `Path.resolve` has for links that lead in a circle."""
    return Path(os.path.realpath(path))


def unreadable(path: Path, error: OSError) -> DataError:
    """The error to raise for a file that cannot be opened."""
    if isinstance(error, FileNotFoundError):
        return DataError(f"{path} does not exist.", "check the name; it is looked for from the current folder")
    if isinstance(error, IsADirectoryError):
        return DataError(f"{path} is a folder, not a text file.", "name a file inside it")
    return DataError(f"{path} cannot be read: {_reason(error)}.", "check the file's permissions")


def unwritable(path: Path, error: OSError) -> DataError:
    """The error to raise for a file that cannot be written."""
    remedy = "name another file" if path.parent.is_dir() else "name another file, or make its folder first"
    return DataError(f"{path} cannot be written: {_reason(error)}.", remedy)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def not_utf8(name: str, line: int, offset: int, byte: int, encoding: str = "utf-8") -> DataError:
    """The error to raise for a byte that cannot be read.

    offset: of the byte in its line, counted from 0.  encoding: what it was read as.
    """
    message = f"{name} line {line} byte offset {offset}: 0x{byte:02X} is not {encoding.upper()} here."
    start = line == 1 and offset <= 1
    if start and byte == 0x8B:
        unpack = "... | gunzip -c | ..." if " " in name else f"gunzip -c {name} > plain.txt"  # " ": standard input
        return DataError(message, f"it looks compressed: {unpack}")
    return DataError(message, convert("UTF-16" if start and byte in (0xFE, 0xFF) else "WINDOWS-1252", name))


def convert(encoding: str, name: str) -> str:
    """The remedy for a file, or standard input, that is in another encoding than UTF-8."""
    if " " in name:  # standard input
        return f"convert it on the way: iconv -f {encoding} -t UTF-8 | ..."
    for ending, reader in ((".gz", "gzip"), (".xz", "xz"), (".zst", "zstd"), (".bz2", "bzip2")):
        if name.endswith(ending):
            return f"convert the file first: {reader} -dc {name} | iconv -f {encoding} -t UTF-8 > converted.txt"
    return f"convert the file first: iconv -f {encoding} -t UTF-8 {name} > converted.txt"
