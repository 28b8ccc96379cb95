"""Phrases that an output must hold: every placement tried by brute force, and limits that are too short."""

import dataclasses
import itertools

import pytest
import torch
from torch import Tensor

from nmt.decoding.search import SearchSettings, Wish
from nmt.decoding.search.constrained import Phrases
from nmt.errors import UsageError
from tests.decoding.tables import BOS, EOS, TableModel, all_hypotheses, run

WIDE = SearchSettings(BOS, EOS, banned=(0, 1), beam_size=128, n_best=5)
NARROW = SearchSettings(BOS, EOS, banned=(0, 1), beam_size=5, n_best=5)

CASES = [
    ((4,),),
    ((4, 3),),
    ((4, 4),),
    ((3,), (5,)),
    ((4,), (4,)),  # named twice: there twice
    ((4, 4), (4, 4)),  # runs may overlap: 4 4 4 holds it twice
    ((3, 4), (4, 5)),  # 3 4 5 holds both
    ((3, 4), (3, 5)),  # begun alike
    ((3, 4, 3), (4,)),  # one within the other
    ((3, 3, 4),),  # 3 3 3 4 holds it: what is given back is not all lost
]


def _times(tokens: list[int], phrase: tuple[int, ...]) -> int:
    return sum(tuple(tokens[i : i + len(phrase)]) == phrase for i in range(len(tokens)))


def _holds(tokens: list[int], phrases: tuple[tuple[int, ...], ...]) -> bool:
    return all(_times(tokens, phrase) >= phrases.count(phrase) for phrase in phrases)


@pytest.mark.parametrize("phrases", CASES)
@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_a_full_width_beam_equals_brute_force(phrases, alpha: float) -> None:
    """Of all hypotheses of up to four tokens over three words, the five best that hold the phrases, in order."""
    model = TableModel(6, shift=3.0)
    settings = dataclasses.replace(WIDE, length_penalty=alpha)
    for sentence, found in enumerate(run(model, 3, 5, settings, [Wish(phrases=phrases)] * 3)):
        expected = all_hypotheses(model, sentence, 5, alpha, {0, 1})
        expected = [h for h in expected if _holds(h.tokens, phrases)][:5]
        assert [h.tokens for h in found] == [h.tokens for h in expected]
        assert [h.score for h in found] == pytest.approx([h.score for h in expected], abs=1e-5)
        assert not any(h.unmet for h in found)


@pytest.mark.parametrize("phrases", CASES)
@pytest.mark.parametrize("beams", [2, 3, 5])
@pytest.mark.parametrize("patience", [None, 1.0])
def test_whatever_the_beam_phrases_are_there_if_the_limit_has_room(phrases, beams: int, patience) -> None:
    """At every limit from the tokens of all phrases and EOS on."""
    model = TableModel(9, sharpness=3.0)
    settings = dataclasses.replace(NARROW, beam_size=beams, n_best=1, patience=patience)
    shortest = sum(map(len, phrases)) + 1
    for limit in (shortest, shortest + 1, shortest + 5):
        for hypotheses in run(model, 8, limit, settings, [Wish(phrases=phrases)] * 8):
            assert _holds(hypotheses[0].tokens, phrases)
            assert not hypotheses[0].unmet


def test_the_model_places_them() -> None:
    """A phrase is not just put at one end: over many sentences it is found in many places, and costs little."""
    model, phrase = TableModel(7), (4, 6)
    found = run(model, 40, 9, NARROW, [Wish(phrases=(phrase,))] * 40)
    places = {tuple(h[0].tokens[i : i + 2]) == phrase and i for h in found for i in range(len(h[0].tokens))}
    assert len(places - {False}) >= 3
    free = run(model, 40, 9, NARROW)
    for constrained, plain in zip(found, free, strict=True):
        assert constrained[0].score <= plain[0].score + 1e-5
    same = [(c[0], p[0]) for c, p in zip(found, free, strict=True) if _holds(p[0].tokens, (phrase,))]
    assert same
    assert all(constrained.score == pytest.approx(plain.score, abs=0.7) for constrained, plain in same)


@pytest.mark.parametrize("patience", [None, 1.0])
def test_sentences_without_phrases_do_not_notice_those_that_have_them(patience) -> None:
    model, limits = TableModel(8), [9, 4, 7, 2, 8, 9]
    settings = dataclasses.replace(NARROW, patience=patience)
    wishes = [Wish(phrases=phrases) for phrases in ((), ((3, 4),), (), (), ((5,), (6, 6)), ())]
    together = run(model, 6, limits, settings, wishes)
    plain = run(model, 6, limits, settings)
    assert [together[s] for s in (0, 2, 3, 5)] == [plain[s] for s in (0, 2, 3, 5)]
    for s in range(6):
        assert run(model, [s], limits[s], settings, wishes[s : s + 1]) == together[s : s + 1]


def test_the_head_is_the_same_for_every_n_best() -> None:
    wishes = [Wish(phrases=((3, 4), (6,)))] * 12
    five = run(TableModel(8), 12, 8, NARROW, wishes)
    for n_best in range(1, 5):
        fewer = run(TableModel(8), 12, 8, dataclasses.replace(NARROW, n_best=n_best), wishes)
        assert fewer == [found[:n_best] for found in five]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_limit_that_is_too_short_gives_what_there_is_and_says_so(limit: int) -> None:
    phrases = ((3,), (5, 5, 4))
    for hypotheses in run(TableModel(8), 8, limit, NARROW, [Wish(phrases=phrases)] * 8):
        assert hypotheses
        assert all(h.unmet for h in hypotheses)
        assert all(len(h.tokens) == limit - 1 for h in hypotheses)
        assert all((3 in h.tokens) == (limit > 1) for h in hypotheses)  # the one phrase that has room is there


def test_a_prefix_may_hold_a_phrase_or_begin_it() -> None:
    model = TableModel(7)
    for prefix in ((3, 4, 5), (6, 3), (6, 6)):
        for found, *_ in run(model, 10, 8, NARROW, [Wish(prefix, ((3, 4),))] * 10):
            assert tuple(found.tokens[: len(prefix)]) == prefix
            assert _holds(found.tokens, ((3, 4),))


@pytest.mark.parametrize("patience", [None, 0.6, 1.0])
def test_once_all_phrases_are_met_it_is_plain_beam_search(patience: float | None) -> None:
    model = TableModel(8, sharpness=1.5)
    settings = dataclasses.replace(NARROW, n_best=3, length_penalty=2.0, patience=patience)
    met = run(model, 30, 9, settings, [Wish((3, 4), ((3, 4), (4,)))] * 30)
    assert met == run(model, 30, 9, settings, [Wish((3, 4))] * 30)


def test_phrases_go_before_n_grams_that_may_not_come_again() -> None:
    """Even where the same token is asked for three times, and no token may come twice."""
    settings = dataclasses.replace(NARROW, no_repeat_ngram=1, min_length=4)
    for found, *_ in run(TableModel(6), 10, 9, settings, [Wish(phrases=((4,), (4,), (4,)))] * 10):
        assert found.tokens.count(4) >= 3
        assert not found.unmet


def test_progress_is_what_the_text_says() -> None:
    """Token by token against counting, for every text of seven tokens over two words."""
    for phrases in (((3, 3),), ((3, 4, 3), (4, 3)), ((3, 4), (3, 4), (3, 3, 4)), ((3, 3, 4, 3, 3, 3),)):
        followed = Phrases(phrases)
        for text in itertools.product((3, 4), repeat=7):
            progress = followed.read(text)
            for number, phrase in enumerate(followed.phrases):
                times = _times(list(text), phrase)
                assert progress.seen[number] == min(times, phrases.count(phrase))
                starts = [n for n in range(len(phrase)) if text[len(text) - n :] == phrase[:n]]
                assert progress.begun[number] == max(starts)
            assert followed.complete(progress) == _holds(list(text), phrases)
            if followed.complete(progress):
                assert followed.met(progress) == followed.tokens
                assert followed.next_tokens(progress) == set()
            else:
                further = [followed.met(followed.after(progress, token)) for token in followed.next_tokens(progress)]
                assert max(further) > followed.met(progress)


def test_fuller_banks_do_not_crowd_out_the_others() -> None:
    """A phrase that is cheap at its own place only: half-way through the best sentence, not at its start."""

    class Story(TableModel):
        def log_probs(self, sentence: int, prefix: tuple[int, ...]) -> Tensor:
            table = torch.full((9,), -6.0)
            path = (3, 4, 5, 6, 7, 8, EOS)
            if path[: len(prefix)] == prefix and len(prefix) < len(path):
                table[path[len(prefix)]] = 4.0
            return table.log_softmax(-1)

    found = run(Story(9), 1, 12, NARROW, [Wish(phrases=((6, 7),))])[0][0]
    assert found.tokens == [3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize(
    "settings",
    [
        SearchSettings(BOS, EOS),
        SearchSettings(BOS, EOS, beam_size=4, groups=2, diversity=0.5),
    ],
)
def test_phrases_need_a_beam(settings: SearchSettings) -> None:
    with pytest.raises(UsageError, match="phrases need a beam search: not a greedy, a sampled or a diverse one"):
        run(TableModel(6), 1, 4, settings, [Wish(phrases=((4,),))])
