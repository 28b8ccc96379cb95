"""Parallel text that one can jump into: two plain files, cut into blocks of lines whose places are known.

A corpus larger than memory is learned from in random order; so a block must be read without those before it. Text of
any other form is first written down as two such files.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np
import xxhash

from nmt.corpus.formats.lines import LONGEST
from nmt.corpus.stream import PairStream
from nmt.errors import DataError
from nmt.text.lines import one_line, unreadable

BLOCK_LINES = 256
_READ = 1 << 22  # bytes at once
_BOM = b"\xef\xbb\xbf"
_LF = ord("\n")


@dataclass(frozen=True)
class TextBlocks:
    """Two files, line N of one belonging to line N of the other.

    starts: (blocks + 1, 2), the byte where each block begins in either file, and the end.  lines: of each file.
    digest: of both files' bytes.
    """

    name: str
    files: tuple[Path, Path]
    starts: np.ndarray
    lines: int
    digest: str

    def __len__(self) -> int:
        return len(self.starts) - 1

    def lines_of(self, block: int) -> range:
        """The numbers of its lines, counted from 1."""
        return range(block * BLOCK_LINES + 1, min((block + 1) * BLOCK_LINES, self.lines) + 1)

    def read(self, block: int, files: tuple[BinaryIO, BinaryIO] | None = None) -> list[tuple[str, str]]:
        """The pairs of one block as they are written. files: both, open already, when many are read.

        Errors: DataError when a file has changed since it was looked through.
        """
        if files is None:
            with self._opened() as opened:
                return self.read(block, opened)
        sides = [
            _lines_between(file, int(start), int(end))
            for file, start, end in zip(files, self.starts[block], self.starts[block + 1], strict=True)
        ]
        if any(len(side) != len(self.lines_of(block)) for side in sides):
            raise self._changed()
        return list(zip(*sides, strict=True))

    def pairs(self, blocks: Iterable[int] | None = None) -> Iterator[tuple[int, str, str]]:
        """(line, source, target) of these blocks, one after the other; of all by default."""
        with self._opened() as files:
            for block in range(len(self)) if blocks is None else blocks:
                for line, pair in zip(self.lines_of(block), self.read(block, files), strict=True):
                    yield line, *pair

    @contextmanager
    def _opened(self) -> Iterator[tuple[BinaryIO, BinaryIO]]:
        with self.files[0].open("rb") as source, self.files[1].open("rb") as target:
            if len(self) and [os.fstat(file.fileno()).st_size for file in (source, target)] != self.starts[-1].tolist():
                raise self._changed()
            yield source, target

    def _changed(self) -> DataError:
        return DataError(f"{self.name} has changed while it was read.", "start again when it stays as it is")

    def pick(self, lines: Iterable[int]) -> list[tuple[int, str, str]]:
        """These lines, counted from 1, in their order in the files."""
        wanted = sorted(lines)
        blocks = sorted({(line - 1) // BLOCK_LINES for line in wanted})
        chosen = set(wanted)
        return [pair for pair in self.pairs(blocks) if pair[0] in chosen]


def look_through(stream: PairStream, scratch: Path, name: str) -> TextBlocks:
    """Find the blocks of a corpus, and on the way everything that makes it unreadable.

    scratch, name: where text that does not lie in two plain files is written down first.
    Errors: DataError as the stream has them: not UTF-8, unequal in its lines, ...
    """
    files = stream.files
    if files is None:
        files = _write_down(stream, scratch, name)
    try:
        sides = [_Side(path) for path in files]
    except OSError as error:
        raise unreadable(files[0], error) from error
    if any(side.doubtful for side in sides) or sides[0].lines != sides[1].lines:
        for _ in stream:  # it knows best what to say
            pass
    shortest = min(side.lines for side in sides)
    if any(side.lines != shortest for side in sides):
        raise DataError(f"{stream.name} has changed while it was read.", "start again when it stays as it is")
    starts = np.stack([side.starts for side in sides], axis=1)
    return TextBlocks(stream.name, files, starts, shortest, "-".join(side.digest for side in sides))


class _Side:
    """One file, read once from end to end. doubtful: it is not UTF-8, has NUL bytes, or a line without end."""

    def __init__(self, path: Path) -> None:
        self.doubtful = False
        digest, at, found = xxhash.xxh3_128(), 0, 0
        starts, rest, last = [0], b"", _LF
        with path.open("rb") as file:
            while chunk := file.read(_READ):
                if at == 0 and chunk.startswith(_BOM):
                    starts = [len(_BOM)]
                digest.update(chunk)
                ends = np.flatnonzero(np.frombuffer(chunk, dtype=np.uint8) == _LF)
                first = -(found + 1) % BLOCK_LINES  # of these line ends, the first that ends a block
                starts.extend((ends[first::BLOCK_LINES] + (at + 1)).tolist())
                found += len(ends)
                rest = self._check(rest + chunk)
                at, last = at + len(chunk), chunk[-1]
        self._check(rest + b"\n")
        self.lines = found + (last != _LF and at > starts[0])
        if self.lines == 0 or starts[-1] != at:
            starts.append(at)
        self.starts = np.asarray(starts[: -(-self.lines // BLOCK_LINES) + 1], dtype=np.int64)
        self.digest = digest.hexdigest()

    def _check(self, data: bytes) -> bytes:
        """Look at all whole lines; returns the piece of a line that is left."""
        end = data.rfind(b"\n") + 1
        try:
            data[:end].decode("utf-8")
        except UnicodeDecodeError:
            self.doubtful = True
        self.doubtful |= b"\0" in data or len(data) - end > LONGEST
        return data[end:] if not self.doubtful else b""  # nobody will look at the rest


def _lines_between(file: BinaryIO, start: int, end: int) -> list[str]:
    file.seek(start)
    data = file.read(end - start)
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return []
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines] if b"\r" in data else lines


def _write_down(stream: PairStream, scratch: Path, name: str) -> tuple[Path, Path]:
    scratch.mkdir(parents=True, exist_ok=True)
    paths = scratch / f"{name}.source.txt", scratch / f"{name}.target.txt"
    with paths[0].open("wb") as source, paths[1].open("wb") as target:
        pairs = iter(stream)
        while chunk := list(islice(pairs, 4096)):
            for side, file in enumerate((source, target)):
                text = "".join(f"{one_line(pair[side])}\n" for pair in chunk)
                file.write(text.encode("utf-8", errors="replace"))
    return paths
