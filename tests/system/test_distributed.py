"""Two processes that train as one (gloo, on the CPU) are one training: same losses, one run folder, one end."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from nmt import distributed, folders
from nmt.commands import launch
from nmt.commands.train import Arguments, _after_restart
from tests.system.conftest import Trained, command, environment, nmt

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes in sessions of their own")

TEXTS = {"dev_bleu", "dev_chrf"}  # of five lines, by a search in which a tie may fall the other way
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


@pytest.mark.parametrize(
    ("size", "parallel", "recipe"),
    [
        (200, "ddp", ()),
        (5000, "ddp", ("train.subword_sampling.unigram_alpha=0.3",)),
        (200, "fsdp", ("train.r_drop=5", "train.gradient_checkpointing=true", "train.freeze=encoder.0")),
    ],
)
def test_two_ranks_are_one_rank(
    size: int, parallel: str, recipe: tuple[str, ...], trained: Trained, tmp_path: Path
) -> None:
    """Losses to 1e-5, also where a rank is left without a micro-batch; of 5 dev lines each counts once (T16, T17)."""
    five = tmp_path / "five"
    for language in ("fr", "en"):
        lines = (trained.folder / f"dev.{language}").read_text(encoding="utf-8").splitlines()[:5]
        five.with_suffix(f".{language}").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    exact = (*EXACT, f"data.dev={five}", f"train.micro_batch_tokens={size}", f"train.parallel={parallel}", *recipe)
    settings = [*trained.settings, *exact]
    alone = nmt("train", *settings, "-o", tmp_path / "alone", "--threads", "1")
    assert alone.code == 0, alone.err
    code, err = together(trained, tmp_path / "both", *exact)
    assert code == 0, err
    assert err.count("trained 7 updates") == 1
    left, right = rows(tmp_path / "alone"), rows(tmp_path / "both")
    assert len(left) == len(right) == 4
    for one, other in zip(left, right, strict=True):
        for name in one.keys() - TEXTS:
            assert one[name] == pytest.approx(other[name], abs=2e-5), name
        for name in one.keys() & TEXTS:
            assert one[name] == pytest.approx(other[name], abs=1), name
    learnt = [folders.read_calibration(folders.find_model(tmp_path / name)) for name in ("alone", "both")]
    assert learnt[0]["guard"] == learnt[1]["guard"]
    assert learnt[1]["dev"]["lines"] == 5  # gathered from both
    facts = folders.read_facts(folders.find_model(tmp_path / "both"))
    assert facts["machine"]["processes"] == 2
    (sitting,) = facts["training"]["sittings"]
    assert sitting["processes"] == 2
    assert " --nproc 2 " in sitting["command"]
    assert facts["training"]["data"]["train"][0]["pairs"] == 200


def test_a_run_begun_in_shards_goes_on_in_one_process(trained: Trained, tmp_path: Path) -> None:
    """What is saved is whole: weights, averages and moments."""
    settings = ("model.dropout=0", "train.save_every=4", "train.validate_every=50", "train.schedule=constant")
    whole = nmt("train", *trained.settings, *settings, "train.max_steps=8", "-o", tmp_path / "whole", "--threads", "1")
    assert whole.code == 0, whole.err
    code, err = together(trained, tmp_path / "run", *settings, "train.max_steps=4", "train.parallel=fsdp")
    assert code == 0, err
    alone = nmt("train", "--resume", "-o", tmp_path / "run", "train.max_steps=8", "--threads", "1")
    assert alone.code == 0, alone.err
    last, expected = rows(tmp_path / "run")[-1], rows(tmp_path / "whole")[-1]
    assert last["dev_loss"] == pytest.approx(expected["dev_loss"], abs=2e-4)


def test_torchrun_starts_again_and_the_run_goes_on(trained: Trained, tmp_path: Path) -> None:
    """One process is killed: with --max-restarts all start anew, from the last checkpoint, with the same words."""
    run = tmp_path / "run"
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", "--max-restarts", "1", "-m"]
    words = ["nmt", "train", *trained.settings, "-o", str(run), "--threads", "1", "--overwrite"]
    ends = ["train.max_steps=400", "train.save_every=5", "train.validate_every=1000"]
    line = [*torchrun, *words, *ends]
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True, env=environment()) as process:
        _wait_for(run / "checkpoints" / "step-5" / "model.json", process)
        found = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
        os.kill(int(found[-1]), signal.SIGKILL)
        err = process.communicate(timeout=180)[1]
    assert process.returncode == 0, err
    assert err.count("resuming from step-") == 1
    assert [row["step"] for row in rows(run) if "learning_rate" in row] == list(range(10, 401, 10))


def test_a_restart_goes_on_only_from_a_checkpoint_of_its_own_launch(
    trained: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder may hold an older run, which --overwrite replaces and else is refused."""
    plain = Arguments(None, tuple(trained.settings), trained.run)
    replacing = replace(plain, overwrite=True)
    assert _after_restart(plain) == plain
    monkeypatch.setenv("TORCHELASTIC_RESTART_COUNT", "1")
    assert distributed.launched_at() < time.time()
    written = folders.checkpoints(trained.run)[-1].joinpath("model.json").stat().st_mtime
    monkeypatch.setattr(distributed, "launched_at", lambda: written + 1)
    assert [_after_restart(asked) for asked in (plain, replacing)] == [plain, replacing]
    monkeypatch.setattr(distributed, "launched_at", lambda: written - 1)
    resuming = replace(plain, resume=True)
    assert [_after_restart(asked) for asked in (plain, replacing)] == [resuming, resuming]
    nothing_yet = replace(plain, output=trained.folder / "elsewhere")
    assert _after_restart(nothing_yet) == nothing_yet


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_several_stop_together_and_go_on_together(sent: signal.Signals, trained: Trained, tmp_path: Path) -> None:
    run = tmp_path / "run"
    with start(trained, run, "train.max_steps=100000", "train.validate_every=50000") as process:
        _wait_for(tmp_path / ".run.new" / "metrics.jsonl", process)
        process.send_signal(sent)
        err = process.communicate(timeout=60)[1]
    assert process.returncode == 128 + sent
    assert err.count("error: ") == err.count(f"error: stopped by {sent.name}") == 1  # one voice is enough
    step = folders.read_facts(folders.find_model(run))["step"]
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
    assert "process 1 was ended by SIGKILL" in err
    assert "Traceback" not in err
    assert [path.name for path in tmp_path.iterdir()] == []


def test_a_mistake_is_told_once(trained: Trained, tmp_path: Path) -> None:
    code, err = together(trained, tmp_path / "run", "model.d_modle=7")
    assert (code, err.count("error:")) == (2, 1)
    code, err = together(trained, trained.run)  # what only the first rank finds
    assert (code, err.count("error:")) == (2, 1)
    assert "already holds a run" in err
    code, err = together(trained, tmp_path / "run", "train.freeze=[nosuch]")  # what both find
    assert (code, err.count("error:")) == (2, 1)
    assert "train.freeze names 'nosuch'" in err


@pytest.mark.parametrize("rank", [0, 1])
def test_nobody_waits_for_a_process_that_does_not_come_to_its_end(rank: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one leaves when all is saved; the others may take their time only after a failure, or before that."""
    monkeypatch.setattr(launch, "PATIENCE", 0.3)
    scripts = ["sleep 4", "sleep 4"]
    scripts[rank] = "true"
    began = time.monotonic()
    with contextlib.ExitStack() as stack:
        started = [stack.enter_context(subprocess.Popen(["sh", "-c", script])) for script in scripts]
        assert launch._wait(started) == 0  # type: ignore[arg-type]
        assert (time.monotonic() - began < 3) == (rank == 0)


def test_training_ends_with_its_launcher(trained: Trained, tmp_path: Path) -> None:
    """Killed, it can tell nobody; its processes save and leave all the same."""
    with start(trained, tmp_path / "run", "train.max_steps=100000", "train.validate_every=50000") as process:
        _wait_for(tmp_path / ".run.new" / "metrics.jsonl", process)
        found = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
        process.kill()
        process.communicate(timeout=60)
    deadline = time.monotonic() + 30
    while any(Path(f"/proc/{number}").exists() for number in found):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert folders.find_model(tmp_path / "run")


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
