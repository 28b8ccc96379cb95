"""What a training writes down of itself: each command, with what and on what, and what became of its text."""

import json
import shlex
import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from nmt import folders, runtime
from nmt.commands.train import Arguments, run
from nmt.text.tokenizer import Tokenizer
from nmt.training.record import command_line
from tests.system.conftest import Trained, nmt


def recorded(folder: Path) -> dict[str, Any]:
    """Of a run: of its last checkpoint."""
    facts = folders.read_facts(folders.pointed(folder, "last") or folder)
    training = facts["training"]
    assert isinstance(training, dict)
    return training


def test_a_training_writes_down_its_command_and_its_surroundings(trained: Trained) -> None:
    training = recorded(trained.run)
    (sitting,) = training["sittings"]
    words = ("nmt", "train", *trained.settings, "train.max_steps=9", "-o", str(trained.run), "--threads", "1")
    assert sitting["command"] == shlex.join(words)
    assert (sitting["from_step"], sitting["to_step"]) == (0, 9)
    assert datetime.fromisoformat(sitting["began"]) <= datetime.fromisoformat(sitting["saved"])
    assert sitting["versions"] == runtime.versions()
    assert sitting["hardware"] == runtime.hardware()
    assert (sitting["device"], sitting["threads"], sitting["processes"]) == ("cpu", 1, 1)
    assert sitting["peak_memory"] > 50 << 20
    assert sitting["seconds"] == folders.read_facts(folders.pointed(trained.run, "last") or Path())["seconds"]
    assert training["init_from"] is None
    first = folders.read_facts(folders.checkpoints(trained.run)[0])
    assert first["training"]["sittings"][0]["to_step"] == first["step"] < 9
    # The record of a run is its own: what decides the last bits stays where it was.
    assert set(folders.read_facts(folders.checkpoints(trained.run)[0])["machine"]) == {
        *("device", "threads", "micro_batch_tokens", "processes", "parallel", "compile", "torch")
    }


def test_it_writes_down_what_it_was_given_and_what_was_left_out(trained: Trained, tmp_path: Path) -> None:
    lines: dict[str, list[str]] = {}
    for language in ("fr", "en"):
        lines[language] = (trained.folder / f"train.{language}").read_text(encoding="utf-8").splitlines()[:80]
    lines["fr"] += ["", "chat " * 60, "oui"]
    lines["en"] += ["cat", "cat", ""]
    for language, text in lines.items():
        (tmp_path / f"small.{language}").write_text("".join(f"{line}\n" for line in text), encoding="utf-8")
    corpora = f"data.train=[{{text: {tmp_path / 'small'}, tags: [a]}}, {{text: {trained.folder / 'dev'}}}]"
    settings = (*trained.settings, corpora, "tokenizer.tags=[a]", "train.max_steps=1")
    run(Arguments(overrides=settings, output=tmp_path / "run", threads=1))
    assert recorded(tmp_path / "run")["sittings"][0]["command"] is None  # nobody has typed it
    data = recorded(tmp_path / "run")["data"]
    small, dev = data["train"]
    assert small["name"] == str(tmp_path / "small")
    assert small["tags"] == ["a"]
    assert (small["lines"], small["lines_encoded"], small["pairs"]) == (83, 83, 80)
    assert small["left_out"] == {"too long": 1, "with blank source": 1, "with blank target": 1}
    assert (dev["name"], dev["pairs"], dev["left_out"]) == (str(trained.folder / "dev"), 20, {})
    folder = folders.find_model(tmp_path / "run")
    tokenizer = Tokenizer.load(folder / "target.spm")
    pieces = tokenizer.encode_batch(lines["en"][:80])
    assert small["target_tokens"] == sum(map(len, pieces))
    assert small["source_tokens"] > 80  # the tag of each line is one
    assert data["dev"] == {"name": str(trained.folder / "dev"), "lines": 20}
    assert data["parent_dev"] is None


def test_each_sitting_adds_itself(trained: Trained, tmp_path: Path) -> None:
    shutil.copytree(trained.run, tmp_path / "run")
    words = ("train", *trained.settings, "--threads", "1", "-o", tmp_path / "run", "--resume")
    assert nmt(*words, "train.max_steps=10").code == 0
    first, second = recorded(tmp_path / "run")["sittings"]
    assert [(one["from_step"], one["to_step"]) for one in (first, second)] == [(0, 9), (9, 10)]
    assert first == recorded(trained.run)["sittings"][0]
    assert second["command"].endswith("--resume train.max_steps=10")
    facts = folders.read_facts(folders.pointed(tmp_path / "run", "last") or Path())
    assert first["seconds"] + second["seconds"] == pytest.approx(facts["seconds"], abs=0.11)
    # An older nmt has written nothing down: what is known begins where it ended.
    last = folders.pointed(tmp_path / "run", "last") or Path()
    (last / "model.json").write_text(json.dumps({name: facts[name] for name in facts if name != "training"}))
    ended = nmt(*words, "train.max_steps=11")
    assert ended.code == 0, ended.err
    (third,) = recorded(tmp_path / "run")["sittings"]
    assert (third["from_step"], third["to_step"]) == (10, 11)


def test_a_fine_tuning_names_its_parent_even_when_that_is_gone(trained: Trained, tmp_path: Path) -> None:
    shutil.copytree(folders.find_model(trained.run), tmp_path / "parent")
    words = ("train", *trained.settings, "--threads", "1", "-o", tmp_path / "run")
    words = (*words, f"train.init_from={tmp_path / 'parent'}", f"data.parent_dev={trained.folder / 'test'}")
    assert nmt(*words, "train.max_steps=1").code == 0
    parent = folders.read_facts(tmp_path / "parent")
    wanted = {"model": str(tmp_path / "parent"), "step": parent["step"], "crc32": parent["crc32"]["model.safetensors"]}
    assert recorded(tmp_path / "run")["init_from"] == wanted
    assert recorded(tmp_path / "run")["data"]["parent_dev"] == {"name": str(trained.folder / "test"), "lines": 10}
    shutil.rmtree(tmp_path / "parent")
    assert nmt("train", "--resume", "-o", tmp_path / "run", "train.max_steps=2", "--threads", "1").code == 0
    assert recorded(tmp_path / "run")["init_from"] == wanted


def test_torchrun_is_told_though_not_its_own_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TORCHELASTIC_RUN_ID", raising=False)
    assert command_line(["train", "-o", "a b"]) == "nmt train -o 'a b'"
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "1")
    assert command_line(["train", "-o", "a b"]) == "torchrun ... -m nmt train -o 'a b'"
