"""The text that a training learns from: encoded by all cores, mixed, and spelled anew where that is asked for."""

import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nmt import console, distributed, processes
from nmt.config import Config, DataConfig
from nmt.corpus.blocks import TextBlocks
from nmt.corpus.encoder import WORTH_PROCESSES, Encoder, Task
from nmt.corpus.encoding import Encoding
from nmt.corpus.mixture import Corpus, Mixture, TrainingText, shares_by_size
from nmt.corpus.noise import Noise
from nmt.corpus.sampled import SampledText
from nmt.corpus.shards import ALL_AT_ONCE, Shards, shards_of
from nmt.corpus.sources import Found, prefix_of, training_pairs
from nmt.corpus.spelling import Spelling
from nmt.errors import ConfigError
from nmt.text.tokenizer import Tokenizer

CACHE_FROM = 100_000  # lines of a corpus from which its ids are kept
SUBWORD_PAIRS = 500_000  # that subwords are learned from, at most: SentencePiece takes a gigabyte for them
_NAMED = 10  # lines left out that are told by number


@dataclass(frozen=True)
class Encoded:
    """text: to learn from.  encoder: at work in the background, if it is; to be closed in the end.

    shards: of each corpus, in the order of `data.train`.
    """

    text: TrainingText
    encoder: Encoder | None = None
    shards: Sequence[Shards] = ()

    def close(self) -> None:
        """Stop what is still being encoded."""
        if self.encoder is not None:
            self.encoder.close()


def subword_lines(found: Found, *sides: int) -> Iterator[str]:
    """The texts that subwords are learned from: one side after the other. sides: 0 for source, 1 for target."""
    return (pair[side] for side in sides for pair in training_pairs(found, SUBWORD_PAIRS))


def encode(
    found: Found | None, tokenizers: tuple[Tokenizer, Tokenizer], config: Config, scratch: Path, *, keep: bool = True
) -> Encoded:
    """The text as ids. A small one is encoded now; of a large one the rest is encoded while training goes on.

    found: None to processes that do not lead their machine.  scratch: the same one for all processes of this machine.
    keep: leave the ids of a large text for the next training; else only what is kept already is taken.
    Raises ConfigError for subword sampling of another kind than the subwords, DataError for text that cannot be
    encoded.
    """
    spelling = _spelling(tokenizers, config)
    tasks = []
    if found is not None:
        tasks = _tasks(found, tokenizers, config, scratch, keep_text=spelling is not None, keep=keep)
    facts = distributed.from_machine_leader([task.shards.facts for task in tasks])
    shards = [task.shards for task in tasks] or [Shards(one) for one in facts]
    corpora = [Corpus(one, corpus.repeat) for one, corpus in zip(shards, config.data.corpora, strict=True)]
    mixture = Mixture(corpora, _shares(config.data, corpora), config.train.seed)
    text: TrainingText = mixture
    if spelling is not None:
        text = SampledText(mixture, scratch, spelling, (tokenizers[0].vocab_size, tokenizers[1].vocab_size))
    encoder = None if found is None else _encode(found, tasks, config.model.max_length)
    return Encoded(text, encoder, shards)


def _encode(found: Found, tasks: Sequence[Task], max_length: int) -> Encoder | None:
    """Now, or as an encoder that is at work in the background."""

    def report() -> None:
        for task in tasks:
            _tell_left_out(task.shards, max_length)

    workers = processes.usable_cores() if found.lines >= WORTH_PROCESSES else 1
    encoder = Encoder(tasks, workers, report)
    if found.lines <= ALL_AT_ONCE:
        encoder.run()
        for task in tasks:  # nobody makes what is missing from here on
            task.shards.while_waiting = lambda: True
        return None
    missing = sum(
        size for task in tasks for number, size in enumerate(task.shards.sizes) if not task.shards.is_there(number)
    )
    if missing:
        console.log(f"encoding {missing:,} lines in the background; training begins with the first of them")
    encoder.start()
    return encoder


def _tasks(
    found: Found,
    tokenizers: tuple[Tokenizer, Tokenizer],
    config: Config,
    scratch: Path,
    *,
    keep_text: bool,
    keep: bool,
) -> list[Task]:
    tasks = []
    for text, corpus in zip(found.texts, config.data.corpora, strict=True):
        encoding = Encoding(
            source=tokenizers[0].proto,
            target=tokenizers[1].proto,
            max_length=config.model.max_length,
            prefix=prefix_of(corpus.tags),
            excluded=found.excluded,
            keep_text=keep_text,
        )
        folder = scratch / "ids"
        tasks.append(Task(text, encoding, _shards(text, encoding, config.data, folder, keep=keep)))
    return tasks


def _shards(text: TextBlocks, encoding: Encoding, data: DataConfig, scratch: Path, *, keep: bool) -> Shards:
    """In the cache, where the text is large enough, and they are there or can be put there; else in `scratch`."""
    cache = _cache(data) if text.lines >= CACHE_FROM else None
    if cache is not None:
        kept = shards_of(text, encoding, cache)
        if all(map(kept.is_there, range(len(kept)))):
            console.log(f"{text.name} as ids: found in {kept.folder}")
            return kept
        if keep and _can_write(kept.folder if kept.folder.exists() else cache):
            console.log(f"{text.name} as ids: to be kept in {kept.folder}")
            return kept
    return shards_of(text, encoding, scratch)


def _cache(data: DataConfig) -> Path | None:
    """Where ids are kept; None where they are not."""
    if data.cache == "off":
        return None
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(data.cache or os.environ.get("NMT_CACHE") or home / "nmt") / "encoded"


def _can_write(folder: Path) -> bool:
    """Make it, if it can be; else a warning."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError as error:
        console.warn(f"the encoded text is not kept: {folder}: {(error.strerror or str(error)).lower()} (data.cache)")
        return False


def _shares(data: DataConfig, corpora: Sequence[Corpus]) -> list[list[float]]:
    """Of each stage, for each corpus."""
    if data.stages:
        return [[stage.weights.get(corpus.name, 0.0) for corpus in data.corpora] for stage in data.stages]
    weights = [corpus.weight for corpus in data.corpora if corpus.weight is not None]
    return [weights or shares_by_size(corpora, data.temperature)]


def _spelling(tokenizers: tuple[Tokenizer, Tokenizer], config: Config) -> Spelling | None:
    """None where the same ids are learned from in each epoch."""
    sampling = config.train.subword_sampling
    for tokenizer in tokenizers:
        if sampling.kind not in (None, tokenizer.kind):
            raise ConfigError(
                f"train.subword_sampling is for {sampling.kind}, but the subword model is {tokenizer.kind}",
                "set the other one of unigram_alpha and bpe_dropout, or neither",
            )
    settings = config.train.source_noise
    if sampling.strength is None and not settings.on:
        return None
    noise = Noise(settings, config.data.source_language) if settings.on else None
    return Spelling(tokenizers, max_length=config.model.max_length, sampling=sampling.strength, noise=noise)


def _tell_left_out(shards: Shards, max_length: int) -> None:
    left = shards.left_out()
    blank = Counter({reason: count for reason, count in left.counts.items() if "blank" in reason})
    if blank:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in sorted(blank.items()))
        told = _numbers([line for line, reason in left.lines if reason in blank], blank.total())
        console.warn(f"{shards.name}: left out {blank.total():,} of {shards.lines:,} pairs ({reasons}): {told}")
    if too_long := left.counts.get("too long", 0):
        told = _numbers([line for line, reason in left.lines if reason == "too long"], too_long)
        console.warn(
            f"{too_long:,} of {shards.lines:,} train pairs are longer than model.max_length ({max_length} pieces) and "
            f"are skipped: {told}"
        )


def _numbers(lines: list[int], count: int) -> str:
    shown = ", ".join(map(str, lines[:_NAMED])) + (", ..." if count > _NAMED else "")
    return f"line{'s' if count > 1 else ''} {shown}"
