"""Drawing words that make sense together: who does what, to what, of what colour, where and when.

A `Draw` also notes which (verb, object) and (noun, adjective) pairs a sentence uses, because some of them are held out.
"""

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import TypeVar

from nmt.corpus.starter import lexicon_adverbs as lists
from nmt.corpus.starter.clauses import Clause, Negation, Tense, object_clitic, recipient_clitic
from nmt.corpus.starter.collocations import (
    ATTRIBUTES,
    CLASHES,
    FAMILY,
    FAR,
    FUTURE_TIMES,
    GAINING,
    HERE_TO,
    MUSING,
    NEAR,
    OBJECTS,
    OWNED,
    OWNED_TOO,
    PREDICATES,
    PUBLIC,
    SOON,
    SPOTS,
    TELLING,
    TO_PLACES,
    TOWNS_TO,
    Pair,
    Times,
    verbs_for,
)
from nmt.corpus.starter.lexicon_adjectives import COLORS, Adjective
from nmt.corpus.starter.lexicon_nouns import Noun
from nmt.corpus.starter.lexicon_verbs import BE
from nmt.corpus.starter.nominals import Determiner, Nominal, agreeing, both, name, noun_phrase, preposition_of, pronoun
from nmt.corpus.starter.verbs import Verb
from nmt.corpus.starter.words import Phrase

Item = TypeVar("Item")

NAMES = (*lists.MEN, *lists.WOMEN)
WOMEN = frozenset(lists.WOMEN)
SUBJECTS = ("je", "tu", "il", "elle", "on", "nous", "vous", "ils", "elles", "name", "couple", "family", "public")
SUBJECT_WEIGHTS = tuple(accumulate((18, 6, 9, 9, 3, 9, 9, 5, 3, 14, 3, 6, 7)))
OTHERS = ("name", "family", "public")
OTHER_WEIGHTS = tuple(accumulate((8, 6, 7)))


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

    def person(self, noun: Noun, alone: bool = False) -> Nominal:
        """my brother, the young doctor, these children.  alone: just one of them."""
        if "public" in noun.tags:
            determiner: Determiner = "this" if self.chance(0.15) else "the"
            plural = self.chance(0.25) and not alone
            return noun_phrase(noun, determiner, plural, self.adjectives(noun, 0.2))
        owners = ("je", "je", "tu", "vous") if noun.fr == "mari" else ("je", "je", "tu", "nous", "vous")
        plural = "many" in noun.tags and self.chance(0.15) and not alone
        return noun_phrase(noun, "own", plural, owner=pronoun(self.one(owners)))

    def someone_alone(self) -> Nominal:
        """One person, named or described, who has an age and a birthday."""
        if self.chance(0.4):
            return self.name()
        return self.person(self._new(FAMILY if self.chance(0.5) else PUBLIC), alone=True)

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
        choices = (TELLING if telling else ATTRIBUTES)[noun]
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

    def described(self, noun: Noun) -> Adjective:
        """What can be said of a thing; there must be something."""
        adjective = self.one(PREDICATES[noun])
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
        # of habits one speaks in the plural
        # of habits one speaks in the plural
        often = bare and not definite and noun.tags & {"edible", "portable", "clothes", "animal", "nature"}
        plural = plural or bool(often) or self.several(noun, 0.6)
        plural = plural and not mass and not singular
        determiner = self._determiner(noun, mass, definite, owner, negated, bare)
        if determiner == "a" and "many" in noun.tags and not singular and not bare and self.chance(0.3):
            determiner = self.one(("number", "number", "few", "many"))
        elif determiner == "some" and self.chance(0.12):
            determiner = "many"
        telling = determiner in ("the", "own")
        # nobody shares a tie
        shared = owner is not None and owner.plural and determiner == "own" and "clothes" in noun.tags
        plural = plural or (shared and not singular)
        chosen = self.adjectives(noun, adjectives, telling, verb) if determiner != "none" else []
        return noun_phrase(noun, determiner, plural, chosen, owner, self.one((2, 3, 4, 5, 6)), bare)

    def several(self, noun: Noun, probability: float) -> bool:
        """Whether to speak of more than one: of shoes always, of trains never."""
        return "paired" in noun.tags or ("many" in noun.tags and self.chance(probability))

    def some(self, noun: Noun, adjectives: float = 0.15, verb: str = "") -> Nominal:
        """An indefinite thing, as one meets it first: a book, some bread."""
        mass = "mass" in noun.tags
        chosen = self.adjectives(noun, adjectives, verb=verb)
        plural = self.several(noun, 0.8 if "fruit" in noun.tags else 0.6) and not mass
        return noun_phrase(noun, "some" if mass else "a", plural, chosen)

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
        if definite or dice < (0.1 if habit and negated else 0.35 if habit else 0.45 if mass else 0.55):
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
        adjectives = [] if "à" in noun.tags else self.adjectives(noun, 0.15, telling=True)
        where = noun_phrase(noun, "the", adjectives=adjectives)
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
            definite=verb.plain_objects or bool(verb.fr_preposition and not verb.singular_objects),
            owner=None if verb.fr in GAINING else clause.subject,
            negated=bool(clause.negation) and not verb.fr_preposition,
            bare=clause.habit or clause.negation in ("jamais", "plus"),
            singular=verb.singular_objects,
            plural=verb.plural_objects,
            verb=verb.fr,
        )

    def when(self, times: Times, clause: Clause) -> Phrase:
        """One of the times, as near as the deed needs it."""
        verb = clause.verb
        choices = NEAR.get(times, times) if verb.brief else FAR.get(times, times) if verb.slow else times
        time = self.one(choices)
        # what is not done, is not done soon; and who would ask about soon
        return self.one(NEAR[FUTURE_TIMES]) if time is SOON and (clause.negation or clause.question) else time

    def acts(
        self,
        subject: Nominal,
        tense: Tense = "present",
        habit: bool = False,
        negation: Negation = "",
        chain: Verb | None = None,
    ) -> Clause:
        """The subject does something to a thing, to someone, for someone, or just does it."""
        clause = Clause(subject, BE, tense, habit, chain, negation)
        things, gifts, people, alone = verbs_for(clause)
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
        clause.verb = self.one(verbs_for(clause)[0])
        while clause.verb.fr in MUSING:
            clause.verb = self.one(verbs_for(clause)[0])
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
        anyone = "human" in clause.verb.takes
        clause.object = self.someone() if anyone else self.person(self._new(OBJECTS[clause.verb]))
        if clause.object.noun is not None:
            self.pairs.append((clause.verb.fr, clause.object.noun.fr))

    def being(self, subject: Nominal, adjective: Adjective, tense: Tense = "present") -> Clause:
        """The subject is so; the adjective agrees with it in French."""
        return Clause(subject, BE, tense, tail=agreeing(adjective, subject))


def _overlap(text: str, subject: Nominal) -> bool:
    """Whether the pronoun and the subject share a person: "je me vois" would be another verb."""
    first = text in ("je", "nous")
    return subject.en_person in ((0, 3) if first else (1, 4))
