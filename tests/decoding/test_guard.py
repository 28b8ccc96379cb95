"""The guard: planted faults are found, what people write is left alone, and the thresholds survive a file."""

import json
import math
import random
import time
from collections import Counter

import pytest

from nmt.corpus.starter.grammar import Grammar
from nmt.decoding.guard import ALLOWED, FEWEST, Thresholds, _limit, best, check, fit, repeated_share
from nmt.text.surface import longest_repeat

DEFAULT = Thresholds()
CYRILLIC = str.maketrans("abcdefghijklmnoprstuvwyz", "абцдефгхийклмнопрстуввыз")


@pytest.fixture(scope="module")
def pairs() -> list[tuple[str, str]]:
    """French and English of the starter grammar: half to learn from, half to try it on."""
    grammar = Grammar(1)
    made = (grammar.sentence() for _ in range(1000))
    return list(dict.fromkeys((one.fr, one.en) for one in made if len(one.en.split()) >= 6))


@pytest.fixture(scope="module")
def usual(pairs: list[tuple[str, str]]) -> Thresholds:
    source, target = zip(*pairs[: len(pairs) // 2], strict=True)
    return fit(source, target)


def repeat(source: str, output: str, chance: random.Random) -> tuple[str, str]:
    words = output.split()
    begin, span = chance.randrange(len(words) - 3), chance.randint(1, 3)
    return source, " ".join(words[:begin] + words[begin : begin + span] * 4 + words[begin + span :])


def truncate(source: str, output: str, chance: random.Random) -> tuple[str, str]:
    return source, " ".join(output.split()[: len(output.split()) // 2])


def copy(source: str, output: str, chance: random.Random) -> tuple[str, str]:
    return source, source


def drop_number(source: str, output: str, chance: random.Random) -> tuple[str, str]:
    return f"{source} {chance.randint(13, 99_999)}", output


def wrong_script(source: str, output: str, chance: random.Random) -> tuple[str, str]:
    words = output.split()
    return source, " ".join(word.lower().translate(CYRILLIC) if i % 2 else word for i, word in enumerate(words))


PLANTS = {
    "repetition": repeat,
    "too short|cut off": truncate,
    "copied source": copy,
    "lost number": drop_number,
    "wrong script": wrong_script,
}


@pytest.mark.parametrize("flags", PLANTS)
def test_planted_faults_are_found(flags: str, pairs: list[tuple[str, str]], usual: Thresholds) -> None:
    chance = random.Random(flags)
    clean = chance.sample(pairs[len(pairs) // 2 :], 100)
    found = [check(*PLANTS[flags](*pair, chance), usual) for pair in clean]
    assert sum(bool(set(flags.split("|")) & set(told)) for told in found) >= 95


def test_clean_outputs_are_left_alone(pairs: list[tuple[str, str]], usual: Thresholds) -> None:
    """On pairs that it has not learnt from, too."""
    unseen = [check(*pair, usual) for pair in pairs[len(pairs) // 2 :]]
    assert len(unseen) >= 150
    assert sum(map(bool, unseen)) <= 0.01 * len(unseen)


def test_each_check_flags_at_most_the_allowed_share_of_dev(pairs: list[tuple[str, str]]) -> None:
    """Noisy dev text: misaligned lines raise the thresholds, but never the false alarms."""
    chance = random.Random(5)
    source, target = map(list, zip(*pairs, strict=True))
    for index in chance.sample(range(len(target)), 40):
        target[index] = chance.choice([source[index], "no no no no no no", "да да нет нет это", "x " * 90, "y"])
    learnt = fit(source, target)
    told = Counter(flag for pair in zip(source, target, strict=True) for flag in check(*pair, learnt))
    assert all(times <= max(1, ALLOWED * len(source)) for times in told.values()), told


@pytest.mark.parametrize(
    ("source", "output", "flags"),
    [
        ("Guten Tag.", "Good day.", ()),
        ("", "anything at all", ()),
        (" \t", "", ()),
        ("Ein Hund läuft über die Wiese.", "", ("too short",)),
        # Repetition: also without blanks, of subwords, and with other case or punctuation; not when the source has it.
        ("Er geht.", "He goes and goes and goes and goes.", ("repetition",)),
        ("Er geht.", "He goes, goes, Goes, goes!", ("repetition",)),
        ("Nein, nein, nein, nein!", "No, no, no, no!", ()),
        ("He likes it a lot.", "他喜欢他喜欢他喜欢他喜欢他喜欢", ("repetition",)),
        ("Er liebt Politik.", "He loves politititititititititititics.", ("repetition",)),
        ("sehr, sehr gut", "very, very, very good", ()),
        # Copies: names and numbers are none.
        ("Der Hund läuft über die grüne Wiese.", "Der Hund läuft über die grüne Wiese.", ("copied source",)),
        ("Angela Merkel, Emmanuel Macron, Joe Biden", "Angela Merkel, Emmanuel Macron, Joe Biden", ()),
        ("A 12 B 13 C 14 D", "A 12 B 13 C 14 D", ()),
        # Numbers: the same in another format, spelled with other digits, or in one piece.
        ("Es kostet 12.345,67 Euro.", "It costs 12,345.67 euros.", ()),
        ("Es kostet 12 345 Euro.", "It costs 12,345 euros.", ()),
        ("Am 15 200 Leute und 16 Hunde.", "200 people and 16 dogs on the 15th.", ("lost number",)),
        ("Am 15 200 Leute und 16 Hunde.", "On the 15th 200 people and 16 dogs.", ()),
        ("Es kostet 12.345,67 Euro.", "It costs 12,345.76 euros.", ("lost number",)),
        ("Am 15. Mai 1995 um 18 Uhr", "On May 15, 1995", ("lost number",)),
        ("It was in 1995.", "كان ذلك في ١٩٩٥.", ()),
        ("Drei von 4 kamen.", "Three of four came.", ()),
        # Addresses: their digits are no numbers of their own.
        ("Siehe https://example.org/a?b=2024.", "See https://example.org/a?b=2024.", ()),
        ("Siehe https://example.org/a?b=2024.", "See https://example.org/a.", ("lost url",)),
        ("Siehe www.example.org heute", "See the page today", ("lost url",)),
        ("Schreib an jo.do@example.org!", "Write to jo.do@example.org!", ()),
        ("Schreib an jo.do@example.org!", "Write to jo.do@ example.org!", ("lost email",)),
        ("请访问https://example.org/x。", "Please visit https://example.org/x.", ()),
    ],
)
def test_without_a_dev_set_only_the_absurd_is_flagged(source: str, output: str, flags: tuple[str, ...]) -> None:
    assert check(source, output, DEFAULT) == flags


def test_a_script_is_wrong_only_beyond_what_the_source_holds() -> None:
    latin = Thresholds(scripts=("LATIN",))
    assert check("Он читает книгу дома.", "He reads книгу только сейчас.", latin) == ("wrong script",)
    assert check("Он читает «Войну и мир».", "He reads Войну и мир.", latin) == ()
    assert check("He reads it.", "Ηe reads it: Ω, µ, é, Ａ.", latin) == ()  # a few letters are no other script
    assert check("He reads a book at home.", "He reads a book at home now.", Thresholds(scripts=("CYRILLIC",))) == (
        "copied source",
    )
    cyrillic = Thresholds(scripts=("CYRILLIC",))
    assert check("He reads a book at home.", "Il lit un livre à la maison.", cyrillic) == ("wrong script",)


def test_what_usually_gets_lost_is_not_missed() -> None:
    """Where references spell numbers out a lost one says nothing; where they never do, even a 3 counts."""
    source = [f"Zeile {index} mit {index + 20} Tieren" for index in range(60)]
    spelled = ["A line with some animals, as many as one may think of."] * 60
    assert not fit(source, spelled).numbers
    kept = [f"Line {index} with {index + 20} animals" for index in range(60)]
    assert fit(source, kept).numbers
    assert not fit(source, kept).small_numbers  # too few lines to tell
    small = [f"Die {index % 10} ist da" for index in range(60)], [f"The {index % 10} is there" for index in range(60)]
    assert fit(*small).small_numbers
    assert check("Die 3 ist da", "The three is there", fit(*small)) == ("lost number",)


def test_length_is_judged_by_the_pair_of_languages_and_less_strictly_for_short_sources() -> None:
    chance = random.Random(3)
    source = ["wort " * chance.randint(1, 30) for _ in range(400)]
    target = ["字" * max(1, round(len(line) / 4 + chance.gauss(0, math.sqrt(len(line)) / 4))) for line in source]
    learnt = fit(source, target)
    assert -1.6 < learnt.length_mean < -1.2
    assert "too long" in check("wort " * 20, "字" * 80, learnt)  # as long as an English one would be
    assert check("wort " * 20, "字" * 25, learnt) == ()  # the source repeats, too
    assert "too short" in check("wort " * 20, "字" * 10, learnt)
    assert "too short" not in check("wort wort", "字", learnt)  # the same share of a short one


def test_a_lost_full_stop_makes_a_somewhat_short_output_a_cut_one(usual: Thresholds) -> None:
    source = "Le petit chat noir dort tranquillement sur la vieille chaise."
    assert check(source, "The little black cat sleeps quietly on the old chair.", usual) == ()
    assert check(source, "The little black cat sleeps quietly on the old chair", usual) == ()
    assert check(source, "The little black cat sleeps", usual)[0] in ("cut off", "too short")
    assert check(source, "The little black cat sleeps quietly on.", usual) == ()


def test_a_cut_output_is_told_as_such() -> None:
    strict = Thresholds(length_spread=(0.04, 0.0), cut=1.0)
    source = "Der Hund läuft heute über die Wiese."
    assert check(source, "The dog runs today over the", strict) == ("cut off",)
    assert check(source, "The dog runs today over it.", strict) == ()
    assert check(source, "«The dog runs today over it!»", strict) == ()
    assert check(source, "The dog", strict) == ("too short",)
    assert check(source[:-1], "The dog runs today over the", strict) == ()  # there was no stop to lose


def test_where_references_leave_the_stop_out_a_missing_one_says_nothing() -> None:
    chance = random.Random(7)
    source = [" ".join(["wort"] * chance.randint(5, 20)) + "." for _ in range(500)]
    target = [line.replace("wort", "word")[chance.randint(0, 9) :].removesuffix(".") for line in source]
    assert fit(source, target).cut > 1.5
    assert fit(source, [f"{line}." for line in target]).cut == 1


def test_a_threshold_lies_above_what_dev_holds_the_more_so_in_a_small_one() -> None:
    assert 5.4 < _limit([1.0] * 99 + [5.0], at_least=2.0) < 5.6
    assert 5.0 < _limit([1.0] * 899 + [9.0] + [5.0] * 100, at_least=2.0) < 5.2  # one beyond is allowed
    assert _limit([-math.inf] * 100, at_least=2.0) == 2


def test_repeats_equal_a_search_by_brute_force() -> None:
    chance = random.Random(1)

    def slow(units: list[str]) -> int:
        longest = 0
        for period in range(1, 17):
            for begin in range(len(units)):
                run = 0
                while begin + period + run < len(units) and units[begin + run] == units[begin + period + run]:
                    run += 1
                if run >= 2 * period:
                    longest = max(longest, run)
        return longest

    for _ in range(400):
        units = chance.choices("abc", k=chance.randint(0, 30))
        begin = chance.randint(0, len(units))
        units[begin:begin] = chance.choices("abcd", k=chance.randint(1, 5)) * chance.randint(0, 4)
        assert longest_repeat(units) == slow(units), units
    assert longest_repeat("a b a b a b".split()) == 4
    assert longest_repeat([]) == 0


def test_a_loop_with_a_changing_word_shows_in_its_pairs_of_neighbours() -> None:
    words = " ".join(f"in the house of the man {number}" for number in "abcdefgh")
    assert longest_repeat(words.split()) == 0
    assert repeated_share(words.split()) > 0.6
    assert check("Er wohnt in einem Haus.", words, Thresholds(longest=99)) == ("repetition",)
    assert repeated_share("the a the a the".split()) == 0  # too short to judge


def test_the_better_candidate_has_fewer_flags() -> None:
    nan = float("nan")
    assert best([(), ()], [-2.0, -1.0]) == 0  # nothing is wrong with the first
    assert best([("x",), ("y",)], [-2.0, -1.0]) == 0  # the other is no better
    assert best([("x",), ("x", "y"), ()], [-1.0, -1.0, -9.0]) == 2
    assert best([("x", "y"), ("x",), ("y",), ("x",)], [-1.0, -3.0, -2.0, nan]) == 2
    assert best([("x",), (), ()], [-1.0, nan, -5.0]) == 2
    assert best([("x",)], [nan]) == 0


def test_thresholds_come_back_from_json(usual: Thresholds) -> None:
    stored = json.loads(json.dumps(usual.as_json()))
    assert Thresholds.from_json(stored) == usual
    assert Thresholds.from_json({}) == DEFAULT
    assert Thresholds.from_json({"copied": 1, "later": 5}) == Thresholds(copied=1)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("copied", "much"),
        ("copied", None),
        ("copied", True),
        ("longest", float("nan")),
        ("numbers", 1),
        ("scripts", "LATIN"),
        ("scripts", [1]),
        ("length_spread", [0.1]),
        ("length_spread", [0.0, 0.0]),
        ("length_spread", [-1.0, 2.0]),
    ],
)
def test_what_is_no_threshold_is_refused(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"{name} is {value!r}".replace("[", r"\[")):
        Thresholds.from_json({name: value})


def test_a_few_lines_teach_nothing(pairs: list[tuple[str, str]]) -> None:
    source, target = zip(*pairs[: FEWEST - 1], strict=True)
    assert fit(source, target) == DEFAULT
    assert fit([*source, "x", ""], [*target, "", "y"]) == DEFAULT  # blank lines are no lines
    assert fit([], []) == DEFAULT


def test_it_is_cheap(pairs: list[tuple[str, str]], usual: Thresholds) -> None:
    """A line takes about 25 microseconds; the margin is for a busy machine. A runaway of 5,000 words ends, too."""
    fastest = math.inf
    for _ in range(5):
        begin = time.process_time()
        for pair in pairs:
            check(*pair, usual)
        fastest = min(fastest, time.process_time() - begin)
    assert fastest / len(pairs) < 100e-6
    begin = time.process_time()
    assert "repetition" in check("Ein Satz.", "a b " * 2_500, usual)
    assert time.process_time() - begin < 2
