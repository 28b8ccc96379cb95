"""`nmt calibrate`: a model folder learns what a training would have taught it."""

import json
import shutil
from pathlib import Path

import pytest

from nmt import checkpoint, folders
from nmt.decoding.calibration import Calibration
from tests.system.conftest import MODEL, Trained, nmt


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MODEL, tmp_path / "model"))


@pytest.fixture
def dev(tmp_path: Path) -> tuple[str | Path, ...]:
    """The options for 90 lines that the model translates well, some of them badly, and a reference of other words."""
    words = {"un": "one", "deux": "two", "trois": "three", "chat": "cat", "chien": "dog", "rouge": "red"}
    lines = [[list(words)[(index * step) % 6] for step in (1, 2, 3, 5)[: index % 4 + 1]] for index in range(90)]
    (tmp_path / "dev.fr").write_text("".join(" ".join(line) + "\n" for line in lines))
    english = [" ".join(words[word] for word in line) for line in lines]
    (tmp_path / "dev.en").write_text("".join(f"{line if i % 3 else 'here'}\n" for i, line in enumerate(english)))
    return "--source", tmp_path / "dev.fr", "--reference", tmp_path / "dev.en"


def test_a_model_without_learns_and_says_what_it_is_worth(folder: Path, dev: tuple[str | Path, ...]) -> None:
    assert checkpoint.load_model(folder).calibration == {}
    before = (folder / "model.json").read_bytes()
    ended = nmt("calibrate", "-m", folder, *dev, "--threads", "1")
    assert (ended.code, ended.out) == (0, ""), ended.err
    assert "confidence: rank correlation" in ended.err
    assert "flags on these lines: " in ended.err
    assert f"written: {folder / 'calibration.json'}" in ended.err
    found = Calibration.from_json(checkpoint.load_model(folder).calibration)
    assert found.dev["lines"] == 90
    assert found.confidence is not None
    assert (folder / "model.json").read_bytes() == before
    assert nmt("calibrate", "-m", folder, *dev, "--threads", "1", "-q").err == ""


def test_what_is_known_of_alignment_stays(folder: Path, dev: tuple[str | Path, ...]) -> None:
    (folder / "calibration.json").write_text(json.dumps({"alignment": {"heads": [[0, 1]]}}))
    assert nmt("calibrate", "-m", folder, *dev, "--threads", "1").code == 0
    assert folders.read_calibration(folder)["alignment"] == {"heads": [[0, 1]]}


def test_the_dev_set_of_the_config_is_the_default(trained: Trained, tmp_path: Path) -> None:
    assert nmt("average", trained.run, "-o", tmp_path / "mean").code == 0
    assert not (tmp_path / "mean" / "calibration.json").exists()
    ended = nmt("calibrate", "-m", tmp_path / "mean", "--threads", "1")
    assert ended.code == 0, ended.err
    assert "confidence: none, 20 dev lines are too few or score alike" in ended.err
    assert folders.read_calibration(tmp_path / "mean")["dev"]["lines"] == 20


def test_a_training_calibrates_its_best(trained: Trained) -> None:
    best = folders.find_model(trained.run)
    assert folders.read_calibration(best)["dev"]["lines"] == 20
    assert "confidence: none, 20 dev lines are too few or score alike" in trained.ended.err


def test_mistakes_are_told(folder: Path, dev: tuple[str | Path, ...], tmp_path: Path) -> None:
    (tmp_path / "short").write_text("one\n")
    (tmp_path / "empty").write_text("")
    empty = "--source", tmp_path / "empty", "--reference", tmp_path / "empty"
    for words, told, code in (
        (dev[:2], "--source and --reference go together", 2),
        ((*dev[:3], tmp_path / "short"), "90 source lines, but 1 references", 1),
        (empty, "there is nothing to learn from: no lines", 1),
    ):
        ended = nmt("calibrate", "-m", folder, *words)
        assert (ended.code, told in ended.err) == (code, True), ended.err
    assert not (folder / "calibration.json").exists()
