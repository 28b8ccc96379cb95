"""How often training text has words, and which ones translations miss, invent and confuse."""

import random
import time
from collections import Counter

import pytest

from nmt.analysis.lines import read_lines, unit_name, units_of
from nmt.analysis.results import Band, Confusion, Estimate, WordCounts, WrongWord
from nmt.analysis.words import bands, confusions, count_words, decade, decade_name, words_of, wrong_words
from nmt.text.surface import split_units
from tests.analysis.sets import counts, make

# Words


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("„Ja“, sagte er – um 8:30 Uhr!", ("Ja", "sagte", "er", "um", "8:30", "Uhr")),
        ("... ! –", ()),
        ("我有 iPhone。", ("我", "有", "iPhone")),
        ("", ()),
    ],
)
def test_units(text: str, units: tuple[str, ...]) -> None:
    assert units_of(text) == units


def test_units_are_named_by_the_language_or_else_by_the_text() -> None:
    assert [unit_name(code, ["abc"]) for code in ("de", "zh", "ja", "th", "ko")] == [
        "words", "characters", "characters", "characters", "words",
    ]  # fmt: skip
    assert unit_name(None, ["我有一个苹果。", "apple"]) == "characters"
    assert unit_name(None, ["an apple is 苹果", "and more"]) == "words"
    assert unit_name(None, [""]) == "words"


def test_lines_are_cleaned_and_counted_from_1() -> None:
    first, second = read_lines([" a\tb ", "x"], ["Cafe\u0301", "y"], [["é", "y"], ["c", "z"]], [1.0, 2.0], [1, 0])
    assert (first.number, first.source, first.hypothesis, first.references) == (1, "a b", "Café", ("é", "c"))
    assert (first.reference, first.expected, second.reference) == ("c", ("c",), "y")
    assert (second.number, second.chrf, second.source_units, second.units) == (2, 2.0, ("x",), ("y",))


# Training text


def corpus(lines: int) -> list[tuple[str, str]]:
    drawn = random.Random(1)
    words = ["Haus", "haus,", "Café", "Cafe\u0301", "„Hund“", "-", "8:30", "我有", "e.V.", "don't", "(a)"]
    return [(" ".join(drawn.choices(words, k=6)), " ".join(drawn.choices(words, k=9))) for _ in range(lines)]


def test_words_are_counted_as_if_line_by_line() -> None:
    pairs = corpus(300)
    asked = words_of([pair[0] for pair in pairs]), words_of([pair[1] for pair in pairs])
    found = count_words(pairs, *asked, name="text")
    for side, counted in enumerate((found.source, found.target)):
        one_by_one = Counter(word for pair in pairs for word in words_of([pair[side]]))
        assert counted.keys() == one_by_one.keys()
        expected = Counter(unit.lower().replace("e\u0301", "é") for pair in pairs for unit in split_units(pair[side]))
        assert counted == expected
    assert (found.name, found.pairs, found.complete) == ("text", 300, True)
    assert found.source["haus"] > 100
    assert found.source["café"] > 100
    assert found.target["我"] == found.target["有"] > 100


def test_only_the_words_asked_for_are_kept() -> None:
    found = count_words([("a b a", "c d")], {"a", "x"}, {"d"}, name="text")
    assert (found.source, found.target) == (Counter(a=2), Counter(d=1))
    assert found.source["x"] == 0


@pytest.mark.parametrize(("most", "pairs", "complete"), [(9, 9, False), (10, 10, True), (11, 10, True)])
def test_of_a_large_corpus_the_first_pairs_are_counted(most: int, pairs: int, complete: bool) -> None:
    found = count_words(iter([("a", "b")] * 10), {"a"}, {"b"}, name="text", most=most)
    assert (found.pairs, found.complete, found.source["a"]) == (pairs, complete, pairs)
    assert str(found) == f"{'' if complete else 'the first '}{pairs} pairs of text"


def test_what_lies_behind_is_not_read() -> None:
    walk = iter([("a", "b")] * 100)
    count_words(walk, {"a"}, {"b"}, name="text", most=10)
    assert len(list(walk)) == 89  # one is looked at to know whether there is more


def test_counts_of_several_texts_add_up() -> None:
    both = WordCounts("a", 2, True, Counter(x=1), Counter(y=1)).plus(
        WordCounts("b", 3, False, Counter(x=2), Counter(z=1))
    )
    assert both == WordCounts("a + b", 5, False, Counter(x=3), Counter(y=1, z=1))


def test_decades() -> None:
    assert [decade(count) for count in (0, 1, 9, 10, 99, 100, 999, 1000, 9999, 10_000, 10**9)] == [
        0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5,
    ]  # fmt: skip
    assert [decade_name(number) for number in (0, 1, 4, 5)] == [
        "never", "1 to 9 times", "1,000 to 9,999 times", "10,000 times or more",
    ]  # fmt: skip


def test_words_found_by_how_often_training_text_has_them() -> None:
    known = counts(target="das das das das das das das das das das das haus haus")
    test = make(("x", "das Haus das", "das Haus Das Boot 7"), ("x", "Boot", "ein Haus"), known=known)
    assert bands(test.lines, known, test.scorer) == (
        Band("never", 2, Estimate(0.0)),
        Band("1 to 9 times", 2, Estimate(50.0)),
        Band("10 to 99 times", 2, Estimate(100.0)),
    )


def test_with_lines_enough_that_has_an_interval() -> None:
    known = counts(target="haus")
    lines = [("x", "Haus" if number % 4 else "Boot", "Haus") for number in range(40)]
    test = make(*lines, known=known, samples=200)
    (band,) = bands(test.lines, known, test.scorer)
    assert band.found.score == 75
    assert band.found.low is not None
    assert 55 < band.found.low < 70


def test_a_band_of_few_lines_has_none() -> None:
    known = counts(target="haus")
    lines = [("x", "Haus", "Haus")] * 5 + [("x", "Boot", "Boot")] * 35
    test = make(*lines, known=known, samples=200)
    never, seldom = bands(test.lines, known, test.scorer)
    assert seldom == Band("1 to 9 times", 5, Estimate(100.0))
    assert never.found.low == 100


# Wrong words


def test_wrong_words_are_those_that_are_wrong_more_often_than_others() -> None:
    lines = [("x", "ein Hemd und ein Hut", "Ein Shirt und ein Hut")] * 3
    lines += [("x", "ein Ball und", "ein Ball oder")] + [("x", "ein Hut und", "Ein Hut und")] * 5
    test = make(*lines)
    # "und" is there nine times and invented once: less than the usual word.
    assert wrong_words(test.lines, "missed", 5) == (WrongWord("Shirt", 3, 3, 1),)
    assert wrong_words(test.lines, "invented", 5) == (WrongWord("Hemd", 3, 3, 1),)
    assert wrong_words(test.lines, "invented", 0) == ()


def test_what_is_most_unusual_comes_first() -> None:
    often = [("x", "a b c d", "a b c d")] * 20 + [("x", "q b c d", "a b c d")] * 4
    rare = [("x", "a b c q", "a b c z")] * 4
    found = wrong_words(make(*often, *rare).lines, "missed", 5)
    assert [(word.word, word.count, word.total) for word in found] == [("z", 4, 4), ("a", 4, 28)]


def test_a_word_counts_as_often_as_it_is_missing() -> None:
    lines = [("x", "so schön", "sehr sehr schön"), ("x", "sehr schön", "sehr sehr schön")]
    assert wrong_words(make(*lines).lines, "missed", 5) == (WrongWord("sehr", 3, 4, 1),)


def test_many_lines_take_no_more_time_each_than_few() -> None:
    texts = [f"wort{number} ganz" for number in range(15_000)]
    lines = read_lines(texts, texts, [texts], [100.0] * len(texts), [0] * len(texts))
    began = time.process_time()
    assert wrong_words(lines, "missed", 5) == ()
    assert time.process_time() - began < 2


def test_the_nearest_reference_says_which_words_are_wrong() -> None:
    lines = [("x", "das Auto fährt", "ein Wagen rollt", "das Auto rollt")] * 2
    assert [word.word for word in wrong_words(make(*lines).lines, "missed", 5)] == ["rollt"]


def test_confusions_are_words_one_for_one() -> None:
    lines = [("x", "Ein Hemd und ein Hut", "ein Shirt und ein Hut")] * 3
    lines += [("x", "im Hemd", "im Shirt"), ("x", "da ist rotes Hemd", "da Shirt")]
    lines += [("x", "einmal Hemd", "einmal Jacke")]
    assert confusions(make(*lines).lines, 5) == (Confusion("Shirt", "Hemd", 4, 1),)
    assert confusions(make(*lines).lines, 0) == ()


def test_in_a_long_line_the_words_that_it_repeats_still_show_the_place() -> None:
    words = "rot und " * 150
    lines = [("x", f"{words}Hemd {words}", f"{words}Shirt {words}ganz")] * 2
    assert confusions(make(*lines).lines, 5) == (Confusion("Shirt", "Hemd", 2, 1),)


def test_words_that_differ_in_case_only_are_no_mistake() -> None:
    test = make(*[("x", "der Hund Bellt", "Der hund bellt")] * 3)
    assert wrong_words(test.lines, "missed", 5) == confusions(test.lines, 5) == ()
