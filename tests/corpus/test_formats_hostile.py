"""Files made to do harm: memory stays as it is, and what is wrong is told as of any other file."""

from collections.abc import Callable
from pathlib import Path

import pytest

from nmt.corpus import blocks
from nmt.corpus.blocks import look_through
from nmt.corpus.formats import inputs, json_rows, lines, markup, open_pairs
from nmt.corpus.formats.inputs import Input
from nmt.errors import DataError
from tests.corpus.test_formats_lines import PACK


@pytest.mark.parametrize("packing", [".gz", ".xz", ".zst", ".bz2"])
def test_a_small_archive_of_very_much_comes_in_small_pieces(packing: str, tmp_path: Path) -> None:
    path = tmp_path / f"t.tsv{packing}"
    path.write_bytes(PACK[packing](bytes(64 << 20)))
    pieces = [len(block) for block in Input(path, packing[1:]).blocks()]  # type: ignore[arg-type]
    assert sum(pieces) == 64 << 20
    assert max(pieces) <= (33 << 20 if packing == ".zst" else inputs._UNPACKED)


@pytest.mark.parametrize("name", ["t.tsv", "t.jsonl", "t.json", "t.po"])
def test_a_line_without_end_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (lines, json_rows):
        monkeypatch.setattr(module, "LONGEST", 1 << 20)
    start = {"t.tsv": b"a\tb\n", "t.jsonl": b'{"en": "a", "de": "b"}\n', "t.json": b"[\n", "t.po": b"# a\n"}[name]
    (tmp_path / name).write_bytes(start + (b'{"en": "' if "json" in name else b"") + b"x" * (4 << 20))
    with pytest.raises(DataError, match=rf"{name} line 2 is over \d+ MB long: that is no text"):
        list(open_pairs(tmp_path / name, "en", "de"))


def test_a_plain_file_without_a_line_end_is_not_read_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (lines, blocks):
        monkeypatch.setattr(module, "LONGEST", 1 << 20)
    monkeypatch.setattr(blocks, "_READ", 1 << 18)
    for side in ("en", "de"):
        (tmp_path / f"t.{side}").write_bytes(b"a\n" + b"x" * (4 << 20))
    checked = 0
    check: Callable[[object, bytes], bytes] = blocks._Side._check

    def counting(self: object, data: bytes) -> bytes:
        nonlocal checked
        checked += len(data)
        return check(self, data)

    monkeypatch.setattr(blocks._Side, "_check", counting)
    with pytest.raises(DataError, match=r"t\.en line 2 is over"):
        look_through(open_pairs(tmp_path / "t", "en", "de"), tmp_path, "t")
    assert checked < 16 << 20  # it would be 64


@pytest.mark.parametrize("text", [b'<tmx a="%s"/>', b"<tmx><!--%s--></tmx>", b"<tmx><%s/></tmx>"])
def test_a_tag_without_end_is_refused(text: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markup, "_LONGEST", 1 << 20)
    (tmp_path / "t.tmx").write_bytes(text % (b"x" * (4 << 20)))
    with pytest.raises(DataError, match=r"t\.tmx line 1: a tag or comment of more than 1,048,576 bytes"):
        list(open_pairs(tmp_path / "t.tmx", "en", "de"))


@pytest.mark.parametrize("name", ["punycode", "idna", "undefined", "utf-16", "utf-7", "cp037", "unicode_escape"])
def test_po_is_not_read_in_an_encoding_that_changes_its_ascii(name: str, tmp_path: Path) -> None:
    head = f'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset={name}\\n"\n\n'
    (tmp_path / "t.po").write_text(head + 'msgid "a+b"\nmsgstr "-c-- \\\\ud800"\n')
    with pytest.raises(DataError, match=f"t.po: its header names {name} as charset, in which PO cannot be written"):
        list(open_pairs(tmp_path / "t.po", "en", "de"))


@pytest.mark.parametrize("name", ["shift_jis", "euc-kr", "gb18030", "koi8-r", "cp1252", "iso2022_jp", "big5"])
def test_po_is_read_in_an_encoding_that_keeps_it(name: str, tmp_path: Path) -> None:
    head = f'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset={name}\\n"\n\n'
    (tmp_path / "t.po").write_text(head + 'msgid "a"\nmsgstr "b"\n')
    assert list(open_pairs(tmp_path / "t.po", "en", "de")) == [("a", "b")]


def test_the_number_of_a_plural_has_an_end(tmp_path: Path) -> None:
    (tmp_path / "t.po").write_text(f'msgid "a"\nmsgid_plural "b"\nmsgstr[{"9" * 5000}] "c"\n')
    with pytest.raises(DataError, match="line 3 is not valid PO"):
        list(open_pairs(tmp_path / "t.po", "en", "de"))
