"""What a translator can be asked for beside the best output: n-best, samples, minimum Bayes risk, phrases, details."""

import itertools
import json
from pathlib import Path

import pytest

import nmt
from nmt.checkpoint import load_model
from nmt.decoding import guard
from nmt.decoding.calibration import Calibration
from nmt.decoding.confidence import FEATURES, Confidence
from nmt.decoding.mbr import choose, utility_of
from nmt.decoding.translation import Request
from nmt.decoding.translator import Translator
from nmt.errors import ModelError, UsageError

MODEL = Path(__file__).parents[1] / "fixtures" / "format1"
LINES = ["un chat mange", "", "deux chiens dort là où", "trois", "été rouge ici", "un deux trois un deux"]


def load(*models: Path, **decode: object) -> Translator:
    return Translator.load(*models or (MODEL,), device="cpu", decode=decode)


def test_the_first_of_n_best_is_the_translation_whatever_n_is() -> None:
    """B8."""
    alone = load(beam_size=5).translate_segments(LINES, with_scores=True)
    assert all(not result.n_best for result in alone)
    for count in (2, 5):
        listed = load(beam_size=5).translate_segments(LINES, n_best=count)
        assert [(r.text, r.score) for r in listed] == [(r.text, pytest.approx(r.score, abs=1e-5)) for r in alone]
        for result in listed:
            if result.text:
                assert len(result.n_best) == count
                assert result.n_best[0] == (result.text, result.score)
                scores = [other.score for other in result.n_best]
                assert scores == sorted(scores, reverse=True)
    with pytest.raises(UsageError, match="n_best is 6 but beam_size is 5"):
        load(beam_size=5).translate_segments(LINES, n_best=6)
    for sampling in (False, True):  # five candidates may choose another one than three
        with pytest.raises(UsageError, match="n_best is 5 but mbr chooses among 3"):
            load(beam_size=5, mbr=3, sampling=sampling).translate_segments(LINES, n_best=5)


def test_samples_follow_from_seed_and_line_not_from_the_batch() -> None:
    settings = {"sampling": True, "temperature": 2.0}
    whole = load(**settings).translate_segments(LINES)
    again = Translator.load(MODEL, device="cpu", decode=settings, max_batch_tokens=1).translate_segments(LINES)
    assert [r.text for r in again] == [r.text for r in whole]
    single = [load(**settings).translate_segments([line], first_line=n)[0] for n, line in enumerate(LINES, start=1)]
    assert [r.text for r in single] == [r.text for r in whole]
    assert [r.text for r in load(seed=2, **settings).translate_segments(LINES)] != [r.text for r in whole]
    twice = load(**settings).translate(["un chat mange"] * 20)
    assert len(set(twice)) > 5  # the same line, drawn anew each time
    assert load(sampling=True, top_k=1).translate(LINES) == load(beam_size=1).translate(LINES)


def test_each_sentence_of_a_split_segment_draws_numbers_of_its_own() -> None:
    text = "un chat mange ici un chat mange ici un chat. " * 4
    parts = load(sampling=True, temperature=3.0).translate_segments([text])[0]
    assert len(set(parts.text.split())) > 6


@pytest.mark.parametrize("utility", ["chrf", "bleu"])
@pytest.mark.parametrize("sampling", [True, False])
def test_minimum_bayes_risk_takes_what_its_choice_says(utility: str, sampling: bool) -> None:
    decode = {"sampling": sampling, "temperature": 1.5, "beam_size": 8}
    listed = load(**decode).translate_segments(LINES, n_best=8)
    chosen = load(mbr=8, mbr_utility=utility, **decode).translate_segments(LINES, n_best=8)
    for candidates, result in zip(listed, chosen, strict=True):
        if not result.text:
            continue
        texts = [other.text for other in candidates.n_best]
        best = choose(texts, utility_of(utility)).best  # type: ignore[arg-type]
        assert result.text == texts[best]
        assert result.n_best[0].text == result.text
        assert sorted(other.text for other in result.n_best) == sorted(texts)


def test_a_wider_beam_is_taken_for_more_candidates_than_beams() -> None:
    assert len(load(beam_size=2, mbr=6).translate_segments(["un chat mange"], n_best=6)[0].n_best) == 6


@pytest.mark.parametrize("combination", ["linear", "log-linear"])
def test_a_model_beside_itself_translates_as_it_does_alone(combination: str) -> None:
    alone = load().translate_segments(LINES, details=True)
    twice = load(MODEL, MODEL, combination=combination).translate_segments(LINES, details=True)
    assert [r.text for r in twice] == [r.text for r in alone]
    assert [r.score for r in twice] == pytest.approx([r.score for r in alone], abs=1e-5)
    for left, right in zip(twice, alone, strict=True):
        assert [t.log_prob for t in left.tokens] == pytest.approx([t.log_prob for t in right.tokens], abs=1e-5)


@pytest.mark.parametrize("beam_size", [1, 4])
def test_a_prefix_is_how_the_output_begins(beam_size: int) -> None:
    results = load(beam_size=beam_size).translate_segments([Request("un chat mange", prefix="three dog"), "un chat"])
    assert results[0].text.startswith("three dog")
    assert results[1].text == "one cat"
    blank = load().translate_segments([Request("un chat mange", prefix="  ")])[0]
    assert blank.text == "one cat eats"


def test_phrases_are_in_the_output() -> None:
    request = Request("un chat mange", phrases=("red dog", "where", " "))
    result = load(beam_size=8).translate_segments([request, "un chat"])
    assert "red dog" in result[0].text
    assert "where" in result[0].text
    assert "missing phrase" not in result[0].flags
    assert result[1].text == "one cat"
    with pytest.raises(UsageError, match="phrases need a beam search"):
        load(beam_size=1).translate_segments([request])


def test_a_phrase_that_found_no_place_is_told() -> None:
    """Of a segment that is split, nobody knows which part a phrase belongs to."""
    text = "un chat mange ici un chat mange ici un chat. " * 4
    assert "missing phrase" in load().translate_segments([Request(text, phrases=("where where where",))])[0].flags
    short = Translator.load(MODEL, device="cpu", max_length=3)
    assert "missing phrase" in short.translate_segments([Request("un chat", phrases=("red dog where here",))])[0].flags


def test_lengths_can_be_bounded_below() -> None:
    for beam_size in (1, 3):
        result = load(beam_size=beam_size, min_length=9).translate_segments(["un", "un chat"], details=True)
        assert all(len(r.tokens) >= 10 for r in result)  # with </s>


def test_no_run_of_pieces_comes_twice_when_that_is_asked_for() -> None:
    line = ["un un un un un un"]
    assert load().translate(line)[0].count("one one") >= 2
    words = load(no_repeat_ngram=2).translate(line)[0].split()
    assert len({*itertools.pairwise(words)}) == len(words) - 1


@pytest.mark.parametrize("beam_size", [1, 3])
def test_details_add_up_to_the_score_and_name_every_piece(beam_size: int) -> None:
    for alpha in (0.0, 1.0):
        for result in load(length_penalty=alpha, beam_size=beam_size).translate_segments(LINES, details=True):
            if not result.text:
                assert (result.tokens, result.alignment, result.confidence) == ((), (), None)
                continue
            assert result.tokens[-1].piece == "</s>"
            assert "".join(t.piece for t in result.tokens[:-1]).replace("▁", " ").strip() == result.text
            total = sum(token.log_prob for token in result.tokens)
            assert total / len(result.tokens) ** alpha == pytest.approx(result.score, abs=1e-5)
            json.dumps(result.as_json("x"), allow_nan=False)


def test_words_are_linked_across_the_parts_of_a_split_segment() -> None:
    text = "un chat mange ici. " * 12
    result = load().translate_segments([text], details=True)[0]
    assert sum(token.piece == "</s>" for token in result.tokens) > 1
    assert {target for _, target in result.alignment} == set(range(len(result.text.split())))
    assert max(source for source, _ in result.alignment) > 40
    assert all(source < len(text.split()) for source, _ in result.alignment)


def test_confidence_is_what_dev_has_taught() -> None:
    model = Confidence((0.0,) * len(FEATURES), (1.0,) * len(FEATURES), (1.0,) + (0.0,) * (len(FEATURES) - 1), 0.5)
    translator = load()
    translator.calibration = Calibration(confidence=model)
    result = translator.translate_segments(["un chat mange"], details=True)[0]
    assert result.confidence == pytest.approx(model([token.log_prob for token in result.tokens]))
    assert translator.translate_segments(["un chat mange"])[0].confidence is None


# ---- the guard

LOOP = "un un un un un un"  # the model says it, too


@pytest.fixture
def suspicious(monkeypatch: pytest.MonkeyPatch) -> None:
    """A guard that finds four times the same word to be wrong."""

    def check(source: str, output: str, usual: object) -> tuple[str, ...]:
        return ("repetition",) if any(f"{word} " * 3 + word in output for word in output.split()) else ()

    monkeypatch.setattr(guard, "check", check)


@pytest.mark.usefixtures("suspicious")
def test_flagging_changes_no_text_and_repairing_takes_what_is_better() -> None:
    lines = ["un chat mange", LOOP]
    off, flagged, repaired = (load(guard=way).translate_segments(lines) for way in ("off", "flag", "repair"))
    assert [r.text for r in off] == [r.text for r in flagged]
    assert [r.flags for r in off] == [(), ()]
    assert [r.flags for r in flagged] == [(), ("repetition",)]
    assert repaired[0].text == off[0].text
    assert repaired[0].flags == ()
    assert repaired[1].text != off[1].text
    assert repaired[1].flags == ("repaired",)
    described = load(guard="repair").translate_segments(lines, details=True)[1]
    assert "".join(t.piece for t in described.tokens[:-1]).replace("▁", " ").strip() == described.text


def test_of_the_second_search_the_least_flagged_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here its most probable output is the first one again."""
    monkeypatch.setattr(guard, "check", lambda _, output, usual: ("repetition",) if output == "one cat eats" else ())
    found = load(guard="repair").translate_segments(["un chat mange"], n_best=2)[0]
    listed = load(guard="off", beam_size=5, no_repeat_ngram=3).translate_segments(["un chat mange"], n_best=2)[0]
    assert (found.text, found.flags) == (listed.n_best[1].text, ("repaired",))


def test_what_is_no_better_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "check", lambda *_: ("repetition",))
    off, repaired = (load(guard=way).translate_segments([LOOP], with_scores=True)[0] for way in ("off", "repair"))
    assert (repaired.text, repaired.score) == (off.text, pytest.approx(off.score))
    assert repaired.flags == ("repetition",)


def test_the_guard_sees_the_segment_and_not_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(guard, "check", lambda source, output, usual: seen.append(source) or ())
    load().translate_segments(["un chat mange ici. " * 12, "  deux\t "])
    assert seen == [("un chat mange ici. " * 12).strip(), "deux"]


def test_models_that_cannot_translate_together_are_refused_before_any_work() -> None:
    other = load_model(MODEL)
    other.config = other.config.model_copy(
        update={"data": other.config.data.model_copy(update={"target_language": "de"})}
    )
    with pytest.raises(ModelError, match="an ensemble takes models of the same languages"):
        Translator.of(load_model(MODEL), other)


def test_python_users_load_one_model_or_several_with_settings() -> None:
    assert nmt.load(MODEL).translate(LINES) == load().translate(LINES)
    assert nmt.load(str(MODEL), MODEL, decode={"beam_size": 1}).decode.beam_size == 1
    with pytest.raises(UsageError, match="no model is named"):
        nmt.load()
