"""A corpus as token ids: two flat memory-mapped arrays and where each sentence begins in them.

Memory stays flat however large the corpus is: the system pages in what a batch needs.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

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
    skipped: int

    def __len__(self) -> int:
        return len(self.source)

    def fingerprint(self) -> str:
        """Tells two corpora apart: a resumed run must go on with the same one."""
        digest = hashlib.sha256()
        for side in (self.source, self.target):
            digest.update(side.starts.tobytes())
            for begin in range(0, len(side.ids), 1 << 24):
                digest.update(side.ids[begin : begin + (1 << 24)].tobytes())
        return digest.hexdigest()[:16]


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
    Raises DataError when nothing is left.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.source", folder / f"{name}.target"]
    lengths: tuple[list[int], list[int]] = ([], [])
    skipped = 0
    with paths[0].open("wb") as source_file, paths[1].open("wb") as target_file:
        for chunk in _chunks(pairs):
            encoded = zip(
                source_tokenizer.encode_batch([pair[0] for pair in chunk]),
                target_tokenizer.encode_batch([pair[1] for pair in chunk]),
                strict=True,
            )
            for pair in encoded:
                if not all(0 < len(ids) < max_length for ids in pair):
                    skipped += 1
                    continue
                for ids, file, counts in zip(pair, (source_file, target_file), lengths, strict=True):
                    file.write(np.asarray(ids, dtype=IDS).tobytes())
                    counts.append(len(ids))
    if not lengths[0]:
        raise DataError(f"no {name} pair is left: {skipped} are empty or longer than {max_length} pieces", _TOO_LONG)
    return EncodedCorpus(_map(paths[0], lengths[0]), _map(paths[1], lengths[1]), skipped)


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


def _map(path: Path, lengths: list[int]) -> EncodedSide:
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return EncodedSide(np.memmap(path, dtype=IDS, mode="r"), starts)
