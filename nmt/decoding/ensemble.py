"""Several models as one: at each step their distributions are combined, and search sees a single model.

N rows  V target vocabulary
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Generic, Literal

import torch
from torch import Tensor

from nmt.checkpoint import LoadedModel
from nmt.decoding.step import S, StepModel
from nmt.errors import ModelError, UsageError

Combination = Literal["linear", "log-linear"]


@dataclass
class EnsembleState(Generic[S]):
    """Each model's own state: models may differ in layers, width and heads."""

    states: list[S]

    def reorder(self, parents: Tensor) -> None:
        """Row n goes on from row parents[n], (N,), in every model."""
        for state in self.states:
            state.reorder(parents)

    def keep(self, sentences: Tensor) -> "EnsembleState[S]":
        """Only these sentences go on, (B',), in every model."""
        return EnsembleState([state.keep(sentences) for state in self.states])


class Ensemble(Generic[S]):
    """Step models with the same target vocabulary as one step model.

    linear: the mean of their probabilities.  log-linear: the geometric mean, normalised again.
    """

    def __init__(self, models: Sequence[StepModel[S]], combination: Combination = "linear") -> None:
        """Raises UsageError without a model."""
        if not models:
            raise UsageError("an ensemble needs a model", "give one or more")
        self.models = list(models)
        self.combination = combination

    def start(self, source: Tensor, mask: Tensor | None, beams: int, room: int) -> EnsembleState[S]:
        """Every model reads the sources."""
        return EnsembleState([model.start(source, mask, beams, room) for model in self.models])

    def step(self, tokens: Tensor, state: EnsembleState[S], *, normalise: bool) -> tuple[Tensor, Tensor | None]:
        """Scores (N, V), and their normaliser (N,) when asked for.

        linear: log-mean-probabilities, and zeros. log-linear: mean scores, and their log-sum-exp; what each model's
        own normaliser would take off a row is the same for all its tokens, so that theirs need not be known.
        """
        members = list(zip(self.models, state.states, strict=True))
        match self.combination:
            case "linear":
                log_probs = [_log_probs(model, tokens, own) for model, own in members]
                scores = reduce(torch.logaddexp, log_probs) - math.log(len(members))
                return scores, scores.new_zeros(len(scores)) if normalise else None
            case "log-linear":
                found = [model.step(tokens, own, normalise=False)[0] for model, own in members]
                scores = torch.stack(found).mean(dim=0)
                return scores, torch.logsumexp(scores, dim=-1) if normalise else None


def _log_probs(model: StepModel[S], tokens: Tensor, state: S) -> Tensor:
    scores, normaliser = model.step(tokens, state, normalise=True)
    assert normaliser is not None
    return scores - normaliser[:, None]


def check_ensemble(loaded: Sequence[LoadedModel]) -> None:
    """Make sure that these models can translate together.

    Raises ModelError for other languages than the first model's, or other subwords on either side: then the same id
    means another piece.
    """
    first = loaded[0]
    languages = _languages(first)
    for other in loaded[1:]:
        if _languages(other) != languages:
            raise ModelError(
                f"{first.folder} translates {languages}, but {other.folder} {_languages(other)}",
                "an ensemble takes models of the same languages",
            )
        for side in ("source", "target"):
            ours, theirs = (getattr(model, f"{side}_tokenizer") for model in (first, other))
            if ours.proto != theirs.proto:
                raise ModelError(
                    f"the {side} subword models of {first.folder} and {other.folder} differ: "
                    f"{ours.description}; {theirs.description}",
                    f"train both with the same one: tokenizer.path={first.folder / side}.spm",
                )


def _languages(loaded: LoadedModel) -> str:
    return f"{loaded.config.data.source_language} to {loaded.config.data.target_language}"
