"""Model folders, written and loaded; what lies where in them is in `folders.py`.

Everything is written under a temporary name, flushed to the disk and renamed: there is no half-written model.
"""

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn
from torch.overrides import TorchFunctionMode

import nmt
from nmt import config as configuration
from nmt.config import Config
from nmt.errors import DataError, ModelError
from nmt.folders import (
    CALIBRATION,
    FORMAT,
    TAKE_ANOTHER,
    TRAINER_STATE,
    checkpoint_folder,
    checkpoints,
    crc32,
    find_model,
    load_config,
    read_calibration,
    read_facts,
    verify,
)
from nmt.model import Transformer
from nmt.runtime import pick_device
from nmt.text.lines import atomic_file
from nmt.text.tokenizer import Tokenizer


@dataclass
class LoadedModel:
    """A model folder in memory. facts: what model.json says (languages, step, scores).

    calibration: what calibration.json says, for `decoding.calibration` to read; empty without one.
    """

    folder: Path
    config: Config
    model: Transformer
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer
    facts: dict[str, Any]
    calibration: dict[str, Any] = field(default_factory=dict)


def write_text(path: Path, text: str) -> None:
    """Atomically: the old file or the new one, never half of one."""
    with atomic_file(path) as file:
        file.write(text.encode("utf-8"))


def save(
    run: Path,
    step: int,
    model: Transformer,
    config: Config,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    facts: Mapping[str, Any],
    trainer_state: Mapping[str, Any] | None = None,
    calibration: Mapping[str, Any] | None = None,
) -> Path:
    """Write the model folder checkpoints/step-N of a run; returns it. The weights are saved as they are now.

    trainer_state: what training needs to go on; tensors and plain values only.
    calibration: what dev has taught about these weights.
    Raises ModelError when a weight is not finite, or when the disk does not take it; earlier checkpoints stay.
    """
    folder = checkpoint_folder(run, step)
    remedy = "free some space, then --resume: earlier checkpoints are whole" if checkpoints(run) else "free some space"
    loaded = LoadedModel(folder, config, model, source_tokenizer, target_tokenizer, {"step": step, **facts})
    loaded.calibration = dict(calibration or {})
    write_model(loaded, trainer_state, remedy)
    return folder


def write_model(
    loaded: LoadedModel, trainer_state: Mapping[str, Any] | None = None, remedy: str = "free some space"
) -> None:
    """Write a model folder at `loaded.folder`, in the place of an older one: all of it or nothing.

    remedy: what to do when the disk does not take it.  Raises ModelError then, and when a weight is not finite.
    """
    model, config, folder = loaded.model, loaded.config, loaded.folder
    for name, tensor in model.state_dict().items():
        if not bool(torch.isfinite(tensor).all()):
            step = loaded.facts.get("step")
            raise ModelError(
                f"{name} is not finite at step {step}: the model is not saved", "lower train.learning_rate"
            )
    temporary = folder.with_name(f".{folder.name}.tmp")
    try:
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        described = {
            "format": FORMAT,
            "nmtkit": nmt.__version__,
            "source_language": config.data.source_language,
            "target_language": config.data.target_language,
            "source_vocab_size": loaded.source_tokenizer.vocab_size,
            "target_vocab_size": loaded.target_tokenizer.vocab_size,
            "parameters": sum(p.numel() for p in model.parameters()),
            **loaded.facts,
        }
        write_text(temporary / "config.yaml", configuration.dump(config))
        loaded.source_tokenizer.save(temporary / "source.spm")
        loaded.target_tokenizer.save(temporary / "target.spm")
        # By parameter, so that a tied weight is written once, and equal models are equal files.
        weights = {name: parameter.detach().contiguous() for name, parameter in model.named_parameters()}
        save_file(weights, temporary / "model.safetensors")
        # safetensors makes it readable by its owner alone: whoever may read the rest may read this.
        shutil.copymode(temporary / "config.yaml", temporary / "model.safetensors")
        if trainer_state is not None:
            (temporary / TRAINER_STATE).parent.mkdir()
            # Through a file of ours: torch's own hides a full disk behind an error of its format.
            with (temporary / TRAINER_STATE).open("wb") as file:
                torch.save(dict(trainer_state), file)
        if loaded.calibration:
            write_calibration(temporary, loaded.calibration)
        # Not of config.yaml: a person may edit how their model decodes.
        binary = [path for path in _files(temporary) if path.suffix in (".safetensors", ".spm", ".pt")]
        described["crc32"] = {path.relative_to(temporary).as_posix(): crc32(path) for path in binary}
        write_text(temporary / "model.json", json.dumps(described, indent=2, ensure_ascii=False) + "\n")
        _flush(temporary)
        if folder.exists():  # written before a crash and a resume from an earlier one: the same step, saved again
            remove_folder(folder)
        temporary.rename(folder)
        _flush_folder(folder.parent)
    except (DataError, OSError, SafetensorError, RuntimeError) as error:
        reason = error.message if isinstance(error, DataError) else getattr(error, "strerror", None) or error
        raise ModelError(f"{folder} cannot be written: {reason}", remedy) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)  # after the rename there is nothing left of it


def write_calibration(folder: Path, calibration: Mapping[str, Any]) -> None:
    """Write calibration.json of a model folder, or replace it. Raises DataError when the disk does not take it."""
    write_text(folder / CALIBRATION, json.dumps(dict(calibration), indent=2, ensure_ascii=False) + "\n")


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def remove_folder(folder: Path) -> None:
    """Hide it first, so that a kill in the middle leaves no half folder that looks whole."""
    hidden = folder.with_name(f".{folder.name}.old")
    shutil.rmtree(hidden, ignore_errors=True)
    folder.rename(hidden)
    shutil.rmtree(hidden, ignore_errors=True)


def _flush(folder: Path) -> None:
    for path in _files(folder):
        with path.open("rb") as file:
            os.fsync(file.fileno())
    for path in (*folder.rglob("*/"), folder):
        _flush_folder(path)


def _flush_folder(folder: Path) -> None:
    """Make a rename last: on POSIX the folder itself has to be flushed."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def point(run: Path, pointer: str, folder: Path) -> None:
    """Let `best` or `last` name a checkpoint of the run."""
    write_text(run / pointer, f"{folder.relative_to(run)}\n")


def load_model(path: Path, device: str = "cpu") -> LoadedModel:
    """Load a run's best model, or a model folder, for translating.

    Raises ModelError when it is missing, damaged, or of a newer format. Nothing is unpickled.
    """
    place = pick_device(device)
    folder = find_model(path)
    facts = read_facts(folder)
    verify(folder, facts)
    config = load_config(folder)
    source_tokenizer = Tokenizer.load(folder / "source.spm")
    target_tokenizer = Tokenizer.load(folder / "target.spm")
    for side, tokenizer in (("source", source_tokenizer), ("target", target_tokenizer)):
        if (trained := facts.get(f"{side}_vocab_size", tokenizer.vocab_size)) != tokenizer.vocab_size:
            raise ModelError(
                f"{folder / side}.spm has {tokenizer.vocab_size} pieces, but the model was trained with {trained}",
                TAKE_ANOTHER,
            )
    with _Unwritten():
        model = Transformer(config.model, source_tokenizer.vocab_size, target_tokenizer.vocab_size)
    try:
        _map_weights(model, folder / "model.safetensors")
    except (OSError, SafetensorError, RuntimeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ModelError(
            f"{folder / 'model.safetensors'} is damaged or missing, or config.yaml is another model's: {reason}",
            TAKE_ANOTHER,
        ) from error
    placed = model.to(place).eval()
    return LoadedModel(folder, config, placed, source_tokenizer, target_tokenizer, facts, read_calibration(folder))


class _Unwritten(TorchFunctionMode):
    """Large parameters made inside are not initialised: their memory, never touched, costs nothing."""

    def __torch_function__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if function.__name__ in ("normal_", "uniform_", "kaiming_uniform_"):
            return args[0] if args else (kwargs or {})["tensor"]
        return function(*args, **(kwargs or {}))


def _map_weights(model: Transformer, path: Path) -> None:
    """Let the file's own pages be the parameters: all processes that read a model share them.

    They are mapped privately: whoever trains on them changes a copy, page by page.
    """
    stored = {name: nn.Parameter(tensor.float()) for name, tensor in load_file(path).items()}
    tied: dict[nn.Parameter, list[str]] = {}  # one parameter of several names is stored once, under any of them
    for name, parameter in model.named_parameters(remove_duplicate=False):
        tied.setdefault(parameter, []).append(name)
    for names in tied.values():
        kept = [stored[name] for name in names if name in stored]
        stored.update((name, kept[0]) for name in names if len(kept) == 1)
    model.load_state_dict(stored, assign=True)


def load_trainer_state(folder: Path) -> dict[str, Any]:
    """What training needs to go on from a checkpoint. Only tensors and plain values are read."""
    try:
        state = torch.load(folder / TRAINER_STATE, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises many kinds for a damaged file
        raise ModelError(f"{folder / TRAINER_STATE} is damaged: {type(error).__name__}", TAKE_ANOTHER) from error
    assert isinstance(state, dict)
    return state
