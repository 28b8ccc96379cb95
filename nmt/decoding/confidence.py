"""How likely a translation is to be good by its own model's account: token probabilities to a probability.

A logistic regression on a handful of features of log p (in the spirit of Fomicheva et al. 2020, "Unsupervised quality
estimation"), fitted by Newton's method. Good means: chrF at least the median of dev.

n sentences  F features
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

FEWEST = 40  # sentences to fit on, and as many to test on
UNSURE = math.log(0.5)  # a token below is one that the model itself would not bet on
L2 = 1.0  # weight of the squared weights; features are standardised, and the bias is free
NEWTON_STEPS = 25
BINS = 10  # of the expected calibration error
FEATURES = ("mean", "lowest", "mean of the lowest quarter", "share of unsure tokens", "log of the length")


@dataclass(frozen=True)
class Confidence:
    """means, spreads: by which each feature is standardised.  weights: of the features.  bias: of none."""

    means: tuple[float, ...]
    spreads: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float

    def __call__(self, log_probs: Sequence[float]) -> float:
        """Probability, 0 to 1, that the chrF of a translation with these tokens (EOS included) reaches dev's median.

        A translation without tokens, or with a log p that is not finite, gets 0.
        """
        if not log_probs or not all(map(math.isfinite, log_probs)):
            return 0.0
        terms = zip(features(log_probs), self.means, self.spreads, self.weights, strict=True)
        value = self.bias + sum(weight * (x - mean) / spread for x, mean, spread, weight in terms)
        return 1 / (1 + math.exp(-min(max(value, -30.0), 30.0)))

    def as_json(self) -> dict[str, Any]:
        """Plain values for `json.dump`, with the features' names."""
        lists = {"means": list(self.means), "spreads": list(self.spreads), "weights": list(self.weights)}
        return {"features": list(FEATURES), **lists, "bias": self.bias}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The other way. Raises ValueError when it is of other features, or a number is none."""
        if values.get("features") != list(FEATURES):
            raise ValueError("confidence is of other features")
        lists = [values.get(name) for name in ("means", "spreads", "weights")] + [[values.get("bias")] * len(FEATURES)]
        for numbers in lists:
            if not isinstance(numbers, list) or len(numbers) != len(FEATURES) or not all(map(_is_number, numbers)):
                raise ValueError("confidence holds what is no number")
        if min(values["spreads"]) <= 0:
            raise ValueError("confidence has a spread of 0")
        return cls(tuple(values["means"]), tuple(values["spreads"]), tuple(values["weights"]), values["bias"])


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


@dataclass(frozen=True)
class HeldOut:
    """How well it does on dev lines it has not seen.

    brier: mean squared error of the probability; 0.25 is a coin.  calibration_error: expected, over `BINS` bins.
    rank_correlation: Spearman's, of the probability with chrF.
    """

    lines: int
    brier: float
    calibration_error: float
    rank_correlation: float

    def __str__(self) -> str:
        return (
            f"rank correlation {self.rank_correlation:.2f}, calibration error {self.calibration_error:.2f} "
            f"on {self.lines} held-out dev lines"
        )


def features(log_probs: Sequence[float]) -> tuple[float, ...]:
    """What is known of a sentence: the values that `FEATURES` names, (F,)."""
    count = len(log_probs)
    lowest = sorted(log_probs)[: math.ceil(count / 4)]
    unsure = sum(value < UNSURE for value in log_probs) / count
    return sum(log_probs) / count, lowest[0], sum(lowest) / len(lowest), unsure, math.log(count)


def fit(log_probs: Sequence[Sequence[float]], chrf: Sequence[float]) -> tuple[Confidence, HeldOut] | None:
    """Fit on the even sentences, and test on the odd ones.

    log_probs: of each sentence's tokens, EOS included.  chrf: its score; the median divides good from bad.
    None when there is nothing to learn: fewer than 2 * `FEWEST` sentences, or all alike.
    """
    known = [index for index, row in enumerate(log_probs) if row and all(map(math.isfinite, row))]
    if len(known) < 2 * FEWEST:
        return None
    scores = np.array([chrf[index] for index in known])
    good = (scores >= np.median(scores)).astype(float)
    table = np.array([features(log_probs[index]) for index in known])  # (n, F)
    seen, unseen = slice(0, None, 2), slice(1, None, 2)
    if any(half.min() == half.max() for half in (good[seen], good[unseen])):
        return None
    means, spreads = table[seen].mean(0), table[seen].std(0)
    spreads = np.where(spreads > 1e-9, spreads, 1.0)  # a feature that never changes gets no weight
    weights = _logistic((table[seen] - means) / spreads, good[seen])
    made = Confidence(tuple(means.tolist()), tuple(spreads.tolist()), tuple(weights[1:].tolist()), float(weights[0]))
    chances = np.array([made(log_probs[index]) for index in known[unseen]])
    return made, HeldOut(
        len(chances),
        float(np.mean((chances - good[unseen]) ** 2)),
        _calibration_error(chances, good[unseen]),
        _rank_correlation(chances, scores[unseen]),
    )


def _logistic(table: np.ndarray, good: np.ndarray) -> np.ndarray:
    """Weights, the bias first, (F + 1,), that make the likelihood less `L2` / 2 * |weights|^2 largest.

    table: standardised, (n, F).  good: 0 or 1, (n,).  The likelihood is concave: Newton's steps end at its top. They
    are halved while they overshoot.
    """
    design = np.column_stack([np.ones(len(table)), table])
    shrink = np.full(design.shape[1], L2)
    shrink[0] = 0.0
    weights = np.zeros(design.shape[1])

    def cost(weights: np.ndarray) -> float:
        values = design @ weights
        return float(np.sum(np.logaddexp(0, values) - good * values) + 0.5 * np.sum(shrink * weights**2))

    for _ in range(NEWTON_STEPS):
        chances = 1 / (1 + np.exp(-design @ weights))
        slope = design.T @ (chances - good) + shrink * weights
        curvature = (design * (chances * (1 - chances))[:, None]).T @ design + np.diag(shrink + 1e-9)
        step, before = np.linalg.solve(curvature, slope), cost(weights)
        while cost(weights - step) > before and np.abs(step).max() > 1e-9:
            step /= 2
        weights = weights - step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def _calibration_error(chances: np.ndarray, good: np.ndarray) -> float:
    """Mean over sentences of |chance - share of good ones| in their bin (Naeini et al. 2015), of `BINS` equal ones."""
    bins = np.minimum((chances * BINS).astype(int), BINS - 1)
    gaps = [abs(float(np.sum(chances[bins == bin]) - np.sum(good[bins == bin]))) for bin in range(BINS)]
    return sum(gaps) / len(chances)


def _rank_correlation(left: np.ndarray, right: np.ndarray) -> float:
    """Spearman's, with mean ranks for ties; 0 when one side is all alike."""
    first, second = _ranks(left), _ranks(right)
    if first.std() == 0 or second.std() == 0:
        return 0.0
    return float(np.corrcoef(first, second)[0, 1])


def _ranks(values: np.ndarray) -> np.ndarray:
    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(times)
    ranks: np.ndarray = (ends - (times - 1) / 2)[place]
    return ranks
