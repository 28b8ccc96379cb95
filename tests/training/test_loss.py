"""The loss by its definition, and gradients that do not depend on how an update is cut."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from nmt.corpus.batch import collate
from nmt.training.loss import batch_loss, batch_scores, smoothed_cross_entropy
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
