"""Drawing words that make sense together: who can do what, to what, of what colour, where and when.

A `Draw` also notes which (verb, object) and (noun, adjective) pairs a sentence uses, because some of them are held out.
"""

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import Literal, TypeVar

from nmt.corpus.starter import lexicon_adverbs as lists
from nmt.corpus.starter.clauses import Clause, Negation, Tense, object_clitic, recipient_clitic
from nmt.corpus.starter.french import agree
from nmt.corpus.starter.lexicon_adjectives import COLORS, DESCRIPTIONS, FEELINGS, Adjective
from nmt.corpus.starter.lexicon_adjectives import TELLING as TELLING_ONES
from nmt.corpus.starter.lexicon_nouns import NOUNS, Noun
from nmt.corpus.starter.lexicon_verbs import (
    BE,
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
from nmt.corpus.starter.nominals import Determiner, Nominal, both, name, noun_phrase, pronoun
from nmt.corpus.starter.verbs import Verb
from nmt.corpus.starter.words import Phrase, Word, new_key, phrase

Item = TypeVar("Item")
Pair = tuple[str, str]


def nouns_with(*tags: str) -> tuple[Noun, ...]:
    """The nouns that have one of these tags, or are named themselves."""
    wanted = frozenset(tags)
    return tuple(noun for noun in NOUNS if noun.tags & wanted or noun.fr in wanted)


OBJECTS: dict[Verb, tuple[Noun, ...]] = {
    verb: nouns_with(*verb.takes)
    for verb in (*TRANSITIVE, *GIVING, *LIKING, *SOCIAL, *REFLEXIVE, PLAY_GAME, PLAY_MUSIC, STUDY)
}
ADJECTIVES: dict[Noun, tuple[Adjective, ...]] = {
    noun: tuple(a for a in DESCRIPTIONS if noun.tags & a.goes_with or noun.fr in a.goes_with) for noun in NOUNS
}
TROUBLES = tuple(
    feeling
    for feeling in FEELINGS
    if feeling.fr in ("fatigué", "malade", "triste", "inquiet", "nerveux", "seul", "déçu", "blessé")
)
# Nobody washes what is clean, or chooses what is dirty.
CLASHES = {
    "vider": ("vide",), "laver": ("propre",), "nettoyer": ("propre",), "choisir": ("sale", "mauvais", "vide"),
    "acheter": ("sale", "mauvais", "vide"), "commander": ("mauvais",), "offrir": ("mauvais", "sale"),
    "préparer": ("mauvais",), "donner": ("sale", "mauvais"), "porter": ("sale",), "mettre": ("sale",),
}  # fmt: skip
NAMES = (*lists.MEN, *lists.WOMEN)
WOMEN = frozenset(lists.WOMEN)
TELLING: dict[Noun, tuple[Adjective, ...]] = {
    noun: tuple(a for a in adjectives if a.fr in TELLING_ONES or "human" in noun.tags)
    for noun, adjectives in ADJECTIVES.items()
}
DESCRIBED = tuple(noun for noun in NOUNS if ADJECTIVES[noun])
FAMILY = nouns_with("family", "parent")
PUBLIC = nouns_with("public")
TO_PLACES = nouns_with("à", "room", "forêt", "île")
THINGS = nouns_with("portable", "clothes")
OWNED = frozenset(("portable", "clothes", "furniture", "ownable", "pet", "instrument"))
OWNED_TOO = frozenset(("maison", "appartement", "jardin", "chambre", "ferme", "rêve", "projet", "emploi", "voyage"))

# What can go on now, what can be a habit, and what can be done once.
Manner = Literal["ongoing", "habit", "done"]
KINDS = (TRANSITIVE, GIVING, SOCIAL, INTRANSITIVE)
VERBS: dict[Manner, tuple[tuple[Verb, ...], ...]] = {
    "ongoing": tuple(tuple(verb for verb in kind if not (verb.instant or verb.state)) for kind in KINDS),
    "habit": tuple(tuple(verb for verb in kind if not verb.seldom) for kind in KINDS),
    "done": KINDS,
}

SUBJECTS = ("je", "tu", "il", "elle", "on", "nous", "vous", "ils", "elles", "name", "couple", "family", "public")
SUBJECT_WEIGHTS = tuple(accumulate((18, 6, 9, 9, 3, 9, 9, 5, 3, 14, 3, 6, 7)))
OTHERS = ("name", "family", "public", "couple")
OTHER_WEIGHTS = tuple(accumulate((8, 6, 7, 1)))


def _phrases(lines: str) -> tuple[Phrase, ...]:
    return tuple(phrase(*(side.strip() for side in line.split("|"))) for line in lines.strip().split("\n"))


PAST_TIMES = _phrases(lists.PAST_TIMES)
FUTURE_TIMES = _phrases(lists.FUTURE_TIMES)
HABIT_TIMES = _phrases(lists.HABIT_TIMES)
NOW_TIMES = _phrases(lists.NOW_TIMES)
FORMER_TIMES = _phrases(lists.FORMER_TIMES)
# The days among them: what has an hour has a day.
PAST_DAYS, FUTURE_DAYS = _phrases(lists.PAST_DAYS), _phrases(lists.FUTURE_DAYS)
FREQUENCIES = _phrases(lists.FREQUENCIES)
POSITIONS = _phrases(lists.POSITIONS)
TOWNS_AT, TOWNS_TO = (
    _phrases("\n".join(f"{line.split('|')[0]}|{line.split('|')[i]}" for line in lists.TOWNS.strip().split("\n")))
    for i in (1, 2)
)
COUNTRIES_AT = tuple(place for place in TOWNS_AT if place.fr[0].text != "à")
HERE_AT, HERE_TO = (
    _phrases("\n".join(f"{line.split('|')[0]}|{line.split('|')[i]}" for line in lists.HERE.strip().split("\n")))
    for i in (1, 2)
)


def _spots(words: str) -> tuple[Noun | tuple[Phrase, ...], ...]:
    fixed = {
        "town": TOWNS_AT,
        "country": COUNTRIES_AT,
        "here": HERE_AT[:2],
        "home": HERE_AT[2:3],
        "school": HERE_AT[3:],
    }
    named = {noun.fr: noun for noun in NOUNS}
    return tuple(fixed[word] if word in fixed else named[word] for word in words.split())


SPOTS = {key: _spots(words) for key, words in WHERE.items()}


class Draw:
    """A source of random choices, and the pairs of words that the present sentence has used.

    share: under 1, only so much of each list is used, so that a small corpus has few words but those often.
    """

    def __init__(self, rng: Random, share: float = 1.0) -> None:
        self.rng = rng
        self.share = share
        self.pairs: list[Pair] = []
        self.met: set[str] = set()  # the people of the sentence: each comes once

    def begin(self) -> None:
        """Forget the sentence before."""
        self.pairs = []
        self.met = set()

    # chance ---------------------------------------------------------------------------------------------------

    def chance(self, probability: float) -> bool:
        """True that often."""
        return self.rng.random() < probability

    def one(self, items: Sequence[Item]) -> Item:
        """One of them, all equally likely."""
        return items[int(self.rng.random() * (len(items) if self.share == 1.0 else self._few(len(items))))]

    def _few(self, size: int) -> int:
        return min(size, max(3, round(self.share * size)))

    def weighted(self, items: Sequence[Item], totals: Sequence[float]) -> Item:
        """One of them; totals: running sums of how likely each is."""
        return items[bisect(totals, self.rng.random() * totals[-1])]

    # people ---------------------------------------------------------------------------------------------------

    def subject(self) -> Nominal:
        """Anyone who can do something."""
        return self._someone(self.weighted(SUBJECTS, SUBJECT_WEIGHTS))

    def someone(self) -> Nominal:
        """A person who is named or described: not a pronoun."""
        return self._someone(self.weighted(OTHERS, OTHER_WEIGHTS))

    def _someone(self, kind: str) -> Nominal:
        match kind:
            case "name":
                return self.name()
            case "couple":
                return both(self.name(), self.name())
            case "family":
                return self.person(self._new(FAMILY))
            case "public":
                return self.person(self._new(PUBLIC))
            case _:
                return pronoun(kind)

    def person(self, noun: Noun) -> Nominal:
        """my brother, the young doctor, these children."""
        if "public" in noun.tags:
            determiner: Determiner = "this" if self.chance(0.15) else "the"
            return noun_phrase(noun, determiner, self.chance(0.25), self.adjectives(noun, 0.2))
        owner = pronoun(self.one(("je", "je", "tu", "nous", "vous")))
        return noun_phrase(noun, "own", "many" in noun.tags and self.chance(0.15), owner=owner)

    def _new(self, nouns: Sequence[Noun]) -> Noun:
        noun = self.one(nouns)
        while noun.fr in self.met:
            noun = self.rng.choice(nouns)
        self.met.add(noun.fr)
        return noun

    def name(self) -> Nominal:
        """A man or a woman by first name."""
        text = self.one(NAMES)
        while text in self.met:
            text = self.rng.choice(NAMES)
        self.met.add(text)
        return name(text, text in WOMEN)

    # things ---------------------------------------------------------------------------------------------------

    def adjectives(
        self, noun: Noun, probability: float = 0.3, telling: bool = False, verb: str = ""
    ) -> list[Adjective]:
        """None, one, or (seldom) one before and one after the noun.

        telling: such as go with "the".  verb: what is done to the thing, with which some adjectives clash.
        """
        choices = (TELLING if telling else ADJECTIVES)[noun]
        if not choices or not self.chance(probability):
            return []
        first = self.one(choices)
        if first.fr in CLASHES.get(verb, ()):
            return []
        chosen = [first]
        if first.before and self.chance(0.15):
            after = [adjective for adjective in choices if adjective.fr in COLORS]
            chosen += [self.one(after)] if after else []
        self.pairs += ((noun.fr, adjective.fr) for adjective in chosen)
        return chosen

    def described(self, noun: Noun) -> Adjective | None:
        """What can be said of a thing, if anything."""
        choices = ADJECTIVES[noun]
        if not choices:
            return None
        adjective = self.one(choices)
        self.pairs.append((noun.fr, adjective.fr))
        return adjective

    def thing(
        self,
        noun: Noun,
        definite: bool = False,
        owner: Nominal | None = None,
        negated: bool = False,
        bare: bool = False,
        singular: bool = False,
        plural: bool = False,
        adjectives: float = 0.3,
        verb: str = "",
    ) -> Nominal:
        """A noun phrase around a noun: definite or not, owned or not, after a negation or not; bare in a habit."""
        mass = "mass" in noun.tags
        plural = plural or (bare and "edible" in noun.tags) or self.chance(_plural_share(noun))
        plural = plural and not mass and not singular
        determiner = self._determiner(noun, mass, definite, owner, negated, bare)
        if determiner == "a" and "many" in noun.tags and not singular and not bare and self.chance(0.3):
            determiner = self.one(("number", "number", "few", "many"))
        elif determiner == "some" and self.chance(0.12):
            determiner = "many"
        chosen = self.adjectives(noun, adjectives, determiner == "the", verb) if determiner != "none" else []
        return noun_phrase(noun, determiner, plural, chosen, owner, self.one((2, 3, 4, 5, 6, 8, 10)), bare)

    def _determiner(
        self, noun: Noun, mass: bool, definite: bool, owner: Nominal | None, negated: bool, habit: bool
    ) -> Determiner:
        dice = self.rng.random()
        # "on" is left out: son is "our" there, and no reader could tell
        on = owner is None or (owner.person, owner.en_person) == (2, 3)
        if not on and dice < 0.25 and (noun.tags & OWNED or noun.fr in OWNED_TOO):
            return "own"
        if dice < 0.36 and not habit:
            return "this"
        if definite or dice < (0.45 if mass else 0.55):
            return "the"
        if negated:
            return "none"
        return "some" if mass else "a"

    def place(self, where: str = "") -> Phrase:
        """Where; `where` is a key of WHERE, which says where a thing is usually done."""
        spot = self.one(SPOTS[where])
        if isinstance(spot, Noun):
            return self.at(spot)
        return self.one(spot)

    def at(self, noun: Noun, going: bool = False) -> Phrase:
        """dans / in, à / at, sur / on, before a place; with movement into, to, onto."""
        where = noun_phrase(noun, "the", adjectives=self.adjectives(noun, 0.15, telling=True))
        return preposition_of(noun, going) + where.phrase

    def destination(self) -> Phrase:
        """Where to."""
        dice = self.rng.random()
        if dice < 0.3:
            return self.one(TOWNS_TO)
        if dice < 0.4:
            return self.one(HERE_TO)
        return self.at(self.one(TO_PLACES), going=True)

    # doing ----------------------------------------------------------------------------------------------------

    def object_of(self, verb: Verb, clause: Clause) -> Nominal:
        """Something that the verb can be done to, as the clause needs it."""
        noun = self.one(OBJECTS[verb])
        self.pairs.append((verb.fr, noun.fr))
        if "human" in noun.tags:
            return self.person(noun)
        return self.thing(
            noun,
            definite=verb.plain_objects or bool(verb.fr_preposition),
            owner=clause.subject,
            negated=bool(clause.negation),
            bare=clause.habit or clause.negation in ("jamais", "plus"),
            singular=verb.singular_objects,
            plural=verb.plural_objects,
            verb=verb.fr,
        )

    def acts(self, subject: Nominal, tense: Tense = "present", habit: bool = False, negation: Negation = "") -> Clause:
        """The subject does something to a thing, to someone, for someone, or just does it."""
        clause = Clause(subject, BE, tense, habit, negation=negation)
        things, gifts, people, alone = VERBS[_manner(clause)]
        dice = self.rng.random()
        if dice < 0.66:
            clause.verb = self.one(things)
            clause.object = self.object_of(clause.verb, clause)
        elif dice < 0.76:
            clause.verb = self.one(gifts)
            clause.object = self.object_of(clause.verb, clause)
            clause.recipient = self.someone()
        elif dice < 0.88:
            clause.verb = self.one(people)
            self.with_person(clause)
        else:
            clause.verb = self.one(alone)
            clause.tail = self.place(clause.verb.where)
        return clause

    def handles(self, subject: Nominal, tense: Tense = "present", negation: Negation = "") -> Clause:
        """The subject does something to a thing."""
        clause = Clause(subject, BE, tense, negation=negation)
        clause.verb = self.one(VERBS[_manner(clause)][0])
        clause.object = self.object_of(clause.verb, clause)
        return clause

    def placed(self, clause: Clause, probability: float = 1.0) -> Clause:
        """The clause with a place where such things are done, if it has none yet."""
        free = not clause.tail.fr and clause.recipient is None
        if free and SPOTS[clause.verb.where] and self.chance(probability):
            clause.tail = self.place(clause.verb.where)
        return clause

    def with_person(self, clause: Clause) -> None:
        """Give a verb like "to help" its person: a full one behind it, or me, te, nous, vous before it."""
        others = [p for p in ("je", "tu", "nous", "vous") if not _overlap(p, clause.subject)]
        if self.chance(0.35):
            person = pronoun(self.one(others))
            clitic = recipient_clitic(person, "") if clause.verb.fr_preposition else object_clitic(person)
            clause.clitics = (*clause.clitics, clitic)
            return
        clause.object = self.someone()
        if clause.object.noun is not None:
            self.pairs.append((clause.verb.fr, clause.object.noun.fr))

    def being(self, subject: Nominal, adjective: Adjective, tense: Tense = "present") -> Clause:
        """The subject is so; the adjective agrees with it in French."""
        return Clause(subject, BE, tense, tail=self.agreeing(adjective, subject))

    def agreeing(self, adjective: Adjective, subject: Nominal) -> Phrase:
        """An adjective by itself, agreeing with what it is said of."""
        key = (new_key(),)
        french = agree(adjective.fr, adjective.fr_feminine, subject.feminine, subject.plural)
        return Phrase((Word(french, key),), tuple(Word(part, key) for part in adjective.en.split()))

    def feeling(self, sad: bool = False) -> Adjective:
        """tired, happy, ready ...; sad: such as calls for help."""
        return self.one(TROUBLES if sad else FEELINGS)


def _overlap(text: str, subject: Nominal) -> bool:
    """Whether the pronoun and the subject share a person: "je me vois" would be another verb."""
    first = text in ("je", "nous")
    return subject.en_person in ((0, 3) if first else (1, 4))


def _manner(clause: Clause) -> Manner:
    """Going on, a habit, or neither: not every verb can be all three."""
    if clause.habit or (clause.negation in ("jamais", "plus") and clause.tense in ("present", "imperfect")):
        return "habit"
    return "ongoing" if clause.tense in ("present", "imperfect", "since") else "done"


def _plural_share(noun: Noun) -> float:
    if "paired" in noun.tags:
        return 0.9
    return 0.3 if "many" in noun.tags else 0.0


def preposition_of(noun: Noun, going: bool = False) -> Phrase:
    """dans / in, into; à / at, to; sur / on, to."""
    key = (new_key(),)
    if "à" in noun.tags:
        return Phrase((Word("à", key),), (Word("to" if going else "at", key),))
    if "sur" in noun.tags:
        return Phrase((Word("sur", key),), (Word("onto" if going else "on", key),))
    return Phrase((Word("dans", key),), (Word("into" if going else "in", key),))
