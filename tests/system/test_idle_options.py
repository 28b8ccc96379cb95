"""Options of a search that cannot do what they are for are told, or refused; never left aside in silence."""

from pathlib import Path

import pytest

import nmt as package
from nmt.commands.idle import idle
from nmt.config import DecodeConfig
from nmt.errors import UsageError
from tests.system.conftest import MODEL, nmt


@pytest.mark.parametrize(
    ("given", "models", "told"),
    [
        ({"seed": 3}, 1, ["seed does nothing when not sampling"]),
        ({"temperature": 0.5, "top_k": 3, "top_p": 0.5}, 1, ["temperature", "top_k", "top_p"]),
        ({"seed": 3, "temperature": 0.5, "sampling": True}, 1, []),
        ({"sampling": True, "beam_size": 4}, 1, ["beam_size does nothing when sampling"]),
        ({"sampling": True, "diverse_groups": 2, "diversity": 1.0}, 1, ["diverse_groups", "diversity"]),
        ({"patience": 2.0, "beam_size": 1}, 1, ["patience does nothing in greedy search"]),
        ({"patience": 2.0}, 1, []),
        ({"diversity": 0.7}, 1, ["diversity does nothing without diverse_groups"]),
        ({"diversity": 0.7, "diverse_groups": 5}, 1, []),
        ({"beam_size": 4, "mbr": 8}, 1, ["beam_size does nothing under mbr"]),
        ({"beam_size": 12, "mbr": 8, "mbr_utility": "bleu"}, 1, []),
        ({"mbr": 8}, 1, []),
        ({"mbr": 1}, 1, ["mbr does nothing with one output"]),
        ({"mbr_utility": "chrf"}, 1, ["mbr_utility does nothing without mbr"]),
        ({"combination": "linear"}, 1, ["combination does nothing with one model"]),
        ({"combination": "linear"}, 2, []),
    ],
)
def test_what_does_nothing_is_told(given: dict[str, object], models: int, told: list[str]) -> None:
    found = list(idle(DecodeConfig.model_validate(given), given, models))
    assert len(found) == len(told)
    assert all(each in line for each, line in zip(told, found, strict=True)), found


def test_it_is_a_warning_of_translate_and_eval(tmp_path: Path) -> None:
    ended = nmt("translate", "-m", MODEL, "--threads", "1", "--seed", "3", "un")
    assert (ended.code, ended.out) == (0, "one\n")
    assert ended.err == "warning: decode.seed does nothing when not sampling\n"
    (tmp_path / "text").write_text("un\n", encoding="utf-8")
    files = ("-s", tmp_path / "text", "-r", tmp_path / "text")
    ended = nmt("eval", "-m", MODEL, *files, "--threads", "1", "decode.top_k=3")
    assert ended.code == 0
    assert "warning: decode.top_k does nothing when not sampling\n" in ended.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["translate", "--phrase", " ", "un"], "--phrase is blank"),
        (["translate", "--min-length", "9", "--max-length", "9", "un"], "--max-length 10 or more"),
        (["translate", "--temperature", "0", "un"], "allowed: greater than 0"),
        (["eval", "--hypotheses", "a", "-r", "a", "--mbr", "4"], "nothing to search"),
    ],
)
def test_what_cannot_be_is_refused(words: list[str], told: str) -> None:
    model = [] if words[0] == "eval" else ["-m", MODEL, "--threads", "1"]
    ended = nmt(words[0], *model, *words[1:])
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err
    assert ended.err.count("\n") == 2


@pytest.mark.parametrize("words", ["score -s a -t a", "explain un", "calibrate"])
def test_a_command_of_one_model_does_not_take_the_last_of_two(words: str) -> None:
    ended = nmt(*words.split(), "-m", MODEL, "-m", MODEL)
    assert (ended.code, ended.out) == (2, "")
    assert "Invalid value for '--model' / '-m': this command takes one model." in ended.err


def test_python_users_load_several_models_with_settings() -> None:
    alone = package.load(MODEL, device="cpu", decode={"beam_size": 1})
    assert alone.decode.beam_size == 1
    both = package.load(MODEL, str(MODEL), device="cpu")
    assert len(both.models) == 2
    assert both.translate(["un chat mange"]) == alone.translate(["un chat mange"]) == ["one cat eats"]
    with pytest.raises(UsageError, match="beam_sise"):
        package.load(MODEL, decode={"beam_sise": 1})
