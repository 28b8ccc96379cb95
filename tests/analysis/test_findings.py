"""Every kind of mistake is seen where it is, and not where it is not."""

import pytest

from nmt.analysis import findings
from nmt.analysis.findings import doubled
from nmt.analysis.results import Finding, WordCounts
from nmt.decoding.guard import Thresholds
from tests.analysis.sets import counts, make

GOOD = (
    "A man walks his dog in the park.",
    "Ein Mann geht mit dem Hund im Park.",
    "Ein Mann führt seinen Hund im Park aus.",
)


def found(
    *lines: tuple[str, ...], languages: tuple[str | None, str | None] = ("en", "de"), known: WordCounts | None = None
) -> dict[str, Finding]:
    """All findings by their key, and a good line in front of these lines."""
    good = GOOD + GOOD[2:] * (len(lines[0]) - len(GOOD))  # as many references
    every = findings.find(make(good, *lines, languages=languages, known=known), Thresholds(), 2)
    assert len({finding.key for finding in every}) == len(every)
    assert all(1 not in finding.lines for finding in every)
    return {finding.key: finding for finding in every}


PLANTED = [
    ("empty", ("A dog.", "", "Ein Hund."), "empty"),
    (
        "under_translation",
        ("A dog runs over the green grass.", "Ein Hund.", "Ein Hund läuft über das Gras."),
        "2 words, the reference has 6",
    ),
    (
        "over_translation",
        ("A dog runs.", "Ein Hund läuft mit dem Ball im Park.", "Ein Hund läuft."),
        "8 words, the reference has 3",
    ),
    ("repetition", ("A dog in the sun.", "Ein Hund in der In der Sonne.", "Ein Hund in der Sonne."), '"in der" twice'),
    ("repetition", ("A dog.", "Ein Hund Hund.", "Ein Hund."), '"Hund" twice'),
    ("repetition", ("The bicycle is here.", "Das Fahrraddddddddddddddd ist da.", "Das Rad ist da."), "a loop"),
    ("untranslated", ("A dog on a bench.", "Ein Hund auf einer bench.", "Ein Hund auf einer Bank."), "bench"),
    (
        "untranslated",
        ("A man eats his warm soup here.", "A man eats his warm soup here.", "Ein Mann isst hier seine warme Suppe."),
        "man, eats, his, warm",
    ),
    ("lost_number", ("Bus 93 is red.", "Bus 9 ist rot.", "Bus 93 ist rot."), "93"),
    ("invented_number", ("A bus is red.", "Bus 93 ist rot.", "Ein Bus ist rot."), "93"),
    ("lost_name", ("Here is Anna.", "Hier ist sie.", "Hier ist Anna."), "Anna"),
    ("lost_name", ("Here is an A4.", "Hier ist eins.", "Hier ist ein A4."), "A4"),
    ("lost_negation", ("A dog is not here.", "Ein Hund ist hier.", "Ein Hund ist nicht hier."), "no word that denies"),
    ("invented_negation", ("A dog is here.", "Ein Hund ist nicht hier.", "Ein Hund ist hier."), "denies"),
    ("lost_question", ("Is it a dog?", "Es ist ein Hund.", "Ist das ein Hund?"), "no question mark"),
]


@pytest.mark.parametrize(("key", "line", "detail"), PLANTED, ids=[f"{key}-{line[1][:20]}" for key, line, _ in PLANTED])
def test_a_planted_mistake_is_seen(key: str, line: tuple[str, ...], detail: str) -> None:
    finding = found(line)[key]
    assert (finding.lines, finding.count) == ((2,), 1)
    (example,) = finding.examples
    assert (example.line, example.source, example.hypothesis, example.references) == (2, *line[:2], line[2:])
    assert example.detail == detail


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("empty", ("", "", "")),
        ("empty", ("A dog.", "", "")),
        ("empty", ("", "", "Ein Hund.")),
        ("under_translation", ("A dog runs over grass.", "Ein Hund.", "Ein Hund läuft herum.")),  # two words less
        ("under_translation", ("A dog runs over it.", "Ein Hund.", "Ein Hund läuft über das.", "Hund da.")),
        ("over_translation", ("A dog.", "Ein Hund ist das.", "Ein Hund.")),
        ("over_translation", ("A dog.", "Ein Hund läuft über das.", "Hund.", "Ein Hund läuft über das Gras.")),
        ("over_translation", ("A dog.", "Ein Hund ist das hier.", "")),
        ("repetition", ("A very very big dog.", "Ein sehr sehr großer Hund.", "Ein sehr großer Hund.", "sehr sehr")),
        ("repetition", ("A dog that runs.", "Ein Hund, der, der läuft.", "Ein Hund, der läuft.")),
        ("repetition", ("No no!", "Nein no no!", "Nein!")),
        ("untranslated", ("A man in a Hotel.", "Ein Mann in einem Hotel.", "Ein Mann im Haus.")),  # a capital: a name
        ("untranslated", ("It is no dog.", "Es ist no Hund.", "Es ist kein Hund.")),  # too short a word
        ("untranslated", ("A dog in the park.", "Ein Hund im park.", "Ein Hund.")),  # a reference of GOOD has it
        ("lost_number", ("3 dogs.", "Drei Hunde.", "3 Hunde.")),
        ("invented_number", ("Three dogs.", "3 Hunde.", "Drei Hunde.")),
        ("lost_negation", ("A dog without shoes.", "Ein Hund, barfuß.", "Ein barfüßiger Hund.")),
        ("invented_negation", ("A dog without shoes.", "Hund ohne Schuhe.", "Ein barfüßiger Hund.")),
        ("invented_negation", ("A barefoot dog.", "Hund ohne Schuhe.", "Ein Hund ohne Schuhe.")),
        ("lost_question", ("Is it?", "Ist es?!", "Ist es?")),
    ],
)
def test_what_is_right_is_left_alone(key: str, line: tuple[str, ...]) -> None:
    assert found(line)[key].lines == ()


def test_the_flags_of_the_guard_count_too() -> None:
    source = "A man is walking his two brown dogs in the park, and then he goes home to cook his dinner."
    reference = "Ein Mann führt seine zwei braunen Hunde aus, und dann geht er heim, um zu kochen."
    cut = make((source, "Ein Mann führt seine zwei braunen Hunde aus, und dann geht", reference))
    tight = Thresholds(length_spread=(0.01, 0.0), shortest=9.0, cut=1.0, longest=1.0)
    (finding,) = [each for each in findings.find(cut, tight, 1) if each.key == "under_translation"]
    assert finding.examples[0].detail == "cut off"
    long = make((source, reference + " Das ist alles, was man darüber sagen kann.", reference))
    (finding,) = [each for each in findings.find(long, tight, 1) if each.key == "over_translation"]
    assert finding.examples[0].detail == "too long"
    for key in ("under_translation", "over_translation"):  # references are as short, and as long
        same = make((source, reference, reference), (source, "Ein Mann kocht.", "Ein Mann kocht."))
        strict = Thresholds(length_spread=(0.01, 0.0), shortest=-99.0, longest=-99.0)  # flags every line
        assert [each.lines for each in findings.find(same, strict, 1) if each.key == key] == [()]
    script = make((source, "Ein мужчина führt seine zwei собаки aus.", reference))
    (finding,) = [
        each for each in findings.find(script, Thresholds(scripts=("LATIN",)), 1) if each.key == "wrong_script"
    ]
    assert finding.examples[0].detail == "wrong script"


def test_a_phrase_of_words_that_both_languages_have_may_be_untranslated() -> None:
    copied = ("In person, warm wind in hand.", "In person, warm wind in hand.", "Selbst spürt man Luft.")
    other = ("A", "B", "in person warm wind hand")  # the target language has all of these words, too
    assert found(copied, other)["untranslated"].examples[0].detail == "a phrase of the source"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b a b c", ["a b"]),
        ("a a a", ["a"]),
        ("The the dog.", ["the"]),
        ("a b c d a b c d!", ["a b c d"]),
        ("a, a", []),
        ("- - 8 8", []),
        ("a b c d e a b c d e", []),
        ("", []),
    ],
)
def test_doubled(text: str, expected: list[str]) -> None:
    assert list(doubled(text)) == expected


def test_a_double_is_told_as_it_is_written() -> None:
    assert doubled("Richtung der richtung der") == {"richtung der": "Richtung der"}


def test_characters_may_be_doubled() -> None:
    line = ("His dad is here.", "爸 爸 在这里", "他爸爸在这里")
    assert found(line, languages=("en", "zh"))["repetition"].lines == ()


def test_training_text_tells_words_of_the_target_language_from_foreign_ones() -> None:
    line = ("A warm man.", "Ein warm and man.", "Ein lauer Mann.")
    assert found(line)["untranslated"].examples[0].detail == "warm, man"
    known = counts("warm " * 50 + "man " * 50, "geht mit dem and " + "warm " * 3 + "man")
    assert found(line, known=known)["untranslated"].examples[0].detail == "man"


def test_words_found_nowhere_are_told_where_training_text_is_known() -> None:
    lines = [
        ("A dog in a tram.", "Ein Hünd in einem Zubrax.", "Ein Hund."),
        ("A tram in 2007.", "Ein tram im 2007er.", "Eine Bahn."),
        ("A train.", "Ein Park.", "Ein Zug."),
    ]
    finding = found(*lines, known=counts("", "ein in einem im geht mit dem eine"))["unknown_word"]
    assert finding.lines == (2,)
    assert finding.examples[0].detail == "Hünd, Zubrax"
    without = found(*lines)["unknown_word"]
    assert (without.lines, without.not_judged) == ((), "the words of the training text are not known")


@pytest.mark.parametrize(
    ("languages", "named"), [(("en", "cs"), "cs"), (("zh", "de"), "zh"), ((None, "de"), "the language")]
)
def test_negation_is_judged_where_both_languages_are_known(languages: tuple[str | None, str], named: str) -> None:
    both = found(("It is not here.", "Da.", "Nicht da."), languages=languages)
    for key in ("lost_negation", "invented_negation"):
        assert both[key].lines == ()
        assert both[key].not_judged.startswith(f"{named}: known for da, de, en,")


def test_the_worst_lines_are_the_examples_and_all_are_counted() -> None:
    lines = [
        (f"Bus 9{n} is {'very ' * n}red.", f"Bus {'xyz ' * n}rot.", f"Bus 9{n} {'sehr ' * n}rot.") for n in range(4)
    ]
    finding = found(*lines)["lost_number"]
    assert finding.lines == (2, 3, 4, 5)
    assert [example.line for example in finding.examples] == [5, 4]
    assert finding.examples[0].chrf < finding.examples[1].chrf
