"""Ensembles against their definition: over tables, and over Transformers of different sizes."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from nmt.checkpoint import LoadedModel
from nmt.config import Config
from nmt.decoding.ensemble import Combination, Ensemble, check_ensemble
from nmt.decoding.search import Hypothesis, SearchSettings, search
from nmt.decoding.step import SingleModel, StepModel
from nmt.decoding.translator import Translator
from nmt.errors import ModelError, UsageError
from nmt.text.tokenizer import Tokenizer
from tests.conftest import sentences, tiny_model
from tests.decoding.tables import BOS, EOS, TableModel, TableState

COMBINATIONS: list[Combination] = ["linear", "log-linear"]
SOURCE = torch.tensor([[5, 6, 7, 8, 2], [9, 10, 11, 2, 1], [12, 13, 2, 1, 1], [14, 15, 16, 17, 2]])
MASK = SOURCE != 1


class OtherTable(TableModel):
    """A second opinion: the same prefixes have other probabilities."""

    def log_probs(self, sentence: int, prefix: tuple[int, ...]) -> Tensor:
        return super().log_probs(sentence + 1000, prefix)


class CombinedTable(TableModel):
    """The definition, written out: what an ensemble of the tables says, as one table."""

    def __init__(self, tables: list[TableModel], combination: Combination) -> None:
        super().__init__(tables[0].vocab_size)
        self.tables, self.combination = tables, combination

    def log_probs(self, sentence: int, prefix: tuple[int, ...]) -> Tensor:
        each = torch.stack([table.log_probs(sentence, prefix) for table in self.tables]).double()
        mean = each.exp().mean(dim=0) if self.combination == "linear" else each.mean(dim=0).exp()
        return (mean / mean.sum()).log().float()


def _tables() -> list[TableModel]:
    return [TableModel(7, shift=3.5), OtherTable(7, shift=-8.0), OtherTable(7, sharpness=0.5)]


def _same(found: list[list[Hypothesis]], expected: list[list[Hypothesis]], tolerance: float = 1e-5) -> None:
    for ours, theirs in zip(found, expected, strict=True):
        assert [h.tokens for h in ours] == [h.tokens for h in theirs]
        assert [h.score for h in ours] == pytest.approx([h.score for h in theirs], abs=tolerance)


@pytest.mark.parametrize("combination", COMBINATIONS)
@pytest.mark.parametrize("beams", [1, 4])
def test_search_over_tables_equals_search_over_their_combination(combination: Combination, beams: int) -> None:
    """Sentences end at different times, so rows are reordered and dropped in all three."""
    settings = SearchSettings(BOS, EOS, banned=(0, 1), beam_size=beams, n_best=beams)
    source, limits = torch.arange(25)[:, None], torch.tensor([3, 7, 2, 8, 5] * 5)
    expected = search(CombinedTable(_tables(), combination), source, None, limits, settings)
    ensemble: Ensemble[TableState] = Ensemble(_tables(), combination)
    _same(search(ensemble, source, None, limits, settings), expected)
    if beams == 1:
        unscored = search(ensemble, source, None, limits, settings, with_scores=False)
        assert [h[0].tokens for h in unscored] == [h[0].tokens for h in expected]


@pytest.mark.parametrize("combination", COMBINATIONS)
def test_scores_are_normalised_and_an_argmax_needs_no_normaliser(combination: Combination) -> None:
    models = [SingleModel(tiny_model()), SingleModel(tiny_model(d_model=16, num_heads=2))]
    ensemble = Ensemble(models, combination)
    tokens = torch.zeros(4, dtype=torch.long)
    with torch.inference_mode():
        scores, normaliser = ensemble.step(tokens, ensemble.start(SOURCE, MASK, 1, 5), normalise=True)
        bare, none = ensemble.step(tokens, ensemble.start(SOURCE, MASK, 1, 5), normalise=False)
        each = [model.step(tokens, model.start(SOURCE, MASK, 1, 5), normalise=True)[0] for model in models]
    assert normaliser is not None
    assert none is None
    log_probs = scores - normaliser[:, None]
    parts = torch.stack(each).log_softmax(-1).double()
    mean = parts.exp().mean(dim=0).log() if combination == "linear" else parts.mean(dim=0).log_softmax(-1)
    torch.testing.assert_close(log_probs.double(), mean, rtol=0, atol=1e-5)
    assert torch.equal(bare.argmax(-1), log_probs.argmax(-1))


@pytest.mark.parametrize("combination", COMBINATIONS)
@pytest.mark.parametrize("copies", [1, 2])
@pytest.mark.parametrize("beams", [1, 5])
def test_an_ensemble_of_one_or_of_the_same_is_the_model(combination: Combination, copies: int, beams: int) -> None:
    single = SingleModel(tiny_model())
    settings = SearchSettings(BOS, EOS, banned=(0, 1), beam_size=beams, n_best=beams)
    limits = torch.tensor([9, 4, 7, 12])
    expected = search(single, SOURCE, MASK, limits, settings)
    _same(search(Ensemble([single] * copies, combination), SOURCE, MASK, limits, settings), expected, 1e-6)


@pytest.mark.parametrize("combination", COMBINATIONS)
def test_models_of_different_sizes_search_as_whole_prefixes_say(combination: Combination) -> None:
    """Each hypothesis' score, computed again by decoding all of it at once in each model."""
    models = [
        tiny_model(),
        tiny_model(d_model=16, num_heads=2, encoder_layers=1, decoder_layers=3, max_length=40),
        tiny_model(norm_position="post", tie_embeddings="target"),
    ]
    settings = SearchSettings(BOS, EOS, banned=(0, 1), beam_size=4, n_best=4)
    limits = torch.tensor([9, 4, 7, 12])
    found = search(Ensemble([SingleModel(m) for m in models], combination), SOURCE, MASK, limits, settings)
    assert len({tuple(h.tokens) for hypotheses in found for h in hypotheses}) > 4
    for row, hypotheses in enumerate(found):
        for hypothesis in hypotheses:
            written = torch.tensor([[BOS, *hypothesis.tokens]])
            parts = []
            for model in models:
                memory = model.encode(SOURCE[row : row + 1], MASK[row : row + 1])
                parts.append(model.logits(model.decode(written, memory))[0].log_softmax(-1))
            each = torch.stack(parts).double()
            mean = each.exp().mean(0).log() if combination == "linear" else each.mean(0).log_softmax(-1)
            ends = torch.tensor([*hypothesis.tokens, EOS])
            total = float(mean.gather(1, ends[:, None]).sum().detach())
            assert hypothesis.score == pytest.approx(total / len(ends), abs=1e-4)


def test_far_apart_scores_stay_numbers() -> None:
    """exp(-2000) is 0 in any float; its logarithm must not be asked for."""

    class Fixed(TableModel):
        def __init__(self, row: list[float]) -> None:
            super().__init__(len(row))
            self.row = row

        def log_probs(self, sentence: int, prefix: tuple[int, ...]) -> Tensor:
            return torch.tensor(self.row)

    def combined(combination: Combination) -> Tensor:
        ensemble: StepModel = Ensemble([Fixed([0.0, -2000.0, -3000.0]), Fixed([0.0, -1500.0, -3000.0])], combination)
        source = torch.zeros((1, 1), dtype=torch.long)
        scores, normaliser = ensemble.step(source[0], ensemble.start(source, None, 1, 3), normalise=True)
        assert normaliser is not None
        return scores - normaliser[:, None]

    torch.testing.assert_close(combined("linear"), torch.tensor([[0.0, -1500 - math.log(2), -3000.0]]))
    torch.testing.assert_close(combined("log-linear"), torch.tensor([[0.0, -1750.0, -3000.0]]))


def test_an_ensemble_of_none() -> None:
    with pytest.raises(UsageError, match="an ensemble needs a model"):
        Ensemble([])


def _loaded(
    folder: str, tokenizer: Tokenizer, languages: tuple[str, str] = ("en", "de"), longest: int = 64
) -> LoadedModel:
    config = Config.model_validate(
        {"data": {"train": "x", "source_language": languages[0], "target_language": languages[1]}}
    )
    return LoadedModel(Path(folder), config, tiny_model(max_length=longest), tokenizer, tokenizer, {})


def test_models_that_agree_take_what_the_shortest_takes(tokenizer: Tokenizer) -> None:
    again = Tokenizer(bytes(tokenizer.proto))
    models = [_loaded("a", tokenizer), _loaded("b", again, longest=48), _loaded("c", tokenizer, longest=56)]
    assert Translator.of(*models).longest == 48
    assert Translator.of(*models[:1]).longest == 64


def test_models_of_other_languages(tokenizer: Tokenizer) -> None:
    with pytest.raises(ModelError, match="^runs/a translates en to de, but runs/b en to fr\n  try: an ensemble takes"):
        check_ensemble([_loaded("runs/a", tokenizer), _loaded("runs/b", tokenizer, ("en", "fr"))])


@pytest.mark.parametrize("side", ["source", "target"])
def test_models_with_other_subwords(side: str, tokenizer: Tokenizer) -> None:
    """The third of three, on one side only; as many pieces, which mean something else."""
    other = Tokenizer.train(sentences(400, seed=5), kind="unigram", vocab_size=320)
    models = [_loaded(f"runs/{name}", tokenizer) for name in "abc"]
    models[2] = replace(models[2], **{f"{side}_tokenizer": other})
    message = (
        f"^the {side} subword models of runs/a and runs/c differ: unigram, 3.*; unigram, 3.*\n.*path=runs/a/{side}.spm"
    )
    with pytest.raises(ModelError, match=message):
        check_ensemble(models)
