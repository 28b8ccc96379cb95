"""Templates with relative clauses: qui, que, où, dont."""

from dataclasses import replace

from nmt.corpus.starter.clauses import Clause, Tense
from nmt.corpus.starter.draw import (
    ADJECTIVES,
    NOW_TIMES,
    OBJECTS,
    PUBLIC,
    Draw,
    nouns_with,
)
from nmt.corpus.starter.lexicon_verbs import BE, KNOWING, TRANSITIVE
from nmt.corpus.starter.nominals import Nominal, noun_phrase, pronoun
from nmt.corpus.starter.pronouns import DIRECT, DONE_THERE, LIVELY, OF_IT, OF_THINGS
from nmt.corpus.starter.realization import realize
from nmt.corpus.starter.statements import LATER, STOP
from nmt.corpus.starter.verbs import others
from nmt.corpus.starter.words import Phrase, phrase

WHO, THAT, WHERE = phrase("qui", "who"), phrase("que", "that"), phrase("où", "where")
TIMED: tuple[tuple[Tense, tuple[Phrase, ...]], ...] = (*LATER, ("present", NOW_TIMES))


def _silent(of: Nominal) -> Nominal:
    """A subject that agrees but is not said: "qui" stands for it."""
    return replace(of, fr=(), en=())


def who_does(draw: Draw) -> Phrase:
    """La femme qui lit le journal est médecin. / The woman who is reading the newspaper is a doctor."""
    noun = draw.one(PUBLIC)
    person = noun_phrase(noun, "the", draw.chance(0.25), draw.adjectives(noun, 0.1))
    tense: Tense = draw.one(("present", "past", "past", "future"))
    clause = draw.placed(draw.acts(_silent(person), tense), 0.3)
    main = Clause(_silent(person), BE)
    dice = draw.rng.random()
    if noun.fr in ("homme", "femme", "dame", "garçon") and not person.plural and dice < 0.5:
        main.tail = draw.one(TRADES)
    elif dice < 0.7 and not person.feminine:
        owner = pronoun(draw.one(("je", "tu", "vous")))
        main.tail = noun_phrase(draw.one(KIN), "own", person.plural, owner=owner).phrase
    else:
        main.tail = draw.agreeing(draw.feeling(), person)
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
    assert adjective is not None
    thing = noun_phrase(noun, "the", "many" in noun.tags and not verb.singular_objects and draw.chance(0.3))
    tense, times = draw.one(LATER)
    clause = Clause(draw.subject(), verb, tense, preceding=thing)
    if draw.chance(0.5):
        clause.tail = draw.one(times)
    main = Clause(_silent(thing), BE, "imperfect" if tense == "past" and draw.chance(0.4) else "present")
    main.tail = draw.agreeing(adjective, thing)
    main.negation = "pas" if draw.chance(0.2) else ""
    return thing.phrase + THAT + realize(clause) + realize(main) + STOP


DESCRIBED_OBJECTS = tuple(
    (verb, noun)
    for verb in others("quitter traverser oublier protéger compter louer découvrir", DIRECT)
    for noun in OBJECTS[verb]
    if ADJECTIVES[noun]
)


def searched_for(draw: Draw) -> Phrase:
    """Paul a trouvé les clés que nous cherchions. / Paul found the keys that we were looking for."""
    first, noun, second = draw.one(FOUND_AGAIN)
    draw.pairs += ((first.fr, noun.fr), (second.fr, noun.fr))
    plural = "many" in noun.tags and draw.chance(0.35)
    thing = noun_phrase(noun, "the", plural, draw.adjectives(noun, 0.25, telling=True))
    clause = Clause(draw.subject(), second, "past", preceding=thing)
    if second.fr == "chercher":
        clause.tense = "imperfect"
    main = Clause(draw.subject(), first, draw.one(("past", "past", "future")), object=thing)
    return realize(main) + THAT + realize(clause) + STOP


FOUND_AGAIN = tuple(
    (first, noun, second)
    for first in TRANSITIVE
    if first.fr in ("trouver", "vendre", "perdre", "cacher", "casser", "réparer", "laver", "lire", "porter", "manger")
    for second in TRANSITIVE
    if second.fr in ("acheter", "chercher", "choisir", "recevoir", "préparer", "écrire") and first is not second
    for noun in OBJECTS[first]
    if noun in OBJECTS[second]
)


def where_one_does(draw: Draw) -> Phrase:
    """Le restaurant où nous dînons est tranquille. / The restaurant where we are having dinner is quiet."""
    noun = draw.one(LIVELY_AND_SO)
    adjective = draw.described(noun)
    assert adjective is not None
    place = noun_phrase(noun, "the")
    tense, _ = draw.one(TIMED)
    clause = Clause(draw.subject(), draw.one(DONE_THERE[noun]), tense)
    main = Clause(_silent(place), BE, "imperfect" if tense == "past" else "present")
    main.tail = draw.agreeing(adjective, place)
    return place.phrase + WHERE + realize(clause) + realize(main) + STOP


LIVELY_AND_SO = tuple(noun for noun in LIVELY if ADJECTIVES[noun])


def of_which(draw: Draw) -> Phrase:
    """Le film dont vous parlez est intéressant. / The movie that you are talking about is interesting."""
    verb = draw.one(OF_IT)
    noun = draw.one(OF_THINGS[verb])
    adjective = draw.described(noun)
    if adjective is None:
        return of_which(draw)
    draw.pairs.append((verb.fr, noun.fr))
    thing = noun_phrase(noun, "the")
    clause = Clause(draw.subject(), verb, draw.one(("present", "past", "imperfect")))
    main = Clause(_silent(thing), BE, tail=draw.agreeing(adjective, thing))
    return thing.phrase + phrase("dont", "that") + realize(clause) + realize(main) + STOP
