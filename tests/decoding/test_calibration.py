"""What dev teaches: it comes back from its file, is worth nothing rather than an error, and costs the model nothing."""

import json
import statistics

import pytest
import torch

from nmt.config import DecodeConfig
from nmt.decoding import calibration
from nmt.decoding.calibration import Calibration, calibrate
from nmt.decoding.confidence import Confidence
from nmt.decoding.guard import Thresholds
from nmt.decoding.parts import ADDED_LENGTH
from nmt.decoding.scoring import Scored, score
from nmt.evaluation import sentence_chrf
from nmt.model import Transformer
from nmt.text.tokenizer import Tokenizer
from tests.conftest import sentences, tiny_model


@pytest.fixture(scope="module")
def learnt(tokenizer: Tokenizer) -> Calibration:
    sources, references = sentences(200, seed=3), sentences(200, seed=4)
    hypotheses = [line if index % 3 else "the the the the the." for index, line in enumerate(sources)]
    alignment = {"heads": [[1, 2]], "of": "a test"}
    return calibrate(tiny_model(), tokenizer, tokenizer, sources, hypotheses, references, alignment=alignment)


def test_it_holds_all_that_dev_teaches(learnt: Calibration) -> None:
    assert learnt.guard.scripts == ("LATIN",)
    assert learnt.dev["lines"] == 200
    assert learnt.dev["flagged"]["repetition"] == 67
    assert 0 < learnt.dev["median_chrf"] < 100
    assert set(learnt.dev["held_out"]) == {"lines", "brier", "calibration_error", "rank_correlation"}
    assert learnt.longest is not None
    assert learnt.confidence is not None
    assert str(learnt).startswith("confidence: rank correlation ")
    assert str(learnt).endswith(" on 100 held-out dev lines")


def test_it_comes_back_from_json(learnt: Calibration) -> None:
    stored = json.loads(json.dumps(learnt.as_json(), allow_nan=False))
    assert Calibration.from_json(stored | {"of a later version": 1}) == learnt
    assert Calibration.from_json({}) == Calibration() == Calibration.from_json(Calibration().as_json())


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("guard", {"copied": "much"}),
        ("guard", [1]),
        ("guard", {"copied": 10**400}),
        ("confidence", {"bias": 0.0}),
        ("confidence", "high"),
        ("longest", "2"),
        ("longest", True),
        ("longest", float("nan")),
        ("longest", -1),
        ("alignment", 5),
        ("dev", []),
    ],
)
def test_a_broken_one_is_the_defaults_and_one_warning(
    part: str, value: object, learnt: Calibration, capsys: pytest.CaptureFixture[str]
) -> None:
    assert Calibration.from_json(learnt.as_json() | {part: value}) == Calibration()
    told = capsys.readouterr().err
    assert told.startswith("warning: the model's calibration.json is not used: ")
    assert told.count("\n") == 1
    assert "nmt calibrate writes it anew" in told


def test_what_it_says_of_confidence_it_can_always_say(learnt: Calibration) -> None:
    assert str(Calibration()) == "confidence: none, 0 dev lines are too few or score alike"
    assert str(Calibration(confidence=learnt.confidence)) == "confidence: fitted, but nothing says how well"


def test_a_repair_searches_wider_and_shorter() -> None:
    greedy = DecodeConfig(beam_size=1, max_length_ratio=2.0)
    safer = Calibration(longest=1.5).safer(greedy)
    assert (safer.beam_size, safer.max_length_ratio) == (calibration.REPAIR_BEAMS, 1.5)
    assert (greedy.beam_size, greedy.max_length_ratio) == (1, 2.0)
    assert safer.no_repeat_ngram == calibration.REPAIR_NO_REPEAT
    wide = DecodeConfig(beam_size=8, max_length_ratio=1.2, sampling=True, mbr=4)
    for longest in (1.5, None):
        safer = Calibration(longest=longest).safer(wide)
        assert (safer.beam_size, safer.max_length_ratio, safer.sampling, safer.mbr) == (8, 1.2, False, 0)


def test_the_model_is_as_before_and_nothing_random_is_drawn(tokenizer: Tokenizer) -> None:
    model = tiny_model(dropout=0.3).train()
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    lines = sentences(100)
    random = torch.random.get_rng_state()
    first = calibrate(model, tokenizer, tokenizer, lines, lines, lines)
    assert model.training
    assert torch.equal(random, torch.random.get_rng_state())
    assert all(torch.equal(before[name], weight) for name, weight in model.state_dict().items())
    assert calibrate(model, tokenizer, tokenizer, lines, lines, lines) == first


def test_lines_that_cannot_be_scored_are_left_out(tokenizer: Tokenizer) -> None:
    """Blank ones, and those longer than the model takes; the guard still learns from them."""
    model = tiny_model(max_length=16)
    lines = [*sentences(100, longest=3), "", "red " * 80]
    found = calibrate(model, tokenizer, tokenizer, lines, ["", *lines[1:]], lines)
    assert found.dev["lines"] == 102
    assert found.dev["median_chrf"] == 100
    assert found.confidence is None  # all alike
    assert found.dev["flagged"] == {"too short": 1}


def test_a_tiny_dev_set_teaches_nothing_and_does_no_harm(tokenizer: Tokenizer) -> None:
    for lines in ([""], ["red"], sentences(5)):
        found = calibrate(tiny_model(), tokenizer, tokenizer, lines, lines, lines)
        assert (found.guard, found.confidence, found.longest) == (Thresholds(), None, None)
        assert str(found) == f"confidence: none, {len(lines)} dev lines are too few or score alike"
        json.dumps(found.as_json(), allow_nan=False)


def test_of_many_lines_some_are_scored_evenly(tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "MOST_LINES", 100)
    seen: list[int] = []

    def counted(models: list[Transformer], sources: list[list[int]], targets: list[list[int]]) -> list[Scored]:
        seen.append(len(sources))
        return score(models, sources, targets)

    monkeypatch.setattr(calibration, "score", counted)
    lines = sentences(1001)
    references = [line if index % 10 == 0 else "quite other words" for index, line in enumerate(lines)]
    found = calibrate(tiny_model(), tokenizer, tokenizer, lines, lines, references)
    assert seen == [100]
    assert found.dev["lines"] == 1001
    # Every tenth one or its neighbour: scored against its own reference, not that of another line.
    chosen = [round(index * 1000 / 99) for index in range(100)]
    scores = sentence_chrf([lines[index] for index in chosen], [[references[index] for index in chosen]])
    assert found.dev["median_chrf"] == pytest.approx(statistics.median(scores), abs=1e-3)


def test_the_longest_ratio_fits_nearly_all_references(tokenizer: Tokenizer) -> None:
    sources = sentences(300, seed=1)
    twice = [f"{line} {line}" for line in sources]
    found = calibrate(tiny_model(), tokenizer, tokenizer, sources, sources, twice)
    assert found.longest is not None
    encoded = tokenizer.encode_batch(sources), tokenizer.encode_batch(twice)
    room = [found.longest * len(s) + ADDED_LENGTH - len(t) for s, t in zip(*encoded, strict=True)]
    assert min(room) > 0.05 * max(map(len, encoded[0]))  # a tenth to spare, for those unlike dev
    longest = max(len(target) / len(source) for source, target in zip(*encoded, strict=True))
    assert found.longest < longest
    assert calibrate(tiny_model(), tokenizer, tokenizer, sources, sources, sources).longest == 1


def test_confidence_tells_good_from_bad_when_the_model_knows(tokenizer: Tokenizer) -> None:
    """From token scores and chrF as `calibrate` hands them over: of the same lines, in the same order."""
    model, lines = tiny_model(), sentences(300, seed=5)
    ids = tokenizer.encode_batch(lines)
    means = [one.log_prob / len(one.tokens) for one in score([model], ids, ids)]
    middle = sorted(means)[150]
    references = [line if mean > middle else "quite other words" for line, mean in zip(lines, means, strict=True)]
    assert max(sentence_chrf(lines, [references])) == 100
    found = calibrate(model, tokenizer, tokenizer, lines, lines, references)
    assert isinstance(found.confidence, Confidence)
    assert found.dev["held_out"]["rank_correlation"] > 0.6
