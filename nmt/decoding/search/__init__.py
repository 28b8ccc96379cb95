"""The one door to every kind of search over a step model. Search knows no network, no tokenizer and no files.

A hypothesis is any sequence of at most L tokens that ends in EOS; at its last permitted place EOS is the only choice.
Its score is sum(log p) / length ** length_penalty, length counting EOS (as in CTranslate2 and Hugging Face).

B sentences  S source length  L longest output
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from nmt.decoding.search.beam import Plan, beam_search
from nmt.decoding.search.constrained import constrained_search
from nmt.decoding.search.diverse import diverse_search
from nmt.decoding.search.greedy import write
from nmt.decoding.search.rules import Rules
from nmt.decoding.search.sampling import sample
from nmt.decoding.search.settings import Hypothesis, Sampling, SearchSettings, Wish, length_penalty
from nmt.decoding.step import S, StepModel

__all__ = ["Hypothesis", "Sampling", "SearchSettings", "Wish", "length_penalty", "search"]


def search(
    model: StepModel[S],
    source: Tensor,
    mask: Tensor | None,
    limits: Tensor,
    settings: SearchSettings,
    *,
    wishes: Sequence[Wish] = (),
    with_scores: bool = True,
) -> list[list[Hypothesis]]:
    """The n best hypotheses of each source, or all samples, best first; none where the scores are not numbers.

    source: ids (B, S).  mask: (B, S) or None.  limits: (B,), each sentence's longest output, EOS counted.
    wishes: one a sentence, or none at all: then a sentence's key is its place in the batch.
    with_scores: greedy search can do without, and is then faster.
    Raises UsageError for wishes that cannot be fulfilled.
    """
    assert len(wishes) in (0, len(source))
    settings.check(wishes)
    rules = Rules.of(settings, wishes, limits)
    with torch.inference_mode():
        if settings.sampling is not None:
            keys = [wish.key for wish in wishes] or list(range(len(source)))
            return sample(model, source, mask, limits, settings, settings.sampling, rules, keys)
        if settings.beam_size == 1:
            return write(model, source, mask, limits, settings, rules, with_scores=with_scores)
        if any(wish.phrases for wish in wishes):
            return constrained_search(model, source, mask, limits, settings, rules, wishes)
        if settings.groups > 1:
            return diverse_search(model, source, mask, limits, settings, rules)
        return beam_search(model, source, mask, limits, settings, Plan(settings, rules))
