"""Drawing hypotheses from the model, token by token.

What is drawn follows from (seed, key of the sentence, number of the sample, step) and the model alone: not from the
batch, the neighbours or the order, nor from how many samples are drawn beside it.

B sentences  R samples a sentence  N = B*R rows  L longest output  V vocabulary
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from nmt.decoding.search.greedy import write
from nmt.decoding.search.rules import Rules
from nmt.decoding.search.settings import NEVER, Hypothesis, Sampling, SearchSettings
from nmt.decoding.step import S, StepModel

LIKELY = 256  # tokens that nearly always hold top_p of the probability; finding them is faster than ranking all


def sample(
    model: StepModel[S],
    source: Tensor,
    mask: Tensor | None,
    limits: Tensor,
    settings: SearchSettings,
    sampling: Sampling,
    rules: Rules | None,
    keys: Sequence[int],
) -> list[list[Hypothesis]]:
    """All samples of each sentence, best first, equal ones too: how often one was drawn says how probable it is.

    keys: (B,).  Scores are the model's own, as in a search: temperature and filters do not enter.
    """
    chances = torch.from_numpy(uniforms(sampling.seed, keys, sampling.samples, int(limits.max())))
    chances = chances.to(_wide(source.device)).to(source.device)

    def draw(scores: Tensor, rows: Tensor, step: int) -> tuple[Tensor, Tensor]:
        tokens = pick(probabilities(scores, sampling), chances[rows, step])
        return scores.gather(1, tokens[:, None]).squeeze(1), tokens

    found = write(model, source, mask, limits, settings, rules, draw, copies=sampling.samples)
    return [sorted(hypotheses, key=lambda h: -h.score) for hypotheses in found]


def probabilities(scores: Tensor, sampling: Sampling) -> Tensor:
    """What a token is drawn from: (N, V) -> (N, V), up to a factor a row."""
    wide = scores.to(_wide(scores.device))
    tempered = (wide - wide.amax(dim=-1, keepdim=True)) / sampling.temperature
    if 0 < sampling.top_k < tempered.size(-1):
        kept, index = tempered.topk(sampling.top_k, dim=-1)
        tempered = torch.full_like(tempered, NEVER).scatter(1, index, kept)
    chances = tempered.softmax(dim=-1)
    if sampling.top_p < 1:
        ranked, index = chances.topk(min(LIKELY, chances.size(-1)), dim=-1)
        if bool((ranked.sum(dim=-1) < sampling.top_p).any()):  # a flat distribution, which is rare
            ranked, index = chances.sort(dim=-1, descending=True, stable=True)
        before = ranked.cumsum(dim=-1).roll(1, dims=-1)  # the mass of all that are more probable
        before[:, 0] = 0.0
        kept = ranked.masked_fill(before >= sampling.top_p, 0.0)
        chances = torch.zeros_like(chances).scatter(1, index, kept)
    return chances


def pick(chances: Tensor, uniform: Tensor) -> Tensor:
    """The token at which the sum of chances, (N, V), passes this share of the whole, (N,) in [0, 1).

    In the order of ids, not of chances: two tokens of nearly equal chances do not change places with a rounding error.
    """
    sums = chances.cumsum(dim=-1)
    whole = sums[:, -1:].contiguous()
    token = torch.searchsorted(sums, uniform[:, None] * whole, right=True)
    last = torch.searchsorted(sums, whole)  # of those with any chance, should the product be rounded up to the whole
    return torch.minimum(token, last).clamp(max=chances.size(-1) - 1).squeeze(1)


def uniforms(seed: int, keys: Sequence[int], samples: int, room: int) -> np.ndarray:
    """Numbers in [0, 1), (N, L), each a hash of (seed, key, sample, step)."""
    mask = 2**64 - 1
    sentence = _mix(
        _mix(np.array([seed & mask], dtype=np.uint64)) ^ np.array([k & mask for k in keys], dtype=np.uint64)
    )
    row = _mix(sentence[:, None] ^ np.arange(samples, dtype=np.uint64)).reshape(-1, 1)
    return (_mix(row ^ np.arange(room, dtype=np.uint64)) >> np.uint64(11)) * 2.0**-53


def _mix(x: np.ndarray) -> np.ndarray:
    """SplitMix64 (Steele, Lea & Flood 2014): 64 bits to 64 bits, each of which depends on all."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _wide(device: torch.device) -> torch.dtype:
    """Sums over a vocabulary want double precision, which Apple's GPUs have not."""
    return torch.float32 if device.type == "mps" else torch.float64
