"""Several processes that work like one: jobs in, results out, in order. No torch here, so that they start in a moment.

Each is a fresh process (spawn: a forked torch hangs) with a pipe of its own, so that nothing is shared that a killed
one could leave locked. It has one job at a time. Leaving `working` ends all of them at once.
"""

import contextlib
import ctypes
import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, Generic, NamedTuple, Self, TypeVar

from nmt.errors import NMTError

Job = TypeVar("Job")
Result = TypeVar("Result")
Tell = Callable[[Any], object]  # says something about the job before its result is there

AHEAD = 3  # jobs a process that are read before the oldest one is done
_PATIENCE = 0.2  # seconds of silence after which we look whether anybody still wants the results
_PR_SET_PDEATHSIG = 1  # prctl(2)


class WorkerLostError(NMTError):
    """A process was ended from outside, as it happens when memory runs out."""


class _Told(NamedTuple):
    word: Any


class _Done(NamedTuple):
    result: Any


class _Crash(NamedTuple):
    """A mistake of ours in a worker. trace: its traceback, since not every exception can be sent."""

    trace: str


def usable_cores() -> int:
    """CPU cores that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def end_with_parent() -> None:
    """Be told to stop (SIGTERM) when the process that started us dies. Linux only."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL("libc.so.6").prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


@contextlib.contextmanager
def working(
    make: Callable[[], Callable[[Job, Tell], Result]],
    jobs: Iterable[Job],
    count: int,
    on_told: Tell = lambda _: None,
    here: Callable[[Job, Tell], Result] | None = None,
    give_up: Callable[[], bool] = lambda: False,
) -> Iterator[Iterator[tuple[Job, Result]]]:
    """Each job with its result, in order; jobs are read as they are needed.

    make: called once in each process, gives what does a job; it, the jobs and the results must be picklable.
    count: processes; 1: this one alone.  on_told: hears what a job says before it is done.
    here: what `make` would give, where this process has it already.
    give_up: asked again and again; True ends the results, with what is not done left undone. Not with one process.
    Raises what a job raises, and WorkerLostError when a process is killed.
    """
    if count <= 1:
        work = here or make()
        yield ((job, work(job, on_told)) for job in jobs)
        return
    with _Processes(make, count) as started:
        yield started.results(jobs, on_told, give_up)


class _Processes(Generic[Job, Result]):
    """The processes, from the first to the last moment; killed on the way out, whatever the reason."""

    def __init__(self, make: Callable[[], Callable[[Job, Tell], Result]], count: int) -> None:
        self._make, self._count = make, count
        self._processes: dict[Connection, Any] = {}

    def __enter__(self) -> Self:
        context = multiprocessing.get_context("spawn")
        try:
            with _deaf_to_interrupts():
                for _ in range(self._count):
                    ours, theirs = context.Pipe()
                    process = context.Process(target=_live, args=(theirs, self._make), daemon=True, name="nmt worker")
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

    def results(
        self, jobs: Iterable[Job], on_told: Tell, give_up: Callable[[], bool] = lambda: False
    ) -> Iterator[tuple[Job, Result]]:
        """Hand out jobs to whoever is idle; keep results back until those before them are there."""
        source = iter(jobs)
        idle, busy = list(self._processes), dict[Connection, int]()
        open_jobs, done = dict[int, Job](), dict[int, Result]()
        read, told = 0, 0  # jobs
        while True:
            while idle and read - told < AHEAD * self._count:
                try:
                    job = next(source)
                except StopIteration:
                    break
                self._send(idle[-1], job)
                open_jobs[read], busy[idle.pop()] = job, read
                read += 1
            if not busy:
                return
            ready = wait(list(busy), _PATIENCE)
            if give_up():
                return
            for connection in ready:
                assert isinstance(connection, Connection)
                match self._receive(connection):
                    case _Told(word):
                        on_told(word)
                    case _Done(result):
                        done[busy.pop(connection)] = result
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

    def _lost(self, connection: Connection) -> WorkerLostError:
        process = self._processes[connection]
        process.join()
        code = process.exitcode or 0
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return WorkerLostError(
            f"a worker was ended from outside ({how}), as it happens when memory runs out", "fewer --workers"
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


def _live(connection: Connection, make: Callable[[], Callable[[Any, Tell], Any]]) -> None:
    """The whole life of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    _serve(connection, make)


def _serve(connection: Connection, make: Callable[[], Callable[[Any, Tell], Any]]) -> None:
    """Job after job, until the parent hangs up; what goes wrong is sent instead of a result."""

    def tell(word: Any) -> None:
        connection.send(_Told(word))

    with contextlib.suppress(EOFError, ConnectionError):
        try:
            work = make()
            while True:
                job = connection.recv()
                connection.send(_Done(work(job, tell)))
        except NMTError as error:
            connection.send(error)
        except (EOFError, ConnectionError):
            raise
        except Exception:
            connection.send(_Crash(traceback.format_exc()))
