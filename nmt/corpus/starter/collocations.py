"""Which words keep company: what a verb is done to and where, what a noun is like, and when things happen."""

from typing import Literal

from nmt.corpus.starter import lexicon_adverbs as lists
from nmt.corpus.starter.clauses import Clause
from nmt.corpus.starter.lexicon_adjectives import DESCRIPTIONS, FEELINGS, Adjective
from nmt.corpus.starter.lexicon_adjectives import TELLING as TELLING_ONES
from nmt.corpus.starter.lexicon_nouns import NOUNS, Noun
from nmt.corpus.starter.lexicon_verbs import (
    GIVING,
    INTRANSITIVE,
    LIKING,
    PLAY_GAME,
    PLAY_MUSIC,
    REFLEXIVE,
    SOCIAL,
    STUDY,
    TRANSITIVE,
    WHERE,
)
from nmt.corpus.starter.verbs import Verb, named, others
from nmt.corpus.starter.words import Phrase, phrase

Pair = tuple[str, str]


def nouns_with(*tags: str) -> tuple[Noun, ...]:
    """The nouns that have one of these tags, or are named themselves."""
    wanted = frozenset(tags)
    return tuple(noun for noun in NOUNS if noun.tags & wanted or noun.fr in wanted)


def nouns_named(french: str) -> tuple[Noun, ...]:
    """The nouns of a list, in its order."""
    named = {noun.fr: noun for noun in NOUNS}
    return tuple(named[word] for word in french.split())


def phrases(lines: str, english: int = 1) -> tuple[Phrase, ...]:
    """A table of fixed phrases; english: which column is the English side."""
    rows = [[side.strip() for side in line.split("|")] for line in lines.strip().split("\n")]
    return tuple(phrase(row[0], row[english]) for row in rows)


# Verbs and what they are done to ----------------------------------------------------------------------------------

OBJECTS: dict[Verb, tuple[Noun, ...]] = {
    verb: nouns_with(*verb.takes)
    for verb in (*TRANSITIVE, *GIVING, *LIKING, *SOCIAL, *REFLEXIVE, PLAY_GAME, PLAY_MUSIC, STUDY)
}
# Verbs with a direct object in French, so that le, la, les stand for it.
DIRECT = tuple(verb for verb in TRANSITIVE if not verb.fr_preposition)

# What can go on now, be a habit, be given up, be done, be over just now; what one means to do, what one learns to do.
Manner = Literal["ongoing", "habit", "kept up", "done", "over", "meant", "skill"]
KINDS = (TRANSITIVE, GIVING, SOCIAL, INTRANSITIVE)
SKILLS = (
    "préparer lire écrire réparer conduire dessiner peindre utiliser traduire",
    "raconter expliquer lire",
    "écouter pardonner remercier",
    "nager danser cuisiner chanter",
)
DRAWN_OUT = "garder tenir chercher attendre porter rêver penser voir entendre encourager"
VERBS: dict[Manner, tuple[tuple[Verb, ...], ...]] = {
    "ongoing": tuple(tuple(verb for verb in kind if not (verb.instant or verb.state)) for kind in KINDS),
    "habit": tuple(tuple(verb for verb in kind if not (verb.seldom or verb.unmeant)) for kind in KINDS),
    "kept up": tuple(tuple(v for v in kind if not (v.seldom or v.unmeant or v.instant)) for kind in KINDS),
    "done": KINDS,
    "over": tuple(others(DRAWN_OUT, kind) for kind in KINDS),
    "meant": tuple(tuple(verb for verb in kind if not verb.unmeant) for kind in KINDS),
    "skill": tuple(named(skills, kind) for skills, kind in zip(SKILLS, KINDS, strict=True)),
}


def verbs_for(clause: Clause) -> tuple[tuple[Verb, ...], ...]:
    """The verbs that suit a clause's tense, negation and governing verb, kind by kind."""
    return VERBS[_manner(clause)]


def _manner(clause: Clause) -> Manner:
    """Not every verb can be going on, or be a habit, or be meant."""
    if clause.chain and clause.chain.fr in ("commencer", "continuer"):
        return "ongoing"
    if clause.chain:
        return "skill" if clause.chain.fr == "apprendre" else "meant"
    if clause.habit and clause.tense == "imperfect":
        return "kept up"
    if clause.habit or (clause.negation in ("jamais", "plus") and clause.tense in ("present", "imperfect")):
        return "kept up" if clause.negation == "plus" else "habit"
    if clause.tense in ("future", "going", "conditional", "must"):
        return "meant"
    if clause.tense == "recent":
        return "over"
    return "ongoing" if clause.tense in ("present", "imperfect", "since") else "done"


# Done in the head only: nothing is before or after them, nobody has them done.
MUSING = frozenset(("rêver", "penser"))
# What is not one's own until this is done, or is not the thing itself.
GAINING = frozenset(
    "acheter louer recevoir obtenir commander dessiner essayer découvrir prendre rendre promettre".split()
)

# People and things ------------------------------------------------------------------------------------------------

FAMILY = nouns_with("family", "parent")
PUBLIC = nouns_with("public")
OWNED = frozenset(("portable", "clothes", "furniture", "ownable", "pet", "instrument"))
OWNED_TOO = frozenset(
    ("maison", "appartement", "jardin", "chambre", "ferme", "rêve", "projet", "emploi", "voyage", "promesse")
)

# Nouns and what can be said of them -------------------------------------------------------------------------------

ADJECTIVES: dict[Noun, tuple[Adjective, ...]] = {
    noun: tuple(a for a in DESCRIPTIONS if noun.tags & a.goes_with or noun.fr in a.goes_with) for noun in NOUNS
}
# Beside the noun: un grand homme is a great one, so that a tall man is only said to be so.
ATTRIBUTES: dict[Noun, tuple[Adjective, ...]] = {
    noun: tuple(a for a in adjectives if not (a.fr == "grand" and "human" in noun.tags))
    for noun, adjectives in ADJECTIVES.items()
}
# By itself: a new doctor is not a doctor who is new.
PREDICATES: dict[Noun, tuple[Adjective, ...]] = {
    noun: tuple(a for a in adjectives if not (a.fr == "nouveau" and "human" in noun.tags))
    for noun, adjectives in ADJECTIVES.items()
}
TELLING: dict[Noun, tuple[Adjective, ...]] = {
    noun: tuple(a for a in adjectives if a.fr in TELLING_ONES or "human" in noun.tags)
    for noun, adjectives in ATTRIBUTES.items()
}
DESCRIBED = tuple(noun for noun in NOUNS if ADJECTIVES[noun])
# Nobody washes what is clean, or chooses what is dirty.
CLASHES = {
    verb: tuple(adjectives.split())
    for verbs, adjectives in (
        ("vider remplir", "vide"), ("laver nettoyer", "propre"), ("choisir acheter louer", "sale mauvais vide propre"),
        ("commander préparer servir ramasser offrir donner", "mauvais sale"), ("porter mettre essayer", "sale"),
        ("créer construire", "vieux sale mauvais"), ("organiser écrire", "mauvais ennuyeux vieux"),
        ("prendre", "lent vieux nouveau"), ("photographier dessiner", "vide"),
    )
    for verb in verbs.split()
}  # fmt: skip


def feelings(french: str) -> tuple[Adjective, ...]:
    """The feelings of a list."""
    wanted = french.split()
    return tuple(feeling for feeling in FEELINGS if feeling.fr in wanted)


# Places -----------------------------------------------------------------------------------------------------------

# Where one goes to: not into the next room.
TO_PLACES = nouns_with("à", "jardin", "forêt", "île")
TOWNS_AT, TOWNS_TO = phrases(lists.TOWNS, 1), phrases(lists.TOWNS, 2)
COUNTRIES = frozenset(place for place in TOWNS_AT if place.fr[0].text != "à")
HERE_AT, HERE_TO = phrases(lists.HERE, 1), phrases(lists.HERE, 2)
POSITIONS = phrases(lists.POSITIONS)

FIXED_PLACES = {
    "town": tuple(place for place in TOWNS_AT if place not in COUNTRIES),
    "country": tuple(place for place in TOWNS_AT if place in COUNTRIES),
    "here": HERE_AT[:2],
    "home": HERE_AT[2:3],
    "school": HERE_AT[3:],
}
# Where each sort of thing is done: nouns, or a choice of fixed phrases.
SPOTS: dict[str, tuple[Noun | tuple[Phrase, ...], ...]] = {
    key: tuple(FIXED_PLACES[word] if word in FIXED_PLACES else nouns_named(word)[0] for word in words.split())
    for key, words in WHERE.items()
}

# Times ------------------------------------------------------------------------------------------------------------

Times = tuple[Phrase, ...]
# The days among them: what has an hour has a day.
PAST_DAYS, FUTURE_DAYS, WEEKDAYS = phrases(lists.PAST_DAYS), phrases(lists.FUTURE_DAYS), phrases(lists.WEEKDAYS)
PAST_NEAR = PAST_DAYS + phrases(lists.PAST_NEAR)
FUTURE_NEAR = FUTURE_DAYS + phrases(lists.FUTURE_NEAR)
HABIT_NEAR = WEEKDAYS + phrases(lists.HABIT_NEAR)
FORMER_NEAR = phrases(lists.FORMER_NEAR)
PAST_TIMES = PAST_NEAR + phrases(lists.PAST_FAR)
FUTURE_TIMES = FUTURE_NEAR + phrases(lists.FUTURE_FAR)
PAST_FAR, FUTURE_FAR = PAST_TIMES[len(PAST_NEAR) :], FUTURE_TIMES[len(FUTURE_NEAR) + 1 :]
HABIT_TIMES = HABIT_NEAR + phrases(lists.HABIT_FAR)
FORMER_TIMES = FORMER_NEAR + phrases(lists.FORMER_FAR)
NOW_TIMES = phrases(lists.NOW_TIMES)
FREQUENCIES = phrases(lists.FREQUENCIES)
SOON = FUTURE_TIMES[len(FUTURE_NEAR)]
# When something brief happens, instead of these times.
NEAR: dict[Times, Times] = {
    PAST_TIMES: PAST_NEAR,
    FUTURE_TIMES: FUTURE_NEAR,
    HABIT_TIMES: HABIT_NEAR,
    FORMER_TIMES: FORMER_NEAR,
}
# When something happens that takes its time.
FAR: dict[Times, Times] = {
    PAST_TIMES: PAST_FAR,
    PAST_NEAR: PAST_FAR,
    FUTURE_TIMES: FUTURE_FAR,
    FUTURE_NEAR: FUTURE_FAR,
    HABIT_TIMES: HABIT_TIMES[len(HABIT_NEAR) :],
}
