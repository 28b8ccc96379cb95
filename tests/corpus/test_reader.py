"""Pairs stay pairs, whatever the files hold and wherever they lie."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from nmt.corpus.reader import available_splits, read_parallel
from nmt.errors import DataError


def write(folder: Path, **files: str | bytes) -> None:
    """train_en="..." writes train.en."""
    for name, content in files.items():
        data = content if isinstance(content, bytes) else content.encode()
        (folder / name.replace("_", ".")).write_bytes(data)


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\r", "\x1c", "\x1d", "\x1e"])
def test_a_line_separator_inside_a_line_parts_nothing(separator: str, tmp_path: Path) -> None:
    write(tmp_path, train_en=f"1\n2\n3{separator}x\n4\n5\n", train_de="a\nb\nc\nd\ne\n")
    text = read_parallel(str(tmp_path / "train"), "en", "de")
    assert text.source == ["1", "2", "3 x", "4", "5"]
    assert text.target == ["a", "b", "c", "d", "e"]
    assert len(text) == 5


def test_a_prefix_two_files_and_a_tsv_give_the_same(tmp_path: Path) -> None:
    write(tmp_path, train_en="one\ntwo\n", train_de="eins\nzwei\n", both_tsv="one\teins\ntwo\tzwei\n")
    prefix, tsv = str(tmp_path / "train"), tmp_path / "both.tsv"
    for location in (prefix, tmp_path / "train", [f"{prefix}.en", f"{prefix}.de"], str(tsv), tsv):
        text = read_parallel(location, "en", "de")
        assert (text.source, text.target, text.lines) == (["one", "two"], ["eins", "zwei"], [1, 2])
    swapped = read_parallel(prefix, "de", "en")
    assert swapped.source == ["eins", "zwei"]
    assert prefix in swapped.name


def test_line_ends_and_a_byte_order_mark_make_no_difference(tmp_path: Path) -> None:
    write(tmp_path, train_en=b"\xef\xbb\xbfone\r\ntwo\r\n", train_de=b"eins\nzwei", t_tsv=b"\xef\xbb\xbfone\teins\r\n")
    text = read_parallel(str(tmp_path / "train"), "en", "de")
    assert (text.source, text.target) == (["one", "two"], ["eins", "zwei"])
    assert read_parallel(str(tmp_path / "t.tsv"), "en", "de").target == ["eins"]


def test_pairs_with_a_blank_side_are_left_out_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = ["s" if line not in (4, 9) else "\u3000\u00a0" for line in range(1, 11)]
    target = ["t" if line not in (7, 9) else "" for line in range(1, 11)]
    write(tmp_path, train_en="\n".join(source) + "\n", train_de="\n".join(target) + "\n")
    text = read_parallel(str(tmp_path / "train"), "en", "de")
    assert text.lines == [1, 2, 3, 5, 6, 8, 10]
    assert len(text) == len(text.target) == 7
    assert text.dropped == [(4, "with blank source"), (7, "with blank target"), (9, "with both sides blank")]
    captured = capsys.readouterr()
    assert "left out 3 of 10 pairs" in captured.err
    assert "lines 4, 7, 9" in captured.err
    assert captured.out == ""


def test_many_pairs_left_out_are_not_all_listed(tmp_path: Path) -> None:
    write(tmp_path, t_tsv="\ta\n" * 12 + "x\ty\n")
    described = read_parallel(str(tmp_path / "t.tsv"), "en", "de").describe_dropped()
    assert described.endswith(
        "left out 12 of 13 pairs (12 with blank source): lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ..."
    )
    write(tmp_path, t_tsv="x\ty\n")
    assert read_parallel(str(tmp_path / "t.tsv"), "en", "de").describe_dropped() == ""


@pytest.mark.parametrize("location", ["prefix", "files"])
def test_files_of_unequal_length_are_refused(location: str, tmp_path: Path) -> None:
    write(tmp_path, train_en="x\n" * 10, train_de="y\n" * 9)
    prefix = str(tmp_path / "train")
    with pytest.raises(DataError, match=r"train\.en has 10 lines but .*train\.de has 9 lines"):
        read_parallel(prefix if location == "prefix" else [f"{prefix}.en", f"{prefix}.de"], "en", "de")
    write(tmp_path, train_en="x\n", train_de="")
    with pytest.raises(DataError, match=r"train\.en has 1 line but .*train\.de has 0 lines"):
        read_parallel(prefix, "en", "de")


def test_quotes_in_a_tsv_are_text(tmp_path: Path) -> None:
    rows = ["a\tb", '"c\td', 'e "f\tg"', "NA\tnull", "'h\ti"]
    write(tmp_path, t_tsv="\n".join(rows) + "\n")
    text = read_parallel(str(tmp_path / "t.tsv"), "en", "de")
    assert [f"{s}\t{t}" for s, t in zip(text.source, text.target, strict=True)] == rows


@pytest.mark.parametrize(("row", "found"), [("only", "1 field"), ("a\tb\tc", "3 fields"), ("", "1 field")])
def test_a_tsv_row_without_two_fields_is_refused(row: str, found: str, tmp_path: Path) -> None:
    write(tmp_path, t_tsv=f"a\tb\n{row}\nc\td\n")
    with pytest.raises(DataError, match=rf"t\.tsv line 2 has {found}, not 2"):
        read_parallel(str(tmp_path / "t.tsv"), "en", "de")


def test_a_byte_that_is_not_utf8_is_named_under_any_locale(tmp_path: Path) -> None:
    write(tmp_path, train_en=b"a\nb\nc \xe9\nd\n", train_de="a\nb\nc\nd\n")
    with pytest.raises(DataError, match=r"train\.en line 3 byte offset 2: 0xE9"):
        read_parallel(str(tmp_path / "train"), "en", "de")
    code = "import sys; from nmt.corpus.reader import read_parallel; read_parallel(sys.argv[1], 'en', 'de')"
    environment = {**os.environ, "LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-c", code, str(tmp_path / "train")]
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert "line 3 byte offset 2: 0xE9" in result.stderr
    write(tmp_path, train_en="a\nb\nü 😀\nd\n")
    assert subprocess.run(command, env=environment).returncode == 0


def test_a_missing_prefix_says_what_was_looked_for_and_what_is_there(tmp_path: Path) -> None:
    write(tmp_path, train_en="x\n", train_fr="y\n", dev_en="x\n")
    with pytest.raises(DataError, match=r"train\.de not found") as caught:
        read_parallel(str(tmp_path / "train"), "en", "de")
    assert "train.en not" not in caught.value.message
    assert "train.en, train.fr" in caught.value.remedy
    with pytest.raises(DataError, match=r"trian\.en and .*trian\.de not found") as caught:
        read_parallel(str(tmp_path / "trian"), "en", "de")
    assert "train.en" in caught.value.remedy
    with pytest.raises(DataError, match="not found") as caught:
        read_parallel(str(tmp_path / "zzzzz"), "en", "de")
    assert "nothing in" in caught.value.remedy
    with pytest.raises(DataError, match="not found") as caught:
        read_parallel(str(tmp_path / "nowhere" / "train"), "en", "de")
    assert f"there is no folder {tmp_path / 'nowhere'}" in caught.value.remedy
    with pytest.raises(DataError, match="not found") as caught:
        read_parallel(str(tmp_path), "en", "de")
    assert "name files inside the folder" in caught.value.remedy


def test_missing_files_are_refused(tmp_path: Path) -> None:
    write(tmp_path, a_en="x\n", b_tsv="x\ty\n")
    with pytest.raises(DataError, match=r"a\.de does not exist") as caught:
        read_parallel([str(tmp_path / "a.en"), str(tmp_path / "a.de")], "en", "de")
    assert "a.en" in caught.value.remedy
    with pytest.raises(DataError, match=r"bb\.tsv does not exist") as caught:
        read_parallel(str(tmp_path / "bb.tsv"), "en", "de")
    assert "b.tsv" in caught.value.remedy


@pytest.mark.parametrize("location", [[], ["one.en"], ["a", "b", "c"]])
def test_two_files_are_two(location: list[str]) -> None:
    with pytest.raises(DataError, match=rf"two files, source and target, not {len(location)}"):
        read_parallel(location, "en", "de")


# Data sets


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path_factory.mktemp("cache"))


def jsonl(path: Path, *rows: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def pair(english: object, german: object) -> dict[str, object]:
    return {"translation": {"en": english, "de": german}}


def test_a_folder_of_jsonl_with_columns_named_by_language(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    jsonl(tmp_path / "train.jsonl", {"de": "eins", "en": "one", "id": 1}, {"de": "zwei\nx", "en": "two", "id": 2})
    jsonl(tmp_path / "validation.jsonl", {"de": "drei", "en": "three", "id": 3})
    location = f"hf:{tmp_path}"
    text = read_parallel(location, "en", "de")
    assert (text.source, text.target, text.lines) == (["one", "two"], ["eins", "zwei x"], [1, 2])
    assert read_parallel(location, "de", "en", split="validation").source == ["drei"]
    assert read_parallel(f"{location}#validation", "en", "de").source == ["three"]
    assert read_parallel(f"{location}#train[1:]", "en", "de").source == ["two"]
    assert available_splits(location, "en", "de") == ["train", "validation"]
    assert capfd.readouterr() == ("", "")


def test_a_folder_of_parquet_with_a_translation_column(tmp_path: Path) -> None:
    import datasets

    rows = [pair("one", "eins"), pair(None, "zwei"), pair("three", "drei")]
    for features in (None, datasets.Features({"translation": datasets.Translation(languages=["en", "de"])})):
        data = datasets.Dataset.from_list(rows, features=features)
        data.to_parquet(tmp_path / "train.parquet")
        text = read_parallel(f"hf:{tmp_path}", "de", "en")
        assert (text.source, text.target, text.lines) == (["eins", "drei"], ["one", "three"], [1, 3])
        assert text.dropped == [(2, "with blank target")]


def test_a_missing_translation_is_a_blank_pair(tmp_path: Path) -> None:
    jsonl(tmp_path / "train.jsonl", pair("one", "eins"), {"translation": None})
    assert read_parallel(f"hf:{tmp_path}", "en", "de").dropped == [(2, "with both sides blank")]


def test_a_folder_written_by_save_to_disk(tmp_path: Path) -> None:
    import datasets

    features = datasets.Features({"translation": datasets.Translation(languages=["en", "de"])})
    data = datasets.Dataset.from_list([pair("one", "eins")], features=features)
    data.save_to_disk(tmp_path / "one")
    datasets.DatasetDict({"train": data, "test": data}).save_to_disk(tmp_path / "many")
    for name in ("one", "many"):
        assert read_parallel(f"hf:{tmp_path / name}", "en", "de").source == ["one"]
    assert available_splits(f"hf:{tmp_path / 'one'}", "en", "de") == ["train"]
    assert available_splits(f"hf:{tmp_path / 'many'}", "en", "de") == ["train", "test"]
    with pytest.raises(DataError, match="no split validation; it has train, test"):
        read_parallel(f"hf:{tmp_path / 'many'}", "en", "de", split="validation")


@pytest.fixture
def with_configs(tmp_path: Path) -> str:
    head = "---\nconfigs:\n"
    for config in ("de-en", "en-fr"):
        languages = config.split("-")
        jsonl(tmp_path / config / "train.jsonl", {"translation": {code: f"in {code}" for code in languages}})
        head += f"- config_name: {config}\n  data_files: {config}/train.jsonl\n"
    (tmp_path / "README.md").write_text(head + "---\n")
    return f"hf:{tmp_path}"


def test_the_config_of_the_languages_is_found_in_either_order(with_configs: str) -> None:
    assert read_parallel(with_configs, "en", "de").source == ["in en"]
    assert read_parallel(with_configs, "de", "en").source == ["in de"]
    assert read_parallel(with_configs, "en", "fr").target == ["in fr"]
    assert available_splits(with_configs, "en", "fr") == ["train"]


def test_a_config_that_is_not_there_is_refused_with_those_that_are(
    with_configs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path.parent)
    with pytest.raises(DataError, match="one of its configs: de-en, en-fr") as caught:
        read_parallel(with_configs, "en", "it")
    assert ":CONFIG" in caught.value.remedy
    # A path holds no colon here, but a name with a config does.
    relative = f"hf:{tmp_path.name}"
    assert read_parallel(f"{relative}:en-fr", "fr", "en").source == ["in fr"]
    with pytest.raises(DataError, match="one of its configs: de-en, en-fr"):
        read_parallel(f"{relative}:xx", "en", "de")
    with pytest.raises(DataError, match="no text in de; it has en, fr"):
        read_parallel(f"{relative}:en-fr", "en", "de")


def test_missing_languages_are_refused_with_those_that_are_there(tmp_path: Path) -> None:
    jsonl(tmp_path / "train.jsonl", {"de": "eins", "en": "one"})
    with pytest.raises(DataError, match="no text in fr and it; it has de, en"):
        read_parallel(f"hf:{tmp_path}", "fr", "it")
    jsonl(tmp_path / "train.jsonl", {"de": 1, "en": "one"})
    with pytest.raises(DataError, match="int values where text is needed"):
        read_parallel(f"hf:{tmp_path}", "en", "de")


def test_a_missing_split_is_refused_with_those_that_are_there(tmp_path: Path) -> None:
    jsonl(tmp_path / "train.jsonl", {"de": "eins", "en": "one"})
    with pytest.raises(DataError, match="no split test; it has train"):
        read_parallel(f"hf:{tmp_path}", "en", "de", split="test")


def test_what_is_no_data_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no such folder"):
        read_parallel(f"hf:{tmp_path / 'nowhere'}", "en", "de")
    (tmp_path / "file.jsonl").touch()
    with pytest.raises(DataError, match="is a file"):
        read_parallel(f"hf:{tmp_path / 'file.jsonl'}", "en", "de")
    with pytest.raises(DataError, match="names no data set"):
        read_parallel("hf:#train", "en", "de")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=r"cannot be loaded: .*any data files"):
        read_parallel(f"hf:{tmp_path / 'empty'}", "en", "de")


def test_without_network_there_is_one_clear_line(tmp_path: Path) -> None:
    code = (
        "from nmt.corpus.reader import read_parallel; from nmt.errors import DataError\n"
        "try: read_parallel('hf:owner/name', 'en', 'de')\n"
        "except DataError as error: print(error.message)\n"
    )
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert result.stdout == (
        "data set owner/name cannot be reached on the Hugging Face hub, and is not in the local cache.\n"
    )
    assert result.stderr == ""


def test_other_locations_have_no_splits(tmp_path: Path) -> None:
    assert available_splits(str(tmp_path / "train"), "en", "de") == []
    assert available_splits(["a.en", "a.de"], "en", "de") == []


def test_utf16_without_its_mark_is_refused(tmp_path: Path) -> None:
    for language in ("en", "de"):
        (tmp_path / f"train.{language}").write_bytes("a man\na cat\n".encode("utf-16-le"))
    with pytest.raises(DataError, match=r"train\.en looks like UTF-16, not UTF-8") as caught:
        read_parallel(str(tmp_path / "train"), "en", "de")
    assert "iconv -f UTF-16LE" in caught.value.remedy


def test_a_damaged_saved_data_set_is_told(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text("{")
    with pytest.raises(DataError, match="is damaged: "):
        read_parallel(f"hf:{tmp_path}", "en", "de")
