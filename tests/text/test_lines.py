"""Lines stay beside their partners whatever the text contains."""

import errno
import io
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nmt.errors import DataError
from nmt.text.lines import TextFile, atomic_file, clean, iter_lines, one_line, read_lines, visible, write_lines

# All that some program takes for the end of a line, but for LF itself.
SEPARATORS = ["\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("a  b   c", "a b c"),
        ("a\tb", "a b"),
        ("a \t b", "a b"),
        ("a\x00b\x07c\x1fd\x7fe", "a b c d e"),
        ("e\u0301", "\u00e9"),
        ("10\u00a0000\u3000x", "10\u00a0000\u3000x"),
        ("\u00a0\u3000\u2009\ufeff a \u200b\u2028\u00a0", "a"),
        ("क\u200d", "क\u200d"),  # a joiner at the end changes how the letter looks
        (" \t\u00a0\u3000\u200b\r", ""),
        ("", ""),
        ("½ ﬁ ０", "½ ﬁ ０"),  # NFC, not NFKC
    ],
)
def test_clean(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@pytest.mark.parametrize("separator", [*SEPARATORS, "\n"])
def test_clean_and_one_line_make_every_separator_a_space(separator: str) -> None:
    assert clean(f"a{separator}b") == "a b"
    assert one_line(f"a{separator}b") == "a b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (" Café,  gut! ", "Café, gut!"),
        ("12\u202f000\u00a0km", "12 000 km"),
        ("a\tb\x85c", "a b c"),
        ("\x1b[31mrot\u202e", "[31mrot\ufffd"),
        ("\u00a0", ""),
    ],
)
def test_what_is_shown_has_nothing_that_a_terminal_obeys(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_clean_is_done_in_one_go_and_leaves_one_line(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert len(once.splitlines()) <= 1


@given(st.text())
def test_one_line_changes_nothing_else(text: str) -> None:
    line = one_line(text)
    assert len(line) == len(text)
    assert len((line + "x").splitlines()) == 1
    assert all(a == b or b == " " for a, b in zip(text, line, strict=True))


def test_one_line_keeps_tabs_and_special_spaces() -> None:
    assert one_line("a\tb\u00a0c\u3000d") == "a\tb\u00a0c\u3000d"
    assert one_line("a\x00b") == "a b"


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\n\n", ["a", ""]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\r\n", ["a\r"]),
        (b"a\rb\n", ["a\rb"]),
        (b"\xef\xbb\xbfa\nb", ["a", "b"]),
        (b"\xef\xbb\xbf", []),
        (b"\xef\xbb\xbf\n", [""]),
        (b"a\n\xef\xbb\xbfb\n", ["a", "\ufeffb"]),
        ("".join(SEPARATORS[1:]).encode() + b"x\n", ["".join(SEPARATORS[1:]) + "x"]),
    ],
)
def test_a_file_and_a_stream_give_the_same_lines(data: bytes, lines: list[str], tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(data)
    assert read_lines(path) == lines
    assert list(iter_lines(io.BytesIO(data), "stdin")) == lines
    file = TextFile(path)
    assert len(file) == len(lines)
    assert list(file) == list(file) == lines


def test_a_file_of_lines_knows_its_content_and_when_it_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "text"
    sums = []
    for data in (b"a\nb\n", b"a\r\nb", b"a\n\nb\n", b"ab\n"):
        path.write_bytes(data)
        sums.append(TextFile(path).sha256)
    assert sums[0] == sums[1]  # the same lines
    assert len(set(sums)) == 3
    for data in (b"ab\nc\n", b""):
        file = TextFile(path)
        path.write_bytes(data)
        with pytest.raises(DataError, match=r"text has changed while it was read: \d lines, not \d"):
            list(file)
    path.unlink()
    with pytest.raises(DataError, match="text does not exist"):
        list(file)
    with pytest.raises(DataError, match="text does not exist"):
        TextFile(path)


@given(st.binary(max_size=30))
def test_a_file_and_a_stream_agree_on_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "text"
    path.write_bytes(data)
    try:
        expected = read_lines(path)
    except DataError as error:
        name, place = str(path), error.message.removeprefix(str(path))
        with pytest.raises(DataError) as caught:
            list(iter_lines(io.BytesIO(data), name))
        assert caught.value.message == name + place
        with pytest.raises(DataError) as caught:
            TextFile(path)
        assert (caught.value.message, caught.value.remedy) == (error.message, error.remedy)
    else:
        assert list(iter_lines(io.BytesIO(data), "stdin")) == expected


@pytest.mark.parametrize(
    ("data", "match", "remedy"),
    [
        (b"a\nb\ncaf\xe9 x\n", r"text line 3 byte offset 3: 0xE9 is not UTF-8", "WINDOWS-1252"),
        (b"\xef\xbb\xbfcaf\xe9", r"text line 1 byte offset 3: 0xE9", "WINDOWS-1252"),
        (b"\xff\xfea\x00\n\x00", r"text line 1 byte offset 0: 0xFF", "iconv -f UTF-16"),
        (b"\x1f\x8b\x08\x00", r"text line 1 byte offset 1: 0x8B", "gunzip"),
        (b"ok\n\xe2\x96\n", r"text line 2 byte offset 0: 0xE2", "iconv"),
    ],
)
def test_invalid_utf8_is_refused_with_its_place(data: bytes, match: str, remedy: str, tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(data)
    with pytest.raises(DataError, match=match) as caught:
        read_lines(path)
    assert remedy in caught.value.remedy
    with pytest.raises(DataError, match=match):
        list(iter_lines(io.BytesIO(data), "text"))


def test_a_stream_can_replace_what_is_invalid_and_says_where() -> None:
    replaced: list[int] = []
    stream = io.BytesIO(b"a\ncaf\xe9\nb\n\xff\n")
    lines = list(iter_lines(stream, "stdin", invalid="replace", on_replaced=replaced.append))
    assert lines == ["a", "caf\ufffd", "b", "\ufffd"]
    assert replaced == [2, 4]
    assert list(iter_lines(io.BytesIO(b"\xff"), "stdin", invalid="replace")) == ["\ufffd"]


def test_a_line_comes_out_of_a_stream_before_the_next_is_written() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as stream, os.fdopen(writing, "wb", buffering=0) as sink:
        lines = iter_lines(stream, "stdin")
        for text in ("one", "two"):
            sink.write(text.encode() + b"\n")
            assert next(lines) == text


def test_missing_and_unreadable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere\.en does not exist"):
        read_lines(tmp_path / "nowhere.en")
    with pytest.raises(DataError, match=r"is a folder, not a text file"):
        read_lines(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match=r"cannot be read: not a directory"):
        read_lines(tmp_path / "file" / "below")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "out"
    texts = ["a", "", " b\t", "ü\u00a0😀", "x\u2028y", "p\nq", "r\rs", "t\r", "\ud800"]
    write_lines(path, iter(texts))
    assert read_lines(path) == ["a", "", " b\t", "ü\u00a0😀", "x y", "p q", "r s", "t ", "?"]
    assert path.read_bytes().endswith(b"\n")
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("old")

    def failing():
        yield "new"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_lines(path, failing())
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


def test_the_file_appears_only_when_complete(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with atomic_file(path) as file:
        file.write(b"half")
        assert not path.exists()
    assert path.read_bytes() == b"half"
    assert stat.S_IMODE(path.stat().st_mode) & stat.S_IRUSR


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    link = tmp_path / "link"
    link.symlink_to("real")
    write_lines(link, ["new"])
    assert link.is_symlink()
    assert (tmp_path / "real").read_text() == "new\n"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    # A pipe stands for every device: a test must not put a real one at risk, as /dev/null is when it runs as root.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_lines(pipe, ["a", "b"])
        assert pipe.is_fifo()
        assert os.read(reader, 100) == b"a\nb\n"
    finally:
        os.close(reader)
    assert [entry.name for entry in tmp_path.iterdir()] == ["pipe"]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "out"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DataError, match=r"out cannot be written: no space left on device"):
        write_lines(path, ["new"])
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"out cannot be written: no such file or directory") as caught:
        write_lines(tmp_path / "no" / "out", ["a"])
    assert "make its folder first" in caught.value.remedy
    (tmp_path / "folder").mkdir()
    with pytest.raises(DataError, match=r"folder cannot be written: is a directory"):
        write_lines(tmp_path / "folder", ["a"])
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]


def test_a_reader_that_has_seen_enough_is_no_data_error(tmp_path: Path) -> None:
    with pytest.raises(BrokenPipeError), atomic_file(tmp_path / "out"):
        raise BrokenPipeError
