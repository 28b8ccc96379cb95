"""Forced decoding: the same numbers as step by step, as the search's, in any batch, for one model and for several."""

import math
import random

import numpy as np
import pytest
import torch

from nmt.corpus.batch import pad_source
from nmt.decoding import scoring
from nmt.decoding.ensemble import Combination
from nmt.decoding.scoring import check_lengths, perplexity, score
from nmt.decoding.search import SearchSettings, search
from nmt.decoding.step import SingleModel
from nmt.errors import DataError, ModelError
from nmt.model import Transformer
from tests.conftest import tiny_model

BOS, EOS = 0, 2
BUDGETS = (1, 150, 100_000)


def _model(seed: int = 5, **changes: object) -> Transformer:
    torch.manual_seed(seed)
    model = tiny_model(tie_embeddings="none", **changes)
    with torch.no_grad():
        model.output.weight.mul_(4)
    return model


def _ids(count: int, seed: int, longest: int = 20) -> list[list[int]]:
    chance = random.Random(seed)
    return [[chance.randrange(4, 320) for _ in range(chance.randint(0, longest))] for _ in range(count)]


def _stepwise(models: list[Transformer], source: list[int], target: list[int]) -> list[list[float]]:
    """log p of all tokens at each step, one list a model, by the cache."""
    rows, mask = pad_source([np.asarray(source, dtype=np.int64)])
    found = []
    for model in models:
        step_model = SingleModel(model)
        state = step_model.start(rows, mask, 1, len(target) + 1)
        steps = []
        for token in [BOS, *target]:
            scores, normaliser = step_model.step(torch.tensor([token]), state, normalise=True)
            assert normaliser is not None
            steps.append((scores - normaliser[:, None])[0])
        found.append(torch.stack(steps))
    return found  # type: ignore[return-value]


@torch.no_grad()
@pytest.mark.parametrize("norm_position", ["pre", "post"])
def test_it_is_what_steps_add_up_to_in_any_batch(norm_position: str) -> None:
    model = _model(norm_position=norm_position)
    sources, targets = _ids(40, 1), _ids(40, 2)
    expected = []
    for source, target in zip(sources, targets, strict=True):
        (steps,) = _stepwise([model], source, target)
        expected.append([float(steps[t, token]) for t, token in enumerate([*target, EOS])])
    for budget in BUDGETS:
        found = score([model], sources, targets, max_batch_tokens=budget)
        for pair, target, log_probs in zip(found, targets, expected, strict=True):
            assert pair.tokens == [*target, EOS]
            assert pair.log_probs == pytest.approx(log_probs, abs=1e-5)
            assert pair.attention is None
            assert pair.alternatives is None


@pytest.mark.parametrize("beam_size", [1, 4])
@pytest.mark.parametrize("alpha", [0.0, 0.7, 1.0])
def test_it_is_what_the_search_says_of_its_own_hypotheses(beam_size: int, alpha: float) -> None:
    """Banned ids are banned after normalisation, so the numbers are the same ones."""
    model = _model()
    sources = _ids(12, 3)
    rows, mask = pad_source([np.asarray(row, dtype=np.int64) for row in sources])
    settings = SearchSettings(BOS, EOS, (0, 1, *range(4, 30)), beam_size, alpha, n_best=beam_size)
    found = search(SingleModel(model), rows, mask, torch.full((12,), 25), settings)
    pairs = [(source, best) for source, n_best in zip(sources, found, strict=True) for best in n_best]
    for budget in BUDGETS:
        scored = score([model], [s for s, _ in pairs], [best.tokens for _, best in pairs], max_batch_tokens=budget)
        for pair, (_, best) in zip(scored, pairs, strict=True):
            assert pair.log_prob == pytest.approx(best.score * (len(best.tokens) + 1) ** alpha, abs=1e-4)


@torch.no_grad()
@pytest.mark.parametrize("combination", ["linear", "log-linear"])
def test_several_models_are_combined_by_the_book(combination: Combination) -> None:
    models = [_model(seed) for seed in (5, 6, 7)]
    sources, targets = _ids(6, 8), _ids(6, 9)
    found = score(models, sources, targets, combination=combination, alternatives=3)
    for pair, source, target in zip(found, sources, targets, strict=True):
        steps = torch.stack(_stepwise(models, source, target))  # type: ignore[arg-type]
        if combination == "linear":
            expected = steps.exp().mean(dim=0).log()
        else:
            expected = steps.mean(dim=0)
            expected = expected - expected.exp().sum(dim=-1, keepdim=True).log()
        wanted = [float(expected[t, token]) for t, token in enumerate([*target, EOS])]
        assert pair.log_probs == pytest.approx(wanted, abs=1e-4)
        assert pair.alternatives is not None
        for row, steps_there in zip(pair.alternatives, expected, strict=True):
            assert [log_prob for _, log_prob in row] == pytest.approx(steps_there.topk(3).values.tolist(), abs=1e-4)
            assert [token for token, _ in row] == steps_there.topk(3).indices.tolist()


def test_scores_read_off_in_blocks_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    model, sources, targets = _model(), _ids(9, 4), _ids(9, 5)
    whole = score([model], sources, targets, alternatives=2)
    monkeypatch.setattr(scoring, "MOST_SCORES", 320 * 3)
    blocks = score([model], sources, targets, alternatives=2)
    for one, other in zip(whole, blocks, strict=True):
        assert one.log_probs == pytest.approx(other.log_probs, abs=1e-5)
        assert [[i for i, _ in row] for row in one.alternatives or []] == [
            [i for i, _ in row] for row in other.alternatives or []
        ]


def test_attention_of_chosen_heads_is_their_mean_in_any_batch() -> None:
    model = _model()
    sources, targets = _ids(30, 6), _ids(30, 7)
    everything = score([model], sources, targets, attention="all", max_batch_tokens=1)
    for budget in BUDGETS:
        some = score([model], sources, targets, attention=[(1, 0), (0, 3)], max_batch_tokens=budget)
        for one, whole, source, target in zip(some, everything, sources, targets, strict=True):
            assert one.attention is not None
            assert whole.attention is not None
            assert whole.attention.shape == (2, 4, len(target) + 1, len(source) + 1)
            expected = (whole.attention[1, 0] + whole.attention[0, 3]) / 2
            assert torch.allclose(one.attention, expected, atol=1e-5)
            assert torch.allclose(one.attention.sum(-1), torch.ones(len(target) + 1), atol=1e-5)


def test_dropout_is_off_and_a_model_in_training_stays_so() -> None:
    model = _model(dropout=0.5)
    sources, targets = _ids(5, 1), _ids(5, 2)
    still = score([model], sources, targets)
    model.train()
    assert [pair.log_probs for pair in score([model], sources, targets)] == [pair.log_probs for pair in still]
    assert model.training
    assert model.decoder.training


def test_progress_counts_every_pair_and_nothing_is_fine() -> None:
    done: list[int] = []
    score([_model()], _ids(9, 1), _ids(9, 2), max_batch_tokens=60, on_done=done.append)
    assert sum(done) == 9
    assert len(done) > 1
    assert score([_model()], [], []) == []


def test_perplexity_is_per_token_and_never_overflows() -> None:
    (pair,) = score([_model()], [[5, 6]], [[7, 8]])
    assert pair.perplexity == pytest.approx(math.exp(-sum(pair.log_probs) / 3))
    assert perplexity(math.log(0.25), 2) == pytest.approx(2)
    assert math.isfinite(perplexity(-1e9, 1))


def test_a_pair_that_is_too_long_is_refused_before_any_work() -> None:
    model, done = _model(), []
    fits = [7] * 63
    score([model], [fits], [fits])
    with pytest.raises(DataError, match="line 12 has 64 target pieces; the model takes 63"):
        score([model], [[5], [5]], [[5], [7] * 64], first_line=11, on_done=done.append)
    assert done == []
    with pytest.raises(DataError, match="line 1 has 64 source pieces; the model takes 63"):
        check_lengths([_model(max_length=99), model], [[7] * 64], [[]])


def test_scores_that_are_not_numbers_are_an_error() -> None:
    model = _model()
    with torch.no_grad():
        model.output.weight[9] = float("nan")
    with pytest.raises(ModelError, match="the model's scores are not numbers"):
        score([model], [[5]], [[6]])
