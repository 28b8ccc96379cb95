"""The whole network: cache against full forward, masks, positions, tying, dropout."""

import math

import pytest
import torch

from nmt.model import Transformer
from nmt.model.attention import rotate
from nmt.model.embedding import Embedding, sinusoidal_positions
from nmt.model.layers import Dropout, TokenDropout
from nmt.model.masks import causal_mask, padding_mask
from tests.conftest import tiny_config, tiny_model

FORMS = [
    {"positions": positions, "norm_position": position, "norm": norm}
    for positions in ("sinusoidal", "learned", "rotary")
    for position in ("pre", "post")
    for norm in ("layer", "rms")
]


def _source() -> tuple[torch.Tensor, torch.Tensor]:
    return torch.randint(4, 320, (3, 7)), padding_mask(torch.tensor([7, 5, 2]), 7)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: "-".join(form.values()))
def test_cached_steps_equal_the_full_forward(form: dict[str, object]) -> None:
    model = tiny_model(**form)
    source, mask = _source()
    target = torch.randint(4, 320, (3, 6))
    memory = model.encode(source, mask)
    full = model.decode(target, memory)
    cache = model.start(memory, beams=1, room=6)
    for step in range(6):
        states, cache = model.step(target[:, step : step + 1], cache)
        assert torch.allclose(states[:, 0], full[:, step], atol=1e-5)


def test_a_prefix_in_one_step_equals_the_full_forward() -> None:
    model = tiny_model(positions="rotary")
    memory = model.encode(*_source())
    target = torch.randint(4, 320, (3, 6))
    cache = model.start(memory, beams=1, room=6)
    first, cache = model.step(target[:, :2], cache)
    rest, cache = model.step(target[:, 2:], cache)
    assert torch.allclose(torch.cat([first, rest], 1), model.decode(target, memory), atol=1e-5)


def test_beams_share_their_sentence_but_not_their_past() -> None:
    model = tiny_model()
    source, mask = _source()
    memory = model.encode(source, mask)
    target = torch.randint(4, 320, (6, 5))  # two beams a sentence, each with its own past
    cache = model.start(memory, beams=2, room=5)
    for step in range(5):
        states, cache = model.step(target[:, step : step + 1], cache)
    for row in range(6):
        sentence = row // 2
        alone = model.decode(
            target[row : row + 1], model.encode(source[sentence : sentence + 1], mask[sentence : sentence + 1])
        )
        assert torch.allclose(states[row, 0], alone[0, -1], atol=1e-5)


def test_reorder_and_keep_move_the_past_along() -> None:
    model = tiny_model()
    memory = model.encode(*_source())
    target = torch.randint(4, 320, (6, 3))
    cache = model.start(memory, beams=2, room=5)
    _, cache = model.step(target, cache)
    cache.reorder(torch.tensor([1, 0, 3, 3, 4, 5]))
    cache = cache.keep(torch.tensor([0, 2]))
    token = torch.full((4, 1), 9)
    states, _ = model.step(token, cache)
    rows, sentences = [1, 0, 4, 5], [0, 0, 2, 2]
    for index, (row, sentence) in enumerate(zip(rows, sentences, strict=True)):
        past = torch.cat([target[row : row + 1], token[:1]], 1)
        one = type(memory)(memory.states[sentence : sentence + 1], memory.mask[sentence : sentence + 1])  # type: ignore[index]
        assert torch.allclose(states[index, 0], model.decode(past, one)[0, -1], atol=1e-5)


@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "rotary"])
def test_padding_changes_nothing(positions: str) -> None:
    model = tiny_model(positions=positions)
    source, target = torch.randint(4, 320, (1, 5)), torch.randint(4, 320, (1, 4))
    alone = model.decode(target, model.encode(source))
    wide = torch.cat([source, torch.ones(1, 6, dtype=torch.long)], 1)
    padded = model.decode(torch.cat([target, torch.ones(1, 3, dtype=torch.long)], 1), model.encode(wide, wide != 1))
    assert torch.allclose(alone, padded[:, :4], atol=1e-5)
    unmasked = model.decode(target, model.encode(wide))  # in a batch the padding mask is needed
    assert not torch.allclose(alone, unmasked, atol=1e-3)


def test_the_future_is_hidden() -> None:
    model = tiny_model()
    memory = model.encode(*_source())
    target = torch.randint(4, 320, (3, 6))
    changed = target.clone()
    changed[:, 4:] = 5
    assert torch.equal(model.decode(target, memory)[:, :4], model.decode(changed, memory)[:, :4])
    assert not torch.equal(model.decode(target, memory)[:, 4:], model.decode(changed, memory)[:, 4:])


def test_causal_mask_is_lower_triangular() -> None:
    assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]


@pytest.mark.parametrize(("tied", "matrices"), [("none", 3), ("target", 2), ("all", 1)])
def test_tying(tied: str, matrices: int) -> None:
    model = tiny_model(tie_embeddings=tied)
    weights = {model.source_embedding.tokens.weight, model.target_embedding.tokens.weight, model.output.weight}
    assert len(weights) == matrices


def test_sinusoids_are_those_of_m2m100() -> None:
    table = sinusoidal_positions(10, 8)
    for position in range(10):
        for i in range(4):
            angle = (position + 2) * 10000 ** (-i / 3)
            assert table[position, i].item() == pytest.approx(math.sin(angle), abs=1e-6)
            assert table[position, i + 4].item() == pytest.approx(math.cos(angle), abs=1e-6)


def test_rotary_scores_depend_on_distance_only() -> None:
    query, key = torch.randn(1, 1, 1, 8), torch.randn(1, 1, 1, 8)

    def score(left: int, right: int) -> float:
        return float((rotate(query, torch.tensor([left])) * rotate(key, torch.tensor([right]))).sum())

    assert score(3, 1) == pytest.approx(score(12, 10), abs=1e-4)
    assert score(3, 1) != pytest.approx(score(3, 2), abs=1e-4)


def test_initial_weights_of_fused_projections_have_the_bounds_of_single_ones() -> None:
    model = tiny_model()
    bound = math.sqrt(6 / (32 + 32))
    for weight in (
        model.decoder[0].self_attention.queries_keys_values.weight,  # type: ignore[union-attr]
        model.decoder[0].cross_attention.keys_values.weight,  # type: ignore[union-attr]
    ):
        assert bound * 0.95 < weight.abs().max().item() <= bound  # type: ignore[union-attr]


class TestDropout:
    def test_keeps_the_mean_and_drops_the_share(self) -> None:
        dropout = Dropout(0.3).train()
        result = dropout(torch.ones(1000, 1001))
        assert (result == 0).float().mean().item() == pytest.approx(0.3, abs=0.005)
        assert result.mean().item() == pytest.approx(1.0, abs=0.005)

    def test_every_byte_of_the_random_words_is_fair(self) -> None:
        """random_() without bounds never sets the sign bit, so every eighth element would be dropped too often."""
        result = Dropout(0.5).train()(torch.ones(80_000, 8))
        assert (result == 0).float().mean(0).tolist() == pytest.approx([0.5] * 8, abs=0.01)

    def test_is_the_identity_in_evaluation_and_at_zero(self) -> None:
        x = torch.randn(5)
        assert Dropout(0.3).eval()(x) is x
        assert Dropout(0.0).train()(x) is x

    def test_follows_the_seed(self) -> None:
        dropout = Dropout(0.5).train()
        torch.manual_seed(3)
        first = dropout(torch.ones(64))
        torch.manual_seed(3)
        assert torch.equal(first, dropout(torch.ones(64)))

    def test_gradient_passes_where_it_kept(self) -> None:
        x = torch.ones(512, requires_grad=True)
        kept = Dropout(0.25).train()(x)
        kept.sum().backward()
        assert torch.equal(x.grad, kept.detach())

    def test_a_probability_that_rounds_to_none_still_drops(self) -> None:
        result = Dropout(0.001).train()(torch.ones(200_000))
        assert 0 < (result == 0).sum() < 1000


class TestTokenDropout:
    def test_drops_the_share_of_tokens_each_as_a_whole_and_scales_the_others(self) -> None:
        result = TokenDropout(0.25).train()(torch.ones(300, 301, 8))
        dropped = (result == 0).all(-1)
        assert torch.equal(dropped, (result == 0).any(-1))
        assert dropped.float().mean().item() == pytest.approx(0.25, abs=0.005)
        assert result[~dropped].unique().tolist() == pytest.approx([4 / 3])

    def test_neither_sentences_nor_positions_nor_words_share_their_fate(self) -> None:
        embedding = Embedding(tiny_config(token_dropout=0.5, positions="rotary"), 320).train()
        dropped = (embedding(torch.full((400, 40), 7)) == 0).all(-1).float()
        for share in (dropped.mean(0), dropped.mean(1)):
            assert share.min() > 0.1
            assert share.max() < 0.9

    @pytest.mark.parametrize("positions", ["sinusoidal", "learned"])
    def test_a_dropped_token_leaves_its_position(self, positions: str) -> None:
        embedding = Embedding(tiny_config(token_dropout=0.5, positions=positions), 320).train()
        table = embedding.positions if embedding.learned is None else embedding.learned.weight
        assert table is not None
        result = embedding(torch.randint(4, 320, (50, 6)))
        share = (result == table[:6]).all(-1).float().mean().item()
        assert share == pytest.approx(0.5, abs=0.1)

    def test_works_on_both_sides(self) -> None:
        model = tiny_model(token_dropout=0.5, positions="rotary").train()
        ids = torch.randint(4, 320, (20, 20))
        for embedding in (model.source_embedding, model.target_embedding):
            assert (embedding(ids) == 0).all(-1).float().mean().item() == pytest.approx(0.5, abs=0.15)

    def test_is_the_identity_in_evaluation_and_at_zero(self) -> None:
        x = torch.randn(5, 3, 8)
        before = torch.get_rng_state()
        assert TokenDropout(0.3).eval()(x) is x
        assert TokenDropout(0.0).train()(x) is x
        assert torch.equal(torch.get_rng_state(), before)
        ids = torch.randint(4, 320, (3, 7))
        plain, dropping = tiny_model(), tiny_model(token_dropout=0.3)
        dropping.load_state_dict(plain.state_dict())
        assert torch.equal(dropping.decode(ids, dropping.encode(ids)), plain.decode(ids, plain.encode(ids)))

    def test_gradient_passes_where_it_kept(self) -> None:
        x = torch.ones(64, 65, 4, requires_grad=True)
        kept = TokenDropout(0.5).train()(x)
        kept.sum().backward()
        assert torch.equal(x.grad, kept.detach())


class TestGradientCheckpointing:
    @staticmethod
    def _gradients(model: Transformer, checkpointing: bool) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """Final states and gradients of one training step, always with the same dropout."""
        model.train()
        model.gradient_checkpointing = checkpointing
        source, mask = _source()
        target = torch.randint(4, 320, (3, 6))
        model.zero_grad()
        torch.manual_seed(5)
        states = model.decode(target, model.encode(source, mask))
        model.logits(states).square().sum().backward()
        return states.detach(), {name: p.grad for name, p in model.named_parameters() if p.grad is not None}

    @pytest.mark.parametrize("form", [{}, {"norm_position": "post"}, {"attention_dropout": 0.2, "positions": "rotary"}])
    def test_changes_neither_dropout_nor_gradients(self, form: dict[str, object]) -> None:
        model = tiny_model(dropout=0.3, activation_dropout=0.2, **form)
        torch.manual_seed(1)
        states, expected = self._gradients(model, False)
        after = torch.get_rng_state()
        torch.manual_seed(1)
        again, gradients = self._gradients(model, True)
        assert torch.equal(again, states)
        assert gradients.keys() == expected.keys() == dict(model.named_parameters()).keys()
        for name, gradient in gradients.items():
            assert torch.equal(gradient, expected[name]), name
        assert torch.equal(torch.get_rng_state(), after)

    @staticmethod
    def _saved(layers: int, checkpointing: bool) -> int:
        """Bytes that the forward pass keeps for the backward pass, weights not counted."""
        model = tiny_model(dropout=0.3, encoder_layers=layers, decoder_layers=layers).train()
        model.gradient_checkpointing = checkpointing
        kept: dict[int, torch.Tensor] = {}  # by address; held, so that none is used twice

        def keep(x: torch.Tensor) -> torch.Tensor:
            kept[x.untyped_storage().data_ptr()] = x
            return x

        ids = torch.randint(4, 320, (8, 16))
        with torch.autograd.graph.saved_tensors_hooks(keep, lambda x: x):
            states = model.decode(ids, model.encode(ids))
        assert states.requires_grad
        weights = {p.untyped_storage().data_ptr() for p in model.parameters()}
        return sum(x.untyped_storage().nbytes() for address, x in kept.items() if address not in weights)

    def test_a_block_keeps_its_input_only(self) -> None:
        one_input = 8 * 16 * 32 * 4
        assert self._saved(3, True) - self._saved(2, True) == 2 * one_input
        assert self._saved(3, False) - self._saved(2, False) > 20 * one_input
        assert self._saved(3, True) < self._saved(3, False) / 5

    def test_is_for_training_only(self, monkeypatch: pytest.MonkeyPatch) -> None:
        model = tiny_model()
        model.gradient_checkpointing = True
        monkeypatch.setattr("nmt.model.transformer.checkpoint", None)
        ids = torch.randint(4, 320, (3, 6))
        model.decode(ids, model.encode(ids))


@pytest.mark.parametrize("position", ["pre", "post"])
def test_attention_comes_with_the_same_states_and_leaves_nothing_behind(position: str) -> None:
    model = tiny_model(norm_position=position)
    source, mask = _source()
    target = torch.randint(4, 320, (3, 6))
    memory = model.encode(source, mask)
    before = {name: dict(module.__dict__) for name, module in model.named_modules()}
    states, attention = model.decode_with_attention(target, memory)
    assert {name: dict(module.__dict__) for name, module in model.named_modules()} == before
    assert torch.equal(states, model.decode(target, memory))
    assert [part.shape for part in attention] == [(3, 4, 6, 7)] * 2
    for part in attention:
        assert torch.allclose(part.sum(-1), torch.ones(3, 4, 6))
        assert (part.masked_select(~mask[:, None, None, :]) == 0).all()
        assert (part[mask[:, None, None, :].expand_as(part)] > 0).all()
    _, last = model.decode_with_attention(target, memory, [1])
    assert len(last) == 1
    assert torch.equal(last[0], attention[1])
    _, unmasked = model.decode_with_attention(target[:1], model.encode(source[:1]))
    assert torch.allclose(unmasked[1], attention[1][:1], atol=1e-6)
