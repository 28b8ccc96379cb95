"""`nmt train`: from parallel text to a model."""

import json
import math
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from nmt import checkpoint, console, distributed, runtime
from nmt import config as configuration
from nmt.config import Config, Settings, TokenizerConfig
from nmt.corpus.encoded import EncodedCorpus, encode_corpus
from nmt.corpus.reader import ParallelText
from nmt.corpus.sources import read_train_and_dev, warn_of_overlap
from nmt.decoding.translator import Translator
from nmt.errors import ConfigError, UsageError
from nmt.evaluation import bleu_tokenizer
from nmt.model import Transformer
from nmt.presets import PRESETS
from nmt.text.tokenizer import Tokenizer
from nmt.training.forecast import forecast
from nmt.training.run import Run, Spectator
from nmt.training.state import TrainerState
from nmt.training.trainer import Trainer
from nmt.training.validation import Validator

DAY = 24 * 3600
# Sections and keys that a resumed run must leave as they are.
FIXED_AT_START = {
    *("model", "tokenizer", "decode", "data.source_language", "data.target_language"),
    *("train.batch_tokens", "train.seed", "train.metric"),
}


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt train`, KEY=VALUE pairs included."""

    config: str | None = None
    overrides: tuple[str, ...] = ()
    output: Path | None = None
    resume: bool = False
    overwrite: bool = False
    device: str = "auto"
    threads: int | None = None
    dry_run: bool = False


def run(arguments: Arguments) -> None:
    """Train, or with dry_run only say what would be done. Everything that can be wrong is found before training."""
    start = time.monotonic()
    device = runtime.pick_device(arguments.device)
    runtime.prepare(arguments.threads)
    settings = _settings(arguments)
    output = arguments.output or default_output(arguments.config, settings.config)
    with distributed.joined(device) as device, tempfile.TemporaryDirectory(prefix="nmt-") as scratch:
        if arguments.dry_run:
            _prepare(settings, Path(scratch), device)
            console.log("dry run: nothing was trained or written")
            return
        # Before the work: a folder that may not be written to must not cost an hour.
        with _open_run(output, arguments) as opened:
            resumed = checkpoint.newest_sound(opened.folder) if arguments.resume else None
            if resumed is not None and arguments.threads is None:
                # Sums over another number of threads differ in their last bits.
                torch.set_num_threads(
                    min(torch.get_num_threads(), checkpoint.read_facts(resumed)["machine"]["threads"])
                )
            prepared = _prepare(settings, Path(scratch), device, resumed)
            state = _train(prepared, opened, resumed, start)
    _summary(output, state, time.monotonic() - start)


def _open_run(output: Path, arguments: Arguments) -> Run:
    """The first rank's run folder; the other ranks wait for it to be sound, and look on."""
    if distributed.rank() == 0:
        opened = Run(output, resume=arguments.resume, overwrite=arguments.overwrite)
    distributed.from_first_rank(None)
    return opened if distributed.rank() == 0 else Spectator(output)


def _settings(arguments: Arguments) -> Settings:
    """What the user asks for; over the run's own configuration when it is resumed."""
    settings = Settings.load(arguments.config, arguments.overrides)
    if not arguments.resume:
        return settings
    saved = (arguments.output or default_output(arguments.config, settings.config)) / "config.yaml"
    if not saved.is_file():
        raise UsageError(f"there is no run to resume: {saved} is missing", "name its folder with -o")
    return Settings.load(arguments.config, arguments.overrides, base=saved)


def default_output(config: str | None, settings: Config) -> Path:
    """runs/NAME: the configuration's name, or the languages."""
    if config is not None:
        return Path("runs") / Path(config).stem
    name = "starter-" if settings.data.train == "starter" else ""
    return Path("runs") / f"{name}{settings.data.source_language}-{settings.data.target_language}"


@dataclass(frozen=True)
class Prepared:
    """All that a training needs, read and checked."""

    config: Config
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer
    train: EncodedCorpus
    dev: EncodedCorpus
    dev_text: ParallelText
    model: Transformer


def _prepare(settings: Settings, scratch: Path, device: torch.device, resumed: Path | None = None) -> Prepared:
    bleu_tokenizer(settings.config.data.target_language)  # a missing package is said now, not after an hour
    train_text, dev_text = read_train_and_dev(settings.config.data, settings.config.train.seed)
    console.log(f"train: {len(train_text):,} pairs of {train_text.name}; dev: {len(dev_text):,} of {dev_text.name}")
    warn_of_overlap(train_text, dev_text)
    config = settings.resolve(_choose_preset(settings, len(train_text)))
    if resumed is not None:
        _check_same_model(config, configuration.load_saved(resumed / "config.yaml"))
        source_tokenizer, target_tokenizer = (Tokenizer.load(resumed / f"{side}.spm") for side in ("source", "target"))
    else:
        made = make_tokenizers(config.tokenizer, train_text) if distributed.rank() == 0 else None
        source_tokenizer, target_tokenizer = _share_tokenizers(made)
    console.log(f"subwords: {source_tokenizer.description}")
    train = _encode(train_text, source_tokenizer, target_tokenizer, config, scratch, "train")
    dev = _encode(dev_text, source_tokenizer, target_tokenizer, config, scratch, "dev")
    torch.manual_seed(config.train.seed)
    model = Transformer(config.model, source_tokenizer.vocab_size, target_tokenizer.vocab_size).to(device)
    parameters = sum(p.numel() for p in model.parameters())
    console.log(f"model: {parameters / 1e6:.2f} M parameters on {device.type}, {torch.get_num_threads()} threads")
    if device.type == "cpu":
        _log_forecast(config, train, target_tokenizer.vocab_size, chosen_by_size=settings.preset == "auto")
    return Prepared(config, source_tokenizer, target_tokenizer, train, dev, dev_text, model)


def _choose_preset(settings: Settings, pairs: int) -> str:
    if settings.preset != "auto":
        return settings.preset
    if settings.config.data.train == "starter":
        name = "starter"
    else:
        name = next(name for name, preset in PRESETS.items() if preset.pairs_below and pairs < preset.pairs_below)
    console.log(f"recipe: {name}, for {pairs:,} pairs ({PRESETS[name].why}); model.preset=NAME takes another")
    return name


def make_tokenizers(config: TokenizerConfig, text: ParallelText) -> tuple[Tokenizer, Tokenizer]:
    """Load or train the subword models of both sides; the same object twice when they share one."""
    if config.path is not None:
        paths = (config.path, config.path) if isinstance(config.path, str) else config.path
        source = Tokenizer.load(Path(paths[0]))
        return source, source if paths[0] == paths[1] else Tokenizer.load(Path(paths[1]))

    def train(lines: list[str]) -> Tokenizer:
        return Tokenizer.train(
            lines,
            kind=config.kind,
            vocab_size=config.vocab_size,
            byte_fallback=config.byte_fallback,
            normalization=config.normalization,
            character_coverage=config.character_coverage,
            split_digits=config.split_digits,
        )

    if not config.shared:
        return train(text.source), train(text.target)
    shared = train(text.source + text.target)
    return shared, shared


def _share_tokenizers(made: tuple[Tokenizer, Tokenizer] | None) -> tuple[Tokenizer, Tokenizer]:
    """The first rank's, on every rank; the same object twice when both sides share one."""
    protos = distributed.from_first_rank(made and tuple(tokenizer.proto for tokenizer in made))
    if made is not None:
        return made
    source = Tokenizer(protos[0])
    return source, source if protos[0] == protos[1] else Tokenizer(protos[1])


def _encode(
    text: ParallelText, source: Tokenizer, target: Tokenizer, config: Config, folder: Path, name: str
) -> EncodedCorpus:
    encoded = encode_corpus(
        text.clean_pairs(), source, target, max_length=config.model.max_length, folder=folder, name=name
    )
    if encoded.skipped:
        console.warn(
            f"{encoded.skipped} of {len(text)} {name} pairs are blank or longer than model.max_length "
            f"({config.model.max_length} pieces) and are skipped"
        )
    return encoded


def _check_same_model(config: Config, saved: Config) -> None:
    """A resumed run may stop later or learn slower, but it is the same model on the same data by the same measure."""
    new, old = config.model_dump(), saved.model_dump()
    changed = [
        f"{section}.{name} (it is {value})"
        for section, keys in old.items()
        for name, value in keys.items()
        if (section in FIXED_AT_START or f"{section}.{name}" in FIXED_AT_START) and new[section][name] != value
    ]
    if changed:
        raise ConfigError(f"--resume cannot change {', '.join(changed)}", "start a new run with another -o")


def _log_forecast(config: Config, train: EncodedCorpus, vocab_size: int, *, chosen_by_size: bool) -> None:
    rate = runtime.sgemm_rate(2048, 3)
    lengths = (train.source.lengths, train.target.lengths)
    updates = max(1, round(lengths[1].sum() / config.train.batch_tokens))
    steps = min(config.train.max_steps or math.inf, updates * (config.train.max_epochs or math.inf))
    if config.train.warmup_steps >= steps:
        console.warn(
            f"train.warmup_steps is {config.train.warmup_steps} of {steps:,.0f} updates: the learning rate never "
            f"reaches train.learning_rate"
        )
    expected = forecast(config.model, vocab_size, steps, config.train.batch_tokens, *lengths, rate)
    console.log(f"forecast: {expected} for {steps:,.0f} updates on this CPU ({rate / 1e9:.0f} sgemm GFLOP/s)")
    if expected.seconds > DAY and chosen_by_size:
        fitting = [
            name
            for name, preset in PRESETS.items()
            if name != "starter" and _preset_seconds(preset.settings, lengths, rate) < DAY
        ]
        advice = f"model.preset={fitting[-1]} is the largest recipe that would end within a day" if fitting else ""
        console.warn(f"this is more than a day; {advice or 'a GPU, or fewer train.max_steps, would help'}")


def _preset_seconds(settings: dict[str, dict[str, Any]], lengths: tuple[np.ndarray, np.ndarray], rate: float) -> float:
    config = Config.model_validate(settings)
    steps, batch_tokens = config.train.max_steps or 0, config.train.batch_tokens
    return forecast(config.model, config.tokenizer.vocab_size, steps, batch_tokens, *lengths, rate).seconds


def _train(prepared: Prepared, opened: Run, resumed: Path | None, start: float) -> TrainerState:
    config = prepared.config
    translator = Translator(
        prepared.model,
        prepared.source_tokenizer,
        prepared.target_tokenizer,
        decode=config.decode,
        source_language=config.data.source_language,
        target_language=config.data.target_language,
    )
    validator = Validator(translator, prepared.dev_text, prepared.dev)
    trainer = Trainer(
        prepared.model,
        prepared.train,
        config,
        prepared.source_tokenizer,
        prepared.target_tokenizer,
        validator,
        opened,
        start,
    )
    if resumed is not None:
        trainer.restore(resumed)
        console.log(f"resuming from {resumed.name}")
    if (
        trainer.progress() < 1 and distributed.rank() == 0
    ):  # else `fit` says that nothing is left to do, and nothing is to change
        checkpoint.write_text(opened.folder / "config.yaml", configuration.dump(config))
    return trainer.fit()


def _summary(output: Path, state: TrainerState, seconds: float) -> None:
    best = checkpoint.find_model(output)
    facts = json.loads((best / "model.json").read_text(encoding="utf-8"))
    console.log(
        f"\ntrained {state.step:,} updates, {state.tokens:,} target tokens, in {seconds / 60:.1f} minutes\n"
        f"best: step {facts['step']}, dev BLEU {facts['dev_bleu']:.2f}, chrF {facts['dev_chrf']:.2f}\n"
        f"model: {output}\n"
        f'next:  nmt translate -m {output} "..."    nmt eval -m {output}'
    )
