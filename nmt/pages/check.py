"""The page of `nmt data check`: one HTML file that needs no network and no script, in light and dark."""

import math
from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from nmt import __version__
from nmt.corpus.checking.findings import Example, Finding
from nmt.corpus.checking.full import Report
from nmt.corpus.checking.survey import LONGEST, RATIOS
from nmt.corpus.checking.vocabulary import recommended
from nmt.pages.document import document
from nmt.text.lines import clean, visible

WIDTH, HEIGHT = 640, 180  # of a diagram
CELL = 2  # words that one cell of the map of lengths stands for
MOST = 400  # characters of an example's side

_STYLE = """
:root { color-scheme: light dark; --line: #8886; --source: #2166c4; --target: #c4601d; --heat: 20 100 220;
  --error: #c4161c; --warning: #a86400; --info: #2166c4; }
@media (prefers-color-scheme: dark) { :root { --source: #6db0ff; --target: #ffab6b; --heat: 90 160 255;
  --error: #ff7b7b; --warning: #ffc55c; --info: #6db0ff; } }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: auto; padding: 1rem; overflow-wrap: anywhere; }
section { border-top: 1px solid var(--line); margin-top: 2rem; break-inside: avoid; }
.error h3 { color: var(--error); } .warning h3 { color: var(--warning); } .info h3 { color: var(--info); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0; }
th, td { border: 1px solid var(--line); padding: .15rem .45rem; text-align: start; vertical-align: top; }
td.n { text-align: end; font-variant-numeric: tabular-nums; }
svg { max-width: 100%; height: auto; } svg text { font-size: 11px; fill: currentColor; }
.source { fill: var(--source); } .target { fill: var(--target); } .both { opacity: .6; }
.heat rect { fill: rgb(var(--heat)); }
code { white-space: pre-wrap; }
@media print { body { max-width: none; } section { page-break-inside: avoid; } }
"""


def page(report: Report) -> str:
    """The whole document. Everything that comes from outside is escaped."""
    name = escape(report.name)
    found = "".join(map(_finding, report.findings)) or "<p>Nothing was found.</p>\n"
    body = f"""<h1>{name}</h1>
{_numbers(report)}
<h2>Findings</h2>
{found}{_diagrams(report)}{_vocabularies(report)}<footer>
<p>nmt {escape(__version__)}: nmt data check.</p>
</footer>
"""
    return document(f"Checked: {name}", _STYLE, body)


def _numbers(report: Report) -> str:
    seen = "" if report.looked_at == report.pairs else f" {report.looked_at:,} of these were looked at."
    rows = []
    for name, side, heard in zip(("source", "target"), report.tally.sides, report.heard, strict=True):
        languages = ", ".join(f"{code} {share:.0%}" for code, share in heard.languages[:3])
        rows.append(
            (
                f"{name} ({heard.language})", f"{side.words:,}", f"{side.words / max(1, report.looked_at):.1f}",
                f"{len(side.vocabulary):,}", f"{side.characters:,}", f"{len(side.letters):,}", languages,
            )
        )  # fmt: skip
    heads = ("", "words", "words a line", "different words", "characters", "different characters", "sounds like")
    held = "".join(f" {name}: {count:,} pairs." for name, count in report.held_out.items())
    return (
        f"<p>{report.pairs:,} pairs.{seen} {report.distinct[0]:,} of these differ.{escape(held)}</p>\n"
        f"{_table(heads, rows)}"
    )


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The first and the last column are text, the others are numbers."""
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    body = "".join(
        f'<tr><th scope="row">{escape(first)}</th>'
        + "".join(f'<td class="n">{escape(cell)}</td>' for cell in middle)
        + f"<td>{escape(last)}</td></tr>\n"
        for first, *middle, last in rows
    )
    return f'<div class="scroll"><table><thead><tr>{top}</tr></thead>\n<tbody>\n{body}</tbody></table></div>\n'


def _finding(finding: Finding) -> str:
    amount = f"<p>{escape(finding.amount)}</p>\n" if finding.amount else ""
    examples = "".join(map(_example, finding.examples))
    table = f'<div class="scroll"><table><tbody>\n{examples}</tbody></table></div>\n' if examples else ""
    remedy = f"<p>Try: <code>{escape(finding.remedy)}</code></p>\n" if finding.remedy else ""
    return (
        f'<section class="{finding.severity}">\n<h3>{finding.severity}: {escape(finding.name)}</h3>\n'
        f"<p>{escape(_sentence(finding.message))}</p>\n{amount}{table}{remedy}</section>\n"
    )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _example(example: Example) -> str:
    where = escape(example.where or f"line {example.line:,}")
    sides = "".join(f'<td dir="auto">{escape(_cut(text))}</td>' for text in (example.source, example.target))
    return f'<tr><th scope="row">{where}</th>{sides}<td>{escape(clean(example.detail))}</td></tr>\n'


def _cut(text: str) -> str:
    text = visible(text)
    return text if len(text) <= MOST else f"{text[: MOST - 1]}…"


# ---- Diagrams


def _diagrams(report: Report) -> str:
    tally = report.tally
    if not tally.pairs:
        return ""
    edges = [f"{2**edge:.2g}" for edge in RATIOS[:-1]]
    return f"""<section>
<h2>Lengths</h2>
<p>Lines by their words: <span style="color: var(--source)">source</span>,
<span style="color: var(--target)">target</span>. The last bar has all that are longer.</p>
{_bars([tally.sides[0].lengths, tally.sides[1].lengths], [str(words) for words in range(LONGEST + 1)])}
<p>Pairs by how many times longer the target is, in characters.</p>
{_bars([tally.ratios], edges)}
<p>Pairs by the words of the source (to the right) and of the target (upwards); the darker, the more.</p>
{_map(tally.grid)}
</section>
"""


def _bars(series: Sequence[NDArray[np.int64]], labels: Sequence[str]) -> str:
    """One diagram; several series lie over each other."""
    top = max(1, *(int(counts.max()) for counts in series))
    width = WIDTH / len(labels)
    drawn = []
    for name, counts in zip(("source", "target"), series, strict=False):
        for index, count in enumerate(counts.tolist()):
            if count:
                height = max(0.5, HEIGHT * count / top)
                drawn.append(
                    f'<rect class="{name}{" both" if len(series) > 1 else ""}" x="{index * width:.1f}" '
                    f'y="{HEIGHT - height:.1f}" width="{width * 0.9:.1f}" height="{height:.1f}">'
                    f"<title>{escape(labels[index])}: {count:,}</title></rect>\n"
                )
    step = max(1, len(labels) // 10)
    ticks = "".join(
        f'<text x="{index * width:.1f}" y="{HEIGHT + 14}">{escape(labels[index])}</text>\n'
        for index in range(0, len(labels), step)
    )
    return (
        f'<svg viewBox="0 0 {WIDTH + 30} {HEIGHT + 20}" role="img" width="{WIDTH + 30}" height="{HEIGHT + 20}">'
        f'<text x="{WIDTH - 60}" y="12">most: {top:,}</text>\n{"".join(drawn)}{ticks}</svg>\n'
    )


def _map(grid: NDArray[np.int64]) -> str:
    """The grid of both lengths, by cells of CELL words, as far as there are any."""
    size = -(-grid.shape[0] // CELL) * CELL
    padded = np.zeros((size, size), np.int64)
    padded[: grid.shape[0], : grid.shape[1]] = grid
    cells = padded.reshape(size // CELL, CELL, size // CELL, CELL).sum(axis=(1, 3))
    used = np.argwhere(cells)
    if not len(used):
        return ""
    side = int(used.max()) + 1
    unit = min(12.0, 360 / side)
    top = math.log1p(int(cells.max()))
    drawn = "".join(
        f'<rect x="{source * unit:.1f}" y="{(side - 1 - target) * unit:.1f}" width="{unit:.1f}" height="{unit:.1f}" '
        f'opacity="{0.08 + 0.92 * math.log1p(count) / top:.2f}"><title>{source * CELL} to {source * CELL + CELL - 1} '
        f"beside {target * CELL} to {target * CELL + CELL - 1} words: {count:,}</title></rect>\n"
        for source, target in used.tolist()
        for count in (int(cells[source, target]),)
    )
    edge = side * unit
    return (
        f'<svg class="heat" viewBox="0 0 {edge + 40:.0f} {edge + 20:.0f}" role="img" width="{edge + 40:.0f}" '
        f'height="{edge + 20:.0f}">{drawn}<text x="0" y="{edge + 14:.0f}">0</text>'
        f'<text x="{edge:.0f}" y="{edge + 14:.0f}">{side * CELL}</text></svg>\n'
    )


def _vocabularies(report: Report) -> str:
    if not report.vocabularies:
        return ""
    best = recommended(report.vocabularies)
    rows = [
        (
            f"{each.size:,}", f"{each.pieces_per_word:.2f}", f"{each.whole_words:.1%}", f"{each.seldom:,}",
            "recommended" if each is best else "",
        )
        for each in report.vocabularies
    ]  # fmt: skip
    heads = ("pieces", "pieces a word", "words in one piece", "used under 10 times", "")
    about = "<p>What a joint unigram vocabulary would give.</p>"
    return f"<section>\n<h2>Vocabulary</h2>\n{about}\n{_table(heads, rows)}</section>\n"
