"""Words: how often training text has them, and which ones the translations miss, invent and confuse.

Case does not count; a word is shown as it is written most often.
"""

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nmt.analysis.lines import Line
from nmt.analysis.results import Band, Confusion, Estimate, WordCounts, WrongWord
from nmt.analysis.scores import Scorer
from nmt.text.surface import PUNCTUATION, UNSPACED, split_units

MOST = 1_000_000  # pairs of training text that are counted
_BLOCK = 10_000  # pairs; counted at once, which is faster than line by line
_DECADES = (1, 10, 100, 1000, 10_000)


# ---- training text


def words_of(texts: Iterable[str]) -> set[str]:
    """All words of these texts, as training text is to be asked for them."""
    return {unit.lower() for text in texts for unit in split_units(unicodedata.normalize("NFC", text))}


def count_words(
    pairs: Iterable[tuple[str, str]], source: Collection[str], target: Collection[str], *, name: str, most: int = MOST
) -> WordCounts:
    """How often training text has these words. Memory holds the words asked for, whatever the corpus.

    source, target: of each side, as `words_of` gives them.  most: pairs; the rest is not read.
    """
    counts = Counter[str](), Counter[str]()
    walk = iter(pairs)
    seen = 0
    while block := list(islice(walk, min(_BLOCK, most - seen))):
        seen += len(block)
        _add(counts[0], [pair[0] for pair in block], source)
        _add(counts[1], [pair[1] for pair in block], target)
    complete = seen < most or next(walk, None) is None
    return WordCounts(name, seen, complete, *counts)


def _add(counts: Counter[str], texts: Sequence[str], wanted: Collection[str]) -> None:
    text = unicodedata.normalize("NFC", "\n".join(texts)).lower()
    if not text.isascii():
        text = UNSPACED.sub(r" \g<0> ", text)
    for word, times in Counter(text.split()).items():
        bare = word.strip(PUNCTUATION) or word
        if bare in wanted:
            counts[bare] += times


def decade(count: int) -> int:
    """0 for none, 1 for 1 to 9, 2 for 10 to 99, ...; the last one has no end."""
    return sum(count >= edge for edge in _DECADES)


def decade_name(number: int) -> str:
    """As in "10 to 99 times"."""
    if number == 0:
        return "never"
    if number == len(_DECADES):
        return f"{_DECADES[-1]:,} times or more"
    return f"{_DECADES[number - 1]:,} to {_DECADES[number] - 1:,} times"


def is_number(unit: str) -> bool:
    """Whether it has a digit: such words are endless, and say nothing about rarity."""
    return any(map(str.isdigit, unit))


def matched(expected: Sequence[str], found: Sequence[str]) -> Counter[str]:
    """Words that both have, in lower case, each as often as both have it."""
    return Counter(map(str.lower, expected)) & Counter(map(str.lower, found))


def bands(lines: Sequence[Line], known: WordCounts, scorer: Scorer) -> tuple[Band, ...]:
    """Which share of the references' words the hypotheses have, by how often training text has the word."""
    size = len(_DECADES) + 1
    expected, found = np.zeros((len(lines), size)), np.zeros((len(lines), size))
    for row, line in enumerate(lines):
        words = Counter(unit.lower() for unit in line.expected if not is_number(unit))
        both = matched(line.expected, line.units)
        for word, times in words.items():
            column = decade(known.target[word])
            expected[row, column] += times
            found[row, column] += both[word]
    return tuple(
        Band(decade_name(column), int(expected[:, column].sum()), _share(found[:, column], expected[:, column], scorer))
        for column in range(size)
        if expected[:, column].any()
    )


def _share(found: NDArray[np.float64], expected: NDArray[np.float64], scorer: Scorer) -> Estimate:
    rows = expected > 0
    return scorer.share(found[rows], expected[rows])


# ---- wrong words


def wrong_words(lines: Sequence[Line], side: Literal["missed", "invented"], shown: int) -> tuple[WrongWord, ...]:
    """Words that only the nearest reference has ("missed"), or only the hypothesis, more often than the usual word.

    Frequent words are missed often because they are frequent. So from how often a word is missed is taken what would be
    expected of any word that is there as often; the largest excess comes first.
    """
    counts, totals, first = Counter[str](), Counter[str](), dict[str, int]()
    spelled: dict[str, Counter[str]] = {}
    for line in lines:
        mine, other = (line.expected, line.units) if side == "missed" else (line.units, line.expected)
        for unit in mine:
            spelled.setdefault(unit.lower(), Counter())[unit] += 1
        words = Counter(map(str.lower, mine))
        totals.update(words)  # "+=" would go through all words that are known, at each line
        for word, times in (words - Counter(map(str.lower, other))).items():
            counts[word] += times
            first.setdefault(word, line.number)
    usual = counts.total() / max(1, totals.total())
    excess = {word: times - usual * totals[word] for word, times in counts.items() if times > 1}
    chosen = sorted((word for word in excess if excess[word] > 0), key=lambda word: (-excess[word], word))[:shown]
    return tuple(
        WrongWord(spelled[word].most_common(1)[0][0], counts[word], totals[word], first[word]) for word in chosen
    )


def confusions(lines: Sequence[Line], shown: int) -> tuple[Confusion, ...]:
    """What stands most often in the place of another word, where the words around it are right."""
    counts, first = Counter[tuple[str, str]](), dict[tuple[str, str], int]()
    spelled: dict[str, Counter[str]] = {}
    for line in lines:
        for expected, written in _replaced(line.expected, line.units):
            pair = expected.lower(), written.lower()
            counts[pair] += 1
            first.setdefault(pair, line.number)
            for unit in (expected, written):
                spelled.setdefault(unit.lower(), Counter())[unit] += 1
    often = sorted((pair for pair in counts if counts[pair] > 1), key=lambda pair: (-counts[pair], pair))[:shown]
    names = {word: spelled[word].most_common(1)[0][0] for pair in often for word in pair}
    return tuple(Confusion(names[pair[0]], names[pair[1]], counts[pair], first[pair]) for pair in often)


def _replaced(expected: Sequence[str], written: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Words one for one, between words that both have."""
    matcher = SequenceMatcher(None, list(map(str.lower, expected)), list(map(str.lower, written)), autojunk=False)
    for what, begin, end, other, other_end in matcher.get_opcodes():
        if what == "replace" and end - begin == other_end - other:
            yield from zip(expected[begin:end], written[other:other_end], strict=True)
