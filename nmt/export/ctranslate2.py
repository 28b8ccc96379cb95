"""A model as CTranslate2 runs it (https://github.com/OpenNMT/CTranslate2): a folder of weights, vocabularies, settings.

The package is the extra `ct2`. Its spec is filled tensor by tensor: none of its converters knows this model.
"""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from nmt.config import ModelConfig
from nmt.errors import ModelError, UsageError
from nmt.model import Transformer
from nmt.model.embedding import Embedding, sinusoidal_positions
from nmt.model.layers import TransformerBlock
from nmt.text.tokenizer import BOS_ID, EOS_ID, UNK_ID

QUANTIZATIONS = ("float32", "int8", "int8_float32", "int16", "float16", "bfloat16", "int8_float16", "int8_bfloat16")
# CTranslate2 ends at the table's last row. Sines exist beyond the longest segment of the training, too.
POSITIONS = 1024
_ACTIVATIONS = {"relu": "RELU", "gelu": "GELU", "gelu_tanh": "GELUTanh", "silu": "SWISH"}
# What it computes alike, each measured against this model. A value that is not here prevents the export.
_KNOWN: dict[str, tuple[str, ...]] = {
    "norm_position": ("pre", "post"),
    "norm": ("layer", "rms"),
    "activation": tuple(_ACTIVATIONS),
    "positions": ("sinusoidal", "learned", "rotary"),
}


def export_ctranslate2(
    model: Transformer,
    source_pieces: Sequence[str],
    target_pieces: Sequence[str],
    folder: Path,
    *,
    quantization: str = "float32",
) -> None:
    """Write a model folder for CTranslate2, which adds EOS to the source by itself. The model stays as it is.

    source_pieces, target_pieces: the piece of each id.  folder: new, or empty.
    quantization: how weights are stored, one of QUANTIZATIONS.

    Raises UsageError without the package, for an unknown quantization or a folder with something in it; ModelError
    for a model that CTranslate2 cannot run, with all that is in the way, and when the disk does not take it.
    """
    if quantization not in QUANTIZATIONS:
        raise UsageError(f"{quantization!r} is no quantization of CTranslate2", ", ".join(QUANTIZATIONS))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists", "a new folder")
    obstacles = [*_obstacles(model.config), *_vocabulary_obstacles(model, source_pieces, target_pieces)]
    if obstacles:
        raise ModelError(f"CTranslate2 cannot run this model: {'; '.join(obstacles)}", "keep to nmt translate")
    spec = _spec(model.config)
    _fill(spec, model)
    spec.register_source_vocabulary(list(source_pieces))
    spec.register_target_vocabulary(list(target_pieces))
    spec.config.unk_token = target_pieces[UNK_ID]
    spec.config.bos_token = spec.config.decoder_start_token = target_pieces[BOS_ID]
    spec.config.eos_token = target_pieces[EOS_ID]
    spec.config.add_source_eos = True
    spec.config.layer_norm_epsilon = model.config.norm_eps
    spec.validate()
    spec.optimize(None if quantization == "float32" else quantization)
    _save(spec, folder)


def _obstacles(config: ModelConfig) -> Iterator[str]:
    """Keys with a value that it has no counterpart for."""
    for name, known in _KNOWN.items():
        if (value := getattr(config, name)) not in known:
            yield f"model.{name} is {value!r}, and it knows only {', '.join(known)}"


def _vocabulary_obstacles(model: Transformer, source: Sequence[str], target: Sequence[str]) -> Iterator[str]:
    """Pieces that do not name every row of the embedding, each by a name of its own."""
    for side, pieces, embedding in (
        ("source", source, model.source_embedding),
        ("target", target, model.target_embedding),
    ):
        if len(pieces) != (rows := embedding.tokens.num_embeddings):
            yield f"the {side} vocabulary has {len(pieces)} pieces for {rows} rows of the embedding"
        elif len(set(pieces)) < len(pieces):
            twice = next(piece for index, piece in enumerate(pieces) if piece in pieces[:index])
            yield f"the {side} vocabulary has {twice!r} twice"
    for name, index in (("EOS", EOS_ID), ("UNK", UNK_ID)):  # it has one name of each for both sides
        if len(found := {tuple(pieces[index : index + 1]) for pieces in (source, target)}) > 1:
            yield f"{name} has two names: {' and '.join(repr(piece) for (piece,) in sorted(found))}"


def _save(spec: Any, folder: Path) -> None:
    """Under a temporary name first: there is no half-written model."""
    temporary = folder.with_name(f".{folder.name}.tmp")
    try:
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        spec.save(str(temporary))
        if folder.exists():
            folder.rmdir()
        temporary.rename(folder)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ModelError(f"{folder} cannot be written: {reason}", "free some space, or another folder") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _spec(config: ModelConfig) -> Any:
    """The model's shape, as yet without weights. Raises UsageError when the package is not installed."""
    try:
        from ctranslate2.specs import common_spec, transformer_spec
    except ImportError as error:
        raise UsageError("ctranslate2 is not installed", 'pip install "nmtkit[ct2]"') from error
    common = {
        "pre_norm": config.norm_position == "pre",
        "activation": common_spec.Activation[_ACTIVATIONS[config.activation]],
        "ffn_glu": config.gated,
        "rms_norm": config.norm == "rms",
        "rotary_dim": 0 if config.positions == "rotary" else None,  # 0: all of a head
        "rotary_interleave": False,
    }
    encoder = transformer_spec.TransformerEncoderSpec(config.encoder_layers, config.num_heads, **common)
    if config.positions == "rotary":
        del encoder.position_encodings
    # Of no heads in particular: the attention that it can return is the mean over all.
    decoder = transformer_spec.TransformerDecoderSpec(
        config.decoder_layers, config.num_heads, alignment_layer=-1, alignment_heads=0, **common
    )
    return transformer_spec.TransformerSpec(encoder, decoder)


def _fill(spec: Any, model: Transformer) -> None:
    spec.encoder.embeddings[0].weight = _copy(model.source_embedding.tokens.weight)
    spec.decoder.embeddings.weight = _copy(model.target_embedding.tokens.weight)
    for stack, embedding, blocks, norm in (
        (spec.encoder, model.source_embedding, model.encoder, model.encoder_norm),
        (spec.decoder, model.target_embedding, model.decoder, model.decoder_norm),
    ):
        stack.scale_embeddings = embedding.scale
        _fill_positions(stack, embedding, model.config)
        for layer, block in zip(stack.layer, blocks, strict=True):
            assert isinstance(block, TransformerBlock)
            _fill_block(layer, block)
        if not isinstance(norm, nn.Identity):
            _fill_norm(stack.layer_norm, norm)
    _fill_linear(spec.decoder.projection, model.output)


def _fill_positions(stack: Any, embedding: Embedding, config: ModelConfig) -> None:
    """Left out, they would be its own sines, which count from another place, and nobody would be told."""
    if embedding.learned is not None:
        stack.position_encodings.encodings = _copy(embedding.learned.weight)
    elif embedding.positions is not None:
        rows = max(POSITIONS, config.max_length)
        stack.position_encodings.encodings = _copy(sinusoidal_positions(rows, config.d_model))


def _fill_block(layer: Any, block: TransformerBlock) -> None:
    _fill_linear(layer.self_attention.linear[0], block.self_attention.queries_keys_values)
    _fill_linear(layer.self_attention.linear[1], block.self_attention.output)
    _fill_norm(layer.self_attention.layer_norm, block.self_attention_norm)
    if block.cross_attention is not None:
        _fill_linear(layer.attention.linear[0], block.cross_attention.queries)
        _fill_linear(layer.attention.linear[1], block.cross_attention.keys_values)
        _fill_linear(layer.attention.linear[2], block.cross_attention.output)
        _fill_norm(layer.attention.layer_norm, block.cross_attention_norm)
    feed_forward = block.feed_forward
    if feed_forward.gate is None:
        _fill_linear(layer.ffn.linear_0, feed_forward.up)
    else:  # activation(linear_0(x)) * linear_0_noact(x)
        _fill_linear(layer.ffn.linear_0, feed_forward.gate)
        _fill_linear(layer.ffn.linear_0_noact, feed_forward.up)
    _fill_linear(layer.ffn.linear_1, feed_forward.down)
    _fill_norm(layer.ffn.layer_norm, block.feed_forward_norm)


def _fill_linear(spec: Any, linear: nn.Linear) -> None:
    spec.weight = _copy(linear.weight)
    if linear.bias is not None:
        spec.bias = _copy(linear.bias)


def _fill_norm(spec: Any, norm: nn.Module | None) -> None:
    assert isinstance(norm, nn.LayerNorm | nn.RMSNorm)
    spec.gamma = _copy(norm.weight)
    if isinstance(norm, nn.LayerNorm):
        spec.beta = _copy(norm.bias)


def _copy(tensor: torch.Tensor) -> Any:
    """A numpy array of its own: `optimize` writes its result over what it is given."""
    return tensor.detach().to("cpu", torch.float32, copy=True).contiguous().numpy()
