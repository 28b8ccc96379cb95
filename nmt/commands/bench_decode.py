"""`nmt bench decode`: how fast this machine translates, beside CTranslate2 with the same weights in the same run.

Both sides decode the same batches for the same number of steps, in fp32, in processes of their own, by turns. Each is
first measured once by every way of sharing the cores (1x1, 1xC, Cx1: processes or workers x threads); its best way is
then measured round after round, A B A B. Random weights are untied: tied ones would repeat their first token, and
beams that all repeat are never reordered.
"""

import contextlib
import json
import platform
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from safetensors.torch import save_file

import nmt
from nmt import console, processes, runtime
from nmt.checkpoint import load_model
from nmt.commands.bench import FORCED_STEPS, SOURCE_TOKENS, draw_lengths
from nmt.commands.bench_engines import Batch, CTranslate2Engine, Engines, OurEngine
from nmt.commands.streams import standard_output
from nmt.config import ModelConfig
from nmt.errors import DataError, UsageError
from nmt.export.ctranslate2 import export_ctranslate2
from nmt.model import Transformer
from nmt.text.lines import atomic_file, clean, read_lines

SHAPES: dict[str, dict[str, int]] = {
    "small": {"d_model": 256, "d_ff": 1024, "num_heads": 4, "encoder_layers": 3, "decoder_layers": 3},
    "base": {"d_model": 512, "d_ff": 2048, "num_heads": 8, "encoder_layers": 6, "decoder_layers": 6},
}
VOCAB_SIZE = 8000
ADDED_STEPS = FORCED_STEPS - SOURCE_TOKENS  # what is written is so much longer than what is read
BATCH = 64  # sentences
BATCHES_PER_CORE = 4
STREAM = 20  # sentences translated one by one, in each round
PAUSE = 0.3  # seconds: idle OpenMP threads spin for a while, and would take the other side's time


@dataclass(frozen=True)
class Subject:
    """A model to be measured. sources: ids of its lines, without EOS, of one length or of all kinds."""

    model: Transformer
    source_pieces: list[str]
    target_pieces: list[str]
    sources: list[list[int]]
    file: list[list[int]]


@dataclass(frozen=True)
class Case:
    """What is measured. stream: batches one after the other, each of them timed; else all, as fast as it goes."""

    name: str
    batches: list[Batch]
    stream: bool


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt bench decode`.

    case: a standing shape.  model: another model instead, on the lines of `source` when that is given.
    workers: cores to use; None: all.  compare: with CTranslate2, where it is installed.
    """

    case: Literal["small", "base", "both"] = "small"
    model: Path | None = None
    source: Path | None = None
    output: Path | None = None
    workers: int | None = None
    rounds: int = 5
    compare: bool = True


def run(arguments: Arguments) -> None:
    """Measure, print the figures as one JSON object, and write it to `output`; a table goes to stderr."""
    if arguments.source is not None and arguments.model is None:
        raise UsageError("--source is read by a model's tokenizer, and no --model is named", "-m MODEL")
    cores = arguments.workers or processes.usable_cores()
    runtime.prepare(cores)
    version = _ctranslate2_version() if arguments.compare else None
    if arguments.compare and version is None:
        console.warn('ctranslate2 is not installed, so there is no comparison: pip install "nmtkit[ct2]"')
    peak = runtime.sgemm_rate()
    models: dict[str, Any] = {}
    if arguments.model is not None:
        subjects = {str(arguments.model): partial(_subject_of, arguments.model, arguments.source, cores)}
    else:
        names = list(SHAPES) if arguments.case == "both" else [arguments.case]
        subjects = {name: partial(_random_subject, name, cores) for name in names}
    for name, make in subjects.items():
        with tempfile.TemporaryDirectory(prefix="nmt-bench-") as scratch:
            models[name] = _measure(make(), Path(scratch), cores, arguments.rounds, compare=version is not None)
        console.log(_table(name, models[name]))
    peak = max(peak, runtime.sgemm_rate())
    result = {
        "machine": {"processor": platform.machine(), "cores": cores, "sgemm_gflops": round(peak / 1e9, 1)},
        "versions": {"nmtkit": nmt.__version__, "torch": torch.__version__, "ctranslate2": version},
        "rounds": arguments.rounds,
        "models": models,
    }
    text = json.dumps(result, indent=2)
    with standard_output():
        print(text)
    if arguments.output is not None:
        with atomic_file(arguments.output) as file:
            file.write(text.encode() + b"\n")


def _ctranslate2_version() -> str | None:
    try:
        import ctranslate2
    except ImportError:
        return None
    return str(ctranslate2.__version__)


def _random_subject(name: str, cores: int) -> Subject:
    random = np.random.default_rng(1)
    torch.manual_seed(1)
    config = ModelConfig.model_validate({**SHAPES[name], "tie_embeddings": "none"})
    pieces = ["<s>", "<pad>", "</s>", "<unk>", *(f"piece{i}" for i in range(4, VOCAB_SIZE))]
    model = Transformer(config, VOCAB_SIZE, VOCAB_SIZE)
    sources, file = (_draw(random, lengths, VOCAB_SIZE) for lengths in _lengths(random, cores))
    return Subject(model, pieces, pieces, sources, file)


def _subject_of(path: Path, source: Path | None, cores: int) -> Subject:
    """A trained model, on its own lines or, without any, on random ones. Raises DataError when none can be used."""
    loaded = load_model(path)
    tokenizers = loaded.source_tokenizer, loaded.target_tokenizer
    pieces = [tokenizer.pieces(range(tokenizer.vocab_size)) for tokenizer in tokenizers]
    longest = loaded.config.model.max_length - ADDED_STEPS - 1
    if source is None:
        random = np.random.default_rng(1)
        sources, file = (_draw(random, lengths, len(pieces[0])) for lengths in _lengths(random, cores))
    else:
        encoded = loaded.source_tokenizer.encode_source_batch([clean(line) for line in read_lines(source)])
        sources = file = [ids for ids in encoded if 0 < len(ids) <= longest]
        if not file:
            raise DataError(f"{source} has no line that the model takes", "a text file, one segment a line")
    return Subject(loaded.model, pieces[0], pieces[1], sources, file)


def _lengths(random: np.random.Generator, cores: int) -> tuple[np.ndarray, np.ndarray]:
    """Of the standing case's sources, and of a file's, EOS counted."""
    count = BATCHES_PER_CORE * cores * BATCH
    return np.full(count, SOURCE_TOKENS), draw_lengths(random, count) + 1


def _draw(random: np.random.Generator, lengths: np.ndarray, vocab_size: int) -> list[list[int]]:
    """Ids without EOS."""
    return [random.integers(4, vocab_size, length - 1).tolist() for length in lengths]


def _batches(sources: Sequence[list[int]], size: int, beams: int) -> list[Batch]:
    """Of similar length, longest first; as many steps as the longest source has pieces, and a few."""
    ordered = sorted(sources, key=len, reverse=True)
    chunks = [ordered[begin : begin + size] for begin in range(0, len(ordered), size)]
    return [Batch(chunk, beams, len(chunk[0]) + 1 + ADDED_STEPS) for chunk in chunks]


def _cases(subject: Subject, cores: int) -> list[Case]:
    several = subject.sources[: BATCHES_PER_CORE * cores * BATCH]
    return [
        Case("batch_1_greedy", _batches(subject.sources[:STREAM], 1, 1), stream=True),
        Case("batch_1_beam_4", _batches(subject.sources[:STREAM], 1, 4), stream=True),
        Case("batch_64_greedy", _batches(several, BATCH, 1), stream=False),
        Case("batch_64_beam_4", _batches(several, BATCH, 4), stream=False),
        Case("file_beam_4", _batches(subject.file, BATCH, 4), stream=False),
    ]


def _measure(subject: Subject, scratch: Path, cores: int, rounds: int, *, compare: bool) -> dict[str, Any]:
    sides = {"ours": _our_side(subject, scratch, cores)}
    if compare:
        sides["ctranslate2"] = _their_side(subject, scratch, cores)
    figures: dict[str, Any] = {
        "parameters": sum(p.numel() for p in subject.model.parameters()),
        "vocabulary": len(subject.target_pieces),
        "cases": {},
    }
    cases = _cases(subject, cores)
    with (
        contextlib.ExitStack() as stack,
        console.progress(total=len(cases) * (rounds + 1), description="decoding", unit="round") as bar,
    ):
        started = {
            side: [stack.enter_context(contextlib.closing(start())) for start in starters]
            for side, starters in sides.items()
        }
        for case in cases:
            figures["cases"][case.name] = _compare(case, started, rounds, bar.update)
        for side, engines in started.items():
            figures[f"{side}_footprint"] = engines[0].footprint()._asdict()
    return figures


def _ways(cores: int) -> list[tuple[int, int]]:
    """(processes or workers, threads of each)."""
    return [(1, 1), (1, cores), (cores, 1)] if cores > 1 else [(1, 1)]


def _our_side(subject: Subject, scratch: Path, cores: int) -> list[Callable[[], Engines]]:
    weights = scratch / "model.safetensors"
    save_file({name: value.detach().contiguous() for name, value in subject.model.named_parameters()}, weights)
    sizes = len(subject.source_pieces), len(subject.target_pieces)
    starters: list[Callable[[], Engines]] = []
    for count, threads in _ways(cores):
        make = partial(OurEngine, subject.model.config, sizes, weights, threads)
        starters.append(partial(Engines, f"{count}x{threads}", make, processes=count))
    return starters


def _their_side(subject: Subject, scratch: Path, cores: int) -> list[Callable[[], Engines]]:
    folder = scratch / "ctranslate2"
    export_ctranslate2(subject.model, subject.source_pieces, subject.target_pieces, folder)
    starters: list[Callable[[], Engines]] = []
    for workers, threads in _ways(cores):
        make = partial(CTranslate2Engine, folder, subject.source_pieces, workers, threads)
        starters.append(partial(Engines, f"{workers}x{threads}", make, at_once=True))
    return starters


def _compare(case: Case, sides: dict[str, list[Engines]], rounds: int, done: Callable[[], object]) -> dict[str, Any]:
    """Every way once, on half of the batches; then the best of each side by turns, on all of them."""
    half = replace(case, batches=case.batches[::2])
    first: dict[str, dict[str, float]] = {}
    best: dict[str, Engines] = {}
    for side, engines in sides.items():
        # One stream keeps one worker busy.
        useful = [e for e in engines if not (case.stream and e.name.endswith("x1") and e.name != "1x1")]
        for engine in useful:
            engine.decode(case.batches[:1] * len(engine))  # warms up
        first[side] = {engine.name: float(np.sum(_once(engine, half))) for engine in useful}
        best[side] = min(useful, key=lambda engine: first[side][engine.name])
    done()
    times: dict[str, list[list[float]]] = {side: [] for side in sides}
    for _ in range(rounds):
        for side, engine in best.items():
            times[side].append(_once(engine, case))
        done()
    figures: dict[str, Any] = {side: _figures(case, best[side].name, times[side]) for side in sides}
    tokens = sum(batch.tokens for batch in half.batches)
    for side, seconds in first.items():
        figures[side]["tokens_per_second_of_each"] = {name: round(tokens / value, 1) for name, value in seconds.items()}
    if "ctranslate2" in sides:
        pairs = zip(times["ours"], times["ctranslate2"], strict=True)
        # Of neighbours in time, so that a machine that slows down does so for both.
        figures["ratio"] = round(float(np.median([np.median(theirs) / np.median(ours) for ours, theirs in pairs])), 3)
    return figures


def _once(engine: Engines, case: Case) -> list[float]:
    """Seconds: of each batch of a stream, else of all together."""
    time.sleep(PAUSE)
    return engine.latencies(case.batches) if case.stream else [engine.decode(case.batches)]


def _figures(case: Case, best: str, times: list[list[float]]) -> dict[str, Any]:
    sentences = sum(len(batch.sources) for batch in case.batches)
    tokens = sum(batch.tokens for batch in case.batches)
    seconds = float(np.median([np.sum(each) for each in times]))
    figures: dict[str, Any] = {
        "best": best,
        "sentences_per_second": round(sentences / seconds, 2),
        "tokens_per_second": round(tokens / seconds, 1),
    }
    if case.stream:
        values = np.percentile(np.concatenate(times), [50, 95, 99]) * 1000
        figures |= {f"p{q}_ms": round(float(value), 2) for q, value in zip((50, 95, 99), values, strict=True)}
    return figures


def _table(name: str, figures: dict[str, Any]) -> str:
    """For people: a line a case."""
    lines = [f"{name}: {figures['parameters'] / 1e6:.1f} M parameters, vocabulary {figures['vocabulary']:,}"]
    for case, measured in figures["cases"].items():
        cells = []
        for side in ("ours", "ctranslate2"):
            if side in measured:
                found = measured[side]
                latency = f", p50 {found['p50_ms']:.0f} p99 {found['p99_ms']:.0f} ms" if "p50_ms" in found else ""
                cells.append(f"{side} {found['tokens_per_second']:,.0f} tokens/s ({found['best']}{latency})")
        ratio = [f"ratio {measured['ratio']:.2f}"] if "ratio" in measured else []
        lines.append(f"  {case.replace('_', ' '):<16} {'  '.join(cells + ratio)}")
    told = "  {side} loads in {load_seconds:.2f} s, peak {peak_mib:.0f} MiB, of which {imports_mib:.0f} are imports"
    sides = [side for side in ("ours", "ctranslate2") if f"{side}_footprint" in figures]
    lines += [told.format(side=side, **figures[f"{side}_footprint"]) for side in sides]
    return "\n".join(lines)
