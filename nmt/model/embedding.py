"""Tokens and their order as vectors.

B sentences  T length  D model  V vocabulary
"""

import math

import torch
from torch import Tensor, nn

from nmt.config import ModelConfig
from nmt.model.layers import Dropout, TokenDropout

# Positions are counted from pad_id + 1 = 2, as in fairseq and M2M100, so that weights can be exchanged with them.
FIRST_POSITION = 2


def sinusoidal_positions(length: int, d_model: int) -> Tensor:
    """Sines, then cosines, of position * 10000 ** (-i / (D/2 - 1)): (length, D).

    Vaswani et al. 2017, section 3.5, in the half-split layout of tensor2tensor and M2M100.
    """
    half = d_model // 2
    frequencies = torch.exp(torch.arange(half, dtype=torch.float32) * (-math.log(10000) / (half - 1)))
    positions = torch.arange(FIRST_POSITION, FIRST_POSITION + length, dtype=torch.float32)
    angles = positions[:, None] * frequencies
    return torch.cat([angles.sin(), angles.cos()], dim=1)


class Embedding(nn.Module):
    """Token embedding times sqrt(D), of which some may be zeroed, plus position, then dropout."""

    positions: Tensor | None

    def __init__(self, config: ModelConfig, vocab_size: int) -> None:
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, config.d_model)
        self.scale = math.sqrt(config.d_model)
        self.token_dropout = TokenDropout(config.token_dropout)
        self.dropout = Dropout(config.dropout)
        self.learned = nn.Embedding(config.max_length, config.d_model) if config.positions == "learned" else None
        table = sinusoidal_positions(config.max_length, config.d_model) if config.positions == "sinusoidal" else None
        self.register_buffer("positions", table, persistent=False)

    def forward(self, ids: Tensor, start: int = 0) -> Tensor:
        """ids (B, T) -> (B, T, D). start: the position of the first column, for decoding step by step."""
        x = self.token_dropout(self.tokens(ids) * self.scale)
        end = start + ids.size(1)
        if self.learned is not None:
            x = x + self.learned.weight[start:end]
        elif self.positions is not None:
            x = x + self.positions[start:end]
        return self.dropout(x)
