"""Where two sides run apart: a line lost or added on one of them, so that each later one stands beside a wrong one.

Two lines that belong together are told by their lengths (Gale & Church 1993) and by their words, with a small lexicon
that is learnt from the same corpus (as hunalign does, Varga et al. 2005). All evidence is in nats: log p(they belong
together) - log p(they do not).
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nmt.corpus.checking.lexicon import Lexicon

FEWEST = 200  # pairs to learn from; with fewer nothing is said
LEARN = 6000  # pairs that are enough to learn from
REACH = 20  # lines that a side may be off where both have the same number
WINDOW = 8  # lines that are looked at together
PLACES = 25  # of a corpus where a common offset is looked for
WINDOWS = 128  # places of a file that are looked at first, where the sides differ in their number of lines
NEAR = 64  # lines within which a change is looked for line by line
MOST = 8.0  # nats that one line may say, for or against
CLEAR = 2.0  # nats a line from which an offset is taken to be right
POOR = 1.0  # nats a line below which something may be wrong
BETTER = 30.0  # nats by which another offset must be better than none

Pair = tuple[str, str]
Numbers = NDArray[np.float64]
Read = Callable[
    [int, int, int], list[Pair]
]  # source lines from `start`, beside the target's `offset` further on; `count`


class Shift(NamedTuple):
    """Source lines [start, end), counted from 0, belong to the target's that stand `offset` lines further on.

    earliest, latest: between which lines the start is with 95 % probability.
    """

    start: int
    end: int
    offset: int
    earliest: int
    latest: int


class Evidence:
    """How much two lines look as if they belonged together.

    A pair is judged by what pairs have taught whose lines are of the other kind, odd or even: never by itself.
    """

    def __init__(self, pairs: Sequence[tuple[int, Pair]]) -> None:
        """pairs: each with the number of its source line."""
        halves = [[pair for number, pair in pairs if number % 2 != parity] for parity in (0, 1)]
        self._lexicons = [Lexicon(half) for half in halves]
        texts = [pair for _, pair in pairs if all(pair)]
        ratios = np.array([_ratio(*pair) for pair in texts])
        far = np.array([_ratio(a, b) for (a, _), (_, b) in zip(texts, texts[len(texts) // 2 :], strict=False)])
        self._mean = float(np.median(ratios)) if len(ratios) else 0.0
        self._near, self._far = _spread(ratios), _spread(far)

    def __call__(self, pairs: Sequence[Pair], first: int) -> Numbers:
        """Nats for each pair, within +-MOST; 0 where a side is blank. first: the number of the first source line."""
        return self.judge(pairs, range(first, first + len(pairs)))

    def judge(self, pairs: Sequence[Pair], numbers: Sequence[int]) -> Numbers:
        """The same for pairs from anywhere. numbers: of their source lines."""
        gains = np.zeros(len(pairs))
        odd = np.array(numbers, np.int64) % 2
        for parity, lexicon in enumerate(self._lexicons):
            part = np.flatnonzero(odd == parity)
            gains[part] = lexicon.gains([lexicon.number(*pairs[i]) for i in part.tolist()])
        if self._near < self._far:
            off = np.array([_ratio(*pair) for pair in pairs]) - self._mean
            off = np.clip(off, -3 * self._near, 3 * self._near)
            gains += math.log(self._far / self._near) + (off / self._far) ** 2 / 2 - (off / self._near) ** 2 / 2
        whole = np.array([bool(source) and bool(target) for source, target in pairs], bool)
        clipped: Numbers = np.where(whole, np.clip(gains, -MOST, MOST), 0.0)
        return clipped


def _ratio(source: str, target: str) -> float:
    return math.log((len(target) + 3) / (len(source) + 3))


def _spread(ratios: Numbers) -> float:
    """Standard deviation, from the quartiles: a few wild ones must not count."""
    low, high = np.quantile(ratios, (0.25, 0.75)) if len(ratios) else (0.0, 1.0)
    return max(0.05, float(high - low) / 1.35)


def learn(pairs: Sequence[tuple[int, Pair]], read: Read, reach: int = REACH) -> tuple[Evidence, float]:
    """Evidence out of a sample of pairs, and how well these belong together by it: mean nats a pair.

    Where nearly all pairs are off by the same number of lines, those that belong together are learnt from instead.
    """
    evidence, mean = _learn(pairs)
    if mean > CLEAR or len(pairs) < FEWEST:
        return evidence, mean
    starts = [number for number, _ in pairs[:: max(1, len(pairs) // PLACES)]][:PLACES]
    scores = {}
    for offset in range(-reach, reach + 1):
        lines = [(start + i, pair) for start in starts for i, pair in enumerate(read(start, offset, 2 * WINDOW))]
        scores[offset] = _learn(lines)[1]
    best = max(scores, key=lambda offset: (scores[offset], -abs(offset)))
    unlike = float(np.median(list(scores.values())))  # what pairs reach that do not belong together
    if scores[best] > max(scores[0] + CLEAR / 2, unlike + 2 * CLEAR):
        moved = [(number, pair) for number, _ in pairs for pair in read(number, best, 1)]
        half = scores[0] > unlike + CLEAR / 2  # some are off, some are not
        evidence = Evidence([*pairs, *moved] if half else moved)
    return evidence, mean


def _learn(pairs: Sequence[tuple[int, Pair]]) -> tuple[Evidence, float]:
    evidence = Evidence(pairs)
    judged = [(number, pair) for number, pair in pairs[:: max(1, len(pairs) // 600)] if all(pair)]
    nats = evidence.judge([pair for _, pair in judged], [number for number, _ in judged])
    return evidence, float(nats.mean()) if len(nats) else 0.0


def poor_runs(nats: Numbers) -> list[tuple[int, int]]:
    """Stretches [start, end) of neighbouring pairs that do not look as if they belonged together."""
    if len(nats) < WINDOW:
        return []
    means = np.convolve(nats, np.ones(WINDOW) / WINDOW, "valid")
    runs: list[tuple[int, int]] = []
    for start in np.flatnonzero(means < POOR).tolist():
        if runs and start <= runs[-1][1]:
            runs[-1] = runs[-1][0], start + WINDOW
        else:
            runs.append((start, start + WINDOW))
    poor = nats < POOR
    return [
        (start + int(np.argmax(poor[start:end])), end - int(np.argmax(poor[start:end][::-1]))) for start, end in runs
    ]


def best_offset(
    evidence: Evidence, read: Read, start: int, likely: Sequence[int], others: Sequence[int], count: int = WINDOW
) -> int | None:
    """Which target lines belong to the `count` source lines from `start` on; None: it is not clear.

    likely: offsets to try first; the best of them is taken if it is clearly right.
    """
    for offsets in (likely, others):
        sums = [(float(evidence(read(start, offset, count), start).sum()), -abs(offset), offset) for offset in offsets]
        best, second = sorted([*sums, (-MOST * count, 0, 0), (-MOST * count, 0, 0)], reverse=True)[:2]
        if best[0] > CLEAR * count or (offsets is others and best[0] > 0 and best[0] > second[0] + BETTER):
            return best[2]
    return None


def boundary(evidence: Evidence, read: Read, span: tuple[int, int], before: int, after: int) -> tuple[int, int, int]:
    """The first source line from which the offset `before` no longer holds; and from where to where it is with 95 %.

    span: source lines [start, end); `before` holds at its start, `after` at its end.
    """
    start, count = span[0], span[1] - span[0]
    old, new = (evidence(read(start, offset, count), start) for offset in (before, after))
    lost = max(0, before - after)  # source lines without any partner
    # Where the change is at p: `before` holds up to p, `after` from p + lost on.
    left = np.concatenate([[0.0], np.cumsum(old)])
    right = np.concatenate([np.cumsum(new[::-1])[::-1], np.zeros(lost + 1)])[lost : lost + count + 1]
    score = left + right
    weight = np.exp(score - score.max())
    mass = np.cumsum(weight) / weight.sum()
    best = int(np.argmax(score > score.max() - 0.5))  # of places as good as each other (equal lines) the first
    earliest, latest = int(np.searchsorted(mass, 0.025)), int(np.searchsorted(mass, 0.975))
    return start + best, start + min(best, earliest), start + max(best, min(latest, count - 1))


def trace(
    evidence: Evidence, read: Read, span: tuple[int, int], offsets: Sequence[int], end: int, *, doubted: bool = True
) -> list[Shift]:
    """Follow two sides through the source lines [start, end): each stretch that is off, with its offset.

    Before the span nothing is off.  offsets: what to look for.  end: the offset that is likely at its end.
    doubted: whether there may be no shift at all.
    """
    start, stop = span
    step = max(WINDOW, (stop - start) // WINDOWS)
    path = [(start, 0)]  # where a window begins, its offset
    for place in range(start, stop, step):
        offset = best_offset(evidence, read, place, list(dict.fromkeys([path[-1][1], end])), offsets)
        if offset is not None:
            path.append((place, offset))
    changes: list[Shift] = []
    for (first, before), (last, after) in pairwise(path):
        changes += _changes(evidence, read, (first, last), before, after, offsets)
    if not changes:
        return []
    ends = [change.start for change in changes[1:]] + [stop]
    shifts = [change._replace(end=last) for change, last in zip(changes, ends, strict=True) if change.offset]
    return [shift for shift in shifts if _is_better(evidence, read, shift, doubted)]


def _is_better(evidence: Evidence, read: Read, shift: Shift, doubted: bool) -> bool:
    """Whether a stretch is really off. doubted: as it may well not be: its pairs must look wrong as they stand."""
    count = min(shift.end - shift.start, 10 * NEAR)
    moved, plain = (evidence(read(shift.start, offset, count), shift.start) for offset in (shift.offset, 0))
    # Short phrases that are like their neighbours favour another offset by chance, and yet look right.
    looks_wrong = not doubted or plain.mean() < -CLEAR / 2
    return bool(looks_wrong and moved.sum() - plain.sum() > BETTER)


def _changes(
    evidence: Evidence, read: Read, span: tuple[int, int], before: int, after: int, offsets: Sequence[int]
) -> list[Shift]:
    """Each change between two windows that differ, by halving."""
    start, stop = span
    if before == after:
        return []
    middle = (start + stop) // 2
    if stop - start > NEAR:
        offset = best_offset(evidence, read, middle, (before, after), offsets)
        if offset is not None:
            first = _changes(evidence, read, (start, middle), before, offset, offsets)
            return first + _changes(evidence, read, (middle, stop), offset, after, offsets)
    found, earliest, latest = boundary(evidence, read, (start, stop + WINDOW), before, after)
    return [Shift(found, 0, after, earliest, latest)]
