"""Several processes that translate like one: jobs in, results out, in order.

Each worker is a fresh process (spawn: a forked torch hangs) with a pipe of its own, so that nothing is shared that a
killed worker could leave locked. It has one job at a time. Leaving `translating` ends all of them at once.
"""

import contextlib
import math
import multiprocessing
import signal
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, NamedTuple, Self

from nmt import runtime
from nmt.decoding.translation import Request, Translation
from nmt.decoding.translator import Translator
from nmt.errors import ModelError, NMTError

# Lines of one job: enough to sort by length, little to hold in memory or to lose. A GPU's batches are larger.
JOB_LINES = {"cpu": 1024, "cuda": 8192}
WORTH_WORKERS = 4096  # lines from which several processes make good the seconds that they take to start
AHEAD = 3  # jobs a worker that are read before the oldest one is done


@dataclass(frozen=True)
class Recipe:
    """All that makes a translation, as plain values: what one process tells the others.

    models: runs or model folders; several translate as one.
    decode: settings of `decode.*` over the first model's own; None means as it has it.
    long: what becomes of segments that are longer than the model takes.
    n_best, details: see `Translator.translate_segments`.
    """

    models: tuple[Path, ...]
    device: str = "auto"
    decode: Mapping[str, object] = field(default_factory=dict)
    max_length: int | None = None
    max_batch_tokens: int | None = None
    long: Literal["split", "error"] = "split"
    n_best: int = 1
    details: bool = False

    def make(self) -> Translator:
        """Raises ModelError when there is no sound model, UsageError for settings that make no sense."""
        return Translator.load(
            *self.models,
            device=self.device,
            decode=self.decode,
            max_length=self.max_length,
            max_batch_tokens=self.max_batch_tokens,
        )

    def translate(
        self, translator: Translator, job: "Job", on_done: Callable[[int], object] | None = None
    ) -> list[Translation]:
        """One job by a translator of this recipe."""
        return translator.translate_segments(
            job.segments,
            long=self.long,
            n_best=self.n_best,
            details=self.details,
            first_line=job.first_line,
            on_done=on_done,
        )


class Job(NamedTuple):
    """Segments that are translated together. first_line: the number of the first one, for messages."""

    first_line: int
    segments: Sequence[str | Request]


Results = Iterator[tuple[Job, list[Translation]]]


class _Crash(NamedTuple):
    """A mistake of ours in a worker. trace: its traceback, since not every exception can be sent."""

    trace: str


def job_lines(device: str) -> int:
    """Lines of one job on a device."""
    return JOB_LINES.get(runtime.pick_device(device).type, JOB_LINES["cpu"])


def workers_for(wanted: int | Literal["auto"], lines: int, device: str, threads: int | None) -> int:
    """How many processes translate so many lines; 1 means this one alone.

    wanted: so many, but no more than there are jobs. "auto": one a thread on a CPU when there are enough lines, else 1.
    threads: of all together; None: all cores.
    """
    if wanted == "auto":
        on_cpu = runtime.pick_device(device).type == "cpu"
        wanted = (threads or runtime.usable_cores()) if on_cpu and lines >= WORTH_WORKERS else 1
    return max(1, min(wanted, math.ceil(lines / job_lines(device))))


@contextlib.contextmanager
def translating(
    recipe: Recipe,
    jobs: Iterable[Job],
    *,
    workers: int = 1,
    threads: int | None = None,
    translator: Translator | None = None,
    on_done: Callable[[int], object] | None = None,
) -> Iterator[Results]:
    """Each job with its translations, in order; jobs are read as they are needed.

    threads: of all processes together; None: all cores.  translator: one of this recipe that is loaded already.
    on_done: called with how many more segments are done.
    Raises what the translator raises, and ModelError when a worker is killed.
    """
    if workers == 1:
        own = translator or recipe.make()
        yield ((job, recipe.translate(own, job, on_done)) for job in jobs)
        return
    with _Workers(recipe, workers, max(1, (threads or runtime.usable_cores()) // workers)) as started:
        yield started.results(jobs, on_done)


class _Workers:
    """The processes, from the first to the last moment; killed on the way out, whatever the reason."""

    def __init__(self, recipe: Recipe, count: int, threads: int) -> None:
        self._recipe, self._count, self._threads = recipe, count, threads
        self._processes: dict[Connection, Any] = {}

    def __enter__(self) -> Self:
        context = multiprocessing.get_context("spawn")
        try:
            with _deaf_to_interrupts():
                for _ in range(self._count):
                    ours, theirs = context.Pipe()
                    arguments = (theirs, self._recipe, self._threads)
                    process = context.Process(target=_work, args=arguments, daemon=True, name="nmt worker")
                    process.start()
                    theirs.close()  # so that we are told when the worker is no more
                    self._processes[ours] = process
        except BaseException:
            self._kill()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._kill()

    def _kill(self) -> None:
        for connection, process in self._processes.items():
            process.kill()
            connection.close()
        for process in self._processes.values():
            process.join()

    def results(self, jobs: Iterable[Job], on_done: Callable[[int], object] | None) -> Results:
        """Hand out jobs to whoever is idle; keep results back until those before them are there."""
        source = iter(jobs)
        idle, busy = list(self._processes), dict[Connection, int]()
        open_jobs, done = dict[int, Job](), dict[int, list[Translation]]()
        read, told = 0, 0  # jobs
        while True:
            while idle and read - told < AHEAD * self._count and (job := next(source, None)) is not None:
                self._send(idle[-1], job)
                open_jobs[read], busy[idle.pop()] = job, read
                read += 1
            if not busy:
                return
            for connection in wait(list(busy)):
                assert isinstance(connection, Connection)
                match self._receive(connection):
                    case int(more):
                        if on_done is not None:
                            on_done(more)
                    case translations:
                        done[busy.pop(connection)] = translations
                        idle.append(connection)
            while told in done:
                yield open_jobs.pop(told), done.pop(told)
                told += 1

    def _send(self, connection: Connection, job: Job) -> None:
        try:
            connection.send(job)
        except OSError:  # it has ended; what it said last, if anything, says why
            self._receive(connection)
            raise

    def _receive(self, connection: Connection) -> Any:
        try:
            message = connection.recv()
        except (EOFError, OSError) as error:
            raise self._lost(connection) from error
        if isinstance(message, NMTError):
            raise message
        if isinstance(message, _Crash):
            raise RuntimeError(f"a worker has failed:\n{message.trace}")
        return message

    def _lost(self, connection: Connection) -> ModelError:
        process = self._processes[connection]
        process.join()
        code = process.exitcode or 0
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return ModelError(
            f"a worker was ended from outside ({how}), as it happens when memory runs out",
            "fewer --workers, or a smaller --max-batch-tokens",
        )


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started inside never hear a Ctrl-C, which a terminal sends to all: their parent tells them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # first: when it starts in the middle, it lets the signal through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(connection: Connection, recipe: Recipe, threads: int) -> None:
    """The whole life of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    runtime.end_with_parent()
    runtime.prepare(threads)
    _serve(connection, recipe)


def _serve(connection: Connection, recipe: Recipe) -> None:
    """Job after job, until the parent hangs up; what goes wrong is sent instead of a result."""
    with contextlib.suppress(EOFError, ConnectionError):
        try:
            translator = recipe.make()
            while True:
                job = connection.recv()
                connection.send(recipe.translate(translator, job, connection.send))
        except NMTError as error:
            connection.send(error)
        except (EOFError, ConnectionError):
            raise
        except Exception:
            connection.send(_Crash(traceback.format_exc()))
