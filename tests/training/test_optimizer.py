"""Schedules as pure functions, weight decay where it belongs, averaged weights."""

import itertools

import pytest
import torch

from nmt.config import TrainConfig
from nmt.training.optimizer import AveragedWeights, clip_gradients, ema_decay, learning_rate, make_optimizer
from tests.conftest import tiny_model


def _rates(steps: int, **settings: object) -> list[float]:
    config = TrainConfig.model_validate({"learning_rate": 1.0, "warmup_steps": 10} | settings)
    return [learning_rate(config, step, (step - 1) / steps) for step in range(1, steps + 1)]


def test_linear_rises_to_its_peak_and_falls_to_zero() -> None:
    rates = _rates(100, schedule="linear")
    assert rates[:10] == pytest.approx([step / 10 for step in range(1, 11)])
    assert max(rates) == pytest.approx(1.0)
    assert rates[10:] == pytest.approx([step / 90 for step in range(90, 0, -1)])  # a straight line, in short runs too
    assert learning_rate(TrainConfig(warmup_steps=10), 101, 1.0) == 0.0


def test_wsd_stays_up_until_the_last_fifth_and_ends_at_zero() -> None:
    rates = _rates(1000, schedule="wsd")
    assert set(rates[9:800]) == {1.0}
    assert rates[850] == pytest.approx(0.5)  # 1 - sqrt of a quarter
    assert rates[-1] < 0.01
    assert all(left >= right for left, right in itertools.pairwise(rates[9:]))


def test_cosine_is_half_way_in_the_middle() -> None:
    rates = _rates(1000, schedule="cosine", warmup_steps=0)
    assert rates[500] == pytest.approx(0.5, abs=0.01)
    assert rates[-1] == pytest.approx(0.0, abs=1e-4)


def test_inverse_square_root_halves_at_four_times_the_warmup() -> None:
    rates = _rates(100, schedule="inverse_sqrt")
    assert rates[9] == pytest.approx(1.0)
    assert rates[39] == pytest.approx(0.5)


def test_constant_stays() -> None:
    assert set(_rates(50, schedule="constant")[9:]) == {1.0}


@pytest.mark.parametrize("schedule", ["linear", "cosine", "inverse_sqrt", "wsd", "constant"])
@pytest.mark.parametrize("warmup", [0, 1, 10, 500])
def test_every_rate_is_between_zero_and_the_peak(schedule: str, warmup: int) -> None:
    assert all(0 <= rate <= 1 for rate in _rates(100, schedule=schedule, warmup_steps=warmup))


def test_ema_is_short_at_first_and_never_over_five_percent_of_the_run() -> None:
    config = TrainConfig(ema_decay=0.998)
    assert ema_decay(config, 1, 10_000) == pytest.approx(1 / 21)
    assert ema_decay(config, 10_000, 10_000) == pytest.approx(0.998)
    assert 1 / (1 - ema_decay(config, 1000, 1000)) == pytest.approx(50)


def test_decay_spares_norms_biases_and_embeddings() -> None:
    model = tiny_model(positions="learned", tie_embeddings="target")
    optimizer = make_optimizer(model, TrainConfig(weight_decay=0.1))
    decayed = {id(p) for group in optimizer.param_groups if group["weight_decay"] for p in group["params"]}
    spared = {id(p) for group in optimizer.param_groups if not group["weight_decay"] for p in group["params"]}
    named = dict(model.named_parameters())
    assert {name for name in named if id(named[name]) in decayed} == {
        name for name in named if name.endswith("weight") and "norm" not in name and "embedding" not in name
    }
    assert len(decayed) + len(spared) == len(named)


def test_averaged_weights_follow_the_formula_and_swap_back() -> None:
    model = torch.nn.Linear(2, 2)
    first = model.weight.detach().clone()
    average = AveragedWeights(model)
    with torch.no_grad():
        model.weight.add_(1.0)
    live = model.weight.detach().clone()
    average.update(0.9)
    average.swap()
    assert torch.allclose(model.weight, 0.9 * first + 0.1 * live)
    average.swap()
    assert torch.equal(model.weight, live)


def test_clipping_scales_to_the_norm_or_leaves_alone() -> None:
    model = torch.nn.Linear(3, 3)
    for limit, expected in ((0.5, 0.5), (0.0, 6.0), (100.0, 6.0)):
        for parameter in model.parameters():
            parameter.grad = torch.ones_like(parameter) * (6.0 / 12**0.5)
        assert clip_gradients(model, limit).item() == pytest.approx(6.0, rel=1e-4)
        norm = torch.cat([p.grad.flatten() for p in model.parameters()]).norm().item()  # type: ignore[union-attr]
        assert norm == pytest.approx(expected, rel=1e-4)
