"""Models that are tables of probabilities, and every output they can give: what searches are tested with."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from nmt.decoding.search import Hypothesis, SearchSettings, Wish, search

BOS, EOS = 0, 2


@dataclass
class TableState:
    """What each row has written so far, and the sentence it belongs to."""

    rows: list[tuple[int, list[int]]]
    beams: int

    def reorder(self, parents: Tensor) -> None:
        self.rows = [(self.rows[p][0], list(self.rows[p][1])) for p in parents.tolist()]

    def keep(self, sentences: Tensor) -> "TableState":
        kept = [s * self.beams + k for s in sentences.tolist() for k in range(self.beams)]
        return TableState([self.rows[index] for index in kept], self.beams)


@cache
def _drawn(vocab_size: int, sharpness: float, sentence: int, prefix: tuple[int, ...]) -> Tensor:
    generator = torch.Generator().manual_seed(hash((sentence, prefix)) % 2**31)
    return (torch.randn(vocab_size, generator=generator) * sharpness).log_softmax(-1)


class TableModel:
    """log p of the next token depends on the sentence and all that was written: drawn once, by seed."""

    def __init__(self, vocab_size: int, sharpness: float = 2.0, shift: float = 0.0) -> None:
        self.vocab_size = vocab_size
        self.sharpness = sharpness
        self.shift = shift  # added to every score: a normaliser has to take it out again

    def log_probs(self, sentence: int, prefix: tuple[int, ...]) -> Tensor:
        return _drawn(self.vocab_size, self.sharpness, sentence, prefix)

    def start(self, source: Tensor, mask: Tensor | None, beams: int, room: int) -> TableState:
        return TableState([(s, []) for s in source[:, 0].tolist() for _ in range(beams)], beams)

    def step(self, tokens: Tensor, state: TableState, *, normalise: bool) -> tuple[Tensor, Tensor | None]:
        for (_, written), token in zip(state.rows, tokens.tolist(), strict=True):
            written.append(token)
        scores = torch.stack([self.log_probs(s, tuple(written[1:])) for s, written in state.rows]) + self.shift
        return scores, torch.full((len(scores),), self.shift) if normalise else None


def all_hypotheses(model: TableModel, sentence: int, limit: int, alpha: float, banned: set[int]) -> list[Hypothesis]:
    """Every sequence there is, with its score, best first."""
    words = [w for w in range(model.vocab_size) if w != EOS and w not in banned]
    found = []
    for length in range(limit):
        for sequence in itertools.product(words, repeat=length):
            total = sum(float(model.log_probs(sentence, sequence[:i])[w]) for i, w in enumerate(sequence))
            total += float(model.log_probs(sentence, sequence)[EOS])
            found.append(Hypothesis(list(sequence), total / (length + 1) ** alpha, False))
    return sorted(found, key=lambda h: -h.score)


def run(
    model: TableModel,
    sentences: int | Sequence[int],
    limit: int | Sequence[int],
    settings: SearchSettings,
    wishes: Sequence[Wish] = (),
) -> list[list[Hypothesis]]:
    """Search for these sentences (or so many), with one limit or one each."""
    numbers = torch.tensor(range(sentences) if isinstance(sentences, int) else sentences)
    limits = torch.full_like(numbers, limit) if isinstance(limit, int) else torch.tensor(limit)
    return search(model, numbers[:, None], None, limits, settings, wishes=wishes)
