"""AdamW, the learning rate as a function of progress, clipping, and averaged weights."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.distributed.tensor import DTensor

from nmt.config import TrainConfig
from nmt.model.embedding import Embedding

WSD_DECAY = 0.2  # share of the run


def make_optimizer(model: nn.Module, config: TrainConfig) -> torch.optim.AdamW:
    """AdamW (Loshchilov & Hutter 2019). Decay pulls on matrices only; not on norms, biases and embeddings."""
    embedded = {id(p) for module in model.modules() if isinstance(module, Embedding) for p in module.parameters()}
    learning = [p for p in model.parameters() if p.requires_grad]
    decayed = [p for p in learning if p.dim() > 1 and id(p) not in embedded]
    others = [p for p in learning if p.dim() <= 1 or id(p) in embedded]
    groups = [
        {"params": decayed, "weight_decay": config.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=config.learning_rate, betas=config.adam_betas, eps=config.adam_eps, fused=True)


def learning_rate(config: TrainConfig, step: int, progress: float) -> float:
    """The rate of update number `step` (from 1). A pure function: nothing to save, nothing to get out of step.

    progress: share of the run that is done before this update, 0 to 1.
    """
    warmup = min(1.0, step / config.warmup_steps) if config.warmup_steps else 1.0
    # The decay starts where the warm-up ends, at 1, whatever share of the run that took: `step - 1` updates took
    # `progress` of it.
    start = progress * config.warmup_steps / max(step - 1, 1)
    rest = 1.0 if step <= config.warmup_steps else (1 - progress) / max(1 - start, 1e-9)
    match config.schedule:
        case "constant":
            decay = 1.0
        case "inverse_sqrt":
            decay = math.sqrt(max(config.warmup_steps, 1) / max(step, config.warmup_steps, 1))
        case "linear":
            decay = rest
        case "wsd":  # warm-up, stable, decay as 1 - sqrt over the last fifth (Hägele et al. 2024)
            decay = 1 - math.sqrt(max(0.0, 1 - (1 - progress) / WSD_DECAY))
        case "cosine":
            decay = 0.5 * (1 + math.cos(math.pi * (1 - rest)))
    return config.learning_rate * warmup * max(decay, 0.0)


def ema_decay(config: TrainConfig, step: int, planned_steps: float) -> float:
    """Decay of the averaged weights at update `step`: a short memory at first, and at most 5 % of the run later."""
    longest = max(0.0, 1 - 1 / max(0.05 * planned_steps, 1.0))
    return min(config.ema_decay, longest, step / (step + 20))


class AveragedWeights:
    """Exponential moving average of the weights (Polyak & Juditsky 1992), in float32. These are validated and saved.

    Of those that learn, in the model's order.
    """

    def __init__(self, model: nn.Module) -> None:
        self._live = [p for p in model.parameters() if p.requires_grad]
        self.shadow = [p.detach().clone().float() for p in self._live]
        self._swapped = False

    @property
    def raw(self) -> Sequence[Tensor]:
        """The weights that the optimizer moves, also while they are swapped out of the model."""
        return self.shadow if self._swapped else self._live

    @torch.no_grad()
    def update(self, decay: float) -> None:
        """shadow = decay * shadow + (1 - decay) * weights."""
        torch._foreach_lerp_(self.shadow, [p.detach().float() for p in self._live], 1 - decay)

    @torch.no_grad()
    def swap(self) -> None:
        """Exchange the model's weights and their average; a second call undoes the first."""
        for live, shadow in zip(self._live, self.shadow, strict=True):
            kept = live.detach().clone()
            live.copy_(shadow)
            shadow.copy_(kept)
        self._swapped = not self._swapped


def clip_gradients(model: nn.Module, max_norm: float) -> Tensor:
    """Scale the gradients down to L2 norm `max_norm` (0: leave them); returns their norm before."""
    parameters = [p for p in model.parameters() if p.grad is not None]
    norm = nn.utils.get_total_norm([p.grad for p in parameters if p.grad is not None])
    if isinstance(norm, DTensor):  # of shards: all of them together
        norm = norm.full_tensor()
    if max_norm:
        nn.utils.clip_grads_with_norm_(parameters, max_norm, norm, foreach=True)
    return norm
