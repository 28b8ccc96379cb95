"""Tags on the way from a source line to its translation: they reach the model, and nothing else takes notice."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch

from nmt.config import DecodeConfig
from nmt.decoding.alignment import choose_heads, word_attention
from nmt.decoding.calibration import calibrate
from nmt.decoding.guard import FEWEST
from nmt.decoding.parts import cut
from nmt.decoding.scoring import score
from nmt.decoding.translation import Request
from nmt.decoding.translator import Translator
from nmt.errors import DataError, UsageError
from nmt.model import Transformer
from nmt.text.tokenizer import Tokenizer
from tests.conftest import sentences, tiny_model


@pytest.fixture(scope="module")
def tagged() -> Tokenizer:
    return Tokenizer.train(sentences(300), kind="unigram", vocab_size=320, tags=("deu", "fra"))


def translator(tokenizer: Tokenizer, **decode: object) -> Translator:
    torch.manual_seed(5)
    model = tiny_model(tokenizer.vocab_size, tie_embeddings="none")
    with torch.no_grad():
        model.output.weight.mul_(4)  # decided enough for the outputs to differ
    settings = DecodeConfig.model_validate({"beam_size": 2, "guard": "off"} | decode)
    return Translator([model], tokenizer, tokenizer, decode=settings, source_language="en", target_language="de")


def parts(tokenizer: Tokenizer, *segments: str, longest: int = 60, **options: Any) -> list[Any]:
    options = {"long": "split", "numbers": range(4, 4 + len(segments))} | options
    return list(cut(segments, tokenizer, longest, "en", **options))


def test_a_tag_is_one_id_more_for_the_encoder(tagged: Tokenizer) -> None:
    (plain,) = parts(tagged, "the cat sees.")
    (own,) = parts(tagged, ">>deu<< the cat sees.")
    (asked,) = parts(tagged, "the cat sees.", tags=[["deu"]])
    (both,) = parts(tagged, ">>deu<< the cat sees.", tags=[["fra"]])
    deu, fra = tagged.tags["deu"], tagged.tags["fra"]
    assert own == asked == replace(plain, ids=[deu, *plain.ids], tags=1)
    assert both == replace(plain, ids=[fra, deu, *plain.ids], tags=2)


def test_each_part_of_a_long_segment_has_the_tags(tagged: Tokenizer) -> None:
    text = " ".join(["The cat sees a dog."] * 6)
    found = parts(tagged, f">>deu<< {text}", longest=20, tags=[["fra"]])
    assert len(found) == 6
    front = [tagged.tags["fra"], tagged.tags["deu"]]
    for part in found:
        assert part.ids == [*front, *tagged.encode("The cat sees a dog.")]
        assert (part.text, part.tags, part.whole) == ("The cat sees a dog.", 2, False)
    (cut_off,) = parts(tagged, ">>deu<< " + "cat " * 30, longest=20)
    assert len(cut_off.ids) == 20
    assert cut_off.ids[0] == tagged.tags["deu"]
    assert "cut source" in cut_off.flags


def test_a_tag_takes_a_place(tagged: Tokenizer) -> None:
    text = "the cat sees."
    length = len(tagged.encode(text))
    assert len(parts(tagged, text, longest=length, long="error")) == 1
    with pytest.raises(DataError, match=rf"line 4 has {length + 1} pieces; the model takes {length}"):
        parts(tagged, f">>deu<< {text}", longest=length, long="error")
    translating = translator(tagged)
    fits = " ".join(["cat"] * 200)
    while len(tagged.encode(fits)) > translating.longest - 1:
        fits = fits[:-4]
    translating.check_lengths([fits])
    with pytest.raises(DataError, match="line 1 has"):
        translating.check_lengths([Request(fits, tags=["deu", "fra"])])


def test_an_unknown_tag_is_told_with_its_line(tagged: Tokenizer) -> None:
    """C10."""
    with pytest.raises(DataError, match=r"^line 5: the model has no tag >>xxx<<; it has >>deu<<, >>fra<<"):
        parts(tagged, "the cat", ">>xxx<< the cat")
    translating = translator(tagged)
    with pytest.raises(DataError, match=r"line 2: .*>>xxx<<"):
        translating.translate(["the cat", ">>xxx<< the dog"])
    for segments in (["the cat"], []):
        with pytest.raises(UsageError, match=r"has no tag >>xxx<<; it has >>deu<<"):
            translating.translate(segments, tags=["xxx"])
    with pytest.raises(UsageError, match="has no tag >>xxx<<"):
        translating.translate_segments([Request("the cat", tags=("deu", "xxx"))])


def test_a_model_without_tags_takes_them_for_text(tokenizer: Tokenizer) -> None:
    translating = translator(tokenizer)
    assert translating.translate([">>xxx<< the cat"])[0]
    (part,) = parts(tokenizer, ">>xxx<< the cat")
    assert (part.text, part.tags, part.ids) == (">>xxx<< the cat", 0, tokenizer.encode(">>xxx<< the cat"))
    with pytest.raises(UsageError, match="this model declares none"):
        translating.translate(["the cat"], tags=["deu"])


def test_tags_are_asked_for_in_the_text_the_call_or_the_request(tagged: Tokenizer) -> None:
    translating = translator(tagged)
    lines = sentences(20, seed=3)
    wanted = translating.translate([f">>deu<< {line}" for line in lines])
    assert translating.translate(lines, tags=["deu"]) == wanted
    requests = [Request(line, tags=("deu",)) for line in lines]
    assert [found.text for found in translating.translate_segments(requests)] == wanted
    assert translating.translate(lines, tags=["fra"]) != wanted
    assert translating.translate(lines) != wanted
    mixed = translating.translate([f">>{'deu' if i % 2 else 'fra'}<< {line}" for i, line in enumerate(lines)])
    assert mixed[1::2] == wanted[1::2]
    assert translating.translate([">>deu<< the >>fra<< cat"], tags=[]) != translating.translate([">>deu<< the  cat"])


@pytest.mark.parametrize("tags", ["deu", 5, [5]])
def test_tags_are_a_list_of_names(tags: Any) -> None:
    with pytest.raises(UsageError, match=r"the tags of a request are|a request holds int, not text"):
        Request("the cat", tags=tags)


def test_tags_in_front_of_nothing_stay_blank(tagged: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    translating = translator(tagged, guard="flag")

    def fail(*_: object) -> None:
        raise AssertionError("the model was called")

    monkeypatch.setattr(Transformer, "encode", fail)
    assert translating.translate([">>deu<<", ">>deu<<>>fra<< ", ""], tags=["fra"]) == ["", "", ""]


def test_the_guard_judges_the_text_without_its_tags(tagged: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def check(source: str, output: str, _: object) -> tuple[str, ...]:
        seen.append(source)
        return ("repetition",) if output else ()

    monkeypatch.setattr("nmt.decoding.guard.check", check)
    translator(tagged, guard="repair").translate([">>deu<< the cat"], tags=["fra"])
    assert len(seen) > 2
    assert set(seen) == {"the cat"}


def test_a_repaired_line_keeps_its_tags(tagged: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    translating = translator(tagged, guard="repair")
    widths: list[list[int]] = []
    encode = Transformer.encode

    def watch(self: Transformer, source: torch.Tensor, *rest: Any) -> Any:
        widths.append(source[0].tolist())
        return encode(self, source, *rest)

    monkeypatch.setattr("nmt.decoding.guard.check", lambda *_: ("repetition",))
    monkeypatch.setattr(Transformer, "encode", watch)
    translating.translate(["the cat"], tags=["deu"])
    assert len(widths) == 2
    assert widths[0] == widths[1]
    assert widths[0][0] == tagged.tags["deu"]


@pytest.mark.parametrize("front", ["", ">>deu<< ", ">>deu<< >>fra<< "])
@pytest.mark.parametrize("asked", [(), ("fra",)])
def test_alignment_counts_the_words_of_the_text_and_never_a_tag(
    front: str, asked: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Sequence[int]] = []

    def watch(attention: torch.Tensor, source: Sequence[int], target: Sequence[int], shift: int) -> torch.Tensor:
        assert len(source) == attention.size(-1) - 1  # but for EOS
        seen.append(source)
        return word_attention(attention, source, target, shift)

    monkeypatch.setattr("nmt.decoding.details.word_attention", watch)
    # Without bytes, of which a model that has learned nothing makes no words.
    tagged = Tokenizer.train(sentences(300), kind="unigram", vocab_size=70, byte_fallback=False, tags=("deu", "fra"))
    translating = translator(tagged)
    long = " ".join(["The cat sees a dog near the old house."] * 8)
    for text in ("the cat sees a small dog.", long):
        request = Request(front + text, tags=asked)
        (found,) = translating.translate_segments([request], details=True)
        (bare,) = translating.translate_segments([Request(text, tags=(*asked, *_names(front)))], details=True)
        tags = len(front.split())
        assert found.text == bare.text
        assert found.alignment
        assert found.alignment == tuple((source + tags, target) for source, target in bare.alignment)
        assert all(tags <= source < tags + len(text.split()) for source, _ in found.alignment)
        assert [token.id for token in found.tokens] == [token.id for token in bare.tokens]
    count = len(asked) + len(front.split())
    assert seen
    assert all([*source[:count], source[count] >= 0] == [-1] * count + [True] for source in seen)


def _names(front: str) -> list[str]:
    return [tag[2:-2] for tag in front.split()]


def watch_scores(monkeypatch: pytest.MonkeyPatch, module: str) -> list[int]:
    """The first id of each source that is scored from now on."""
    seen: list[int] = []

    def watch(models: Any, sources: Sequence[Sequence[int]], *rest: Any, **options: Any) -> Any:
        seen.extend(ids[0] for ids in sources)
        return score(models, sources, *rest, **options)

    monkeypatch.setattr(f"nmt.decoding.{module}.score", watch)
    return seen


def test_calibration_learns_from_the_text_without_tags(tagged: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = sentences(FEWEST + 20, seed=1)
    references = [f"{line} {line}" for line in sources]
    model = tiny_model(tagged.vocab_size)
    plain = calibrate(model, tagged, tagged, sources, sources, references)
    front = [f" >>deu<< >>fra<< {line}" for line in sources]
    seen = watch_scores(monkeypatch, "calibration")
    with_tags = calibrate(model, tagged, tagged, front, sources, references)
    assert set(seen) == {tagged.tags["deu"]}
    assert with_tags.guard == plain.guard
    assert with_tags.dev["flagged"] == plain.dev["flagged"]
    assert with_tags.longest is not None
    assert plain.longest is not None
    assert with_tags.longest < plain.longest  # two pieces more in each source
    with pytest.raises(DataError, match="no tag >>xxx<<"):
        calibrate(model, tagged, tagged, [">>xxx<< the"], ["a"], ["a"])


def test_a_tag_is_no_copied_word_to_choose_heads_by(tagged: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tiny_model(tagged.vocab_size)
    texts = [f"the cat {i} sees" for i in range(40)]
    plain = choose_heads(model, tagged, tagged, texts, texts)
    assert plain.method == "copied words"
    assert plain.links == 40
    seen = watch_scores(monkeypatch, "alignment")
    found = choose_heads(model, tagged, tagged, [f">>deu<< {text}" for text in texts], texts)
    assert found.links == 40
    assert set(seen) == {tagged.tags["deu"]}
    numbered = Tokenizer.train(sentences(300), kind="unigram", vocab_size=320, tags=("d7",))
    sources, targets = [f">>d7<< {text}" for text in texts], [f"d7 {text}" for text in texts]
    assert choose_heads(model, numbered, numbered, sources, targets).links == 40
