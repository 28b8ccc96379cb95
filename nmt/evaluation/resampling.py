"""Bootstrap resampling (Koehn 2004): what a score would have been on other test sets of the same kind.

With sacreBLEU's own draws: the same lines in the same resamples, and so the same numbers.

L lines  C counts of a line  R resamples
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from nmt.evaluation.metrics import Counts, Metric

SAMPLES, SEED = 1000, 12345  # sacreBLEU's
BLOCK = 1 << 20  # lines drawn at once, so that memory does not grow with the number of lines


def resampled_sums(statistics: Counts, samples: int = SAMPLES, seed: int = SEED) -> Counts:
    """Sums of the counts of as many lines as there are, drawn with replacement: (R, C).

    statistics: (L, C); those of several metrics or systems side by side are drawn alike.
    """
    return np.concatenate([weights @ statistics for weights in _draws(len(statistics), samples, seed)])


def _draws(lines: int, samples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """How often each resample has each line, (a part of R, L)."""
    random = np.random.default_rng(seed)
    at_once = max(1, BLOCK // lines)
    for begin in range(0, samples, at_once):
        rows = min(at_once, samples - begin)
        drawn = random.choice(lines, size=(rows, lines), replace=True)
        drawn += np.arange(rows)[:, None] * lines
        yield np.bincount(drawn.ravel(), minlength=rows * lines).reshape(rows, lines).astype(np.float64)


def resampled_scores(metric: Metric, sums: Counts) -> NDArray[np.float64]:
    """The score of each resample, (R,). sums: of this metric alone, (R, C)."""
    return np.array([metric.score(row) for row in sums])


def interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """Where the middle 95 % of the values lie; cut as sacreBLEU cuts, of whose `±` this is the two ends."""
    ordered = np.sort(values)
    outside = len(ordered) // 40
    return float(ordered[outside]), float(ordered[len(ordered) - outside - 1])
