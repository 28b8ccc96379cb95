"""One optimizer update: gradients over micro-batches, clipping, AdamW, averaged weights."""

import contextlib
import math
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from nmt import console, distributed
from nmt.config import TrainConfig
from nmt.corpus.batch import Batch, collate
from nmt.corpus.batching import cut_micro_batches
from nmt.corpus.encoded import EncodedCorpus
from nmt.errors import ModelError
from nmt.model import Transformer
from nmt.training.loss import LossSum, batch_loss
from nmt.training.optimizer import AveragedWeights, clip_gradients, make_optimizer

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

    def __init__(self, model: Transformer, corpus: EncodedCorpus, config: TrainConfig) -> None:
        self.model = model
        self.model.gradient_checkpointing = config.gradient_checkpointing
        self.corpus = corpus
        self.config = config
        self.device = next(model.parameters()).device
        self.lengths = (corpus.source.lengths, corpus.target.lengths)
        self.optimizer = make_optimizer(model, config)
        self.average = AveragedWeights(model) if config.ema_decay else None
        self.micro_batch_tokens = config.micro_batch_tokens or MICRO_BATCH_TOKENS.get(
            self.device.type, MICRO_BATCH_TOKENS["cpu"]
        )
        self._autocast = _wants_bf16(config.precision, self.device)
        self._loss: nn.Module = _Loss(model, config.label_smoothing, config.r_drop)
        if distributed.world_size() > 1:
            self._loss = DistributedDataParallel(self._loss)

    def load_optimizer_state(self, state: dict[str, Any]) -> None:
        """Adam's moments as saved; its settings as they are configured now, which a resumed run may change."""
        settings = [{k: v for k, v in group.items() if k != "params"} for group in self.optimizer.param_groups]
        self.optimizer.load_state_dict(state)
        for group, configured in zip(self.optimizer.param_groups, settings, strict=True):
            group.update(configured)

    def update(self, ids: np.ndarray, *, step: int, rate: float, ema_decay: float) -> UpdateResult:
        """Learn from the sentences `ids`. step: updates done before this one; with the seed it decides dropout.

        Nothing changes when the loss or a gradient is not finite.
        """
        self.model.train()
        loss, tokens = self._gradients_that_fit(ids, step)
        norm = clip_gradients(self.model, self.config.clip_norm)
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
                half = self.micro_batch_tokens // 2
                if distributed.world_size() > 1 or half < SMALLEST_MICRO_BATCH:
                    raise ModelError(
                        f"the device has not enough memory for micro-batches of {self.micro_batch_tokens} tokens",
                        f"--resume with train.micro_batch_tokens={max(half, 1)}, or a smaller model.max_length",
                    ) from error
                console.warn(f"out of memory at update {step + 1}: train.micro_batch_tokens={half} from here on")
            self.micro_batch_tokens = half
            self.optimizer.zero_grad(set_to_none=True)
            torch.cuda.empty_cache()

    def cut(self, ids: np.ndarray) -> list[np.ndarray]:
        """The micro-batches of the update `ids`, of all ranks."""
        return cut_micro_batches(ids, *self.lengths, self.micro_batch_tokens)

    def rehearse(self, piece: np.ndarray) -> None:
        """Compute the gradients of one micro-batch and throw them away: for its time and its memory."""
        self.model.train()
        with self._gradients_stay_here(True):
            self._backward(piece, weight=1.0, tokens=len(piece))
        self.optimizer.zero_grad(set_to_none=True)

    def _accumulate_gradients(self, ids: np.ndarray) -> tuple[float, int]:
        """Gradients of the mean loss per token of the whole update, summed over its micro-batches and all ranks."""
        tokens = int(self.lengths[1][ids].sum())
        total = torch.zeros((), device=self.device)
        mine = self._share(self.cut(ids))
        for number, (piece, weight) in enumerate(mine, start=1):
            with self._gradients_stay_here(number < len(mine)):
                total += self._backward(piece, weight, tokens)
        return float(distributed.sum_across_ranks(total)) / tokens, tokens

    def _backward(self, piece: np.ndarray, weight: float, tokens: int) -> Tensor:
        """Add the gradients of one micro-batch of an update with so many tokens; returns its summed cross-entropy."""
        source, target = self.corpus.source, self.corpus.target
        batch = collate([source[i] for i in piece], [target[i] for i in piece]).to(self.device)
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self._autocast):
            result: LossSum = self._loss(batch)
        # DDP takes the mean over ranks; the sum is what we need.
        (result.loss * (weight * distributed.world_size() / tokens)).backward()  # type: ignore[no-untyped-call]
        return result.cross_entropy * weight

    def _share(self, pieces: list[np.ndarray]) -> list[tuple[np.ndarray, float]]:
        """This rank's micro-batches and their weights: the same number for each rank, some of weight 0 if need be."""
        ranks = distributed.world_size()
        padded = [(piece, 1.0) for piece in pieces] + [(pieces[0], 0.0)] * (-len(pieces) % ranks)
        return padded[distributed.rank() :: ranks]

    def _gradients_stay_here(self, wanted: bool) -> contextlib.AbstractContextManager[None]:
        """Until the last micro-batch ranks need not talk."""
        if wanted and isinstance(self._loss, DistributedDataParallel):
            return self._loss.no_sync()
        return contextlib.nullcontext()


class _Loss(nn.Module):
    """Model and loss as one module, since DDP wants its gradients to come from one forward."""

    def __init__(self, model: Transformer, label_smoothing: float, r_drop: float) -> None:
        super().__init__()
        self.model = model
        self.label_smoothing = label_smoothing
        self.r_drop = r_drop

    def forward(self, batch: Batch) -> LossSum:
        """The batch's summed loss."""
        return batch_loss(self.model, batch, self.label_smoothing, self.r_drop)


def _wants_bf16(precision: str, device: torch.device) -> bool:
    """auto: bf16 on a GPU that has it. CPUs without AVX512-BF16 are 20 to 50 times slower with it."""
    if precision == "auto":
        return device.type == "cuda" and torch.cuda.is_bf16_supported()
    return precision == "bf16"
