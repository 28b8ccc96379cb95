"""From a configuration to all that a training needs: text read and checked, subwords, ids, a model."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from nmt import config as configuration
from nmt import console, distributed
from nmt.checkpoint import LoadedModel, load_model
from nmt.config import Config, CorpusConfig, DataConfig, Settings, TokenizerConfig, corpora_of
from nmt.corpus.checking.quick import headline, quick_check
from nmt.corpus.encoded import EncodedCorpus, encode_corpus
from nmt.corpus.reader import ParallelText
from nmt.corpus.sources import STARTER, Found, find_train_and_dev, prefix_of, read_parent_dev, read_test
from nmt.errors import ConfigError, DataError
from nmt.evaluation import bleu_tokenizer
from nmt.model import Transformer
from nmt.presets import PRESETS
from nmt.text.tokenizer import Tokenizer, in_brackets
from nmt.training.text import Encoded, encode, subword_lines

CHECK_SECONDS = 3.0  # that a look at the text may take before training

# Sections and keys that a resumed run must leave as they are.
FIXED_AT_START = {
    *("model", "tokenizer", "decode", "data.source_language", "data.target_language"),
    *("train.batch_tokens", "train.seed", "train.metric", "train.subword_sampling"),
    *("train.source_noise", "train.init_from"),
}


@dataclass(frozen=True)
class Prepared:
    """All that a training needs, read and checked. parent_dev, its text: of data.parent_dev; None without it."""

    config: Config
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer
    train: Encoded
    dev: EncodedCorpus
    dev_text: ParallelText
    parent_dev: EncodedCorpus | None
    parent_dev_text: ParallelText | None
    model: Transformer


def prepare(
    settings: Settings, scratch: Path, device: torch.device, resumed: Path | None = None, *, keep: bool = True
) -> Prepared:
    """Read, check and encode. scratch: for the encoded text.  resumed: the checkpoint of a run that goes on.

    keep: leave the ids of a large text for the next training.
    Of several processes only the first on each machine reads and encodes the training text; all share its files.
    Raises DataError, ConfigError: everything that can be wrong is found here, before training.
    """
    bleu_tokenizer(settings.config.data.target_language)  # a missing package is said now, not after an hour
    parent_dev_text = _read_parent_dev(settings.config)
    machine_scratch = distributed.from_machine_leader(scratch)
    found = _find(settings.config, machine_scratch) if distributed.leads_machine() else None
    lines, dev_text = distributed.from_first_rank(found and (found.lines, found.dev))
    config = settings.resolve(_choose_preset(settings, lines))
    init_from = config.train.init_from
    parent = load_model(Path(init_from)) if init_from is not None and resumed is None else None
    if resumed is not None:
        _check_same_model(config, configuration.load_saved(resumed / "config.yaml"))
        source_tokenizer, target_tokenizer = (Tokenizer.load(resumed / f"{side}.spm") for side in ("source", "target"))
    elif parent is not None:
        _check_shape(config, parent)
        source_tokenizer, target_tokenizer = parent.source_tokenizer, parent.target_tokenizer
    else:
        made = None
        if distributed.rank() == 0:
            assert found is not None
            made = make_tokenizers(config.tokenizer, found, config.data.tags)
        source_tokenizer, target_tokenizer = _share_tokenizers(made)
    _check_tags(config, source_tokenizer)
    console.log(f"subwords: {source_tokenizer.description}")
    tokenizers = (source_tokenizer, target_tokenizer)
    dev = _encode(dev_text, tokenizers, config, scratch, "dev")
    parent_dev = None
    if parent_dev_text is not None:
        parent_dev = _encode(parent_dev_text, tokenizers, config, scratch, "parent_dev")
    torch.manual_seed(config.train.seed)
    model = Transformer(config.model, source_tokenizer.vocab_size, target_tokenizer.vocab_size)
    if parent is not None:
        model.load_state_dict(parent.model.state_dict())
        console.log(f"weights: of {parent.folder}")
        _hint_at_parent_dev(config, parent)
    frozen = freeze(model, config.train.freeze)
    model.to(device)
    parameters = sum(p.numel() for p in model.parameters())
    console.log(
        f"model: {parameters / 1e6:.2f} M parameters{f', {frozen / 1e6:.2f} M of them frozen' if frozen else ''} on "
        f"{device.type}, {torch.get_num_threads()} threads"
    )
    # Last: of a large text the rest is still being encoded when we return.
    train = encode(found, tokenizers, config, machine_scratch, keep=keep)
    return Prepared(
        config, source_tokenizer, target_tokenizer, train, dev, dev_text, parent_dev, parent_dev_text, model
    )


def _read_parent_dev(config: Config) -> ParallelText | None:
    """Raises ConfigError when there is no parent whose forgetting it could show."""
    if config.data.parent_dev is not None and config.train.init_from is None:
        raise ConfigError(
            "data.parent_dev is set, but train.init_from is not: without a parent there is nothing to forget",
            "name the parent in train.init_from, or leave out data.parent_dev",
        )
    text = read_parent_dev(config.data)
    if text is not None:
        console.log(f"parent dev: {len(text):,} pairs of {text.name}")
    return text


def _hint_at_parent_dev(config: Config, parent: LoadedModel) -> None:
    """Say how to see what is forgotten, where the parent tells what it was good at."""
    place = parent.config.data.dev
    if config.data.parent_dev is not None or place is None or place == config.data.dev:
        return
    texts = [corpus.text for corpus in corpora_of(place)]
    told = ",".join(text if isinstance(text, str) else ",".join(text) for text in texts)
    told = told if isinstance(place, str) else f"[{told}]"
    console.log(f"data.parent_dev={told}, the parent's own data.dev, would show what it forgets")


def _find(config: Config, scratch: Path) -> Found:
    """Train and dev, and the test text too; looked at, each and against each other."""
    found = find_train_and_dev(config.data, config.train.seed, scratch)
    console.log(f"train: {found.lines:,} pairs of {found.name}; dev: {len(found.dev):,} of {found.dev.name}")
    test = None
    if config.data.test not in (None, STARTER):  # a wrong name is told now, not by `nmt eval` after it all
        test = read_test(config.data)
    if distributed.rank() == 0:
        _look_at(found, test, config.data)
    return found


def _look_at(found: Found, test: ParallelText | None, data: DataConfig) -> None:
    """Warn of what would spoil the training, as far as seconds show it."""
    corpora = [(stream, corpus) for stream, corpus in zip(found.streams, data.corpora, strict=True)]
    own = [(stream, corpus) for stream, corpus in corpora if corpus.text != STARTER]  # that one is known
    places = {"dev": data.dev, "test": data.test}
    for name, text in (("dev", found.dev), ("test", test)):
        if text is not None and all(corpus.tags for corpus in data.corpora):
            _check_tagged(name, text, data.corpora[0].tags)
    for stream, corpus in own:
        findings = quick_check(
            stream,
            corpus.source_language or data.source_language,
            corpus.target_language or data.target_language,
            # What is held out of the text is in it, but not learned from.
            dev=None if found.excluded else _as_in(corpus, found.dev),
            test=None if test is None else _as_in(corpus, test),
            places={name: place for name, place in places.items() if isinstance(place, str) and place != STARTER},
            seconds=CHECK_SECONDS / len(own),
        )
        for finding in findings:
            if finding.name == "unseen_characters" and len(corpora) > 1:
                continue  # another corpus may have them
            console.warn(f"{headline(finding)}\n  try: {finding.remedy}")


def _as_in(corpus: CorpusConfig, text: ParallelText) -> Iterator[tuple[str, str]]:
    """Held-out pairs as the corpus would have them: without the tags that are put in front of it."""
    prefix = prefix_of(corpus.tags)
    return ((source.removeprefix(prefix), target) for source, target in text.clean_pairs())


def _check_tagged(name: str, text: ParallelText, tags: Sequence[str]) -> None:
    """Warn of a held-out text without tags, where all that is learned from has some."""
    bare = sum(not source.startswith(">>") for source, _ in text.clean_pairs())
    if bare:
        console.warn(
            f"all of data.train has tags, but {bare:,} of {len(text):,} lines of data.{name} have none in front\n"
            f"  try: write one before each of its source lines, such as {in_brackets(tags[0])}"
        )


def _choose_preset(settings: Settings, pairs: int) -> str:
    if settings.preset != "auto":
        return settings.preset
    if settings.config.data.train == STARTER:
        name = "starter"
    else:
        name = next(name for name, preset in PRESETS.items() if preset.pairs_below and pairs < preset.pairs_below)
    console.log(f"recipe: {name}, for {pairs:,} pairs ({PRESETS[name].why}); model.preset=NAME takes another")
    return name


def make_tokenizers(config: TokenizerConfig, found: Found, tags: Sequence[str] = ()) -> tuple[Tokenizer, Tokenizer]:
    """Load or train the subword models of both sides; the same object twice when they share one.

    tags: that the source side declares beside those of the configuration.
    """
    if config.path is not None:
        paths = (config.path, config.path) if isinstance(config.path, str) else config.path
        source = Tokenizer.load(Path(paths[0]))
        return source, source if paths[0] == paths[1] else Tokenizer.load(Path(paths[1]))

    def train(lines: Iterable[str], tags: Sequence[str]) -> Tokenizer:
        return Tokenizer.train(
            lines,
            kind=config.kind,
            vocab_size=config.vocab_size,
            byte_fallback=config.byte_fallback,
            normalization=config.normalization,
            character_coverage=config.character_coverage,
            split_digits=config.split_digits,
            tags=tags,
        )

    declared = tuple(dict.fromkeys((*config.tags, *tags)))
    if not config.shared:
        return train(subword_lines(found, 0), declared), train(subword_lines(found, 1), ())
    shared = train(subword_lines(found, 0, 1), declared)
    return shared, shared


def _check_tags(config: Config, source_tokenizer: Tokenizer) -> None:
    """Of subwords that were not trained here: those of tokenizer.path, of a parent, of the run that goes on."""
    if missing := [tag for tag in (*config.tokenizer.tags, *config.data.tags) if tag not in source_tokenizer.tags]:
        raise ConfigError(
            f"the configuration names the tags {', '.join(dict.fromkeys(missing))}, but the subword model declares "
            f"{', '.join(source_tokenizer.tags) or 'none'}",
            "take its own, or train another subword model with tokenizer.tags",
        )


def _share_tokenizers(made: tuple[Tokenizer, Tokenizer] | None) -> tuple[Tokenizer, Tokenizer]:
    """The first rank's, on every rank; the same object twice when both sides share one."""
    protos = distributed.from_first_rank(made and tuple(tokenizer.proto for tokenizer in made))
    if made is not None:
        return made
    source = Tokenizer(protos[0])
    return source, source if protos[0] == protos[1] else Tokenizer(protos[1])


def _encode(
    text: ParallelText,
    tokenizers: tuple[Tokenizer, Tokenizer],
    config: Config,
    folder: Path,
    name: str,
) -> EncodedCorpus:
    try:
        encoded = encode_corpus(
            text.clean_pairs(),
            *tokenizers,
            max_length=config.model.max_length,
            folder=folder,
            name=name,
        )
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise DataError(f"the text cannot be encoded into {folder}: {reason}", "TMPDIR names another place") from error
    if encoded.skipped:
        console.warn(
            f"{encoded.skipped} of {len(text)} {name} pairs are blank or longer than model.max_length "
            f"({config.model.max_length} pieces) and are skipped"
        )
    return encoded


def freeze(model: Transformer, parts: Sequence[str]) -> int:
    """Take the weights of these parts out of training; returns how many numbers that are.

    parts: names of modules or weights, as `encoder.0`. A weight that two modules share is frozen with either.
    Raises ConfigError for a part that there is not, and when nothing is left to learn.
    """
    named = list(model.named_parameters(remove_duplicate=False))
    for part in parts:
        found = [weight for name, weight in named if name == part or name.startswith(f"{part}.")]
        if not found:
            known = list(dict.fromkeys(name.partition(".")[0] for name, _ in named))
            raise ConfigError(
                f"train.freeze names {part!r}, which this model does not have", f"its parts: {', '.join(known)}"
            )
        for weight in found:
            weight.requires_grad_(False)
    if not any(weight.requires_grad for weight in model.parameters()):
        raise ConfigError("train.freeze leaves nothing to learn", "name fewer parts")
    return sum(weight.numel() for weight in model.parameters() if not weight.requires_grad)


def _check_shape(config: Config, parent: LoadedModel) -> None:
    """Fine-tuning may change how the model drops out, but not what its weights mean."""
    free = {"preset", "dropout", "attention_dropout", "activation_dropout", "token_dropout"}
    new, old = (c.model_dump(include={"model", "tokenizer"}) for c in (config, parent.config))
    changed = [
        f"{section}.{name} (it is {value})"
        for section, keys in old.items()
        for name, value in keys.items()
        if name not in free and new[section][name] != value
    ]
    if changed:
        raise ConfigError(f"train.init_from cannot change {', '.join(changed)}", "leave that out, or train anew")


def _check_same_model(config: Config, saved: Config) -> None:
    """A resumed run may stop later or learn slower, but it is the same model on the same data by the same measure."""
    new, old = config.model_dump(), saved.model_dump()
    changed = {
        f"{section}.{name}": (value, new[section][name])
        for section, keys in old.items()
        for name, value in keys.items()
        if new[section][name] != value
    }
    refused = [name for name in changed if name in FIXED_AT_START or name.partition(".")[0] in FIXED_AT_START]
    if refused:
        told = ", ".join(f"{name} (it is {changed[name][0]})" for name in refused)
        raise ConfigError(f"--resume cannot change {told}", "start a new run with another -o")
    for name, (before, now) in changed.items():
        console.log(f"changed: {name}, {before} -> {now}")
