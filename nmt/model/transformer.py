"""The encoder-decoder Transformer (Vaswani et al. 2017).

B sentences  S source length  T target length  K beams  N = B*K rows  D model  H heads  E = D/H  V vocabulary
"""

from collections.abc import Callable, Collection
from functools import partial
from typing import NamedTuple

from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from nmt.config import ModelConfig
from nmt.model.attention import CrossAttention, SelfAttention
from nmt.model.cache import Cache, LayerCache
from nmt.model.embedding import Embedding
from nmt.model.layers import TransformerBlock, make_norm
from nmt.model.masks import for_attention


class Memory(NamedTuple):
    """What the encoder hands to the decoder.

    states: (B, S, D).  mask: (B, S), True on real tokens; None when no row is padded.
    """

    states: Tensor
    mask: Tensor | None


def _xavier(linear: nn.Linear, parts: int = 1) -> None:
    """Glorot & Bengio 2010. A fused projection is several ones: each gets the bounds it would have alone."""
    for part in linear.weight.chunk(parts):
        nn.init.xavier_uniform_(part)
    if linear.bias is not None:
        nn.init.zeros_(linear.bias)


class Transformer(nn.Module):
    """Encoder stack, decoder stack, embeddings and output layer, tied as the configuration says.

    gradient_checkpointing: in training keep only the input of each block, and compute what is inside it again in the
    backward pass (Chen et al. 2016). Less memory, more time, the same gradients. Off; whoever trains may set it.
    """

    def __init__(self, config: ModelConfig, source_vocab_size: int, target_vocab_size: int) -> None:
        super().__init__()
        self.config = config
        self.gradient_checkpointing = False
        self.source_embedding = Embedding(config, source_vocab_size)
        self.target_embedding = Embedding(config, target_vocab_size)
        self.encoder = nn.ModuleList(
            TransformerBlock(config, cross_attention=False) for _ in range(config.encoder_layers)
        )
        self.decoder = nn.ModuleList(
            TransformerBlock(config, cross_attention=True) for _ in range(config.decoder_layers)
        )
        # Pre-norm leaves the residual stream unnormalised; a last norm closes each stack.
        pre_norm = config.norm_position == "pre"
        self.encoder_norm = make_norm(config) if pre_norm else nn.Identity()
        self.decoder_norm = make_norm(config) if pre_norm else nn.Identity()
        self.output = nn.Linear(config.d_model, target_vocab_size, bias=False)
        self._initialise()
        self._tie()

    def _initialise(self) -> None:
        """Xavier for every projection on its own, N(0, 1/D) for embeddings, zero for biases."""
        for module in self.modules():
            match module:
                case nn.Linear():
                    _xavier(module)
                case nn.Embedding():
                    nn.init.normal_(module.weight, std=self.config.d_model**-0.5)
        for module in self.modules():
            match module:
                case SelfAttention():
                    _xavier(module.queries_keys_values, parts=3)
                case CrossAttention():
                    _xavier(module.keys_values, parts=2)
        nn.init.normal_(self.output.weight, std=self.config.d_model**-0.5)

    def _tie(self) -> None:
        match self.config.tie_embeddings:
            case "none":
                pass
            case "target":
                self.output.weight = self.target_embedding.tokens.weight
            case "all":
                self.output.weight = self.target_embedding.tokens.weight
                self.source_embedding.tokens.weight = self.target_embedding.tokens.weight

    def encode(self, source: Tensor, mask: Tensor | None = None) -> Memory:
        """source: ids (B, S), each row ending in EOS.  mask: (B, S), True on real tokens; None: no padding."""
        x = self.source_embedding(source)
        for block in self.encoder:
            x = self._run(partial(block, mask=for_attention(mask)), x)
        return Memory(self.encoder_norm(x), mask)

    def decode(self, target: Tensor, memory: Memory) -> Tensor:
        """Teacher forcing: all positions at once, each seeing only the past.

        target: ids (B, T), each row starting with BOS -> final states (B, T, D); `logits` turns them into scores.
        Padding is on the right, so the causal mask already hides it from every real position.
        """
        x = self.target_embedding(target)
        mask = for_attention(memory.mask)
        for block in self.decoder:
            x = self._run(partial(block, causal=True, memory=memory.states, memory_mask=mask), x)
        return self.decoder_norm(x)

    def decode_with_attention(
        self, target: Tensor, memory: Memory, layers: Collection[int] | None = None
    ) -> tuple[Tensor, list[Tensor]]:
        """`decode`, and where it looked: states (B, T, D) and one (B, H, T, S) of probabilities for each of `layers`.

        layers: counted from 0, told in the decoder's order; all when None. Row t of a sentence belongs to the step
        that reads target[:, t] and predicts what follows it.
        """
        x = self.target_embedding(target)
        mask = for_attention(memory.mask)
        attention: list[Tensor] = []
        for index, block in enumerate(self.decoder):
            wanted = attention if layers is None or index in layers else None
            x = block(x, causal=True, memory=memory.states, memory_mask=mask, attention=wanted)
        return self.decoder_norm(x), attention

    def _run(self, block: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
        """A block on all positions at once, (B, T, D) -> (B, T, D). Computed again it draws the same dropout."""
        if self.gradient_checkpointing and self.training:
            return checkpoint(block, x, use_reentrant=False)
        return block(x)

    def logits(self, states: Tensor) -> Tensor:
        """Unnormalised log-probabilities of the next token: (..., D) -> (..., V)."""
        return self.output(states)

    def start(self, memory: Memory, beams: int, room: int) -> Cache:
        """An empty cache for K beams a sentence and up to `room` tokens; the source's keys are computed here, once."""
        sentences = memory.states.size(0)
        heads, width = self.config.num_heads, self.config.d_model // self.config.num_heads
        layers = []
        for block in self.decoder:
            shape = (sentences * beams, heads, room, width)
            assert isinstance(block, TransformerBlock)
            assert block.cross_attention is not None
            keys, values = block.cross_attention.project_memory(memory.states)
            layers.append(
                LayerCache(
                    memory.states.new_zeros(shape),
                    memory.states.new_zeros(shape),
                    keys.contiguous(),
                    values.contiguous(),
                )
            )
        return Cache(layers, memory.mask, beams)

    def step(self, tokens: Tensor, cache: Cache) -> tuple[Tensor, Cache]:
        """Decode on from a cache: tokens (N, T), usually T = 1 -> final states (N, T, D), and the longer cache."""
        x = self.target_embedding(tokens, start=cache.length)
        mask = for_attention(cache.memory_mask)
        for block, layer in zip(self.decoder, cache.layers, strict=True):
            x = block(x, memory_mask=mask, cache=layer, length=cache.length)
        cache.length += tokens.size(1)
        return self.decoder_norm(x), cache
