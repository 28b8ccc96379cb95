"""Scores of one set of translations, how sure they are, and what to know before trusting them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nmt.evaluation.languages import TOKENIZERS, UNSPACED
from nmt.evaluation.metrics import KEYS, Key, Metric, check_shape, metrics_for
from nmt.evaluation.resampling import SAMPLES, SEED, interval, resampled_scores, resampled_sums
from nmt.text.languages import base

_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SUBWORD_MARKS = re.compile("\u2581|@@ |@@$")


@dataclass(frozen=True)
class Score:
    """One number and how it came about.

    score: 0 to 100; TER, an error rate, can exceed it.
    interval: where 95 % of the scores lie that the bootstrap sees; None when it was not asked for.
    """

    key: Key
    name: str
    score: float
    signature: str
    interval: tuple[float, float] | None = None
    higher_is_better: bool = True

    def as_json(self) -> dict[str, Any]:
        """Plain values for `json.dump`; low and high are the interval's ends."""
        ends = {} if self.interval is None else {"low": self.interval[0], "high": self.interval[1]}
        return {"score": self.score, **ends, "signature": self.signature}


@dataclass(frozen=True)
class Evaluation:
    """The scores of one set of translations, by key, and what to know before trusting them."""

    scores: dict[Key, Score]
    lines: int
    notes: list[str] = field(default_factory=list)
    repaired: int | None = None  # lines that the guard had translated again; None: it was not asked to

    def __getitem__(self, key: Key) -> Score:
        return self.scores[key]

    def as_json(self) -> dict[str, Any]:
        """Plain values for `json.dump`: each metric with score, interval and signature, and the number of lines."""
        repaired = {} if self.repaired is None else {"repaired": self.repaired}
        return {key: score.as_json() for key, score in self.scores.items()} | {"lines": self.lines} | repaired


def evaluate(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    target_language: str | None = None,
    lowercase: bool = False,
    *,
    keys: Sequence[Key] = KEYS,
    samples: int = SAMPLES,
) -> Evaluation:
    """Score translations.

    references: one or more sets, each with one line for each hypothesis (not one list for each hypothesis).
    target_language: decides how BLEU finds words in Chinese, Japanese and Korean.
    lowercase: ignore case in BLEU and chrF.
    samples: of the bootstrap; 0: no intervals.
    Errors: DataError if the numbers of lines differ, or what Japanese or Korean needs is not installed.
    """
    check_shape(hypotheses, references)
    metrics = metrics_for(target_language, lowercase, keys)
    counts = [metric.statistics(hypotheses, references) for metric in metrics]
    points = [metric.score(rows.sum(axis=0)) for metric, rows in zip(metrics, counts, strict=True)]
    ends: list[tuple[float, float] | None] = [None] * len(metrics)
    if samples:
        sums = resampled_sums(np.concatenate(counts, axis=1), samples)
        parts = np.split(sums, np.cumsum([rows.shape[1] for rows in counts])[:-1], axis=1)
        ends = [interval(resampled_scores(metric, part)) for metric, part in zip(metrics, parts, strict=True)]
    scores = {
        metric.key: Score(
            metric.key,
            metric.name,
            point,
            metric.signature(len(references), samples, SEED),
            pair,
            metric.higher_is_better,
        )
        for metric, point, pair in zip(metrics, points, ends, strict=True)
    }
    notes = _notes(hypotheses, references, target_language)
    if "bleu" in scores and _no_four_words(metrics, counts):
        notes.append(
            "BLEU is 0 because no hypothesis has four words in a row, whatever their quality: look at chrF here."
        )
    return Evaluation(scores, len(hypotheses), notes)


def _no_four_words(metrics: Sequence[Metric], counts: Sequence[np.ndarray]) -> bool:
    """sacreBLEU counts two lengths, the right n-grams of each order, and all of each order: the last has four words."""
    (of_bleu,) = (rows for metric, rows in zip(metrics, counts, strict=True) if metric.key == "bleu")
    return not of_bleu[:, -1].any()


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    target_language: str | None = None,
    lowercase: bool = False,
) -> float:
    """BLEU alone, 0 to 100: equal to `evaluate(...)["bleu"].score`, for validation during training."""
    return metrics_for(target_language, lowercase, ["bleu"])[0].corpus_score(hypotheses, references)


def corpus_chrf(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """chrF alone, 0 to 100: equal to `evaluate(...)["chrf"].score`, for validation during training."""
    return metrics_for(keys=["chrf"])[0].corpus_score(hypotheses, references)


def sentence_chrf(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> list[float]:
    """chrF of each line alone, 0 to 100, by the reference it is nearest to.

    Orders of n-grams that a line is too short for are left out (Popović 2015).
    """
    return metrics_for(keys=["chrf"])[0].line_scores(hypotheses, references)


def _notes(hypotheses: Sequence[str], references: Sequence[Sequence[str]], target_language: str | None) -> list[str]:
    notes = []
    language = base(target_language or "")
    if _is_common(hypotheses, _SUBWORD_MARKS) and not _is_common(references[0], _SUBWORD_MARKS):
        notes.append(
            "the hypotheses contain subword marks (▁ or @@): detokenise them first, or the scores mean nothing."
        )
    spaced_period = re.compile(r"\s\.$")
    if _is_common(hypotheses, spaced_period) and not _is_common(references[0], spaced_period):
        notes.append('hypotheses end in " .", references do not: detokenise them first, or chrF and TER are too bad.')
    if empty := _blanks(hypotheses):
        notes.append(f"{len(empty)} of {len(hypotheses)} hypotheses are empty, the first in line {empty[0]}.")
    for number, reference in enumerate(references, start=1):
        if empty := _blanks(reference):
            several = len(references) > 1
            which = f" of set {number}" if several else ""
            what = "they count as references without words" if several else "whatever is said there counts as wrong"
            notes.append(
                f"{len(empty)} of {len(reference)} references{which} are empty, the first in line {empty[0]}: {what}."
            )
    if language in UNSPACED:
        notes.append(f"{UNSPACED[language]} has no spaces between words, and BLEU and TER need words: look at chrF.")
    elif language not in TOKENIZERS and _is_common(references[0], _EAST_ASIAN):
        notes.append(
            "the references look Chinese, Japanese or Korean: name the target language, so that BLEU can find words."
        )
    return notes


def _blanks(lines: Sequence[str]) -> list[int]:
    """Numbers, from 1, of the lines without text."""
    return [number for number, line in enumerate(lines, start=1) if not line.strip()]


def _is_common(lines: Sequence[str], pattern: re.Pattern[str]) -> bool:
    """Whether at least a tenth of the lines match: one line may hold anything."""
    return 10 * sum(pattern.search(line) is not None for line in lines) >= len(lines)
