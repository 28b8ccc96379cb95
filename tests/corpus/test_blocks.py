"""Text that one can jump into: the same lines as a reader finds, whatever the file ends with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from nmt.corpus import blocks
from nmt.corpus.blocks import BLOCK_LINES, TextBlocks, look_through
from nmt.corpus.formats import open_pairs
from nmt.corpus.stream import PairList, PairStream
from nmt.errors import DataError


def text_of(folder: Path, source: bytes, target: bytes) -> TextBlocks:
    (folder / "t.en").write_bytes(source)
    (folder / "t.de").write_bytes(target)
    return look_through(open_pairs(str(folder / "t"), "en", "de"), folder / "scratch", "t")


@pytest.mark.parametrize("at_once", [7, 64, 1 << 22])
@pytest.mark.parametrize("count", [1, 2, 255, 256, 257, 511, 512, 513])
def test_every_line_is_found_in_its_block(
    count: int, at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With and without a line end at the end, a byte order mark at the start, CR before LF; D3, D4."""
    monkeypatch.setattr(blocks, "_READ", at_once)
    lines = [f"l{i} ü\u2028{'x' * (i % 5)}" for i in range(count)]
    plain, ended = "\n".join(lines).encode(), "".join(f"{line}\r\n" for line in lines).encode()
    for source in (plain, plain + b"\n", b"\xef\xbb\xbf" + plain):
        text = text_of(tmp_path, source, ended)
        assert text.lines == count
        assert len(text) == -(-count // BLOCK_LINES)
        assert list(text.pairs()) == [(i + 1, line, line) for i, line in enumerate(lines)]
        last = len(text) - 1
        assert text.read(last) == [(line, line) for line in lines[last * BLOCK_LINES :]]
        assert [len(text.lines_of(block)) for block in range(len(text))] == [
            min(BLOCK_LINES, count - block * BLOCK_LINES) for block in range(len(text))
        ]


def test_an_empty_text_has_no_blocks(tmp_path: Path) -> None:
    for content in (b"", b"\xef\xbb\xbf"):
        text = text_of(tmp_path, content, b"")
        assert (len(text), text.lines, list(text.pairs())) == (0, 0, [])


def test_blank_lines_are_lines(tmp_path: Path) -> None:
    text = text_of(tmp_path, b"a\n\n\nd", b"\nb\n\n\n")
    assert list(text.pairs()) == [(1, "a", ""), (2, "", "b"), (3, "", ""), (4, "d", "")]


def test_single_lines_are_picked_by_number(tmp_path: Path) -> None:
    lines = "".join(f"{i}\n" for i in range(1, 1001)).encode()
    text = text_of(tmp_path, lines, lines)
    assert text.pick([1000, 1, 256, 257, 2]) == [(i, str(i), str(i)) for i in (1, 2, 256, 257, 1000)]


def test_the_digest_is_of_the_content(tmp_path: Path) -> None:
    first = text_of(tmp_path, b"a\nb\n", b"c\nd\n").digest
    assert text_of(tmp_path, b"a\nb\n", b"c\nd\n").digest == first
    assert text_of(tmp_path, b"a\nb\n", b"c\ne\n").digest != first
    assert text_of(tmp_path, b"c\nd\n", b"a\nb\n").digest != first


def test_text_of_another_form_is_written_down_first(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_bytes('a "quoted\tb\x0bc\nx\u2028\ty\n'.encode())
    text = look_through(open_pairs(str(tmp_path / "t.tsv"), "en", "de"), tmp_path / "scratch", "t")
    assert list(text.pairs()) == [(1, 'a "quoted', "b c"), (2, "x ", "y")]  # one line each, as a reader cleans it
    assert all(path.parent == tmp_path / "scratch" for path in text.files)
    assert text.name == str(tmp_path / "t.tsv")
    many = [(f"s{i}", f"t{i}") for i in range(9000)]
    again = look_through(PairList("list", many), tmp_path / "scratch", "many")
    assert [(source, target) for _, source, target in again.pairs()] == many


def test_a_stray_byte_is_found_before_anything_is_learned(tmp_path: Path) -> None:
    """D10: whichever chunk it is in, and at the very end of a file, where a character may be cut short."""
    for source, told in ((b"a\nb\nc \xe9x\nd\n", "line 3 byte offset 2: 0xE9"), (b"a\nb\nc\nd\xc3", "line 4 byte")):
        with pytest.raises(DataError, match=told):
            text_of(tmp_path, source, b"1\n2\n3\n4\n")


def test_utf_16_and_unequal_files_are_told_as_the_reader_tells_them(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="looks like UTF-16"):
        text_of(tmp_path, "ab\ncd\n".encode("utf-16-le"), b"1\n2\n3\n")
    with pytest.raises(DataError, match="has 2 lines but .* has 1 line"):
        text_of(tmp_path, b"a\nb\n", b"1\n")


def test_one_nul_byte_is_no_reason_to_refuse(tmp_path: Path) -> None:
    assert list(text_of(tmp_path, b"a\0b\nc\n", b"1\n2\n").pairs()) == [(1, "a\0b", "1"), (2, "c", "2")]


@pytest.mark.parametrize("change", [b"a\nb\nc\nd\n", b"a\nb", b"\xff\xff\xff\xff\n\n"])
def test_a_file_that_changes_meanwhile_is_told(change: bytes, tmp_path: Path) -> None:
    text = text_of(tmp_path, b"a b\nc d\n", b"1\n2\n")
    (tmp_path / "t.en").write_bytes(change)
    with pytest.raises(DataError, match="has changed while it was read") as caught:
        list(text.pairs())
    assert "stays as it is" in caught.value.remedy


def test_a_file_that_is_gone_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="does not exist"):
        look_through(_Gone(tmp_path), tmp_path, "t")


class _Gone(PairStream):
    def __init__(self, folder: Path) -> None:
        self.name = "gone"
        self.files = (folder / "no.en", folder / "no.de")

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter([("a", "b")])


class _Fickle(_Gone):
    """Two files whose lines do not match, of which its reader sees nothing."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        for path, text in zip(self.files or (), ("a\n", "b\nc\n"), strict=True):
            path.write_text(text)


def test_files_that_did_not_match_only_once_are_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="gone has changed while it was read"):
        look_through(_Fickle(tmp_path), tmp_path, "t")
