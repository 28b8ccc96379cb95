"""How many different things there are among very many, in memory that does not grow with them."""

import numpy as np

ROOM = 1 << 20  # hashes that a counter keeps


class DistinctCounter:
    """How many different things were seen among many, and how many were seen before, by their 64-bit hashes.

    Exact up to `ROOM` different ones. From then on only every 2nd, 4th, 8th ... hash counts, those whose last bits are
    zero, and stands for as many others (adaptive sampling, Flajolet 1990): an error of about 1.2 / sqrt(ROOM) or 0.1 %.
    """

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._level = 0  # last bits that must be zero
        self._keys = np.zeros(0, np.uint64)  # sorted
        self._counts = np.zeros(0, np.int64)
        self._waiting: list[tuple[np.ndarray, np.ndarray]] = []

    def add(self, hashes: np.ndarray, counts: np.ndarray | None = None) -> None:
        """hashes: uint64, in any order, may repeat.  counts: how often each was seen; None: once."""
        counts = np.ones(len(hashes), np.int64) if counts is None else counts
        kept = self._in_sample(hashes)
        self._waiting.append((hashes[kept], counts[kept]))
        if sum(len(part) for part, _ in self._waiting) >= self._room // 2:
            self._settle()

    @property
    def exact(self) -> bool:
        """Whether nothing was left to sampling."""
        self._settle()
        return self._level == 0

    @property
    def distinct(self) -> int:
        """How many different ones."""
        self._settle()
        return len(self._keys) << self._level

    @property
    def repeated_share(self) -> float:
        """Share of all that had been seen before."""
        self._settle()
        seen = int(self._counts.sum())
        return 1 - len(self._keys) / seen if seen else 0.0

    def _in_sample(self, hashes: np.ndarray) -> np.ndarray:
        return (hashes & np.uint64((1 << self._level) - 1)) == 0

    def _settle(self) -> None:
        if not self._waiting:
            return
        keys = np.concatenate([self._keys, *(part for part, _ in self._waiting)])
        counts = np.concatenate([self._counts, *(part for _, part in self._waiting)])
        self._waiting.clear()
        order = np.argsort(keys)
        keys = keys[order]
        starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else order
        self._keys, self._counts = keys[starts], np.add.reduceat(counts[order], starts) if len(keys) else counts
        while len(self._keys) > self._room:
            self._level += 1
            kept = self._in_sample(self._keys)
            self._keys, self._counts = self._keys[kept], self._counts[kept]
