"""Several processes that translate: the same lines as one, in order, few at a time, and an end that is an end."""

import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import pytest

from nmt import errors, runtime
from nmt.decoding import workers
from nmt.decoding.translation import Translation
from nmt.decoding.workers import Job, Recipe, job_lines, translating, workers_for
from nmt.errors import DataError, ModelError, NMTError, UsageError
from tests.conftest import sentences

MODEL = Path(__file__).parents[1] / "fixtures" / "format1"
FRENCH = [line.replace("the", "un").replace("cat", "chat") for line in sentences(50, seed=4)]


def jobs(size: int = 8, lines: list[str] = FRENCH) -> Iterator[Job]:
    for begin in range(0, len(lines), size):
        yield Job(begin + 1, lines[begin : begin + size])


def test_any_number_of_processes_gives_the_same() -> None:
    recipe = Recipe((MODEL,), device="cpu", decode={"beam_size": 2}, details=True)
    found = {}
    for count in (1, 3):  # two: tests/system
        done: list[int] = []
        with translating(recipe, jobs(), workers=count, threads=count, on_done=done.append) as results:
            told = list(results)
        assert [job.first_line for job, _ in told] == [1, 9, 17, 25, 33, 41, 49]
        assert [line for job, _ in told for line in job.segments] == FRENCH
        assert sum(done) == 50
        found[count] = [result for _, translations in told for result in translations]
    assert found[1] == recipe.make().translate_segments(FRENCH[:8], details=True) + found[1][8:]
    assert [result.text for result in found[3]] == [result.text for result in found[1]]
    assert [result.score for result in found[3]] == pytest.approx([result.score for result in found[1]], abs=1e-4)


def test_a_killed_worker_is_an_error_and_nobody_is_left() -> None:
    recipe = Recipe((MODEL,), device="cpu")
    endless = (Job(1, ["un chat"]) for _ in iter(int, 1))
    told = r"a worker was ended from outside \(SIGKILL\), as it happens when memory"
    with translating(recipe, endless, workers=2, threads=2) as results:
        next(results)
        found = children()
        assert len(found) == 2
        os.kill(found[0], signal.SIGKILL)
        with pytest.raises(ModelError, match=told):
            list(results)
    assert children() == []


def children() -> list[int]:
    """Workers of this process, by what they were started as."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
            command = (path.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if int(fields[1]) == os.getpid() and b"spawn_main" in command and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


# Without processes: the same, spoken to by threads.


class Pupil:
    """A recipe that translates nothing, and takes its time."""

    def __init__(self, work: Callable[[Job], Any]) -> None:
        self.work = work

    def make(self) -> None:
        return None

    def translate(self, translator: None, job: Job, on_done: Callable[[int], object]) -> list[Translation]:
        on_done(len(job.segments))
        return [Translation(str(segment).upper()) for segment in self.work(job)]


@pytest.fixture
def by_threads() -> Callable[..., Any]:
    def start(work: Callable[[Job], Any], count: int = 3) -> Any:
        made = workers._Workers(Pupil(work), count, 1)  # type: ignore[arg-type]
        for _ in range(count):
            ours, theirs = Pipe()
            threading.Thread(target=workers._serve, args=(theirs, Pupil(work)), daemon=True).start()
            made._processes[ours] = None
        return made

    return start


def test_results_come_in_order_whoever_is_first(by_threads: Callable[..., Any]) -> None:
    def work(job: Job) -> Any:
        time.sleep(0.02 if job.first_line % 5 == 0 else 0)
        return job.segments

    done: list[int] = []
    results = by_threads(work).results((Job(n, [f"l{n}"]) for n in range(60)), done.append)
    assert [(job.first_line, found[0].text) for job, found in results] == [(n, f"L{n}") for n in range(60)]
    assert sum(done) == 60


def test_few_jobs_are_read_ahead(by_threads: Callable[..., Any]) -> None:
    read, slow = 0, threading.Event()

    def source() -> Iterator[Job]:
        nonlocal read
        for read in range(1, 1001):
            yield Job(read, ["x"])

    def work(job: Job) -> Any:
        if job.first_line == 1:
            slow.wait(30)  # all others are done long before it
        return job.segments

    results = by_threads(work).results(source(), None)
    threading.Timer(0.3, slow.set).start()
    for told, _ in enumerate(results, start=1):
        assert read <= told + workers.AHEAD * 3
    assert told == read == 1000


def test_what_a_worker_cannot_do_is_said_as_one_process_says_it(by_threads: Callable[..., Any]) -> None:
    lines = [*FRENCH[:20], "un chat mange " * 30, *FRENCH[:3]]
    recipe = Recipe((MODEL,), device="cpu", long="error")
    translator = recipe.make()
    told = []
    for count in (1, 2):
        with translating(recipe, jobs(4, lines), translator=translator) as alone:
            results = (
                alone
                if count == 1
                else by_threads(lambda job: recipe.translate(translator, job)).results(jobs(4, lines), None)
            )
            with pytest.raises(DataError, match="line 21 has [0-9]+ pieces; the model takes 39") as caught:
                list(results)
        told.append((caught.value.message, caught.value.remedy))
    assert told[0] == told[1]


def test_a_mistake_of_ours_in_a_worker_is_told_with_its_trace(by_threads: Callable[..., Any]) -> None:
    def work(job: Job) -> Any:
        raise ZeroDivisionError("here")

    with pytest.raises(
        RuntimeError, match=r"a worker has failed:\nTraceback(.|\n)*in work(.|\n)*ZeroDivisionError: here"
    ):
        list(by_threads(work).results(iter([Job(1, ["x"])]), None))


def test_a_worker_that_failed_before_its_first_job_says_why(by_threads: Callable[..., Any]) -> None:
    started = by_threads(lambda job: job.segments, 1)
    (connection,) = started._processes
    ours, theirs = Pipe()
    started._processes = {ours: None}
    theirs.send(ModelError("no model", "make one"))
    theirs.close()
    with pytest.raises(ModelError, match="no model") as caught:
        list(started.results(iter([Job(1, ["x"])]), None))
    assert caught.value.remedy == "make one"
    connection.close()


@pytest.mark.parametrize("kind", [NMTError, UsageError, DataError, ModelError, errors.ConfigError])
def test_errors_can_be_sent_to_another_process(kind: type[NMTError]) -> None:
    sent = pickle.loads(pickle.dumps(kind("what is wrong", "what to do")))
    assert type(sent) is kind
    assert (sent.message, sent.remedy, str(sent)) == ("what is wrong", "what to do", "what is wrong\n  try: what to do")


@pytest.mark.parametrize(
    ("wanted", "lines", "threads", "count"),
    [
        ("auto", 100, None, 1),  # they take seconds to start
        ("auto", 100_000, None, 6),
        ("auto", 100_000, 1, 1),
        ("auto", 100_000, 3, 3),
        ("auto", 4096, None, 4),  # no more than there are jobs
        (3, 100_000, 1, 3),
        (3, 1024, None, 1),
        (3, 1025, None, 2),
        (2, 0, None, 1),
    ],
)
def test_how_many_processes_there_are(
    wanted: Any, lines: int, threads: int | None, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "usable_cores", lambda: 6)
    assert job_lines("cpu") == 1024
    assert workers_for(wanted, lines, "cpu", threads) == count
