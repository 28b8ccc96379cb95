"""What a clause is made of, in neither language: a subject, a verb, a tense, a negation, objects and pronouns."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from nmt.corpus.starter.nominals import Nominal, english_object
from nmt.corpus.starter.verbs import Verb
from nmt.corpus.starter.words import Phrase, Word, Words, new_key

# French name of the form -> what English makes of it
#   present      mange            eats (a habit, a state), else is eating
#   past         a mangé          ate; after jamais: has never eaten
#   imperfect    mangeait         used to eat (a habit), had (a state), else was eating
#   future       mangera          will eat
#   conditional  mangerait        would eat
#   going        va manger        is going to eat
#   recent       vient de manger  has just eaten
#   perfect      a déjà mangé     has already eaten
#   pluperfect   avait mangé      had eaten
#   since        mange (depuis)   has been eating; a state: has known
#   must         (faut que) mange must eat
#   arrival      (quand) mangera  (when) eats
Tense = Literal[
    "present", "past", "imperfect", "future", "conditional", "going", "recent", "perfect", "pluperfect", "since",
    "must", "arrival",
]  # fmt: skip
Negation = Literal["", "pas", "jamais", "plus", "rien", "pas encore"]
Question = Literal["", "est-ce que", "inversion", "subject"]

NOTHING = Phrase()
REFLEXIVES = ("me", "te", "se", "nous", "vous", "se")


class Clitic(NamedTuple):
    """A pronoun before the French verb. slot: its place (me te nous vous 0, le la les 1, lui leur 2, y 3, en 4).

    thing: its English stands where the object does, else after it.  agrees: what a participle agrees with, if it does.
    """

    slot: int
    fr: Word
    en: Words
    thing: bool
    agrees: Nominal | None = None


@dataclass(slots=True, eq=False)
class Clause:
    """What is said; `realization` puts it into words."""

    subject: Nominal
    verb: Verb
    tense: Tense = "present"
    habit: bool = False
    chain: Verb | None = None  # want to, have to ...: the verb is its infinitive
    negation: Negation = ""
    adverb: Phrase = NOTHING  # souvent / often: inside the verb group
    object: Nominal | None = None
    recipient: Nominal | None = None
    clitics: tuple[Clitic, ...] = ()
    tail: Phrase = NOTHING  # places, times, and what else follows
    question: Question = ""
    asked: Phrase = NOTHING  # the question word in front
    preceding: Nominal | None = None  # the object that stands before the verb, with which the participle agrees


class Keys(NamedTuple):
    """The meanings of one verb group. aux: tense, mood; main: the verb; chain: the verb that governs it."""

    aux: int
    main: int
    chain: int
    no: int
    never: int
    asks: int


def object_clitic(of: Nominal) -> Clitic:
    """le, la, les; him, her, it, them. First and second persons: me, te, nous, vous."""
    key = (new_key(),)
    slot = 1 if of.person in (2, 5) else 0
    french = "les" if of.plural else "la" if of.feminine else "le"
    text = french if slot else REFLEXIVES[of.person]
    return Clitic(slot, Word(text, key), (Word(english_object(of), key),), True, of)


def recipient_clitic(of: Nominal, preposition: str = "to") -> Clitic:
    """lui, leur, me ...; to him, to her, to them. With no preposition it is the English direct object (call him)."""
    key = (new_key(),)
    slot = 2 if of.person in (2, 5) else 0
    french = {2: "lui", 5: "leur"}.get(of.person) or REFLEXIVES[of.person]
    pronoun = Word(english_object(of), key)
    english = (Word(preposition, key), pronoun) if preposition else (pronoun,)
    return Clitic(slot, Word(french, key), english, not preposition)


def there_clitic() -> Clitic:
    """y, there."""
    key = (new_key(),)
    return Clitic(3, Word("y", key), (Word("there", key),), False)


def of_them_clitic(english: str) -> Clitic:
    """en: of them, some, any."""
    key = (new_key(),)
    return Clitic(4, Word("en", key), tuple(Word(part, key) for part in english.split()), True)


def of_it_clitic() -> Clitic:
    """en: what a verb with de is about (en parler, talk about it)."""
    return of_them_clitic("it")


def to_it_clitic() -> Clitic:
    """y: what a verb with à is about (y penser, think about it)."""
    key = (new_key(),)
    return Clitic(3, Word("y", key), (Word("it", key),), True)
