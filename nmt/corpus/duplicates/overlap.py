"""Dev and test text that has got into training text: as it is, or changed by a word."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nmt.corpus.duplicates.keys import FEWEST_WORDS, Hashes, HashSet, near_key
from nmt.corpus.duplicates.neighbours import Neighbourhood


class Held:
    """Pairs that must not be trained on. Picklable; some 8 bytes for each word of theirs.

    A pair is too near to them if both of its sides are, each but for one word inserted, deleted or replaced; or if one
    of its sides, of six words or more, is one of theirs but for case, punctuation, digits and spacing.
    """

    def __init__(self, pairs: Sequence[tuple[str, str]] = ()) -> None:
        """pairs: cleaned."""
        self._count = len(pairs)
        sides = [[pair[side] for pair in pairs] for side in (0, 1)]
        self._near = [Neighbourhood(texts) for texts in sides] if pairs else []
        self._whole = [HashSet(), HashSet()]
        for known, texts in zip(self._whole, sides, strict=True):
            keys = [near_key(text) for text in texts if len(text.split()) >= FEWEST_WORDS]
            known.add(np.array(keys, dtype=np.uint64))

    def __len__(self) -> int:
        return self._count

    def overlaps(self, pairs: Sequence[tuple[str, str]], source_keys: Hashes, target_keys: Hashes) -> NDArray[np.bool_]:
        """Which of these cleaned pairs are too near. source_keys, target_keys: the `near_key` of each side."""
        same = self._whole[0].contains(source_keys) | self._whole[1].contains(target_keys)
        near = np.flatnonzero(self._near[0].holds([source for source, _ in pairs]))
        same[near] |= self._near[1].holds([pairs[index][1] for index in near.tolist()])
        return same
