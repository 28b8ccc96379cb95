"""Multi-head scaled dot-product attention (Vaswani et al. 2017, section 3.2).

B sentences  S source length  T target length  K beams  N = B*K rows  D model  H heads  E = D/H
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from nmt.model.cache import LayerCache
from nmt.model.masks import causal_mask


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """(B, T, D) -> (B, H, T, E)."""
    return x.view(x.size(0), x.size(1), num_heads, -1).transpose(1, 2)


def join_heads(x: Tensor) -> Tensor:
    """(B, H, T, E) -> (B, T, D)."""
    return x.transpose(1, 2).flatten(2)


def rotate(x: Tensor, positions: Tensor) -> Tensor:
    """Rotary position embedding, half-split (Su et al. 2021, eq. 34): (B, H, T, E), positions (T,) -> same shape.

    The pair (x[i], x[i + E/2]) turns by position * 10000 ** (-2i / E).
    """
    half = x.size(-1) // 2
    frequencies = 10000.0 ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
    angles = positions[:, None].float() * frequencies
    cosine, sine = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[..., :half], x[..., half:]
    return torch.cat([first * cosine - second * sine, second * cosine + first * sine], dim=-1)


def attend_last(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    """Attention of one query, (N, H, 1, E), to all keys and values, (N, H, T, E) -> (N, H, 1, E).

    As `scaled_dot_product_attention`, whose CPU kernel is slow at so little: a batched product is up to twice as fast.
    """
    rows, heads, _, width = queries.shape
    flat = (rows * heads, -1, width)
    scores = torch.baddbmm(
        queries.new_empty(1, 1, 1), queries.reshape(flat), keys.view(flat).transpose(1, 2), beta=0, alpha=width**-0.5
    )
    return torch.bmm(scores.softmax(dim=-1), values.view(flat)).view(rows, heads, 1, width)


class SelfAttention(nn.Module):
    """Every position looks at the positions of its own sequence.

    Queries, keys and values come from one fused projection: one large product is faster than three.
    """

    def __init__(self, d_model: int, num_heads: int, *, bias: bool, dropout: float, rotary: bool) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.dropout = dropout
        self.rotary = rotary
        self.queries_keys_values = nn.Linear(d_model, 3 * d_model, bias=bias)
        self.output = nn.Linear(d_model, d_model, bias=bias)

    def forward(
        self,
        x: Tensor,
        *,
        mask: Tensor | None = None,
        causal: bool = False,
        cache: LayerCache | None = None,
        length: int = 0,
    ) -> Tensor:
        """(B, T, D) -> (B, T, D).

        mask: broadcastable to (B, H, T, S), True = may attend.  causal: each position sees itself and the past.
        cache: earlier keys and values, `length` columns of them; x is then what comes next, and the new keys and
        values are added to it. With a cache, T > 1 tokens are causal among themselves.
        """
        queries, keys, values = (split_heads(part, self.num_heads) for part in self._project(x))
        if self.rotary:
            positions = torch.arange(length, length + x.size(1), device=x.device)
            queries, keys = rotate(queries, positions), rotate(keys, positions)
        if cache is not None:
            keys, values = cache.append(keys, values, length)
            if x.size(1) > 1:
                mask = causal_mask(x.size(1), past=length, device=x.device)
            elif x.device.type == "cpu" and not self.training:
                return self.output(join_heads(attend_last(queries, keys, values)))
            causal = False
        dropout = self.dropout if self.training else 0.0
        attended = F.scaled_dot_product_attention(queries, keys, values, mask, dropout_p=dropout, is_causal=causal)
        return self.output(join_heads(attended))

    def _project(self, x: Tensor) -> tuple[Tensor, ...]:
        return self.queries_keys_values(x).chunk(3, dim=-1)


class CrossAttention(nn.Module):
    """Every target position looks at the whole source: queries from x, keys and values from memory."""

    def __init__(self, d_model: int, num_heads: int, *, bias: bool, dropout: float) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.dropout = dropout
        self.queries = nn.Linear(d_model, d_model, bias=bias)
        self.keys_values = nn.Linear(d_model, 2 * d_model, bias=bias)
        self.output = nn.Linear(d_model, d_model, bias=bias)

    def project_memory(self, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values of the source: (B, S, D) -> two of (B, H, S, E). Once per sentence, not once per step."""
        keys, values = self.keys_values(memory).chunk(2, dim=-1)
        return split_heads(keys, self.num_heads), split_heads(values, self.num_heads)

    def forward(self, x: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None) -> Tensor:
        """x (N, T, D) with keys and values (B, H, S, E) -> (N, T, D).

        N may be K * B: the K beams of a sentence are folded into the time axis, so that its keys are read once.
        mask: (B, 1, 1, S), True on real source tokens.
        """
        rows, steps, _ = x.shape
        folded = x.reshape(keys.size(0), -1, x.size(-1))  # (B, K*T, D)
        queries = split_heads(self.queries(folded), self.num_heads)
        dropout = self.dropout if self.training else 0.0
        attended = F.scaled_dot_product_attention(queries, keys, values, mask, dropout_p=dropout)
        return self.output(join_heads(attended)).view(rows, steps, -1)

    def weights(self, x: Tensor, keys: Tensor, mask: Tensor | None = None) -> Tensor:
        """How much each position looks at each source position: x (B, T, D), keys (B, H, S, E) -> (B, H, T, S).

        float32 probabilities over S, 0 on padding, before dropout. `forward` never makes them: its fused kernel is
        faster without.
        """
        queries = split_heads(self.queries(x), self.num_heads)
        scores = (queries @ keys.transpose(2, 3)).float() * keys.size(-1) ** -0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        return scores.softmax(dim=-1)
