"""What is to be seen in one block of pairs; each process looks at many, and `tally.py` puts together what was seen."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nmt.corpus.checking.heldout import Seen, Watch
from nmt.corpus.checking.reading import Block, Pair
from nmt.corpus.checking.shift import CLEAR, REACH, WINDOW, Evidence, best_offset, poor_runs
from nmt.corpus.duplicates.keys import Hashes, exact_key, pair_keys, text_key
from nmt.corpus.rules import Judge, Verdict

LONGEST = 100  # words: longer sides are counted as that long in histograms
RATIOS = np.linspace(-2.0, 2.0, 41)  # edges of the histogram of log2(target / source), in characters
BUCKETS = 128  # of words, by their hash: enough to see that texts are of another kind
LONGEST_RUNS = 4  # of a block: those whose offset is looked for

Counts = NDArray[np.int64]


@dataclass
class SideSeen:
    """One side of a block. lengths: lines by their number of words. kinds: words by bucket of their hash."""

    words: int = 0
    characters: int = 0
    lengths: Counts = field(default_factory=lambda: np.zeros(LONGEST + 1, np.int64))
    vocabulary: Hashes = field(default_factory=lambda: np.zeros(0, np.uint64))
    kinds: Counts = field(default_factory=lambda: np.zeros(BUCKETS, np.int64))
    letters: set[str] = field(default_factory=set)
    rising: int = 0  # neighbours of which the second is not shorter
    composed: int = 0  # lines with accents, in NFC
    decomposed: list[int] = field(default_factory=list)  # lines that NFC changes
    not_utf8: list[int] = field(default_factory=list)


@dataclass
class Surveyed:
    """A block. Numbers of pairs are counted from 0.

    broken: for each rule the pairs that break it.  keys: of each pair as it is, of each but for case and the like, and
    of each source.  stretches: [start, end) of pairs that do not belong together, with the offset that would be right.
    """

    first: int
    count: int
    sides: tuple[SideSeen, SideSeen]
    broken: dict[str, list[int]]
    keys: Hashes  # (3, pairs)
    grid: Counts  # lines by the words of both sides
    ratios: Counts
    stretches: list[tuple[int, int, int | None]]
    seen: dict[str, Seen]


class Surveyor:
    """Looks at blocks. Picklable."""

    def __init__(self, judge: Judge, evidence: Evidence | None, watch: Watch) -> None:
        """evidence: None: nothing can be said about what belongs together.  watch: knows dev and test."""
        self.judge, self.evidence, self.watch = judge, evidence, watch

    def __call__(self, block: Block, _: Any = None) -> Surveyed:
        pairs, bad = block.read()
        verdicts = [self.judge.examine(*pair) for pair in pairs]
        cleaned = [(verdict.source, verdict.target) for verdict in verdicts]
        broken: dict[str, list[int]] = {}
        for number, verdict in enumerate(verdicts, start=block.first):
            for name in verdict.broken:
                broken.setdefault(name, []).append(number)
        for index, _ in bad:  # what could not be read has U+FFFD in its place: one fault, not two
            if verdicts[index].broken == ["controls"]:
                broken["controls"].remove(block.first + index)
        keys = np.array([_keys(verdict, block.first + i) for i, verdict in enumerate(verdicts)], np.uint64).reshape(
            -1, 4
        )
        sides = tuple(self._side(pairs, cleaned, block.first, bad, side) for side in (0, 1))
        return Surveyed(
            block.first,
            len(pairs),
            (sides[0], sides[1]),
            broken,
            np.stack([keys[:, 0], pair_keys(keys[:, 2], keys[:, 3]), keys[:, 1]]),
            *_lengths(cleaned),
            self._stretches(cleaned, block.first),
            self.watch.look(cleaned, block.first),
        )

    def _side(
        self, pairs: Sequence[Pair], cleaned: Sequence[Pair], first: int, bad: Sequence[tuple[int, int]], side: int
    ) -> SideSeen:
        seen = SideSeen(not_utf8=[first + index for index, where in bad if where == side])
        words: Counter[str] = Counter()
        before = 0
        for index, (pair, clean_pair) in enumerate(zip(pairs, cleaned, strict=True)):
            text, raw = clean_pair[side], pair[side]
            own = text.split()
            words.update(own)
            seen.words += len(own)
            seen.characters += len(text)
            seen.lengths[min(len(own), LONGEST)] += 1
            seen.rising += len(text) >= before
            before = len(text)
            if not raw.isascii():
                if not unicodedata.is_normalized("NFC", raw):
                    seen.decomposed.append(first + index)
                elif not unicodedata.is_normalized("NFD", raw):
                    seen.composed += 1
        hashes = np.fromiter((text_key(word) for word in words), np.uint64, len(words))
        counts = np.fromiter(words.values(), np.int64, len(words))
        seen.kinds = np.bincount((hashes % np.uint64(BUCKETS)).astype(np.int64), counts, BUCKETS).astype(np.int64)
        seen.vocabulary = np.sort(hashes)
        seen.letters = set().union(*words) if words else set()
        return seen

    def _stretches(self, pairs: Sequence[Pair], first: int) -> list[tuple[int, int, int | None]]:
        evidence = self.evidence
        if evidence is None or len(pairs) < WINDOW:
            return []

        def read(start: int, offset: int, count: int) -> list[Pair]:
            return beside(pairs, start - first, offset, count)

        nats = evidence(pairs, first)
        found: list[tuple[int, int, int | None]] = []
        likely: list[int] = []
        others = [offset for offset in range(-REACH, REACH + 1) if offset]
        runs = poor_runs(nats)
        chosen = sorted(runs, key=lambda run: run[0] - run[1])[:LONGEST_RUNS]
        for start, end in runs:
            count = min(max(WINDOW // 2, end - start), 3 * WINDOW)
            offset = None
            if (start, end) in chosen:
                offset = best_offset(evidence, read, first + (start + end - count) // 2, likely, others, count)
            if offset is not None and offset not in likely:
                likely.append(offset)
            if offset is not None or nats[start:end].mean() < -CLEAR / 2:
                found.append((first + start, first + end, offset))
        return found


def beside(pairs: Sequence[Pair], start: int, offset: int, count: int) -> list[Pair]:
    """`count` sources from `start` on beside targets that stand `offset` further on; "" where there is none."""
    return [
        (
            pairs[i][0] if 0 <= i < len(pairs) else "",
            pairs[i + offset][1] if 0 <= i + offset < len(pairs) else "",
        )
        for i in range(start, start + count)
    ]


def _keys(verdict: Verdict, number: int) -> tuple[int, int, int, int]:
    """Of the pair, of its source, and of both sides but for case and the like. Blank ones are like no other."""
    if not verdict.source or not verdict.target:
        return (text_key(f"\n{number}"),) * 4
    return exact_key(verdict.source, verdict.target), text_key(verdict.source), verdict.source_key, verdict.target_key


def _lengths(pairs: Sequence[Pair]) -> tuple[Counts, Counts]:
    """The grid and the ratios of those that have two sides."""
    whole = [(source, target) for source, target in pairs if source and target]
    words = np.array([(source.count(" ") + 1, target.count(" ") + 1) for source, target in whole], np.int64).reshape(
        -1, 2
    )
    ratio = np.array([len(target) / len(source) for source, target in whole])
    words = np.minimum(words, LONGEST)
    grid = np.bincount(words[:, 0] * (LONGEST + 1) + words[:, 1], minlength=(LONGEST + 1) ** 2)
    ratios = np.histogram(np.clip(np.log2(ratio), RATIOS[0], RATIOS[-1]), RATIOS)[0]
    return grid.reshape(LONGEST + 1, LONGEST + 1), ratios.astype(np.int64)
