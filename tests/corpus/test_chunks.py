"""Chunks come in order, and several processes only where they are worth it."""

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from nmt.corpus import chunks
from nmt.corpus.chunks import worked


class Length:
    def __call__(self, pairs: chunks.Pairs, _: object) -> int:
        return len(pairs)


@pytest.mark.parametrize(
    ("pairs", "workers", "expected"), [(0, None, 1), (20, None, 1), (30, None, 4), (70, None, 4), (9, 2, 2), (90, 1, 1)]
)
def test_a_small_corpus_stays_in_this_process(
    pairs: int, workers: int | None, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = []

    @contextlib.contextmanager
    def working(make: Any, jobs: Any, count: int) -> Iterator[Any]:
        counts.append(count)
        yield ((job, make()(job, None)) for job in jobs)

    monkeypatch.setattr(chunks, "CHUNK", 10)
    monkeypatch.setattr(chunks, "SMALL", 3)
    monkeypatch.setattr(chunks, "usable_cores", lambda: 4)
    monkeypatch.setattr(chunks, "working", working)
    source = [(str(number), "x") for number in range(pairs)]
    with worked(iter(source), Length, workers) as results:
        found = list(results)
    assert counts == [expected]
    assert [pair for chunk, _ in found for pair in chunk] == source
    assert [length for _, length in found] == [10] * (pairs // 10) + [pairs % 10] * (pairs % 10 > 0)


def test_pairs_are_read_as_they_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 10)
    monkeypatch.setattr(chunks, "SMALL", 3)
    monkeypatch.setattr(chunks, "usable_cores", lambda: 1)
    read = []

    def pairs() -> Iterator[tuple[str, str]]:
        for number in range(1000):
            read.append(number)
            yield str(number), "x"

    with worked(pairs(), Length) as results:
        next(results)
        assert len(read) == 30
        for _ in range(4):
            next(results)
        assert len(read) == 50
