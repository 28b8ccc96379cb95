"""The two sides of `nmt bench decode`: engines in processes of their own, all handed the same batches.

Each process does nothing else, so that allocators, thread pools and peak memory are not shared with what is compared.
"""

import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from safetensors.torch import load_model as load_weights
from torch import Tensor

from nmt import processes, runtime
from nmt.config import ModelConfig
from nmt.corpus.batch import pad_source
from nmt.decoding.search import SearchSettings, search
from nmt.decoding.step import SingleModel
from nmt.errors import NMTError
from nmt.model import Cache, Transformer, pack
from nmt.text.tokenizer import BOS_ID, EOS_ID, PAD_ID

NEVER = -1e4  # finite: the search must still be able to end at its limit


class Batch(NamedTuple):
    """Sentences decoded together, each for exactly so many steps.

    sources: ids without EOS.  steps: tokens written for each, whatever it is that closes them.
    """

    sources: list[list[int]]
    beams: int
    steps: int

    @property
    def tokens(self) -> int:
        """Written in all."""
        return len(self.sources) * self.steps


class Engine(Protocol):
    """What runs in a process."""

    def decode(self, batches: Sequence[Batch]) -> int:
        """Decode the batches, several at once where it can; returns how many tokens it has written."""


class ForcedLength(SingleModel):
    """A model that never ends by itself, so that every system decodes the same number of steps."""

    def step(self, tokens: Tensor, state: Cache, *, normalise: bool) -> tuple[Tensor, Tensor | None]:
        """Scores under which EOS is the last choice."""
        scores, normaliser = super().step(tokens, state, normalise=normalise)
        scores[:, EOS_ID] += NEVER
        return scores, normaliser


class OurEngine:
    """This project's search, in one process."""

    def __init__(self, config: ModelConfig, vocab_sizes: tuple[int, int], weights: Path, threads: int) -> None:
        runtime.prepare(threads)
        model = Transformer(config, *vocab_sizes)
        load_weights(model, str(weights))
        self.model = ForcedLength(pack(model.eval()))

    def decode(self, batches: Sequence[Batch]) -> int:
        """One after the other."""
        tokens = 0
        for batch in batches:
            source, mask = pad_source([np.asarray(ids) for ids in batch.sources])
            settings = SearchSettings(BOS_ID, EOS_ID, (BOS_ID, PAD_ID), beam_size=batch.beams)
            limits = torch.full((len(source),), batch.steps)
            found = search(self.model, source, mask, limits, settings, with_scores=False)
            tokens += sum(len(best.tokens) + 1 for best, *_ in found)  # + 1: EOS, the last step's only choice
        return tokens


class CTranslate2Engine:
    """CTranslate2 on the CPU, in one process; `workers` batches at once, `threads` threads each."""

    def __init__(self, folder: Path, pieces: Sequence[str], workers: int, threads: int) -> None:
        import ctranslate2

        self.pieces = pieces
        self.translator = ctranslate2.Translator(
            str(folder), device="cpu", compute_type="float32", inter_threads=workers, intra_threads=threads
        )

    def decode(self, batches: Sequence[Batch]) -> int:
        """All of them in its queue at once."""
        answers: list[Any] = []
        for batch in batches:
            answers += self.translator.translate_batch(
                [[self.pieces[i] for i in ids] for ids in batch.sources],
                max_batch_size=len(batch.sources),
                batch_type="examples",
                asynchronous=True,
                beam_size=batch.beams,
                min_decoding_length=batch.steps,
                max_decoding_length=batch.steps,
                max_input_length=0,
                return_scores=False,
            )
        return sum(len(answer.result().hypotheses[0]) for answer in answers)


class Footprint(NamedTuple):
    """What one process takes.

    load_seconds: from the files to a model that is ready.  imports_mib: in memory before.  peak_mib: at the most.
    """

    load_seconds: float
    imports_mib: float
    peak_mib: float


class Engines:
    """As many processes with an engine each as it takes to fill the counts.

    name: PROCESSES-OR-WORKERS x THREADS.  at_once: the engine has its own queue, and is handed all batches together.
    """

    def __init__(self, name: str, make: Callable[[], Engine], *, processes: int = 1, at_once: bool = False) -> None:
        self.name = name
        self.at_once = at_once
        spawn = multiprocessing.get_context("spawn")  # a fork would hang in torch's second thread
        self._pipes: list[Connection] = []
        self._processes = []
        for _ in range(processes):
            ours, theirs = spawn.Pipe()
            process = spawn.Process(target=_serve, args=(theirs, make), daemon=True)
            process.start()
            theirs.close()
            self._pipes.append(ours)
            self._processes.append(process)
        for pipe in self._pipes:
            _receive(pipe)

    def __len__(self) -> int:
        """Processes."""
        return len(self._processes)

    def decode(self, batches: Sequence[Batch]) -> float:
        """Seconds until all are done, each process taking the next when it is free."""
        waiting = deque([list(batches)] if self.at_once else [[batch] for batch in batches])
        start = time.perf_counter()
        busy: list[Connection] = []
        tokens = 0
        for pipe in self._pipes[: len(waiting)]:
            pipe.send(("decode", waiting.popleft()))
            busy.append(pipe)
        while busy:
            ready = wait(busy)
            for pipe in [pipe for pipe in busy if pipe in ready]:
                tokens += _receive(pipe)
                if waiting:
                    pipe.send(("decode", waiting.popleft()))
                else:
                    busy.remove(pipe)
        seconds = time.perf_counter() - start
        assert tokens == sum(batch.tokens for batch in batches), f"{self.name} has not decoded the steps asked for"
        return seconds

    def latencies(self, batches: Sequence[Batch]) -> list[float]:
        """Seconds of each, one after the other, in the first process: one stream."""
        self._pipes[0].send(("time", list(batches)))
        return _receive(self._pipes[0])

    def footprint(self) -> Footprint:
        """Of the first process so far."""
        self._pipes[0].send(("footprint", []))
        return _receive(self._pipes[0])

    def close(self) -> None:
        """End the processes."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()


def _receive(pipe: Connection) -> Any:
    """The next answer. Raises what the process has raised, and NMTError when it is gone."""
    try:
        answer = pipe.recv()
    except (EOFError, ConnectionError) as error:
        raise NMTError("a process of the benchmark has died", "close other programs: memory may be short") from error
    if isinstance(answer, Exception):
        raise answer
    return answer


def _serve(pipe: Connection, make: Callable[[], Engine]) -> None:
    """The life of a process: be ready, then answer until it is ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's, which ends us
    processes.end_with_parent()
    imports = peak_mib()
    start = time.perf_counter()
    try:
        engine = make()
        load = time.perf_counter() - start
        pipe.send(None)
        while True:
            what, batches = pipe.recv()
            match what:
                case "decode":
                    pipe.send(engine.decode(batches))
                case "time":
                    pipe.send([_seconds(engine, batch) for batch in batches])
                case "footprint":
                    pipe.send(Footprint(round(load, 3), imports, peak_mib()))
    except (EOFError, ConnectionError):  # the parent has ended
        return
    except Exception as error:
        pipe.send(error)


def _seconds(engine: Engine, batch: Batch) -> float:
    start = time.perf_counter()
    engine.decode([batch])
    return time.perf_counter() - start


def peak_mib() -> float:
    """Largest resident set of this process so far."""
    return round((runtime.peak_memory() or 0) / 2**20, 1)
