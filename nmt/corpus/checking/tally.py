"""What was seen in all blocks, put together."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nmt.corpus.checking.heldout import Seen
from nmt.corpus.checking.repeats import Repeats, repeats
from nmt.corpus.checking.survey import LONGEST, RATIOS, Counts, SideSeen, Surveyed
from nmt.corpus.duplicates.keys import HashSet

Stretch = tuple[int, int, int | None]


@dataclass
class Side:
    """One side of all that was looked at."""

    words: int = 0
    characters: int = 0
    lengths: Counts = field(default_factory=lambda: np.zeros(LONGEST + 1, np.int64))
    vocabulary: HashSet = field(default_factory=HashSet)
    letters: set[str] = field(default_factory=set)
    composed: int = 0
    decomposed: list[int] = field(default_factory=list)
    not_utf8: list[int] = field(default_factory=list)
    rising: int = 0
    kinds: list[Counts] = field(default_factory=list)  # of each block

    def add(self, seen: SideSeen) -> None:
        """One block more."""
        self.words += seen.words
        self.characters += seen.characters
        self.lengths += seen.lengths
        self.vocabulary.add(seen.vocabulary)
        self.letters |= seen.letters
        self.composed += seen.composed
        self.decomposed += seen.decomposed
        self.not_utf8 += seen.not_utf8
        self.rising += seen.rising
        self.kinds.append(seen.kinds)


class Tally:
    """Adds up blocks, which must come in order. Takes 24 bytes a pair, for the keys."""

    def __init__(self, most: int) -> None:
        """most: pairs that there will be at most."""
        self.pairs = 0
        self.blocks = 0
        self.sides = (Side(), Side())
        self.broken: dict[str, NDArray[np.int64]] = {}
        self.grid = np.zeros((LONGEST + 1, LONGEST + 1), np.int64)
        self.ratios = np.zeros(len(RATIOS) - 1, np.int64)
        self.stretches: list[Stretch] = []
        self.seen: dict[str, Seen] = {}
        self._broken: dict[str, list[NDArray[np.int64]]] = {}
        self._keys = np.zeros((3, most), np.uint64)
        self._firsts: list[tuple[int, int]] = []  # index of a block's first pair among the keys, and its number

    def add(self, block: Surveyed) -> None:
        """One block more."""
        self._firsts.append((self.pairs, block.first))
        self._keys[:, self.pairs : self.pairs + block.count] = block.keys
        self.pairs += block.count
        self.blocks += 1
        for side, seen in zip(self.sides, block.sides, strict=True):
            side.add(seen)
        for name, numbers in block.broken.items():
            self._broken.setdefault(name, []).append(np.array(numbers, np.int64))
        self.grid += block.grid
        self.ratios += block.ratios
        self.stretches += block.stretches
        for name, seen_there in block.seen.items():
            self.seen.setdefault(name, Seen()).add(seen_there)

    def finish(self) -> "Duplicates":
        """After the last block: `broken` is complete, and what is there twice is known."""
        self.broken = {name: np.concatenate(parts) for name, parts in self._broken.items()}
        exact, near, sources = self._keys[:, : self.pairs]
        found = repeats(exact), repeats(near, without=exact), repeats(sources, without=exact)
        for repeated in found:
            repeated.first = tuple((self._number(later), self._number(first)) for later, first in repeated.first)
        return Duplicates(*found)

    def _number(self, index: int) -> int:
        """Of a pair, by its place among the keys."""
        place = np.searchsorted([start for start, _ in self._firsts], index, "right") - 1
        start, first = self._firsts[int(place)]
        return first + index - start


@dataclass(frozen=True)
class Duplicates:
    """Pairs that are there again: as they are; but for case and the like; sources with another target."""

    exact: Repeats
    near: Repeats
    sources: Repeats
