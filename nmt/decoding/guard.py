"""What is wrong with an output at first sight: text against text, no model. A flag never changes a translation.

What is usual differs by language and domain, so the thresholds are learnt from a dev set's references (`fit`): what
people write must almost never be flagged.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from typing import Any, Self

import numpy as np

from nmt.text.surface import (
    EMAIL,
    PUNCTUATION,
    URL,
    find_numbers,
    longest_repeat,
    only_digits,
    script_of,
    split_units,
)

FEWEST = 50  # dev lines to learn from; with fewer the defaults stay
ALLOWED = 0.002  # share of dev references that each check may flag
LONG_WORD = 20  # characters; in longer ones a loop of subwords is looked for
FEWEST_UNITS, FEWEST_COPIED, FEWEST_FOREIGN = 12, 3, 4  # too few to judge: words, pairs of words, letters
MAIN_SCRIPT = 0.03  # share of the letters of dev targets that makes a script one of theirs
REPAIRABLE = frozenset(  # by another search, perhaps
    {"too long", "too short", "cut off", "repetition", "copied source", "lost number", "lost url", "lost email"}
    | {"wrong script", "reached the length limit"}
)
LARGE = 13  # numbers below are often words in one language, digits in another

_END = tuple(".!?…。！？।؟")
_CLOSING = "\"'»«”“’)]」』）"


@dataclass(frozen=True)
class Thresholds:
    """What is usual; an output beyond is flagged. The defaults, without a dev set, let all but the absurd pass.

    repeated: units (words, or characters of unspaced scripts) in a row that only say again what stands before.
    repeated_share: of pairs of neighbours that occurred before, beyond the source's own.
    length_mean: of log((output + 1) / (source + 1)), in characters.  length_spread: the two parts of its variance,
        the one of any source and, over the source's length, the one that makes short sources vary more.
    longest, shortest, cut: standard deviations from that mean; `cut` where the source's final stop is missing.
    copied: share of pairs of neighbours that are the source's.
    scripts: those of the targets, as Unicode's names of letters begin; none: unknown.  foreign: share of other letters.
    numbers, small_numbers, urls, emails: whether they usually survive; where not, losing one means nothing.
    """

    repeated: float = 2.0
    repeated_share: float = 0.5
    length_mean: float = 0.0
    length_spread: tuple[float, ...] = (0.25, 2.0)
    longest: float = 4.0
    shortest: float = 4.0
    cut: float = 4.0
    copied: float = 0.7
    scripts: tuple[str, ...] = ()
    foreign: float = 0.3
    numbers: bool = True
    small_numbers: bool = False
    urls: bool = True
    emails: bool = True

    def as_json(self) -> dict[str, Any]:
        """Plain values for `json.dump`."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The other way: missing is as by default, unknown is left out. Raises ValueError for a value that is none."""
        read: dict[str, Any] = {}
        for field in fields(cls):
            default, value = field.default, values.get(field.name, field.default)
            if isinstance(default, tuple):
                kind = str if field.name == "scripts" else float
                right = isinstance(value, list | tuple) and all(_is(kind, item) for item in value)
                right = right and (kind is str or (len(value) == 2 and min(value) >= 0 < max(value)))
                value = tuple(value) if right else value
            else:
                right = _is(type(default), value)
            if not right:
                raise ValueError(f"{field.name} is {value!r}")
            read[field.name] = value
        return cls(**read)


def _is(kind: type, value: object) -> bool:
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return isinstance(value, kind)


def check(source: str, output: str, usual: Thresholds) -> tuple[str, ...]:
    """The flags of one line's translation, none when nothing is wrong; none for a blank source.

    They are: too short, too long, cut off, repetition, copied source, lost number, lost url, lost email, wrong script.
    """
    source, output = source.strip(), output.strip()
    if not source:
        return ()
    flags = []
    off = _length(source, output, usual)
    if off > usual.longest:
        flags.append("too long")
    if -off > usual.shortest:
        flags.append("too short")
    elif -off > usual.cut and _loses_end(source, output):
        flags.append("cut off")
    source_units, output_units = split_units(source), split_units(output)
    if _is_repetitive(source, source_units, output_units, usual):
        flags.append("repetition")
    if _copied(source_units, output_units) > usual.copied:
        flags.append("copied source")
    flags += [name for name, loses in _LOSSES.items() if getattr(usual, name) and loses(source, output)]
    if usual.scripts and _foreign(source, output, usual.scripts) > usual.foreign:
        flags.append("wrong script")
    return tuple(dict.fromkeys(_TOLD.get(flag, flag) for flag in flags))


# Which check of what can be lost is told how.
_TOLD = {"numbers": "lost number", "small_numbers": "lost number", "urls": "lost url", "emails": "lost email"}


def best(flags: Sequence[Sequence[str]], scores: Sequence[float]) -> int:
    """Which candidate to keep of a line: index 0, the first translation, unless another one has fewer flags.

    flags, scores: of each candidate.  Among those with the fewest flags the highest score wins; a NaN loses.
    """
    fewest = min(map(len, flags))
    if len(flags[0]) == fewest:
        return 0
    rest = [index for index in range(len(flags)) if len(flags[index]) == fewest]
    return max(rest, key=lambda index: -math.inf if math.isnan(scores[index]) else scores[index])


# ---- what is measured


def _length(source: str, output: str, usual: Thresholds) -> float:
    """How many standard deviations the output is longer than usual for such a source."""
    steady, short = usual.length_spread
    spread = math.sqrt(steady + short / len(source))
    return (_log_ratio(source, output) - usual.length_mean) / spread


def _log_ratio(source: str, output: str) -> float:
    return math.log((len(output) + 1) / (len(source) + 1))


def _loses_end(source: str, output: str) -> bool:
    return source.rstrip(_CLOSING).endswith(_END) and not output.rstrip(_CLOSING).endswith(_END)


def _is_repetitive(source: str, source_units: Sequence[str], output_units: Sequence[str], usual: Thresholds) -> bool:
    run = longest_repeat(output_units)
    if run > usual.repeated and run > 2 * longest_repeat(source_units):
        return True
    if repeated_share(output_units) > usual.repeated_share + repeated_share(source_units):
        return True
    return any(
        len(unit) > LONG_WORD and longest_repeat(unit) > len(unit) / 2 and unit not in source for unit in output_units
    )


def repeated_share(units: Sequence[str]) -> float:
    """Share of pairs of neighbours that occurred before; 0 in a short text."""
    if len(units) < FEWEST_UNITS:
        return 0.0
    return 1 - len(set(pairwise(units))) / (len(units) - 1)


def _copied(source: Sequence[str], output: Sequence[str]) -> float:
    """Share of pairs of neighbours in the output that stand in the source, too; names and numbers do not count."""
    known = set(pairwise(source))
    pairs = [pair for pair in pairwise(output) if pair[0][0].islower() or pair[1][0].islower()]
    if not pairs:  # of unspaced scripts, without case
        pairs = [pair for pair in pairwise(output) if _caseless(pair[0]) and _caseless(pair[1])]
    copied = sum(pair in known for pair in pairs)
    return copied / len(pairs) if copied >= FEWEST_COPIED else 0.0


def _caseless(word: str) -> bool:
    return word[0].isalpha() and word[0].lower() == word[0].upper()


def _foreign(source: str, output: str, scripts: Sequence[str]) -> float:
    """Share of the output's letters that are of none of these scripts; what the source holds may be copied."""
    if output.isascii() and "LATIN" in scripts:
        return 0.0
    wrong = {letter for letter in set(output) if letter.isalpha() and script_of(letter) not in scripts}
    if not wrong:
        return 0.0
    runs = "".join(letter if letter in wrong else " " for letter in output).split()
    foreign = sum(len(run) for run in runs if run not in source)
    return foreign / sum(map(str.isalpha, output)) if foreign >= FEWEST_FOREIGN else 0.0


def _loses_number(source: str, output: str, *, small: bool) -> bool:
    numbers = {number for number in find_numbers(source) if (int(number) < LARGE) == small}
    lost = numbers - find_numbers(output) if numbers else None
    if not lost:
        return False
    written = only_digits(output)  # "15 200" may be one number, or two
    return any(len(number) < 3 or number not in written for number in lost)


def _loses_any(found: Iterable[str], output: str) -> bool:
    lowered = output.lower()
    return any(text.lower().rstrip(PUNCTUATION) not in lowered for text in found)


_LOSSES: dict[str, Callable[[str, str], bool]] = {
    "numbers": lambda source, output: _loses_number(source, output, small=False),
    "small_numbers": lambda source, output: _loses_number(source, output, small=True),
    "urls": lambda source, output: _loses_any(URL.findall(source), output),
    "emails": lambda source, output: "@" in source and _loses_any(EMAIL.findall(source), output),
}


# ---- what is usual


def fit(sources: Sequence[str], references: Sequence[str]) -> Thresholds:
    """Learn from dev what people write: at most `ALLOWED` of the references is flagged by each check.

    Not from a model's outputs: their faults must not pass for usual. Fewer than `FEWEST` lines teach nothing.
    """
    both = zip(sources, references, strict=True)
    pairs = [pair for pair in ((source.strip(), reference.strip()) for source, reference in both) if all(pair)]
    if len(pairs) < FEWEST:
        return Thresholds()
    mean, spread = _fit_length(pairs)
    usual = Thresholds(length_mean=mean, length_spread=spread, scripts=_fit_scripts(pairs))
    off = [_length(*pair, usual) for pair in pairs]
    units = [(split_units(source), split_units(reference)) for source, reference in pairs]
    runs = [(longest_repeat(source), longest_repeat(reference)) for source, reference in units]
    cut = [-z if _loses_end(*pair) else -math.inf for pair, z in zip(pairs, off, strict=True)]
    shares = [repeated_share(reference) - repeated_share(source) for source, reference in units]
    return Thresholds(
        repeated=_limit([run if run > 2 * own else 0 for own, run in runs], at_least=2.0),
        repeated_share=_limit(shares, at_least=0.3),
        length_mean=mean,
        length_spread=spread,
        longest=_limit(off, at_least=3.0),
        shortest=_limit([-z for z in off], at_least=3.0),
        cut=_limit(cut, at_least=1.0),
        copied=_limit([_copied(*pair) for pair in units], at_least=0.2),
        scripts=usual.scripts,
        foreign=_limit([_foreign(*pair, usual.scripts) for pair in pairs], at_least=0.15),
        **{name: _survive(name, pairs) for name in _LOSSES},
    )


def _limit(values: Sequence[float], *, at_least: float) -> float:
    """What all but the `ALLOWED` share stay within, with a margin that shrinks as the lines grow in number."""
    beyond = sorted(values, reverse=True)[int(ALLOWED * len(values))]
    return max(at_least, beyond * (1 + 1 / math.sqrt(len(values))))


def _fit_length(pairs: Sequence[tuple[str, str]]) -> tuple[float, tuple[float, float]]:
    """The median of the log ratio, and its variance as steady + short / length by least squares."""
    ratios = np.array([_log_ratio(*pair) for pair in pairs])
    mean = float(np.median(ratios))
    inverse = np.array([1 / len(source) for source, _ in pairs])
    squares = (ratios - mean) ** 2
    squares = np.minimum(squares, np.quantile(squares, 0.99))  # a misaligned line must not blunt the check
    design = np.stack([np.ones_like(inverse), inverse], axis=1)
    steady, short = np.linalg.lstsq(design, squares, rcond=None)[0]
    if short < 0 or steady < 0:
        steady, short = float(squares.mean()), 0.0
    return mean, (max(float(steady), 0.01), float(short))  # at least a tenth: a uniform dev set is not the world


def _fit_scripts(pairs: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    letters = Counter(letter for _, reference in pairs for letter in reference if letter.isalpha())
    scripts: Counter[str] = Counter()
    for letter, times in letters.items():
        scripts[script_of(letter)] += times
    return tuple(sorted(name for name, times in scripts.items() if times >= MAIN_SCRIPT * scripts.total()))


def _survive(name: str, pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether what this check is about usually is in the reference, too; as by default where few lines tell."""
    held = sum(_LOSSES[name](source, "") for source, _ in pairs)
    lost = sum(_LOSSES[name](*pair) for pair in pairs)
    if lost > max(1, ALLOWED * len(pairs)):
        return False
    return bool(getattr(Thresholds(), name)) if held < FEWEST else True
