"""Which of many texts are within one word of one of a few: the keys of `one_word_keys`, for thousands of texts at once.

Several times faster than text by text: a word is hashed when it is first met, and all keys of a chunk are made by a few
operations on whole arrays.
"""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from nmt.corpus.duplicates.keys import BASE, FEWEST_WORDS, Hashes, text_key
from nmt.text.surface import UNSPACED, letters

_WORDS = 1 << 20  # hashes of words that are remembered
_INVERSE = np.uint64(pow(BASE, -1, 1 << 64))
_TABLE = 1 << 22  # places: with 50,000 keys one look-up in eighty goes on to the sorted ones


class _WordHashes(dict[str, int]):
    """The hash of each word as `near_key` sees it, made when it is first asked for; 0 for one without letters."""

    def __missing__(self, word: str) -> int:
        if len(self) >= _WORDS:
            self.clear()
        self[word] = found = text_key(bare) if (bare := letters(word)) else 0
        return found


class OneWordKeys:
    """Makes the keys; remembers the hashes of words, so keep one for a language."""

    def __init__(self) -> None:
        self._hashes = _WordHashes()
        self._powers = np.ones(1, np.uint64)

    def __call__(self, texts: Sequence[str]) -> tuple[Hashes, np.ndarray]:
        """The keys of all texts on end, and of which text each is; a key may repeat within a text."""
        rows = [self._row(text) for text in texts]
        lengths = np.fromiter(map(len, rows), np.int64, len(rows))
        words = np.fromiter(chain.from_iterable(rows), np.uint64, int(lengths.sum()))
        text_of = np.repeat(np.arange(len(rows)), lengths)
        if not len(words):
            return words, text_of
        ends = np.cumsum(lengths)
        starts = ends - lengths
        # The key is a polynomial in BASE, modulo 2^64: its terms, the sum of those before a word, and the whole.
        terms = words * self._power(int(lengths.max()))[np.repeat(ends, lengths) - np.arange(len(words)) - 1]
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(terms)])
        whole = sums[ends] - sums[starts]
        before = sums[:-1] - np.repeat(sums[starts], lengths)
        without = before * _INVERSE + (np.repeat(whole, lengths) - before - terms)
        long = np.repeat(lengths >= FEWEST_WORDS, lengths)
        return np.concatenate([whole, without[long]]), np.concatenate([np.arange(len(rows)), text_of[long]])

    def _row(self, text: str) -> list[int]:
        """Hashes of the words; of a text without letters that of the whole."""
        if not text.isascii():
            text = UNSPACED.sub(r" \g<0> ", text)
        return list(filter(None, map(self._hashes.__getitem__, text.split()))) or [text_key(text)]

    def _power(self, count: int) -> Hashes:
        """BASE to the power of 0, 1, 2, ..."""
        if len(self._powers) < count:
            steps = np.full(2 * count, BASE, np.uint64)
            steps[0] = 1
            self._powers = np.cumprod(steps)
        return self._powers


class Neighbourhood:
    """A few texts, and whether others are within one word of one of them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._make = OneWordKeys()
        self._keys = np.unique(self._make(texts)[0])
        # Most keys are in none: one look into a table by their last bits tells so.
        self._table = np.zeros(_TABLE, np.bool_)
        self._table[self._keys & np.uint64(_TABLE - 1)] = True

    def holds(self, texts: Sequence[str]) -> np.ndarray:
        """For each text whether it is that near."""
        keys, text_of = self._make(texts)
        near = np.zeros(len(texts), np.bool_)
        likely = np.flatnonzero(self._table[keys & np.uint64(_TABLE - 1)])
        if len(likely) and len(self._keys):
            places = np.minimum(np.searchsorted(self._keys, keys[likely]), len(self._keys) - 1)
            near[text_of[likely[self._keys[places] == keys[likely]]]] = True
        return near
