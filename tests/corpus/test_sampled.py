"""Subword sampling: other spellings of the same text in each epoch, and the same ones whoever asks again."""

from pathlib import Path
from typing import Literal

import pytest

from nmt.corpus.encoded import encode_corpus
from nmt.corpus.sampled import SampledCorpus, keep_text
from nmt.corpus.spelling import Spelling
from nmt.text.tokenizer import Tokenizer
from tests.conftest import sentences

PAIRS = [
    *zip(sentences(60, 1), sentences(60, 101), strict=True),
    ("an odd one: \u2028 é 漢 \u2581 \x85", "a line that ends in a carriage return\r"),
    (" ".join(sentences(40, 3)), "too long, and so skipped."),
]


def sampled(
    tokenizer: Tokenizer, folder: Path, *, seed: int = 1, strength: float = 0.2, max_length: int = 120
) -> SampledCorpus:
    with keep_text(folder, "train") as keep:
        plain = encode_corpus(
            PAIRS, tokenizer, tokenizer, max_length=max_length, folder=folder, name="train", on_kept=keep
        )
    spelling = Spelling((tokenizer, tokenizer), max_length=max_length, sampling=strength)
    return SampledCorpus(plain, folder, "train", spelling, seed=seed)


def ids(corpus: SampledCorpus, epoch: int) -> list[list[int]]:
    encoded = corpus.epoch(epoch)
    return [side[index].tolist() for side in (encoded.source, encoded.target) for index in range(len(encoded))]


@pytest.fixture(scope="module", params=["unigram", "bpe"])
def sampler(request: pytest.FixtureRequest) -> Tokenizer:
    kind: Literal["unigram", "bpe"] = request.param
    return Tokenizer.train(sentences(400), kind=kind, vocab_size=320)


def test_each_epoch_spells_the_same_text_in_its_own_way(sampler: Tokenizer, tmp_path: Path) -> None:
    corpus = sampled(sampler, tmp_path)
    assert len(corpus) == len(PAIRS) - 1
    assert corpus.plain.skipped == 1
    texts = [pair[side] for side in (0, 1) for pair in PAIRS[:-1]]
    first, second = ids(corpus, 0), ids(corpus, 1)
    for spelled in (first, second):
        assert [sampler.decode(line) for line in spelled] == texts
    changed = sum(one != other for one, other in zip(first, second, strict=True))
    assert changed > len(texts) / 2
    assert corpus.epoch(1).source.lengths.sum() > corpus.plain.source.lengths.sum()


def test_an_epoch_is_the_same_whenever_it_is_asked_for(sampler: Tokenizer, tmp_path: Path) -> None:
    corpus = sampled(sampler, tmp_path / "a")
    first, second = ids(corpus, 0), ids(corpus, 1)
    sampler.sampler(0.5)("somebody else draws in between", 9)
    assert ids(corpus, 0) == first
    assert ids(sampled(sampler, tmp_path / "b"), 1) == second
    assert ids(sampled(sampler, tmp_path / "c", seed=2), 1) != second
    assert corpus.fingerprint() == corpus.plain.fingerprint()


def test_only_the_epoch_in_use_lies_on_the_disk(tokenizer: Tokenizer, tmp_path: Path) -> None:
    corpus = sampled(tokenizer, tmp_path)
    for epoch in range(3):
        corpus.epoch(epoch)
    assert sorted(path.name for path in tmp_path.glob("*epoch*")) == [
        *("train.epoch-2.source", "train.epoch-2.source.npy", "train.epoch-2.target", "train.epoch-2.target.npy")
    ]


def test_a_pair_that_only_fits_in_its_usual_spelling_keeps_that(tokenizer: Tokenizer, tmp_path: Path) -> None:
    longest = max(len(tokenizer.encode(text)) for pair in PAIRS[:60] for text in pair)
    corpus = sampled(tokenizer, tmp_path, strength=0.01, max_length=longest + 1)
    encoded = corpus.epoch(0)
    assert max(encoded.source.lengths.max(), encoded.target.lengths.max()) <= longest + 1
    assert len(encoded) == len(corpus)
    sides = ((encoded.source, corpus.plain.source), (encoded.target, corpus.plain.target))
    usual = [all(new[i].tolist() == old[i].tolist() for new, old in sides) for i in range(len(corpus))]
    assert 0 < sum(usual) < len(corpus)


def test_the_strength_says_how_far_a_spelling_strays(tokenizer: Tokenizer, tmp_path: Path) -> None:
    far = sampled(tokenizer, tmp_path / "far", strength=0.1).epoch(0).source.lengths.sum()
    near = sampled(tokenizer, tmp_path / "near", strength=0.9).epoch(0).source.lengths.sum()
    assert far > 1.2 * near
