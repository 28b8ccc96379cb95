"""The error analysis of `nmt eval --analyse`: the words of the training text that it asks for, and how it is told."""

from collections.abc import Iterable, Sequence
from functools import reduce

from nmt import console
from nmt.analysis import Analysis, WordCounts, count_words, words_of
from nmt.analysis.results import Bucket, Estimate, Finding, Group, Sentence, WrongWord
from nmt.analysis.words import MOST
from nmt.config import DataConfig
from nmt.corpus.formats import Location, open_pairs
from nmt.corpus.sources import train_streams
from nmt.corpus.stream import PairStream
from nmt.errors import DataError
from nmt.text.lines import clean

SHOWN_LINES, SHOWN_SENTENCES = 10, 5  # on a terminal; JSON has all
_WIDTH = 100  # characters of a sentence
_STANDARD_INPUT = "-"


# ---- the words of the training text


def known_words(data: DataConfig, sources: Sequence[str], targets: Iterable[str]) -> WordCounts | None:
    """How often `data.train` has the words of these lines; None, with a warning, where it cannot be read any more.

    targets: hypotheses and references.  Of a large corpus the first million pairs are counted.
    """
    if any(
        _STANDARD_INPUT in (corpus.text if isinstance(corpus.text, tuple) else (corpus.text,))
        for corpus in data.corpora
    ):
        return _unknown("it came from standard input")
    try:
        return _count(train_streams(data), sources, targets)
    except (DataError, OSError) as error:
        return _unknown(str(error).partition("\n")[0])


def words_at(place: Location, languages: tuple[str, str], sources: Sequence[str], targets: Iterable[str]) -> WordCounts:
    """The same of the text at this place. Errors: DataError for what cannot be read."""
    return _count([open_pairs(place, *languages)], sources, targets)


def _unknown(why: str) -> None:
    console.warn(f"rare and unseen words are not judged, as the training text cannot be read: {why}")
    console.log("  try: --train PLACE names where it is now")


def _count(streams: Sequence[PairStream], sources: Sequence[str], targets: Iterable[str]) -> WordCounts:
    wanted = words_of(sources), words_of(targets)
    most = MOST // len(streams)
    with console.progress(description="counting words", unit="pair") as bar:

        def told(stream: PairStream) -> Iterable[tuple[str, str]]:
            for pair in stream:
                yield pair
                bar.update()

        counts = [count_words(told(stream), *wanted, name=stream.name, most=most) for stream in streams]
    return reduce(WordCounts.plus, counts)


# ---- how it is told


def describe(analysis: Analysis) -> str:
    """The analysis as text for a terminal: what matters; JSON has all of it."""
    parts = [
        _head(analysis),
        _groups(analysis.groups),
        _findings(analysis),
        _words(analysis),
        _sentences("WORST SENTENCES, by chrF; another wording than the reference's may be right", analysis.worst),
        _sentences("BEST SENTENCES", analysis.best),
    ]
    return "\n\n".join(filter(None, parts))


def _head(analysis: Analysis) -> str:
    rows = [
        f"ANALYSIS of {analysis.lines:,} lines: BLEU {_estimate(analysis.bleu)}, chrF {_estimate(analysis.chrf)}",
        f"  {analysis.lengths:.2f} {analysis.unit} for each one of the references",
    ]
    if analysis.train:
        rows.append(f"  rare and unseen words: by {analysis.train}")
    rows += [f"  note: {note}" for note in analysis.notes]
    return "\n".join(rows)


def _estimate(estimate: Estimate) -> str:
    if estimate.low is None:
        return f"{estimate.score:.1f}"
    return f"{estimate.score:.1f} [{estimate.low:.1f}, {estimate.high:.1f}]"


def _groups(groups: Sequence[Group]) -> str:
    names = [bucket.name for group in groups for bucket in group.buckets]
    wide = max(map(len, names), default=0)
    rows = [f"WHERE IT IS HARD{' ' * (wide - 6)}lines    share  {'BLEU':<19} chrF"]
    for group in groups:
        if group.not_judged:
            rows.append(f"  {group.title}: not judged, {group.not_judged}")
            continue
        rows.append(f"  {group.title} ({group.about})")
        rows += [_bucket(bucket, wide) for bucket in group.buckets]
        if group.kept is not None and group.kept.expected:
            lost = f"; lost in {_lines(group.kept.lost)}" if group.kept.lost else ""
            rows.append(f"    kept: {group.kept.found:,} of {group.kept.expected:,} {group.kept.what}{lost}")
    rows.append("  [95 % intervals by resampling lines]  worse, better: than the other lines, by more than chance")
    return "\n".join(rows)


def _bucket(bucket: Bucket, wide: int) -> str:
    remark = "few lines: a hint at most" if bucket.few else bucket.stands_out
    return (
        f"    {bucket.name:<{wide}} {bucket.lines:>9,} {bucket.share:>8.1%}  {_estimate(bucket.bleu):<19} "
        f"{_estimate(bucket.chrf):<19} {remark}"
    ).rstrip()


def _lines(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[:SHOWN_LINES]))
    return f"line{'' if len(numbers) == 1 else 's'} {shown}{', ...' if len(numbers) > SHOWN_LINES else ''}"


def _findings(analysis: Analysis) -> str:
    rows = ["WHAT GOES WRONG, as far as it can be seen without understanding"]
    hits = sorted((each for each in analysis.findings if each.count), key=lambda each: -each.count)
    for finding in hits:
        rows += _finding(finding, analysis.lines)
    if none := [each.title for each in analysis.findings if not each.count and not each.not_judged]:
        rows.append(f"  in no line: {', '.join(none)}")
    rows += [f"  not judged: {each.title} ({each.not_judged})" for each in analysis.findings if each.not_judged]
    return "\n".join(rows)


def _finding(finding: Finding, lines: int) -> list[str]:
    rows = [f"  {finding.title}: {finding.count:,} ({finding.count / lines:.1%}), {_lines(finding.lines)}"]
    rows.append(f"    {finding.about}")
    return rows + [row for example in finding.examples[:1] for row in _sentence(example)]


def _words(analysis: Analysis) -> str:
    rows = ["WORDS"]
    if analysis.bands:
        rows.append("  of the references' words, by how often training text has them, so many are found:")
        rows += [f"    {band.name:<24}{band.words:>8,}  {_estimate(band.found)} %" for band in analysis.bands]
    for title, words in (
        ("missed more often than others", analysis.missed),
        ("written without need more often than others", analysis.invented),
    ):
        if words:
            rows.append(f"  {title}: {', '.join(map(_word, words))}")
    if analysis.confusions:
        told = [f"{each.expected} > {each.written} ({each.count:,}; line {each.line})" for each in analysis.confusions]
        rows.append(f"  written in the place of another one: {', '.join(told)}")
    return "\n".join(rows) if len(rows) > 1 else ""


def _word(word: WrongWord) -> str:
    return f"{_shown(word.word)} ({word.count:,} of {word.total:,}; line {word.line})"


def _sentences(title: str, sentences: Sequence[Sentence]) -> str:
    if not sentences:
        return ""
    return "\n".join([title, *(row for each in sentences[:SHOWN_SENTENCES] for row in _sentence(each))])


def _sentence(sentence: Sentence) -> list[str]:
    detail = f": {_shown(sentence.detail)}" if sentence.detail else ""
    texts = zip(
        ("source", "written", "right"), (sentence.source, sentence.hypothesis, sentence.references[0]), strict=True
    )
    return [
        f"    line {sentence.line:,}, chrF {sentence.chrf:.0f}{detail}",
        *(f"      {name:<8}{_shown(text)}" for name, text in texts),
    ]


def _shown(text: str) -> str:
    """One row of a terminal, with nothing in it that a terminal obeys."""
    text = clean(text) or "(blank)"
    text = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 3]}..."
