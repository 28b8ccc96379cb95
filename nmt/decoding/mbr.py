"""Minimum-Bayes-risk choice: the candidate that is most like all the others, not the most probable one.

Kumar & Byrne 2004 (n-best lists); Eikema & Aziz 2020 (samples). Chosen is argmax over h of
sum over r of p(r) * utility(h, r), the candidates being hypotheses and pseudo-references alike.
"""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from nmt.errors import UsageError
from nmt.evaluation import bleu_tokenizer
from nmt.pairwise import BleuPairs, Matrix, chrf_pairs

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


def choose(candidates: Sequence[str], utility: Utility, weights: Sequence[float] | None = None) -> Choice:
    """The candidate of the highest expected utility, of equal ones the first.

    weights: how probable each candidate is, as a pseudo-reference; need not sum to one. Samples are drawn as often as
    they are probable, and take none. A text given twice has the weight of both.
    Raises UsageError without candidates, and for weights that are no distribution over them.
    """
    if not candidates:
        raise UsageError("there are no candidates to choose from", "give one or more")
    share = np.ones(len(candidates)) if weights is None else np.asarray(weights, dtype=np.float64)
    if share.shape != (len(candidates),) or not np.isfinite(share).all() or share.min() < 0 or share.sum() <= 0:
        raise UsageError(
            f"the weights of {len(candidates)} candidates are {share.tolist()}",
            "one for each, none negative, not all 0",
        )
    places: dict[str, int] = {}
    place = np.array([places.setdefault(candidate, len(places)) for candidate in candidates])
    expected = utility(list(places)) @ np.bincount(place, weights=share / share.sum())
    best = int(np.flatnonzero(expected[place] >= expected.max() - TIE)[0])
    return Choice(best, expected[place].tolist())


def posterior(log_probs: Sequence[float]) -> list[float]:
    """Weights of an n-best list: the model's probabilities, scaled to sum to one over the list."""
    scores = np.asarray(log_probs, dtype=np.float64)
    shares = np.exp(scores - scores.max())
    return (shares / shares.sum()).tolist()
