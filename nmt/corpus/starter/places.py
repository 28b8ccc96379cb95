"""Templates: where things and people are and go, what the weather does, what things are like and whose they are."""

from itertools import permutations

from nmt.corpus.starter.clauses import Clause, Tense
from nmt.corpus.starter.collocations import (
    ADJECTIVES,
    ATTRIBUTES,
    DESCRIBED,
    FREQUENCIES,
    FUTURE_TIMES,
    HABIT_TIMES,
    OBJECTS,
    PAST_TIMES,
    POSITIONS,
    PREDICATES,
    TO_PLACES,
    TOWNS_AT,
    nouns_named,
    nouns_with,
)
from nmt.corpus.starter.draw import Draw
from nmt.corpus.starter.english import participle
from nmt.corpus.starter.french import agree, conjugation
from nmt.corpus.starter.lexicon_adjectives import ABSOLUTE, CHANGING, CONTRASTS, EXCESSIVE, EXCLAIMED, Adjective
from nmt.corpus.starter.lexicon_nouns import Noun
from nmt.corpus.starter.lexicon_verbs import BE, BELONG, HAVE_BE, MAKE_BE, MOTION, RAIN, SNOW, TRANSITIVE
from nmt.corpus.starter.measures import TOWN_NAMES
from nmt.corpus.starter.nominals import Nominal, agreeing, noun_phrase, pronoun, subject_pronoun, with_possessor
from nmt.corpus.starter.realization import realize
from nmt.corpus.starter.statements import AND, BUT, CALL, COMMA, LATER, SO, STOP, timed
from nmt.corpus.starter.verbs import Verb, named
from nmt.corpus.starter.words import Phrase, Word, new_key, phrase

# What lies or sits about, and where.
TINY = nouns_named(
    "clé stylo crayon cahier carte portefeuille billet photo montre livre lettre bougie couteau gant chaussette"
)
PETS = nouns_with("pet")
SMALL = TINY + PETS + nouns_with("fruit") + nouns_named("sac parapluie téléphone lampe tasse verre panier boîte")
LARGER = PETS + nouns_named("sac parapluie panier boîte valise échelle lampe ballon")
INSIDES = nouns_named("sac valise boîte panier tiroir armoire")
SURFACES = nouns_named("table lit chaise bureau fauteuil canapé")
ON_TOP, BESIDE = POSITIONS[:2], POSITIONS[2:]
CORNERS = SURFACES + nouns_named("armoire porte fenêtre mur four télévision")
LANDMARKS = nouns_with("building", "pont", "arbre", "rivière", "parc")
INSIDE = phrase("dans", "in")


def position(draw: Draw) -> Phrase:
    """Il y a un chat noir sous la table. / There is a black cat under the table."""
    things, spots, nouns = draw.one(POSED)
    small = draw.one(things)
    thing = noun_phrase(small, "a", draw.several(small, 0.3), draw.adjectives(small, 0.4))
    if draw.chance(0.6):
        return there_is(draw, thing) + _spot(draw, spots, nouns) + STOP
    told = draw.adjectives(small, 0.2, telling=True)
    there = noun_phrase(small, draw.one(("the", "the", "this")), thing.plural, told)
    tense: Tense = draw.one(("present", "present", "imperfect"))
    clause = Clause(there, BE, tense, tail=_spot(draw, spots, nouns))
    if draw.chance(0.25):
        clause.negation = "plus" if draw.chance(0.5) else "pas"
    return realize(clause) + STOP


def _spot(draw: Draw, spots: tuple[Phrase, ...], nouns: tuple[Noun, ...]) -> Phrase:
    return draw.one(spots) + draw.thing(draw.one(nouns), definite=True, singular=True, adjectives=0.2).phrase


# What can be how to what.
POSED = (
    (TINY, (INSIDE,), INSIDES),
    (SMALL, ON_TOP, SURFACES),
    (SMALL, ON_TOP, SURFACES),
    (LARGER, BESIDE, CORNERS),
)


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
    *BESIDE,
    phrase("en face de", "across from"),
    phrase("loin de", "far from"),
)


def whereabouts(draw: Draw) -> Phrase:
    """Ma sœur n'était pas à la bibliothèque hier. / My sister was not at the library yesterday."""
    tense: Tense = draw.one(("imperfect", "future", "present"))
    clause = Clause(draw.subject(), BE, tense, habit=False, tail=draw.at(draw.one(STAYED)))
    if draw.chance(0.35):
        clause.negation = draw.one(("pas", "pas", "plus", "jamais" if tense == "present" else "plus"))
    if clause.negation in ("plus", "jamais"):
        return realize(clause) + STOP
    if tense == "present":
        clause.tail += draw.one(COMPANY)
        return realize(clause) + STOP
    return timed(draw, clause, PAST_TIMES if tense == "imperfect" else FUTURE_TIMES)


STAYED = nouns_with("building", "room", "parc", "plage", "piscine")
COMPANY = (
    phrase("avec/1 un/2 ami/3", "with/1 a/2 friend/3"),
    phrase("avec/1 des/2 amis/3", "with/1 some/2 friends/3"),
    phrase("avec/1 les/2 enfants/3", "with/1 the/2 children/3"),
    phrase("avec/1 un/2 collègue/3", "with/1 a/2 colleague/3"),
)


def going(draw: Draw) -> Phrase:
    """Nous sommes allés au marché samedi dernier. / We went to the market last Saturday."""
    dice = draw.rng.random()
    if dice < 0.3:
        clause = Clause(draw.subject(), GO_THERE, "present", habit=True, tail=draw.at(draw.one(TO_PLACES), going=True))
        return timed(draw, clause, HABIT_TIMES)
    tense, times = draw.one(LATER)
    clause = Clause(draw.subject(), draw.one(GOING), tense, tail=draw.destination())
    if draw.chance(0.25):
        clause.negation = "pas"
    return timed(draw, clause, times)


GO_THERE = MOTION[0]
GOING = named("aller retourner", MOTION)


def coming_home(draw: Draw) -> Phrase:
    """Paul est rentré de Rome hier soir. / Paul came home from Rome last night."""
    tense, times = draw.one(LATER)
    town = draw.one(FROM_TOWNS)
    clause = Clause(draw.subject(), draw.one(COMING), tense, tail=town)
    return timed(draw, clause, times)


FROM_TOWNS = tuple(
    phrase(f"de/1 {town}/2", f"from/1 {english}/2")
    for town, english in (
        *TOWN_NAMES,
        ("Italie", "Italy"),
        ("Espagne", "Spain"),
        ("Allemagne", "Germany"),
        ("Angleterre", "England"),
        ("France", "France"),
    )
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
        return timed(draw, clause, (IN_SUMMER if warm else IN_WINTER,))
    return timed(draw, clause, FUTURE_TIMES if tense == "future" else PAST_TIMES)


WARM = (phrase("chaud", "hot"), phrase("beau", "sunny"))
COLD = (phrase("froid", "cold"),)
IN_SUMMER, IN_WINTER = phrase("en/1 été/2", "in/1 summer/2"), phrase("en/1 hiver/2", "in/1 winter/2")


def description(draw: Draw) -> Phrase:
    """Cette soupe est trop salée, mais le pain est frais. / This soup is too salty, but the bread is fresh."""
    (first, first_nouns), (second, second_nouns) = draw.one(draw.one(OPPOSED))
    noun = draw.one(first_nouns)
    other = draw.one(tuple(other for other in second_nouns if other is not noun))
    draw.pairs += ((noun.fr, first.fr), (other.fr, second.fr))
    tense: Tense = draw.one(("present", "present", "imperfect"))
    return _described(draw, noun, first, tense) + COMMA + BUT + _described(draw, other, second, tense) + STOP


def _described(draw: Draw, noun: Noun, adjective: Adjective, tense: Tense) -> Phrase:
    subject = noun_phrase(noun, "this" if draw.chance(0.4) else "the", draw.several(noun, 0.3))
    degrees = DEGREES[:1] if adjective.fr in ABSOLUTE else DEGREES if adjective.fr in EXCESSIVE else DEGREES[:3]
    degree = draw.one(degrees)
    return realize(Clause(subject, BE, tense, tail=degree + agreeing(adjective, subject)))


Said = tuple[Adjective, tuple[Noun, ...]]


def _opposed(contrast: tuple[Adjective, ...]) -> tuple[tuple[Said, Said], ...]:
    """Any two of these adjectives, each with the nouns of one sort that it can be said of: like is set beside like."""
    nouns = [noun for noun in DESCRIBED if not noun.tags & {"family", "parent"}]
    pairs: list[tuple[Said, Said]] = []
    for sort in dict.fromkeys(noun.sort for noun in nouns):
        of_sort = [noun for noun in nouns if noun.sort == sort]
        said = [(a, tuple(noun for noun in of_sort if a in PREDICATES[noun])) for a in contrast]
        # two of the second, so that one is left whatever the first is
        pairs += ((first, second) for first, second in permutations(said, 2) if first[1] and len(second[1]) > 1)
    return tuple(pairs)


OPPOSED = tuple(filter(None, map(_opposed, CONTRASTS)))
DEGREES = (Phrase(), Phrase(), phrase("très", "very"), phrase("trop", "too"))


def possession(draw: Draw) -> Phrase:
    """La voiture de Paul est rapide. / Paul's car is fast."""
    noun = draw.one(OWNED_THINGS)
    adjective = draw.described(noun)
    thing = with_possessor(noun_phrase(noun, "the", draw.several(noun, 0.25)), draw.someone())
    clause = Clause(thing, BE, draw.one(("present", "imperfect", "present")), tail=agreeing(adjective, thing))
    if draw.chance(0.3):
        clause.negation = "plus" if adjective.fr in CHANGING and draw.chance(0.7) else "pas"
    elif draw.chance(0.5):
        rivals = {adjective, *(rival for contrast in CONTRASTS if adjective in contrast for rival in contrast)}
        second = [other for other in PREDICATES[noun] if other not in rivals]
        if second:
            more = draw.one(second)
            draw.pairs.append((noun.fr, more.fr))
            clause.tail += AND + agreeing(more, thing)
    return realize(clause) + STOP


OWNED_THINGS = tuple(noun for noun in nouns_with("portable", "clothes", "ownable", "pet", "home") if ADJECTIVES[noun])


def belongs(draw: Draw) -> Phrase:
    """Ce vélo n'appartient pas à Paul. Il appartient à ... / This bicycle does not belong to Paul. It belongs to ..."""
    noun = draw.one(OWNED_THINGS)
    thing = noun_phrase(noun, "this", draw.several(noun, 0.3), draw.adjectives(noun, 0.4))
    first = Clause(thing, BELONG, negation="pas", object=draw.someone())
    second = Clause(subject_pronoun(thing), BELONG, object=draw.someone())
    return realize(first) + STOP + realize(second) + STOP


def made_by(draw: Draw) -> Phrase:
    """Cette lettre a été écrite par mon oncle. / This letter was written by my uncle."""
    verb, noun = draw.one(MADE)
    draw.pairs.append((verb.fr, noun.fr))
    thing = noun_phrase(noun, "this", draw.several(noun, 0.3), draw.adjectives(noun, 0.3, verb=verb.fr))
    time = draw.when(PAST_TIMES, Clause(thing, verb))
    return passive(thing, verb.fr, verb.en, draw.someone()) + time + STOP


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
    noun = draw.one(STRIKING)
    adjective = draw.one(tuple(adjective for adjective in ATTRIBUTES[noun] if adjective.fr in EXCLAIMED))
    draw.pairs.append((noun.fr, adjective.fr))
    mass = "mass" in noun.tags
    thing = noun_phrase(noun, "kind", adjectives=(adjective,))
    key = (new_key(),)
    french = Word("quelle" if thing.feminine else "quel", key)
    english = (Word("what", key),) if mass else (Word("what", key), Word("a", key))
    return Phrase((french, *thing.fr[1:]), (*english, *thing.en)) + CALL


STRIKING = tuple(noun for noun in DESCRIBED if any(adjective.fr in EXCLAIMED for adjective in ATTRIBUTES[noun]))


def hunger(draw: Draw) -> Phrase:
    """Les enfants avaient faim, alors ils ont mangé du pain. / The children were hungry, so they ate some bread."""
    subject = draw.subject()
    (french, english), (verb, nouns) = draw.one(NEEDS)
    tense, _ = draw.one(LATER)
    feels = Clause(subject, HAVE_BE, "imperfect" if tense == "past" else "present", tail=phrase(french, english))
    acts = Clause(subject_pronoun(subject), verb, tense)
    noun = draw.one(nouns)
    draw.pairs.append((verb.fr, noun.fr))
    acts.object = draw.some(noun, verb=verb.fr)
    return realize(feels) + COMMA + SO + realize(acts) + STOP


# How one feels, what one then does, and to what.
NEEDS: tuple[tuple[tuple[str, str], tuple[Verb, tuple[Noun, ...]]], ...] = tuple(
    (feels, (verb, tuple(noun for noun in OBJECTS[verb] if noun in nouns_with(*objects.split()))))
    for feelings, verbs, objects in (
        ((("faim", "hungry"), ("très/1 faim/2", "very/1 hungry/2")), "manger commander préparer", "edible dish"),
        ((("soif", "thirsty"), ("très/1 soif/2", "very/1 thirsty/2")), "boire commander", "eau jus limonade thé bière"),
        (
            (("froid", "cold"), ("très/1 froid/2", "very/1 cold/2")),
            "mettre acheter",
            "manteau pull écharpe gant botte veste",
        ),
        ((("froid", "cold"),), "boire préparer", "café thé chocolat soupe"),
        ((("chaud", "hot"), ("très/1 chaud/2", "very/1 hot/2")), "boire", "eau jus limonade bière"),
    )
    for feels in feelings
    for verb in named(verbs, TRANSITIVE)
    if any(noun in OBJECTS[verb] for noun in nouns_with(*objects.split()))
)
