"""`nmt runs`: side by side, what differs, and what is broken."""

import errno
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from nmt.history import record_scores
from tests.system.conftest import MODEL, nmt


def make(folder: Path, age: int = 0, facts: dict[str, Any] | None = None, **settings: str) -> Path:
    """A run that needs no training. age: in days.  settings: lines of its config.yaml, by key."""
    model = folder / "checkpoints" / "step-300"
    shutil.copytree(MODEL, model)
    text = (model / "config.yaml").read_text(encoding="utf-8")
    for key, value in settings.items():
        assert f"\n  {key}: " in text
        text = "\n".join(f"  {key}: {value}" if line.startswith(f"  {key}: ") else line for line in text.split("\n"))
    (model / "config.yaml").write_text(text, encoding="utf-8")
    known = json.loads((model / "model.json").read_text())
    (model / "model.json").write_text(json.dumps(known | (facts or {})))
    (folder / "best").write_text("checkpoints/step-300\n")
    (folder / "metrics.jsonl").write_text('{"step": 310, "loss": 1.0}\n')
    for path in (folder / "metrics.jsonl", model / "model.json"):
        os.utime(path, (1e9 - 86400 * age,) * 2)
    return folder


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Of `b` and `a` the younger one is `a`."""
    make(tmp_path / "runs" / "a", 1, {"dev_bleu": 31.5}, learning_rate="0.01", seed="2")
    make(tmp_path / "runs" / "b", 2, {"dev_bleu": 30.5}, learning_rate="0.002")
    return tmp_path / "runs"


def table(out: str) -> list[list[str]]:
    return [line.split() for line in out.splitlines()]


def test_runs_stand_side_by_side_the_youngest_last(runs: Path) -> None:
    ended = nmt("runs", runs)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[:3] == [
        "run  parameters  updates  time   loss  dev BLEU    chrF",
        "b         9,472      310  18 s  0.106     30.50  100.00",
        "a         9,472      310  18 s  0.106     31.50  100.00",
    ]


def test_what_differs_is_told_and_nothing_else(runs: Path) -> None:
    ended = nmt("runs", runs)
    assert ended.out.splitlines()[3:] == [
        "",
        "what differs         b      a",
        "train.learning_rate  0.002  0.01",
        "train.seed           1      2",
    ]
    make(runs / "c", 0, learning_rate="0.002")
    (runs / "a").rename(runs.parent / "elsewhere")
    assert nmt("runs", runs).out.endswith("\n\nTheir configurations are the same.\n")


def test_json_has_it_all(runs: Path) -> None:
    found = json.loads(nmt("runs", runs, "--json").out)
    assert [run["name"] for run in found["runs"]] == ["b", "a"]
    assert found["runs"][1] == {
        "name": "a",
        "folder": str(runs / "a"),
        "model": str(runs / "a" / "checkpoints" / "step-300"),
        "training_now": False if Path("/proc/locks").is_file() else None,
        "saved": None,
        "source_language": "fr",
        "target_language": "en",
        "parameters": 9472,
        "updates": 310,
        "best_update": 300,
        "seconds": 17.8,
        "dev_loss": 0.10607,
        "dev_bleu": 31.5,
        "dev_chrf": 100.0,
        "dev": None,
        "checkpoints": 1,
        "decode": {"beam_size": 3},
        "scores": [],
    }
    assert found["differences"] == {"train.learning_rate": {"b": 0.002, "a": 0.01}, "train.seed": {"b": 1, "a": 2}}
    assert found["broken"] == {}


def test_broken_runs_are_told_and_left_out(runs: Path) -> None:
    (runs / "empty").mkdir()  # no run at all
    make(runs / ".hidden")
    (runs / "notes.txt").write_text("mine")
    (runs / "begun" / "checkpoints").mkdir(parents=True)
    for name, file in (("facts", "model.json"), ("config", "config.yaml")):
        make(runs / name)
        (runs / name / "checkpoints" / "step-300" / file).write_text("a: [")
    (runs / "a" / "metrics.jsonl").write_text("?\n")
    ended = nmt("runs", runs)
    assert ended.code == 0
    assert [row[0] for row in table(ended.out)[1:3]] == ["b", "a"]
    warnings = ended.err.splitlines()
    assert warnings[0] == f"warning: left out: begun: {runs / 'begun'} has no checkpoint yet"
    assert warnings[1].startswith("warning: left out: config: ")
    assert warnings[2].startswith("warning: left out: facts: ")
    assert warnings[3:] == ["warning: a: metrics.jsonl line 1 is broken and left out"]
    found = json.loads(nmt("runs", runs, "--json").out)
    assert (len(found["runs"]), list(found["broken"])) == (2, ["begun", "config", "facts"])


def test_a_run_that_may_not_be_looked_into_does_not_hide_the_others(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever runs the tests may look into all."""
    (runs / "secret").mkdir()
    look = Path.stat

    def refused(path: Path, **options: bool) -> os.stat_result:
        if path.parent.name == "secret":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return look(path, **options)

    monkeypatch.setattr(Path, "stat", refused)
    ended = nmt("runs", runs)
    assert ended.code == 0
    assert "warning: left out: secret: " in ended.err
    assert "permission denied" in ended.err
    assert len(ended.out.splitlines()) > 2


def test_what_is_asked_for_and_not_there_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ended = nmt("runs")
    assert (ended.code, ended.err.splitlines()[0]) == (2, "error: there is no folder runs")
    (tmp_path / "runs").mkdir()
    ended = nmt("runs")
    assert (ended.code, ended.err.splitlines()[0]) == (2, "error: there is no run in runs")
    make(tmp_path / "runs" / "a")
    assert nmt("runs").code == 0


def test_several_folders_runs_and_models_go_together(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    shutil.copytree(MODEL, runs.parent / "lone")
    (runs.parent / "link").symlink_to(runs / "a")
    ended = nmt("runs", runs / "a", runs.parent / "lone", runs, runs.parent / "link")
    rows = table(ended.out)[1 : ended.out.splitlines().index("")]
    assert {row[0] for row in rows} == {str(runs / "a"), str(runs.parent / "lone"), str(runs / "b")}  # each once
    alone = nmt("runs", runs / "a")
    assert len(alone.out.splitlines()) == 2


def test_two_languages_two_dev_sets_and_scores_have_their_place(runs: Path) -> None:
    make(runs / "c", 0, {"source_language": "de"}, dev="other")
    scores = {"bleu": {"score": 25.0, "low": 23.9, "high": 26.3, "signature": "s"}}
    model = runs / "a" / "checkpoints" / "step-300"
    record_scores(model, {"test": "flickr", "hash": "1", "results": {"bleu": {"score": 24.0}}})
    record_scores(model, {"test": "flickr", "hash": "2", "results": scores})
    record_scores(model, {"test": "chrf only", "results": {"chrf": {"score": 1.0}}})
    ended = nmt("runs", runs)
    head, *rows = ended.out.splitlines()
    assert head.split("  ")[1].strip() == "pair"
    assert "flickr (1) BLEU" in head  # two texts of one name, so that no score stands above another text's
    assert "flickr (2) BLEU" in head
    assert "chrf only" not in ended.out
    assert [row.split()[1] for row in rows[:3]] == ["fr-en", "fr-en", "de-en"]
    assert "25.00 ±1.2" in rows[1]
    assert "25.00" not in rows[0]
    assert rows[3] == "Their dev sets are not the same: dev scores do not compare."


def test_only_like_scores_stand_in_one_column(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    own = json.loads(nmt("runs", runs, "--json").out)["runs"][0]["decode"]
    results = {"bleu": {"score": 25.0}}
    usual = {"test": "t", "hash": "h", "decode": own, "results": results}
    for name, others in (("a", {}), ("b", {"lowercase": True}), ("b", {"decode": own | {"beam_size": 9, "mbr": 4}})):
        record_scores(runs / name / "checkpoints" / "step-300", usual | others)
    record_scores(runs / "b" / "checkpoints" / "step-300", usual | {"tags": ["x"]})
    record_scores(runs / "b" / "checkpoints" / "step-300", usual | {"language": "zh"})
    head, *rows = nmt("runs", runs).out.splitlines()
    for column in (
        "t BLEU",
        "t (lowercase) BLEU",
        "t (beam_size 9, mbr 4) BLEU",
        "t (tag x) BLEU",
        "t (words as in zh) BLEU",
    ):
        assert f"  {column}" in head
        assert [row[head.index(column) :][: len(column)].strip() for row in rows[:2]].count("-") == 1


def test_a_test_set_called_dev_is_not_what_validation_found(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("dev", "sea"):
        entry = {"test": name, "hash": "h", "results": {"bleu": {"score": 25.0}}}
        record_scores(runs / "a" / "checkpoints" / "step-300", entry)
    head, _, row = nmt("runs", runs).out.splitlines()[:3]
    assert head.endswith("loss  dev BLEU    chrF  dev (nmt eval) BLEU  sea BLEU")
    assert row.split()[-4:] == ["31.50", "100.00", "25.00", "25.00"]
    monkeypatch.setenv("COLUMNS", "50")  # of several test sets the first one is missed most
    assert nmt("runs", runs).out.splitlines()[0].endswith("chrF  dev (nmt eval) BLEU")


def test_dev_sets_are_the_same_by_what_was_written_down(runs: Path) -> None:
    """The same name may be another text by now, and another name the same one."""

    def told(*lines: int, other: str = "null") -> bool:
        for name, count in zip(("a", "b"), lines, strict=True):
            shutil.rmtree(runs / name)
            training = {"sittings": [], "data": {"dev": {"name": "x", "lines": count}}}
            make(runs / name, 0, {"training": training}, dev="null" if name == "a" else other)
        return "dev sets are not the same" in nmt("runs", runs).out

    assert not told(20, 20)
    assert told(20, 21)
    assert not told(20, 20, other="other")


def test_a_narrow_terminal_gets_what_matters(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = nmt("runs", runs).out.splitlines()
    assert lines[:4] == [
        "run  updates   loss  dev BLEU    chrF",
        "b        310  0.106     30.50  100.00",
        "a        310  0.106     31.50  100.00",
        "(no room for parameters, time; --json has all)",
    ]
    assert lines[5:] == [
        "what differs         b      a",
        "train.learning_rate  0.002  0.01",
        "train.seed           1      2",
    ]
    monkeypatch.setenv("COLUMNS", "25")
    lines = nmt("runs", runs).out.splitlines()
    assert lines[0] == "run  dev BLEU    chrF"
    assert lines[5:] == [
        "what differs",
        *("  train.learning_rate", "    0.002: b", "    0.01: a"),
        *("  train.seed", "    1: b", "    2: a"),
    ]
    monkeypatch.setenv("COLUMNS", "2")
    assert nmt("runs", runs).out.splitlines()[0] == "run"
    whole = "run  parameters  updates  time   loss  dev BLEU    chrF"
    for room in (len(whole), len(whole) - 1):
        monkeypatch.setenv("COLUMNS", str(room))
        assert (nmt("runs", runs).out.splitlines()[0] == whole) == (room == len(whole))


def test_long_names_do_not_make_a_table_wider_than_the_terminal(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    for name in ("a", "b"):
        (runs / name).rename(runs / (name * 18))
    assert max(map(len, nmt("runs", runs).out.splitlines())) <= 60
    make(runs / "c", 0, learning_rate="0.002")
    told = nmt("runs", runs).out.splitlines()
    assert f"    0.002: {'b' * 18}, c" in told  # few are named


def test_of_many_runs_those_with_the_common_value_are_counted(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    for name in "cdefg":
        make(runs / name, 0, learning_rate="0.002")
    assert nmt("runs", runs).out.splitlines()[-6:] == [
        *("  train.learning_rate", "    0.01: a", "    0.002: the other 6"),
        *("  train.seed", "    2: a", "    1: the other 6"),
    ]


def test_values_cut_short_never_look_alike(runs: Path) -> None:
    long = ["/some/folder/" + "x" * 40 + f"/{name}/" + "y" * 40 for name in ("one", "two")]
    for name, place in zip(("a", "b"), long, strict=True):
        shutil.rmtree(runs / name)
        make(runs / name, 0, train=place)
    out = nmt("runs", runs).out
    assert f"  data.train\n    {long[0]}: a\n    {long[1]}: b" in out
    for name in ("a", "b"):
        shutil.rmtree(runs / name)
        make(runs / name, 0, train=f"/a/folder/with/a/long/name/and/then/{name * 9}")
    row = next(line for line in nmt("runs", runs).out.splitlines() if line.startswith("data.train"))
    assert "aaaaaaaaa" in row
    assert "…" in row


@pytest.mark.skipif(not Path("/proc/locks").is_file(), reason="only Linux tells who holds a lock")
def test_trainings_at_work_are_marked(runs: Path) -> None:
    import fcntl

    (runs / ".new.new").mkdir()
    (runs / ".stale.new").mkdir()
    (runs / ".stale.new" / "lock").touch()
    with (runs / "a" / "lock").open("a") as one, (runs / ".new.new" / "lock").open("a") as other:
        fcntl.flock(one, fcntl.LOCK_EX)
        fcntl.flock(other, fcntl.LOCK_EX)
        ended = nmt("runs", runs)
        assert "310 now" in ended.out.splitlines()[2]
        assert "now" not in ended.out.splitlines()[1]
        assert ended.err == "warning: left out: new: it is in training, and has no checkpoint yet\n"
        assert [run["training_now"] for run in json.loads(nmt("runs", runs, "--json").out)["runs"]] == [False, True]
