"""Beam search over a step model, and the plan by which one kind of beam search differs from another.

B sentences  G groups of beams a sentence  K beams a group  N = B*G*K rows  L longest output  V vocabulary

There is one group, but in diverse beam search: each group then searches as if for a sentence of its own.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from nmt.decoding.search.ranking import best_of_rows
from nmt.decoding.search.rules import Rules
from nmt.decoding.search.settings import NEVER, Hypothesis, SearchSettings, length_penalty
from nmt.decoding.step import COMPACT_BELOW, S, StepModel


@dataclass
class Beams:
    """The live beams of the groups still in the batch, and the best finished hypotheses of all groups.

    alive: (B',), which group out of B*G each K rows belong to; that of sentence b and number g is b*G + g.
    tokens: (B', K, L), what each beam has written.  sums: (B', K), its sum of log p.
    finished_scores: (B*G, n), best first, -inf where there is none yet.  finished_tokens: (B*G, n, L).
    finished_lengths: (B*G, n), EOS counted.  finished_capped: (B*G, n).
    finished: (B*G,), how many have been found; counted where patience asks for it.
    """

    alive: Tensor
    tokens: Tensor
    sums: Tensor
    finished_scores: Tensor
    finished_tokens: Tensor
    finished_lengths: Tensor
    finished_capped: Tensor
    finished: Tensor

    @classmethod
    def start(cls, groups: int, beams: int, n_best: int, room: int, eos_id: int, device: torch.device) -> "Beams":
        """One live beam a group: the others would only repeat it."""
        sums = torch.full((groups, beams), NEVER, device=device)
        sums[:, 0] = 0.0
        return cls(
            alive=torch.arange(groups, device=device),
            tokens=torch.full((groups, beams, room), eos_id, device=device),
            sums=sums,
            finished_scores=torch.full((groups, n_best), NEVER, device=device),
            finished_tokens=torch.full((groups, n_best, room), eos_id, device=device),
            finished_lengths=torch.ones((groups, n_best), dtype=torch.long, device=device),
            finished_capped=torch.zeros((groups, n_best), dtype=torch.bool, device=device),
            finished=torch.zeros(groups, dtype=torch.long, device=device),
        )

    def keep(self, groups: Tensor) -> None:
        """Only these of the groups still in the batch go on: indices (B'',)."""
        self.alive, self.tokens, self.sums = self.alive[groups], self.tokens[groups], self.sums[groups]


class Candidates(NamedTuple):
    """The 2K best continuations of each group, best first; each (B', 2K).

    totals: sums of log p.  parents: the beam each goes on from.  tokens: what it adds.
    forced: whether it ends only because its limit is reached.
    worth: by what they compete to live on; None: by their totals.
    """

    totals: Tensor
    parents: Tensor
    tokens: Tensor
    forced: Tensor
    worth: Tensor | None = None


class Plan:
    """How the beams of a group are chosen at each step: here by their sums alone. Other kinds of search change it."""

    def __init__(self, settings: SearchSettings, rules: Rules | None) -> None:
        self.settings = settings
        self.rules = rules

    def restrict(self, scores: Tensor, live: Beams, step: int) -> None:
        """Take choices from the scores, (N, V), in place."""
        if self.rules is not None:
            groups, beams, room = live.tokens.shape
            sentences = (live.alive // self.settings.groups).repeat_interleave(beams)
            self.rules.apply(scores, sentences, live.tokens.view(groups * beams, room)[:, :step])

    def choose(self, scores: Tensor, normaliser: Tensor, live: Beams, last: Tensor) -> Candidates:
        """Scores (N, V) and their normaliser (N,) -> the continuations that may end or live on."""
        return best_candidates(scores, normaliser, live.sums, last, self.settings.eos_id)

    def follow(self, live: Beams, parents: Tensor, step: int) -> None:
        """Told which beam each beam goes on from, (B', K), after it has written its token."""


def beam_search(
    model: StepModel[S],
    source: Tensor,
    mask: Tensor | None,
    limits: Tensor,
    settings: SearchSettings,
    plan: Plan,
) -> list[list[Hypothesis]]:
    """The best finished hypotheses of each group, (B*G) lists, best first.

    Without patience the stop is exact: it ends when no live beam can still enter the n best.
    """
    room, groups = int(limits.max()), settings.groups
    beams = settings.beam_size // groups
    limits = limits.repeat_interleave(groups)
    state = model.start(source, mask, settings.beam_size, room)
    banned = torch.tensor(list(settings.banned), dtype=torch.long, device=source.device)
    live = Beams.start(len(limits), beams, min(settings.n_best, beams), room, settings.eos_id, source.device)
    tokens = torch.full((len(limits) * beams,), settings.bos_id, device=source.device)
    for step in range(room):
        scores, normaliser = model.step(tokens, state, normalise=True)
        assert normaliser is not None
        scores.index_fill_(1, banned, NEVER)
        plan.restrict(scores, live, step)
        last = limits[live.alive] == step + 1
        found = plan.choose(scores, normaliser, live, last)
        _finish(live, found, step, settings)
        parents = _advance(live, found, step, settings)
        plan.follow(live, parents, step)
        going = _can_still_win(live, limits, settings)
        if groups > 1:
            going = going.view(-1, groups).any(dim=1)
        still = going.nonzero().squeeze(1)
        if len(still) == 0:
            break
        tokens = live.tokens[:, :, step].flatten()
        rows = (parents + torch.arange(len(parents), device=parents.device)[:, None] * beams).flatten()
        if not torch.equal(rows, torch.arange(len(rows), device=rows.device)):
            state.reorder(rows)
        if len(still) < COMPACT_BELOW * len(going):
            state = state.keep(still)
            tokens = tokens.view(-1, settings.beam_size)[still].flatten()
            live.keep((still[:, None] * groups + torch.arange(groups, device=still.device)).flatten())
    return _collect(live)


def best_candidates(scores: Tensor, normaliser: Tensor, sums: Tensor, last: Tensor, eos_id: int) -> Candidates:
    """2K, so that K stay alive even if K end now. The best of a row are found on raw scores; only they are normalised.

    last: (B',), groups at their limit.
    """
    sentences, beams = sums.shape
    forced = torch.zeros_like(sums, dtype=torch.bool)
    if bool(last.any()):
        # A group at its limit may only end: everything but EOS is out of the question.
        ending = scores[:, eos_id].clone()
        forced = last[:, None] & (scores.amax(dim=-1) > ending).view(sentences, beams)
        scores = scores.masked_fill(last.repeat_interleave(beams)[:, None], NEVER)
        scores[:, eos_id] = ending
    parents, tokens, best = best_of_rows(scores, sums - normaliser.view(sentences, beams), 2 * beams)
    return Candidates(best, parents, tokens, forced.gather(1, parents))


def _finish(live: Beams, found: Candidates, step: int, settings: SearchSettings) -> None:
    """Let the candidates that end in EOS compete with the finished hypotheses kept so far."""
    ends = found.tokens == settings.eos_id
    if not bool(ends.any()):
        return
    if settings.patience is not None:
        # As in CTranslate2: what ends counts only among the K best of a step, lest a poor end use up the patience.
        ends[:, live.sums.size(1) :] = False
        live.finished[live.alive] += (ends & (found.totals > NEVER)).sum(dim=1)
    length = torch.tensor(step + 1, device=ends.device)
    scores = torch.where(ends, found.totals / length_penalty(length, settings.length_penalty), NEVER)  # (B', 2K)
    width = live.finished_scores.size(1)
    pool = torch.cat([live.finished_scores[live.alive], scores], dim=1)
    best, index = pool.topk(width, dim=1)
    old = index < width
    source = (index - width).clamp(min=0)
    beam = found.parents.gather(1, source)
    room = live.tokens.size(2)
    wide = (-1, -1, room)
    previous = live.finished_tokens[live.alive].gather(1, index.clamp(max=width - 1)[:, :, None].expand(*wide))
    written = live.tokens.gather(1, beam[:, :, None].expand(*wide))
    lengths = live.finished_lengths[live.alive].gather(1, index.clamp(max=width - 1))
    capped = live.finished_capped[live.alive].gather(1, index.clamp(max=width - 1))
    live.finished_scores[live.alive] = best
    live.finished_tokens[live.alive] = torch.where(old[:, :, None], previous, written)
    live.finished_lengths[live.alive] = torch.where(old, lengths, step + 1)
    live.finished_capped[live.alive] = torch.where(old, capped, found.forced.gather(1, source))


def survivors(found: Candidates, beams: int, eos_id: int) -> tuple[Tensor, Tensor]:
    """The K candidates that live on, as places among the 2K, (B', K), and their sums; -inf where there are too few."""
    worth = found.totals if found.worth is None else found.worth
    best, index = torch.where(found.tokens == eos_id, NEVER, worth).topk(beams, dim=1)
    if found.worth is None:
        return index, best
    return index, torch.where(best > NEVER, found.totals.gather(1, index), NEVER)


def _advance(live: Beams, found: Candidates, step: int, settings: SearchSettings) -> Tensor:
    """Let the K best candidates that do not end live on; returns the beam each comes from, (B', K)."""
    index, live.sums = survivors(found, live.sums.size(1), settings.eos_id)
    beam = found.parents.gather(1, index)
    live.tokens = live.tokens.gather(1, beam[:, :, None].expand(-1, -1, live.tokens.size(2)))
    # A beam that cannot go on writes on with whatever token; its sum of -inf keeps it from ever winning.
    live.tokens[:, :, step] = found.tokens.gather(1, index)
    return beam


def _can_still_win(live: Beams, limits: Tensor, settings: SearchSettings) -> Tensor:
    """Which live groups could still change their n best: (B',).

    A sum of log p only falls, so the best a live beam can reach is its sum now, over the largest length it may have.
    """
    if settings.patience is not None:
        going = live.finished[live.alive] < settings.patient_for
        # What has stopped may stay in the batch for a while, and must not go on finding.
        live.sums.masked_fill_(~going[:, None], NEVER)
        return going & (live.sums.amax(dim=1) > NEVER)
    longest = length_penalty(limits[live.alive], settings.length_penalty)
    bound = live.sums.amax(dim=1) / longest
    return (bound > live.finished_scores[live.alive].amin(dim=1)) & (bound > NEVER)


def _collect(live: Beams) -> list[list[Hypothesis]]:
    scores, lengths = live.finished_scores.tolist(), live.finished_lengths.tolist()
    capped, tokens = live.finished_capped.tolist(), live.finished_tokens.tolist()
    return [
        [
            Hypothesis(written[: length - 1], score, forced)
            for score, length, forced, written in zip(*rows, strict=True)
            if score > NEVER
        ]
        for rows in zip(scores, lengths, capped, tokens, strict=True)
    ]
