"""Diverse beam search (Vijayakumar et al. 2016): groups of beams that avoid each other's words.

At each step the groups choose one after the other. To a group, a token that beams of the groups before it have just
written is worth `diversity` less for each of them (the Hamming diversity of the paper). The penalty decides what lives
on; sums and scores are without it.

B sentences  G groups  K beams a group  N = B*G*K rows  V vocabulary
"""

import torch
from torch import Tensor

from nmt.decoding.search.beam import Beams, Candidates, Plan, beam_search, best_candidates, survivors
from nmt.decoding.search.rules import Rules
from nmt.decoding.search.settings import NEVER, Hypothesis, SearchSettings
from nmt.decoding.step import S, StepModel


def diverse_search(
    model: StepModel[S],
    source: Tensor,
    mask: Tensor | None,
    limits: Tensor,
    settings: SearchSettings,
    rules: Rules | None,
) -> list[list[Hypothesis]]:
    """The n best of each sentence, best first, no two alike: the best of each group, then the second of each, ...

    Fewer where the groups have found fewer.
    """
    found = beam_search(model, source, mask, limits, settings, ApartPlan(settings, rules))
    groups = settings.groups
    return [_merge(found[first : first + groups], settings.n_best) for first in range(0, len(found), groups)]


def _merge(lists: list[list[Hypothesis]], n_best: int) -> list[Hypothesis]:
    """All groups' firsts go before any group's second, so that n_best = G shows each group; the head is the best."""
    ranked = sorted(
        ((rank, hypothesis) for hypotheses in lists for rank, hypothesis in enumerate(hypotheses)),
        key=lambda pair: (pair[0], -pair[1].score),
    )
    distinct: dict[tuple[int, ...], Hypothesis] = {}
    for _, hypothesis in ranked:
        distinct.setdefault(tuple(hypothesis.tokens), hypothesis)
    return sorted(list(distinct.values())[:n_best], key=lambda h: -h.score)


class ApartPlan(Plan):
    """Each group in turn, away from the tokens of those before it."""

    def choose(self, scores: Tensor, normaliser: Tensor, live: Beams, last: Tensor) -> Candidates:
        """As for one group, but ranked with the penalty."""
        groups, beams, vocab_size = self.settings.groups, live.sums.size(1), scores.size(-1)
        eos_id = self.settings.eos_id
        by_group = scores.view(-1, groups, beams, vocab_size)
        normalisers, sums = normaliser.view(-1, groups, beams), live.sums.view(-1, groups, beams)
        lasts = last.view(-1, groups)
        penalty = scores.new_zeros(len(by_group), vocab_size)
        chosen: list[Candidates] = []
        for group in range(groups):
            apart = (by_group[:, group] - penalty[:, None]).flatten(0, 1)
            found = best_candidates(apart, normalisers[:, group].flatten(), sums[:, group], lasts[:, group], eos_id)
            found = found._replace(totals=found.totals + penalty.gather(1, found.tokens), worth=found.totals)
            index, alive = survivors(found, beams, eos_id)
            penalty.scatter_add_(1, found.tokens.gather(1, index), self.settings.diversity * (alive > NEVER).float())
            chosen.append(found)
        return Candidates(*(torch.stack(parts, dim=1).flatten(0, 1) for parts in zip(*chosen, strict=True)))
