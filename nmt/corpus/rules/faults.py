"""What can be wrong with one text, or with two that should say the same: each question is a function.

They are asked millions of times: what is usual is told from the rest by one cheap look.
"""

import re

from nmt.text.surface import EMAIL, URL, find_numbers, longest_repeat, only_digits, split_units

# ---- Characters

_JOINERS = "\u200c\u200d"
_DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# Those that cleaning makes a blank, without tab and whatever someone takes for the end of a line.
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1b\x7f]")
_RUBBISH = (
    "\x80-\x84\x86-\x9f\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffd\ufdd0-\ufdef"
    "\ud800-\udfff\ue000-\uf8ff\ufffe\uffff\U000e0000-\U000e001f\U000e0080-\U000e00ff\U000e01f0-\U0010ffff"
)
_PICTURE = "[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]"


def odd_characters(*, joiners: bool, directions: bool) -> re.Pattern[str]:
    """Characters that no text should have: controls, U+FFFD, private use, marks without width.

    joiners, directions: whether the language needs U+200C and U+200D, or marks of direction.
    """
    parts = [f"[{_RUBBISH}{'' if directions else _DIRECTIONS}]"]
    if not joiners:
        parts.append(f"(?<!{_PICTURE})[{_JOINERS}]|[{_JOINERS}](?!{_PICTURE})")
    return re.compile("|".join(parts))


def has_odd_characters(text: str, cleaned: str, odd: re.Pattern[str]) -> bool:
    """Whether there is one; no-break spaces and the like, which are not printable either, are none.

    text, cleaned: as it was written, and without what cleaning takes off its ends.
    """
    if text.isprintable() and "\ufffd" not in text:
        return False
    return odd.search(cleaned) is not None or _CONTROLS.search(text) is not None


# A byte 0x80 to 0xBF as Windows-1252 and Latin-1 show it.
_BEHIND = "\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_SUSPICIOUS = re.compile(f"[\xc2-\xf4][{_BEHIND}]")  # most texts have none, and this is found out fast
_MOJIBAKE = re.compile(
    f"Â[\xa0-\xbf]"  # a no-break space, a degree sign, ...
    f"|â€[{_BEHIND}]|ï¿½|ï»¿|ðŸ[{_BEHIND}]"  # quotes and dashes, U+FFFD, a byte order mark, an emoji
    f"|(?<=[a-z])[ÃÄÅÈ][{_BEHIND}]|[ÃÄÅÈ][{_BEHIND}](?=[a-zÃÄÅ])"  # in a word of small letters
    f"|áº[{_BEHIND}]|á»[{_BEHIND}]"  # Vietnamese
    f"|(?:[Â-ß][{_BEHIND}]){{3}}|(?:[à-ï][{_BEHIND}]{{2}}){{2}}"  # other scripts
)


def may_be_mojibake(text: str) -> bool:
    """Whether a closer look is worth while."""
    return _SUSPICIOUS.search(text) is not None


def is_mojibake(text: str) -> bool:
    """Whether some of it is UTF-8 that was read as Windows-1252 or Latin-1: "schÃ¶n", "â€™"."""
    return may_be_mojibake(text) and _MOJIBAKE.search(text) is not None


# ---- Letters

_TAG = re.compile(r"</?[A-Za-z!?][^<>]*>")
SHORT = 10  # characters other than blanks: in shorter texts anything goes


def lacks_letters(text: str, letters: int, least: float) -> bool:
    """Whether it is mostly something else than letters: markup, tables, drawings.

    letters: how many it has.  least: share of its characters, without blanks, that should be letters or digits.
    """
    if letters * 2 > len(text) and "<" not in text:
        return False
    if "<" in text and (bare := _TAG.sub("", text)) != text:
        letters = sum(map(str.isalpha, bare))
        if letters < least * 0.5 * len(text):
            return len(text) >= SHORT
    size = len(text) - sum(map(str.isspace, text))
    if size < SHORT:
        return False
    return letters + sum(map(str.isdigit, text)) * 0.5 < least * size


DIFFERENT = 0.7  # of the words of a text; most have more
LONG_RUN = 16  # of one character; below it may be a cry
_RUN = re.compile(rf"(\S)\1{{{LONG_RUN - 1},}}")


def is_repetitive(text: str, words: list[str], most: int) -> bool:
    """Whether a word, a few words or a character say themselves again and again.

    words: `text.split()`.  most: words in a row that may repeat what stands before them.
    """
    if len(words) > most and len(set(words)) < DIFFERENT * len(words):
        units = split_units(text)
        run = longest_repeat(units)
        if run > most and run > len(units) / 3:
            return True
    return max(map(len, words)) >= LONG_RUN and any(_is_run(word, text) for word in words)


def _is_run(word: str, text: str) -> bool:
    """Whether one character is most of the text, or, if it is a letter, stands there too often to be a word."""
    if len(set(word)) > len(word) - LONG_RUN + 1:
        return False
    run = _RUN.search(word)
    return run is not None and (run[1].isalpha() or run.end() - run.start() > len(text) / 2)


FEWEST_COPIED = 4  # words with a small first letter: below it may be a name with its "of" and "and"
FEWEST_CAPITALS = 8  # words of a line in capitals or title case


def is_sentence(text: str, words: list[str]) -> bool:
    """Whether it must have been translated: no name, number, address or code."""
    if "@" in text or "/" in text:
        words = EMAIL.sub(" ", URL.sub(" ", text)).split()
    small = sum(word[0].islower() for word in words)
    if small >= FEWEST_COPIED and small > len(words) / 4:
        return True
    if sum(word.isalpha() for word in words) >= FEWEST_CAPITALS:
        return True
    unspaced = sum("\u0e00" <= letter <= "\u9fff" for letter in text)
    return unspaced >= SHORT


# ---- Numbers and addresses

FEWEST_DIGITS = 3
# Twice as fast as \d, as it is a plain set.
_DIGITS = "".join(chr(code) for code in range(0x10000) if chr(code).isdecimal())
_DIGIT = re.compile(f"[{_DIGITS}]")


def _telling(text: str) -> dict[str, str]:
    """Its numbers by their digits without the zeros around them: 2,000 may be "2 thousand", 05 is 5."""
    return {number.strip("0"): number for number in find_numbers(text)}


NEEDS_A_LOOK = re.compile(f"[@/<\ufffd{_DIGITS}]")  # numbers, addresses, tags, what is no text


def has_digits(text: str) -> bool:
    """Whether there is one, of any script."""
    return _DIGIT.search(text) is not None


def numbers_differ(source: str, target: str) -> bool:
    """Whether a number of one side is not on the other, beyond what translators may do.

    Those of one or two digits may be words, or be converted (8 pm, 20 Uhr; 10 miles, 16 km).
    """
    ours, theirs = _telling(source), _telling(target)
    return _lost(ours, theirs, only_digits(target)) or _lost(theirs, ours, only_digits(source))


def _lost(ours: dict[str, str], theirs: dict[str, str], written: str) -> bool:
    for number in ours.keys() - theirs.keys():
        if len(number) < FEWEST_DIGITS:  # "" for 0
            continue
        if number in written or any(len(other) > 1 and other in ours[number] for other in theirs.values()):
            continue  # "15 200" may be one number or two; the 1990s are the 90s
        return True
    return False


def may_have_addresses(text: str) -> bool:
    """Whether a closer look is worth while."""
    return "@" in text or "://" in text or "www." in text or "WWW." in text


def addresses_differ(source: str, target: str) -> bool:
    """Whether the sides name other sites, in URLs or e-mail addresses; paths and top domains may be translated."""
    return _sites(source) != _sites(target)


def _sites(text: str) -> set[str]:
    hosts = [re.split("[/?#:]", url.split("://")[-1])[0] for url in URL.findall(text)]
    hosts += [address.split("@")[1] for address in EMAIL.findall(URL.sub(" ", text))]
    return {max(host.lower().rstrip(".,;)").split("."), key=len) for host in hosts}
