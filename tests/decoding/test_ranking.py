"""The best of many scores are those that ranking all of them finds."""

import pytest
import torch

from nmt.decoding.search.ranking import best_of_each, best_of_rows


@pytest.mark.parametrize("vocab_size", [3, 64 * 8 - 1, 64 * 8, 700, 8000])
@pytest.mark.parametrize(("groups", "rows", "count"), [(1, 1, 2), (3, 4, 8), (2, 5, 10)])
def test_the_best_entries_of_several_rows_are_found_block_by_block(
    vocab_size: int, groups: int, rows: int, count: int
) -> None:
    scores, offsets = torch.randn(groups * rows, vocab_size), torch.randn(groups, rows)
    scores[:, 1] = float("-inf")
    scores[0, -1] = 9.0  # in a last block that is no whole one, it must not come twice
    offsets[0, 1:] = float("-inf")  # as before the first step
    row, column, best = best_of_rows(scores, offsets, count)
    totals = (scores.view(groups, rows, -1) + offsets[:, :, None]).flatten(1)
    expected = totals.topk(min(count, rows * vocab_size), dim=1).values
    assert torch.equal(best, expected)
    assert torch.equal(totals.gather(1, row * vocab_size + column), expected)


@pytest.mark.parametrize("rows", [1, 7, 8, 30])
@pytest.mark.parametrize("vocab_size", [5, 600, 4096])
def test_the_best_of_each_row(rows: int, vocab_size: int) -> None:
    scores = torch.randn(rows, vocab_size)
    scores[:, :2] = float("-inf")
    best, column = best_of_each(scores)
    assert torch.equal(best, scores.max(dim=1).values)
    assert torch.equal(column, scores.max(dim=1).indices)


def test_a_row_of_no_numbers_has_no_number_for_its_best() -> None:
    """Search tells by it that a model is damaged."""
    assert best_of_each(torch.full((9, 1000), float("nan")))[0].isnan().all()
