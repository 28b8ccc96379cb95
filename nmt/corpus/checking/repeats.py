"""Which of very many keys occur more than once, in little more memory than they take."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nmt.corpus.duplicates.keys import Hashes

_BUCKETS = 16  # only one at a time is sorted
_SHOWN = 3


@dataclass
class Repeats:
    """again: how many entries were there before.  most: how often the commonest is there.

    first: the first three that were there before, each with where it was first; indices, counted from 0.
    """

    again: int = 0
    most: int = 1
    first: tuple[tuple[int, int], ...] = ()


def repeats(keys: Hashes, *, without: Hashes | None = None) -> Repeats:
    """without: keys of another kind; entries that are equal in these, too, do not count as being there before."""
    again, most, shown = 0, 1, list[tuple[int, int]]()
    buckets = (keys >> np.uint64(60)).astype(np.uint8)
    for bucket in range(_BUCKETS):
        places = np.flatnonzero(buckets == bucket)
        if len(places) < 2:
            continue
        part, other = keys[places], None if without is None else without[places]
        order = np.argsort(part, kind="stable") if other is None else np.lexsort((places, other, part))
        part, places = part[order], places[order]
        same = part[1:] == part[:-1]
        if other is not None:
            # Of entries equal in both only one counts.
            other = other[order]
            kept = np.concatenate([[True], ~(same & (other[1:] == other[:-1]))])
            part, places = part[kept], places[kept]
            same = part[1:] == part[:-1]
        again += int(same.sum())
        starts = np.flatnonzero(np.concatenate([[True], ~same]))
        sizes = np.diff(np.append(starts, len(part)))
        most = max(most, int(sizes.max()))
        shown += _first(places, starts, sizes)
    return Repeats(again, most, tuple(sorted(shown)[:_SHOWN]))


def _first(places: NDArray[np.int64], starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> list[tuple[int, int]]:
    """The earliest repetitions of a bucket, each with where it was first."""
    groups = np.flatnonzero(sizes > 1)
    firsts = np.minimum.reduceat(places, starts)[groups] if len(groups) else groups
    found = []
    for group, first in zip(groups.tolist(), firsts.tolist(), strict=True):
        own = np.sort(places[starts[group] : starts[group] + sizes[group]])
        found.append((int(own[1]), int(first)))
        if len(found) > 100_000:
            break
    return sorted(found)[:_SHOWN]
