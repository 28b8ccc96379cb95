"""Two processes that train as one (gloo, on the CPU) are one training: same losses, one run folder, one end."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from nmt import checkpoint
from nmt.commands import launch
from tests.system.conftest import Trained, command, environment, nmt

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes in sessions of their own")

EXACT = ("model.dropout=0", "train.max_steps=7")  # dropout differs between ranks


def start(trained: Trained, run: Path, *words: str) -> subprocess.Popen[str]:
    line = command("train", *trained.settings, "-o", run, "--nproc", "2", "--threads", "1", *words)
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())


def together(trained: Trained, run: Path, *words: str) -> tuple[int, str]:
    with start(trained, run, *words) as process:
        out, err = process.communicate(timeout=180)
    assert out == ""
    return process.returncode, err


def rows(run: Path) -> list[dict[str, float]]:
    lines = (run / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    clocked = ("seconds", "tokens_per_second")
    return [{key: value for key, value in json.loads(line).items() if key not in clocked} for line in lines]


@pytest.mark.parametrize("size", [200, 5000])
def test_two_ranks_are_one_rank(size: int, trained: Trained, tmp_path: Path) -> None:
    """Losses to 1e-5, also where a rank is left without a micro-batch; of 5 dev lines each counts once (T16, T17)."""
    five = tmp_path / "five"
    for language in ("fr", "en"):
        lines = (trained.folder / f"dev.{language}").read_text(encoding="utf-8").splitlines()[:5]
        five.with_suffix(f".{language}").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    exact = (*EXACT, f"data.dev={five}", f"train.micro_batch_tokens={size}")
    settings = [*trained.settings, *exact]
    alone = nmt("train", *settings, "-o", tmp_path / "alone", "--threads", "1")
    assert alone.code == 0, alone.err
    code, err = together(trained, tmp_path / "both", *exact)
    assert code == 0, err
    assert err.count("trained 7 updates") == 1
    left, right = rows(tmp_path / "alone"), rows(tmp_path / "both")
    assert len(left) == len(right) == 4
    for one, other in zip(left, right, strict=True):
        assert one == pytest.approx(other, abs=2e-5)
    facts = checkpoint.read_facts(checkpoint.find_model(tmp_path / "both"))
    assert facts["machine"]["processes"] == 2


def test_several_stop_together_and_go_on_together(trained: Trained, tmp_path: Path) -> None:
    run = tmp_path / "run"
    with start(trained, run, "train.max_steps=100000", "train.validate_every=50000") as process:
        _wait_for(tmp_path / ".run.new" / "metrics.jsonl", process)
        process.send_signal(signal.SIGTERM)
        err = process.communicate(timeout=60)[1]
    assert process.returncode == 143
    assert err.count("error: stopped by SIGTERM") == 1
    step = checkpoint.read_facts(checkpoint.find_model(run))["step"]
    code, err = together(trained, run, "--resume", f"train.max_steps={step + 2}", "train.validate_every=50000")
    assert code == 0, err
    assert f"resuming from step-{step}" in err
    assert "not bit for bit" not in err
    alone = nmt("train", "--resume", "-o", run, f"train.max_steps={step + 3}", "--threads", "1")
    assert "equal only up to rounding, not bit for bit: processes 2 -> 1" in alone.err


def test_one_death_ends_them_all(trained: Trained, tmp_path: Path) -> None:
    with start(trained, tmp_path / "run", "train.max_steps=100000", "train.validate_every=50000") as process:
        _wait_for(tmp_path / ".run.new" / "metrics.jsonl", process)
        found = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
        assert len(found) == 2
        os.kill(int(found[1]), signal.SIGKILL)
        began = time.monotonic()
        err = process.communicate(timeout=60)[1]
    assert time.monotonic() - began < 15
    assert process.returncode == 137
    assert "Traceback" not in err
    assert [path.name for path in tmp_path.iterdir()] == []


def test_a_mistake_is_told_once(trained: Trained, tmp_path: Path) -> None:
    code, err = together(trained, tmp_path / "run", "model.d_modle=7")
    assert (code, err.count("error:")) == (2, 1)
    code, err = together(trained, trained.run)  # what only the first rank finds
    assert (code, err.count("error:")) == (2, 1)
    assert "already holds a run" in err


@pytest.mark.parametrize("others_first", [False, True])
def test_a_launcher_tells_the_cause_not_who_noticed_first(others_first: bool) -> None:
    """Whoever only lost the others may be gone first, and leaves with 1; a signal is told as a shell tells it."""
    mistaken, killed, lost = "exit 2", "kill -9 $$", "exit 1"
    for cause, code in ((mistaken, 2), (killed, 137)):
        scripts = [f"sleep 0.5; {cause}", lost] if others_first else [cause, f"sleep 0.5; {lost}"]
        assert launch._wait([subprocess.Popen(["sh", "-c", script]) for script in scripts]) == code  # type: ignore[misc]
    assert launch._wait([subprocess.Popen(["true"]) for _ in range(2)]) == 0  # type: ignore[misc]


def test_a_launcher_waits_only_so_long_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "PATIENCE", 0.3)
    with subprocess.Popen(["sleep", "60"]) as stuck:
        began = time.monotonic()
        assert launch._wait([subprocess.Popen(["false"]), stuck]) == 1  # type: ignore[list-item]
        assert time.monotonic() - began < 5
        stuck.kill()


def _wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 120
    while not path.exists():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
