"""What the report shows of single lines: samples with attention, and whether confidence comes true."""

from html import escape

from nmt.pages.amounts import percent
from nmt.pages.charts import Dot, reliability
from nmt.pages.document import details
from nmt.pages.facts import Reliability, RunReport, Sample


def samples(report: RunReport) -> str:
    """Each with what it looked at, folded away but for the first."""
    if not report.samples:
        return ""
    shown = "".join(
        _sample(sample, report.source_language, report.target_language, is_open=index == 0)
        for index, sample in enumerate(report.samples)
    )
    attention = f" Attention: {escape(report.attention)}." if report.attention else ""
    return f"""<section id="samples">
<h2>Samples</h2>
<p>The more a word is coloured, the less sure the model was of it. chrF is of the line alone, 0 to 100.{attention}</p>
{shown}</section>
"""


def _sample(sample: Sample, source_language: str, target_language: str, *, is_open: bool) -> str:
    words = " ".join(
        f'<span style="--p:{chance:.3f}" title="probability {chance:.4g}">{escape(word)}</span>'
        for word, chance in zip(sample.words, sample.probabilities, strict=True)
    )
    confidence = "" if sample.confidence is None else f", confidence {percent(sample.confidence)}"
    heat = details("Where it looked", _heat(sample), is_open=is_open) if sample.words and sample.source else ""
    return f"""<div class="sample">
<p class="soft">Line {sample.line:,}, {escape(sample.why)}: chrF {sample.chrf:.1f}{confidence}</p>
<dl class="texts">
<dt>Source</dt><dd lang="{escape(source_language)}" dir="auto">{escape(" ".join(sample.source))}</dd>
<dt>Translation</dt><dd class="translation" lang="{escape(target_language)}" dir="auto">{words}</dd>
<dt>Reference</dt><dd lang="{escape(target_language)}" dir="auto">{escape(sample.reference)}</dd>
</dl>
{heat}</div>
"""


def _heat(sample: Sample) -> str:
    """One row a word of the translation, one column a source word; the last column is the source's end."""
    top = "".join(f'<th scope="col" dir="auto">{escape(word)}</th>' for word in (*sample.source, "(end)"))
    rows = []
    for word, row in zip(sample.words, sample.attention, strict=True):
        values = [*row, max(0.0, 1 - sum(row))]
        cells = "".join(
            f'<td style="--w:{value:.2f}" title="{escape(word)} → {escape(source)}: {value:.2f}"></td>'
            for value, source in zip(values, (*sample.source, "(end)"), strict=True)
        )
        rows.append(f'<tr><th scope="row" dir="auto">{escape(word)}</th>{cells}</tr>\n')
    return (
        "<p class='soft'>One row a word of the translation; the stronger the colour, the more it looked at that source "
        "word.</p>\n"
        f'<div class="scroll"><table class="heat"><thead><tr><td></td>{top}</tr></thead>\n'
        f"<tbody>\n{''.join(rows)}</tbody></table></div>\n"
    )


def confidence(told: Reliability | None) -> str:
    """The diagram, and what it comes to."""
    if told is None:
        return ""
    dots = [
        Dot(
            bin.predicted, bin.good, bin.good_low, bin.good_high, bin.lines,
            f"{bin.lines:,} lines: said {percent(bin.predicted)}, true {percent(bin.good)} "
            f"({percent(bin.good_low)} to {percent(bin.good_high)})",
        )
        for bin in told.bins
    ]  # fmt: skip
    worth = 1 - told.brier / told.always_the_share if told.always_the_share else 0.0
    if worth > 0.05:
        verdict = "It tells good lines from bad ones better than a guess by their share would."
    elif worth > 0:
        verdict = "It is hardly better than a guess by their share."
    else:
        verdict = "It is no better than a guess by their share: do not go by it on text like this."
    return f"""<section id="confidence">
<h2>Confidence</h2>
<p>The model gives each translation a probability that it is good: its chrF at least {told.threshold:.1f}, the median of
the dev set. Of these {told.lines:,} lines {percent(told.good)} do. On the dashed line what is said
comes true; upright lines are 95 % intervals, grey bars the lines behind each point.</p>
<div class="charts">
{reliability(dots, "Does it come true?", x_name="confidence said", y_name="share of good translations")}<div>
<p>On average it is off by {percent(told.error)} (expected calibration error). Its mean squared error is
{told.brier:.3f}; always saying {percent(told.good)} would have {told.always_the_share:.3f}. {verdict}</p>
</div></div>
</section>
"""
