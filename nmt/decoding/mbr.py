"""Minimum-Bayes-risk choice: the candidate that is most like all the others, not the most probable one.

Kumar & Byrne 2004 (n-best lists); Eikema & Aziz 2020 (samples). Chosen is argmax over h of
sum over r of p(r) * utility(h, r), the candidates being hypotheses and pseudo-references alike.
"""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from nmt.errors import UsageError
from nmt.evaluation import bleu_tokenizer
from nmt.evaluation.pairwise import BleuPairs, Matrix, chrf_pairs

# Distinct texts in, utility of each (row) with each as its reference (column) out.
Utility = Callable[[Sequence[str]], Matrix]
UtilityName = Literal["chrf", "bleu"]

TIE = 1e-9  # utilities nearer than this are equal: the rest is rounding, which depends on the order of sums


class Choice(NamedTuple):
    """best: the chosen candidate's place.  utilities: what is expected of each candidate, 0 to 100, in their order."""

    best: int
    utilities: list[float]


def utility_of(name: UtilityName, target_language: str | None = None) -> Utility:
    """Sentence chrF or BLEU, as sacreBLEU has them; BLEU finds words as its language needs.

    Errors: DataError if that needs a package that is not installed.
    """
    match name:
        case "chrf":
            return chrf_pairs
        case "bleu":
            return BleuPairs(bleu_tokenizer(target_language))


def choose(candidates: Sequence[str], utility: Utility) -> Choice:
    """The candidate of the highest expected utility, of equal ones the first.

    Each candidate counts alike as a pseudo-reference; a text given twice counts twice. That is what samples ask for,
    and n-best lists with weights by the model's probability were no better on Multi30k.
    Raises UsageError without candidates.
    """
    if not candidates:
        raise UsageError("there are no candidates to choose from", "give one or more")
    places: dict[str, int] = {}
    place = np.array([places.setdefault(candidate, len(places)) for candidate in candidates])
    expected = utility(list(places)) @ (np.bincount(place) / len(place))
    best = int(np.flatnonzero(expected[place] >= expected.max() - TIE)[0])
    return Choice(best, expected[place].tolist())
