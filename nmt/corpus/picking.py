"""Some pairs of a stream: at random, or by their numbers."""

import math
import random
from collections.abc import Iterable, Iterator

from nmt.corpus.stream import PairStream
from nmt.errors import DataError


def draw_pairs(pairs: Iterable[tuple[str, str]], count: int, seed: int) -> list[tuple[str, str]]:
    """`count` of the pairs, each at most once and each with the same chance, in their order; all, if there are fewer.

    One walk, with no more than `count` pairs in memory (algorithm L of Li 1994).
    """
    chance = random.Random(seed)
    kept: list[tuple[int, tuple[str, str]]] = []
    weight, following = 1.0, count
    for number, pair in enumerate(pairs):
        if number < count:
            kept.append((number, pair))
        elif number == following:
            kept[chance.randrange(count)] = number, pair
        if number == following or number == count - 1:
            weight *= math.exp(math.log(1 - chance.random()) / count)
            following = number + 1 + math.floor(math.log(1 - chance.random()) / math.log1p(-weight))
    return [pair for _, pair in sorted(kept)]


def pick_pairs(stream: PairStream, spans: Iterable[range]) -> Iterator[tuple[int, tuple[str, str]]]:
    """The pairs with these numbers, counted from 1; each comes once, in order.

    Errors: DataError when there are fewer pairs, once those that are there have come.
    """
    waiting = sorted(spans, key=lambda span: span.start, reverse=True)
    last = max(span[-1] for span in waiting)
    number = 0
    for number, pair in enumerate(stream, start=1):
        while waiting and number >= waiting[-1].stop:
            waiting.pop()
        if waiting and number >= waiting[-1].start:
            yield number, pair
        if number == last:
            return
    raise DataError(f"{stream.name} has {number:,} pairs, so there is no line {last:,}", "a smaller number")
