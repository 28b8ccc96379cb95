"""How this process uses the machine: device, threads, and an allocator that keeps its memory."""

import contextlib
import ctypes
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import torch

import nmt
from nmt import processes
from nmt.errors import UsageError

# glibc's mallopt parameters (malloc.h).
_M_TRIM_THRESHOLD, _M_TOP_PAD, _M_MMAP_MAX = -1, -2, -4
_SCRATCH = "nmt-"
# oneDNN keeps what it compiles for each shape of a product, and torch what it has asked oneDNN for: 1,024 of each.
_KERNELS_KEPT = {"ONEDNN_PRIMITIVE_CACHE_CAPACITY": "64", "LRU_CACHE_CAPACITY": "64"}


def pick_device(name: str) -> torch.device:
    """auto: a CUDA GPU when there is one, else the CPU. Raises UsageError for a device that is not there."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise UsageError(f"{name!r} is no device", "--device auto, cpu, cuda, cuda:1 or mps") from error
    available = {
        "cpu": True,
        "cuda": torch.cuda.is_available() and (device.index or 0) < torch.cuda.device_count(),
        "mps": torch.backends.mps.is_available(),
    }
    if not available.get(device.type, False):
        raise UsageError(f"device {name!r} is not available here", "--device auto")
    return device


def prepare(threads: int | None = None) -> None:
    """Once per command, before any tensor is made. threads: CPU threads; None: this process' share of the cores."""
    processes_here = int(os.environ.get("LOCAL_WORLD_SIZE", "1"))  # as torchrun says
    torch.set_num_threads(threads or max(1, processes.usable_cores() // processes_here))
    torch.set_flush_denormal(True)
    for name, kept in _KERNELS_KEPT.items():  # read at the first product; with all of them memory grows for an hour
        os.environ.setdefault(name, kept)
    keep_freed_memory()


def keep_freed_memory() -> None:
    """Tell glibc to keep what is freed instead of giving it back to the system.

    Every step frees and asks again for the same large tensors; page faults on them cost a third of a training step.
    Does nothing where there is no glibc.
    """
    if not sys.platform.startswith("linux"):
        return
    try:
        libc = ctypes.CDLL("libc.so.6")
        libc.mallopt(_M_MMAP_MAX, 0)
        libc.mallopt(_M_TRIM_THRESHOLD, 2**31 - 1)
        libc.mallopt(_M_TOP_PAD, 128 * 2**20)
    except (OSError, AttributeError):  # musl has no mallopt
        return


def give_back_memory() -> None:
    """Return what was freed to the system, so that `resident_memory` tells what comes next. glibc only."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL("libc.so.6").malloc_trim(0)


def resident_memory() -> int | None:
    """Bytes of this process in memory; None where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def peak_memory() -> int | None:
    """The most bytes that this process has had in memory so far; None where the system does not tell."""
    with contextlib.suppress(OSError, StopIteration):
        # getrusage would count what the parent held when it started this process.
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) * 1024
    try:
        import resource
    except ImportError:  # Windows
        return None
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, KiB on other Unixes
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def memory_limit() -> int | None:
    """Bytes this process may use: the machine's memory, or less in a container (cgroup v2, v1)."""
    found = []
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with contextlib.suppress(OSError, ValueError):  # "max": no limit
            found.append(int(Path(path).read_text(encoding="ascii")))
    with contextlib.suppress(OSError, ValueError, AttributeError):
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return min(found, default=None)


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder for what is too large for memory, under TMPDIR; removed in the end.

    One that a killed process has left is removed by the next: its lock is free then.
    """
    for old in Path(tempfile.gettempdir()).glob(f"{_SCRATCH}*/lock"):
        with contextlib.suppress(OSError), old.open("a", encoding="utf-8") as lock:
            if _locked(lock):
                shutil.rmtree(old.parent, ignore_errors=True)
    with (
        tempfile.TemporaryDirectory(prefix=_SCRATCH, ignore_cleanup_errors=True) as name,
        (Path(name) / "lock.new").open("w", encoding="utf-8") as lock,
    ):
        if _locked(lock):
            Path(lock.name).rename(Path(name) / "lock")  # it is never seen without being held
        yield Path(name)


def _locked(file: IO[str]) -> bool:
    """Whether the file is locked by us now; False where the system has no such locks (Windows)."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


def hardware() -> dict[str, Any]:
    """What machine this is.

    "processor": its name.  "cores", "memory": that this process may use, the latter in bytes; null where nobody knows.
    "gpus": names, by number.  "system": as it calls itself.
    """
    gpus = [torch.cuda.get_device_name(number) for number in range(torch.cuda.device_count())]
    return {
        "processor": _processor(),
        "cores": processes.usable_cores(),
        "memory": memory_limit(),
        "gpus": gpus,
        "system": platform.platform(),
    }


def _processor() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    if sys.platform == "darwin":
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            command = ["sysctl", "-n", "machdep.cpu.brand_string"]
            return subprocess.run(command, capture_output=True, text=True, check=True, timeout=5).stdout.strip()
    return platform.processor() or platform.machine()


def versions() -> dict[str, str]:
    """Of all on which a training or a score depends."""
    import sacrebleu
    import sentencepiece

    return {
        "nmtkit": nmt.__version__,
        "python": platform.python_version(),
        "torch": torch.__version__,
        "sentencepiece": sentencepiece.__version__,
        "sacrebleu": sacrebleu.__version__,
    }


def sgemm_rate(size: int = 4096, runs: int = 5) -> float:
    """What this machine multiplies, FLOP/s: the best of `runs` products of two size x size float32 matrices."""
    left, right = torch.randn(size, size), torch.randn(size, size)
    best = 0.0
    for _ in range(runs):
        start = time.perf_counter()
        left @ right
        best = max(best, 2 * size**3 / (time.perf_counter() - start))
    return best
