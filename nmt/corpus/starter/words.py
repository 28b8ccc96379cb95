"""Words that remember what they mean, and the spelling rules that hold between neighbours.

A phrase is built twice, in French and in English, out of words that carry *keys*. Words of the two sides that share a
key translate each other: that is the gold alignment, and it survives elision ("l'" + "eau" is one token with two keys).
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

_fresh = count(1)

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


def starts_with_vowel(word: str) -> bool:
    """Whether a French word makes the one before it drop its vowel: a vowel or a mute h, not an aspirated one."""
    lower = word.lower()
    if lower.startswith(ASPIRATED):
        return False
    return lower[0] in VOWELS or lower[0] == "h" or lower == "y" or lower.startswith("y-")


def french_tokens(words: Iterable[Word]) -> list[Word]:
    """Whitespace tokens of a French sentence: contraction (du, aux), elision (l'eau, s'il), spaces before ? and !."""
    line = list(words)
    tokens: list[Word] = []
    pending: list[Word] = []  # elided words waiting for the one that they lean on
    last = len(line) - 1
    i = 0
    while i <= last:
        word = line[i]
        following = line[i + 1] if i < last else None
        if following is not None and following.article:
            contracted = CONTRACTED.get((word.text, following.text))
            # before a vowel le elides instead: à l'hôtel
            if contracted and not (following.text == "le" and i + 2 <= last and starts_with_vowel(line[i + 2].text)):
                word = Word(contracted, word.keys + following.keys)
                i += 1
                following = line[i + 1] if i < last else None
        _emit_french(word, following, pending, tokens)
        i += 1
    return _capitalised(tokens)


def _emit_french(word: Word, following: Word | None, pending: list[Word], tokens: list[Word]) -> None:
    text = word.text
    if text in ",.":
        last = tokens[-1]
        tokens[-1] = Word(last.text + text, last.keys)
        return
    if following is not None:
        after = following.text
        if text in ELIDING and starts_with_vowel(after):
            pending.append(Word(text[:-1] + "'", word.keys))
            return
        if text == "si" and after in ("il", "ils"):
            pending.append(Word("s'", word.keys))
            return
    if pending:
        text = "".join(part.text for part in pending) + text
        keys = tuple(key for part in pending for key in part.keys) + word.keys
        pending.clear()
        tokens.append(Word(text, keys))
        return
    tokens.append(word)


def english_tokens(words: Iterable[Word]) -> list[Word]:
    """Whitespace tokens of an English sentence: "a" becomes "an" by sound, all punctuation leans on the word before."""
    tokens: list[Word] = []
    for word in words:
        text = word.text
        if text in ",.?!;:" or text == "'s" or text == "'":
            last = tokens[-1]
            tokens[-1] = Word(last.text + text, last.keys + word.keys)
            continue
        if tokens and tokens[-1].text == "a" and english_vowel_sound(text):
            tokens[-1] = Word("an", tokens[-1].keys)
        tokens.append(word)
    return _capitalised(tokens)


def english_vowel_sound(word: str) -> bool:
    """Whether "an" goes before this English word: an hour, an umbrella, but a uniform."""
    lower = word.lower()
    if lower.startswith(VOWEL_SOUND):
        return True
    return lower[0] in "aeiou" and not lower.startswith(CONSONANT_SOUND)


def _capitalised(tokens: list[Word]) -> list[Word]:
    """Each sentence begins with a capital letter."""
    start = True
    for i, token in enumerate(tokens):
        if start:
            tokens[i] = Word(token.text[0].upper() + token.text[1:], token.keys)
        start = token.text[-1] in ENDS
    return tokens


def alignment(source: list[Word], target: list[Word]) -> tuple[tuple[int, int], ...]:
    """Links between the tokens of two sentences: all pairs that share a key, in order."""
    where: dict[int, list[int]] = {}
    for j, word in enumerate(target):
        for key in word.keys:
            where.setdefault(key, []).append(j)
    links = {(i, j) for i, word in enumerate(source) for key in word.keys for j in where.get(key, ())}
    return tuple(sorted(links))
