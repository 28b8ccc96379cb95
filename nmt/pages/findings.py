"""What the report shows of an analysis: where translations go wrong."""

from collections.abc import Sequence
from html import escape

from nmt.analysis.results import Analysis, Bucket, Confusion, Estimate, Finding, Group, Sentence, WrongWord
from nmt.pages.amounts import interval, percent, plural
from nmt.pages.charts import ticks, whisker
from nmt.pages.document import details, table

LISTED = 12  # line numbers that are told of one finding
SHOWN = 5  # examples of one finding


def findings(told: Analysis | None, test: str = "") -> str:
    """The section; nothing without an analysis. test: what was translated, if that is known."""
    if told is None:
        return ""
    scale = _scale(told)
    groups = "".join(_group(group, told, scale) for group in told.groups)
    notes = "".join(f"<p>{escape(note)}</p>\n" for note in told.notes)
    return f"""<section id="errors">
<h2>Where it goes wrong</h2>
<p>{escape(_lengths(told, test))}</p>
{notes}<h3>Mistakes that can be seen without understanding</h3>
{_kinds(told)}{_examples(told)}<h3>Which lines are hard</h3>
<p>The lines, cut by one question at a time: each row is scored alone. The bar is the 95 % interval of chrF, the dashed
line chrF of all lines ({told.chrf.score:.1f}). A row is called better or worse only where chance hardly explains it; it
does not say why.</p>
{groups}{_bands(told)}{_words(told)}{_sentences(told)}</section>
"""


def _lengths(told: Analysis, test: str) -> str:
    share, of = told.lengths, f"Translations of {test}" if test else "Translations"
    if abs(share - 1) < 0.02:
        return f"{of} are as long as the references: {share:.3f} times their {told.unit}."
    longer = "longer" if share > 1 else "shorter"
    return f"{of} are {percent(abs(share - 1))} {longer} than the references, in {told.unit}."


# ---- by groups


def _scale(told: Analysis) -> tuple[float, float]:
    """Of chrF, over all rows: so that all tables can be compared."""
    values = [
        value
        for group in told.groups
        for bucket in group.buckets
        if bucket.lines
        # The wide interval of few lines is cut rather than all others made small.
        for value in (_ends(bucket.chrf) if not bucket.few else [bucket.chrf.score])
    ]
    marks = ticks(min([*values, told.chrf.score]), max([*values, told.chrf.score]))
    return max(0.0, marks[0]), min(100.0, marks[-1])


def _ends(estimate: Estimate) -> list[float]:
    return [value for value in (estimate.score, estimate.low, estimate.high) if value is not None]


def _group(group: Group, told: Analysis, scale: tuple[float, float]) -> str:
    if group.not_judged:
        return f"<h3>{escape(group.title)}</h3>\n<p>Not judged: {escape(group.not_judged)}.</p>\n"
    heads = ("", "lines", "share", "BLEU", "95 %", "chrF", "95 %", f"chrF, {scale[0]:.0f} to {scale[1]:.0f}", "")
    rows = [_bucket(bucket, told.chrf.score, scale) for bucket in group.buckets]
    kept = ""
    if group.kept is not None and group.kept.share is not None:
        kept = (
            f"<p>Kept: {group.kept.found:,} of {group.kept.expected:,} {escape(group.kept.what)} "
            f"({percent(group.kept.share)}).</p>\n"
        )
    return (
        f"<h3>{escape(group.title)}</h3>\n<p class='soft'>{escape(_sentence(group.about))}</p>\n"
        f"{table(heads, 'tnnnnnnmm', rows, 'buckets')}{kept}"
    )


def _bucket(bucket: Bucket, whole: float, scale: tuple[float, float]) -> Sequence[str]:
    verdict = f'<span class="{bucket.stands_out}">{bucket.stands_out}</span>' if bucket.stands_out else ""
    few = '<span class="soft">few lines</span>' if bucket.few else ""
    drawn = whisker(bucket.chrf.score, bucket.chrf.low, bucket.chrf.high, whole, scale) if bucket.lines else ""
    return (
        bucket.name, f"{bucket.lines:,}", percent(bucket.share),
        f"{bucket.bleu.score:.1f}" if bucket.lines else "", interval(bucket.bleu),
        f"{bucket.chrf.score:.1f}" if bucket.lines else "", interval(bucket.chrf),
        drawn, few or verdict,
    )  # fmt: skip


def _bands(told: Analysis) -> str:
    if not told.bands:
        return ""
    rows = [
        (band.name, f"{band.words:,}", f"{band.found.score:.1f} %" if band.words else "", interval(band.found))
        for band in told.bands
    ]
    return (
        f"<h3>Words by how often they were seen in training</h3>\n<p class='soft'>Words of the references, and how "
        f"many of them the translations have; counted on {escape(told.train)}.</p>\n"
        f"{table(('seen in train', 'words', 'found', '95 % interval'), 'tnnn', rows)}"
    )


# ---- kinds of mistakes


def _kinds(told: Analysis) -> str:
    rows = [(finding.title, *_amount(finding, told.lines), _where(finding)) for finding in told.findings]
    return table(("", "lines", "share", "which"), "tnnt", rows, "kinds")


def _amount(finding: Finding, lines: int) -> tuple[str, str]:
    if finding.not_judged:
        return "", ""
    return f"{finding.count:,}", percent(finding.count / max(1, lines))


def _where(finding: Finding) -> str:
    if finding.not_judged:
        return f"not judged: {finding.not_judged}"
    more = ", …" if finding.count > LISTED else ""
    return ", ".join(str(line) for line in finding.lines[:LISTED]) + more


def _examples(told: Analysis) -> str:
    return "".join(
        details(
            f"{finding.title}: {plural(min(SHOWN, len(finding.examples)), 'example')}",
            _texts(finding.examples[:SHOWN], told),
        )
        for finding in told.findings
        if finding.examples
    )


# ---- words and sentences


def _words(told: Analysis) -> str:
    heads = ("word", "times", "of", "e.g. line")
    parts = [
        _listed("Missed", "in the reference and not in the translation", heads, told.missed),
        _listed("Invented", "in the translation and not in the reference", heads, told.invented),
    ]
    if told.confusions:
        rows = [_confusion(each) for each in told.confusions]
        where = table(("reference", "translation", "times", "e.g. line"), "ttnn", rows)
        parts.append(
            f"<div><h3>Taken for another</h3>\n<p class='soft'>one word where the other stands</p>\n{where}</div>\n"
        )
    shown = "".join(part for part in parts if part)
    return f'<div class="charts words">\n{shown}</div>\n' if shown else ""


def _listed(title: str, about: str, heads: Sequence[str], words: Sequence[WrongWord]) -> str:
    rows = [(each.word, f"{each.count:,}", f"{each.total:,}", str(each.line)) for each in words]
    return f"<div><h3>{title}</h3>\n<p class='soft'>{about}</p>\n{table(heads, 'tnnn', rows)}</div>\n" if rows else ""


def _confusion(each: Confusion) -> tuple[str, str, str, str]:
    return each.expected, each.written, f"{each.count:,}", str(each.line)


def _sentences(told: Analysis) -> str:
    shown = "".join(
        details(f"{name}: {plural(len(sentences), 'line')} by chrF", _texts(sentences, told))
        for name, sentences in (("Worst", told.worst), ("Best", told.best))
        if sentences
    )
    return f"<h3>Worst and best</h3>\n{shown}" if shown else ""


def _texts(sentences: Sequence[Sentence], told: Analysis) -> str:
    source, target = escape(told.source_language or ""), escape(told.target_language or "")
    return "".join(
        f'<div class="sample">\n<p class="soft">Line {each.line:,}: chrF {each.chrf:.1f}'
        f"{escape(f'; {each.detail}' if each.detail else '')}</p>\n"
        f'<dl class="texts">\n<dt>Source</dt><dd lang="{source}" dir="auto">{escape(each.source)}</dd>\n'
        f'<dt>Translation</dt><dd lang="{target}" dir="auto">{escape(each.hypothesis) or "(nothing)"}</dd>\n'
        + "".join(f'<dt>Reference</dt><dd lang="{target}" dir="auto">{escape(line)}</dd>\n' for line in each.references)
        + "</dl>\n</div>\n"
        for each in sentences
    )


def _sentence(text: str) -> str:
    """As one that ends."""
    return text[:1].upper() + text[1:].rstrip(".") + "."
