"""The page of `nmt report`: one HTML file that needs no network and no script, for any screen and for paper."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from nmt.pages.amounts import duration, interval, percent, plural, rounded
from nmt.pages.charts import Line, Mark, plot
from nmt.pages.document import details, document, table
from nmt.pages.facts import Curves, Measured, RunReport, Scored
from nmt.pages.findings import findings
from nmt.pages.samples import confidence, samples
from nmt.pages.style import STYLE

_SECTIONS = {
    "scores": "Scores",
    "training": "Training",
    "data": "Data",
    "errors": "Errors",
    "samples": "Samples",
    "confidence": "Confidence",
    "speed": "Speed",
    "model": "Model",
    "made": "How it was made",
}
_METRICS = {"bleu": "BLEU", "chrf": "chrF"}
_INTERVALS = """<p>The interval holds 95 of 100 scores of test sets drawn anew from these very lines (bootstrap).
It tells how much of the number is due to the choice of lines, nothing else: two models are told apart by
<code>nmt compare</code>, not by whether their intervals meet.</p>
"""


def page(report: RunReport) -> str:
    """The whole document. Everything that comes from outside is escaped."""
    sections = {
        "scores": _scores(report),
        "training": _training(report),
        "data": _data(report),
        "errors": findings(report.analysis, report.main.test if report.main else ""),
        "samples": samples(report),
        "confidence": confidence(report.reliability),
        "speed": _speed(report),
        "model": _model(report),
        "made": _made(report),
    }
    links = "\n".join(f'<a href="#{key}">{_SECTIONS[key]}</a>' for key, text in sections.items() if text)
    body = f"""<header>
<p class="eyebrow">{escape(report.source_language)} → {escape(report.target_language)}, translation model</p>
<h1>{escape(report.name)}</h1>
<p class="lead">{_lead(report)}</p>
{_figures(report)}<nav>
{links}
</nav>
{_aside("What this report does not tell", report.missing)}{_aside("Before trusting the scores", report.notes)}</header>
{"".join(sections.values())}<footer>
<p>nmt report, nmtkit {escape(report.nmtkit)}, {escape(_day(report.made))}. All numbers as JSON: nmt report --json.</p>
</footer>
"""
    return document(
        f"{escape(report.name)}: {escape(report.source_language)}-{escape(report.target_language)}", STYLE, body
    )


def _day(made: str) -> str:
    """2026-11-30T21:18:54+00:00 -> 2026-11-30 21:18."""
    return made[:16].replace("T", " ")


# ---- at the head


def _lead(report: RunReport) -> str:
    """What there is to know, in one or two sentences."""
    parts = ["A model"]
    if report.size:
        parts.append(f" of {rounded(report.size)} parameters")
    if report.step is not None:
        parts.append(f", {'fine-tuned' if report.parent else 'trained'} for {plural(report.step, 'update')}")
        if report.seconds is not None:
            parts.append(f" in {duration(report.seconds)}")
    told = "".join(parts) + "."
    main = report.main
    bleu = main.get("bleu") if main else None
    if main is not None and bleu is not None:
        lines = f" ({plural(main.lines, 'line')})" if main.lines else ""
        told += f" On {main.test}{lines} it reaches {bleu.score:.1f} BLEU"
        if bleu.low is not None and bleu.high is not None:
            told += (
                f"; with other lines of the same kind it would mostly lie between {bleu.low:.1f} and {bleu.high:.1f}"
            )
        told += f"{_chosen(main)}."
    return escape(told)


def _figures(report: RunReport) -> str:
    """The few numbers to remember."""
    shown: list[tuple[str, str, str]] = []
    if report.main is not None:
        best_known = filter(None, map(report.main.get, ("bleu", "chrf", "ter")))
        shown += [(score.name, f"{score.score:.1f}", interval(score)) for score in best_known]
    if report.speed is not None and report.speed.seconds:
        rate = report.speed.lines / report.speed.seconds
        shown.append(("Lines a second", f"{rate:.1f}" if rate < 100 else f"{rate:,.0f}", report.speed.device))
    if report.size:
        number, _, unit = rounded(report.size).partition(" ")
        shown.append(("Parameters", number, unit))
    if not shown:
        return ""
    items = "".join(
        f"<div><dt>{escape(name)}</dt><dd><strong>{escape(value)}</strong><small>{escape(more)}</small></dd></div>\n"
        for name, value, more in shown
    )
    return f'<dl class="figures">\n{items}</dl>\n'


def _aside(title: str, lines: tuple[str, ...]) -> str:
    if not lines:
        return ""
    items = "".join(f"<li>{escape(line)}</li>\n" for line in lines)
    return f'<div class="aside"><p>{title}</p>\n<ul>\n{items}</ul></div>\n'


# ---- sections


def _scores(report: RunReport) -> str:
    if not report.scored:
        return ""
    tables = "".join(map(_scored, report.scored))
    known = any(score.low is not None for each in report.scored for score in each.scores)
    return f"""<section id="scores">
<h2>Scores</h2>
{_INTERVALS if known else ""}{tables}{_signatures(report)}</section>
"""


def _signatures(report: RunReport) -> str:
    """Of each metric, and of which test sets: they need not agree."""
    sets: dict[tuple[str, str], list[str]] = {}
    for each in report.scored:
        for score in each.scores:
            if score.signature:
                sets.setdefault((score.name, score.signature), []).append(each.test)
    rows = [(name, signature, ", ".join(tests)) for (name, signature), tests in sets.items()]
    return details("Signatures", table(("metric", "signature", "of"), "ttt", rows)) if rows else ""


def _scored(each: Scored) -> str:
    when = "measured for this report" if each.here else f"recorded {_day(each.date)}" if each.date else "recorded"
    told = [plural(each.lines, "line")] * bool(each.lines) + [when, each.decode]
    with_interval = any(score.low is not None for score in each.scores)
    rows = [(_named(score), f"{score.score:.2f}", interval(score)) for score in each.scores]
    heads = ("", "score", "95 % interval" if with_interval else "")
    about = escape(", ".join(filter(None, told)))
    return f"<h3>{escape(each.test)}</h3>\n<p class='soft'>{about}{_chosen(each)}.</p>\n{table(heads, 'tnn', rows)}"


def _chosen(each: Scored) -> str:
    return "; the checkpoint was chosen by it, so it flatters" if each.role == "dev" else ""


def _named(score: Measured) -> str:
    return score.name if score.higher_is_better else f"{score.name} (lower is better)"


def _training(report: RunReport) -> str:
    curves = report.curves
    drawn = _curves(curves)
    if not drawn:
        return ""
    best = ""
    if curves.best is not None:
        by = f" by {escape(_METRICS.get(report.metric, report.metric))} on the dev set" if report.metric else ""
        best = f" The dashed line is update {curves.best:,}, the best{by} and the one reported here."
    return f"""<section id="training">
<h2>Training</h2>
<p>By update. Train loss is with the dropout and label smoothing of the configuration, dev loss without: they can be
followed, not compared.{best}</p>
<div class="charts">
{drawn}</div>
</section>
"""


def _points(rows: Sequence[Mapping[str, Any]], key: str) -> list[tuple[float, float]]:
    """(step, value) of the rows that have it."""
    return [(row["step"], row[key]) for row in rows if row.get("step") is not None and row.get(key) is not None]


def _curves(curves: Curves) -> str:
    mark = None if curves.best is None else Mark(curves.best, "best checkpoint")

    def updates(key: str) -> list[tuple[float, float]]:
        return _points(curves.updates, key)

    def dev(key: str) -> list[tuple[float, float]]:
        return _points(curves.validations, key)

    loss = [Line("train", updates("loss"), 1), Line("dev", dev("dev_loss"), 2, marked=True)]
    scores = [Line("BLEU", dev("dev_bleu"), 1, marked=True), Line("chrF", dev("dev_chrf"), 2, marked=True)]
    rate = [Line("learning rate", updates("learning_rate"))]
    throughput = [Line("tokens a second", updates("tokens_per_second"))]
    last = max([row["step"] for row in (*curves.updates, *curves.validations) if "step" in row], default=0)
    return "".join(
        plot(lines, title, x_name="update", y_name=unit, x_range=(0, last), from_zero=from_zero, mark=mark)
        for lines, title, unit, from_zero in (
            (loss, "Loss", "nats a token", False),
            (scores, "Dev scores", "0 to 100", False),
            (rate, "Learning rate", "", True),
            (throughput, "Throughput", "target tokens a second", True),
        )
    )


def _data(report: RunReport) -> str:
    if not report.corpora:
        return ""
    if all(corpus.pairs is None for corpus in report.corpora):  # and the rest is not known, either
        names = table(("", ""), "tt", [(corpus.role, corpus.name) for corpus in report.corpora])
        return f'<section id="data">\n<h2>Data</h2>\n{names}</section>\n'
    rows = []
    for corpus in report.corpora:
        counts = (corpus.pairs, corpus.source_tokens, corpus.target_tokens)
        told = ["" if count is None else f"{count:,}" for count in counts]
        left_out = ", ".join(f"{count:,} {reason}" for reason, count in corpus.left_out)
        rows.append((f"{corpus.role}: {corpus.name}", *told, left_out))
    heads = ("", "pairs", f"pieces {report.source_language}", f"pieces {report.target_language}", "left out")
    return f'<section id="data">\n<h2>Data</h2>\n{table(heads, "tnnnt", rows)}</section>\n'


def _speed(report: RunReport) -> str:
    speed = report.speed
    if speed is None:
        return ""
    rows = [("Lines", f"{speed.lines:,} in {duration(speed.seconds)}")]
    if speed.seconds:
        rows += [
            ("Lines a second", f"{speed.lines / speed.seconds:,.1f}"),
            ("Source words a second", f"{speed.source_words / speed.seconds:,.0f}"),
            ("Pieces written a second", f"{speed.pieces / speed.seconds:,.0f}"),
        ]
    if speed.latencies:
        ordered = sorted(speed.latencies)
        rows.append(
            (
                "One line at a time",
                f"median {_quantile(ordered, 0.5):,.0f} ms, 9 of 10 within {_quantile(ordered, 0.9):,.0f} ms "
                f"({plural(len(ordered), 'line')})",
            )
        )
    return f"""<section id="speed">
<h2>Speed</h2>
<p>Seen in passing while this report was made, on {escape(speed.device)} with {plural(speed.threads, "thread")};
{escape(speed.decode)}. Loading and scoring are not in it. <code>nmt bench decode</code> measures with care.</p>
{table(("", ""), "tt", rows)}</section>
"""


def _quantile(ordered: list[float], share: float) -> float:
    """The smallest value that so large a share reaches at most."""
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)]


def _model(report: RunReport) -> str:
    rows = [(part, f"{count:,}", percent(count / (report.size or 1))) for part, count in report.parameters.items()]
    parts = table(("", "parameters", "share"), "tnn", rows)
    words = ""
    if report.vocabulary is not None:
        source, target = report.vocabulary
        words = f"<p>Vocabulary: {source:,} pieces for the source, {target:,} for the target.</p>\n"
    return f'<section id="model">\n<h2>Model</h2>\n{words}{parts}</section>\n' if parts or words else ""


def _made(report: RunReport) -> str:
    parts = []
    if report.parent:
        parts.append(f"<p>Fine-tuned from {escape(report.parent)}.</p>\n")
    if report.commands:
        parts.append(f"<h3>Command</h3>\n<pre>{escape(chr(10).join(report.commands))}</pre>\n")
    for title, values in (("Versions", report.versions), ("Hardware", report.hardware)):
        if values:
            parts.append(f"<h3>{title}</h3>\n{table(('', ''), 'tt', list(values.items()))}")
    if report.config:
        parts.append(
            "<h3>Configuration</h3>\n"
            + details("All keys, as the model folder has them", f"<pre>{escape(report.config)}</pre>")
        )
    return f'<section id="made">\n<h2>How it was made</h2>\n{"".join(parts)}</section>\n' if parts else ""
