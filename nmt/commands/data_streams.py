"""What the commands that walk through a corpus share: where it is, and which of its files may not be written to."""

import glob
from collections.abc import Sequence
from pathlib import Path

from nmt.commands.streams import check_output
from nmt.corpus.formats import open_pairs
from nmt.corpus.stream import PairStream
from nmt.errors import UsageError


def open_location(location: Sequence[str], languages: tuple[str, str]) -> PairStream:
    """The corpus that a command line names: one place, or two files, source first."""
    if len(location) > 2:
        raise UsageError(f"a corpus is one place or two files, not {len(location)}", "one corpus at a time")
    if languages[0] == languages[1]:
        raise UsageError(f"--languages {languages[0]} {languages[1]} names one language twice", "source, then target")
    return open_pairs(location[0] if len(location) == 1 else location, *languages)


def check_outputs(outputs: Sequence[Path], location: Sequence[str], languages: tuple[str, str]) -> None:
    """Raises UsageError when one of them is a file that the corpus is read from."""
    places = [place.partition(":")[2] or place for place in location]  # without a format in front
    names = [*places, *(f"{places[0]}.{language}" for language in languages)]
    inputs = [Path(path) for name in names for path in glob.glob(name)]  # noqa: PTH207 (a pattern may be absolute)
    for output in outputs:
        check_output(output, *inputs)
