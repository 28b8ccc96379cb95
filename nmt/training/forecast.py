"""How long a training will take, before it starts: its arithmetic, over what the machine computes.

S source length  T target length  (true lengths, EOS counted)
"""

from typing import NamedTuple

import numpy as np

from nmt.config import ModelConfig

# Share of the sgemm rate that a training step reaches. Narrow models spend more of their time beside the products.
EFFICIENCY = {"narrow": 0.45, "wide": 0.65}
NARROW_BELOW = 256  # d_model


class Forecast(NamedTuple):
    """tokens: target tokens in all.  seconds: expected."""

    tokens: float
    seconds: float

    def __str__(self) -> str:
        minutes = self.seconds / 60
        return f"{minutes / 60:.1f} hours" if minutes >= 100 else f"{minutes:.0f} minutes"


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
    model: ModelConfig,
    vocab_size: int,
    steps: float,
    batch_tokens: int,
    source_lengths: np.ndarray,
    target_lengths: np.ndarray,
    rate: float,
) -> Forecast:
    """Expected time of `steps` updates on a machine with an sgemm rate of `rate` FLOP/s. Validation not counted."""
    per_token = training_flops(model, vocab_size, source_lengths, target_lengths).sum() / target_lengths.sum()
    tokens = float(steps * min(batch_tokens, int(target_lengths.sum())))
    efficiency = EFFICIENCY["narrow" if model.d_model < NARROW_BELOW else "wide"]
    return Forecast(tokens, tokens * float(per_token) / (rate * efficiency))
