"""Where translations go wrong: strings in, findings out. No model is needed, and torch is not imported.

`results.py` has all that is told, `lines.py` the test set, `scores.py` the scores of a part of it. `groups.py` cuts it
into buckets, `findings.py` looks for kinds of mistakes, `words.py` for words; `kept.py` and `negation.py` know what a
right translation keeps.
"""

from collections.abc import Sequence

from nmt.analysis.findings import find, sentence
from nmt.analysis.groups import all_groups
from nmt.analysis.lines import Line, LineSet, read_lines, unit_name
from nmt.analysis.results import Analysis, WordCounts
from nmt.analysis.scores import Scorer
from nmt.analysis.words import bands, confusions, count_words, words_of, wrong_words
from nmt.decoding import guard
from nmt.errors import DataError

__all__ = ["Analysis", "WordCounts", "analyse", "count_words", "words_of"]


def analyse(
    sources: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    source_language: str | None,
    target_language: str | None,
    known: WordCounts | None = None,
    lowercase: bool = False,
    samples: int = 1000,
    shown: int = 10,
) -> Analysis:
    """Look at translations from all sides.

    sources: without tags.  references: one or more sets, each with a line for each hypothesis.
    known: the words of training text, of which rare and unseen ones are told; None: these are not judged.
    lowercase: ignore case in scores.  samples: of each interval; 0: none.
    shown: the most sentences, words and examples of each list.
    Errors: DataError if the numbers of lines differ, or what Japanese or Korean needs is not installed.
    """
    if len(sources) != len(hypotheses):
        raise DataError(
            f"there are {len(sources):,} source lines but {len(hypotheses):,} hypotheses; each needs its own.",
            "compare the files line by line: one was cut short, or they belong to different sets",
        )
    scorer = Scorer(hypotheses, references, target_language, lowercase, samples)
    lines = read_lines(sources, hypotheses, references, scorer.sentence_chrf(), scorer.nearest(hypotheses, references))
    unit = unit_name(target_language, references[0])
    test = LineSet(lines, source_language, target_language, unit_name(source_language, sources), unit, known, scorer)
    worst, best = _extremes(lines, shown)
    expected = sum(len(line.expected) for line in lines)
    return Analysis(
        lines=len(lines),
        source_language=source_language,
        target_language=target_language,
        unit=unit,
        bleu=scorer.bleu,
        chrf=scorer.chrf,
        lengths=sum(len(line.units) for line in lines) / max(1, expected),
        groups=all_groups(test),
        findings=find(test, guard.fit(sources, references[0]), shown),
        bands=bands(lines, known, scorer) if known else (),
        worst=tuple(map(sentence, worst)),
        best=tuple(map(sentence, best)),
        missed=wrong_words(lines, "missed", shown),
        invented=wrong_words(lines, "invented", shown),
        confusions=confusions(lines, shown),
        train="" if known is None else str(known),
        notes=tuple(_notes(test)),
    )


def _extremes(lines: Sequence[Line], shown: int) -> tuple[list[Line], list[Line]]:
    """The worst, and the best of the others; of equal ones the longest first. A blank source is neither."""
    ordered = sorted((line for line in lines if line.source), key=lambda line: (line.chrf, -len(line.source)))
    few = min(shown, len(ordered) // 2)
    best = sorted(ordered[few:], key=lambda line: (-line.chrf, -len(line.source)))
    return ordered[:few], best[:few]


def _notes(test: LineSet) -> list[str]:
    notes = []
    if test.unit == "characters":
        notes.append("the target language has no blanks between words: its words here are single characters.")
    if test.source_unit == "characters":
        notes.append("the source language has no blanks between words: its words here are single characters.")
    if test.known is not None and test.known.pairs == 0:
        notes.append(f"{test.known.name} holds no text: every word counts as never seen.")
    return notes
