"""The recipes in data/ load, mean what is on the hub, and name commands and options that there are."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import typer.main

from nmt.cli import app
from nmt.config import Settings
from nmt.corpus.sources import find_train_and_dev, read_test

DATA = Path(__file__).parents[2] / "data"
RECIPES = sorted((DATA / "recipes").glob("*.yaml"))
SCRIPTS = sorted((DATA / "recipes").glob("*.sh"))
# As their cards on the hub have it: config, languages inside a `translation` column, or two columns.
HUB = {
    "bentrevett/multi30k": (None, ("en", "de")),
    "Helsinki-NLP/opus-100": ("en-fr", ("en", "fr")),
    "wmt/wmt14": ("de-en", ("de", "en")),
    "wmt/wmt16": ("ro-en", ("ro", "en")),
}
SPLITS = ("train", "validation", "test")


def lay_out(folder: Path, config: str | None, languages: tuple[str, str]) -> None:
    """A data set as it lies on the hub: Parquet files, and a card that says which belongs to which split."""
    import datasets

    inside = config or "data"
    for split in SPLITS:
        row = {language: f"{split} in {language}" for language in languages}
        flat = dict.fromkeys(languages, datasets.Value("string"))
        features = datasets.Features({"translation": datasets.Translation(languages)} if config else flat)
        rows: list[dict[str, Any]] = [{"translation": row} if config else row]
        (folder / inside).mkdir(parents=True, exist_ok=True)
        datasets.Dataset.from_list(rows, features).to_parquet(folder / inside / f"{split}-00000-of-00001.parquet")
    lines = [f"  - split: {split}\n    path: {inside}/{split}-*" for split in SPLITS]
    head = ["---", "configs:", f"- config_name: {config or 'default'}", "  data_files:", *lines, "---"]
    (folder / "README.md").write_text("\n".join(head) + "\n")


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`datasets` finds the data sets of the recipes in local folders, and does all else itself."""
    import datasets

    real = datasets.load_dataset
    for name, (config, languages) in HUB.items():
        lay_out(tmp_path / name, config, languages)

    def load(name: str, *words: Any, **named: Any) -> Any:
        return real(str(tmp_path / name), *words, **named)

    monkeypatch.setattr(datasets, "load_dataset", load)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_a_recipe_loads_with_all_its_keys(path: Path) -> None:
    data = Settings.load(str(path)).config.data
    assert data.dev is not None
    assert data.test is not None
    assert f"nmt train data/recipes/{path.name}" in path.read_text(encoding="utf-8")
    assert path.name in (DATA / "README.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("hub")
@pytest.mark.parametrize("path", [path for path in RECIPES if path.stem != "tatoeba"], ids=lambda path: path.stem)
def test_a_recipe_reads_what_is_on_the_hub(path: Path, tmp_path: Path) -> None:
    data = Settings.load(str(path)).config.data
    found = find_train_and_dev(data, 1, tmp_path / "scratch")
    assert list(found.texts[0].pairs()) == [(1, f"train in {data.source_language}", f"train in {data.target_language}")]
    test = read_test(data)
    assert test is not None
    for text, split in ((found.dev, "validation"), (test, "test")):
        assert text.source == [f"{split} in {data.source_language}"]
        assert text.target == [f"{split} in {data.target_language}"]


def test_every_data_set_is_tried() -> None:
    named = set(re.findall(r"hf:([\w/-]+)", "".join(path.read_text(encoding="utf-8") for path in RECIPES)))
    assert named == set(HUB)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_is_one(path: Path) -> None:
    if shutil.which("sh"):
        subprocess.run(["sh", "-n", str(path)], check=True)
    assert path.name in (DATA / "README.md").read_text(encoding="utf-8")
    for name in re.findall(r"data/recipes/[\w.-]+", path.read_text(encoding="utf-8")):
        assert (DATA.parent / name).is_file()


def commands() -> list[str]:
    """Each `nmt ...` of the scripts and of the page, with its continuation lines."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in [*SCRIPTS, DATA / "README.md"])
    return re.findall(r"^nmt .*", text.replace("\\\n", " "), re.MULTILINE)


@pytest.mark.parametrize("line", commands())
def test_its_commands_and_their_options_are_there(line: str) -> None:
    words = shlex.split(line.partition(" #")[0].partition("||")[0])[1:]
    command = typer.main.get_command(app)
    context = command.make_context("nmt", [], resilient_parsing=True)
    while hasattr(command, "get_command"):
        found = command.get_command(context, words[0])
        assert found is not None, words
        command, words = found, words[1:]
    command.make_context("nmt", words)
