"""Several processes that train as one, as torchrun starts them. Alone, everything here does nothing.

torchrun tells each process who it is by RANK, LOCAL_RANK and WORLD_SIZE.
"""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from torch import Tensor

from nmt.errors import ModelError, NMTError

Made = TypeVar("Made")

# The others wait so long while one reads and encodes a large corpus. A process that dies is noticed at once.
PATIENCE = timedelta(hours=12)
START_PATIENCE = timedelta(minutes=30)  # until all have been started


def rank() -> int:
    """Which of the processes this is, from 0."""
    return dist.get_rank() if dist.is_initialized() else 0


def world_size() -> int:
    """How many there are."""
    return dist.get_world_size() if dist.is_initialized() else 1


_groups: list[Any] = []  # never taken apart: a thread of gloo's may still want to give back what it holds


@contextlib.contextmanager
def joined(device: torch.device) -> Iterator[torch.device]:
    """Take part in the group that torchrun has started; yields this process' device. Alone: the device as it is.

    A mistake that all of them find is told by one. Raises ModelError, on the first rank, when another process ends in
    the middle.
    """
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield device
        return
    if device.type == "cuda":
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device)
    store = _join("nccl" if device.type == "cuda" else "gloo")
    try:
        yield device
    except NMTError as error:
        if not _first_to_say(error, store):
            sys.exit(error.exit_code)
        raise
    except RuntimeError as error:
        # gloo says it in a plain RuntimeError.
        if not isinstance(error, dist.DistError) and "onnection" not in str(error):
            raise
        if dist.get_rank() != 0:
            sys.exit(1)  # one voice is enough
        raise ModelError(
            "another process of this training has ended", "its own message says why; then start again with --resume"
        ) from error
    finally:
        _groups.append(dist.group.WORLD)
        dist.destroy_process_group()


def _join(backend: str) -> Any:
    """Returns the store in which processes find each other."""
    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    torchruns = os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True"
    store: Any = dist.TCPStore(  # type: ignore[attr-defined]
        os.environ["MASTER_ADDR"],
        int(os.environ["MASTER_PORT"]),
        world,
        is_master=rank == 0 and not torchruns,
        timeout=START_PATIENCE,
        multi_tenant=True,
    )
    if torchruns:
        # It outlives a restart: without a prefix they would look for the dead ones (pytorch issue 135712). Several
        # machines may count restarts differently; there the README has torchrun leave the store to us.
        store = dist.PrefixStore(f"start-{os.environ['TORCHELASTIC_RESTART_COUNT']}", store)  # type: ignore[attr-defined]
    dist.init_process_group(backend, store=store, rank=rank, world_size=world, timeout=PATIENCE)
    return store


def _first_to_say(error: NMTError, store: Any) -> bool:
    try:
        return bool(store.add(f"said: {error.message}", 1) == 1)
    except RuntimeError:  # the first rank holds the store, and has gone with its own message
        return False


def leave(code: int) -> None:
    """End a process that has been in a group, at once: taking torch's groups apart can wait for ever. Else nothing."""
    if _groups:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def sum_across_ranks(tensor: Tensor) -> Tensor:
    """The sum of all processes' tensors, in place, on every one of them."""
    if dist.is_initialized():
        dist.all_reduce(tensor)
    return tensor


def largest_across_ranks(*values: float) -> list[float]:
    """The largest of all processes' values, for each."""
    if not dist.is_initialized():
        return list(values)
    device = "cuda" if dist.get_backend() == "nccl" else "cpu"
    tensor = torch.tensor(values, dtype=torch.float64, device=device)
    dist.all_reduce(tensor, dist.ReduceOp.MAX)
    return tensor.tolist()


def gather(value: Any) -> list[Any]:
    """All processes' values, by rank, on every one of them. For small things only."""
    if not dist.is_initialized():
        return [value]
    values: list[Any] = [None] * world_size()
    dist.all_gather_object(values, value)
    return values


def from_first_rank(value: Any) -> Any:
    """The first process' value, on every one of them."""
    if not dist.is_initialized():
        return value
    values = [value]
    dist.broadcast_object_list(values)
    return values[0]


def restarted() -> bool:
    """Whether torchrun has started this job again after a failure (`--max-restarts`)."""
    return int(os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")) > 0


def launched_at() -> float:
    """When torchrun, which watches over this process, was started: seconds since 1970; infinity if nobody can tell."""
    try:
        fields = Path(f"/proc/{os.getppid()}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2]
        ticks = int(fields.split()[19])  # since the machine was started; see proc(5)
        booted = time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)
    except (OSError, AttributeError):
        return float("inf")
    return booted + ticks / os.sysconf("SC_CLK_TCK")


def leads_machine() -> bool:
    """Whether this is the first process of its machine."""
    return not dist.is_initialized() or os.environ.get("LOCAL_RANK", "0") == "0"


def once_per_machine(work: Callable[[], Made]) -> Made | None:
    """Let the first process of each machine do `work`, and return what it made there; None to those who waited."""
    made = work() if leads_machine() else None
    gather(None)
    return made


def from_machine_leader(value: Any) -> Any:
    """Of all processes' values that of the first one of this machine. For small things only."""
    if not dist.is_initialized():
        return value
    return gather(value)[rank() - int(os.environ.get("LOCAL_RANK", "0"))]
