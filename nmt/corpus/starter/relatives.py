"""Templates with relative clauses: qui, que, où, dont."""

from dataclasses import replace

from nmt.corpus.starter.clauses import Clause, Tense
from nmt.corpus.starter.collocations import (
    ADJECTIVES,
    DIRECT,
    FREQUENCIES,
    FUTURE_NEAR,
    NOW_TIMES,
    OBJECTS,
    PAST_NEAR,
    PUBLIC,
    Times,
    nouns_with,
)
from nmt.corpus.starter.draw import Draw
from nmt.corpus.starter.lexicon_adjectives import FEELINGS
from nmt.corpus.starter.lexicon_verbs import BE, KNOWING, TRANSITIVE
from nmt.corpus.starter.nominals import Nominal, agreeing, noun_phrase, pronoun
from nmt.corpus.starter.pronouns import DONE_THERE, LIVELY, OF_IT, OF_THINGS
from nmt.corpus.starter.realization import realize
from nmt.corpus.starter.statements import LATER, STOP
from nmt.corpus.starter.verbs import named, others
from nmt.corpus.starter.words import Phrase, phrase

WHO, THAT, WHERE = phrase("qui", "who"), phrase("que", "that"), phrase("où", "where")
TIMED: tuple[tuple[Tense, Times], ...] = (*LATER, ("present", NOW_TIMES))


def _silent(of: Nominal) -> Nominal:
    """A subject that agrees but is not said: "qui" stands for it."""
    return replace(of, fr=(), en=())


def who_does(draw: Draw) -> Phrase:
    """La femme qui lit le journal est médecin. / The woman who is reading the newspaper is a doctor."""
    noun = draw.one(PUBLIC)
    person = noun_phrase(noun, "the", draw.chance(0.25), draw.adjectives(noun, 0.1))
    tense: Tense = draw.one(("present", "past", "past"))
    clause = draw.placed(draw.acts(_silent(person), tense), 0.3)
    main = Clause(_silent(person), BE)
    dice = draw.rng.random()
    if noun.fr in ("homme", "femme", "dame", "garçon") and not person.plural and dice < 0.5:
        main.tail = draw.one(TRADES)
    elif dice < 0.7 and not person.feminine and noun.fr not in ("enfant", "garçon", "élève"):
        owner = pronoun(draw.one(("je", "tu", "vous")))
        main.tail = noun_phrase(draw.one(KIN), "own", person.plural, owner=owner).phrase
    else:
        main.tail = agreeing(draw.one(FEELINGS), person)
    return person.phrase + WHO + realize(clause) + realize(main) + STOP


# Said of a man or a woman alike; French has no article here.
TRADES = tuple(
    phrase(f"{french}/1", f"a/1 {english}/1")
    for french, english in (("médecin", "doctor"), ("professeur", "teacher"), ("ingénieur", "engineer"),
                            ("dentiste", "dentist"), ("journaliste", "journalist"), ("pilote", "pilot"))
)  # fmt: skip
KIN = nouns_with("voisin", "ami", "cousin", "collègue")


def knows_who(draw: Draw) -> Phrase:
    """Je connais le peintre qui a vendu ce tableau. / I know the painter who sold this painting."""
    noun = draw.one(PUBLIC)
    person = noun_phrase(noun, "the", draw.chance(0.25), draw.adjectives(noun, 0.15))
    tense, _ = draw.one(TIMED)
    clause = draw.placed(draw.acts(_silent(person), tense), 0.3)
    know = Clause(draw.subject(), draw.one(KNOWING), object=person)
    if draw.chance(0.3):
        know.negation = "pas"
    draw.pairs.append((know.verb.fr, noun.fr))
    return realize(know) + WHO + realize(clause) + STOP


def that_one(draw: Draw) -> Phrase:
    """Le gâteau que tu as préparé est délicieux. / The cake that you prepared is delicious."""
    verb, noun = draw.one(DESCRIBED_OBJECTS)
    draw.pairs.append((verb.fr, noun.fr))
    adjective = draw.described(noun)
    thing = noun_phrase(noun, "the", not verb.singular_objects and draw.several(noun, 0.3))
    clause = Clause(draw.subject(), verb, "past", preceding=thing)
    main = Clause(_silent(thing), BE, draw.one(("present", "present", "imperfect")))
    dice = draw.rng.random()
    if dice < 0.3 and not verb.unmeant and adjective.fr not in UNPROMISED:
        clause.tense = main.tense = "future"
    elif dice < 0.6 and verb.fr in USUAL:
        clause.tense, clause.habit, clause.adverb, main.tense = "present", True, draw.one(FREQUENCIES), "present"
    if not clause.habit and draw.chance(0.5):
        clause.tail = draw.one(FUTURE_NEAR if clause.tense == "future" else PAST_NEAR)
    main.tail = agreeing(adjective, thing)
    main.negation = "pas" if draw.chance(0.2) else ""
    return thing.phrase + THAT + realize(clause) + realize(main) + STOP


# Of these nobody says beforehand that it will be so.
UNPROMISED = frozenset("mauvais sale vieux ennuyeux propre vide".split())
USUAL = frozenset("manger boire porter utiliser conduire lire regarder écouter servir préparer vendre".split())
DESCRIBED_OBJECTS = tuple(
    (verb, noun)
    for verb in others("quitter traverser oublier compter chercher louer découvrir", DIRECT)
    for noun in OBJECTS[verb]
    if ADJECTIVES[noun]
)


def searched_for(draw: Draw) -> Phrase:
    """Paul a trouvé les clés que nous cherchions. / Paul found the keys that we were looking for."""
    first, noun, second = draw.one(FOUND_AGAIN)
    draw.pairs += ((first.fr, noun.fr), (second.fr, noun.fr))
    thing = noun_phrase(noun, "the", draw.several(noun, 0.35), draw.adjectives(noun, 0.25, telling=True))
    clause = Clause(draw.subject(), second, "past", preceding=thing)
    if second.fr == "chercher":
        clause.tense = "imperfect"
    main = Clause(draw.subject(), first, "past" if first.unmeant or draw.chance(0.6) else "future", object=thing)
    return realize(main) + THAT + realize(clause) + STOP


FOUND_AGAIN = tuple(
    (first, noun, second)
    for first in named("trouver vendre perdre cacher casser réparer laver lire porter manger", TRANSITIVE)
    for second in named("acheter chercher choisir recevoir préparer écrire", TRANSITIVE)
    for noun in OBJECTS[first]
    if noun in OBJECTS[second]
)


def where_one_does(draw: Draw) -> Phrase:
    """Le restaurant où nous dînons est tranquille. / The restaurant where we are having dinner is quiet."""
    noun = draw.one(LIVELY_AND_SO)
    adjective = draw.described(noun)
    place = noun_phrase(noun, "the")
    tense, _ = draw.one(TIMED)
    clause = Clause(draw.subject(), draw.one(DONE_THERE[noun]), tense)
    main = Clause(_silent(place), BE, "imperfect" if tense == "past" else "present")
    main.tail = agreeing(adjective, place)
    return place.phrase + WHERE + realize(clause) + realize(main) + STOP


LIVELY_AND_SO = tuple(noun for noun in LIVELY if ADJECTIVES[noun])


def of_which(draw: Draw) -> Phrase:
    """Le film dont vous parlez est intéressant. / The movie that you are talking about is interesting."""
    verb = draw.one(OF_IT)
    noun = draw.one(OF_THINGS[verb])
    draw.pairs.append((verb.fr, noun.fr))
    thing = noun_phrase(noun, "the")
    clause = Clause(draw.subject(), verb, draw.one(("present", "past", "imperfect")))
    main = Clause(_silent(thing), BE, "imperfect" if clause.tense == "imperfect" else "present")
    main.tail = agreeing(draw.described(noun), thing)
    return thing.phrase + phrase("dont", "that") + realize(clause) + realize(main) + STOP
