"""A large corpus as token ids in shards, kept on the disk and found again.

Training may begin with the first shards while others are still being made: where there are many, each holds blocks of
lines from all over the text, so that any of them is a fair sample of it.
"""

import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nmt.corpus.blocks import BLOCK_LINES, TextBlocks
from nmt.corpus.encoded import BYTES, EncodedCorpus, ids_type, open_corpus
from nmt.corpus.encoding import Encoding, LeftOut, is_whole, report_file, shard_name, text_name
from nmt.errors import DataError
from nmt.text.tokenizer import Tokenizer

SHARD_BLOCKS = 1024  # 262,144 lines
ALL_AT_ONCE = 1 << 20  # lines up to which a corpus keeps its order, and is encoded before training begins
POLL = 0.05  # seconds


class ShardFacts(NamedTuple):
    """What one has to know to read shards. lines: of the text; they tell which lines each shard holds."""

    name: str
    folder: Path
    lines: int
    dtype: str
    key: str


@dataclass(frozen=True)
class Counted:
    """What has become of a text so far. lines: that are encoded or left out.  pairs: that are learned from.

    source_tokens, target_tokens: pieces of these pairs, without EOS.  left_out: how many pairs for which reason.
    """

    lines: int = 0
    pairs: int = 0
    source_tokens: int = 0
    target_tokens: int = 0
    left_out: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: "Counted") -> "Counted":
        return Counted(
            self.lines + other.lines,
            self.pairs + other.pairs,
            self.source_tokens + other.source_tokens,
            self.target_tokens + other.target_tokens,
            self.left_out + other.left_out,
        )


class Shards:
    """The shards of one corpus in their folder, as far as they are there; the same in every process."""

    def __init__(self, facts: ShardFacts) -> None:
        self.facts = facts
        self.name, self.folder, self.lines, dtype, self.key = facts
        self._dtype = np.dtype(dtype)
        lines_of = partial(_lines_of, lines=self.lines)
        self.sizes = [sum(len(lines_of(block)) for block in blocks.tolist()) for blocks in deal(self.lines)]
        self._pairs: dict[int, int] = {}
        self._counted: dict[int, Counted] = {}
        # Raises what went wrong; whether those who make shards have gone home.
        self.while_waiting: Callable[[], bool] = lambda: False

    def __len__(self) -> int:
        return len(self.sizes)

    def is_there(self, number: int) -> bool:
        """Whether that shard can be read."""
        return is_whole(self.folder, number)

    def wait(self, number: int) -> None:
        """Until that shard is there. Raises DataError when it has been removed, and what has gone wrong elsewhere."""
        over = False
        while not self.is_there(number):
            if over:
                remedy = "start again, with --resume; it is encoded anew"
                raise DataError(f"the encoded text in {self.folder} was removed while it was needed", remedy)
            over = self.while_waiting()
            time.sleep(0 if over else POLL)

    def shard(self, number: int) -> EncodedCorpus:
        """Its ids, opened anew (each takes four file descriptors); waits for it."""
        self.wait(number)
        return open_corpus(self.folder, shard_name(number), self._dtype)

    def pairs(self, number: int) -> int:
        """How many pairs it has; waits for it."""
        if number not in self._pairs:
            self._pairs[number] = len(self.shard(number))
        return self._pairs[number]

    def counted(self) -> Counted:
        """Of the shards that are there now; waits for none."""
        for number in range(len(self)):
            if number not in self._counted and self.is_there(number):
                self._counted[number] = self._count(number)
        return sum(self._counted.values(), Counted())

    def _count(self, number: int) -> Counted:
        shard = self.shard(number)
        # `lengths` have EOS.
        source, target = (int(side.lengths.sum()) - len(shard) for side in (shard.source, shard.target))
        found = json.loads(report_file(self.folder, number).read_text(encoding="utf-8"))
        return Counted(self.sizes[number], len(shard), source, target, Counter(found["counts"]))

    def text(self, number: int) -> EncodedCorpus:
        """Its text as bytes of UTF-8, where `Encoding.keep_text` has asked for it; waits for it."""
        self.wait(number)
        return open_corpus(self.folder, text_name(number), BYTES)

    def left_out(self) -> LeftOut:
        """Of all shards; waits for them."""
        counts: Counter[str] = Counter()
        lines: list[tuple[int, str]] = []
        for number in range(len(self)):
            self.wait(number)
            found = json.loads(report_file(self.folder, number).read_text(encoding="utf-8"))
            counts.update(found["counts"])
            lines += [tuple(line) for line in found["lines"]]
        return LeftOut(dict(counts), sorted(lines))


def deal(lines: int) -> list[np.ndarray]:
    """The blocks of each shard of a text with so many lines: neighbours in a small one, from all over a large one."""
    order = np.arange(-(-lines // BLOCK_LINES))
    if lines > ALL_AT_ONCE:
        order = np.random.default_rng(0).permutation(order)
    return [np.sort(order[begin : begin + SHARD_BLOCKS]) for begin in range(0, len(order), SHARD_BLOCKS)]


def shards_of(text: TextBlocks, encoding: Encoding, folder: Path) -> Shards:
    """Where the shards of this text are, or will be: in a folder of their own inside `folder`."""
    key = encoding.key(text.digest)
    sizes = [Tokenizer(proto).vocab_size for proto in (encoding.source, encoding.target)]
    return Shards(ShardFacts(text.name, folder / key, text.lines, ids_type(*sizes).str, key))


def _lines_of(block: int, lines: int) -> range:
    return range(block * BLOCK_LINES, min((block + 1) * BLOCK_LINES, lines))
