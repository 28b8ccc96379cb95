"""A corpus as token ids: two flat memory-mapped arrays and where each sentence begins in them.

Memory stays flat however large the corpus is: the system pages in what a batch needs.
"""

import hashlib
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np

from nmt.errors import DataError
from nmt.text.tokenizer import Tokenizer

IDS = np.dtype("<i4")
CHUNK = 4096  # sentences encoded at once


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


@dataclass(frozen=True)
class EncodedCorpus:
    """Both sides. skipped: pairs left out because a side was longer than the model takes."""

    source: EncodedSide
    target: EncodedSide
    skipped: int = 0

    def __len__(self) -> int:
        return len(self.source)

    @property
    def plain(self) -> "EncodedCorpus":
        """Itself; see `SampledCorpus`."""
        return self

    def epoch(self, _: int) -> "EncodedCorpus":
        """What is learned from in that epoch: the same in each. A `SampledCorpus` spells the text anew."""
        return self

    def fingerprint(self) -> str:
        """Tells two corpora apart: a resumed run must go on with the same one."""
        digest = hashlib.sha256()
        for side in (self.source, self.target):
            digest.update(side.starts.tobytes())
            for begin in range(0, len(side.ids), 1 << 24):
                digest.update(side.ids[begin : begin + (1 << 24)].tobytes())
        return digest.hexdigest()[:16]


class CorpusWriter:
    """Writes `folder`/`name`.{source,target} pair by pair: the ids, and beside them (.npy) where sentences begin."""

    def __init__(self, folder: Path, name: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._paths = _paths(folder, name)
        self._files = [path.open("wb") for path in self._paths]
        self._ends: tuple[list[int], list[int]] = ([0], [0])

    def add(self, pair: Sequence[Sequence[int] | np.ndarray]) -> None:
        """Ids of both sides, without EOS."""
        for ids, file, ends in zip(pair, self._files, self._ends, strict=True):
            file.write(np.asarray(ids, dtype=IDS).tobytes())
            ends.append(ends[-1] + len(ids))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | types.TracebackType | None) -> None:
        for path, file, ends in zip(self._paths, self._files, self._ends, strict=True):
            file.close()
            np.save(_starts(path), np.asarray(ends, dtype=np.int64))


def open_corpus(folder: Path, name: str) -> EncodedCorpus:
    """Map into memory what a `CorpusWriter` has written, here or in another process."""
    source, target = (
        EncodedSide(np.memmap(path, dtype=IDS, mode="r"), np.load(_starts(path))) for path in _paths(folder, name)
    )
    return EncodedCorpus(source, target)


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
    on_kept: Callable[[tuple[str, str]], object] = lambda _: None,
) -> EncodedCorpus:
    """Encode text pairs into `folder`/`name`.{source,target}, and map them into memory.

    max_length: pieces with EOS; a pair with a longer side, or with an empty one, is skipped and counted.
    on_kept: is told each pair that is not skipped, in order.
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
            for pair, ids in zip(chunk, encoded, strict=True):
                if all(0 < len(side) < max_length for side in ids):
                    writer.add(ids)
                    on_kept(pair)
                    kept += 1
                else:
                    skipped += 1
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
