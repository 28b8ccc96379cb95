"""Diverse beam search: groups that are beams of their own, and that keep apart."""

import dataclasses

import pytest

from nmt.decoding.search import Hypothesis, SearchSettings
from nmt.errors import UsageError
from tests.decoding.tables import BOS, EOS, TableModel, run

MODEL = TableModel(9, sharpness=1.5, shift=1.0)


def _settings(beam_size: int, groups: int = 1, diversity: float = 0.0, n_best: int = 1, **more) -> SearchSettings:
    return SearchSettings(
        BOS, EOS, banned=(0, 1), beam_size=beam_size, groups=groups, diversity=diversity, n_best=n_best, **more
    )


@pytest.mark.parametrize("patience", [None, 1.0])
def test_without_penalty_each_group_is_a_beam_of_its_own(patience: float | None) -> None:
    diverse = run(MODEL, 20, 7, _settings(6, 3, 0.0, 6, patience=patience))
    assert diverse == run(MODEL, 20, 7, _settings(2, n_best=2, patience=patience))


@pytest.mark.parametrize(("beams", "groups"), [(2, 2), (3, 3), (4, 2), (6, 3)])
@pytest.mark.parametrize("diversity", [0.3, 1.0, 8.0])
def test_it_is_what_the_paper_says(beams: int, groups: int, diversity: float) -> None:
    """Against the same search written plainly, without any stop rule: all groups' lists, and their scores."""
    _compare_with_plain(MODEL, beams, groups, diversity)


@pytest.mark.parametrize("diversity", [0.3, 1.0, 8.0])
def test_groups_that_have_stopped_keep_no_one_away(diversity: float) -> None:
    """With patience each group stops at its own count; without, one that cannot win still shows what it would write."""
    _compare_with_plain(MODEL, 6, 3, diversity, patience=0.5)


def _compare_with_plain(
    model: TableModel, beams: int, groups: int, diversity: float, patience: float | None = None
) -> None:
    settings = _settings(beams, groups, diversity, n_best=groups, patience=patience)
    for sentence, found in enumerate(run(model, 25, 6, settings)):
        expected = sorted(_plain(model, sentence, 6, settings), key=lambda h: -h.score)
        seen = {tuple(h.tokens): h.score for h in found}
        for h in expected:  # equal ones leave room for the groups' second ones
            assert seen[tuple(h.tokens)] == pytest.approx(h.score, abs=1e-5)
        assert found[0].tokens == expected[0].tokens


def _plain(model: TableModel, sentence: int, limit: int, settings: SearchSettings) -> list[Hypothesis]:
    """The best of each group."""
    beams = settings.beam_size // settings.groups
    live: list[list[tuple[float, tuple[int, ...]]]] = [[(0.0, ())] for _ in range(settings.groups)]
    finished: list[list[Hypothesis]] = [[] for _ in live]
    for step in range(limit):
        words_now: list[int] = []
        for group in range(len(live)):
            ranked = []
            for total, written in live[group]:
                for word, log_prob in enumerate(model.log_probs(sentence, written).tolist()):
                    if word not in (0, 1) and (step + 1 < limit or word == EOS):
                        sum_ = total + log_prob
                        ranked.append((sum_ - settings.diversity * words_now.count(word), sum_, (*written, word)))
            ranked = sorted(ranked, reverse=True)[: 2 * beams]
            ending = ranked if settings.patience is None else ranked[:beams]
            finished[group] += [Hypothesis(list(w[:-1]), s / (step + 1), False) for _, s, w in ending if w[-1] == EOS]
            live[group] = [(s, w) for _, s, w in ranked if w[-1] != EOS][:beams]
            words_now += [w[-1] for _, w in live[group]]
            if settings.patience is not None and len(finished[group]) >= settings.patient_for:
                live[group] = []
    return [max(hypotheses, key=lambda h: h.score) for hypotheses in finished]


def test_strong_groups_begin_with_different_words() -> None:
    for found in run(MODEL, 20, 7, _settings(3, 3, 100.0, 3, min_length=1)):
        assert len({h.tokens[0] for h in found}) == 3
        assert [h.score for h in found] == sorted((h.score for h in found), reverse=True)


def test_more_diversity_gives_more_words() -> None:
    words = []
    for diversity in (0.0, 0.5, 5.0):
        found = run(MODEL, 30, 7, _settings(6, 3, diversity, 3))
        words.append(sum(len({token for h in hypotheses for token in h.tokens}) for hypotheses in found))
    assert words == sorted(words)
    assert len(set(words)) == 3


@pytest.mark.parametrize("patience", [None, 1.0, 2.0])
def test_the_head_is_the_same_for_every_n_best_and_in_every_batch(patience: float | None) -> None:
    settings = _settings(6, 3, 0.8, 6, patience=patience)
    limits = [7, 2, 5, 9, 1, 8]
    six = run(MODEL, 6, limits, settings)
    for n_best in range(1, 6):
        fewer = run(MODEL, 6, limits, dataclasses.replace(settings, n_best=n_best))
        assert [found[0] for found in fewer] == [found[0] for found in six]
        assert all(len(found) <= n_best for found in fewer)
    for sentence, limit in enumerate(limits):
        assert run(MODEL, [sentence], limit, settings) == six[sentence : sentence + 1]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"beam_size": 5, "groups": 2}, "beam_size 5 cannot be divided into 2 groups\n  try: beam_size 6"),
        ({"beam_size": 2, "groups": 3}, "beam_size 2 cannot be divided into 3 groups\n  try: beam_size 3"),
        ({"beam_size": 4, "groups": 0}, "groups is 0"),
        ({"beam_size": 4, "diversity": 0.5}, "diversity is between groups of beams, and there is one"),
        ({"beam_size": 4, "groups": 2, "diversity": -1.0}, "diversity is -1"),
        ({"beam_size": 4, "groups": 2, "diversity": float("nan")}, "diversity is nan"),
    ],
)
def test_groups_that_make_no_sense_are_refused(wanted, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        _settings(**wanted)
