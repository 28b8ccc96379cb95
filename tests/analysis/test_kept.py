"""What a right translation keeps: numbers, names, addresses, codes, denials."""

import pytest

from nmt.analysis import kept, negation
from nmt.analysis.lines import Line
from nmt.analysis.numerals import _WORDS, words_of_number
from nmt.corpus.rules.languages import scripts_of
from tests.analysis.sets import make


def line(source: str, hypothesis: str, *references: str) -> Line:
    return make((source, hypothesis, *references)).lines[0]


# Numbers


@pytest.mark.parametrize(
    ("source", "hypothesis", "reference", "expected", "lost"),
    [
        ("It cost 1,200 euros", "Es kostete 1.200 Euro", "Es kostete 1200 Euro", {"1200"}, set()),
        ("It cost 1,200 euros", "Es kostete 1 200 Euro", "Es kostete 1.200 Euro", {"1200"}, set()),
        ("It cost 1,200 euros", "Es kostete 1.500 Euro", "Es kostete 1.200 Euro", {"1200"}, {"1200"}),
        ("Number 93 and 55", "Nummer 9 und 55", "Nummer 93 und 55", {"93", "55"}, {"93"}),
        ("at 8 pm", "um 20 Uhr", "um 20 Uhr", set(), set()),  # converted
        ("3 boys", "Drei Jungen", "3 Jungen", {"3"}, set()),
        ("3 boys", "Viele Jungen", "3 Jungen", {"3"}, {"3"}),
        ("1 boy", "Ein Junge", "1 Junge", set(), set()),  # is an article, too
        ("Number 93", "Nummer 1930", "Nummer 93", {"93"}, {"93"}),
        ("the 115, 200", "die 115 200", "die 115, 200", {"115", "200"}, set()),  # one number, or two
        ("page 13", "Seite dreizehn", "Seite 13", {"13"}, {"13"}),
    ],
)
def test_numbers(source: str, hypothesis: str, reference: str, expected: set[str], lost: set[str]) -> None:
    assert kept.numbers(line(source, hypothesis, reference), "de") == (expected, lost)


def test_small_numbers_are_not_judged_where_their_words_are_not_known() -> None:
    assert kept.numbers(line("3 boys, 40 girls", "x", "3 fiúk, 40 lány"), "hu") == ({"40"}, {"40"})
    assert kept.numbers(line("12 boys, 13 girls", "x", "12 fiúk, 13 lány"), "hu") == ({"13"}, {"13"})
    assert kept.numbers(line("3 boys", "x", "3 Jungen"), None) == (set(), set())


def test_every_reference_has_to_have_what_is_to_be_kept() -> None:
    assert kept.numbers(line("Number 93", "x", "Nummer 93", "Die Zahl"), "de") == (set(), set())
    assert kept.names(line("We saw Anna", "x", "Wir sahen Anna", "Wir sahen sie")) == ([], [])


@pytest.mark.parametrize(
    ("source", "hypothesis", "reference", "invented"),
    [
        ("a man with a number", "ein Mann mit der Nummer 14", "ein Mann mit einer Nummer", {"14"}),
        ("three dogs", "3 Hunde", "drei Hunde", set()),
        ("dogs", "3 Hunde", "Hunde", {"3"}),
        ("dogs", "3 Hunde", "drei Hunde", set()),
        ("at 8 pm", "um 20 Uhr", "um acht", {"20"}),
        ("15200 people", "15 200 Leute", "Leute", set()),
    ],
)
def test_invented_numbers(source: str, hypothesis: str, reference: str, invented: set[str]) -> None:
    assert kept.invented_numbers(line(source, hypothesis, reference), "en", "de") == invented


def test_an_invented_small_number_is_not_judged_without_its_words() -> None:
    assert kept.invented_numbers(line("három kutya", "3 Hunde", "Hunde"), "hu", "de") == set()
    assert kept.invented_numbers(line("három kutya", "30 Hunde", "Hunde"), "hu", "de") == {"30"}


@pytest.mark.parametrize("language", _WORDS)
def test_numerals_are_whole(language: str) -> None:
    assert len(_WORDS[language].split()) == 11
    forms = [words_of_number(str(number), language) for number in range(2, 13)]
    assert len(frozenset().union(*forms)) == sum(map(len, forms))  # no word is that of two numbers


def test_numerals() -> None:
    assert words_of_number("2", "de_DE") >= {"zwei"}
    assert words_of_number("12", "fra") == {"douze"}
    assert words_of_number("7", "nb") == {"sju", "syv"}
    assert [words_of_number(number, "en") for number in ("0", "1", "13", "100")] == [frozenset()] * 4
    assert words_of_number("3", "zh") == words_of_number("3", None) == frozenset()


# Names and codes


@pytest.mark.parametrize(
    ("source", "hypothesis", "reference", "expected", "lost"),
    [
        ("Yesterday Anna left Berlin.", "Anna verließ Köln.", "Anna verließ Berlin.", ["Anna", "Berlin"], ["Berlin"]),
        ("In there is a Ball.", "x", "In diesem ist ein Ball.", ["Ball"], ["Ball"]),  # the first word is no name
        ("He left. In time.", "x", "Er ging. In der Zeit.", [], []),  # nor is that of the next sentence
        ("He said: In time.", "x", "Er sagte: In der Zeit.", [], []),
        ('The "Saints" won', "Die Saints gewannen", "Die Saints gewannen", ["Saints"], []),
        ("a trip to Paris", "ein Paristrip", "ein Trip nach Paris", ["Paris"], []),  # in a compound
        ("a trip to Paris", "nach PARIS", "ein Trip nach Paris", ["Paris"], []),
        ("it is plan B", "x", "das ist Plan B", [], []),  # a letter says little
        ("a trip to Munich", "x", "ein Trip nach München", [], []),  # spelled anew
        ("the color Gold", "x", "die Farbe McGold", [], []),
        ("the color Gold", "x", "die Farbe Goldgelb", [], []),  # a part of a word is not the same
    ],
)  # fmt: skip
def test_names(source: str, hypothesis: str, reference: str, expected: list[str], lost: list[str]) -> None:
    assert kept.names(line(source, hypothesis, reference)) == (expected, lost)


@pytest.mark.parametrize(
    "token", ["A4", "iPhone", "USA", "#nmt", "C3PO", "covid-19", "x_1", "www.example.org/a", "me@example.org"]
)
def test_codes(token: str) -> None:
    assert kept.codes(line(f"see {token}, please", f"siehe {token}.", f"siehe {token}, bitte"))[0][0] == token
    assert kept.codes(line(f"see {token}, please", f"siehe {token}.", f"siehe {token}, bitte"))[1] == []
    assert kept.codes(line(f"see {token}, please", "siehe hier", f"siehe {token}, bitte"))[1][0] == token
    assert kept.names(line(f"see {token}, please", "siehe hier", f"siehe {token}, bitte")) == ([], [])


def test_ordinary_words_and_numbers_are_no_codes() -> None:
    text = "see this well-known place in 2007, at 10:30, don't"
    assert kept.codes(line(text, "", text)) == ([], [])


# Negation


@pytest.mark.parametrize(
    ("language", "denies", "affirms"),
    [
        ("en", "It isn’t here.", "It is here."),
        ("en", "without shoes", "with outings"),
        ("en", "Nobody knows", "Everybody knows"),
        ("en", "No, thanks", "Room No. 5"),
        ("de", "Keine Schuhe", "Kleine Schuhe"),
        ("de", "ohne Schuhe", "Wohnen"),
        ("de-AT", "Das ist nicht wahr", "Das ist richtig"),
        ("fr", "Il n’est pas là", "Il est là"),
        ("fr", "pas de chance", "Il fait un pas de danse"),
        ("fr", "je ne sais", "une personne"),
        ("es", "No está", "Está nada mal la natación"),
        ("it", "nessun'altra", "un'altra"),
        ("pt", "Não sei", "Sei"),
        ("nl", "geen idee", "een idee"),
        ("sv", "Det är inte så", "Det är så"),
        ("da", "ikke her", "her"),
        ("nb", "aldri mer", "mer"),
        ("pl", "Nie wiem", "Wiem, niebo"),
        ("ru", "Я не знаю", "Я знаю небо"),
        ("uk", "Я не знаю", "Я знаю"),
    ],
)
def test_negation(language: str, denies: str, affirms: str) -> None:
    assert negation.can_judge(language)
    assert negation.negates(denies, language)
    assert not negation.negates(affirms, language)


def test_languages_whose_negation_is_not_known_are_not_judged() -> None:
    assert not any(map(negation.can_judge, ["cs", "zh", "tr", "nn", "", None]))
    with pytest.raises(KeyError):
        negation.negates("不", "zh")


def test_the_languages_judged_exist() -> None:
    assert len(negation.judged()) == 13
    assert all(map(scripts_of, negation.judged()))
