"""Where runs and models lie: what a path means, and what is told of one that means nothing. Without torch."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nmt import folders
from nmt.errors import ModelError


def model_folder(folder: Path, **facts: object) -> Path:
    """One that can be found, though not loaded."""
    folder.mkdir(parents=True)
    (folder / "model.json").write_text(json.dumps({"format": 1, **facts}))
    return folder


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run with checkpoints 2 and 10: best is 2, last is 10."""
    run = tmp_path / "run"
    for step, pointer in ((2, "best"), (10, "last")):
        model_folder(folders.checkpoint_folder(run, step), step=step)
        (run / pointer).write_text(f"checkpoints/step-{step}\n")
    return run


def test_a_run_means_its_best_else_its_last_checkpoint(run: Path) -> None:
    best, last = run / "checkpoints" / "step-2", run / "checkpoints" / "step-10"
    assert folders.pointed(run, "best") == folders.find_model(run) == best
    shutil.rmtree(best)
    assert folders.pointed(run, "best") is None
    assert folders.pointed(run, "last") == folders.find_model(run) == last
    assert folders.find_model(last) == last
    (run / "last").unlink()
    assert folders.find_model(run) == last


def test_checkpoints_are_in_order_of_their_steps_and_whole(run: Path) -> None:
    folder = run / "checkpoints"
    shutil.copytree(folder / "step-2", folder / "step-2-before-the-change")  # a user's own copy
    (folder / "step-30").mkdir()  # no model in it
    (folder / "step-4").write_text("a file")
    assert [path.name for path in folders.checkpoints(run)] == ["step-2", "step-10"]
    assert folders.checkpoints(run / "nothing") == []


def test_what_is_no_model_is_told(run: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"there is no model .*/nowhere\n") as caught:
        folders.find_model(tmp_path / "nowhere")
    assert "nmt train" in caught.value.remedy
    with pytest.raises(ModelError, match="is neither a run nor a model folder"):
        folders.find_model(tmp_path)
    with pytest.raises(ModelError, match=r"model\.json is neither a run nor a model folder"):
        folders.find_model(run / "checkpoints" / "step-2" / "model.json")
    for path in (run / "checkpoints").iterdir():
        shutil.rmtree(path)
    with pytest.raises(ModelError, match="run has no checkpoint yet") as caught:
        folders.find_model(run)
    assert "--resume" in caught.value.remedy
    (tmp_path / "fresh").mkdir()
    (tmp_path / "fresh" / "config.yaml").touch()
    with pytest.raises(ModelError, match="fresh has no checkpoint yet"):
        folders.find_model(tmp_path / "fresh")


def test_a_model_folder_without_its_description_is_told(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").touch()
    with pytest.raises(ModelError, match=r"is a model folder without its model\.json"):
        folders.find_model(tmp_path)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Three runs: b is the youngest, though a was made last."""
    folder = tmp_path / "runs"
    for name, pointer, time in (("b", "last", 300), ("c", "best", 200), ("a", "last", 100)):
        (folder / name).mkdir(parents=True)
        (folder / name / pointer).write_text("checkpoints/step-1\n")
        os.utime(folder / name / pointer, (time, time))
    (folder / "not a run").mkdir()
    (folder / "a file").touch()
    return folder


def test_the_newest_run_is_the_one_whose_checkpoint_is(runs: Path, tmp_path: Path) -> None:
    assert folders.newest_run(runs) == runs / "b"
    (runs / "a" / "best").write_text("checkpoints/step-2\n")
    assert folders.newest_run(runs) == runs / "a"
    assert folders.newest_run(runs / "a") is None
    assert folders.newest_run(tmp_path / "no such folder") is None


def test_looking_for_a_model_imports_nothing_heavy() -> None:
    heavy = ["torch", "numpy", "pydantic", "ruamel.yaml", "nmt.config"]
    code = f"import sys, nmt.folders; sys.exit(str([name for name in {heavy} if name in sys.modules] or '') or 0)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_checkpoint_is_one_where_its_run_has_it(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = folders.checkpoints(run)
    assert all(map(folders.is_checkpoint, steps))
    monkeypatch.chdir(steps[0])
    assert folders.is_checkpoint(Path())
    copied = steps[0].with_name("step-1-copy")
    shutil.copytree(steps[0], copied)
    assert not folders.is_checkpoint(copied)
    assert not folders.is_checkpoint(Path(shutil.copytree(steps[0], tmp_path / "alone")))
    assert not folders.is_checkpoint(run)
