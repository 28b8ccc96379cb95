"""Translating by several processes: what they are told, and what they do."""

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

from nmt import processes, runtime
from nmt.decoding.translation import Request, Translation
from nmt.decoding.translator import Translator
from nmt.errors import ModelError

# Lines of one job: enough to sort by length, little to hold in memory or to lose. A GPU's batches are larger.
JOB_LINES = {"cpu": 1024, "cuda": 8192}
WORTH_WORKERS = 4096  # lines from which several processes make good the seconds that they take to start


@dataclass(frozen=True)
class Recipe:
    """All that makes a translation, as plain values: what one process tells the others.

    models: runs or model folders; several translate as one.
    decode: settings of `decode.*` over the first model's own; None means as it has it.
    long: what becomes of segments that are longer than the model takes.
    n_best, details: see `Translator.translate_segments`.
    """

    models: tuple[Path, ...]
    device: str = "auto"
    decode: Mapping[str, object] = field(default_factory=dict)
    max_length: int | None = None
    max_batch_tokens: int | None = None
    long: Literal["split", "error"] = "split"
    n_best: int = 1
    details: bool = False

    def make(self) -> Translator:
        """Raises ModelError when there is no sound model, UsageError for settings that make no sense."""
        return Translator.load(
            *self.models,
            device=self.device,
            decode=self.decode,
            max_length=self.max_length,
            max_batch_tokens=self.max_batch_tokens,
        )

    def translate(
        self, translator: Translator, job: "Job", on_done: Callable[[int], object] | None = None
    ) -> list[Translation]:
        """One job by a translator of this recipe."""
        return translator.translate_segments(
            job.segments,
            long=self.long,
            n_best=self.n_best,
            details=self.details,
            first_line=job.first_line,
            on_done=on_done,
        )


class Job(NamedTuple):
    """Segments that are translated together. first_line: the number of the first one, for messages."""

    first_line: int
    segments: Sequence[str | Request]


Results = Iterator[tuple[Job, list[Translation]]]


def job_lines(device: str) -> int:
    """Lines of one job on a device."""
    return JOB_LINES.get(runtime.pick_device(device).type, JOB_LINES["cpu"])


def workers_for(wanted: int | Literal["auto"], lines: int, device: str, threads: int | None) -> int:
    """How many processes translate so many lines; 1 means this one alone.

    wanted: so many, but no more than there are jobs. "auto": one a thread on a CPU when there are enough lines, else 1.
    threads: of all together; None: all cores.
    """
    if wanted == "auto":
        on_cpu = runtime.pick_device(device).type == "cpu"
        wanted = (threads or processes.usable_cores()) if on_cpu and lines >= WORTH_WORKERS else 1
    return max(1, min(wanted, math.ceil(lines / job_lines(device))))


@contextlib.contextmanager
def translating(
    recipe: Recipe,
    jobs: Iterable[Job],
    *,
    workers: int = 1,
    threads: int | None = None,
    translator: Translator | None = None,
    on_done: Callable[[int], object] | None = None,
) -> Iterator[Results]:
    """Each job with its translations, in order; jobs are read as they are needed.

    threads: of all processes together; None: all cores.  translator: one of this recipe that is loaded already.
    on_done: called with how many more segments are done.
    Raises what the translator raises, and ModelError when a worker is killed.
    """
    share = max(1, (threads or processes.usable_cores()) // workers)
    here = None if workers > 1 else partial(_translate, recipe, translator or recipe.make())
    tell = on_done or (lambda _: None)
    with processes.working(partial(_make, recipe, share), jobs, workers, tell, here) as results:
        yield _with_advice(results)


def _with_advice(results: Results) -> Results:
    try:
        yield from results
    except processes.WorkerLostError as error:
        raise ModelError(error.message, f"{error.remedy}, or a smaller --max-batch-tokens") from error


def _make(recipe: Recipe, threads: int) -> Callable[[Job, processes.Tell], list[Translation]]:
    """In a process of its own."""
    runtime.prepare(threads)
    return partial(_translate, recipe, recipe.make())


def _translate(recipe: Recipe, translator: Translator, job: Job, tell: processes.Tell) -> list[Translation]:
    return recipe.translate(translator, job, tell)
