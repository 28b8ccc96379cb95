"""The run folder of a training: who may write to it, its log of metrics, and which checkpoints it keeps."""

import contextlib
import json
import math
import os
import shutil
import types
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Self

from nmt import checkpoint, folders
from nmt.config import Config
from nmt.errors import ModelError, UsageError
from nmt.training.tracking import RowKey, Trackers, row_key


class Run:
    """A run folder, locked while it is open.

    A new run X is built beside its place, in the hidden folder .X.new, and takes it with its first checkpoint. So a
    training that fails early leaves nothing behind, and `overwrite` removes the old run only when there is a new model.
    """

    def __init__(
        self, folder: Path, *, resume: bool = False, overwrite: bool = False, trackers: Trackers | None = None
    ) -> None:
        """Raises UsageError when the folder may not be used in that way, ModelError when it is in use or cannot be."""
        self._trackers = trackers or Trackers()
        self._dropped: list[RowKey] = []
        self.name = folder  # as the user wrote it, for messages
        self.place = _resolved(folder)  # a link to a folder stays a link
        self._old = self.place.parent / f".{self.place.name}.old"
        self._made = [parent for parent in self.place.parents if not parent.exists()]
        self._locks: list[IO[str]] = []
        self.folder = self.place
        if resume and overwrite:
            raise UsageError("--resume and --overwrite exclude each other", "leave one out")
        try:
            self._recover()
            self._check_place(resume, overwrite)
            if not resume:
                self._open_new_folder()
                self._check_place(resume, overwrite)  # again: another training may have taken the place meanwhile
            if _is_run(self.place):
                self._lock(self.place)  # to go on with it, or to replace it once we have a checkpoint
                self._sweep()
        except OSError as error:
            self.close()
            reason = (error.strerror or str(error)).lower()
            raise ModelError(f"{folder} cannot hold a run: {reason}", "another folder with -o") from error
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give up the locks; a run that never had a checkpoint is removed."""
        self._trackers.finish()
        if self.folder != self.place:
            shutil.rmtree(self.folder, ignore_errors=True)
            with contextlib.suppress(OSError):
                for parent in self._made:
                    parent.rmdir()
        while self._locks:
            self._locks.pop().close()

    # ---- the folder

    def _recover(self) -> None:
        """Killed in the middle of `settle`: the old run gets its place back."""
        if not self.place.exists() and _is_run(self._old):
            self._old.rename(self.place)

    def _check_place(self, resume: bool, overwrite: bool) -> None:
        place, name = self.place, self.name
        if resume:
            if not folders.checkpoints(place):
                raise ModelError(f"{name} has no checkpoint to resume from", "leave out --resume to start the training")
            return
        if place.is_dir() and (os.path.ismount(place) or place == Path.cwd() or place in Path.cwd().parents):
            raise UsageError(f"{name} cannot become a run folder itself", f"a folder inside it: -o {name / 'NAME'}")
        if not place.exists() or (place.is_dir() and not any(place.iterdir())):
            return
        if not _is_run(place):
            raise UsageError(f"{name} exists and is no run of nmt; it is left alone", "take another folder with -o")
        if not overwrite:
            raise UsageError(
                f"{name} already holds a run", "--resume to go on with it, --overwrite to replace it, or another -o"
            )

    def _open_new_folder(self) -> None:
        """The hidden folder, emptied of what a killed training may have left in it."""
        folder = self.place.parent / f".{self.place.name}.new"
        folder.mkdir(parents=True, exist_ok=True)
        self._lock(folder)
        self.folder = folder
        for path in folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif path.name != "lock":
                path.unlink()

    def _sweep(self) -> None:
        """Remove what a kill in the middle of a save or of a deletion has left."""
        for path in (*self.place.glob("checkpoints/.step-*"), *self.place.glob(".*.tmp")):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)

    def _lock(self, folder: Path) -> None:
        """An flock vanishes with its process, so a killed run leaves nothing stale."""
        file = (folder / "lock").open("a", encoding="utf-8")
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            ours = (folder / "lock").exists() and os.path.samestat(os.fstat(file.fileno()), (folder / "lock").stat())
        except ImportError:  # Windows
            ours = True
        except OSError:
            ours = False
        if not ours:
            file.close()
            raise ModelError(f"another training is writing to {self.name}", "wait for it, or take another -o")
        self._locks.append(file)

    def settle(self) -> None:
        """Take the run's place, once the first checkpoint is written. An old run there gives way now."""
        if self.folder == self.place:
            return
        shutil.rmtree(self._old, ignore_errors=True)
        self._trackers.let_go()
        if self.place.exists():
            self.place.rename(self._old)
        self.folder.rename(self.place)
        self.folder = self.place
        shutil.rmtree(self._old, ignore_errors=True)

    # ---- what is in it

    def track(self, config: Config, step: int) -> None:
        """Let the trackers begin. step: where the training stands, after `rewind`."""
        self._trackers.start(self.place.name, lambda: self.folder, config, step, self._dropped)

    def record(self, row: Mapping[str, Any]) -> None:
        """Append a row to metrics.jsonl, and tell the trackers."""
        with (self.folder / folders.METRICS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        self._trackers.record(row)

    def rewind(self, step: int) -> None:
        """Drop the rows after update `step`, and one cut short by a kill: a resumed run will write them again."""
        path = self.folder / folders.METRICS
        if not path.is_file():
            return
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [line for line in lines if _step_of(line) <= step]
        self._dropped = [row_key(json.loads(line)) for line in lines if step < _step_of(line) < math.inf]
        if kept != lines:
            checkpoint.write_text(path, "".join(kept))

    def keep(
        self, folder: Path, scores: Mapping[int, float], best_step: int | None, keep_best: int, keep_last: int
    ) -> None:
        """After a checkpoint: `last` and `best` name the right ones, the run takes its place, and old ones go.

        `best` at every one, not only a new best: a kill between two pointers must not leave the old one for good.
        """
        checkpoint.point(self.folder, "last", folder)
        if best_step is not None:
            best = folders.checkpoint_folder(self.folder, best_step)
            if best.is_dir() and folders.pointed(self.folder, "best") != best:
                checkpoint.point(self.folder, "best", best)
        self.settle()
        self.prune(scores, keep_best, keep_last)

    def prune(self, scores: Mapping[int, float], keep_best: int, keep_last: int) -> None:
        """Delete checkpoints that are neither among the best by score (higher is better) nor among the last.

        scores: of each validated step. What `best` and `last` name always stays.
        """
        found = {int(path.name.removeprefix("step-")): path for path in folders.checkpoints(self.folder)}
        ranked = sorted((step for step in found if step in scores), key=lambda step: (-scores[step], step))
        kept = {found[step] for step in ranked[:keep_best]} | {found[step] for step in sorted(found)[-keep_last:]}
        kept |= {path for name in ("best", "last") if (path := folders.pointed(self.folder, name)) is not None}
        for path in found.values():
            if path not in kept:
                checkpoint.remove_folder(path)


class Spectator(Run):
    """The run as a dry run sees it, and the other ranks of a training: the first one locks and writes, they look on."""

    def __init__(self, folder: Path, *, resume: bool = False, overwrite: bool = False, check: bool = False) -> None:
        """check: refuse what `Run` would refuse."""
        self.name, self.place = folder, _resolved(folder)
        self.folder = self.place
        self._made, self._locks, self._trackers = [], [], Trackers()
        if check:
            self._check_place(resume, overwrite)

    def track(self, config: Config, step: int) -> None:
        """Nothing: the first rank does."""

    def record(self, row: Mapping[str, Any]) -> None:
        """Nothing: the first rank does."""

    def rewind(self, step: int) -> None:
        """Nothing: the first rank does."""


def _resolved(folder: Path) -> Path:
    try:
        return folder.resolve()
    except RuntimeError as error:  # so Python 3.11 and 3.12 say it
        raise ModelError(f"{folder} is a link to itself", "another folder with -o") from error


def _step_of(line: str) -> float:
    """The update of a row; infinity when a kill cut it short."""
    try:
        return float(json.loads(line)["step"]) if line.endswith("\n") else math.inf
    except ValueError:
        return math.inf


def _is_run(folder: Path) -> bool:
    return folder.is_dir() and bool(folders.checkpoints(folder))
