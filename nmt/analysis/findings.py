"""Kinds of mistakes that can be seen without understanding either language, and the lines that make them."""

from collections.abc import Callable, Iterable

from nmt.analysis import kept, negation
from nmt.analysis.groups import NEEDS_TRAIN, asked, copied, denied
from nmt.analysis.lines import Line, LineSet
from nmt.analysis.results import Finding, Sentence
from nmt.analysis.words import is_number
from nmt.decoding import guard
from nmt.decoding.guard import Thresholds
from nmt.text.surface import PUNCTUATION

SHORTER, LONGER, LEAST = 0.6, 1.6, 3  # than all references, by so many units at least
LONGEST_SPAN = 4  # words that are said twice on end
FOREIGN = 20  # times more often in training sources than in targets: a word of the source's language
SHORTEST_WORD = 3  # letters; shorter ones stand in both languages by chance
TOLD = 4  # things told of one line

_Look = Callable[[Line], str]  # what is to be seen in a line, in a few words; "" for nothing


def find(test: LineSet, usual: Thresholds, shown: int) -> tuple[Finding, ...]:
    """All kinds, those that no line has, too: that is worth knowing.

    usual: of the guard, whose flags some of them count.  shown: examples of each.
    """
    flags = {line.number: frozenset(guard.check(line.source, line.hypothesis, usual)) for line in test.lines}
    unit = test.unit

    def kind(key: str, title: str, about: str, look: _Look) -> Finding:
        details = {line.number: detail for line in test.lines if (detail := look(line))}
        hits = sorted((line for line in test.lines if line.number in details), key=lambda line: line.chrf)
        examples = tuple(sentence(line, details[line.number]) for line in hits[:shown])
        return Finding(key, title, about, tuple(details), examples)

    return (
        kind("empty", "Empty", "no translation of a source that has text", _empty),
        kind(
            "under_translation",
            "Under-translation",
            f"under {100 * SHORTER:.0f} % of the shortest reference's {unit}; or too short or cut off for the source",
            lambda line: _short(line, unit, flags[line.number]),
        ),
        kind(
            "over_translation",
            "Over-translation",
            f"over {100 * LONGER:.0f} % of the longest reference's {unit}; or too long for the source",
            lambda line: _long(line, unit, flags[line.number]),
        ),
        kind(
            "repetition",
            "Repetition",
            "words said twice on end, which neither the source nor a reference does; or a loop",
            lambda line: _repeated(line, unit, flags[line.number]),
        ),
        _untranslated(test, flags, kind),
        _unknown(test, kind),
        kind(
            "wrong_script",
            "Wrong script",
            "letters of a script that is not that of the references",
            lambda line: _told(flags[line.number] & {"wrong script"}),
        ),
        *_not_kept(test, kind),
    )


def sentence(line: Line, detail: str = "") -> Sentence:
    """A line as it is shown."""
    return Sentence(line.number, line.chrf, line.source, line.hypothesis, line.references, detail)


def _told(things: Iterable[str]) -> str:
    return ", ".join(list(things)[:TOLD])


# ---- lengths


def _empty(line: Line) -> str:
    return "empty" if line.source and not line.hypothesis and all(line.references) else ""


def _counted(number: int, unit: str) -> str:
    """unit: in the plural."""
    return f"{number} {unit.removesuffix('s') if number == 1 else unit}"


def _short(line: Line, unit: str, flags: frozenset[str]) -> str:
    shortest = min(map(len, line.reference_units))
    if len(line.units) < SHORTER * shortest and shortest - len(line.units) >= LEAST:
        return f"{_counted(len(line.units), unit)}, the reference has {shortest}"
    # Where a reference is as short, the source is wordy.
    return _told(sorted(flags & {"too short", "cut off"})) if len(line.units) < shortest else ""


def _long(line: Line, unit: str, flags: frozenset[str]) -> str:
    longest = max(map(len, line.reference_units))
    if longest and len(line.units) > LONGER * longest and len(line.units) - longest >= LEAST:
        return f"{_counted(len(line.units), unit)}, the reference has {longest}"
    return "too long" if "too long" in flags and len(line.units) > longest else ""


# ---- repetition


def _repeated(line: Line, unit: str, flags: frozenset[str]) -> str:
    if unit == "words":  # a character twice is a word in many languages
        others = {span for text in (line.source, *line.references) for span in doubled(text)}
        if spans := [written for span, written in doubled(line.hypothesis).items() if span not in others]:
            return f'"{spans[0]}" twice'
    return "a loop" if "repetition" in flags else ""


def doubled(text: str) -> dict[str, str]:
    """Spans of up to four words that follow themselves at once, with no punctuation between.

    In lower case, each with how it is written.
    """
    shown = text.split()
    words = [word.lower() for word in shown]
    found: dict[str, str] = {}
    for size in range(1, LONGEST_SPAN + 1):
        for begin in range(len(words) - 2 * size + 1):
            first, second = words[begin : begin + size], words[begin + size : begin + 2 * size]
            bare = [*second[:-1], second[-1].strip(PUNCTUATION)]
            if first == bare and any(map(str.isalpha, "".join(first))):
                found.setdefault(" ".join(first), " ".join(shown[begin : begin + size]))
    return found


# ---- words of the wrong language, and of none


def _untranslated(test: LineSet, flags: dict[int, frozenset[str]], kind: Callable[..., Finding]) -> Finding:
    known = test.known
    vocabulary = {unit.lower() for line in test.lines for units in line.reference_units for unit in units}
    about = "words of the source, no names or numbers, that no reference of the whole test set has"
    if known is not None:
        about += " and that are none of the target language by the training text"

    def is_foreign(unit: str) -> bool:
        word = unit.lower()
        if not unit.isalpha() or not unit[0].islower() or len(unit) < SHORTEST_WORD or word in vocabulary:
            return False
        return known is None or FOREIGN * known.target[word] < max(1, known.source[word])

    def look(line: Line) -> str:
        mine = set(line.source_units)
        words = [unit for unit in line.units if unit in mine and is_foreign(unit)]
        return _told(words) or ("a phrase of the source" if "copied source" in flags[line.number] else "")

    return kind("untranslated", "Untranslated source", f"{about}; or whole phrases of it", look)


def _unknown(test: LineSet, kind: Callable[..., Finding]) -> Finding:
    key, title = "unknown_word", "Words found nowhere"
    about = "words that training targets, references and source never have: made up, or new compounds and forms"
    known = test.known
    if known is None:
        return Finding(key, title, about, not_judged=NEEDS_TRAIN)
    vocabulary = {unit.lower() for line in test.lines for units in line.reference_units for unit in units}

    def look(line: Line) -> str:
        source = set(map(str.lower, line.source_units))
        units = {unit: unit.lower() for unit in line.units if not is_number(unit)}
        return _told(
            unit
            for unit, word in units.items()
            if word not in vocabulary and word not in source and not known.target[word]
        )

    return kind(key, title, about, look)


# ---- what is to be kept


def _not_kept(test: LineSet, kind: Callable[..., Finding]) -> tuple[Finding, ...]:
    source, target = test.source_language, test.target_language
    return (
        kind(
            "lost_number",
            "Lost numbers",
            "a number that the source and every reference have is missing, in digits and in words",
            lambda line: _told(sorted(kept.numbers(line, target)[1])),
        ),
        kind(
            "invented_number",
            "Invented numbers",
            "a number in digits that neither the source nor a reference has",
            lambda line: _told(sorted(kept.invented_numbers(line, source, target))),
        ),
        kind(
            "lost_name",
            "Lost names and copied tokens",
            "a name, address or code that the source and every reference spell alike is missing",
            lambda line: _told(copied(line)[1]),
        ),
        *_negation(test, kind),
        kind(
            "lost_question",
            "Lost questions",
            "the source and every reference end in a question mark, the hypothesis has none",
            lambda line: "no question mark" if asked(line, source, target)[1] else "",
        ),
    )


# ---- negation


def _negation(test: LineSet, kind: Callable[..., Finding]) -> tuple[Finding, Finding]:
    source, target = test.source_language, test.target_language
    lost = (
        "lost_negation",
        "Lost negation",
        "the source and every reference deny something, the hypothesis has no word for it",
    )
    invented = "invented_negation", "Invented negation", "the hypothesis denies something, and no other side does"
    for language in (source, target):
        if language is None or not negation.can_judge(language):
            why = f"{language or 'the language'}: known for {', '.join(negation.judged())} only"
            return Finding(*lost, not_judged=why), Finding(*invented, not_judged=why)
    assert source is not None
    assert target is not None

    def denies_alone(line: Line) -> str:
        if not negation.negates(line.hypothesis, target) or negation.negates(line.source, source):
            return ""
        return "" if any(negation.negates(text, target) for text in line.references) else "denies"

    return (
        kind(*lost, lambda line: "no word that denies" if denied(line, source, target)[1] else ""),
        kind(*invented, denies_alone),
    )
