"""How training pairs become ids: tags first, noise on the source only, sampling on both sides, never too long."""

from random import Random
from typing import Any

import pytest

from nmt.corpus.spelling import Spelling
from nmt.errors import DataError
from nmt.text.tokenizer import Tokenizer
from tests.conftest import sentences

PAIRS = list(zip(sentences(40, 1), sentences(40, 101), strict=True))


@pytest.fixture(scope="module", params=["unigram", "bpe"])
def tagged(request: pytest.FixtureRequest) -> Tokenizer:
    return Tokenizer.train(sentences(300), kind=request.param, vocab_size=320, tags=("deu", "fra"))


def shout(text: str, random: Random) -> str:
    return f"{text.upper()}{'!' * random.randint(1, 50)}"


def spelling(tokenizer: Tokenizer, **options: Any) -> Spelling:
    return Spelling((tokenizer, tokenizer), **({"max_length": 200} | options))


def test_without_anything_it_is_the_usual_spelling(tagged: Tokenizer) -> None:
    plain = spelling(tagged)
    for source, target in PAIRS:
        assert plain.respell(source, target, 5) == (tagged.encode(source), tagged.encode(target))


def test_noise_touches_the_source_alone(tagged: Tokenizer) -> None:
    noisy = spelling(tagged, noise=shout)
    for seed, (source, target) in enumerate(PAIRS):
        ids = noisy.respell(source, target, seed)
        assert tagged.decode(ids[0]).rstrip("!") == source.upper()
        assert ids[1] == tagged.encode(target)


def test_sampling_spells_both_sides_and_keeps_their_text(tagged: Tokenizer) -> None:
    sampled = spelling(tagged, sampling=0.2)
    spelled = [sampled.respell(*pair, seed) for seed, pair in enumerate(PAIRS)]
    for side in (0, 1):
        assert [tagged.decode(ids[side]) for ids in spelled] == [pair[side] for pair in PAIRS]
        assert sum(ids[side] != tagged.encode(pair[side]) for ids, pair in zip(spelled, PAIRS, strict=True)) > 10


def test_both_together_sample_the_noisy_text(tagged: Tokenizer) -> None:
    noise, both = spelling(tagged, noise=shout), spelling(tagged, noise=shout, sampling=0.2)
    for seed, pair in enumerate(PAIRS):
        source, target = both.respell(*pair, seed)
        assert tagged.decode(source) == tagged.decode(noise.respell(*pair, seed)[0])
        assert tagged.decode(target) == pair[1]


@pytest.mark.parametrize("options", [{}, {"noise": shout}, {"sampling": 0.2}, {"noise": shout, "sampling": 0.2}])
def test_a_tag_stays_in_front_as_one_id_of_the_source(tagged: Tokenizer, options: dict[str, Any]) -> None:
    either = spelling(tagged, **options)
    for seed, (source, target) in enumerate(PAIRS):
        ids = either.respell(f">>fra<< {source}", f">>deu<< {target}", seed)
        assert ids[0] == [tagged.tags["fra"], *either.respell(source, target, seed)[0]]
        assert tagged.decode(ids[1]) == f">>deu<< {target}"
    with pytest.raises(DataError, match="no tag >>xxx<<"):
        either.respell(">>xxx<< the", "the", 1)


def test_a_seed_always_gives_the_same_and_another_gives_another(tagged: Tokenizer) -> None:
    options: dict[str, Any] = {"noise": shout, "sampling": 0.2}
    one, two = spelling(tagged, **options), spelling(tagged, **options)
    first = [one.respell(*pair, 7) for pair in PAIRS]
    assert [two.respell(*pair, 7) for pair in reversed(PAIRS)] == first[::-1]
    other = [one.respell(*pair, 8) for pair in PAIRS]
    for side in (0, 1):
        assert sum(a[side] != b[side] for a, b in zip(first, other, strict=True)) > 10


def test_both_sides_of_a_pair_draw_for_themselves(tagged: Tokenizer) -> None:
    sampled = spelling(tagged, sampling=0.2)
    spelled = [sampled.respell(source, source, seed) for seed, (source, _) in enumerate(PAIRS)]
    assert sum(source != target for source, target in spelled) > 10


def test_what_becomes_too_long_is_spelled_as_usual(tagged: Tokenizer) -> None:
    source, target = f">>deu<< {PAIRS[0][0]}", PAIRS[0][1]
    usual = tagged.encode_source(source), tagged.encode(target)
    fits = spelling(tagged, noise=lambda text, _: text + "!" * 9, max_length=len(usual[0]) + 11)
    assert fits.respell(source, target, 1) != usual
    too_long = spelling(tagged, noise=lambda text, _: text + "!" * 99, max_length=max(map(len, usual)) + 1)
    assert too_long.respell(source, target, 1) == usual
