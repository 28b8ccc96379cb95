"""A packed model says what its model says, and leaves it as it is."""

import pytest
import torch
from torch import Tensor

from nmt.model import Transformer, pack
from nmt.model.packed import _LINEAR, Fp32Linear, Precision
from tests.conftest import tiny_config, tiny_model

FORMS: list[dict[str, object]] = [
    {},
    {"norm_position": "post", "activation": "gelu"},
    {"norm": "rms", "activation": "silu", "gated": True, "attention_bias": False, "ffn_bias": False},
    {"positions": "rotary", "tie_embeddings": "none"},
    {"activation": "relu", "gated": True},
]


def outputs(model: Transformer, source: Tensor, target: Tensor) -> list[Tensor]:
    """What the encoder, the whole decoder and each step say."""
    with torch.inference_mode():
        memory = model.encode(source)
        cache = model.start(memory, 1, target.size(1))
        steps = [model.logits(model.step(target[:, t : t + 1], cache)[0]) for t in range(target.size(1))]
        return [memory.states, model.logits(model.decode(target, memory)), torch.cat(steps, dim=1)]


@pytest.mark.parametrize(("rows", "threads"), [(1, 1), (1, 2), (1, 3), (2, 1), (9, 2)])
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_a_packed_model_equals_its_model(form: dict[str, object], rows: int, threads: int) -> None:
    """One row and several go different ways; a row is divided among threads where its outputs can be."""
    torch.set_num_threads(threads)
    model = tiny_model(**form)
    source, target = torch.randint(4, 320, (rows, 7)), torch.randint(4, 320, (rows, 5))
    expected, found = outputs(model, source, target), outputs(pack(model), source, target)
    for left, right in zip(expected, found, strict=True):
        torch.testing.assert_close(right, left, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(found[2], found[1], atol=1e-5, rtol=1e-5)


def test_the_weights_are_shared_and_the_model_is_left_alone() -> None:
    model = tiny_model().train()
    packed = pack(model)
    assert isinstance(packed.output, Fp32Linear)
    assert isinstance(model.output, torch.nn.Linear)
    assert not packed.training
    assert model.training
    ours = {parameter.data_ptr() for parameter in model.parameters()}
    assert {parameter.data_ptr() for parameter in packed.parameters()} == ours
    assert packed.target_embedding.tokens.weight is packed.output.linear.weight


def test_packing_again_follows_the_weights() -> None:
    model = tiny_model(tie_embeddings="none")
    states = torch.randn(3, 32)
    pack(model).logits(states)
    with torch.no_grad():
        model.output.weight.mul_(2)
    torch.testing.assert_close(pack(model).logits(states), model.logits(states), atol=1e-5, rtol=1e-5)


def test_what_is_packed_or_cannot_be_stays_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = pack(tiny_model())
    assert pack(packed) is packed
    half = Transformer(tiny_config(), 320, 320).bfloat16()
    assert pack(half) is half
    monkeypatch.setattr("nmt.model.packed._available", lambda: False)
    model = tiny_model()
    assert pack(model) is model
    assert next(pack(model, "bf16").parameters()).dtype == torch.bfloat16
    assert next(model.parameters()).dtype == torch.float32
    with pytest.raises(ValueError, match="there are no int8 products on cpu here"):
        pack(model, "int8")


@pytest.mark.parametrize(("precision", "most"), [("bf16", 0.02), ("int8", 0.04)])
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_fewer_bits_come_near(form: dict[str, object], precision: Precision, most: float) -> None:
    model = tiny_model(**form)
    source, target = torch.randint(4, 320, (9, 7)), torch.randint(4, 320, (9, 5))
    expected, found = outputs(model, source, target), outputs(pack(model, precision), source, target)
    for left, right in zip(expected, found, strict=True):
        assert right.dtype == torch.float32
        assert 1e-5 < float((right - left).norm() / left.norm()) < most


def test_integers_are_what_they_should_be() -> None:
    """The product is the one of rounded numbers, to the last bit; a row of zeros is no trouble."""
    linear = torch.nn.Linear(40, 30)
    packed = _LINEAR["int8"](linear, relu=False)
    x = torch.randn(6, 40)
    x[2] = 0.0
    steps = x.abs().amax(1, keepdim=True).clamp(min=1e-12) / 127, linear.weight.abs().amax(1, keepdim=True) / 127
    rounded = (x / steps[0]).round() * steps[0], (linear.weight / steps[1]).round() * steps[1]
    torch.testing.assert_close(packed(x), rounded[0] @ rounded[1].t() + linear.bias, atol=1e-5, rtol=1e-5)
    together = packed(x)
    for row in range(6):
        assert torch.equal(packed(x[row : row + 1]), together[row : row + 1])


def test_what_is_kept_from_inference_serves_elsewhere() -> None:
    packed = pack(tiny_model())
    states = torch.randn(1, 32)
    with torch.inference_mode():
        expected = packed.logits(states), packed.logits(states.expand(3, 32))
    found = packed.logits(states), packed.logits(states.expand(3, 32))
    torch.testing.assert_close(found, expected)
