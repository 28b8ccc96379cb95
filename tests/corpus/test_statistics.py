"""Figures of a corpus: exact on small ones, near the truth on large ones, in memory that does not grow."""

import random
from collections import Counter

import numpy as np
import pytest

from nmt.corpus import chunks
from nmt.corpus.duplicates.distinct import DistinctCounter
from nmt.corpus.picking import draw_pairs, pick_pairs
from nmt.corpus.statistics import measure, quantiles, scripts, total, unknown
from nmt.corpus.stream import PairList
from nmt.errors import DataError
from nmt.text.tokenizer import Tokenizer
from tests.conftest import sentences

PAIRS = [
    ("A cat  sat.", "Кошка сидела."),
    ("", "пусто"),
    ("A dog (sat)", " \u00a0 "),
    ("A cat  sat.", "Кошка сидела."),
    ("Один A", "x"),
]


def test_lines_words_and_characters_are_counted_as_they_are_learned() -> None:
    found = measure(PAIRS)
    assert (found.pairs, found.blank, found.source.blank, found.target.blank) == (5, 2, 1, 1)
    assert found.source.words == Counter({3: 3, 2: 1})
    assert found.source.characters == Counter({len("A cat sat."): 2, len("A dog (sat)"): 1, len("Один A"): 1})
    assert total(found.target.characters) == 2 * len("Кошка сидела.") + len("пусто") + 1
    assert found.source.different.distinct == 5  # A, cat, sat, dog, Один
    assert found.target.different.distinct == 4
    assert found.different.distinct == 4
    assert found.different.repeated_share == pytest.approx(1 / 5)
    assert found.ratios == Counter({round(100 * np.log(13 / 10)): 2, round(100 * np.log(1 / 6)): 1})
    assert scripts(found.source.letters) == {"LATIN": pytest.approx(22 / 26), "CYRILLIC": pytest.approx(4 / 26)}
    assert scripts(Counter("1 2")) == {}


def test_an_empty_corpus_has_figures_too() -> None:
    found = measure([])
    assert (found.pairs, found.source.different.distinct, found.different.repeated_share) == (0, 0, 0.0)
    assert quantiles(found.source.words) == {"p5": 0, "p50": 0, "p95": 0, "p99": 0, "max": 0}
    assert measure([("", "")]).blank == 1


def test_quantiles_are_those_of_the_sorted_lengths() -> None:
    lengths = [random.Random(1).randint(1, 40) for _ in range(1000)]
    ordered = sorted(lengths)
    expected = {"p5": ordered[49], "p50": ordered[499], "p95": ordered[949], "p99": ordered[989], "max": ordered[-1]}
    assert quantiles(Counter(lengths)) == expected
    assert quantiles({7: 1}) == dict.fromkeys(expected, 7)


@pytest.mark.parametrize("processes", [1, 2])
def test_chunks_and_processes_change_nothing(processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = sentences(300)
    pairs = list(zip(lines, reversed(lines), strict=True))
    tokenizer = Tokenizer.train(lines, kind="unigram", vocab_size=320)
    whole = measure(pairs, (tokenizer, tokenizer))
    monkeypatch.setattr(chunks, "CHUNK", 40)
    monkeypatch.setattr(chunks, "SMALL", 2)
    monkeypatch.setattr(chunks, "usable_cores", lambda: processes)
    parts = measure(pairs, (tokenizer, tokenizer))
    for side, other in ((whole.source, parts.source), (whole.target, parts.target)):
        assert (side.words, side.characters, side.pieces) == (other.words, other.characters, other.pieces)
        assert side.letters == other.letters
        assert side.different.distinct == other.different.distinct
    assert whole.different.distinct == parts.different.distinct == len(set(pairs))


def test_pieces_count_the_end_of_a_sentence() -> None:
    lines = sentences(200)
    tokenizer = Tokenizer.train(lines, kind="unigram", vocab_size=320)
    found = measure([(line, "x") for line in lines], (tokenizer, tokenizer))
    assert found.source.pieces == Counter(len(tokenizer.encode(line)) + 1 for line in lines)


@pytest.mark.parametrize("byte_fallback", [True, False])
def test_unknown_characters_are_those_without_a_piece(byte_fallback: bool) -> None:
    tokenizer = Tokenizer.train(sentences(200), kind="unigram", vocab_size=320, byte_fallback=byte_fallback)
    assert unknown(Counter("a cat: éé 😀 <0x41>"), tokenizer) == Counter(
        {"é": 2, "😀": 1} | dict.fromkeys(":<0x41>", 1)
    )


def test_a_counter_is_exact_until_its_room_is_full() -> None:
    random_ = np.random.default_rng(1)
    keys = random_.integers(0, 2**63, 5000).astype(np.uint64)
    counter = DistinctCounter(room=5000)
    for part in np.array_split(np.concatenate([keys, keys[:1000]]), 13):
        counter.add(part)
    counter.add(keys[:500], np.full(500, 3))
    assert (counter.exact, counter.distinct) == (True, 5000)
    assert counter.repeated_share == pytest.approx(2500 / 7500)


def test_a_counter_is_near_the_truth_beyond() -> None:
    random_ = np.random.default_rng(1)
    counter = DistinctCounter(room=4096)
    for _ in range(10):
        keys = random_.integers(0, 2**62, 20_000).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        counter.add(keys)
        counter.add(keys[::2])
    assert not counter.exact
    assert counter.distinct == pytest.approx(200_000, rel=0.05)
    assert counter.repeated_share == pytest.approx(1 / 3, rel=0.05)
    assert len(counter._keys) <= 4096


def test_a_sample_is_fair_in_order_and_repeatable() -> None:
    pairs = [(str(number), str(-number)) for number in range(60)]
    drawn = [draw_pairs(pairs, 6, seed) for seed in range(3000)]
    assert draw_pairs(pairs, 6, 5) == drawn[5] != drawn[6]
    for sample in drawn[:100]:
        numbers = [int(source) for source, _ in sample]
        assert numbers == sorted(set(numbers))
        assert len(numbers) == 6
        assert all(source == target.removeprefix("-") for source, target in sample)
    often = Counter(int(source) for sample in drawn for source, _ in sample)
    assert len(often) == 60
    # Each is expected 300 times, give or take 16.
    assert all(230 < count < 370 for count in often.values())
    # And each two together: 3000 * 6 * 5 / (60 * 59) = 25 times.
    together = Counter((sample[0][0] == "0") and (sample[-1][0] == "59") for sample in drawn)
    assert 8 < together[True] < 50


def test_a_sample_of_all_is_all() -> None:
    pairs = [(str(number), "x") for number in range(5)]
    assert draw_pairs(pairs, 5, 1) == draw_pairs(pairs, 9, 1) == pairs
    assert draw_pairs([], 3, 1) == []


def test_lines_are_picked_by_number() -> None:
    stream = PairList("text", [(str(number), "x") for number in range(1, 21)])
    spans = [range(10, 13), range(5, 6), range(11, 14), range(5, 6)]
    assert [number for number, _ in pick_pairs(stream, spans)] == [5, 10, 11, 12, 13]
    assert [pair[0] for _, pair in pick_pairs(stream, [range(20, 21)])] == ["20"]
    found = pick_pairs(stream, [range(20, 22)])
    assert next(found)[0] == 20
    with pytest.raises(DataError, match="text has 20 pairs, so there is no line 21"):
        next(found)
