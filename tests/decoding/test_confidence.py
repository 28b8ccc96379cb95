"""Confidence: the fit is the optimum, its figures are what they say, and what cannot be learnt is not claimed."""

import json
import math

import numpy as np
import pytest

from nmt.decoding.confidence import (
    FEATURES,
    L2,
    Confidence,
    HeldOut,
    _calibration_error,
    _logistic,
    _rank_correlation,
    features,
    fit,
)


def sentences(count: int, seed: int = 0, signal: float = 1.0) -> tuple[list[list[float]], list[float]]:
    """Token log-probabilities, and a chrF that grows with their mean, `signal` to noise."""
    chance = np.random.default_rng(seed)
    rows, scores = [], []
    for _ in range(count):
        ease = chance.normal()
        row = -np.exp(chance.normal(-1.0 - 0.7 * ease, 0.6, size=chance.integers(2, 30)))
        rows.append(row.tolist())
        scores.append(float(np.clip(50 + 15 * (signal * ease + chance.normal()), 0, 100)))
    return rows, scores


def test_the_features_are_what_they_are_named() -> None:
    row = [-0.1, -2.0, -0.3, -1.0, -0.2]
    values = dict(zip(FEATURES, features(row), strict=True))
    assert values == pytest.approx(
        {
            "mean": -0.72,
            "lowest": -2.0,
            "mean of the lowest quarter": -1.5,
            "share of unsure tokens": 0.4,
            "log of the length": math.log(5),
        }
    )


def test_newton_finds_the_optimum() -> None:
    """The gradient there is nothing, also for classes that a line separates and that unpenalised would run away."""
    chance = np.random.default_rng(2)
    table = chance.normal(size=(200, 3))
    for good in ((table @ [1.0, -2.0, 0.0] + chance.logistic(size=200) > 0), table[:, 0] > 0, table[:, 0] > 2.4):
        good = good.astype(float)
        weights = _logistic(table, good)
        chances = 1 / (1 + np.exp(-(weights[0] + table @ weights[1:])))
        assert abs(float(np.sum(chances - good))) < 1e-5
        assert np.abs(table.T @ (chances - good) + L2 * weights[1:]).max() < 1e-5


def test_what_the_tokens_know_is_learnt_and_told() -> None:
    fitted = fit(*sentences(2000))
    assert fitted is not None
    model, held_out = fitted
    assert held_out.lines == 1000
    assert held_out.rank_correlation > 0.5
    assert held_out.brier < 0.21
    assert held_out.calibration_error < 0.08
    sure, unsure = model([-0.01] * 12), model([-2.5] * 12)
    assert 0.85 < sure <= 1
    assert 0 <= unsure < 0.15


def test_where_tokens_know_nothing_it_stays_near_a_half() -> None:
    fitted = fit(*sentences(2000, signal=0.0))
    assert fitted is not None
    model, held_out = fitted
    assert abs(held_out.rank_correlation) < 0.1
    assert held_out.brier == pytest.approx(0.25, abs=0.01)
    assert all(0.2 < model(row) < 0.8 for row in sentences(50, seed=1)[0])


def test_it_is_tested_on_what_it_was_not_fitted_to() -> None:
    """The odd lines' scores in another order change the figures, never the model."""
    rows, scores = sentences(400)
    mixed = list(scores)
    mixed[1::2] = sorted(scores[1::2])
    first, second = fit(rows, scores), fit(rows, mixed)
    assert first is not None
    assert second is not None
    assert first[0] == second[0]
    assert second[1].rank_correlation < 0.2 < first[1].rank_correlation


def test_what_cannot_be_learnt_is_not_claimed() -> None:
    rows, scores = sentences(79)
    assert fit(rows, scores) is None  # too few
    rows, scores = sentences(200)
    assert fit(rows, [100.0] * 200) is None  # all alike
    assert fit([], []) is None
    assert fit([[float("-inf")]] * 200, scores) is None
    same = fit([[-1.0, -1.0]] * 200, scores)  # no feature tells anything apart
    assert same is not None
    assert same[0]([-1.0, -1.0]) == pytest.approx(0.5, abs=0.1)
    assert same[1].rank_correlation == 0


def test_a_probability_whatever_comes() -> None:
    fitted = fit(*sentences(400))
    assert fitted is not None
    model = fitted[0]
    assert model([]) == model([float("nan")]) == model([-1.0, float("-inf")]) == 0
    for row in ([-1e9] * 3, [0.0] * 3, [-1e-9], [-0.5] * 100_000):
        assert 0 <= model(row) <= 1


def test_the_figures_equal_a_count_by_hand() -> None:
    chances = np.array([0.05, 0.05, 0.95, 1.0])
    good = np.array([0.0, 1.0, 1.0, 1.0])
    # Two bins: |0.05 - 0.5| * 2/4 + |0.975 - 1| * 2/4.
    assert _calibration_error(chances, good) == pytest.approx(0.2375)
    left, right = np.array([1.0, 2.0, 2.0, 9.0]), np.array([3.0, 1.0, 2.0, 4.0])
    ranks = np.array([1, 2.5, 2.5, 4]), np.array([3, 1, 2, 4])
    assert _rank_correlation(left, right) == pytest.approx(float(np.corrcoef(*ranks)[0, 1]))
    assert _rank_correlation(left, np.exp(left)) == pytest.approx(1)
    assert _rank_correlation(left, np.ones(4)) == 0
    told = str(HeldOut(507, 0.2, 0.043, 0.4321))
    assert told == "rank correlation 0.43, calibration error 0.04 on 507 held-out dev lines"


def test_it_comes_back_from_json() -> None:
    fitted = fit(*sentences(200))
    assert fitted is not None
    assert Confidence.from_json(json.loads(json.dumps(fitted[0].as_json()))) == fitted[0]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"features": ["mean"]}, "of other features"),
        ({"weights": [1.0]}, "what is no number"),
        ({"weights": None}, "what is no number"),
        ({"means": [float("nan")] * 5}, "what is no number"),
        ({"bias": "0"}, "what is no number"),
        ({"bias": True}, "what is no number"),
        ({"spreads": [1.0, 1.0, 0.0, 1.0, 1.0]}, "a spread of 0"),
    ],
)
def test_what_is_no_confidence_is_refused(change: dict[str, object], told: str) -> None:
    fitted = fit(*sentences(200))
    assert fitted is not None
    with pytest.raises(ValueError, match=told):
        Confidence.from_json(fitted[0].as_json() | change)
