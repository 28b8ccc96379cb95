"""`nmt info`: what a model is and where it comes from, in words and as JSON."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nmt import folders
from nmt.commands.info import METRICS
from nmt.evaluation import KEYS, metrics_for
from nmt.history import record_scores
from nmt.text.tokenizer import Tokenizer
from tests.conftest import sentences
from tests.system.conftest import MODEL, Trained, nmt


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A copy of a model that older nmt has trained."""
    return shutil.copytree(MODEL, tmp_path / "model")


def test_a_run_tells_all_that_is_known_of_it(trained: Trained, tmp_path: Path) -> None:
    run = tmp_path / "run"  # others may have scored the first one
    shutil.copytree(trained.run, run, ignore=shutil.ignore_patterns("scores.json"))
    ended = nmt("info", run)
    assert (ended.code, ended.err) == (0, "")
    best = folders.find_model(run)
    facts = folders.read_facts(best)
    lines = ended.out.splitlines()
    assert lines[0] == f"{run}: a run, fr -> en, 9 updates; its best model is {best.name}"
    assert f"model   {facts['parameters']:,} parameters" in ended.out
    assert "  embeddings  6,400  53.2 %  both sides and the output layer have one" in lines
    assert "  encoder     2,256  18.8 %  1 block" in lines
    assert "  subwords of both sides: unigram, 400 pieces, normalization identity" in ended.out
    assert f"  train: {trained.folder / 'train'}, 200 pairs of 200 lines, " in ended.out
    assert f"  dev: {trained.folder / 'dev'}, 20 lines" in lines
    assert f"  test: {trained.folder / 'test'}" in lines
    assert f"    nmt train data.train={trained.folder / 'train'} " in ended.out
    assert "UTC   updates 0 to 9 in " in ended.out
    assert "torch 2." in ended.out
    loss = f"{facts['dev_loss']:.3f}"
    assert any(line.split()[:2] == ["dev", loss] for line in lines)
    assert "scores   none recorded yet; nmt eval measures them" in lines


def test_what_an_older_model_does_not_tell_is_said(model: Path) -> None:
    ended = nmt("info", model)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(f"{model}: a model folder, fr -> en, as after update 300\n")
    assert "training   237,810 target tokens, 18 s" in ended.out
    assert "  command, versions and machine: not recorded; written by nmtkit 0.1.0" in ended.out
    assert "  train: pairs.tsv, sizes not recorded" in ended.out
    facts = json.loads((model / "model.json").read_text())
    (model / "model.json").write_text(json.dumps({"format": 1, "source_vocab_size": facts["source_vocab_size"]}))
    ended = nmt("info", model)
    assert (ended.code, ended.err) == (0, "")
    assert "fr -> en, its update not recorded" in ended.out
    assert "training   not recorded\n  command, versions and machine: not recorded\n" in ended.out
    assert "dev scores   not recorded" in ended.out
    found = json.loads(nmt("info", model, "--json").out)
    assert (found["step"], found["sittings"], found["data"], found["seconds"]) == (None, None, None, None)


def test_scores_are_shown_with_how_they_came_about(model: Path) -> None:
    results = {
        "bleu": {"score": 31.25, "low": 30.125, "high": 32.5, "signature": "b"},
        "exact": {"score": 7.0, "signature": "e"},
    }
    entry = {"test": "flickr", "hash": "h", "lines": 1000, "decode": {"beam_size": 4}, "tags": ["t"], "lowercase": True}
    record_scores(model, entry | {"date": "2026-02-03T04:05:06+00:00", "results": results})
    record_scores(model, {"results": {}})  # of some later nmt
    assert "\nscores, with 95 % intervals\n" in nmt("info", model).out
    ended = nmt("info", model)
    assert "  flickr, 1,000 lines, 2026-02-03, beam 4, tag t, lowercase\n" in ended.out
    assert "    BLEU 31.25 [30.12, 32.50]  exact 7.00\n" in ended.out
    assert "  ?, 0 lines, ?\n" in ended.out
    found = json.loads(nmt("info", model, "--json").out)
    assert found["scores"][0]["results"] == results
    del results["bleu"]["low"], results["bleu"]["high"]  # nmt eval --samples 0
    record_scores(model, entry | {"results": results})
    assert "\nscores\n" in nmt("info", model).out


def test_metrics_have_the_names_that_eval_prints() -> None:
    assert {metric.key: METRICS.get(metric.key, metric.key) for metric in metrics_for(keys=KEYS)} == {
        metric.key: metric.name for metric in metrics_for(keys=KEYS)
    }


@pytest.mark.parametrize("command", [("info",), ("info", "--json"), ("runs",), ("runs", "--json")], ids=" ".join)
@pytest.mark.parametrize("name", ["größe", "\udcff"], ids=ascii)  # "\udcff": a name of bytes that are no UTF-8
def test_a_name_is_told_whatever_the_locale(name: str, command: tuple[str, ...], model: Path, tmp_path: Path) -> None:
    folder = model.rename(tmp_path / name)
    for encoding in ("ascii:strict", "utf-8:strict"):
        ended = subprocess.run(
            [sys.executable, "-m", "nmt", *command, os.fsencode(folder)],
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": encoding},
            check=False,
        )
        assert (ended.returncode, ended.stderr) == (0, b"")
        shown = "\\udcff" if "--json" in command else "\ufffd"
        assert name.replace("\udcff", shown) in ended.stdout.decode("utf-8")
        if "--json" in command:
            json.loads(ended.stdout)


def test_a_record_from_elsewhere_cannot_move_the_cursor(model: Path) -> None:
    record_scores(model, {"test": "\x1b[2J\u202etest", "results": {}})
    assert "  \ufffd[2J\ufffdtest, 0 lines, ?\n" in nmt("info", model).out


def test_json_has_all_that_is_printed(trained: Trained) -> None:
    found = json.loads(nmt("info", "--json", trained.run).out)
    best, last = folders.find_model(trained.run), folders.pointed(trained.run, "last") or Path()
    facts, training = folders.read_facts(best), folders.read_facts(last)["training"]
    assert (found["model"], found["step"], found["steps_of_run"]) == (str(best), facts["step"], 9)
    assert (found["source_language"], found["target_language"]) == ("fr", "en")
    assert sum(found["parameters"].values()) == facts["parameters"]
    assert (found["sittings"], found["data"]) == (training["sittings"], training["data"])
    assert found["dev"]["bleu"] == facts["dev_bleu"]
    assert [row["step"] for row in found["validations"]] == [3, 6, 9]
    assert found["bytes"] == sum(path.stat().st_size for path in best.iterdir() if path.is_file())
    (vocabulary,) = found["vocabulary"]
    assert (vocabulary["sides"], vocabulary["pieces"], vocabulary["kind"]) == (["source", "target"], 400, "unigram")
    assert found["training_now"] is (False if Path("/proc/locks").is_file() else None)


def test_the_best_model_need_not_be_the_last(trained: Trained, tmp_path: Path) -> None:
    run = shutil.copytree(trained.run, tmp_path / "run")
    (run / "best").write_text(f"checkpoints/{folders.checkpoints(run)[0].name}\n")
    found = json.loads(nmt("info", run, "--json").out)
    assert (found["step"], found["steps_of_run"]) == (int(folders.checkpoints(run)[0].name[5:]), 9)
    assert [sitting["to_step"] for sitting in found["sittings"]] == [9]
    assert found["seconds"] == folders.read_facts(folders.checkpoints(run)[-1])["seconds"]


def test_a_run_that_went_on_from_an_older_nmt_says_from_where(trained: Trained, tmp_path: Path) -> None:
    run = shutil.copytree(trained.run, tmp_path / "run")
    last = folders.pointed(run, "last") or Path()
    facts = folders.read_facts(last)
    facts["training"]["sittings"][0] |= {"from_step": 4, "command": None, "processes": 2}
    facts["training"]["sittings"][0]["hardware"] |= {"gpus": ["Fast One"], "memory": None}
    facts["training"]["data"]["train"][0] |= {"lines_encoded": 100, "left_out": {"too long": 3}}
    facts["training"]["init_from"] = {"model": "runs/parent", "step": 70, "crc32": "0"}
    (last / "model.json").write_text(json.dumps(facts))
    ended = nmt("info", run)
    assert "  fine-tuned from runs/parent, its update 70\n  up to update 4: not recorded\n" in ended.out
    assert ", 2 processes\n    command: not recorded\n    on cpu: Fast One; " in ended.out
    assert "200 pairs of the first 100 of 200 lines" in ended.out
    assert "target pieces; left out: 3 too long\n" in ended.out


def test_an_average_and_two_vocabularies_are_told(model: Path) -> None:
    facts = json.loads((model / "model.json").read_text())
    (model / "model.json").write_text(json.dumps(facts | {"average_of": ["step-1", "step-2"]}))
    Tokenizer.train(sentences(300), kind="bpe", vocab_size=300, tags=("de", "fr")).save(model / "source.spm")
    ended = nmt("info", model)
    assert "a model folder, fr -> en, the average of step-1, step-2\n" in ended.out
    assert "  source subwords: bpe, 300 pieces" in ended.out
    assert "; tags: de, fr\n  target subwords: unigram, 306 pieces" in ended.out


def test_what_is_broken_in_a_run_is_a_warning(trained: Trained, tmp_path: Path) -> None:
    run = shutil.copytree(trained.run, tmp_path / "run")
    (run / "metrics.jsonl").write_text("{\n")
    ended = nmt("info", run)
    assert ended.code == 0
    assert f"warning: {run}: metrics.jsonl line 1 is broken and left out\n" in ended.err
    assert nmt("info", run, "-q").err == ended.err  # a warning is not what --quiet is for


@pytest.mark.parametrize("file", ["model.safetensors", "source.spm", "config.yaml", "model.json"])
def test_a_damaged_model_is_an_error(file: str, model: Path) -> None:
    (model / file).write_bytes(b"{\x00")
    ended = nmt("info", model)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("error: ")
    assert "Traceback" not in ended.err


def test_without_a_model_it_takes_what_others_take(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = nmt("info")
    assert (ended.code, "no model is named" in ended.err) == (2, True)
    monkeypatch.setenv("NMT_MODEL", str(model))
    assert nmt("info").out == nmt("info", model).out == nmt("info", "-m", model).out
    ended = nmt("info", model, "-m", model)
    assert (ended.code, "MODEL and --model are the same" in ended.err) == (2, True)


@pytest.mark.parametrize("words", [("info",), ("runs",)], ids=" ".join)
def test_it_does_without_torch(words: tuple[str, ...], trained: Trained) -> None:
    code = (
        "import sys, nmt.cli\n"
        "try: nmt.cli.main()\n"
        "except SystemExit as end: sys.exit(bool(end.code or {'torch', 'sacrebleu'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code, *words, str(trained.run)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert str(trained.run) in ran.stdout
