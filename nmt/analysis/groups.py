"""Which lines are easy and which are hard: each question cuts the test set into buckets."""

from collections.abc import Callable, Sequence, Sized

import numpy as np
from numpy.typing import NDArray

from nmt.analysis import kept, negation
from nmt.analysis.lines import Line, LineSet
from nmt.analysis.results import Bucket, Group, Kept
from nmt.analysis.words import decade, decade_name, is_number, matched
from nmt.text.languages import base
from nmt.text.surface import find_numbers

_CUTS = (0.25, 0.5, 0.75, 0.95)  # of the lines by source length; models fail first in the last few
NEEDS_TRAIN = "the words of the training text are not known"
_QUESTION_MARKS = ("?", "？", "؟")
_CLOSING = "\"'»«”“’)]」』）. "


def all_groups(test: LineSet) -> tuple[Group, ...]:
    """Every question's answer, in the order in which they are to be read."""
    questions = (by_length, by_rarity, by_unseen, by_numbers, by_copied, by_negation, by_questions)
    return tuple(question(test) for question in questions)


def by_length(test: LineSet) -> Group:
    """Buckets of about a quarter of the lines each, and the longest of all."""
    lengths = np.array([len(line.source_units) for line in test.lines])
    # --> the longest line of each bucket; equal ones fall together
    ends = sorted({int(end) for end in np.quantile(lengths, _CUTS, method="inverted_cdf")} - {int(lengths.max())})
    edges = [*ends, int(lengths.max())]
    begins = [int(lengths.min()), *(end + 1 for end in ends)]
    unit = test.source_unit
    names = [_range(begin, end, unit) for begin, end in zip(begins, edges, strict=True)]
    about = f"{unit} of the source, cut at 25, 50, 75 and 95 % of the lines"
    return Group("length", "Source length", about, _buckets(test, names, np.searchsorted(edges, lengths)))


def _range(begin: int, end: int, unit: str) -> str:
    if begin < end:
        return f"{begin} to {end} {unit}"
    return f"{end} {unit if end != 1 else unit.removesuffix('s')}"


def by_rarity(test: LineSet) -> Group:
    """By the rarest word of the source."""
    title, about = "Rarest source word", "how often training text has the source's rarest word; numbers do not count"
    if test.known is None:
        return Group("rarity", title, about, not_judged=NEEDS_TRAIN)
    names = [decade_name(0)] + [decade_name(number) for number in range(1, 6)]
    places = []
    for line in test.lines:
        counts = [test.known.source[unit.lower()] for unit in line.source_units if not is_number(unit)]
        places.append(decade(min(counts)) if counts else len(names))
    return Group("rarity", title, about, _buckets(test, [*names, "no words"], places))


def by_unseen(test: LineSet) -> Group:
    """By words that training text never has, on either side; and how many of the references' own are found."""
    title, about = "Unseen words", "words that training text never has; numbers do not count"
    if test.known is None:
        return Group("unseen", title, about, not_judged=NEEDS_TRAIN)
    places, expected, found, lost = [], 0, 0, []
    for line in test.lines:
        source = [unit for unit in line.source_units if not is_number(unit) and not test.known.source[unit.lower()]]
        unseen = [unit for unit in line.expected if not is_number(unit) and not test.known.target[unit.lower()]]
        places.append(0 if source else 1 if unseen else 2)
        right = matched(unseen, line.units).total()
        expected, found = expected + len(unseen), found + right
        lost += [line.number] if right < len(unseen) else []
    words = Kept("words of the references that training text never has", expected, found, tuple(lost))
    names = ["in the source", "in the reference only", "none"]
    return Group("unseen", title, about, _buckets(test, names, places), words)


def by_numbers(test: LineSet) -> Group:
    """Whether the source has digits."""
    places = [0 if find_numbers(line.source) else 1 for line in test.lines]
    what = "numbers that the source and every reference write with the same digits"
    numbers = _kept(test, what, lambda line: kept.numbers(line, test.target_language))
    buckets = _buckets(test, ["with numbers", "without"], places)
    return Group("numbers", "Numbers", "whether the source has numbers in digits", buckets, numbers)


def by_copied(test: LineSet) -> Group:
    """Whether it has names, or other tokens that stay as they are."""
    names, codes = ([bool(find(line)[0]) for line in test.lines] for find in (kept.names, kept.codes))
    places = [0 if name else 1 if code else 2 for name, code in zip(names, codes, strict=True)]
    about = "alike in source and references: words with a capital (names), or with a digit, sign or capital inside"
    buckets = _buckets(test, ["with names", "with other copied tokens", "without"], places)
    tokens = _kept(test, "names and other tokens that are copied", copied)
    return Group("copied", "Names and copied tokens", about, buckets, tokens)


def by_negation(test: LineSet) -> Group:
    """Whether the source denies something."""
    title, language = "Negation", test.source_language
    about = "whether the source has a word like not, never, without"
    if language is None or not negation.can_judge(language):
        return Group("negation", title, about, not_judged=f"known for {', '.join(negation.judged())} only")
    places = [0 if negation.negates(line.source, language) else 1 for line in test.lines]
    buckets = _buckets(test, ["with negation", "without"], places)
    target = test.target_language
    if target is None or not negation.can_judge(target):
        return Group("negation", title, about, buckets)
    what = "lines whose source and references all deny something"
    kept_lines = _kept(test, what, lambda line: denied(line, language, target))
    return Group("negation", title, about, buckets, kept_lines)


def by_questions(test: LineSet) -> Group:
    """Whether the source ends in a question mark."""
    places = [0 if _asks(line.source, test.source_language) else 1 for line in test.lines]
    what = "lines whose source and references all are questions"
    questions = _kept(test, what, lambda line: asked(line, test.source_language, test.target_language))
    about = "whether the source ends in a question mark"
    return Group("questions", "Questions", about, _buckets(test, ["questions", "others"], places), questions)


def denied(line: Line, source: str, target: str) -> tuple[list[str], list[str]]:
    """One item if the source and every reference deny something, and the same again if the hypothesis does not."""
    sides = [negation.negates(line.source, source), *(negation.negates(text, target) for text in line.references)]
    expected = ["negation"] if all(sides) else []
    return expected, [] if negation.negates(line.hypothesis, target) else expected


def asked(line: Line, source: str | None, target: str | None) -> tuple[list[str], list[str]]:
    """The same for questions."""
    sides = [_asks(line.source, source), *(_asks(text, target) for text in line.references)]
    expected = ["question"] if all(sides) else []
    return expected, [] if any(mark in line.hypothesis for mark in _question_marks(target)) else expected


def _asks(text: str, language: str | None) -> bool:
    return text.rstrip(_CLOSING).endswith(_question_marks(language))


def _question_marks(language: str | None) -> tuple[str, ...]:
    return (*_QUESTION_MARKS, ";") if language and base(language) == "el" else _QUESTION_MARKS


def copied(line: Line) -> tuple[list[str], list[str]]:
    """Names and other tokens that are to be copied, and those of them that are lost."""
    (names, lost_names), (codes, lost_codes) = kept.names(line), kept.codes(line)
    return names + codes, lost_names + lost_codes


def _kept(test: LineSet, what: str, find: Callable[[Line], tuple[Sized, Sized]]) -> Kept:
    """find: what a line's hypothesis should have, and what of it is lost."""
    expected, lost, lines = 0, 0, []
    for line in test.lines:
        mine, gone = find(line)
        expected, lost = expected + len(mine), lost + len(gone)
        lines += [line.number] if gone else []
    return Kept(what, expected, expected - lost, tuple(lines))


def _buckets(test: LineSet, names: Sequence[str], places: Sequence[int] | NDArray[np.intp]) -> tuple[Bucket, ...]:
    """names: of all buckets.  places: which one each line is in. Empty ones are left out."""
    found = np.asarray(places)
    rows = [np.flatnonzero(found == number) for number in range(len(names))]
    return tuple(test.scorer.bucket(name, mine) for name, mine in zip(names, rows, strict=True) if len(mine))
