"""Who and what: pronouns, names and noun phrases, in both languages at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from nmt.corpus.starter.french import agree
from nmt.corpus.starter.lexicon_adjectives import VOWEL_FORMS, Adjective
from nmt.corpus.starter.lexicon_adverbs import NUMBERS
from nmt.corpus.starter.lexicon_nouns import Noun
from nmt.corpus.starter.words import Phrase, Word, Words, new_key, starts_with_vowel

# the, a (des in the plural), some (du), this, a possessive, a whole kind (le pain, bread), de after a negation,
# quelques, beaucoup de, a number.
Determiner = Literal["the", "a", "some", "this", "own", "kind", "none", "few", "many", "number"]

POSSESSIVES_FR = (
    ("mon", "ma", "mes"), ("ton", "ta", "tes"), ("son", "sa", "ses"),
    ("notre", "notre", "nos"), ("votre", "votre", "vos"), ("leur", "leur", "leurs"),
)  # fmt: skip
POSSESSIVES_EN = ("my", "your", "", "our", "your", "their")


@dataclass(slots=True, eq=False)
class Nominal:
    """What can be a subject or an object.

    person: 0 to 5 (je .. ils) for the French verb; en_person: the same for the English one ("on" is "we").
    object: the clitic that stands for it, with its English; subject: its subject pronoun.
    """

    fr: Words
    en: Words
    person: int
    en_person: int
    feminine: bool
    plural: bool
    human: bool = True
    noun: Noun | None = None
    pronoun: bool = False

    @property
    def phrase(self) -> Phrase:
        """As words."""
        return Phrase(self.fr, self.en)


# French, English, person, English person, feminine, plural.
PRONOUNS = {
    "je": ("I", 0, 0, False, False),
    "tu": ("you", 1, 1, False, False),
    "il": ("he", 2, 2, False, False),
    "elle": ("she", 2, 2, True, False),
    "on": ("we", 2, 3, False, True),
    "nous": ("we", 3, 3, False, True),
    "vous": ("you", 4, 4, False, True),
    "ils": ("they", 5, 5, False, True),
    "elles": ("they", 5, 5, True, True),
}
OBJECT_PRONOUNS_EN = ("me", "you", "", "us", "you", "them")


def pronoun(french: str, english: str = "") -> Nominal:
    """A subject pronoun; `english` where il is not he ("il pleut")."""
    usual, person, en_person, is_feminine, plural = PRONOUNS[french]
    key = (new_key(),)
    return Nominal(
        (Word(french, key),), (Word(english or usual, key),), person, en_person, is_feminine, plural,
        human=not english, pronoun=True,
    )  # fmt: skip


def name(text: str, is_feminine: bool) -> Nominal:
    """A first name."""
    words = (Word(text, (new_key(),)),)
    return Nominal(words, words, 2, 2, is_feminine, False)


def both(first: Nominal, second: Nominal) -> Nominal:
    """X et Y."""
    key = (new_key(),)
    return Nominal(
        (*first.fr, Word("et", key), *second.fr),
        (*first.en, Word("and", key), *second.en),
        5, 5, first.feminine and second.feminine, True, first.human,
    )  # fmt: skip


def subject_pronoun(of: Nominal) -> Nominal:
    """The pronoun that takes up a nominal: il, elle, ils, elles; a thing is "it"."""
    if of.pronoun:
        key = (new_key(),)
        return Nominal(
            (Word(of.fr[0].text, key),), (Word(of.en[0].text, key),), of.person, of.en_person, of.feminine, of.plural,
            pronoun=True,
        )  # fmt: skip
    french = ("elle" if of.feminine else "il") + ("s" if of.plural else "")
    return pronoun(french, "" if of.human or of.plural else "it")


def english_object(of: Nominal) -> str:
    """me, you, him, her, it, us, them."""
    usual = OBJECT_PRONOUNS_EN[of.en_person]
    if usual:
        return usual
    if not of.human:
        return "it"
    return "her" if of.feminine else "him"


def noun_phrase(
    noun: Noun,
    determiner: Determiner,
    plural: bool = False,
    adjectives: Sequence[Adjective] = (),
    owner: Nominal | None = None,
    number: int = 0,
    bare: bool = False,
) -> Nominal:
    """A determiner, a noun and its adjectives, all agreeing.

    owner: whose it is, for "own".  number: how many, for "number".
    bare: English has no article where French says des or du: of habits (he eats bread every morning).
    """
    plural = plural or determiner in ("few", "number") or (determiner == "many" and "mass" not in noun.tags)
    is_feminine = noun.gender == "f"
    key = (new_key(),)
    en = [Word(part, key) for part in (noun.en_plural if plural else noun.en).split()]
    after: list[Word] = []
    before: list[Word] = []
    head = noun.fr_plural if plural else noun.fr
    describing: list[Word] = []
    for adjective in adjectives:
        form = agree(adjective.fr, adjective.fr_feminine, is_feminine, plural)
        if form in VOWEL_FORMS and starts_with_vowel(head):
            form = VOWEL_FORMS[adjective.fr]
        meaning = (new_key(),)
        (before if adjective.before else after).append(Word(form, meaning))
        describing.append(Word(adjective.en, meaning))
    rest = [*before, *(Word(part, key) for part in head.split()), *after]
    fr_det, en_det = _determiner(determiner, noun, plural, rest, owner, number, bare, bool(before))
    person = 5 if plural else 2
    return Nominal(
        (*fr_det, *rest), (*en_det, *describing, *en), person, person, is_feminine, plural, "human" in noun.tags, noun
    )


def _determiner(
    determiner: Determiner,
    noun: Noun,
    plural: bool,
    rest: list[Word],
    owner: Nominal | None,
    number: int,
    bare: bool,
    adjective_first: bool,
) -> tuple[Words, Words]:
    """The words before the noun: what French says, and what English says (or does not)."""
    is_feminine = noun.gender == "f"
    vowel = starts_with_vowel(rest[0].text)
    key = (new_key(),)
    article = "les" if plural else "la" if is_feminine else "le"
    match determiner:
        case "the":
            return (Word(article, key, True),), (Word("the", key),)
        case "kind":
            return (Word(article, key, True),), ()
        case "a" if plural:
            return (Word("de" if adjective_first else "des", key),), () if bare else (Word("some", key),)
        case "a":
            return (Word("une" if is_feminine else "un", key),), (Word("a", key),)
        case "some":
            return (Word("de", key), Word(article, key, True)), () if bare else (Word("some", key),)
        case "none":
            countable = not plural and "mass" not in noun.tags
            return (Word("de", key),), (Word("a", key),) if countable else () if bare else (Word("any", key),)
        case "this":
            french = "ces" if plural else "cette" if is_feminine else "cet" if vowel else "ce"
            return (Word(french, key),), (Word("these" if plural else "this", key),)
        case "few":
            return (Word("quelques", key),), (Word("a", key), Word("few", key))
        case "many":
            other = (new_key(),)
            return (Word("beaucoup", key), Word("de", other)), (Word("a", key), Word("lot", key), Word("of", other))
        case "number":
            french, english = NUMBERS[number]
            return (Word(french, key),), (Word(english, key),)
        case "own":
            assert owner is not None
            return (
                (Word(_possessive_fr(owner, is_feminine, plural, vowel), key),),
                (Word(POSSESSIVES_EN[owner.en_person] or _possessive_en(owner), key),),
            )


def _possessive_fr(owner: Nominal, is_feminine: bool, plural: bool, vowel: bool) -> str:
    masculine_form, feminine_form, plural_form = POSSESSIVES_FR[owner.person]
    if plural:
        return plural_form
    return feminine_form if is_feminine and not vowel else masculine_form


def _possessive_en(owner: Nominal) -> str:
    if not owner.human:
        return "its"
    return "her" if owner.feminine else "his"


def with_possessor(thing: Nominal, owner: Nominal) -> Nominal:
    """la voiture de Paul, Paul's car. `thing` must have the article le, which English drops."""
    key = (new_key(),)
    mark = "'" if owner.en[-1].text.endswith("s") and owner.plural else "'s"
    thing.fr = (*thing.fr, Word("de", key), *owner.fr)
    thing.en = (*owner.en, Word(mark, key), *thing.en[1:])
    return thing


def preposition_of(noun: Noun, going: bool = False) -> Phrase:
    """dans / in, into; à / at, to; sur / on, to."""
    key = (new_key(),)
    if "à" in noun.tags:
        return Phrase((Word("à", key),), (Word("to" if going else "at", key),))
    if "sur" in noun.tags:
        return Phrase((Word("sur", key),), (Word("onto" if going else "on", key),))
    return Phrase((Word("dans", key),), (Word("into" if going else "in", key),))


def agreeing(adjective: Adjective, subject: Nominal) -> Phrase:
    """An adjective by itself, agreeing with what it is said of."""
    key = (new_key(),)
    french = agree(adjective.fr, adjective.fr_feminine, subject.feminine, subject.plural)
    return Phrase((Word(french, key),), tuple(Word(part, key) for part in adjective.en.split()))
