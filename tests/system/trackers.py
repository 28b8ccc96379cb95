"""Small stand-ins for TensorBoard, Weights & Biases and Trackio, which remember what they are told."""

import sys
import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

NAMES = ("tensorboard", "wandb", "trackio")


class ServiceError(Exception):
    """Stands for wandb.Error."""


@dataclass
class Ledger:
    """What one of them shows, and how it was called.

    numbers: (step, name, value), those taken back left out.  fails_at: the call that raises.
    """

    numbers: list[tuple[int, str, float]] = field(default_factory=list)
    starts: list[dict[str, Any]] = field(default_factory=list)
    finished: int = 0
    calls: int = 0
    fails_at: str = ""

    def add(self, step: int, row: Mapping[str, float]) -> None:
        self.numbers += [(step, name, value) for name, value in row.items()]

    def call(self, name: str) -> None:
        self.calls += 1
        print(f"chatter of {name}")
        print(f"chatter of {name}", file=sys.stderr)
        if name == self.fails_at:
            raise OSError(f"{name} does not work\nbecause of much")


def install(name: str, monkeypatch: pytest.MonkeyPatch) -> Ledger:
    """Let `name` be a stand-in."""
    ledger = Ledger()
    module = {"tensorboard": _tensorboard, "wandb": _wandb, "trackio": _trackio}[name](ledger)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return ledger


def uninstall(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the import of `name` fail, whether it is there or not."""
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard" if name == "tensorboard" else name, None)


def _tensorboard(ledger: Ledger) -> types.ModuleType:
    class SummaryWriter:
        def __init__(self, log_dir: Path, purge_step: int | None = None, flush_secs: int = 120) -> None:
            ledger.call("start")
            log_dir.mkdir(parents=True, exist_ok=True)
            self.file = log_dir / f"events.{len(list(log_dir.iterdir()))}"
            self.file.touch()
            if purge_step is not None:
                ledger.numbers[:] = [number for number in ledger.numbers if number[0] < purge_step]

        def add_text(self, tag: str, text: str, step: int) -> None:
            ledger.starts.append({tag: text})

        def add_scalar(self, tag: str, value: float, step: int) -> None:
            ledger.call("record")
            assert self.file.is_file()  # as the real one, which opens it by name for each write
            ledger.add(step, {tag: value})

        def close(self) -> None:
            assert self.file.is_file()
            ledger.finished += 1
            ledger.call("finish")

    module = types.ModuleType("torch.utils.tensorboard")
    module.SummaryWriter = SummaryWriter  # type: ignore[attr-defined]
    return module


def _wandb(ledger: Ledger) -> types.ModuleType:
    class Run:
        dir, url = "wandb/offline-run-1/files", "https://example.org/run"

        def __init__(self, mode: str | None) -> None:
            self.offline = mode == "offline"

        def define_metric(self, name: str, step_metric: str | None = None) -> None:
            pass

        def log(self, row: dict[str, float]) -> None:
            ledger.call("record")
            ledger.add(int(row["step"]), {name: value for name, value in row.items() if name != "step"})

        def finish(self) -> None:
            ledger.finished += 1
            ledger.call("finish")

    in_use: set[str] = set()  # a start that fails leaves its id behind

    def init(**settings: Any) -> Run:
        ledger.starts.append(settings)
        ledger.call("start")
        if settings["id"] in in_use:
            raise ServiceError("the run's id is in use")
        if ledger.fails_at == "login" and settings["mode"] is None:
            in_use.add(settings["id"])
            raise ServiceError("No API key configured.")
        return Run(settings["mode"])

    module = types.ModuleType("wandb")
    module.__file__ = "wandb/__init__.py"
    module.__dict__.update(Error=ServiceError, Settings=dict, init=init, teardown=in_use.clear)
    return module


def _trackio(ledger: Ledger) -> types.ModuleType:
    class Run:
        def log(self, row: dict[str, float], step: int) -> None:
            ledger.call("record")
            ledger.add(step, row)

    def init(**settings: Any) -> Run:
        ledger.starts.append(settings)
        ledger.call("start")
        return Run()

    def finish() -> None:
        ledger.finished += 1
        ledger.call("finish")

    module = types.ModuleType("trackio")
    module.__dict__.update(init=init, finish=finish)
    return module
