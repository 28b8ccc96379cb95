"""What the commands that walk through a corpus share: where it is, and which of its files may not be written to."""

from collections.abc import Sequence
from pathlib import Path

from nmt.commands.streams import check_output
from nmt.corpus.reader import read_parallel
from nmt.corpus.stream import PairList, PairStream
from nmt.errors import UsageError


def open_location(location: Sequence[str], languages: tuple[str, str]) -> PairStream:
    """The corpus that a command line names: one place, or two files, source first."""
    if len(location) > 2:
        raise UsageError(f"a corpus is one place or two files, not {len(location)}", "one corpus at a time")
    if languages[0] == languages[1]:
        raise UsageError(f"--languages {languages[0]} {languages[1]} names one language twice", "source, then target")
    place = location[0] if len(location) == 1 else location
    text = read_parallel(place, *languages, keep_all=True)
    return PairList(text.name, list(zip(text.source, text.target, strict=True)))


def check_outputs(outputs: Sequence[Path], location: Sequence[str], languages: tuple[str, str]) -> None:
    """Raises UsageError when one of them is a file that the corpus is read from."""
    inputs = [Path(place) for place in location] + [Path(f"{location[0]}.{language}") for language in languages]
    for output in outputs:
        check_output(output, *inputs)
