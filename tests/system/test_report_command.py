"""`nmt report`: a page, a card and numbers that are right, whatever is missing."""

import json
import os
import random
import re
import shutil
import subprocess
from html import escape, unescape
from pathlib import Path
from typing import Any

import pytest

from nmt.commands import report_measure
from nmt.commands.report import CARD, PAGE
from nmt.commands.report_measure import _chosen, _reliability, _wilson
from nmt.evaluation import sentence_chrf
from nmt.folders import find_model
from nmt.pages.card import MARKER
from nmt.pages.report import page
from nmt.text.tokenizer import Tokenizer
from tests.pages.made import MADE
from tests.pages.reading import Page
from tests.system.conftest import MODEL, Trained, nmt, snapshot


@pytest.fixture
def run(trained: Trained, tmp_path: Path) -> Path:
    """A copy that may be written into."""
    return Path(shutil.copytree(trained.run, tmp_path / "harbour"))


def facts(*words: str | Path) -> dict[str, Any]:
    ended = nmt("report", *words, "--json", "--threads", "1", "--quiet")
    assert ended.code == 0, ended.err
    found = json.loads(ended.out)
    assert isinstance(found, dict)
    return found


def test_a_run_is_told_of_on_a_page_and_a_card(run: Path) -> None:
    ended = nmt("report", run, "--threads", "1")
    assert (ended.code, ended.out) == (0, f"{run / PAGE}\n"), ended.err
    text = (run / PAGE).read_text(encoding="utf-8")
    places = [section["id"] for section in Page(text).of("section")]
    # Dev is too small for confidence; and it has learned nothing yet but blank lines, which are no samples.
    assert places == ["scores", "training", "data", "errors", "speed", "model", "made"]
    card = (find_model(run) / CARD).read_text(encoding="utf-8")
    assert MARKER in card
    assert f"model card: {find_model(run) / CARD}" in ended.err


def test_scores_equal_those_of_nmt_eval(run: Path) -> None:
    found = facts(run)
    (here,) = (each for each in found["scored"] if each["here"])
    told = json.loads(nmt("eval", "-m", run, "--json", "--threads", "1", "--quiet").out)
    assert here["lines"] == told["lines"] == 10
    for score in here["scores"]:
        of_eval = told[score["key"]]
        assert [score[name] for name in ("score", "low", "high", "signature")] == [
            of_eval[name] for name in ("score", "low", "high", "signature")
        ]
    assert found["analysis"]["bleu"]["score"] == pytest.approx(told["bleu"]["score"], abs=1e-9)


def test_numbers_are_those_of_the_run(run: Path, trained: Trained) -> None:
    found = facts(run)
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert found["curves"]["updates"] == [row for row in rows if "loss" in row]
    assert found["curves"]["validations"] == [row for row in rows if "dev_loss" in row]
    told = json.loads((find_model(run) / "model.json").read_text())
    assert found["size"] == told["parameters"]
    assert found["step"] == told["step"] == found["curves"]["best"]
    assert found["config"] == (find_model(run) / "config.yaml").read_text()
    assert [corpus["role"] for corpus in found["corpora"]] == ["train", "dev"]
    assert found["corpora"][0]["pairs"] == 200
    assert found["corpora"][1]["pairs"] == 20
    assert found["commands"][0].startswith("nmt train ")
    assert found["versions"]["torch"]
    assert found["hardware"]["threads"] == "1"
    assert found["speed"]["lines"] == len(found["speed"]["latencies"]) == 10
    assert found["speed"]["source_words"] == sum(
        len(line.split()) for line in (trained.folder / "test.fr").read_text().splitlines()
    )


SOURCES = ("un chat mange", "deux chiens mange", "", "un chien dort là", "un chat rouge dort")
REFERENCES = ("a cat eats", "two dogs eat", "", "a dog sleeps there", "a red cat sleeps")


def test_samples_are_lines_of_the_test_set_as_nmt_translate_has_them(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(MODEL, tmp_path / "model"))
    for language, lines in (("fr", SOURCES), ("en", REFERENCES)):
        (tmp_path / f"talk.{language}").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    found = facts(folder, "--test", tmp_path / "talk")
    ended = nmt("translate", "-m", folder, "-i", tmp_path / "talk.fr", "--threads", "1", "--quiet")
    outputs = ended.out.splitlines()
    assert sorted(sample["line"] for sample in found["samples"]) == [1, 2, 4, 5]
    for sample in found["samples"]:
        index = sample["line"] - 1
        assert " ".join(sample["source"]) == SOURCES[index]
        assert sample["reference"] == REFERENCES[index]
        assert sample["words"] == outputs[index].split()
        assert len(sample["probabilities"]) == len(sample["words"])
        assert all(0 <= value <= 1 for value in sample["probabilities"])
        for row in sample["attention"]:
            assert len(row) == len(sample["source"])
            assert 0 <= sum(row) <= 1 + 1e-6
    scores = {sample["line"]: sample["chrf"] for sample in found["samples"]}
    told = sentence_chrf(outputs, [REFERENCES])
    assert scores == {line: pytest.approx(told[line - 1]) for line in scores}
    speed = found["speed"]
    tokenizer = Tokenizer.load(folder / "target.spm")
    pieces = [len(tokenizer.encode(line)) + 1 for line in outputs if line]  # and the end
    assert (speed["lines"], speed["source_words"], speed["pieces"]) == (5, 14, sum(pieces))
    assert len(speed["latencies"]) == 4  # blank lines are no work
    assert min(speed["latencies"]) > 0.2  # milliseconds: no model is that quick


def test_whether_confidence_comes_true_is_counted_on_the_test_set(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(MODEL, tmp_path / "model"))
    chance = random.Random(1)
    known, unknown = ["un", "chat", "rouge", "dort", "ici"], ["bateau", "vague", "quai"]
    english = {"un": "one", "chat": "cat", "rouge": "red", "dort": "sleeps", "ici": "here"}
    for name in ("dev", "test"):
        lines = [chance.choices(known + unknown * (chance.random() < 0.7), k=4) for _ in range(120)]
        (tmp_path / f"{name}.fr").write_text("".join(f"{' '.join(line)}\n" for line in lines), encoding="utf-8")
        (tmp_path / f"{name}.en").write_text(
            "".join(f"{' '.join(english.get(word, 'boat') for word in line)}\n" for line in lines), encoding="utf-8"
        )
    ended = nmt("calibrate", "-m", folder, "-s", tmp_path / "dev.fr", "-r", tmp_path / "dev.en", "--threads", "1")
    assert ended.code == 0, ended.err
    found = facts(folder, "--test", tmp_path / "test")
    told = found["reliability"]
    calibration = json.loads((folder / "calibration.json").read_text())
    assert told["threshold"] == calibration["dev"]["median_chrf"]
    assert told["lines"] == sum(bin["lines"] for bin in told["bins"]) == 120
    # As nmt translate tells it, line by line.
    words = ("-m", folder, "-i", tmp_path / "test.fr", "--json", "--threads", "1", "--quiet")
    lines = [json.loads(line) for line in nmt("translate", *words).out.splitlines()]
    chrf = sentence_chrf([line["text"] for line in lines], [(tmp_path / "test.en").read_text().splitlines()])
    confidence = [line["confidence"] for line in lines]
    assert told["good"] == pytest.approx(sum(value >= told["threshold"] for value in chrf) / 120)
    errors = [(said - (value >= told["threshold"])) ** 2 for said, value in zip(confidence, chrf, strict=True)]
    assert told["brier"] == pytest.approx(sum(errors) / 120, abs=1e-4)
    assert 'id="confidence"' in (folder / PAGE).read_text(encoding="utf-8")


def test_only_what_is_on_record(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_measure, "Measurement", None)
    found = facts(run, "--no-translate")
    assert found["analysis"] is found["speed"] is found["reliability"] is None
    assert found["samples"] == []
    assert [each["role"] for each in found["scored"]] == ["dev"]
    assert "Nothing was translated for this report" in found["missing"][-1]


def test_what_is_measured_is_kept_once(run: Path) -> None:
    facts(run)
    found = facts(run, "--overwrite")
    assert [(each["role"], each["here"]) for each in found["scored"]] == [("test", True), ("dev", False)]
    (entry,) = json.loads((find_model(run) / "scores.json").read_text())["scores"]
    assert entry["test"] == found["scored"][0]["test"] == "test"
    later = facts(run, "--no-translate", "--overwrite")
    assert later["scored"][0] == found["scored"][0] | {"here": False, "date": entry["date"]}


def test_the_score_of_another_text_of_that_name_stays(run: Path, tmp_path: Path) -> None:
    for language in ("fr", "en"):
        (tmp_path / f"test.{language}").write_text("Oui.\nNon.\n", encoding="utf-8")
    assert nmt("eval", "-m", run, "--test", tmp_path / "test", "--threads", "1").code == 0
    found = facts(run)
    told = [(each["test"], each["lines"], each["here"]) for each in found["scored"] if each["role"] == "test"]
    assert told == [("test", 10, True), ("test", 2, False)]


def test_what_nmt_eval_has_recorded_is_told(run: Path) -> None:
    entry = {
        "test": "harbour talk", "lines": 7, "decode": {"beam_size": 3}, "tags": ["sea"], "lowercase": True,
        "date": "2026-11-30T21:18:54+00:00",
        "results": {"chrf": {"score": 44.5, "low": 40.0, "high": 49.0, "signature": "s"}, "ter": {"score": 60.25}},
    }  # fmt: skip
    (find_model(run) / "scores.json").write_text(json.dumps({"scores": [entry]}))
    found = facts(run, "--no-translate", "--no-card")
    first = found["scored"][0]
    assert (first["test"], first["lines"], first["here"]) == ("harbour talk", 7, False)
    assert first["decode"] == "beam 3, >>sea<<, lower case"
    told = [(s["name"], s["score"], s["low"], s["high"], s["higher_is_better"]) for s in first["scores"]]
    assert told == [("chrF2", 44.5, 40.0, 49.0, True), ("TER", 60.25, None, None, False)]


def test_other_test_sets_are_named(run: Path, trained: Trained) -> None:
    found = facts(run, "--test", trained.folder / "dev", "--test", trained.folder / "test")
    assert [(each["test"], each["lines"]) for each in found["scored"] if each["here"]] == [("dev", 20), ("test", 10)]
    assert found["analysis"]["lines"] == 20  # the first one is looked into
    text = (run / PAGE).read_text(encoding="utf-8")
    assert "On dev (20 lines) it reaches" in text
    assert "Translations of dev are" in text


def test_without_a_test_set_dev_stands_in(run: Path, trained: Trained) -> None:
    config = find_model(run) / "config.yaml"
    text = config.read_text()
    config.write_text(text.replace(f"test: {trained.folder / 'test'}", "test: null"))
    assert config.read_text() != text
    found = facts(run)
    assert [(each["role"], each["lines"]) for each in found["scored"]] == [("dev", 20)]
    assert not (find_model(run) / "scores.json").exists()
    assert any("no test set in the configuration" in line and "of the dev set" in line for line in found["missing"])
    assert f"in 20 translations of {trained.folder.name}/dev:" in (find_model(run) / CARD).read_text(encoding="utf-8")


def test_an_older_run_tells_what_it_has(run: Path, trained: Trained) -> None:
    """Of a version that recorded neither commands nor data."""
    folder = find_model(run)
    for path in run.glob("checkpoints/*/model.json"):
        told = json.loads(path.read_text())
        del told["training"]
        path.write_text(json.dumps(told))
    config = folder / "config.yaml"
    config.write_text(config.read_text().replace(f"test: {trained.folder / 'test'}", "test: null"))
    found = facts(run)
    assert " ".join(found["missing"]).count("was not recorded") == 2
    assert [(corpus["role"], corpus["pairs"]) for corpus in found["corpora"]] == [("train", None), ("dev", None)]
    assert found["versions"]["torch"] == told["machine"]["torch"]
    assert found["hardware"]["trained on"] == "cpu"
    # What validation said of dev gives way to what is measured, whatever either calls it.
    assert [(each["role"], each["here"]) for each in found["scored"]] == [("dev", True)]


def test_text_that_is_gone_is_missing_and_no_error(run: Path) -> None:
    config = find_model(run) / "config.yaml"
    text = config.read_text()
    for part in ("train", "dev", "test"):
        text = text.replace(f"/{part}\n", f"/gone-{part}\n")
    config.write_text(text)
    found = facts(run)
    assert found["analysis"] is None
    told = " ".join(found["missing"])
    assert "The test set cannot be read" in told
    assert "The dev set cannot be read, either" in told
    assert "gone-test" in told
    assert found["curves"]["updates"]
    assert (run / PAGE).is_file()


def test_training_text_that_is_gone_is_not_judged_or_is_named(run: Path, trained: Trained) -> None:
    config = find_model(run) / "config.yaml"
    config.write_text(config.read_text().replace("/train\n", "/gone-train\n"))
    assert facts(run)["analysis"]["train"] == ""
    found = facts(run, "--train", trained.folder / "train", "--overwrite")
    assert found["analysis"]["train"] != ""
    ended = nmt("report", run, "--train", "nowhere", "--overwrite", "--no-card")
    assert (ended.code, ended.out) == (1, "")
    assert "there is no parallel text at nowhere" in ended.err
    assert "lines, beam" not in ended.err  # told before anything is translated


def test_a_model_folder_alone_has_no_curves(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(MODEL, tmp_path / "model"))
    found = facts(folder)
    assert found["model"] == ""
    assert "without its run" in " ".join(found["missing"])
    assert "was not recorded" in " ".join(found["missing"])
    assert (folder / PAGE).is_file()
    assert nmt("translate", "-m", folder, "un chat", "--quiet").code == 0


def test_an_average_is_no_older_model(run: Path, tmp_path: Path) -> None:
    shutil.copytree(find_model(run), tmp_path / "mean")
    path = tmp_path / "mean" / "model.json"
    known = json.loads(path.read_text())
    del known["training"]
    path.write_text(json.dumps(known | {"average_of": ["step-3", "step-6"]}))
    found = facts(tmp_path / "mean", "--no-translate")
    assert "This is the average of step-3, step-6" in found["missing"][0]
    assert "an older version" not in " ".join(found["missing"])
    assert found["step"] is None
    assert found["parent"] == ""


def test_a_fine_tuned_model_names_its_parent(run: Path) -> None:
    for path in run.rglob("model.json"):
        known = json.loads(path.read_text())
        known["training"]["init_from"] = {"model": "runs/old", "step": 7, "crc32": 1}
        path.write_text(json.dumps(known))
    assert facts(run, "--no-translate")["parent"] == "runs/old, its update 7"


def test_without_a_validation_no_checkpoint_is_called_the_best(run: Path) -> None:
    rows = (run / "metrics.jsonl").read_text().splitlines(keepends=True)
    (run / "metrics.jsonl").write_text("".join(row for row in rows if "dev_loss" not in row))
    assert nmt("report", run, "--no-translate").code == 0
    text = (run / PAGE).read_text()
    assert 'id="training"' in text
    assert "the best" not in text


def test_rows_that_are_broken_are_told(run: Path) -> None:
    with (run / "metrics.jsonl").open("a") as file:
        file.write("{half\n")
    assert any("is broken and left out" in line for line in facts(run, "--no-translate")["missing"])


def test_what_others_wrote_stays(run: Path) -> None:
    card = find_model(run) / CARD
    card.write_text("mine")
    ended = nmt("report", run, "--no-translate")
    assert ended.code == 0
    assert "README.md is not by nmt report and stays as it is" in ended.err
    assert card.read_text() == "mine"
    card.write_text(f"{MARKER}\nan older text")
    assert nmt("report", run, "--no-translate", "--overwrite").code == 0
    assert "an older text" not in card.read_text()


def test_without_a_card(run: Path) -> None:
    before = snapshot(run)
    assert nmt("report", run, "--no-translate", "--no-card", "-q").code == 0
    assert set(snapshot(run)) - set(before) == {PAGE}


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_to_has_no_card(run: Path, tmp_path: Path) -> None:
    folder = find_model(run)
    folder.chmod(0o500)
    try:
        ended = nmt("report", run, "--no-translate", "-o", tmp_path / "page.html")
    finally:
        folder.chmod(0o700)
    assert ended.code == 0
    assert "no model card is written" in ended.err


def test_a_card_that_cannot_be_written_is_a_warning(run: Path) -> None:
    (find_model(run) / CARD).mkdir()
    ended = nmt("report", run, "--no-translate")
    assert ended.code == 0
    assert "warning: no model card is written" in ended.err
    assert (run / PAGE).is_file()


def test_a_page_that_cannot_be_written_costs_no_translation(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may write anywhere, so it is only said that this cannot be done."""
    monkeypatch.setattr(report_measure, "Measurement", None)
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)
    ended = nmt("report", run)
    assert ended.code == 1
    assert ended.err == f"error: {run / PAGE} cannot be written: permission denied\n  try: another --output\n"


def test_a_page_is_not_overwritten_unasked(run: Path) -> None:
    (run / PAGE).write_text("mine")
    ended = nmt("report", run)
    assert ended.code == 2
    assert ended.err == f"error: {run / PAGE} exists\n  try: --overwrite, or another --output\n"
    assert (run / PAGE).read_text() == "mine"
    assert nmt("report", run, "--no-translate", "--overwrite", "-q").code == 0
    assert (run / PAGE).read_text().startswith("<!DOCTYPE html>")


def test_a_page_never_takes_the_place_of_what_it_tells_of(run: Path, tmp_path: Path) -> None:
    for language in ("fr", "en"):
        (tmp_path / f"t.{language}").write_text("one\n")
    before = snapshot(tmp_path)
    of_run = run / "metrics.jsonl", run / "best", find_model(run) / "config.yaml", find_model(run) / "model.json"
    for output in (*of_run, tmp_path / "t.en"):
        ended = nmt("report", run, "-o", output, "--overwrite", "--test", tmp_path / "t")
        assert ended.code == 2
        assert f"error: {output} is read and would be overwritten\n" in ended.err
    ended = nmt("report", run, "-o", tmp_path, "--overwrite")
    assert ended.err == f"error: {tmp_path} is a folder\n  try: name a file inside it\n"
    assert snapshot(tmp_path) == before


def test_a_page_in_a_model_folder_may_be_written_anew(tmp_path: Path) -> None:
    model = shutil.copytree(MODEL, tmp_path / "model")
    for _ in range(2):
        assert nmt("report", model, "--no-translate", "--overwrite").code == 0


def test_what_cannot_be_done_leaves_nothing_behind(run: Path, tmp_path: Path) -> None:
    before = snapshot(run)
    ended = nmt("report", run, "--test", tmp_path / "nowhere")
    assert ended.code == 1
    assert "nowhere" in ended.err
    ended = nmt("report", run, "--test", tmp_path / "nowhere", "--no-translate")
    assert ended.code == 2
    assert ended.err == "error: --test is for translating\n  try: leave out --no-translate, or --test\n"
    ended = nmt("report", tmp_path / "nothing")
    assert ended.code == 1
    assert "there is no model" in ended.err
    ended = nmt("report", run, "--no-translate", "-o", tmp_path / "no" / "page.html")
    assert ended.code == 1
    assert "cannot be written" in ended.err
    assert snapshot(run) == before


def test_the_newest_run_is_meant_when_none_is_named(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NMT_MODEL", str(run))
    ended = nmt("report", "--no-translate", "--no-card")
    assert ended.out == f"{run / PAGE}\n"
    assert f"run: {run}" in ended.err


def test_a_run_is_named_by_its_place_or_as_other_commands_name_a_model(run: Path) -> None:
    assert nmt("report", "-m", run, "--no-translate", "--no-card").out == f"{run / PAGE}\n"
    ended = nmt("report", run, "-m", run, "--no-translate", "--overwrite")
    assert (ended.code, ended.out) == (2, "")
    assert "RUN and --model are the same; give one" in ended.err


# ---- what is chosen and counted


def test_samples_go_from_bad_to_good() -> None:
    chrf = [float(value) for value in range(100)]
    chosen = _chosen(list(range(100)), chrf, [None] * 100)
    assert chosen == {10 * n: f"no worse than {n} of 10 lines" for n in (1, 3, 5, 7, 9)}
    # Of many that are alike none is better than the others; of few the worst one is there, too.
    assert _chosen([0, 1], [100.0, 100.0], [None] * 2) == {
        0: "no worse than 1 of 10 lines",
        1: "no worse than 5 of 10 lines",
    }


def test_samples_show_where_confidence_goes_wrong() -> None:
    chrf = [float(value) for value in range(100)]
    confidence: list[float | None] = [0.5] * 100
    confidence[42], confidence[13] = 0.01, 0.99
    confidence[99] = None
    chosen = _chosen(list(range(99)), chrf, confidence)
    assert chosen[42] == "the one it was least sure of"
    sure = [index for index, why in chosen.items() if why == "the worst of the quarter it was surest of"]
    assert sure == [0]  # of lines with equal confidence the first ones, and 13
    assert len(_chosen([5], chrf, confidence)) == 1
    assert _chosen([], [], []) == {}


def test_confidence_that_comes_true_has_no_error() -> None:
    confidence = [0.25] * 40 + [0.75] * 40 + [None] * 5
    chrf = [60.0] * 10 + [20.0] * 30 + [60.0] * 30 + [20.0] * 10 + [99.0] * 5
    found = _reliability(confidence, chrf, 60.0)
    assert [(bin.low, bin.lines, bin.predicted, bin.good) for bin in found.bins] == [
        (0.2, 40, 0.25, 0.25),
        (0.7, 40, 0.75, 0.75),
    ]
    assert (found.lines, found.good, found.error) == (80, 0.5, 0.0)
    assert found.brier == pytest.approx(0.1875)
    assert found.always_the_share == 0.25


def test_confidence_that_does_not_come_true_has_one() -> None:
    found = _reliability([1.0] * 10 + [0.0] * 10, [0.0] * 10 + [90.0] * 10, 50.0)
    assert found.error == found.brier == 1.0
    assert [(bin.low, bin.high) for bin in found.bins] == [(0.0, 0.1), (0.9, 1.0)]


def test_intervals_of_shares_are_wilsons() -> None:
    # Newcombe 1998, table I, method 3: 81 of 263 and 0 of 20
    assert _wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert _wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)


# ---- in a browser

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run", "--hide-scrollbars",
)  # fmt: skip
# The page itself may run no script: it is looked at from outside, in a frame of the width asked for.
MEASURE = """<!DOCTYPE html><body>
<iframe id="frame" width="{width}" height="800" style="border:0" srcdoc="{page}"></iframe>
<script>
document.getElementById("frame").onload = event => {{
  const page = event.target.contentDocument, view = event.target.contentWindow;
  const box = element => element.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const drawings = [...page.querySelectorAll("svg")].filter(svg => box(svg).width);
  const clashes = drawings.flatMap(svg => {{
    const texts = [...svg.querySelectorAll("text")];
    return texts.flatMap((one, i) => texts.slice(i + 1).filter(other => meet(box(one), box(other)))
      .map(other => one.textContent + " / " + other.textContent));
  }});
  const cut = drawings.flatMap(svg => [...svg.querySelectorAll("text")]
    .filter(text => box(text).left < box(svg).left - 1 || box(text).right > box(svg).right + 1)
    .map(text => text.textContent));
  const colour = (element, name) => view.getComputedStyle(element)[name];
  document.body.innerHTML = "<pre>" + JSON.stringify({{
    width: page.documentElement.scrollWidth, drawings: drawings.length, clashes, cut,
    smallest: Math.min(...drawings.flatMap(svg => [...svg.querySelectorAll("text")].map(text => box(text).height))),
    paper: colour(page.body, "backgroundColor"), ink: colour(page.body, "color"),
    soft: colour(page.querySelector("small"), "color"), link: colour(page.querySelector("a"), "color"),
    line: colour(page.querySelector("path.line"), "stroke"),
  }}) + "</pre>";
}};
</script>"""


def browser(folder: Path, *words: str | Path) -> str:
    assert BROWSER is not None
    command = [BROWSER, *FLAGS, f"--user-data-dir={folder / 'profile'}", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def seen(folder: Path, width: int, *words: str) -> dict[str, Any]:
    """What a browser makes of the page in a window of this width."""
    outside = folder / "outside.html"
    inside = re.sub("<meta http-equiv[^>]*>", "", page(MADE))  # which keeps the frame's owner out, too
    outside.write_text(MEASURE.format(width=width, page=escape(inside)), encoding="utf-8")
    dom = browser(folder, "--virtual-time-budget=5000", *words, "--dump-dom", outside.as_uri())
    found = json.loads(unescape(dom.partition("<pre>")[2].partition("</pre>")[0]))
    assert isinstance(found, dict)
    return found


def luminance(colour: str) -> float:
    """WCAG 2: relative luminance of "rgb(r, g, b)"."""
    parts = [int(value) / 255 for value in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium or Chrome is installed here")
class TestBrowser:
    @pytest.mark.parametrize("width", [360, 768, 1280])
    def test_nothing_is_cut_off_or_on_top_of_other_things(self, tmp_path: Path, width: int) -> None:
        found = seen(tmp_path, width)
        assert found["width"] <= width
        assert found["drawings"] == 9
        assert found["clashes"] == found["cut"] == []
        assert found["smallest"] >= 10

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_text_can_be_read_in_light_and_dark(self, tmp_path: Path, scheme: str) -> None:
        found = seen(tmp_path, 1000, f"--blink-settings=preferredColorScheme={1 if scheme == 'light' else 0}")
        assert (luminance(found["paper"]) > 0.5) == (scheme == "light")
        assert contrast(found["ink"], found["paper"]) > 7
        for part in ("soft", "link"):
            assert contrast(found[part], found["paper"]) > 4.5
        assert contrast(found["line"], found["paper"]) > 3

    def test_it_prints(self, tmp_path: Path) -> None:
        place = tmp_path / "page.html"
        place.write_text(page(MADE), encoding="utf-8")
        browser(tmp_path, "--no-pdf-header-footer", f"--print-to-pdf={tmp_path / 'page.pdf'}", place.as_uri())
        found = (tmp_path / "page.pdf").read_bytes()
        assert found.startswith(b"%PDF")
        pages = len(re.findall(rb"/Type /Page\b", found))
        assert 4 <= pages <= 10
