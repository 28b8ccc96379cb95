"""A corpus as token ids: flat memory-mapped arrays, and where each sentence begins in them.

Memory stays flat however large the corpus is: the system pages in what a batch needs.
"""

import hashlib
import types
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Protocol, Self

import numpy as np

from nmt.errors import DataError
from nmt.text.tokenizer import Tokenizer

IDS = np.dtype("<i4")
SHORT_IDS = np.dtype("<u2")  # enough for a vocabulary of 65,536, at half the disk space
BYTES = np.dtype("u1")  # of UTF-8: text can be kept in the same form
CHUNK = 4096  # sentences encoded at once


class Side(Protocol):
    """One language of a corpus: ids of each sentence, without EOS."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> np.ndarray: ...

    @property
    def lengths(self) -> np.ndarray:
        """Pieces per sentence, EOS counted."""


@dataclass(frozen=True)
class EncodedSide:
    """One language: `ids` of all sentences on end; sentence i is ids[starts[i]:starts[i + 1]]."""

    ids: np.ndarray
    starts: np.ndarray

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, index: int) -> np.ndarray:
        return self.ids[self.starts[index] : self.starts[index + 1]]

    @property
    def lengths(self) -> np.ndarray:
        """Pieces per sentence, EOS counted."""
        return np.diff(self.starts) + 1


class GatheredSide:
    """Sentences out of several sides: sentence i is sentence rows[i] of sides[which[i]]."""

    def __init__(self, sides: Sequence[Side], which: np.ndarray, rows: np.ndarray) -> None:
        self._sides, self._which, self._rows = sides, which, rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> np.ndarray:
        return self._sides[self._which[index]][self._rows[index]]

    @property
    def lengths(self) -> np.ndarray:
        """Pieces per sentence, EOS counted."""
        lengths = np.empty(len(self), dtype=np.int64)
        for number, side in enumerate(self._sides):
            here = self._which == number
            lengths[here] = side.lengths[self._rows[here]]
        return lengths


@dataclass(frozen=True)
class EncodedCorpus:
    """Both sides. skipped: pairs left out because a side was longer than the model takes."""

    source: Side
    target: Side
    skipped: int = 0

    def __len__(self) -> int:
        return len(self.source)

    def fingerprint(self) -> str:
        """Tells two corpora apart: a resumed run must go on with the same one."""
        digest = hashlib.sha256()
        for side in (self.source, self.target):
            digest.update(np.cumsum(side.lengths).tobytes())
            for index in range(len(side)):
                digest.update(side[index].astype(IDS).tobytes())
        return digest.hexdigest()[:16]


class CorpusWriter:
    """Writes `folder`/`name`.{source,target} pair by pair: the ids, and beside them (.npy) where sentences begin."""

    def __init__(self, folder: Path, name: str, dtype: np.dtype = IDS) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._dtype = dtype
        self._paths = _paths(folder, name)
        self._files = [path.open("wb") for path in self._paths]
        self._ends: tuple[list[int], list[int]] = ([0], [0])

    def add(self, pairs: Iterable[Sequence[Sequence[int] | bytes | np.ndarray]]) -> None:
        """Ids of both sides of some pairs, without EOS; in memory all at once."""
        for side, file, ends in zip(zip(*pairs, strict=True), self._files, self._ends, strict=False):
            count = 0
            for ids in side:
                count += len(ids)
                ends.append(ends[-1] + len(ids))
            file.write(np.fromiter(chain.from_iterable(side), dtype=self._dtype, count=count).tobytes())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | types.TracebackType | None) -> None:
        for path, file, ends in zip(self._paths, self._files, self._ends, strict=True):
            file.close()
            np.save(_starts(path), np.asarray(ends, dtype=np.int64))


def open_corpus(folder: Path, name: str, dtype: np.dtype = IDS) -> EncodedCorpus:
    """Map into memory what a `CorpusWriter` has written, here or in another process."""
    source, target = (
        EncodedSide(_mapped(path, dtype), np.load(_starts(path), mmap_mode="r")) for path in _paths(folder, name)
    )
    return EncodedCorpus(source, target)


def corpus_files(folder: Path, name: str) -> list[Path]:
    """All files that a `CorpusWriter` of that name makes."""
    return [file for path in _paths(folder, name) for file in (path, _starts(path))]


def ids_type(*vocab_sizes: int) -> np.dtype:
    """What holds the ids of such vocabularies."""
    return SHORT_IDS if max(vocab_sizes) <= 1 << 16 else IDS


def _mapped(path: Path, dtype: np.dtype) -> np.ndarray:
    # Nothing can be mapped out of an empty file.
    return np.memmap(path, dtype=dtype, mode="r") if path.stat().st_size else np.empty(0, dtype=dtype)


def _paths(folder: Path, name: str) -> list[Path]:
    return [folder / f"{name}.{side}" for side in ("source", "target")]


def _starts(path: Path) -> Path:
    return path.with_name(f"{path.name}.npy")


def encode_corpus(
    pairs: Iterable[tuple[str, str]],
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    *,
    max_length: int,
    folder: Path,
    name: str,
) -> EncodedCorpus:
    """Encode text pairs into `folder`/`name`.{source,target}, and map them into memory.

    max_length: pieces with EOS; a pair with a longer side, or with an empty one, is skipped and counted.
    Raises DataError when nothing is left, and for a tag in front of a source that its tokenizer does not declare.
    """
    skipped = kept = 0

    def place(index: int) -> str:
        return f"{name} pair {kept + skipped + index + 1}"

    with CorpusWriter(folder, name) as writer:
        for chunk in _chunks(pairs):
            encoded = zip(
                source_tokenizer.encode_source_batch([pair[0] for pair in chunk], place=place),
                target_tokenizer.encode_batch([pair[1] for pair in chunk]),
                strict=True,
            )
            fitting = [ids for ids in encoded if all(0 < len(side) < max_length for side in ids)]
            writer.add(fitting)
            kept += len(fitting)
            skipped += len(chunk) - len(fitting)
    if not kept:
        raise DataError(f"no {name} pair is left: {skipped} are empty or longer than {max_length} pieces", _TOO_LONG)
    return replace(open_corpus(folder, name), skipped=skipped)


_TOO_LONG = "check that file; if its lines are long, raise model.max_length or split them into sentences"


def _chunks(pairs: Iterable[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    chunk: list[tuple[str, str]] = []
    for pair in pairs:
        chunk.append(pair)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
