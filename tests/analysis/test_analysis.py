"""All of it together."""

import json
import subprocess
import sys

import pytest

from nmt.analysis import Analysis, analyse
from nmt.errors import DataError
from tests.analysis.sets import counts, numbered

LINES = [*numbered(60, good=range(40)), ("A dog?", "", "Ein Hund?"), ("", "", "")]
SOURCES, HYPOTHESES, REFERENCES = (list(side) for side in zip(*LINES, strict=True))


def analysed(**settings: object) -> Analysis:
    both = {"source_language": "en", "target_language": "de", "samples": 100} | settings
    return analyse(SOURCES, HYPOTHESES, [REFERENCES], **both)  # type: ignore[arg-type]


def test_it_is_plain_json_with_what_follows_from_the_rest() -> None:
    found = analysed(known=counts("line", "satz hier hat"), shown=3)
    values = json.loads(json.dumps(found.as_json()))
    assert values["lines"] == 62
    assert values["bleu"]["low"] < values["bleu"]["score"] < values["bleu"]["high"]
    buckets = [bucket for group in values["groups"] for bucket in group["buckets"]]
    assert [bucket["few"] for bucket in buckets] == [bucket["lines"] < 30 for bucket in buckets]
    assert {bucket["few"] for bucket in buckets} == {True, False}
    unseen = values["groups"][2]["kept"]
    assert unseen["share"] == unseen["found"] / unseen["expected"]
    empty = values["findings"][0]
    assert (empty["key"], empty["count"], empty["lines"]) == ("empty", 1, [61])
    assert values["train"] == "1 pairs of train"
    assert values["confusions"][0]["written"] == "Hunde"


def test_lists_are_as_long_as_asked_for() -> None:
    found = analysed(shown=3)
    assert len(found.worst) == len(found.best) == 3
    assert max(len(finding.examples) for finding in found.findings) <= 3
    assert {len(words) for words in (found.missed, found.invented, found.confusions)} <= {0, 1, 2, 3}
    assert analysed(shown=0).worst == ()


def test_worst_and_best_sentences() -> None:
    found = analysed(shown=60)
    assert len(found.worst) == len(found.best) == 30  # none is in both
    assert not {each.line for each in found.worst} & {each.line for each in found.best}
    assert [each.chrf for each in found.worst] == sorted(each.chrf for each in found.worst)
    assert (found.worst[0].line, found.worst[0].chrf) == (61, 0)
    assert {each.chrf for each in found.best} == {100}
    longest = max((line for line in LINES if line[1] == line[2]), key=lambda line: len(line[0]))
    assert len(found.best[0].source) == len(longest[0])
    assert 62 not in {each.line for each in found.worst}  # there was nothing to translate


def test_lengths_are_of_all_lines_together() -> None:
    texts = ["one two three four"] * 3
    both = analyse(texts, ["a b", "c", ""], [["a b", "c d", "e f"]], source_language="en", target_language="de")
    assert both.lengths == 0.5


def test_without_training_text_rare_words_are_not_judged() -> None:
    found = analysed()
    assert (found.train, found.bands) == ("", ())
    assert [group.key for group in found.groups if group.not_judged] == ["rarity", "unseen"]


def test_what_is_usual_is_learnt_from_the_references() -> None:
    sources = [f"This is line number {number} of them." for number in range(60)]
    long = [f"{'wort ' * 20}{number} ist es." for number in range(60)]
    short = [f"Das ist Zeile Nummer {number} von ihnen." for number in range(60)]

    def repeated(references: list[str]) -> int:
        found = analyse(sources, long, [references], source_language="en", target_language="de", samples=0)
        (finding,) = (finding for finding in found.findings if finding.key == "repetition")
        return finding.count

    assert repeated(long) == 0
    assert repeated(short) == 60


def test_unspaced_languages_are_told_of_by_characters() -> None:
    found = analyse(
        ["我有一个苹果", "他来了"], ["An apple", "x"], [["I have an apple", "He came"]], source_language="zh",
        target_language="en", samples=0,
    )  # fmt: skip
    assert found.unit == "words"
    assert [note[:19] for note in found.notes] == ["the source language"]
    other = analyse(
        ["I have an apple", "He came"], ["我有一个苹", "他来"], [["我有一个苹果", "他来了"]], source_language="en",
        target_language="zh", samples=0,
    )  # fmt: skip
    assert (other.unit, other.lengths) == ("characters", 7 / 9)
    assert [note[:19] for note in other.notes] == ["the target language"]


def test_an_empty_training_text_is_told() -> None:
    assert analysed().notes == ()
    known = counts()
    none = type(known)("nothing", 0, True)
    assert analysed(known=none).notes == ("nothing holds no text: every word counts as never seen.",)


def test_the_nearest_reference_counts() -> None:
    sources, hypotheses = ["A red car"], ["das rote Auto"]
    found = analyse(
        sources, hypotheses, [["ein Wagen"], ["das rote Auto"]], source_language="en", target_language="de", samples=0
    )
    assert (found.chrf.score, found.worst, found.lengths) == (100, (), 1)


def test_unequal_numbers_of_lines_are_refused() -> None:
    with pytest.raises(DataError, match="there are 1 source lines but 2 hypotheses"):
        analyse(["a"], ["b", "c"], [["d", "e"]], source_language="en", target_language="de")
    with pytest.raises(DataError, match="2 hypotheses but 1 references"):
        analyse(["a", "b"], ["b", "c"], [["d"]], source_language="en", target_language="de")


def test_torch_is_not_needed() -> None:
    code = "import sys, nmt.analysis, nmt.commands.analysis_text; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
