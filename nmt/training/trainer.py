"""The training loop: updates, validations, checkpoints.

Everything random in an update follows from (seed, step) and everything about the order of data from (seed, epoch), so
the state of a training is its weights and a few numbers, and a resumed run is the same run.
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from nmt import checkpoint, console
from nmt.config import Config
from nmt.corpus.batching import draw_updates
from nmt.corpus.encoded import EncodedCorpus
from nmt.errors import ModelError, UsageError
from nmt.model import Transformer
from nmt.text.tokenizer import Tokenizer
from nmt.training.optimizer import ema_decay, learning_rate
from nmt.training.run import Run
from nmt.training.update import Updater
from nmt.training.validation import Validator

VALIDATIONS = 12  # in a run, when train.validate_every is 0
MOST_BAD_UPDATES = 3  # in a row, before training stops
RECORD_EVERY = 10  # updates between rows of metrics.jsonl


@dataclass
class TrainerState:
    """Where a training stands, beside its tensors.

    step: updates done.  epoch, position: the update to do next.  tokens: target tokens seen.  seconds: spent training.
    scores: of each validation, by step, higher is better.  bad_updates: skipped as not finite, in all.
    """

    step: int = 0
    epoch: int = 0
    position: int = 0
    tokens: int = 0
    seconds: float = 0.0
    scores: dict[int, float] = field(default_factory=dict)
    bad_updates: int = 0

    @property
    def best_step(self) -> int | None:
        """The step of the best validation so far; the earlier one of equals."""
        return max(self.scores, key=lambda step: (self.scores[step], -step), default=None)

    @property
    def validations_since_best(self) -> int:
        """For patience."""
        best = self.best_step
        return 0 if best is None else sum(step > best for step in self.scores)


class Trainer:
    """Trains `model` on `corpus` as `config.train` says, and saves into `run`."""

    def __init__(
        self,
        model: Transformer,
        corpus: EncodedCorpus,
        config: Config,
        source_tokenizer: Tokenizer,
        target_tokenizer: Tokenizer,
        validator: Validator,
        run: Run,
    ) -> None:
        self.model = model
        self.corpus = corpus
        self.config = config
        self.tokenizers = (source_tokenizer, target_tokenizer)
        self.validator = validator
        self.run = run
        self.updater = Updater(model, corpus, config.train)
        self.state = TrainerState()
        self.fingerprint = corpus.fingerprint()
        self._updates: tuple[int, list[np.ndarray]] = (-1, [])
        self._bad_in_a_row = 0
        self._started = time.monotonic()

    # ---- how far

    def updates_of(self, epoch: int) -> list[np.ndarray]:
        """The epoch's updates; the current epoch's are remembered."""
        if self._updates[0] != epoch:
            train = self.config.train
            self._updates = (
                epoch,
                draw_updates(*self.updater.lengths, train.batch_tokens, seed=train.seed, epoch=epoch),
            )
        return self._updates[1]

    def progress(self) -> float:
        """Share of the planned training that is done, 0 to 1: the furthest of steps and epochs."""
        train, state = self.config.train, self.state
        shares = [0.0]
        if train.max_steps is not None:
            shares.append(state.step / train.max_steps)
        if train.max_epochs is not None:
            epochs = state.epoch + state.position / len(self.updates_of(state.epoch))
            shares.append(epochs / train.max_epochs)
        return min(1.0, max(shares))

    def planned_steps(self) -> int:
        """Updates in the whole training."""
        train = self.config.train
        plans = [float("inf")]
        if train.max_steps is not None:
            plans.append(train.max_steps)
        if train.max_epochs is not None:
            plans.append(math.ceil(train.max_epochs * len(self.updates_of(self.state.epoch))))
        return int(min(plans))

    # ---- the loop

    def fit(self) -> TrainerState:
        """Train to the end.

        Raises ModelError when the numbers stay not finite, UsageError when nothing is left to do.
        """
        if self.progress() >= 1:
            raise UsageError(
                f"nothing is left to do: {self.run.name} is at step {self.state.step}",
                "raise train.max_steps (or train.max_epochs), or train a new model with another -o",
            )
        planned = self.planned_steps()
        validate_every = self.config.train.validate_every or max(1, math.ceil(planned / VALIDATIONS))
        save_every = self.config.train.save_every
        self._started = time.monotonic() - self.state.seconds
        with console.progress(total=planned, description="training", unit="update") as bar:
            bar.update(self.state.step)
            window = _Window(self.state)
            while True:
                rate = self._rate()
                loss, tokens = self.train_step()
                self._tick()
                window.add(loss, tokens)
                bar.update(1)
                step, done = self.state.step, self.progress() >= 1
                if step % RECORD_EVERY == 0 or done:
                    row = window.row(self.state, rate)
                    self.run.record(row)
                    bar.set_postfix(
                        loss=f"{row['loss']:.3f}", tokens_s=f"{row['tokens_per_second']:.0f}", refresh=False
                    )
                if done or step % validate_every == 0:
                    self._with_average(self._validate_and_save)
                    window = _Window(self.state)
                    if self._out_of_patience():
                        break
                elif save_every and step % save_every == 0:
                    self._with_average(lambda: self._save({}))
                if done:
                    break
        return self.state

    def train_step(self) -> tuple[float, int]:
        """The next update; returns its loss per token, smoothing included, and its target tokens.

        One whose loss or gradient is not finite is skipped and counted; three in a row end the training.
        """
        state, train = self.state, self.config.train
        result = self.updater.update(
            self.updates_of(state.epoch)[state.position],
            step=state.step,
            rate=self._rate(),
            ema_decay=ema_decay(train, state.step + 1, self.planned_steps()),
        )
        if result.skipped:
            self._count_bad_update(result.skipped)
        else:
            self._bad_in_a_row = 0
        state.step += 1
        state.tokens += result.tokens
        state.position += 1
        if state.position == len(self.updates_of(state.epoch)):
            state.epoch, state.position = state.epoch + 1, 0
        return result.loss, result.tokens

    def _rate(self) -> float:
        return learning_rate(self.config.train, self.state.step + 1, self.progress())

    def _count_bad_update(self, what: str) -> None:
        self.state.bad_updates += 1
        self._bad_in_a_row += 1
        console.warn(f"update {self.state.step + 1} is skipped: its {what} is not finite")
        if self._bad_in_a_row == MOST_BAD_UPDATES:
            raise ModelError(
                f"the {what} was not finite in {MOST_BAD_UPDATES} updates in a row, up to number {self.state.step + 1}",
                f"lower train.learning_rate (it is {self.config.train.learning_rate:g}), raise train.warmup_steps "
                f"({self.config.train.warmup_steps}), or set train.precision=fp32; saved checkpoints are sound",
            )

    # ---- validation and checkpoints

    def _validate_and_save(self) -> None:
        """Validate, save, and point `best` and `last` where they belong; with the averaged weights in the model."""
        state = self.state
        scores = self.validator()
        self._tick()
        state.scores[state.step] = scores.value(self.config.train.metric)
        best = state.best_step == state.step
        self.run.record(
            {"step": state.step, "epoch": self._epochs(), "seconds": round(state.seconds, 1)} | scores.as_row()
        )
        console.log(
            f"step {state.step}  epoch {self._epochs():.1f}  {state.seconds / 60:.1f} min  "
            f"dev: loss {scores.loss:.3f}  accuracy {scores.accuracy:.1f}  "
            f"BLEU {scores.bleu:.2f}  chrF {scores.chrf:.2f}{'  best' if best else ''}"
        )
        self._save(scores.as_row())

    def _save(self, scores: Mapping[str, float]) -> None:
        """With the averaged weights in the model."""
        state, run, train = self.state, self.run, self.config.train
        facts = {"seconds": round(state.seconds, 1), "tokens": state.tokens, **scores}
        folder = checkpoint.save(
            run.folder, state.step, self.model, self.config, *self.tokenizers, facts, self._trainer_state()
        )
        checkpoint.point(run.folder, "last", folder)
        self._point_to_best()
        run.settle()
        run.prune(state.scores, train.keep_best, train.keep_last)

    def _point_to_best(self) -> None:
        """At every save, not only a new best: a kill between two pointers must not leave the old one for good."""
        if self.state.best_step is None:
            return
        best = checkpoint.checkpoint_folder(self.run.folder, self.state.best_step)
        if best.is_dir() and checkpoint.pointed(self.run.folder, "best") != best:
            checkpoint.point(self.run.folder, "best", best)

    def _with_average(self, work: Callable[[], None]) -> None:
        if self.updater.average is None:
            work()
            return
        self.updater.average.swap()
        try:
            work()
        finally:
            self.updater.average.swap()

    def _tick(self) -> None:
        self.state.seconds = time.monotonic() - self._started

    def _epochs(self) -> float:
        return round(self.state.epoch + self.state.position / len(self.updates_of(self.state.epoch)), 2)

    def _out_of_patience(self) -> bool:
        patience = self.config.train.patience
        if not patience or self.state.validations_since_best < patience:
            return False
        console.log(f"stopping: no new best in {patience} validations")
        return True

    def _trainer_state(self) -> dict[str, Any]:
        """Raw weights (the averaged ones are in the model while it is saved), optimizer, and where we stand."""
        raw = self.updater.average.shadow if self.updater.average is not None else list(self.model.parameters())
        return {
            "weights": [tensor.detach() for tensor in raw],
            "optimizer": self.updater.optimizer.state_dict(),
            "state": asdict(self.state),
            "corpus": self.fingerprint,
            "dev": self.validator.fingerprint,
        }

    def restore(self, folder: Path) -> None:
        """Go on from a checkpoint. Raises ModelError when it is damaged, UsageError when the corpus is another."""
        saved = checkpoint.load_trainer_state(folder)
        if saved["corpus"] != self.fingerprint:
            raise UsageError(
                f"the training text is not what {self.run.name} was trained on",
                "give the same data.train, or start a new run with another -o",
            )
        if saved["dev"] != self.validator.fingerprint:
            raise UsageError(
                f"the dev text is not what {self.run.name} was judged by, so its scores could not be compared",
                "give the same data.dev, or start a new run with another -o",
            )
        averaged = checkpoint.load_model(folder, "cpu").model
        with torch.no_grad():
            for parameter, raw in zip(self.model.parameters(), saved["weights"], strict=True):
                parameter.copy_(raw)
            if self.updater.average is not None:
                for shadow, tensor in zip(self.updater.average.shadow, averaged.parameters(), strict=True):
                    shadow.copy_(tensor)
        self.updater.load_optimizer_state(saved["optimizer"])
        self.state = TrainerState(**saved["state"])
        self.run.rewind(self.state.step)


class _Window:
    """Means since the last validation, for the bar and metrics.jsonl."""

    def __init__(self, state: TrainerState) -> None:
        self._restart(state.seconds)

    def _restart(self, seconds: float) -> None:
        self.since, self.loss, self.tokens = seconds, 0.0, 0

    def add(self, loss: float, tokens: int) -> None:
        self.loss += loss * tokens
        self.tokens += tokens

    def row(self, state: TrainerState, rate: float) -> dict[str, Any]:
        """Means since the last row; the next begin anew."""
        row = {
            "step": state.step,
            "loss": round(self.loss / max(self.tokens, 1), 5),
            "tokens_per_second": round(self.tokens / max(state.seconds - self.since, 1e-9)),
            "learning_rate": rate,
            "seconds": round(state.seconds, 1),
        }
        self._restart(state.seconds)
        return row
