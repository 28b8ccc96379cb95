"""Which recipe fits a corpus of which size. Data, no logic; the sources are in the comments.

A preset fills the keys that neither the configuration file nor the command line gives.
"""

from typing import Any, NamedTuple


class Preset(NamedTuple):
    """A named recipe. pairs_below: chosen by size for corpora under this many pairs (None: only by name)."""

    pairs_below: float | None
    why: str
    settings: dict[str, dict[str, Any]]


PRESETS: dict[str, Preset] = {
    "starter": Preset(
        None,
        "the built-in corpus: short sentences of a small grammar, learned in minutes on a laptop",
        {
            "tokenizer": {"vocab_size": 1500},
            "model": {
                "d_model": 128,
                "num_heads": 4,
                "d_ff": 512,
                "encoder_layers": 3,
                "decoder_layers": 3,
                "dropout": 0.0,  # nothing to overfit in so few epochs: BLEU 89 against 85 with 0.1, in equal time
            },
            # Few validations: each costs as much as a hundred updates of this small model.
            "train": {
                "batch_tokens": 1024,
                "max_steps": 1650,
                "validate_every": 550,
                "learning_rate": 4e-3,
                "warmup_steps": 100,
            },
        },
    ),
    # OPUS-MT trains corpora of this size with a vocabulary of 1,000 and dropout 0.5; Mozilla's guide: 1,000 at 30k.
    "tiny": Preset(
        15_000,
        "few pairs: a small vocabulary, a narrow model and strong dropout",
        {
            "tokenizer": {"vocab_size": 2000},
            "model": {
                "d_model": 128,
                "num_heads": 4,
                "d_ff": 512,
                "encoder_layers": 3,
                "decoder_layers": 3,
                "dropout": 0.3,
            },
            "train": {"batch_tokens": 2048, "max_steps": 3000, "learning_rate": 3e-3, "warmup_steps": 200},
        },
    ),
    # Wu et al. 2021: on Multi30k (29k pairs) d128 4+4 beats wider models. Measured here: see README, Results.
    "small": Preset(
        200_000,
        "some ten thousand pairs: narrow beats wide here, and is faster",
        {
            "tokenizer": {"vocab_size": 4000},
            "model": {
                "d_model": 128,
                "num_heads": 4,
                "d_ff": 512,
                "encoder_layers": 4,
                "decoder_layers": 4,
                "dropout": 0.15,
            },
            "train": {"batch_tokens": 2048, "max_steps": 6000, "learning_rate": 3e-3, "warmup_steps": 400},
        },
    ),
    # Marian's and fairseq's Transformer-base settings, with the vocabulary that OPUS-MT uses at this size.
    "medium": Preset(
        2_000_000,
        "up to two million pairs: Transformer-base with a middling vocabulary",
        {
            "tokenizer": {"vocab_size": 16_000},
            "model": {
                "d_model": 512,
                "num_heads": 8,
                "d_ff": 2048,
                "encoder_layers": 6,
                "decoder_layers": 6,
                "dropout": 0.15,
            },
            "train": {"batch_tokens": 16_384, "max_steps": 30_000, "learning_rate": 1e-3, "warmup_steps": 2000},
        },
    ),
    "base": Preset(
        float("inf"),
        "millions of pairs: Transformer-base (Vaswani et al. 2017)",
        {
            "tokenizer": {"vocab_size": 32_000},
            "model": {
                "d_model": 512,
                "num_heads": 8,
                "d_ff": 2048,
                "encoder_layers": 6,
                "decoder_layers": 6,
                "dropout": 0.1,
            },
            "train": {"batch_tokens": 25_000, "max_steps": 100_000, "learning_rate": 7e-4, "warmup_steps": 4000},
        },
    ),
    # Ott et al. 2018 (scaling NMT): 1e-3 at 400k tokens an update.
    "big": Preset(
        None,
        "Transformer-big (Vaswani et al. 2017); for GPUs, by name only",
        {
            "tokenizer": {"vocab_size": 32_000},
            "model": {
                "d_model": 1024,
                "num_heads": 16,
                "d_ff": 4096,
                "encoder_layers": 6,
                "decoder_layers": 6,
                "dropout": 0.3,
            },
            "train": {"batch_tokens": 400_000, "max_steps": 30_000, "learning_rate": 1e-3, "warmup_steps": 4000},
        },
    ),
}
