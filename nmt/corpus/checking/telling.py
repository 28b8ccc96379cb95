"""From what was seen in a corpus to what is told about it: the findings about its pairs."""

from collections.abc import Container, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from nmt.corpus.checking.commands import Commands
from nmt.corpus.checking.findings import EXAMPLES, Example, Finding, Severity
from nmt.corpus.checking.repeats import Repeats
from nmt.corpus.checking.shift import Shift
from nmt.corpus.checking.sides import Heard, are_swapped
from nmt.corpus.checking.tally import Duplicates, Side, Tally
from nmt.corpus.rules import RULES
from nmt.text.languages import base

GRAVE = 0.05  # share of pairs from which what makes a pair useless is an error
MANY = 0.1  # share of pairs from which duplicates are worth a warning
FEW_RIGHT = 0.5  # share of a side's paragraphs in its language
BLOCK_OF = 20  # neighbouring lines in another language that are a block
SORTED = 0.98  # share of neighbours that are in order
UNLIKE = 3.0  # how much more blocks differ than drawn at random
SIDES = ("source", "target")

_PLAIN = {
    "blank": "one side is blank, or both: training leaves these pairs out",
    "too_long": "a side is very long; a model learns little from it, and it takes the memory of many",
    "controls": "there are characters that no text should have: controls, U+FFFD, marks without width",
    "mojibake": "text in UTF-8 was once read as another encoding, as in schÃ¶n for schön",
    "letters": "a side is mostly something else than letters: markup, tables, numbers",
    "repeated": "a word or a character is repeated again and again",
    "copied": "the target is the source, word for word: a model learns to copy from these",
    "script": "a side is in the letters of another script than its language's",
    "language": "a side is clearly in another language",
    "length_ratio": "one side is far longer than the other, beyond what is usual in this corpus",
    "numbers": "a number is on one side only",
    "urls": "the two sides name different sites or addresses",
}


def lines(numbers: Iterable[int], details: Iterable[str] = ()) -> tuple[Example, ...]:
    """Examples by the numbers of their pairs, counted from 0; texts are filled in later."""
    chosen = list(numbers)[:EXAMPLES]
    told = [*details, *[""] * EXAMPLES]
    return tuple(Example(int(number) + 1, detail=detail) for number, detail in zip(chosen, told, strict=False))


def rule_findings(tally: Tally, commands: Commands, without: Container[str] = ()) -> list[Finding]:
    """What single pairs have wrong, by rule. without: rules that another finding tells of."""
    found = []
    for name, rule in RULES.items():
        if name in without:
            continue
        numbers = tally.broken.get(name, np.zeros(0, np.int64))
        if not len(numbers):
            continue
        severity: Severity = "info" if rule.severity == "info" else "warning"
        if rule.severity == "error" and len(numbers) >= GRAVE * tally.pairs:
            severity = "error"
        message = _PLAIN.get(name, rule.doc)
        found.append(
            Finding(
                name, severity, message, len(numbers), tally.pairs, examples=lines(numbers), remedy=commands.clean(name)
            )
        )
    return found


def duplicate_findings(found: Duplicates, tally: Tally, commands: Commands) -> list[Finding]:
    """Pairs that are there more than once."""
    near = "a pair is there again but for case, punctuation, digits and spacing"
    told = (
        ("duplicate", found.exact, "a pair is there again, word for word", commands.clean("duplicate"), True),
        ("near_duplicate", found.near, near, commands.clean("near_duplicate"), True),
        ("many_targets", found.sources, "a source is there again with another target", "", False),
    )
    return [
        Finding(
            name,
            "warning" if counts and repeats.again >= MANY * tally.pairs else "info",
            f"{message}; the commonest is there {repeats.most:,} times" if repeats.most > 2 else message,
            repeats.again,
            tally.pairs,
            examples=_again(repeats),
            remedy=remedy,
        )
        for name, repeats, message, remedy, counts in told
        if repeats.again
    ]


def _again(repeats: Repeats) -> tuple[Example, ...]:
    return lines((later for later, _ in repeats.first), [f"first in line {first + 1:,}" for _, first in repeats.first])


def language_findings(heard: tuple[Heard, Heard], tally: Tally, commands: Commands) -> list[Finding]:
    """Sides that are not in the language that they should be, as a whole or in blocks."""
    source, target = heard
    if are_swapped(heard):
        message = f"the sides are swapped: the source is in {source.main}, the target in {target.main}"
        return [
            Finding(
                "swapped_sides",
                "error",
                message,
                remedy=commands.turned() or "turn the names of the languages round in the file",
            )
        ]
    found = []
    for name, side in zip(SIDES, heard, strict=True):
        if not side.known:
            message = (
                f"whether the {name} is in {side.language} cannot be told: the detector does not know this language"
            )
            found.append(Finding("unknown_language", "info", message))
        elif side.languages and side.right < FEW_RIGHT:
            heard_as = ", ".join(f"{code} {share:.0%}" for code, share in side.languages[:3])
            message = f"the {name} is not in {side.language}: by paragraphs it is {heard_as}"
            found.append(Finding("wrong_language", "error", message, remedy="check the files, or --languages"))
    if base(source.language) == base(target.language):
        found.append(Finding("one_language", "info", "source and target are in the same language"))
    if not any(finding.name == "wrong_language" for finding in found):
        found += _foreign_blocks(tally, commands)
    return found


def _foreign_blocks(tally: Tally, commands: Commands) -> list[Finding]:
    """Neighbouring lines in another language or script."""
    numbers = _broken(tally, "language", "script")
    blocks = runs_of(numbers, BLOCK_OF // 4, BLOCK_OF)
    if not blocks:
        return []
    count = sum(size for _, _, size in blocks)
    examples = lines((first for first, _, _ in blocks), (f"to line {last + 1:,}" for _, last, _ in blocks))
    message = f"{len(blocks)} block{'s' if len(blocks) > 1 else ''} of lines in another language or script"
    return [
        Finding(
            "foreign_block",
            "warning",
            message,
            count,
            tally.pairs,
            examples=examples,
            remedy=commands.clean("language"),
        )
    ]


def _broken(tally: Tally, first: str, second: str) -> NDArray[np.int64]:
    """The pairs that break either rule."""
    nothing = np.zeros(0, np.int64)
    return np.union1d(tally.broken.get(first, nothing), tally.broken.get(second, nothing))


def told_by(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Rules that nearly all pairs must break where a whole side is in another language."""
    whole = {"swapped_sides", "wrong_language"} & {finding.name for finding in findings}
    return ("language", "script") if whole else ()


def runs_of(numbers: NDArray[np.int64], gap: int, fewest: int) -> list[tuple[int, int, int]]:
    """Runs of numbers that stand close together: first, last, how many."""
    if len(numbers) < fewest:
        return []
    cuts = np.flatnonzero(np.diff(numbers) > gap) + 1
    parts = np.split(numbers, cuts)
    return [(int(part[0]), int(part[-1]), len(part)) for part in parts if len(part) >= fewest]


def shift_findings(shifts: Sequence[Shift], total: int, commands: Commands) -> list[Finding]:
    """Where the sides run apart although they have the same number of lines."""
    if not shifts:
        return []
    examples = tuple(
        Example(shift.start + 1, detail=f"{_until(shift, total)}; {describe_offset(shift)}; {sureness(shift)}")
        for shift in shifts[:EXAMPLES]
    )
    count = sum(shift.end - shift.start for shift in shifts)
    message = (
        f"the sides are shifted against each other; the first pair that looks shifted is line {shifts[0].start + 1:,}"
    )
    more, fewer = SIDES if shifts[0].offset < 0 else SIDES[::-1]
    number = abs(shifts[0].offset)
    what = "1 line" if number == 1 else f"{number:,} lines"
    remedy = (
        f"the {more} has {what} at {shifts[0].start + 1} that the {fewer} lacks: "
        f"delete from the one or add to the other, then: {commands.check()}"
    )
    return [Finding("shifted", "error", message, count, total, examples=examples, remedy=remedy)]


def _until(shift: Shift, total: int) -> str:
    return "to the end" if shift.end >= total else f"to line {shift.end:,}"


def describe_offset(shift: Shift) -> str:
    """Which line belongs to which."""
    return f"source line N belongs to target line N{shift.offset:+,}"


def sureness(shift: Shift) -> str:
    """How exactly the place is known."""
    if shift.earliest == shift.latest:
        return "sure to the line"
    return f"with 95 % probability between lines {shift.earliest + 1:,} and {shift.latest + 1:,}"


def unrelated_findings(
    tally: Tally, mean: float | None, shifts: Sequence[Shift], commands: Commands, clear: float
) -> list[Finding]:
    """Neighbouring pairs that are no translations of each other, whatever the offset."""
    if mean is None or mean < clear or tally.pairs < 2000:  # with less learnt nothing can be said
        return []
    told = np.union1d(_broken(tally, "language", "script"), _broken(tally, "copied", "blank"))
    blocks = []
    for start, end, offset in tally.stretches:
        size = end - start
        known = int(np.searchsorted(told, end) - np.searchsorted(told, start))
        moved = any(shift.start - BLOCK_OF < end and start < shift.end + BLOCK_OF for shift in shifts)
        if offset is None and size >= BLOCK_OF and known < size / 2 and not moved:
            blocks.append((start, end))
    if not blocks:
        return []
    return [
        Finding(
            "unrelated",
            "warning",
            "neighbouring pairs that do not look like translations of each other",
            sum(end - start for start, end in blocks),
            tally.pairs,
            examples=lines((start for start, _ in blocks), (f"to line {end:,}" for _, end in blocks)),
            remedy=f"look at these lines; {commands.clean()}",
        )
    ]


def encoding_findings(sides: tuple[Side, Side], total: int) -> list[Finding]:
    """Bytes that are not UTF-8, and letters that are spelled in two ways."""
    found = []
    for name, side in zip(SIDES, sides, strict=True):
        if side.not_utf8:
            message = f"the {name} has bytes that are not UTF-8: training cannot read the file"
            remedy = "iconv -f WINDOWS-1252 -t UTF-8 FILE > converted, if the whole file is in that encoding"
            found.append(
                Finding("not_utf8", "error", message, len(side.not_utf8), total, "lines", lines(side.not_utf8), remedy)
            )
        if side.decomposed:
            mixed = f"; {side.composed:,} others are composed" if side.composed else ""
            message = f"the {name} has accents as letters of their own (NFD){mixed}; training reads all as NFC"
            found.append(
                Finding("not_nfc", "info", message, len(side.decomposed), total, "lines", lines(side.decomposed))
            )
    return found


def order_findings(tally: Tally, commands: Commands) -> list[Finding]:
    """Corpora in an order that matters to whoever cuts a part off."""
    remedy = f"training shuffles; take dev and test by chance: {commands.split()}"
    if tally.pairs < 100:
        return []
    for name, side in zip(SIDES, tally.sides, strict=True):
        if side.rising >= SORTED * tally.pairs and len(np.flatnonzero(side.lengths)) > 3:
            return [Finding("sorted", "info", f"the pairs are sorted by the length of the {name}", remedy=remedy)]
    if max(_unlike(side) for side in tally.sides) > UNLIKE:
        message = "the text comes in blocks of different kinds: parts of the corpus have other words than the rest"
        return [Finding("blocked", "info", message, remedy=remedy)]
    return []


def _unlike(side: Side) -> float:
    """Chi-square of the words of blocks over its degrees of freedom: about 1 to 2 for text in random order."""
    table = np.array(side.kinds[:-1] if len(side.kinds) > 4 else [], np.float64)  # the last one may be short
    table = table[table.sum(axis=1) > 0] if len(table) else table
    if len(table) < 4:
        return 0.0
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / table.sum()
    good = expected.min(axis=0) >= 5
    if good.sum() < 8:
        return 0.0
    square = ((table - expected)[:, good] ** 2 / expected[:, good]).sum()
    return float(square / ((len(table) - 1) * good.sum()))
