"""Templates: where things and people are and go, what the weather does, what things are like and whose they are."""

from collections import Counter

from nmt.corpus.starter.clauses import Clause, Tense
from nmt.corpus.starter.draw import (
    ADJECTIVES,
    FREQUENCIES,
    FUTURE_TIMES,
    HABIT_TIMES,
    OBJECTS,
    PAST_TIMES,
    POSITIONS,
    TO_PLACES,
    TOWNS_AT,
    Draw,
    nouns_with,
)
from nmt.corpus.starter.english import participle
from nmt.corpus.starter.french import agree, conjugation
from nmt.corpus.starter.lexicon_adjectives import ABSOLUTE
from nmt.corpus.starter.lexicon_nouns import NOUNS, Noun
from nmt.corpus.starter.lexicon_verbs import BE, HAVE_BE, MAKE_BE, MOTION, RAIN, SNOW, TRANSITIVE
from nmt.corpus.starter.measures import TOWN_NAMES
from nmt.corpus.starter.nominals import Nominal, noun_phrase, pronoun, subject_pronoun, with_possessor
from nmt.corpus.starter.realization import realize
from nmt.corpus.starter.statements import AND, BUT, CALL, COMMA, LATER, SO, STOP, timed
from nmt.corpus.starter.verbs import named, read_verb
from nmt.corpus.starter.words import Phrase, Word, new_key, phrase

SMALL = nouns_with("portable", "pet", "fruit")
SURFACES = nouns_with("surface")
INSIDES = nouns_with("inside", "container")
LANDMARKS = nouns_with("building", "pont", "arbre", "rivière", "parc")
ON_TOP, OTHERS_TOO = POSITIONS[:2], POSITIONS[2:]
INSIDE = phrase("dans", "in")


def position(draw: Draw) -> Phrase:
    """Il y a un chat noir sous la table. / There is a black cat under the table."""
    small = draw.one(SMALL)
    thing = noun_phrase(small, "a", "many" in small.tags and draw.chance(0.3), draw.adjectives(small, 0.4))
    if draw.chance(0.6):
        return there_is(draw, thing) + _spot(draw) + STOP
    told = draw.adjectives(small, 0.2, telling=True)
    there = noun_phrase(small, draw.one(("the", "the", "this")), thing.plural, told)
    tense: Tense = draw.one(("present", "present", "imperfect"))
    clause = Clause(there, BE, tense, tail=_spot(draw))
    if draw.chance(0.25):
        clause.negation = "plus" if draw.chance(0.5) else "pas"
    return realize(clause) + STOP


def _spot(draw: Draw) -> Phrase:
    dice = draw.rng.random()
    if dice < 0.25:
        return INSIDE + draw.thing(draw.one(INSIDES), definite=True, singular=True, adjectives=0.2).phrase
    where = draw.one(ON_TOP if dice < 0.7 else OTHERS_TOO)
    return where + draw.thing(draw.one(SURFACES), definite=True, singular=True, adjectives=0.2).phrase


def there_is(draw: Draw, thing: Nominal) -> Phrase:
    """il y a, there is or are; il y avait, there was or were."""
    key, verb = (new_key(),), (new_key(),)
    past = draw.chance(0.3)
    french = "avait" if past else "a"
    english = ("were" if thing.plural else "was") if past else ("are" if thing.plural else "is")
    start = Phrase(
        (Word("il", key), Word("y", key), Word(french, verb)),
        (Word("there", key), Word(english, verb)),
    )
    return start + thing.phrase


def location(draw: Draw) -> Phrase:
    """La pharmacie est en face de la gare. / The pharmacy is across from the station."""
    first, second = draw.rng.sample(LANDMARKS, 2)
    subject = noun_phrase(first, "the", adjectives=draw.adjectives(first, 0.3, telling=True))
    clause = Clause(subject, BE, draw.one(("present", "present", "imperfect")))
    landmark = noun_phrase(second, "the", adjectives=draw.adjectives(second, 0.2, telling=True))
    clause.tail = draw.one(NEIGHBORING) + landmark.phrase
    return realize(clause) + STOP


NEIGHBORING = (
    *OTHERS_TOO,
    phrase("en face de", "across from"),
    phrase("loin de", "far from"),
)


def whereabouts(draw: Draw) -> Phrase:
    """Ma sœur n'était pas à la bibliothèque hier. / My sister was not at the library yesterday."""
    tense: Tense = draw.one(("imperfect", "future", "present"))
    clause = Clause(draw.subject(), BE, tense, habit=False, tail=draw.at(draw.one(STAYED)))
    if draw.chance(0.35):
        clause.negation = draw.one(("pas", "pas", "plus", "jamais"))
    times = {"imperfect": PAST_TIMES, "future": FUTURE_TIMES}.get(tense)
    if clause.negation in ("plus", "jamais") or times is None:
        clause.tail += draw.one(COMPANY)
        return realize(clause) + STOP
    return timed(draw, clause, draw.one(times))


STAYED = nouns_with("building", "room", "parc", "plage", "piscine")
COMPANY = (
    phrase("avec/1 un/2 ami/3", "with/1 a/2 friend/3"),
    phrase("avec/1 des/2 amis/3", "with/1 some/2 friends/3"),
    phrase("avec/1 les/2 enfants/3", "with/1 the/2 children/3"),
    phrase("avec/1 tout/2 le/2 monde/2", "with/1 everyone/2"),
)


def going(draw: Draw) -> Phrase:
    """Nous sommes allés au marché samedi dernier. / We went to the market last Saturday."""
    dice = draw.rng.random()
    if dice < 0.3:
        clause = Clause(draw.subject(), GO_THERE, "present", habit=True, tail=draw.at(draw.one(TO_PLACES), going=True))
        return timed(draw, clause, draw.one(HABIT_TIMES))
    tense, times = draw.one(LATER)
    clause = Clause(draw.subject(), draw.one(GOING), tense, tail=draw.destination())
    if draw.chance(0.25):
        clause.negation = "pas"
    return timed(draw, clause, draw.one(times))


GO_THERE = MOTION[0]
GOING = named("aller retourner", MOTION)


def coming_home(draw: Draw) -> Phrase:
    """Paul est rentré de Rome hier soir. / Paul came home from Rome last night."""
    tense, times = draw.one(LATER)
    town = draw.one(FROM_TOWNS)
    clause = Clause(draw.subject(), draw.one(COMING), tense, tail=town)
    return timed(draw, clause, draw.one(times))


FROM_TOWNS = tuple(
    phrase(f"de/1 {town}/2", f"from/1 {english}/2")
    for town, english in (*TOWN_NAMES, ("Italie", "Italy"), ("France", "France"))
)
COMING = named("rentrer revenir arriver", MOTION)


def weather(draw: Draw) -> Phrase:
    """Il fera froid à Genève demain. / It will be cold in Geneva tomorrow."""
    it = pronoun("il", "it")
    tense: Tense = draw.one(("present", "imperfect", "past", "future"))
    warm = draw.chance(0.4)
    if warm or (draw.chance(0.5) and tense != "past"):
        clause = Clause(it, MAKE_BE, "imperfect" if tense == "past" else tense, tail=draw.one(WARM if warm else COLD))
    else:
        clause = Clause(it, draw.one((RAIN, SNOW)), tense)
    clause.tail += draw.one(TOWNS_AT)
    if tense == "present":
        clause.habit, clause.adverb = True, draw.one(FREQUENCIES[:3])
        return timed(draw, clause, IN_SUMMER if warm else IN_WINTER)
    return timed(draw, clause, draw.one(FUTURE_TIMES if tense == "future" else PAST_TIMES))


WARM = (phrase("chaud", "hot"), phrase("beau", "sunny"))
COLD = (phrase("froid", "cold"),)
SKIES = WARM + COLD
IN_SUMMER, IN_WINTER = phrase("en/1 été/2", "in/1 summer/2"), phrase("en/1 hiver/2", "in/1 winter/2")


def description(draw: Draw) -> Phrase:
    """Cette soupe est trop salée, mais le pain est frais. / This soup is too salty, but the bread is fresh."""
    sort = draw.one(SORTS)
    return _described(draw, sort) + COMMA + BUT + _described(draw, sort) + STOP


def _described(draw: Draw, sort: tuple[Noun, ...]) -> Phrase:
    noun = draw.one(sort)
    while noun.fr in draw.met:
        noun = draw.one(sort)
    draw.met.add(noun.fr)
    adjective = draw.described(noun)
    assert adjective is not None
    subject = noun_phrase(noun, "this" if draw.chance(0.4) else "the", "many" in noun.tags and draw.chance(0.3))
    clause = Clause(subject, BE, draw.one(("present", "present", "imperfect")))
    degree = Phrase() if adjective.fr in ABSOLUTE else draw.one(DEGREES)
    clause.tail = degree + draw.agreeing(adjective, subject)
    return realize(clause)


DESCRIBED = tuple(noun for noun in NOUNS if ADJECTIVES[noun] and not noun.tags & {"family", "parent"})
# Like is set beside like.
SORTS = tuple(
    tuple(noun for noun in DESCRIBED if noun.sort == sort)
    for sort, size in Counter(noun.sort for noun in DESCRIBED).items()
    if size > 2
)
DEGREES = (Phrase(), Phrase(), phrase("très", "very"), phrase("trop", "too"))


def possession(draw: Draw) -> Phrase:
    """La voiture de Paul est rapide. / Paul's car is fast."""
    noun = draw.one(OWNED_THINGS)
    adjective = draw.described(noun)
    assert adjective is not None
    plural = "many" in noun.tags and draw.chance(0.25)
    thing = with_possessor(noun_phrase(noun, "the", plural), draw.someone())
    clause = Clause(thing, BE, draw.one(("present", "imperfect", "present")), tail=draw.agreeing(adjective, thing))
    if draw.chance(0.3):
        clause.negation = draw.one(("pas", "plus"))
    if draw.chance(0.5):
        second = [other for other in ADJECTIVES[noun] if other is not adjective]
        if second and not clause.negation:
            more = draw.one(second)
            draw.pairs.append((noun.fr, more.fr))
            clause.tail += AND + draw.agreeing(more, thing)
    return realize(clause) + STOP


OWNED_THINGS = tuple(noun for noun in nouns_with("portable", "clothes", "ownable", "pet", "home") if ADJECTIVES[noun])


def belongs(draw: Draw) -> Phrase:
    """Ce vélo n'appartient pas à Paul. Il appartient à ... / This bicycle does not belong to Paul. It belongs to ..."""
    noun = draw.one(OWNED_THINGS)
    thing = noun_phrase(noun, "this", "many" in noun.tags and draw.chance(0.3), draw.adjectives(noun, 0.4))
    first = Clause(thing, BELONG, negation="pas", object=draw.someone())
    second = Clause(subject_pronoun(thing), BELONG, object=draw.someone())
    return realize(first) + STOP + realize(second) + STOP


BELONG = read_verb("appartenir à | belong to | | state")


def made_by(draw: Draw) -> Phrase:
    """Cette lettre a été écrite par mon oncle. / This letter was written by my uncle."""
    verb, noun = draw.one(MADE)
    draw.pairs.append((verb.fr, noun.fr))
    thing = noun_phrase(noun, "this", "many" in noun.tags and draw.chance(0.3), draw.adjectives(noun, 0.3))
    return passive(thing, verb.fr, verb.en, draw.someone()) + draw.one(PAST_TIMES) + STOP


def passive(thing: Nominal, french: str, english: str, by: Nominal) -> Phrase:
    """a été + participle that agrees; was + participle."""
    tense, main, agent = (new_key(),), (new_key(),), (new_key(),)
    form = conjugation(french).participle
    return Phrase(
        (
            *thing.fr,
            Word("ont" if thing.plural else "a", tense),
            Word("été", tense),
            Word(agree(form, form + "e", thing.feminine, thing.plural), main),
            Word("par", agent),
            *by.fr,
        ),
        (
            *thing.en,
            Word("were" if thing.plural else "was", tense),
            Word(participle(english), main),
            Word("by", agent),
            *by.en,
        ),
    )


MADE = tuple(
    (verb, noun)
    for verb in TRANSITIVE
    if verb.fr in ("écrire", "peindre", "construire", "dessiner", "préparer", "réparer", "signer", "créer", "traduire")
    for noun in OBJECTS[verb]
)


def what_a(draw: Draw) -> Phrase:
    """Quelle belle maison ! / What a beautiful house you have bought!"""
    noun = draw.one(DESCRIBED)
    adjective = draw.described(noun)
    assert adjective is not None
    mass = "mass" in noun.tags
    thing = noun_phrase(noun, "kind", adjectives=(adjective,))
    key = (new_key(),)
    french = Word("quelle" if thing.feminine else "quel", key)
    english = (Word("what", key),) if mass else (Word("what", key), Word("a", key))
    return Phrase((french, *thing.fr[1:]), (*english, *thing.en)) + CALL


def hunger(draw: Draw) -> Phrase:
    """Les enfants avaient faim, alors ils ont mangé du pain. / The children were hungry, so they ate some bread."""
    subject = draw.subject()
    french, english, verb_fr = draw.one(NEEDS)
    tense, _ = draw.one(LATER)
    feels = Clause(subject, HAVE_BE, "imperfect" if tense == "past" else "present", tail=phrase(french, english))
    acts = Clause(subject_pronoun(subject), next(verb for verb in TRANSITIVE if verb.fr == verb_fr), tense)
    acts.object = draw.object_of(acts.verb, acts)
    return realize(feels) + COMMA + SO + realize(acts) + STOP


NEEDS = (
    ("faim", "hungry", "manger"),
    ("très/1 faim/2", "very/1 hungry/2", "manger"),
    ("soif", "thirsty", "boire"),
    ("très/1 soif/2", "very/1 thirsty/2", "boire"),
    ("froid", "cold", "mettre"),
    ("très/1 froid/2", "very/1 cold/2", "mettre"),
    ("faim", "hungry", "commander"),
)
