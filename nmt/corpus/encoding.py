"""One shard of a corpus: text in, ids in flat files out, and a report of what was left out."""

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import xxhash

from nmt.corpus.blocks import TextBlocks
from nmt.corpus.encoded import BYTES, CHUNK, CorpusWriter, corpus_files, ids_type
from nmt.errors import DataError
from nmt.text.lines import clean
from nmt.text.tokenizer import Tokenizer

FORMAT = 2  # of what is kept; a change makes older caches unknown
_NAMED = 10  # lines left out that are told by number


@dataclass(frozen=True)
class Encoding:
    """How text becomes ids, as plain values: what one process tells the others.

    source, target: SentencePiece models.  max_length: pieces with EOS; pairs with a longer side are left out.
    prefix: put in front of each source text (tags).
    excluded: `side_key` of texts that no pair may have on either side, as they are kept for validation.
    keep_text: also write down the cleaned text, for those who spell it anew.
    """

    source: bytes
    target: bytes
    max_length: int
    prefix: str = ""
    excluded: frozenset[int] = frozenset()
    keep_text: bool = False

    def key(self, digest: str) -> str:
        """Tells apart what comes out of it for a text with that digest."""
        known = xxhash.xxh3_128(digest.encode())
        facts = (FORMAT, self.max_length, self.prefix, sorted(self.excluded), self.keep_text)
        for part in (self.source, self.target, repr(facts).encode()):
            known.update(len(part).to_bytes(8, "little") + part)
        return known.hexdigest()


def side_key(text: str) -> int:
    """A fingerprint of one cleaned text."""
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", errors="surrogatepass"))


@dataclass
class LeftOut:
    """Pairs of a shard that are not learned from. lines: the first few of each reason.

    Reasons: "with blank source", "with blank target", "with both sides blank", "too long", "held out".
    """

    counts: dict[str, int] = field(default_factory=dict)
    lines: list[tuple[int, str]] = field(default_factory=list)

    def add(self, line: int, reason: str) -> None:
        """One more."""
        self.counts[reason] = self.counts.get(reason, 0) + 1
        if self.counts[reason] <= _NAMED:
            self.lines.append((line, reason))


def encode_shard(
    text: TextBlocks,
    encoding: Encoding,
    tokenizers: tuple[Tokenizer, Tokenizer],
    folder: Path,
    number: int,
    blocks: np.ndarray,
) -> None:
    """Write one shard: these blocks of the text. Its report comes last: with it, all is there.

    Errors: DataError when the disk is full, or the text has changed meanwhile.
    """
    left_out = LeftOut()
    unfinished = f".{os.getpid()}."
    dtype = ids_type(*(tokenizer.vocab_size for tokenizer in tokenizers))
    try:
        with ExitStack() as stack:
            ids = stack.enter_context(CorpusWriter(folder, unfinished + shard_name(number), dtype))
            texts = None
            if encoding.keep_text:
                texts = stack.enter_context(CorpusWriter(folder, unfinished + text_name(number), BYTES))
            pairs = _kept(text.pairs(blocks.tolist()), encoding, left_out)
            while chunk := list(islice(pairs, CHUNK)):
                sources = tokenizers[0].encode_source_batch(
                    [source for _, source, _ in chunk], place=lambda index: f"{text.name} line {chunk[index][0]}"
                )
                targets = tokenizers[1].encode_batch([target for _, _, target in chunk])
                fitting = []
                for pair, *encoded in zip(chunk, sources, targets, strict=True):
                    if all(0 < len(side) < encoding.max_length for side in encoded):
                        fitting.append((pair, encoded))
                    else:
                        left_out.add(pair[0], "too long")
                ids.add(encoded for _, encoded in fitting)
                if texts is not None:
                    texts.add([side.encode("utf-8", errors="replace") for side in pair[1:]] for pair, _ in fitting)
        names = [shard_name(number), *([text_name(number)] if encoding.keep_text else [])]
        files = [path for name in names for path in corpus_files(folder, name)]
        for path in files:
            path.with_name(unfinished + path.name).replace(path)
        sizes = {path.name: path.stat().st_size for path in files}
        _write_report(report_file(folder, number), {**asdict(left_out), "sizes": sizes})
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        remedy = "free space there, or name another place: TMPDIR, data.cache"
        raise DataError(f"the text cannot be encoded into {folder}: {reason}", remedy) from error
    finally:
        for path in folder.glob(f"{unfinished}*"):
            with suppress(OSError):
                path.unlink()


def _kept(
    pairs: Iterator[tuple[int, str, str]], encoding: Encoding, left_out: LeftOut
) -> Iterator[tuple[int, str, str]]:
    """(line, source, target) as they are learned from."""
    excluded, prefix = encoding.excluded, encoding.prefix
    for line, raw_source, raw_target in pairs:
        source, target = clean(raw_source), clean(raw_target)
        if not (source and target):
            left_out.add(line, which_is_blank(source, target))
        elif excluded and (side_key(source) in excluded or side_key(target) in excluded):
            left_out.add(line, "held out")
        else:
            yield line, prefix + source, target


def which_is_blank(source: str, target: str) -> str:
    """In words."""
    if source or target:
        return "with blank target" if source else "with blank source"
    return "with both sides blank"


def shard_name(number: int) -> str:
    """Of its ids, for `open_corpus`."""
    return f"{number:05}"


def text_name(number: int) -> str:
    """Of its text."""
    return f"{number:05}.text"


def report_file(folder: Path, number: int) -> Path:
    """The file that says that a shard is whole."""
    return folder / f"{number:05}.json"


def is_whole(folder: Path, number: int) -> bool:
    """Whether a shard is there, with nothing of it lost or cut short since."""
    try:
        sizes = json.loads(report_file(folder, number).read_text(encoding="utf-8"))["sizes"]
        return all((folder / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError, TypeError, KeyError, AttributeError):  # not there, or no report
        return False


def _write_report(path: Path, facts: dict[str, Any]) -> None:
    unfinished = path.with_name(f".{os.getpid()}.{path.name}")
    unfinished.write_text(json.dumps(facts), encoding="utf-8")
    unfinished.replace(path)
