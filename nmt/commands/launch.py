"""`nmt train --nproc N`: the same command in N processes on this machine, which train as one.

What torchrun does for one machine, but with this project's exit codes and without its report of a failure.
Several machines: `torchrun -m nmt train ...`.
"""

import math
import os
import signal
import socket
import subprocess
import sys
import time
import types
from collections.abc import Sequence

from nmt import console
from nmt.training.interruption import NAMES

_HANGUP = getattr(signal, "SIGHUP", None)
PATIENCE = 10.0  # seconds that the others get to leave once one has failed


def run(processes: int, words: Sequence[str]) -> int:
    """Start `nmt WORDS...` in so many processes; returns 0, or the exit code that tells most of why they failed.

    A failure ends all of them. Stop signals are passed on to each.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started: list[subprocess.Popen[bytes]] = []
    for rank in range(processes):
        who = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": processes, "LOCAL_WORLD_SIZE": processes}
        where = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
        environment = os.environ | {name: str(value) for name, value in (who | where).items()}
        # A session of their own: a Ctrl-C then reaches them once, through us.
        command = [sys.executable, "-m", "nmt", *words]
        started.append(subprocess.Popen(command, env=environment, start_new_session=True))

    def pass_on(number: int, _: types.FrameType | None) -> None:
        for process in started:
            process.send_signal(signal.SIGTERM if number == _HANGUP else number)

    for name in NAMES:
        if hasattr(signal, name):
            signal.signal(signal.Signals[name], pass_on)
    if _HANGUP is not None and signal.getsignal(_HANGUP) == signal.SIG_DFL:  # not under nohup
        signal.signal(_HANGUP, pass_on)  # the terminal is closed
    try:
        return _wait(started)
    finally:
        for process in started:
            process.kill()
            process.wait()


def _wait(started: Sequence[subprocess.Popen[bytes]]) -> int:
    """Until all have left or, once one has failed, the others have had time to save and leave.

    The highest code tells most: whoever only lost the others leaves with 1, who made the mistake with 2, and who was
    killed with 128 and more, as a shell tells it.
    """
    deadline = math.inf
    while True:
        codes = [process.poll() for process in started]
        if None not in codes or time.monotonic() > deadline:
            break
        if any(codes) or codes[0] == 0:  # the first one leaves when all is saved
            deadline = min(deadline, time.monotonic() + PATIENCE)
        time.sleep(0.1)
    for rank, code in enumerate(codes):
        if code is not None and code < 0:
            console.warn(f"process {rank} was ended by {signal.Signals(-code).name}")
    return max(code if code >= 0 else 128 - code for code in codes if code is not None)
