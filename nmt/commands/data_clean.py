"""`nmt data clean`: the pairs of a corpus that are worth training on, and why the others are not."""

import contextlib
import difflib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from nmt import console
from nmt.commands.data_streams import check_outputs, open_location
from nmt.commands.streams import standard_output
from nmt.corpus.cleaning import DEFAULT_RULES, Outcome, clean_stream
from nmt.corpus.rules import RULES, USUAL_LIMITS, Limits
from nmt.corpus.writing import pair_paths, pair_writer, row_files, write_row
from nmt.errors import UsageError
from nmt.text.lines import real_path

STANDARD_OUTPUT = "-"


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt data clean`.

    output: a prefix, NAME.tsv, either with .gz, or "-".  with_rules, without_rules: names, also several with commas.
    against: locations of dev and test text.  raw: keep lines as they are written.  workers: None: as many as help.
    """

    location: Sequence[str]
    languages: tuple[str, str]
    output: str
    dropped: Path | None = None
    with_rules: Sequence[str] = ()
    without_rules: Sequence[str] = ()
    limits: Limits = USUAL_LIMITS
    against: Sequence[str] = ()
    raw: bool = False
    workers: int | None = None
    as_json: bool = False
    overwrite: bool = False


def run(arguments: Arguments) -> None:
    """Clean the corpus; the files appear together, when all is done."""
    rules = _rules(arguments)
    paths = _paths(arguments)
    stream = open_location(arguments.location, arguments.languages)
    held = [pair for place in arguments.against for pair in open_location([place], arguments.languages)]
    outcomes = clean_stream(
        console.progress(stream, description="cleaning", unit=" pairs"),
        *arguments.languages,
        rules=rules,
        limits=arguments.limits,
        held=held,
        workers=arguments.workers,
    )
    del held
    counts: Counter[str] = Counter()
    finished = False
    with _files(arguments, paths) as (kept, dropped):
        _write(outcomes, kept, dropped, counts, raw=arguments.raw)
        finished = True
    if finished:  # not so where whoever read the output had seen enough
        _tell(arguments, stream.name, rules, paths, counts)


def _rules(arguments: Arguments) -> tuple[str, ...]:
    """The names of the rules to go by, in their order. Raises UsageError for one that there is not."""
    added, removed = _names("--with", arguments.with_rules), _names("--without", arguments.without_rules)
    if both := added & removed:
        raise UsageError(f"{min(both)} is asked for by --with and by --without", "one of them")
    if "overlap" in added and not arguments.against:
        raise UsageError("--with overlap: with what?", "--against DEV, which switches it on")
    if "overlap" in removed and arguments.against:
        raise UsageError("--without overlap leaves --against nothing to do", "one of them")
    chosen = (set(DEFAULT_RULES) | added) - removed
    if not arguments.against:
        chosen.discard("overlap")
    return tuple(name for name in RULES if name in chosen)


def _names(option: str, words: Sequence[str]) -> set[str]:
    names = {name.strip() for word in words for name in word.split(",")}
    for name in sorted(names):
        if name not in RULES:
            near = difflib.get_close_matches(name, RULES, n=1)
            hint = f"{option} {near[0]}" if near else f"one of {', '.join(RULES)}"
            raise UsageError(f"{option} {name}: there is no such rule", hint)
    return names


def _paths(arguments: Arguments) -> list[Path]:
    """Where the kept pairs go; none: standard output. Raises UsageError when something would be replaced."""
    output = arguments.output
    paths = [] if output == STANDARD_OUTPUT else pair_paths(output, arguments.languages)
    written = [*paths, *([arguments.dropped] if arguments.dropped else [])]
    if len(set(map(real_path, written))) < len(written):
        raise UsageError(f"{arguments.dropped} is written twice", "another --dropped")
    for path in written:
        if path.is_file() and not arguments.overwrite:
            raise UsageError(f"{path} exists", "--overwrite, or another name")
    for place in ([*arguments.location], *([place] for place in arguments.against)):
        check_outputs(written, open_location(place, arguments.languages))
    return paths


@contextlib.contextmanager
def _files(arguments: Arguments, paths: Sequence[Path]) -> Iterator[tuple[list[BinaryIO], BinaryIO | None]]:
    """For the kept pairs, and for the dropped ones."""
    with contextlib.ExitStack() as stack:
        if not paths:
            shown = stack.enter_context(standard_output())
        files = stack.enter_context(row_files([*paths, *([arguments.dropped] if arguments.dropped else [])]))
        dropped = files[-1] if arguments.dropped else None
        yield files[: len(paths)] if paths else [shown], dropped


def _write(
    outcomes: Iterator[Outcome],
    kept: Sequence[BinaryIO],
    dropped: BinaryIO | None,
    counts: Counter[str],
    *,
    raw: bool,
) -> None:
    """counts: becomes the number of pairs read ("pairs"), of those kept, and of those that break each rule."""
    write = pair_writer(kept)
    number = good = 0
    for number, source, target, cleaned, reasons in outcomes:
        if not reasons:
            good += 1
            if raw:
                write(source, target)
            else:
                write(*cleaned)
            continue
        counts.update(reasons)
        if dropped is not None:
            write_row(dropped, (str(number), ",".join(reasons), source, target))
    counts["pairs"], counts["kept"] = number, good


def _tell(arguments: Arguments, name: str, rules: Sequence[str], paths: Sequence[Path], counts: Counter[str]) -> None:
    """As results, unless they are the text itself."""
    if not counts["kept"]:
        console.warn(f"{name}: no pair is left")
    if arguments.as_json:
        text = json.dumps(_figures(arguments, name, rules, paths, counts), ensure_ascii=False, indent=2)
    else:
        text = _table(counts)
    if not paths or sys.stdout is None:  # that is closed: the files are there all the same
        console.log(text)
        return
    with standard_output() as file:
        file.write(f"{text}\n".encode("utf-8", "replace"))


def _figures(
    arguments: Arguments, name: str, rules: Sequence[str], paths: Sequence[Path], counts: Counter[str]
) -> dict[str, object]:
    pairs, kept = counts["pairs"], counts["kept"]
    return {
        "name": name,
        "pairs": pairs,
        "kept": kept,
        "dropped": pairs - kept,
        "reasons": {rule: counts[rule] for rule in rules},
        "files": [str(path) for path in paths],
        "dropped_file": None if arguments.dropped is None else str(arguments.dropped),
    }


def _table(counts: Counter[str]) -> str:
    """A pair that breaks several rules counts for each of them."""
    pairs, kept = counts["pairs"], counts["kept"]
    rows = [("pairs", pairs, ""), ("kept", kept, ""), ("dropped", pairs - kept, "")]
    rows += [(f"  {rule.name}", counts[rule.name], rule.doc) for rule in RULES.values() if counts[rule.name]]
    return "\n".join(
        f"{name:<18} {count:>12,} {count / max(pairs, 1):>8.2%}  {doc}".rstrip() for name, count, doc in rows
    )
