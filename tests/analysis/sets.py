"""Small test sets for the tests of the analysis."""

from collections import Counter
from collections.abc import Sequence

from nmt.analysis.lines import LineSet, read_lines, unit_name
from nmt.analysis.results import WordCounts
from nmt.analysis.scores import Scorer


def make(
    *lines: tuple[str, ...],
    languages: tuple[str | None, str | None] = ("en", "de"),
    known: WordCounts | None = None,
    samples: int = 0,
) -> LineSet:
    """lines: source, hypothesis and one or more references each."""
    sources, hypotheses, *references = (list(side) for side in zip(*lines, strict=True))
    scorer = Scorer(hypotheses, references, languages[1], False, samples)
    found = read_lines(sources, hypotheses, references, scorer.sentence_chrf(), scorer.nearest(hypotheses, references))
    units = [unit_name(language, texts) for language, texts in zip(languages, (sources, references[0]), strict=True)]
    return LineSet(found, *languages, *units, known, scorer)


def counts(source: str = "", target: str = "") -> WordCounts:
    """As of a training text of these words."""
    return WordCounts("train", 1, True, Counter(source.split()), Counter(target.split()))


def numbered(count: int, good: Sequence[int] = ()) -> list[tuple[str, str, str]]:
    """Different lines; those of `good` are translated as in the reference, the others have a word wrong."""
    texts = [f"Satz {number} hier hat {number * 7919 % 1009} rote Kühe" for number in range(count)]
    return [
        (f"line {number}", text if number in good else text.replace("Kühe", "Hunde"), text)
        for number, text in enumerate(texts)
    ]
