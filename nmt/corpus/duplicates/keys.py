"""Texts seen before: fingerprints of 64 bits, the same in every process, and a set that holds very many of them.

Two different texts share a fingerprint by chance once in 2^64 / (number of texts) look-ups: never, in practice.
"""

from functools import lru_cache
from itertools import pairwise

import numpy as np
import xxhash
from numpy.typing import NDArray

from nmt.text.surface import UNSPACED, letters

Hashes = NDArray[np.uint64]

FEWEST_WORDS = 6  # in shorter texts one word is too much of the meaning
_BUCKETS = 64  # by the upper bits; only one at a time is copied as it grows
BASE = 0x9E3779B97F4A7C15  # odd, so that no power of it is 0
_MASK = (1 << 64) - 1


class HashSet:
    """A growing set of hashes, 8 to 9 bytes an entry.

    Each bucket is two sorted arrays: a large one, and a small one of what came last, merged into it now and then.
    """

    def __init__(self) -> None:
        self._large = [np.empty(0, np.uint64) for _ in range(_BUCKETS)]
        self._recent = [np.empty(0, np.uint64) for _ in range(_BUCKETS)]
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def nbytes(self) -> int:
        """Memory that the entries take."""
        return sum(array.nbytes for array in (*self._large, *self._recent))

    def add(self, hashes: Hashes) -> NDArray[np.bool_]:
        """Which of these are new, in their order; of equal ones among themselves only the first is."""
        values, first = np.unique(hashes, return_index=True)
        known = self._find(values, insert=True)
        new = np.zeros(len(hashes), np.bool_)
        new[first[~known]] = True
        return new

    def contains(self, hashes: Hashes) -> NDArray[np.bool_]:
        """Which of these are in the set."""
        values, back = np.unique(hashes, return_inverse=True)
        return self._find(values, insert=False)[back]

    def _find(self, values: Hashes, *, insert: bool) -> NDArray[np.bool_]:
        """values: sorted, each once."""
        known = np.zeros(len(values), np.bool_)
        buckets = values >> np.uint64(58)
        edges = np.searchsorted(buckets, np.arange(_BUCKETS + 1, dtype=np.uint64))
        for bucket, (start, end) in enumerate(pairwise(edges.tolist())):
            if start == end:
                continue
            part = values[start:end]
            found = _is_in(part, self._large[bucket]) | _is_in(part, self._recent[bucket])
            known[start:end] = found
            if insert:
                self._insert(bucket, part[~found])
        return known

    def _insert(self, bucket: int, new: Hashes) -> None:
        self._count += len(new)
        recent = _merge(self._recent[bucket], new)
        if len(recent) > max(256, len(self._large[bucket]) // 16):
            self._large[bucket] = _merge(self._large[bucket], recent)
            recent = recent[:0].copy()
        self._recent[bucket] = recent


def _is_in(values: Hashes, among: Hashes) -> NDArray[np.bool_]:
    if not len(among):
        return np.zeros(len(values), np.bool_)
    places = np.minimum(np.searchsorted(among, values), len(among) - 1)
    found: NDArray[np.bool_] = among[places] == values
    return found


def _merge(old: Hashes, new: Hashes) -> Hashes:
    if not len(new):
        return old
    merged = np.concatenate([old, new])
    merged.sort(kind="stable")  # finds the two runs and merges them
    return merged


def text_key(text: str) -> int:
    """The fingerprint of a text as it is."""
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"))


def exact_key(source: str, target: str) -> int:
    """The same for pairs that are equal in every character."""
    return text_key(f"{source}\n{target}")  # a line has no LF


def near_key(text: str) -> int:
    """The same for texts that are equal but for case, punctuation, digits and spacing.

    A text without any letter is only like itself: "12" is not "13".
    """
    return text_key(letters(text) or text)


def pair_keys(source: Hashes, target: Hashes) -> Hashes:
    """One key for each pair out of those of its sides."""
    keys: Hashes = source * np.uint64(BASE) + target  # modulo 2^64
    return keys


@lru_cache(100_000)
def _word_key(word: str) -> int:
    return text_key(bare) if (bare := letters(word)) else 0


def one_word_keys(text: str) -> list[int]:
    """The key of the whole text, and its keys with each word left out in turn; by words as `near_key` sees them.

    Two texts that differ by one word inserted, deleted or replaced share a key. A text of fewer than `FEWEST_WORDS`
    words has only that of the whole. In scripts without blanks each character is a word.
    """
    if not text.isascii():
        text = UNSPACED.sub(r" \g<0> ", text)
    words = [key for word in text.split() if (key := _word_key(word))]
    if not words:
        return [text_key(text)]
    # A polynomial in BASE of the words' hashes, so that each key takes one step however long the text is.
    whole, before = 0, []
    for word in words:
        before.append(whole)
        whole = (whole * BASE + word) & _MASK
    keys = [whole]
    if len(words) >= FEWEST_WORDS:
        behind, power = 0, 1  # of the words after the one left out
        for word, start in zip(reversed(words), reversed(before), strict=True):
            keys.append((start * power + behind) & _MASK)
            behind = (behind + word * power) & _MASK
            power = (power * BASE) & _MASK
    return list(dict.fromkeys(keys))
