"""A stream of pairs, cleaned: the same with any number of processes; and what pairs have to do with each other."""

import itertools
import random
from collections.abc import Iterator

import pytest

from nmt.corpus import cleaning
from nmt.corpus.cleaning import DEFAULT_RULES, Outcome, clean_stream
from nmt.corpus.duplicates.overlap import Held
from nmt.corpus.rules import RULES, Limits
from nmt.errors import DataError

Pair = tuple[str, str]
NOUNS = (("bridge", "Brücke"), ("street", "Straße"), ("market", "Messe"), ("station", "Station"), ("city", "Stadt"))
VERBS = (("closes", "schließt"), ("opens", "öffnet"), ("burns", "brennt"), ("sleeps", "schläft"), ("waits", "wartet"))
TIMES = (("today", "heute"), ("tomorrow", "morgen"), ("at night", "nachts"), ("in summer", "im Sommer"))


def make(count: int, seed: int = 1) -> list[Pair]:
    """Sentences of ours; every so often one again."""
    chance = random.Random(seed)
    pairs: list[Pair] = []
    for _ in range(count):
        if pairs and chance.random() < 0.1:
            pairs.append(chance.choice(pairs))
            continue
        halves = [[chance.choice(words) for words in (NOUNS, VERBS, TIMES)] for _ in range(chance.randint(1, 4))]
        pairs.append(
            (
                " and ".join(f"the {noun[0]} {verb[0]} {time[0]}" for noun, verb, time in halves).capitalize() + ".",
                " und ".join(f"die {noun[1]} {verb[1]} {time[1]}" for noun, verb, time in halves).capitalize() + ".",
            )
        )
    return pairs


def spoil(pairs: list[Pair], seed: int = 2) -> list[Pair]:
    """Every tenth pair with something wrong."""
    chance = random.Random(seed)
    spoilt = []
    for source, target in pairs:
        wrong = [
            ("", target),
            (source, "\ufffd" + target),
            (source, source),
            (source, "Ja"),
            (source, f"{target} 1984"),
        ]
        untidy = [(f" {source}", target), (source.replace(" ", "  "), target), (source.upper(), target)]
        spoilt.append(chance.choice(wrong + untidy) if chance.random() < 0.2 else (source, target))
    return spoilt


def reasons(pairs: list[Pair], rules: str, **options: object) -> list[str]:
    outcomes = clean_stream(pairs, "en", "de", rules=rules.split(), **options)  # type: ignore[arg-type]
    return ["+".join(outcome.reasons) for outcome in outcomes]


def test_every_pair_comes_out_once_in_order_with_its_number() -> None:
    pairs = spoil(make(5000))
    outcomes = list(clean_stream(pairs, "en", "de", workers=1))
    assert [(outcome.source, outcome.target) for outcome in outcomes] == pairs
    assert [outcome.number for outcome in outcomes] == list(range(1, 5001))
    found = {name for outcome in outcomes for name in outcome.reasons}
    assert found == {"blank", "controls", "copied", "length_ratio", "numbers", "duplicate", "near_duplicate"}


def test_what_is_kept_is_in_the_form_that_is_learned_from() -> None:
    (outcome,) = clean_stream([(" a\tb  c\u0301 ", "d e ć\u2028")], "en", "de")
    assert outcome == Outcome(1, " a\tb  c\u0301 ", "d e ć\u2028", ("a b ć", "d e ć"), ())


def test_the_outcome_does_not_depend_on_the_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleaning, "_PAIRS", 512)
    pairs, dev = spoil(make(6000)), make(40, seed=9)
    alone = list(clean_stream(pairs, "en", "de", held=dev, workers=1))
    assert list(clean_stream(pairs, "en", "de", held=dev, workers=2)) == alone
    assert any("overlap" in outcome.reasons for outcome in alone)
    monkeypatch.setattr(cleaning, "_PAIRS", 100)
    assert list(clean_stream(pairs, "en", "de", held=dev, workers=1)) == alone


def test_few_pairs_are_not_worth_other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleaning, "usable_cores", lambda: 7)
    asked = []
    working = cleaning.working
    monkeypatch.setattr(cleaning, "working", lambda make, jobs, count: asked.append(count) or working(make, jobs, 1))
    assert len(list(clean_stream(make(200), "en", "de", workers=None))) == 200
    monkeypatch.setattr(cleaning, "FEW", 150)
    monkeypatch.setattr(cleaning, "SAMPLE", 100)
    assert len(list(clean_stream(make(200), "en", "de", workers=None))) == 200
    assert asked == [1, 7]


def test_a_stream_is_not_held_in_memory() -> None:
    taken = 0

    def endless() -> Iterator[Pair]:
        nonlocal taken
        for pair in itertools.cycle(make(1000)):
            taken += 1
            yield pair

    outcomes = clean_stream(endless(), "en", "de", workers=1)
    first = list(itertools.islice(outcomes, 30_000))
    assert first[-1].number == 30_000
    assert taken < 60_000
    outcomes.close()  # type: ignore[attr-defined]


def test_long_lines_make_small_jobs() -> None:
    long = ("x" * 300_000, "y")
    sizes = [len(job) for job in cleaning._jobs(iter([long] * 8 + [("a", "b")] * 5000))]
    assert sizes == [4, 4, 4096, 904]


def test_what_reading_meets_is_passed_on() -> None:
    def broken() -> Iterator[Pair]:
        yield from make(10)
        raise DataError("line 11 is no text")

    with pytest.raises(DataError, match="line 11"):
        list(clean_stream(broken(), "en", "de"))


# ---- Duplicates

AGAIN = [("A b c.", "D e f."), ("A b c.", "D e f."), ("a b, c", "d e f"), ("A b c.", "G h i."), ("J k.", "D e f.")]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("", ["", "", "", "", ""]),
        ("duplicate", ["", "duplicate", "", "", ""]),
        ("near_duplicate", ["", "near_duplicate", "near_duplicate", "", ""]),
        ("duplicate near_duplicate", ["", "duplicate", "near_duplicate", "", ""]),
        ("duplicate_source", ["", "duplicate_source", "duplicate_source", "duplicate_source", ""]),
        ("duplicate_target", ["", "duplicate_target", "duplicate_target", "", "duplicate_target"]),
        (
            "duplicate duplicate_source duplicate_target",
            ["", "duplicate", "duplicate_source", "duplicate_source", "duplicate_target"],
        ),
    ],
)
def test_each_rule_knows_its_own_duplicates(rules: str, expected: list[str]) -> None:
    assert reasons(AGAIN, rules) == expected


def test_what_was_dropped_has_not_been_seen() -> None:
    wrong, right = ("A b \ufffd", "D e f"), ("A b", "D e f")
    assert reasons([wrong, wrong, right, right], "controls near_duplicate") == [
        "controls", "controls", "", "near_duplicate",
    ]  # fmt: skip


def test_duplicates_are_of_the_cleaned_text() -> None:
    assert reasons([("a  b ", "c"), ("a b", "c")], "duplicate") == ["", "duplicate"]


def test_pairs_of_numbers_are_no_near_duplicates() -> None:
    assert reasons([("12", "12"), ("13", "13"), ("12", "12")], "near_duplicate") == ["", "", "near_duplicate"]


def test_a_duplicate_is_known_however_far_back_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleaning, "_PAIRS", 64)
    unique = [(f"{'abcdefghij'[n // 1000]}{n}", f"c{n}") for n in range(3000)]
    found = reasons([*unique, *unique], "duplicate")
    assert found == [""] * 3000 + ["duplicate"] * 3000


# ---- Dev and test text

DEV = [("The old bridge over the river is closed.", "Die alte Brücke über den Fluss ist gesperrt."), ("Yes.", "Ja.")]


@pytest.mark.parametrize(
    ("source", "target", "overlaps"),
    [
        (*DEV[0], True),
        (DEV[0][0].upper(), "die ALTE Brücke über den Fluss - ist gesperrt", True),
        ("The old bridge over the river is open.", "Die alte Brücke über den Fluss ist offen.", True),  # a word each
        ("The bridge over the river is closed.", "Die Brücke über den Fluss ist gesperrt.", True),
        ("The old bridge over the river is closed.", "Das ist etwas ganz anderes.", True),  # one side is the same
        ("Something else altogether, I am afraid.", "Die alte Brücke über den Fluss ist gesperrt.", True),
        ("The old bridge over the river is open.", "Das ist etwas ganz anderes.", False),  # one side, but for a word
        ("The new bridge over the lake is closed.", "Die neue Brücke über den See ist gesperrt.", False),
        ("Yes.", "Ja.", True),
        ("Yes!", "ja", True),
        ("Yes.", "Genau.", False),  # a short one alone says nothing
        ("Yes, yes.", "Ja, ja.", False),
    ],
)
def test_what_is_too_near_to_dev_text(source: str, target: str, overlaps: bool) -> None:
    assert reasons([(source, target)], "overlap", held=DEV) == ["overlap" if overlaps else ""]


def test_without_dev_text_nothing_overlaps() -> None:
    assert reasons(DEV, "overlap") == ["", ""]
    assert reasons(DEV, "blank", held=DEV) == ["", ""]
    assert len(Held()) == 0


def test_a_pair_has_all_its_reasons() -> None:
    pair = DEV[0][0], DEV[0][1] + " \ufffd"
    assert reasons([pair], "controls overlap", held=DEV) == ["controls+overlap"]


def test_limits_and_defaults() -> None:
    assert reasons([("a b c", "d")], "too_long", limits=Limits(max_words=2)) == ["too_long"]
    assert set(RULES) - set(DEFAULT_RULES) == {"duplicate_source", "duplicate_target"}
