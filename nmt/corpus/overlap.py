"""Dev and test text that has got into training text: as it is, or changed by a word."""

from array import array
from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from nmt.corpus.duplicates import Hashes, HashSet, one_word_keys


class Held:
    """Pairs that must not be trained on. Picklable; 8 bytes for each word of theirs.

    A pair is too near to them if both of its sides are, each but for one word inserted, deleted or replaced; or if one
    of its sides, of six words or more, is one of theirs but for case, punctuation, digits and spacing.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._near = HashSet(), HashSet()
        self._whole = HashSet(), HashSet()
        for pair in pairs:
            for side, text in enumerate(pair):
                keys = one_word_keys(text)
                self._near[side].add(_hashes(keys))
                if len(keys) > 1:
                    self._whole[side].add(_hashes(keys[:1]))

    def __len__(self) -> int:
        return len(self._near[0])

    def overlaps(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.bool_]:
        """Which of these cleaned pairs are too near."""
        near = np.ones(len(pairs), np.bool_)
        whole = np.zeros(len(pairs), np.bool_)
        for side in (0, 1):
            keys = [one_word_keys(pair[side]) for pair in pairs]
            starts = np.cumsum([0, *map(len, keys)])[:-1]
            flat = _hashes(chain.from_iterable(keys))
            near &= np.logical_or.reduceat(self._near[side].contains(flat), starts)
            whole |= self._whole[side].contains(flat[starts])
        return near | whole


def _hashes(keys: Iterable[int]) -> Hashes:
    return np.frombuffer(array("Q", keys), dtype=np.uint64)
