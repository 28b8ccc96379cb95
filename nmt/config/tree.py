"""Every key there is: its type, its default, its unit and one line of documentation.

`nmt train --explain` prints this file's facts as a table; `configs/schema.json` gives them to editors.
"""

from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, WithJsonSchema

from nmt.config.data import DataConfig
from nmt.config.values import Duration, Location, Names, Section, Tags, key, pair


def _trackers(value: Any) -> Any:
    """One name is a list of one, no value an empty one; a name given twice counts once."""
    names = () if value is None else tuple(value) if isinstance(value, list | tuple) else (value,)
    return tuple(name for index, name in enumerate(names) if name not in names[:index])


TrackerName = Literal["tensorboard", "wandb", "trackio"]
TrackerNames = Annotated[
    tuple[TrackerName, ...],
    BeforeValidator(_trackers),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": list(get_args(TrackerName)), "type": "string"},
                {"items": {"enum": list(get_args(TrackerName)), "type": "string"}, "type": "array"},
                {"type": "null"},
            ]
        }
    ),
]


class TokenizerConfig(Section):
    path: Location | None = key(
        None, "A SentencePiece model to use instead of training one; two files when the sides differ.", "file"
    )
    kind: Literal["unigram", "bpe"] = key("unigram", "Subword algorithm.")
    vocab_size: int = key(4000, "Pieces per model; capped to what the corpus allows.", "pieces", ge=16)
    shared: bool = key(True, "One subword model for both sides, or one for each.")
    byte_fallback: bool = key(True, "Spell unseen characters in bytes, so that any text round-trips.")
    normalization: Literal["identity", "nfkc", "nmt_nfkc"] = key(
        "identity",
        "Rewriting done by SentencePiece. identity: none (the reader has made NFC and tidied blanks); "
        "nfkc folds widths and ligatures, so the model can never write them.",
    )
    character_coverage: float = key(
        0.9995, "Share of the corpus' characters that get their own piece.", "share", gt=0.9, le=1
    )
    split_digits: bool = key(False, "Make each digit a piece of its own.")
    tags: Tags = key(
        (),
        "Tags for language, domain or origin, one piece each: [deu] lets a source line begin with >>deu<<. "
        "Only there; elsewhere, and on the target side, it is text.",
        "names",
    )


class ModelConfig(Section):
    preset: Literal["auto", "starter", "tiny", "small", "medium", "base", "big"] = key(
        "auto", "Named recipe that fills the keys you do not give. auto: chosen by the number of training pairs."
    )
    d_model: int = key(256, "Width of the residual stream.", "features", ge=2)
    num_heads: int = key(4, "Attention heads; must divide d_model.", "heads", ge=1)
    d_ff: int = key(1024, "Width of the feed-forward network.", "features", ge=1)
    encoder_layers: int = key(3, "Blocks in the encoder.", "blocks", ge=1)
    decoder_layers: int = key(3, "Blocks in the decoder.", "blocks", ge=1)
    dropout: float = key(0.1, "Dropout on embeddings and on every sublayer's output.", "probability", ge=0, lt=1)
    attention_dropout: float = key(
        0.0, "Dropout on attention weights; above 0 it costs the fast CPU kernel.", "probability", ge=0, lt=1
    )
    activation_dropout: float = key(0.0, "Dropout inside the feed-forward network.", "probability", ge=0, lt=1)
    token_dropout: float = key(
        0.0, "Word dropout: whole token embeddings zeroed in training, on both sides.", "probability", ge=0, lt=1
    )
    norm_position: Literal["pre", "post"] = key("pre", "Normalise before each sublayer, or after the addition.")
    norm: Literal["layer", "rms"] = key("layer", "LayerNorm or RMSNorm.")
    norm_eps: float = key(1e-5, "Added to the variance inside the norm.", "variance", gt=0)
    activation: Literal["relu", "gelu", "gelu_tanh", "silu"] = key("relu", "Non-linearity of the feed-forward network.")
    gated: bool = key(False, "Gated feed-forward network (GLU): act(gate(x)) * up(x).")
    attention_bias: bool = key(True, "Biases in the attention projections.")
    ffn_bias: bool = key(True, "Biases in the feed-forward network.")
    positions: Literal["sinusoidal", "learned", "rotary"] = key(
        "sinusoidal", "How order is told; rotary turns queries and keys in self-attention."
    )
    tie_embeddings: Literal["none", "target", "all"] = key(
        "all", "Share weights: target embedding = output layer (target), and the source embedding too (all)."
    )
    max_length: int = key(512, "Longest segment; longer training pairs are skipped.", "pieces with EOS", ge=4)


class SubwordSamplingConfig(Section):
    unigram_alpha: float | None = key(
        None,
        "Spell the training text anew in each epoch, drawn from the unigram model with probabilities to this power "
        "(Kudo 2018): 0.1 strays far, 0.5 little.",
        "exponent",
        gt=0,
        le=1,
    )
    bpe_dropout: float | None = key(
        None,
        "The same for tokenizer.kind bpe: the share of merges left out (Provilkov et al. 2020): 0.1 strays enough.",
        "probability",
        gt=0,
        lt=1,
    )

    @property
    def kind(self) -> str | None:
        """The kind of subword model that it samples from; None when it is off."""
        if self.unigram_alpha is not None:
            return "unigram"
        return None if self.bpe_dropout is None else "bpe"

    @property
    def strength(self) -> float | None:
        """Whichever is set, as `Tokenizer.sampler` takes it."""
        return self.bpe_dropout if self.unigram_alpha is None else self.unigram_alpha


class SourceNoiseConfig(Section):
    upper: float = key(0.0, "Training sentences whose source is put in UPPER CASE.", "share of sentences", ge=0, le=1)
    title: float = key(0.0, "Training sentences whose source is put In Title Case.", "share of sentences", ge=0, le=1)
    lower: float = key(0.0, "Training sentences whose source is put in lower case.", "share of sentences", ge=0, le=1)
    punctuation: float = key(
        0.0,
        "Training sentences whose source has its punctuation dropped, doubled or exchanged.",
        "share of sentences",
        ge=0,
        le=1,
    )
    typos: float = key(
        0.0, "Training sentences whose source has typing errors, one or a few.", "share of sentences", ge=0, le=1
    )

    @property
    def on(self) -> bool:
        """Whether there is any."""
        return max(self.upper, self.title, self.lower, self.punctuation, self.typos) > 0


class TrainConfig(Section):
    init_from: str | None = key(
        None,
        "Fine-tuning: a run or model folder whose weights, shape and subwords to start from.",
        "folder",
    )
    freeze: Names = key(
        (),
        "Parts of the model that stay as they are: encoder, decoder.0, source_embedding and so on, "
        "as the weights in model.safetensors are named.",
        "names",
    )
    batch_tokens: int = key(4096, "Target tokens per update, padding not counted, EOS counted.", "tokens", ge=1)
    micro_batch_tokens: int = key(
        0,
        "Largest piece of an update computed at once: padded tokens of both sides. "
        "0: chosen for the device. Changes speed and memory, not the recipe.",
        "tokens",
        ge=0,
    )
    gradient_checkpointing: bool = key(
        False,
        "Keep only the input of each block, and compute the rest again in the backward pass. "
        "Changes speed and memory, not the recipe.",
    )
    max_steps: int | None = key(None, "Stop after this many updates.", "updates", ge=1)
    max_epochs: float | None = key(None, "Stop after this many passes over the data.", "epochs", gt=0)
    budget: Duration = key(
        None,
        "Stop when this much time is used, validations and checkpoints included: 30m, 1h30m. "
        "The learning rate then follows the clock.",
        "time",
        gt=0,
    )
    learning_rate: float = key(1e-3, "Highest learning rate, reached after the warm-up.", "per update", gt=0)
    warmup_steps: int = key(400, "Updates over which the learning rate rises from 0.", "updates", ge=0)
    schedule: Literal["linear", "cosine", "inverse_sqrt", "wsd", "constant"] = key(
        "linear", "Learning rate after the warm-up; linear, cosine and wsd end at 0, wsd stays up until the last fifth."
    )
    adam_betas: Annotated[tuple[float, float], BeforeValidator(pair)] = key(
        (0.9, 0.98), "Decay of Adam's two moments.", "per update"
    )
    adam_eps: float = key(1e-9, "Added to Adam's denominator.", "gradient", gt=0)
    weight_decay: float = key(
        0.01,
        "Decoupled weight decay on matrices (not on norms, biases, embeddings).",
        "share per update, times the learning rate",
        ge=0,
    )
    label_smoothing: float = key(0.1, "Probability spread over the whole vocabulary.", "probability", ge=0, lt=1)
    r_drop: float = key(
        0.0,
        "R-Drop: alpha, the weight of the divergence between two passes with different dropout; 5 is common. "
        "0: one pass, in less than half the time and memory. Without model.dropout it does nothing.",
        "alpha",
        ge=0,
    )
    clip_norm: float = key(1.0, "Largest norm of the gradient; 0 turns clipping off.", "L2 norm", ge=0)
    ema_decay: float = key(
        0.998,
        "Decay of the averaged weights, which are validated and saved; 0 turns averaging off. "
        "Lowered so that its horizon is at most 5 % of the planned updates.",
        "per update",
        ge=0,
        lt=1,
    )
    validate_every: int = key(
        0, "Updates between validations; 0: twelve in a run, fewer where a budget is short.", "updates", ge=0
    )
    save_every: int = key(0, "Updates between checkpoints beside validations; 0: none.", "updates", ge=0)
    keep_best: int = key(1, "Checkpoints kept by score.", "checkpoints", ge=1)
    keep_last: int = key(2, "Checkpoints kept by age; a second one, lest the last be damaged.", "checkpoints", ge=1)
    patience: int = key(
        0,
        "Stop after this many validations without a new best; 0: never (a schedule to zero ends by itself).",
        "validations",
        ge=0,
    )
    subword_sampling: SubwordSamplingConfig = SubwordSamplingConfig()
    source_noise: SourceNoiseConfig = SourceNoiseConfig()
    metric: Literal["bleu", "chrf", "loss", "accuracy"] = key("bleu", "What makes a checkpoint the best, on dev.")
    track: TrackerNames = key(
        (),
        "What else is told the numbers of metrics.jsonl: tensorboard (into the run's folder), wandb, trackio; "
        'one or a list. Each is an extra: pip install "nmtkit[NAME]".',
        "names",
    )
    seed: int = key(1, "Seed of initial weights, data order and dropout.", "any whole number", ge=0, lt=2**32)
    parallel: Literal["ddp", "fsdp"] = key(
        "ddp",
        "Several processes: each with the whole model (ddp), or with a share of weights, gradients and optimizer "
        "(fsdp), for models that do not fit otherwise.",
    )
    compile: bool = key(
        False,
        "Let torch.compile translate the model first, a minute or more; meant for GPUs (not measured there yet), "
        "on a CPU it trains 15 % slower.",
    )
    precision: Literal["auto", "fp32", "bf16"] = key(
        "auto", "Arithmetic of training. auto: bf16 on a GPU that has it, else fp32."
    )


class DecodeConfig(Section):
    beam_size: int = key(5, "Hypotheses kept alive per sentence; 1 is greedy search.", "hypotheses", ge=1, le=1000)
    length_penalty: float = key(
        1.0, "Score = sum of log p / length ** this; 0 prefers short, 1 is the mean.", "exponent", ge=0, le=10
    )
    max_length_ratio: float = key(
        2.0, "Longest output, as a multiple of the source length (+ 10 pieces).", "target pieces per source piece", gt=0
    )
    min_length: int = key(0, "Shortest output.", "target pieces", ge=0)
    patience: float | None = key(
        None,
        "Stop at this many times beam_size finished hypotheses, as CTranslate2 does. "
        "null: when no other can be better any more, which is exact.",
        "beam sizes",
        gt=0,
    )
    no_repeat_ngram: int = key(0, "No run of so many pieces is written twice; 0: no such rule.", "target pieces", ge=0)
    diverse_groups: int = key(
        1, "Diverse beam search: groups that share beam_size and avoid each other's pieces.", "groups", ge=1
    )
    diversity: float = key(
        0.5, "How much a group avoids what the groups before it write, when there are several.", "log-probability", ge=0
    )
    sampling: bool = key(False, "Draw outputs by their probability instead of searching for the best.")
    temperature: float = key(1.0, "When sampling: below 1 keeps nearer to the most probable.", "factor", gt=0)
    top_k: int = key(0, "When sampling: only so many most probable pieces; 0: all.", "target pieces", ge=0)
    top_p: float = key(
        1.0, "When sampling: only the most probable pieces that together reach this.", "probability", gt=0, le=1
    )
    seed: int = key(
        1, "Of sampling: the same seed, the same outputs, whatever the batches.", "any whole number", ge=0, lt=2**32
    )
    mbr: int = key(
        0,
        "Minimum Bayes risk: of so many outputs (samples when sampling, else the n best of a beam that wide) take the "
        "one most like all others; 0: the most probable.",
        "outputs",
        ge=0,
        le=1000,
    )
    mbr_utility: Literal["bleu", "chrf"] = key("bleu", "By what outputs are alike.")
    combination: Literal["linear", "log-linear"] = key(
        "linear", "Several models: the mean of their probabilities, or of their log-probabilities."
    )
    precision: Literal["fp32", "bf16", "int8"] = key(
        "fp32", "Arithmetic of matrix products; with fewer bits faster, and now and then another word."
    )
    guard: Literal["off", "flag", "repair"] = key(
        "flag",
        "Look for repetition, absurd length, copied source, lost numbers and addresses, wrong script. flag: say so; "
        "repair: translate such a line again, more carefully, and keep the better.",
    )


class Config(Section):
    """What a run is made of. `dump` writes it beside the model, complete."""

    data: DataConfig = DataConfig()
    tokenizer: TokenizerConfig = TokenizerConfig()
    model: ModelConfig = ModelConfig()
    train: TrainConfig = TrainConfig()
    decode: DecodeConfig = DecodeConfig()
