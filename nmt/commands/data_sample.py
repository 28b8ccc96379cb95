"""`nmt data sample`: some pairs of a corpus to look at, drawn at random or by their line numbers."""

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nmt.commands.data_streams import check_outputs, open_location
from nmt.commands.streams import standard_output
from nmt.corpus.picking import draw_pairs, pick_pairs
from nmt.corpus.writing import pair_paths, pair_writer, row_files, write_row
from nmt.errors import UsageError
from nmt.text.lines import one_line

_RANGE = re.compile(r"([0-9]{1,12})(?:-([0-9]{1,12}))?")


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt data sample`. lines: such as 5,10-12; then no `count`.  output: a prefix or a .tsv."""

    location: Sequence[str]
    languages: tuple[str, str]
    count: int | None = None
    seed: int = 1
    lines: str | None = None
    output: Path | None = None
    overwrite: bool = False


def run(arguments: Arguments) -> None:
    """Write the pairs as source TAB target, in their order; those named by --lines have their place in front."""
    if (arguments.count is None) == (arguments.lines is None):
        raise UsageError("either -n or --lines says which pairs", "-n 10, or --lines 5,10-12")
    if arguments.lines is not None and arguments.output is not None:
        raise UsageError("--lines shows pairs and writes no corpus", "-n N, or redirect standard output")
    spans = None if arguments.lines is None else _spans(arguments.lines)
    paths = _paths(arguments)
    stream = open_location(arguments.location, arguments.languages)
    if spans is not None:
        with standard_output() as file:
            for number, pair in pick_pairs(stream, spans):
                write_row(file, (str(stream.place(number)), *map(one_line, pair)))
        return
    assert arguments.count is not None
    pairs = draw_pairs(stream, arguments.count, arguments.seed)
    _write(pairs, paths)


def _spans(words: str) -> list[range]:
    """5,10-12 as ranges of line numbers."""
    spans = []
    for word in words.split(","):
        found = _RANGE.fullmatch(word.strip())
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
        if not 1 <= first <= last:
            raise UsageError(f"--lines {words}: {word.strip()!r} is neither a line nor a range", "--lines 5,10-12")
        spans.append(range(first, last + 1))
    return spans


def _paths(arguments: Arguments) -> list[Path]:
    """Where the pairs go: nowhere (standard output), one .tsv, or two files."""
    output = arguments.output
    if output is None:
        return []
    paths = pair_paths(str(output), arguments.languages)
    for path in paths:
        if path.exists() and not arguments.overwrite:
            raise UsageError(f"{path} exists", "--overwrite, or another --output")
    check_outputs(paths, open_location(arguments.location, arguments.languages))
    return paths


def _write(pairs: Sequence[tuple[str, str]], paths: Sequence[Path]) -> None:
    with contextlib.ExitStack() as stack:
        files = stack.enter_context(row_files(paths)) if paths else [stack.enter_context(standard_output())]
        write = pair_writer(files)
        for pair in pairs:
            write(*map(one_line, pair))
