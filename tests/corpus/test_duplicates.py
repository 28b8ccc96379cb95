"""Fingerprints: the same for what should be the same, in every process; and the set that holds millions of them."""

import random
import subprocess
import sys
import time
from collections.abc import Sequence

import numpy as np
import pytest

from nmt.corpus.duplicates.keys import (
    FEWEST_WORDS,
    HashSet,
    exact_key,
    near_key,
    one_word_keys,
    pair_keys,
    text_key,
)

WORDS = "red cat sees old dog by new house and two trees".split()


def as_hashes(values: Sequence[int]) -> np.ndarray:
    return np.array(values, dtype=np.uint64)


# ---- The set


def test_the_set_answers_as_a_set_of_python_does() -> None:
    chance = np.random.default_rng(1)
    ours, theirs = HashSet(), set[int]()
    for size in (1, 0, 7, 3000, 20, 3000, 3000, 1):
        # From few values, so that many repeat: within a batch, in the last ones, and in those merged long ago.
        values = chance.integers(0, 5000, size, dtype=np.uint64) * np.uint64(0x0010_0000_0000_0001)
        expected = []
        for value in values.tolist():
            expected.append(value not in theirs)
            theirs.add(value)
        assert ours.add(values).tolist() == expected
        assert len(ours) == len(theirs)
    asked = chance.integers(0, 10_000, 500, dtype=np.uint64) * np.uint64(0x0010_0000_0000_0001)
    assert ours.contains(asked).tolist() == [value in theirs for value in asked.tolist()]


def test_the_ends_of_the_range_have_their_place_too() -> None:
    known = HashSet()
    ends = [0, 1, (1 << 64) - 1, 1 << 63, (1 << 58) - 1, 1 << 58]
    assert known.add(as_hashes(ends)).all()
    assert not known.add(as_hashes(ends)).any()
    assert known.contains(as_hashes([*ends, 2])).tolist() == [True] * 6 + [False]


def test_asking_does_not_put_in() -> None:
    known = HashSet()
    assert not known.contains(as_hashes([5])).any()
    assert len(known) == 0
    assert known.add(as_hashes([5])).all()


def test_an_entry_takes_hardly_more_than_its_eight_bytes() -> None:
    known = HashSet()
    chance = np.random.default_rng(2)
    for _ in range(50):
        known.add(chance.integers(0, 1 << 64, 8192, dtype=np.uint64))
    assert len(known) == 50 * 8192
    assert known.nbytes <= 8 * len(known)


# ---- The keys


def test_keys_are_the_same_in_every_process_and_for_ever() -> None:
    code = (
        "from nmt.corpus.duplicates.keys import *; print(near_key('Über 12 Brücken!'), one_word_keys('a b c d e f')[3])"
    )
    for seed in ("1", "2"):
        out = subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        assert out.split() == ["18208113133939679078", "9835366042291185783"]


def test_exact_is_exact() -> None:
    assert exact_key("a", "b") == exact_key("a", "b")
    assert len({exact_key("a", "b"), exact_key("a", "b."), exact_key("A", "b"), exact_key("b", "a")}) == 4
    assert exact_key("ab", "c") != exact_key("a", "bc")


def test_half_a_character_has_a_key_too() -> None:
    assert text_key("a\ud800") != text_key("a\ud801")
    assert near_key("a\ud800")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hello, World!", "hello world"),
        ("It costs 12.50 €", "it costs 99"),
        ("a\u00a0b  c", "A b c"),
        ("STRASSE", "Straße"),
        ("« Où ? »", "Où?"),
        ("你好，世界！", "你好世界"),
    ],
)
def test_texts_that_are_nearly_the_same_share_a_key(one: str, other: str) -> None:
    assert near_key(one) == near_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hello", "Hallo"),
        ("12", "13"),  # nothing but digits: no near relation
        ("!", "?"),
        ("", " "),
        ("schon", "schön"),
        ("कि", "की"),  # they differ in a vowel sign, which is a mark and not a letter
        ("ไม่", "ไม้"),
    ],
)
def test_other_texts_do_not(one: str, other: str) -> None:
    assert near_key(one) != near_key(other)


def test_a_pair_has_sides() -> None:
    one, other = as_hashes([text_key("a")]), as_hashes([text_key("b")])
    assert pair_keys(one, other) == pair_keys(one.copy(), other)
    assert pair_keys(one, other) != pair_keys(other, one)


def within_one_word(one: list[str], other: list[str]) -> bool:
    """By trying: each with each of its words left out, or whole."""

    def forms(words: list[str]) -> set[tuple[str, ...]]:
        shorter = (
            [tuple(words[:at] + words[at + 1 :]) for at in range(len(words))] if len(words) >= FEWEST_WORDS else []
        )
        return {tuple(words), *shorter}

    return bool(forms(one) & forms(other))


def test_one_word_keys_are_shared_by_texts_within_one_word_and_by_no_others() -> None:
    chance = random.Random(3)
    alike = 0
    for _ in range(3000):
        one = chance.choices(WORDS, k=chance.randint(1, 9))
        other = list(one)
        for _ in range(chance.randint(0, 2)):
            at = chance.randrange(len(other) + 1)
            other[at : at + chance.randint(0, 1)] = chance.choices(WORDS, k=chance.randint(0, 1))
        shared = bool({*one_word_keys(" ".join(one))} & {*one_word_keys(" ".join(other))})
        assert shared == within_one_word(one, other), (one, other)
        alike += shared
    assert 1000 < alike < 2900


def test_one_word_keys_see_words_as_near_key_does() -> None:
    text = "The old cat, 2 dogs and a bird sleep."
    assert one_word_keys(text) == one_word_keys("the OLD cat dogs - and a bird sleep")
    assert len(one_word_keys(text)) == 1 + 8
    assert one_word_keys("one two three four five") == one_word_keys("One two three four five!")
    assert len(one_word_keys("one two three four five")) == 1
    assert one_word_keys("12") != one_word_keys("13")


def test_each_character_is_a_word_where_there_are_no_blanks() -> None:
    assert {*one_word_keys("旧桥上周因维修而关闭")} & {*one_word_keys("旧桥上周维修而关闭")}


def test_a_very_long_text_takes_one_step_a_word() -> None:
    text = " ".join(f"w{'abcdefghij'[n % 10]}{'x' * (n % 97)}" for n in range(20_000))
    start = time.process_time()
    assert len(one_word_keys(text)) > 1000
    assert time.process_time() - start < 2
