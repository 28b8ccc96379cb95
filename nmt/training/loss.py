"""Cross-entropy with label smoothing, as a sum: who divides by what is the trainer's business.

B sentences  T target length  M real target tokens  D model  V vocabulary
"""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from nmt.corpus.batch import Batch
from nmt.model import Transformer
from nmt.text.tokenizer import PAD_ID


class LossSum(NamedTuple):
    """loss: scalar, summed over tokens.  tokens: how many."""

    loss: Tensor
    tokens: int


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


def batch_loss(model: Transformer, batch: Batch, label_smoothing: float) -> LossSum:
    """Teacher-forced loss of one batch. Padding is taken out before the output layer, half of a small model's work."""
    states = model.decode(batch.target_in, model.encode(batch.source, batch.source_mask))
    positions = real_positions(batch.target_out)
    states = states.flatten(0, 1).index_select(0, positions)
    target = batch.target_out.flatten().index_select(0, positions)
    return LossSum(smoothed_cross_entropy(states, model.output.weight, target, label_smoothing), batch.tokens)


@torch.no_grad()
def batch_scores(model: Transformer, batch: Batch) -> tuple[float, int]:
    """Sum of -log p without smoothing, and how many tokens the model ranks first; for validation."""
    states = model.decode(batch.target_in, model.encode(batch.source, batch.source_mask))
    positions = real_positions(batch.target_out)
    logits = model.logits(states.flatten(0, 1).index_select(0, positions)).float()
    target = batch.target_out.flatten().index_select(0, positions)
    nll = F.cross_entropy(logits, target, reduction="sum")
    return float(nll), int((logits.argmax(-1) == target).sum())
