"""`nmt train`: from parallel text to a model."""

import contextlib
import json
import math
import os
import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from nmt import checkpoint, console, distributed, folders, processes, runtime
from nmt import config as configuration
from nmt.config import Config, Settings
from nmt.corpus.sources import gold_links
from nmt.decoding.alignment import choose_heads
from nmt.decoding.calibration import Calibration
from nmt.decoding.translator import Translator
from nmt.errors import UsageError
from nmt.presets import PRESETS
from nmt.training.forecast import MEMORY_SHARE, Forecast, forecast, training_flops
from nmt.training.preparation import Prepared, prepare
from nmt.training.record import Record
from nmt.training.run import Run, Spectator
from nmt.training.state import TrainerState
from nmt.training.tracking import Trackers
from nmt.training.trainer import Trainer
from nmt.training.update import Updater
from nmt.training.validation import Validator

DAY = 24 * 3600


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt train`, KEY=VALUE pairs included.

    words: all of it as it was typed, after `nmt`, to be written down; None when nobody has typed it.
    """

    config: str | None = None
    overrides: tuple[str, ...] = ()
    output: Path | None = None
    resume: bool = False
    overwrite: bool = False
    device: str = "auto"
    threads: int | None = None
    dry_run: bool = False
    words: tuple[str, ...] | None = None


def run(arguments: Arguments) -> None:
    """Train, or with dry_run only say what would be done. Everything that can be wrong is found before training."""
    start = time.monotonic()
    device = runtime.pick_device(arguments.device)
    runtime.prepare(arguments.threads)
    if "RANK" in os.environ:  # else the death of the launcher would leave us training unseen
        processes.end_with_parent()
    with contextlib.ExitStack() as stack:
        device = stack.enter_context(distributed.joined(device))
        arguments = distributed.from_first_rank(_after_restart(arguments))
        settings = _settings(arguments)
        output = arguments.output or default_output(arguments.config, settings.config)
        scratch = stack.enter_context(runtime.scratch_folder())
        # Before the work: a folder that may not be written to must not cost an hour.
        opened = stack.enter_context(_open_run(output, arguments, settings.config.train.track))
        resumed = folders.newest_sound(opened.folder) if arguments.resume else None
        if resumed is not None and arguments.threads is None:
            # Sums over another number of threads differ in their last bits.
            threads = folders.read_facts(resumed)["machine"]["threads"]
            torch.set_num_threads(min(torch.get_num_threads(), threads))
        prepared = prepare(settings, scratch, device, resumed, keep=not arguments.dry_run)
        stack.callback(prepared.train.close)
        record = Record(prepared, device, arguments.words, resumed)
        trainer = _make_trainer(prepared, opened, start, record)
        if resumed is not None:
            trainer.restore(resumed)
            console.log(f"resuming from {resumed.name}")
        if device.type == "cuda":
            trainer.updater.fit_memory(trainer.updates())
        _log_forecast(trainer, chosen_by_size=settings.preset == "auto")
        if arguments.dry_run:
            console.log("dry run: nothing was trained or written")
            return
        if trainer.progress() < 1 and distributed.rank() == 0:  # else `fit` refuses, and nothing is to change
            checkpoint.write_text(opened.folder / "config.yaml", configuration.dump(trainer.config))
            opened.track(trainer.config, trainer.state.step)
        state = trainer.fit()
        if distributed.rank() == 0:
            _learn_alignment(folders.find_model(opened.folder), trainer, device)
    _summary(output, state, time.monotonic() - start)


def _learn_alignment(best: Path, trainer: Trainer, device: torch.device) -> None:
    """Which heads of the model tell what words belong together: into its calibration.json."""
    loaded = checkpoint.load_model(best, str(device))
    dev, tokenizers = trainer.validator.text, (loaded.source_tokenizer, loaded.target_tokenizer)
    heads = choose_heads(loaded.model, *tokenizers, dev.source, dev.target, gold_links(loaded.config.data))
    checkpoint.write_calibration(best, loaded.calibration | {"alignment": heads.as_json()})


def _after_restart(arguments: Arguments) -> Arguments:
    """Started again by torchrun, with the same words: go on from what this launch has saved, if it got so far."""
    if arguments.resume or not distributed.restarted():
        return arguments
    wanted = Settings.load(arguments.config, arguments.overrides, check=False)
    found = folders.checkpoints(arguments.output or default_output(arguments.config, wanted.config))
    # The folder may hold an older run, which is only replaced, or refused.
    if not found or (found[-1] / "model.json").stat().st_mtime < distributed.launched_at():
        return arguments
    return replace(arguments, resume=True, overwrite=False)


def _open_run(output: Path, arguments: Arguments, track: Sequence[str]) -> Run:
    """The first rank's run folder; the other ranks wait for it to be sound, and look on. So does a dry run.

    track: names of trackers. A missing one is told here, before the work.
    """
    trackers = Trackers(track if distributed.rank() == 0 else ())
    if arguments.dry_run:
        return Spectator(output, resume=arguments.resume, overwrite=arguments.overwrite, check=True)
    if distributed.rank() == 0:
        opened = Run(output, resume=arguments.resume, overwrite=arguments.overwrite, trackers=trackers)
    distributed.from_first_rank(None)
    return opened if distributed.rank() == 0 else Spectator(output)


def _settings(arguments: Arguments) -> Settings:
    """What the user asks for; over the run's own configuration when it is resumed, over its parent's in fine-tuning."""
    # What the saved configuration says may be needed to judge the rest.
    settings = Settings.load(arguments.config, arguments.overrides, check=False)
    if arguments.resume:
        saved = (arguments.output or default_output(arguments.config, settings.config)) / "config.yaml"
        if not saved.is_file():
            raise UsageError(f"there is no run to resume: {saved} is missing", "name its folder with -o")
        return Settings.load(arguments.config, arguments.overrides, base=saved)
    if settings.config.train.init_from is not None:
        parent = folders.find_model(Path(settings.config.train.init_from))
        kept = ("model", "tokenizer")
        return Settings.load(arguments.config, arguments.overrides, base=parent / "config.yaml", sections=kept)
    return Settings.load(arguments.config, arguments.overrides)


def default_output(config: str | None, settings: Config) -> Path:
    """runs/NAME: the configuration's name, or the languages."""
    if config is not None:
        return Path("runs") / Path(config).stem
    name = "starter-" if settings.data.train == "starter" else ""
    return Path("runs") / f"{name}{settings.data.source_language}-{settings.data.target_language}"


def _log_forecast(trainer: Trainer, *, chosen_by_size: bool) -> None:
    """What the training will take; on a CPU, where it may be days, with advice."""
    train, updater = trainer.config.train, trainer.updater
    expected = forecast(updater, trainer.updates(), trainer.updates_per_epoch(), trainer.planned_steps(), train.budget)
    if train.warmup_steps >= expected.updates:
        console.warn(
            f"train.warmup_steps is {train.warmup_steps} of {expected.updates:,.0f} updates: the learning rate never "
            "reaches train.learning_rate"
        )
    rate = f" ({runtime.sgemm_rate(2048, 3) / 1e9:.0f} sgemm GFLOP/s)" if updater.device.type == "cpu" else ""
    budget = "" if train.budget is None else f"; train.budget ends it after {train.budget / 60:.0f} minutes"
    console.log(f"forecast: {expected}{budget}{rate}")
    if expected.memory is not None and expected.memory > MEMORY_SHARE * (expected.memory_limit or math.inf):
        console.warn(
            f"this may be more memory than there is; train.micro_batch_tokens={updater.micro_batch_tokens // 2} "
            "takes less, at some cost in speed"
        )
    if updater.device.type == "cpu" and expected.seconds > DAY and train.budget is None:
        advice = "a GPU, or fewer train.max_steps, would help"
        if chosen_by_size:
            fitting = [name for name in PRESETS if name != "starter" and _preset_seconds(name, updater, expected) < DAY]
            if fitting:
                advice = f"model.preset={fitting[-1]} is the largest recipe that would end within a day"
        console.warn(f"this is more than a day; {advice}")


def _preset_seconds(name: str, updater: Updater, expected: Forecast) -> float:
    """What another recipe would take at the same speed; a wider one is a little faster than that."""
    config = Config.model_validate(PRESETS[name].settings)
    source, target = updater.lengths
    per_token = training_flops(config.model, config.tokenizer.vocab_size, source, target).sum() / target.sum()
    tokens = (config.train.max_steps or 0) * min(config.train.batch_tokens, int(target.sum()))
    return float(tokens * per_token / expected.flops)


def _make_trainer(prepared: Prepared, opened: Run, start: float, record: Record) -> Trainer:
    config, tokenizers = prepared.config, (prepared.source_tokenizer, prepared.target_tokenizer)
    translator = Translator(
        [prepared.model],
        *tokenizers,
        decode=config.decode.model_copy(update={"guard": "off"}),  # scores are of what the model says itself
        source_language=config.data.source_language,
        target_language=config.data.target_language,
    )
    validator = Validator(translator, prepared.dev_text, prepared.dev)
    parent_validator = None
    if prepared.parent_dev is not None and prepared.parent_dev_text is not None:
        parent_validator = Validator(translator, prepared.parent_dev_text, prepared.parent_dev, examples=0)
    return Trainer(
        prepared.model, prepared.train.text, config, *tokenizers, validator, opened, start, parent_validator, record
    )


def _summary(output: Path, state: TrainerState, seconds: float) -> None:
    best, model = folders.find_model(output), shlex.quote(str(output))
    facts = json.loads((best / "model.json").read_text(encoding="utf-8"))
    console.log(
        f"\ntrained {state.step:,} updates, {state.tokens:,} target tokens, in {seconds / 60:.1f} minutes "
        f"({100 * state.validating / max(state.seconds, 1e-9):.0f} % of them in validations and checkpoints)\n"
        f"best: step {facts['step']}, dev BLEU {facts['dev_bleu']:.2f}, chrF {facts['dev_chrf']:.2f}\n"
        f"{Calibration.from_json(folders.read_calibration(best))}\n"
        f"model: {output}\n"
        f'next:  nmt translate -m {model} "..."    nmt eval -m {model}'
    )
