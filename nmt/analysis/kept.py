"""What a right translation has to keep: numbers, names and other tokens that are copied.

A reference says which: only what the source and every reference have alike must be in the hypothesis, too.
"""

import re
from collections.abc import Sequence

from nmt.analysis.lines import Line
from nmt.analysis.numerals import can_judge, words_of_number
from nmt.text.surface import EMAIL, PUNCTUATION, URL, find_numbers, only_digits

_END = ".!?:…。！？："
_OPENING = "\"'«»„“”‘’‚‹›([¿¡-–—"
_AROUND = PUNCTUATION.translate(dict.fromkeys(map(ord, "#@_")))  # these may begin a word
_CODE = re.compile(r"[^\W\d_]-?[\d_@#/]|[\d_@#/][^\W\d_]|[a-zß-ÿ][A-ZÀ-Þ]|^[A-ZÀ-Þ]{2,}$")


def numbers(line: Line, target_language: str | None) -> tuple[set[str], set[str]]:
    """Numbers, as their digits alone, that source and all references have; and those of them that are lost.

    Small ones may be words in the hypothesis; they count where the target language's words for them are known.
    """
    both = find_numbers(line.source).intersection(*map(find_numbers, line.references))
    expected = {number for number in both if can_judge(number, target_language)}
    return expected, {number for number in expected if not _has(line.hypothesis, line.units, number, target_language)}


def invented_numbers(line: Line, source_language: str | None, target_language: str | None) -> set[str]:
    """Numbers in digits that neither the source nor a reference has, in digits or, as far as known, in words."""
    found = set()
    for number in find_numbers(line.hypothesis):
        judged = can_judge(number, source_language) and can_judge(number, target_language)
        if not judged or _has(line.source, line.source_units, number, source_language):
            continue
        others = zip(line.references, line.reference_units, strict=True)
        if not any(_has(text, units, number, target_language) for text, units in others):
            found.add(number)
    return found


def _has(text: str, units: Sequence[str], number: str, language: str | None) -> bool:
    if number in find_numbers(text) or not words_of_number(number, language).isdisjoint(map(str.lower, units)):
        return True
    return len(number) > 2 and number in only_digits(text)  # "15 200" may be one number, or two


def names(line: Line) -> tuple[list[str], list[str]]:
    """Words with a capital inside of a sentence that source and all references have alike; and those that are lost.

    The first word of a sentence has a capital anyhow. A name that is spelled anew in the other language is not seen.
    """
    return _split(line, [token for token in _inner(line.source) if token[0].isupper() and not _CODE.search(token)])


def codes(line: Line) -> tuple[list[str], list[str]]:
    """The same of addresses, and of words with a digit, a sign or a capital in them ("A4", "#nmt", "iPhone", "USA")."""
    addresses = [*URL.findall(line.source), *EMAIL.findall(line.source)]
    tokens = [token.strip(_AROUND) for token in EMAIL.sub(" ", URL.sub(" ", line.source)).split()]
    addresses = [address.rstrip(PUNCTUATION) for address in addresses]
    return _split(line, addresses + [token for token in tokens if _CODE.search(token)])


def _split(line: Line, tokens: list[str]) -> tuple[list[str], list[str]]:
    expected = [
        token
        for token in dict.fromkeys(tokens)
        if len(token) > 1 and all(_stands_in(token, text) for text in line.references)
    ]
    hypothesis = line.hypothesis.lower()  # with an ending, in a compound, in capitals it is there
    return expected, [token for token in expected if token.lower() not in hypothesis]


def _stands_in(token: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(token)}(?!\w)", text) is not None


def _inner(text: str) -> list[str]:
    """Words, without the punctuation around them, that do not begin a sentence."""
    found = []
    begins = True
    for token in text.split():
        bare = token.strip(PUNCTUATION)
        if bare and not begins:
            found.append(bare)
        if bare or token.rstrip(_OPENING).endswith(tuple(_END)):
            begins = token.rstrip(_OPENING).endswith(tuple(_END))
    return found
