"""Several processes that train as one, as torchrun starts them. Alone, everything here does nothing.

torchrun tells each process who it is by RANK, LOCAL_RANK and WORLD_SIZE.
"""

import contextlib
import os
import socket
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from torch import Tensor

from nmt.errors import ModelError

Made = TypeVar("Made")

# The others wait so long while one reads and encodes a large corpus. A process that dies is noticed at once.
PATIENCE = timedelta(hours=12)


def rank() -> int:
    """Which of the processes this is, from 0."""
    return dist.get_rank() if dist.is_initialized() else 0


def world_size() -> int:
    """How many there are."""
    return dist.get_world_size() if dist.is_initialized() else 1


@contextlib.contextmanager
def joined(device: torch.device) -> Iterator[torch.device]:
    """Take part in the group that torchrun has started; yields this process' device. Alone: the device as it is.

    Raises ModelError, on the first rank, when another process ends in the middle.
    """
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield device
        return
    if device.type == "cuda":
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device)
    _join("nccl" if device.type == "cuda" else "gloo")
    try:
        yield device
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
        dist.destroy_process_group()


def _join(backend: str) -> None:
    if os.environ.get("TORCHELASTIC_USE_AGENT_STORE") != "True":
        dist.init_process_group(backend, timeout=PATIENCE)
        return
    # The store in which processes find each other is torchrun's own and outlives a restart: without a prefix they
    # would look for the dead ones (pytorch issue 135712). Several machines may count restarts differently; there the
    # README has torchrun leave the store to us.
    address, world = os.environ["MASTER_ADDR"], int(os.environ["WORLD_SIZE"])
    found = dist.TCPStore(address, int(os.environ["MASTER_PORT"]), world, is_master=False)  # type: ignore[attr-defined]
    store = dist.PrefixStore(f"start-{os.environ['TORCHELASTIC_RESTART_COUNT']}", found)  # type: ignore[attr-defined]
    dist.init_process_group(backend, store=store, rank=int(os.environ["RANK"]), world_size=world, timeout=PATIENCE)


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


def launch() -> str | None:
    """Names one call of torchrun, its restarts included; None without torchrun.

    By its --rdzv-id where that was given (--standalone makes one up), else by the process that watches over this one.
    """
    name = os.environ.get("TORCHELASTIC_RUN_ID")
    return f"{socket.gethostname()}:{os.getppid()}" if name == "none" else name


def leads_machine() -> bool:
    """Whether this is the first process of its machine."""
    return not dist.is_initialized() or os.environ.get("LOCAL_RANK", "0") == "0"


def once_per_machine(work: Callable[[], Made]) -> Made | None:
    """Let the first process of each machine do `work`, and return what it made there; None to those who waited."""
    made = work() if leads_machine() else None
    gather(None)
    return made


def machine_folder(folder: Path) -> Path:
    """Of each process' own folder the one that belongs to the first process of this machine."""
    folders: list[Path] = gather(folder)
    return folders[rank() - int(os.environ.get("LOCAL_RANK", "0"))] if dist.is_initialized() else folder
