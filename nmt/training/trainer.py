"""The training loop: updates, validations, checkpoints.

Everything random in an update follows from (seed, step) and everything about the order of data from (seed, epoch), so
the state of a training is its weights and a few numbers, and a resumed run is the same run.
"""

import math
import shlex
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from nmt import checkpoint, console, distributed, folders
from nmt.config import Config
from nmt.corpus.batching import draw_updates
from nmt.corpus.mixture import Place, TrainingText
from nmt.errors import ModelError, UsageError
from nmt.model import Transformer
from nmt.text.tokenizer import Tokenizer
from nmt.training.interruption import InterruptionError, StopSignals
from nmt.training.meter import Meter
from nmt.training.optimizer import ema_decay, learning_rate
from nmt.training.run import Run
from nmt.training.state import TrainerState, check_same_text
from nmt.training.update import Updater
from nmt.training.validation import Validator

VALIDATIONS = 12  # in a run, when train.validate_every is 0
MOST_VALIDATING = 0.1  # share of a time budget that goes into them; the last one is always made
MOST_BAD_UPDATES = 3  # in a row, before training stops
SETTLED = 0.3  # share of a run after which a model should no longer answer everything alike
RECORD_EVERY = 10  # updates between rows of metrics.jsonl


class Trainer:
    """Trains `model` on `corpus` as `config.train` says, and saves into `run`."""

    def __init__(
        self,
        model: Transformer,
        corpus: TrainingText,
        config: Config,
        source_tokenizer: Tokenizer,
        target_tokenizer: Tokenizer,
        validator: Validator,
        run: Run,
        started: float | None = None,
        parent_validator: Validator | None = None,
        record: Callable[[TrainerState], Mapping[str, Any]] | None = None,
    ) -> None:
        """validator: judges the model.  parent_validator: in fine-tuning, shows what it forgets; decides nothing.

        record: what a checkpoint is to say of this training (see `nmt.training.record`).

        started: when this sitting began, by time.monotonic(); a time budget counts from there. None: now.
        """
        self.model = model
        self.corpus = corpus
        self.config = config
        self.tokenizers = (source_tokenizer, target_tokenizer)
        self.validator = validator
        self.parent_validator = parent_validator
        self.run = run
        self.record = record
        self.updater = Updater(model, config.train)
        self.state = TrainerState()
        self.fingerprint = corpus.fingerprint()
        self.stop = StopSignals()
        self._stopping: signal.Signals | None = None
        self._updates: tuple[Place, list[np.ndarray]] = (Place(-1), [])
        # Of the last validation: its update, its scores, and what dev has taught.
        self._judged: tuple[int, Mapping[str, float], Mapping[str, Any] | None] = (-1, {}, None)
        self._started = time.monotonic() if started is None else started

    # ---- how far

    def updates(self) -> list[np.ndarray]:
        """Those of the present pool; they are remembered."""
        place, train = self.state.place, self.config.train
        if self._updates[0] != place:
            self.updater.corpus = self.corpus.pool(place)
            seed = [train.seed, place.epoch, place.pool, place.stage]
            self._updates = place, draw_updates(*self.updater.lengths, train.batch_tokens, seed=seed)
        return self._updates[1]

    def updates_per_epoch(self) -> int:
        """As many as there are in one pool, times the pools."""
        return len(self.updates()) * self.corpus.pools(self.state.stage)

    def progress(self) -> float:
        """Share of the planned training that is done, 0 to 1: the furthest of steps, epochs and the clock."""
        train, state = self.config.train, self.state
        shares = [state.clock]
        if train.max_steps is not None:
            shares.append(state.step / train.max_steps)
        if train.max_epochs is not None:
            shares.append(self._epochs() / train.max_epochs)
        return min(1.0, max(shares))

    def planned_steps(self) -> float:
        """Updates in the whole training; under a time budget a guess by the speed so far, infinity before the first."""
        train, state = self.config.train, self.state
        plans = [math.inf]
        if train.max_steps is not None:
            plans.append(train.max_steps)
        if train.max_epochs is not None:
            plans.append(math.ceil(train.max_epochs * self.updates_per_epoch()))
        if state.step and state.clock:
            plans.append(math.ceil(state.step / state.clock))
        return min(plans)

    def _tick(self) -> None:
        """Read the clock. The share of the budget that is used never falls, whatever the estimate of the end does.

        All ranks go by the first one's clock, and stop when any of them is asked to.
        """
        state, budget = self.state, self.config.train.budget
        here = time.monotonic() - self._started if distributed.rank() == 0 else 0.0
        state.seconds, received = distributed.largest_across_ranks(here, self.stop.received or 0)
        self._stopping = signal.Signals(int(received)) if received else None
        if budget is not None:
            state.clock = max(state.clock, min(1.0, state.seconds / max(budget - state.reserve, 1e-9)))

    def _epochs(self) -> float:
        """Passes over the text that are done."""
        return self.state.epoch - self.state.unfinished + self._share_of_epoch()

    def _share_of_epoch(self) -> float:
        state = self.state
        pools = state.pool + (state.position / len(self.updates()) if state.position else 0)
        return pools / self.corpus.pools(state.stage)

    def _go_on(self) -> None:
        """To the next update: of this pool, of the next one, of the next epoch, or of the next stage."""
        state, stages = self.state, self.config.data.stages
        state.position += 1
        if state.position == len(self.updates()):
            state.pool, state.position = state.pool + 1, 0
        if state.pool == self.corpus.pools(state.stage):
            state.epoch, state.pool = state.epoch + 1, 0
        if stages and stages[state.stage].is_over(state.step, self.progress()):
            if done := self._share_of_epoch():
                state.epoch, state.unfinished = state.epoch + 1, state.unfinished + 1 - done
            state.pool = state.position = 0
            state.stage, state.stage_epoch = state.stage + 1, state.epoch
            console.log(f"step {state.step}: stage {state.stage + 1} of {len(stages)} begins")

    # ---- the loop

    def fit(self) -> TrainerState:
        """Train to the end.

        Raises ModelError when the numbers stay not finite, UsageError when nothing is left to do, and, after saving,
        InterruptionError on a stop signal.
        """
        if self.progress() >= 1 and not self.state.validation_due:
            raise UsageError(
                f"nothing is left to do: {self.run.name} is at step {self.state.step}",
                "raise train.max_steps (or train.max_epochs, train.budget), or train a new model with another -o",
            )
        self._tick()
        planned = self.planned_steps()
        total = None if planned == math.inf else int(planned)
        with self.stop, console.progress(total=total, description="training", unit="update") as bar:
            bar.update(self.state.step)
            if self.state.step == 0 and self.parent_validator is not None:
                self._validate_parent(self.parent_validator)
            meter = Meter(self.state)
            if self.state.validation_due:  # the last sitting ended in the middle of it
                self._validate_and_save()
            while self.progress() < 1 and not self._out_of_patience():
                before, rate = self.progress(), self._rate()
                meter.add(*self.train_step())
                self._tick()
                done = self.progress() >= 1
                bar.update(1)
                if self.state.step % RECORD_EVERY == 0 or done:
                    row = meter.row(rate)
                    self.run.record(row)
                    bar.total = self.state.step if done else int(self.planned_steps())
                    bar.set_postfix(meter.summary(row), refresh=False)
                if self._wants_validation(before):
                    self.state.validation_due = True
                    self._validate_and_save()
                    meter.pause()
                elif self.config.train.save_every and self.state.step % self.config.train.save_every == 0:
                    self._save_now()
                self._leave_if_asked()
        return self.state

    def train_step(self) -> tuple[float, int]:
        """The next update; returns its loss per token, smoothing included, and its target tokens.

        One whose loss or gradient is not finite is skipped and counted; three in a row end the training.
        """
        state, train = self.state, self.config.train
        result = self.updater.update(
            self.updates()[state.position],
            step=state.step,
            rate=self._rate(),
            ema_decay=ema_decay(train, state.step + 1, self.planned_steps()),
        )
        if result.skipped:
            self._count_bad_update(result.skipped)
        else:
            state.bad_in_a_row = 0
        state.step += 1
        state.tokens += result.tokens
        self._go_on()
        return result.loss, result.tokens

    def _rate(self) -> float:
        return learning_rate(self.config.train, self.state.step + 1, self.progress())

    def _count_bad_update(self, what: str) -> None:
        state, train = self.state, self.config.train
        state.bad_updates += 1
        state.bad_in_a_row += 1
        console.warn(f"update {state.step + 1} is skipped: its {what} is not finite")
        if state.bad_in_a_row == MOST_BAD_UPDATES:
            raise ModelError(
                f"the {what} was not finite in {MOST_BAD_UPDATES} updates in a row, up to number {state.step + 1}",
                f"lower train.learning_rate (it is {train.learning_rate:g}), raise train.warmup_steps "
                f"({train.warmup_steps}), or set train.precision=fp32; saved checkpoints are sound",
            )

    def _wants_validation(self, before: float) -> bool:
        """before: progress at the last update."""
        now, every = self.progress(), self.config.train.validate_every
        if now >= 1:
            return True
        if every:
            return self.state.step % every == 0
        if self.config.train.budget is not None and self.state.validating > MOST_VALIDATING * self.state.seconds:
            return False  # a short budget is for training
        return math.floor(now * VALIDATIONS + 1e-9) > math.floor(before * VALIDATIONS + 1e-9)

    def _out_of_patience(self) -> bool:
        patience = self.config.train.patience
        if not patience or self.state.validations_since_best < patience:
            return False
        console.log(f"stopping: no new best in {patience} validations")
        return True

    def _leave_if_asked(self) -> None:
        """Raises InterruptionError once a stop signal has come; what is done so far is saved."""
        received = self._stopping
        if received is None or (self.progress() >= 1 and not self.state.validation_due):
            return
        console.log(f"{received.name}: saving a checkpoint")
        self._save_now()
        if distributed.rank() != 0:
            sys.exit(128 + received)  # one voice is enough
        remedy = f"nmt train --resume -o {shlex.quote(str(self.run.name))}"
        raise InterruptionError(received, f"stopped by {received.name} at step {self.state.step}", remedy)

    # ---- validation and checkpoints

    def _validate_and_save(self) -> None:
        """Validate, save, and point `best` and `last` where they belong.

        A stop signal ends the validation early; the checkpoint then says that it is still due.
        """
        began = self.state.seconds
        with self.updater.showing_average():
            self._validate()
        self._tick()
        self._leave_if_asked()
        spent = self.state.seconds - began
        self.state.validating += spent
        # With a margin: the last one may be slower, and to leave takes a moment too.
        self.state.reserve = 1.2 * spent + 0.5

    def _validate(self) -> None:
        """With the averaged weights in the model."""
        state = self.state
        scores = self.validator(self._give_up)
        if scores is None:
            return
        row, parent = scores.as_row(), None
        if self.parent_validator is not None:
            parent = self.parent_validator(self._give_up)
            if parent is None:
                return
            row |= parent.as_row("parent_dev")
        self._tick()
        state.scores[state.step], state.validation_due = scores.value(self.config.train.metric), False
        best = state.best_step == state.step
        epochs = round(self._epochs(), 2)
        self.run.record({"step": state.step, "epoch": epochs, "seconds": round(state.seconds, 1)} | row)
        console.log(
            f"step {state.step}  epoch {epochs:.1f}  {state.seconds / 60:.1f} min  "
            f"dev: {scores}{'  best' if best else ''}"
        )
        if parent is not None:
            console.log(f"  parent dev: {parent}")
        if scores.alarm and self.progress() > SETTLED:
            console.warn(f"{scores.alarm}. Is train.learning_rate too high, or are the languages mixed up?")
        calibration = self.validator.calibrate() if best and distributed.rank() == 0 else None
        self._judged = state.step, row, calibration
        self._save()

    def _validate_parent(self, validator: Validator) -> None:
        """The parent's own score, before the first update: what there is to lose."""
        with self.updater.showing_average():
            scores = validator()
        assert scores is not None
        self._tick()
        self.run.record({"step": 0, "epoch": 0, "seconds": round(self.state.seconds, 1)} | scores.as_row("parent_dev"))
        console.log(f"before the first update\n  parent dev: {scores}")

    def _give_up(self) -> bool:
        """Whether a validation should end early. Several processes would have to agree in the middle of it."""
        return distributed.world_size() == 1 and self.stop.received is not None

    def _save_now(self) -> None:
        with self.updater.showing_average():
            self._save()

    def _save(self) -> None:
        """With the averaged weights in the model; one rank for all, each giving what it holds."""
        training = self._trainer_state()
        if distributed.rank() != 0:
            return
        state, run, train = self.state, self.run, self.config.train
        judged, scores, calibration = self._judged
        if judged != state.step:
            scores, calibration = {}, None
        facts = {"seconds": round(state.seconds, 1), "tokens": state.tokens, **scores, "machine": self._machine()}
        if self.record is not None:
            facts["training"] = dict(self.record(state))
        folder = checkpoint.save(
            run.folder, state.step, self.model, self.config, *self.tokenizers, facts, training, calibration
        )
        run.keep(folder, state.scores, state.best_step, train.keep_best, train.keep_last)

    def _trainer_state(self) -> dict[str, Any]:
        """Raw weights, optimizer, and where we stand."""
        return self.updater.state() | {
            "state": asdict(self.state),
            "corpus": self.fingerprint,
            "dev": self.validator.fingerprint,
            "budget": self.config.train.budget,
        }

    def _machine(self) -> dict[str, Any]:
        """On what the last bits of a result depend."""
        return {
            "device": self.updater.device.type,
            "threads": torch.get_num_threads(),
            "micro_batch_tokens": self.updater.micro_batch_tokens,
            "processes": distributed.world_size(),
            "parallel": self.config.train.parallel if distributed.world_size() > 1 else None,
            "compile": self.config.train.compile,
            "torch": torch.__version__,
        }

    def restore(self, folder: Path) -> None:
        """Go on from a checkpoint.

        Raises ModelError when it is damaged or of an older nmt, UsageError when the corpus is another.
        """
        saved = checkpoint.load_trainer_state(folder)
        if not isinstance(saved.get("weights"), dict):
            raise ModelError(
                f"{folder} is of an older nmt, which saved a training in another way",
                f"a new run that starts from its weights: train.init_from={folder} -o ANOTHER",
            )
        texts = {"corpus": self.fingerprint, "dev": self.validator.fingerprint}
        check_same_text(texts, saved, self.run.name)
        self.updater.load_state(saved, checkpoint.load_model(folder, "cpu").model)
        self.state = TrainerState(**saved["state"])
        if self.config.train.budget != saved["budget"]:
            self.state.clock = 0.0  # of another budget
        self._started -= self.state.seconds  # as if there had been no pause
        self._tick()
        machine = folders.read_facts(folder)["machine"]
        if not self.config.train.micro_batch_tokens and machine["device"] == self.updater.device.type:
            self.updater.micro_batch_tokens = machine["micro_batch_tokens"]
        now = self._machine()
        changed = [f"{name} {then} -> {now[name]}" for name, then in machine.items() if now[name] != then]
        if changed:
            console.warn(f"from here on equal only up to rounding, not bit for bit: {', '.join(changed)}")
        self.run.rewind(self.state.step)
