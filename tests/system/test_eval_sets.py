"""Which texts a model is scored on, and how they are known again."""

from dataclasses import replace
from pathlib import Path

import pytest

from nmt.commands.eval_sets import EvalSet, eval_sets
from nmt.commands.evaluate import output_files
from nmt.config import DataConfig
from nmt.errors import DataError, UsageError

SET = EvalSet("name", "place", ["a", "b"], [["c", "d"]], "en")


def test_the_same_text_is_known_by_another_name() -> None:
    assert replace(SET, name="other", place="elsewhere", target_language="de").fingerprint() == SET.fingerprint()


@pytest.mark.parametrize(
    "changes",
    [
        {"source": ["a", "x"]},
        {"source": ["a"]},
        {"source": ["ab"]},
        {"references": [["c", "x"]]},
        {"references": [["c"], ["d"]]},
        {"references": [["c", "d"], ["c", "d"]]},
        {"source": ["a", "b", "c"], "references": [["d"]]},
    ],
    ids=str,
)
def test_another_text_is_another_text(changes: dict[str, list[str]]) -> None:
    assert replace(SET, **changes).fingerprint() != SET.fingerprint()


def test_each_set_of_a_list_has_its_languages_and_is_named_by_its_place(tmp_path: Path) -> None:
    for folder, language in (("one", "de"), ("two", "fr")):
        (tmp_path / folder).mkdir()
        for side in ("en", language):
            (tmp_path / folder / f"test.{side}").write_text(f"{side}\n", encoding="utf-8")
    data = DataConfig.model_validate(
        {
            "source_language": "en",
            "target_language": "de",
            "test": [
                {"text": str(tmp_path / "one" / "test")},
                {"text": str(tmp_path / "two" / "test"), "target_language": "fr", "tags": ["fra"]},
            ],
        }
    )
    first, second = eval_sets(data)
    assert (first.name, second.name) == (str(tmp_path / "one" / "test"), str(tmp_path / "two" / "test"))
    assert (first.target_language, second.target_language) == ("de", "fr")
    assert (first.source, second.source, second.references) == (["en"], [">>fra<< en"], [["fr"]])
    (alone,) = eval_sets(data, [str(tmp_path / "one" / "test")])
    assert alone.name == "test"


def test_a_list_of_files_of_unequal_length_is_refused_before_anything_is_done(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a\nb\n", encoding="utf-8")
    (tmp_path / "r").write_text("a\n", encoding="utf-8")
    data = DataConfig.model_validate({"source_language": "en", "target_language": "de", "train": "text"})
    with pytest.raises(DataError, match="2 source lines, but 1 reference lines"):
        eval_sets(data, source=tmp_path / "s", references=[tmp_path / "s", tmp_path / "r"])
    with pytest.raises(UsageError, match="go together"):
        eval_sets(data, source=tmp_path / "s")
    with pytest.raises(UsageError, match="runs/x was configured without data.test"):
        eval_sets(data, named="runs/x")


def test_translations_of_several_sets_go_into_one_folder(tmp_path: Path) -> None:
    names = ["news", "/corpora/a/test", "hf:org/set#test"]
    folder = tmp_path / "new" / "out"
    found = output_files(folder, [replace(SET, name=name) for name in names])
    assert found == [folder / "news.en", folder / "_corpora_a_test.en", folder / "hf:org_set#test.en"]
    assert folder.is_dir()
    assert output_files(tmp_path / "file", [SET]) == [tmp_path / "file"]
    assert output_files(None, [SET, SET]) == [None, None]
