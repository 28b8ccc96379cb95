"""`nmt translate`: one line in, one line out, in order, whatever the text is and wherever it comes from."""

import os
import shlex
import shutil
import signal
import subprocess
import threading
from pathlib import Path

import pytest

from tests.system.conftest import MODEL, command, environment, nmt

TRANSLATE = ("translate", "-m", MODEL, "--threads", "1")


def translate(*words: str | Path, stdin: bytes = b"") -> list[str]:
    """Standard output as lines, of a command that ends well and says nothing else."""
    ended = nmt(*TRANSLATE, *words, stdin=stdin)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == "" or ended.out.endswith("\n")
    return ended.out.split("\n")[:-1]


def test_arguments_a_file_and_standard_input_give_the_same(tmp_path: Path) -> None:
    lines = ["un chat mange", "deux", "été ici", "le chien rouge dort là"]
    (tmp_path / "text").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    told = translate(*lines)
    assert told[:3] == ["one cat eats", "two", "summer here"]
    assert len(told) == 4
    assert translate("-i", tmp_path / "text") == told
    assert translate(stdin=(tmp_path / "text").read_bytes()) == told
    assert translate("-i", tmp_path / "text", "--max-batch-tokens", "1") == told


@pytest.mark.parametrize("way", ["file", "stdin"])
@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"un\r\ndeux\r\n", ["one", "two"]),
        (b"\xef\xbb\xbfun\ndeux", ["one", "two"]),
        (b"\n \nun\n\t\n\xc2\xa0\n\xe3\x80\x80\n\ndeux\n\n", ["", "", "one", "", "", "", "", "two", ""]),
        ("un\u2028chat\ndeux\x0cchats\x85\n".encode(), ["one cat", "two cat"]),
        (b"", []),
        (b"\n", [""]),
    ],
    ids=["crlf", "mark", "blanks", "separators", "nothing", "one blank line"],
)
def test_each_line_in_is_a_line_out(way: str, text: bytes, told: list[str], tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(text)
    found = translate("-i", tmp_path / "text") if way == "file" else translate(stdin=text)
    assert [line[:7] for line in found] == told


def test_a_byte_that_is_not_utf8_in_a_file_is_an_error_before_any_output(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"un\n" * 5000 + b"caf\xe9\n")
    for output in ([], ["-o", tmp_path / "out"]):
        ended = nmt(*TRANSLATE, "-i", tmp_path / "text", *output)
        assert (ended.code, ended.out) == (1, "")
        assert "text line 5001 byte offset 3: 0xE9 is not UTF-8 here" in ended.err
        assert "iconv" in ended.err
    assert not (tmp_path / "out").exists()


def test_a_byte_that_is_not_utf8_on_standard_input_is_replaced_and_told() -> None:
    ended = nmt(*TRANSLATE, stdin=b"un\ncaf\xe9\ndeux\n")
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert len(lines) == 3
    assert (lines[0], lines[2]) == ("one", "two")
    assert "warning: standard input line 2 is not UTF-8" in ended.err
    assert "U+FFFD" in ended.err
    quiet = nmt(*TRANSLATE, "--quiet", stdin=b"un\ncaf\xe9\n")
    assert "warning: standard input line 2" in quiet.err  # quiet drops no warning


def test_an_argument_in_another_encoding_is_translated_all_the_same() -> None:
    assert len(nmt(*TRANSLATE, os.fsdecode(b"un caf\xe9"), "deux").out.splitlines()) == 2


def test_words_without_quotes_are_told_apart() -> None:
    ended = nmt(*TRANSLATE, "un", "chat", "mange")
    assert (ended.code, ended.out) == (0, "one\ncat\neats\n")
    assert "warning: 3 segments, translated one by one; quote a sentence to keep it together" in ended.err
    assert translate("un chat mange") == ["one cat eats"]
    assert translate("un") == ["one"]
    assert translate("un chat", "deux") == ["one cat", "two"]


def test_output_goes_to_a_file_when_it_is_asked_to(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("old\n")
    assert translate("-o", tmp_path / "out", "un chat", "", "deux") == []
    assert (tmp_path / "out").read_bytes() == b"one cat\n\ntwo\n"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_search_is_as_it_is_asked_for(tmp_path: Path) -> None:
    text = "un chien rouge mange ici"
    for words in (["--beam-size", "1"], ["--beam-size", "7"], ["--length-penalty", "0"]):
        assert translate(*words, text) == ["one dog red eats here"]
    short = nmt(*TRANSLATE, "--max-length", "3", text)
    assert len(short.out.split()) < 3
    assert "warning: line 1: reached the length limit" in short.err


def test_a_line_that_is_too_long_is_split_or_refused(tmp_path: Path) -> None:
    endless = "un chat mange " * 30
    ended = nmt(*TRANSLATE, "deux", endless, "trois chats")
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert (len(lines), lines[0]) == (3, "two")
    assert "warning: line 2: cut source" in ended.err
    ended = nmt(*TRANSLATE, *[endless] * 12)
    assert "warning: lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ... (12 in all): cut source" in ended.err
    ended = nmt(*TRANSLATE, "--long", "error", "-o", tmp_path / "out", "deux", endless)
    assert (ended.code, ended.out) == (1, "")
    assert "error: line 2 has" in ended.err
    assert not (tmp_path / "out").exists()
    (tmp_path / "text").write_text("deux\n" * 5000 + f"{endless}\n")
    ended = nmt(*TRANSLATE, "--long", "error", "-i", tmp_path / "text")
    assert (ended.code, ended.out) == (1, "")  # before any output
    assert "error: line 5001 has" in ended.err


def test_which_model_is_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("translate", "--threads", "1", "un chat")
    checkpoint = tmp_path / "runs" / "mine" / "checkpoints" / "step-300"
    shutil.copytree(MODEL, checkpoint)
    (tmp_path / "runs" / "mine" / "last").write_text("checkpoints/step-300\n")
    newest = nmt(*words)
    assert (newest.code, newest.out) == (0, "one cat\n")
    assert newest.err == "model: runs/mine\n"
    monkeypatch.setenv("NMT_MODEL", str(MODEL))
    named = nmt(*words)
    assert (named.out, named.err) == ("one cat\n", f"model: {MODEL}\n")
    assert nmt(*words, "--quiet").err == ""
    monkeypatch.setenv("NMT_MODEL", "nowhere")
    assert nmt(*words).code == 1
    assert nmt(*words, "-m", "runs/mine").code == 0


def test_an_answer_comes_when_a_line_is_there(tmp_path: Path) -> None:
    """A pipe that stays open: whoever waits for an answer before the next line must not wait for ever."""
    with subprocess.Popen(
        command(*TRANSLATE), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        impatience = threading.Timer(120, process.kill)
        impatience.start()
        for line, told in ((b"un chat\n", b"one cat\n"), (b"\n", b"\n"), (b"deux\n", b"two\n")):
            process.stdin.write(line)
            process.stdin.flush()
            assert process.stdout.readline() == told
        out, err = process.communicate(b"un chat mange " * 30)  # no LF at the end
        impatience.cancel()
    assert (process.returncode, len(out.splitlines())) == (0, 1)
    assert b"warning: line 4: cut source" in err  # counted over the whole stream


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_leaving_while_it_waits_for_a_line_is_no_crash(sent: signal.Signals) -> None:
    """Python cannot end while a thread waits in a read of sys.stdin."""
    with subprocess.Popen(
        command(*TRANSLATE), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"un chat\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"one cat\n"
        process.send_signal(sent)
        assert process.wait(timeout=30) == 128 + sent
        assert process.stderr is not None
        assert b"Fatal" not in process.stderr.read()


def test_a_closed_standard_error_changes_no_results() -> None:
    line = f"{shlex.join(command(*TRANSLATE, '--max-length', '3', 'un chat mange un chien'))} 2>&-"
    result = subprocess.run(["sh", "-c", line], stdout=subprocess.PIPE, text=True, env=environment())
    assert (result.returncode, len(result.stdout.splitlines())) == (0, 1)
    assert "warning" not in result.stdout


def test_a_file_that_is_read_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("un chat\n")
    (tmp_path / "link").symlink_to(tmp_path / "text")
    reference = ("-r", tmp_path / "text")
    for words in (
        (*TRANSLATE, "-i", tmp_path / "text", "-o", tmp_path / "link"),
        ("eval", "-m", MODEL, "-s", MODEL / "config.yaml", *reference, "-o", tmp_path / "text"),
        ("tokenizer", "train", tmp_path / "text", "-o", tmp_path / "text", "--overwrite"),
    ):
        ended = nmt(*words)
        assert ended.code == 2
        assert "is read and would be overwritten" in ended.err
    assert (tmp_path / "text").read_text() == "un chat\n"


def test_a_private_file_stays_private(tmp_path: Path) -> None:
    (tmp_path / "out").touch(mode=0o600)
    assert nmt(*TRANSLATE, "-o", tmp_path / "out", "un chat").code == 0
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o600
