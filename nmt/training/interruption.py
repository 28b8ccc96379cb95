"""Signals that ask a training to stop: it saves a checkpoint first, then leaves."""

import signal
import threading
import types
from collections.abc import Callable
from typing import Any, Self

from nmt.errors import NMTError

# Ctrl-C; what `kill`, batch systems and containers send; what SLURM sends ahead of the end (--signal=USR1@120).
NAMES = ("SIGINT", "SIGTERM", "SIGUSR1")


class InterruptionError(NMTError):
    """The training was asked to stop, and has saved what it had. The exit code is 128 + the signal's number."""

    def __init__(self, received: signal.Signals, message: str, remedy: str) -> None:
        super().__init__(message, remedy)
        self.exit_code = 128 + received


class StopSignals:
    """While entered, a stop signal is only noted in `received`; a second one has its usual effect.

    Does nothing outside the main thread, where Python allows no signal handlers.
    """

    def __init__(self) -> None:
        self.received: signal.Signals | None = None
        self._before: dict[signal.Signals, Callable[[int, types.FrameType | None], Any] | int | None] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for name in NAMES:
                if hasattr(signal, name):  # Windows has no SIGUSR1
                    number = signal.Signals[name]
                    self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None
    ) -> None:
        self._restore()

    def _note(self, number: int, _: types.FrameType | None) -> None:
        # Nothing is printed here: the signal may have come in the middle of another print.
        self.received = signal.Signals(number)
        self._restore()

    def _restore(self) -> None:
        while self._before:
            signal.signal(*self._before.popitem())
