"""The keys of many texts at once are those of each of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nmt.corpus.duplicates import neighbours
from nmt.corpus.duplicates.keys import one_word_keys
from nmt.corpus.duplicates.neighbours import Neighbourhood, OneWordKeys

TEXTS = [
    "", " ", "...", "12 34", "a", "a b c d e", "a b c d e f", "A, b; c d - e F!", "the the the the the the the",
    "日本語のテキスト", "短い", "ein zwei drei vier fünf sechs sieben", "١٢ ٣", "word " * 3000,
]  # fmt: skip


def keys_of(make: OneWordKeys, texts: list[str]) -> list[set[int]]:
    keys, text_of = make(texts)
    found: list[set[int]] = [set() for _ in texts]
    for key, text in zip(keys.tolist(), text_of.tolist(), strict=True):
        found[text].add(key)
    return found


def test_they_are_those_of_each_text(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [set(one_word_keys(text)) for text in TEXTS]
    assert keys_of(OneWordKeys(), TEXTS) == expected
    assert keys_of(OneWordKeys(), []) == []
    monkeypatch.setattr(neighbours, "_WORDS", 2)  # forgets
    make = OneWordKeys()
    for _ in range(2):
        assert keys_of(make, TEXTS) == expected
        assert len(make._hashes) <= 2


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(alphabet="aB .,1-é語ー \u00a0", max_size=40), max_size=6))
def test_of_any_text(texts: list[str]) -> None:
    assert keys_of(OneWordKeys(), texts) == [set(one_word_keys(text)) for text in texts]


def test_a_text_is_near_when_it_shares_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    few = ["one two three four five six", "a b c"]
    near = ["one two three four five six", "One two three, four five!", "one two three four five six seven"]
    near += ["one two X four five six", "a b c", "A-b c 7".replace("-", " ")]
    far = ["one two four five", "a b", "a b d", "", "six five four three two one"]
    for table in (neighbours._TABLE, 1):
        monkeypatch.setattr(neighbours, "_TABLE", table)
        assert Neighbourhood(few).holds(near + far).tolist() == [True] * len(near) + [False] * len(far)
        assert Neighbourhood([]).holds(far).tolist() == [False] * len(far)
    assert Neighbourhood(few).holds([]).tolist() == []
