"""Where a training stands: the few numbers that, beside its tensors, make a resumed run the same run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nmt.corpus.mixture import Place
from nmt.errors import UsageError


@dataclass
class TrainerState:
    """step: updates done.  epoch, pool, position: the update to do next.  tokens: target tokens seen.

    stage: of data.stages; stage_epoch: the epoch that it began with.  unfinished: epochs that stages have cut short.
    seconds: spent so far, in all sittings.  validating: of these in validations and their checkpoints.
    clock: share of the time budget that is used; it never falls.
    reserve: seconds kept back for the last validation and checkpoint.
    scores: of each validation, by step, higher is better.  validation_due: one was begun, but not ended.
    loss_sum, loss_tokens: since the last row of metrics.jsonl.
    bad_updates: skipped as not finite, in all.  bad_in_a_row: the last ones of these.
    """

    step: int = 0
    epoch: int = 0
    pool: int = 0
    position: int = 0
    stage: int = 0
    stage_epoch: int = 0
    unfinished: float = 0.0
    tokens: int = 0
    seconds: float = 0.0
    validating: float = 0.0
    clock: float = 0.0
    reserve: float = 0.0
    scores: dict[int, float] = field(default_factory=dict)
    validation_due: bool = False
    loss_sum: float = 0.0
    loss_tokens: int = 0
    bad_updates: int = 0
    bad_in_a_row: int = 0

    @property
    def place(self) -> Place:
        """The pool that is learned from."""
        return Place(self.stage, self.epoch - self.stage_epoch, self.pool)

    @property
    def best_step(self) -> int | None:
        """The step of the best validation so far; the earlier one of equals."""
        return max(self.scores, key=lambda step: (self.scores[step], -step), default=None)

    @property
    def validations_since_best(self) -> int:
        """For patience."""
        best = self.best_step
        return 0 if best is None else sum(step > best for step in self.scores)


def check_same_text(ours: Mapping[str, Any], saved: Mapping[str, Any], run: Path) -> None:
    """A training goes on with the text it began with. ours, saved: fingerprints of `corpus` and `dev`.

    Raises UsageError when one of them is another.
    """
    for part, what in (
        ("corpus", f"training text is not what {run} was trained on"),
        ("dev", f"dev text is not what {run} was judged by: scores would not compare"),
    ):
        if ours[part] != saved[part]:
            remedy = "give the same data.train, data.stages and data.dev, or start a new run with another -o"
            raise UsageError(f"the {what}", remedy)
