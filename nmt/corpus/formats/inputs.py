"""The bytes of a file, whatever it is packed in: block by block, so that memory does not grow with the file.

What can be read only once (standard input, a named pipe) is written to a temporary file as it is read, so that it can
be read again.
"""

import bz2
import lzma
import sys
import tempfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import IO, Any, Literal, cast, get_args

from nmt.errors import DataError
from nmt.text.lines import unreadable

Packing = Literal["gz", "xz", "zst", "bz2"]
PACKINGS: tuple[Packing, ...] = get_args(Packing)
STANDARD_INPUT = "-"

_BLOCK = 1 << 18
_PACKED = 1 << 14
_PACKED_ZST = 1 << 10  # each of these bytes may become 32,768, all at once
_UNPACKED = 1 << 20  # bytes at once out of the other archives, which a few bytes may hold gigabytes of
_TOOLS = {"gz": "gzip", "xz": "xz", "zst": "zstd", "bz2": "bzip2"}


class Input:
    """One file, named pipe, or standard input, which can be read as often as needed.

    name: what messages call it.  packing: how it is compressed; None: not at all.
    """

    def __init__(self, path: str | Path, packing: Packing | None = None) -> None:
        standard = str(path) == STANDARD_INPUT
        self.path = None if standard else Path(path)
        self.name = "standard input" if standard else str(path)
        self.packing = packing
        self._once: _Once | None = None

    def is_plain_file(self) -> bool:
        """Whether its bytes lie on the disk as they are read."""
        return self.path is not None and self.packing is None and self.path.is_file()

    def blocks(self) -> Iterator[bytes]:
        """All bytes, unpacked.

        Errors: DataError for a file that cannot be opened, and for one whose compressed data is damaged or cut short.
        """
        with closing(self._packed_blocks(_PACKED if self.packing else _BLOCK)) as packed:
            yield from packed if self.packing is None else _unpack(packed, self.packing, self.name)

    def seekable(self) -> IO[bytes]:
        """The unpacked bytes as a file that one can jump in; where there is none, a temporary copy."""
        if self.is_plain_file():
            assert self.path is not None
            try:
                return self.path.open("rb")
            except OSError as error:
                raise unreadable(self.path, error) from error
        copy = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
        with _room_for(self.name):
            for block in self.blocks():
                copy.write(block)
            copy.seek(0)
        return copy

    def _packed_blocks(self, size: int) -> Generator[bytes]:
        if self.path is not None and (self.path.is_file() or not self.path.exists() or self.path.is_dir()):
            try:
                with self.path.open("rb", buffering=0) as file:
                    while block := file.read(size):
                        yield block
            except OSError as error:
                raise unreadable(self.path, error) from error
            return
        self._once = (
            self._once or _standard_input() if self.path is None else self._once or _Once(self._open_pipe, self.name)
        )
        yield from self._once.blocks()

    def _open_pipe(self) -> IO[bytes]:
        assert self.path is not None
        try:
            return self.path.open("rb")
        except OSError as error:
            raise unreadable(self.path, error) from error


class _Once:
    """What can be read only once, kept in a temporary file as far as it has been read."""

    def __init__(self, open_it: Callable[[], IO[bytes]], name: str) -> None:
        self._open, self._name = open_it, name
        self._pipe: IO[bytes] | None = None
        self._copy: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as we live
        self._size = 0

    def blocks(self) -> Iterator[bytes]:
        place = 0
        while True:
            with _room_for(self._name):
                block = self._block(place)
            if not block:
                return
            yield block
            place += len(block)

    def _block(self, place: int) -> bytes:
        if place < self._size:
            self._copy.seek(place)
            return self._copy.read(min(_BLOCK, self._size - place))
        if self._pipe is None:
            self._pipe = self._open()
        block = cast(Any, self._pipe).read1(_BLOCK)  # what is there already, without waiting for more
        self._copy.seek(self._size)
        self._copy.write(block)
        self._copy.flush()
        self._size += len(block)
        return bytes(block)


def _standard_input() -> _Once:
    if sys.stdin is None:
        raise DataError("standard input is closed.", "name a file instead of -")
    return _once_of(sys.stdin.buffer)


@cache
def _once_of(stream: IO[bytes]) -> _Once:
    """All who read standard input read the same."""
    return _Once(lambda: stream, "standard input")


@contextmanager
def _room_for(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        message = f"{name} cannot be copied to {tempfile.gettempdir()}: {(error.strerror or str(error)).lower()}."
        raise DataError(message, "make room there, or set TMPDIR to another folder") from error


def _unpack(blocks: Iterator[bytes], packing: Packing, name: str) -> Iterator[bytes]:
    """Several archives, one after the other, are one: gzip members, zstandard frames."""
    start = _decompressor(packing, name)
    if packing == "zst":
        blocks = _slices(blocks, _PACKED_ZST)
    decompressor, begun, nothing = start(), False, True
    for block in blocks:
        while block:
            nothing = False
            if not begun and packing in ("gz", "xz"):
                block = block.lstrip(b"\0")  # these formats allow padding between archives
                if not block:
                    break
            begun = True
            try:
                yield from filter(None, _unpacked(decompressor, block, packing))
            except Exception as error:  # each library has its own
                raise _damaged(name, packing, str(error)) from error
            if not decompressor.eof:
                break
            block, decompressor, begun = decompressor.unused_data, start(), False
    if begun or nothing:
        raise _damaged(name, packing, "it is empty" if nothing else "it ends in the middle")


def _unpacked(decompressor: Any, block: bytes, packing: Packing) -> Iterator[bytes]:
    """What a block becomes, piece by piece where the library lets us say how large."""
    if packing == "gz":
        while block and not decompressor.eof:
            yield decompressor.decompress(block, _UNPACKED)
            block = decompressor.unconsumed_tail
    elif packing != "zst":
        yield decompressor.decompress(block, _UNPACKED)
        while not (decompressor.eof or decompressor.needs_input):
            yield decompressor.decompress(b"", _UNPACKED)
    else:
        yield decompressor.decompress(block)


def _slices(blocks: Iterator[bytes], size: int) -> Iterator[bytes]:
    for block in blocks:
        yield from (block[begin : begin + size] for begin in range(0, len(block), size))


def _decompressor(packing: Packing, name: str) -> Callable[[], Any]:
    match packing:
        case "gz":
            return lambda: zlib.decompressobj(wbits=31)
        case "bz2":
            return bz2.BZ2Decompressor
        case "xz":
            return lambda: lzma.LZMADecompressor(format=lzma.FORMAT_XZ)
        case "zst":
            return _zstandard(name)


def _zstandard(name: str) -> Callable[[], Any]:
    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdDecompressor

        return ZstdDecompressor
    try:
        import zstandard
    except ImportError as error:
        message = f"{name} is packed with zstandard, which needs a package that is not installed."
        raise DataError(message, 'pip install "nmtkit[formats]"') from error
    return lambda: zstandard.ZstdDecompressor().decompressobj()


def _damaged(name: str, packing: Packing, reason: str) -> DataError:
    tool = _TOOLS[packing]
    return DataError(
        f"{name} is damaged, or no .{packing} archive: {reason.lower()}.",
        f"get it again, and test it with: {tool} -t {name if ' ' not in name else 'FILE'}",
    )
