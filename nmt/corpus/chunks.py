"""Pairs in chunks, each worked on by one of several processes; results come in order, whatever their number."""

import contextlib
import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from nmt.processes import Tell, usable_cores, working

Pairs = list[tuple[str, str]]
Result = TypeVar("Result")

CHUNK = 5000  # pairs: large beside what it costs to send them, small beside a corpus
SMALL = 10  # chunks: with fewer a second process is not there before the first one is done


def chunks(pairs: Iterable[tuple[str, str]]) -> Iterator[Pairs]:
    """The pairs in order, `CHUNK` at a time."""
    source = iter(pairs)
    while chunk := list(itertools.islice(source, CHUNK)):
        yield chunk


@contextlib.contextmanager
def worked(
    pairs: Iterable[tuple[str, str]], make: Callable[[], Callable[[Pairs, Tell], Result]], workers: int | None = None
) -> Iterator[Iterator[tuple[Pairs, Result]]]:
    """Each chunk with what is made of it, in order; pairs are read as they are needed.

    make: called once in each process, gives what works on a chunk; see `processes.working`.
    workers: processes; None: one a core, and this one alone for a small corpus.
    """
    source = chunks(pairs)
    ahead = deque(itertools.islice(source, SMALL if workers is None else 0))
    if workers is None:
        workers = usable_cores() if len(ahead) == SMALL else 1
    with working(make, itertools.chain(_drained(ahead), source), workers) as results:
        yield results


def _drained(chunks: deque[Pairs]) -> Iterator[Pairs]:
    while chunks:
        yield chunks.popleft()
