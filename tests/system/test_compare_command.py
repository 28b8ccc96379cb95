"""`nmt compare`: which system is better, and whether that can be believed."""

import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from nmt.commands import compare as command
from nmt.commands import compare_text
from nmt.commands.compare_text import Compared, System, verdict
from nmt.commands.eval_sets import EvalSet
from nmt.decoding.workers import Recipe
from nmt.evaluation import evaluate, sentence_chrf
from nmt.evaluation.significance import Difference, PValues
from tests.conftest import sentences
from tests.system.conftest import MODEL, Trained, nmt

EXPECTED = json.loads(MODEL.with_suffix(".json").read_text(encoding="utf-8"))
REFERENCE = sentences(80, seed=4, longest=12)
# Fewer trials than the thousands of the command, where only the words matter.
FEW = 200


def write(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def noisy(share: float, seed: int) -> list[str]:
    """The reference with about so many of its words made others."""
    chance = random.Random(seed)
    words = " ".join(REFERENCE).split()
    return [
        " ".join(chance.choice(words) if chance.random() < share else w for w in line.split()) for line in REFERENCE
    ]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Systems as files: `near` is `good` with other mistakes, `bad` has far more."""
    texts = {"good": noisy(0.2, 1), "near": noisy(0.2, 2), "bad": noisy(0.5, 3), "reference": REFERENCE}
    return {name: write(tmp_path / name, lines) for name, lines in texts.items()}


def few(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = command.compare
    monkeypatch.setattr(command, "compare", lambda metric, counts: whole(metric, counts, samples=FEW, trials=FEW))


def test_files_are_compared_in_a_table_with_a_verdict(files: dict[str, Path]) -> None:
    ended = nmt("compare", files["good"], files["bad"], "-r", files["reference"])
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0] == "reference: 80 lines, 1 reference"
    assert re.fullmatch(r"  A  \S+/good", lines[1])
    assert re.fullmatch(r"  B  \S+/bad  \(\d+ lines just as A\)", lines[2])
    assert lines[4].startswith("BLEU  nrefs:1|bs:1000|seed:12345|case:mixed|")
    assert lines[5].split() == ["score", "interval", "against", "A", "interval", "p", "p'"]
    number, ends = r"\d+\.\d\d", r"\[[+-]?\d+\.\d\d, [+-]?\d+\.\d\d\]"
    assert re.fullmatch(rf"  A  {number}  {ends}", lines[6])
    assert re.fullmatch(rf"  B  {number}  {ends} +-{number}  {ends}  0\.0001  0\.001", lines[7])
    assert lines[8] == "  A is better than B, p = 0.0001."
    assert lines[10].startswith("chrF2  nrefs:1|")
    assert lines[16:] == [
        "p: approximate randomisation, 10,000 trials. p': paired bootstrap, 1,000 resamples, which gives",
        "the 95 % intervals, too. Verdicts: p < 0.05.",
    ]


def test_every_number_is_in_the_json(files: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch)
    words = ("compare", files["good"], files["near"], files["bad"], "-r", files["reference"], "--lines", "1")
    told = nmt(*words, "--metric", "ter", "--metric", "exact").out
    ended = nmt(*words, "--metric", "ter", "--metric", "exact", "--json")
    assert len(ended.out.splitlines()) == 1
    found = json.loads(ended.out)
    head = {"test": "reference", "place": str(files["reference"]), "lines": 80, "references": 1}
    assert {key: found[key] for key in head} == head
    assert found["significance"] == {"alpha": 0.05, "seed": 12345, "samples": 1000, "trials": 10000}
    assert list(found["metrics"]) == ["ter", "exact"]
    ter = found["metrics"]["ter"]
    assert (ter["name"], ter["higher_is_better"]) == ("TER", False)
    assert f"\nTER (lower is better)  {ter['signature']}\n" in told
    for name, path in zip("ABC", ("good", "near", "bad"), strict=True):
        lines = files[path].read_text(encoding="utf-8").splitlines()
        score = evaluate(lines, [REFERENCE], keys=["ter"], samples=FEW)["ter"]
        assert ter["scores"][name] == {"score": score.score, "low": score.interval[0], "high": score.interval[1]}
        about = found["systems"][name]
        assert (about["path"], about["kind"]) == (str(files[path]), "file")
    equal = sum(one == other for one, other in zip(noisy(0.2, 1), noisy(0.2, 2), strict=True))
    assert [about["lines_equal_to_first"] for about in found["systems"].values()][:2] == [80, equal]
    difference = ter["differences"]["C"]
    assert difference["difference"] == ter["scores"]["C"]["score"] - ter["scores"]["A"]["score"] > 0
    assert (difference["better"], difference["tests_agree"]) == ("A", True)
    row = (
        f"{difference['difference']:+.2f}  [{difference['low']:+.2f}, {difference['high']:+.2f}]",
        f"{difference['randomisation_p']:.2g}  {difference['bootstrap_p']:.2g}",
    )
    assert "  ".join(row) in told
    assert all(
        each["verdict"] in told for metric in found["metrics"].values() for each in metric["differences"].values()
    )
    assert difference["corrected_randomisation_p"] == 2 * difference["randomisation_p"]
    assert difference["corrected_bootstrap_p"] == 2 * difference["bootstrap_p"]
    assert 0 < difference["standard_error"] < difference["difference"] < difference["high"]
    assert difference["lines_needed"] < 80


def test_what_cannot_be_shown_is_said_so_with_what_would_be_needed(files: dict[str, Path]) -> None:
    words = ("compare", files["good"], files["near"], "-r", files["reference"], "--metric", "bleu")
    told = re.search(r"^  (no difference .*)\.$", nmt(*words).out, re.MULTILINE)
    assert told
    found = re.fullmatch(
        r"no difference between A and B can be shown with these 80 lines, p = (0\.\d+); about ([\d,]+) would be needed",
        told[1],
    )
    assert found
    difference = json.loads(nmt(*words, "--json").out)["metrics"]["bleu"]["differences"]["B"]
    assert (difference["better"], difference["verdict"]) == (None, told[1])
    assert float(found[1]) == pytest.approx(difference["randomisation_p"], rel=0.05)
    assert int(found[2].replace(",", "")) == pytest.approx(difference["lines_needed"], rel=0.05)


def test_several_are_corrected_for(files: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch)
    words = ("compare", files["good"], files["bad"], files["near"], "-r", files["reference"], "--metric", "bleu")
    ended = nmt(*words)
    assert "  A is better than B, corrected p = 0.01." in ended.out
    assert "corrected for 2 comparisons with A (Holm)." in ended.out
    found = json.loads(nmt(*words, "--json").out)["metrics"]["bleu"]["differences"]
    assert found["B"]["corrected_randomisation_p"] == 2 * found["B"]["randomisation_p"]
    assert found["C"]["corrected_randomisation_p"] == found["C"]["randomisation_p"]


def test_the_same_output_is_called_so(files: dict[str, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    few(monkeypatch)
    copy = shutil.copy(files["good"], tmp_path / "copy")
    ended = nmt("compare", files["good"], copy, "-r", files["reference"], "--lines", "3")
    assert ended.out.count("  B is the same as A, line for line.\n") == 2
    assert "(80 lines just as A)" in ended.out
    assert ended.out.endswith("\nNo line of B differs from A in chrF.\n")


def difference(value: float, p: PValues, corrected: PValues, better: str | None, needed: int | None) -> Difference:
    assert better in ("first", "other", None)
    return Difference(value, (value - 1, value + 1), 0.5, p, corrected, better, needed)


COMPARED = Compared(
    [System("A", Path("a"), None), System("B", Path("b"), None)],
    EvalSet("test", "test", [], [["x"] * 1000], "en"),
    [["x"] * 1000, ["y"] * 1000],
    [],
)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            difference(1, PValues(0.003, 0.001), PValues(0.003, 0.001), "other", 400),
            "B is better than A, p = 0.003",
        ),
        (
            difference(-1, PValues(0.003, 0.001), PValues(0.006, 0.002), "first", 400),
            "A is better than B, corrected p = 0.006",
        ),
        (
            difference(1, PValues(0.0496, 0.051), PValues(0.0496, 0.051), "other", 1000),
            "B is better than A, p = 0.0496; but the bootstrap does not see it, p' = 0.051",
        ),
        (
            difference(0.1, PValues(0.2312, 0.12), PValues(0.2312, 0.12), None, 5632),
            "no difference between A and B can be shown with these 1,000 lines, p = 0.23; about 5,600 would be needed",
        ),
        (
            difference(0.1, PValues(0.06, 0.03), PValues(0.06, 0.03), None, 2210),
            "no difference between A and B can be shown with these 1,000 lines, p = 0.06; the bootstrap, which is "
            "easier to convince, sees one, p' = 0.03; about 2,200 would be needed",
        ),
        (
            difference(0.0, PValues(1.0, 0.4), PValues(1.0, 0.4), None, None),
            "no difference between A and B can be shown with these 1,000 lines, p = 1: they score the same",
        ),
        (
            difference(1.0, PValues(1.0, 1.0), PValues(1.0, 1.0), None, None),
            "no difference between A and B can be shown with these 1,000 lines, p = 1",
        ),
        (
            difference(1.0, PValues(0.06, 0.06), PValues(0.06, 0.06), None, 900),
            "no difference between A and B can be shown with these 1,000 lines, p = 0.06",
        ),
    ],
    ids=["other", "first", "doubt", "none", "bootstrap alone", "equal", "no variance", "lines enough"],
)
def test_verdicts_in_words(found: Difference, words: str) -> None:
    assert verdict(COMPARED, found, 1) == words


def test_the_lines_that_differ_most_are_shown(files: dict[str, Path], tmp_path: Path) -> None:
    lines = files["good"].read_text(encoding="utf-8").splitlines()
    other = [*lines]
    other[41], other[6] = "", lines[6] + " x\x1b[31m\u202e"
    source = write(tmp_path / "source", [f"source {number}" for number in range(1, 81)])
    words = ("compare", files["good"], write(tmp_path / "other", other), "-r", files["reference"], "-r", files["near"])
    told = nmt(*words, "-s", source, "--lines", "5").out
    shown = told[told.index("Where B differs most from A") :].splitlines()
    (score,) = sentence_chrf([lines[41]], [[REFERENCE[41]], [noisy(0.2, 2)[41]]])
    assert shown[1:7] == [
        f"  line 42: A {score:.1f}, B 0.0",
        "    source     source 42",
        f"    reference  {REFERENCE[41]}",
        f"    reference  {noisy(0.2, 2)[41]}",
        f"    A          {lines[41]}",
        "    B          (blank)",
    ]
    assert shown[7].startswith("  line 7: ")
    assert shown[12] == f"    B          {lines[6]} x [31m\ufffd"
    assert len(shown) == 13
    assert "2 references" in told
    found = json.loads(nmt(*words, "--lines", "5", "--json").out)["most_different"]["B"]
    assert [row["line"] for row in found] == [42, 7]
    assert [found[0]] == json.loads(nmt(*words, "--lines", "1", "--json").out)["most_different"]["B"]
    assert found[0] == {
        "line": 42,
        "references": [REFERENCE[41], noisy(0.2, 2)[41]],
        "outputs": {"A": lines[41], "B": ""},
        "chrf": {"A": pytest.approx(score), "B": 0.0},
    }


def test_notes_name_their_system(files: dict[str, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    few(monkeypatch)
    lines = files["good"].read_text(encoding="utf-8").splitlines()
    words = ("compare", files["good"], write(tmp_path / "gap", [*lines[:-1], ""]), "-r", files["reference"])
    assert nmt(*words).err == "warning: B: 1 of 80 hypotheses are empty, the first in line 80.\n"
    blank = write(tmp_path / "blank", [*REFERENCE[:-1], ""])
    ended = nmt("compare", files["good"], files["near"], "-r", blank, "--metric", "exact")
    assert ended.err.startswith("warning: 1 of 80 references are empty, the first in line 80")
    short = [write(tmp_path / f"short{number}", ["Yes"]) for number in range(2)]
    assert "BLEU is 0" in nmt("compare", *short, "-r", short[0]).err
    assert nmt("compare", *short, "-r", short[0], "--metric", "chrf").err == ""


def test_options_reach_the_metrics(files: dict[str, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    few(monkeypatch)
    upper = write(tmp_path / "upper", [line.upper() for line in REFERENCE])
    words = (
        "compare",
        upper,
        files["good"],
        "-r",
        files["reference"],
        "--metric",
        "bleu",
        "--metric",
        "bleu",
        "--json",
    )
    plain, lowered = (json.loads(nmt(*words, *more).out)["metrics"] for more in ((), ("--lowercase",)))
    assert list(plain) == ["bleu"]
    assert nmt(*words[:-1]).out.count("BLEU") == 1  # named twice, told once
    assert plain["bleu"]["differences"]["B"]["better"] == "B"
    assert lowered["bleu"]["differences"]["B"]["better"] == "A"
    assert "tok:zh" in nmt(*words, "--language", "zh").out


# Models


@pytest.fixture
def pairs(tmp_path: Path) -> tuple[str | Path, ...]:
    """A test set that MODEL translates without a mistake at its own beam."""
    source = write(tmp_path / "pairs.fr", [row["source"] for row in EXPECTED])
    return "-s", source, "-r", write(tmp_path / "pairs.en", [row["translation"] for row in EXPECTED])


def test_models_and_files_are_compared_and_each_model_translates_once(
    pairs: tuple[str | Path, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    few(monkeypatch)
    made: list[Recipe] = []
    whole = command.translate_set
    monkeypatch.setattr(command, "translate_set", lambda recipe, *a, **k: made.append(recipe) or whole(recipe, *a, **k))
    lines = [row["translation"] for row in EXPECTED]
    hypotheses = write(tmp_path / "hypotheses", [line.upper() for line in lines])
    words = ("compare", MODEL, hypotheses, MODEL, *pairs, "--threads", "1")
    ended = nmt(*words)
    assert ended.code == 0, ended.err
    assert ended.out.startswith(f"pairs: {len(lines)} lines, 1 reference\n  A  {MODEL}\n  B  {hypotheses}  (")
    assert re.search(r"\n  A  100\.00  \[100\.00, 100\.00\]\n", ended.out)
    assert "  A is better than B, corrected p = " in ended.out
    assert "  C is the same as A, line for line." in ended.out
    assert [recipe.models for recipe in made] == [(MODEL,)]
    assert ended.err == f"A: {MODEL}, beam 3\n"
    assert made[0].decode == {"guard": "off"}
    assert nmt(*words, "--beam-size", "1", "--quiet").err == ""
    assert made[1].decode == {"guard": "off", "beam_size": 1}
    assert "|tok:13a|" in ended.out
    kinds = {name: about["kind"] for name, about in json.loads(nmt(*words, "--json").out)["systems"].items()}
    assert kinds == {"A": "model", "B": "file", "C": "model"}


def test_the_first_models_own_test_sets_are_the_default(
    trained: Trained, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    few(monkeypatch)
    output = tmp_path / "out"
    scores = json.loads(nmt("eval", "-m", trained.run, "--threads", "1", "--json", "-o", output).out)
    words = ("compare", output, trained.run, "--threads", "1", "--json", "--metric", "chrf")
    own = nmt(*words)
    found = json.loads(own.out)
    assert (found["test"], found["lines"]) == ("test", 10)
    assert [each["score"] for each in found["metrics"]["chrf"]["scores"].values()] == [scores["chrf"]["score"]] * 2
    assert found["metrics"]["chrf"]["differences"]["B"]["verdict"] == "B is the same as A, line for line"
    assert nmt(*words, "--test", str(trained.folder / "test")).out == own.out
    several = ("--test", str(trained.folder / "test"), "--test", str(trained.folder / "dev"))
    both = nmt("compare", trained.run, trained.run, "--threads", "1", "--json", "--metric", "chrf", *several)
    assert [(row["test"], row["lines"]) for row in map(json.loads, both.out.splitlines())] == [
        ("test", 10),
        ("dev", 20),
    ]
    ended = nmt(*words, *several)
    assert (ended.code, ended.out) == (2, "")
    assert f"there are 2 test sets, and {output} can only be of one" in ended.err


def test_models_of_other_languages_are_refused(pairs: tuple[str | Path, ...], tmp_path: Path) -> None:
    other = shutil.copytree(MODEL, tmp_path / "other")
    config = (other / "config.yaml").read_text(encoding="utf-8")
    (other / "config.yaml").write_text(config.replace("source_language: fr", "source_language: de"), encoding="utf-8")
    ended = nmt("compare", MODEL, other, *pairs)
    assert (ended.code, ended.out) == (2, "")
    assert f"{MODEL} translates fr-en, but {other} de-en: no text is a test of both" in ended.err


def test_the_models_target_language_decides_about_words(pairs: tuple[str | Path, ...], tmp_path: Path) -> None:
    other = shutil.copytree(MODEL, tmp_path / "other")
    config = (other / "config.yaml").read_text(encoding="utf-8")
    (other / "config.yaml").write_text(config.replace("target_language: en", "target_language: zh"), encoding="utf-8")
    words = ("compare", other, pairs[3], "-s", pairs[1], "-r", pairs[3], "--metric", "bleu", "--threads", "1")
    assert "|tok:zh|" in nmt(*words).out
    assert "|tok:13a|" in nmt(*words, "--language", "en").out


def test_tags_must_be_the_models(pairs: tuple[str | Path, ...]) -> None:
    ended = nmt("compare", MODEL, MODEL, *pairs, "--tag", "formal")
    assert (ended.code, ended.out) == (2, "")
    assert "formal" in ended.err


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["good", "-r", "reference"], 2, "one system cannot be compared with itself"),
        (["good", "near"], 2, "files of translations need a reference"),
        (["good", "near", "-s", "reference"], 2, "files of translations need a reference"),
        (["good", "near", "--test", "reference"], 2, "--test needs a model among the systems"),
        (["good", "near", "-r", "reference", "--beam-size", "2"], 2, "there is nothing to search"),
        (["good", "near", "-r", "reference", "--tag", "x"], 2, "there is nothing to search"),
        (
            ["good", "near", "-r", "reference", "--metric", "comet"],
            2,
            "'comet' is none of bleu, chrf, chrf++, ter, exact",
        ),
        (["good", MODEL], 2, "was configured without data.test"),
        (["good", MODEL, "-s", "reference"], 2, "--source and --reference go together"),
        (["good", "nowhere", "-r", "reference"], 1, "nowhere does not exist"),
        (["good", ".", "-r", "reference"], 1, ". is neither a run nor a model folder"),
        (["good", "short", "-r", "reference"], 1, "short has 79 lines, but reference has 80"),
        (["good", "near", "-r", "reference", "-r", "short"], 1, "good has 80 lines, but reference has 79"),
        (["short", "short", "-r", "reference"], 1, "short has 79 lines, but reference has 80"),
        (["good", "near", "-s", "short", "-r", "reference"], 1, "79 source lines, but 80 reference lines"),
        (["short", MODEL, "-s", "reference", "-r", "reference"], 1, "short has 79 lines, but reference has 80"),
        (["empty", "empty", "-r", "empty"], 1, "there is nothing to score"),
    ],
    ids=lambda value: " ".join(map(str, value)).replace(str(MODEL), "MODEL") if isinstance(value, list) else "",
)
def test_what_makes_no_sense_is_refused(
    words: list[str], code: int, told: str, files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "short", REFERENCE[:79])
    write(tmp_path / "empty", [])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "translate_set", lambda *_, **__: pytest.fail("before any work"))
    ended = nmt("compare", *words)
    assert (ended.code, ended.out) == (code, "")
    assert told in ended.err
    assert "Traceback" not in ended.err


def test_comparing_files_does_without_torch(files: dict[str, Path]) -> None:
    code = (
        "import sys, nmt.cli; sys.argv[1:] = ['compare', *sys.argv[1:], '--metric', 'exact']\n"
        "try: nmt.cli.main()\n"
        "except SystemExit as end: sys.exit(bool(end.code) or 'torch' in sys.modules)"
    )
    words = [str(files["good"]), str(files["near"]), "-r", str(files["reference"])]
    subprocess.run([sys.executable, "-c", code, *words], check=True, capture_output=True)


def test_more_systems_than_letters_have_names_too() -> None:
    names = [system.name for system in command._systems([Path(__file__)] * 28)]
    assert (names[0], names[25:]) == ("A", ["Z", "S27", "S28"])


def test_numbers_are_rounded_to_be_read() -> None:
    p_values = [compare_text._p(p) for p in (1 / 10001, 1 / 1001, 0.18068, 0.0497, 0.0503, 1.0)]
    assert p_values == ["0.0001", "0.001", "0.18", "0.0497", "0.0503", "1"]
    assert [compare_text._rounded(count) for count in (7, 5612, 123_456_789)] == [7, 5600, 120_000_000]
