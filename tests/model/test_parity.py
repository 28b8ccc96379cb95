"""Our blocks against torch.nn's own, with the same weights."""

import pytest
import torch
from torch import nn

from nmt.config import ModelConfig
from nmt.model.layers import TransformerBlock
from nmt.model.masks import causal_mask, for_attention, padding_mask
from tests.conftest import tiny_config

NORMS = {"norm1": "self_attention_norm", "norm2": "cross_attention_norm", "norm3": "feed_forward_norm"}


def _copy(ours: TransformerBlock, theirs: nn.Module) -> None:
    """Give our block the weights of torch's."""
    with torch.no_grad():
        state = theirs.state_dict()
        own = ours.state_dict()
        own["self_attention.queries_keys_values.weight"] = state["self_attn.in_proj_weight"]
        own["self_attention.queries_keys_values.bias"] = state["self_attn.in_proj_bias"]
        for kind in ("weight", "bias"):
            own[f"self_attention.output.{kind}"] = state[f"self_attn.out_proj.{kind}"]
            own[f"feed_forward.up.{kind}"] = state[f"linear1.{kind}"]
            own[f"feed_forward.down.{kind}"] = state[f"linear2.{kind}"]
            own[f"self_attention_norm.{kind}"] = state[f"norm1.{kind}"]
            if ours.cross_attention is None:
                own[f"feed_forward_norm.{kind}"] = state[f"norm2.{kind}"]
                continue
            own[f"cross_attention_norm.{kind}"] = state[f"norm2.{kind}"]
            own[f"feed_forward_norm.{kind}"] = state[f"norm3.{kind}"]
            projection = state[f"multihead_attn.in_proj_{kind}"]
            own[f"cross_attention.queries.{kind}"] = projection[:32]
            own[f"cross_attention.keys_values.{kind}"] = projection[32:]
            own[f"cross_attention.output.{kind}"] = state[f"multihead_attn.out_proj.{kind}"]
        ours.load_state_dict(own)


def _randomise(module: nn.Module) -> None:
    """Biases and norms away from 0 and 1, where a mistake would not show."""
    for parameter in module.parameters():
        if parameter.dim() == 1:
            nn.init.normal_(parameter, 0.5, 0.5)


@pytest.mark.parametrize("position", ["pre", "post"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_encoder_block_equals_torch(position: str, activation: str) -> None:
    config = tiny_config(norm_position=position, activation=activation)
    ours = TransformerBlock(config, cross_attention=False).eval()
    theirs = nn.TransformerEncoderLayer(
        32, 4, 64, 0.0, activation, batch_first=True, norm_first=position == "pre"
    ).eval()
    _randomise(theirs)
    _copy(ours, theirs)
    x, real = torch.randn(3, 7, 32), padding_mask(torch.tensor([7, 4, 1]), 7)
    expected = theirs(x, src_key_padding_mask=~real)
    got = ours(x, mask=for_attention(real))
    assert torch.allclose(got[real], expected[real], atol=1e-5)


@pytest.mark.parametrize("position", ["pre", "post"])
def test_decoder_block_equals_torch(position: str) -> None:
    ours = TransformerBlock(tiny_config(norm_position=position), cross_attention=True).eval()
    theirs = nn.TransformerDecoderLayer(32, 4, 64, 0.0, batch_first=True, norm_first=position == "pre").eval()
    _randomise(theirs)
    _copy(ours, theirs)
    x, memory = torch.randn(3, 5, 32), torch.randn(3, 7, 32)
    real = padding_mask(torch.tensor([7, 4, 1]), 7)
    expected = theirs(x, memory, tgt_mask=~causal_mask(5), memory_key_padding_mask=~real)
    got = ours(x, causal=True, memory=memory, memory_mask=for_attention(real))
    assert torch.allclose(got, expected, atol=1e-5)


def test_the_causal_flag_is_the_causal_mask() -> None:
    block = TransformerBlock(tiny_config(), cross_attention=False).eval()
    x = torch.randn(2, 6, 32)
    assert torch.allclose(block(x, causal=True), block(x, mask=causal_mask(6)), atol=1e-6)


def test_rms_norm_by_its_definition() -> None:
    block = TransformerBlock(tiny_config(norm="rms", norm_eps=1e-6), cross_attention=False)
    x = torch.randn(2, 3, 32)
    expected = x / (x.pow(2).mean(-1, keepdim=True) + 1e-6).sqrt()
    assert torch.allclose(block.self_attention_norm(x), expected, atol=1e-6)


def test_gated_feed_forward_by_its_definition() -> None:
    feed_forward = TransformerBlock(tiny_config(gated=True, activation="silu"), cross_attention=False).feed_forward
    x = torch.randn(2, 3, 32)
    gate, up = x @ feed_forward.gate.weight.T + feed_forward.gate.bias, x @ feed_forward.up.weight.T  # type: ignore[union-attr]
    hidden = gate * torch.sigmoid(gate) * (up + feed_forward.up.bias)
    assert torch.allclose(feed_forward(x), hidden @ feed_forward.down.weight.T + feed_forward.down.bias, atol=1e-5)


def test_gelu_tanh_is_the_tanh_form() -> None:
    feed_forward = TransformerBlock(tiny_config(activation="gelu_tanh"), cross_attention=False).feed_forward
    x = torch.linspace(-3, 3, 50)
    expected = 0.5 * x * (1 + torch.tanh((2 / torch.pi) ** 0.5 * (x + 0.044715 * x**3)))
    assert torch.allclose(feed_forward.activation(x), expected, atol=1e-6)
    assert not torch.allclose(feed_forward.activation(x), nn.functional.gelu(x), atol=1e-6)


def test_parameter_count_of_a_known_block() -> None:
    """Bias-free attention 4 * 256^2, feed-forward 2 * 256 * 1024 + 1024 + 256, two RMS norms of 256."""
    config = ModelConfig(d_model=256, num_heads=8, d_ff=1024, norm="rms", attention_bias=False)
    block = TransformerBlock(config, cross_attention=False)
    assert sum(parameter.numel() for parameter in block.parameters()) == 788_224


def test_cross_attention_without_memory_is_a_named_error() -> None:
    block = TransformerBlock(tiny_config(), cross_attention=True)
    with pytest.raises(ValueError, match="cross-attention and needs memory"):
        block(torch.randn(1, 2, 32), causal=True)


@pytest.mark.parametrize("position", ["pre", "post"])
def test_cross_attention_weights_equal_torchs(position: str) -> None:
    """Of every head, through the whole block: torch is asked for them with the block's own input."""
    ours = TransformerBlock(tiny_config(norm_position=position), cross_attention=True).eval()
    theirs = nn.TransformerDecoderLayer(32, 4, 64, 0.0, batch_first=True, norm_first=position == "pre").eval()
    _randomise(theirs)
    _copy(ours, theirs)
    x, memory = torch.randn(3, 5, 32), torch.randn(3, 7, 32)
    real = padding_mask(torch.tensor([7, 4, 1]), 7)
    seen: list[torch.Tensor] = []

    def remember(_: nn.Module, args: tuple[torch.Tensor, ...]) -> None:
        seen.append(args[0])

    theirs.multihead_attn.register_forward_pre_hook(remember)
    theirs(x, memory, tgt_mask=~causal_mask(5), memory_key_padding_mask=~real)
    _, expected = theirs.multihead_attn(
        seen[0], memory, memory, key_padding_mask=~real, need_weights=True, average_attn_weights=False
    )
    told: list[torch.Tensor] = []
    ours(x, causal=True, memory=memory, memory_mask=for_attention(real), attention=told)
    assert len(told) == 1
    assert told[0].shape == (3, 4, 5, 7)
    assert torch.allclose(told[0], expected, atol=1e-6)
