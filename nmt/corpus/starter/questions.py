"""Templates: questions, with est-ce que, by inversion, and with a question word."""

from nmt.corpus.starter.clauses import Clause, Question, Tense
from nmt.corpus.starter.draw import FUTURE_DAYS, HABIT_TIMES, NOW_TIMES, OBJECTS, PAST_DAYS, Draw
from nmt.corpus.starter.french import agree
from nmt.corpus.starter.lexicon_verbs import ROUTINE, SOCIAL
from nmt.corpus.starter.nominals import Nominal, noun_phrase, pronoun
from nmt.corpus.starter.pronouns import DIRECT
from nmt.corpus.starter.realization import realize
from nmt.corpus.starter.statements import ASK, EMPTY_HANDED, LATER
from nmt.corpus.starter.verbs import Verb, named
from nmt.corpus.starter.words import Phrase, Word, new_key, phrase

ASKED = ("tu", "tu", "vous", "vous", "il", "elle", "ils", "name", "someone")
WHERE, WHEN, WHY = phrase("où", "where"), phrase("quand", "when"), phrase("pourquoi", "why")
WHAT, WHOM = phrase("que", "what"), phrase("qui", "who")
WHAT_TIME = phrase("à quelle/1 heure/2", "what/1 time/2")
WHEN_ASKED: tuple[tuple[Tense, tuple[Phrase, ...]], ...] = (*LATER, ("present", NOW_TIMES))
# Where one got or did a thing is worth asking.
FINDABLE = named("acheter trouver perdre cacher louer apprendre choisir manger voir entendre", DIRECT)


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
    return realize(draw.placed(clause, 0.3)) + draw.one(times) + ASK


def yes_or_no_usually(draw: Draw) -> Phrase:
    """Est-ce que vous buvez du thé tous les jours ? / Do you drink tea every day?"""
    clause = draw.acts(subject_asked(draw), "present", habit=True)
    clause.question = form_of(draw, clause.subject)
    return realize(clause) + draw.one(HABIT_TIMES) + ASK


def where_or_when(draw: Draw) -> Phrase:
    """Où avez-vous acheté cette robe ? / Where did you buy this dress?"""
    tense, times = draw.one(LATER)
    if draw.chance(0.5):
        verb = draw.one(FINDABLE)
        clause = Clause(subject_asked(draw), verb, tense, asked=WHERE)
        clause.object = draw.object_of(verb, clause)
        clause.tail = draw.one(times) if draw.chance(0.5) else clause.tail
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
    time = draw.one(times) if draw.chance(0.5) else Phrase()
    return realize(draw.placed(clause, 0.3)) + time + ASK


def what(draw: Draw) -> Phrase:
    """Qu'avez-vous mangé au restaurant ? Qu'est-ce que vous ... / What did you eat at the restaurant?"""
    tense, times = draw.one(LATER)
    verb = draw.one(EMPTY_HANDED)
    clause = Clause(subject_asked(draw), verb, tense, asked=WHAT)
    clause.question = "inversion" if clause.subject.pronoun and draw.chance(0.55) else "est-ce que"
    time = draw.one(times) if draw.chance(0.7) else Phrase()
    return realize(draw.placed(clause, 0.5)) + time + ASK


def whom(draw: Draw) -> Phrase:
    """Qui avez-vous invité hier ? / Who did you invite yesterday?"""
    tense, times = draw.one(LATER)
    verb = draw.one(WHOM_VERBS)
    clause = Clause(subject_asked(draw), verb, tense, asked=WHOM)
    clause.question = "inversion" if clause.subject.pronoun and draw.chance(0.55) else "est-ce que"
    return realize(draw.placed(clause, 0.4)) + draw.one(times) + ASK


WHOM_VERBS = tuple(verb for verb in SOCIAL if not verb.fr_preposition and verb.fr not in ("chercher", "embrasser"))


def who(draw: Draw) -> Phrase:
    """Qui a ouvert la porte ce matin ? / Who opened the door this morning?"""
    key = (new_key(),)
    subject = Nominal((Word("qui", key),), (Word("who", key),), 2, 2, False, False, pronoun=True)
    tense, times = draw.one(WHEN_ASKED)
    clause = draw.acts(subject, tense)
    return realize(draw.placed(clause, 0.3)) + draw.one(times) + ASK


def which(draw: Draw) -> Phrase:
    """Quels livres as-tu lus ? / Which books did you read?"""
    verb = draw.one(DIRECT)
    noun = draw.one(OBJECTS[verb])
    draw.pairs.append((verb.fr, noun.fr))
    plural = "many" in noun.tags and not verb.singular_objects and draw.chance(0.4)
    thing = noun_phrase(noun, "kind", plural)
    key = (new_key(),)
    thing.fr = (Word(agree("quel", "quelle", thing.feminine, plural), key), *thing.fr[1:])
    thing.en = (Word("which", key), *thing.en)
    return asked_about(draw, thing, verb)


def how_many(draw: Draw) -> Phrase:
    """Combien de pommes avez-vous mangées ? / How many apples did you eat?"""
    verb, noun = draw.one(MANY)
    draw.pairs.append((verb.fr, noun.fr))
    countable = "mass" not in noun.tags
    thing = noun_phrase(noun, "kind", countable)
    key, of = (new_key(),), (new_key(),)
    thing.fr = (Word("combien", key), Word("de", of), *thing.fr[1:])
    thing.en = (Word("how", key), Word("many" if countable else "much", key), *thing.en)
    return asked_about(draw, thing, verb)


MANY = tuple(
    (verb, noun)
    for verb in EMPTY_HANDED
    for noun in OBJECTS[verb]
    if noun.tags & {"many", "paired", "mass"} and "place" not in noun.tags
)


def asked_about(draw: Draw, thing: Nominal, verb: Verb) -> Phrase:
    """The thing in front, then the question; a participle agrees with the thing."""
    tense, times = draw.one(LATER)
    clause = Clause(subject_asked(draw), verb, tense, asked=thing.phrase, preceding=thing)
    clause.question = form_of(draw, clause.subject)
    time = draw.one(times) if draw.chance(0.6) else Phrase()
    return realize(draw.placed(clause, 0.4)) + time + ASK


ON_DAYS: tuple[tuple[Tense, tuple[Phrase, ...]], ...] = (
    ("past", PAST_DAYS),
    ("future", FUTURE_DAYS),
    ("present", HABIT_TIMES[:9]),
)


def what_time(draw: Draw) -> Phrase:
    """À quelle heure est-ce que ta sœur se lève le dimanche ? / What time does your sister get up on Sundays?"""
    tense, times = draw.one(ON_DAYS)
    clause = Clause(subject_asked(draw), draw.one(ROUTINE), tense, habit=tense == "present", asked=WHAT_TIME)
    clause.question = form_of(draw, clause.subject)
    return realize(clause) + draw.one(times) + ASK
