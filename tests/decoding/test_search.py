"""Search over hand-made probability tables: exact tokens, exact scores, and every sequence tried by brute force."""

import dataclasses
import math

import pytest
import torch
from torch import Tensor

from nmt.decoding.search import Hypothesis, SearchSettings, search
from nmt.errors import UsageError
from tests.decoding.tables import BOS, EOS, TableModel, all_hypotheses, run


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_full_width_beam_equals_brute_force(alpha: float, limit: int) -> None:
    """All hypotheses of up to three tokens over four words, pad and BOS banned; the five best, in order."""
    model = TableModel(6, shift=3.5)
    settings = SearchSettings(BOS, EOS, banned=(0, 1), beam_size=64, length_penalty=alpha, n_best=5)
    for sentence, found in enumerate(run(model, 7, limit, settings)):
        expected = all_hypotheses(model, sentence, limit, alpha, {0, 1})[:5]
        assert [h.tokens for h in found] == [h.tokens for h in expected]
        assert [h.score for h in found] == pytest.approx([h.score for h in expected], abs=1e-5)


@pytest.mark.parametrize("beams", [2, 3, 5])
@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_the_stop_rule_never_loses_what_a_longer_search_would_find(beams: int, alpha: float) -> None:
    """The same beam search without any stop rule, written plainly, agrees on every sentence."""
    model = TableModel(8, sharpness=1.5)
    settings = SearchSettings(BOS, EOS, banned=(0, 1), beam_size=beams, length_penalty=alpha)
    for sentence, found in enumerate(run(model, 40, 8, settings)):
        expected = _plain_beam_search(model, sentence, 8, beams, alpha)
        assert found[0].tokens == expected.tokens
        assert found[0].score == pytest.approx(expected.score, abs=1e-5)


def _plain_beam_search(model: TableModel, sentence: int, limit: int, beams: int, alpha: float) -> Hypothesis:
    live: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    finished: list[Hypothesis] = []
    for step in range(limit):
        candidates = []
        for total, written in live:
            for word, log_prob in enumerate(model.log_probs(sentence, written).tolist()):
                if word not in (0, 1) and (step + 1 < limit or word == EOS):
                    candidates.append((total + log_prob, (*written, word)))
        candidates = sorted(candidates, reverse=True)[: 2 * beams]
        for total, written in candidates:
            if written[-1] == EOS:
                finished.append(Hypothesis(list(written[:-1]), total / (step + 1) ** alpha, False))
        live = [candidate for candidate in candidates if candidate[1][-1] != EOS][:beams]
    return max(finished, key=lambda h: h.score)


def test_beam_of_one_is_greedy_search() -> None:
    model = TableModel(9)
    greedy = run(model, 20, 7, SearchSettings(BOS, EOS, banned=(0, 1), beam_size=1))
    for sentence, found in enumerate(greedy):
        expected = _plain_greedy(model, sentence, 7)
        assert found[0].tokens == expected.tokens
        assert found[0].score == pytest.approx(expected.score, abs=1e-5)


def _plain_greedy(model: TableModel, sentence: int, limit: int) -> Hypothesis:
    written: tuple[int, ...] = ()
    total = 0.0
    for step in range(limit):
        log_probs = model.log_probs(sentence, written).clone()
        log_probs[:2] = -math.inf
        word = EOS if step + 1 == limit else int(log_probs.argmax())
        total += float(log_probs[word])
        if word == EOS:
            return Hypothesis(list(written), total / (step + 1), False)
        written = (*written, word)
    raise AssertionError("the last step ends")


@pytest.mark.parametrize("patience", [None, 1.0, 2.5])
@pytest.mark.parametrize("alpha", [0.0, 1.0, 2.0])
def test_the_n_best_are_the_head_of_more(alpha: float, patience: float | None) -> None:
    """For every n: a search for one stops sooner than one for five, but only when nothing better can come."""
    model, limits = TableModel(9, sharpness=1.5), [1 + s % 8 for s in range(40)]
    settings = SearchSettings(BOS, EOS, banned=(0, 1), beam_size=5, n_best=5, length_penalty=alpha, patience=patience)
    five = run(model, 40, limits, settings)
    for n_best in range(1, 5):
        fewer = run(model, 40, limits, dataclasses.replace(settings, n_best=n_best))
        assert fewer == [hypotheses[:n_best] for hypotheses in five]
    for hypotheses in five:
        scores = [h.score for h in hypotheses]
        assert scores == sorted(scores, reverse=True)
        assert len({tuple(h.tokens) for h in hypotheses}) == len(hypotheses)


@pytest.mark.parametrize("beams", [2, 3, 5])
@pytest.mark.parametrize("patience", [0.6, 1.0, 2.0])
def test_patience_stops_at_so_many_finished_hypotheses(beams: int, patience: float) -> None:
    """As CTranslate2 does: of the K best candidates of each step those that end are counted, all of them are kept."""
    model, limits = TableModel(8, sharpness=1.5), [1 + s % 9 for s in range(40)]
    settings = SearchSettings(BOS, EOS, banned=(0, 1), beam_size=beams, patience=patience)
    differs = 0
    for sentence, found in enumerate(run(model, 40, limits, settings)):
        expected = _patient_beam_search(model, sentence, limits[sentence], beams, max(1, round(patience * beams)))
        assert found[0].tokens == expected.tokens
        assert found[0].score == pytest.approx(expected.score, abs=1e-5)
        differs += found[0].tokens != _plain_beam_search(model, sentence, limits[sentence], beams, 1.0).tokens
    assert differs or patience == 2.0


@pytest.mark.parametrize("patience", [0.4, 1.0])
def test_what_has_stopped_finds_nothing_more(patience: float) -> None:
    """It may wait in the batch for its neighbours; where long outputs are worth more it would find better ones."""
    model = TableModel(8, sharpness=1.5)
    settings = SearchSettings(BOS, EOS, banned=(0, 1), beam_size=3, length_penalty=3.0, patience=patience)
    for sentence, found in enumerate(run(model, 40, 9, settings)):
        assert run(model, [sentence], 9, settings)[0] == found


def _patient_beam_search(model: TableModel, sentence: int, limit: int, beams: int, enough: int) -> Hypothesis:
    live: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    finished: list[Hypothesis] = []
    for step in range(limit):
        candidates = []
        for total, written in live:
            for word, log_prob in enumerate(model.log_probs(sentence, written).tolist()):
                if word not in (0, 1) and (step + 1 < limit or word == EOS):
                    candidates.append((total + log_prob, (*written, word)))
        candidates = sorted(candidates, reverse=True)[: 2 * beams]
        for total, written in candidates[:beams]:
            if written[-1] == EOS:
                finished.append(Hypothesis(list(written[:-1]), total / (step + 1), False))
        if len(finished) >= enough:
            break
        live = [candidate for candidate in candidates if candidate[1][-1] != EOS][:beams]
    return max(finished, key=lambda h: h.score)


class _Scripted(TableModel):
    """Two sentences to choose from: A ends early with -4 in all, B late with -5."""

    def log_probs(self, sentence: int, prefix: tuple[int, ...]) -> Tensor:
        table = torch.full((7,), -50.0)
        path_a, path_b = (4, 4, 4, EOS), (5, 5, 5, 5, 5, 5, 5, EOS)
        for path, total in ((path_a, -4.0), (path_b, -5.0)):
            if path[: len(prefix)] == prefix and len(prefix) < len(path):
                table[path[len(prefix)]] = total / len(path)
        return table


@pytest.mark.parametrize(("alpha", "length", "score"), [(0.0, 3, -4.0), (1.0, 7, -5.0 / 8)])
def test_length_penalty_decides_between_short_and_long(alpha: float, length: int, score: float) -> None:
    settings = SearchSettings(BOS, EOS, banned=(0, 1), beam_size=4, length_penalty=alpha)
    found = run(_Scripted(7), 1, 12, settings)[0][0]
    assert len(found.tokens) == length
    assert found.score == pytest.approx(score, abs=1e-5)


class _Rigged(TableModel):
    """Always the same favourite."""

    def __init__(self, favourite: int) -> None:
        super().__init__(6)
        self.favourite = favourite

    def log_probs(self, sentence: int, prefix: tuple[int, ...]) -> Tensor:
        scores = torch.zeros(self.vocab_size)
        scores[self.favourite] = 20.0
        return scores.log_softmax(-1)


@pytest.mark.parametrize("beams", [1, 4])
@pytest.mark.parametrize("favourite", [0, 1])
def test_banned_tokens_are_never_written(favourite: int, beams: int) -> None:
    found = run(_Rigged(favourite), 2, 6, SearchSettings(BOS, EOS, banned=(0, 1), beam_size=beams))
    assert all(favourite not in hypotheses[0].tokens for hypotheses in found)


@pytest.mark.parametrize("beams", [1, 4])
def test_endless_repetition_stops_at_the_limit_and_is_flagged(beams: int) -> None:
    found = run(_Rigged(4), 2, 6, SearchSettings(BOS, EOS, banned=(0, 1), beam_size=beams, length_penalty=0.0))
    assert all(len(hypotheses[0].tokens) <= 5 for hypotheses in found)
    greedy = run(_Rigged(4), 1, 6, SearchSettings(BOS, EOS, banned=(0, 1)))[0][0]
    assert (greedy.tokens, greedy.capped) == ([4] * 5, True)


@pytest.mark.parametrize("beams", [1, 3, 8])
def test_only_what_would_have_gone_on_is_flagged(beams: int) -> None:
    """A hypothesis that ends by itself at its last permitted place is not cut off."""
    model, limit = TableModel(5), 4
    seen = set()
    settings = SearchSettings(BOS, EOS, banned=(0, 1), beam_size=beams, n_best=beams)
    for sentence, hypotheses in enumerate(run(model, 60, limit, settings)):
        for found in hypotheses:
            log_probs = model.log_probs(sentence, tuple(found.tokens)).clone()
            log_probs[:2] = -math.inf
            full = len(found.tokens) + 1 == limit
            assert found.capped == (full and int(log_probs.argmax()) != EOS)
            seen.add((full, found.capped))
    assert seen == {(False, False), (True, False), (True, True)}


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"beam_size": 2, "n_best": 3}, "n_best is 3 but beam_size is 2\n  try: raise beam_size to n_best"),
        ({"beam_size": 0}, "beam_size is 0"),
        ({"n_best": 0}, "n_best is 0"),
        ({"min_length": -1}, "min_length is -1"),
        ({"no_repeat_ngram": -2}, "no_repeat_ngram is -2"),
        ({"beam_size": 4, "patience": 0.0}, "patience is 0"),
        ({"beam_size": 4, "patience": math.nan}, "patience is nan"),
        (
            {"beam_size": 4, "n_best": 3, "patience": 0.5},
            "n_best is 3 but with patience 0.5 the search stops at 2 hypotheses",
        ),
    ],
)
def test_settings_that_make_no_sense_are_refused(wanted: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        SearchSettings(BOS, EOS, **wanted)


def test_every_sentence_has_its_own_limit() -> None:
    limits = torch.tensor([2, 9, 5])
    source = torch.arange(3)[:, None]
    for beams in (1, 3):
        found = search(_Rigged(4), source, None, limits, SearchSettings(BOS, EOS, banned=(0, 1), beam_size=beams))
        assert all(len(h[0].tokens) < limit for h, limit in zip(found, limits.tolist(), strict=True))


def test_a_beam_wider_than_the_vocabulary() -> None:
    found = run(TableModel(4), 3, 2, SearchSettings(BOS, EOS, banned=(0, 1), beam_size=50, n_best=3))
    assert all(len(hypotheses) == 2 for hypotheses in found)  # EOS, and 3 EOS: there are no others
