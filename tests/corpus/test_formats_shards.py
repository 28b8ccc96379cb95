"""Corpora in several files: each beside its partner, in natural order."""

import gzip
from pathlib import Path

import pytest

from nmt.corpus.formats import open_pairs
from nmt.corpus.reader import read_parallel
from nmt.errors import DataError


def write(folder: Path, name: str, *lines: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)


def write_parts(folder: Path, *numbers: int) -> None:
    for number in numbers:
        for side in ("en", "de"):
            write(folder, f"part-{number}.{side}", f"{side}{number}a", f"{side}{number}b")


EXPECTED = [(f"en{number}{half}", f"de{number}{half}") for number in (1, 2, 10) for half in "ab"]


def test_shards_of_a_prefix_or_of_two_files_come_in_natural_order(tmp_path: Path) -> None:
    write_parts(tmp_path, 10, 1, 2)
    write(tmp_path, ".part-7.en", "hidden")
    prefix = str(tmp_path / "part-*")
    for location in (prefix, (f"{prefix}.en", f"{prefix}.de")):
        stream = open_pairs(location, "en", "de")
        assert list(stream) == list(stream) == EXPECTED
        assert stream.files is None
    assert open_pairs(prefix, "en", "de").name == prefix
    assert read_parallel(prefix, "en", "de").lines == [1, 2, 3, 4, 5, 6]


def test_shards_may_be_compressed_and_lie_in_folders(tmp_path: Path) -> None:
    for number in ("9", "11"):
        write(tmp_path, f"a{number}/x.en.gz", f"e{number}")
        write(tmp_path, f"a{number}/x.de", f"d{number}")
    write(tmp_path, "a9/x.en", "plain goes first")
    assert list(open_pairs(f"{tmp_path}/a*/x", "en", "de")) == [("plain goes first", "d9"), ("e11", "d11")]
    (tmp_path / "a9/x.en").unlink()
    assert list(open_pairs(f"{tmp_path}/**/x", "en", "de")) == [("e9", "d9"), ("e11", "d11")]
    assert list(open_pairs(f"{tmp_path}/a[0-8]*/x", "en", "de")) == [("e11", "d11")]
    assert list(open_pairs(f"{tmp_path}/a[!0-8]/?", "en", "de")) == [("e9", "d9")]
    assert list(open_pairs((f"{tmp_path}/a*/x.en.gz", f"{tmp_path}/a*/x.de"), "en", "de"))[1] == ("e11", "d11")


def test_shards_without_a_partner_are_named(tmp_path: Path) -> None:
    write_parts(tmp_path, 1, 2)
    (tmp_path / "part-2.de").unlink()
    write(tmp_path, "part-02.de", "x")
    with pytest.raises(DataError, match=r"2 of 4 files have no partner .*: .*part-2\.en, .*part-02\.de\.") as caught:
        open_pairs(f"{tmp_path}/part-*", "en", "de")
    assert "part-1.en and part-1.de" in caught.value.remedy
    for number in range(100, 120):
        write(tmp_path, f"part-{number}.en", "x")
    with pytest.raises(DataError, match=r"part-2\.en, .*part-103\.en and 17 more"):
        open_pairs((f"{tmp_path}/part-*.en", f"{tmp_path}/part-*.de"), "en", "de")


def test_unequal_shards_are_named(tmp_path: Path) -> None:
    write_parts(tmp_path, 1, 2, 3)
    write(tmp_path, "part-2.de", "one")
    with pytest.raises(DataError, match=r"part-2\.en has 2 lines but .*part-2\.de has 1 line\."):
        list(open_pairs(f"{tmp_path}/part-*", "en", "de"))


def test_a_pattern_that_fits_nothing_is_told(tmp_path: Path) -> None:
    for location in (f"{tmp_path}/x*", f"{tmp_path}/x*.tsv", (f"{tmp_path}/x*.en", f"{tmp_path}/x*.de")):
        with pytest.raises(DataError, match=r"no file fits .*x\*") as caught:
            open_pairs(location, "en", "de")
        assert "put it into quotes" in caught.value.remedy
    with pytest.raises(DataError, match="no file fits") as caught:
        open_pairs(f"{tmp_path}/nowhere/x*.tsv", "en", "de")
    assert caught.value.remedy == f"check the path: there is no folder {tmp_path}/nowhere"


def test_a_name_with_a_star_is_a_name(tmp_path: Path) -> None:
    write(tmp_path, "a*.tsv", "one\teins")
    write(tmp_path, "ab.tsv", "two\tzwei")
    assert list(open_pairs(tmp_path / "a*.tsv", "en", "de")) == [("one", "eins")]
    for side in ("en", "de"):
        write(tmp_path, f"[x].{side}", side)
    assert list(open_pairs(tmp_path / "[x]", "en", "de")) == [("en", "de")]


def test_one_file_formats_come_in_shards_too(tmp_path: Path) -> None:
    for number in (1, 2, 10):
        write(tmp_path, f"p{number}.tsv.gz", f"en{number}a\tde{number}a", f"en{number}b\tde{number}b")
    assert list(open_pairs(f"{tmp_path}/*.tsv.gz", "en", "de")) == EXPECTED
    assert list(open_pairs(f"tsv:{tmp_path}/p1*", "en", "de")) == EXPECTED[:2] + EXPECTED[4:]


def test_places_are_those_of_the_shard(tmp_path: Path) -> None:
    write_parts(tmp_path, 1, 2, 10)
    write(tmp_path, "part-1.en")  # one may be empty
    write(tmp_path, "part-1.de")
    stream = open_pairs(f"{tmp_path}/part-*", "en", "de")
    assert str(stream.place(3)) == f"{tmp_path}/part-10.en line 1, {tmp_path}/part-10.de line 1"  # nobody was there
    expected = [f"{tmp_path}/part-{number}.en line {line}" for number in (2, 10) for line in (1, 2)]
    assert [stream.place(number).source for number in range(1, 5)] == expected
    stream = open_pairs(f"{tmp_path}/part-*", "en", "de")
    assert [stream.place(number).source for number, _ in enumerate(stream, start=1)] == expected
    assert [stream.place(number).source for number in (4, 1)] == [expected[3], expected[0]]
    stream = open_pairs(f"{tmp_path}/part-*", "en", "de")
    iterator = iter(stream)  # a walk that somebody breaks off
    next(iterator)
    del iterator
    assert stream.place(4).source == expected[3]


def test_the_place_of_a_pair_just_seen_costs_no_other_walk(tmp_path: Path) -> None:
    write_parts(tmp_path, 1, 2)
    stream = open_pairs(f"{tmp_path}/part-*", "en", "de")
    iterator = iter(stream)
    next(iterator)
    for path in tmp_path.iterdir():
        path.unlink()
    assert stream.place(2).source == f"{tmp_path}/part-1.en line 2"


def test_shards_that_are_all_empty_are_refused(tmp_path: Path) -> None:
    for number in (1, 2):
        write(tmp_path, f"p{number}.tsv")
    with pytest.raises(DataError, match=r"p\*\.tsv is empty"):
        list(open_pairs(f"{tmp_path}/p*.tsv", "en", "de"))
