"""From strings to strings: order, blanks, long segments, batch invariance."""

import random
from pathlib import Path
from typing import Any

import pytest
import torch

from nmt.config import DecodeConfig
from nmt.decoding.translation import Request
from nmt.decoding.translator import Translator
from nmt.errors import DataError, ModelError, UsageError
from nmt.model import Transformer
from nmt.text.tokenizer import Tokenizer
from tests.conftest import sentences, tiny_model


def _translator(tokenizer: Tokenizer, beam_size: int = 1, **settings: object) -> Translator:
    torch.manual_seed(5)
    model = tiny_model(tokenizer.vocab_size, tie_embeddings="none")
    with torch.no_grad():
        model.output.weight.mul_(4)  # decided enough for the outputs to differ and to end
    return Translator(
        [model],
        tokenizer,
        tokenizer,
        decode=DecodeConfig(beam_size=beam_size, guard="off"),
        source_language="en",
        target_language="de",
        **settings,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("beam_size", [1, 5])
def test_a_sentence_translates_the_same_in_any_batch(tokenizer: Tokenizer, beam_size: int) -> None:
    """B1, B2: alone, among 7 or 64, in any order: scores within 1e-4, and the same text."""
    lines = [*sentences(60, seed=3, longest=20), "1.", " ".join(sentences(5, seed=9))[:200]]
    wide = _translator(tokenizer, beam_size, max_batch_tokens=10**6).translate_segments(lines, with_scores=True)
    for budget in (1, 60, 400):
        other = _translator(tokenizer, beam_size, max_batch_tokens=budget).translate_segments(lines, with_scores=True)
        assert [t.text for t in other] == [t.text for t in wide]
        assert [t.score for t in other] == pytest.approx([t.score for t in wide], abs=1e-4)
    order = list(range(len(lines)))
    random.Random(1).shuffle(order)
    shuffled = _translator(tokenizer, beam_size).translate([lines[i] for i in order])
    assert shuffled == [wide[i].text for i in order]
    assert len({t.text for t in wide}) > 20  # the model does look at its input


def test_results_come_in_input_order(tokenizer: Tokenizer) -> None:
    lines = [sentences(1, seed=i, longest=n)[0] for i, n in enumerate((50, 1, 20, 3))]
    translator = _translator(tokenizer)
    assert translator.translate(lines) == [translator.translate([line])[0] for line in lines]


@pytest.mark.parametrize("blank", ["", "   ", "\t", "\u00a0", "\u3000", "\u2028", "\r"])
def test_a_blank_segment_stays_blank_and_never_meets_the_model(
    tokenizer: Tokenizer, blank: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    translator = _translator(tokenizer)

    def fail(*_: object) -> None:
        raise AssertionError("the model was called")

    monkeypatch.setattr(Transformer, "encode", fail)
    assert translator.translate([blank, blank]) == ["", ""]


def test_a_long_segment_is_split_at_sentence_ends_and_joined(tokenizer: Tokenizer) -> None:
    translator = _translator(tokenizer)
    first, second = "The cat sees a small dog near the old house. " * 2, "A bird runs under the tree and eats. " * 2
    text = (first + second) * 3
    assert len(tokenizer.encode(text)) > 64
    result = translator.translate_segments([text])[0]
    assert "\n" not in result.text
    assert result.text
    assert "cut source" not in result.flags


def test_each_sentence_of_a_long_segment_is_translated_as_if_it_were_alone(tokenizer: Tokenizer) -> None:
    """A model that has learned from single sentences does badly on three in a row."""
    translator = _translator(tokenizer)
    parts = [f"The cat sees a small dog near the old house {'again ' * n}." for n in range(6)]
    assert translator.translate([" ".join(parts)]) == [" ".join(translator.translate(parts))]


def test_a_sentence_that_cannot_be_split_is_cut_and_flagged(tokenizer: Tokenizer) -> None:
    results = _translator(tokenizer).translate_segments(["short one.", "dog " * 300])
    assert len(results) == 2
    assert "cut source" in results[1].flags


def test_progress_counts_segments_blank_ones_and_split_ones_too(tokenizer: Tokenizer) -> None:
    translator = _translator(tokenizer)
    translator.max_batch_tokens = 1
    done: list[int] = []
    translator.translate_segments(["a cat.", "", "The cat sees a small dog near it. " * 9, "dog"], on_done=done.append)
    assert sum(done) == 4
    assert done[0] == 1
    assert len(done) > 4


@pytest.mark.parametrize("beam_size", [1, 3])
def test_a_model_whose_scores_are_not_numbers_is_an_error(tokenizer: Tokenizer, beam_size: int) -> None:
    translator = _translator(tokenizer, beam_size=beam_size)
    with torch.no_grad():
        translator.model.decoder_norm.weight.fill_(float("nan"))  # type: ignore[union-attr, operator]
    with pytest.raises(ModelError, match="the model's scores are not numbers"):
        translator.translate(["a cat"])


def test_long_error_refuses_before_any_work(tokenizer: Tokenizer) -> None:
    translator = _translator(tokenizer)
    with pytest.raises(DataError, match="line 2 has .* pieces; the model takes 63"):
        translator.check_lengths(["fine.", "dog " * 300])
    with pytest.raises(DataError, match="line 12 has"):
        translator.translate_segments(["fine.", "dog " * 300], long="error", first_line=11)


def test_one_string_instead_of_a_list_is_refused(tokenizer: Tokenizer) -> None:
    with pytest.raises(UsageError, match="takes a list of segments"):
        _translator(tokenizer).translate("a cat")
    with pytest.raises(UsageError, match="segment 1 is NoneType, not text"):
        _translator(tokenizer).translate(["a cat", None])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="segments are a list"):
        _translator(tokenizer).translate_segments("a cat")


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ({"text": None}, "a request holds NoneType, not text"),
        ({"text": "un", "prefix": b"a"}, "a request holds bytes, not text"),
        ({"text": "un", "phrases": (1,)}, "a request holds int, not text"),
        ({"text": "un", "phrases": "cat"}, "the phrases of a request are 'cat', no list of texts"),
        ({"text": "un", "phrases": None}, "the phrases of a request are None"),
    ],
)
def test_a_request_is_of_text(request_: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        Request(**request_)


def test_a_translator_is_loaded_from_one_folder_or_more() -> None:
    folder = Path(__file__).parents[1] / "fixtures" / "format1"
    assert Translator.load(str(folder)).translate([""]) == [""]
    with pytest.raises(UsageError, match="no model is named"):
        Translator.load()
    for n_best in (0, -1):
        with pytest.raises(UsageError, match=f"n_best is {n_best}"):
            Translator.load(folder, decode={"mbr": 3}).translate_segments(["un"], n_best=n_best)


@pytest.mark.parametrize("settings", [{"patience": 1e300}, {"patience": 1e308}, {"max_length_ratio": 1e308}])
def test_a_number_may_be_as_large_as_numbers_are(settings: dict[str, float]) -> None:
    folder = Path(__file__).parents[1] / "fixtures" / "format1"
    assert len(Translator.load(folder, decode=settings, max_length=20).translate(["un chat", "deux"])) == 2


def test_output_length_is_bound_by_the_source(tokenizer: Tokenizer) -> None:
    """B12: a model that never ends stops at max_length_ratio * source + 10, and the line is flagged."""
    translator = _translator(tokenizer)
    with torch.no_grad():
        translator.model.output.weight.zero_()
        translator.model.output.weight[40] = translator.model.decoder_norm.bias.new_ones(32)  # type: ignore[union-attr]
        translator.model.decoder_norm.bias.fill_(1.0)  # type: ignore[union-attr]
    result = translator.translate_segments(["a cat."])[0]
    pieces = len(tokenizer.encode("a cat."))
    assert result.flags == ("reached the length limit",)
    assert len(tokenizer.encode(result.text)) <= 2 * (pieces + 1) + 10


def test_no_control_byte_is_ever_chosen_and_broken_bytes_are_dropped(tokenizer: Tokenizer) -> None:
    """S9: a model rigged to one byte piece."""
    names = tokenizer.pieces(range(tokenizer.vocab_size))
    for piece, flagged in (("<0x0A>", False), ("<0x0D>", False), ("<0x00>", False), ("<0xE2>", True)):
        translator = _translator(tokenizer)
        with torch.no_grad():
            translator.model.output.weight.zero_()
            translator.model.output.weight[names.index(piece)] = 1.0
            translator.model.decoder_norm.bias.fill_(1.0)  # type: ignore[union-attr]
        result = translator.translate_segments(["a cat."])[0]
        assert not any(mark in result.text for mark in "\n\r\x00\ufffd")
        assert ("broken bytes" in result.flags) == flagged


def test_translating_leaves_the_model_in_its_mode(tokenizer: Tokenizer) -> None:
    translator = _translator(tokenizer)
    translator.model.train()
    translator.translate(["a cat."])
    assert translator.model.training


def test_a_generator_is_as_good_as_a_list(tokenizer: Tokenizer) -> None:
    translator = _translator(tokenizer)
    lines = sentences(4, seed=2)
    assert translator.translate(line for line in lines) == translator.translate(lines)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"decode": {"beam_size": 0}}, "decode.beam_size is 0"),
        ({"decode": {"length_penalty": -1.0}}, "decode.length_penalty is -1.0"),
        ({"decode": {"beam": 5}}, "decode.beam is 5"),
        ({"max_length": 0}, "max_length is 0"),
        ({"max_batch_tokens": -5}, "max_batch_tokens is -5"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        Translator.load(Path(__file__).parents[1] / "fixtures" / "format1", **settings)
