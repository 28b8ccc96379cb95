"""Where translations go wrong: strings in, findings out. No model is needed, and torch is not imported."""

from collections.abc import Sequence

from nmt.analysis.results import Analysis, WordCounts
from nmt.decoding.guard import Thresholds

__all__ = ["Analysis", "WordCounts", "analyse"]


def analyse(
    sources: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    source_language: str | None,
    target_language: str | None,
    known: WordCounts | None = None,
    usual: Thresholds | None = None,
    lowercase: bool = False,
    samples: int = 1000,
    shown: int = 10,
) -> Analysis:
    """Look at translations from all sides.

    sources: without tags.  references: one or more sets, each with a line for each hypothesis.
    known: the words of training text, of which rare and unseen ones are told; None: these are not judged.
    usual: what the guard holds for usual; None: what is usual in these references.
    lowercase: ignore case in scores.  samples: of each interval.  shown: sentences, words and examples of each list.
    Errors: DataError if the numbers of lines differ, or what Japanese or Korean needs is not installed.
    """
    raise NotImplementedError
