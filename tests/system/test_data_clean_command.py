"""`nmt data clean`: one pass, files that appear together or not at all, and an account of what is gone."""

import gzip
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from nmt.cli.cleaning import RULE_NAMES
from nmt.corpus.rules import RULES
from nmt.corpus.starter.everyday import PAIRS
from tests.system.conftest import command, environment, nmt, snapshot

Pair = tuple[str, str]
FRENCH = "Le vieux pont sur la rivière a été fermé la semaine dernière."
ENGLISH = "The old bridge over the river was closed last week."
PLANTED: list[tuple[str, str, str]] = [
    ("blank", "", ENGLISH),
    ("blank", FRENCH, " \u00a0"),
    ("too_long", "mot " * 300, "word " * 300),
    ("too_long", "très " * 20_000, ENGLISH),
    ("controls", FRENCH, ENGLISH.replace("old", "o\ufffdd")),
    ("controls", FRENCH.replace("pont", "po\x07nt"), ENGLISH),
    ("controls", FRENCH, ENGLISH.replace("old", "o\u200bld")),
    ("mojibake", FRENCH.encode().decode("latin-1"), ENGLISH),
    ("mojibake", FRENCH, ENGLISH.replace("The", "Itâ€™s the")),
    ("letters", "--- *** === ### $$$ %%%", "+++ ;;; ::: ???? ((("),
    ("repeated", FRENCH, "the the the the the the the the the the"),
    ("copied", FRENCH, FRENCH),
    ("script", FRENCH, "Старый мост через реку был закрыт на прошлой неделе."),
    ("language", FRENCH, "Die alte Brücke über den Fluss war letzte Woche gesperrt."),
    ("language", ENGLISH, FRENCH),
    ("length_ratio", FRENCH, "No."),
    ("numbers", f"{FRENCH} C'était en 1984.", f"{ENGLISH} That was in 1948."),
    ("urls", f"{FRENCH} www.exemple.fr", ENGLISH),
    ("duplicate", *PAIRS[7]),
    ("near_duplicate", PAIRS[9][0].upper(), PAIRS[9][1]),
]


def write(prefix: Path, pairs: list[Pair]) -> Path:
    for side, language in enumerate(("fr", "en")):
        text = "".join(f"{pair[side]}\n" for pair in pairs)
        Path(f"{prefix}.{language}").write_bytes(text.encode())
    return prefix


def read(path: Path) -> list[str]:
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    assert text.endswith("\n") or not text
    return text.split("\n")[:-1]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Good pairs, and twenty that are not."""
    return write(tmp_path / "train", [*PAIRS, *((source, target) for _, source, target in PLANTED)])


def clean(corpus: Path, output: Path | str, *words: str | Path, stdin: bytes = b"") -> tuple[int, str, str]:
    ended = nmt("data", "clean", corpus, "--languages", "fr", "en", "-o", output, *words, stdin=stdin)
    return ended.code, ended.out, ended.err


def test_twenty_faults_are_dropped_with_their_reasons_and_all_else_is_kept(corpus: Path, tmp_path: Path) -> None:
    code, out, err = clean(corpus, tmp_path / "good", "--dropped", tmp_path / "bad.tsv")
    assert (code, err) == (0, "")
    rows = [line.split("\t") for line in read(tmp_path / "bad.tsv")]
    assert [(int(row[0]), row[1]) for row in rows] == [
        (len(PAIRS) + number, rule) for number, (rule, _, _) in enumerate(PLANTED, start=1)
    ]
    assert all(row[2:] == list(fault[1:]) for row, fault in zip(rows, PLANTED, strict=True))
    kept = list(zip(read(tmp_path / "good.fr"), read(tmp_path / "good.en"), strict=True))
    assert kept == list(PAIRS)
    table = [line.split() for line in out.splitlines()]
    assert table[:3] == [
        ["pairs", "453", "100.00%"], ["kept", "433", "95.58%"], ["dropped", "20", "4.42%"],
    ]  # fmt: skip
    assert table[3][:2] == ["blank", "2"]
    assert [row[0] for row in table[3:]] == [name for name in RULES if name in {rule for rule, _, _ in PLANTED}]
    assert out.splitlines()[3].endswith(RULES["blank"].doc)


def test_the_counts_as_json(corpus: Path, tmp_path: Path) -> None:
    code, out, _ = clean(corpus, tmp_path / "good.tsv.gz", "--json", "--without", "blank,numbers", "--without", "urls")
    assert code == 0
    figures = json.loads(out)
    assert figures["name"] == str(corpus)
    assert (figures["pairs"], figures["kept"], figures["dropped"]) == (453, 437, 16)
    assert figures["files"] == [str(tmp_path / "good.tsv.gz")]
    assert figures["dropped_file"] is None
    assert {"blank", "numbers", "urls", "overlap", "duplicate_source"}.isdisjoint(figures["reasons"])
    assert figures["reasons"]["controls"] == 3
    assert figures["reasons"]["too_long"] == 2


def test_every_kind_of_output_holds_the_same(corpus: Path, tmp_path: Path) -> None:
    for output in ("a", "b.gz", "c.tsv", "d.tsv.gz"):
        assert clean(corpus, tmp_path / output)[0] == 0
    sides = read(tmp_path / "a.fr"), read(tmp_path / "a.en")
    rows = [f"{source}\t{target}" for source, target in zip(*sides, strict=True)]
    assert (read(tmp_path / "b.fr.gz"), read(tmp_path / "b.en.gz")) == sides
    assert read(tmp_path / "c.tsv") == read(tmp_path / "d.tsv.gz") == rows
    before = (tmp_path / "d.tsv.gz").read_bytes()
    assert clean(corpus, tmp_path / "d.tsv.gz", "--overwrite")[0] == 0
    assert (tmp_path / "d.tsv.gz").read_bytes() == before
    assert before[4:8] == bytes(4)  # no date in it


def test_a_pipe_in_and_a_pipe_out(corpus: Path, tmp_path: Path) -> None:
    table = "".join(f"{source}\t{target}\n" for source, target in PAIRS[:200]) + "\tx\n"
    code, out, err = clean(Path("-"), "-", stdin=table.encode())
    assert code == 0
    assert out == table.removesuffix("\tx\n")
    assert [line.split()[:3] for line in err.splitlines()] == [
        ["pairs", "201", "100.00%"], ["kept", "200", "99.50%"], ["dropped", "1", "0.50%"], ["blank", "1", "0.50%"],
    ]  # fmt: skip
    assert clean(Path("-"), "-", "--quiet", stdin=table.encode())[2] == ""
    assert clean(Path("-"), "-", "--json", stdin=table.encode())[2].startswith("{")


def test_a_reader_that_leaves_early_is_no_error(corpus: Path) -> None:
    words = command("data", "clean", corpus, "--languages", "fr", "en", "-o", "-")
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), pipesize=4096
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_what_is_kept_is_tidied_unless_it_is_wanted_raw(tmp_path: Path) -> None:
    untidy = [("a\tb  c\u0301 d", "  E\u2028f  g"), ("h i", "j k\r")]
    corpus = write(tmp_path / "untidy", untidy)
    clean(corpus, tmp_path / "tidy")
    assert (read(tmp_path / "tidy.fr"), read(tmp_path / "tidy.en")) == (["a b ć d", "h i"], ["E f g", "j k"])
    clean(corpus, tmp_path / "raw", "--raw")
    assert (read(tmp_path / "raw.fr"), read(tmp_path / "raw.en")) == (
        ["a\tb  c\u0301 d", "h i"],
        ["  E\u2028f  g", "j k"],
    )
    clean(corpus, tmp_path / "raw.tsv", "--raw")
    assert read(tmp_path / "raw.tsv")[0] == "a b  c\u0301 d\t  E\u2028f  g"  # a TAB would be a column


def test_dev_text_is_left_out(corpus: Path, tmp_path: Path) -> None:
    dev = write(tmp_path / "dev", list(PAIRS[20:25]))
    test = write(tmp_path / "test", list(PAIRS[30:33]))
    code, _, _ = clean(corpus, tmp_path / "good", "--against", dev, "--against", test, "--dropped", tmp_path / "bad")
    assert code == 0
    assert [line.split("\t")[:2] for line in read(tmp_path / "bad")][:8] == [
        [str(number + 1), "overlap"] for number in (*range(20, 25), *range(30, 33))
    ]


def test_rules_are_switched(corpus: Path, tmp_path: Path) -> None:
    def kept(name: str, *words: str) -> int:
        assert clean(corpus, tmp_path / name, *words)[0] == 0
        return len(read(tmp_path / f"{name}.fr"))

    usual = kept("a")
    assert kept("b", "--without", "controls,near_duplicate") == usual + 4
    assert kept("d", "--max-words", "3") < kept("e", "--max-characters", "30") < usual
    assert kept("f", "--max-ratio", "1.3") < usual
    again = write(tmp_path / "again", [*PAIRS[:20], (PAIRS[3][0], "Something else altogether.")])
    for words, left in (((), 21), (("--with", "duplicate_source"), 20), (("--with", "duplicate_target"), 21)):
        assert clean(again, tmp_path / "g", *words, "--overwrite")[0] == 0
        assert len(read(tmp_path / "g.fr")) == left


def test_several_processes_write_the_same(corpus: Path, tmp_path: Path) -> None:
    for workers in ("1", "2"):
        folder = tmp_path / workers
        folder.mkdir()
        code, _, _ = clean(corpus, folder / "good", "--dropped", folder / "bad", "--workers", workers)
        assert code == 0
    one, two = (
        {name: content for name, (content, _) in snapshot(tmp_path / workers).items()} for workers in ("1", "2")
    )
    assert one == two
    assert set(one) == {"good.fr", "good.en", "bad"}


def test_a_corpus_of_which_nothing_is_left_is_warned_of(tmp_path: Path) -> None:
    corpus = write(tmp_path / "train", [("", "a"), ("b", "")])
    code, out, err = clean(corpus, tmp_path / "good")
    assert (code, err) == (0, f"warning: {corpus}: no pair is left\n")
    assert [line.split()[1] for line in out.splitlines()] == ["2", "0", "2", "2"]


# ---- What is refused


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--without", "lenght_ratio"], "--without lenght_ratio: there is no such rule\n  try: --without length_ratio"),
        (["--with", "magic"], "--with magic: there is no such rule\n  try: one of blank, too_long"),
        (["--with", "blank", "--without", "blank"], "blank is asked for by --with and by --without"),
        (["--with", "overlap"], "--with overlap: with what?"),
        (["--without", "overlap", "--against", "train"], "--without overlap leaves --against nothing to do"),
        (["--max-words", "0"], "Invalid value for '--max-words'"),
        (["--workers", "none"], "neither auto nor a number"),
        (["--dropped", "good.en"], "good.en is written twice"),
        (["--dropped", "train.en"], "train.en exists"),
        (["--dropped", "train.en", "--overwrite"], "train.en is read and would be overwritten"),
        (["--against", "old", "--dropped", "old.en", "--overwrite"], "old.en is read and would be overwritten"),
        (["-o", "train"], "train.fr exists\n  try: --overwrite, or another name"),
        (["-o", "train", "--overwrite"], "train.fr is read and would be overwritten"),
        (["-o", "old"], "old.fr exists"),
        (["-o", "good.tmx"], "good.tmx: .tmx is read, not written"),
        (["-o", "good.tsv.xz"], "good.tsv.xz: .xz is read, not written"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_is_touched(
    words: list[str], told: str, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "old", list(PAIRS[:3]))
    before = snapshot(tmp_path)
    monkeypatch.chdir(tmp_path)
    ended = nmt("data", "clean", "train", "--languages", "fr", "en", "-o", "good", *words)
    assert ended.code == 2
    assert told in ended.err
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-o", "train.fr/good"], "train.fr cannot be written"),
        (["-o", "good", "--dropped", "train.fr/below/bad"], "cannot be written"),
        (["-o", "new/below/good", "--dropped", "other/bad"], "has 454 lines but"),
        (["-o", "good", "--against", "absent"], "there is no parallel text at absent"),
        (["-o", "good"], "has 454 lines but"),
        (["-o", "good.gz"], "has 454 lines but"),
    ],
)
def test_an_error_leaves_nothing_half_written(
    words: list[str], told: str, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Path(f"{corpus}.fr").open("a") as file:
        file.write("une ligne de plus\n" if told.startswith("has") else "")
    before = snapshot(tmp_path)
    monkeypatch.chdir(tmp_path)
    ended = nmt("data", "clean", "train", "--languages", "fr", "en", *words)
    assert ended.code == 1
    assert re.fullmatch(rf"error: .*{re.escape(told)}.*\n  try: .*\n", ended.err)
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_run_that_is_ended_leaves_nothing_half_written(sent: signal.Signals, workers: str, tmp_path: Path) -> None:
    (tmp_path / "good.en").write_text("what was there\n")
    words = command(
        "data", "clean", "-", "--languages", "fr", "en", "-o", tmp_path / "good", "--overwrite",
        "--without", "duplicate,near_duplicate", "--workers", workers,
    )  # fmt: skip
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    with subprocess.Popen(
        words, stdin=ours, stderr=subprocess.PIPE, env=environment(), start_new_session=True
    ) as process:
        os.close(ours)
        until = time.monotonic() + 60
        while not any(path.stat().st_size for path in tmp_path.glob(".good.*.tmp")) and time.monotonic() < until:
            try:
                os.write(
                    theirs, f"{FRENCH}\t{ENGLISH}\n".encode() * 20
                )  # whole lines: fewer bytes than a pipe takes at once
            except BlockingIOError:
                time.sleep(0.005)
        process.send_signal(sent)
        process.wait(30)
    os.close(theirs)
    assert process.returncode in (130, 143, -signal.SIGKILL)
    assert (tmp_path / "good.en").read_text() == "what was there\n"
    left = {path.name for path in tmp_path.iterdir() if not path.name.startswith(".")}
    assert left == {"good.en"}
    if sent != signal.SIGKILL:
        assert len(list(tmp_path.iterdir())) == 1


def test_the_help_names_every_rule() -> None:
    assert RULE_NAMES.split(", ") == list(RULES)


@pytest.mark.parametrize("place", ["in", "tsv:pairs.gz", "part-*"])
def test_a_packed_or_sharded_input_is_not_written_to(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the corpus is named, and although --overwrite is given."""
    monkeypatch.chdir(tmp_path)
    for name in ("in.en.gz", "in.de.gz", "pairs.gz", "part-1.en", "part-1.de"):
        (tmp_path / name).write_bytes(gzip.compress(b"a house\n") if name.endswith("gz") else b"a house\n")
    output = {"in": "in.gz", "tsv:pairs.gz": "x", "part-*": "part-1"}[place]
    dropped = ["--dropped", "pairs.gz"] if place.startswith("tsv") else []
    ended = nmt("data", "clean", place, "--languages", "en", "de", "-o", output, "--overwrite", *dropped)
    assert (ended.code, "is read and would be overwritten" in ended.err) == (2, True)


@pytest.mark.parametrize("output", ["", ".", "..", "FOLDER/"])
def test_a_folder_is_no_name_for_files(output: str, corpus: Path, tmp_path: Path) -> None:
    before = snapshot(tmp_path)
    code, _, err = clean(corpus, output.replace("FOLDER", str(tmp_path)))
    assert (code, snapshot(tmp_path)) == (2, before)
    assert "is no name for files" in err


def test_one_file_by_two_names_is_one(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "here").symlink_to(tmp_path)
    before = snapshot(tmp_path)
    code, _, err = clean(corpus, tmp_path / "good", "--dropped", tmp_path / "here" / "good.en")
    assert (code, snapshot(tmp_path)) == (2, before)
    assert "is written twice" in err


def test_missing_folders_are_made(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ended = nmt("data", "clean", "train", "--languages", "fr", "en", "-o", "new/below/good", "--dropped", "other/bad")
    assert ended.code == 0
    assert {path.name for path in tmp_path.rglob("*") if path.parent.name in ("below", "other")} == {
        *("good.fr", "good.en", "bad"),
    }
