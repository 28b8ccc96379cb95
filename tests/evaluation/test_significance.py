"""Paired tests: sacreBLEU's numbers, ties that count, and verdicts that can be believed."""

import random
from collections.abc import Sequence
from functools import cache
from itertools import product

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.significance import PairedTest

from nmt.evaluation import significance
from nmt.evaluation.metrics import Counts, Key, metrics_for
from nmt.evaluation.resampling import resampled_scores, resampled_sums
from nmt.evaluation.significance import PValues, bootstrap_p, compare, holm, lines_needed, randomisation_p
from tests.conftest import sentences

LINES = 60
WORDS = sorted({word for line in sentences(50) for word in line.rstrip(".").split()})
(EXACT,) = metrics_for(keys=["exact"])
(TER_METRIC,) = metrics_for(keys=["ter"])


def noisy(lines: Sequence[str], share: float, seed: int) -> list[str]:
    """About so many of the words made others."""
    chance = random.Random(seed)
    return [" ".join(chance.choice(WORDS) if chance.random() < share else w for w in line.split()) for line in lines]


@cache
def texts() -> tuple[list[list[str]], list[list[str]]]:
    """Two sets of references and three systems, the later the better."""
    references = sentences(LINES, seed=1, longest=12)
    systems = [noisy(references, share, seed) for seed, share in enumerate((0.45, 0.4, 0.3))]
    return [references, noisy(references, 0.2, 9)], systems


def values(numbers: Sequence[float]) -> Counts:
    """Counts whose score is 100 times the mean, by EXACT's formula."""
    return np.stack([np.asarray(numbers, dtype=np.float64), np.ones(len(numbers))], axis=1)


@pytest.mark.parametrize("sets", [1, 2])
def test_p_values_are_sacrebleus(sets: int) -> None:
    """BLEU and chrF have no ties here; TER's, whose edits are few, are looked at below."""
    references, systems = texts()
    named = [(str(number), system) for number, system in enumerate(systems)]
    metrics = {"bleu": BLEU(force=True), "chrf": CHRF(), "ter": TER()}
    found = {
        kind: PairedTest(named, metrics, references[:sets], test_type=kind, n_samples=count)()[1]
        for kind, count in (("bs", 400), ("ar", 1500))
    }
    for metric in metrics_for("en", keys=["bleu", "chrf", "ter"]):
        counts = [metric.statistics(system, references[:sets]) for system in systems]
        result = compare(metric, counts, samples=400, trials=1500)
        expected = [[each.p_value for each in found[kind][metric.name][1:]] for kind in ("bs", "ar")]
        ours = [[getattr(each.p, kind) for each in result.differences] for kind in ("bootstrap", "randomisation")]
        assert ours[0] == pytest.approx(expected[0], abs=1e-12)
        assert len(set(ours[1])) == 2
        if metric.key != "ter":
            assert ours[1] == pytest.approx(expected[1], abs=1e-12)
        for index, (score, ends) in enumerate(zip(result.scores, result.intervals, strict=True)):
            theirs = found["bs"][metric.name][index]
            assert score == pytest.approx(theirs.score, abs=1e-8)
            assert (ends[1] - ends[0]) / 2 == pytest.approx(theirs.ci, abs=1e-3)  # sacreBLEU's in 32 bits


@pytest.mark.parametrize("key", ["ter", "exact"])
def test_chance_that_does_just_as_much_counts(key: Key) -> None:
    """Each trial on its own, with the coins that sacreBLEU tosses."""
    references, systems = texts()
    (metric,) = metrics_for("en", keys=[key])
    first, other = (metric.statistics([*system[:50], *references[0][50:]], references[:1]) for system in systems[:2])
    coins = np.random.default_rng(12345).integers(2, size=(500, LINES), dtype=bool)
    seen = abs(metric.score(first.sum(axis=0)) - metric.score(other.sum(axis=0)))
    larger = equal = 0
    for toss in coins:
        one, rest = np.where(toss[:, None], first, other).sum(axis=0), np.where(toss[:, None], other, first).sum(axis=0)
        size = abs(metric.score(one) - metric.score(rest))
        larger += size > seen + 1e-9
        equal += abs(size - seen) <= 1e-9
    assert equal > 10
    assert randomisation_p(metric, first, other, 500) == (larger + equal + 1) / 501


def test_ties_are_seen_behind_what_is_rounded() -> None:
    """Of fractions, as TER has them with several references: all 16 ways to toss four coins."""
    first, other = [1, 8, 6, 9], [5, 6, 9, 7]
    changes = [one - two for one, two in zip(first, other, strict=True)]
    tossed = [abs(sum(sides)) for sides in product(*((change, -change) for change in changes))]
    share = sum(size >= abs(sum(changes)) for size in tossed) / len(tossed)
    found = randomisation_p(EXACT, values([one / 10 for one in first]), values([two / 10 for two in other]), 4000)
    assert found == pytest.approx(share, abs=0.03)


def test_one_line_is_never_enough() -> None:
    """Where sacreBLEU says p = 0.0001: no trial makes a difference that is larger."""
    same = [1.0, 0.0] * 10
    found = compare(EXACT, [values(same), values([*same[:-1], 1.0])]).differences[0]
    assert (found.value, found.p.randomisation, found.better) == (5.0, 1.0, None)


def test_equal_systems_are_not_different() -> None:
    counts = values([1.0, 0.0, 1.0])
    found = compare(EXACT, [counts, counts], trials=100).differences[0]
    assert (found.value, found.interval, found.standard_error) == (0.0, (0.0, 0.0), 0.0)
    assert found.p == found.corrected == PValues(1.0, 1.0)
    assert (found.better, found.lines_needed) == (None, None)


def test_exact_match_is_the_sign_test() -> None:
    """13 lines that only one system has right, 7 that only the other has: p = 0.2632 by the binomial distribution."""
    first, other = values([1] * 13 + [0] * 7 + [1] * 80), values([0] * 13 + [1] * 7 + [1] * 80)
    assert randomisation_p(EXACT, first, other) == pytest.approx(0.2632, abs=0.012)


def test_memory_has_no_say_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(3)
    first, other = values(chance.random(45)), values(chance.random(45))
    whole = randomisation_p(EXACT, first, other, 300)
    monkeypatch.setattr(significance, "_BLOCK", 1)
    assert randomisation_p(EXACT, first, other, 300) == whole
    assert randomisation_p(EXACT, first, other, 300, seed=1) != whole


def test_equal_systems_are_called_different_as_often_as_said() -> None:
    """Of 400 pairs that only chance makes differ: 1 in 20 by randomisation, 1 in 10 by the bootstrap."""
    chance = np.random.default_rng(5)
    found = []
    for _ in range(400):
        first, other = (values(chance.normal(size=100)) for _ in "ab")
        resampled = resampled_sums(other - first, 200)[:, 0]
        found.append([randomisation_p(EXACT, first, other, 200), bootstrap_p(resampled, (other - first).sum())])
    randomisation, bootstrap = (np.array(found) < 0.05).mean(axis=0)
    assert 0.03 < randomisation < 0.07
    assert 0.07 < bootstrap < 0.14


def test_the_difference_has_an_interval_and_an_error_of_its_own() -> None:
    """Far narrower than those of the scores where both do well on the same lines."""
    chance = np.random.default_rng(7)
    hard, gain = chance.normal(size=400), chance.normal(0.1, 0.25, size=400)
    counts = [values(hard), values(hard + gain)]
    found = compare(EXACT, counts, trials=100)
    (difference,) = found.differences
    assert difference.value == pytest.approx(100 * gain.mean())
    assert difference.standard_error == pytest.approx(100 * gain.std() / 20, rel=0.06)
    drawn = [resampled_scores(EXACT, resampled_sums(each)) for each in counts]
    ordered = np.sort(drawn[1] - drawn[0])
    assert difference.interval == pytest.approx((ordered[25], ordered[974]))
    assert difference.interval[0] < difference.value < difference.interval[1]
    assert found.intervals[0][1] - found.intervals[0][0] > 3 * (difference.interval[1] - difference.interval[0])


@pytest.mark.parametrize(("metric", "better"), [(EXACT, "other"), (TER_METRIC, "first")])
def test_who_is_better_is_the_metrics_affair(metric: significance.Metric, better: str) -> None:
    low, high = values([1.0, 2.0] * 20), values([3.0, 4.0] * 20)
    assert compare(metric, [low, high], trials=200).differences[0].better == better
    turned = {"other": "first", "first": "other"}[better]
    assert compare(metric, [high, low], trials=200).differences[0].better == turned


def test_a_difference_is_shown_below_0_05() -> None:
    assert significance._better(EXACT, 1.0, 0.05) is None
    assert significance._better(EXACT, 1.0, 0.0499) == "other"


def test_several_comparisons_are_allowed_for() -> None:
    """What would do alone does not do beside another."""
    chance = np.random.default_rng(2)
    base, noise = chance.normal(size=200), chance.normal(size=200)
    counts = [values(base), values(base + noise - noise.mean() + 0.155), values(chance.normal(size=200))]
    (alone,) = compare(EXACT, counts[:2], trials=2000).differences
    beside = compare(EXACT, counts, trials=2000).differences
    assert 0.025 < alone.p.randomisation < 0.05
    assert (alone.corrected, alone.better) == (alone.p, "other")
    assert beside[0].p == alone.p
    assert beside[0].better is None
    for kind in ("randomisation", "bootstrap"):
        raw = [getattr(each.p, kind) for each in beside]
        assert [getattr(each.corrected, kind) for each in beside] == holm(raw)
        assert raw[0] != raw[1]
    assert alone.lines_needed is not None
    assert beside[0].lines_needed is not None
    assert beside[0].lines_needed > 1.15 * alone.lines_needed


def test_holm_is_holms() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])  # R's p.adjust
    assert holm([0.9, 0.6]) == pytest.approx([1.0, 1.0])
    assert holm([0.04]) == [0.04]
    assert holm([]) == []


def test_the_tests_agree_when_both_or_none_find_a_difference() -> None:
    found = [PValues(*pair).agree for pair in ((0.01, 0.01), (0.06, 0.03), (0.04, 0.05), (0.05, 0.06))]
    assert found == [True, False, False, True]


def test_lines_needed() -> None:
    """1.9600 + 0.8416 standard errors make 80 % power; half the difference needs four times the lines."""
    assert lines_needed(2.80159, 1.0, 500) == 500
    assert lines_needed(-2.80159 / 2, 1.0, 500) == pytest.approx(2000, abs=1)
    assert lines_needed(1.0, 1.0, 100, alpha=0.01, power=0.9) == pytest.approx(100 * 14.879, abs=1)
    assert lines_needed(0.0, 1.0, 500) is None
    assert lines_needed(1.0, 0.0, 500) is None


def test_so_many_lines_show_it_in_four_of_five_cases() -> None:
    """With a test of its own: a mean against its standard error."""
    chance = np.random.default_rng(11)
    needed = lines_needed(0.2, 1 / np.sqrt(50), 50)
    assert needed is not None
    draws = chance.normal(0.2, 1, size=(4000, needed))
    shown = np.abs(draws.mean(axis=1)) * np.sqrt(needed) > 1.96 * draws.std(axis=1, ddof=1)
    assert shown.mean() == pytest.approx(0.8, abs=0.025)
