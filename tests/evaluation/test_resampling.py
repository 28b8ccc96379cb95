"""The draws are sacreBLEU's, whatever the size of the blocks they are made in."""

import numpy as np
import pytest

from nmt.evaluation import resampling
from nmt.evaluation.resampling import interval, resampled_sums


def expected_sums(statistics: np.ndarray, samples: int) -> np.ndarray:
    """As sacreBLEU draws: all at once."""
    drawn = np.random.default_rng(12345).choice(len(statistics), size=(samples, len(statistics)), replace=True)
    return statistics[drawn].sum(axis=1)


@pytest.mark.parametrize("block", [1, 7, 100, 1 << 20])
@pytest.mark.parametrize("lines", [1, 5, 33])
def test_blocks_do_not_change_the_draws(block: int, lines: int, monkeypatch: pytest.MonkeyPatch) -> None:
    statistics = np.random.default_rng(1).integers(0, 9, (lines, 4)).astype(float)
    monkeypatch.setattr(resampling, "BLOCK", block)
    assert np.array_equal(resampled_sums(statistics, 50), expected_sums(statistics, 50))


def test_systems_side_by_side_are_drawn_alike() -> None:
    statistics = np.random.default_rng(1).integers(0, 9, (20, 3)).astype(float)
    both = resampled_sums(np.concatenate([statistics, statistics * 2], axis=1), 40)
    assert np.array_equal(both[:, 3:], 2 * both[:, :3])
    assert np.array_equal(both[:, :3], resampled_sums(statistics, 40))


def test_an_interval_leaves_a_fortieth_out_at_either_end() -> None:
    values = np.random.default_rng(1).permutation(np.arange(1000.0))
    assert interval(values) == (25, 974)
    assert interval(np.array([3.0, 1.0, 2.0])) == (1, 3)
