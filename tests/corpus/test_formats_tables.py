"""Pairs out of columns: Parquet, Arrow, and data sets as a stream."""

import gzip
import json
from pathlib import Path
from typing import Any

import datasets
import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import pytest

from nmt.corpus.formats import open_pairs
from nmt.corpus.reader import available_splits, read_parallel
from nmt.errors import DataError

ROWS: list[Any] = [{"en": "one", "de": "eins"}, {"en": None, "de": "zwei"}, {"en": "a\r\nb\n", "de": "\u2028"}, None]
PAIRS = [("one", "eins"), ("", "zwei"), ("a b", "\u2028"), ("", "")]


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path_factory.mktemp("cache"))


def write(path: Path, table: Any) -> Path:
    """By the ending of `path`; .arrow as a stream, .file.arrow as a file."""
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(table, path, row_group_size=3)
        return path
    make = pyarrow.ipc.new_file if ".file" in path.name else pyarrow.ipc.new_stream
    with pyarrow.OSFile(str(path), "wb") as file, make(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=3)
    return path


NAMES = ["t.parquet", "t.arrow", "t.file.arrow"]


@pytest.mark.parametrize("name", NAMES)
def test_columns_are_languages_or_lie_in_one_of_translations(name: str, tmp_path: Path) -> None:
    inner = pyarrow.table({"id": range(4), "translation": ROWS})
    flat = pyarrow.table({side: [(row or {}).get(side) for row in ROWS] for side in ("de", "en")})
    other = flat.append_column("translation", pyarrow.array(["no"] * 4))
    coded = pyarrow.table({side: flat[side].dictionary_encode() for side in ("en", "de")})
    large = flat.cast(pyarrow.schema([(side, pyarrow.large_string()) for side in ("de", "en")]))
    for table in (inner, flat, other, coded, large):
        path = write(tmp_path / name, table)
        stream = open_pairs(path, "en", "de")
        assert list(stream) == list(stream) == PAIRS
        assert str(stream.place(4)) == f"{path} row 4"
        assert list(open_pairs(path, "de", "en")) == [pair[::-1] for pair in PAIRS]
    assert read_parallel(path, "en", "de").dropped == [
        (2, "with blank source"),
        (3, "with blank target"),
        (4, "with both sides blank"),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_tables_may_be_compressed_or_come_by_another_name(name: str, tmp_path: Path) -> None:
    path = write(tmp_path / name, pyarrow.table({"translation": ROWS}))
    packed = Path(f"{path}.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    stream = open_pairs(packed, "en", "de")
    assert list(stream) == list(stream) == PAIRS
    path.rename(tmp_path / "data")
    assert list(open_pairs(f"{path.suffix[1:]}:{tmp_path / 'data'}", "en", "de")) == PAIRS


@pytest.mark.parametrize("name", NAMES)
def test_broken_tables_are_told(name: str, tmp_path: Path) -> None:
    table = pyarrow.table({"en": [f"{number}" for number in range(5000)], "de": ["x"] * 5000})
    path = write(tmp_path / name, table)
    with pytest.raises(DataError, match=rf"{name} has no text in fr and it; it has en, de\.") as caught:
        list(open_pairs(path, "fr", "it"))
    assert "hf:" not in caught.value.remedy
    data = path.read_bytes()
    for broken in (data[: len(data) // 2], b"no table at all, but text\n" * 9, b"", b"ARROW1"):
        path.write_bytes(broken)
        with pytest.raises(DataError, match=rf"{name} (is damaged, or no \.(parquet|arrow) file: |is empty)"):
            list(open_pairs(path, "en", "de"))
    with pytest.raises(DataError, match="holds int values where text is needed"):
        list(open_pairs(write(path, pyarrow.table({"en": [1], "de": ["x"]})), "en", "de"))
    half = pyarrow.StringArray.from_buffers(1, pyarrow.py_buffer(b"\0\0\0\0\2\0\0\0"), pyarrow.py_buffer(b"x\xe9"))
    with pytest.raises(DataError, match=rf"{name} holds bytes that are not UTF-8: b'\\xe9'\."):
        list(open_pairs(write(path, pyarrow.table({"en": half, "de": ["x"]})), "en", "de"))
    with pytest.raises(DataError, match="is empty: there is no pair in it"):
        list(open_pairs(write(path, table.slice(0, 0)), "en", "de"))
    path.unlink()
    path.mkdir()
    with pytest.raises(DataError, match=rf"{name} is a folder"):
        list(open_pairs(path, "en", "de"))


# Data sets as a stream


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for split, count in (("train", 2500), ("validation", 3)):
        rows = [{"translation": {"en": f"{split}\n{number}", "de": f"x{number}"}} for number in range(count)]
        (tmp_path / f"{split}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def test_a_stream_gives_what_the_cache_gives(folder: Path) -> None:
    stream = open_pairs(f"hf-stream:{folder}", "en", "de")
    assert list(stream) == list(open_pairs(f"hf:{folder}", "en", "de"))
    assert next(iter(stream)) == ("train 0", "x0")
    assert str(stream.place(3)) == f"hf-stream:{folder} row 3"
    assert len(list(stream)) == 2500
    assert list(open_pairs(f"hf-stream:{folder}#validation", "de", "en"))[2] == ("x2", "validation 2")
    assert list(open_pairs(f"hf-stream:{folder}", "de", "en", split="validation"))[2] == ("x2", "validation 2")
    assert available_splits(f"hf-stream:{folder}", "en", "de") == ["train", "validation"]


def test_a_stream_is_not_written_to_the_cache(folder: Path) -> None:
    list(open_pairs(f"hf-stream:{folder}", "en", "de"))
    assert not list(Path(datasets.config.HF_DATASETS_CACHE).rglob("*.arrow"))


def test_a_stream_of_columns_and_of_a_config(tmp_path: Path) -> None:
    head = "---\nconfigs:\n"
    for config in ("de-en", "en-fr"):
        codes = config.split("-")
        (tmp_path / config).mkdir()
        (tmp_path / config / "train.jsonl").write_text(json.dumps({code: f"in {code}" for code in codes}) + "\n")
        head += f"- config_name: {config}\n  data_files: {config}/train.jsonl\n"
    (tmp_path / "README.md").write_text(head + "---\n")
    assert list(open_pairs(f"hf-stream:{tmp_path}", "en", "de")) == [("in en", "in de")]
    with pytest.raises(DataError, match="one of its configs: de-en, en-fr"):
        list(open_pairs(f"hf-stream:{tmp_path}", "en", "it"))


def test_what_a_stream_lacks_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match="no text in fr; it has en, de"):
        list(open_pairs(f"hf-stream:{folder}", "en", "fr"))
    with pytest.raises(DataError, match="has no split test; it has train, validation"):
        list(open_pairs(f"hf-stream:{folder}#test", "en", "de"))
    with pytest.raises(DataError, match="names no data set") as caught:
        open_pairs("hf-stream:", "en", "de")
    assert caught.value.remedy.startswith("write hf-stream:NAME")
    (folder / "train.jsonl").write_text('{"translation": {"en": "a", "de": "b"}}\n{"translation"')
    with pytest.raises(DataError, match=f"data set {folder} cannot be loaded"):
        list(open_pairs(f"hf-stream:{folder}", "en", "de"))


def test_a_saved_data_set_is_a_stream_already(tmp_path: Path) -> None:
    datasets.Dataset.from_list([{"en": "one", "de": "eins"}]).save_to_disk(tmp_path / "saved")
    assert list(open_pairs(f"hf-stream:{tmp_path / 'saved'}", "en", "de")) == [("one", "eins")]
