"""Noise for source text in training: the case, the punctuation and the typing errors that people's own text has.

A model that has read tidy sentences only translates `WHERE IS THE STATION` badly. Left alone is what has to come out as
it went in: words with a digit, addresses, tags, placeholders and markup. Scripts without case keep their letters.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

from nmt.config import SourceNoiseConfig
from nmt.text.lines import clean

# What stays as it is. No part of it is looked for in the middle of a run, which would take time by its length squared.
_KEPT = re.compile(
    r">>[^\s<>]+<<|</?\w[^<>]*>|&#?\w+;"  # tags, markup, entities
    r"|\{[^{}\s]*\}|\[[A-Z_]+\]|(?<!\w)__\w+__|\$[^\W\d]\w*"  # placeholders
    r"|%\(\w+\)[a-z]|%(?:\d+\$)?[-+#0.\d]*[sdifgxu]\b"
    r"|(?:(?<![a-z])[a-z]+://|www\.)[!-~]+|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"  # addresses
    r"|(?<!\w)[@#]\w+|(?<![\w-])[\w-]+(?:\.[^\W\d_]{2,})+"
    r"|(?<!\w)\w*[\d¹²³¼-¾⅐-↉①-⓿](?:[-.,:/'’%]?\w)*",  # numbers, and words with a digit
    re.IGNORECASE,
)
_PERHAPS_KEPT = re.compile(r"[\d¹²³¼-¾⅐-↉①-⓿<>{}\[\]_$%@#&]|\w\.\w|://")  # much faster than to look for them
# Words of the scripts with case: Latin, Greek, Cyrillic, Armenian. Georgian and Cherokee have another use for theirs.
_CASED = re.compile("[A-Za-zÀ-\u024f\u0300-\u036f\u0370-\u052f\u0531-\u0587\u1e00-\u1fffＡ-Ｚａ-ｚ'’]+")
_MARK = re.compile(r'[.,;:!?…"„“”«»‹›()¿¡–—。，、！？；：「」『』《》（）،؛؟।॥։።]')
_DOUBLED = re.compile("[.,;:!?…。，、！？；：،؛؟।]")
_FINAL = re.compile(r"""(?<![.!?…。！？؟।։።])[.!?…。！？؟।։።]+(?=["'”“»«’)）\]」』]*$)""")
_QUOTE, _DASH, _APOSTROPHE = re.compile('["„“”«»]'), re.compile("(?<= )[-–—](?= )"), re.compile(r"(?<=\w)['’](?=\w)")
_QUOTES = (('"', '"'), ("“", "”"), ("„", "“"), ("«", "»"), ("'", "'"))
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]")
_FEWEST_LETTERS = 3  # of a word with a typing error: a shorter one would become another word
_WORDS_PER_TYPO = 8

_ROWS = (
    *("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    *("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"),
    *("ςερτυθιοπ", "ασδφγηξκλ", "ζχψωβνμ"),
)
_OTHER_ROWS = {
    "de": ("qwertzuiopü", "asdfghjklöä", "yxcvbnm", *_ROWS[3:]),
    "fr": ("azertyuiop", "qsdfghjklm", "wxcvbn", *_ROWS[3:]),
}

Edit = tuple[int, int, str]  # what stands from here to there, and what takes its place


class Noise:
    """Changes a text at random; the same text and the same numbers give the same text."""

    def __init__(self, settings: SourceNoiseConfig, language: str = "") -> None:
        """settings: the share of texts that each kind touches.  language: of the text, for its case and keyboard."""
        self._settings = settings
        self._language = language.lower().replace("_", "-").partition("-")[0]
        self._keys = _neighbours(_OTHER_ROWS.get(self._language, _ROWS))

    def __call__(self, text: str, random: Random) -> str:
        """The text with noise, cleaned as it came; never a blank one."""
        case, punctuation, typos = random.random(), random.random(), random.random()
        settings, changed = self._settings, text
        if typos < settings.typos:
            changed = _edited(changed, self._typos(changed, random))
        if punctuation < settings.punctuation:
            changed = _edited(changed, _punctuate(changed, random))
        if case < settings.upper + settings.title + settings.lower:
            changed = self._in_case(changed, case)
        if changed is text:
            return text
        return clean(changed) or text

    # ---- case

    def _in_case(self, text: str, draw: float) -> str:
        if draw < self._settings.upper:
            change = self._upper
        elif draw < self._settings.upper + self._settings.title:
            change = self._title
        else:
            change = self._lower
        edits = [
            (word.start(), word.end(), change(word[0]))
            for start, end in _free(text)
            for word in _CASED.finditer(text, start, end)
        ]
        return _edited(text, edits)

    def _upper(self, word: str) -> str:
        if self._language in ("tr", "az"):
            word = word.replace("i", "İ")
        elif self._language == "el":
            word = word.translate(_greek_without_accents())
        return word.upper()

    def _lower(self, word: str) -> str:
        if self._language in ("tr", "az"):
            word = word.replace("I", "ı").replace("İ", "i")
        return word.lower()

    def _title(self, word: str) -> str:
        first = 2 if self._language == "nl" and word.startswith("ij") else 1
        begin = self._upper(word[:first]) if word.startswith(("i", "ij")) else word[:first].title()
        return begin + word[first:]

    # ---- typing errors

    def _typos(self, text: str, random: Random) -> list[Edit]:
        """One in a word; more in a long text."""
        word, letter = _words(text.isascii())
        found = [
            match
            for start, end in _free(text)
            for match in word.finditer(text, start, end)
            if match.end() - match.start() >= _FEWEST_LETTERS
        ]
        if not found:
            return []
        chosen = random.sample(found, random.randint(1, 1 + len(found) // _WORDS_PER_TYPO))
        letters = [letter.findall(match[0]) for match in chosen]
        return [
            (match.start(), match.end(), self._mistyped(parts, random))
            for match, parts in zip(chosen, letters, strict=True)
            if len(parts) >= _FEWEST_LETTERS
        ]

    def _mistyped(self, letters: Sequence[str], random: Random) -> str:
        """Never the first letter: people see that."""
        kind = random.choice(("swapped", "dropped", "doubled", "beside"))
        at = random.randrange(1, len(letters) - (kind == "swapped"))
        before, one, after = letters[:at], letters[at], letters[at + 1 :]
        beside = self._keys.get(one.lower())
        if kind == "swapped" and one != after[0]:
            changed = [after[0], one, *after[1:]]
        elif kind == "beside" and beside:
            key = random.choice(beside)
            changed = [key.upper() if one.isupper() else key, *after]
        elif kind == "dropped":
            changed = list(after)
        else:
            changed = [one, one, *after]
        return "".join([*before, *changed])


# ---- punctuation


def _punctuate(text: str, random: Random) -> list[Edit]:
    """One way to treat it, of those that the text has something for."""
    ways = [_some_dropped, _all_dropped, _final_dropped, _doubled, _exchanged]
    random.shuffle(ways)
    return next((edits for way in ways if (edits := way(text, random))), [])


def _some_dropped(text: str, random: Random) -> list[Edit]:
    return [edit for edit in _all_dropped(text, random) if random.random() < 0.5]


def _all_dropped(text: str, _: Random) -> list[Edit]:
    return [(mark.start(), mark.end(), _blank_for(text, mark)) for mark in _found(_MARK, text)]


def _blank_for(text: str, mark: re.Match[str]) -> str:
    """What parts two words leaves a blank there, where words are parted by blanks."""
    beside = text[mark.start() - 1 : mark.start()] + text[mark.end() : mark.end() + 1]
    parts = len(beside) == 2 and beside.isalpha() and mark[0] != "." and not _UNSPACED.search(beside)
    return " " if parts else ""


def _final_dropped(text: str, _: Random) -> list[Edit]:
    return [(mark.start(), mark.end(), "") for mark in _found(_FINAL, text)]


def _doubled(text: str, random: Random) -> list[Edit]:
    marks = list(_found(_DOUBLED, text))
    if not marks:
        return []
    mark = random.choice(marks)
    return [(mark.start(), mark.end(), 2 * mark[0])]


def _exchanged(text: str, random: Random) -> list[Edit]:
    """Quotes, dashes and apostrophes of another kind, all alike."""
    quotes, dash = random.choice(_QUOTES), random.choice("-–—")
    apostrophe = random.choice("'’")
    new = {mark.span(): quotes[index % 2] for index, mark in enumerate(_found(_QUOTE, text))}
    new |= {mark.span(): dash for mark in _found(_DASH, text)}
    new |= {mark.span(): apostrophe for mark in _found(_APOSTROPHE, text)}
    return [(start, end, mark) for (start, end), mark in new.items() if text[start:end] != mark]


# ---- what may change, and where


def _free(text: str) -> Iterator[tuple[int, int]]:
    """The stretches in which text may change."""
    at = 0
    for kept in _KEPT.finditer(text) if _PERHAPS_KEPT.search(text) else ():
        yield at, kept.start()
        at = kept.end()
    yield at, len(text)


def _found(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Where it may change; a pattern does not reach over what is kept."""
    free = {place for span in _free(text) for place in range(*span)}
    return (match for match in pattern.finditer(text) if match.start() in free)


def _edited(text: str, edits: Sequence[Edit]) -> str:
    """The text itself when there is nothing to change. The edits do not overlap."""
    if not edits:
        return text
    parts, at = [], 0
    for start, end, new in sorted(edits):
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


@cache
def _words(ascii_only: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A word, and a letter with the marks (accents, vowel signs) that belong to it, in any script."""
    if ascii_only:
        return re.compile("[A-Za-z]+"), re.compile("[A-Za-z]")
    marks = "".join(chr(c) for c in range(0x300, 0x1E000) if unicodedata.category(chr(c)).startswith("M"))
    letter = f"[^\\W\\d_][{marks}\u200c\u200d]*"
    return re.compile(f"(?:{letter})+"), re.compile(letter)


@cache
def _greek_without_accents() -> dict[int, str]:
    """Capitals have none, but for the diaeresis."""
    accents = dict.fromkeys((0x300, 0x301, 0x313, 0x314, 0x342))
    letters = [chr(c) for c in (*range(0x386, 0x3CF), *range(0x1F00, 0x2000))]
    plain = {c: unicodedata.normalize("NFC", unicodedata.normalize("NFD", c).translate(accents)) for c in letters}
    return {ord(c): letter for c, letter in plain.items() if letter != c}


def _neighbours(rows: Sequence[str]) -> dict[str, str]:
    """The keys beside, above and below each, of one keyboard after the other, three rows each."""
    keys: dict[str, str] = {}
    for row_number, row in enumerate(rows):
        block = rows[row_number // 3 * 3 : row_number // 3 * 3 + 3]
        near = [r for r in (row_number % 3 - 1, row_number % 3 + 1) if 0 <= r < 3]
        for column, key in enumerate(row):
            beside = row[max(0, column - 1) : column] + row[column + 1 : column + 2]
            keys[key] = beside + "".join(block[r][column : column + 1] for r in near)
    return keys
