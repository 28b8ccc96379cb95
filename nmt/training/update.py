"""One optimizer update: gradients over micro-batches, clipping, AdamW, averaged weights."""

import contextlib
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from nmt import console, distributed
from nmt.config import TrainConfig
from nmt.corpus.batch import collate
from nmt.corpus.batching import cut_micro_batches, padded_tokens
from nmt.corpus.encoded import EncodedCorpus
from nmt.errors import ModelError
from nmt.model import Transformer
from nmt.training.loss import LossSum
from nmt.training.optimizer import AveragedWeights, clip_gradients, make_optimizer
from nmt.training.parallel import make_parallel

_FAR_APART = 0x9E3779B97F4A7C15  # between the random seeds of two ranks: their dropout must differ
SMALLEST_MICRO_BATCH = 64
MICRO_BATCH_TOKENS = {"cpu": 5000, "cuda": 50_000}  # padded tokens of both sides; a CPU's caches like them small


class UpdateResult(NamedTuple):
    """loss: cross-entropy per target token, smoothing included.  tokens: target tokens.

    skipped: what was not finite, if anything.
    """

    loss: float
    tokens: int
    skipped: str | None


class Updater:
    """The tensors of a training, and how they change from one update to the next."""

    def __init__(self, model: Transformer, config: TrainConfig, corpus: EncodedCorpus | None = None) -> None:
        """corpus: what the ids of updates mean; may be set later."""
        self.model = model
        self.model.gradient_checkpointing = config.gradient_checkpointing
        if corpus is not None:
            self.corpus = corpus
        self.config = config
        self.device = next(model.parameters()).device
        self.parallel = make_parallel(model, config)
        self.optimizer = make_optimizer(self.parallel.trained, config)
        self.average = AveragedWeights(self.parallel.trained) if config.ema_decay else None
        self.micro_batch_tokens = config.micro_batch_tokens or MICRO_BATCH_TOKENS.get(
            self.device.type, MICRO_BATCH_TOKENS["cpu"]
        )
        self._autocast = _wants_bf16(config.precision, self.device)

    @property
    def corpus(self) -> EncodedCorpus:
        """What the ids of an update mean: the present pool."""
        return self._corpus

    @corpus.setter
    def corpus(self, corpus: EncodedCorpus) -> None:
        self._corpus = corpus
        self.lengths = (corpus.source.lengths, corpus.target.lengths)

    def showing_average(self) -> contextlib.AbstractContextManager[None]:
        """Meanwhile `model` holds what is validated and saved: the averaged weights where there are some."""
        return self.parallel.showing(self.average)

    def state(self) -> dict[str, Any]:
        """Raw weights and Adam's moments, whole, by the weight's name. All ranks have to ask; the first gets them."""
        weights = self.parallel.weights
        raw = weights.values() if self.average is None else self.average.raw
        return {
            "weights": {name: self.parallel.whole(weight) for name, weight in zip(weights, raw, strict=True)},
            "optimizer": {
                name: {
                    key: self.parallel.whole(value) if value.dim() else value
                    for key, value in self.optimizer.state[weight].items()
                }
                for name, weight in weights.items()
                if weight in self.optimizer.state
            },
        }

    @torch.no_grad()
    def load_state(self, state: dict[str, Any], saved: Transformer) -> None:
        """What `state` gave, and the model that was saved with it: the averaged weights, and those that do not learn.

        The settings of the optimizer stay as they are configured now, which a resumed run may change.
        """
        share, average = self.parallel.share, dict(saved.named_parameters())
        for name, weight in self.parallel.trained.named_parameters():
            weight.copy_(share(state["weights"].get(name, average[name]), weight))
        weights = self.parallel.weights
        if self.average is not None:
            for name, shadow in zip(weights, self.average.shadow, strict=True):
                shadow.copy_(share(average[name], shadow))
        for name, moments in state["optimizer"].items():
            if name in weights:
                weight = weights[name]
                self.optimizer.state[weight] = {
                    key: share(value, weight) if value.dim() else value.to(weight.device)
                    for key, value in moments.items()
                }

    def update(self, ids: np.ndarray, *, step: int, rate: float, ema_decay: float) -> UpdateResult:
        """Learn from the sentences `ids`. step: updates done before this one; with the seed it decides dropout.

        Nothing changes when the loss or a gradient is not finite.
        """
        self.parallel.loss.train()
        loss, tokens = self._gradients_that_fit(ids, step)
        norm = clip_gradients(self.parallel.trained, self.config.clip_norm)
        skipped = None
        if not math.isfinite(loss):
            skipped = "loss"
        elif not bool(torch.isfinite(norm)):
            skipped = "gradient"
        else:
            for group in self.optimizer.param_groups:
                group["lr"] = rate
            self.optimizer.step()
            if self.average is not None:
                self.average.update(ema_decay)
        self.optimizer.zero_grad(set_to_none=True)
        return UpdateResult(loss, tokens, skipped)

    def _gradients_that_fit(self, ids: np.ndarray, step: int) -> tuple[float, int]:
        """On a GPU that runs out of memory: in smaller micro-batches, from here on."""
        while True:
            torch.manual_seed(((self.config.seed << 32) + step + distributed.rank() * _FAR_APART) % 2**64)
            try:
                return self._accumulate_gradients(ids)
            except torch.OutOfMemoryError as error:
                if distributed.world_size() > 1:  # the others are waiting in the middle of their update
                    raise self._no_memory() from error
                failed = error
            self._halve(f"at update {step + 1}", failed)

    def cut(self, ids: np.ndarray) -> list[np.ndarray]:
        """The micro-batches of the update `ids`, of all ranks."""
        return cut_micro_batches(ids, *self.lengths, self.micro_batch_tokens, distributed.world_size())

    def rehearse(self, piece: np.ndarray) -> None:
        """Compute the gradients of one micro-batch and throw them away: for its time and its memory.

        Raises ModelError when torch.compile, asked to, cannot.
        """
        self.parallel.loss.train()
        try:
            with self.parallel.gradients_stay_here(self.parallel.gradients_can_stay):
                self._backward(piece, weight=1.0, tokens=len(piece))
        except RuntimeError as error:
            if type(error).__module__.partition(".")[2].startswith(("_dynamo", "_inductor")):
                told = str(error).strip().partition("\n")[0]
                raise ModelError(
                    f"torch.compile fails: {told}", "train.compile=false, or install the C++ compiler it asks for"
                ) from error
            raise
        finally:
            self.optimizer.zero_grad(set_to_none=True)

    def fit_memory(self, updates: Sequence[np.ndarray]) -> None:
        """Try the micro-batches that take most of a GPU's memory, and make all smaller until they fit.

        updates: of an epoch.  Raises ModelError when a GPU cannot hold even a small one.
        """
        while not self._fits(updates):
            self._halve("before the first update", None)

    def _fits(self, updates: Sequence[np.ndarray]) -> bool:
        learned = sum(weight.numel() for weight in self.parallel.weights.values()) // self.parallel.shares
        fits = True
        try:
            moments = torch.empty(2, learned, device=self.device)  # Adam makes them in the first update
            for piece in self.largest_pieces(updates):
                self.rehearse(piece)
            del moments
        except torch.OutOfMemoryError:
            fits = False
        return not distributed.largest_across_ranks(float(not fits))[0]

    def largest_pieces(self, updates: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The micro-batches that take most memory, by a sample of the updates; and the longest pair of all."""
        source, target = self.lengths
        sample = updates[:: max(1, len(updates) // 100)]
        pieces = [piece for update in sample for piece in self.cut(update)]
        return [
            max(pieces, key=lambda piece: padded_tokens(piece, source, target)),
            max(pieces, key=lambda piece: int(target[piece].sum())),  # logits
            np.array([np.argmax(source + target)]),
        ]

    def _halve(self, when: str, error: torch.OutOfMemoryError | None) -> None:
        half = self.micro_batch_tokens // 2
        if half < SMALLEST_MICRO_BATCH:
            raise self._no_memory() from error
        console.warn(f"out of memory {when}: train.micro_batch_tokens={half} from here on")
        self.micro_batch_tokens = half
        self.optimizer.zero_grad(set_to_none=True)
        torch.cuda.empty_cache()

    def _no_memory(self) -> ModelError:
        return ModelError(
            f"the device has not enough memory for micro-batches of {self.micro_batch_tokens} tokens",
            f"--resume with train.micro_batch_tokens={max(self.micro_batch_tokens // 2, 1)}, "
            "train.gradient_checkpointing=true, or a smaller model.max_length",
        )

    def _accumulate_gradients(self, ids: np.ndarray) -> tuple[float, int]:
        """Gradients of the mean loss per token of the whole update, summed over its micro-batches and all ranks."""
        tokens = int(self.lengths[1][ids].sum())
        total = torch.zeros((), device=self.device)
        mine = self.share(self.cut(ids))
        for number, (piece, weight) in enumerate(mine, start=1):
            with self.parallel.gradients_stay_here(number < len(mine)):
                total += self._backward(piece, weight, tokens)
        return float(distributed.sum_across_ranks(total)) / tokens, tokens

    def _backward(self, piece: np.ndarray, weight: float, tokens: int) -> Tensor:
        """Add the gradients of one micro-batch of an update with so many tokens; returns its summed cross-entropy."""
        source, target = self.corpus.source, self.corpus.target
        batch = collate([source[i] for i in piece], [target[i] for i in piece]).to(self.device)
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self._autocast):
            result: LossSum = self.parallel.loss(batch)
        # DDP takes the mean over ranks; the sum is what we need.
        (result.loss * (weight * distributed.world_size() / tokens)).backward()  # type: ignore[no-untyped-call]
        return result.cross_entropy * weight

    def share(self, pieces: list[np.ndarray]) -> list[tuple[np.ndarray, float]]:
        """This rank's micro-batches and their weights: the same number for each rank, some of weight 0 if need be."""
        ranks = distributed.world_size()
        padded = [(piece, 1.0) for piece in pieces] + [(pieces[0], 0.0)] * (-len(pieces) % ranks)
        return padded[distributed.rank() :: ranks]


def _wants_bf16(precision: str, device: torch.device) -> bool:
    """auto: bf16 on a GPU that has it. CPUs without AVX512-BF16 are 20 to 50 times slower with it."""
    if precision == "auto":
        return device.type == "cuda" and torch.cuda.is_bf16_supported()
    return precision == "bf16"
