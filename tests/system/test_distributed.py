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
    assert process.returncode in (1, 137)
    assert "Traceback" not in err
    assert [path.name for path in tmp_path.iterdir()] == []


def test_a_mistake_is_told_once(trained: Trained, tmp_path: Path) -> None:
    code, err = together(trained, tmp_path / "run", "model.d_modle=7")
    assert (code, err.count("error:")) == (2, 1)
    code, err = together(trained, trained.run)  # what only the first rank finds
    assert (code, err.count("error:")) == (2, 1)
    assert "already holds a run" in err


def test_a_launcher_tells_a_death_by_signal_as_a_shell_does() -> None:
    dead = subprocess.Popen(["sh", "-c", "kill -9 $$"])
    dead.wait()
    assert launch._wait([dead]) == 137  # type: ignore[list-item]


def _wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 120
    while not path.exists():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
