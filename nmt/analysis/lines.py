"""A test set, line by line, with all that is looked at more than once: words, and which reference is nearest."""

from collections.abc import Sequence
from dataclasses import dataclass

from nmt.analysis.results import WordCounts
from nmt.analysis.scores import Scorer
from nmt.corpus.rules.languages import is_unspaced
from nmt.text.lines import clean
from nmt.text.surface import UNSPACED, split_units

_UNSPACED_SHARE = 0.3  # of the characters of a text in an unknown language that is written without blanks


@dataclass(frozen=True)
class Line:
    """number: counted from 1.  chrf: of this line alone, 0 to 100.  nearest: index of the reference most like it.

    source_units, units, reference_units: words of the source, the hypothesis and each reference, in their own case.
    """

    number: int
    source: str
    hypothesis: str
    references: tuple[str, ...]
    chrf: float
    nearest: int
    source_units: tuple[str, ...]
    units: tuple[str, ...]
    reference_units: tuple[tuple[str, ...], ...]

    @property
    def reference(self) -> str:
        """The nearest one."""
        return self.references[self.nearest]

    @property
    def expected(self) -> tuple[str, ...]:
        """Words of the nearest reference."""
        return self.reference_units[self.nearest]


@dataclass(frozen=True)
class LineSet:
    """All lines and what is known around them.

    source_unit, unit: what units are in the source, and in the targets: "words" or "characters".
    """

    lines: Sequence[Line]
    source_language: str | None
    target_language: str | None
    source_unit: str
    unit: str
    known: WordCounts | None
    scorer: Scorer


def read_lines(
    sources: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    chrf: Sequence[float],
    nearest: Sequence[int],
) -> list[Line]:
    """All lines of a test set, cleaned as text to translate is. chrf, nearest: of each line."""
    lines = []
    for index, (source, hypothesis, *own) in enumerate(zip(sources, hypotheses, *references, strict=True)):
        texts = [clean(text) for text in (source, hypothesis, *own)]
        units = [units_of(text) for text in texts]
        lines.append(
            Line(
                number=index + 1,
                source=texts[0],
                hypothesis=texts[1],
                references=tuple(texts[2:]),
                chrf=chrf[index],
                nearest=nearest[index],
                source_units=units[0],
                units=units[1],
                reference_units=tuple(units[2:]),
            )
        )
    return lines


def units_of(text: str) -> tuple[str, ...]:
    """Words without the punctuation around them, of unspaced scripts the characters; what has no letter or digit is
    none."""
    return tuple(unit for unit in split_units(text) if any(map(str.isalnum, unit)))


def unit_name(language: str | None, texts: Sequence[str]) -> str:
    """What units of this language are: "words" or "characters". texts: tell, where the language does not."""
    if language:
        return "characters" if is_unspaced(language) else "words"
    letters = sum(map(len, texts))
    found = sum(len(UNSPACED.findall(text)) for text in texts)
    return "characters" if found > _UNSPACED_SHARE * letters else "words"
