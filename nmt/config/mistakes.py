"""What can be wrong with a configuration, and how it is told: place, full key, what is allowed, the nearest key."""

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from nmt.config.data import DataConfig, StageConfig, corpora_of
from nmt.config.tree import Config
from nmt.errors import ConfigError

Tree = dict[str, dict[str, Any]]


def known_keys(section: type[BaseModel] = Config, prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Every full key with its field."""
    for name, field in section.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from known_keys(field.annotation, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", field


def nearest(name: str) -> str:
    """The known key most like it: in its own section first, then in any, as a section is easily left out."""
    section, last = name.partition(".")[0], name.split(".")[-1]
    every = {full.split(".")[-1]: full for full, _ in known_keys()}
    own = {key: full for key, full in every.items() if full.startswith(f"{section}.")}
    near = difflib.get_close_matches(last, own, 1, 0.6) or difflib.get_close_matches(last, every, 1, 0.6)
    return f"; did you mean {every[near[0]]}?" if near else ""


def describe(error: Any, places: Mapping[str, str]) -> str:
    """One pydantic error in our words: place, full key, what is allowed, the nearest known key."""
    name = _full_name(error["loc"])
    place = next((places[key] for key in (name, name.rpartition(".")[0], name.split(".")[0]) if key in places), "")
    if error["type"] == "extra_forbidden" and len(error["loc"]) == 1 and name in dict(known_keys()):
        section, _, last = name.partition(".")
        return f"{place}{name} is written in a file as a key {last} below {section}:"
    if error["type"] == "extra_forbidden":
        if "." not in name:
            sections = list(Config.model_fields)
            near = difflib.get_close_matches(name, sections, 1)
            return f"{place}{name} is no section (sections: {', '.join(sections)})" + (
                f"; did you mean {near[0]}?" if near else nearest(name)
            )
        return f"{place}{name} is no known key{nearest(name)}"
    if error["type"] == "literal_error":
        return f"{place}{name} is {error['input']!r} but must be one of {error['ctx']['expected']}"
    if error["type"] == "model_type":
        return f"{place}{name} must be a section with keys below it, not {error['input']!r}"
    what = error["msg"].removeprefix("Value error, ").replace("Input should be", "must be").split(", unable to ")[0]
    for theirs, ours in (
        ("a valid boolean", "true or false"),
        ("a valid integer", "a whole number"),
        ("a valid ", "a "),
    ):
        what = what.replace(theirs, ours)
    value = "without a value" if error["input"] is None else repr(error["input"])
    return f"{place}{name} is {value}: {what[0].lower()}{what[1:]}"


def _full_name(location: Sequence[str | int]) -> str:
    """The key in pydantic's location of an error, which may go on into the value (an item of a list)."""
    name = str(location[0])
    for part in location[1:]:
        if name in dict(known_keys()):
            break
        name += f".{part}"
    return name


def conflicts(config: Config) -> Iterator[str]:
    """Values that are allowed alone but not together."""
    model, tokenizer, data = config.model, config.tokenizer, config.data
    if model.d_model % model.num_heads:
        yield f"model.num_heads is {model.num_heads} but must divide model.d_model, {model.d_model}"
    elif model.positions == "rotary" and (width := model.d_model // model.num_heads) % 2:
        yield f"model.positions is rotary, so model.d_model / model.num_heads must be even, not {width}"
    if model.positions == "sinusoidal" and (model.d_model % 2 or model.d_model < 4):
        yield f"model.positions is sinusoidal, so model.d_model must be even and at least 4, not {model.d_model}"
    if model.tie_embeddings == "all" and not tokenizer.shared:
        yield "model.tie_embeddings is all, which needs tokenizer.shared: true; or take model.tie_embeddings=target"
    if isinstance(tokenizer.path, tuple) and tokenizer.shared:
        yield "tokenizer.path names two models, which needs tokenizer.shared: false"
    if data.source_language == data.target_language:
        yield f"data.source_language and data.target_language are both {data.source_language!r}"
    yield from _mixture_conflicts(data)
    sampling = config.train.subword_sampling
    if sampling.unigram_alpha is not None and sampling.bpe_dropout is not None:
        yield "train.subword_sampling has unigram_alpha and bpe_dropout: leave out the one that is not tokenizer.kind"
    elif (wanted := sampling.kind) not in (None, tokenizer.kind) and tokenizer.path is None:
        yield f"train.subword_sampling is for {wanted}, but tokenizer.kind is {tokenizer.kind}"
    noise = config.train.source_noise
    if (shares := noise.upper + noise.title + noise.lower) > 1:
        yield f"train.source_noise has upper, title and lower for {shares:g} of the sentences: together at most 1"
    low, high = config.train.adam_betas
    if not (0 <= low < 1 and 0 <= high < 1):
        yield f"train.adam_betas is [{low}, {high}] but both must be in [0, 1)"


def _mixture_conflicts(data: DataConfig) -> Iterator[str]:
    corpora, stages = data.corpora, data.stages
    names = [corpus.name for corpus in corpora]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"data.train has two corpora called {name!r}: give them names, as in {{text: ..., name: news}}"
    weights = [corpus.weight for corpus in corpora if corpus.weight is not None]
    if weights and len(weights) < len(corpora):
        yield "data.train gives a weight to some corpora only: give one to each, or to none"
    if weights and data.temperature != 1:
        yield "data.temperature is for corpora without weights: leave out the one or the other"
    for part, text in (("dev", data.dev), ("parent_dev", data.parent_dev), ("test", data.test)):
        if text is not None and any(corpus.weight or corpus.repeat != 1 for corpus in corpora_of(text)):
            yield f"data.{part} gives a weight or a repeat, which are for data.train: all of it is scored once"
    for number, stage in enumerate(stages, start=1):
        unknown = sorted(set(stage.weights) - set(names))
        if unknown:
            yield f"data.stages, stage {number}: there is no corpus {', '.join(unknown)}; there are {', '.join(names)}"
        if any(weight < 0 for weight in stage.weights.values()) or not any(stage.weights.values()):
            yield f"data.stages, stage {number}: weights must not be below 0, and one must be above"
        if (stage.until is None) != (number == len(stages)):
            yield f"data.stages, stage {number}: " + (
                "the last stage has no until" if stage.until is not None else "only the last stage has no until"
            )
    for number, (before, stage) in enumerate(pairwise(stages), start=2):
        for kind in (int, str):  # updates; shares of the training
            if isinstance(before.until, kind) and isinstance(stage.until, kind) and not _is_later(stage, before):
                told = f"until is {stage.until}, but stage {number - 1} ends at {before.until}"
                yield f"data.stages, stage {number}: {told}"


def _is_later(stage: StageConfig, before: StageConfig) -> bool:
    ends = [float(str(until).removesuffix("%")) for until in (before.until, stage.until)]
    return ends[0] < ends[1]


def conflicts_beside(tree: Tree, invalid: ValidationError) -> list[str]:
    """What conflicts in the rest of a tree that has mistakes, so that all are told at once."""
    wrong = {tuple(error["loc"][:2]) for error in invalid.errors()}
    if ("data", "train") in wrong:
        wrong.add(("data", "stages"))  # which corpora there are is not known
    rest = {
        section: {name: value for name, value in keys.items() if (section, name) not in wrong}
        for section, keys in tree.items()
        if (section,) not in wrong and isinstance(keys, dict)
    }
    try:
        return list(conflicts(Config.model_validate(rest)))
    except ValidationError:
        return []


def endless(config: Config) -> Iterator[str]:
    """Asked of a complete configuration only: a preset may still say when to stop."""
    if config.train.max_steps is None and config.train.max_epochs is None and config.train.budget is None:
        yield "nothing says when to stop: train.max_steps, train.max_epochs and train.budget are all unset"


def raise_any(mistakes: Iterable[str]) -> None:
    """All of them in one error, if there are any."""
    unique = list(dict.fromkeys(mistakes))
    if not unique:
        return
    if len(unique) == 1:
        raise ConfigError(unique[0], "nmt train --explain lists every key")
    listed = "".join(f"\n  - {mistake}" for mistake in unique)
    raise ConfigError(f"{len(unique)} mistakes in the configuration:{listed}", "nmt train --explain lists every key")
