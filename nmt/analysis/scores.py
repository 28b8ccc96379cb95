"""Scores of some of the lines, each with its interval: the metrics and the resampling of `nmt.evaluation`."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nmt.analysis.results import FEW, FEWEST, Bucket, Estimate, Side
from nmt.evaluation.metrics import Counts, Key, metrics_for
from nmt.evaluation.resampling import interval, resampled_scores, resampled_sums

STANDS_OUT = 3.0  # standard errors: some 25 buckets are looked at, and all of them together are to be safe from chance
ENOUGH = 200  # samples for a standard error, which needs fewer than an interval

Rows = NDArray[np.intp]


class Scorer:
    """BLEU and chrF of any lines of one test set; each line is counted once."""

    def __init__(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
        target_language: str | None,
        lowercase: bool,
        samples: int,
    ) -> None:
        """samples: of each interval; 0: none, and nothing stands out.

        Errors: DataError as of `metrics_for` and `Metric.statistics`.
        """
        self._samples = samples
        self._bleu, self._chrf = metrics_for(target_language, lowercase, keys=("bleu", "chrf"))
        self._counts: dict[Key, Counts] = {
            metric.key: metric.statistics(hypotheses, references) for metric in (self._bleu, self._chrf)
        }
        self._everything = np.arange(len(hypotheses))
        self.bleu, self.chrf, _ = self._estimates(self._everything)

    def sentence_chrf(self) -> list[float]:
        """Of each line alone, 0 to 100; orders of n-grams that it is too short for are left out."""
        return [self._chrf.score(row) for row in self._counts["chrf"]]

    def nearest(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> list[int]:
        """For each line the index of the reference with the highest chrF; the first of equals."""
        if len(references) == 1:
            return [0] * len(hypotheses)
        scores = [self._chrf.line_scores(hypotheses, [lines]) for lines in references]
        return [int(index) for index in np.argmax(np.array(scores), axis=0)]

    def bucket(self, name: str, rows: Rows) -> Bucket:
        """What is told of these lines, counted from 0."""
        bleu, chrf, error = self._estimates(rows)
        side = self._side(chrf, error, rows)
        return Bucket(name, len(rows), len(rows) / len(self._everything), bleu, chrf, side)

    def share(self, found: Counts, expected: Counts) -> Estimate:
        """100 * sum(found) / sum(expected) of lines with so many each. expected: none is 0."""
        score = 100 * float(found.sum() / expected.sum())
        if len(found) < FEWEST or not self._samples:
            return Estimate(score)
        sums = resampled_sums(np.stack([found, expected], axis=1), self._samples)
        return Estimate(score, *interval(100 * sums[:, 0] / sums[:, 1]))

    def _estimates(self, rows: Rows) -> tuple[Estimate, Estimate, float]:
        """BLEU, chrF, and the standard error of chrF; NaN where there is no interval."""
        bleu, chrf = self._counts["bleu"][rows], self._counts["chrf"][rows]
        scores = self._bleu.score(bleu.sum(axis=0)), self._chrf.score(chrf.sum(axis=0))
        if len(rows) < FEWEST or not self._samples:
            return Estimate(scores[0]), Estimate(scores[1]), np.nan
        sums = resampled_sums(np.concatenate([bleu, chrf], axis=1), self._samples)
        of_bleu = resampled_scores(self._bleu, sums[:, : bleu.shape[1]])
        of_chrf = resampled_scores(self._chrf, sums[:, bleu.shape[1] :])
        error = float(of_chrf.std())
        return Estimate(scores[0], *interval(of_bleu)), Estimate(scores[1], *interval(of_chrf)), error

    def _side(self, chrf: Estimate, error: float, rows: Rows) -> Side:
        """Beside all other lines, which are drawn independently of these."""
        rest = np.setdiff1d(self._everything, rows)
        if min(len(rows), len(rest)) < FEW or not self._samples:
            return ""
        counts = self._counts["chrf"][rest]
        other = self._chrf.score(counts.sum(axis=0))
        other_error = float(resampled_scores(self._chrf, resampled_sums(counts, min(ENOUGH, self._samples))).std())
        if abs(chrf.score - other) <= STANDS_OUT * np.hypot(error, other_error):
            return ""
        return "better" if chrf.score > other else "worse"
