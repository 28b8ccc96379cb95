"""The scratch folder: gone in the end, and swept when its process was killed."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from nmt import runtime

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
