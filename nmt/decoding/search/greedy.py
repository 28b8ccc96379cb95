"""Hypotheses written from left to right, one token a row and step, none taken back: greedy search and sampling.

B sentences  R rows a sentence  N = B*R rows  L longest output  V vocabulary
"""

from typing import Protocol

import torch
from torch import Tensor

from nmt.decoding.search.ranking import best_of_each
from nmt.decoding.search.rules import Rules
from nmt.decoding.search.settings import NEVER, NOT_ASKED, Hypothesis, SearchSettings, length_penalty
from nmt.decoding.step import COMPACT_BELOW, S, StepModel


class Choice(Protocol):
    """How a row's next token is chosen."""

    def __call__(self, scores: Tensor, rows: Tensor, step: int) -> tuple[Tensor, Tensor]:
        """The scores (N', V) of these rows, (N',) out of N -> the score and the id of the token chosen, (N',) each."""


def write(
    model: StepModel[S],
    source: Tensor,
    mask: Tensor | None,
    limits: Tensor,
    settings: SearchSettings,
    rules: Rules | None,
    choose: Choice | None = None,
    *,
    copies: int = 1,
    with_scores: bool = True,
) -> list[list[Hypothesis]]:
    """Each sentence's R = copies hypotheses, in the order of their rows, without those whose score is no number.

    choose: None is greedy search, the most probable token at each step.
    """
    sentences, room = source.size(0), int(limits.max())
    state = model.start(source, mask, copies, room)
    limits = limits.repeat_interleave(copies)
    banned = torch.tensor(list(settings.banned), dtype=torch.long, device=source.device)
    output = torch.full((len(limits), room), settings.eos_id, device=source.device)  # (N, L)
    sums = torch.zeros(len(limits), device=source.device)
    lengths = torch.zeros(len(limits), dtype=torch.long, device=source.device)
    forced = torch.zeros(len(limits), dtype=torch.bool, device=source.device)
    rows = torch.arange(len(limits), device=source.device)  # those still in the batch
    tokens = torch.full((len(limits),), settings.bos_id, device=source.device)
    for step in range(room):
        scores, normaliser = model.step(tokens, state, normalise=with_scores)
        scores.index_fill_(1, banned, NEVER)
        if rules is not None:
            rules.apply(scores, rows // copies, output[rows, :step])
        best, tokens = best_of_each(scores) if choose is None else choose(scores, rows, step)
        last = limits[rows] == step + 1
        cut = last & (tokens != settings.eos_id)
        best = torch.where(cut, scores[:, settings.eos_id], best)
        tokens = torch.where(cut, settings.eos_id, tokens)
        ongoing = lengths[rows] == 0
        output[rows, step] = torch.where(ongoing, tokens, settings.eos_id)
        gain = best if normaliser is None else best - normaliser
        sums[rows] += torch.where(ongoing, gain, 0.0)
        ended = ongoing & (tokens == settings.eos_id)
        lengths[rows] += ended * (step + 1)
        forced[rows] |= ongoing & cut
        going = lengths[rows] == 0
        if copies > 1:
            going = going.view(-1, copies).any(dim=1)
        still = going.nonzero().squeeze(1)
        if len(still) == 0:
            break
        if len(still) < COMPACT_BELOW * len(going):
            state = state.keep(still)
            rows, tokens = (kept.view(-1, copies)[still].flatten() for kept in (rows, tokens))
    scored = sums / length_penalty(lengths, settings.length_penalty)
    written = zip(output.tolist(), lengths.tolist(), scored.tolist(), forced.tolist(), strict=True)
    found: list[list[Hypothesis]] = [[] for _ in range(sentences)]
    for row, (ids, length, score, capped) in enumerate(written):
        if score == score:
            found[row // copies].append(Hypothesis(ids[: length - 1], score if with_scores else NOT_ASKED, capped))
    return found
