"""Several processes that work like one: in order, few jobs at a time, and an end that is an end."""

import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing import Pipe
from typing import Any

import pytest

from nmt import errors, processes
from nmt.errors import DataError, ModelError, NMTError, UsageError


def squares() -> Callable[[int, processes.Tell], tuple[int, int]]:
    def work(job: int, tell: processes.Tell) -> tuple[int, int]:
        tell(job)
        if job < 0:
            raise DataError(f"{job} has no root", "a larger one")
        if job == 13:
            os.kill(os.getpid(), signal.SIGKILL)
        return job**2, os.getpid()

    return work


@pytest.mark.parametrize("count", [1, 2])
def test_each_job_with_its_result_in_order(count: int) -> None:
    told: list[int] = []
    with processes.working(squares, iter(range(12)), count, told.append) as results:
        found = list(results)
    assert [(job, result[0]) for job, result in found] == [(n, n**2) for n in range(12)]
    assert sorted(told) == list(range(12))
    assert len({result[1] for _, result in found} - {os.getpid()}) <= count
    assert (os.getpid() in {result[1] for _, result in found}) == (count == 1)


@pytest.mark.parametrize("count", [1, 2])
def test_what_a_job_raises_is_raised_here(count: int) -> None:
    with (
        processes.working(squares, iter([1, -4]), count) as results,
        pytest.raises(DataError, match="-4 has no root") as caught,
    ):
        list(results)
    assert caught.value.remedy == "a larger one"


def test_a_killed_process_is_an_error() -> None:
    told = r"a worker was ended from outside \(SIGKILL\), as it happens when memory"
    with (
        processes.working(squares, iter([13, 1]), 2) as results,
        pytest.raises(processes.WorkerLostError, match=told),
    ):
        list(results)


def test_what_is_there_already_is_not_made_again() -> None:
    with processes.working(lambda: pytest.fail("made"), iter([2]), 1, here=lambda job, tell: -job) as results:
        assert list(results) == [(2, -2)]


# Without processes: the same, spoken to by threads.


def pupil(work: Callable[[int], Any]) -> Callable[[int, processes.Tell], Any]:
    def answer(job: int, tell: processes.Tell) -> Any:
        tell(job)
        return work(job)

    return answer


@pytest.fixture
def by_threads() -> Callable[..., Any]:
    def start(work: Callable[[int], Any], count: int = 3) -> Any:
        made = processes._Processes(partial(pupil, work), count)
        for _ in range(count):
            ours, theirs = Pipe()
            threading.Thread(target=processes._serve, args=(theirs, partial(pupil, work)), daemon=True).start()
            made._processes[ours] = None
        return made

    return start


def test_results_come_in_order_whoever_is_first(by_threads: Callable[..., Any]) -> None:
    def work(job: int) -> Any:
        time.sleep(0.02 if job % 5 == 0 else 0)
        return -job

    done: list[int] = []
    results = by_threads(work).results(iter(range(60)), done.append)
    assert list(results) == [(n, -n) for n in range(60)]
    assert sorted(done) == list(range(60))


def test_few_jobs_are_read_ahead(by_threads: Callable[..., Any]) -> None:
    read, slow = 0, threading.Event()

    def source() -> Iterator[int]:
        nonlocal read
        for read in range(1, 1001):  # noqa: UP028 (another variable)
            yield read

    def work(job: int) -> Any:
        if job == 1:
            slow.wait(30)  # all others are done long before it
        return -job

    results = by_threads(work).results(source(), print)
    threading.Timer(0.3, slow.set).start()
    for told, _ in enumerate(results, start=1):
        assert read <= told + processes.AHEAD * 3
    assert told == read == 1000


def test_a_mistake_of_ours_in_a_worker_is_told_with_its_trace(by_threads: Callable[..., Any]) -> None:
    def work(job: int) -> Any:
        raise ZeroDivisionError("here")

    with pytest.raises(
        RuntimeError, match=r"a worker has failed:\nTraceback(.|\n)*in work(.|\n)*ZeroDivisionError: here"
    ):
        list(by_threads(work).results(iter([1]), print))


def test_a_worker_that_failed_before_its_first_job_says_why(by_threads: Callable[..., Any]) -> None:
    started = by_threads(lambda job: job, 1)
    (connection,) = started._processes
    ours, theirs = Pipe()
    started._processes = {ours: None}
    theirs.send(ModelError("no model", "make one"))
    theirs.close()
    with pytest.raises(ModelError, match="no model") as caught:
        list(started.results(iter([1]), print))
    assert caught.value.remedy == "make one"
    connection.close()


@pytest.mark.parametrize("kind", [NMTError, UsageError, DataError, ModelError, errors.ConfigError])
def test_errors_can_be_sent_to_another_process(kind: type[NMTError]) -> None:
    sent = pickle.loads(pickle.dumps(kind("what is wrong", "what to do")))
    assert type(sent) is kind
    assert (sent.message, sent.remedy, str(sent)) == ("what is wrong", "what to do", "what is wrong\n  try: what to do")


def test_results_that_nobody_wants_any_more_end_though_some_are_always_ready() -> None:
    wanted = threading.Event()
    with processes.working(squares, iter(range(100, 5100)), 2, give_up=wanted.is_set) as results:
        next(results)
        wanted.set()
        assert len(list(results)) < 100
