"""OUT.part: the results of a long work, one line each, until all are there and it becomes OUT.

Beside it OUT.part.json tells what it belongs to, so that nobody goes on with another text, model or setting.
"""

import contextlib
import errno
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from nmt import console
from nmt.errors import DataError, UsageError
from nmt.text.lines import atomic_file, real_path, unwritable


def can_be_partial(output: Path) -> bool:
    """Not for devices and pipes: they are written to directly."""
    return not output.exists() or output.is_file()


def places(output: Path) -> tuple[Path, Path]:
    """OUT.part and OUT.part.json. A link keeps pointing where it did: they lie beside what it points to."""
    real = real_path(output)
    return real.with_name(f"{real.name}.part"), real.with_name(f"{real.name}.part.json")


class PartialFile:
    """A file that is written beside its place and takes it in the end; what has been written outlives a kill.

    While it is entered nobody else may write there. lines: how many it holds; those at entry are of an earlier run.
    """

    def __init__(
        self,
        output: Path,
        belongs: Mapping[str, Any],
        *,
        total: int,
        block: int,
        resume: bool = False,
        overwrite: bool = False,
    ) -> None:
        """belongs: what decides about the results, plain values.  total: lines in the end.

        block: lines that are made together; only whole blocks are gone on with, so that the end is the same.
        resume: go on with what is there.  overwrite: begin anew, whatever is there.
        """
        self.output = real_path(output)
        self.path, self._about = places(output)
        self.lines = 0
        self._belongs = json.loads(json.dumps(belongs))  # as it will be read
        self._total, self._block = total, block
        self._resume, self._overwrite = resume, overwrite
        self._file: BinaryIO

    def __enter__(self) -> Self:
        """Raises UsageError when there is a file that may not be used so, DataError when it cannot be written."""
        if self.output.is_dir():
            raise unwritable(self.output, IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)))
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        except OSError as error:
            raise unwritable(self.output, error) from error
        self._file = os.fdopen(handle, "r+b", buffering=0)
        try:
            self._lock()
            if self._file.seek(0, os.SEEK_END) > 0 and not self._overwrite:
                self._go_on()
            else:
                self._begin()
        except BaseException:
            self._file.close()
            raise
        return self

    def write(self, data: bytes) -> None:
        """Whole lines, on their way to the disk at once. Raises DataError when it does not take them."""
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            message = unwritable(self.path, error).message
            raise DataError(message, "free some space, then the same command with --resume") from error
        self.lines += data.count(b"\n")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self._finish()
            elif self.lines:
                console.warn(f"{self.path} holds {self.lines:,} of {self._total:,} lines; --resume goes on with it")
            else:
                self.path.unlink(missing_ok=True)
                self._about.unlink(missing_ok=True)
        finally:
            self._file.close()

    def _lock(self) -> None:
        """An flock vanishes with its process, so a killed one leaves nothing stale."""
        try:
            import fcntl

            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            ours = self.path.exists() and os.path.samestat(os.fstat(self._file.fileno()), self.path.stat())
        except BlockingIOError:
            ours = False
        except (ImportError, OSError):  # Windows; a file system without locks
            ours = True
        if not ours:
            raise UsageError(f"another nmt is writing to {self.path}", "wait for it, or take another --output")

    def _begin(self) -> None:
        if self._resume:
            console.log(f"there is no {self.path} to resume from: from the beginning")
        self._file.truncate(0)
        self._file.seek(0)
        if self.output.exists():
            shutil.copymode(self.output, self.path)  # what was private stays so
        try:
            with atomic_file(self._about) as file:
                file.write((json.dumps(self._belongs, indent=2, ensure_ascii=False) + "\n").encode("utf-8"))
        except DataError:
            self.path.unlink()
            raise

    def _go_on(self) -> None:
        if not self._resume:
            raise UsageError(
                f"{self.path} is there: an earlier run did not end",
                "--resume to go on with it, --overwrite to begin anew",
            )
        try:
            found = json.loads(self._about.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise UsageError(
                f"{self._about} cannot be read, which tells what {self.path.name} belongs to",
                "--overwrite to begin anew",
            ) from error
        if others := sorted(_differences(found, self._belongs)):
            raise UsageError(
                f"{self.path} was begun with another {', '.join(others)}",
                "the command as it was, or --overwrite to begin anew",
            )
        self._rewind()
        console.log(f"resuming after line {self.lines:,} of {self._total:,}")

    def _rewind(self) -> None:
        """Cut off a line that a kill has cut in two, and a block that is not whole."""
        self._file.seek(0)
        self.lines = end = place = count = 0
        with os.fdopen(os.dup(self._file.fileno()), "rb") as reader:
            for line in reader:
                place, count = place + len(line), count + line.endswith(b"\n")
                if line.endswith(b"\n") and (count == self._total or count % self._block == 0) and count <= self._total:
                    self.lines, end = count, place
        self._file.truncate(end)
        self._file.seek(end)

    def _finish(self) -> None:
        try:
            os.fsync(self._file.fileno())
            if os.name != "posix":  # Windows renames no open file
                self._file.close()
            self.path.replace(self.output)
        except OSError as error:
            message = unwritable(self.output, error).message
            raise DataError(message, "put that right, then the same command with --resume: no line is lost") from error
        with contextlib.suppress(OSError):  # harmless alone
            self._about.unlink()


def _differences(found: object, wanted: object, name: str = "") -> set[str]:
    """Where two trees of plain values differ, as dotted names."""
    if not isinstance(found, dict) or not isinstance(wanted, dict):
        return set() if found == wanted else {name or "kind of file"}
    keys = found.keys() | wanted.keys()
    inner = (_differences(found.get(key), wanted.get(key), f"{name}.{key}" if name else key) for key in keys)
    return set().union(*inner)
