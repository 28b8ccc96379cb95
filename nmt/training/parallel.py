"""How one update is computed: by one process, by several that each hold the model, or by several that share it out.

Alone, and with DistributedDataParallel (`train.parallel: ddp`), a process holds the whole model. With FSDP2
(`fsdp`; Zhao et al. 2023) each holds a share of every weight, gradient, moment and average, and a block is put
together only while it computes: for models that do not fit otherwise.
"""

import contextlib
import copy
from collections.abc import Iterator

import torch
from torch import Tensor, nn
from torch.distributed.fsdp import FSDPModule, fully_shard
from torch.distributed.tensor import DTensor, distribute_tensor
from torch.nn.parallel import DistributedDataParallel

from nmt import distributed
from nmt.config import TrainConfig
from nmt.corpus.batch import Batch
from nmt.model import Transformer
from nmt.training.loss import LossSum, batch_loss
from nmt.training.optimizer import AveragedWeights


class TrainingLoss(nn.Module):
    """Model and loss as one module: DDP and FSDP want gradients to come from one forward."""

    def __init__(self, model: Transformer, config: TrainConfig) -> None:
        super().__init__()
        self.model = model
        self.config = config

    def forward(self, batch: Batch) -> LossSum:
        """The batch's loss, summed over its tokens."""
        return batch_loss(self.model, batch, self.config.label_smoothing, self.config.r_drop)


class Alone:
    """One process. `trained` is the model whose weights learn, `loss` the module to call in training."""

    shares = 1  # into which the weights are cut
    gradients_can_stay = True  # and be thrown away before the processes have talked

    def __init__(self, model: Transformer, config: TrainConfig) -> None:
        self.trained = model
        self.loss: nn.Module = TrainingLoss(model, config)
        if config.compile:
            self.loss.compile(dynamic=True)

    @property
    def weights(self) -> dict[str, nn.Parameter]:
        """Those that learn, by name."""
        return {name: weight for name, weight in self.trained.named_parameters() if weight.requires_grad}

    def gradients_stay_here(self, wanted: bool) -> contextlib.AbstractContextManager[None]:  # noqa: ARG002
        """wanted: processes need not talk in this backward, since another one of the same update follows."""
        return contextlib.nullcontext()

    @contextlib.contextmanager
    def showing(self, average: AveragedWeights | None) -> Iterator[None]:
        """Meanwhile the model holds the averaged weights (None: its own), whole: to validate and to save."""
        if average is None:
            yield
            return
        average.swap()
        try:
            yield
        finally:
            average.swap()

    def whole(self, share: Tensor) -> Tensor:
        """A weight, moment or average as it is saved."""
        return share.detach()

    def share(self, whole: Tensor, like: Tensor) -> Tensor:
        """The other way: what this process holds of it, as `like`."""
        return whole.to(like.device)


class Replicated(Alone):
    """DistributedDataParallel: every process has the whole model, and gradients are summed."""

    def __init__(self, model: Transformer, config: TrainConfig) -> None:
        super().__init__(model, config)
        self._ddp = DistributedDataParallel(self.loss)
        self.loss = self._ddp

    def gradients_stay_here(self, wanted: bool) -> contextlib.AbstractContextManager[None]:
        """See Alone."""
        return self._ddp.no_sync() if wanted else contextlib.nullcontext()


class Sharded(Alone):
    """FSDP2. The model itself becomes a copy that learns nothing: filled to validate and to save, else in host memory.

    So validation works as ever, line by line on each process, where shards would have every process wait for the
    others at each token.
    """

    gradients_can_stay = False  # FSDP2 keeps those where zero_grad does not reach

    def __init__(self, model: Transformer, config: TrainConfig) -> None:
        self.model = model
        self.device = next(model.parameters()).device
        self.trained = copy.deepcopy(model)
        model.to("cpu")
        self.shares = distributed.world_size()
        for block in (*self.trained.encoder, *self.trained.decoder):
            if config.compile:
                block.compile(dynamic=True)
            fully_shard(block)
        self.loss = TrainingLoss(self.trained, config)
        fully_shard(self.loss)

    @contextlib.contextmanager
    def gradients_stay_here(self, wanted: bool) -> Iterator[None]:
        """See Alone."""
        assert isinstance(self.loss, FSDPModule)
        self.loss.set_requires_gradient_sync(not wanted)
        yield

    @contextlib.contextmanager
    def showing(self, average: AveragedWeights | None) -> Iterator[None]:
        """See Alone. All processes have to ask, and each gets the whole model."""
        shown: dict[str, Tensor] = dict(self.trained.named_parameters())
        if average is not None:
            shown |= dict(zip(self.weights, average.shadow, strict=True))
        with torch.no_grad():
            for name, weight in self.model.named_parameters():
                weight.copy_(_gathered(shown[name]))
        self.model.to(self.device)
        try:
            yield
        finally:
            self.model.to("cpu")

    def whole(self, share: Tensor) -> Tensor:
        """See Alone. All processes have to ask; only the first one gets it, in host memory."""
        whole = _gathered(share.detach())
        return whole.cpu() if distributed.rank() == 0 else whole.new_empty(0)

    def share(self, whole: Tensor, like: Tensor) -> Tensor:
        """See Alone."""
        assert isinstance(like, DTensor)
        return distribute_tensor(whole.to(like.device), like.device_mesh, like.placements, src_data_rank=None)


def _gathered(share: Tensor) -> Tensor:
    return share.full_tensor() if isinstance(share, DTensor) else share


def make_parallel(model: Transformer, config: TrainConfig) -> Alone:
    """The way that the number of processes and `train.parallel` ask for."""
    if distributed.world_size() == 1:
        return Alone(model, config)
    return Sharded(model, config) if config.parallel == "fsdp" else Replicated(model, config)
