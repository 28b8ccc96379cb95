"""Scores of buckets are those of `nmt.evaluation` on the same lines."""

import random

import numpy as np
import pytest

from nmt.analysis.results import FEW, FEWEST, Estimate
from nmt.analysis.scores import Scorer
from nmt.errors import DataError
from nmt.evaluation import evaluate, sentence_chrf
from tests.analysis.sets import numbered

_SET = numbered(120, good=range(0, 120, 3))
HYPOTHESES, REFERENCES = [line[1] for line in _SET], [line[2] for line in _SET]


def scorer(samples: int = 200, lowercase: bool = False) -> Scorer:
    return Scorer(HYPOTHESES, [REFERENCES], "de", lowercase, samples)


def as_evaluated(key: str, rows: list[int]) -> Estimate:
    score = evaluate([HYPOTHESES[row] for row in rows], [[REFERENCES[row] for row in rows]], "de", samples=200)[key]
    assert score.interval is not None
    return Estimate(score.score, *score.interval)


@pytest.mark.parametrize(
    "rows", [list(range(120)), list(range(5, 60, 2)), list(range(FEW)), list(range(FEWEST))], ids=len
)
def test_a_bucket_scores_as_these_lines_alone_do(rows: list[int]) -> None:
    bucket = scorer().bucket("some", np.array(rows))
    assert (bucket.name, bucket.lines, bucket.share) == ("some", len(rows), len(rows) / 120)
    assert bucket.bleu == as_evaluated("bleu", rows)
    assert bucket.chrf == as_evaluated("chrf", rows)
    assert bucket.few == (len(rows) < FEW)


def test_all_lines_score_as_in_nmt_eval() -> None:
    whole = scorer()
    assert (whole.bleu, whole.chrf) == (as_evaluated("bleu", list(range(120))), as_evaluated("chrf", list(range(120))))


def test_the_target_language_says_what_a_word_is() -> None:
    hypotheses, references = ["我有一个红苹果和梨"], [["我有一个苹果和红梨"]]
    chinese = Scorer(hypotheses, references, "zh", False, 0)
    assert chinese.bleu.score == evaluate(hypotheses, references, "zh", samples=0)["bleu"].score > 20
    assert Scorer(hypotheses, references, "de", False, 0).bleu.score < 1


def test_case_may_be_ignored() -> None:
    upper = [text.upper() for text in HYPOTHESES]
    assert Scorer(upper, [HYPOTHESES], "de", True, 0).bleu.score == 100
    assert Scorer(upper, [HYPOTHESES], "de", False, 0).bleu.score < 50


def test_too_few_lines_have_no_interval() -> None:
    bucket = scorer().bucket("few", np.arange(FEWEST - 1))
    assert (bucket.bleu.low, bucket.chrf.high) == (None, None)
    assert bucket.chrf.score > 0


def test_without_samples_there_are_no_intervals_and_nothing_stands_out() -> None:
    plain = scorer(samples=0)
    bucket = plain.bucket("good", np.arange(0, 120, 3))
    assert (plain.bleu.low, bucket.bleu.low, bucket.stands_out) == (None, None, "")
    assert plain.share(np.ones(20), np.ones(20)) == Estimate(100.0)


def test_what_differs_from_the_rest_stands_out() -> None:
    good = np.arange(0, 120, 3)
    assert scorer().bucket("good", good).stands_out == "better"
    assert scorer().bucket("bad", np.setdiff1d(np.arange(120), good)).stands_out == "worse"
    assert scorer().bucket("few", good[: FEW - 1]).stands_out == ""
    assert scorer().bucket("all", np.arange(120)).stands_out == ""


@pytest.mark.parametrize(("good", "side"), [(37, ""), (38, "better"), (24, ""), (22, "worse")])
def test_a_difference_that_chance_could_make_does_not_stand_out(good: int, side: str) -> None:
    """Of one half of the lines so many of 60 are right, of the other one all but as many.

    Halves with 38 and 22 right are 3.1 standard errors apart, with 37 and 23 they are 2.7.
    """
    lines = numbered(120, good=[*range(good), *range(60, 120 - good)])
    both = Scorer([line[1] for line in lines], [[line[2] for line in lines]], "de", False, 200)
    assert both.bucket("half", np.arange(60)).stands_out == side


def test_a_bucket_drawn_by_chance_does_not_stand_out() -> None:
    whole = scorer()
    drawn = [np.array(sorted(random.Random(seed).sample(range(120), 40))) for seed in range(12)]
    assert [whole.bucket("any", rows).stands_out for rows in drawn] == [""] * 12


def test_a_share_has_an_interval_by_lines() -> None:
    found, expected = np.array([1.0, 0.0] * 50), np.array([1.0, 3.0] * 50)
    share = scorer(1000).share(found, expected)
    assert share.score == 25
    assert share.low is not None
    assert share.high is not None
    assert 17 < share.low < 22 < 28 < share.high < 34
    assert scorer().share(np.ones(FEWEST - 1), np.ones(FEWEST - 1)) == Estimate(100)


def test_each_line_has_its_chrf() -> None:
    assert scorer(0).sentence_chrf() == pytest.approx(sentence_chrf(HYPOTHESES, [REFERENCES]), abs=1e-9)


def test_the_nearest_reference_is_found() -> None:
    hypotheses = ["der rote Hund", "eine Katze", "gleich"]
    references = [["ein Haus", "eine Katze", "gleich"], ["der rote Hund", "ein Tier", "gleich"]]
    both = Scorer(hypotheses, references, "de", False, 0)
    assert both.nearest(hypotheses, references) == [1, 0, 0]
    assert both.sentence_chrf() == [100, 100, 100]
    assert both.nearest(hypotheses, references[:1]) == [0, 0, 0]


def test_unequal_numbers_of_lines_are_refused() -> None:
    with pytest.raises(DataError, match="2 hypotheses but 1 references"):
        Scorer(["a", "b"], [["a"]], "de", False, 0)
