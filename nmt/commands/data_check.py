"""`nmt data check`: what is wrong with a corpus, before anything is trained on it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nmt import console
from nmt.commands.data_streams import check_outputs, open_location
from nmt.commands.streams import standard_output
from nmt.corpus.checking.commands import SPLITS, Commands
from nmt.corpus.checking.findings import Example, Finding
from nmt.corpus.checking.full import DEFAULT_MOST, Report, Request, check
from nmt.corpus.checking.vocabulary import recommended
from nmt.corpus.formats import Location, open_pairs
from nmt.errors import UsageError
from nmt.pages.check import page
from nmt.text.lines import atomic_file, clean, visible

WIDTH = 100  # characters of an example's side


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt data check`. most: pairs to look at; None: all."""

    location: tuple[str, ...]
    languages: tuple[str, str]
    dev: str | None = None
    test: str | None = None
    most: int | None = DEFAULT_MOST
    workers: int | None = None
    vocabulary: bool | None = None
    as_json: bool = False
    html: Path | None = None
    overwrite: bool = False
    strict: bool = False


def run(arguments: Arguments) -> int:
    """Check, and print the report. Returns 1 if there is an error in it (with `strict` a warning, too), else 0.

    Errors: DataError for what cannot be read, UsageError for an HTML file that is there already.
    """
    html = arguments.html
    location: Location = arguments.location[0] if len(arguments.location) == 1 else arguments.location
    stream = open_location(arguments.location, arguments.languages)
    if html is not None:
        check_outputs([html], stream)
        if html.exists() and not arguments.overwrite:
            raise UsageError(f"{html} exists", "--overwrite, or another --html")
    held_out = {
        name: open_pairs(where, *arguments.languages, split=SPLITS[name])
        for name, where in (("dev", arguments.dev), ("test", arguments.test))
        if where is not None
    }
    commands = Commands.of(location, arguments.languages, {name: held.name for name, held in held_out.items()})
    request = Request(
        stream, arguments.languages, commands, dict(held_out), arguments.most, arguments.workers, arguments.vocabulary
    )
    report = check(request, _bar)
    if html is not None:
        with atomic_file(html) as file:
            file.write(page(report).encode("utf-8", errors="replace"))
    with standard_output() as output:
        text = json.dumps(report.as_json(), ensure_ascii=False) if arguments.as_json else describe(report)
        output.write(text.encode("utf-8", errors="replace") + b"\n")
    if html is not None:
        console.log(f"page: {html}")
    grave = {"error", "warning"} if arguments.strict else {"error"}
    return int(any(finding.severity in grave for finding in report.findings))


def _bar(blocks: Iterable[Any], total: int) -> Iterable[Any]:
    return console.progress(blocks, total=total, description="check", unit="block")


def describe(report: Report) -> str:
    """The report as text."""
    return "\n\n".join([_head(report), *map(_finding, report.findings), *_vocabularies(report), _foot(report)])


def _head(report: Report) -> str:
    seen = "" if report.looked_at == report.pairs else f", of which {report.looked_at:,} were looked at"
    held = "".join(f"; {name}: {count:,} pairs" for name, count in report.held_out.items())
    rows = [f"{report.name}: {report.pairs:,} pairs{seen}; {report.distinct[0]:,} of these differ{held}"]
    for name, side, heard in zip(("source", "target"), report.tally.sides, report.heard, strict=True):
        mean, words = side.words / max(1, report.looked_at), len(side.vocabulary)
        languages = ", ".join(f"{code} {share:.0%}" for code, share in heard.languages[:3]) or "unknown"
        rows.append(
            f"  {name} ({heard.language}): {side.words:,} words, {mean:.1f} a line, {words:,} different; "
            f"{side.characters:,} characters, {len(side.letters):,} different; sounds like {languages}"
        )
    return "\n".join(rows)


def _finding(finding: Finding) -> str:
    amount = f": {finding.amount}" if finding.amount else ""
    rows = [f"{finding.severity.upper()} {finding.name}{amount}", f"  {finding.message}"]
    for example in finding.examples:
        rows += _example(example)
    if finding.remedy:
        rows.append(f"  try: {finding.remedy}")
    return "\n".join(rows)


def _example(example: Example) -> list[str]:
    detail = f": {clean(example.detail)}" if example.detail else ""
    rows = [f"    {example.where or f'line {example.line:,}'}{detail}"]
    if example.source or example.target:
        rows += [f"      {_cut(example.source)}", f"      {_cut(example.target)}"]
    return rows


def _cut(text: str) -> str:
    """One line of a terminal, with nothing in it that a terminal obeys."""
    text = visible(text) or "(blank)"
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}..."


def _vocabularies(report: Report) -> list[str]:
    if not report.vocabularies:
        return []
    rows = ["VOCABULARY: what a joint unigram vocabulary of each size would give"]
    rows.append(f"  {'size':>6}  {'pieces a word':>13}  {'words in one piece':>18}  {'used under 10 times':>19}")
    best = recommended(report.vocabularies)
    for each in report.vocabularies:
        mark = "  <- recommended" if each is best else ""
        rows.append(
            f"  {each.size:>6,}  {each.pieces_per_word:>13.2f}  {each.whole_words:>18.1%}  {each.seldom:>19,}{mark}"
        )
    return ["\n".join(rows)]


def _foot(report: Report) -> str:
    counts = [sum(finding.severity == name for finding in report.findings) for name in ("error", "warning", "info")]
    names = ("error", "warning", "note")
    return ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for count, name in zip(counts, names, strict=True))
