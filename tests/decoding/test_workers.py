"""Several processes that translate: the same lines as one, in order, few at a time, and an end that is an end."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nmt import processes
from nmt.decoding.workers import Job, Recipe, job_lines, translating, workers_for
from nmt.errors import DataError, ModelError
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


def test_what_a_worker_cannot_do_is_said_as_one_process_says_it() -> None:
    lines = [*FRENCH[:20], "un chat mange " * 30, *FRENCH[:3]]
    recipe = Recipe((MODEL,), device="cpu", long="error")
    told = []
    for count in (1, 2):
        with (
            translating(recipe, jobs(4, lines), workers=count) as results,
            pytest.raises(DataError, match="line 21 has [0-9]+ pieces; the model takes 39") as caught,
        ):
            list(results)
        told.append((caught.value.message, caught.value.remedy))
    assert told[0] == told[1]


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
    monkeypatch.setattr(processes, "usable_cores", lambda: 6)
    assert job_lines("cpu") == 1024
    assert workers_for(wanted, lines, "cpu", threads) == count
