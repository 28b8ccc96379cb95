"""Which line falls in which bucket."""

from collections.abc import Callable

import pytest

from nmt.analysis import groups
from nmt.analysis.lines import LineSet
from nmt.analysis.results import Group, Kept
from tests.analysis.sets import counts, make


def table(group: Group) -> dict[str, int]:
    return {bucket.name: bucket.lines for bucket in group.buckets}


def of_length(*lengths: int) -> LineSet:
    return make(*((" ".join(["word"] * length), "a", "a") for length in lengths))


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        (
            range(1, 101),
            {"1 to 25 words": 25,
             "26 to 50 words": 25, "51 to 75 words": 25, "76 to 95 words": 20, "96 to 100 words": 5},
        ),
        ([5] * 10, {"5 words": 10}),
        ([0, 3, 3, 3, 3, 9], {"0 to 3 words": 5, "4 to 9 words": 1}),
        ([1, 2], {"1 word": 1, "2 words": 1}),
    ],
    ids=["many", "equal", "one long", "two"],
)  # fmt: skip
def test_by_length(lengths: range | list[int], expected: dict[str, int]) -> None:
    found = table(groups.by_length(of_length(*lengths)))
    assert found == expected
    assert sum(found.values()) == len(lengths)


def test_length_of_an_unspaced_source_is_in_characters() -> None:
    group = groups.by_length(make(("我有一个苹果", "a", "a"), ("我", "a", "a"), languages=("zh", "en")))
    assert table(group) == {"1 character": 1, "2 to 6 characters": 1}


def test_by_rarity() -> None:
    known = counts(source=" ".join(["the"] * 200 + ["dog"] * 12 + ["cat"]))
    test = make(("The dog.", "a", "a"), ("the cat", "a", "a"), ("the UNICORN", "a", "a"), ("7", "a", "a"), known=known)
    assert table(groups.by_rarity(test)) == {"never": 1, "1 to 9 times": 1, "10 to 99 times": 1, "no words": 1}
    assert table(groups.by_rarity(make(("the", "a", "a"), known=known))) == {"100 to 999 times": 1}


def test_by_unseen() -> None:
    known = counts(source="a dog", target="ein hund")
    test = make(
        ("a dog", "ein Hund", "ein Hund"),
        ("a cat", "ein Hund", "eine Katze"),
        ("a dog", "Ein Dackel", "ein Dackel"),
        ("7 dog", "ein Hund", "8 Hund"),
        ("cat", "ein", "ein"),
        known=known,
    )
    group = groups.by_unseen(test)
    assert table(group) == {"in the source": 2, "in the reference only": 1, "none": 2}
    assert group.kept == Kept("words of the references that training text never has", 3, 1, (2,))
    assert group.kept.share == 1 / 3


@pytest.mark.parametrize("ask", [groups.by_rarity, groups.by_unseen])
def test_without_training_text_rarity_is_not_judged(ask: Callable[[LineSet], Group]) -> None:
    group = ask(make(("a", "a", "a")))
    assert (group.buckets, group.not_judged) == ((), groups.NEEDS_TRAIN)


def test_by_numbers() -> None:
    test = make(("in 2007", "in 2007", "in 2007"), ("in 2008", "in 2007", "in 2008"), ("in May", "im Mai", "im Mai"))
    group = groups.by_numbers(test)
    assert table(group) == {"with numbers": 2, "without": 1}
    assert group.kept is not None
    assert (group.kept.expected, group.kept.found, group.kept.lost) == (2, 1, (2,))


def test_by_copied() -> None:
    test = make(
        ("I saw Anna on a BMX", "Ich sah Anna", "Ich sah Anna auf BMX"),
        ("a BMX", "ein BMX", "ein BMX"),
        ("a dog", "ein Hund", "ein Hund"),
    )
    group = groups.by_copied(test)
    assert table(group) == {"with names": 1, "with other copied tokens": 1, "without": 1}
    assert group.kept is not None
    assert (group.kept.expected, group.kept.found, group.kept.lost) == (3, 2, (1,))


def test_by_negation() -> None:
    lines = [
        ("not here", "nicht hier", "nicht da"),
        ("not here", "hier", "nicht da"),
        ("not here", "da", "weg"),
        ("a", "a", "a"),
    ]
    group = groups.by_negation(make(*lines))
    assert table(group) == {"with negation": 3, "without": 1}
    assert group.kept is not None
    assert (group.kept.expected, group.kept.found, group.kept.lost) == (2, 1, (2,))
    other = groups.by_negation(make(*lines, languages=("en", "cs")))
    assert (table(other), other.kept) == (table(group), None)


@pytest.mark.parametrize("language", ["cs", None])
def test_negation_of_other_sources_is_not_judged(language: str | None) -> None:
    group = groups.by_negation(make(("a", "a", "a"), languages=(language, "de")))
    assert group.buckets == ()
    assert group.not_judged == "known for da, de, en, es, fr, it, nl, no, pl, pt, ru, sv, uk only"


def test_by_questions() -> None:
    lines = [("Who?", "Wer?", "Wer?"), ('"Who?" ', "Wer.", "Wer?"), ("Who?", "Wer.", "Wer."), ("A; b;", "A;", "A;")]
    group = groups.by_questions(make(*lines))
    assert table(group) == {"questions": 3, "others": 1}
    assert group.kept is not None
    assert (group.kept.expected, group.kept.found, group.kept.lost) == (2, 1, (2,))


def test_greek_asks_with_a_semicolon() -> None:
    lines = [("Ποιος;", "Wer?", "Wer?"), ("Ποιος.", "Er; sie;", "Er; sie;")]
    assert table(groups.by_questions(make(*lines, languages=("el", "de")))) == {"questions": 1, "others": 1}
    assert table(groups.by_questions(make(*lines, languages=("de", "el")))) == {"others": 2}
    asked = groups.by_questions(make(("Who?", "Ποιος;", "Ποιος;"), languages=("en", "el"))).kept
    assert asked is not None
    assert (asked.expected, asked.found) == (1, 1)


def test_every_line_is_in_one_bucket_of_each_group() -> None:
    lines = [(f"Not {'very ' * number}many, 20{number:02}?", f"viele {number}", "Viele 2007?") for number in range(40)]
    found = groups.all_groups(make(*lines, known=counts("many", "viele")))
    assert [group.key for group in found] == "length rarity unseen numbers copied negation questions".split()
    for group in found:
        assert sum(bucket.lines for bucket in group.buckets) == 40
        assert sum(bucket.share for bucket in group.buckets) == pytest.approx(1)
        assert group.not_judged == ""
