"""What `data.train`, `data.dev` and `data.test` mean: which text a run learns from and is judged by."""

import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple

from nmt import console
from nmt.config import CorpusConfig, DataConfig, corpora_of
from nmt.corpus import starter
from nmt.corpus.blocks import TextBlocks, look_through
from nmt.corpus.encoding import side_key
from nmt.corpus.formats import open_pairs
from nmt.corpus.reader import ParallelText, available_splits, read_parallel
from nmt.corpus.starter import StarterCorpus
from nmt.corpus.stream import PairList, PairStream
from nmt.errors import DataError
from nmt.text.lines import clean
from nmt.text.tokenizer import in_brackets

STARTER = "starter"
HELD_OUT_SHARE, HELD_OUT_MOST = 0.05, 1000  # of train, when there is no dev text


class Found(NamedTuple):
    """The text of a run, looked through once.

    streams, texts: of each corpus of `data.train`.  dev: every line as it is written, so that scores can be compared
    with other tools'.  excluded: `side_key` of what is held out of train for it.
    """

    streams: list[PairStream]
    texts: list[TextBlocks]
    dev: ParallelText
    excluded: frozenset[int] = frozenset()

    @property
    def name(self) -> str:
        """Of all that is trained on."""
        return " + ".join(text.name for text in self.texts)

    @property
    def lines(self) -> int:
        """Of all corpora."""
        return sum(text.lines for text in self.texts)


def train_streams(data: DataConfig) -> list[PairStream]:
    """Each corpus of `data.train`."""
    streams: list[PairStream] = []
    for corpus in data.corpora:
        languages = corpus.source_language or data.source_language, corpus.target_language or data.target_language
        if corpus.text == STARTER:
            text = _starter(data, "train")
            streams.append(PairList(text.name, list(zip(text.source, text.target, strict=True))))
        else:
            streams.append(open_pairs(corpus.text, *languages, split="train"))
    return streams


def find_train_and_dev(data: DataConfig, seed: int, scratch: Path) -> Found:
    """Look through the text to train on, and read the text to validate on.

    Without `data.dev` it is the starter's or the data set's own, else pairs held out of train by `seed`.
    scratch: for text that does not lie in two plain files.
    Errors: DataError for what cannot be read.
    """
    streams = train_streams(data)
    texts = [look_through(stream, scratch, f"corpus-{number}") for number, stream in enumerate(streams)]
    for text in texts:
        if not text.lines:
            raise DataError(f"{text.name} holds no pair with text on both sides", "check data.train")
    dev = _own_dev(data)
    if dev is not None:
        return Found(streams, texts, dev)
    return Found(streams, texts, *_hold_out(data, texts, seed))


def read_dev(data: DataConfig, seed: int) -> ParallelText:
    """The text that a run validates on; train is only read where dev is a part of it."""
    dev = _own_dev(data)
    if dev is not None:
        return dev
    with tempfile.TemporaryDirectory() as scratch:
        return find_train_and_dev(data, seed, Path(scratch)).dev


def _own_dev(data: DataConfig) -> ParallelText | None:
    """The text of `data.dev`, else the starter's or the data set's own; None when there is none."""
    if data.dev is not None:
        return _read(data, "dev")
    if data.train == STARTER:
        return _starter(data, "dev")
    if not isinstance(data.train, str):
        return None
    splits = available_splits(data.train, data.source_language, data.target_language)
    if "validation" not in splits or data.train.endswith("#validation"):
        return None
    console.log("data.dev is not set: the data set's validation split is taken")
    whole = data.train.partition("#")[0]  # a split named in data.train is the one to train on
    return read_parallel(whole, data.source_language, data.target_language, split="validation", keep_all=True)


def training_pairs(found: Found, lines: int) -> Iterator[tuple[str, str]]:
    """Pairs to learn subwords from, cleaned and without tags: all of them, or about so many from all over the text."""
    share = min(1.0, lines / max(found.lines, 1))
    for text in found.texts:
        blocks = range(len(text))
        wanted = -(-len(text) * share // 1)
        chosen = sorted(random.Random(0).sample(blocks, int(wanted))) if share < 1 else blocks
        for _, raw_source, raw_target in text.pairs(chosen):
            source, target = clean(raw_source), clean(raw_target)
            if (
                source
                and target
                and not (found.excluded & {side_key(source), side_key(target)} if found.excluded else ())
            ):
                yield source, target


def prefix_of(tags: Sequence[str]) -> str:
    """What stands in front of each source line of a corpus with these tags."""
    return "".join(f"{in_brackets(tag)} " for tag in tags)


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
    texts = [text for _, text in read_tests(data)]
    return _joined(texts) if len(texts) > 1 else texts[0] if texts else None


def read_tests(data: DataConfig) -> list[tuple[CorpusConfig, ParallelText]]:
    """The same, each test set by itself, in their order."""
    location = STARTER if data.test is None and data.train == STARTER else data.test
    corpora = () if location is None else corpora_of(location)
    return [(corpus, _read_one(data, "test", corpus)) for corpus in corpora]


def read_parent_dev(data: DataConfig) -> ParallelText | None:
    """The text of `data.parent_dev`; None when it is not set. Every line as it is written."""
    return None if data.parent_dev is None else _read(data, "parent_dev")


def _read(data: DataConfig, part: Literal["dev", "parent_dev"]) -> ParallelText:
    location = {"dev": data.dev, "parent_dev": data.parent_dev}[part]
    assert location is not None
    texts = [_read_one(data, part, corpus) for corpus in corpora_of(location)]
    return texts[0] if len(texts) == 1 else _joined(texts)


def _read_one(data: DataConfig, part: Literal["dev", "parent_dev", "test"], corpus: CorpusConfig) -> ParallelText:
    if corpus.text == STARTER:
        text = _starter(data, "test" if part == "test" else "dev")
    else:
        languages = corpus.source_language or data.source_language, corpus.target_language or data.target_language
        split = "test" if part == "test" else "validation"
        text = read_parallel(corpus.text, *languages, split=split, keep_all=True)
    if not len(text):
        raise DataError(f"{text.name} is empty", f"check data.{part}")
    if not corpus.tags:
        return text
    return replace(text, source=[prefix_of(corpus.tags) + source for source in text.source])


def _joined(texts: Sequence[ParallelText]) -> ParallelText:
    """One after the other; pairs are counted through."""
    source, target = ([line for text in texts for line in getattr(text, side)] for side in ("source", "target"))
    name = " + ".join(text.name for text in texts)
    return ParallelText(name, source, target, list(range(1, len(source) + 1)), unit="pair")


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


def _hold_out(data: DataConfig, texts: Sequence[TextBlocks], seed: int) -> tuple[ParallelText, frozenset[int]]:
    """Pairs with text on both sides, drawn from all corpora, with the tags of their corpus in front.

    Beside them `side_key` of both sides without these tags: whoever trains leaves out what shares a side with them.
    """
    total = sum(text.lines for text in texts)
    count = min(HELD_OUT_MOST, max(1, int(total * HELD_OUT_SHARE)))
    drawn = random.Random(seed).sample(range(total), min(total, 2 * count + 100))  # some may be blank
    pairs: dict[int, tuple[str, str, str]] = {}  # prefix, source, target
    first = 0
    for text, corpus in zip(texts, data.corpora, strict=True):
        inside = [number - first + 1 for number in drawn if first <= number < first + text.lines]
        for line, source, target in text.pick(inside):
            if clean(source) and clean(target):
                pairs[first + line - 1] = prefix_of(corpus.tags), clean(source), clean(target)
        first += text.lines
    chosen = sorted([number for number in drawn if number in pairs][:count])
    if total - len(chosen) < 1 or not chosen:
        raise DataError(f"{texts[0].name} has too few different pairs to hold some out", "set data.dev")
    console.log(f"data.dev is not set: {len(chosen):,} pairs are held out of train")
    dev = ParallelText(
        f"{len(chosen):,} pairs held out of {' + '.join(text.name for text in texts)}",
        [pairs[number][0] + pairs[number][1] for number in chosen],
        [pairs[number][2] for number in chosen],
        [number + 1 for number in chosen],
    )
    return dev, frozenset(side_key(side) for number in chosen for side in pairs[number][1:])
