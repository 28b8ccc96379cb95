"""Parallel text as something to walk through: pair by pair, as often as needed, and never all in memory."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple


class Place(NamedTuple):
    """Where a pair stands. source, target: file and line (counted from 1) of each side, or of both together."""

    source: str
    target: str

    def __str__(self) -> str:
        return self.source if self.source == self.target else f"{self.source}, {self.target}"


class PairStream(ABC):
    """Pairs of segments from one place, each side as it is written there, with line ends taken off.

    name: what messages call it.
    files: where line N of one file belongs to line N of the other, and both lie on the disk as plain text: these two,
    so that one may jump to any line. Else None.
    """

    name: str
    files: tuple[Path, Path] | None = None

    @abstractmethod
    def __iter__(self) -> Iterator[tuple[str, str]]:
        """All pairs, in order; each call starts at the first one.

        Errors: DataError for what is missing, broken, or unequal in its number of lines, with file and line.
        """

    def place(self, number: int) -> Place:
        """Where the pair with this number stands; pairs are counted from 1."""
        return Place(f"{self.name} line {number}", f"{self.name} line {number}")


class PairList(PairStream):
    """Pairs that are in memory already."""

    def __init__(self, name: str, pairs: Sequence[tuple[str, str]]) -> None:
        self.name = name
        self.pairs = pairs

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.pairs)
