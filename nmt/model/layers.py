"""The block that all stacks are made of, and its parts.

B sentences  S source length  T target length  D model  F feed-forward width
"""

from collections.abc import Callable
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from nmt.config import ModelConfig
from nmt.model.attention import CrossAttention, SelfAttention
from nmt.model.cache import LayerCache

Activation = Literal["relu", "gelu", "gelu_tanh", "silu"]


def activation_function(name: Activation) -> Callable[[Tensor], Tensor]:
    """The non-linearity of the feed-forward network."""
    match name:
        case "relu":
            return F.relu
        case "gelu":
            return F.gelu
        case "gelu_tanh":
            return lambda x: F.gelu(x, approximate="tanh")
        case "silu":
            return F.silu


def make_norm(config: ModelConfig) -> nn.Module:
    """LayerNorm (Ba et al. 2016) or RMSNorm (Zhang & Sennrich 2019) over the last dimension."""
    match config.norm:
        case "layer":
            return nn.LayerNorm(config.d_model, eps=config.norm_eps)
        case "rms":
            return nn.RMSNorm(config.d_model, eps=config.norm_eps)


class Dropout(nn.Module):
    """Inverted dropout, with random bytes on the CPU.

    torch's own draws a Bernoulli number per element on one core, which was 12 % of a training step. Eight random
    bytes at a time are some 20 times faster; the probability is rounded to 1/256.
    """

    def __init__(self, probability: float) -> None:
        super().__init__()
        self.probability = probability
        self.threshold = round(probability * 256)

    def forward(self, x: Tensor, residual: Tensor | None = None) -> Tensor:
        """Same shape; the identity in evaluation. residual: added to the result, in the same pass over memory."""
        if not self.training or self.probability == 0:
            return x if residual is None else residual + x
        # A threshold of 0 or 256 would drop nothing or everything; such probabilities take torch's exact way.
        if x.device.type != "cpu" or not 0 < self.threshold < 256:
            dropped = F.dropout(x, self.probability, training=True)
            return dropped if residual is None else residual + dropped
        scale = 256 / (256 - self.threshold)
        if residual is None:
            return x * self._kept(x).mul_(scale)
        return torch.addcmul(residual, x, self._kept(x), value=scale)

    def _kept(self, x: Tensor) -> Tensor:
        """1 where an element stays, 0 where it is dropped."""
        words = torch.empty((x.numel() + 7) // 8, dtype=torch.int64)
        words.random_(-(2**63), None)  # the plain random_() never sets the sign bit: one byte in eight would be low
        return (words.view(torch.uint8)[: x.numel()].view(x.shape) >= self.threshold).to(x.dtype)


class TokenDropout(nn.Module):
    """Word dropout: whole token embeddings are zeroed, each occurrence on its own (Gal & Ghahramani 2016).

    What is kept is scaled by 1 / (1 - probability), as in Nematus, with which Sennrich & Zhang (2019) trained on little
    text. Gal and Ghahramani drop a word wherever it occurs in a sentence; Nematus does not, nor does this.
    """

    def __init__(self, probability: float) -> None:
        super().__init__()
        self.probability = probability
        self.dropout = Dropout(probability)

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, D) -> (B, T, D); the identity in evaluation."""
        if not self.training or self.probability == 0:
            return x
        return x * self.dropout(x.new_ones(*x.shape[:-1], 1))


class FeedForward(nn.Module):
    """Two linear maps with a non-linearity between (Vaswani et al. 2017, eq. 2); gated: GLU (Shazeer 2020)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.up = nn.Linear(config.d_model, config.d_ff, bias=config.ffn_bias)
        self.gate = nn.Linear(config.d_model, config.d_ff, bias=config.ffn_bias) if config.gated else None
        self.down = nn.Linear(config.d_ff, config.d_model, bias=config.ffn_bias)
        self.activation = activation_function(config.activation)
        self.dropout = Dropout(config.activation_dropout)

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, D) -> (B, T, D)."""
        if self.gate is None:
            hidden = self.activation(self.up(x))
        else:
            hidden = self.activation(self.gate(x)) * self.up(x)
        return self.down(self.dropout(hidden))


class TransformerBlock(nn.Module):
    """Self-attention, optional cross-attention, feed-forward; each with a norm and a residual connection.

    pre-norm: x + Sublayer(Norm(x)) (Xiong et al. 2020).  post-norm: Norm(x + Sublayer(x)) (Vaswani et al. 2017).
    An encoder block has no cross-attention and no causal mask; a decoder block has both; a GPT block only the mask.
    """

    def __init__(self, config: ModelConfig, *, cross_attention: bool) -> None:
        super().__init__()
        self.pre_norm = config.norm_position == "pre"
        width, heads = config.d_model, config.num_heads
        bias, dropout = config.attention_bias, config.attention_dropout
        rotary = config.positions == "rotary"
        self.self_attention = SelfAttention(width, heads, bias=bias, dropout=dropout, rotary=rotary)
        self.self_attention_norm = make_norm(config)
        self.cross_attention = CrossAttention(width, heads, bias=bias, dropout=dropout) if cross_attention else None
        self.cross_attention_norm = make_norm(config) if cross_attention else None
        self.feed_forward = FeedForward(config)
        self.feed_forward_norm = make_norm(config)
        self.dropout = Dropout(config.dropout)

    def forward(
        self,
        x: Tensor,
        *,
        mask: Tensor | None = None,
        causal: bool = False,
        memory: Tensor | None = None,
        memory_mask: Tensor | None = None,
        cache: LayerCache | None = None,
        length: int = 0,
        attention: list[Tensor] | None = None,
    ) -> Tensor:
        """(B, T, D) -> (B, T, D).

        mask: for self-attention, broadcastable to (B, H, T, T).  causal: position t sees 0..t.
        memory: encoder states (B, S, D); not needed when the cache already holds their keys and values.
        memory_mask: (B, 1, 1, S).  cache, length: see SelfAttention.
        attention: the cross-attention's probabilities, (B, H, T, S), are added to this list.
        Raises ValueError when a cross-attention block gets no memory.
        """

        def attend(y: Tensor) -> Tensor:
            return self.self_attention(y, mask=mask, causal=causal, cache=cache, length=length)

        x = self._sublayer(x, self.self_attention_norm, attend)
        if self.cross_attention is not None:
            assert self.cross_attention_norm is not None
            keys, values = self._memory_keys_values(memory, cache)
            cross = self.cross_attention

            def look(y: Tensor) -> Tensor:
                if attention is not None:
                    attention.append(cross.weights(y, keys, memory_mask))
                return cross(y, keys, values, memory_mask)

            x = self._sublayer(x, self.cross_attention_norm, look)
        return self._sublayer(x, self.feed_forward_norm, self.feed_forward)

    def _sublayer(self, x: Tensor, norm: nn.Module, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        if self.pre_norm:
            return self.dropout(sublayer(norm(x)), residual=x)
        return norm(self.dropout(sublayer(x), residual=x))

    def _memory_keys_values(self, memory: Tensor | None, cache: LayerCache | None) -> tuple[Tensor, Tensor]:
        if cache is not None and cache.cross_keys is not None and cache.cross_values is not None:
            return cache.cross_keys, cache.cross_values
        if memory is None:
            raise ValueError("this block has cross-attention and needs memory: pass the encoder's states")
        assert self.cross_attention is not None
        return self.cross_attention.project_memory(memory)
