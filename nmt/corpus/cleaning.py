"""A corpus in, what is worth training on out: every pair once, in order, with what is wrong with it.

What a pair shows alone is looked for in several processes; what it has to do with those before it is decided here, in
their order, from 64-bit fingerprints. So the outcome is the same with any number of processes.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np

from nmt.corpus.duplicates.keys import Hashes, HashSet, exact_key, pair_keys
from nmt.corpus.duplicates.overlap import Held
from nmt.corpus.rules import RULES, USUAL_LIMITS, Judge, Limits
from nmt.processes import usable_cores, working
from nmt.text.lines import clean

Pair = tuple[str, str]

DEFAULT_RULES = tuple(rule.name for rule in RULES.values() if rule.drops)
SAMPLE = 10_000  # pairs from the start, to learn what is usual
FEW = 50_000  # pairs that take one process less time than others need to start
_PAIRS, _CHARACTERS = 4096, 1_000_000  # the size of a job


class Outcome(NamedTuple):
    """A pair and what became of it.

    number: counted from 1.  source, target: as it was read.  kept: the cleaned text.
    reasons: the rules that it breaks; none: it is kept.
    """

    number: int
    source: str
    target: str
    kept: Pair
    reasons: Sequence[str]


def clean_stream(
    pairs: Iterable[Pair],
    source_language: str,
    target_language: str,
    *,
    rules: Sequence[str] = DEFAULT_RULES,
    limits: Limits = USUAL_LIMITS,
    held: Iterable[Pair] = (),
    workers: int | None = 1,
) -> Iterator[Outcome]:
    """Every pair with the rules that it breaks, in order.

    rules: names out of `nmt.corpus.rules.RULES`.  held: dev and test text, for the rule "overlap".
    workers: processes; None: as many as there are cores, for a corpus that is worth it. A script that asks for several
    needs `if __name__ == "__main__":`, since each of them reads it.
    Memory: 8 to 9 bytes for each pair kept and each of the rules about duplicates, and nothing else that grows.
    Errors: what reading `pairs` raises; WorkerLostError when a process is killed.
    """
    stream = iter(pairs)
    beginning = list(islice(stream, SAMPLE))
    judge = Judge.learn(source_language, target_language, beginning, limits, rules=rules)
    dev = Held([(clean(source), clean(target)) for source, target in held] if "overlap" in rules else ())
    if workers is None:
        beginning += islice(stream, FEW - len(beginning))
        workers = usable_cores() if len(beginning) == FEW else 1
    make = partial(_Examiner, judge, dev, exact="duplicate" in rules)
    seen = _Seen(rules)
    number = 1  # of the first pair of the job
    with working(make, _jobs(chain(beginning, stream)), workers) as results:
        del beginning
        for job, examined in results:
            kept = list(job)
            for index, pair in examined.changed.items():
                kept[index] = pair
            reasons: list[Sequence[str]] = [()] * len(job)
            for index, broken in (examined.broken | seen.repeats(examined)).items():
                reasons[index] = broken
            numbers = range(number, number + len(job))
            for number, (source, target), pair, broken in zip(numbers, job, kept, reasons, strict=True):
                yield Outcome(number, source, target, pair, broken)
            number += 1


def _jobs(pairs: Iterator[Pair]) -> Iterator[list[Pair]]:
    """Of many pairs, but not of more characters than memory should hold several times."""
    job: list[Pair] = []
    size = 0
    for pair in pairs:
        job.append(pair)
        size += len(pair[0]) + len(pair[1])
        if len(job) == _PAIRS or size > _CHARACTERS:
            yield job
            job, size = [], 0
    if job:
        yield job


class _Examined(NamedTuple):
    """What one look at a job's pairs has told: by their indices, or for each in order.

    broken: rules.  changed: cleaned text, where it is not as it was.  exact: of both sides; empty: not asked for.
    source, target: near keys of each side.
    """

    broken: dict[int, Sequence[str]]
    changed: dict[int, Pair]
    exact: Hashes
    source: Hashes
    target: Hashes


class _Examiner:
    """What works on a job, in whichever process."""

    def __init__(self, judge: Judge, held: Held, *, exact: bool) -> None:
        self._judge, self._held, self._exact = judge, held, exact

    def __call__(self, job: list[Pair], _: Any = None) -> _Examined:
        examine = self._judge.examine
        broken: dict[int, Sequence[str]] = {}
        changed: dict[int, Pair] = {}
        exact, sources, targets = array("Q"), array("Q"), array("Q")
        for index, pair in enumerate(job):
            wrong, source, target, source_key, target_key = examine(*pair)
            if wrong:
                broken[index] = wrong
            if (source, target) != pair:
                changed[index] = source, target
            if self._exact:
                exact.append(exact_key(source, target))
            sources.append(source_key)
            targets.append(target_key)
        keys = [np.frombuffer(found, dtype=np.uint64) for found in (exact, sources, targets)]
        if len(self._held):
            cleaned = [changed.get(index, pair) for index, pair in enumerate(job)]
            for index in np.flatnonzero(self._held.overlaps(cleaned, keys[1], keys[2])).tolist():
                broken[index] = [*broken.get(index, ()), "overlap"]
        return _Examined(broken, changed, *keys)


class _Seen:
    """The fingerprints of what was kept so far, for the rules about duplicates.

    Each rule is asked only about pairs that have passed those before it. What a later rule drops has been seen by the
    earlier ones all the same.
    """

    def __init__(self, rules: Sequence[str]) -> None:
        names = ("duplicate", "near_duplicate", "duplicate_source", "duplicate_target")
        self._sets = {name: HashSet() for name in names if name in rules}

    def repeats(self, examined: _Examined) -> dict[int, Sequence[str]]:
        """Which of the pairs that are not broken were there before, by which rule."""
        left = np.ones(len(examined.source), np.bool_)
        left[list(examined.broken)] = False
        indices = np.flatnonzero(left)
        found: dict[int, Sequence[str]] = {}
        for name, known in self._sets.items():
            new = known.add(self._keys(name, examined)[indices])
            found |= dict.fromkeys(indices[~new].tolist(), (name,))
            indices = indices[new]
        return found

    def _keys(self, name: str, examined: _Examined) -> Hashes:
        match name:
            case "duplicate":
                return examined.exact
            case "near_duplicate":
                return pair_keys(examined.source, examined.target)
            case "duplicate_source":
                return examined.source
        return examined.target
