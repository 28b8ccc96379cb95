"""A corpus cut into blocks, any of which can be asked for: by jumping where it is two plain files, else by walking."""

import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nmt.corpus.stream import PairList, PairStream
from nmt.errors import DataError
from nmt.text.lines import BOM, unreadable

BLOCK = 1000  # pairs
_STEP = 250  # lines between two places of a file that are known
_PIECE = 1 << 22  # bytes

Pair = tuple[str, str]
Span = tuple[int, int]  # [start, end), counted from 0


class LineFile:
    """The lines of a plain file by the rules of `nmt.text.lines`, of which any can be read at once.

    What is not UTF-8 is read with U+FFFD in its place. complete: whether all of the file is known.
    """

    def __init__(self, path: Path, seconds: float | None = None) -> None:
        """seconds: after so many the rest of a very large file is left out.

        Errors: DataError if the file cannot be opened, or is UTF-16.
        """
        self.path = path
        self.complete = True
        started = time.monotonic()
        places, lines, size = [np.zeros(1, np.int64)], 0, 0
        last = b"\n"
        try:
            with path.open("rb") as file:
                while piece := file.read(_PIECE):
                    if not size:
                        _refuse_utf16(path, piece)
                    ends = np.flatnonzero(np.frombuffer(piece, np.uint8) == 10) + (size + 1)
                    places.append(ends[_STEP - 1 - lines % _STEP :: _STEP])
                    lines, size, last = lines + len(ends), size + len(piece), piece[-1:]
                    if seconds is not None and time.monotonic() - started > seconds:
                        self.complete = not file.read(1)
                        break
        except OSError as error:
            raise unreadable(path, error) from error
        self._places: NDArray[np.int64] = np.concatenate(places)  # of lines 0, _STEP, 2 * _STEP, ...
        self._count = lines + (self.complete and last != b"\n")

    def __len__(self) -> int:
        return self._count

    def part(self, start: int, stop: int) -> "FilePart":
        """Lines [start, stop); both must be within the file."""
        first = start // _STEP
        end = -(-stop // _STEP)
        begin = int(self._places[min(first, len(self._places) - 1)])
        size = int(self._places[end]) - begin if end < len(self._places) else None
        return FilePart(self.path, begin, size, start - first * _STEP, stop - start)

    def read(self, start: int, stop: int) -> list[str]:
        """The same as text; shorter at the ends of the file."""
        start, stop = max(0, start), min(stop, self._count)
        return self.part(start, stop).read()[0] if start < stop else []


@dataclass(frozen=True)
class FilePart:
    """`count` lines, behind the first `skip`, of `size` bytes (None: of all that follow) from `begin` on."""

    path: Path
    begin: int
    size: int | None
    skip: int
    count: int

    def read(self) -> tuple[list[str], list[int]]:
        """The lines, and which of them, counted from 0, are not UTF-8."""
        try:
            with self.path.open("rb") as file:
                file.seek(self.begin)
                data = file.read(-1 if self.size is None else self.size)
        except OSError as error:
            raise unreadable(self.path, error) from error
        if not self.begin:
            data = data.removeprefix(BOM)
        lines = [line.removesuffix(b"\r") for line in data.split(b"\n")[self.skip : self.skip + self.count]]
        try:
            return b"\n".join(lines).decode("utf-8").split("\n") if lines else [], []
        except UnicodeDecodeError:
            bad = [index for index, line in enumerate(lines) if not _is_utf8(line)]
            return [line.decode("utf-8", errors="replace") for line in lines], bad


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _refuse_utf16(path: Path, piece: bytes) -> None:
    """It is valid UTF-8 as long as it is ASCII, and would be taken letter by letter."""
    if piece[:2] in (b"\xff\xfe", b"\xfe\xff") or piece.count(b"\0") > len(piece) / 4:
        raise DataError(
            f"{path} looks like UTF-16, not UTF-8.",
            f"convert it first: iconv -f UTF-16 -t UTF-8 {path} > converted.txt",
        )


@dataclass(frozen=True)
class Block:
    """Pairs from number `first` on, counted from 0: here, or in two files."""

    first: int
    pairs: Sequence[Pair] = ()
    files: tuple[FilePart, FilePart] | None = None

    def read(self) -> tuple[Sequence[Pair], list[tuple[int, int]]]:
        """The pairs, and what is not UTF-8: which of them, which side (0, 1)."""
        if self.files is None:
            return self.pairs, []
        texts = [part.read() for part in self.files]
        bad = [(index, side) for side, (_, found) in enumerate(texts) for index in found]
        return list(zip(texts[0][0], texts[1][0], strict=False)), sorted(bad)


class Corpus(ABC):
    """count: pairs. complete: whether these are all there are."""

    count: int
    complete: bool = True

    @abstractmethod
    def blocks(self, wanted: Sequence[int]) -> Iterator[Block]:
        """Blocks of `BLOCK` pairs by their numbers, which must rise; the last one of all may be shorter."""

    @abstractmethod
    def fetch(self, spans: Sequence[Span]) -> list[list[Pair]]:
        """The pairs of each span, which must rise."""


class FileCorpus(Corpus):
    """Two plain files, line beside line as far as both go."""

    def __init__(self, source: LineFile, target: LineFile) -> None:
        self.source, self.target = source, target
        self.complete = source.complete and target.complete
        self.count = min(len(source), len(target))

    def blocks(self, wanted: Sequence[int]) -> Iterator[Block]:
        for number in wanted:
            span = number * BLOCK, min((number + 1) * BLOCK, self.count)
            yield Block(span[0], files=(self.source.part(*span), self.target.part(*span)))

    def fetch(self, spans: Sequence[Span]) -> list[list[Pair]]:
        return [list(zip(self.source.read(*span), self.target.read(*span), strict=False)) for span in spans]


class ListCorpus(Corpus):
    """Pairs in memory."""

    def __init__(self, pairs: Sequence[Pair], *, complete: bool = True) -> None:
        self.pairs, self.count, self.complete = pairs, len(pairs), complete

    def blocks(self, wanted: Sequence[int]) -> Iterator[Block]:
        for number in wanted:
            yield Block(number * BLOCK, self.pairs[number * BLOCK : (number + 1) * BLOCK])

    def fetch(self, spans: Sequence[Span]) -> list[list[Pair]]:
        return [list(self.pairs[start:stop]) for start, stop in spans]


class WalkedCorpus(Corpus):
    """Any other stream. It is walked through each time something is asked for."""

    def __init__(self, stream: PairStream) -> None:
        self._stream = stream
        self.count = sum(1 for _ in stream)

    def blocks(self, wanted: Sequence[int]) -> Iterator[Block]:
        walk, asked = iter(self._stream), frozenset(wanted)
        for number in range(max(wanted, default=-1) + 1):
            pairs = list(islice(walk, BLOCK))
            if number in asked:
                yield Block(number * BLOCK, pairs)

    def fetch(self, spans: Sequence[Span]) -> list[list[Pair]]:
        kept: list[list[Pair]] = [[] for _ in spans]
        waiting, open_spans = deque(enumerate(spans)), list[tuple[int, Span]]()
        last = max((stop for _, stop in spans), default=0)
        for number, pair in enumerate(islice(iter(self._stream), last)):
            while waiting and waiting[0][1][0] <= number:
                open_spans.append(waiting.popleft())
            if open_spans:
                open_spans = [entry for entry in open_spans if number < entry[1][1]]
                for index, _ in open_spans:
                    kept[index].append(pair)
        return kept


def open_corpus(stream: PairStream) -> Corpus:
    """The stream as blocks.

    Errors: DataError for what the stream cannot read. Two files of unequal length are no error here.
    """
    if stream.files is not None:
        source, target = map(LineFile, stream.files)
        return FileCorpus(source, target)
    return ListCorpus(stream.pairs) if isinstance(stream, PairList) else WalkedCorpus(stream)


def open_beginning(stream: PairStream, seconds: float, most: int) -> Corpus:
    """The same in about so many seconds: very large files and, behind the first `most` pairs, others as far as that."""
    if stream.files is not None:
        source, target = (LineFile(path, seconds / 2) for path in stream.files)
        return FileCorpus(source, target)
    if isinstance(stream, PairList):
        return ListCorpus(stream.pairs)
    pairs = list(islice(iter(stream), most + 1))
    return ListCorpus(pairs[:most], complete=len(pairs) <= most)


def spread(count: int, wanted: int, run: int) -> list[Span]:
    """About `wanted` of `count` pairs in runs of `run` neighbours, evenly spread over all."""
    if count <= wanted:
        return [(0, count)] if count else []
    runs = max(1, wanted // run)
    return [(start, min(start + run, count)) for start in (count * index // runs for index in range(runs))]
