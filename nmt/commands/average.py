"""`nmt average`: one model out of several checkpoints, weight by weight (Vaswani et al. 2017, section 6.1)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch

from nmt import checkpoint, console
from nmt.checkpoint import LoadedModel
from nmt.errors import ModelError, UsageError
from nmt.folders import checkpoints, find_model


def run(models: Sequence[Path], output: Path, *, last: int | None, overwrite: bool) -> None:
    """Average model folders, or the newest `last` checkpoints of a run (None: all), into a new model folder."""
    if output.exists() and not overwrite:
        raise UsageError(f"{output} exists", "--overwrite, or another --output")
    if output.exists() and not (output / "model.json").is_file():
        raise UsageError(f"{output} is no model folder; it is left alone", "another --output")
    folders = [folder for path in models for folder in _folders(path, last)]
    if len(folders) < 2:
        raise UsageError(f"an average needs two models, not {len(folders)}", "raise train.keep_last, or name more")
    averaged = average(folders)
    checkpoint.write_model(replace(averaged, folder=output.resolve()))
    console.log(f"{output}: the average of {', '.join(folder.name for folder in folders)}")


def _folders(path: Path, last: int | None) -> list[Path]:
    found = checkpoints(path)
    return found[-last:] if found and last is not None else found or [find_model(path)]


def average(folders: Sequence[Path]) -> LoadedModel:
    """The mean of all weights, summed in float64; configuration and subwords are those of the last one.

    Raises ModelError when they are not models of one shape with the same subwords.
    """
    result = checkpoint.load_model(folders[-1])
    sums = {name: parameter.detach().double() for name, parameter in result.model.named_parameters()}
    for folder in folders[:-1]:
        other = checkpoint.load_model(folder)
        if other.config.model.model_copy(update={"preset": result.config.model.preset}) != result.config.model:
            raise ModelError(f"{folder} and {folders[-1]} are not of one shape", "average checkpoints of one run")
        for side in ("source_tokenizer", "target_tokenizer"):
            if getattr(other, side).proto != getattr(result, side).proto:
                raise ModelError(
                    f"{folder} and {folders[-1]} have different subwords", "average checkpoints of one run"
                )
        for name, parameter in other.model.named_parameters():
            sums[name] += parameter.detach().double()
    with torch.no_grad():
        for name, parameter in result.model.named_parameters():
            parameter.copy_(sums[name] / len(folders))
    # The scores and the calibration of one of them are not those of their mean.
    kept = {name: value for name, value in result.facts.items() if name in ("step", "tokens")}
    return replace(result, facts=kept | {"average_of": [folder.name for folder in folders]}, calibration={})
