"""The starter grammar, word by word: articles, elision, contraction, agreement, and the forms of verbs."""

from typing import Any

import pytest

from nmt.corpus.starter import english as en
from nmt.corpus.starter import french as fr
from nmt.corpus.starter.lexicon_adjectives import DESCRIPTIONS, FEELINGS, Adjective
from nmt.corpus.starter.nominals import Nominal, name, pronoun, with_possessor
from nmt.corpus.starter.words import Word, french_tokens
from tests.corpus.starter_phrases import said, things


def adjective(french: str) -> Adjective:
    return next(adjective for adjective in (*DESCRIPTIONS, *FEELINGS) if adjective.fr == french)


# ----------------------------------------------------------------------------------------------- words in company


@pytest.mark.parametrize(
    ("french", "how", "expected"),
    [
        ("eau", {"determiner": "the"}, ("l'eau", "the water")),
        ("hôpital", {"determiner": "the"}, ("l'hôpital", "the hospital")),
        ("haricot", {"determiner": "the"}, ("le haricot", "the bean")),
        ("hache", {"determiner": "the"}, ("la hache", "the axe")),
        ("héros", {"determiner": "this"}, ("ce héros", "this hero")),
        ("hôtel", {"determiner": "this"}, ("cet hôtel", "this hotel")),
        ("île", {"determiner": "this"}, ("cette île", "this island")),
        ("pain", {"determiner": "some"}, ("du pain", "some bread")),
        ("viande", {"determiner": "some"}, ("de la viande", "some meat")),
        ("huile", {"determiner": "some"}, ("de l'huile", "some oil")),
        ("pain", {"determiner": "some", "bare": True}, ("du pain", "bread")),
        ("pain", {"determiner": "none"}, ("de pain", "any bread")),
        ("orange", {"determiner": "none"}, ("d'orange", "an orange")),
        ("orange", {"determiner": "a", "plural": True}, ("des oranges", "some oranges")),
        ("uniforme", {"determiner": "a"}, ("un uniforme", "a uniform")),
        ("parapluie", {"determiner": "a"}, ("un parapluie", "an umbrella")),
        ("université", {"determiner": "a"}, ("une université", "a university")),
        ("œuf", {"determiner": "a"}, ("un œuf", "an egg")),
        ("cheval", {"determiner": "number", "number": 3}, ("trois chevaux", "three horses")),
        ("couteau", {"determiner": "few"}, ("quelques couteaux", "a few knives")),
        ("eau", {"determiner": "many"}, ("beaucoup d'eau", "a lot of water")),
        ("pain", {"determiner": "kind"}, ("le pain", "bread")),
    ],
)
def test_determiners_agree_and_elide(french: str, how: dict[str, Any], expected: tuple[str, str]) -> None:
    assert said(things(french, **how).phrase) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("à le marché", "au marché"),
        ("à les enfants", "aux enfants"),
        ("de le train", "du train"),
        ("de les rues", "des rues"),
        ("à le hôpital", "à l'hôpital"),
        ("de le hibou", "du hibou"),
        ("de la école", "de l'école"),
    ],
)
def test_articles_contract_unless_they_elide(words: str, expected: str) -> None:
    said_words = [Word(w, (), w in ("le", "les", "la")) for w in words.split()]
    assert " ".join(french_tokens(said_words).texts).lower() == expected


def test_a_pronoun_does_not_contract() -> None:
    words = [Word("de"), Word("le"), Word("voir")]
    assert french_tokens(words).texts == ["De", "le", "voir"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("si il pleut", "S'il pleut"),
        ("si elle dort", "Si elle dort"),
        ("je y habite", "J'y habite"),
        ("que on ne oublie", "Qu'on n'oublie"),
        ("je le ai", "Je l'ai"),
        ("parce que Alice arrive", "Parce qu'Alice arrive"),
    ],
)
def test_elision_between_any_words(words: str, expected: str) -> None:
    assert " ".join(french_tokens([Word(word) for word in words.split()]).texts) == expected


@pytest.mark.parametrize(
    ("french", "adjectives", "how", "expected"),
    [
        ("voiture", ["petit", "rouge"], {"determiner": "a"}, ("une petite voiture rouge", "a small red car")),
        ("arbre", ["beau"], {"determiner": "this"}, ("ce bel arbre", "this beautiful tree")),
        ("hôtel", ["nouveau"], {"determiner": "the"}, ("le nouvel hôtel", "the new hotel")),
        ("ami", ["vieux"], {"determiner": "this"}, ("ce vieil ami", "this old friend")),
        ("hibou", ["vieux"], {"determiner": "a"}, ("un vieux hibou", "an old owl")),
        ("robe", ["blanc"], {"determiner": "a", "plural": True}, ("des robes blanches", "some white dresses")),
        ("maison", ["beau"], {"determiner": "a", "plural": True}, ("de belles maisons", "some beautiful houses")),
        ("soupe", ["bon"], {"determiner": "some"}, ("de la bonne soupe", "some good soup")),
        ("histoire", ["intéressant"], {"determiner": "a"}, ("une histoire intéressante", "an interesting story")),
    ],
)
def test_adjectives_agree_and_stand_in_their_place(
    french: str, adjectives: list[str], how: dict[str, Any], expected: tuple[str, str]
) -> None:
    assert said(things(french, adjectives=[adjective(a) for a in adjectives], **how).phrase) == expected


@pytest.mark.parametrize(
    ("owner", "french", "expected"),
    [
        (pronoun("je"), "échelle", ("mon échelle", "my ladder")),
        (pronoun("je"), "clé", ("ma clé", "my key")),
        (pronoun("il"), "clé", ("sa clé", "his key")),
        (pronoun("elle"), "clé", ("sa clé", "her key")),
        (pronoun("elle"), "sac", ("son sac", "her bag")),
        (name("Paul", False), "voiture", ("sa voiture", "his car")),
        (pronoun("ils"), "voiture", ("leur voiture", "their car")),
        (pronoun("vous"), "vélo", ("votre vélo", "your bicycle")),
    ],
)
def test_possessives_know_the_owner(owner: Nominal, french: str, expected: tuple[str, str]) -> None:
    assert said(things(french, determiner="own", owner=owner).phrase) == expected


def test_a_possessor_stands_after_in_french_and_before_in_english() -> None:
    owned = with_possessor(things("voiture", determiner="the"), name("Alice", True))
    assert said(owned.phrase) == ("la voiture d'Alice", "alice's car")


# ------------------------------------------------------------------------------------------------------ forms of words


@pytest.mark.parametrize(
    ("infinitive", "tense", "forms"),
    [
        ("manger", "present", "mange manges mange mangeons mangez mangent"),
        ("manger", "imperfect", "mangeais mangeais mangeait mangions mangiez mangeaient"),
        ("commencer", "imperfect", "commençais commençais commençait commencions commenciez commençaient"),
        ("acheter", "future", "achèterai achèteras achètera achèterons achèterez achèteront"),
        ("appeler", "present", "appelle appelles appelle appelons appelez appellent"),
        ("jeter", "future", "jetterai jetteras jettera jetterons jetterez jetteront"),
        ("préférer", "present", "préfère préfères préfère préférons préférez préfèrent"),
        ("préférer", "future", "préférerai préféreras préférera préférerons préférerez préféreront"),
        ("protéger", "imperfect", "protégeais protégeais protégeait protégions protégiez protégeaient"),
        ("nettoyer", "present", "nettoie nettoies nettoie nettoyons nettoyez nettoient"),
        ("envoyer", "future", "enverrai enverras enverra enverrons enverrez enverront"),
        ("choisir", "present", "choisis choisis choisit choisissons choisissez choisissent"),
        ("attendre", "present", "attends attends attend attendons attendez attendent"),
        ("être", "imperfect", "étais étais était étions étiez étaient"),
        ("faire", "conditional", "ferais ferais ferait ferions feriez feraient"),
        ("apprendre", "present", "apprends apprends apprend apprenons apprenez apprennent"),
        ("écrire", "present", "écris écris écrit écrivons écrivez écrivent"),
        ("décrire", "imperfect", "décrivais décrivais décrivait décrivions décriviez décrivaient"),
        ("voir", "future", "verrai verras verra verrons verrez verront"),
        ("traduire", "present", "traduis traduis traduit traduisons traduisez traduisent"),
        ("revenir", "future", "reviendrai reviendras reviendra reviendrons reviendrez reviendront"),
    ],
)
def test_french_conjugation(infinitive: str, tense: fr.SimpleTense, forms: str) -> None:
    assert [fr.conjugate(infinitive, tense, person) for person in range(6)] == forms.split()


def test_other_french_forms() -> None:
    assert [fr.imperative("manger", 1), fr.imperative("ouvrir", 1), fr.imperative("finir", 1)] == [
        "mange",
        "ouvre",
        "finis",
    ]
    assert [fr.gerund("manger"), fr.gerund("être"), fr.gerund("choisir")] == ["mangeant", "étant", "choisissant"]
    assert [fr.subjunctive("prendre", 2), fr.subjunctive("finir", 1), fr.subjunctive("aller", 3)] == [
        "prenne",
        "finisses",
        "allions",
    ]
    assert [fr.conjugation(v).participle for v in ("ouvrir", "lire", "vendre", "finir")] == [
        "ouvert",
        "lu",
        "vendu",
        "fini",
    ]
    assert [fr.french_plural(w) for w in ("journal", "gâteau", "jeu", "souris")] == [
        "journaux",
        "gâteaux",
        "jeux",
        "souris",
    ]


def test_english_forms() -> None:
    assert [en.third_person(v) for v in ("watch", "carry", "play", "go", "have")] == [
        "watches",
        "carries",
        "plays",
        "goes",
        "has",
    ]
    assert [en.ing(v) for v in ("write", "run", "see", "be", "forget")] == [
        "writing",
        "running",
        "seeing",
        "being",
        "forgetting",
    ]
    assert [en.past(v) for v in ("stop", "cry", "buy", "prefer")] == ["stopped", "cried", "bought", "preferred"]
    assert [en.english_plural(w) for w in ("box", "city", "key", "church")] == ["boxes", "cities", "keys", "churches"]
    assert en.comparative("big") == ("bigger", "biggest")
    assert en.comparative("heavy") == ("heavier", "heaviest")
    assert en.comparative("good") == ("better", "best")
    assert en.comparative("expensive") is None
