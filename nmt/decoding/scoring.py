"""Forced decoding: what models think of translations that are there already.

B sentences  S source length  T target length  H heads  n real target positions  V vocabulary

Token scores, `nmt score`, confidence, alignment and `nmt explain` all come through `score`. The shift for teacher
forcing is `corpus.batch.collate`'s, so what is scored here is what is trained on and what a search adds up.
"""

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from nmt.corpus.batch import Batch, collate
from nmt.decoding.ensemble import Combination
from nmt.decoding.parts import batches
from nmt.errors import DataError, ModelError
from nmt.model import Memory, Transformer
from nmt.model.masks import padding_mask

Heads = Sequence[tuple[int, int]]  # (layer, head), both counted from 0

# Padded positions of one batch, the longer side counted.
BATCH_TOKENS = {"cpu": 6_000, "cuda": 100_000}
# Scores held at once, (n, V) floats: every position needs the whole vocabulary, but not all positions together.
MOST_SCORES = 2**24
MOST_EXPONENT = 700.0  # math.exp overflows soon after


@dataclass(frozen=True)
class Scored:
    """One pair, forced.

    tokens: the target's ids with EOS, T of them.  log_probs: the natural log of each one's probability.
    attention: (T, S) or, of all heads, (layers, H, T, S), where row t is the step that predicts token t and S counts
    the source's EOS; None when not asked for.
    alternatives: at each step the most probable ids with their log-probabilities, best first; empty when not asked for.
    """

    tokens: list[int]
    log_probs: list[float]
    attention: Tensor | None = None
    alternatives: list[list[tuple[int, float]]] | None = None

    @property
    def log_prob(self) -> float:
        """Of the whole target, EOS included."""
        return math.fsum(self.log_probs)

    @property
    def perplexity(self) -> float:
        """exp(-mean log-probability), EOS counted: how many tokens the model wavers between."""
        return perplexity(self.log_prob, len(self.log_probs))


def perplexity(log_prob: float, tokens: int) -> float:
    """exp(-log_prob / tokens)."""
    return math.exp(min(-log_prob / max(tokens, 1), MOST_EXPONENT))


def score(
    models: Sequence[Transformer],
    sources: Sequence[Sequence[int]],
    targets: Sequence[Sequence[int]],
    *,
    combination: Combination = "linear",
    attention: Heads | Literal["all"] | None = None,
    alternatives: int = 0,
    max_batch_tokens: int | None = None,
    first_line: int = 1,
    on_done: Callable[[int], object] | None = None,
) -> list[Scored]:
    """The log-probability of every target token given its source, in order, whatever the batches are.

    sources, targets: ids without BOS and EOS; an empty one is EOS alone.
    combination: of several models: log of the mean probability, or the mean log-probability made to sum to one again.
    attention: the mean over these heads of the first model's cross-attention, or that of all its heads.
    alternatives: how many of the most probable tokens to tell at each step.
    first_line: the number of the first pair, for messages.  on_done: called with how many more pairs are done.
    Raises DataError for a pair that is too long, before any work; ModelError when the scores are not numbers.
    """
    check_lengths(models, sources, targets, first_line)
    device = next(models[0].parameters()).device
    budget = max_batch_tokens or BATCH_TOKENS.get(device.type, BATCH_TOKENS["cpu"])
    done: dict[int, Scored] = {}
    with evaluating(models), torch.inference_mode():
        for chosen in batches([max(len(s), len(t)) + 1 for s, t in zip(sources, targets, strict=True)], budget):
            rows = [[np.asarray(side[i], dtype=np.int64) for i in chosen] for side in (sources, targets)]
            lengths = [(len(sources[i]) + 1, len(targets[i]) + 1) for i in chosen]  # EOS counted
            batch = collate(*rows)
            real = padding_mask(torch.tensor(lengths)[:, 1], batch.target_out.size(1)).to(device)
            found = _score_batch(models, batch.to(device), real, combination, attention, alternatives)
            done.update(zip(chosen, found.cut(lengths), strict=True))
            if on_done is not None:
                on_done(len(chosen))
    return [done[index] for index in range(len(sources))]


def check_lengths(
    models: Sequence[Transformer],
    sources: Sequence[Sequence[int]],
    targets: Sequence[Sequence[int]],
    first_line: int = 1,
) -> None:
    """Raises DataError naming the first pair with a side that is longer than a model takes."""
    longest = min(model.config.max_length for model in models) - 1  # EOS takes a place
    for number, (source, target) in enumerate(zip(sources, targets, strict=True), start=first_line):
        for side, ids in (("source", source), ("target", target)):
            if len(ids) > longest:
                raise DataError(
                    f"line {number} has {len(ids)} {side} pieces; the model takes {longest}",
                    "shorten it or leave it out: half a sentence has no score of its own",
                )


@contextlib.contextmanager
def evaluating(models: Sequence[Transformer]) -> Iterator[None]:
    """Dropout off; a model in training is one again afterwards."""
    training = [model.training for model in models]
    for model in models:
        model.eval()
    try:
        yield
    finally:
        for model, was in zip(models, training, strict=True):
            model.train(was)


@dataclass(frozen=True)
class _Found:
    """A batch's results, one real position after the other.

    log_probs: (n,).  tokens: (n,).  top: ids and log-probabilities of the alternatives, (n, k) each.
    attention: (B, T, S) or (B, layers, H, T, S).
    """

    tokens: Tensor
    log_probs: Tensor
    top: tuple[Tensor, Tensor] | None
    attention: Tensor | None

    def cut(self, lengths: Sequence[tuple[int, int]]) -> list[Scored]:
        """One a sentence. lengths: of its source and its target, EOS counted."""
        tokens, log_probs = self.tokens.tolist(), self.log_probs.tolist()
        top = None
        if self.top is not None:
            ids, scores = (part.tolist() for part in self.top)
            top = [list(zip(*row, strict=True)) for row in zip(ids, scores, strict=True)]
        rows, begin = [], 0
        for index, (source, target) in enumerate(lengths):
            end = begin + target
            looked = None if self.attention is None else self.attention[index, ..., :target, :source].clone()
            best = None if top is None else top[begin:end]
            rows.append(Scored(tokens[begin:end], log_probs[begin:end], looked, best))
            begin = end
        return rows


def _score_batch(
    models: Sequence[Transformer],
    batch: Batch,
    real: Tensor,
    combination: Combination,
    attention: Heads | Literal["all"] | None,
    alternatives: int,
) -> _Found:
    """real: (B, T), True on target tokens and EOS."""
    states, looked = [], None
    for number, model in enumerate(models):
        memory = model.encode(batch.source, batch.source_mask)
        if attention is None or number > 0:
            decoded = model.decode(batch.target_in, memory)
        else:
            decoded, looked = _decode_and_look(model, batch.target_in, memory, attention)
        states.append(decoded[real])  # (n, D)
    tokens = batch.target_out[real]
    log_probs, top = _read_off(models, states, tokens, combination, alternatives)
    if not bool(log_probs.isfinite().all()):
        raise ModelError("the model's scores are not numbers: its weights are damaged", "take an earlier checkpoint")
    return _Found(tokens.cpu(), log_probs.cpu(), top, None if looked is None else looked.cpu())


def _decode_and_look(
    model: Transformer, target: Tensor, memory: Memory, heads: Heads | Literal["all"]
) -> tuple[Tensor, Tensor]:
    """States (B, T, D), and the attention of all heads, (B, layers, H, T, S), or the mean of some, (B, T, S)."""
    if heads == "all":
        states, layers = model.decode_with_attention(target, memory)
        return states, torch.stack(layers, dim=1)
    wanted = sorted({layer for layer, _ in heads})
    states, layers = model.decode_with_attention(target, memory, wanted)
    of_layer = dict(zip(wanted, layers, strict=True))
    return states, torch.stack([of_layer[layer][:, head] for layer, head in heads]).mean(dim=0)


def _read_off(
    models: Sequence[Transformer], states: Sequence[Tensor], tokens: Tensor, combination: Combination, alternatives: int
) -> tuple[Tensor, tuple[Tensor, Tensor] | None]:
    """log p of `tokens` (n,) from each model's states (n, D), and the alternatives' ids and log p, (n, k) each."""
    log_probs, ids, best = [], [], []
    rows = max(1, MOST_SCORES // (models[0].output.out_features * len(models)))
    for begin in range(0, len(tokens), rows):
        logits = [model.logits(part[begin : begin + rows]).float() for model, part in zip(models, states, strict=True)]
        scores, normaliser = _combine(logits, combination)
        log_probs.append(scores.gather(1, tokens[begin : begin + rows, None]).squeeze(1) - normaliser)
        if alternatives:
            top = scores.topk(min(alternatives, scores.size(1)))
            best.append(top.values - normaliser[:, None])
            ids.append(top.indices)
    return torch.cat(log_probs), (torch.cat(ids), torch.cat(best)) if alternatives else None


def _combine(logits: Sequence[Tensor], combination: Combination) -> tuple[Tensor, Tensor]:
    """Scores (n, V) and their normaliser (n,): log p = scores - normaliser, as a StepModel gives them."""
    if len(logits) == 1:
        scores = logits[0]
    elif combination == "linear":
        scores = torch.stack([part.log_softmax(dim=-1) for part in logits]).logsumexp(dim=0)
    else:  # each model's own normaliser is the same for all tokens, so it falls out
        scores = torch.stack(list(logits)).mean(dim=0)
    return scores, scores.logsumexp(dim=-1)
