"""What an analysis tells, as plain values: for a terminal, a page, or JSON.

Lines are counted from 1, as in the file of the test set.  Shares are 0 to 1, scores 0 to 100.
"""

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

FEW = 30  # lines; the scores of fewer say little, and their intervals are too narrow
FEWEST = 10  # lines; the scores of fewer have no interval

Side = Literal["better", "worse", ""]


@dataclass(frozen=True)
class Estimate:
    """A score and its 95 % interval by resampling lines; None, None: too few lines for one, or none was asked for."""

    score: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Bucket:
    """Some of the lines.

    share: of all lines.  bleu, chrf: of these lines alone.
    stands_out: whether their chrF differs from that of all other lines by more than chance explains, with so many
        buckets looked at (three standard errors). It does not say why.
    """

    name: str
    lines: int
    share: float
    bleu: Estimate
    chrf: Estimate
    stands_out: Side = ""

    @property
    def few(self) -> bool:
        """Whether it has too few lines to be read as more than a hint."""
        return self.lines < FEW


@dataclass(frozen=True)
class Kept:
    """Things that every right translation has, and how many of them the hypotheses have.

    what: as in "numbers that source and reference write alike".  lost: lines that lack one.
    """

    what: str
    expected: int
    found: int
    lost: tuple[int, ...] = ()

    @property
    def share(self) -> float | None:
        """None: there was nothing to keep."""
        return self.found / self.expected if self.expected else None


@dataclass(frozen=True)
class Group:
    """All lines, cut into buckets by one question; each line is in one bucket.

    key: length, rarity, unseen, numbers, copied, negation or questions.  about: how a line's bucket is found.
    not_judged: why there are no buckets; "" where there are.
    """

    key: str
    title: str
    about: str
    buckets: tuple[Bucket, ...] = ()
    kept: Kept | None = None
    not_judged: str = ""


@dataclass(frozen=True)
class Sentence:
    """One line. chrf: of this line alone, 0 to 100.  detail: what is to be seen there, in a few words."""

    line: int
    chrf: float
    source: str
    hypothesis: str
    references: tuple[str, ...]
    detail: str = ""


@dataclass(frozen=True)
class Finding:
    """One kind of mistake.

    key: empty, under_translation, over_translation, repetition, untranslated, unknown_word, wrong_script,
        lost_number, invented_number, lost_name, lost_negation, invented_negation or lost_question.
    about: what was looked for.  lines: all that have it.  examples: some of them, those with the lowest chrF first.
    not_judged: why it was not looked for; "" where it was.
    """

    key: str
    title: str
    about: str
    lines: tuple[int, ...] = ()
    examples: tuple[Sentence, ...] = ()
    not_judged: str = ""

    @property
    def count(self) -> int:
        """Lines that have it."""
        return len(self.lines)


@dataclass(frozen=True)
class WrongWord:
    """A word that is on one side only, more often than others.

    count: how often it is there and not on the other side of the same line.  total: how often it is there at all.
    line: one where it happens.
    """

    word: str
    count: int
    total: int
    line: int


@dataclass(frozen=True)
class Confusion:
    """expected: what the reference says where the hypothesis says `written`.  count: how often.  line: one of these."""

    expected: str
    written: str
    count: int
    line: int


@dataclass(frozen=True)
class Band:
    """Words of the references that training text has so often, and how many of them the hypotheses have.

    found: percentage of `words`, 0 to 100, with its interval.
    """

    name: str
    words: int
    found: Estimate


@dataclass(frozen=True)
class Analysis:
    """All that is told of a set of translations.

    lengths: of all hypotheses over that of the nearest references, in units; 1 is right.
    unit: of the target side, "words" or "characters".
    train: what `known` was counted on; "" without.
    missed, invented: words of the reference that the hypothesis lacks, and the other way; what is most unusual first.
    notes: what to know before reading.
    """

    lines: int
    source_language: str | None
    target_language: str | None
    unit: str
    bleu: Estimate
    chrf: Estimate
    lengths: float
    groups: tuple[Group, ...] = ()
    findings: tuple[Finding, ...] = ()
    bands: tuple[Band, ...] = ()
    worst: tuple[Sentence, ...] = ()
    best: tuple[Sentence, ...] = ()
    missed: tuple[WrongWord, ...] = ()
    invented: tuple[WrongWord, ...] = ()
    confusions: tuple[Confusion, ...] = ()
    train: str = ""
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Plain values for `json.dump`, what follows from others (few, share, count) included."""
        values = asdict(self)
        for group, told in zip(self.groups, values["groups"], strict=True):
            for bucket, of_bucket in zip(group.buckets, told["buckets"], strict=True):
                of_bucket["few"] = bucket.few
            if group.kept is not None:
                told["kept"]["share"] = group.kept.share
        for finding, told in zip(self.findings, values["findings"], strict=True):
            told["count"] = finding.count
        return values


@dataclass(frozen=True)
class WordCounts:
    """How often training text has each word, in lower case.

    name: of the text.  pairs: that were counted.  complete: whether these are all there are.
    """

    name: str
    pairs: int
    complete: bool
    source: Counter[str] = field(default_factory=Counter)
    target: Counter[str] = field(default_factory=Counter)

    def plus(self, other: "WordCounts") -> "WordCounts":
        """Those of both texts together."""
        return WordCounts(
            f"{self.name} + {other.name}",
            self.pairs + other.pairs,
            self.complete and other.complete,
            self.source + other.source,
            self.target + other.target,
        )

    def __str__(self) -> str:
        return f"{'' if self.complete else 'the first '}{self.pairs:,} pairs of {self.name}"
