"""Subword sampling: other spellings of the same text in each epoch, and the same ones whoever asks again."""

from pathlib import Path
from typing import Literal

import pytest

from nmt.corpus.mixture import Mixture, Place, TrainingText
from nmt.corpus.sampled import SampledText
from nmt.corpus.spelling import Spelling
from nmt.text.lines import clean
from nmt.text.tokenizer import Tokenizer
from tests.conftest import encoded_corpus, mixture, sentences

PAIRS = [
    *zip(sentences(60, 1), sentences(60, 101), strict=True),
    ("an odd one: \u2028 é 漢 \u2581 \x85", "a line that ends in a carriage return\r"),
    (" ".join(sentences(40, 3)), "too long, and so skipped."),
]


def sampled(
    tokenizer: Tokenizer, folder: Path, *, seed: int = 1, strength: float = 0.2, max_length: int = 120
) -> tuple[SampledText, Mixture]:
    """The text, and the same one in its usual spelling."""
    plain = mixture([encoded_corpus(PAIRS, tokenizer, folder / "ids", max_length=max_length)], seed)
    spelling = Spelling((tokenizer, tokenizer), max_length=max_length, sampling=strength)
    return SampledText(plain, folder, spelling, (tokenizer.vocab_size, tokenizer.vocab_size)), plain


def ids(text: TrainingText, epoch: int) -> list[list[int]]:
    pool = text.pool(Place(epoch=epoch))
    return [side[index].tolist() for side in (pool.source, pool.target) for index in range(len(pool))]


@pytest.fixture(scope="module", params=["unigram", "bpe"])
def sampler(request: pytest.FixtureRequest) -> Tokenizer:
    kind: Literal["unigram", "bpe"] = request.param
    return Tokenizer.train(sentences(400), kind=kind, vocab_size=320)


def test_each_epoch_spells_the_same_text_in_its_own_way(sampler: Tokenizer, tmp_path: Path) -> None:
    text, plain = sampled(sampler, tmp_path)
    assert plain.corpora[0].shards.left_out().counts == {"too long": 1}
    lines = [clean(pair[side]) for side in (0, 1) for pair in PAIRS[:-1]]
    first, second = ids(text, 0), ids(text, 1)
    for spelled in (first, second):
        assert [sampler.decode(line) for line in spelled] == lines
    changed = sum(one != other for one, other in zip(first, second, strict=True))
    assert changed > len(lines) / 2
    assert sum(map(len, second)) > sum(map(len, ids(plain, 0)))


def test_an_epoch_is_the_same_whenever_it_is_asked_for(sampler: Tokenizer, tmp_path: Path) -> None:
    text, plain = sampled(sampler, tmp_path / "a")
    first, second = ids(text, 0), ids(text, 1)
    sampler.sampler(0.5)("somebody else draws in between", 9)
    assert ids(text, 0) == first
    assert ids(sampled(sampler, tmp_path / "b")[0], 1) == second
    assert ids(sampled(sampler, tmp_path / "c", seed=2)[0], 1) != second
    assert text.fingerprint() == plain.fingerprint()
    assert text.pools(0) == plain.pools(0) == 1


def test_only_the_pool_in_use_lies_on_the_disk(tokenizer: Tokenizer, tmp_path: Path) -> None:
    text, _ = sampled(tokenizer, tmp_path)
    for epoch in range(3):
        text.pool(Place(epoch=epoch))
    sides = ("source", "source.npy", "target", "target.npy")
    assert sorted(path.name for path in tmp_path.glob("pool*")) == [f"pool-0-2-0.{side}" for side in sides]


def test_a_pair_that_only_fits_in_its_usual_spelling_keeps_that(tokenizer: Tokenizer, tmp_path: Path) -> None:
    longest = max(len(tokenizer.encode(text)) for pair in PAIRS[:60] for text in pair)
    text, plain = sampled(tokenizer, tmp_path, strength=0.01, max_length=longest + 1)
    new, old = ids(text, 0), ids(plain, 0)
    assert max(map(len, new)) <= longest
    assert len(new) == len(old)
    half = len(new) // 2
    usual = [new[i] == old[i] and new[half + i] == old[half + i] for i in range(half)]
    assert 0 < sum(usual) < half


def test_the_strength_says_how_far_a_spelling_strays(tokenizer: Tokenizer, tmp_path: Path) -> None:
    far = ids(sampled(tokenizer, tmp_path / "far", strength=0.1)[0], 0)
    near = ids(sampled(tokenizer, tmp_path / "near", strength=0.9)[0], 0)
    assert sum(map(len, far)) > 1.2 * sum(map(len, near))


def test_the_pools_of_a_mixture_are_spelled_in_their_order(tokenizer: Tokenizer, tmp_path: Path) -> None:
    """Pairs of several shards, some of them in part, each with the text that belongs to it."""
    corpora = [encoded_corpus(PAIRS[at::2], tokenizer, tmp_path / "ids", name=f"c{at}") for at in range(2)]
    plain = mixture(corpora, 3, [1, 0.5])
    spelling = Spelling((tokenizer, tokenizer), max_length=64, sampling=0.3)
    text = SampledText(plain, tmp_path, spelling, (tokenizer.vocab_size, tokenizer.vocab_size))
    for epoch in range(2):
        told = [tokenizer.decode(line) for line in ids(plain, epoch)]
        assert [tokenizer.decode(line) for line in ids(text, epoch)] == told


def test_each_pool_of_each_stage_has_spellings_of_its_own(tokenizer: Tokenizer, tmp_path: Path) -> None:
    """Here all hold the same pairs in the same order."""
    corpus = encoded_corpus(PAIRS, tokenizer, tmp_path / "ids")
    spelling = Spelling((tokenizer, tokenizer), max_length=64, sampling=0.3)
    plain = mixture([corpus], 3, [1], [1])
    text = SampledText(plain, tmp_path, spelling, (tokenizer.vocab_size, tokenizer.vocab_size))
    pools = [text.pool(place) for place in (Place(), Place(1), Place(0, 1), Place(0, 0, 1))]
    spelled = [str([pool.source[i].tolist() for i in range(len(pool))]) for pool in pools]
    assert len(set(spelled)) == 4
