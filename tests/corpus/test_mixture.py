"""What is learned from when: every pair once an epoch, shares as asked for, the same again for whoever resumes."""

from collections import Counter
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nmt.corpus import mixture as module
from nmt.corpus import shards
from nmt.corpus.blocks import look_through
from nmt.corpus.encoded import EncodedCorpus, GatheredSide
from nmt.corpus.encoder import Encoder, Task
from nmt.corpus.encoding import Encoding, side_key
from nmt.corpus.mixture import Corpus, Mixture, Place, Segment, shares_by_size
from nmt.corpus.shards import Shards, shards_of
from nmt.corpus.stream import PairList
from nmt.errors import DataError
from nmt.text.tokenizer import Tokenizer
from tests.conftest import encoded_corpus, mixture


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of 256 lines, pools of 600."""
    monkeypatch.setattr(shards, "SHARD_BLOCKS", 1)
    monkeypatch.setattr(shards, "ALL_AT_ONCE", 600)
    monkeypatch.setattr(module, "POOL_LINES", 600)


def corpus(name: str, count: int, tokenizer: Tokenizer, folder: Path, repeat: float = 1.0) -> Corpus:
    """Pairs whose source tells their number and whose target their corpus."""
    pairs = [(f"the {i}", f"{name} {i}") for i in range(count)]
    return Corpus(encoded_corpus(pairs, tokenizer, folder, name=name).shards, repeat)


def pairs_of(pool: EncodedCorpus, tokenizer: Tokenizer) -> list[tuple[str, int]]:
    """(corpus, number) of each pair; source and target belong together."""
    found = []
    for i in range(len(pool)):
        name, number = tokenizer.decode(pool.target[i].tolist()).split()
        assert tokenizer.decode(pool.source[i].tolist()) == f"the {number}"
        found.append((name, int(number)))
    assert pool.source.lengths.tolist() == [len(pool.source[i]) + 1 for i in range(len(pool))]
    assert pool.target.lengths.tolist() == [len(pool.target[i]) + 1 for i in range(len(pool))]
    return found


def epoch_of(text: Mixture, tokenizer: Tokenizer, epoch: int, stage: int = 0) -> list[list[tuple[str, int]]]:
    return [pairs_of(text.pool(Place(stage, epoch, pool)), tokenizer) for pool in range(text.pools(stage))]


@pytest.mark.parametrize("count", [1, 255, 600, 601, 2000])
def test_each_pair_once_an_epoch(count: int, tokenizer: Tokenizer, tmp_path: Path) -> None:
    text = mixture([corpus("a", count, tokenizer, tmp_path)])
    assert text.pools(0) == -(-count // 600)
    epochs = [epoch_of(text, tokenizer, epoch) for epoch in range(3)]
    for pools in epochs:
        assert max(map(len, pools)) <= 601
        assert sorted(pair for pool in pools for pair in pool) == [("a", i) for i in range(count)]
    if count > 601:  # other company each time
        assert len({frozenset(pools[0]) for pools in epochs}) == 3


def test_shards_come_in_another_order_in_each_epoch_but_the_first(tokenizer: Tokenizer, tmp_path: Path) -> None:
    """In that one as they are made, so that nobody waits for the last."""
    text = mixture([corpus("a", 5000, tokenizer, tmp_path)])
    epochs = [
        [sorted({segment.shard for segment in text.segments(Place(0, epoch, pool))}) for pool in range(text.pools(0))]
        for epoch in range(3)
    ]
    assert [shard for shards in epochs[0] for shard in shards] == sorted(
        shard for shards in epochs[0] for shard in shards
    )
    assert epochs[0] != epochs[1] != epochs[2]


def test_one_pool_is_the_corpus_itself_in_its_order(tokenizer: Tokenizer, tmp_path: Path) -> None:
    text = mixture([corpus("a", 500, tokenizer, tmp_path)])
    for epoch in range(2):
        assert pairs_of(text.pool(Place(0, epoch)), tokenizer) == [("a", i) for i in range(500)]


def test_pairs_that_were_left_out_are_not_missed(tokenizer: Tokenizer, tmp_path: Path) -> None:
    """Lines that have become no pairs make pools smaller, and no pair comes twice."""
    pairs = [("" if i % 3 == 0 else f"the {i}", f"a {i}") for i in range(1500)]
    text = mixture([encoded_corpus(pairs, tokenizer, tmp_path)])
    for epoch in range(3):
        pools = epoch_of(text, tokenizer, epoch)
        assert sorted(pair for pool in pools for pair in pool) == [("a", i) for i in range(1500) if i % 3]
        assert {len(pool) for pool in pools} <= {332, 333, 334, 335}


def test_shares_are_kept_in_every_pool(tokenizer: Tokenizer, tmp_path: Path) -> None:
    corpora = [corpus("a", 1500, tokenizer, tmp_path), corpus("b", 300, tokenizer, tmp_path)]
    text = mixture(corpora, 1, [1.0, 3.0])
    seen: Counter[tuple[str, int]] = Counter()
    for epoch in range(2):
        pools = epoch_of(text, tokenizer, epoch)
        assert len(pools) == 3
        for pool in pools:
            count = Counter(name for name, _ in pool)
            assert len(pool) == 600
            assert count["b"] == 450
            seen.update(pool)
    # Each corpus goes round on its own: no pair is drawn twice before all others are drawn once.
    for name, size in (("a", 1500), ("b", 300)):
        times = [seen[name, i] for i in range(size)]
        assert max(times) - min(times) <= 1
    assert sum(times) == 2 * 1350


def test_sizes_decide_without_weights() -> None:
    class Sized:
        def __init__(self, lines: int) -> None:
            self.lines = lines

    corpora = [Corpus(Sized(9_000_000)), Corpus(Sized(10_000), 4.0), Corpus(Sized(0))]  # type: ignore[arg-type]
    assert shares_by_size(corpora) == pytest.approx([1, 40_000 / 9e6, 0])
    assert shares_by_size(corpora, 5) == pytest.approx([1, (40_000 / 9e6) ** 0.2, 0])


def test_a_corpus_that_is_repeated_comes_as_often(tokenizer: Tokenizer, tmp_path: Path) -> None:
    corpora = [corpus("a", 900, tokenizer, tmp_path), corpus("b", 100, tokenizer, tmp_path, repeat=3)]
    text = Mixture(corpora, [shares_by_size(corpora)], 1)
    assert text.pools(0) == 2
    seen = Counter(pair for pool in epoch_of(text, tokenizer, 0) for pair in pool)
    assert {seen["a", i] for i in range(900)} == {1}
    assert {seen["b", i] for i in range(100)} == {3}


def test_a_stage_leaves_out_what_has_no_share(tokenizer: Tokenizer, tmp_path: Path) -> None:
    corpora = [corpus(name, 700, tokenizer, tmp_path) for name in "abc"]
    text = mixture(corpora, 1, [1, 0, 0], [0, 1, 1])
    assert (text.pools(0), text.pools(1)) == (2, 3)
    assert {name for pool in epoch_of(text, tokenizer, 0, 0) for name, _ in pool} == {"a"}
    later = [pair for pool in epoch_of(text, tokenizer, 0, 1) for pair in pool]
    assert Counter(name for name, _ in later) == {"b": 700, "c": 700}
    assert len(set(later)) == 1400


def test_seed_and_place_alone_decide(tokenizer: Tokenizer, tmp_path: Path) -> None:
    corpora = [corpus("a", 1500, tokenizer, tmp_path), corpus("b", 300, tokenizer, tmp_path)]
    shares = [[1.0, 2.0], [1.0, 1.0]]
    place = Place(0, 3, 1)
    first = pairs_of(mixture(corpora, 1, *shares).pool(place), tokenizer)
    again = mixture(corpora, 1, *shares)
    np.random.seed(5)
    again.pool(Place(1, 1))
    assert pairs_of(again.pool(place), tokenizer) == first
    assert pairs_of(mixture(corpora, 2, *shares).pool(place), tokenizer) != first
    assert pairs_of(again.pool(Place(0, 4, 1)), tokenizer) != first
    assert pairs_of(again.pool(Place(1, 3, 1)), tokenizer) != first


def test_the_fingerprint_tells_texts_and_shares_apart(tokenizer: Tokenizer, tmp_path: Path) -> None:
    a, b = (corpus(name, 300, tokenizer, tmp_path) for name in "ab")
    known = {mixture(*what).fingerprint() for what in (([a],), ([b],), ([a, b],), ([b, a],))}
    known |= {mixture([a, b], 1, [1, 2]).fingerprint(), mixture([a, b], 1, [1, 1], [1, 2]).fingerprint()}
    assert len(known) == 6
    assert mixture([a, b], 7).fingerprint() in known


def test_memory_does_not_grow_with_the_corpus(tokenizer: Tokenizer, tmp_path: Path) -> None:
    """A pool holds as much as a pool, and only its own shards are open anew."""
    text = mixture([corpus("a", 5000, tokenizer, tmp_path)])
    assert text.pools(0) == 9
    assert {len(text.pool(Place(0, 1, pool))) for pool in range(9)} <= {555, 556}
    assert all(len(text.segments(Place(0, 1, pool))) <= 5 for pool in range(9))


@pytest.mark.parametrize(
    ("pairs", "told", "remedy"),
    [
        ([("", "x"), ("y", "")], "holds no pair with text on both sides", "check data.train"),
        ([("", "x"), ("the cat " * 50, "x")], "no train pair is left: 2 are blank or longer", "raise model.max_length"),
    ],
)
def test_a_text_of_which_nothing_is_left_is_refused(
    pairs: list[tuple[str, str]], told: str, remedy: str, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    text = mixture([encoded_corpus(pairs, tokenizer, tmp_path)])
    with pytest.raises(DataError, match=told) as caught:
        text.pool(Place())
    assert remedy in caught.value.remedy


def test_a_text_that_is_all_held_out_is_told(tokenizer: Tokenizer, tmp_path: Path) -> None:
    text = look_through(PairList("same", [(f"the {i}", "x") for i in range(3)]), tmp_path, "same")
    wanted = Encoding(tokenizer.proto, tokenizer.proto, 64, excluded=frozenset({side_key("x")}))
    made = shards_of(text, wanted, tmp_path)
    Encoder([Task(text, wanted, made)], 1).run()
    with pytest.raises(DataError, match="same has too few different pairs to hold some out") as caught:
        mixture([Corpus(made)]).pool(Place())
    assert caught.value.remedy == "set data.dev"


def test_shards_are_read_once_a_pool_and_not_kept_open(
    tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are, and however often a small corpus is repeated: each takes four file descriptors."""
    large, little = corpus("a", 2000, tokenizer, tmp_path), corpus("b", 3, tokenizer, tmp_path)
    opened: list[tuple[str, int]] = []
    original = shards.Shards.shard
    text = Mixture([large, little], [[1.0, 1.0]], 1)
    for number in range(text.pools(0)):
        segments = text.segments(Place(pool=number))
        assert len(segments) > 50
        with monkeypatch.context() as patch:
            patch.setattr(
                shards.Shards,
                "shard",
                lambda self, which: (opened.append((self.name, which)), original(self, which))[1],
            )
            found = text.pool(Place(pool=number))
        assert len(opened) == len(set(opened)) < 10
        opened.clear()
        assert sum(name == "b" for name, _ in pairs_of(found, tokenizer)) > 200
    before = len(list(Path("/proc/self/fd").glob("*")))
    pools = [text.pool(Place(pool=number)) for number in range(text.pools(0))]
    open_now = len(list(Path("/proc/self/fd").glob("*"))) - before
    pools.clear()
    after = len(list(Path("/proc/self/fd").glob("*"))) - before
    assert after <= 0 < open_now or not Path("/proc/self/fd").exists()


def test_a_process_that_waits_for_shards_hears_when_the_first_one_has_gone(
    tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = corpus("a", 1000, tokenizer, tmp_path).shards
    for report in made.folder.glob("*.json"):
        report.unlink()

    def gone(_: object) -> None:
        raise RuntimeError("Connection closed by peer")

    monkeypatch.setattr(module.distributed, "leads_machine", lambda: False)
    monkeypatch.setattr(module.distributed, "gather", gone)
    with pytest.raises(RuntimeError, match="Connection closed by peer"):
        mixture([Corpus(shards.Shards(made.facts))]).pool(Place())


def test_a_corpus_that_comes_round_often_is_there_once(tokenizer: Tokenizer, tmp_path: Path) -> None:
    text = mixture([corpus("a", 1, tokenizer, tmp_path), corpus("b", 600, tokenizer, tmp_path)], 1, [1, 1])
    pool = text.pool(Place(0, 0, 0))
    assert isinstance(pool.source, GatheredSide)
    assert len(pool.source._sides) <= 1 + 3
    assert Counter(name for name, _ in pairs_of(pool, tokenizer))["a"] == 300


def test_shares_at_the_ends_of_what_a_number_can_be(tokenizer: Tokenizer, tmp_path: Path) -> None:
    two = [corpus("a", 5, tokenizer, tmp_path), corpus("b", 5, tokenizer, tmp_path)]
    assert Counter(name for name, _ in pairs_of(mixture(two, 1, [1e308, 1e308]).pool(Place(0, 0, 0)), tokenizer)) == {
        "a": 5,
        "b": 5,
    }
    few = [Corpus(two[0].shards, 1e-9)]  # less than a line an epoch
    assert len(mixture(few, 1, shares_by_size(few)).pool(Place(0, 0, 0))) == 1
    assert all(shares_by_size([two[0], Corpus(two[1].shards, 3.0)], temperature=1e-9))


@given(
    sizes=st.lists(st.integers(1, 1500), min_size=1, max_size=3),
    weights=st.lists(st.sampled_from([0.001, 0.5, 1, 2, 17.3]), min_size=3, max_size=3),
    pool_lines=st.sampled_from([50, 600, 5000]),
    seed=st.integers(0, 1000),
)
@settings(max_examples=25, deadline=None)
def test_shares_rounds_and_places_hold_whatever_the_sizes(
    sizes: list[int], weights: list[float], pool_lines: int, seed: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "POOL_LINES", pool_lines)
        corpora = [Corpus(cast(Shards, _Numbers(f"c{i}", size))) for i, size in enumerate(sizes)]
        text, again = (Mixture(corpora, [weights[: len(sizes)]], seed) for _ in range(2))
        pools, counts, seen = text.pools(0), text._counts[0], [Counter[int]() for _ in sizes]
        for number in range(3 * pools):
            place = Place(0, *divmod(number, pools))
            found = [_rows_of(corpora, segment) for segment in text.segments(place)]
            assert found == [_rows_of(corpora, segment) for segment in again.segments(place)]  # resumed anywhere
            here = Counter[int]()
            for which, rows in found:
                here[which] += len(rows)
                seen[which].update(rows)
            for which, count in enumerate(counts):
                assert abs(here[which] - count / pools) <= 1  # within one pair a pool
                assert abs(seen[which].total() - count * (number + 1) / pools) < 1  # and nothing lost over all
        for which, size in enumerate(sizes):
            times = [seen[which][row] for row in range(size)]
            assert max(times) - min(times) <= 1  # none comes again before all others have come


class _Numbers:
    """Shards whose pairs are numbers."""

    def __init__(self, name: str, lines: int) -> None:
        self.name, self.key, self.lines = name, name, lines
        self.sizes = [len(range(start, min(start + 256, lines))) for start in range(0, lines, 256)]

    def __len__(self) -> int:
        return len(self.sizes)

    def pairs(self, number: int) -> int:
        return self.sizes[number]


def _rows_of(corpora: list[Corpus], segment: Segment) -> tuple[int, list[int]]:
    rows = range(corpora[segment.corpus].shards.sizes[segment.shard]) if segment.rows is None else segment.rows
    return segment.corpus, [256 * segment.shard + int(row) for row in rows]
