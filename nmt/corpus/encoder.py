"""Shards made by all cores, now or while a training is at work; of several trainings on one text, by one of them."""

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from nmt import console, processes
from nmt.corpus.blocks import TextBlocks
from nmt.corpus.encoding import Encoding, encode_shard
from nmt.corpus.shards import POLL, Shards, deal
from nmt.text.tokenizer import Tokenizer

WORTH_PROCESSES = 50_000  # lines from which several processes make good the second that they take to start


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
        if self._jobs():
            self._encode()
        if not self._stop.is_set():
            self._on_done()

    def _encode(self) -> None:
        in_background = threading.current_thread() is self._thread
        with ExitStack() as stack:
            for folder in sorted({self._tasks[job.task].shards.folder for job in self._jobs()}):
                stack.enter_context(_alone_in(folder, self._stop))
            jobs = self._jobs()  # once more: others may have made them meanwhile
            # In the background never by this process, which has a model to train.
            workers = max(2, self._workers) if in_background else min(self._workers, len(jobs))
            whats = [(task.text, task.encoding, task.shards.folder) for task in self._tasks]
            results = stack.enter_context(
                processes.working(partial(_make, whats, in_background), jobs, workers, give_up=self._stop.is_set)
            )
            bar = stack.enter_context(console.progress(total=len(jobs), description="encoding", unit="shard"))
            for _ in results:
                bar.update()

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

    def _raise_failure(self) -> bool:
        """Whether it has come to its end, if well."""
        if self._failure is not None:
            raise self._failure
        return not self._thread.is_alive()


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
        encode_shard(text, encoding, tokenizers, folder, job.shard, job.blocks)

    return work


@contextmanager
def _alone_in(folder: Path, stop: threading.Event) -> Iterator[None]:
    """Of several trainings on the same text one encodes; the others wait here, and then find it done."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a", encoding="utf-8") as lock:
        alone = _locked(lock, stop)
        try:
            yield
        finally:
            for unfinished in folder.glob(".[0-9]*") if alone else ():  # of processes that were killed
                with suppress(OSError):
                    unfinished.unlink()


def _locked(lock: IO[str], stop: threading.Event) -> bool:
    """Wait for it; False without it. Where there are no locks, several would do the same work twice, no more."""
    try:
        import fcntl
    except ImportError:  # Windows
        return False
    while not stop.is_set():
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            time.sleep(POLL)
        except OSError:  # a network drive
            return False
    return False
