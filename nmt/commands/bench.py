"""`nmt bench`: how fast this machine trains and translates, as numbers that can be compared.

Training is the standing case of this project: joint vocabulary of 8,000, d256, feed-forward 1024, 4 heads, 3 + 3
blocks, pre-norm, 3-way tied, dropout 0.3, label smoothing 0.1, EMA, clipping and AdamW on, 4,096 target tokens an
update. MFU is the arithmetic on true tokens over what the machine's own matrix product could do in that time.
"""

import json
import platform
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from nmt import console, runtime
from nmt.commands.bench_engines import ForcedLength, peak_mib
from nmt.commands.streams import standard_output
from nmt.config import Config, ModelConfig, Settings
from nmt.corpus.batching import cut_micro_batches, draw_updates, padding_share
from nmt.corpus.encoded import EncodedCorpus, EncodedSide
from nmt.corpus.mixture import Place
from nmt.corpus.sources import find_train_and_dev
from nmt.decoding.search import SearchSettings, search
from nmt.model import Transformer, pack
from nmt.text.lines import atomic_file
from nmt.text.tokenizer import BOS_ID, EOS_ID, PAD_ID
from nmt.training.forecast import training_flops
from nmt.training.preparation import make_tokenizers
from nmt.training.text import encode
from nmt.training.update import Updater

STANDING = (
    "tokenizer.vocab_size=8000",
    "model.d_model=256",
    "model.d_ff=1024",
    "model.num_heads=4",
    "model.encoder_layers=3",
    "model.decoder_layers=3",
    "model.dropout=0.3",
    "train.batch_tokens=4096",
)
WARM_UPDATES = 10
SOURCE_TOKENS, FORCED_STEPS = 14, 16  # of the decoding case


def run(settings: Sequence[str], *, output: Path | None, threads: int | None, updates: int, device: str) -> None:
    """Measure, print the figures as one JSON object, and write it to `output`.

    settings: KEY=VALUE over the standing case; with data.train the text decides lengths, without it they are drawn as
    those of Multi30k are.
    """
    place = runtime.pick_device(device)
    runtime.prepare(threads)
    config = Settings.load(None, [*STANDING, *settings]).config
    before = runtime.sgemm_rate() if place.type == "cpu" else None
    with tempfile.TemporaryDirectory(prefix="nmt-bench-") as scratch:
        named = any(setting.startswith("data.train=") for setting in settings)
        corpus, vocab_size = (
            _encode_text(config, Path(scratch)) if named else (_draw_corpus(config), config.tokenizer.vocab_size)
        )
        result: dict[str, Any] = {
            "machine": {
                "processor": platform.machine(),
                "threads": torch.get_num_threads(),
                "torch": torch.__version__,
            },
            "training": _bench_training(config, corpus, vocab_size, updates, before, place),
        }
    result["decoding"] = _bench_decoding(config.model, vocab_size, place)
    result["peak_rss_mib"] = peak_mib()
    text = json.dumps(result, indent=2)
    with standard_output():
        print(text)
    if output is not None:
        with atomic_file(output) as file:
            file.write(text.encode() + b"\n")


def _encode_text(config: Config, folder: Path) -> tuple[EncodedCorpus, int]:
    found = find_train_and_dev(config.data, config.train.seed, folder)
    tokenizers = make_tokenizers(config.tokenizer, found, config.data.tags)
    corpus = encode(found, tokenizers, config, folder).text.pool(Place())
    return corpus, tokenizers[1].vocab_size


def draw_lengths(random: np.random.Generator, sentences: int) -> np.ndarray:
    """As long as Multi30k's source sentences: log-normal, some 15 pieces on average."""
    return np.clip(random.lognormal(2.62, 0.33, sentences).round(), 3, 60).astype(int)


def _draw_corpus(config: Config, pairs: int = 29_000) -> EncodedCorpus:
    """Random ids in sentences as long as Multi30k's: some 15 source and 15.5 target pieces on average."""
    random = np.random.default_rng(config.train.seed)
    source = draw_lengths(random, pairs)
    target = np.clip((source * random.lognormal(0.02, 0.18, pairs)).round(), 3, 60).astype(int)

    def side(lengths: np.ndarray) -> EncodedSide:
        starts = np.concatenate([[0], np.cumsum(lengths)])
        return EncodedSide(random.integers(4, config.tokenizer.vocab_size, starts[-1], dtype=np.int32), starts)

    return EncodedCorpus(side(source), side(target), 0)


def _bench_training(
    config: Config, corpus: EncodedCorpus, vocab_size: int, updates: int, rate: float | None, device: torch.device
) -> dict[str, Any]:
    torch.manual_seed(config.train.seed)
    model = Transformer(config.model, vocab_size, vocab_size).to(device)
    updater = Updater(model, config.train, corpus)
    source, target = updater.lengths
    drawn: list[np.ndarray] = []
    while len(drawn) < WARM_UPDATES + updates:
        drawn.extend(draw_updates(source, target, config.train.batch_tokens, seed=[config.train.seed, len(drawn)]))

    def step(number: int) -> None:
        updater.update(drawn[number], step=number, rate=1e-4, ema_decay=0.998)

    with console.progress(total=WARM_UPDATES + updates, description="training", unit="update") as bar:
        for number in range(WARM_UPDATES):
            step(number)
            bar.update()
        ends = [_now(device)]
        for number in range(WARM_UPDATES, WARM_UPDATES + updates):
            step(number)
            ends.append(_now(device))
            bar.update()
        seconds = ends[-1] - ends[0]
    timed = drawn[WARM_UPDATES : WARM_UPDATES + updates]
    ids = np.concatenate(timed)
    work = [float(training_flops(config.model, vocab_size, source[drawn], target[drawn]).sum()) for drawn in timed]
    flops = sum(work)
    # Beside the mean: what the machine does when nobody else is on it, as far as half of the updates can tell.
    median = float(np.median(np.asarray(work) / np.diff(ends)))
    cut = [piece for update in timed for piece in cut_micro_batches(update, source, target, updater.micro_batch_tokens)]
    figures = {
        "parameters": sum(p.numel() for p in model.parameters()),
        "updates": updates,
        "seconds": round(seconds, 2),
        "target_tokens_per_second": round(float(target[ids].sum()) / seconds, 1),
        "source_tokens_per_second": round(float(source[ids].sum()) / seconds, 1),
        "updates_per_second": round(updates / seconds, 3),
        "padding": round(padding_share(cut, source, target), 4),
        "gflops": round(flops / seconds / 1e9, 1),
    }
    if rate is not None:
        peak = max(rate, runtime.sgemm_rate())
        figures |= {
            "sgemm_gflops": round(peak / 1e9, 1),
            "mfu": round(flops / seconds / peak, 3),
            "mfu_of_the_median_update": round(median / peak, 3),
        }
    return figures


def _bench_decoding(config: ModelConfig, vocab_size: int, device: torch.device) -> dict[str, Any]:
    """Random weights, 14 source tokens, 16 forced steps."""
    model = pack(Transformer(config, vocab_size, vocab_size).to(device).eval())
    figures: dict[str, Any] = {}
    for name, sentences, beams, repeats in (
        ("batch_1_greedy", 1, 1, 20),
        ("batch_64_greedy", 64, 1, 8),
        ("batch_1_beam_5", 1, 5, 10),
        ("batch_64_beam_5", 64, 5, 4),
    ):
        source = torch.randint(4, vocab_size, (sentences, SOURCE_TOKENS), device=device)
        limits = torch.full((sentences,), FORCED_STEPS, device=device)
        settings = SearchSettings(BOS_ID, EOS_ID, (BOS_ID, PAD_ID), beam_size=beams)

        def decode() -> None:
            search(ForcedLength(model), source, None, limits, settings, with_scores=False)  # noqa: B023

        decode()
        start = _now(device)
        for _ in range(repeats):
            decode()
        seconds = (_now(device) - start) / repeats
        figures[name] = {
            "sentences_per_second": round(sentences / seconds, 2),
            "tokens_per_second": round(sentences * FORCED_STEPS / seconds, 1),
        }
    return figures


def _now(device: torch.device) -> float:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return time.perf_counter()
