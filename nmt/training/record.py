"""What a training writes down of itself, into model.json of each checkpoint: enough to tell, and to do it again.

"training": {
    "sittings": one for each `nmt train`, the first one first: {
        "command": as it was typed; null when it was none,  "began", "saved": ISO 8601,  "from_step", "to_step",
        "seconds",  "device", "threads", "processes",  "versions", "hardware" (see `nmt.runtime`),
        "peak_memory": bytes of the first process, "peak_gpu_memory"
    }
    "data": {"train": one for each corpus: {"name", "tags", "lines", "lines_encoded", "pairs", "source_tokens",
        "target_tokens", "left_out": {reason: pairs}},  "dev": {"name", "lines"},  "parent_dev": the same or null}
    "init_from": {"model", "step", "crc32" of its weights}, or null
}
A checkpoint that is saved while a large text is still being encoded knows of what is encoded so far.
"""

import os
import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch

from nmt import distributed, folders, runtime
from nmt.config import Config, DataConfig
from nmt.corpus.reader import ParallelText
from nmt.corpus.shards import Shards
from nmt.training.preparation import Prepared
from nmt.training.state import TrainerState


class Record:
    """What there is to say of this sitting and of those before it; called at each checkpoint."""

    def __init__(
        self, prepared: Prepared, device: torch.device, words: Sequence[str] | None, resumed: Path | None = None
    ) -> None:
        """words: of the command line, after `nmt`.  resumed: the checkpoint that is gone on from."""
        self._prepared = prepared
        facts = {} if resumed is None else folders.read_facts(resumed)
        before = facts.get("training", {})
        self._earlier = before.get("sittings", [])
        self._from_step, self._from_seconds = facts.get("step", 0), facts.get("seconds", 0.0)
        # Of a run that goes on the parent may be gone.
        self._parent = before.get("init_from") if resumed is not None else _parent_of(prepared.config)
        self._device = device
        self._sitting = {
            "command": None if words is None else command_line(words),
            "began": now(),
            "device": device.type,
            "threads": torch.get_num_threads(),
            "processes": distributed.world_size(),
            "versions": runtime.versions(),
            "hardware": runtime.hardware(),
        }

    def __call__(self, state: TrainerState) -> dict[str, Any]:
        """As above; state: where the training stands."""
        sitting = self._sitting | {
            "saved": now(),
            "from_step": self._from_step,
            "to_step": state.step,
            "seconds": round(state.seconds - self._from_seconds, 1),
            "peak_memory": runtime.peak_memory(),
        }
        if self._device.type == "cuda":
            sitting["peak_gpu_memory"] = torch.cuda.max_memory_allocated(self._device)
        prepared = self._prepared
        data = {
            "train": _corpora(prepared.train.shards, prepared.config.data),
            "dev": _held_out(prepared.dev_text),
            "parent_dev": None if prepared.parent_dev_text is None else _held_out(prepared.parent_dev_text),
        }
        return {"sittings": [*self._earlier, sitting], "data": data, "init_from": self._parent}


def now() -> str:
    """ISO 8601, to the second, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def command_line(words: Sequence[str]) -> str:
    """As one would type it. words: after `nmt`."""
    # torchrun does not tell its own options; how many processes there are is written down beside it.
    start = "torchrun ... -m nmt" if "TORCHELASTIC_RUN_ID" in os.environ else "nmt"
    return f"{start} {shlex.join(words)}"


def _parent_of(config: Config) -> dict[str, Any] | None:
    if config.train.init_from is None:
        return None
    folder = folders.find_model(Path(config.train.init_from))
    crc32 = folders.checksums(folder)["model.safetensors"]
    return {"model": config.train.init_from, "step": folders.read_facts(folder).get("step"), "crc32": crc32}


def _corpora(shards: Sequence[Shards], data: DataConfig) -> list[dict[str, Any]]:
    told = []
    for one, corpus in zip(shards, data.corpora, strict=True):
        counted = one.counted()
        told.append(
            {
                "name": one.name,
                "tags": list(corpus.tags),
                "lines": one.lines,
                "lines_encoded": counted.lines,
                "pairs": counted.pairs,
                "source_tokens": counted.source_tokens,
                "target_tokens": counted.target_tokens,
                "left_out": dict(sorted(counted.left_out.items())),
            }
        )
    return told


def _held_out(text: ParallelText) -> dict[str, Any]:
    return {"name": text.name, "lines": len(text)}
