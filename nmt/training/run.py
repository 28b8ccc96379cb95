"""The run folder of a training: who may write to it, its log of metrics, and which checkpoints it keeps."""

import json
import os
import shutil
import tempfile
import types
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Self

from nmt import checkpoint
from nmt.errors import ModelError, UsageError


class Run:
    """A run folder, locked while it is open.

    A new run is built beside its place, in a hidden folder, and takes it with its first checkpoint. So a training that
    fails early leaves nothing behind, and `overwrite` removes the old run only when there is a new model.
    """

    def __init__(self, folder: Path, *, resume: bool = False, overwrite: bool = False) -> None:
        """Raises UsageError when the folder may not be used in that way, ModelError when it is in use."""
        self.place = folder
        _check_place(folder, resume, overwrite)
        folder.parent.mkdir(parents=True, exist_ok=True)
        self._lock: IO[str] | None = None
        if resume:
            self.folder = folder
        else:
            self.folder = Path(tempfile.mkdtemp(prefix=f".{folder.name}.new-", dir=folder.parent))
            self.folder.chmod(0o755)
        self._lock = self._take_lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give up the lock; a run that never had a checkpoint is removed."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None
        if self.folder != self.place:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _take_lock(self) -> IO[str]:
        """An flock vanishes with its process, so a killed run leaves nothing stale."""
        file = (self.folder / "lock").open("a", encoding="utf-8")
        try:
            import fcntl
        except ImportError:  # Windows
            return file
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            file.close()
            raise ModelError(
                f"another training is writing to {self.place}", "wait for it, or take another -o"
            ) from error
        return file

    def record(self, row: Mapping[str, Any]) -> None:
        """Append a row to metrics.jsonl."""
        with (self.folder / "metrics.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def settle(self) -> None:
        """Take the run's place, once the first checkpoint is written. An old run there gives way now."""
        if self.folder == self.place:
            return
        old = None
        if self.place.exists():
            old = self.place.with_name(f".{self.place.name}.old-{os.getpid()}")
            self.place.rename(old)
        self.folder.rename(self.place)
        self.folder = self.place
        if old is not None:
            shutil.rmtree(old, ignore_errors=True)

    def prune(self, scores: Mapping[int, float], keep_best: int, keep_last: int) -> None:
        """Delete checkpoints that are neither among the best by score (higher is better) nor among the last.

        scores: of each validated step. What `best` and `last` name always stays.
        """
        found = {int(path.name.removeprefix("step-")): path for path in checkpoint.checkpoints(self.folder)}
        ranked = sorted((step for step in found if step in scores), key=lambda step: (-scores[step], step))
        kept = {found[step] for step in ranked[:keep_best]} | {found[step] for step in sorted(found)[-keep_last:]}
        kept |= {path for name in ("best", "last") if (path := checkpoint.pointed(self.folder, name)) is not None}
        for path in found.values():
            if path not in kept:
                shutil.rmtree(path, ignore_errors=True)


def _check_place(folder: Path, resume: bool, overwrite: bool) -> None:
    if resume and overwrite:
        raise UsageError("--resume and --overwrite exclude each other", "leave one out")
    trained = folder.is_dir() and (bool(checkpoint.checkpoints(folder)))
    if resume:
        if not trained:
            raise ModelError(f"{folder} has no checkpoint to resume from", "leave out --resume to start the training")
        return
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not trained:
        raise UsageError(f"{folder} exists and is no run of nmt; it is left alone", "take another folder with -o")
    if not overwrite:
        raise UsageError(
            f"{folder} already holds a run", "--resume to go on with it, --overwrite to replace it, or another -o"
        )
    Run(folder, resume=True).close()  # a run that is being written to may not be replaced
