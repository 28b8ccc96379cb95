"""The starter corpus as text: what is in it and how often, what is linked to what, and the pairs written by hand."""

import re
from collections.abc import Callable, Sequence

import pytest

from nmt.corpus.starter import StarterCorpus, StarterPair, generate
from nmt.corpus.starter import french as fr
from nmt.corpus.starter.everyday import PAIRS
from nmt.corpus.starter.heldout import all_pairs
from nmt.corpus.starter.lexicon_adjectives import DESCRIPTIONS, FEELINGS
from nmt.corpus.starter.lexicon_nouns import NOUNS
from nmt.corpus.starter.lexicon_verbs import INTRANSITIVE

WORD = re.compile(r"\w+")


@pytest.fixture(scope="module")
def corpus() -> StarterCorpus:
    return generate(20_000, seed=1)


@pytest.fixture(scope="module")
def made(corpus: StarterCorpus) -> list[StarterPair]:
    """The generated pairs of train."""
    return [pair for pair in corpus.train if pair.links]


def test_text_is_tidy(corpus: StarterCorpus) -> None:
    for pair in (*corpus.train, *corpus.dev, *corpus.test):
        for text in (pair.source, pair.target):
            assert text == " ".join(text.split())
            assert text[0].isupper()
            assert text[-1] in ".?!"
            assert not set("’«»…\xa0\u202f") & set(text)
        assert not re.search(r"\S[?!;:]", pair.source)
        assert not re.search(r"\s[?!;:.,]", pair.target)


VERBS = sorted({left for left, _ in all_pairs()} - {noun.fr for noun in NOUNS})
AUXILIARIES = ("être", "avoir")


def forms(tense: fr.SimpleTense, verbs: Sequence[str]) -> set[str]:
    return {fr.conjugate(v, tense, person) for v in verbs for person in range(6)}


PARTICIPLES = {
    fr.agree(form, form + "e", feminine, plural)
    for form in (fr.conjugation(v).participle for v in VERBS)
    for feminine in (False, True)
    for plural in (False, True)
}
DESCRIBING = {
    fr.agree(a.fr, a.fr_feminine, feminine, plural)
    for a in (*DESCRIPTIONS, *FEELINGS)
    for feminine in (False, True)
    for plural in (False, True)
}
HAVE = r"(?:ai|as|a|avons|avez|ont|suis|es|est|sommes|êtes|sont)"
PARTICIPLE_AFTER = re.compile(rf"\b{HAVE}(?:-\S+)?(?: (?:pas|jamais|rien|déjà))*(?: encore)? (\w+)")
PERSONS = "je|tu|il|elle|on|nous|vous|ils|elles"
MONTHS = "janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre"
MASS = "|".join(noun.fr for noun in NOUNS if noun.tags & {"food", "drink"} and "mass" in noun.tags)
FINITE = "a|ai|as|avons|avez|ont|" + "|".join(sorted(forms("future", VERBS)))

Shown = Callable[[str, str], bool]


def _has(pattern: str) -> Shown:
    compiled = re.compile(pattern)
    return lambda source, _: bool(compiled.search(source))


def _english(pattern: str) -> Shown:
    compiled = re.compile(pattern)
    return lambda _, target: bool(compiled.search(target))


def _words_in(words: set[str]) -> Shown:
    return lambda source, _: not words.isdisjoint(WORD.findall(source))


PHENOMENA: dict[str, Shown] = {
    "definite article": _has(r"\b(le|la|les) |\bl'"),
    "indefinite article": _has(r"\b(un|une|des) "),
    "partitive article": _has(rf"(?<!que )\b(du |de la |de l')(?:(?:bon|bonne|mauvais|mauvaise) )?(?:{MASS})\b"),
    "elision of the article": _has(r"\bl'\w"),
    "d'": _has(r"\bd'\w"),
    "j'": _has(r"\bj'\w"),
    "au, aux": _has(r"\b(au|aux) "),
    "du": _has(r"\bdu "),
    "des": _has(r"\bdes "),
    "adjective": _words_in(DESCRIBING),
    "present": _words_in(forms("present", VERBS)),
    "passé composé": lambda s, _: any(word in PARTICIPLES for word in PARTICIPLE_AFTER.findall(s)),
    "imparfait": _words_in(forms("imperfect", [*VERBS, *AUXILIARIES])),
    "futur": _words_in(forms("future", [*VERBS, *AUXILIARIES])),
    "ne .. pas": _has(r"\b(ne |n').*\bpas\b"),
    "ne .. jamais": _has(r"\b(ne |n').*\bjamais\b"),
    "ne .. plus": _has(r"\b(ne |n').*\bplus\b"),
    "ne .. rien": _has(r"\b(ne |n').*\brien\b"),
    "question by inversion": _has(rf"-(t-)?({PERSONS})\b.*\?$"),
    "question with est-ce que": _has(r"est-ce qu"),
    "question word": _has(r"\b(où|quand|pourquoi|qui|que|quel\w*|combien|à quelle heure|qu)\b.* \?$"),
    "clitic le, la, les": _has(rf"\b({PERSONS}|ne|me|te|qui) (le |la |les |l')"),
    "clitic lui, leur": _has(rf"\blui\b|-leur\b|\bleur (?:{FINITE})\b"),
    "clitic y": _has(rf"\b(?:[jnmts]'|(?:{PERSONS}) )y\b(?! a)"),
    "clitic en": _has(rf"\b(?:[jnmts]'|(?:{PERSONS}) )en\b"),
    "numbers": _english(r"\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|\d+)\b"),
    "hours": _has(r"\b(heures?|midi|minuit)\b"),
    "dates": _has(rf"\ble \d+(?:er)? (?:{MONTHS})\b"),
    "days and seasons": _has(r"\b(hier|demain|lundi|mardi|mercredi|jeudi|samedi|dimanche|été|hiver|semaine|mois)\b"),
    "comparative": _has(r"\b(plus|moins|aussi) [\w]+ (?:que |qu')|\bmeilleure?s? (?:que |qu')"),
    "relative clause": lambda s, t: bool(
        re.search(r"\b(that|who|where) (?!.*\?)", t) and not re.search(r"(say|think|know|believe|hope)s? that", t)
    ),
    "subordinate clause": _has(r"\b(parce qu|pendant qu|si |s'ils? |quand (?!.*\?)|(dis|pens|sai|croi|esp)\w* qu)"),
    "modal": _english(r"\b(can|cannot|could|must|should|able to|want\w* to|ha(?:ve|s|d) to|like to)\b"),
    "reflexive": _has(r"\bse |\bs'(?!il)|\bje (me |m')|\btu (te |t')|\bnous nous |\bvous vous "),
    "preposition of place": _has(r"\b(à|au|aux|dans|sur|sous|devant|derrière|près|loin|chez|en face) "),
    "do-support": _english(r"\b([Dd]o|[Dd]oes|[Dd]id)\b"),
    "a or an": _english(r"\b[Aa]n? \w"),
    "third person -s": _english(r"\b(he|she|it|He|She|It|[A-Z]\w+) (often |always |never |no longer )?\w+s\b"),
    "English plural": _english(r"\b(?:some|the|two|three|these|a lot of|a few) \w+s\b"),
}


@pytest.mark.parametrize("phenomenon", PHENOMENA)
def test_each_phenomenon_is_in_three_sentences_of_a_hundred(phenomenon: str, made: list[StarterPair]) -> None:
    shown = PHENOMENA[phenomenon]
    count = sum(shown(pair.source[0].lower() + pair.source[1:], pair.target) for pair in made)
    assert count / len(made) >= 0.03


ALL_VERBS = [*VERBS, *(verb.fr for verb in INTRANSITIVE)]
FORMS = DESCRIBING | PARTICIPLES | forms("present", ALL_VERBS) | forms("imperfect", ALL_VERBS)


def test_links_are_positions_and_most_words_are_linked(made: list[StarterPair]) -> None:
    linked, tokens = [0, 0], [0, 0]
    for pair in made:
        lengths = len(pair.source.split()), len(pair.target.split())
        for side in (0, 1):
            places = {link[side] for link in pair.links}
            assert places <= set(range(lengths[side]))
            assert len(places) > 0.7 * lengths[side] - 1, pair
            linked[side] += len(places)
            tokens[side] += lengths[side]
    assert linked[0] / tokens[0] > 0.97
    assert linked[1] / tokens[1] > 0.97


def test_nouns_are_linked_to_what_they_mean(made: list[StarterPair]) -> None:
    doubtful = {*FORMS, "marché", "maison"}  # walked; at home
    plain = [noun for noun in NOUNS if " " not in noun.fr + noun.en and noun.fr not in doubtful]
    english = {noun.fr: {noun.en.lower(), noun.en_plural} for noun in plain}
    seen = 0
    for pair in made[:5_000]:
        source = [token.strip(".,").rpartition("'")[2] for token in pair.source.split()]
        target = [token.strip(".,?!").removesuffix("'s").removesuffix("'") for token in pair.target.split()]
        for i, word in enumerate(source):
            if word in english:
                seen += 1
                assert {form.lower() for form in english[word]} & {
                    target[j].lower() for k, j in pair.links if k == i
                }, (pair, word)
    assert seen > 3_000


def test_names_are_linked_to_themselves(made: list[StarterPair]) -> None:
    for pair in made[:3_000]:
        source, target = pair.source.split(), pair.target.split()
        for i, j in pair.links:
            # a question mark by itself leans on the last English word
            if target[j].strip(".,?") == "Sophie" and source[i] not in ("?", "!"):
                assert "Sophie" in source[i]


# --------------------------------------------------------------------------------------------------------- by hand


def test_the_everyday_pairs_are_tidy_and_each_says_something_new() -> None:
    assert len(PAIRS) >= 400
    for side in (0, 1):
        texts = [pair[side] for pair in PAIRS]
        assert len(texts) == len(set(texts))
    for french, english in PAIRS:
        assert re.fullmatch(r"[A-ZÀÉÊÇ].*?(\.| \?| !)", french), french
        assert re.fullmatch(r"[A-Z].*[.?!]", english), english
        assert (french[-1] == "?") == (english[-1] == "?"), french
    assert {("Je vais bien.", "I am fine."), ("Comment allez-vous ?", "How are you?")} <= set(PAIRS)
