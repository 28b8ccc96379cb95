"""Subword sampling: one of the many ways to spell a text in the pieces of a subword model, drawn at random.

By hand, since SentencePiece's own draws differ from process to process whatever its seed (0.2.3), and a resumed
training has to spell as the first one did. Words are spelled one by one, since no piece reaches over a space: what can
be reckoned once for a word is remembered.
"""

import math
import re
from bisect import bisect
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import accumulate
from random import Random
from typing import NamedTuple, Protocol

SPACE = "\u2581"  # how SentencePiece writes a space, in front of the word
_REMEMBERED, _LONGEST_REMEMBERED = 1 << 14, 24  # words (some 150 MiB of long ones); characters
_UNKNOWN_PENALTY = 10.0  # SentencePiece's: below the least likely piece


class Pieces(NamedTuple):
    """The pieces that spell text, each with its id and score; and the ids that spell a character without a piece."""

    known: Mapping[str, tuple[int, float]]
    fallback: Callable[[str], list[int]]


class WordSampler(Protocol):
    """Spells one word."""

    def __call__(self, word: str, random: Random) -> list[int]:
        """Ids of the word, drawn with `random`."""


class Sampler:
    """Spells texts that are normalised as the subword model wants them, with U+2581 for spaces."""

    def __init__(self, pieces: Pieces, word: WordSampler) -> None:
        self._word = word
        over_a_space = any(SPACE in piece.lstrip(SPACE) for piece in pieces.known)  # in a model made elsewhere
        self._words = re.compile(r".+" if over_a_space else f"{SPACE}*[^{SPACE}]+|{SPACE}+", re.DOTALL)
        self._random = Random()

    def __call__(self, text: str, seed: int) -> list[int]:
        """Ids of `text`; the same (text, seed) is spelled in the same way, in every process."""
        self._random.seed(seed)
        ids: list[int] = []
        for word in self._words.findall(text):
            ids += self._word(word, self._random)
        return ids


class UnigramSampler:
    """Draws a spelling with the probability that the unigram model gives it, to the power `alpha` (Kudo 2018, eq. 8).

    Over all spellings, not only the best few: backward over the lattice for the sums, forward for the draw.
    """

    def __init__(self, pieces: Pieces, alpha: float) -> None:
        self._pieces = pieces
        self._alpha = alpha
        self._longest = max(map(len, pieces.known))
        self._unknown = min(score for _, score in pieces.known.values()) - _UNKNOWN_PENALTY
        self._remembered = lru_cache(_REMEMBERED)(self._lattice)

    def __call__(self, word: str, random: Random) -> list[int]:
        """See WordSampler."""
        lattice = self._remembered(word) if len(word) <= _LONGEST_REMEMBERED else self._lattice(word)
        ids: list[int] = []
        start = 0
        while start < len(word):
            shares, steps = lattice[start]
            start, spelled = steps[min(bisect(shares, random.random()), len(steps) - 1)] if shares else steps[0]
            ids += spelled
        return ids

    def _lattice(self, word: str) -> list[tuple[list[float], list[tuple[int, list[int]]]]]:
        """For each position where a piece may begin: the pieces (where they end, their ids) and their summed shares."""
        rest = [0.0] * (len(word) + 1)  # log of the weight of all spellings from there on
        lattice: list[tuple[list[float], list[tuple[int, list[int]]]]] = [([], [])] * len(word)
        for start in reversed(range(len(word))):
            steps, weights = [], []
            for end in range(start + 1, min(start + self._longest, len(word)) + 1):
                known = self._pieces.known.get(word[start:end])
                if known is not None:
                    steps.append((end, [known[0]]))
                    weights.append(self._alpha * known[1] + rest[end])
            if not steps or steps[0][0] != start + 1:  # a character that is no piece
                steps.append((start + 1, self._pieces.fallback(word[start])))
                weights.append(self._alpha * self._unknown + rest[start + 1])
            highest = max(weights)
            shares = list(accumulate(math.exp(weight - highest) for weight in weights))
            rest[start] = highest + math.log(shares[-1])
            lattice[start] = ([share / shares[-1] for share in shares] if len(steps) > 1 else [], steps)
        return lattice


class BpeDropout:
    """Merges as BPE does, but at each step every possible merge is left out with probability `dropout`.

    Provilkov et al. 2020, algorithm 1. Without dropout it is BPE.
    """

    def __init__(self, pieces: Pieces, dropout: float) -> None:
        self._pieces = pieces
        self._dropout = dropout

    def __call__(self, word: str, random: Random) -> list[int]:
        """See WordSampler."""
        known, symbols = self._pieces.known, list(word)
        while True:
            best, place = -math.inf, -1
            for index in range(len(symbols) - 1):
                merged = known.get(symbols[index] + symbols[index + 1])
                if merged is not None and merged[1] > best and random.random() >= self._dropout:
                    best, place = merged[1], index
            if place < 0:
                break
            symbols[place : place + 2] = [symbols[place] + symbols[place + 1]]
        ids: list[int] = []
        for symbol in symbols:
            ids += [known[symbol][0]] if symbol in known else self._pieces.fallback(symbol)
        return ids
