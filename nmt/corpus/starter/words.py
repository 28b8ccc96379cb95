"""Words that remember what they mean, and the spelling rules that hold between neighbours.

A phrase is built twice, in French and in English, out of words that carry *keys*. Words of the two sides that share a
key translate each other: that is the gold alignment, and it survives elision ("l'" + "eau" is one token with two keys).
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import NamedTuple

# In steps, so that a few meanings that belong together can be numbered from one.
STEP = 8
_fresh = count(STEP, STEP)

# These begin with an h (or a y, or a number) before which nothing is elided: le haricot, la hache, le yaourt, le onze.
ASPIRATED = ("hache", "hamster", "haricot", "haut", "héros", "hibou", "hockey", "homard", "huit", "onze", "oui")
VOWELS = frozenset("aàâeéèêëiîïoôuùûüœ")
ELIDING = frozenset(("je", "me", "te", "se", "le", "la", "ne", "de", "que", "ce", "lorsque", "puisque"))

# English takes its article by sound, not by letter.
VOWEL_SOUND = ("hour", "honest", "heir")
CONSONANT_SOUND = ("uni", "use", "euro", "one", "once", "ukulele")


class Word(NamedTuple):
    """One word, the keys of what it means, and whether it is an article (which à and de swallow, unlike a pronoun)."""

    text: str
    keys: tuple[int, ...] = ()
    article: bool = False


Words = tuple[Word, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Phrase:
    """The same meaning, said twice. Phrases can be added: both sides one after the other."""

    fr: Words = ()
    en: Words = ()

    def __add__(self, other: "Phrase") -> "Phrase":
        return Phrase(self.fr + other.fr, self.en + other.en)


def new_key() -> int:
    """A meaning that no other word has yet."""
    return next(_fresh)


def phrase(french: str, english: str) -> Phrase:
    """A fixed phrase. Words marked alike translate each other: "la semaine/1 dernière/2" and "last/2 week/1".

    Unmarked words of one side translate the unmarked ones of the other, as idioms do.
    """
    keys: defaultdict[str, int] = defaultdict(new_key)
    sides: list[Words] = []
    for text in (french, english):
        pieces = [piece.partition("/") for piece in text.split()]
        sides.append(tuple(Word(word, tuple(keys[m] for m in marks.split(","))) for word, _, marks in pieces))
    return Phrase(sides[0], sides[1])


CONTRACTED = {("de", "le"): "du", ("de", "les"): "des", ("à", "le"): "au", ("à", "les"): "aux"}
ENDS = frozenset(".?!")
MARKS = frozenset(",.")  # written without a space before them
LEANING = frozenset((",", ".", "?", "!", "'s", "'"))
HE = frozenset(("il", "ils"))


@cache
def starts_with_vowel(word: str) -> bool:
    """Whether a French word makes the one before it drop its vowel: a vowel or a mute h, not an aspirated one."""
    lower = word.lower()
    if lower.startswith(ASPIRATED):
        return False
    return lower[0] in VOWELS or lower[0] == "h" or lower == "y"


class Tokens(NamedTuple):
    """Whitespace tokens, and what each of them means."""

    texts: list[str]
    keys: list[tuple[int, ...]]


def french_tokens(words: Sequence[Word]) -> Tokens:
    """Whitespace tokens of a French sentence: contraction (du, aux), elision (l'eau, s'il), spaces before ? and !."""
    texts: list[str] = []
    meanings: list[tuple[int, ...]] = []
    elided = ""  # what leans on the next word
    keys: tuple[int, ...] = ()
    last = len(words) - 1
    skip = False
    start = True
    for i, word in enumerate(words):
        if skip:
            skip = False
            continue
        text, meaning, _ = word
        if text in MARKS:
            texts[-1] += text
            start = text == "."
            continue
        if i < last:
            following = words[i + 1]
            if following.article and _contracts(text, words, i + 1):
                text, meaning, skip = CONTRACTED[text, following.text], meaning + following.keys, True
            elif (text in ELIDING and starts_with_vowel(following.text)) or (text == "si" and following.text in HE):
                elided, keys = elided + text[:-1] + "'", keys + meaning
                continue
        if start:
            elided, text = (elided[:1].upper() + elided[1:], text) if elided else ("", text[:1].upper() + text[1:])
        texts.append(elided + text)
        meanings.append(keys + meaning)
        elided, keys = "", ()
        start = text in ENDS
    return Tokens(texts, meanings)


def _contracts(text: str, words: Sequence[Word], article: int) -> bool:
    """de le is du and à le is au, but before a vowel le elides instead: à l'hôtel."""
    if (text, words[article].text) not in CONTRACTED:
        return False
    return words[article].text == "les" or not starts_with_vowel(words[article + 1].text)


def english_tokens(words: Sequence[Word]) -> Tokens:
    """Whitespace tokens of an English sentence: "a" becomes "an" by sound, all punctuation leans on the word before."""
    texts: list[str] = []
    meanings: list[tuple[int, ...]] = []
    start = True
    last = len(words) - 1
    for i, word in enumerate(words):
        text, keys, _ = word
        if text in LEANING:
            texts[-1] += text
            meanings[-1] += keys
            start = text in ENDS
            continue
        if text == "a" and i < last and english_vowel_sound(words[i + 1].text):
            text = "an"
        if start:
            text, start = text[:1].upper() + text[1:], False
        texts.append(text)
        meanings.append(keys)
    return Tokens(texts, meanings)


@cache
def english_vowel_sound(word: str) -> bool:
    """Whether "an" goes before this English word: an hour, an umbrella, but a uniform."""
    lower = word.lower()
    if lower.startswith(VOWEL_SOUND):
        return True
    return lower[0] in "aeiou" and not lower.startswith(CONSONANT_SOUND)


def alignment(source: Tokens, target: Tokens) -> tuple[tuple[int, int], ...]:
    """Links between the tokens of two sentences: all pairs that share a key, in order."""
    where: dict[int, list[int]] = {}
    for j, keys in enumerate(target.keys):
        for key in keys:
            where.setdefault(key, []).append(j)
    links = {(i, j) for i, keys in enumerate(source.keys) for key in keys if key in where for j in where[key]}
    return tuple(sorted(links))
