"""Means over the last few updates, for the progress bar and metrics.jsonl."""

from typing import Any

from nmt.training.state import TrainerState


class Meter:
    """Loss and speed since the last row.

    The loss' sums are in the training's state, so that a resumed run has the same rows.
    """

    def __init__(self, state: TrainerState) -> None:
        self.state = state
        self.since, self.tokens = state.seconds, 0  # of this sitting, for the speed

    def add(self, loss: float, tokens: int) -> None:
        """loss: per token of one update.  tokens: how many it had."""
        self.state.loss_sum += loss * tokens
        self.state.loss_tokens += tokens
        self.tokens += tokens

    def pause(self) -> None:
        """After a validation: its time is not training's."""
        self.since, self.tokens = self.state.seconds, 0

    def row(self, rate: float) -> dict[str, Any]:
        """For metrics.jsonl. rate: the learning rate of the last update."""
        state = self.state
        row = {
            "step": state.step,
            "loss": round(state.loss_sum / max(state.loss_tokens, 1), 5),
            "tokens_per_second": round(self.tokens / max(state.seconds - self.since, 1e-9)),
            "learning_rate": rate,
            "seconds": round(state.seconds, 1),
        } | ({"clock": round(state.clock, 5)} if state.clock else {})
        state.loss_sum, state.loss_tokens = 0.0, 0
        self.pause()
        return row

    @staticmethod
    def summary(row: dict[str, Any]) -> dict[str, str]:
        """The same for the progress bar."""
        return {
            "loss": f"{row['loss']:.3f}",
            "tokens/s": f"{row['tokens_per_second']:,}",
            "rate": f"{row['learning_rate']:.1e}",
        }
