"""The loss by its definition, and gradients that do not depend on how an update is cut."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from nmt.corpus.batch import collate
from nmt.model.layers import Dropout
from nmt.training.loss import batch_loss, batch_scores, smoothed_cross_entropy, two_passes
from tests.conftest import tiny_model


def _rows(lengths: list[int], seed: int) -> list[np.ndarray]:
    random = np.random.default_rng(seed)
    return [random.integers(4, 320, length) for length in lengths]


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.3])
def test_label_smoothing_by_its_definition(smoothing: float) -> None:
    states, weight = torch.randn(7, 16), torch.randn(30, 16)
    target = torch.randint(0, 30, (7,))
    log_probs = F.log_softmax(states @ weight.T, -1)
    expected = -((1 - smoothing) * log_probs[torch.arange(7), target] + smoothing * log_probs.mean(-1)).sum()
    assert smoothed_cross_entropy(states, weight, target, smoothing).item() == pytest.approx(expected.item(), rel=1e-5)


def test_without_the_fused_loss_of_new_torch_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    states, weight, target = torch.randn(7, 16), torch.randn(30, 16), torch.randint(0, 30, (7,))
    fused = smoothed_cross_entropy(states, weight, target, 0.1)
    monkeypatch.delattr(F, "linear_cross_entropy", raising=False)
    assert smoothed_cross_entropy(states, weight, target, 0.1).item() == pytest.approx(fused.item(), rel=1e-5)


def test_padding_counts_for_nothing() -> None:
    model = tiny_model()
    source, target = _rows([3, 9], 0), _rows([8, 2], 1)
    both = batch_loss(model, collate(source, target), 0.1)
    single = [batch_loss(model, collate([s], [t]), 0.1) for s, t in zip(source, target, strict=True)]
    assert both.tokens == 12
    assert both.loss.item() == pytest.approx(sum(one.loss.item() for one in single), rel=1e-5)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_micro_batches_add_up_to_the_gradients_of_one_batch(smoothing: float) -> None:
    """T11: the divisor is the tokens of the whole update, however it is cut."""
    model = tiny_model()
    source, target = _rows([4, 7, 2, 11], 2), _rows([1, 9, 3, 5], 3)
    whole = batch_loss(model, collate(source, target), smoothing)
    (whole.loss / whole.tokens).backward()
    expected = [p.grad.clone() for p in model.parameters()]  # type: ignore[union-attr]
    model.zero_grad()
    for part in (slice(0, 1), slice(1, 4)):
        (batch_loss(model, collate(source[part], target[part]), smoothing).loss / whole.tokens).backward()
    for parameter, gradient in zip(model.parameters(), expected, strict=True):
        assert torch.allclose(parameter.grad, gradient, atol=1e-5)  # type: ignore[arg-type]


def test_unequal_micro_batches_weigh_by_their_tokens() -> None:
    """T11: 2 tokens at loss 4 and 6 at loss 1 are 1.75 a token, not the 2.5 of two averages."""
    assert (2 * 4.0 + 6 * 1.0) / (2 + 6) == 1.75
    model = tiny_model()
    short, long = collate(_rows([3], 4), _rows([1], 5)), collate(_rows([3], 6), _rows([5], 7))
    together = collate([*_rows([3], 4), *_rows([3], 6)], [*_rows([1], 5), *_rows([5], 7)])
    parts = [batch_loss(model, batch, 0.0) for batch in (short, long)]
    mean = sum(part.loss.item() for part in parts) / sum(part.tokens for part in parts)
    whole = batch_loss(model, together, 0.0)
    assert whole.loss.item() / whole.tokens == pytest.approx(mean, rel=1e-5)


def test_dev_scores_are_plain_log_probabilities() -> None:
    model = tiny_model()
    batch = collate(_rows([3, 6], 8), _rows([5, 2], 9))
    nll, right = batch_scores(model, batch)
    assert nll == pytest.approx(batch_loss(model, batch, 0.0).loss.item(), rel=1e-5)
    logits = model.logits(model.decode(batch.target_in, model.encode(batch.source, batch.source_mask)))
    real = batch.target_out != 1
    assert right == int((logits.argmax(-1) == batch.target_out)[real].sum())


def _gradients(model: torch.nn.Module, loss: torch.Tensor) -> list[torch.Tensor]:
    model.zero_grad()
    loss.backward()
    return [p.grad.clone() for p in model.parameters()]  # type: ignore[union-attr]


class TestRDrop:
    @staticmethod
    def _naive(
        first: torch.Tensor, second: torch.Tensor, target: torch.Tensor, smoothing: float
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of two passes, (M, V) -> cross-entropy and divergence, term by term."""
        log_p, log_q = first.log_softmax(-1), second.log_softmax(-1)
        cross_entropies = [
            -((1 - smoothing) * log[torch.arange(len(target)), target] + smoothing * log.mean(-1)).sum()
            for log in (log_p, log_q)
        ]
        forward = (log_p.exp() * (log_p - log_q)).sum()
        backward = F.kl_div(log_p, log_q.exp(), reduction="sum")
        return sum(cross_entropies) / 2, 0.5 * (forward + backward)  # type: ignore[return-value]

    @pytest.mark.parametrize("at_once", [512, 3, 1])
    def test_by_its_definition_however_many_rows_at_once(self, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("nmt.training.loss.ROWS_AT_ONCE", at_once)
        shapes = ((7, 16), (7, 16), (30, 16))
        first, second, weight = (torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes)
        target = torch.randint(0, 30, (7,))
        expected = self._naive(first @ weight.T, second @ weight.T, target, 0.1)
        result = two_passes(first, second, weight, target, 0.1)
        for value, wanted in zip(result, expected, strict=True):
            assert value.item() == pytest.approx(wanted.item(), rel=1e-12)
        gradients, right = (torch.autograd.grad(x + 3 * y, (first, second, weight)) for x, y in (result, expected))
        for gradient, one in zip(gradients, right, strict=True):
            assert torch.allclose(gradient, one, atol=1e-12)

    def test_of_a_model_by_hand(self) -> None:
        """A padded batch, twice through the model, with dropout; all in float64."""
        model = tiny_model(dropout=0.3).double().train()
        batch = collate(_rows([3, 9, 4], 0), _rows([8, 2, 5], 1))
        assert batch.source_mask is not None
        torch.manual_seed(7)
        result = batch_loss(model, batch, 0.1, r_drop=5.0)
        torch.manual_seed(7)
        source, mask, target = (torch.cat([x, x]) for x in (batch.source, batch.source_mask, batch.target_in))
        logits = model.logits(model.decode(target, model.encode(source, mask)))
        real = batch.target_out != 1
        first, second = logits[:3][real], logits[3:][real]
        cross_entropy, divergence = self._naive(first, second, batch.target_out[real], 0.1)
        assert divergence > 1e-3 * cross_entropy
        assert result.loss.item() == pytest.approx((cross_entropy + 2.5 * divergence).item(), rel=1e-10)
        assert result.cross_entropy.item() == pytest.approx(cross_entropy.item(), rel=1e-10)
        assert not result.cross_entropy.requires_grad
        assert result.tokens == batch.tokens == 18

    def test_without_dropout_it_is_the_plain_loss(self) -> None:
        model = tiny_model().train()
        batch = collate(_rows([3, 9], 0), _rows([8, 2], 1))
        plain, doubled = batch_loss(model, batch, 0.1), batch_loss(model, batch, 0.1, r_drop=5.0)
        assert doubled.loss.item() == pytest.approx(plain.loss.item(), rel=1e-6)
        assert doubled.tokens == plain.tokens
        for left, right in zip(_gradients(model, plain.loss), _gradients(model, doubled.loss), strict=True):
            assert torch.allclose(left, right, atol=1e-4)

    def test_micro_batches_add_up_to_the_gradients_of_one_batch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """With a dropout that is no chance, but another one in the second pass."""

        def halve_the_second_pass(_: Dropout, x: torch.Tensor, residual: torch.Tensor | None = None) -> torch.Tensor:
            factors = torch.ones(x.size(0), 1, 1)
            factors[x.size(0) // 2 :] = 0.5
            return x * factors if residual is None else residual + x * factors

        monkeypatch.setattr(Dropout, "forward", halve_the_second_pass)
        model = tiny_model()
        source, target = _rows([4, 7, 2, 11], 2), _rows([1, 9, 3, 5], 3)
        whole = batch_loss(model, collate(source, target), 0.1, r_drop=5.0)
        assert whole.loss > 1.01 * whole.cross_entropy
        expected = _gradients(model, whole.loss / whole.tokens)
        parts = [batch_loss(model, collate(source[s], target[s]), 0.1, 5.0) for s in (slice(0, 1), slice(1, 4))]
        assert sum(part.tokens for part in parts) == whole.tokens
        gradients = _gradients(model, sum(part.loss / whole.tokens for part in parts))  # type: ignore[arg-type]
        for gradient, right in zip(gradients, expected, strict=True):
            assert torch.allclose(gradient, right, atol=1e-5)

    def test_at_zero_everything_is_as_without_it(self) -> None:
        model = tiny_model(dropout=0.3).train()
        batch = collate(_rows([3, 9], 0), _rows([8, 2], 1))
        torch.manual_seed(7)
        result = batch_loss(model, batch, 0.1, r_drop=0.0)
        after = torch.get_rng_state()
        gradients = _gradients(model, result.loss)
        torch.manual_seed(7)
        states = model.decode(batch.target_in, model.encode(batch.source, batch.source_mask))
        real = batch.target_out != 1
        loss = smoothed_cross_entropy(states[real], model.output.weight, batch.target_out[real], 0.1)
        assert torch.equal(result.loss, loss)
        assert torch.equal(result.cross_entropy, loss)
        assert torch.equal(after, torch.get_rng_state())
        for left, right in zip(gradients, _gradients(model, loss), strict=True):
            assert torch.equal(left, right)

    def test_is_summed_in_float32_whatever_the_products_are_in(self) -> None:
        first, weight = torch.randn(40, 16), torch.randn(300, 16)
        second, target = first + 0.1 * torch.randn(40, 16), torch.randint(0, 300, (40,))
        exact = two_passes(first, second, weight, target, 0.1)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            coarse = two_passes(first, second, weight, target, 0.1)
        for value, right in zip(coarse, exact, strict=True):
            assert value.dtype == torch.float32
            assert value.item() == pytest.approx(right.item(), rel=0.01)

    def test_keeps_no_logits(self) -> None:
        rows, vocab_size = 50, 1000
        first, second = (torch.randn(rows, 16, requires_grad=True) for _ in range(2))
        weight = torch.randn(vocab_size, 16, requires_grad=True)
        kept: list[torch.Tensor] = []
        with torch.autograd.graph.saved_tensors_hooks(lambda x: kept.append(x) or x, lambda x: x):  # type: ignore[func-returns-value]
            two_passes(first, second, weight, torch.randint(0, vocab_size, (rows,)), 0.1)
        assert kept
        assert max(x.numel() for x in kept) < rows * vocab_size / 2
