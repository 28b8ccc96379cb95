"""Which position may look at which. Boolean, True = may attend (the rule of scaled_dot_product_attention).

B sentences  S, T lengths
"""

import torch
from torch import Tensor


def padding_mask(lengths: Tensor, width: int) -> Tensor:
    """True on the first lengths[b] columns of row b: (B,) -> (B, width). Padding is on the right, everywhere."""
    return torch.arange(width, device=lengths.device)[None, :] < lengths[:, None]


def causal_mask(length: int, past: int = 0, device: torch.device | None = None) -> Tensor:
    """Position t sees itself and all before it: True on and below the diagonal, (T, past + T).

    past: columns before the first position, as a cache holds them; every position sees those.
    """
    return torch.ones(length, past + length, dtype=torch.bool, device=device).tril(past)


def for_attention(mask: Tensor | None) -> Tensor | None:
    """A padding mask (B, S) shaped for scores (B, H, T, S): the same columns for every head and query."""
    return None if mask is None else mask[:, None, None, :]
