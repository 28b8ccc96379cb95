"""Rules on the next token, over tables: against enumeration, and beside each other."""

import itertools

import pytest
import torch

from nmt.decoding.search import Hypothesis, Sampling, SearchSettings, Wish
from nmt.decoding.search.rules import Rules
from nmt.errors import UsageError
from tests.decoding.tables import BOS, EOS, TableModel, all_hypotheses, run

BANNED = {0, 1}
KINDS = {
    "greedy": SearchSettings(BOS, EOS, banned=(0, 1)),
    "beam": SearchSettings(BOS, EOS, banned=(0, 1), beam_size=4, n_best=4),
    "patience": SearchSettings(BOS, EOS, banned=(0, 1), beam_size=4, patience=1.0, n_best=4),
    "diverse": SearchSettings(BOS, EOS, banned=(0, 1), beam_size=4, groups=2, diversity=0.7, n_best=4),
    "sampling": SearchSettings(BOS, EOS, banned=(0, 1), sampling=Sampling(samples=6)),
    "constrained": SearchSettings(BOS, EOS, banned=(0, 1), beam_size=4, n_best=4),
}


def _with(kind: str, **rules: int) -> SearchSettings:
    return SearchSettings(**{**vars(KINDS[kind]), **rules})


def _wishes(kind: str, sentences: int, prefix: tuple[int, ...] = ()) -> list[Wish]:
    phrases = ((5, 3),) if kind == "constrained" else ()
    return [Wish(prefix, phrases, key) for key in range(sentences)]


def _log_prob(model: TableModel, sentence: int, found: Hypothesis) -> float:
    """The mean log-probability, EOS counted, from the table."""
    tokens = (*found.tokens, EOS)
    return sum(float(model.log_probs(sentence, tokens[:i])[w]) for i, w in enumerate(tokens)) / len(tokens)


def _repeats(tokens: list[int], size: int) -> list[int]:
    """The last tokens of runs that have come before."""
    runs = [tuple(tokens[i : i + size]) for i in range(len(tokens) - size + 1)]
    return [run[-1] for i, run in enumerate(runs) if run in runs[:i]]


@pytest.mark.parametrize("kind", KINDS)
def test_rules_hold_for_every_kind_of_search(kind: str) -> None:
    """Prefix, minimum length and n-grams at once; the scores stay the model's own."""
    model, sentences, prefix = TableModel(7), 12, (4, 3)
    settings = _with(kind, min_length=5, no_repeat_ngram=2)
    seen = 0
    for sentence, hypotheses in enumerate(run(model, sentences, 9, settings, _wishes(kind, sentences, prefix))):
        for found in hypotheses:
            assert tuple(found.tokens[:2]) == prefix
            assert 5 <= len(found.tokens) <= 8
            spared = (5, 3) if kind == "constrained" else ()
            assert all(token in spared for token in _repeats(found.tokens, 2))
            assert BANNED.isdisjoint(found.tokens)
            assert found.score == pytest.approx(_log_prob(model, sentence, found), abs=1e-5)
            seen += 1
    assert seen >= sentences


@pytest.mark.parametrize(
    ("rules", "prefix", "holds"),
    [
        ({"min_length": 2}, (), lambda t: len(t) >= 2),
        ({"no_repeat_ngram": 1}, (), lambda t: not _repeats(t, 1)),
        ({"no_repeat_ngram": 2}, (), lambda t: not _repeats(t, 2)),
        ({}, (4,), lambda t: t[:1] == [4]),
        ({"min_length": 3, "no_repeat_ngram": 1}, (3, 3), lambda t: t[:2] == [3, 3] and len(t) == 3 and t[2] != 3),
    ],
)
def test_a_full_width_beam_with_rules_equals_brute_force(rules, prefix, holds) -> None:
    """All hypotheses of up to three tokens that keep the rule; the five best, in order."""
    model = TableModel(6, shift=-2.0)
    settings = SearchSettings(BOS, EOS, banned=(0, 1), beam_size=64, n_best=5, **rules)
    for sentence, found in enumerate(run(model, 7, 4, settings, [Wish(prefix)] * 7)):
        expected = [h for h in all_hypotheses(model, sentence, 4, 1.0, BANNED) if holds(h.tokens)][:5]
        assert [h.tokens for h in found] == [h.tokens for h in expected]
        assert [h.score for h in found] == pytest.approx([h.score for h in expected], abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("limit", [1, 2, 4])
def test_the_limit_goes_before_every_rule(kind: str, limit: int) -> None:
    """A prefix keeps what leaves room for EOS, and a minimum length over the limit is the limit."""
    settings = _with(kind, min_length=50)
    for hypotheses in run(TableModel(7), 5, limit, settings, _wishes(kind, 5, (4, 4, 3, 5, 6, 6))):
        assert hypotheses
        assert all(h.tokens == [4, 4, 3, 5, 6, 6][: limit - 1] for h in hypotheses)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "constrained"])
def test_where_rules_leave_nothing_a_sentence_may_end(kind: str) -> None:
    """Three words, none twice, at least six tokens: it ends after the three."""
    settings = _with(kind, min_length=6, no_repeat_ngram=1)
    for hypotheses in run(TableModel(6), 5, 12, settings, _wishes(kind, 5)):
        assert hypotheses
        assert all(sorted(h.tokens) == [3, 4, 5] for h in hypotheses)


@pytest.mark.parametrize("kind", ["greedy", "beam", "diverse", "sampling"])
def test_each_sentence_has_its_own_prefix(kind: str) -> None:
    """Alone, together, and beside sentences that have none."""
    model, prefixes = TableModel(8), [(), (5,), (6, 6, 6), (), (4, 3)]
    wishes = [Wish(prefix, key=key) for key, prefix in enumerate(prefixes)]
    together = run(model, 5, [9, 3, 7, 8, 2], KINDS[kind], wishes)
    for sentence, limit in enumerate([9, 3, 7, 8, 2]):
        alone = run(model, [sentence], limit, KINDS[kind], wishes[sentence : sentence + 1])
        assert alone == together[sentence : sentence + 1]
        assert tuple(alone[0][0].tokens[: limit - 1][: len(prefixes[sentence])]) == prefixes[sentence][: limit - 1]
    assert run(model, 1, 9, KINDS[kind]) == together[:1]


def test_n_grams_are_forbidden_as_a_set_would() -> None:
    """Against the definition, for random texts of every length."""
    generator = torch.Generator().manual_seed(3)
    for size, length in itertools.product((1, 2, 3, 5), range(12)):
        written = torch.randint(3, 6, (20, length), generator=generator)
        scores = torch.zeros(20, 6)
        settings = SearchSettings(BOS, EOS, no_repeat_ngram=size)
        Rules(settings, (), torch.full((20,), 99)).apply(scores, torch.arange(20), written)
        for row, text in zip(scores.tolist(), written.tolist(), strict=True):
            runs = {tuple(text[i : i + size]) for i in range(length - size + 1)}
            begun = tuple(text[length - size + 1 :]) if size > 1 else ()
            assert [score < 0 for score in row] == [(*begun, token) in runs for token in range(6)]


def test_what_is_not_asked_for_makes_no_rules() -> None:
    settings, limits = SearchSettings(BOS, EOS, banned=(0, 1)), torch.tensor([5])
    assert Rules.of(settings, (), limits) is None
    assert Rules.of(settings, [Wish(key=7)], limits) is None
    assert Rules.of(settings, [Wish((4,))], limits) is not None


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        (Wish((4, EOS)), "what is asked for sentence 1 holds id 2, which is never written"),
        (Wish((), ((4,), (4, 1))), "what is asked for sentence 1 holds id 1, which is never written"),
        (Wish((), ((4,), ())), "a phrase asked for sentence 1 has no tokens"),
    ],
)
def test_wishes_that_no_output_can_fulfil_are_refused(wish: Wish, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        run(TableModel(6), 2, 5, KINDS["beam"], [Wish(), wish])
