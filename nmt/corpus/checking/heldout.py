"""Dev and test text: what is wrong with it, and how much of it is in the training text, too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from nmt.corpus.checking.reading import Pair
from nmt.corpus.duplicates.keys import exact_key, one_word_keys, text_key
from nmt.text.lines import clean

Line = tuple[int, int]  # which text, which line of it


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
    """Knows held-out texts by heart, and their lines when it sees them. Picklable."""

    def __init__(self, texts: Mapping[str, Sequence[Pair]], *, near: bool = True) -> None:
        """texts: by name.  near: whether to look for what is almost the same, which takes ten times as long."""
        self._names = list(texts)
        self.near = near
        self._exact: dict[int, list[Line]] = {}
        self._source: dict[int, list[Line]] = {}
        self._close: tuple[dict[int, list[Line]], dict[int, list[Line]]] = ({}, {})
        for text, pairs in enumerate(texts.values()):
            for line, (source, target) in enumerate(pairs):
                self._learn((text, line), clean(source), clean(target))

    def _learn(self, line: Line, source: str, target: str) -> None:
        if not source or not target:
            return
        self._exact.setdefault(exact_key(source, target), []).append(line)
        self._source.setdefault(text_key(source), []).append(line)
        for known, text in zip(self._close, (source, target), strict=True) if self.near else ():
            for key in one_word_keys(text):
                known.setdefault(key, []).append(line)

    def look(self, pairs: Sequence[Pair], first: int) -> dict[str, Seen]:
        """What of each text is among these pairs. pairs: cleaned; first: the number of the first one."""
        seen = [Seen() for _ in self._names]
        if not self._names:
            return {}
        ours, theirs = self._close
        for number, (source, target) in enumerate(pairs, start=first):
            if not source or not target:
                continue
            for text, line in self._source.get(text_key(source), ()):
                seen[text].source.setdefault(line, number)
                if (text, line) in self._exact.get(exact_key(source, target), ()):
                    seen[text].exact.setdefault(line, number)
            if self.near and (lines := _lines(ours, source)):
                for text, line in lines & _lines(theirs, target):
                    seen[text].near.setdefault(line, number)
        return dict(zip(self._names, seen, strict=True))


def _lines(known: dict[int, list[Line]], text: str) -> set[Line]:
    return {line for key in one_word_keys(text) if key in known for line in known[key]}
