"""`data.parent_dev`: in fine-tuning, what the model forgets of its parent's text is seen, and decides nothing."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nmt import folders
from nmt.training.validation import DevScores, Validator
from tests.system.conftest import Ended, Trained, nmt
from tests.system.test_distributed import together

SCORES = ("loss", "accuracy", "bleu", "chrf")
FINE_TUNING = ("train.validate_every=2", "train.warmup_steps=1", "train.batch_tokens=400", "decode.beam_size=1")


@pytest.fixture
def new(trained: Trained) -> tuple[str, ...]:
    """Settings of a fine-tuning of the trained run: another text to train on, another dev set."""
    places = (f"data.train={trained.folder / 'dev'}", f"data.dev={trained.folder / 'test'}")
    return (*places, *FINE_TUNING, f"train.init_from={trained.run}")


def tune(run: Path, *words: str) -> Ended:
    return nmt("train", "-o", run, "--threads", "1", *words)


def rows(run: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_parents_dev_is_scored_before_and_beside(trained: Trained, new: tuple[str, ...], tmp_path: Path) -> None:
    run, text = tmp_path / "run", trained.folder / "dev"
    ended = tune(run, *new, f"data.parent_dev={text}", "train.max_steps=4")
    assert ended.code == 0, ended.err
    assert f"parent dev: 20 pairs of {text}" in ended.err
    first, *later = (row for row in rows(run) if "parent_dev_bleu" in row)
    # The parent's own scores: those that it had when it was the best.
    parent = folders.read_facts(folders.find_model(trained.run))
    assert first["step"] == 0
    assert [first[f"parent_dev_{name}"] for name in SCORES] == pytest.approx([parent[f"dev_{name}"] for name in SCORES])
    assert "dev_bleu" not in first
    assert [row["step"] for row in later] == [2, 4]
    assert all({f"dev_{name}", f"parent_dev_{name}"} <= set(row) for row in later for name in SCORES)
    assert later[0]["parent_dev_loss"] != first["parent_dev_loss"]
    assert later[0]["parent_dev_loss"] != later[0]["dev_loss"]
    assert ended.err.count("  parent dev: loss ") == 3
    assert ended.err.index("before the first update\n  parent dev: loss ") < ended.err.index("step 2  epoch")
    assert ended.err.count("\n      -> ") == 4  # two examples of each validation, all of the new dev
    assert "data.parent_dev=" not in ended.err
    facts = folders.read_facts(folders.pointed(run, "last") or Path())
    assert facts["parent_dev_bleu"] == later[-1]["parent_dev_bleu"]


def test_a_resumed_fine_tuning_goes_on_with_it(trained: Trained, new: tuple[str, ...], tmp_path: Path) -> None:
    run, words = tmp_path / "run", (*new, f"data.parent_dev={trained.folder / 'dev'}")
    assert tune(run, *words, "train.max_steps=2").code == 0
    resumed = tune(run, "--resume", "train.max_steps=4")
    assert resumed.code == 0, resumed.err
    assert "before the first update" not in resumed.err
    assert [row["step"] for row in rows(run) if "parent_dev_bleu" in row] == [0, 2, 4]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lets the new dev set and the parent's have the BLEU scores that are given, one by one."""

    def write(new: list[float], parent: list[float | None]) -> None:
        remaining: tuple[Iterator[float | None], ...] = (iter(new), iter(parent))

        def score(self: Validator, give_up: object = None) -> DevScores | None:
            bleu = next(remaining[self.examples == 0])
            if bleu is None:  # a stop signal comes in the middle
                os.kill(os.getpid(), signal.SIGTERM)
                return None
            return DevScores(1.0, 50.0, bleu, 40.0, "they are the same" if self.examples == 0 else "")

        monkeypatch.setattr(Validator, "__call__", score)

    return write


def test_it_decides_nothing_and_raises_no_alarm(
    trained: Trained, new: tuple[str, ...], tmp_path: Path, script: Callable[..., None]
) -> None:
    script([5.0, 7.0, 6.0], [90.0, 30.0, 20.0, 80.0])
    ended = tune(tmp_path / "run", *new, f"data.parent_dev={trained.folder / 'dev'}", "train.max_steps=6")
    assert ended.code == 0, ended.err
    assert folders.find_model(tmp_path / "run").name == "step-4"
    assert "Is train.learning_rate too high" not in ended.err
    assert [row["parent_dev_bleu"] for row in rows(tmp_path / "run") if "parent_dev_bleu" in row] == [90, 30, 20, 80]


def test_a_stop_in_the_middle_of_it_is_made_up_for(
    trained: Trained, new: tuple[str, ...], tmp_path: Path, script: Callable[..., None]
) -> None:
    words = (*new, f"data.parent_dev={trained.folder / 'dev'}", "train.max_steps=4")
    script([5.0], [90.0, None])
    stopped = tune(tmp_path / "run", *words)
    assert (stopped.code, "stopped by SIGTERM at step 2" in stopped.err) == (143, True)
    script([5.0, 6.0], [30.0, 20.0])
    assert tune(tmp_path / "run", "--resume").code == 0
    told = [
        (row["step"], row.get("dev_bleu"), row["parent_dev_bleu"]) for row in rows(tmp_path / "run") if "epoch" in row
    ]
    assert told == [(0, None, 90), (2, 5, 30), (4, 6, 20)]


def test_without_a_parent_it_is_refused(trained: Trained, tmp_path: Path) -> None:
    words = (*trained.settings, "train.max_steps=2")
    refused = tune(tmp_path / "run", *words, f"data.parent_dev={trained.folder / 'test'}")
    assert refused.code == 2
    assert "error: data.parent_dev is set, but train.init_from is not: without a parent" in refused.err
    assert list(tmp_path.iterdir()) == []


def test_a_parents_dev_that_is_not_there_is_told_first(new: tuple[str, ...], tmp_path: Path) -> None:
    missing = tune(tmp_path / "run", *new, "data.parent_dev=nowhere", "train.max_steps=2")
    assert (missing.code, "there is no parallel text at nowhere" in missing.err) == (1, True)
    assert "train:" not in missing.err
    (tmp_path / "empty.tsv").write_text("")
    empty = tune(tmp_path / "run", *new, f"data.parent_dev={tmp_path / 'empty.tsv'}", "train.max_steps=2")
    assert (empty.code, "check data.parent_dev" in empty.err) == (1, True)


def test_a_hint_at_the_parents_own_dev(trained: Trained, new: tuple[str, ...], tmp_path: Path) -> None:
    hint = f"data.parent_dev={trained.folder / 'dev'}, the parent's own data.dev, would show what it forgets"
    assert hint in tune(tmp_path / "run", *new, "train.max_steps=2", "--dry-run").err
    same = tune(tmp_path / "run", *new, f"data.dev={trained.folder / 'dev'}", "train.max_steps=2", "--dry-run")
    assert same.code == 0
    assert "data.parent_dev=" not in same.err


RECORDER = '''
"""Stands for trackio: writes down who called, and what."""
import json, os
def _write(*what):
    with open(os.environ["LEDGER"], "a") as file:
        file.write(json.dumps([os.environ.get("RANK"), *what]) + "\\n")
class Run:
    def log(self, row, step): _write("log", step, row)
def init(**settings):
    _write("init")
    return Run()
def finish(): _write("finish")
'''


@pytest.mark.skipif(os.name != "posix", reason="processes in sessions of their own")
def test_two_ranks_score_it_like_one_and_the_first_tracks(
    trained: Trained, new: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = (*new, f"data.parent_dev={trained.folder / 'dev'}", "model.dropout=0", "train.max_steps=2")
    assert tune(tmp_path / "alone", *words).code == 0
    (tmp_path / "trackio.py").write_text(RECORDER)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    monkeypatch.setenv("LEDGER", str(tmp_path / "ledger"))
    code, err = together(trained, tmp_path / "both", *words, "train.track=trackio")
    assert code == 0, err
    assert err.count("  parent dev: loss ") == 2
    left, right = ([row for row in rows(tmp_path / run) if "parent_dev_bleu" in row] for run in ("alone", "both"))
    for one, other in zip(left, right, strict=True):
        assert {**one, "seconds": 0} == pytest.approx({**other, "seconds": 0}, abs=2e-5)
    told = [json.loads(line) for line in (tmp_path / "ledger").read_text().splitlines()]
    assert {rank for rank, *_ in told} == {"0"}
    assert [what for _, what, *_ in told] == ["init", *["log"] * len(rows(tmp_path / "both")), "finish"]
