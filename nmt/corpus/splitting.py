"""Train, dev and test out of one corpus, so that dev and test hold nothing that train has taught.

Pairs whose source or target are equal but for case, punctuation, digits and spacing (`near_key`) belong together, and
so do those that belong to the same ones: a group. Groups are drawn whole, so none is in two sets. Then what is within
one word of dev or test, on either side, is left out of train.

The corpus is walked through three times (keys; the texts of dev and test; writing), never held in memory: what is kept
is 24 bytes a pair at the highest.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from nmt.corpus.chunks import Pairs, worked
from nmt.corpus.duplicates.keys import near_key, one_word_keys
from nmt.corpus.duplicates.neighbours import Neighbourhood
from nmt.corpus.stream import PairStream
from nmt.errors import DataError
from nmt.processes import Tell
from nmt.text.lines import clean
from nmt.text.surface import UNSPACED

Part = Literal["train", "dev", "test"]
SHORTEST, LONGEST = 3, 80  # words of a dev or test sentence; of scripts without blanks characters
LARGEST_SHARE = 10  # a group may be at most so small a part of dev, or of test
_BUCKETS = 64  # a side is sorted in so many parts, one in memory at a time
_STEP = 1 << 20  # pairs looked at at once, so that what is made on the way stays small


@dataclass(frozen=True)
class Drawn:
    """What is to be dev and test: numbers of pairs, counted from 0, in order, and their texts.

    pairs: how many there are in all.
    """

    pairs: int
    dev: list[int]
    test: list[int]
    texts: list[tuple[str, str]]


def draw(stream: PairStream, dev: int, test: int, seed: int, workers: int | None = None) -> Drawn:
    """Choose the pairs of dev and of test, by groups, at random; both in two walks through the stream.

    Of a group drawn all pairs are taken. It may hold no line that is blank, has no letters or is of unusual length
    (`SHORTEST`, `LONGEST`), and no more than a tenth of the pairs wanted. No sentence of dev is within one word of one
    of test. The same stream and seed give the same pairs.
    workers: processes; see `worked`.
    Errors: DataError when there are too few pairs to draw from.
    """
    largest = max(1, min(count for count in (dev, test) if count) // LARGEST_SHARE)
    groups, ordinary = _group(stream, workers)
    candidates = _candidates(groups, ordinary, largest)
    # More than needed, since some of dev will be too near to test.
    count = min(len(candidates), 4 * (dev + test) + 1000)
    roots = np.random.default_rng(seed).choice(candidates, count, replace=False)
    is_drawn = np.zeros(len(groups), np.bool_)
    is_drawn[roots] = True
    numbers = np.flatnonzero(is_drawn[groups])
    members: dict[int, list[int]] = {int(root): [] for root in roots}
    for number, root in zip(numbers.tolist(), groups[numbers].tolist(), strict=True):
        members[root].append(number)
    texts = _texts(stream, numbers, len(groups))
    parts = _assign(members.values(), texts, {"test": test, "dev": dev})
    if len(parts["dev"]) < dev or len(parts["test"]) < test or 2 * (dev + test) > len(groups):
        found = min(len(parts["dev"]) + len(parts["test"]), len(groups) // 2)
        raise DataError(
            f"{stream.name} has {len(groups):,} pairs, of which {found:,} can be drawn for dev and test,"
            f" not {dev + test:,}: the others are too like each other, too short, too long or needed to train on.",
            "a smaller --dev and --test",
        )
    chosen = sorted(parts["dev"] + parts["test"])
    return Drawn(len(groups), sorted(parts["dev"]), sorted(parts["test"]), [texts[number] for number in chosen])


def parted(
    stream: PairStream, drawn: Drawn, *, keep_near: bool, workers: int | None = None
) -> Iterator[tuple[Part | None, tuple[str, str]]]:
    """Each pair in order with the set that it belongs to; None: left out, as it is within one word of dev or test.

    keep_near: leave nothing out.
    Errors: DataError when the stream is not the one that was drawn from.
    """
    places: dict[int, Part] = dict.fromkeys(drawn.dev, "dev")
    places.update(dict.fromkeys(drawn.test, "test"))
    number = 0
    make = partial(_Near, [] if keep_near else drawn.texts)
    with worked(stream, make, workers) as results:
        for pairs, near in results:
            for pair, is_near in zip(pairs, near.tolist(), strict=True):
                part = places.get(number, None if is_near else "train")
                number += 1
                yield part, pair
    _check(stream, number, drawn.pairs)


def _check(stream: PairStream, count: int, expected: int) -> None:
    if count != expected:
        raise DataError(f"{stream.name} has changed while it was read: {count:,} pairs, not {expected:,}", "once more")


# ---- which pairs belong together


class _Keys:
    """Of a chunk: the near keys of both sides, and whether dev and test may have the pair.

    All blank lines have one key: the group of their pairs is one that is never drawn.
    """

    def __call__(self, pairs: Pairs, _: Tell) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        ordinary = np.ones(len(pairs), np.bool_)
        sides = []
        for side in (0, 1):
            texts = [clean(pair[side]) for pair in pairs]
            sides.append(np.fromiter(map(near_key, texts), np.uint64, len(texts)))
            ordinary &= np.fromiter(map(_is_ordinary, texts), np.bool_, len(texts))
        return sides[0], sides[1], ordinary


class _Near:
    """Of a chunk: which pairs are within one word of some texts, on either side."""

    def __init__(self, texts: Sequence[tuple[str, str]]) -> None:
        self._sides = [Neighbourhood([clean(pair[side]) for pair in texts]) for side in (0, 1)] if texts else []

    def __call__(self, pairs: Pairs, _: Tell) -> np.ndarray:
        near = np.zeros(len(pairs), np.bool_)
        for side, neighbourhood in enumerate(self._sides):
            near |= neighbourhood.holds([clean(pair[side]) for pair in pairs])
        return near


def _is_ordinary(text: str) -> bool:
    words = text if text.isascii() else UNSPACED.sub(r" \g<0> ", text)
    return SHORTEST <= len(words.split()) <= LONGEST and any(map(str.isalpha, text))


def _group(stream: PairStream, workers: int | None) -> tuple[np.ndarray, np.ndarray]:
    """For each pair the number of the first one of its group; and whether it is ordinary."""
    keys = array("Q"), array("Q")
    flags = array("B")
    with worked(stream, _Keys, workers) as results:
        for _, (source, target, ordinary) in results:
            for side, found in zip(keys, (source, target), strict=True):
                side.frombytes(found.tobytes())
            flags.frombytes(ordinary.tobytes())
    count = len(flags)
    groups = np.arange(count, dtype=np.int32 if count < 2**31 else np.int64)
    for side in keys:
        _join_equal(np.frombuffer(side, np.uint64), groups)
    _find_all(groups)
    return groups, np.frombuffer(flags, np.bool_)


def _join_equal(keys: np.ndarray, parents: np.ndarray) -> None:
    """Join pairs of the same key; parents: a forest in which each pair points at itself or at an earlier one."""
    for bucket in range(_BUCKETS if len(keys) else 0):
        members = np.concatenate(
            [
                begin + np.flatnonzero(part >> np.uint64(58) == bucket)
                for begin in range(0, len(keys), _STEP)
                for part in [keys[begin : begin + _STEP]]
            ]
        )
        found = keys[members]
        order = np.argsort(found, kind="stable")
        members, found = members[order], found[order]
        same = found[1:] == found[:-1]
        _join(members[:-1][same], members[1:][same], parents)


def _join(ones: np.ndarray, others: np.ndarray, parents: np.ndarray) -> None:
    """Join the group of each one with that of the other; the later root comes to point at the earlier one."""
    while len(ones):
        ones, others = _roots(ones, parents), _roots(others, parents)
        apart = ones != others
        ones, others = ones[apart], others[apart]
        parents[np.maximum(ones, others)] = np.minimum(
            ones, others
        )  # of several one stays; the next round has the rest


def _roots(numbers: np.ndarray, parents: np.ndarray) -> np.ndarray:
    while True:
        above = parents[numbers]
        if np.array_equal(above, numbers):
            return above
        parents[numbers] = parents[above]  # makes the way shorter for the next one
        numbers = above


def _find_all(parents: np.ndarray) -> None:
    """Let each pair point at the root of its group, which is the first pair of it."""
    for begin in range(0, len(parents), _STEP):  # earlier ones are done already
        part = np.arange(begin, min(begin + _STEP, len(parents)))
        parents[part] = _roots(part, parents)


def _candidates(groups: np.ndarray, ordinary: np.ndarray, largest: int) -> np.ndarray:
    """First pairs of the groups that may be drawn, in order."""
    may = np.ones(len(groups), np.bool_)
    may[groups[~ordinary]] = False
    sizes = np.bincount(groups, minlength=len(groups))
    may &= (sizes > 0) & (sizes <= largest)
    return np.flatnonzero(may)


# ---- which of them are drawn


def _texts(stream: PairStream, numbers: np.ndarray, expected: int) -> dict[int, tuple[str, str]]:
    """The pairs with these numbers, which are in order."""
    texts: dict[int, tuple[str, str]] = {}
    wanted = iter(numbers.tolist())
    following = next(wanted, None)
    count = 0
    for count, pair in enumerate(stream, start=1):
        if count - 1 == following:
            texts[count - 1] = pair
            following = next(wanted, None)
    _check(stream, count, expected)
    return texts


def _assign(
    groups: Iterable[list[int]], texts: dict[int, tuple[str, str]], sizes: dict[Part, int]
) -> dict[Part, list[int]]:
    """Give each group to the first set that has room for it and none within one word of it in the other sets."""
    parts: dict[Part, list[int]] = {part: [] for part in sizes}
    keys: dict[Part, set[tuple[int, int]]] = {part: set() for part in sizes}
    for group in groups:
        if all(len(parts[part]) == size for part, size in sizes.items()):
            break
        own = {
            (side, key)
            for number in group
            for side, text in enumerate(texts[number])
            for key in one_word_keys(clean(text))
        }
        for part, size in sizes.items():
            free = len(parts[part]) + len(group) <= size
            if free and all(own.isdisjoint(taken) for other, taken in keys.items() if other != part):
                parts[part] += group
                keys[part] |= own
                break
    return parts
