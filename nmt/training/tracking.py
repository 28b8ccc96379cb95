"""TensorBoard, Weights & Biases and Trackio: what goes to metrics.jsonl goes to them, too.

A tracker is a convenience: whatever it raises costs one warning and the tracker, never the training. All three print
where they like; what they print during a call is dropped, and the places to look at are told in a line of our own.
"""

import contextlib
import io
import json
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nmt import checkpoint, console
from nmt import config as configuration
from nmt.config import Config
from nmt.errors import ConfigError

PROJECT = "nmt"
PATIENCE = 20.0  # seconds that Weights & Biases gets to answer at the start, and to send the rest at the end
MEMORY = "tracking.json"  # in the run's folder: by tracker the run's id there, and the rows it has had already

RowKey = tuple[int, str]  # a row's step and the names in it: at one step there may be a loss and a validation


@dataclass(frozen=True)
class Tracked:
    """A run as a tracker sees it.

    folder: where it lies now; a new one moves once, at its first checkpoint.
    identity: the same each time the run goes on.  resumed_at: the step it goes on from; None when it is new to this
    tracker.
    """

    name: str
    folder: Callable[[], Path]
    config: Config
    identity: str
    resumed_at: int | None


class Tracker(ABC):
    """What is asked of each library; its import is in the constructor. Any method may raise anything."""

    takes_back = False  # the rows after resumed_at, which a resumed run writes again

    @abstractmethod
    def start(self, run: Tracked) -> str:
        """Begin, or go on; returns where to look."""

    @abstractmethod
    def record(self, step: int, numbers: Mapping[str, float]) -> None:
        """One row."""

    def let_go(self) -> None:  # noqa: B027
        """Close what is open in the run's folder, which is about to be renamed."""

    @abstractmethod
    def finish(self) -> None:
        """Write what is left; nothing comes after it."""


class TensorBoard(Tracker):
    """Event files in RUN/tensorboard."""

    takes_back = True

    def __init__(self) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self._open: Any = SummaryWriter
        self._writer: Any = None
        self._place: Callable[[], Path]

    def start(self, run: Tracked) -> str:
        self._place = lambda: run.folder() / "tensorboard"
        # Of the older files TensorBoard then shows nothing from that step on.
        purge = None if run.resumed_at is None else run.resumed_at + 1
        self._writer = self._open(self._place(), purge_step=purge, flush_secs=5)
        markdown = "".join(f"    {line}\n" for line in configuration.dump(run.config).split("\n"))
        self._writer.add_text("config", markdown, run.resumed_at or 0)
        return f"tensorboard --logdir {run.folder().with_name(run.name) / 'tensorboard'}"

    def record(self, step: int, numbers: Mapping[str, float]) -> None:
        if self._writer is None:
            self._writer = self._open(self._place(), flush_secs=5)
        for name, number in numbers.items():
            self._writer.add_scalar(name, number, step)

    def let_go(self) -> None:
        if self._writer is not None:
            self._writer.close()  # it opens its file by name for each write
        self._writer = None

    def finish(self) -> None:
        self.let_go()


class WeightsAndBiases(Tracker):
    """Online when somebody is logged in and the service answers, else offline, for `wandb sync`."""

    def __init__(self) -> None:
        import wandb

        if wandb.__file__ is None:
            raise ImportError("No module named 'wandb'")  # only the folder ./wandb that earlier runs have left
        self._wandb: Any = wandb
        self._run: Any = None

    def start(self, run: Tracked) -> str:
        reason = ""
        try:
            self._run = self._init(run, mode=None)  # as WANDB_MODE says
        except self._wandb.Error as error:
            self._wandb.teardown()  # else the id would be in use
            reason = f" ({_first_line(error)})"
            self._run = self._init(run, mode="offline")
        self._run.define_metric("step")
        self._run.define_metric("*", step_metric="step")
        if self._run.offline:
            return f"offline{reason}; to send it: wandb sync {Path(self._run.dir).parent}"
        return str(self._run.url)

    def _init(self, run: Tracked, mode: str | None) -> Any:
        settings = self._wandb.Settings(
            silent=True,  # and no question for a login
            console="off",
            init_timeout=PATIENCE,
            finish_timeout=PATIENCE,
        )
        config = run.config.model_dump(mode="json")
        return self._wandb.init(
            project=PROJECT, name=run.name, id=run.identity, resume="allow", config=config, mode=mode, settings=settings
        )

    def record(self, step: int, numbers: Mapping[str, float]) -> None:
        # An axis of our own: wandb's must rise with every row, and would drop what a resumed run makes up for.
        self._run.log({"step": step, **numbers})

    def finish(self) -> None:
        self._run.finish()


class Trackio(Tracker):
    """A local database, or a Hugging Face Space when TRACKIO_SPACE_ID names one."""

    def __init__(self) -> None:
        import trackio

        self._trackio: Any = trackio
        self._run: Any = None

    def start(self, run: Tracked) -> str:
        resume = "never" if run.resumed_at is None else "allow"
        config = run.config.model_dump(mode="json")
        self._run = self._trackio.init(project=PROJECT, name=run.name, config=config, resume=resume, embed=False)
        return f"trackio show --project {PROJECT}"

    def record(self, step: int, numbers: Mapping[str, float]) -> None:
        self._run.log(dict(numbers), step=step)

    def finish(self) -> None:
        self._trackio.finish()


class Trackers:
    """Those that `train.track` names, loaded; those that fail are left out from then on."""

    def __init__(self, names: Collection[str] = ()) -> None:
        """Raises ConfigError when a library is not there."""
        self._loaded: dict[str, Tracker] = {}
        self._trackers: dict[str, Tracker] = {}  # those that have started, and not failed
        self._told: dict[str, set[RowKey]] = {}
        missing = []
        for name in names:
            try:
                with _silence():
                    self._loaded[name] = _load(name)
            except Exception as error:  # an ImportError, or what a broken installation comes up with
                missing.append((name, _first_line(error)))
        if missing:
            told = " and ".join(f"{name}, which cannot be imported ({reason})" for name, reason in missing)
            extras = ",".join(name for name, _ in missing)
            raise ConfigError(f"train.track names {told}", f'pip install "nmtkit[{extras}]"')

    def start(
        self, run_name: str, folder: Callable[[], Path], config: Config, step: int, dropped: Collection[RowKey]
    ) -> None:
        """Begin to track a run, or go on.

        step: where the training stands.  dropped: rows of metrics.jsonl after it, which will be written again.
        """
        if not self._loaded:
            return
        memory = _remembered(folder() / MEMORY)
        for name, tracker in self._loaded.items():
            known = memory.get(name)
            identity = known["id"] if known else uuid.uuid4().hex[:8]
            # Those of earlier sittings too: it may be the second time that the run goes back so far.
            self._told[name] = {key for key in (*known["told"], *dropped) if key[0] > step} if known else set()
            memory[name] = {"id": identity, "told": sorted(self._told[name])}
            with self._guarded(name):
                with _silence():
                    place = tracker.start(Tracked(run_name, folder, config, identity, step if known else None))
                self._trackers[name] = tracker
                console.log(f"tracking: {place}")
        checkpoint.write_text(folder() / MEMORY, json.dumps(memory) + "\n")

    def record(self, row: Mapping[str, Any]) -> None:
        """A row of metrics.jsonl; of its values the numbers."""
        numbers = {name: value for name, value in row.items() if name != "step" and isinstance(value, int | float)}
        for name, tracker in list(self._trackers.items()):
            if tracker.takes_back or row_key(row) not in self._told[name]:
                with self._guarded(name), _silence():
                    tracker.record(row["step"], numbers)

    def let_go(self) -> None:
        """Before the run's folder is renamed."""
        for name, tracker in list(self._trackers.items()):
            with self._guarded(name), _silence():
                tracker.let_go()

    def finish(self) -> None:
        """At the end of the training, however it ends."""
        for name, tracker in list(self._trackers.items()):
            with self._guarded(name), _silence():
                tracker.finish()
        self._trackers.clear()

    @contextlib.contextmanager
    def _guarded(self, name: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self._trackers.pop(name, None)
            console.warn(f"tracking with {name} ends here: {_first_line(error)}; the training goes on")


def _load(name: str) -> Tracker:
    match name:
        case "tensorboard":
            return TensorBoard()
        case "wandb":
            return WeightsAndBiases()
        case _:
            return Trackio()


def row_key(row: Mapping[str, Any]) -> RowKey:
    """What makes a row of a resumed run the same one as before."""
    return int(row["step"]), " ".join(sorted(row))


def _remembered(path: Path) -> dict[str, Any]:
    """tracking.json; empty when it is missing or no longer what was written."""
    try:
        memory = json.loads(path.read_text(encoding="utf-8"))
        return {
            name: {"id": str(known["id"]), "told": list(map(tuple, known["told"]))} for name, known in memory.items()
        }
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    nowhere = io.StringIO()  # never closed: a library may keep it for what it prints later
    with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        yield


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__
