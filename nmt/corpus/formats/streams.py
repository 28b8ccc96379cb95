"""What the streams of all formats have in common."""

from abc import abstractmethod
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Literal

from nmt import console
from nmt.corpus.formats.inputs import Input
from nmt.corpus.stream import PairStream, Place
from nmt.errors import DataError


class EmptyTextError(DataError):
    """There is not one pair, and nothing else is wrong."""


class FormatStream(PairStream):
    """A stream over files.

    unit: what pairs are counted by: "line" where pair N is line N of each file.
    paths: the files that it reads, as far as it reads files.
    skipped: after a complete pass, how many units of the files gave no pair, by reason.
    """

    unit: Literal["line", "pair"] = "pair"

    def __init__(self, name: str, *inputs: Input) -> None:
        self.name = name
        self.paths = [source.path for source in inputs if source.path is not None]
        self.length = 0  # after a complete pass: pairs
        self.skipped: Counter[str] = Counter()
        self._told = False

    def __iter__(self) -> Iterator[tuple[str, str]]:
        pairs = self.pairs()
        first = next(pairs, None)
        if first is None:
            self._tell_skipped()
            raise EmptyTextError(f"{self.name} is empty: there is no pair in it.", "check how it was made")
        return chain([first], self._rest(pairs))

    def _rest(self, pairs: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        yield from pairs
        self._tell_skipped()

    def _tell_skipped(self) -> None:
        if self.skipped and not self._told:
            reasons = ", ".join(f"{count} {reason}" for reason, count in self.skipped.most_common())
            plural = "s" if self.skipped.total() > 1 else ""
            console.warn(f"{self.name}: left out {self.skipped.total()} unit{plural} ({reasons})")
            self._told = True

    @abstractmethod
    def pairs(self) -> Iterator[tuple[str, str]]:
        """What `__iter__` says, but for files without a pair. Sets `length` and `skipped` at its end."""


class NumberedStream(FormatStream):
    """Pairs of one file that stand on lines of their own choice, which are remembered."""

    def __init__(self, name: str, *inputs: Input) -> None:
        super().__init__(name, *inputs)
        self._noted = 0
        # Runs of pairs whose lines are the same number of lines apart; in most files there are few.
        self._numbers, self._lines, self._steps = array("I"), array("I"), array("I")
        self._next = -1  # the line that continues the last run; -1: any

    def note(self, number: int, line: int) -> None:
        """Pair `number` (counted from 1) begins on `line`; called for each pair in turn."""
        if number <= self._noted:
            return
        self._noted = number
        if line == self._next:
            self._next += self._steps[-1]
        elif self._next < 0 and self._lines:
            self._steps[-1] = line - self._lines[-1]
            self._next = line + self._steps[-1]
        else:
            self._numbers.append(number)
            self._lines.append(line)
            self._steps.append(0)
            self._next = -1

    def place(self, number: int) -> Place:
        if number > self._noted:
            for _ in zip(range(number), self.pairs(), strict=False):  # nobody has been there yet
                pass
        run = bisect_right(self._numbers, number) - 1
        line = self._lines[run] + (number - self._numbers[run]) * self._steps[run]
        return Place(f"{self.name} line {line}", f"{self.name} line {line}")


class Shards(FormatStream):
    """Several streams, one after the other."""

    def __init__(self, name: str, streams: Sequence[FormatStream]) -> None:
        super().__init__(name)
        self.paths = [path for stream in streams for path in stream.paths]
        self._streams = streams
        self._ends: list[int] = []  # the number of the last pair of each stream that has been walked through
        self._now = -1  # where the walk is

    def pairs(self) -> Iterator[tuple[str, str]]:
        self.length, skipped = 0, Counter[str]()
        try:
            for self._now, stream in enumerate(self._streams):  # noqa: B020
                yield from stream.pairs()
                self.length += stream.length
                skipped += stream.skipped
                if self._now == len(self._ends):
                    self._ends.append(self.length)
        finally:
            self._now = -1
        self.skipped = skipped

    def place(self, number: int) -> Place:
        while (index := bisect_left(self._ends, number)) == len(self._ends) < len(self._streams) - 1:
            if index == self._now:  # the pair has just been seen there
                break
            for _ in self._streams[index].pairs():  # nobody has been there yet
                pass
            self._ends.append((self._ends[-1] if self._ends else 0) + self._streams[index].length)
        index = min(index, len(self._streams) - 1)
        return self._streams[index].place(number - (self._ends[index - 1] if index else 0))
