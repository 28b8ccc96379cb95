"""The minimum-Bayes-risk choice against its definition, computed with sacreBLEU."""

import random
from collections.abc import Sequence

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from nmt.decoding.mbr import UtilityName, choose, utility_of
from nmt.errors import UsageError
from nmt.evaluation.pairwise import Matrix, chrf_pairs

UTILITIES: list[UtilityName] = ["chrf", "bleu"]


def _expected(candidates: Sequence[str], name: UtilityName) -> list[float]:
    """Every candidate against every candidate, duplicates and all."""
    metric = CHRF() if name == "chrf" else BLEU(effective_order=True)
    return [sum(metric.sentence_score(h, [r]).score for r in candidates) / len(candidates) for h in candidates]


def _candidates(seed: int, count: int = 12) -> list[str]:
    """Alike, some equal, some blank."""
    chance = random.Random(seed)
    words = "a the dog cat runs sees red old house .".split()
    return [" ".join(chance.choices(words, k=chance.choice([0, 2, 3, 8, 9]))) for _ in range(count)]


@pytest.mark.parametrize("name", UTILITIES)
@pytest.mark.parametrize("seed", range(4))
def test_the_choice_equals_brute_force(name: UtilityName, seed: int) -> None:
    candidates = _candidates(seed) + _candidates(seed)[3:6]
    expected = _expected(candidates, name)
    best, utilities = choose(candidates, utility_of(name))
    assert utilities == pytest.approx(expected, abs=1e-9)
    assert expected[best] == pytest.approx(max(expected), abs=1e-9)


@pytest.mark.parametrize("name", UTILITIES)
def test_identical_candidates_and_one_alone(name: UtilityName) -> None:
    for count in (1, 5):
        best, utilities = choose(["ein Hund läuft weg"] * count, utility_of(name))
        assert best == 0
        assert utilities == pytest.approx([100.0] * count, abs=1e-9)


@pytest.mark.parametrize("name", UTILITIES)
def test_blank_candidates_are_worth_nothing(name: UtilityName) -> None:
    assert choose(["", "  "], utility_of(name)) == (0, [0.0, 0.0])
    assert choose(["", "", "a dog runs away", "  "], utility_of(name)).best == 2


def test_a_text_counts_as_often_as_it_was_drawn() -> None:
    rare, common = "the old cat sees it", "a red dog runs"
    assert choose([rare, common, common], chrf_pairs).best == 1
    assert choose([rare, common, rare, common, rare], chrf_pairs).best == 0


def test_each_text_is_scored_once() -> None:
    seen: list[list[str]] = []

    def utility(texts: Sequence[str]) -> Matrix:
        seen.append(list(texts))
        return chrf_pairs(texts)

    choose(["b", "a", "b", "a", "c"], utility)
    assert seen == [["b", "a", "c"]]


@pytest.mark.parametrize("name", UTILITIES)
def test_the_order_of_candidates_changes_nothing(name: UtilityName) -> None:
    candidates = _candidates(7, 20)
    text = candidates[choose(candidates, utility_of(name)).best]
    for seed in range(10):
        order = random.Random(seed).sample(range(20), 20)
        shuffled = choose([candidates[i] for i in order], utility_of(name))
        assert candidates[order[shuffled.best]] == text


def test_of_equal_candidates_the_first_is_taken_whatever_the_rounding() -> None:
    """Permutations of words with no pair in common: all are equally like each other."""
    texts = ["a b c", "d e f", "g h i", "j k l", "m n o", "p q r", "s t u"]
    for start in range(7):
        assert choose(texts[start:] + texts[:start], chrf_pairs).best == 0
    noise = np.array([[0.0, 0.3], [0.1 + 0.2, 0.0]])  # 0.30000000000000004
    assert choose(["x", "y"], lambda _: noise).best == 0


def test_bleu_finds_chinese_words() -> None:
    candidates = ["狗在草地上跑", "狗在草地上跳", "猫"]
    assert choose(candidates, utility_of("bleu", "zh")).utilities[0] > 50
    assert choose(candidates, utility_of("bleu", "de")).utilities[0] < 40


def test_no_candidates() -> None:
    with pytest.raises(UsageError, match="there are no candidates to choose from"):
        choose([], chrf_pairs)
