"""Greedy and beam search over a step model. Search knows no network, no tokenizer and no files.

B sentences  K beams  N = B*K rows  T steps so far  L longest output  V vocabulary

A hypothesis is any sequence of at most L tokens that ends in EOS; at its last permitted place EOS is the only choice.
Its score is sum(log p) / length ** length_penalty, length counting EOS (as in CTranslate2 and Hugging Face).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from nmt.decoding.step import S, StepModel
from nmt.errors import UsageError

NEVER = float("-inf")
NOT_ASKED = float("nan")
COMPACT_BELOW = 0.75  # drop finished sentences from the batch once fewer than this share is alive


class Hypothesis(NamedTuple):
    """tokens: without BOS and EOS.  score: as above; NaN when it was not asked for.

    capped: at its last permitted place the model would have written on.
    """

    tokens: list[int]
    score: float
    capped: bool


@dataclass(frozen=True)
class SearchSettings:
    """What a search must know beside the model.

    length_penalty: 0 prefers short outputs, 1 is the mean log-probability.
    n_best: hypotheses returned per sentence, at most K.
    banned: ids never chosen (pad, BOS, control bytes); banned after normalisation, so scores stay comparable.
    """

    bos_id: int
    eos_id: int
    banned: Sequence[int] = ()
    beam_size: int = 1
    length_penalty: float = 1.0
    n_best: int = 1

    def __post_init__(self) -> None:
        """Raises UsageError for more hypotheses than beams."""
        if self.n_best > self.beam_size:
            raise UsageError(f"n_best is {self.n_best} but beam_size is {self.beam_size}", "raise beam_size to n_best")


def length_penalty(length: Tensor, alpha: float) -> Tensor:
    """Divisor that keeps beam search from preferring short hypotheses.

    length: tokens including EOS, any shape.  alpha: 0 = none, 1 = mean log-probability.
    Returns the same shape.
    """
    return length.float() ** alpha


def search(
    model: StepModel[S],
    source: Tensor,
    mask: Tensor | None,
    limits: Tensor,
    settings: SearchSettings,
    *,
    with_scores: bool = True,
) -> list[list[Hypothesis]]:
    """The n best hypotheses of each source, best first; none where the model's scores are not numbers.

    source: ids (B, S).  mask: (B, S) or None.  limits: (B,), each sentence's longest output, EOS counted.
    with_scores: greedy search can do without, and is then faster.
    """
    with torch.inference_mode():
        if settings.beam_size == 1:
            return greedy_search(model, source, mask, limits, settings, with_scores=with_scores)
        return beam_search(model, source, mask, limits, settings)


def greedy_search(
    model: StepModel[S],
    source: Tensor,
    mask: Tensor | None,
    limits: Tensor,
    settings: SearchSettings,
    *,
    with_scores: bool,
) -> list[list[Hypothesis]]:
    """The most probable token at each step."""
    sentences, room = source.size(0), int(limits.max())
    state = model.start(source, mask, 1, room)
    banned = torch.tensor(list(settings.banned), dtype=torch.long, device=source.device)
    output = torch.full((sentences, room), settings.eos_id, device=source.device)  # (B, L)
    sums = torch.zeros(sentences, device=source.device)
    lengths = torch.zeros(sentences, dtype=torch.long, device=source.device)
    forced = torch.zeros(sentences, dtype=torch.bool, device=source.device)
    alive = torch.arange(sentences, device=source.device)  # the sentence of each row still in the batch
    tokens = torch.full((sentences,), settings.bos_id, device=source.device)
    for step in range(room):
        scores, normaliser = model.step(tokens, state, normalise=with_scores)
        scores.index_fill_(1, banned, NEVER)
        best, tokens = scores.max(dim=-1)
        last = limits[alive] == step + 1
        cut = last & (tokens != settings.eos_id)
        best = torch.where(cut, scores[:, settings.eos_id], best)
        tokens = torch.where(cut, settings.eos_id, tokens)
        ongoing = lengths[alive] == 0
        output[alive, step] = torch.where(ongoing, tokens, settings.eos_id)
        gain = best if normaliser is None else best - normaliser
        sums[alive] += torch.where(ongoing, gain, 0.0)
        ended = ongoing & (tokens == settings.eos_id)
        lengths[alive] += ended * (step + 1)
        forced[alive] |= ongoing & cut
        still = (lengths[alive] == 0).nonzero().squeeze(1)
        if len(still) == 0:
            break
        if len(still) < COMPACT_BELOW * len(alive):
            state = state.keep(still)
            alive, tokens = alive[still], tokens[still]
    scored = sums / length_penalty(lengths, settings.length_penalty)
    rows = zip(output.tolist(), lengths.tolist(), scored.tolist(), forced.tolist(), strict=True)
    return [
        [Hypothesis(row[: length - 1], score if with_scores else NOT_ASKED, capped)] if score == score else []
        for row, length, score, capped in rows
    ]


@dataclass
class Beams:
    """The live beams of the sentences still in the batch, and the best finished hypotheses of all sentences.

    alive: (B',), which sentence each group of K rows belongs to.
    tokens: (B', K, L), what each beam has written.  sums: (B', K), its sum of log p.
    finished_scores: (B, n), best first, -inf where there is none yet.  finished_tokens: (B, n, L).
    finished_lengths: (B, n), EOS counted.  finished_capped: (B, n).
    """

    alive: Tensor
    tokens: Tensor
    sums: Tensor
    finished_scores: Tensor
    finished_tokens: Tensor
    finished_lengths: Tensor
    finished_capped: Tensor

    @classmethod
    def start(cls, sentences: int, beams: int, n_best: int, room: int, eos_id: int, device: torch.device) -> "Beams":
        """One live beam a sentence: the others would only repeat it."""
        sums = torch.full((sentences, beams), NEVER, device=device)
        sums[:, 0] = 0.0
        return cls(
            alive=torch.arange(sentences, device=device),
            tokens=torch.full((sentences, beams, room), eos_id, device=device),
            sums=sums,
            finished_scores=torch.full((sentences, n_best), NEVER, device=device),
            finished_tokens=torch.full((sentences, n_best, room), eos_id, device=device),
            finished_lengths=torch.ones((sentences, n_best), dtype=torch.long, device=device),
            finished_capped=torch.zeros((sentences, n_best), dtype=torch.bool, device=device),
        )


def beam_search(
    model: StepModel[S], source: Tensor, mask: Tensor | None, limits: Tensor, settings: SearchSettings
) -> list[list[Hypothesis]]:
    """Beam search with an exact stop: it ends when no live beam can still enter the n best."""
    sentences, beams, room = source.size(0), settings.beam_size, int(limits.max())
    state = model.start(source, mask, beams, room)
    banned = torch.tensor(list(settings.banned), dtype=torch.long, device=source.device)
    live = Beams.start(sentences, beams, settings.n_best, room, settings.eos_id, source.device)
    tokens = torch.full((sentences * beams,), settings.bos_id, device=source.device)
    for step in range(room):
        scores, normaliser = model.step(tokens, state, normalise=True)
        assert normaliser is not None
        scores.index_fill_(1, banned, NEVER)
        last = limits[live.alive] == step + 1
        found = _candidates(scores, normaliser, live.sums, last, settings)
        _finish(live, found, step, settings)
        rows = _advance(live, found, step, settings)
        going = _can_still_win(live, limits, settings).nonzero().squeeze(1)
        if len(going) == 0:
            break
        tokens = live.tokens[:, :, step].flatten()
        if not torch.equal(rows, torch.arange(len(rows), device=rows.device)):
            state.reorder(rows)
        if len(going) < COMPACT_BELOW * len(live.alive):
            state = state.keep(going)
            tokens = tokens.view(-1, beams)[going].flatten()
            live.alive, live.tokens, live.sums = live.alive[going], live.tokens[going], live.sums[going]
    return _collect(live)


class Candidates(NamedTuple):
    """The 2K best continuations of each sentence, best first; each (B', 2K).

    totals: sums of log p.  parents: the beam each goes on from.  tokens: what it adds.
    forced: whether it ends only because its limit is reached.
    """

    totals: Tensor
    parents: Tensor
    tokens: Tensor
    forced: Tensor


def _candidates(scores: Tensor, normaliser: Tensor, sums: Tensor, last: Tensor, settings: SearchSettings) -> Candidates:
    """2K, so that K stay alive even if K end now. The best of a row are found on raw scores; only they are normalised.

    last: (B',), sentences at their limit.
    """
    sentences, beams = sums.shape
    forced = torch.zeros_like(sums, dtype=torch.bool)
    if bool(last.any()):
        # A sentence at its limit may only end: everything but EOS is out of the question.
        ending = scores[:, settings.eos_id].clone()
        forced = last[:, None] & (scores.amax(dim=-1) > ending).view(sentences, beams)
        scores = scores.masked_fill(last.repeat_interleave(beams)[:, None], NEVER)
        scores[:, settings.eos_id] = ending
    width = min(2 * beams, scores.size(-1))
    raw, token = scores.topk(width, dim=-1)  # (N, W)
    log_probs = (raw - normaliser[:, None]).view(sentences, beams, width)
    totals = (sums[:, :, None] + log_probs).view(sentences, beams * width)
    best, index = totals.topk(min(2 * beams, beams * width), dim=-1)  # (B', 2K)
    parents = index // width
    return Candidates(best, parents, token.view(sentences, beams * width).gather(1, index), forced.gather(1, parents))


def _finish(live: Beams, found: Candidates, step: int, settings: SearchSettings) -> None:
    """Let the candidates that end in EOS compete with the finished hypotheses kept so far."""
    ends = found.tokens == settings.eos_id
    if not bool(ends.any()):
        return
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


def _advance(live: Beams, found: Candidates, step: int, settings: SearchSettings) -> Tensor:
    """Let the K best candidates that do not end live on; returns the row each comes from, (N,)."""
    beams = live.sums.size(1)
    going = torch.where(found.tokens == settings.eos_id, NEVER, found.totals)
    live.sums, index = going.topk(beams, dim=1)
    beam = found.parents.gather(1, index)
    live.tokens = live.tokens.gather(1, beam[:, :, None].expand(-1, -1, live.tokens.size(2)))
    # A beam that cannot go on writes on with whatever token; its sum of -inf keeps it from ever winning.
    live.tokens[:, :, step] = found.tokens.gather(1, index)
    offsets = torch.arange(len(beam), device=beam.device)[:, None] * beams
    return (beam + offsets).flatten()


def _can_still_win(live: Beams, limits: Tensor, settings: SearchSettings) -> Tensor:
    """Which live sentences could still change their n best: (B',).

    A sum of log p only falls, so the best a live beam can reach is its sum now, over the largest length it may have.
    """
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
