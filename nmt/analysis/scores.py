"""Scores of some of the lines, each with its interval: the metrics and the resampling of `nmt.evaluation`."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nmt.analysis.results import FEW, FEWEST, Bucket, Estimate, Side
from nmt.evaluation.metrics import Metric, metrics_for
from nmt.evaluation.resampling import interval, resampled_sums

STANDS_OUT = 3.0  # standard errors: some 25 buckets are looked at, and all of them are to be chance-proof together

Rows = NDArray[np.intp]


class Scorer:
    """BLEU and chrF of any lines of one test set; each line is looked at once."""

    def __init__(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
        target_language: str | None,
        lowercase: bool,
        samples: int,
    ) -> None:
        """Errors: as `metrics_for`."""
        self._samples = samples
        self._metrics = {
            metric.key: metric for metric in metrics_for(target_language, lowercase, keys=("bleu", "chrf"))
        }
        self._statistics = {
            key: np.asarray(metric.statistics(hypotheses, references)) for key, metric in self._metrics.items()
        }
        self._rows: Rows = np.arange(len(hypotheses))
        self._everything = {
            key: self._estimate(metric, self._statistics[key])[0] for key, metric in self._metrics.items()
        }

    @property
    def bleu(self) -> Estimate:
        """Of all lines."""
        return self._everything["bleu"]

    @property
    def chrf(self) -> Estimate:
        """Of all lines."""
        return self._everything["chrf"]

    def sentence_chrf(self) -> list[float]:
        """Of each line alone; orders of n-grams that it is too short for are left out."""
        return [float(self._metrics["chrf"].score(row)) for row in self._statistics["chrf"]]

    def nearest(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> list[int]:
        """For each line the index of the reference with the highest chrF; the first of equals."""
        if len(references) == 1:
            return [0] * len(hypotheses)
        chrf = self._metrics["chrf"]
        scores = [[chrf.score(row) for row in chrf.statistics(hypotheses, [lines])] for lines in references]
        return np.argmax(np.array(scores), axis=0).tolist()

    def bucket(self, name: str, rows: Rows) -> Bucket:
        """What is told of these lines, counted from 0."""
        bleu, _ = self._estimate(self._metrics["bleu"], self._statistics["bleu"][rows])
        chrf, drawn = self._estimate(self._metrics["chrf"], self._statistics["chrf"][rows])
        side = self._side(chrf, drawn, rows) if len(rows) >= FEW else ""
        return Bucket(name, len(rows), len(rows) / len(self._rows), bleu, chrf, side)

    def share(self, found: NDArray[np.float64], expected: NDArray[np.float64]) -> Estimate:
        """100 * sum(found) / sum(expected) of lines with their numbers of each; none of `expected` is 0."""
        score = 100 * float(found.sum() / expected.sum())
        if len(found) < FEWEST:
            return Estimate(score)
        drawn = [100 * float(sums[0] / sums[1]) for sums in self._draw(np.stack([found, expected], axis=1))]
        return Estimate(score, *interval(drawn))

    def _draw(self, statistics: NDArray[np.generic]) -> Sequence[NDArray[np.generic]]:
        return list(resampled_sums(statistics, self._samples))

    def _estimate(self, metric: Metric, statistics: NDArray[np.generic]) -> tuple[Estimate, list[float]]:
        """Beside it the scores of all samples; none where the lines are too few."""
        score = float(metric.score(statistics.sum(axis=0)))
        if len(statistics) < FEWEST:
            return Estimate(score), []
        drawn = [float(metric.score(sums)) for sums in self._draw(statistics)]
        return Estimate(score, *interval(drawn)), drawn

    def _side(self, chrf: Estimate, drawn: Sequence[float], rows: Rows) -> Side:
        """Against all other lines, which are independent of these."""
        rest = np.setdiff1d(self._rows, rows)
        if len(rest) < FEW:
            return ""
        other, other_drawn = self._estimate(self._metrics["chrf"], self._statistics["chrf"][rest])
        error = float(np.hypot(np.std(drawn), np.std(other_drawn)))
        if abs(chrf.score - other.score) <= STANDS_OUT * error:
            return ""
        return "better" if chrf.score > other.score else "worse"
