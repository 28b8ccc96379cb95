"""Spellings drawn at random: with the right probabilities, of the same text, and the same ones in every process."""

import math
from collections import Counter
from collections.abc import Iterator
from typing import Literal

import pytest

from nmt.errors import ConfigError
from nmt.text import sampling
from nmt.text.sampling import SPACE, BpeDropout, Pieces, Sampler, UnigramSampler
from nmt.text.tokenizer import Tokenizer
from tests.conftest import sentences

SCORES = {"a": -3.0, "b": -3.5, "c": -4.0, "ab": -2.0, "bc": -2.5, "abc": -4.5, SPACE: -3.0, f"{SPACE}a": -2.2}
PIECES = Pieces({piece: (i, score) for i, (piece, score) in enumerate(SCORES.items())}, lambda _: [99])
TEXTS = [*sentences(80, 5), "", " ", "two  spaces, \u2581 and \ufdd0 and tabs\t.", "漢字 and é and 😀", "x" * 200]


def spellings(word: str) -> Iterator[tuple[list[int], float]]:
    """Every way to spell the word, and its score."""
    if not word:
        yield [], 0.0
    for end in range(1, len(word) + 1):
        if word[:end] in PIECES.known:
            number, score = PIECES.known[word[:end]]
            yield from (([number, *ids], score + rest) for ids, rest in spellings(word[end:]))


@pytest.mark.parametrize("alpha", [0.2, 1.0])
def test_a_spelling_is_drawn_with_its_probability_to_the_power_alpha(alpha: float) -> None:
    word = f"{SPACE}abcab"
    weights = {tuple(ids): math.exp(alpha * score) for ids, score in spellings(word)}
    sample = Sampler(PIECES, UnigramSampler(PIECES, alpha))
    draws = 20_000
    counted = Counter(tuple(sample(word, seed)) for seed in range(draws))
    assert len(weights) == 12
    for ids, weight in weights.items():
        share = weight / sum(weights.values())
        assert counted[ids] / draws == pytest.approx(share, abs=4 * math.sqrt(share / draws))


def test_a_high_power_leaves_the_best_spelling_as_sentencepiece_finds_it(tokenizer: Tokenizer) -> None:
    sample = tokenizer.sampler(1000.0)
    assert [sample(text, 1) for text in TEXTS] == [tokenizer.encode(text) for text in TEXTS]


@pytest.fixture(scope="module")
def bpe() -> Tokenizer:
    return Tokenizer.train(sentences(400), kind="bpe", vocab_size=340)


def test_bpe_without_dropout_is_bpe(bpe: Tokenizer) -> None:
    sample = bpe.sampler(0.0)
    assert [sample(text, 1) for text in TEXTS] == [bpe.encode(text) for text in TEXTS]


def test_bpe_with_much_dropout_is_characters(bpe: Tokenizer) -> None:
    ids = bpe.sampler(0.9999)("the cat", 1)
    assert bpe.pieces(ids) == [SPACE, "t", "h", "e", SPACE, "c", "a", "t"]


def test_merges_are_left_out_with_their_probability() -> None:
    """Of `ab` there is one merge; of `abc` the better one comes first, and the other takes its chance after it."""
    sample = BpeDropout(PIECES, 0.3)
    draws = 20_000
    pairs = Counter(tuple(Sampler(PIECES, sample)("ab", seed)) for seed in range(draws))
    assert pairs[(PIECES.known["ab"][0],)] / draws == pytest.approx(0.7, abs=0.015)
    triples = Counter(tuple(Sampler(PIECES, sample)("abc", seed)) for seed in range(draws))
    apart = tuple(PIECES.known[piece][0] for piece in "abc")
    assert triples[apart] / draws == pytest.approx(0.3 * 0.3, abs=0.01)
    # a+bc: `ab` is left out, `bc` is not; then `abc` is left out.
    behind = (PIECES.known["a"][0], PIECES.known["bc"][0])
    assert triples[behind] / draws == pytest.approx(0.3 * 0.7 * 0.3, abs=0.01)


@pytest.mark.parametrize("kind", ["unigram", "bpe"])
def test_every_text_comes_back(kind: str, tokenizer: Tokenizer, bpe: Tokenizer) -> None:
    model = tokenizer if kind == "unigram" else bpe
    sample = model.sampler(0.3)
    for seed, text in enumerate(TEXTS * 3):
        assert model.decode(sample(text, seed)) == text


@pytest.mark.parametrize("kind", ["unigram", "bpe"])
def test_neighbours_without_a_piece_are_one_unknown_as_in_decoding(kind: Literal["unigram", "bpe"]) -> None:
    model = Tokenizer.train(sentences(400), kind=kind, vocab_size=80, byte_fallback=False)
    sample = model.sampler(1000.0 if kind == "unigram" else 0.0)
    for text in ("漢字 and 漢", "😀😀 cat 😀", "漢"):
        assert sample(text, 1) == model.encode(text)


def test_a_seed_means_the_same_in_every_process(tokenizer: Tokenizer) -> None:
    """SentencePiece's own draws do not; these numbers were written down once."""
    unigram, dropout = (Sampler(PIECES, word) for word in (UnigramSampler(PIECES, 0.5), BpeDropout(PIECES, 0.4)))
    text = f"{SPACE}abcab{SPACE}cab"
    assert [unigram(text, seed) for seed in range(2)] == [[7, 4, 3, 6, 2, 3], [6, 5, 3, 6, 2, 3]]
    assert [dropout(text, seed) for seed in range(2)] == [[6, 5, 3, 6, 2, 3], [6, 5, 3, 6, 2, 3]]
    sample, other = tokenizer.sampler(0.2), tokenizer.sampler(0.2)
    drawn = [sample(text, seed) for seed, text in enumerate(TEXTS)]
    assert [other(text, seed) for seed, text in reversed(list(enumerate(TEXTS)))] == drawn[::-1]


def test_what_is_remembered_changes_nothing(tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = [tokenizer.sampler(0.2)(text, seed) for seed, text in enumerate(TEXTS)]
    monkeypatch.setattr(sampling, "_LONGEST_REMEMBERED", 0)
    assert [tokenizer.sampler(0.2)(text, seed) for seed, text in enumerate(TEXTS)] == drawn


def test_pieces_that_reach_over_a_space_are_found() -> None:
    """In a model made elsewhere, with split_by_whitespace off."""
    pieces = Pieces(PIECES.known | {f"b{SPACE}a": (50, -0.1)}, PIECES.fallback)
    assert Sampler(pieces, UnigramSampler(pieces, 1000.0))(f"{SPACE}ab{SPACE}a", 1) == [
        PIECES.known[f"{SPACE}a"][0],
        50,
    ]


def test_a_character_without_a_piece_is_spelled_by_the_fallback() -> None:
    for word in (UnigramSampler(PIECES, 0.5), BpeDropout(PIECES, 0.5)):
        assert 99 in Sampler(PIECES, word)("a漢b", 3)


def test_other_kinds_of_models_cannot_be_sampled_from(tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tokenizer, "kind", "word")
    with pytest.raises(ConfigError, match="text cannot be sampled from a subword model of kind word"):
        tokenizer.sampler(0.1)
