"""`nmt eval --analyse`: where and how it goes wrong, from the command line."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nmt.commands import eval_sets, evaluate, report_measure
from nmt.folders import find_model
from tests.system.conftest import MODEL, Ended, Trained, environment, nmt

SOURCES = ["The cat sat on the mat.", "It is not raining in 2007.", "He bought three red apples, Anna."]
HYPOTHESES = ["Die Katze saß auf der der Matte.", "Es regnet 2008.", "Er kaufte drei rote \x1b\u202eÄpfel."]
REFERENCES = ["Die Katze saß auf der Matte.", "Es regnet 2007 nicht.", "Er kaufte drei rote Äpfel, Anna."]


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    return {
        name: write(tmp_path / name, lines)
        for name, lines in (("source", SOURCES), ("hypotheses", HYPOTHESES), ("reference", REFERENCES))
    }


def analysed(files: dict[str, Path], *words: str | Path) -> Ended:
    options = [word for name, path in files.items() for word in (f"--{name}", path)]
    return nmt("eval", *options, "--analyse", "--source-language", "en", "--language", "de", *words)


def test_a_file_of_translations_is_analysed(files: dict[str, Path]) -> None:
    ended = analysed(files)
    assert (ended.code, ended.err) == (0, "analysing the translations\n")
    assert ended.out.startswith("BLEU ")
    for told in (
        "ANALYSIS of 3 lines: BLEU ",
        "0.94 words for each of the reference",
        "rare and unseen words: not judged; --train PLACE names the training text",
        "few lines: a hint at most",
        "Questions (whether the source ends in a question mark)\n    all lines are in one bucket: others",
        "Numbers (whether the source has numbers in digits)",
        "kept: 0 of 1 numbers that the source",
        "Lost numbers: 1 (33.3 %), line 2\n",
        ': "der" twice\n      source  The cat sat on the mat.\n',
        "in no line: Empty,",
        "not judged: Words found nowhere (the words of the training text are not known)",
        "WORST SENTENCES",
        "BEST SENTENCES",
    ):
        assert told in ended.out
    assert "\x1b" not in ended.out  # a terminal would obey these
    assert "\u202e" not in ended.out


def test_languages_that_nobody_named_are_asked_for(files: dict[str, Path]) -> None:
    told = "languages: not known, so negation is not judged; --source-language and --language name them"
    assert told not in analysed(files).out
    options = [word for name, path in files.items() for word in (f"--{name}", path)]
    assert told in nmt("eval", *options, "--analyse", "--language", "de").out


def test_a_long_sentence_is_cut(files: dict[str, Path]) -> None:
    write(files["source"], [*SOURCES[:2], "apple " * 100])
    assert max(len(line) for line in analysed(files).out.splitlines() if "apple" in line) < 120


def test_json_has_all_of_it_beside_the_scores(files: dict[str, Path]) -> None:
    ended = analysed(files, "--json")
    assert len(ended.out.splitlines()) == 1
    found = json.loads(ended.out)
    analysis = found["analysis"]
    assert analysis["bleu"]["score"] == found["bleu"]["score"]
    lines = {finding["key"]: finding["lines"] for finding in analysis["findings"] if finding["lines"]}
    assert lines == {
        "repetition": [1],
        "lost_number": [2],
        "invented_number": [2],
        "lost_name": [3],
        "lost_negation": [2],
    }
    assert analysis["source_language"] == "en"
    assert "analysis" not in json.loads(
        nmt("eval", "--hypotheses", files["hypotheses"], "-r", files["reference"], "--json").out
    )


def test_training_text_may_be_named(files: dict[str, Path], tmp_path: Path) -> None:
    pairs = write(tmp_path / "train.tsv", ["the cat\tdie Katze saß auf der Matte"] * 12)
    ended = analysed(files, "--train", pairs)
    assert f"rare and unseen words: by 12 pairs of {pairs}" in ended.out
    assert "10 to 99 times" in ended.out
    assert "Words found nowhere" in ended.out
    found = json.loads(analysed(files, "--train", pairs, "--json").out)["analysis"]
    assert found["train"] == f"12 pairs of {pairs}"
    assert [band["name"] for band in found["bands"]] == ["never", "10 to 99 times"]


def test_no_samples_no_intervals(files: dict[str, Path]) -> None:
    assert "[" not in analysed(files, "--samples", "0").out.split("in brackets")[0]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--hypotheses", "H", "-r", "H", "--analyse"], "--analyse of --hypotheses needs the text that was translated"),
        (["--hypotheses", "H", "-r", "H", "--train", "x"], "--train and --source-language are for the error analysis"),
        (["--hypotheses", "H", "-r", "H", "--source-language", "x"], "are for the error analysis"),
        (["--hypotheses", "H", "-r", "H", "-s", "H"], "--hypotheses scores a file as it is"),
        (
            ["--hypotheses", "H", "-r", "H", "-s", "H", "--analyse", "--train", "x", "--source-language", "de"],
            "know both",
        ),
        (
            ["--hypotheses", "H", "-r", "H", "-s", "H", "--analyse", "--train", "x"],
            "--train needs to know both languages",
        ),
        (
            ["--hypotheses", "H", "-r", "H", "-s", "H", "--analyse", "--train", "x", "--language", "de"],
            "needs to know both",
        ),
    ],
)
def test_what_cannot_be_is_a_usage_error(files: dict[str, Path], words: list[str], told: str) -> None:
    ended = nmt("eval", *(str(files["hypotheses"]) if word == "H" else word for word in words))
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err


def test_what_cannot_be_read_is_an_error(files: dict[str, Path], tmp_path: Path) -> None:
    ended = analysed(files, "--train", tmp_path / "nothing.tsv")
    assert (ended.code, ended.out) == (1, "")
    assert "nothing.tsv" in ended.err
    write(files["source"], SOURCES[:2])
    ended = analysed(files)
    assert (ended.code, ended.out) == (1, "")
    assert "there are 2 source lines but 3 hypotheses" in ended.err


def test_a_models_translations_are_analysed_by_its_training_text(trained: Trained) -> None:
    ended = nmt("eval", "-m", trained.run, "--analyse", "--samples", "0", "--json", "--quiet")
    assert ended.code == 0
    assert "not judged" not in ended.err
    found = json.loads(ended.out)["analysis"]
    assert (found["source_language"], found["target_language"], found["lines"]) == ("fr", "en", 10)
    assert found["train"].startswith("200 pairs of ")
    assert all(not group["not_judged"] for group in found["groups"])


@pytest.mark.parametrize("command", [("eval", "--analyse", "-m"), ("report", "-o", "page.html")], ids=lambda c: c[0])
def test_a_checkpoint_that_a_training_removes_meanwhile_costs_nothing(
    command: tuple[str, ...], trained: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Path(shutil.copytree(trained.run, tmp_path / "run"))
    translate = eval_sets.translate_set

    def removed(*arguments: Any, **options: Any) -> Any:
        try:
            return translate(*arguments, **options)
        finally:
            shutil.rmtree(find_model(run))

    for room in (evaluate, report_measure):
        monkeypatch.setattr(room, "translate_set", removed)
    monkeypatch.chdir(tmp_path)
    ended = nmt(*command, run, "--threads", "1")
    assert ended.code == 0, ended.err
    assert "Traceback" not in ended.err


def test_a_training_text_that_is_gone_is_a_warning(trained: Trained, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(trained.run, run)
    for config in run.rglob("config.yaml"):
        config.write_text(config.read_text().replace(str(trained.folder / "train"), str(tmp_path / "gone")))
    ended = nmt("eval", "-m", run, "--analyse", "--samples", "0")
    assert ended.code == 0
    assert "warning: rare and unseen words are not judged, as the training text cannot be read: " in ended.err
    assert "try: --train PLACE" in ended.err
    assert "not judged; --train PLACE" in ended.out
    named = nmt("eval", "-m", run, "--analyse", "--samples", "0", "--train", trained.folder / "train")
    assert "not judged" not in named.err
    assert f"by 200 pairs of {trained.folder / 'train'}" in named.out


def test_a_training_text_that_is_named_and_not_there_costs_no_translation(trained: Trained, tmp_path: Path) -> None:
    ended = nmt("eval", "-m", trained.run, "--analyse", "--train", "nowhere", "-o", tmp_path / "out")
    assert (ended.code, ended.out) == (1, "")
    assert "there is no parallel text at nowhere" in ended.err
    assert "beam" not in ended.err
    assert not (tmp_path / "out").exists()


def test_standard_input_is_not_waited_for(trained: Trained, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(trained.run, run)
    for config in run.rglob("config.yaml"):
        config.write_text(config.read_text().replace(f"train: {trained.folder / 'train'}", "train: '-'"))
    ended = nmt("eval", "-m", run, "--analyse", "--samples", "0")
    assert ended.code == 0
    assert "cannot be read: it came from standard input" in ended.err


def test_a_file_is_analysed_without_torch(files: dict[str, Path]) -> None:
    options = [str(word) for name, path in files.items() for word in (f"--{name}", path)]
    code = (
        f"import sys, nmt.cli; sys.argv[1:] = ['eval', '--analyse', *{options}]\n"
        "try: nmt.cli.main()\n"
        "except SystemExit as end: sys.exit(bool(end.code) or 'torch' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=environment())


def test_the_model_fixture_has_no_training_text_any_more() -> None:
    ended = nmt(
        "eval", "-m", MODEL, "-s", MODEL / "model.json", "-r", MODEL / "model.json", "--analyse", "--samples", "0"
    )
    assert ended.code == 0
    assert "rare and unseen words are not judged" in ended.err
