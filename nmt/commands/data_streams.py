"""What the commands that walk through a corpus share: where it is, and which of its files may not be written to."""

from collections.abc import Sequence
from pathlib import Path

from nmt.commands.streams import check_output
from nmt.corpus.formats import FormatStream, open_pairs
from nmt.errors import UsageError


def open_location(location: Sequence[str], languages: tuple[str, str]) -> FormatStream:
    """The corpus that a command line names: one place, or two files, source first."""
    if len(location) > 2:
        raise UsageError(f"a corpus is one place or two files, not {len(location)}", "one corpus at a time")
    if languages[0] == languages[1]:
        raise UsageError(f"--languages {languages[0]} {languages[1]} names one language twice", "source, then target")
    return open_pairs(location[0] if len(location) == 1 else location, *languages)


def check_outputs(outputs: Sequence[Path], stream: FormatStream) -> None:
    """Raises UsageError when one of them is a file that the corpus is read from."""
    for output in outputs:
        check_output(output, *stream.paths)
