"""Means over the last few updates, for the progress bar and metrics.jsonl."""

from typing import Any

from nmt.training.state import TrainerState


class Meter:
    """Loss and speed since it was made, or since its last row."""

    def __init__(self, state: TrainerState) -> None:
        self._restart(state.seconds)

    def _restart(self, seconds: float) -> None:
        self.since, self.loss, self.tokens = seconds, 0.0, 0

    def add(self, loss: float, tokens: int) -> None:
        """loss: per token of one update.  tokens: how many it had."""
        self.loss += loss * tokens
        self.tokens += tokens

    def row(self, state: TrainerState, rate: float) -> dict[str, Any]:
        """For metrics.jsonl. rate: the learning rate of the last update."""
        row = {
            "step": state.step,
            "loss": round(self.loss / max(self.tokens, 1), 5),
            "tokens_per_second": round(self.tokens / max(state.seconds - self.since, 1e-9)),
            "learning_rate": rate,
            "seconds": round(state.seconds, 1),
        } | ({"clock": round(state.clock, 5)} if state.clock else {})
        self._restart(state.seconds)
        return row

    @staticmethod
    def summary(row: dict[str, Any]) -> dict[str, str]:
        """The same for the progress bar."""
        return {
            "loss": f"{row['loss']:.3f}",
            "tokens/s": f"{row['tokens_per_second']:,}",
            "rate": f"{row['learning_rate']:.1e}",
        }
