"""JSON, a row on a line or all in one document, whatever its layout."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from nmt.corpus.formats import inputs, open_pairs
from nmt.corpus.formats.streams import NumberedStream
from nmt.errors import DataError

ROWS: list[dict[str, Any]] = [
    {"translation": {"en": "one", "de": "eins", "fr": "un"}, "id": 1},
    {"de": "zwei", "en": "two"},
    {"source": "three", "target": "drei"},
    {"en": "four\r\n lines\n", "de": None, "translation": "no"},
    {"en": '\u2028 \\ " ü😀\ttab', "de": "[{"},
]
PAIRS = [("one", "eins"), ("two", "zwei"), ("three", "drei"), ("four  lines", ""), ('\u2028 \\ " ü😀\ttab', "[{")]
HIDDEN = [{"deep": [{"en": [1, 2.5, True, None, "x"]}]}, []]


def lines(*rows: object, ascii_only: bool = False) -> str:
    return "".join(json.dumps(row, ensure_ascii=ascii_only) + "\n" for row in rows)


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def read(path: Path) -> list[tuple[str, str]]:
    return list(open_pairs(path, "en", "de"))


@pytest.mark.parametrize("name", ["t.jsonl", "t.ndjson", "t.JSONL", "t.json"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_each_line_is_a_row(name: str, ascii_only: bool, tmp_path: Path) -> None:
    assert read(write(tmp_path, name, lines(*ROWS, ascii_only=ascii_only))) == PAIRS


DOCUMENTS = {
    "list": json.dumps(ROWS, ensure_ascii=False),
    "list, laid out": json.dumps(ROWS, indent=2).replace("\n", "\r\n"),
    "with a mark": "\ufeff" + json.dumps(ROWS),
    "under data": json.dumps({"n": 1234, "version": "1.0", "other": HIDDEN, "data": ROWS, "z": {}}),
    "under the split": json.dumps({"test": HIDDEN, "train": ROWS}, indent=1),
    "laid out rows": "\n\n".join(json.dumps(row, indent=4) for row in ROWS),
    "rows in two lists": json.dumps(ROWS[:2]) + json.dumps(ROWS[2:]),
}


@pytest.mark.parametrize("layout", DOCUMENTS)
@pytest.mark.parametrize("block", [1, 2, 5, 1 << 18])
def test_a_document_is_read_whatever_its_layout(
    layout: str, block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs, "_BLOCK", block)
    assert read(write(tmp_path, "t.json", DOCUMENTS[layout])) == PAIRS


def test_a_row_has_its_line(tmp_path: Path) -> None:
    stream = open_pairs(
        write(tmp_path, "t.jsonl", "\n".join(["", lines(*ROWS[:2]), " ", "", lines(*ROWS[2:])])), "en", "de"
    )
    assert [str(stream.place(number)) for number in (5, 1, 2, 3)] == [
        f"{tmp_path}/t.jsonl line {line}" for line in (9, 2, 3, 7)
    ]
    assert list(stream) == PAIRS
    assert str(stream.place(4)) == f"{tmp_path}/t.jsonl line 8"  # after a second walk
    laid_out = open_pairs(write(tmp_path, "t.json", json.dumps(ROWS[:2], indent=1) + "\n\n[]"), "en", "de")
    assert [laid_out.place(number).source for number in (1, 2)] == [f"{tmp_path}/t.json line {at}" for at in (2, 10)]
    assert laid_out.unit == "pair"


def test_lines_that_are_evenly_spaced_are_remembered_as_one(tmp_path: Path) -> None:
    stream = open_pairs(write(tmp_path, "t.jsonl", lines(*ROWS[:2]) * 1000), "en", "de")
    assert isinstance(stream, NumberedStream)
    assert len(list(stream)) == len(list(stream)) == 2000
    assert len(stream._lines) == 1
    assert str(stream.place(1999)) == f"{tmp_path}/t.jsonl line 1999"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("[1]", r"t\.\w+ line 2 holds a list, not an object"),
        ("12", "line 2 holds a number, not an object"),
        ("null", "line 2 holds a null, not an object"),
        ('"x"', "line 2 holds a string, not an object"),
        ("true", "line 2 holds a true or false, not an object"),
        ('{"en": "x", "fr": "y"}', "line 2 has no text in de; it has en, fr"),
        ('{"translation": {"fr": "x"}}', "line 2 has no text in en and de; it has fr"),
        ("{}", "line 2 has no text in en and de; it has nothing"),
        ('{"en": 1, "de": "y"}', "line 2 holds a number where text is needed"),
        ('{"en": "x", "de": ["y"]}', "line 2 holds a list where text is needed"),
        ('{"source": {"a": "b"}, "target": "x"}', "line 2 holds a object where text is needed"),
        ('{"en": "x \\ud83d", "de": "y"}', "line 2 holds half of a character"),
        ('{"en": "x" "de": "y"}', "line 2.* is not valid JSON: expecting ',' delimiter"),
        ("{'en': 'x'}", "line 2.* is not valid JSON: expecting property name enclosed in double quotes"),
        ("{en: 1}", "line 2.* is not valid JSON: expecting property name enclosed in double quotes"),
        ("word", "line 2.* is not valid JSON: expecting value"),
        ("[" * 100_000, "line 2 is not valid JSON: it is nested too deep"),
        ("{" + '"a":' + "1" * 5000 + "}", "line 2.* is not valid JSON: exceeds the limit"),
    ],
)
def test_a_wrong_row_is_named(row: str, expected: str, tmp_path: Path) -> None:
    for name, text in (
        ("t.jsonl", f"{lines(ROWS[0])}{row}\n"),
        ("t.json", f"[{lines(ROWS[0])},{row},\n{lines(ROWS[1])}]"),
    ):
        with pytest.raises(DataError, match=expected) as caught:
            read(write(tmp_path, name, text))
        assert caught.value.remedy
    assert "such as {" in caught.value.remedy or "quotes" in caught.value.remedy or "mend" in caught.value.remedy


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[{"en": "a", "de": "b"},\n {"en": "c"', "line 2 is not valid JSON: the file ends in the middle"),
        ('[{"en": "a", "de": "b"}\n', "line 2 is not valid JSON: the file ends in the middle"),
        ('[{"en": "a", "de": "b"}}', "line 1 is not valid JSON: expecting ',' or ']'"),
        ('{"data" [', "line 1 is not valid JSON: expecting ':'"),
        ('{"data": [], 1: 2}', "line 1 is not valid JSON: expecting property name"),
        ('{"rows": [1], "more": []}', r"line 1: there are no rows under data or train; it has rows, more\."),
        ("", r"t\.json is empty"),
        ("[]", r"t\.json is empty"),
        ('{"data": []}', r"t\.json is empty"),
        (b'[{"en": "a",\n "de": "\xe9"}]', r"t\.json line 2 byte offset 8: 0xE9 is not UTF-8"),
        (b'[{"en": "a", "de": "\xc3', r"t\.json line 1 byte offset 20: 0xC3 is not UTF-8"),
        ("[]".encode("utf-16"), "line 1 byte offset 0: 0xF[EF] is not UTF-8"),
    ],
)
@pytest.mark.parametrize("block", [1, 1 << 18])
def test_a_broken_document_is_named_with_its_line(
    text: str | bytes, expected: str, block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs, "_BLOCK", block)
    with pytest.raises(DataError, match=expected):
        read(write(tmp_path, "t.json", text))


@pytest.mark.parametrize("bad", ['{"en": "x" "de": "y"}', "{} {}", '{"en": "x}', "[1 2]"])
def test_a_mistake_in_a_long_document_is_found_where_it_is(
    bad: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not after all of what follows has been tried."""
    monkeypatch.setattr(inputs, "_BLOCK", 4096)
    good = lines(ROWS[1])
    path = write(tmp_path, "t.json", f"[{good},{good},{bad},{good}" + f",{good}" * 100_000 + "]")
    blocks = 0
    before = inputs.Input.blocks

    def counted(self: inputs.Input) -> Any:
        nonlocal blocks
        for block in before(self):
            blocks += 1
            yield block

    monkeypatch.setattr(inputs.Input, "blocks", counted)
    with pytest.raises(DataError, match="line 3 "):
        read(path)
    assert blocks < 5


def test_compressed_documents(tmp_path: Path) -> None:
    assert read(write(tmp_path, "t.json.gz", gzip.compress(DOCUMENTS["list"].encode()))) == PAIRS


def test_languages_are_the_keys(tmp_path: Path) -> None:
    path = write(tmp_path, "t.jsonl", lines({"translation": {"en": "one", "de": "eins", "fr": "un"}}))
    assert list(open_pairs(path, "fr", "en")) == [("un", "one")]
