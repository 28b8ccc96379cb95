"""Cross-entropy with label smoothing, as a sum: who divides by what is the trainer's business.

B sentences  T target length  M real target tokens  D model  V vocabulary
"""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from nmt.corpus.batch import Batch
from nmt.model import Transformer
from nmt.text.tokenizer import PAD_ID

# Of logits, where all M x V of them are not needed together. At 2,000 (V = 8,000) R-Drop takes half as much memory
# again, in equal time.
ROWS_AT_ONCE = 512


class LossSum(NamedTuple):
    """loss: what is made smaller, a scalar summed over tokens.  tokens: how many.

    cross_entropy: the part of it that is told, without R-Drop's divergence and without gradient, so that the losses of
    recipes can be compared.
    """

    loss: Tensor
    tokens: int
    cross_entropy: Tensor


def real_positions(target_out: Tensor) -> Tensor:
    """Indices of the real tokens in the flattened (B*T,) target: (M,)."""
    return (target_out.flatten() != PAD_ID).nonzero().squeeze(1)


def smoothed_cross_entropy(states: Tensor, weight: Tensor, target: Tensor, label_smoothing: float) -> Tensor:
    """Sum over tokens of -log p, `label_smoothing` of the target spread evenly over V (Szegedy et al. 2016).

    states: (M, D).  weight: output layer, (V, D).  target: (M,) -> scalar.
    """
    if hasattr(F, "linear_cross_entropy"):  # torch >= 2.13: never holds all logits at once
        return F.linear_cross_entropy(states, weight, target, reduction="sum", label_smoothing=label_smoothing)
    return F.cross_entropy(F.linear(states, weight), target, reduction="sum", label_smoothing=label_smoothing)


def two_passes(
    first: Tensor, second: Tensor, weight: Tensor, target: Tensor, label_smoothing: float
) -> tuple[Tensor, Tensor]:
    """What R-Drop asks of two passes with different dropout: that both be right, and that they agree.

    first, second: states of the same tokens, (M, D).  weight: output layer, (V, D).  target: (M,).
    Returns sums over tokens, two scalars: the mean of the two smoothed cross-entropies, and the mean of KL(p || q) and
    KL(q || p) (Liang et al. 2021, eq. 2). Logits are computed some rows at a time, and again in the backward pass:
    never are all M x V alive.
    """

    def of_rows(first: Tensor, second: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
        log_p, log_q = (F.log_softmax(F.linear(states, weight), dim=-1, dtype=exact) for states in (first, second))
        mean = (log_p + log_q) / 2
        nll, uniform = F.nll_loss(mean, target, reduction="sum"), -mean.mean(-1).sum()
        # sum p (log p - log q) + sum q (log q - log p), taken together
        divergence = ((log_p.exp() - log_q.exp()) * (log_p - log_q)).sum() / 2
        return (1 - label_smoothing) * nll + label_smoothing * uniform, divergence

    exact = torch.promote_types(weight.dtype, torch.float32)  # small differences, summed over V: nothing for bf16
    parts = zip(*(torch.split(x, ROWS_AT_ONCE) for x in (first, second, target)), strict=True)
    sums = [checkpoint(of_rows, *part, use_reentrant=False, preserve_rng_state=False) for part in parts]
    cross_entropies, divergences = zip(*sums, strict=True)
    return torch.stack(cross_entropies).sum(), torch.stack(divergences).sum()


def batch_loss(model: Transformer, batch: Batch, label_smoothing: float, r_drop: float = 0.0) -> LossSum:
    """Teacher-forced loss of one batch.

    r_drop: alpha of R-Drop (Liang et al. 2021); above 0 the batch goes through the model twice, side by side, in
    somewhat more than twice the time and memory. The paper adds the two cross-entropies where this takes their mean,
    so that a learning rate means the same with it and without: hence half of alpha.
    """
    weight = model.output.weight
    if r_drop == 0:
        states, target = _real_states(model, batch)
        loss = smoothed_cross_entropy(states, weight, target, label_smoothing)
        return LossSum(loss, batch.tokens, loss.detach())
    states, target = _real_states(model, _twice(batch))
    first, second = states.chunk(2)
    cross_entropy, divergence = two_passes(first, second, weight, target[: batch.tokens], label_smoothing)
    return LossSum(cross_entropy + r_drop / 2 * divergence, batch.tokens, cross_entropy.detach())


def _real_states(model: Transformer, batch: Batch) -> tuple[Tensor, Tensor]:
    """Final states where the target is real, (M, D), and the tokens that should follow, (M,).

    Padding is taken out before the output layer, half of a small model's work.
    """
    states = model.decode(batch.target_in, model.encode(batch.source, batch.source_mask))
    positions = real_positions(batch.target_out)
    return states.flatten(0, 1).index_select(0, positions), batch.target_out.flatten().index_select(0, positions)


def _twice(batch: Batch) -> Batch:
    """The sentences of the batch, and behind them the same again."""
    mask = None if batch.source_mask is None else torch.cat([batch.source_mask] * 2)
    source, target_in, target_out = (torch.cat([ids] * 2) for ids in (batch.source, batch.target_in, batch.target_out))
    return Batch(source, mask, target_in, target_out, 2 * batch.tokens)


@torch.no_grad()
def batch_scores(model: Transformer, batch: Batch) -> tuple[float, int]:
    """Sum of -log p without smoothing, and how many tokens the model ranks first; for validation."""
    nll, right = 0.0, 0
    for states, target in zip(*(torch.split(x, ROWS_AT_ONCE) for x in _real_states(model, batch)), strict=True):
        logits = model.logits(states).float()
        nll += float(F.cross_entropy(logits, target, reduction="sum"))
        right += int((logits.argmax(-1) == target).sum())
    return nll, right
