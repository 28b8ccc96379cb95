"""What a search needs of a model: start with sources, then one token a row at a time.

B sentences  S source length  K beams  N = B*K rows  V vocabulary
"""

from typing import Protocol, Self, TypeVar

import torch
from torch import Tensor

from nmt.model import Cache, Transformer

COMPACT_BELOW = 0.75  # drop finished sentences from the batch once fewer than this share is alive


class State(Protocol):
    """What a step model remembers; search reorders and thins it without knowing what is inside."""

    def reorder(self, parents: Tensor) -> None:
        """Row n goes on from row parents[n]: (N,)."""

    def keep(self, sentences: Tensor) -> Self:
        """Only these sentences go on: (B',)."""


S = TypeVar("S", bound=State)


class StepModel(Protocol[S]):
    """One model or several as one: all that search knows."""

    def start(self, source: Tensor, mask: Tensor | None, beams: int, room: int) -> S:
        """Read the sources, (B, S) and their mask; make room for `room` tokens on each of K beams."""

    def step(self, tokens: Tensor, state: S, *, normalise: bool) -> tuple[Tensor, Tensor | None]:
        """Feed one token a row, (N,); returns scores (N, V) and their normaliser (N,): log p = scores - normaliser.

        The normaliser is None when not asked for: an argmax needs none. The scores are the caller's to change.
        """


class SingleModel:
    """A Transformer as a step model."""

    def __init__(self, model: Transformer) -> None:
        self.model = model

    def start(self, source: Tensor, mask: Tensor | None, beams: int, room: int) -> Cache:
        """Encode once; the cross-attention's keys are computed here, once a layer."""
        return self.model.start(self.model.encode(source, mask), beams, room)

    def step(self, tokens: Tensor, state: Cache, *, normalise: bool) -> tuple[Tensor, Tensor | None]:
        """Logits; when asked to normalise log-probabilities, and zeros."""
        states, _ = self.model.step(tokens[:, None], state)
        scores = self.model.logits(states[:, 0]).float()
        if not normalise:
            return scores, None
        # On a CPU twice as fast as `logsumexp`, although it writes all of them.
        return torch.log_softmax(scores, -1, out=scores), scores.new_zeros(len(scores))
