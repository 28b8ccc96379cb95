"""Each metric as two steps: what it counts in every line, and the score of such counts summed up.

That is all that a score, its interval and a paired test need: they differ in which lines they sum. sacreBLEU does the
counting, so that scores are the field's own; exact match is ours.

L lines  C counts of a line
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.base import Metric as SacreMetric
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

import nmt
from nmt.errors import DataError
from nmt.evaluation.languages import bleu_tokenizer

Counts = NDArray[np.float64]
Key = Literal["bleu", "chrf", "chrf++", "ter", "exact"]
KEYS: tuple[Key, ...] = ("bleu", "chrf", "chrf++", "ter", "exact")


class Metric(ABC):
    """How translations are scored.

    key: in JSON.  name: for people, sacreBLEU's own.  higher_is_better: not so for TER, which counts mistakes.
    """

    key: Key
    name: str
    higher_is_better = True

    @abstractmethod
    def statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Counts:
        """What is counted in each line: (L, C). The sum over lines is all that `score` needs.

        references: sets, each with one line for each hypothesis.
        Errors: DataError if the numbers of lines differ, or there are none.
        """

    @abstractmethod
    def score(self, sums: Counts) -> float:
        """The score of lines whose counts sum up to `sums`, (C,): 0 to 100, but TER can exceed it."""

    @abstractmethod
    def signature(self, references: int = 1, samples: int = 0, seed: int = 0) -> str:
        """How the score is computed: without it no two scores can be compared.

        references: how many sets.  samples, seed: of the bootstrap, where there is an interval.
        """

    def corpus_score(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
        """The score of all lines together; errors as of `statistics`."""
        return self.score(self.statistics(hypotheses, references).sum(axis=0))

    def line_scores(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> list[float]:
        """The score of each line alone; errors as of `statistics`."""
        return [self.score(counts) for counts in self.statistics(hypotheses, references)]


class Sacre(Metric):
    """One of sacreBLEU's."""

    def __init__(self, key: Key, name: str, metric: SacreMetric, higher_is_better: bool = True) -> None:
        self.key, self.name, self.higher_is_better = key, name, higher_is_better
        self._metric = metric

    def statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Counts:
        check_shape(hypotheses, references)
        return np.asarray(self._metric._extract_corpus_statistics(hypotheses, references), dtype=np.float64)

    def score(self, sums: Counts) -> float:
        score = float(self._metric._compute_score_from_stats(sums.tolist()).score)
        return min(score, 100.0) if self.higher_is_better else score  # sacreBLEU's rounding lifts 100 a little

    def signature(self, references: int = 1, samples: int = 0, seed: int = 0) -> str:
        metric = self._metric
        metric.num_refs = references
        metric.n_bootstrap, metric.seed = (samples, seed) if samples else (None, None)
        return str(metric.get_signature())


class ExactMatch(Metric):
    """Share of lines that are one of their references, character for character."""

    key, name = "exact", "exact"

    def statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Counts:
        check_shape(hypotheses, references)
        lines = zip(hypotheses, *references, strict=True)
        return np.array([[hypothesis in own, 1] for hypothesis, *own in lines], dtype=np.float64)

    def score(self, sums: Counts) -> float:
        return float(100 * sums[0] / sums[1])

    def signature(self, references: int = 1, samples: int = 0, seed: int = 0) -> str:
        drawn = f"|bs:{samples}|seed:{seed}" if samples else ""
        return f"nrefs:{references}{drawn}|case:mixed|version:nmtkit-{nmt.__version__}"


def metrics_for(
    target_language: str | None = None, lowercase: bool = False, keys: Sequence[Key] = KEYS
) -> list[Metric]:
    """The metrics that `keys` name, in that order, for text of this language.

    lowercase: ignore case in BLEU and chrF; TER always does.
    Errors: DataError if what Japanese or Korean needs is not installed.
    """
    tokenizer = bleu_tokenizer(target_language)
    return [_metric(key, tokenizer, lowercase) for key in keys]


def _metric(key: Key, tokenizer: str, lowercase: bool) -> Metric:
    match key:
        case "bleu":
            # force: sacreBLEU's own advice about tokenised text goes to a logger; `scores.py` gives it.
            return Sacre(key, "BLEU", BLEU(lowercase=lowercase, tokenize=tokenizer, force=True))
        case "chrf":
            return Sacre(key, "chrF2", CHRF(lowercase=lowercase))
        case "chrf++":
            return Sacre(key, "chrF2++", CHRF(lowercase=lowercase, word_order=2))
        case "ter":
            # Without spaces TER would take a whole line for one word.
            unspaced = tokenizer in ("zh", "ja-mecab")
            return Sacre(key, "TER", TER(normalized=unspaced, asian_support=unspaced), higher_is_better=False)
        case "exact":
            return ExactMatch()


def check_shape(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    """Errors: DataError unless each set of references has a line for each hypothesis; TypeError for what is no list.

    sacreBLEU itself cuts to the shorter side, and scores transposed references, without a word.
    """
    if isinstance(hypotheses, str) or any(isinstance(reference, str) for reference in references):
        raise TypeError("hypotheses are a list of strings, references a list of such lists: one for each reference set")
    counts = [len(reference) for reference in references]
    if not counts or any(count != len(hypotheses) for count in counts):
        found = " and ".join(map(str, counts)) or "no"
        raise DataError(
            f"there are {len(hypotheses)} hypotheses but {found} references; each needs its own.",
            "compare the files line by line: one was cut short, or they belong to different sets",
        )
    if not hypotheses:
        raise DataError("there is nothing to score: no hypotheses.", "check that the files are not empty")
