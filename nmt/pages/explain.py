"""The page of `nmt explain`: one HTML file that needs no network and no script, in light and dark."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from nmt.pages.document import document


@dataclass(frozen=True)
class Step:
    """One piece that was written. alternatives: the most probable ones there, best first, with log-probabilities."""

    piece: str
    log_prob: float
    alternatives: list[tuple[str, float]]


@dataclass(frozen=True)
class Word:
    """One word of the translation, and the steps that wrote it."""

    text: str
    steps: list[Step]

    @property
    def log_prob(self) -> float:
        """Of all its pieces together."""
        return math.fsum(step.log_prob for step in self.steps)


@dataclass(frozen=True)
class Heat:
    """How much each word of the translation looks at each source word: one row a target word."""

    name: str
    rows: list[list[float]]


@dataclass(frozen=True)
class Explanation:
    """One sentence. layers: the mean of each layer's heads, and each of its heads."""

    source: list[str]
    words: list[Word]
    end: Step
    log_prob: float
    perplexity: float
    chosen: Heat
    layers: list[tuple[Heat, list[Heat]]]


_STYLE = """
:root { color-scheme: light dark; --heat: 20 100 220; --doubt: 225 95 10; --line: #8886; }
@media (prefers-color-scheme: dark) { :root { --heat: 90 160 255; --doubt: 255 150 60; } }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 72rem; margin: auto; padding: 1rem; overflow-wrap: anywhere; }
section { border-top: 1px solid var(--line); margin-top: 2rem; }
.translation { font-size: 1.3rem; }
.translation span { background: rgb(var(--doubt) / calc(.6 - .6 * var(--p))); border-radius: .2em; padding: 0 .15em; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0; overflow-wrap: normal; }
th, td { border: 1px solid var(--line); padding: .15rem .45rem; text-align: start; vertical-align: top; }
td.n { text-align: end; font-variant-numeric: tabular-nums; }
.heat td { background: rgb(var(--heat) / calc(.75 * var(--w))); }
.heat td.link { font-weight: bold; outline: 2px solid rgb(var(--heat)); outline-offset: -2px; }
details { margin: .3rem 0 .3rem .5rem; }
"""


def page(explanations: Sequence[Explanation], source_language: str, target_language: str, about: Sequence[str]) -> str:
    """The whole document. about: sentences for its foot. Everything that comes from outside is escaped."""
    sections = "".join(_section(item, source_language, target_language) for item in explanations)
    foot = "".join(f"<p>{escape(line)}</p>\n" for line in about)
    title = escape(" ".join(explanations[0].source) if explanations else "")
    body = f"""<h1>How this was translated</h1>
<p>The more a word is coloured, the less sure the model was of it. A word's probability is that of all its pieces, given
the source and the words before it.</p>
{sections}<footer>
{foot}</footer>
"""
    return document(f"Explained: {title}", _STYLE, body)


def _section(item: Explanation, source_language: str, target_language: str) -> str:
    source = escape(" ".join(item.source))
    spans = " ".join(
        f'<span style="--p:{math.exp(word.log_prob):.3f}" title="p = {_probability(word.log_prob)}">'
        f"{escape(word.text)}</span>"
        for word in item.words
    )
    layers = "".join(
        _details(whole.name, _heat(whole, item) + "".join(_details(head.name, _heat(head, item)) for head in heads))
        for whole, heads in item.layers
    )
    return f"""<section>
<h2 lang="{escape(source_language)}" dir="auto">{source}</h2>
<p class="translation" lang="{escape(target_language)}" dir="auto">{spans}</p>
<p>Log-probability {item.log_prob:.6f}, perplexity {item.perplexity:.6f} a piece.</p>
<h3>Words</h3>
{_words(item)}
{_details("Pieces", _pieces(item))}
<h3>Where it looked</h3>
<p>One row a word of the translation: how its attention is shared out among the source's words and its end. The framed
cell is the word it is linked to.</p>
{_heat(item.chosen, item)}
{_details("Other layers and heads", layers)}
</section>
"""


def _words(item: Explanation) -> str:
    rows = [
        (word.text, _probability(word.log_prob), f"{word.log_prob:.6f}", _instead(word.steps[0]))
        for word in item.words
        if word.steps
    ]
    rows.append((item.end.piece, _probability(item.end.log_prob), f"{item.end.log_prob:.6f}", _instead(item.end)))
    return _table(("word", "probability", "log-probability", "most probable where it begins"), rows)


def _pieces(item: Explanation) -> str:
    steps = [step for word in item.words for step in word.steps]
    rows = [
        (step.piece, _probability(step.log_prob), f"{step.log_prob:.6f}", _instead(step)) for step in (*steps, item.end)
    ]
    return _table(("piece", "probability", "log-probability", "most probable there"), rows)


def _instead(step: Step) -> str:
    """The alternatives of one step."""
    return " · ".join(f"{piece} {_probability(log_prob)}" for piece, log_prob in step.alternatives)


def _probability(log_prob: float) -> str:
    """Four figures, however small."""
    return f"{math.exp(log_prob):.4g}"


def _table(heads: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    """The second and third column are numbers."""
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    body = "".join(
        f'<tr><th scope="row" dir="auto">{escape(name)}</th>'
        f'<td class="n">{probability}</td><td class="n">{log}</td><td dir="auto">{escape(rest)}</td></tr>\n'
        for name, probability, log, rest in rows
    )
    return f'<div class="scroll"><table><thead><tr>{top}</tr></thead>\n<tbody>\n{body}</tbody></table></div>'


def _heat(heat: Heat, item: Explanation) -> str:
    top = "".join(f'<th scope="col" dir="auto">{escape(word)}</th>' for word in (*item.source, "(end)"))
    body = "".join(
        f'<tr><th scope="row" dir="auto">{escape(word.text)}</th>{_cells(row)}</tr>\n'
        for word, row in zip(item.words, heat.rows, strict=True)
    )
    return (
        f'<div class="scroll"><table class="heat"><caption>{escape(heat.name)}</caption>'
        f"<thead><tr><td></td>{top}</tr></thead>\n<tbody>\n{body}</tbody></table></div>"
    )


def _cells(row: Sequence[float]) -> str:
    """The last cell is what is left for the source's end."""
    linked = row.index(max(row))
    values = [*row, max(0.0, 1 - math.fsum(row))]
    return "".join(
        f'<td class="n{" link" if index == linked else ""}" style="--w:{value:.3f}">{value:.3f}</td>'
        for index, value in enumerate(values)
    )


def _details(name: str, inside: str) -> str:
    return f"<details><summary>{escape(name)}</summary>\n{inside}</details>\n"
