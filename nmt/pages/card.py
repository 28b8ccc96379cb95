"""The model card: README.md of a model folder, as the Hugging Face Hub reads it, and anyone without it."""

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING

from nmt.pages.amounts import duration, interval, percent, plural, rounded
from nmt.pages.facts import Measured, RunReport, Scored

if TYPE_CHECKING:
    from huggingface_hub import EvalResult

MARKER = "<!-- Written by nmt report, which writes it anew. Remove this line to keep what you change here. -->"
_METRICS = {"bleu": "bleu", "chrf": "chrf", "chrf++": "chrf", "ter": "ter", "exact": "exact_match"}  # names at the Hub


def card(report: RunReport) -> str:
    """The whole file: front matter in YAML, then Markdown. Nothing is claimed that the report does not know.

    Paths are cut to their last two names: a card is made to be shared.
    """
    from huggingface_hub import ModelCardData

    pair = f"{report.source_language}-{report.target_language}"
    data = ModelCardData(
        language=list(dict.fromkeys([report.source_language, report.target_language])),
        library_name="nmtkit",
        pipeline_tag="translation",
        tags=["translation", pair],
        datasets=[
            name for name in (_hub_name(corpus.name) for corpus in report.corpora if corpus.role == "train") if name
        ]
        or None,
        model_name=report.name,
        eval_results=list(_results(report)) or None,
    )
    parts = [
        f"---\n{data.to_yaml()}\n---\n{MARKER}\n",
        f"# {_plain(report.name)}: {report.source_language} → {report.target_language}\n",
        f"{_about(report)}\n",
        _use(),
        _scores(report),
        _mistakes(report),
        _training(report),
    ]
    return "\n".join(part for part in parts if part)


def _results(report: RunReport) -> "Iterator[EvalResult]":
    from huggingface_hub import EvalResult

    for each in report.scored:
        if each.role == "dev":
            continue  # the checkpoint was chosen by it
        for score in each.scores:
            yield EvalResult(
                task_type="translation",
                task_name=f"Translation {report.source_language}-{report.target_language}",
                dataset_type=_hub_name(each.test) or _slug(each.test),
                dataset_name=short(each.test),
                metric_type=_METRICS.get(score.key, score.key),
                metric_name=score.name,
                metric_value=round(score.score, 2),
                metric_args={
                    name: told for name, told in (("signature", score.signature), ("decode", each.decode)) if told
                }
                or None,
            )


def _hub_name(place: str) -> str:
    """Of a data set of the Hub: "hf:org/name:en-de#test" -> "org/name"; "" for any other place."""
    return re.split("[:#@ ]", place[3:])[0] if place.startswith("hf:") else ""


def _slug(place: str) -> str:
    return re.sub("[^a-z0-9]+", "-", short(place).lower()).strip("-") or "test"


def short(place: str) -> str:
    """A place without what only means something on one machine."""
    return "/".join(PurePath(place).parts[-2:]) if place.startswith(("/", "~", "..")) else place


def _about(report: RunReport) -> str:
    size = f" of {rounded(report.size)} parameters" if report.size else ""
    return (
        f"A Transformer{size} that translates from `{report.source_language}` to `{report.target_language}`, made with "
        f"nmtkit {report.nmtkit}."
    )


def _use() -> str:
    return """## Use

```
pip install nmtkit
echo "a sentence" | nmt translate -m FOLDER
```

```python
from nmt import load

print(load("FOLDER").translate(["a sentence"])[0])
```

FOLDER is the folder that this file lies in.
"""


def _scores(report: RunReport) -> str:
    if not report.scored:
        return ""
    return "## Scores\n\n" + "\n".join(map(_scored, report.scored))


def _scored(each: Scored) -> str:
    chosen = "; the checkpoint was chosen by it, so it flatters" if each.role == "dev" else ""
    rows = "".join(_row(score) for score in each.scores)
    lines = f", {plural(each.lines, 'line')}" if each.lines else ""
    how = f", {each.decode}" if each.decode else ""
    return (
        f"{_plain(short(each.test))}{lines}{how}{chosen}:\n\n"
        f"| metric | score | 95 % interval | signature |\n|---|---:|---|---|\n{rows}"
    )


def _row(score: Measured) -> str:
    name = score.name if score.higher_is_better else f"{score.name} (lower is better)"
    signature = f"`{_cell(score.signature)}`" if score.signature else ""
    return f"| {name} | {score.score:.2f} | {interval(score)} | {signature} |\n"


def _plain(text: str) -> str:
    """A name as text on one line, whatever Markdown or HTML it looks like."""
    return re.sub(r"[\\`|\[]", r"\\\g<0>", " ".join(text.split())).replace("<", "&lt;")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _mistakes(report: RunReport) -> str:
    """What was seen in translations of the test set, or of what has stood in for it."""
    told, main = report.analysis, report.main
    if told is None or main is None:
        return ""
    seen = [finding for finding in told.findings if finding.count]
    rows = "".join(
        f"- {finding.title}: {plural(finding.count, 'line')} ({percent(finding.count / max(1, told.lines))})\n"
        for finding in seen
    )
    found = rows or "- none of the kinds that `nmt eval --analyse` looks for\n"
    return (
        f"## Limits\n\nMistakes that can be seen without understanding, in {plural(told.lines, 'translation')} of "
        f"{_plain(short(main.test))}:\n\n{found}"
    )


def _training(report: RunReport) -> str:
    rows = []
    for corpus in report.corpora:
        pairs = f": {plural(corpus.pairs, 'pair')}" if corpus.pairs is not None else ""
        rows.append(f"- {corpus.role}: {_plain(short(corpus.name))}{pairs}\n")
    if report.parent:
        rows.append(f"- fine-tuned from {_plain(short(report.parent))}\n")
    if report.step is not None:
        time = f" in {duration(report.seconds)}" if report.seconds is not None else ""
        rows.append(f"- {plural(report.step, 'update')}{time}\n")
    told = [", ".join(map(" ".join, values.items())) for values in (report.hardware, report.versions) if values]
    rows += [f"- {_plain(line)}\n" for line in told]
    rows.append("- every setting: `config.yaml`\n")
    return f"## Training\n\n{''.join(rows)}"
