"""What the starter corpus is made of, and how it is put into files."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class StarterPair:
    """One sentence pair.

    links: gold alignment, (source, target) positions of whitespace tokens; empty for a hand-written pair.
    novel: the sentence puts two words together that training never does (only in the test set).
    """

    source: str
    target: str
    links: tuple[tuple[int, int], ...] = ()
    novel: bool = False


@dataclass(frozen=True)
class StarterCorpus:
    """Three sets that share no sentence. The first half of test is plain, the second half novel."""

    train: list[StarterPair]
    dev: list[StarterPair]
    test: list[StarterPair]


def write(
    corpus: StarterCorpus, folder: Path, source_language: str, target_language: str, alignments: bool = False
) -> None:
    """Write train, dev and test as one file a language, and as Pharaoh alignments (train.align ...) if asked.

    A hand-written pair has no alignment: its line in train.align is empty.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, pairs in (("train", corpus.train), ("dev", corpus.dev), ("test", corpus.test)):
        _write_lines(folder / f"{name}.{source_language}", (pair.source for pair in pairs))
        _write_lines(folder / f"{name}.{target_language}", (pair.target for pair in pairs))
        if alignments:
            lines = (" ".join(f"{i}-{j}" for i, j in pair.links) for pair in pairs)
            _write_lines(folder / f"{name}.align", lines)


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    """Under a temporary name first, so that no half-written file is ever seen."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as out:
            out.writelines(f"{line}\n" for line in lines)
            out.flush()
            os.fsync(out.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
