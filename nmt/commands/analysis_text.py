"""The error analysis as text for a terminal: what matters, without all that JSON has."""

from collections.abc import Sequence

from nmt.analysis.results import Analysis, Bucket, Estimate, Finding, Group, Sentence, WrongWord
from nmt.text.lines import visible

SHOWN_LINES = 10  # numbers of lines
WORST, BEST = 5, 2  # sentences
WIDTH = 100  # characters of a sentence


def describe(analysis: Analysis) -> str:
    """The analysis as text for a terminal: what matters; JSON has all of it."""
    parts = [
        _head(analysis),
        _groups(analysis.groups),
        _findings(analysis),
        _words(analysis),
        _sentences(
            "WORST SENTENCES, by chrF; another wording than the reference's may be right", analysis.worst[:WORST]
        ),
        _sentences("BEST SENTENCES", analysis.best[:BEST]),
    ]
    return "\n\n".join(filter(None, parts))


def _head(analysis: Analysis) -> str:
    rows = [
        f"ANALYSIS of {analysis.lines:,} lines: BLEU {_estimate(analysis.bleu)}, chrF {_estimate(analysis.chrf)}",
        f"  {analysis.lengths:.2f} {analysis.unit} for each of the reference",
    ]
    if analysis.train:
        rows.append(f"  rare and unseen words: by {analysis.train}")
    else:
        rows.append("  rare and unseen words: not judged; --train PLACE names the training text")
    if analysis.source_language is None or analysis.target_language is None:
        rows.append("  languages: not known, so negation is not judged; --source-language and --language name them")
    rows += [f"  note: {note}" for note in analysis.notes]
    return "\n".join(rows)


def _estimate(estimate: Estimate) -> str:
    if estimate.low is None:
        return f"{estimate.score:.1f}"
    return f"{estimate.score:.1f} [{estimate.low:.1f}, {estimate.high:.1f}]"


def _groups(groups: Sequence[Group]) -> str:
    wide = max(len(bucket.name) for group in groups for bucket in group.buckets)
    rows = [f"WHERE IT IS HARD{' ' * (wide - 6)}lines    share  {'BLEU':<19} chrF"]
    for group in groups:
        rows += _group(group, wide)
    rows.append("  in brackets: 95 % intervals, by bootstrap resampling")
    rows.append("  worse, better: than the other lines by chrF, and by more than chance explains; it does not say why")
    return "\n".join(rows)


def _group(group: Group, wide: int) -> list[str]:
    if group.not_judged:
        return [f"  {group.title}: not judged, {group.not_judged}"]
    if len(group.buckets) == 1:
        return [f"  {group.title} ({group.about})", f"    all lines are in one bucket: {group.buckets[0].name}"]
    rows = [f"  {group.title} ({group.about})", *(_bucket(bucket, wide) for bucket in group.buckets)]
    if group.kept is not None and group.kept.expected:
        rows.append(f"    kept: {group.kept.found:,} of {group.kept.expected:,} {group.kept.what}")
    return rows


def _bucket(bucket: Bucket, wide: int) -> str:
    remark = "few lines: a hint at most" if bucket.few else bucket.stands_out
    return (
        f"    {bucket.name:<{wide}} {bucket.lines:>9,} {_percent(bucket.share):>8}  {_estimate(bucket.bleu):<19} "
        f"{_estimate(bucket.chrf):<19} {remark}"
    ).rstrip()


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


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
    rows = [f"  {finding.title}: {finding.count:,} ({_percent(finding.count / lines)}), {_lines(finding.lines)}"]
    rows.append(f"    {finding.about}")
    return rows + [row for example in finding.examples[:1] for row in _sentence(example)]


def _words(analysis: Analysis) -> str:
    rows = ["WORDS"]
    if analysis.bands:
        rows.append("  of the references' words, by how often training text has them, so many are found:")
        rows += [f"    {band.name:<24}{band.words:>8,}  {_estimate(band.found)} %" for band in analysis.bands]
    for title, words in (
        ("missed more often than others", analysis.missed),
        ("invented more often than others", analysis.invented),
    ):
        if words:
            rows.append(f"  {title}: {', '.join(map(_word, words))}")
    if analysis.confusions:
        told = [
            f"{_shown(each.written)} for {_shown(each.expected)} ({each.count:,}; line {each.line})"
            for each in analysis.confusions
        ]
        rows.append(f"  written in the place of another: {', '.join(told)}")
    return "\n".join(rows) if len(rows) > 1 else ""


def _word(word: WrongWord) -> str:
    return f"{_shown(word.word)} ({word.count:,} of {word.total:,}; line {word.line})"


def _sentences(title: str, sentences: Sequence[Sentence]) -> str:
    if not sentences:
        return ""
    return "\n".join([title, *(row for each in sentences for row in _sentence(each))])


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
    text = visible(text) or "(blank)"
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}..."
