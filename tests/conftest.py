"""Small models and texts that many tests share. Everything is made here: no downloads, no files from elsewhere."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch

from nmt.config import ModelConfig
from nmt.corpus.blocks import look_through
from nmt.corpus.encoder import Encoder, Task
from nmt.corpus.encoding import Encoding
from nmt.corpus.mixture import Corpus, Mixture
from nmt.corpus.shards import shards_of
from nmt.corpus.stream import PairList
from nmt.model import Transformer
from nmt.text.tokenizer import Tokenizer

WORDS = ("the a red blue old small cat dog bird house tree runs sees eats likes and in under near with quickly").split()


@pytest.fixture(autouse=True)
def _steady() -> None:
    """One thread and one seed: results do not depend on the machine's cores or on the order of tests."""
    torch.set_num_threads(1)
    torch.manual_seed(0)


@pytest.fixture(autouse=True)
def _cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is left in the home of whoever runs the tests."""
    monkeypatch.setenv("NMT_CACHE", str(tmp_path / "cache"))


def sentences(count: int, seed: int = 0, longest: int = 9) -> list[str]:
    """Random English-looking lines."""
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=chance.randint(1, longest))) + "." for _ in range(count)]


def encoded_corpus(
    pairs: Sequence[tuple[str, str]],
    tokenizer: Tokenizer,
    folder: Path,
    *,
    name: str = "corpus",
    max_length: int = 64,
    keep_text: bool = True,
) -> Corpus:
    """A corpus of these pairs as ids in shards; both sides are spelled by one tokenizer."""
    text = look_through(PairList(name, pairs), folder, name)
    encoding = Encoding(tokenizer.proto, tokenizer.proto, max_length, keep_text=keep_text)
    shards = shards_of(text, encoding, folder)
    Encoder([Task(text, encoding, shards)], 1).run()
    return Corpus(shards)


def mixture(corpora: Sequence[Corpus], seed: int = 1, *shares: Sequence[float]) -> Mixture:
    """shares: of each stage; by default one stage, and each corpus as large as it is."""
    return Mixture(corpora, shares or [[corpus.shards.lines for corpus in corpora]], seed)


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    return Tokenizer.train(sentences(400), kind="unigram", vocab_size=320)


def tiny_config(**changes: object) -> ModelConfig:
    """A model that trains in seconds."""
    settings: dict[str, object] = {
        "d_model": 32,
        "num_heads": 4,
        "d_ff": 64,
        "encoder_layers": 2,
        "decoder_layers": 2,
        "dropout": 0.0,
        "max_length": 64,
    }
    return ModelConfig.model_validate(settings | changes)


def tiny_model(vocab_size: int = 320, **changes: object) -> Transformer:
    return Transformer(tiny_config(**changes), vocab_size, vocab_size).eval()
