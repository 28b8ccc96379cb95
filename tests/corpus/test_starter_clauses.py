"""The starter grammar, clause by clause: tenses, negation, questions, pronouns, orders, and what means what."""

import re
from random import Random
from typing import Any

import pytest

from nmt.corpus.starter import demands, statements
from nmt.corpus.starter.clauses import Clause, Tense, object_clitic, recipient_clitic
from nmt.corpus.starter.collocations import FUTURE_TIMES, OBJECTS, PAST_NEAR, PAST_TIMES, SOON, SPOTS, nouns_named
from nmt.corpus.starter.draw import Draw
from nmt.corpus.starter.grammar import TEMPLATES, Grammar
from nmt.corpus.starter.lexicon_adjectives import DESCRIPTIONS
from nmt.corpus.starter.lexicon_verbs import CHAINS, GIVING, INTRANSITIVE, SOCIAL, TRANSITIVE
from nmt.corpus.starter.nominals import Determiner, Nominal, name, pronoun
from nmt.corpus.starter.realization import order, realize
from nmt.corpus.starter.verbs import Verb
from nmt.corpus.starter.words import alignment, english_tokens, french_tokens
from tests.corpus.starter_phrases import said, things


def verb(french: str) -> Verb:
    return next(verb for verb in (*TRANSITIVE, *GIVING, *INTRANSITIVE) if verb.fr == french)


def chain(french: str) -> Verb:
    return next(verb for verb in CHAINS if verb.fr == french)


def apple(determiner: Determiner = "a") -> Nominal:
    return things("pomme", determiner=determiner)


@pytest.mark.parametrize(
    ("clause", "french", "english"),
    [
        ({}, "Marie mange une pomme", "Marie is eating an apple"),
        ({"habit": True}, "Marie mange une pomme", "Marie eats an apple"),
        ({"tense": "past"}, "Marie a mangé une pomme", "Marie ate an apple"),
        ({"tense": "imperfect"}, "Marie mangeait une pomme", "Marie was eating an apple"),
        ({"tense": "imperfect", "habit": True}, "Marie mangeait une pomme", "Marie used to eat an apple"),
        ({"tense": "future"}, "Marie mangera une pomme", "Marie will eat an apple"),
        ({"tense": "conditional"}, "Marie mangerait une pomme", "Marie would eat an apple"),
        ({"tense": "going"}, "Marie va manger une pomme", "Marie is going to eat an apple"),
        ({"tense": "recent"}, "Marie vient de manger une pomme", "Marie has just eaten an apple"),
        ({"tense": "pluperfect"}, "Marie avait mangé une pomme", "Marie had eaten an apple"),
        ({"negation": "pas"}, "Marie ne mange pas une pomme", "Marie is not eating an apple"),
        ({"negation": "pas", "tense": "past"}, "Marie n'a pas mangé une pomme", "Marie did not eat an apple"),
        ({"negation": "jamais"}, "Marie ne mange jamais une pomme", "Marie never eats an apple"),
        ({"negation": "plus"}, "Marie ne mange plus une pomme", "Marie no longer eats an apple"),
        ({"question": "inversion", "tense": "past"}, "Marie a-t-elle mangé une pomme", "Did Marie eat an apple"),
        ({"question": "est-ce que"}, "Est-ce que Marie mange une pomme", "Is Marie eating an apple"),
        ({"question": "est-ce que", "habit": True}, "Est-ce que Marie mange une pomme", "Does Marie eat an apple"),
        ({"chain": "vouloir"}, "Marie veut manger une pomme", "Marie wants to eat an apple"),
        ({"chain": "pouvoir"}, "Marie peut manger une pomme", "Marie can eat an apple"),
        ({"chain": "pouvoir", "negation": "pas"}, "Marie ne peut pas manger une pomme", "Marie cannot eat an apple"),
        (
            {"chain": "pouvoir", "tense": "future"},
            "Marie pourra manger une pomme",
            "Marie will be able to eat an apple",
        ),
        ({"chain": "devoir", "tense": "conditional"}, "Marie devrait manger une pomme", "Marie should eat an apple"),
        (
            {"chain": "vouloir", "tense": "conditional"},
            "Marie voudrait manger une pomme",
            "Marie would like to eat an apple",
        ),
        ({"chain": "essayer", "tense": "past"}, "Marie a essayé de manger une pomme", "Marie tried to eat an apple"),
    ],
)
def test_tenses_negation_questions_and_modals(clause: dict[str, Any], french: str, english: str) -> None:
    if "chain" in clause:
        clause = {**clause, "chain": chain(clause["chain"])}
    words = realize(Clause(name("Marie", True), verb("manger"), object=apple(), **clause))
    assert [" ".join(side.texts) for side in (french_tokens(words.fr), english_tokens(words.en))] == [french, english]


def test_nothing_stands_before_the_participle_and_the_infinitive() -> None:
    eaten = Clause(pronoun("il"), verb("manger"), "past", negation="rien")
    assert said(realize(eaten)) == ("il n'a rien mangé", "he did not eat anything")
    wanted = Clause(pronoun("il"), verb("manger"), chain=chain("vouloir"), negation="rien")
    assert said(realize(wanted)) == ("il ne veut rien manger", "he does not want to eat anything")


def test_participles_agree_with_the_subject_of_etre_and_the_object_before_avoir() -> None:
    stayed = Clause(pronoun("elles"), verb("rester"), "past")
    assert said(realize(stayed))[0] == "elles sont restées"
    washed = Clause(name("Julie", True), verb("promener"), "past")
    assert said(realize(washed)) == ("julie s'est promenée", "julie went for a walk")
    plates = things("assiette", determiner="the", plural=True)
    broken = Clause(pronoun("je"), verb("casser"), "past", clitics=(object_clitic(plates),))
    assert said(realize(broken)) == ("je les ai cassées", "i broke them")
    asked = Clause(pronoun("tu"), verb("casser"), "past", preceding=plates, question="inversion")
    assert said(realize(asked))[0] == "as-tu cassées"


def test_clitics_keep_their_order() -> None:
    book, paul = things("livre", determiner="the"), name("Paul", False)
    given = Clause(pronoun("je"), verb("donner"), "future", clitics=(recipient_clitic(paul), object_clitic(book)))
    assert said(realize(given)) == ("je le lui donnerai", "i will give it to him")
    to_you = Clause(
        paul, verb("donner"), clitics=(object_clitic(book), recipient_clitic(pronoun("tu"))), negation="pas"
    )
    assert said(realize(to_you)) == ("paul ne te le donne pas", "paul is not giving it to you")
    wanted = Clause(pronoun("elle"), verb("donner"), chain=chain("vouloir"), clitics=given.clitics)
    assert said(realize(wanted)) == ("elle veut le lui donner", "she wants to give it to him")


def test_an_order_puts_its_pronouns_behind_the_verb_and_a_prohibition_before_it() -> None:
    keys = things("clé", determiner="the", plural=True)
    clitics = (recipient_clitic(pronoun("je")), object_clitic(keys))
    give = Clause(pronoun("vous"), verb("donner"), clitics=clitics)
    assert said(order(give)) == ("donnez-les-moi", "give them to me")
    keep = Clause(pronoun("tu"), verb("donner"), clitics=clitics, negation="pas")
    assert said(order(keep)) == ("ne me les donne pas", "do not give them to me")


def test_a_pronoun_goes_inside_a_separable_verb_and_a_noun_behind_it() -> None:
    coat = things("manteau", determiner="this")
    put = Clause(pronoun("il"), verb("mettre"), "past", object=coat)
    assert said(realize(put)) == ("il a mis ce manteau", "he put on this coat")
    put_it = Clause(pronoun("il"), verb("mettre"), "past", clitics=(object_clitic(coat),))
    assert said(realize(put_it)) == ("il l'a mis", "he put it on")


@pytest.mark.parametrize(("person", "expected"), [("il", "mange-t-il"), ("vous", "mangez-vous"), ("on", "mange-t-on")])
def test_inversion_links_with_a_t(person: str, expected: str) -> None:
    asked = Clause(pronoun(person), verb("manger"), question="inversion")
    assert said(realize(asked))[0] == expected


def test_gold_links_survive_elision_and_order() -> None:
    clause = Clause(name("Marie", True), verb("acheter"), "past", negation="pas")
    clause.object = things("voiture", determiner="the", adjectives=[a for a in DESCRIPTIONS if a.fr == "rouge"])
    words = realize(clause)
    source, target = french_tokens(words.fr), english_tokens(words.en)
    assert source.texts == ["Marie", "n'a", "pas", "acheté", "la", "voiture", "rouge"]
    assert target.texts == ["Marie", "did", "not", "buy", "the", "red", "car"]
    links = {(0, 0), (1, 1), (1, 2), (2, 2), (3, 3), (4, 4), (5, 6), (6, 5)}
    assert set(alignment(source, target)) == links


def test_every_template_makes_sentences_with_links_on_both_sides() -> None:
    grammar = Grammar(seed=9)
    for _, template in TEMPLATES:
        for _ in range(100):
            sentence = grammar.say(template)
            assert sentence.links, template.__name__


# ------------------------------------------------------------------------------------------------------------ sense


def test_each_verb_says_where_its_objects_and_its_places_are() -> None:
    for table in (TRANSITIVE, GIVING, SOCIAL, INTRANSITIVE):
        for each in table:
            assert each.where in SPOTS, each.fr
            assert OBJECTS.get(each, ("none",)), each.fr


def test_what_is_over_in_a_day_has_no_wide_time_and_what_is_slow_no_near_one() -> None:
    draw = Draw(Random(1))
    closed, built, saw = (Clause(pronoun("il"), verb(v), "past") for v in ("fermer", "construire", "voir"))
    times = {deed.verb.fr: {draw.when(PAST_TIMES, deed) for _ in range(300)} for deed in (closed, built, saw)}
    assert times["fermer"] == set(PAST_NEAR)
    assert times["construire"] == set(PAST_TIMES) - set(PAST_NEAR)
    assert times["voir"] == set(PAST_TIMES)


def test_what_is_not_done_or_asked_is_not_soon() -> None:
    draw = Draw(Random(2))
    for how in ({"negation": "pas"}, {"question": "inversion"}):
        clause = Clause(pronoun("il"), verb("voir"), "future", **how)  # type: ignore[arg-type]
        assert SOON not in {draw.when(FUTURE_TIMES, clause) for _ in range(300)}


def verbs_drawn(tense: Tense, habit: bool = False) -> set[Verb]:
    draw = Draw(Random(3))
    found = set()
    for _ in range(2_000):
        draw.begin()
        found.add(draw.acts(pronoun("il"), tense, habit).verb)
    return found


@pytest.mark.parametrize("tense", ["future", "going", "conditional", "must"])
def test_nobody_means_to_lose_a_key(tense: Tense) -> None:
    verbs = verbs_drawn(tense)
    assert len(verbs) > 50
    assert not any(each.unmeant for each in verbs)


def test_nobody_is_going_on_doing_what_is_over_at_once() -> None:
    assert not any(each.instant or each.state for each in verbs_drawn("present"))
    assert not any(each.seldom for each in verbs_drawn("present", habit=True))


def test_nobody_interrupts_oneself() -> None:
    grammar = Grammar(seed=10)
    said_so = [grammar.say(statements.interrupted).fr for _ in range(1_000)]
    assert not any(re.match(r"(Nous|On|Je|J') ?.*quand nous", text) for text in said_so)
    assert not any(re.match(r"(Vous|Tu) .*quand vous", text) for text in said_so)
    assert any("quand nous" in text for text in said_so)


def test_a_person_comes_once_and_nobody_shares_a_husband_or_a_tie() -> None:
    draw = Draw(Random(5))
    owners = {draw.person(nouns_named("mari")[0]).fr[0].text for _ in range(100)}
    assert owners <= {"mon", "ton", "votre"}
    for _ in range(300):
        draw.begin()
        people = [draw.name().fr[0].text for _ in range(4)]
        assert len(set(people)) == 4
    ties = {draw.thing(nouns_named("cravate")[0], owner=pronoun("nous"), adjectives=0).fr[0].text for _ in range(300)}
    assert "nos" in ties
    assert "notre" not in ties


def test_what_must_not_be_is_denied_of_the_need() -> None:
    grammar = Grammar(seed=11)
    denied = [s for s in (grammar.say(demands.must) for _ in range(300)) if " must not " in s.en]
    assert denied
    assert all(s.fr.startswith("Il ne faut pas qu") or ", il ne faut pas qu" in s.fr for s in denied)


def test_a_verb_with_a_preposition_keeps_it_under_negation() -> None:
    dreams = next(v for v in TRANSITIVE if v.fr == "rêver")
    draw = Draw(Random(6))
    for _ in range(200):
        clause = Clause(pronoun("il"), dreams, negation="plus")
        clause.object = draw.object_of(dreams, clause)
        assert "de de" not in said(realize(clause))[0]


def test_gold_links_tell_the_governing_verb_from_the_governed_one() -> None:
    words = realize(Clause(name("Marie", True), verb("manger"), object=apple(), chain=chain("vouloir")))
    source, target = french_tokens(words.fr), english_tokens(words.en)
    assert source.texts == ["Marie", "veut", "manger", "une", "pomme"]
    assert target.texts == ["Marie", "wants", "to", "eat", "an", "apple"]
    assert set(alignment(source, target)) == {(0, 0), (1, 1), (1, 2), (2, 3), (3, 4), (4, 5)}
