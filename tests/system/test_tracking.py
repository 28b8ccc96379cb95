"""`train.track`: trackers learn what metrics.jsonl learns, each row once, and cost the training nothing."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from nmt.commands import train as train_command
from nmt.config import Config, load_saved
from nmt.errors import ConfigError, ModelError
from nmt.training.run import Run, Spectator
from nmt.training.tracking import Trackers
from nmt.training.trainer import Trainer
from tests.system.conftest import Ended, Trained, nmt, snapshot
from tests.system.trackers import NAMES, Ledger, install, uninstall


@pytest.fixture(params=NAMES)
def tracker(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def ledger(tracker: str, monkeypatch: pytest.MonkeyPatch) -> Ledger:
    """Of the stand-in for `tracker`; a row of metrics.jsonl is written after each update."""
    monkeypatch.setattr("nmt.training.trainer.RECORD_EVERY", 1)
    return install(tracker, monkeypatch)


def train(trained: Trained, run: Path, *words: str) -> Ended:
    ended = nmt("train", *trained.settings, "-o", run, "--threads", "1", *words)
    assert ended.out == ""
    assert "chatter" not in ended.err
    return ended


def recorded(run: Path) -> list[tuple[int, str, float]]:
    """metrics.jsonl as trackers see it."""
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]
    return [(row["step"], name, value) for row in rows for name, value in row.items() if name != "step"]


def steps(ledger: Ledger, name: str) -> list[int]:
    return [step for step, found, _ in ledger.numbers if found == name]


def config_of(ledger: Ledger) -> dict[str, Any]:
    started = ledger.starts[0]["config"]
    return started if isinstance(started, dict) else {"text": started}


def test_every_row_arrives_and_the_configuration_once(
    tracker: str, ledger: Ledger, trained: Trained, tmp_path: Path
) -> None:
    run = tmp_path / "mine"
    ended = train(trained, run, "train.max_steps=4", "train.validate_every=2", f"train.track={tracker}")
    assert ended.code == 0, ended.err
    assert ledger.numbers == recorded(run)
    assert (steps(ledger, "loss"), steps(ledger, "dev_bleu")) == ([1, 2, 3, 4], [2, 4])
    assert len(ledger.starts) == 1
    assert ledger.finished == (2 if tracker == "tensorboard" else 1)  # once more when the run takes its place
    assert "tracking: " in ended.err
    config = config_of(ledger)
    if tracker == "tensorboard":
        assert "    train:\n" in config["text"]
        assert f"tensorboard --logdir {run / 'tensorboard'}" in ended.err
        assert len(list((run / "tensorboard").iterdir())) == 2
    else:
        assert (ledger.starts[0]["project"], ledger.starts[0]["name"]) == ("nmt", "mine")
        assert config["train"]["track"] == [tracker]
    assert load_saved(run / "config.yaml").train.track == (tracker,)
    assert nmt("translate", "-m", run, "--threads", "1", "oui").code == 0
    assert nmt("average", run, "-o", tmp_path / "mean").code == 0


def test_several_trackers_are_a_list(trained: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledgers = [install(name, monkeypatch) for name in NAMES]
    ended = train(trained, tmp_path / "run", "train.max_steps=2", f"train.track=[{','.join(NAMES)}]")
    assert ended.code == 0, ended.err
    assert [ledger.numbers for ledger in ledgers] == [recorded(tmp_path / "run")] * 3


def fail_at(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the training end in an error after that update; 0: no more."""
    train_step = Trainer.train_step

    def failing(self: Trainer) -> tuple[float, int]:
        if self.state.step == step:
            raise ModelError("killed", "")
        return train_step(self)

    monkeypatch.setattr(Trainer, "train_step", failing)


def test_a_resumed_run_is_told_once_what_it_does_again(
    tracker: str, ledger: Ledger, trained: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed at 7 and again at 5, both times after the checkpoint of 4."""
    run = tmp_path / "run"
    for step, words in ((7, (f"train.track={tracker}",)), (5, ("--resume",)), (0, ("--resume",))):
        with monkeypatch.context() as patch:
            fail_at(step, patch)
            ended = train(trained, run, "train.max_steps=8", "train.validate_every=4", *words)
        assert ended.code == (1 if step else 0), ended.err
    assert [number[:2] for number in ledger.numbers] == [number[:2] for number in recorded(run)]
    assert (steps(ledger, "loss"), steps(ledger, "dev_bleu")) == ([1, 2, 3, 4, 5, 6, 7, 8], [4, 8])
    assert len(ledger.starts) == 3
    if tracker == "wandb":
        assert len({settings["id"] for settings in ledger.starts}) == 1
    if tracker == "trackio":
        assert [settings["resume"] for settings in ledger.starts] == ["never", "allow", "allow"]


def test_a_validation_that_a_stop_has_cut_short_is_told_after_the_resume(tmp_path: Path) -> None:
    """A row is known by its step and its names: at one step there are two kinds."""
    path = tmp_path / "run" / "metrics.jsonl"
    (tmp_path / "run" / "checkpoints" / "step-4").mkdir(parents=True)
    (tmp_path / "run" / "checkpoints" / "step-4" / "model.json").write_text("{}")
    path.write_text('{"step": 4, "loss": 2.0}\n{"step": 5, "loss": 1.0}\n{"step": 5, "lo')
    with Run(tmp_path / "run", resume=True) as run:
        run.rewind(4)
        assert path.read_text() == '{"step": 4, "loss": 2.0}\n'
        assert run._dropped == [(5, "loss step")]


def test_a_tracker_that_is_new_to_a_resumed_run_is_told_all_from_there(
    tracker: str, ledger: Ledger, trained: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, words = tmp_path / "run", ("train.max_steps=8", "train.validate_every=4")
    with monkeypatch.context() as patch:
        fail_at(6, patch)
        assert train(trained, run, *words).code == 1
    assert not ledger.calls
    assert train(trained, run, "--resume", f"train.track={tracker}", *words).code == 0
    assert (steps(ledger, "loss"), steps(ledger, "dev_bleu")) == ([5, 6, 7, 8], [8])
    if tracker == "trackio":
        assert ledger.starts[0]["resume"] == "never"


def test_a_damaged_memory_is_none(trained: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger, run = install("wandb", monkeypatch), tmp_path / "run"
    train(trained, run, "train.max_steps=2", "train.track=wandb")
    for damaged in ("", "[]", '{"wandb": 3}', '{"wandb": {"id": "a"}}'):
        (run / "tracking.json").write_text(damaged)
        assert train(trained, run, "--resume", f"train.max_steps={len(ledger.starts) + 2}").code == 0
    assert len({settings["id"] for settings in ledger.starts}) == 5


@pytest.mark.parametrize("call", ["start", "record", "finish"])
def test_a_tracker_that_fails_is_left_out_with_one_warning(
    call: str, tracker: str, ledger: Ledger, trained: Trained, tmp_path: Path
) -> None:
    ledger.fails_at = call
    ended = train(trained, tmp_path / "run", "train.max_steps=4", "train.validate_every=2", f"train.track={tracker}")
    assert ended.code == 0, ended.err
    assert ended.err.count("warning: ") == 1
    told = f"tracking with {tracker} ends here: {call} does not work; the training goes on"
    assert f"warning: {told}\n" in ended.err
    assert (tmp_path / "run" / "metrics.jsonl").read_text().count("\n") == 6
    assert bool(ledger.numbers) == (call == "finish")


def test_without_a_login_wandb_is_offline(trained: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = install("wandb", monkeypatch)
    ledger.fails_at = "login"
    ended = train(trained, tmp_path / "run", "train.max_steps=2", "train.track=wandb")
    assert ended.code == 0
    assert "tracking: offline (No API key configured.); to send it: wandb sync wandb/offline-run-1\n" in ended.err
    assert "warning: tracking" not in ended.err
    assert [settings["mode"] for settings in ledger.starts] == [None, "offline"]
    assert [settings["id"] for settings in ledger.starts] == [ledger.starts[0]["id"]] * 2
    assert ledger.starts[0]["settings"]["silent"] is True
    assert ledger.numbers == recorded(tmp_path / "run")


def test_a_package_that_is_not_there_is_told_before_the_work(
    tracker: str, trained: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uninstall(tracker, monkeypatch)
    for words in ((), ("--dry-run",)):
        ended = train(trained, tmp_path / "run", "train.max_steps=2", f"train.track={tracker}", *words)
        assert ended.code == 2
        assert f"error: train.track names {tracker}, which cannot be imported (" in ended.err
        assert f'try: pip install "nmtkit[{tracker}]"' in ended.err
        assert "train:" not in ended.err
    assert list(tmp_path.iterdir()) == []


def test_all_that_is_missing_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("wandb", "trackio"):
        uninstall(name, monkeypatch)
    with pytest.raises(ConfigError, match=r"names wandb, which .* and trackio, which cannot be imported") as caught:
        Trackers(["wandb", "trackio"])
    assert caught.value.remedy == 'pip install "nmtkit[wandb,trackio]"'


def test_a_folder_of_old_runs_is_no_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wandb" / "offline-run-1").mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.delitem(sys.modules, "wandb", raising=False)
    with pytest.raises(ConfigError, match=r"wandb, which cannot be imported \(No module named 'wandb'\)"):
        Trackers(["wandb"])


def test_a_dry_run_and_a_finished_run_track_nothing(
    tracker: str, ledger: Ledger, trained: Trained, tmp_path: Path
) -> None:
    words = ("train.max_steps=2", f"train.track={tracker}")
    assert train(trained, tmp_path / "run", *words, "--dry-run").code == 0
    assert not ledger.calls
    assert train(trained, tmp_path / "run", *words).code == 0
    before, calls = snapshot(tmp_path), ledger.calls
    ended = train(trained, tmp_path / "run", "--resume")
    assert "nothing is left to do" in ended.err
    assert "warning: tracking" not in ended.err
    assert (snapshot(tmp_path), ledger.calls) == (before, calls)


def test_the_other_ranks_track_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They do not even need the package."""
    uninstall("wandb", monkeypatch)
    monkeypatch.setattr(train_command.distributed, "rank", lambda: 1)
    opened = train_command._open_run(tmp_path / "run", train_command.Arguments(), ["wandb"])
    assert isinstance(opened, Spectator)
    with opened:
        opened.track(Config(), 0)
        opened.record({"step": 1, "loss": 2.0})
    assert list(tmp_path.iterdir()) == []
