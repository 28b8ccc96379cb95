"""Parallel text in memory, to train on or to be scored on; `formats` says where it may come from."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from nmt import console
from nmt.corpus.formats import EmptyTextError, Location, huggingface, open_pairs
from nmt.text.lines import clean


@dataclass
class ParallelText:
    """Pairs of segments in the order of their files; cleaned, and without pairs that have a blank side, to train on."""

    name: str
    source: list[str] = field(default_factory=list)
    target: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)  # the number of each pair where it stood, counted from 1
    dropped: list[tuple[int, str]] = field(default_factory=list)  # number, and what is wrong with it
    unit: Literal["line", "pair"] = "line"  # what these numbers count
    paths: list[Path] = field(default_factory=list)  # the files that were read

    def __len__(self) -> int:
        return len(self.source)

    def clean_pairs(self) -> Iterator[tuple[str, str]]:
        """The pairs in the form in which text is learned from."""
        return ((clean(source), clean(target)) for source, target in zip(self.source, self.target, strict=True))

    def describe_dropped(self) -> str:
        """One line for the log that names the pairs left out; "" if there are none."""
        if not self.dropped:
            return ""
        total = len(self) + len(self.dropped)
        reasons = ", ".join(f"{count} {reason}" for reason, count in Counter(why for _, why in self.dropped).items())
        shown = ", ".join(str(number) for number, _ in self.dropped[:10]) + (", ..." if len(self.dropped) > 10 else "")
        plural = "s" if len(self.dropped) > 1 else ""
        return f"{self.name}: left out {len(self.dropped)} of {total} pairs ({reasons}): {self.unit}{plural} {shown}"


def read_parallel(
    location: Location, source_language: str, target_language: str, *, split: str = "train", keep_all: bool = False
) -> ParallelText:
    """Read parallel text from wherever it is; pairs left out are warned of.

    location: a prefix ("corpus/train" for corpus/train.en and corpus/train.de), two files (source first), one file of
    another format, or a data set; docs/corpora.md has all of them.
    split: the part of a data set to read where `location` names none.
    keep_all: every line as it is written, blank ones too: for text to be scored on, where scores must be comparable.
    Errors: DataError for text that is missing, not UTF-8, or unequal in its number of lines.
    """
    stream = open_pairs(location, source_language, target_language, split=split)
    text = ParallelText(stream.name, unit=stream.unit, paths=stream.paths)
    try:
        for number, (source, target) in enumerate(stream, start=1):
            if not keep_all:
                source, target = clean(source), clean(target)
            if keep_all or (source and target):
                text.source.append(source)
                text.target.append(target)
                text.lines.append(number)
            else:
                text.dropped.append((number, _which_is_blank(source, target)))
    except EmptyTextError:  # whoever asked knows the key to check
        pass
    if text.dropped:
        console.warn(text.describe_dropped())
    return text


def available_splits(location: Location, source_language: str, target_language: str) -> list[str]:
    """The parts a "hf:" data set has ("train", "validation", ...); none for a location of any other kind.

    Errors: DataError if the data set cannot be loaded.
    """
    if not huggingface.is_data_set(str(location)):
        return []
    address = huggingface.parse(str(location))._replace(split=None)
    return list(huggingface.load(address, (source_language, target_language)))


def _which_is_blank(source: str, target: str) -> str:
    if source or target:
        return "with blank target" if source else "with blank source"
    return "with both sides blank"
