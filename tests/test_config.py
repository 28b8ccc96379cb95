"""What the user asks for, and how every mistake in it is told at once."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nmt.config import Config, Settings, dump, explain, find_shipped, json_schema, load_saved, loading, shipped_names
from nmt.config.tree import TrainConfig
from nmt.corpus.starter import split
from nmt.errors import ConfigError
from nmt.presets import PRESETS

REPOSITORY = Path(__file__).parents[1]
SMALL_STEPS = PRESETS["small"].settings["train"]["max_steps"]


def write(folder: Path, text: str) -> str:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def mistakes(name: str | None = None, *overrides: str) -> str:
    with pytest.raises(ConfigError) as caught:
        Settings.load(name, overrides)
    assert caught.value.exit_code == 2
    assert caught.value.remedy
    return caught.value.message


# Who wins


def test_defaults_give_way_to_the_preset_that_to_the_file_and_that_to_key_value(tmp_path: Path) -> None:
    file = write(tmp_path, "model:\n  d_ff: 300\n  num_heads: 2\ntrain:\n  warmup_steps: 7\n")
    config = Settings.load(file, ["model.num_heads=8"]).resolve("small")
    small = PRESETS["small"].settings
    assert config.decode.beam_size == Config().decode.beam_size  # nobody says anything
    assert config.model.d_model == small["model"]["d_model"] != Config().model.d_model  # the preset
    assert config.model.d_ff == 300 != small["model"]["d_ff"]  # the file
    assert config.train.warmup_steps == 7 != small["train"]["warmup_steps"]
    assert config.model.num_heads == 8  # the command line
    assert config.model.preset == "small"


def test_of_two_settings_of_one_key_the_later_wins() -> None:
    assert Settings.load(None, ["train.seed=2", "train.seed=3"]).config.train.seed == 3


def test_settings_know_which_preset_is_asked_for() -> None:
    assert Settings.load(None, []).preset == "auto"
    assert Settings.load(None, ["model.preset=tiny"]).preset == "tiny"


def test_a_run_goes_below_the_file_and_the_file_below_the_command_line(tmp_path: Path) -> None:
    run = tmp_path / "run.yaml"
    run.write_text(dump(Settings.load(None, ["model.d_ff=9", "model.d_model=64", "train.seed=5"]).resolve("tiny")))
    file = write(tmp_path, "model:\n  d_ff: 10\ntrain:\n  seed: 6\n")
    config = Settings.load(file, ["train.seed=7"], base=run).config
    assert (config.model.d_model, config.model.d_ff, config.train.seed) == (64, 10, 7)
    assert config.train.warmup_steps == PRESETS["tiny"].settings["train"]["warmup_steps"]


@pytest.mark.parametrize(
    ("overrides", "steps", "epochs"),
    [
        ([], SMALL_STEPS, None),
        (["train.max_epochs=3"], None, 3),
        (["train.max_steps=9"], 9, None),
        (["train.max_steps=9", "train.max_epochs=3"], 9, 3),
        (["train.seed=5"], SMALL_STEPS, None),
    ],
)
def test_a_preset_never_ends_before_the_user_does(overrides: list[str], steps: int | None, epochs: int | None) -> None:
    train = Settings.load(None, overrides).resolve("small").train
    assert (train.max_steps, train.max_epochs) == (steps, epochs)


def test_resolving_leaves_the_presets_as_they_are() -> None:
    before = json.dumps([preset.settings for preset in PRESETS.values()])
    for name in PRESETS:
        Settings.load(None, ["train.max_epochs=3", "model.d_ff=7", "tokenizer.vocab_size=77"]).resolve(name)
    assert json.dumps([preset.settings for preset in PRESETS.values()]) == before


@pytest.mark.parametrize(
    ("written", "seconds"),
    [("30m", 1800.0), ("1h30m", 5400.0), ("90s", 90.0), ("2.5h", 9000.0), ("45", 45.0)],
)
def test_a_budget_is_a_time(written: str, seconds: float, tmp_path: Path) -> None:
    config = Settings.load(None, [f"train.budget={written}"]).resolve("small")
    assert config.train.budget == seconds
    assert config.train.max_steps is None  # the clock says when to stop, not the preset
    (tmp_path / "saved.yaml").write_text(dump(config))
    assert load_saved(tmp_path / "saved.yaml") == config


@pytest.mark.parametrize("written", ["soon", "30 minutes", "m", "0", "-5m", "0s", "5m30"])
def test_a_budget_that_is_no_time_is_refused(written: str) -> None:
    assert "train.budget" in mistakes(None, f"train.budget={written}")


def test_a_training_without_an_end_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"nothing says when to stop: train\.max_steps, .* and train\.budget"):
        Settings.load(None, ["train.max_steps="]).resolve("small")


def test_a_configuration_cannot_be_changed_afterwards() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Config().train.seed = 3  # type: ignore[misc]


# KEY=VALUE


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("corpus/train", "corpus/train"),
        ("  corpus/train ", "corpus/train"),
        ("[a.en, a.de]", ("a.en", "a.de")),
        ("hf:wmt/wmt16:de-en#train", "hf:wmt/wmt16:de-en#train"),
        ("a: b", "a: b"),
        ("a #b", "a #b"),
        ("'a b'", "a b"),
        ("*", "*"),
        ("@home", "@home"),
        ("!x", "!x"),
        ("a=b", "a=b"),
        ("no", "no"),
        ("2016", "2016"),
        ("2016-05-01", "2016-05-01"),
    ],
)
def test_a_value_is_read_as_yaml_would_or_stays_the_text_it_is(text: str, value: object) -> None:
    assert Settings.load(None, [f"data.train={text}"]).config.data.train == value


@pytest.mark.parametrize(
    ("override", "value"),
    [
        ("train.learning_rate=7e-4", 7e-4),
        ("train.learning_rate=1", 1.0),
        ("train.max_steps=1e3", 1000),
        ("train.max_steps=1_000", 1000),
        ("train.max_steps=", None),
        ("train.max_steps=null", None),
        ("train.adam_betas=[0.9, 0.999]", (0.9, 0.999)),
        ("data.dev=~", None),
        ("model.gated=true", True),
        ("train.track=tensorboard", ("tensorboard",)),
        ("train.track=[wandb, trackio, wandb]", ("wandb", "trackio")),
        ("train.track=[]", ()),
        ("train.track=", ()),
        ("data.parent_dev=[a.en, a.de]", ("a.en", "a.de")),
    ],
)
def test_numbers_and_switches_are_typed(override: str, value: object) -> None:
    config = Settings.load(None, [override]).config
    section, key = override.split("=")[0].split(".")
    found = getattr(getattr(config, section), key)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("foo", ""),
        ("=3", ""),
        ("train.=3", ""),
        ("batch_tokens=3", "; did you mean train.batch_tokens?"),
        ("train.batch_tokens", "; did you mean train.batch_tokens?"),
        ("beam_siz=3", "; did you mean decode.beam_size?"),
    ],
)
def test_what_is_no_key_value_is_told(text: str, near: str) -> None:
    assert mistakes(None, text) == f"{text!r} is not of the form SECTION.KEY=VALUE{near}"


# Mistakes


def test_every_mistake_is_told_at_once_with_its_place_and_the_nearest_key(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "# a comment\n"
        "data:\n"
        "  train: [a, b, c]\n"
        "model:\n"
        "  d_modle: 512\n"
        "  dropout: 1.5\n"
        "  norm: batch\n"
        "trian:\n"
        "  max_steps: 3\n"
        "train: {seed: x, adam_betas: [0.9]}\n"
        "decode: 5\n",
    )
    told = mistakes(
        file, "foo", "batch_tokens=5", "model.heads=3", "train.max_steps=2.5", "train.batch_tokens=0", "model.d_ff=",
        "decode.beam_size=5",
    ).splitlines()  # fmt: skip
    assert told == [
        "14 mistakes in the configuration:",
        "  - 'foo' is not of the form SECTION.KEY=VALUE",
        "  - 'batch_tokens=5' is not of the form SECTION.KEY=VALUE; did you mean train.batch_tokens?",
        f"  - {file} line 3: data.train is ['a', 'b', 'c']: must be one place, or two files as in [SOURCE, TARGET]",
        "  - model.d_ff is without a value: must be a whole number",
        f"  - {file} line 6: model.dropout is 1.5: must be less than 1",
        f"  - {file} line 7: model.norm is 'batch' but must be one of 'layer' or 'rms'",
        f"  - {file} line 5: model.d_modle is no known key; did you mean model.d_model?",
        "  - model.heads is no known key; did you mean model.num_heads?",
        "  - train.batch_tokens is 0: must be greater than or equal to 1",
        "  - train.max_steps is 2.5: must be a whole number, got a number with a fractional part",
        f"  - {file} line 10: train.adam_betas is [0.9]: must be two numbers, as in [0.9, 0.98]",
        f"  - {file} line 10: train.seed is 'x': must be a whole number",
        f"  - {file} line 11: decode must be a section with keys below it, not 5",
        f"  - {file} line 8: trian is no section (sections: data, tokenizer, model, train, decode);"
        " did you mean train?",
    ]


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("data.x=3", "data.x is no known key"),
        ("train.beam_size=3", "train.beam_size is no known key; did you mean decode.beam_size?"),
        ("decode.length_ratio=3", "decode.length_ratio is no known key; did you mean decode.max_length_ratio?"),
        ("train.learning_rte=3", "train.learning_rte is no known key; did you mean train.learning_rate?"),
        ("model.d_model.x=3", "model.d_model.x is no known key"),
        ("x.d_ff=3", "x is no section (sections: data, tokenizer, model, train, decode)"),
        ("train.freeze=[1]", "train.freeze is [1]: must be names, as in [encoder, output]"),
        ("train.max_steps=true", "train.max_steps is 'true': must be a whole number"),
        ("model.gated=maybe", "model.gated is 'maybe': must be true or false"),
        ("train.max_epochs=.inf", "train.max_epochs is inf: must be a finite number"),
        ("train.adam_betas=0.9", "train.adam_betas is 0.9: must be two numbers, as in [0.9, 0.98]"),
        ("train.adam_betas=[0.9, x]", "train.adam_betas is 'x': must be a number"),
        ("train.seed=4294967296", "train.seed is 4294967296: must be less than 4294967296"),  # torch takes 64 bits
        ("data.dev=[a, [b]]", "data.dev is ['a', ['b']]: must be one place, or two files as in [SOURCE, TARGET]"),
        ("data.train=", "data.train is without a value: must be one place, or two files as in [SOURCE, TARGET]"),
        ("train.track=mlflow", "train.track is 'mlflow' but must be one of 'tensorboard', 'wandb' or 'trackio'"),
        ("train.track=[wandb, 3]", "train.track is 3 but must be one of 'tensorboard', 'wandb' or 'trackio'"),
        ("train.track=[[wandb]]", "train.track is ['wandb'] but must be one of 'tensorboard', 'wandb' or 'trackio'"),
        ("data.parent_dev=[a]", "data.parent_dev is ['a']: must be one place, or two files as in [SOURCE, TARGET]"),
        ("model.d_model={a: 1}", "model.d_model is '{a: 1}': must be a whole number"),
    ],
)
def test_one_mistake_is_one_clear_line(override: str, told: str) -> None:
    assert mistakes(None, override) == told


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        (["model.num_heads=3"], r"^model\.num_heads is 3 but must divide model\.d_model, 256$"),
        (
            ["model.positions=rotary", "model.d_model=12", "model.num_heads=4"],
            r"^model\.positions is rotary, so model\.d_model / model\.num_heads must be even, not 3$",
        ),
        (
            ["model.d_model=7", "model.num_heads=1"],
            r"^model\.positions is sinusoidal, so model\.d_model must be even and at least 4, not 7$",
        ),
        (["model.d_model=2", "model.num_heads=1"], "sinusoidal, so .* at least 4, not 2"),
        (
            ["tokenizer.shared=false"],
            r"^model\.tie_embeddings is all, which needs tokenizer\.shared: true; or take model\.tie_emb.*=target$",
        ),
        (
            ["tokenizer.path=[a, b]"],
            r"^tokenizer\.path names two models, which needs tokenizer\.shared: false$",
        ),
        (["data.source_language=en"], r"^data\.source_language and data\.target_language are both 'en'$"),
        (["train.adam_betas=[0.9, 1]"], r"^train\.adam_betas is \[0\.9, 1\.0\] but both must be in \[0, 1\)$"),
        (["train.adam_betas=[-0.1, 0.9]"], r"^train\.adam_betas is \[-0\.1, 0\.9\]"),
        (["train.adam_betas=[0.9, 1]", "model.num_heads=3"], r"^2 mistakes .*:\n.*num_heads.*\n.*betas"),
    ],
)
def test_values_that_do_not_go_together_are_told(overrides: list[str], told: str) -> None:
    assert re.search(told, mistakes(None, *overrides))


def test_values_that_go_together_only_with_the_preset_are_no_mistake() -> None:
    config = Settings.load(None, ["model.preset=big", "model.num_heads=512"]).resolve("big")
    assert (config.model.d_model, config.model.num_heads) == (1024, 512)
    assert mistakes(None, "model.preset=big", "model.d_model=1000").startswith("model.num_heads is 16 but must divide")
    with pytest.raises(ConfigError, match=r"num_heads is 256 but must divide model\.d_model, 128"):
        Settings.load(None, ["model.num_heads=256"]).resolve("tiny")


def test_the_limits_of_the_starter_are_those_of_its_grammar() -> None:
    for pairs in (split.SMALLEST, split.LARGEST):
        assert Settings.load(None, [f"data.starter_pairs={pairs}"]).config.data.starter_pairs == pairs
    assert "greater than or equal to" in mistakes(None, f"data.starter_pairs={split.SMALLEST - 1}")
    assert "less than or equal to" in mistakes(None, f"data.starter_pairs={split.LARGEST + 1}")


# YAML


def test_yaml_is_1_2(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "data:\n  source_language: no\n  target_language: on\n  train: 12:30\n"
        "train:\n  learning_rate: 7e-4\n  max_steps: 010\n  warmup_steps: 1_000\n",
    )
    config = Settings.load(file).config
    assert (config.data.source_language, config.data.target_language, config.data.train) == ("no", "on", "12:30")
    assert (config.train.learning_rate, config.train.max_steps, config.train.warmup_steps) == (7e-4, 10, 1000)


def test_a_language_that_yaml_takes_for_something_else_stays_a_word(tmp_path: Path) -> None:
    file = write(tmp_path, "data:\n  source_language: true\n  train: 2016\n  dev: 2016-05-01\n")
    data = Settings.load(file).config.data
    assert (data.source_language, data.train, data.dev) == ("true", "2016", "2016-05-01")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("data:\n  train: x\n\n  train: y\n", r'mine\.yaml line 4: found duplicate key "train"'),
        ("data:\n  train: x\ndata:\n  dev: y\n", r'mine\.yaml line 3: found duplicate key "data"'),
        ("data:\n\ttrain: x\n", r"mine\.yaml line 2: found character '\\t'"),
        ("data: [\n", r"mine\.yaml line 2: expected the node content"),
        ("\x01", r"mine\.yaml is not YAML: .*special characters"),
        ("- data\n", r"mine\.yaml holds no keys$"),
        ("data.train=x\n", r"mine\.yaml holds no keys$"),
        ("3: 4\n", r"mine\.yaml line 1: 3 is no section"),
        ("batch_tokens: 4\n", r"mine\.yaml line 1: batch_tokens is no section .*did you mean train\.batch_tokens\?"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_by_line(text: str, told: str, tmp_path: Path) -> None:
    assert re.search(told, mistakes(write(tmp_path, text)))


def test_a_file_in_another_encoding_is_told(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes("data:\n  train: café\n".encode("latin-1"))
    assert re.search(r"mine\.yaml is not UTF-8 \(byte offset 18\)", mistakes(str(path)))


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path, "data:\n")

    def refuse(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refuse)
    assert re.search(r"mine\.yaml cannot be read: Permission denied", mistakes(file))


@pytest.mark.parametrize("text", ["", "# nothing\n", "data:\n", "data: ~\nmodel:\n", "\ufeff", "---\ndata: {}\n"])
def test_an_empty_file_is_the_defaults(text: str, tmp_path: Path) -> None:
    assert Settings.load(write(tmp_path, text)).config == Config()


def test_a_byte_order_mark_anchors_and_flow_style_are_read(tmp_path: Path) -> None:
    file = write(tmp_path, "\ufeffmodel: &m {d_ff: 7, d_model: 64}\ntrain: {seed: 3}\n")
    config = Settings.load(file).config
    assert (config.model.d_ff, config.model.d_model, config.train.seed) == (7, 64, 3)
    merged = write(tmp_path, "train: &t\n  d_ff: 3\nmodel:\n  <<: *t\n  gated: 3\n")
    told = mistakes(merged)
    assert f"{merged} line 2: train.d_ff is no known key; did you mean model.d_ff?" in told
    assert f"{merged} line 5: model.gated is 3" in told


def test_a_name_that_is_no_configuration_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no configuration 'multi30k-en-ed'") as caught:
        Settings.load("multi30k-en-ed")
    assert caught.value.remedy == "did you mean multi30k-en-de?"
    with pytest.raises(ConfigError, match="there is no configuration") as caught:
        Settings.load(str(tmp_path))  # a folder
    assert caught.value.remedy == f"a file, or one of: {', '.join(shipped_names())}"


# Shipped


def test_the_shipped_configurations_are_the_promised_ones() -> None:
    assert shipped_names() == ["base", "big", "multi30k-de-en", "multi30k-en-de", "multi30k-en-fr", "starter"]
    assert find_shipped("nothing") is None


@pytest.mark.parametrize("name", shipped_names())
def test_every_shipped_configuration_is_short_loads_and_resolves(name: str) -> None:
    path = find_shipped(name)
    assert path is not None
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 40
    assert text.splitlines()[0] == "# yaml-language-server: $schema=schema.json"
    settings = Settings.load(name)
    assert settings.preset != "auto"  # a shipped recipe is the same whatever the size of the text
    assert settings.config == Settings.load(str(path)).config
    assert settings.resolve(settings.preset).train.max_steps


def test_the_file_in_the_folder_goes_before_the_shipped_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "starter").write_text("train:\n  seed: 77\n")
    monkeypatch.chdir(tmp_path)
    assert Settings.load("starter").config.train.seed == 77
    assert Settings.load("base").config.model.preset == "base"


def test_configurations_inside_the_package_are_found_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the wheel, where they lie beside the code."""
    (tmp_path / "nmt" / "configs").mkdir(parents=True)
    (tmp_path / "nmt" / "configs" / "own.yaml").write_text("train:\n  seed: 9\n")
    monkeypatch.setattr(loading, "__file__", str(tmp_path / "nmt" / "config" / "loading.py"))
    assert shipped_names() == ["own"]
    assert Settings.load("own").config.train.seed == 9


# Out again


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_dumped_loads_as_the_same(preset: str, tmp_path: Path) -> None:
    overrides = ["data.dev=[a, b]", "data.source_language=no", "train.learning_rate=7e-4"]
    config = Settings.load(None, overrides).resolve(preset)
    path = tmp_path / "config.yaml"
    path.write_text(dump(config), encoding="utf-8")
    assert load_saved(path) == config
    assert Settings.load(str(path)).resolve(preset) == config
    assert dump(load_saved(path)) == dump(config)


@pytest.mark.parametrize(
    "text",
    [
        *"~#'\"-",
        *"no yes true null 1 1e3 0x1F 010 12:30 2016-05-01 .inf *a &a !a [a] {a} %a @a `a".split(" "),
        *["", " a ", "a: b", "a #b", "a\nb", "ü 😀 \u2028", "x" * 300, "a b " * 60],
    ],
)
def test_any_text_survives_being_dumped(text: str, tmp_path: Path) -> None:
    config = Config.model_validate({"data": {"train": text, "dev": [text, "b"]}})
    path = tmp_path / "config.yaml"
    path.write_text(dump(config), encoding="utf-8")
    assert load_saved(path) == config


def test_a_dump_is_complete_and_has_a_key_a_line() -> None:
    lines = dump(Settings.load(None, ["data.dev=[a, b]"]).resolve("tiny")).splitlines()
    named = [line.split(":")[0] for line in lines]
    sections = [name for name in named if not name.startswith(" ")]
    assert sections == list(Config.model_fields)
    nested = ["  subword_sampling:", "  source_noise:"]
    assert [line for line in lines if line.endswith(":") and line.startswith(" ")] == nested
    assert len(lines) == len(sections) + len(nested) + len(explain())
    assert "  dev: [a, b]" in lines
    assert "  adam_betas: [0.9, 0.98]" in lines
    assert "  preset: tiny" in lines
    assert "  test: null" in lines


def test_a_section_inside_a_section_is_written_in_a_file_and_on_the_command_line(tmp_path: Path) -> None:
    file = write(tmp_path, "train:\n  max_steps: 9\n  subword_sampling: {unigram_alpha: 0.2}\n")
    assert Settings.load(file).config.train.subword_sampling.unigram_alpha == 0.2
    key = "train.subword_sampling"
    assert Settings.load(file, [f"{key}.unigram_alpha=0.5"]).config.train.subword_sampling.strength == 0.5
    assert Settings.load(file, [f"{key}.unigram_alpha=null"]).config.train.subword_sampling.kind is None
    saved = write(tmp_path, dump(Settings.load(file).config))
    assert load_saved(Path(saved)).train.subword_sampling.kind == "unigram"


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        (["unigram_alpha=2"], "train.subword_sampling.unigram_alpha is 2: must be less than or equal to 1"),
        (
            ["unigram_alfa=0.2"],
            "train.subword_sampling.unigram_alfa is no known key; did you mean train.subword_sampling.unigram_alpha?",
        ),
        (["bpe_dropout=0.1"], "train.subword_sampling is for bpe, but tokenizer.kind is unigram"),
        (
            ["unigram_alpha=0.1", "bpe_dropout=0.1"],
            "train.subword_sampling has unigram_alpha and bpe_dropout: leave out the one that is not tokenizer.kind",
        ),
    ],
)
def test_mistakes_in_a_section_inside_a_section(overrides: list[str], told: str) -> None:
    assert mistakes(None, *(f"train.subword_sampling.{override}" for override in overrides)) == told


def test_a_mistake_in_a_section_inside_a_section_of_a_file_is_told_by_line(tmp_path: Path) -> None:
    file = write(tmp_path, "train:\n  max_steps: 9\n  subword_sampling: {unigram_alpha: x}\n")
    assert mistakes(file) == f"{file} line 3: train.subword_sampling.unigram_alpha is 'x': must be a number"
    file = write(tmp_path, "train:\n  subword_sampling: 0.2\n")
    assert mistakes(file) == f"{file} line 2: train.subword_sampling must be a section with keys below it, not 0.2"


def test_a_saved_file_with_a_mistake_is_told_by_line(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(dump(Config()).replace("d_ff: 1024", "d_ff: x"), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"config\.yaml line \d+: model\.d_ff is 'x'"):
        load_saved(path)


# What the keys say about themselves


def test_every_key_has_a_default_a_unit_or_its_choices_and_one_line_of_documentation() -> None:
    rows = explain()
    assert [name for name, *_ in rows] == list(_leaves(Config().model_dump()))
    for name, default, unit, documentation in rows:
        assert default, name
        assert unit, name
        assert documentation.strip().endswith((".", ")")), name
        assert "\n" not in documentation, name


def _leaves(tree: dict[str, Any], prefix: str = "") -> Iterator[str]:
    for name, value in tree.items():
        yield from _leaves(value, f"{prefix}{name}.") if isinstance(value, dict) else [f"{prefix}{name}"]


def test_explained_defaults_are_written_as_one_would_write_them() -> None:
    told = {name: (default, unit) for name, default, unit, _ in explain()}
    assert told["train.adam_betas"] == ("[0.9, 0.98]", "per update")
    assert told["train.max_steps"] == ("unset", "updates")
    assert told["tokenizer.shared"] == ("true", "true | false")
    assert told["model.norm"] == ("layer", "layer | rms")
    assert told["train.batch_tokens"] == ("4096", "tokens")
    for name, (default, _) in told.items():
        if default != "unset":
            assert Settings.load(None, [f"{name}={default}"]).config == Config(), name


def test_all_the_keys_that_were_promised_are_there() -> None:
    promised = """
        data: source_language target_language train dev test
        tokenizer: path kind vocab_size shared byte_fallback normalization character_coverage split_digits
        model: preset d_model num_heads d_ff encoder_layers decoder_layers dropout attention_dropout activation_dropout
            norm_position norm norm_eps activation gated attention_bias ffn_bias positions tie_embeddings max_length
        train: batch_tokens max_steps max_epochs learning_rate warmup_steps schedule adam_betas adam_eps weight_decay
            label_smoothing clip_norm ema_decay validate_every save_every keep_best keep_last patience metric seed
            precision
        decode: beam_size length_penalty max_length_ratio guard
    """
    known = {name for name, *_ in explain()}
    section = ""
    for word in promised.split():
        if word.endswith(":"):
            section = word
        else:
            assert f"{section[:-1]}.{word}" in known


def test_patience_is_off_where_the_schedule_ends_by_itself() -> None:
    assert (TrainConfig().patience, TrainConfig().schedule) == (0, "linear")


def test_the_schema_for_editors_is_current() -> None:
    path = REPOSITORY / "configs" / "schema.json"
    wanted = json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
    code = "import json, nmt.config as c; print(json.dumps(c.json_schema(), indent=2, ensure_ascii=False))"
    anew = f"write it anew: .venv/bin/python -c '{code}' > configs/schema.json"
    assert path.read_text(encoding="utf-8") == wanted, anew


def test_the_schema_knows_every_key_with_its_documentation_and_allows_no_other() -> None:
    schema = json_schema()
    for name, _, _, documentation in explain():
        *sections, key = name.split(".")
        definition: dict[str, Any] = schema
        for section in sections:
            definition = schema["$defs"][definition["properties"][section]["$ref"].split("/")[-1]]
            assert definition["additionalProperties"] is False
        assert definition["properties"][key]["description"] == documentation
    assert schema["additionalProperties"] is False


# Presets


def test_the_sizes_of_the_presets_rise_and_leave_no_gap() -> None:
    bounds = [preset.pairs_below for preset in PRESETS.values() if preset.pairs_below is not None]
    assert len(bounds) >= 4
    assert bounds == sorted(set(bounds))
    assert bounds[-1] == float("inf")


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_a_whole_recipe_that_ends(name: str) -> None:
    preset = PRESETS[name]
    assert preset.why
    config = Settings.load(None, [f"model.preset={name}"]).resolve(name)
    for section, keys in preset.settings.items():
        for key, value in keys.items():
            assert getattr(getattr(config, section), key) == value
    assert config.train.max_steps is not None
    assert config.train.warmup_steps < config.train.max_steps / 2
    shape = {"d_model", "num_heads", "d_ff", "encoder_layers", "decoder_layers", "dropout"}
    assert shape <= set(preset.settings["model"])
    assert {"batch_tokens", "max_steps", "learning_rate", "warmup_steps"} <= set(preset.settings["train"])


def test_the_presets_are_those_that_can_be_named() -> None:
    choices = next(unit for name, _, unit, _ in explain() if name == "model.preset")
    assert choices.split(" | ") == ["auto", *PRESETS]


def test_what_conflicts_is_told_beside_what_is_wrong() -> None:
    told = mistakes(None, "model.num_heads=3", "train.schedule=x", "data.source_language=en", "data.target_language=en")
    for part in ("3 mistakes", "train.schedule is 'x'", "model.num_heads is 3 but must divide", "are both 'en'"):
        assert part in told


def test_a_full_key_in_a_file_is_told_how_to_write_it(tmp_path: Path) -> None:
    told = mistakes(write(tmp_path, "data.train: corpus\n"))
    assert "line 1: data.train is written in a file as a key train below data:" in told


def test_shares_of_noise_that_are_too_large_together_are_refused() -> None:
    words = [f"train.source_noise.{kind}=0.5" for kind in ("upper", "title", "lower")]
    told = "train.source_noise has upper, title and lower for 1.5 of the sentences: together at most 1"
    assert mistakes(None, *words) == told
    assert Settings.load(None, words[1:]).config.train.source_noise.on


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("[deu, a b]", "['deu', 'a b']: a tag's name is made of letters, digits, - and _, not 'a b'"),
        ("[deu, fra, deu]", "['deu', 'fra', 'deu']: names deu twice"),
        ("'>>deu<<'", "'>>deu<<': a tag's name is made of letters, digits, - and _, not '>>deu<<'"),
        ("dé", "'dé': a tag's name is made of letters, digits, - and _, not 'dé'"),
    ],
)
def test_names_of_tags_are_checked(value: str, told: str) -> None:
    assert mistakes(None, f"tokenizer.tags={value}") == f"tokenizer.tags is {told}"


def test_tags_are_one_name_or_a_list() -> None:
    for value, tags in (("deu", ("deu",)), ("[a-1, B_2, 3]", ("a-1", "B_2", "3")), ("[]", ())):
        assert Settings.load(None, [f"tokenizer.tags={value}"]).config.tokenizer.tags == tags
