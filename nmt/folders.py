"""Run folders and model folders: what lies where, how it is found again, and what it says of itself.

run:           runs/X/{config.yaml, metrics.jsonl, lock, best, last, checkpoints/step-N/}
model folder:  {model.json, config.yaml, source.spm, target.spm, model.safetensors, calibration.json, trainer/}

`best` and `last` are small files that name a checkpoint. trainer/ is needed only to train on, calibration.json to judge
translations; both may be deleted. Whoever only looks does without torch; `checkpoint.py` writes and loads.
"""

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nmt import console
from nmt.errors import ConfigError, ModelError

if TYPE_CHECKING:
    from nmt.config import Config

FORMAT = 1
CHECKPOINTS = "checkpoints"
TRAINER_STATE = Path("trainer") / "state.pt"
METRICS = "metrics.jsonl"
CALIBRATION = "calibration.json"
TAKE_ANOTHER = "name an earlier checkpoint of the run (-m RUN/checkpoints/step-N), or copy the model again"


def checkpoint_folder(run: Path, step: int) -> Path:
    """Where the checkpoint of update `step` lies, or would lie."""
    return run / CHECKPOINTS / f"step-{step}"


def pointed(run: Path, pointer: str) -> Path | None:
    """The checkpoint that `best` or `last` names, if it is there."""
    try:
        folder = run / (run / pointer).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return folder if (folder / "model.json").is_file() else None


def checkpoints(run: Path) -> list[Path]:
    """All whole checkpoints of a run, oldest first. What else a user keeps beside them (step-9-copy) is not ours."""
    named = [path for path in (run / CHECKPOINTS).glob("step-*") if path.name.removeprefix("step-").isdecimal()]
    found = [path for path in named if (path / "model.json").is_file()]
    return sorted(found, key=lambda path: int(path.name.removeprefix("step-")))


def is_checkpoint(model: Path) -> bool:
    """Whether a model folder lies in a run; not where somebody has put it, perhaps for others."""
    model = model.resolve()
    return model.parent.name == CHECKPOINTS and model in checkpoints(model.parent.parent)


def find_model(path: Path) -> Path:
    """The model folder that `path` means: itself, or the best (else the last) checkpoint of a run."""
    if (path / "model.json").is_file():
        return path
    for pointer in ("best", "last"):
        folder = pointed(path, pointer)
        if folder is not None:
            return folder
    if whole := checkpoints(path):
        return whole[-1]
    if not path.exists():
        raise ModelError(f"there is no model {path}", "nmt train -o DIR trains one")
    if (path / "model.safetensors").is_file():
        raise ModelError(f"{path} is a model folder without its model.json", TAKE_ANOTHER)
    if (path / CHECKPOINTS).is_dir() or (path / "config.yaml").is_file():
        raise ModelError(f"{path} has no checkpoint yet", "wait for its first one, or train on with --resume")
    raise ModelError(f"{path} is neither a run nor a model folder", "name a folder that nmt train has made")


def newest_run(runs: Path) -> Path | None:
    """The run whose last checkpoint is youngest, under `runs`."""
    found = [run for run in runs.glob("[!.]*") if (run / "last").is_file() or (run / "best").is_file()]
    return max(found, key=lambda run: max(p.stat().st_mtime for p in run.glob("[bl][ea]st")), default=None)


def read_facts(folder: Path) -> dict[str, Any]:
    """What model.json says. Raises ModelError when it is missing, damaged, or of a newer format."""
    try:
        facts = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"{folder / 'model.json'} cannot be read: {error}", TAKE_ANOTHER) from error
    version = facts.get("format") if isinstance(facts, dict) else None
    if type(version) is not int or version < 1:
        raise ModelError(f"{folder / 'model.json'} names no format", TAKE_ANOTHER)
    if version > FORMAT:
        raise ModelError(
            f"{folder} was made by a newer version of nmt (format {version}; this one reads up to {FORMAT})",
            "pip install --upgrade nmtkit",
        )
    return dict(facts)


def load_config(folder: Path) -> "Config":
    """How a model folder's model was trained, and decodes. Raises ModelError when that is missing or wrong."""
    from nmt import config as configuration  # here: who only looks for a folder need not wait for it

    try:
        return configuration.load_saved(folder / "config.yaml")
    except ConfigError as error:
        raise ModelError(f"{folder} cannot be read: {error.message}", "train or copy the model again") from error


def read_calibration(folder: Path) -> dict[str, Any]:
    """What calibration.json says; nothing when there is none or, with a warning, when it is broken."""
    try:
        found = json.loads((folder / CALIBRATION).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        found = error
    if isinstance(found, dict):
        return found
    console.warn(f"{folder / CALIBRATION} cannot be read and is not used; nmt calibrate writes it anew")
    return {}


def crc32(path: Path) -> str:
    """Finds what a disk or a copy has damaged, at the speed of reading."""
    value = 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            value = zlib.crc32(block, value)
    return f"{value:08x}"


def verify(folder: Path, facts: Mapping[str, Any]) -> None:
    """Raises ModelError when a file is not what was written. What is missing is for its reader to say."""
    for name, expected in facts.get("crc32", {}).items():
        path = folder / name
        if path.is_file() and crc32(path) != expected:
            raise ModelError(f"{path} is damaged: its checksum is not the one in model.json", TAKE_ANOTHER)


def checksums(folder: Path) -> dict[str, str]:
    """Of all files that decide how a model folder translates, but for its configuration: the name and the CRC-32."""
    known = read_facts(folder).get("crc32", {})
    names = ("model.safetensors", "source.spm", "target.spm")
    return {name: known.get(name) or crc32(folder / name) for name in names}


def newest_sound(run: Path) -> Path:
    """The newest checkpoint to train on from, undamaged; warns of those that are not.

    Raises ModelError when there is none.
    """
    first: ModelError | None = None
    for folder in reversed(checkpoints(run)):
        try:
            verify(folder, read_facts(folder))
            if not (folder / TRAINER_STATE).is_file():
                raise ModelError(f"{folder} has no trainer/ any more: it translates, but cannot train on", "")
            return folder
        except ModelError as error:
            first = first or error
            console.warn(f"{error.message}; the checkpoint before it is taken")
    raise first or ModelError(f"{run} has no checkpoint to resume from", "leave out --resume to start the training")
