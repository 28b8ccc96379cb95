"""Which word each piece belongs to: on both sides, for any text and any normalisation."""

import random

import pytest

from nmt.text.lines import clean, one_line
from nmt.text.tokenizer import Tokenizer
from nmt.text.words import source_words, target_words
from tests.conftest import sentences

NASTY = [
    "the cat sees a small dog.",
    "the 你好é dog 😀 x",
    "½ ﬃ´x a\u00a0b ㎏ …",
    "\u2581a b \u2581\u2581 c",
    "  the \t cat  ",
    "a\ufdd0b \ufdd1 c",
    "e\u0301te\u0301 e\u0301",
    "a\u200b \u200b b",
    "你好。世界",
    "</s> <unk> <0x41>",
    "",
    " \u3000 ",
]


@pytest.fixture(scope="module", params=["identity", "nmt_nfkc"])
def either(request: pytest.FixtureRequest) -> Tokenizer:
    return Tokenizer.train(sentences(400), kind="unigram", vocab_size=303, normalization=request.param)


@pytest.mark.parametrize("text", NASTY)
def test_every_word_of_the_source_has_its_pieces_in_order(either: Tokenizer, text: str) -> None:
    found = source_words(either, text)
    assert len(found) == len(either.encode(clean(text)))
    assert found == sorted(found)
    assert set(found) == set(range(len(text.split())))


@pytest.mark.parametrize("text", NASTY[:4])
def test_the_pieces_of_a_word_spell_that_word(text: str) -> None:
    identity = Tokenizer.train(sentences(400), kind="unigram", vocab_size=303)
    ids = identity.encode(text)
    found = source_words(identity, text)
    for index, word in enumerate(text.split()):
        own = [i for i, belongs in zip(ids, found, strict=True) if belongs == index]
        assert identity.decode(own).strip() == word
    assert target_words(identity, ids) == found


def test_a_normalized_word_keeps_its_place() -> None:
    nfkc = Tokenizer.train(sentences(400), kind="unigram", vocab_size=303, normalization="nmt_nfkc")
    pieces = nfkc.pieces(nfkc.encode("½ a´x b"))  # '▁1⁄2▁a▁́x▁b': the accent gets a blank before it
    assert source_words(nfkc, "½ a´x b") == sorted(source_words(nfkc, "½ a´x b"))
    assert source_words(nfkc, "½ a´x b")[-1] == 2
    assert source_words(nfkc, "½ a´x b").count(0) == 6
    assert len(pieces) == len(source_words(nfkc, "½ a´x b"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\x00b cat", {0, 1}),  # NUL cuts a word of the user's in two for the model
        ("\x01 the cat", {1, 2}),  # nothing is left of the first word
        ("\u200b the \u200b cat \u200b", {1, 2, 3}),  # marks without width go at the ends and stay inside
    ],
)
def test_words_are_the_users_and_not_the_cleaned_ones(tokenizer: Tokenizer, text: str, expected: set[int]) -> None:
    assert set(source_words(tokenizer, text)) == expected


def test_an_unknown_run_is_one_piece_of_its_own_word() -> None:
    plain = Tokenizer.train(sentences(400), kind="unigram", vocab_size=60, byte_fallback=False)
    assert source_words(plain, "the 你好 cat")[-1] == 2
    assert set(source_words(plain, "the 你好 cat")) == {0, 1, 2}
    assert target_words(plain, plain.encode("the 你好 cat"))[-1] == 2


def test_any_output_has_all_its_words(tokenizer: Tokenizer) -> None:
    """Random ids: byte pieces that form no character, blanks alone, control ids."""
    chance = random.Random(3)
    for _ in range(300):
        ids = [chance.randrange(tokenizer.vocab_size) for _ in range(chance.randint(0, 12))]
        text = one_line(tokenizer.decode(ids))
        found = target_words(tokenizer, ids)
        assert len(found) == len(ids)
        assert found == sorted(found)
        if text.split():
            assert set(found) == set(range(len(text.split())))
