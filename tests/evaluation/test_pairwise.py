"""The matrices of sentence scores against sacreBLEU, pair by pair."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from nmt.evaluation.pairwise import BleuPairs, chrf_pairs

NASTY = [
    "",
    " ",
    "\u00a0\u3000",
    "a",
    "b",
    "a a a a a a a a",
    "a" * 60,
    "aaaa aaaa",
    "ab ab ab",
    "Ein Hund läuft über die Wiese.",
    "Ein Hund läuft über die grüne Wiese .",
    "  Ein  Hund läuft\u00a0über die Wiese. ",
    "über die Wiese",
    "die die die die",
    'Er sagte: "12.345,67 &amp; 3-4", oder?',
    "&quot;x&quot; <skipped> y-\nz",
    "🙂🙂 👩‍👩‍👧 e\u0301 é ß \U0010ffff",
    "狗在草地上跑。",
    "狗 在 草地 上",
    "lone \ud800 surrogate",
    "trailing-\n",
    "trailing-",
    "tab\there \u2028 there",
]


def _check(texts: list[str], tokenizer: str = "13a") -> None:
    bleu, chrf = BLEU(effective_order=True, tokenize=tokenizer), CHRF()
    expected_bleu = [[bleu.sentence_score(h, [r]).score for r in texts] for h in texts]
    expected_chrf = [[chrf.sentence_score(h, [r]).score for r in texts] for h in texts]
    np.testing.assert_allclose(BleuPairs(tokenizer)(texts), expected_bleu, rtol=0, atol=1e-9)
    np.testing.assert_allclose(chrf_pairs(texts), expected_chrf, rtol=0, atol=1e-9)


@pytest.mark.parametrize("tokenizer", ["13a", "zh"])
def test_nasty_texts_score_as_by_sacrebleu(tokenizer: str) -> None:
    _check(NASTY, tokenizer)


@pytest.mark.parametrize("texts", [[""], ["a"], ["", ""], ["x y z", ""], ["one two three four"] * 2], ids=str)
def test_lists_of_one_and_of_blanks(texts: list[str]) -> None:
    _check(texts)


def test_many_alike_sentences_score_as_by_sacrebleu() -> None:
    """As candidates are: the same words in changing orders, with repeats."""
    chance = random.Random(1)
    words = "der die das ein eine Hund Hund Katze läuft springt über auf Wiese , . -".split()
    _check([" ".join(chance.choices(words, k=chance.randint(0, 14))) for _ in range(40)])


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(st.sampled_from("ab. é狗\u00a0\n&-1"), max_size=14), min_size=1, max_size=5))
def test_any_texts_score_as_by_sacrebleu(texts: list[str]) -> None:
    _check(texts)
