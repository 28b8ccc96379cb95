"""What is learned from when: one corpus or several, in given shares, in random order, and never all in memory.

A training goes through its text in pools of about a million pairs: each is drawn from all over the corpora, and is then
shuffled as a whole. What a pool holds follows from its place, the seed and the shares alone, so that a resumed training
goes on with the same pairs.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple, Protocol

import numpy as np
import xxhash

from nmt import distributed
from nmt.corpus.encoded import EncodedCorpus, GatheredSide
from nmt.corpus.shards import Shards
from nmt.errors import DataError

POOL_LINES = 1 << 20
_SMALLEST = 1e-300  # share of a corpus


class Place(NamedTuple):
    """A pool: of which stage, which epoch of that stage, and which of the epoch."""

    stage: int = 0
    epoch: int = 0
    pool: int = 0


class TrainingText(Protocol):
    """What a trainer wants of its text."""

    def fingerprint(self) -> str:
        """Tells two texts apart: a resumed run must go on with the same one."""

    def pools(self, stage: int) -> int:
        """How many pools an epoch has in that stage."""

    def pool(self, place: Place) -> EncodedCorpus:
        """The pairs of a pool, which takes the place of the one asked for before. All processes have to ask."""


@dataclass(frozen=True)
class Corpus:
    """One corpus of a mixture. repeat: how often it counts where nobody says a weight."""

    shards: Shards
    repeat: float = 1.0


class Segment(NamedTuple):
    """Pairs of one shard. rows: which; None: all."""

    corpus: int
    shard: int
    rows: np.ndarray | None


def shares_by_size(corpora: Sequence[Corpus], temperature: float = 1.0) -> list[float]:
    """By how many lines they have, to the power 1 / temperature: above 1 the small ones get more than their share."""
    sizes = [corpus.shards.lines * corpus.repeat for corpus in corpora]
    largest = max(sizes)
    # None is so small that it is left out.
    return [max((size / largest) ** (1 / temperature), _SMALLEST) if size else 0.0 for size in sizes]


class Mixture:
    """Several corpora, or one, drawn in the shares of each stage.

    Each corpus is an endless sequence: all its pairs in random order, then all of them in another one. A pool takes the
    next stretch of each. An epoch is as many lines as all corpora of its stage have together.
    """

    def __init__(self, corpora: Sequence[Corpus], stages: Sequence[Sequence[float]], seed: int) -> None:
        """stages: for each the shares of all corpora, which need not sum to 1; a corpus of share 0 is left out."""
        self.corpora = corpora
        self.seed = seed
        self._counts = [self._lines_per_epoch(shares) for shares in stages]

    def _lines_per_epoch(self, shares: Sequence[float]) -> list[int]:
        epoch = sum(
            round(corpus.shards.lines * corpus.repeat)
            for corpus, share in zip(self.corpora, shares, strict=True)
            if share
        )
        total = sum(map(Fraction, shares))  # of floats the sum may be infinite
        return [max(1, round(share / total * epoch)) if share else 0 for share in map(Fraction, shares)]

    def fingerprint(self) -> str:
        """Of the text and how it is encoded, and of the shares."""
        known = xxhash.xxh3_128(repr(self._counts).encode())
        for corpus in self.corpora:
            known.update(corpus.shards.key.encode())
        return known.hexdigest()[:16]

    def pools(self, stage: int) -> int:
        """See TrainingText."""
        return max(1, -(-sum(self._counts[stage]) // POOL_LINES))

    def segments(self, place: Place) -> list[Segment]:
        """What the pool is made of; waits for the shards that it needs."""
        counts, pools = self._counts[place.stage], self.pools(place.stage)
        number = place.epoch * pools + place.pool
        found = []
        for corpus, count in enumerate(counts):
            found += self._stretch(place.stage, corpus, count * number // pools, count * (number + 1) // pools)
        return sorted(found, key=lambda segment: segment[:2])

    def _stretch(self, stage: int, corpus: int, begin: int, end: int) -> list[Segment]:
        """Of that corpus' endless sequence, in lines of text: some of them may not have become pairs."""
        shards = self.corpora[corpus].shards
        found = []
        while begin < end:
            time, at = divmod(begin, shards.lines)
            order = np.arange(len(shards))
            if (stage, time) != (0, 0) and len(order) > 1:  # the first time in the order in which they are made
                order = np.random.default_rng([self.seed, stage, corpus, time]).permutation(order)
            for shard in order.tolist():
                size = shards.sizes[shard]
                low, high = max(0, at), min(size, at + end - begin)
                if low < high:
                    rows = self._rows((stage, corpus, time, shard), shards, low, high)
                    found.append(Segment(corpus, shard, rows))
                at -= size
            begin = min(end, (time + 1) * shards.lines)
        return found

    def _rows(self, which: tuple[int, int, int, int], shards: Shards, low: int, high: int) -> np.ndarray | None:
        """Those rows of a shard that belong to lines low..high of it in that random order."""
        size, kept = shards.sizes[which[3]], shards.pairs(which[3])
        if (low, high) == (0, size):
            return None
        order = np.random.default_rng([self.seed, *which, 1]).permutation(kept)
        return np.sort(order[low * kept // size : high * kept // size])

    def pool(self, place: Place) -> EncodedCorpus:
        """See TrainingText."""
        # The first process of each machine waits for all: it is the one that hears when there is nothing to wait for.
        segments = distributed.once_per_machine(lambda: self.segments(place)) or self.segments(place)
        found = self._gather(segments, lambda corpus, shard: self.corpora[corpus].shards.shard(shard))
        if not len(found):
            raise _nothing_left(self.corpora)
        return found

    def text(self, segments: Sequence[Segment]) -> EncodedCorpus:
        """The text of these pairs as bytes of UTF-8; see `Shards.text`."""
        return self._gather(segments, lambda corpus, shard: self.corpora[corpus].shards.text(shard))

    def _gather(self, segments: Sequence[Segment], read: Callable[[int, int], EncodedCorpus]) -> EncodedCorpus:
        """segments: in order; those of one shard (of a small corpus there may be thousands) read it once."""
        groups = [list(group) for _, group in groupby(segments, key=lambda segment: segment[:2])]
        parts = [read(group[0].corpus, group[0].shard) for group in groups]
        if len(segments) == 1 and segments[0].rows is None:
            return parts[0]
        rows = [
            np.concatenate([np.arange(len(part)) if segment.rows is None else segment.rows for segment in group])
            for part, group in zip(parts, groups, strict=True)
        ]
        which = np.repeat(np.arange(len(parts), dtype=np.int32), [len(part) for part in rows])
        row = np.concatenate(rows)
        source, target = ([getattr(part, side) for part in parts] for side in ("source", "target"))
        return EncodedCorpus(GatheredSide(source, which, row), GatheredSide(target, which, row))


def _nothing_left(corpora: Sequence[Corpus]) -> DataError:
    counts: Counter[str] = Counter()
    for corpus in corpora:
        counts.update(corpus.shards.left_out().counts)
    if set(counts) <= {"held out"}:
        return DataError(f"{corpora[0].shards.name} has too few different pairs to hold some out", "set data.dev")
    if "too long" not in counts:
        return DataError(f"{corpora[0].shards.name} holds no pair with text on both sides", "check data.train")
    return DataError(
        f"no train pair is left: {counts.total():,} are blank or longer than model.max_length",
        "check that file; if its lines are long, raise model.max_length or split them into sentences",
    )
