"""A large corpus as token ids in shards, each encoded by whoever is free, kept on the disk and found again.

Training may begin with the first shards while others are still being made: where there are many, each holds blocks of
lines from all over the text, so that any of them is a fair sample of it.
"""

import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import xxhash

from nmt import console, processes
from nmt.corpus.blocks import BLOCK_LINES, TextBlocks
from nmt.corpus.encoded import (
    BYTES,
    CHUNK,
    CorpusWriter,
    EncodedCorpus,
    corpus_files,
    ids_type,
    open_corpus,
)
from nmt.errors import DataError
from nmt.text.lines import clean
from nmt.text.tokenizer import Tokenizer

FORMAT = 1  # of what is kept; a change makes older caches unknown
SHARD_BLOCKS = 1024  # 262,144 lines
ALL_AT_ONCE = 1 << 20  # lines up to which a corpus keeps its order, and is encoded before training begins
WORTH_PROCESSES = 50_000  # lines from which several processes make good the second that they take to start
POLL = 0.05  # seconds
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


class ShardFacts(NamedTuple):
    """What one has to know to read shards. lines: of the text; they tell which lines each shard holds."""

    name: str
    folder: Path
    lines: int
    dtype: str
    key: str


class Shards:
    """The shards of one corpus in their folder, as far as they are there; the same in every process."""

    def __init__(self, facts: ShardFacts) -> None:
        self.facts = facts
        self.name, self.folder, self.lines, dtype, self.key = facts
        self._dtype = np.dtype(dtype)
        lines_of = partial(_lines_of, lines=self.lines)
        self.sizes = [sum(len(lines_of(block)) for block in blocks.tolist()) for blocks in deal(self.lines)]
        self._open: dict[int, EncodedCorpus] = {}
        self.while_waiting: Callable[[], object] = lambda: None  # raises when there is nothing to wait for

    def __len__(self) -> int:
        return len(self.sizes)

    def is_there(self, number: int) -> bool:
        """Whether that shard can be read."""
        return number in self._open or _report(self.folder, number).exists()

    def wait(self, number: int) -> None:
        """Until that shard is there."""
        while not self.is_there(number):
            self.while_waiting()
            time.sleep(POLL)

    def shard(self, number: int) -> EncodedCorpus:
        """Its ids; waits for it."""
        if number not in self._open:
            self.wait(number)
            self._open[number] = open_corpus(self.folder, _name(number), self._dtype)
        return self._open[number]

    def text(self, number: int) -> EncodedCorpus:
        """Its text as bytes of UTF-8, where `Encoding.keep_text` has asked for it; waits for it."""
        self.wait(number)
        return open_corpus(self.folder, _text_name(number), BYTES)

    def left_out(self) -> LeftOut:
        """Of all shards; waits for them."""
        counts: Counter[str] = Counter()
        lines: list[tuple[int, str]] = []
        for number in range(len(self)):
            self.wait(number)
            found = json.loads(_report(self.folder, number).read_text(encoding="utf-8"))
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


class Task(NamedTuple):
    """One corpus to encode, and where to."""

    text: TextBlocks
    encoding: Encoding
    shards: Shards


class Encoder:
    """Makes the shards that are not there yet, by several processes; `start` in the background, `run` here and now.

    Of several corpora first the first shard of each, then the second: a mixture needs some of all.
    """

    def __init__(self, tasks: Sequence[Task], workers: int, on_done: Callable[[], object] = lambda: None) -> None:
        """on_done: called when the last shard is there, by the thread that made it."""
        self._tasks, self._workers, self._on_done = tasks, workers, on_done
        self._failure: BaseException | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run_and_remember, name="encoder", daemon=True)

    def start(self) -> None:
        """From here on `Shards.wait` raises what goes wrong."""
        for task in self._tasks:
            task.shards.while_waiting = self._raise_failure
        self._thread.start()

    def close(self) -> None:
        """Stop; shards that are there stay."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def run(self) -> None:
        """Raises DataError when the disk is full, or the text has changed meanwhile."""
        in_background = threading.current_thread() is self._thread
        with ExitStack() as stack:
            for folder in sorted({task.shards.folder for task in self._tasks}):
                stack.enter_context(_alone_in(folder, self._stop))
            jobs = self._jobs()
            # In the background never by this process, which has a model to train.
            workers = max(2, self._workers) if in_background else min(self._workers, len(jobs))
            whats = [(task.text, task.encoding, task.shards.folder) for task in self._tasks]
            results = stack.enter_context(
                processes.working(partial(_make, whats, in_background), jobs, workers, give_up=self._stop.is_set)
            )
            bar = stack.enter_context(console.progress(total=len(jobs), description="encoding", unit="shard"))
            for _ in results:
                bar.update()
        if not self._stop.is_set():
            self._on_done()

    def _jobs(self) -> "list[_Job]":
        jobs = []
        for number, task in enumerate(self._tasks):
            for shard, blocks in enumerate(deal(task.shards.lines)):
                if not task.shards.is_there(shard):
                    jobs.append((shard, _Job(number, shard, blocks)))
        return [job for _, job in sorted(jobs, key=lambda job: job[0])]

    def _run_and_remember(self) -> None:
        try:
            self.run()
        except BaseException as error:
            self._failure = error

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure


class _Job(NamedTuple):
    task: int
    shard: int
    blocks: np.ndarray


def _make(tasks: Sequence[tuple[TextBlocks, Encoding, Path]], nice: bool) -> Callable[[_Job, processes.Tell], None]:
    """What encodes one shard, in whichever process. nice: let those who train go first."""
    if nice and hasattr(os, "nice"):
        os.nice(10)
    made: dict[bytes, Tokenizer] = {}

    def tokenizer(proto: bytes) -> Tokenizer:
        if proto not in made:
            made[proto] = Tokenizer(proto)
        return made[proto]

    def work(job: _Job, _: processes.Tell) -> None:
        text, encoding, folder = tasks[job.task]
        tokenizers = tokenizer(encoding.source), tokenizer(encoding.target)
        _encode_shard(text, encoding, tokenizers, folder, job)

    return work


def _encode_shard(
    text: TextBlocks,
    encoding: Encoding,
    tokenizers: tuple[Tokenizer, Tokenizer],
    folder: Path,
    job: _Job,
) -> None:
    number, blocks = job.shard, job.blocks
    left_out = LeftOut()
    unfinished = f".{os.getpid()}."
    dtype = ids_type(*(tokenizer.vocab_size for tokenizer in tokenizers))
    try:
        with ExitStack() as stack:
            ids = stack.enter_context(CorpusWriter(folder, unfinished + _name(number), dtype))
            texts = None
            if encoding.keep_text:
                texts = stack.enter_context(CorpusWriter(folder, unfinished + _text_name(number), BYTES))
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
        names = [_name(number), *([_text_name(number)] if encoding.keep_text else [])]
        for name in names:
            for path in corpus_files(folder, name):
                path.with_name(unfinished + path.name).replace(path)
        _write_report(_report(folder, number), asdict(left_out))
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


@contextmanager
def _alone_in(folder: Path, stop: threading.Event) -> Iterator[None]:
    """Of several trainings on the same text one encodes; the others wait here, and then find it done."""
    try:
        import fcntl
    except ImportError:  # Windows: they would do the same work twice, no more
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a", encoding="utf-8") as lock:
        while not stop.is_set():
            with suppress(OSError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            time.sleep(POLL)
        yield


def _lines_of(block: int, lines: int) -> range:
    return range(block * BLOCK_LINES, min((block + 1) * BLOCK_LINES, lines))


def _name(number: int) -> str:
    return f"{number:05}"


def _text_name(number: int) -> str:
    return f"{number:05}.text"


def _report(folder: Path, number: int) -> Path:
    """The file that says that a shard is whole."""
    return folder / f"{number:05}.json"


def _write_report(path: Path, facts: dict[str, Any]) -> None:
    unfinished = path.with_name(f".{os.getpid()}.{path.name}")
    unfinished.write_text(json.dumps(facts), encoding="utf-8")
    unfinished.replace(path)
