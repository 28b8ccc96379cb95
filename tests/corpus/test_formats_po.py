"""PO: what a message catalogue says is a pair."""

import random
import re
from pathlib import Path

import polib
import pytest

from nmt.corpus.formats import open_pairs
from nmt.errors import DataError

HEAD = 'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'


def write(folder: Path, text: str | bytes, head: str = HEAD) -> Path:
    path = folder / "t.po"
    path.write_bytes(text if isinstance(text, bytes) else (head + text).encode())
    return path


def read(path: Path, source: str = "en", target: str = "de") -> list[tuple[str, str]]:
    return list(open_pairs(path, source, target))


def test_messages_are_pairs(tmp_path: Path) -> None:
    text = r"""
# a comment
#: src/x.c:1
#, c-format
msgctxt "menu"
msgid "File "
"and\nmore\t\"q\" \\n"
msgstr   "Datei   "
  "und\n\nmehr"
msgid "a"
msgstr "ä"

msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d Datei"
msgstr[1] "%d Dateien"
msgstr[2] "%d Dateien (viele)"
"""
    stream = open_pairs(write(tmp_path, text), "en", "de")
    assert list(stream) == [
        ('File and more\t"q" \\n', "Datei   und mehr"),
        ("a", "ä"),
        ("%d file", "%d Datei"),
        ("%d files", "%d Dateien"),
        ("%d files", "%d Dateien (viele)"),
    ]
    assert [stream.place(number).source for number in (5, 1, 2)] == [f"{tmp_path}/t.po line {n}" for n in (18, 11, 15)]
    assert not stream.skipped


def test_what_is_not_translated_is_left_out(tmp_path: Path) -> None:
    text = """
#, fuzzy, c-format
msgid "a"
msgstr "b"

#, c-format, fuzzy
#| msgid "before"
#~ msgid "old"
#~ msgstr "alt"

msgid "c"
msgstr "d"
#~ msgctxt "x"
#~ msgid "older"
#~ "still"
#~ msgstr "älter"

#, no-fuzzy-here
msgid "e"
msgstr ""

msgid "f"
msgid_plural "g"
msgstr[0] ""
msgstr[1] "h"

msgctxt "no header"
msgid ""
msgstr "Language: fr"
"""
    stream = open_pairs(write(tmp_path, text), "en", "de")
    assert list(stream) == [("c", "d"), ("g", "h")]
    assert stream.skipped == {"fuzzy": 1, "not translated": 1}


@pytest.mark.parametrize("separator", ["\u2028", "\x85", "\x0b", "\x0c", "\x1c", "\r"])
def test_a_line_separator_in_a_message_parts_nothing(separator: str, tmp_path: Path) -> None:
    expected = " " if separator == "\r" else separator
    path = write(tmp_path, f'msgid "a{separator}b"\r\nmsgstr "c{separator}d"\r\n')
    assert read(path) == [(f"a{expected}b", f"c{expected}d")]


def test_escapes(tmp_path: Path) -> None:
    path = write(tmp_path, r'msgid "\101\x42\"\\\q\a"' + '\nmsgstr "\\\\\\\\n"\n')
    assert read(path) == [('AB"\\q\x07', "\\\\n")]


def test_the_header_says_which_side_is_which(tmp_path: Path) -> None:
    text = 'msgid "one"\nmsgstr "eins"\n'
    for language in ("de", "de_DE.UTF-8", "de@formal", "DE"):
        path = write(tmp_path, text, HEAD.replace("Language: de", f"Language: {language}"))
        assert read(path) == [("one", "eins")]
        assert read(path, "de", "en") == [("eins", "one")]
    with pytest.raises(DataError, match=r"t\.po has no text in fr or it: its translations are in DE\."):
        read(path, "fr", "it")
    for head in ("", HEAD.replace("Language: de", "Language: ")):
        assert read(write(tmp_path, text, head), "fr", "it") == [("one", "eins")]


def test_the_charset_is_the_one_of_the_header(tmp_path: Path) -> None:
    text = 'msgid "one"\nmsgstr "für"\n'
    head = HEAD.replace("UTF-8", "ISO-8859-1")
    assert read(write(tmp_path, (head + text).encode("latin-1"))) == [("one", "für")]
    assert read(write(tmp_path, "\ufeff" + HEAD.replace("UTF-8", "CHARSET") + text, "")) == [("one", "für")]
    with pytest.raises(DataError, match=r"t\.po line 7 byte offset 9: 0xFC is not UTF-8"):
        read(write(tmp_path, (HEAD + text).encode("latin-1")))
    with pytest.raises(DataError, match=r"t\.po line 7 byte offset 9: 0xC3 is not ASCII"):
        read(write(tmp_path, (HEAD.replace("UTF-8", "ascii") + text).encode()))
    with pytest.raises(DataError, match=r"t\.po: there is no encoding nix-1, which its header names as charset"):
        read(write(tmp_path, text, HEAD.replace("UTF-8", "nix-1")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('msgid "a"\nmsgstr "b\n', r"t\.po line 7 is not valid PO: no keyword with a text in quotes"),
        ('msgid "a"\nmsgstr "b" c"\n', r"t\.po line 7 is not valid PO: no keyword"),
        ("msgid 'a'\n", r"t\.po line 6 is not valid PO: no keyword"),
        ("<html>\n", r"t\.po line 6 is not valid PO: no keyword"),
        ('# x\n"a"\n', r"t\.po line 7 is not valid PO: text without a keyword before it"),
        ('msgstr "a"\nmsgstr "b"\n', r"t\.po line 6 is not valid PO: a second msgstr"),
        ('#\nmsgstr "a"\n', r"t\.po line 7 is not valid PO: a msgstr without a msgid"),
        ('msgid "a"\n\nmsgid "b"\nmsgstr "c"', r"t\.po line 8 is not valid PO: a second msgid in one entry"),
        ('msgid "a"\nmsgstr "b"\nmsgid "c"\n', r"t\.po line 8 is not valid PO: a msgid without a msgstr"),
    ],
)
def test_a_broken_file_is_told_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message) as caught:
        read(write(tmp_path, text))
    assert "msgfmt" in caught.value.remedy


def test_a_catalogue_without_translations_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"t\.po is empty: there is no pair in it"):
        read(write(tmp_path, ""))


def test_the_same_as_polib_finds(tmp_path: Path) -> None:
    draw = random.Random(1)

    def text() -> str:
        return "".join(
            draw.choices(["ab ", '"', "\\", "\t", "\n", "ü", "%s", " x" * 20, "#~ ", "msgid "], k=draw.randint(1, 9))
        )

    catalogue = polib.POFile(wrapwidth=40)
    catalogue.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    expected = []
    for number in range(400):
        source, target = f"{number}{text()}.", f"{text()}."
        kind = draw.randrange(5)
        entry = polib.POEntry(msgid=source, msgstr=target, comment=text(), obsolete=kind == 4)
        if kind == 3:
            entry.flags.append("fuzzy")
        if kind == 2:
            entry.msgctxt = text()
        if kind == 1:
            entry.msgid_plural, entry.msgstr_plural, entry.msgstr = "many", {0: target, 1: "viele"}, ""
        catalogue.append(entry)
        if kind < 3:
            expected += [(source, target)] + [("many", "viele")] * (kind == 1)
    catalogue.save(str(tmp_path / "t.po"))

    def flat(text: str) -> str:
        return re.sub(r"\n+", " ", text.strip("\n"))

    assert read(tmp_path / "t.po") == [(flat(source), flat(target)) for source, target in expected]
    assert len(expected) > 200
