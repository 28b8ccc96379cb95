"""What `data.train`, `data.dev` and `data.test` mean: which text a run learns from and is judged by."""

import random
from dataclasses import replace
from typing import Literal

from nmt import console
from nmt.config import DataConfig
from nmt.corpus import starter
from nmt.corpus.reader import ParallelText, available_splits, read_parallel
from nmt.corpus.starter import StarterCorpus
from nmt.errors import DataError

STARTER = "starter"
HELD_OUT_SHARE, HELD_OUT_MOST = 0.05, 1000  # of train, when there is no dev text


def read_train_and_dev(data: DataConfig, seed: int) -> tuple[ParallelText, ParallelText]:
    """The text to train on, and the text to validate on.

    Without `data.dev` it is the starter's or the data set's own, else pairs held out of train by `seed`.
    Dev keeps every line as it is written, so that scores can be compared with other tools'.
    """
    if data.train == STARTER:
        train, dev = _starter(data, "train"), _starter(data, "dev")
        return train, _read(data, "dev") if data.dev is not None else dev
    train = read_parallel(data.train, data.source_language, data.target_language, split="train")
    if not len(train):
        raise DataError(f"{train.name} holds no pair with text on both sides", "check data.train")
    if data.dev is not None:
        return train, _read(data, "dev")
    splits = available_splits(data.train, data.source_language, data.target_language)
    if isinstance(data.train, str) and "validation" in splits and not data.train.endswith("#validation"):
        console.log("data.dev is not set: the data set's validation split is taken")
        whole = data.train.partition("#")[0]  # a split named in data.train is the one to train on
        dev = read_parallel(whole, data.source_language, data.target_language, split="validation", keep_all=True)
        return train, dev
    return _hold_out(train, seed)


def read_dev(data: DataConfig, seed: int) -> ParallelText:
    """The text that `read_train_and_dev` validates on; train is only read where dev is a part of it."""
    return _read(data, "dev") if data.dev is not None else read_train_and_dev(data, seed)[1]


def starter_test(data: DataConfig) -> StarterCorpus | None:
    """The built-in corpus when its test set is the one that `read_test` reads; else None."""
    own = data.test == STARTER or (data.test is None and data.train == STARTER)
    return _corpus(data) if own else None


def gold_links(data: DataConfig) -> list[tuple[tuple[int, int], ...]] | None:
    """Which words of dev belong together, (source, target) of each pair; None where nobody knows."""
    built_in = data.dev == STARTER or (data.dev is None and data.train == STARTER)
    return [pair.links for pair in _corpus(data).dev] if built_in else None


def read_test(data: DataConfig) -> ParallelText | None:
    """The text of `data.test`, or the starter's own; None when there is none. Every line as it is written."""
    if data.test is not None:
        return _read(data, "test")
    return _starter(data, "test") if data.train == STARTER else None


def read_parent_dev(data: DataConfig) -> ParallelText | None:
    """The text of `data.parent_dev`; None when it is not set. Every line as it is written."""
    return None if data.parent_dev is None else _read(data, "parent_dev")


def _read(data: DataConfig, part: Literal["dev", "parent_dev", "test"]) -> ParallelText:
    location = {"dev": data.dev, "parent_dev": data.parent_dev, "test": data.test}[part]
    assert location is not None
    if location == STARTER:
        return _starter(data, "test" if part == "test" else "dev")
    split = "test" if part == "test" else "validation"
    text = read_parallel(location, data.source_language, data.target_language, split=split, keep_all=True)
    if not len(text):
        raise DataError(f"{text.name} is empty", f"check data.{part}")
    return text


def _corpus(data: DataConfig) -> StarterCorpus:
    return starter.generate(data.starter_pairs, 1, data.source_language, data.target_language)


def _starter(data: DataConfig, part: Literal["train", "dev", "test"]) -> ParallelText:
    corpus = _corpus(data)
    pairs = {"train": corpus.train, "dev": corpus.dev, "test": corpus.test}[part]
    return ParallelText(
        f"starter ({part})",
        [pair.source for pair in pairs],
        [pair.target for pair in pairs],
        list(range(1, len(pairs) + 1)),
    )


def _hold_out(train: ParallelText, seed: int) -> tuple[ParallelText, ParallelText]:
    """Take dev pairs out of train; no source or target sentence of theirs stays in it."""
    count = min(HELD_OUT_MOST, max(1, int(len(train) * HELD_OUT_SHARE)))
    chosen = set(random.Random(seed).sample(range(len(train)), count))
    sources = {train.source[index] for index in chosen}
    targets = {train.target[index] for index in chosen}
    kept = [
        index
        for index in range(len(train))
        if index not in chosen and train.source[index] not in sources and train.target[index] not in targets
    ]
    if not kept:
        raise DataError(f"{train.name} has too few different pairs to hold some out", "set data.dev")
    console.log(f"data.dev is not set: {count} pairs are held out of train")
    return _select(train, kept, train.name), _select(train, sorted(chosen), f"{count} pairs held out of {train.name}")


def _select(text: ParallelText, indices: list[int], name: str) -> ParallelText:
    return replace(
        text,
        name=name,
        source=[text.source[index] for index in indices],
        target=[text.target[index] for index in indices],
        lines=[text.lines[index] for index in indices],
    )


def warn_of_overlap(train: ParallelText, dev: ParallelText) -> None:
    """Say how many dev pairs are also in train: scores on those say nothing."""
    known = set(zip(train.source, train.target, strict=True))
    seen = sum(pair in known for pair in dev.clean_pairs())
    if seen:
        console.warn(f"{seen} of {len(dev)} pairs of {dev.name} are also in {train.name}: their scores say nothing")
