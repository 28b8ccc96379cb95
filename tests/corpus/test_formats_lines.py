"""What holds for a file with a pair on each line holds for all of them, compressed or not."""

import bz2
import gzip
import io
import json
import lzma
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from nmt.corpus import starter
from nmt.corpus.formats import inputs, open_pairs
from nmt.errors import DataError

PACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.compress,
    ".bz2": bz2.compress,
}
# Where the two sides of a pair lie, and with which line ends.
FORMS = [f"{form}{packing}" for form in ("files", "tsv", "jsonl") for packing in PACK]

Location = str | tuple[str, str]


def store(folder: Path, form: str, source: list[bytes], target: list[bytes], end: bytes = b"\n") -> Location:
    """Pairs as files of a form; what stands in `source` and `target` must be fit for it."""
    kind, _, packing = form.partition(".")
    pack = PACK[f".{packing}" if packing else ""]
    name = str(folder / "pairs")
    if kind == "files":
        for side, lines in (("en", source), ("de", target)):
            Path(f"{name}.{form.replace(kind, side)}").write_bytes(pack(b"".join(line + end for line in lines)))
        return name
    row = {"tsv": b"%s\t%s", "jsonl": b'{"translation": {"en": "%s", "de": "%s"}}'}[kind]
    lines = [row % pair for pair in zip(source, target, strict=True)]
    Path(f"{name}.{form}").write_bytes(pack(b"".join(line + end for line in lines)))
    return f"{name}.{form}"


def numbers(count: int) -> list[bytes]:
    return [b"%d" % number for number in range(1, count + 1)]


@pytest.mark.parametrize("form", FORMS)
def test_pairs_come_as_they_are_written_and_as_often_as_one_asks(form: str, tmp_path: Path) -> None:
    odd = "ü 😀\u2028\x85\u2029\xa0 x\u3000".encode()  # no end of a line is in it
    location = store(tmp_path, form, [b"one", odd, b" three "], [b"eins", b"zwei", b"\xc2\xa0drei"])
    stream = open_pairs(location, "en", "de")
    pairs = [("one", "eins"), (odd.decode(), "zwei"), (" three ", "\xa0drei")]
    assert list(stream) == pairs
    assert list(stream) == pairs
    if form.startswith("jsonl"):
        pairs = [("zwei", odd.decode())]
    else:
        # Not in JSON, where they may only stand as \u000b.
        odd += b"\x0b \x0c \x1c \x1d \x1e \r x"
        pairs = [("zwei", odd.decode())]
    assert list(open_pairs(store(tmp_path, form, [b"zwei"], [odd]), "en", "de")) == pairs


@pytest.mark.parametrize("form", FORMS)
def test_line_ends_and_a_byte_order_mark_are_no_text(form: str, tmp_path: Path) -> None:
    location = store(tmp_path, form, [b"one", b"two"], [b"eins", b"zwei"], end=b"\r\n")
    expected = [("one", "eins"), ("two", "zwei")]
    assert list(open_pairs(location, "en", "de")) == expected
    _, _, packing = form.partition(".")
    for path in tmp_path.iterdir():
        text = PACK[f".{packing}" if packing else ""](b"")
        path.write_bytes(text)
    first = b"\xef\xbb\xbf"
    store(tmp_path, form, [b"one", b"two"], [b"eins", b"zwei"])
    for path in tmp_path.iterdir():
        plain = b"".join(inputs.Input(path, packing or None).blocks())  # type: ignore[arg-type]
        path.write_bytes(PACK[f".{packing}" if packing else ""]((first + plain).removesuffix(b"\n")))
    assert list(open_pairs(location, "en", "de")) == expected


@pytest.mark.parametrize("form", FORMS)
def test_a_byte_that_is_not_utf8_is_named(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "_BLOCK", 7)  # so that lines lie across blocks
    monkeypatch.setattr(inputs, "_PACKED", 7)
    location = store(tmp_path, form, [b"a", b"b", b"c \xe9", b"d"], numbers(4))
    offset = 2 + len(b'{"translation": {"en": "') * form.startswith("jsonl")
    with pytest.raises(DataError, match=rf"pairs\.\w+.* line 3 byte offset {offset}: 0xE9 is not UTF-8 here") as caught:
        list(open_pairs(location, "en", "de"))
    assert "-t UTF-8" in caught.value.remedy


@pytest.mark.parametrize("form", FORMS)
def test_lines_of_any_length_come_whole_whatever_the_blocks(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = [("ü" * (number % 7)).encode() + b"x" for number in range(300)]
    source[5] = "word 😀 ".encode() * 20_000
    location = store(tmp_path, form, source, numbers(300))
    for size in (3, 1000, 1 << 18):
        monkeypatch.setattr(inputs, "_BLOCK", size)
        monkeypatch.setattr(inputs, "_PACKED", size)
        if size > 3 or not form.startswith("jsonl"):
            pairs = list(open_pairs(location, "en", "de"))
            assert pairs == [(s.decode(), t.decode()) for s, t in zip(source, numbers(300), strict=True)]


@pytest.mark.parametrize("form", FORMS)
def test_each_pair_has_its_place(form: str, tmp_path: Path) -> None:
    stream = open_pairs(store(tmp_path, form, numbers(4), numbers(4)), "en", "de")
    place = stream.place(3)  # before anyone has read it
    name = f"{tmp_path}/pairs.{form}"
    if form.startswith("files"):
        assert place == (name.replace("files", "en") + " line 3", name.replace("files", "de") + " line 3")
        assert str(place) == f"{place.source}, {place.target}"
    else:
        assert place == (f"{name} line 3", f"{name} line 3")
        assert str(place) == f"{name} line 3"
    assert str(stream.place(1)).endswith("line 1")


@pytest.mark.parametrize("form", FORMS)
def test_a_text_without_a_pair_is_refused(form: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"pairs.* is empty: there is no pair in it"):
        list(open_pairs(store(tmp_path, form, [], []), "en", "de"))


def test_only_plain_files_may_be_jumped_in(tmp_path: Path) -> None:
    both = tmp_path / "pairs.en", tmp_path / "pairs.de"
    prefix = store(tmp_path, "files", numbers(2), numbers(2))
    assert open_pairs(prefix, "en", "de").files == both
    assert open_pairs(tuple(map(str, both)), "en", "de").files == both
    assert open_pairs(store(tmp_path, "tsv", numbers(2), numbers(2)), "en", "de").files is None
    both[0].unlink()
    store(tmp_path, "files.gz", numbers(2), numbers(2))
    stream = open_pairs(prefix, "en", "de")  # one of each kind
    assert stream.files is None
    assert list(stream) == [("1", "1"), ("2", "2")]


@pytest.mark.parametrize("packing", PACK)
@pytest.mark.parametrize(("source", "target"), [(10, 9), (9, 10), (1, 300), (0, 3)])
def test_unequal_files_are_refused_with_both_counts(source: int, target: int, packing: str, tmp_path: Path) -> None:
    prefix = store(tmp_path, f"files{packing}", numbers(source), numbers(target))
    expected = rf"pairs\.en.* has {source} lines? but .*pairs\.de.* has {target} lines"
    with pytest.raises(DataError, match=expected) as caught:
        list(open_pairs(prefix, "en", "de"))
    assert "line N of one must be the translation" in caught.value.remedy


def test_a_tsv_row_has_two_fields_and_no_quotes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.tsv"
    path.write_text('"a\tb\n\'c""\t"d\n')
    assert list(open_pairs(path, "en", "de")) == [('"a', "b"), ('\'c""', '"d')]
    monkeypatch.setattr(inputs, "_BLOCK", 8)
    path.write_text("a\tb\n" * 3 + "c\td\te\n" + "f\n")
    with pytest.raises(DataError, match=r"t\.tsv line 4 has 3 fields, not 2"):
        list(open_pairs(path, "en", "de"))


def test_utf16_is_refused_in_each_form(tmp_path: Path) -> None:
    for ending, text in (("tsv", "a\tb\nc\td\n"), ("jsonl", '{"en": "a", "de": "b"}\n')):
        path = tmp_path / f"t.{ending}"
        path.write_bytes(text.encode("utf-16-le"))
        with pytest.raises(DataError, match="looks like UTF-16, not UTF-8"):
            list(open_pairs(path, "en", "de"))
        path.write_bytes(text.encode("utf-16"))
        with pytest.raises(DataError, match="line 1 byte offset 0: 0xF[EF] is not UTF-8") as caught:
            list(open_pairs(path, "en", "de"))
        assert "iconv -f UTF-16 " in caught.value.remedy


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Not by the 20,000-word lines of some pairs either."""
    with gzip.open(tmp_path / "t.jsonl.gz", "wt", compresslevel=1) as file:
        for number in range(60_000):
            text = "word " * (20_000 if number % 20_000 == 0 else 60)
            file.write(json.dumps({"en": f"{number} {text}", "de": text}) + "\n")
    code = (
        "import resource, sys; from nmt.corpus.formats import open_pairs\n"
        "for number, _ in enumerate(open_pairs(sys.argv[1], 'en', 'de')):\n"
        "    if number == 1000: early = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "print(number + 1, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - early)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "t.jsonl.gz")]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    count, grown = map(int, result.stdout.split())
    assert count == 60_000
    assert grown < 6000 * (1024 if sys.platform == "darwin" else 1)  # KiB; the text is 36 MB


# Compressed


@pytest.mark.parametrize("packing", [".gz", ".xz", ".zst", ".bz2"])
def test_archives_one_after_the_other_are_one(packing: str, tmp_path: Path) -> None:
    path = tmp_path / f"t.tsv{packing}"
    pack = PACK[packing]
    path.write_bytes(pack(b"a\tb\nc") + pack(b"") + pack(b"\td\n"))
    assert list(open_pairs(path, "en", "de")) == [("a", "b"), ("c", "d")]


@pytest.mark.parametrize("packing", [".gz", ".xz"])
def test_padding_after_an_archive_is_nothing(packing: str, tmp_path: Path) -> None:
    path = tmp_path / f"t.tsv{packing}"
    pack = PACK[packing]
    path.write_bytes(pack(b"a\tb\n") + bytes(8) + pack(b"c\td\n") + bytes(40_000))
    assert list(open_pairs(path, "en", "de")) == [("a", "b"), ("c", "d")]


@pytest.mark.parametrize("packing", [".gz", ".xz", ".zst", ".bz2"])
def test_damage_is_told_with_the_name(packing: str, tmp_path: Path) -> None:
    path = tmp_path / f"t.tsv{packing}"
    rows = b"".join(b"%d\t%d\n" % (number, number * number) for number in range(5000))
    packed = PACK[packing](rows)
    for cut in (1, 5, len(packed) // 2, len(packed) - 1):
        path.write_bytes(packed[:cut])
        with pytest.raises(DataError, match=r"t\.tsv\.\w+ is damaged, or no \.\w+ archive: it ends in the middle") as e:
            list(open_pairs(path, "en", "de"))
        assert str(path) in e.value.remedy
    wrong_sum = packed[:-6] + bytes([packed[-6] ^ 1]) + packed[-5:]
    for bad in (rows, packed + b"garbage", *([wrong_sum] if packing in (".gz", ".xz") else [])):
        path.write_bytes(bad)
        with pytest.raises(DataError, match=r"t\.tsv\.\w+ is damaged"):
            list(open_pairs(path, "en", "de"))
    path.write_bytes(b"")
    with pytest.raises(DataError, match="it is empty"):
        list(open_pairs(path, "en", "de"))


def test_gzip_under_a_plain_name_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_bytes(gzip.compress(b"a\tb\n", mtime=0))
    with pytest.raises(DataError, match="line 1 byte offset 1: 0x8B") as caught:
        list(open_pairs(path, "en", "de"))
    assert "gunzip" in caught.value.remedy


def test_without_its_package_zstandard_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.version_info >= (3, 14):
        pytest.skip("it is in Python itself")
    monkeypatch.setitem(sys.modules, "zstandard", None)
    (tmp_path / "t.tsv.zst").write_bytes(zstandard.compress(b"a\tb\n"))
    with pytest.raises(DataError, match=r"t\.tsv\.zst is packed with zstandard, which needs a package") as caught:
        list(open_pairs(tmp_path / "t.tsv.zst", "en", "de"))
    assert caught.value.remedy == 'pip install "nmtkit[formats]"'


# Standard input and pipes


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Put bytes there that can be read once."""

    def put(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))  # type: ignore[arg-type]

    return put


def test_standard_input_is_read_as_often_as_one_asks(stdin: Callable[[bytes], None]) -> None:
    tsv, pairs = "one\u2028\tü😀\r\n x \ty".encode(), [("one\u2028", "ü😀"), (" x ", "y")]
    rows = b'{"en": "a", "de": "b"}\n' * 60_000
    for location, data, expected in (
        ("-", tsv, pairs),
        ("tsv:-", tsv, pairs),
        ("tsv.gz:-", gzip.compress(tsv, mtime=0), pairs),
        ("jsonl:-", rows, [("a", "b")] * 60_000),
    ):
        stdin(data)
        stream = open_pairs(location, "en", "de")
        halfway = iter(stream)
        assert next(halfway) == expected[0]
        assert list(stream) == expected
        assert list(open_pairs(location, "en", "de")) == expected
        assert list(halfway) == expected[1:]
        assert str(stream.place(2)) == "standard input line 2"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a\tb\nc\n", "standard input line 2 has 1 field"),
        (b"a\tb\xe9\n", r"iconv -f WINDOWS-1252 -t UTF-8 \| \.\.\."),
        (gzip.compress(b"a\tb\n", mtime=0), r"it looks compressed: \.\.\. \| gunzip -c \| \.\.\."),
        (b"a\0\tb\0\n", r"looks like UTF-16.*(\n.*)iconv -f UTF-16LE -t UTF-8 \| \.\.\."),
        (b"", "standard input is empty"),
    ],
)
def test_broken_standard_input_is_told(data: bytes, message: str, stdin: Callable[[bytes], None]) -> None:
    stdin(data)
    with pytest.raises(DataError, match=message):
        list(open_pairs("-", "en", "de"))


def test_standard_input_is_passed_on_as_it_comes() -> None:
    """And by a real pipe."""
    code = (
        "from nmt.corpus.formats import open_pairs\n"
        "stream = open_pairs('-', 'en', 'de')\n"
        "for pair in stream: print(pair, flush=True)\n"
        "print(list(stream))"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    watch = threading.Timer(60, process.kill)  # rather than wait for ever
    watch.start()
    process.stdin.write(b"a\tb\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"('a', 'b')\n"  # the pipe is still open
    rest, _ = process.communicate(b"c\td\n", timeout=60)
    watch.cancel()
    assert rest == b"('c', 'd')\n[('a', 'b'), ('c', 'd')]\n"


def test_standard_input_may_be_one_of_two_files(tmp_path: Path, stdin: Callable[[bytes], None]) -> None:
    (tmp_path / "de").write_text("x\ny\n")
    stdin(b"a\nb\n")
    stream = open_pairs(("-", str(tmp_path / "de")), "en", "de")
    assert list(stream) == [("a", "x"), ("b", "y")]
    assert stream.files is None


def test_a_closed_standard_input_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(DataError, match="standard input is closed"):
        list(open_pairs("-", "en", "de"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_no_room_for_the_copy_of_what_can_be_read_once_is_told(
    tmp_path: Path, stdin: Callable[[bytes], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda: io.BufferedWriter(io.FileIO("/dev/full", "w")))
    stdin(b"a\tb\n" * 100_000)
    with pytest.raises(DataError, match="standard input cannot be copied to .*: no space left on device") as caught:
        list(open_pairs("-", "en", "de"))
    assert "TMPDIR" in caught.value.remedy
    (tmp_path / "t.arrow.gz").write_bytes(gzip.compress(b"x" * 1_000_000))
    with pytest.raises(DataError, match=r"t\.arrow\.gz cannot be copied to .*: no space left on device"):
        list(open_pairs(tmp_path / "t.arrow.gz", "en", "de"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_read_once_and_kept(tmp_path: Path) -> None:
    for side, text in (("en", "a\nb\n"), ("de", "c\nd\n")):
        os.mkfifo(tmp_path / f"pipe.{side}")
        subprocess.Popen(["sh", "-c", f"printf '%s' '{text}' > {tmp_path}/pipe.{side}"])
    stream = open_pairs((str(tmp_path / "pipe.en"), str(tmp_path / "pipe.de")), "en", "de")
    assert stream.files is None
    assert [list(stream), list(stream)] == [[("a", "c"), ("b", "d")]] * 2


# What cannot be opened


def test_folders_are_no_files(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").mkdir()
    with pytest.raises(DataError, match=r"x\.tsv is a folder, not a text file"):
        list(open_pairs(tmp_path / "x.tsv", "en", "de"))
    (tmp_path / "a.en").mkdir()
    (tmp_path / "a.de").write_text("x\n")
    with pytest.raises(DataError, match=r"a\.en is a folder, not a text file"):
        list(open_pairs((str(tmp_path / "a.en"), str(tmp_path / "a.de")), "en", "de"))


def test_a_single_file_of_an_unknown_kind_needs_its_format(tmp_path: Path) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text("a\tb\n")
    with pytest.raises(DataError, match="there is no parallel text at") as caught:
        open_pairs(path, "en", "de")
    assert f"as in tsv:{path}" in caught.value.remedy
    assert list(open_pairs(f"tsv:{path}", "en", "de")) == [("a", "b")]
    with gzip.open(tmp_path / "pairs.txt.gz", "wb") as file:
        file.write(b"a\tb\n")
    assert list(open_pairs(f"tsv:{path}.gz", "en", "de")) == [("a", "b")]
    with pytest.raises(DataError, match=r"pairs\.tsv does not exist"):
        open_pairs(f"tsv:{tmp_path / 'pairs.tsv'}", "en", "de")
    (tmp_path / "UPPER.TSV.GZ").write_bytes((tmp_path / "pairs.txt.gz").read_bytes())
    assert list(open_pairs(tmp_path / "UPPER.TSV.GZ", "en", "de")) == [("a", "b")]


def test_one_of_two_files_is_no_prefix_and_a_file_of_both_sides_is_no_side(tmp_path: Path) -> None:
    for name in ("pairs.en", "pairs.de.gz", "a.tmx", "b.tmx"):
        (tmp_path / name).write_text("x\n")
    for name in ("pairs.en", "pairs.de.gz"):
        with pytest.raises(DataError, match="not found") as told:
            open_pairs(str(tmp_path / name), "en", "de")
        assert told.value.remedy == f"name what both files have in common, as in {tmp_path / 'pairs'}"
    with pytest.raises(DataError, match=r"a\.tmx holds both sides, but stands here as one of two files"):
        open_pairs([str(tmp_path / "a.tmx"), str(tmp_path / "b.tmx")], "en", "de")


def test_where_unequal_files_begin_to_run_apart_is_told(tmp_path: Path) -> None:
    """D6: one line of the target is lost."""
    corpus = starter.generate(2000, 1, "fr", "en").train
    (tmp_path / "t.fr").write_text("".join(f"{pair.source}\n" for pair in corpus))
    kept = [pair.target for number, pair in enumerate(corpus, start=1) if number != 412]
    (tmp_path / "t.en").write_text("".join(f"{line}\n" for line in kept))
    told = r"t\.fr has 2000 lines but .*t\.en has 1999 lines; the first pair that looks shifted is line 41[1-3]\."
    with pytest.raises(DataError, match=told):
        list(open_pairs(str(tmp_path / "t"), "fr", "en"))
