"""The recipe (which sentences make an update) and the machine's share (how an update is cut)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nmt.corpus.batching import cut_micro_batches, draw_updates, padding_share

Lengths = tuple[np.ndarray, np.ndarray]


def captions(count: int, seed: int = 0) -> Lengths:
    """Lengths like those of Multi30k: log-normal, 14 on average, the sides alike but not equal; EOS counted."""
    random = np.random.default_rng(seed)
    spread = 0.35
    target = np.exp(random.normal(np.log(14) - spread**2 / 2, spread, count))
    source = target * np.exp(random.normal(0, 0.15, count))
    return np.maximum(2, source.round()).astype(np.int64), np.maximum(2, target.round()).astype(np.int64)


@pytest.fixture(scope="module")
def lengths() -> Lengths:
    return captions(20_000)


def as_lists(pieces: list[np.ndarray]) -> list[list[int]]:
    return [piece.tolist() for piece in pieces]


lists_of_lengths = st.lists(st.tuples(st.integers(1, 60), st.integers(1, 60)), min_size=1, max_size=200)


# Updates


@settings(max_examples=60, deadline=None)
@given(lists_of_lengths, st.integers(1, 500), st.integers(0, 9))
def test_an_epoch_has_every_sentence_once(pairs: list[tuple[int, int]], budget: int, epoch: int) -> None:
    source, target = np.array(pairs).T
    updates = draw_updates(source, target, budget, seed=[1, epoch])
    assert all(len(update) for update in updates)
    assert sorted(np.concatenate(updates).tolist()) == list(range(len(pairs)))


def test_seed_and_epoch_alone_decide_the_updates(lengths: Lengths) -> None:
    first = as_lists(draw_updates(*lengths, 4096, seed=[3, 2]))
    np.random.seed(99)  # what others do with numpy's shared state makes no difference
    assert as_lists(draw_updates(*lengths, 4096, seed=[3, 2])) == first
    other_epoch = as_lists(draw_updates(*lengths, 4096, seed=[3, 3]))
    other_seed = as_lists(draw_updates(*lengths, 4096, seed=[4, 2]))
    for other in (other_epoch, other_seed, as_lists(draw_updates(*lengths, 4096, seed=[2, 3]))):
        assert other != first
        # Not the same updates in another order: sentences come in other company.
        again = {tuple(sorted(update)) for update in other} & {tuple(sorted(update)) for update in first}
        assert len(again) < 0.1 * len(first)


def test_updates_have_about_the_budget_of_target_tokens(lengths: Lengths) -> None:
    budget = 2048
    updates = draw_updates(*lengths, budget, seed=[1, 0])
    sizes = np.array([lengths[1][update].sum() for update in updates])
    assert len(updates) == pytest.approx(lengths[1].sum() / budget, abs=1)
    assert np.abs(sizes / budget - 1).max() < 0.05
    # The source has no say in it.
    stretched = draw_updates(lengths[0] * 9, lengths[1], budget, seed=[1, 0])
    assert sorted(lengths[1][update].sum() for update in stretched) == sorted(sizes)


def test_short_and_long_updates_come_mixed(lengths: Lengths) -> None:
    means = np.array([lengths[1][update].mean() for update in draw_updates(*lengths, 1024, seed=[1, 0])])
    order = np.arange(len(means))
    assert means.std() > 2  # sentences of like length are together ...
    assert abs(np.corrcoef(order, means)[0, 1]) < 0.2  # ... but updates are not sorted
    assert abs(np.corrcoef(means[:-1], means[1:])[0, 1]) < 0.2


def test_three_pairs_make_one_update() -> None:
    updates = draw_updates(np.array([3, 4, 5]), np.array([4, 3, 6]), 4096, seed=[1, 0])
    assert [sorted(update.tolist()) for update in updates] == [[0, 1, 2]]


def test_sentences_that_fill_the_budget_exactly_do() -> None:
    for count, budget in ((6, 10), (30, 15), (7, 35)):
        updates = draw_updates(np.full(count, 9), np.full(count, 5), budget, seed=[1, 0])
        assert {len(update) * 5 for update in updates} == {budget}


def test_a_budget_under_every_sentence_makes_each_an_update() -> None:
    updates = draw_updates(np.full(7, 9), np.full(7, 9), 1, seed=[1, 0])
    assert sorted(as_lists(updates)) == [[i] for i in range(7)]


# Micro-batches


def padded(piece: np.ndarray, source: np.ndarray, target: np.ndarray) -> int:
    return len(piece) * int(source[piece].max() + target[piece].max())


@settings(max_examples=100, deadline=None)
@given(lists_of_lengths, st.integers(1, 800), st.integers(1, 5))
def test_micro_batches_part_the_update_and_keep_to_the_budget(
    pairs: list[tuple[int, int]], budget: int, ranks: int
) -> None:
    source, target = np.array(pairs).T
    update = np.arange(len(pairs))[::-1]
    pieces = cut_micro_batches(update, source, target, budget, ranks)
    assert len(pieces) % ranks == 0 or len(pieces) == len(pairs)  # else somebody would compute in vain
    assert sorted(np.concatenate(pieces).tolist()) == sorted(update.tolist())
    for piece in pieces:
        assert len(piece) == 1 or padded(piece, source, target) <= budget


@pytest.mark.parametrize("ranks", [2, 3, 8])
def test_every_rank_has_as_much_to_do(lengths: Lengths, ranks: int) -> None:
    """An update that fits one process is cut all the same, into even pieces."""
    largest = []
    for update in draw_updates(*lengths, 2048, seed=[1, 0]):
        sizes = [padded(piece, *lengths) for piece in cut_micro_batches(update, *lengths, 100_000, ranks)]
        assert len(sizes) == ranks
        real = int(lengths[0][update].sum() + lengths[1][update].sum())
        largest.append(max(sizes) / (real / ranks))  # the others wait for it
    assert np.mean(largest) < 1.1


def test_only_the_sentences_of_the_update_are_in_its_micro_batches() -> None:
    source, target = captions(100)
    update = np.array([5, 50, 7, 70])
    assert sorted(np.concatenate(cut_micro_batches(update, source, target, 60)).tolist()) == [5, 7, 50, 70]


def test_a_sentence_over_the_budget_is_alone() -> None:
    source, target = np.array([5, 400, 5, 6]), np.array([5, 3, 6, 5])
    pieces = as_lists(cut_micro_batches(np.arange(4), source, target, 100))
    assert [1] in pieces
    assert sorted(sentence for piece in pieces for sentence in piece) == [0, 1, 2, 3]


def test_one_long_sentence_makes_only_its_neighbours_wide(lengths: Lengths) -> None:
    source, target = lengths[0][:400].copy(), lengths[1][:400].copy()
    source[17], target[17] = 180, 200
    pieces = cut_micro_batches(np.arange(400), source, target, 4000)
    wide = [piece for piece in pieces if 17 in piece]
    assert len(wide) == 1
    assert len(wide[0]) <= 4000 // 380


def test_what_fits_is_not_cut() -> None:
    source, target = np.array([3, 5, 4]), np.array([5, 3, 4])
    assert [sorted(piece) for piece in cut_micro_batches(np.arange(3), source, target, 30)] == [[0, 1, 2]]
    assert len(cut_micro_batches(np.arange(3), source, target, 29)) == 2  # 3 x (5 + 5)


def test_the_last_micro_batch_is_no_crumb(lengths: Lengths) -> None:
    for update in draw_updates(*lengths, 4096, seed=[1, 0]):
        sizes = [padded(piece, *lengths) for piece in cut_micro_batches(update, *lengths, 5000)]
        assert min(sizes) > 0.6 * max(sizes)


# Padding


def test_padding_is_counted_over_both_sides() -> None:
    source, target = np.array([2, 4, 1]), np.array([3, 3, 7])
    assert padding_share([np.array([0, 1])], source, target) == pytest.approx(1 - 12 / 14)
    assert padding_share([np.array([0, 1]), np.array([2])], source, target) == pytest.approx(1 - 20 / 22)
    assert padding_share([np.array([2])], source, target) == 0


@pytest.mark.parametrize(("batch_tokens", "micro_batch_tokens"), [(4096, 5000), (2048, 5000), (4096, 10_000)])
def test_less_than_a_tenth_of_multi30k_is_padding(batch_tokens: int, micro_batch_tokens: int, lengths: Lengths) -> None:
    updates = draw_updates(*lengths, batch_tokens, seed=[1, 0])
    cut = [piece for update in updates for piece in cut_micro_batches(update, *lengths, micro_batch_tokens)]
    assert sorted(np.concatenate(cut).tolist()) == list(range(len(lengths[0])))
    assert padding_share(cut, *lengths) < 0.1
    # Lines taken as they come would waste several times as much.
    as_they_come = np.array_split(np.arange(len(lengths[0])), len(cut))
    assert padding_share(as_they_come, *lengths) > 0.3
