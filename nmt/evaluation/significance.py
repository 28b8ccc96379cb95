"""Whether one system is better than another, or only luckier with these lines.

Each difference is tested in two ways, sacreBLEU's (`sacrebleu.significance.PairedTest`), with its draws:
- Approximate randomisation (Riezler & Maxwell 2005): the two outputs of a line are swapped by the toss of a coin, for
  all lines, thousands of times. Two-sided. Verdicts rest on it.
- The paired bootstrap (Koehn 2004, as Moses has it): the same lines drawn anew for both. It gives the interval, too.
  Its p looks at one side of a distribution and is about half of the other's: of equal systems it calls one in ten
  different.

p-values are sacreBLEU's but for ties. Chance that does just as much as was seen counts here, as in both papers; there
only what does more. With few lines that differ, as in exact match, that calls luck a difference: of two systems that
are unlike in one line only, or in none, always.

L lines  C counts of a line  R resamples  T trials
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nmt.evaluation.metrics import Counts, Metric
from nmt.evaluation.resampling import SAMPLES, SEED, interval, resampled_scores, resampled_sums

TRIALS = 10_000  # sacreBLEU's
ALPHA, POWER = 0.05, 0.8
_BLOCK = 1 << 22  # coins tossed at once, so that memory does not grow with the number of lines
_TIE = 1e-9  # scores nearer than that are equal: sums of fractions (TER with several references) are rounded


@dataclass(frozen=True)
class PValues:
    """p of the two tests: how often chance alone makes a difference like the one seen."""

    randomisation: float
    bootstrap: float

    @property
    def agree(self) -> bool:
        """Whether both find a difference, or neither."""
        return (self.randomisation < ALPHA) == (self.bootstrap < ALPHA)


@dataclass(frozen=True)
class Difference:
    """A system against the first one, by one metric.

    value: its score minus the first one's.  interval: where 95 % of such differences lie that the bootstrap sees.
    standard_error: how far it varies with the choice of lines.
    corrected: p-values that allow for all systems that are compared with the first one (see `holm`).
    better: who is, by `corrected.randomisation`; None: nothing can be shown.
    lines_needed: see the function of that name.
    """

    value: float
    interval: tuple[float, float]
    standard_error: float
    p: PValues
    corrected: PValues
    better: Literal["first", "other"] | None
    lines_needed: int | None


@dataclass(frozen=True)
class Comparison:
    """Systems by one metric: their scores, each with its 95 % interval, and all but the first against the first."""

    scores: list[float]
    intervals: list[tuple[float, float]]
    differences: list[Difference]


def compare(
    metric: Metric, statistics: Sequence[Counts], *, samples: int = SAMPLES, trials: int = TRIALS, seed: int = SEED
) -> Comparison:
    """Compare each system with the first one.

    statistics: of each system, `metric.statistics` of the same lines, (L, C).
    samples: of the bootstrap.  trials: of the randomisation.
    """
    scores = [metric.score(counts.sum(axis=0)) for counts in statistics]
    sums = np.split(resampled_sums(np.concatenate(statistics, axis=1), samples, seed), len(statistics), axis=1)
    resampled = [resampled_scores(metric, part) for part in sums]
    differences = [
        _difference(
            scores[other] - scores[0],
            resampled[other] - resampled[0],
            randomisation_p(metric, statistics[0], statistics[other], trials, seed),
            lines=len(statistics[0]),
            comparisons=len(statistics) - 1,
        )
        for other in range(1, len(statistics))
    ]
    return Comparison(scores, [interval(values) for values in resampled], _corrected(metric, differences))


def _difference(
    value: float, resampled: NDArray[np.float64], randomisation: float, lines: int, comparisons: int
) -> Difference:
    """All but what follows from the p-values of the others. resampled: differences of the resamples' scores, (R,)."""
    error = float(resampled.std(ddof=1))
    p = PValues(randomisation, bootstrap_p(resampled, value))
    needed = lines_needed(value, error, lines, alpha=ALPHA / comparisons)
    return Difference(value, interval(resampled), error, p, p, None, needed)


def _corrected(metric: Metric, differences: Sequence[Difference]) -> list[Difference]:
    randomisation = holm([difference.p.randomisation for difference in differences])
    bootstrap = holm([difference.p.bootstrap for difference in differences])
    return [
        replace(difference, corrected=corrected, better=_better(metric, difference.value, corrected.randomisation))
        for difference, corrected in zip(differences, map(PValues, randomisation, bootstrap), strict=True)
    ]


def _better(metric: Metric, value: float, p: float) -> Literal["first", "other"] | None:
    if p >= ALPHA:
        return None
    return "other" if (value > 0) == metric.higher_is_better else "first"


def bootstrap_p(resampled: NDArray[np.float64], seen: float) -> float:
    """p of the paired bootstrap.

    resampled: differences of the scores of each resample, (R,).  seen: that of all lines.
    """
    sizes = np.abs(resampled)
    return _p(sizes - sizes.mean(), abs(seen))


def randomisation_p(metric: Metric, first: Counts, other: Counts, trials: int = TRIALS, seed: int = SEED) -> float:
    """p of approximate randomisation. first, other: the counts of two systems in the same lines, (L, C)."""
    lines, own = len(first), other.sum(axis=0)
    both = first.sum(axis=0) + own
    differ = np.flatnonzero((first != other).any(axis=1))
    change = (first - other)[differ]
    random = np.random.default_rng(seed)
    # numpy tosses 32 coins at a time and throws away what is left: only blocks of 32 rows are drawn as all at once are.
    at_once = 32 * max(1, _BLOCK // (32 * lines))
    by_chance: list[float] = []
    for begin in range(0, trials, at_once):
        swapped = random.integers(2, size=(min(at_once, trials - begin), lines), dtype=bool)
        sums = own + swapped[:, differ].astype(np.float64) @ change  # (a part of T, C)
        by_chance += [abs(metric.score(one) - metric.score(rest)) for one, rest in zip(sums, both - sums, strict=True)]
    return _p(np.array(by_chance), abs(metric.score(first.sum(axis=0)) - metric.score(own)))


def _p(by_chance: NDArray[np.float64], seen: float) -> float:
    """The share that is as large as what was seen; that counts as one of them, so that no p is 0."""
    return (int((by_chance >= seen - _TIE).sum()) + 1) / (len(by_chance) + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values of several tests so raised that by chance any of them is below 0.05 in 5 % of cases (Holm 1979)."""
    raised = [0.0] * len(p_values)
    least = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[index]))
        raised[index] = least
    return raised


def lines_needed(
    difference: float, standard_error: float, lines: int, *, alpha: float = ALPHA, power: float = POWER
) -> int | None:
    """Lines of this kind that show a difference, if it is truly as large as here: p < `alpha`, in `power` of all cases.

    standard_error: with `lines` lines; it falls with the square root of their number.
    None where it cannot be said: there is no difference, or it does not vary.
    """
    if abs(difference) < _TIE or standard_error < _TIE:
        return None
    normal = NormalDist()
    errors = normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)  # how many standard errors the difference must be
    return math.ceil(lines * (errors * standard_error / difference) ** 2)
