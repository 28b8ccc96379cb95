"""Dev and test text: what is wrong with it, and how much of it is in the training text, too."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from nmt.corpus.checking.reading import Pair
from nmt.corpus.duplicates import exact_key, one_word_keys, text_key
from nmt.text.lines import clean


@dataclass
class Seen:
    """Which lines of a held-out text a block has: each with the first pair there. All numbers are counted from 0.

    exact: the pair as it is.  near: but for a word on each side, case, punctuation, digits.  source: that side alone.
    """

    exact: dict[int, int] = field(default_factory=dict)
    near: dict[int, int] = field(default_factory=dict)
    source: dict[int, int] = field(default_factory=dict)

    def add(self, other: "Seen") -> None:
        """Take over what a later block has."""
        for ours, theirs in ((self.exact, other.exact), (self.near, other.near), (self.source, other.source)):
            for line, pair in theirs.items():
                ours.setdefault(line, pair)


class Watch:
    """Knows a held-out text by heart, and its lines when it sees them. Picklable."""

    def __init__(self, pairs: Sequence[Pair], *, near: bool = True) -> None:
        """near: whether to look for what is almost the same, which takes ten times as long."""
        self.near = near
        self._exact: defaultdict[int, list[int]] = defaultdict(list)
        self._source: defaultdict[int, list[int]] = defaultdict(list)
        self._close: tuple[defaultdict[int, list[int]], defaultdict[int, list[int]]] = (
            defaultdict(list),
            defaultdict(list),
        )
        for line, (source, target) in enumerate((clean(a), clean(b)) for a, b in pairs):
            if not source or not target:
                continue
            self._exact[exact_key(source, target)].append(line)
            self._source[text_key(source)].append(line)
            for side, text in enumerate((source, target)) if near else ():
                for key in one_word_keys(text):
                    self._close[side][key].append(line)

    def look(self, pairs: Sequence[Pair], first: int) -> Seen:
        """pairs: cleaned; the number of the first one."""
        seen = Seen()
        ours, theirs = self._close
        for number, (source, target) in enumerate(pairs, start=first):
            if not source or not target:
                continue
            key = text_key(source)
            if key in self._source:
                _note(seen.source, self._source[key], number)
                if (both := exact_key(source, target)) in self._exact:
                    _note(seen.exact, self._exact[both], number)
            if self.near and (lines := _lines(ours, source)) and (lines := lines & _lines(theirs, target)):
                _note(seen.near, lines, number)
        return seen


def _lines(known: dict[int, list[int]], text: str) -> set[int]:
    return {line for key in one_word_keys(text) if key in known for line in known[key]}


def _note(found: dict[int, int], lines: Sequence[int] | set[int], number: int) -> None:
    for line in lines:
        found.setdefault(line, number)
