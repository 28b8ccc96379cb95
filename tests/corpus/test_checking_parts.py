"""Reading by jumps, what is there twice, dev text in train, languages of sides, and the words for what is wrong."""

import random
from pathlib import Path

import numpy as np
import pytest

from nmt.corpus.checking.commands import Commands
from nmt.corpus.checking.details import describe
from nmt.corpus.checking.findings import Finding, by_severity
from nmt.corpus.checking.heldout import Watch
from nmt.corpus.checking.reading import (
    BLOCK,
    FileCorpus,
    LineFile,
    ListCorpus,
    WalkedCorpus,
    open_beginning,
    open_corpus,
    spread,
)
from nmt.corpus.checking.repeats import repeats
from nmt.corpus.checking.telling import runs_of
from nmt.corpus.formats import open_pairs
from nmt.corpus.stream import PairList, PairStream
from nmt.errors import DataError
from tests.corpus.planting import write

PAIRS = [(f"a{i}", f"b{i}\u2028c") for i in range(2345)]


class Walked(PairStream):
    """A stream that nobody knows anything of."""

    name = "walked"

    def __iter__(self):
        return iter(PAIRS)


@pytest.fixture
def corpora(tmp_path: Path):
    place = write(tmp_path, "some", PAIRS, ("aa", "bb"))
    files = open_corpus(open_pairs(place, "aa", "bb"))
    assert isinstance(files, FileCorpus)
    return [files, ListCorpus(PAIRS), WalkedCorpus(Walked())]


def test_all_corpora_give_the_same_blocks_and_spans(corpora) -> None:
    for corpus in corpora:
        assert corpus.count == 2345
        blocks = list(corpus.blocks([0, 2]))
        assert [block.first for block in blocks] == [0, 2000]
        assert list(blocks[0].read()[0]) == PAIRS[:BLOCK]
        assert list(blocks[1].read()[0]) == PAIRS[2000:]
        spans = [(0, 3), (2, 5), (999, 1001), (1000, 1300), (2340, 2345)]
        assert corpus.fetch(spans) == [PAIRS[start:end] for start, end in spans]
        assert list(corpus.blocks([])) == []


@pytest.mark.parametrize(
    "text", [b"", b"\n", b"a", b"a\n", b"\n\n", b"a\r\nb\r\n", b"\xef\xbb\xbfa\nb", b"a\nb\x0b\x85c"]
)
def test_lines_are_those_of_the_reader(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "text"
    path.write_bytes(text.replace(b"\x85", "\x85".encode()))
    plain = path.read_bytes().decode("utf-8-sig").split("\n")
    plain = [line.removesuffix("\r") for line in (plain[:-1] if not plain[-1] else plain)]
    file = LineFile(path)
    assert len(file) == len(plain)
    assert file.read(0, 10) == plain
    assert file.read(-3, 1) == plain[:1]
    assert file.read(5, 9) == []


@pytest.mark.parametrize("piece", [7, 64, 1 << 22])
def test_jumps_land_on_lines_however_the_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int
) -> None:
    monkeypatch.setattr("nmt.corpus.checking.reading._PIECE", piece)
    lines = [str(i) * (i % 7) for i in range(1777)]
    (tmp_path / "text").write_text("\n".join(lines))
    file = LineFile(tmp_path / "text")
    assert len(file) == 1777
    draw = random.Random(1)
    for _ in range(60):
        start = draw.randrange(1777)
        end = draw.randrange(start, 1778)
        assert file.read(start, end) == lines[start:end]


def test_bytes_that_are_not_utf8_are_told_by_line(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"eins\nzw\xe9i\ndr\xc3\xa9i\n\xff\n")
    assert LineFile(tmp_path / "text").part(0, 4).read() == (["eins", "zw\ufffdi", "dréi", "\ufffd"], [1, 3])


def test_utf16_and_missing_files_are_errors(tmp_path: Path) -> None:
    path = tmp_path / "text"
    for encoding in ("utf-16", "utf-16-le"):
        path.write_bytes("Dies ist Text.\n".encode(encoding))
        with pytest.raises(DataError, match="text looks like UTF-16, not UTF-8"):
            LineFile(path)
    path.write_bytes(b"a\n")
    part = LineFile(path).part(0, 1)
    path.unlink()
    with pytest.raises(DataError, match="text does not exist"):
        LineFile(path)
    with pytest.raises(DataError, match="text does not exist"):
        part.read()


def test_a_beginning_is_as_much_as_there_is_time_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = write(tmp_path, "some", PAIRS, ("aa", "bb"))
    monkeypatch.setattr("nmt.corpus.checking.reading._PIECE", 1000)
    begun = open_beginning(open_pairs(place, "aa", "bb"), 0.0, 10)
    assert not begun.complete
    assert 0 < begun.count < 2345
    assert begun.fetch([(0, 5)]) == [PAIRS[:5]]
    assert (open_beginning(Walked(), 1.0, 100).count, open_beginning(Walked(), 1.0, 100).complete) == (100, False)
    assert (open_beginning(Walked(), 1.0, 2345).count, open_beginning(Walked(), 1.0, 2345).complete) == (2345, True)
    assert open_beginning(PairList("all", PAIRS), 0.0, 10).count == 2345


def test_samples_are_spread_over_all() -> None:
    assert spread(0, 10, 5) == []
    assert spread(10, 10, 5) == [(0, 10)]
    assert spread(1000, 20, 5) == [(0, 5), (250, 255), (500, 505), (750, 755)]


# ---- What is there twice


def test_repeats_are_counted_as_by_hand() -> None:
    draw = np.random.default_rng(1)
    keys = (draw.integers(0, 700, 3000).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64)
    found = repeats(keys)
    first: dict[int, int] = {}
    again = [(index, first[key]) for index, key in enumerate(keys.tolist()) if first.setdefault(key, index) != index]
    assert found.again == len(again)
    assert found.most == np.unique(keys, return_counts=True)[1].max()
    # Of each group the first that is there again.
    seen: set[int] = set()
    expected = [(later, earlier) for later, earlier in again if not (earlier in seen or seen.add(earlier))]
    assert found.first == tuple(expected[:3])


def test_entries_equal_in_other_keys_do_not_count_twice() -> None:
    sources = np.array([5, 5, 5, 5, 9, 9, 7], np.uint64)
    pairs = np.array([1, 1, 2, 3, 4, 4, 6], np.uint64)
    found = repeats(sources, without=pairs)
    assert (found.again, found.most, found.first) == (2, 3, ((2, 0),))
    assert repeats(np.zeros(0, np.uint64)).again == 0


# ---- Dev text in train


def test_held_out_text_is_known_again() -> None:
    dev = [
        ("the old man reads a long book today", "der alte mann liest heute ein langes buch"),
        ("Hi", "Hallo"),
        ("", "x"),
    ]
    train = [
        ("the old man reads a long book today", "etwas ganz anderes als das was dort steht"),
        ("The old man reads a long book!", "Der alte Mann liest heute ein langes Buch."),  # a word less
        ("Hi", "Hallo"),
        ("Hi", "Guten Tag"),
        ("", "x"),
    ]
    seen = Watch({"dev": dev, "test": dev[1:2]}).look(train, 100)
    assert seen["dev"].exact == {1: 102}
    assert seen["dev"].near == {0: 101, 1: 102}
    assert seen["dev"].source == {0: 100, 1: 102}
    assert seen["test"].exact == {0: 102}
    assert Watch({"dev": dev}, near=False).look(train, 0)["dev"].near == {}
    earlier = Watch({"dev": dev}).look(train, 0)["dev"]
    earlier.add(seen["dev"])
    assert earlier.exact == {1: 2}


# ---- Words


@pytest.mark.parametrize(
    ("rule", "source", "target", "said"),
    [
        ("blank", "a", " ", "the target is blank"),
        ("length_ratio", "a", "b c", "1 word, 1 character beside 2 words, 3 characters"),
        ("numbers", "1,234 and 7", "1235 und 7", "1234 beside 1235"),
        ("numbers", "1984", "nie", "1984 beside nothing"),
        ("urls", "see a@b.org", "siehe c@d.org", "a@b.org beside c@d.org"),
        ("controls", "a\x07b", "c\u200bd", "source: U+0007; target: U+200B zero width space"),
        ("mojibake", "es ist schÃ¶n", "it is", "source: schÃ¶n"),
        ("script", "Привет всем", "hello", "source: letters of Cyrl"),
        ("repeated", "a", "b", ""),
    ],
)
def test_what_is_to_be_seen_is_said(rule: str, source: str, target: str, said: str) -> None:
    assert describe(rule, source, target, ("de", "en")) == said


def test_amounts_and_order_of_findings() -> None:
    assert Finding("a", "info", "").amount == ""
    assert Finding("a", "info", "", 3, 40_000).amount == "3 of 40,000 pairs (under 0.01 %)"
    assert Finding("a", "info", "", 30, 40_000).amount == "30 of 40,000 pairs (0.07 %)"
    assert Finding("a", "info", "", 3, 40, "lines").amount == "3 of 40 lines (7.5 %)"
    assert Finding("a", "info", "", 40, 40).amount == "40 of 40 pairs"
    mixed = [
        Finding(name, severity, "")
        for name, severity in (("a", "info"), ("b", "error"), ("c", "warning"), ("d", "error"))
    ]
    assert [finding.name for finding in by_severity(mixed)] == ["b", "d", "c", "a"]


def test_runs_of_numbers() -> None:
    assert runs_of(np.array([1, 2, 3, 9, 10, 30]), 2, 2) == [(1, 3, 3), (9, 10, 2)]
    assert runs_of(np.array([5]), 2, 2) == []


def test_commands_can_be_copied(tmp_path: Path) -> None:
    place = write(tmp_path, "two words", PAIRS[:3], ("aa", "bb"))
    commands = Commands.of(place, ("aa", "bb"), {"dev": "my dev"})
    assert commands.check() == f"nmt data check '{place}' --languages aa bb --dev 'my dev'"
    assert commands.clean() == f"nmt data clean '{place}' --languages aa bb -o cleaned --against 'my dev'"
    assert commands.clean("duplicate_source").endswith("-o cleaned --with duplicate_source --against 'my dev'")
    assert commands.split() == f"nmt data split '{place}' --languages aa bb -o divided"
    assert Commands.of_stream(open_pairs(place, "aa", "bb"), ("aa", "bb")).location == (str(place),)
    both = [f"{place}.aa", f"{place}.bb"]
    assert Commands.of_stream(open_pairs(both, "aa", "bb"), ("bb", "aa")).location == tuple(both)
    assert Commands.of_stream(Walked(), ("aa", "bb")).location == ("walked",)
