"""A corpus as ids on disk is the text, encoded."""

from pathlib import Path

import numpy as np
import pytest

from nmt.corpus import encoded
from nmt.corpus.encoded import EncodedCorpus, encode_corpus
from nmt.errors import DataError
from nmt.text.tokenizer import Tokenizer
from tests.conftest import WORDS, sentences

Pairs = list[tuple[str, str]]


def text_pairs(count: int = 50, seed: int = 1) -> Pairs:
    return list(zip(sentences(count, seed), sentences(count, seed + 100), strict=True))


def encode(
    pairs: Pairs, tokenizer: Tokenizer, folder: Path, *, target: Tokenizer | None = None, max_length: int = 64
) -> EncodedCorpus:
    return encode_corpus(pairs, tokenizer, target or tokenizer, max_length=max_length, folder=folder, name="train")


def test_each_sentence_is_as_the_tokenizer_encodes_it(tokenizer: Tokenizer, tmp_path: Path) -> None:
    pairs = text_pairs()
    corpus = encode(pairs, tokenizer, tmp_path)
    assert len(corpus) == len(corpus.source) == len(corpus.target) == len(pairs)
    for index, (source, target) in enumerate(pairs):
        assert corpus.source[index].tolist() == tokenizer.encode(source)
        assert corpus.target[index].tolist() == tokenizer.encode(target)
    assert corpus.source.lengths.tolist() == [len(tokenizer.encode(source)) + 1 for source, _ in pairs]
    assert corpus.skipped == 0


def test_each_side_has_its_own_tokenizer(tokenizer: Tokenizer, tmp_path: Path) -> None:
    other = Tokenizer.train([line.upper() for line in sentences(300, 9)], kind="bpe", vocab_size=300)
    pairs = [(source, target.upper()) for source, target in text_pairs()]
    corpus = encode(pairs, tokenizer, tmp_path, target=other)
    assert corpus.source[7].tolist() == tokenizer.encode(pairs[7][0])
    assert corpus.target[7].tolist() == other.encode(pairs[7][1]) != tokenizer.encode(pairs[7][1])


def test_where_one_chunk_ends_and_the_next_begins_makes_no_difference(
    tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = text_pairs(50)
    whole = encode(pairs, tokenizer, tmp_path / "whole")
    for chunk in (1, 7, 10, 49, 50):
        monkeypatch.setattr(encoded, "CHUNK", chunk)
        assert encode(pairs, tokenizer, tmp_path / str(chunk)).fingerprint() == whole.fingerprint()


def test_the_ids_stay_on_the_disk(tokenizer: Tokenizer, tmp_path: Path) -> None:
    corpus = encode(text_pairs(), tokenizer, tmp_path / "made" / "on the way")
    for side, name in ((corpus.source, "train.source"), (corpus.target, "train.target")):
        assert isinstance(side.ids, np.memmap)
        assert isinstance(side[3], np.memmap)
        assert side.ids.dtype == "<i4"
        written = np.fromfile(tmp_path / "made" / "on the way" / name, dtype="<i4")
        assert written.tolist() == side.ids.tolist()


@pytest.mark.parametrize("side", ["source", "target"])
def test_one_line_of_20_000_words_is_skipped_and_counted(side: str, tokenizer: Tokenizer, tmp_path: Path) -> None:
    pairs = text_pairs(200)
    endless = " ".join(WORDS[i % len(WORDS)] for i in range(20_000))
    pair = (endless, pairs[0][1]) if side == "source" else (pairs[0][0], endless)
    corpus = encode([*pairs[:90], pair, *pairs[90:]], tokenizer, tmp_path / "with")
    assert (len(corpus), corpus.skipped) == (200, 1)
    without = encode(pairs, tokenizer, tmp_path / "without")
    assert corpus.fingerprint() == without.fingerprint()
    assert (tmp_path / "with" / "train.source").read_bytes() == (tmp_path / "without" / "train.source").read_bytes()


def test_the_limit_counts_eos(tokenizer: Tokenizer, tmp_path: Path) -> None:
    pair = (sentences(1)[0], sentences(1)[0])
    pieces = len(tokenizer.encode(pair[0]))
    assert len(encode([pair], tokenizer, tmp_path, max_length=pieces + 1)) == 1
    with pytest.raises(DataError, match=f"no train pair is left: 1 are empty or longer than {pieces} pieces"):
        encode([pair], tokenizer, tmp_path, max_length=pieces)


@pytest.mark.parametrize("empty", [("", "a cat."), ("a cat.", ""), ("", "")])
def test_a_pair_with_an_empty_side_is_skipped(empty: tuple[str, str], tokenizer: Tokenizer, tmp_path: Path) -> None:
    corpus = encode([("the dog.", "the dog."), empty], tokenizer, tmp_path)
    assert (len(corpus), corpus.skipped) == (1, 1)


def test_a_corpus_of_which_nothing_is_left_is_refused(tokenizer: Tokenizer, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no train pair is left: 0 are empty or longer") as caught:
        encode([], tokenizer, tmp_path)
    assert "model.max_length" in caught.value.remedy


def test_the_fingerprint_tells_corpora_apart(tokenizer: Tokenizer, tmp_path: Path) -> None:
    pairs = text_pairs(20)
    changed = [*pairs[:-1], (pairs[-1][0], pairs[-1][1].replace(".", " cat."))]
    variants = {
        "as it is": pairs,
        "one word more": changed,
        "another order": pairs[::-1],
        "the sides swapped": [(target, source) for source, target in pairs],
        "one pair less": pairs[:-1],
        "one pair twice": [*pairs, pairs[0]],
    }
    prints = {name: encode(texts, tokenizer, tmp_path / name).fingerprint() for name, texts in variants.items()}
    assert len(set(prints.values())) == len(variants), prints
    assert encode(pairs, tokenizer, tmp_path / "again").fingerprint() == prints["as it is"]


def test_the_fingerprint_sees_where_sentences_begin() -> None:
    ids, starts = np.arange(6, dtype="<i4"), np.array([0, 2, 6])
    side, other = encoded.EncodedSide(ids, starts), encoded.EncodedSide(ids, np.array([0, 3, 6]))
    assert EncodedCorpus(side, side, 0).fingerprint() != EncodedCorpus(side, other, 0).fingerprint()
    assert EncodedCorpus(side, side, 0).fingerprint() == EncodedCorpus(side, side, 5).fingerprint()


def test_small_vocabularies_take_half_the_space() -> None:
    assert encoded.ids_type(65_536, 300) == np.dtype("<u2")
    assert encoded.ids_type(300, 65_537) == np.dtype("<i4")
