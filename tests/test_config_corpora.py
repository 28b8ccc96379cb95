"""Several corpora to train on, in a file and on the command line, and what can be wrong with them."""

from pathlib import Path

import pytest

from nmt.config import Settings, StageConfig, dump
from nmt.errors import ConfigError

FILE = """
data:
  source_language: en
  target_language: de
  train:
    - {text: corpus/news, weight: 3}
    - {text: [a.en, a.de], name: web, weight: 1, tags: [web, deu]}
    - text: hf:some/pairs:de-en#train
      weight: 0.5
      target_language: deu
  stages:
    - {until: 2000, weights: {news: 1}}
    - {until: 30%, weights: {news: 1, web: 2}}
    - weights: {pairs:de-en#train: 1}
"""


def load(folder: Path, text: str, *overrides: str) -> Settings:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return Settings.load(str(path), overrides)


def test_corpora_in_a_file(tmp_path: Path) -> None:
    data = load(tmp_path, FILE).config.data
    assert [corpus.name for corpus in data.corpora] == ["news", "web", "pairs:de-en#train"]
    assert [corpus.weight for corpus in data.corpora] == [3, 1, 0.5]
    assert data.corpora[1].text == ("a.en", "a.de")
    assert data.corpora[2].target_language == "deu"
    assert data.tags == ("web", "deu")
    assert [stage.until for stage in data.stages] == [2000, "30%", None]


def test_corpora_on_the_command_line() -> None:
    words = ["data.train=[{text: a/x, repeat: 2}, {text: b/y.tsv, tags: deu}]", "data.temperature=5"]
    data = Settings.load(None, words).config.data
    assert [(corpus.text, corpus.name, corpus.repeat, corpus.tags) for corpus in data.corpora] == [
        ("a/x", "x", 2, ()),
        ("b/y.tsv", "y", 1, ("deu",)),
    ]


@pytest.mark.parametrize("place", ["corpus/train", "[a.en,a.de]", "starter"])
def test_one_place_is_a_list_of_one(place: str) -> None:
    data = Settings.load(None, [f"data.train={place}"]).config.data
    assert [corpus.text for corpus in data.corpora] == [data.train]
    assert data.tags == ()


def test_what_is_dumped_loads_as_the_same(tmp_path: Path) -> None:
    config = load(tmp_path, FILE, "train.max_steps=5").resolve("tiny")
    text = dump(config)
    assert "\n  train: [{" in text  # a key a line
    assert load(tmp_path, text).config == config


@pytest.mark.parametrize(
    ("until", "step", "progress", "over"),
    [(5, 4, 0.9, False), (5, 5, 0.1, True), ("30%", 99, 0.29, False), ("30%", 0, 0.3, True), (None, 99, 1.0, False)],
)
def test_when_a_stage_is_over(until: object, step: int, progress: float, over: bool) -> None:
    assert StageConfig.model_validate({"until": until, "weights": {"a": 1}}).is_over(step, progress) is over


A, B = "{text: a}", "{text: b}"


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        (["data.train=[{text: a, wieght: 2}]"], "corpus 1: wieght is no key of a corpus; there are text, name, weight"),
        (["data.train=[{text: a}, {weight: 2}]"], "corpus 2: text is missing"),
        (["data.train=[{text: a, weight: 0}]"], "corpus 1: weight must be greater than 0"),
        (["data.train=[{text: a, weight: 0, repeat: x}, {}]"], "corpus 1: repeat must be a number"),
        (["data.train=[{text: a, tags: a b}]"], "corpus 1: tags a tag's name is made of letters, digits, - and _"),
        (["data.train=[{text: [a, b, c]}]"], "corpus 1: text must be one place, or two files"),
        (["data.train=[{text: a}, b]"], "must be a list of corpora, each as in {text: corpus/train}"),
        (["data.train=[a, b, c]"], "must be one place, or two files as in [SOURCE, TARGET]"),
        (["data.train=[{text: a}, {text: x/a}]"], "data.train has two corpora called 'a': give them names"),
        (["data.train=[{text: a, weight: 1}, {text: b}]"], "gives a weight to some corpora only"),
        (
            ["data.train=[{text: a, weight: 1}]", "data.temperature=2"],
            "data.temperature is for corpora without weights",
        ),
        ([f"data.train=[{A}]", "data.stages=[{weights: {b: 1}}]"], "stage 1: there is no corpus b; there are a"),
        ([f"data.train=[{A}]", "data.stages=[{weights: {a: 0}}]"], "stage 1: weights must not be below 0, and one"),
        ([f"data.train=[{A}]", "data.stages=[{weights: {a: -1}}]"], "stage 1: weights must not be below 0"),
        ([f"data.train=[{A}]", "data.stages=[{until: 5, weights: {a: 1}}]"], "stage 1: the last stage has no until"),
        (
            [f"data.train=[{A}, {B}]", "data.stages=[{weights: {a: 1}}, {weights: {b: 1}}]"],
            "stage 1: only the last stage has no until",
        ),
        (["data.stages=[{until: 0, weights: {a: 1}}]"], "stage 1: until must be a number of updates, or a share"),
        (["data.stages=[{until: 100%, weights: {a: 1}}]"], "stage 1: until must be a number of updates, or a share"),
        (["data.stages=[{until: true, weights: {a: 1}}]"], "stage 1: until must be a number of updates, or a share"),
        (["data.stages=[{until: 5}]"], "stage 1: weights is missing"),
        (["data.stages=5"], "must be a list of stages, each as in {until: 2000, weights: {news: 1}}"),
        (["data.dev=[{text: a, weight: 2}]"], "data.dev gives a weight or a repeat, which are for data.train"),
        (["data.test=[{text: a, repeat: 2}]"], "data.test gives a weight or a repeat, which are for data.train"),
        (
            [
                f"data.train=[{A}]",
                "data.stages=[{until: 5, weights: {a: 1}}, {until: 5, weights: {a: 1}}, {weights: {a: 1}}]",
            ],
            "stage 2: until is 5, but stage 1 ends at 5",
        ),
        (
            [
                f"data.train=[{A}]",
                "data.stages=[{until: 9%, weights: {a: 1}}, {until: 8%, weights: {a: 1}}, {weights: {a: 1}}]",
            ],
            "stage 2: until is 8%, but stage 1 ends at 9%",
        ),
        (["data.train=[{text: a, repeat: 1e300}]"], "corpus 1: repeat must be less than or equal to 1000000"),
        (["data.temperature=0"], "data.temperature is 0: must be greater than 0"),
    ],
)
def test_mistakes_are_told_with_the_number_of_the_corpus(overrides: list[str], told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Settings.load(None, overrides)
    assert told in caught.value.message
    assert caught.value.exit_code == 2


def test_all_mistakes_of_a_list_are_told_at_once() -> None:
    with pytest.raises(ConfigError, match="corpus 1: weight .*; corpus 1: repeat .*; corpus 2: text is missing"):
        Settings.load(None, ["data.train=[{text: a, weight: 0, repeat: x}, {}]"])


def test_a_mistake_in_train_makes_none_of_stages(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="wieght is no key of a corpus") as told:
        load(tmp_path, FILE.replace("weight: 3", "wieght: 3"))
    assert "there is no corpus" not in str(told.value)


def test_no_tags_are_none() -> None:
    assert Settings.load(None, ["data.train=[{text: a, tags: null}]"]).config.data.tags == ()


@pytest.mark.parametrize("text", ["data: " + "[" * 5000, f"train: {{max_steps: {'9' * 5000}}}"])
def test_yaml_that_is_too_much_is_told(text: str, tmp_path: Path) -> None:
    (tmp_path / "run.yaml").write_text(text)
    with pytest.raises(ConfigError, match="cannot be read as YAML: (it is nested too deep, or in itself|Exceeds)"):
        Settings.load(str(tmp_path / "run.yaml"))
    for value in ("&a [*a]", f"[{'9' * 5000}]"):
        assert Settings.load(None, [f"data.train={value}"]).config.data.train == value
