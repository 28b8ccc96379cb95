"""Templates: questions, with est-ce que, by inversion, and with a question word."""

from nmt.corpus.starter.clauses import Clause, Question, Tense
from nmt.corpus.starter.collocations import (
    DIRECT,
    FUTURE_DAYS,
    HABIT_TIMES,
    NOW_TIMES,
    OBJECTS,
    PAST_DAYS,
    WEEKDAYS,
    Times,
)
from nmt.corpus.starter.draw import Draw
from nmt.corpus.starter.french import agree
from nmt.corpus.starter.lexicon_verbs import ROUTINE, SOCIAL
from nmt.corpus.starter.nominals import Nominal, noun_phrase, pronoun
from nmt.corpus.starter.realization import realize
from nmt.corpus.starter.statements import ASK, LATER, NOT_DONE
from nmt.corpus.starter.verbs import Verb, named, others
from nmt.corpus.starter.words import Phrase, Word, new_key, phrase

ASKED = ("tu", "tu", "vous", "vous", "il", "elle", "ils", "name", "someone")
WHERE, WHEN, WHY = phrase("où", "where"), phrase("quand", "when"), phrase("pourquoi", "why")
WHAT, WHOM = phrase("que", "what"), phrase("qui", "who")
WHAT_TIME = phrase("à quelle/1 heure/2", "what/1 time/2")
WHEN_ASKED: tuple[tuple[Tense, Times], ...] = (*LATER, ("present", NOW_TIMES))
# Where one got or did a thing is worth asking.
FINDABLE = named("acheter trouver cacher louer apprendre lire voir planter réparer", DIRECT)


def subject_asked(draw: Draw) -> Nominal:
    """Whom one asks about: hardly ever oneself."""
    kind = draw.one(ASKED)
    if kind == "name":
        return draw.name()
    return draw.someone() if kind == "someone" else pronoun(kind)


def form_of(draw: Draw, subject: Nominal) -> Question:
    """Inversion where it sounds well, that is, after pronouns and names; est-ce que anywhere."""
    light = subject.pronoun or subject.noun is None
    return "inversion" if light and draw.chance(0.55) else "est-ce que"


def yes_or_no(draw: Draw) -> Phrase:
    """Avez-vous lu ce roman ? Est-ce que Paul a lu ce roman ? / Did you read this novel? Did Paul read this novel?"""
    tense, times = draw.one(WHEN_ASKED)
    clause = draw.acts(subject_asked(draw), tense)
    clause.question = form_of(draw, clause.subject)
    return realize(draw.placed(clause, 0.3)) + draw.when(times, clause) + ASK


def yes_or_no_usually(draw: Draw) -> Phrase:
    """Est-ce que vous buvez du thé tous les jours ? / Do you drink tea every day?"""
    clause = draw.acts(subject_asked(draw), "present", habit=True)
    clause.question = form_of(draw, clause.subject)
    return realize(clause) + draw.when(HABIT_TIMES, clause) + ASK


def where_or_when(draw: Draw) -> Phrase:
    """Où avez-vous acheté cette robe ? / Where did you buy this dress?"""
    tense, times = draw.one(LATER)
    if draw.chance(0.5):
        verb = draw.one(FINDABLE)
        clause = Clause(subject_asked(draw), verb, tense, asked=WHERE)
        noun = draw.one(OBJECTS[verb])
        draw.pairs.append((verb.fr, noun.fr))
        clause.object = draw.thing(noun, definite=True, singular=verb.singular_objects, verb=verb.fr)
        clause.tail = draw.when(times, clause) if draw.chance(0.5) else clause.tail
    else:
        clause = draw.acts(subject_asked(draw), tense)
        clause.asked = WHEN
    clause.question = form_of(draw, clause.subject)
    return realize(clause) + ASK


def why(draw: Draw) -> Phrase:
    """Pourquoi est-ce que Julie n'a pas fini son repas ? / Why did Julie not finish her meal?"""
    tense, times = draw.one(WHEN_ASKED)
    clause = draw.acts(subject_asked(draw), tense, negation="pas" if draw.chance(0.35) else "")
    clause.asked = WHY
    clause.question = form_of(draw, clause.subject)
    return ask(draw, clause, times, 0.5)


def ask(draw: Draw, clause: Clause, times: Times, probability: float) -> Phrase:
    """The question with a place, a time, both or neither."""
    asked = realize(draw.placed(clause, 0.4))
    return asked + (draw.when(times, clause) if draw.chance(probability) else Phrase()) + ASK


def what(draw: Draw) -> Phrase:
    """Qu'avez-vous mangé au restaurant ? Qu'est-ce que vous ... / What did you eat at the restaurant?"""
    tense, times = draw.one(LATER)
    clause = Clause(subject_asked(draw), draw.one(NOT_DONE[tense]), tense, asked=WHAT)
    clause.question = form_of_light(draw, clause.subject)
    return ask(draw, clause, times, 0.7)


def form_of_light(draw: Draw, subject: Nominal) -> Question:
    """What and whom ask by inversion before a pronoun only: que mange-t-il, but qu'est-ce que Paul mange."""
    return "inversion" if subject.pronoun and draw.chance(0.55) else "est-ce que"


def whom(draw: Draw) -> Phrase:
    """Qui avez-vous invité hier ? / Who did you invite yesterday?"""
    tense, times = draw.one(LATER)
    clause = Clause(subject_asked(draw), draw.one(WHOM_VERBS), tense, asked=WHOM)
    clause.question = form_of_light(draw, clause.subject)
    return ask(draw, clause, times, 1.0)


WHOM_VERBS = named("rencontrer inviter appeler aider remercier attendre voir consoler encourager", SOCIAL)


def who(draw: Draw) -> Phrase:
    """Qui a ouvert la porte ce matin ? / Who opened the door this morning?"""
    key = (new_key(),)
    subject = Nominal((Word("qui", key),), (Word("who", key),), 2, 2, False, False, pronoun=True)
    tense, times = draw.one(WHEN_ASKED)
    return ask(draw, draw.acts(subject, tense), times, 1.0)


def which(draw: Draw) -> Phrase:
    """Quels livres as-tu lus ? / Which books did you read?"""
    tense, times = draw.one(LATER)
    verb = draw.one(CHOSEN[tense])
    noun = draw.one(OBJECTS[verb])
    draw.pairs.append((verb.fr, noun.fr))
    plural = not verb.singular_objects and draw.several(noun, 0.4)
    thing = noun_phrase(noun, "kind", plural)
    key = (new_key(),)
    thing.fr = (Word(agree("quel", "quelle", thing.feminine, plural), key), *thing.fr[1:])
    thing.en = (Word("which", key), *thing.en)
    return asked_about(draw, thing, verb, tense, times)


# One asks which thing it is of what one has a choice of.
WHICH_VERBS = named(
    "manger boire goûter préparer commander couper acheter vendre porter mettre essayer laver nettoyer réparer casser "
    "ouvrir lire écrire perdre trouver chercher regarder écouter conduire prendre choisir utiliser louer visiter "
    "dessiner peindre planter apprendre traduire corriger chanter recevoir signer traverser quitter terminer annuler "
    "oublier imprimer jeter voir refuser",
    DIRECT,
)
CHOSEN: dict[Tense, tuple[Verb, ...]] = {
    "past": WHICH_VERBS,
    "future": tuple(verb for verb in WHICH_VERBS if not verb.unmeant),
}


def how_many(draw: Draw) -> Phrase:
    """Combien de pommes avez-vous mangées ? / How many apples did you eat?"""
    tense, times = draw.one(LATER)
    verb, noun = draw.one(MANY[tense])
    draw.pairs.append((verb.fr, noun.fr))
    countable = "mass" not in noun.tags
    thing = noun_phrase(noun, "kind", countable)
    key, of = (new_key(),), (new_key(),)
    thing.fr = (Word("combien", key), Word("de", of), *thing.fr[1:])
    thing.en = (Word("how", key), Word("many" if countable else "much", key), *thing.en)
    return asked_about(draw, thing, verb, tense, times)


MANY = {
    tense: tuple(
        (verb, noun)
        for verb in others("entendre comprendre expliquer oublier trouver cacher", NOT_DONE[tense])
        for noun in OBJECTS[verb]
        if noun.tags & {"many", "paired", "mass"} and "place" not in noun.tags
    )
    for tense, _ in LATER
}


def asked_about(draw: Draw, thing: Nominal, verb: Verb, tense: Tense, times: Times) -> Phrase:
    """The thing in front, then the question; a participle agrees with the thing."""
    clause = Clause(subject_asked(draw), verb, tense, asked=thing.phrase, preceding=thing)
    clause.question = form_of(draw, clause.subject)
    return ask(draw, clause, times, 0.6)


ON_DAYS: tuple[tuple[Tense, Times], ...] = (
    ("past", PAST_DAYS),
    ("future", FUTURE_DAYS),
    ("present", WEEKDAYS),
)


def what_time(draw: Draw) -> Phrase:
    """À quelle heure est-ce que ta sœur se lève le dimanche ? / What time does your sister get up on Sundays?"""
    tense, times = draw.one(ON_DAYS)
    clause = Clause(subject_asked(draw), draw.one(ROUTINE), tense, habit=tense == "present", asked=WHAT_TIME)
    clause.question = form_of(draw, clause.subject)
    return realize(clause) + draw.one(times) + ASK
