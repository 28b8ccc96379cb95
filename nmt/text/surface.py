"""What can be seen of a text without understanding it: its letters, words, numbers, addresses and scripts."""

import re
import string
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache

LONGEST_PERIOD = 16  # units: a loop longer than that shows as a too long text

PUNCTUATION = string.punctuation + "«»‹›„“”‚‘’…–—¿¡·•。，、！？；：（）「」『』《》〈〉【】।؟،"
# Written without blanks: each character counts as a word. Thai, Lao, Burmese, Khmer, kana, Han.
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
URL = re.compile(r"(?:https?://|www\.)[!-~]+", re.IGNORECASE)
EMAIL = re.compile(r"[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")

_BETWEEN_DIGITS = "[.,'’\u00a0\u202f\u2009]"
_NUMBER = re.compile(rf"(?<!\d)\d{{1,3}}(?: \d{{3}})+(?!\d)|\d+(?:{_BETWEEN_DIGITS}\d+)*")
_NO_ASCII_LETTERS = bytes(code for code in range(128) if not chr(code).isalpha())
# Neither letters nor marks, where punctuation, digits and symbols of the living scripts lie; and the pictures.
_NO_LETTERS = re.compile(
    "[{}\ufe00-\ufe0f\uff00-\uff20\uff3b-\uff40\uff5b-\uff65\U0001f000-\U0001faff]+".format(
        "".join(chr(code) for code in range(0x80, 0x3100) if unicodedata.category(chr(code))[0] not in "LM")
    )
)


def letters(text: str) -> str:
    """`text` in lower case with all but its letters left out: digits, punctuation, symbols and blanks."""
    kept = text.casefold().encode("utf-8", "replace").translate(None, _NO_ASCII_LETTERS).decode("utf-8")
    return kept if kept.isascii() or kept.isalpha() else _NO_LETTERS.sub("", kept)


def split_units(text: str) -> list[str]:
    """Words without the punctuation around them, in their own case; of unspaced scripts the characters."""
    if not text.isascii():
        text = UNSPACED.sub(r" \g<0> ", text)
    return [word.strip(PUNCTUATION) or word for word in text.split()]


def longest_repeat(units: Sequence[str]) -> int:
    """Units of the longest run in which one span follows itself at least twice: 4 for `a b a b a b`; 0 for none."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for index, unit in enumerate(units):
        places[unit.lower()].append(index)
    apart: Counter[int] = Counter()  # how often a unit stands so many places behind itself
    for found in places.values():
        if len(found) > 2:
            for end, later in enumerate(found):
                for before in range(end - 1, -1, -1):  # no slice: it would copy all of them each time
                    if later - found[before] > LONGEST_PERIOD:
                        break
                    apart[later - found[before]] += 1
    lowered = [unit.lower() for unit in units] if apart else []
    longest = 0
    for period, times in apart.items():
        run = 0
        for old, new in zip(lowered, lowered[period:], strict=False) if times >= 2 * period else ():
            run = run + 1 if old == new else 0
            if run >= 2 * period:
                longest = max(longest, run)
    return longest


def find_numbers(text: str) -> set[str]:
    """Every number as its digits alone, so that 12.345,67 equals 12,345.67; those inside of addresses left out."""
    if "@" in text or "://" in text or "www." in text:
        text = EMAIL.sub(" ", URL.sub(" ", text))
    return {only_digits(number) for number in _NUMBER.findall(text)}


def only_digits(text: str) -> str:
    """The decimal digits of any script, as 0 to 9."""
    return "".join(str(unicodedata.decimal(letter)) for letter in text if letter.isdecimal())


@cache
def script_of(letter: str) -> str:
    """LATIN, CYRILLIC, HAN's CJK, ...: how Unicode's name of the letter begins."""
    words = re.split("[ -]", unicodedata.name(letter, ""))
    return words[1] if words[0] in ("FULLWIDTH", "HALFWIDTH") else words[0]
