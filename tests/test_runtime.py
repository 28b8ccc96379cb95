"""How a process uses the machine: its scratch folder, swept after a kill; what it keeps in memory."""

import json
import mmap
import os
import platform
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import pytest
import torch

import nmt
from nmt import processes, runtime

pytestmark = pytest.mark.skipif(os.name != "posix", reason="flock")

HOLD = """
import sys
from nmt import runtime
with runtime.scratch_folder() as folder:
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_a_scratch_folder_is_gone_in_the_end(place: Path) -> None:
    with runtime.scratch_folder() as folder:
        assert folder.parent == place
        (folder / "large").write_text("x")
    assert list(place.iterdir()) == []


def test_what_a_killed_process_has_left_is_swept_and_what_is_in_use_is_not(place: Path) -> None:
    (place / "nmt-mine").mkdir()  # not ours: it has no lock
    with subprocess.Popen([sys.executable, "-c", HOLD], stdin=-1, stdout=-1, text=True) as process:
        assert process.stdout is not None
        other = Path(process.stdout.readline().strip())
        with runtime.scratch_folder():
            assert other.is_dir()
        process.kill()
        process.wait()
    assert other.is_dir()
    with runtime.scratch_folder():
        assert not other.exists()
    assert [path.name for path in place.iterdir()] == ["nmt-mine"]


def test_few_kernels_are_kept_unless_the_user_says_how_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each new shape of a product would stay in memory; the run over 200,000 lines (`slow`) shows that it does not."""
    monkeypatch.delenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY", raising=False)
    monkeypatch.setenv("LRU_CACHE_CAPACITY", "7")
    runtime.prepare(1)
    assert (os.environ["ONEDNN_PRIMITIVE_CACHE_CAPACITY"], os.environ["LRU_CACHE_CAPACITY"]) == ("64", "7")


def test_the_machine_tells_what_it_is() -> None:
    found = runtime.hardware()
    assert json.loads(json.dumps(found)) == found
    assert found["processor"]
    assert found["cores"] == processes.usable_cores()
    assert found["memory"] == runtime.memory_limit()
    assert len(found["gpus"]) == torch.cuda.device_count()
    assert found["system"].startswith({"linux": "Linux", "darwin": "macOS"}[sys.platform])


def test_a_processor_without_a_name_is_told_by_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in some containers."""
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: "processor: 0\n")
    monkeypatch.setattr(sys, "platform", "linux")
    assert runtime.hardware()["processor"] == (platform.processor() or platform.machine()) != ""


def test_versions_are_those_that_are_installed() -> None:
    found = runtime.versions()
    assert list(found) == ["nmtkit", "python", "torch", "sentencepiece", "sacrebleu"]
    assert {name: version(name) for name in ("torch", "sentencepiece", "sacrebleu")} | {
        "nmtkit": nmt.__version__,
        "python": sys.version.split()[0],
    } == found


def test_peak_memory_is_of_all_that_was_ever_held() -> None:
    before = runtime.peak_memory()
    assert before is not None
    resident = runtime.resident_memory() or 0
    assert before >= resident > 0
    more = 64 << 20
    with mmap.mmap(-1, before - resident + more) as held:  # written to, or it is none
        for start in range(0, len(held), mmap.PAGESIZE):
            held[start] = 1
        peak = runtime.peak_memory() or 0
    assert peak > before + more // 2
    assert (runtime.peak_memory() or 0) > peak - more // 4  # it is given back, but was there; the system counts roughly
