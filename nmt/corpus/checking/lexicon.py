"""Which words belong together, learnt from a few lines of the corpus itself: IBM model 1 (Brown et al. 1993)."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

ROUNDS = 4  # of EM
LONGEST = 30  # words of a line that are looked at
TRUST = 0.8  # share of a target line that its source is to explain; the rest may be any word

# Scripts without blanks between words: each character is a word there.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")

Ids = NDArray[np.int64]
Numbers = NDArray[np.float64]


def words(text: str) -> list[str]:
    """The words of a line, lower-cased, at most `LONGEST`."""
    return _WORD.findall(text.lower())[:LONGEST]


class Lexicon:
    """How likely each target word is beside each source word, and how likely it is anywhere."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Learn from texts taken to be translations; a few wrong ones do little harm."""
        self._sources: dict[str, int] = {"": 0}  # the empty word, which belongs to every line
        self._targets: dict[str, int] = {"": 0}  # a word never seen
        lines = [self._number(source, target) for source, target in pairs]
        self._width = len(self._targets)
        left, right, place, places = _products(lines)
        self._codes, index = np.unique(left * self._width + right, return_inverse=True)
        owner = self._codes // self._width
        given = np.ones(len(self._codes))
        for _ in range(ROUNDS if len(given) else 0):
            weight = given[index]
            weight /= np.bincount(place, weight, places)[place]
            counts = np.bincount(index, weight, len(given))
            given = counts / np.bincount(owner, counts)[owner]
        self._given: Numbers = given
        seen = np.ones(self._width)  # one more than there are: none is impossible
        for _, line in lines:
            np.add.at(seen, line, 1.0)
        self._anywhere: Numbers = seen / seen.sum()

    def _number(self, source: str, target: str) -> tuple[Ids, Ids]:
        left, right = self._sources, self._targets
        ours = [0, *(left.setdefault(word, len(left)) for word in words(source))]
        theirs = [right.setdefault(word, len(right)) for word in words(target)]
        return np.array(ours, np.int64), np.array(theirs, np.int64)

    def number(self, source: str | None, target: str | None) -> tuple[Ids, Ids]:
        """The known words of two lines as numbers, for `gains`."""
        ours = [0, *(self._sources[word] for word in words(source or "") if word in self._sources)]
        theirs = [self._targets.get(word, 0) for word in words(target or "")]
        return np.array(ours, np.int64), np.array(theirs, np.int64)

    def gains(self, lines: Sequence[tuple[Ids, Ids]]) -> Numbers:
        """For each pair log p(target | source) - log p(target), in nats: over 0 if they look like translations."""
        left, right, place, places = _products(lines)
        code = left * self._width + right
        found = np.minimum(np.searchsorted(self._codes, code), max(0, len(self._codes) - 1))
        if not len(self._codes) or not places:
            return np.zeros(len(lines))
        given = np.where(self._codes[found] == code, self._given[found], 0.0)
        words_of = np.array([len(target) for _, target in lines])
        sources_of = np.repeat(np.array([len(source) for source, _ in lines]), words_of)
        likely = np.bincount(place, given, places) / sources_of
        target = np.concatenate([target for _, target in lines])
        gain = np.log(TRUST * likely / self._anywhere[target] + 1 - TRUST)
        gains: Numbers = np.bincount(np.repeat(np.arange(len(lines)), words_of), gain, len(lines)).astype(np.float64)
        return gains


def _products(lines: Sequence[tuple[Ids, Ids]]) -> tuple[Ids, Ids, Ids, int]:
    """Every source word beside every target word of its line; and which target word, counted through, that is."""
    nothing = np.zeros(0, np.int64)
    left = np.concatenate([nothing, *(np.tile(source, len(target)) for source, target in lines)])
    right = np.concatenate([nothing, *(np.repeat(target, len(source)) for source, target in lines)])
    count = sum(len(target) for _, target in lines)
    sources_of = np.concatenate([nothing, *(np.full(len(target), len(source)) for source, target in lines)])
    return left, right, np.repeat(np.arange(count), sources_of), count
