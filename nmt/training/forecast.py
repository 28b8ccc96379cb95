"""How long a training will take and how much memory, before it starts: measured on some of its own micro-batches.

S source length  T target length  (true lengths, EOS counted)
"""

import time
from typing import NamedTuple

import numpy as np

from nmt import distributed, runtime
from nmt.config import ModelConfig
from nmt.corpus.batching import padded_tokens
from nmt.training.update import Updater

PROBE_SECONDS = 3.0  # of timed micro-batches; enough, since there is nothing random in how long they take
MEMORY_SHARE = 0.9  # of the machine's, above which the user is warned


class Forecast(NamedTuple):
    """seconds: of all updates, validations not counted.  epoch_seconds: of one pass over the data.

    flops: floating point operations a second that the model really does.
    memory: highest resident bytes; memory_limit: what the machine allows.  None where it cannot be read.
    checkpoint: bytes of one on the disk, training state included.
    """

    updates: float
    seconds: float
    epoch_seconds: float
    flops: float
    memory: int | None
    memory_limit: int | None
    checkpoint: int

    def __str__(self) -> str:
        times = f"{_duration(self.seconds)} for {self.updates:,.0f} updates ({_duration(self.epoch_seconds)} an epoch)"
        limit = "" if self.memory_limit is None else f" of {self.memory_limit / 2**30:.1f}"
        memory = "" if self.memory is None else f", memory {self.memory / 2**30:.1f}{limit} GiB"
        return f"{times}{memory}, {self.checkpoint / 2**20:.0f} MiB a checkpoint"


def _duration(seconds: float) -> str:
    for size, unit in ((86_400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} seconds"


def training_flops(
    model: ModelConfig, vocab_size: int, source_lengths: np.ndarray, target_lengths: np.ndarray
) -> np.ndarray:
    """Floating point operations of forward and backward for each sentence pair: products and attention, no padding."""
    d, f = model.d_model, model.d_ff * (1.5 if model.gated else 1.0)
    encoders, decoders = model.encoder_layers, model.decoder_layers
    source, target = source_lengths.astype(np.float64), target_lengths.astype(np.float64)
    encoder = encoders * (4 * d * d + 2 * d * f) * source
    memory = decoders * 2 * d * d * source
    decoder = decoders * (6 * d * d + 2 * d * f) * target
    output = vocab_size * d * target
    attention = 4 * d * (encoders * source**2 + decoders * (target**2 / 2 + source * target))
    return np.asarray(3 * (2 * (encoder + memory + decoder + output) + attention))


def forecast(
    updater: Updater, updates: list[np.ndarray], per_epoch: int, planned: float, budget: float | None = None
) -> Forecast:
    """Compute a few micro-batches of the first pool's `updates`, and reckon from them what `planned` updates take.

    per_epoch: updates of an epoch.  budget: seconds, after which training ends in any case.

    Nothing of the training changes: gradients are thrown away, and every update seeds its own randomness.
    """
    source, target = updater.lengths
    pieces = [piece for update in updates[:8] for piece in updater.cut(update)]
    pieces.sort(key=lambda piece: padded_tokens(piece, source, target))
    typical = pieces[len(pieces) // 2]
    half = typical[: max(1, len(typical) // 2)]
    points = [(padded_tokens(piece, source, target), _memory_of(updater, piece)) for piece in (half, typical)]
    spent, done = 0.0, 0
    start = time.perf_counter()
    for piece in pieces[:: max(1, len(pieces) // 8)]:
        updater.rehearse(piece)
        spent, done = time.perf_counter() - start, done + padded_tokens(piece, source, target)
        (spent,) = distributed.largest_across_ranks(spent)  # all stop at the same piece, as FSDP wants
        if spent > PROBE_SECONDS:
            break
    measured = [piece for update in updates[:8] for piece, _ in updater.share(updater.cut(update))]
    padded_per_update = sum(padded_tokens(piece, source, target) for piece in measured) / min(8, len(updates))
    per_update = spent / done * padded_per_update
    work = training_flops(updater.model.config, updater.model.output.weight.size(0), source, target).sum()
    parameters = sum(p.numel() for p in updater.model.parameters())
    moments = 2 * 4 * parameters // updater.parallel.shares
    largest = max(padded_tokens(piece, source, target) for piece in updater.largest_pieces(updates))
    planned = planned if budget is None else min(planned, budget / per_update)
    return Forecast(
        updates=planned,
        seconds=planned * per_update,
        epoch_seconds=per_epoch * per_update,
        flops=float(work) / (len(updates) * per_update),
        memory=_highest(points, largest, moments),
        memory_limit=runtime.memory_limit(),
        checkpoint=4 * parameters * (4 if updater.average is not None else 3),
    )


def _memory_of(updater: Updater, piece: np.ndarray) -> int | None:
    """Resident bytes at the height of this micro-batch: what is freed stays ours, so the height remains."""
    runtime.give_back_memory()
    updater.rehearse(piece)
    return runtime.resident_memory()


def _highest(points: list[tuple[int, int | None]], worst: int, moments: int) -> int | None:
    """A line through two (padded tokens, bytes), at the largest micro-batch there is; Adam's moments come on top."""
    (small, low), (large, high) = points
    if low is None or high is None:
        return None
    slope = max(0.0, (high - low) / max(large - small, 1))
    return int(high + slope * max(0, worst - large)) + moments
