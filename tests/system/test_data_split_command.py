"""`nmt data split`, `stats` and `sample` as a user meets them."""

import json
import os
import random
from pathlib import Path

import pytest

from nmt.commands import data_split
from nmt.config import ModelConfig
from nmt.corpus import splitting
from tests.conftest import WORDS
from tests.system.conftest import MODEL, nmt, snapshot

LANGUAGES = ("--languages", "en", "de")


def write(folder: Path, count: int = 400, name: str = "all") -> Path:
    chance = random.Random(1)
    for language in ("en", "de"):
        own = [chr(97 + number % 26) * (number // 26 + 1) for number in range(count)]  # no two lines are alike
        rows = [f"{language} {' '.join(chance.choices(WORDS, k=9))} {word}" for word in own]
        (folder / f"{name}.{language}").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder / name


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def both(prefix: Path) -> list[tuple[str, str]]:
    return list(zip(lines(Path(f"{prefix}.en")), lines(Path(f"{prefix}.de")), strict=True))


def test_a_corpus_is_divided(tmp_path: Path) -> None:
    corpus = write(tmp_path)
    before = snapshot(tmp_path)
    ended = nmt("data", "split", corpus, *LANGUAGES, "-o", tmp_path / "made" / "sets", "--dev", "30", "--test", "20")
    assert (ended.code, ended.out) == (0, "")
    out = tmp_path / "made" / "sets"
    assert {path.name for path in out.iterdir()} == {f"{p}.{c}" for p in ("train", "dev", "test") for c in ("en", "de")}
    pairs = both(corpus)
    found = {part: both(out / part) for part in ("train", "dev", "test")}
    assert (len(found["dev"]), len(found["test"])) == (30, 20)
    assert sorted([*found["train"], *found["dev"], *found["test"]]) == sorted(pairs)
    for rows in found.values():
        assert [row for row in pairs if row in rows] == rows  # in the order of the corpus
    assert f"{out}: 350 train, 30 dev, 20 test pairs of the 400 in {corpus}" in ended.err
    assert f"data.train={out}/train data.dev={out}/dev data.test={out}/test" in ended.err
    assert "left out" not in ended.err
    assert {name: content for name, content in snapshot(tmp_path).items() if name in before} == before


def test_the_next_command_can_be_copied(tmp_path: Path) -> None:
    corpus = write(tmp_path)
    ended = nmt("data", "split", corpus, *LANGUAGES, "-o", tmp_path / "my sets", "--dev", "30", "--test", "0")
    assert f"'data.train={tmp_path}/my sets/train' 'data.dev={tmp_path}/my sets/dev'" in ended.err


def test_what_is_near_is_told_and_left_out(tmp_path: Path) -> None:
    corpus = write(tmp_path)
    nmt("data", "split", corpus, *LANGUAGES, "-o", tmp_path / "one", "--dev", "30", "--test", "20", "--quiet")
    near = lines(tmp_path / "one" / "dev.en")[0].rsplit(" ", 1)[0] + " somewhat"
    for language, text in (("en", near), ("de", "ganz was anderes")):
        with (tmp_path / f"all.{language}").open("a") as file:
            file.write(f"{text}\n")
    words = ("data", "split", corpus, *LANGUAGES, "--dev", "30", "--test", "20", "--seed", "1")
    ended = nmt(*words, "-o", tmp_path / "two")
    kept = nmt(*words, "-o", tmp_path / "three", "--keep-near")
    is_near = near not in lines(tmp_path / "two" / "train.en") + lines(tmp_path / "two" / "dev.en")
    assert is_near == ("left out of train: 1 pair within one word of dev or test" in ended.err)
    assert "left out" not in kept.err
    assert near in lines(tmp_path / "three" / "train.en")


def test_two_files_a_table_and_a_prefix_are_divided_alike(tmp_path: Path) -> None:
    corpus = write(tmp_path)
    table = tmp_path / "all.tsv"
    table.write_text("".join(f"{source}\t{target}\n" for source, target in both(corpus)))
    made = []
    for number, place in enumerate(([corpus], [table], [f"{corpus}.en", f"{corpus}.de"])):
        out = tmp_path / str(number)
        assert nmt("data", "split", *place, *LANGUAGES, "-o", out, "--dev", "9", "--test", "0", "-q").code == 0
        made.append({name: content for name, (content, _) in snapshot(out).items()})
    assert made[0] == made[1] == made[2]
    assert set(made[0]) == {"train.en", "train.de", "dev.en", "dev.de"}


def test_a_line_separator_inside_a_text_makes_no_line(tmp_path: Path) -> None:
    for language in ("en", "de"):
        rows = "".join(f"{word} is a\u2028word of {language} {word}\n" for word in WORDS[:12])
        (tmp_path / f"all.{language}").write_text(rows, encoding="utf-8")
    assert nmt("data", "split", tmp_path / "all", *LANGUAGES, "-o", tmp_path, "--dev", "2", "--test", "2").code == 0
    assert len((tmp_path / "dev.en").read_text(encoding="utf-8").splitlines()) == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--dev", "0", "--test", "0"], "leaves nothing to draw"),
        (["-o", "all.en"], "all.en is a file, not a folder"),
        (["-o", "old"], "train.de exists"),
        (["-o", "old", "--overwrite", "--dev", "0"], "dev.en is of an older split, and --dev 0 makes no new one"),
        (["--languages", "en", "en"], "--languages en en names one language twice"),
    ],
)
def test_what_makes_no_sense_is_refused(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, 40)
    (tmp_path / "old").mkdir()
    for name in ("old/train.de", "old/dev.en"):
        (tmp_path / name).touch()
    before = snapshot(tmp_path)
    ended = nmt("data", "split", "all", *LANGUAGES, "-o", "new", "--dev", "2", "--test", "2", *words)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("place", [["train"], ["train.en", "train.de"], ["tr*n"], ["./train"]])
def test_the_corpus_is_never_overwritten(place: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, 40, "train")
    before = snapshot(tmp_path)
    ended = nmt("data", "split", *place, *LANGUAGES, "-o", ".", "--dev", "2", "--test", "2", "--overwrite")
    assert ended.code == 2
    assert "is read and would be overwritten" in ended.err
    assert snapshot(tmp_path) == before


def test_the_files_take_their_places_when_all_are_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A flush takes long; a Ctrl-C in between must not leave half of the files."""
    done: list[str] = []
    flush, move = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda file: (done.append("flushed"), flush(file))[1])
    monkeypatch.setattr(Path, "replace", lambda self, to: (done.append("moved"), move(self, to))[1])
    prefix = write(tmp_path)
    data_split.run(data_split.Arguments([str(prefix)], ("en", "de"), tmp_path / "sets", dev=20, test=20, workers=1))
    assert done.index("moved") >= 6


def test_nothing_is_left_of_a_split_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = write(tmp_path, 40)
    before = snapshot(tmp_path)
    few = nmt("data", "split", corpus, *LANGUAGES, "-o", tmp_path / "new")
    assert few.code == 1
    assert "has 40 pairs, of which 20 can be drawn for dev and test, not 2,000" in few.err
    three = nmt("data", "split", corpus, corpus, corpus, *LANGUAGES, "-o", tmp_path / "new")
    assert three.code == 2
    assert "a corpus is one place or two files, not 3" in three.err

    def broken(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(splitting.Neighbourhood, "holds", broken)
    words = ("data", "split", corpus, *LANGUAGES, "--dev", "2", "--test", "2", "-o")
    assert nmt(*words, tmp_path / "new").code == 1
    assert not (tmp_path / "new").exists()
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "note").touch()
    assert nmt(*words, tmp_path / "there").code == 1
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["note"]
    (tmp_path / "there" / "note").unlink()
    (tmp_path / "there").rmdir()
    assert snapshot(tmp_path) == before


# stats


def test_the_figures_are_a_table_and_json(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("A cat sat.\tКошка сидела.\nA cat sat.\tКошка сидела.\n\tпусто\nyes\tда\n")
    ended = nmt("data", "stats", tmp_path / "t.tsv", "--languages", "en", "ru", "--json")
    assert (ended.code, ended.err) == (0, "")
    figures = json.loads(ended.out)
    assert (figures["pairs"], figures["blank_pairs"], figures["repeated_share"]) == (4, 1, 0.25)
    assert figures["exact"] is True
    assert figures["source"]["language"] == "en"
    assert figures["source"]["words"] == 7
    assert figures["source"]["distinct_words"] == 4
    assert figures["source"]["words_a_line"] == {"p5": 1, "p50": 3, "p95": 3, "p99": 3, "max": 3}
    assert figures["target"]["characters"] == 2 * 13 + 5 + 2
    assert figures["target"]["scripts"] == {"CYRILLIC": 1.0}
    assert figures["ratio"]["p50"] == 1.297  # 1.3, to half a percent
    assert "model" not in figures
    table = nmt("data", "stats", tmp_path / "t.tsv", "--languages", "en", "ru").out
    assert "t.tsv: 4 pairs\n" in table
    assert "with a blank side 1 (25.00%), repeated 25.00%" in table
    assert "Cyrillic 100.0%" in table


def test_a_models_subwords_are_counted(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("Je mange.\tI eat.\n" + "Il dort. " * 30 + "\tHe 😀 sleeps.\n")
    table = tmp_path / "t.tsv"
    figures = json.loads(nmt("data", "stats", table, "--languages", "fr", "en", "-m", MODEL, "--json").out)
    assert figures["model"] == {"name": str(MODEL), "max_length": 40}
    assert figures["source"]["too_long"] == 1
    assert figures["target"]["too_long"] == 0
    assert figures["target"]["unknown"] == {".": 2, "I": 1, "H": 1, "😀": 1}
    assert figures["target"]["unknown_characters"] == 5
    assert figures["source"]["pieces_a_word"] > 1
    ended = nmt("data", "stats", table, "--languages", "fr", "en", "-m", MODEL / "source.spm")
    assert ended.code == 0
    assert f"lines over {ModelConfig().max_length} pieces" in ended.out
    missing = nmt("data", "stats", table, "--languages", "fr", "en", "-m", tmp_path / "no.spm")
    assert (missing.code, missing.out) == (1, "")
    assert "no.spm cannot be read" in missing.err


# sample


def test_some_pairs_are_shown(tmp_path: Path) -> None:
    corpus = write(tmp_path)
    ended = nmt("data", "sample", corpus, *LANGUAGES, "-n", "7")
    assert (ended.code, ended.err) == (0, "")
    rows = ended.out.split("\n")[:-1]
    pairs = ["\t".join(pair) for pair in both(corpus)]
    assert len(rows) == 7
    assert [pair for pair in pairs if pair in rows] == rows
    assert nmt("data", "sample", corpus, *LANGUAGES, "-n", "7", "--seed", "2").out != ended.out
    for output, names in (("few", ["few.en", "few.de"]), ("few.tsv", ["few.tsv"])):
        words = ("data", "sample", corpus, *LANGUAGES, "-n", "7", "-o", tmp_path / output)
        assert nmt(*words).code == 0
        sides = [lines(tmp_path / name) for name in names]
        assert ["\t".join(row) for row in zip(*sides, strict=True)] == rows
        again = nmt(*words)
        assert again.code == 2
        assert f"{names[0]} exists" in again.err
        assert nmt(*words, "--overwrite").code == 0


def test_lines_are_shown_with_their_place(tmp_path: Path) -> None:
    corpus = write(tmp_path)
    ended = nmt("data", "sample", corpus, *LANGUAGES, "--lines", "5,2-3")
    assert ended.code == 0
    rows = [row.split("\t") for row in ended.out.split("\n")[:-1]]
    assert [row[0] for row in rows] == [f"{corpus}.en line {n}, {corpus}.de line {n}" for n in (2, 3, 5)]
    assert rows[2][1:] == [lines(tmp_path / "all.en")[4], lines(tmp_path / "all.de")[4]]
    ended = nmt("data", "sample", corpus, *LANGUAGES, "--lines", "400,401")
    assert ended.code == 1
    assert "has 400 pairs, so there is no line 401" in ended.err
    assert len(ended.out.split("\n")) == 2


def test_a_tab_inside_a_text_does_not_part_it(tmp_path: Path) -> None:
    (tmp_path / "t.en").write_text("a\tb\n")
    (tmp_path / "t.de").write_text("c\u2028d\n", encoding="utf-8")
    assert nmt("data", "sample", tmp_path / "t", *LANGUAGES, "-n", "1").out == "a b\tc d\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "either -n or --lines"),
        (["-n", "3", "--lines", "3"], "either -n or --lines"),
        (["--lines", "3", "-o", "new"], "--lines shows pairs and writes no corpus"),
        (["--lines", "3-1"], "'3-1' is neither a line nor a range"),
        (["--lines", "0"], "'0' is neither a line nor a range"),
        (["--lines", "a,2"], "'a' is neither a line nor a range"),
        (["-n", "0"], "Invalid value for '--count'"),
        (["-n", "3", "-o", "all", "--overwrite"], "all.en is read and would be overwritten"),
    ],
)
def test_a_sample_that_makes_no_sense_is_refused(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, 10)
    before = snapshot(tmp_path)
    ended = nmt("data", "sample", "all", *LANGUAGES, *words)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err
    assert snapshot(tmp_path) == before
