"""Samples are drawn with the model's own probabilities, and do not know their neighbours."""

from collections import Counter

import numpy as np
import pytest
import torch

from nmt.config import ModelConfig
from nmt.decoding.search import Sampling, SearchSettings, Wish, search
from nmt.decoding.search.sampling import pick, probabilities, uniforms
from nmt.decoding.step import SingleModel
from nmt.errors import UsageError
from nmt.model import Transformer
from tests.decoding.tables import BOS, EOS, TableModel, all_hypotheses, run

GREEDY = SearchSettings(BOS, EOS, banned=(0, 1))


def _drawing(**wanted: float) -> SearchSettings:
    return SearchSettings(BOS, EOS, banned=(0, 1), sampling=Sampling(**wanted))


def test_whole_hypotheses_come_as_often_as_they_are_probable() -> None:
    """Chi-square over every hypothesis of up to two tokens: 4,000 samples of each of three sentences."""
    model, samples = TableModel(6, sharpness=1.0, shift=2.0), 4000
    for sentence, drawn in enumerate(run(model, 3, 3, _drawing(samples=samples, seed=5))):
        seen = Counter(tuple(h.tokens) for h in drawn)
        assert seen.total() == samples
        chances = {}
        for h in all_hypotheses(model, sentence, 3, 0.0, {0, 1}):
            chance = 1.0
            for place, token in enumerate((*h.tokens, EOS)[:2]):  # the third place can only be EOS
                log_probs = model.log_probs(sentence, tuple(h.tokens[:place]))
                chance *= float((log_probs[token] - log_probs[2:].logsumexp(0)).exp())
            chances[tuple(h.tokens)] = chance
        assert sum(chances.values()) == pytest.approx(1.0, abs=1e-5)
        assert len(chances) == 13
        square = sum((seen[t] - samples * p) ** 2 / (samples * p) for t, p in chances.items())
        assert square < 32.9  # 12 degrees of freedom: passed by chance once in 1,000


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, [0.5, 0.3, 0.15, 0.05]),
        ({"temperature": 0.5}, [0.6849, 0.2466, 0.0616, 0.0068]),
        ({"top_k": 2}, [0.625, 0.375, 0.0, 0.0]),
        ({"top_k": 9}, [0.5, 0.3, 0.15, 0.05]),
        ({"top_p": 0.4}, [1.0, 0.0, 0.0, 0.0]),
        ({"top_p": 0.001}, [1.0, 0.0, 0.0, 0.0]),
        ({"top_p": 0.6}, [0.625, 0.375, 0.0, 0.0]),
        ({"top_p": 0.94}, [0.5263, 0.3158, 0.1579, 0.0]),
        ({"top_k": 2, "top_p": 0.6}, [1.0, 0.0, 0.0, 0.0]),  # of the two that are left the first has 0.625
        ({"temperature": 0.5, "top_p": 0.65}, [1.0, 0.0, 0.0, 0.0]),  # of the tempered ones the first has 0.68
    ],
)
def test_what_is_drawn_from(wanted: dict[str, float], expected: list[float]) -> None:
    """Four tokens in mixed order: worked out by hand. Drawn 100,000 times, they come that often."""
    order = [2, 0, 3, 1]
    scores = torch.tensor([[0.5, 0.3, 0.15, 0.05]]).log()[:, order] + 7.0
    chances = probabilities(scores, Sampling(**wanted))
    chances = chances / chances.sum()
    assert chances[0].tolist() == pytest.approx([expected[i] for i in order], abs=1e-4)
    numbers = torch.from_numpy(uniforms(1, [3], 100_000, 1))[:, 0]
    counts = torch.bincount(pick(chances.expand(len(numbers), -1), numbers), minlength=4) / len(numbers)
    assert counts.tolist() == pytest.approx(chances[0].tolist(), abs=0.006)  # over 3.7 standard deviations


def test_the_ends_of_the_range_never_pick_what_has_no_chance() -> None:
    chances = torch.tensor([[0.0, 0.4, 0.0, 0.6, 0.0]], dtype=torch.float64).expand(4, -1) * 0.37
    assert pick(chances, torch.tensor([0.0, 0.39, 0.41, 1.0], dtype=torch.float64)).tolist() == [1, 1, 3, 3]


def test_random_numbers_are_even_and_strangers_to_each_other() -> None:
    numbers = uniforms(0, list(range(50)), 20, 30)
    assert numbers.shape == (1000, 30)
    assert numbers.min() >= 0
    assert numbers.max() < 1
    assert len(np.unique(numbers)) == numbers.size
    counts = np.histogram(numbers, 100, (0, 1))[0]
    assert ((counts - 300) ** 2 / 300).sum() < 149  # 99 degrees of freedom: once in 1,000
    cube = numbers.reshape(50, 20, 30)
    for left, right in ((cube[1:], cube[:-1]), (cube[:, 1:], cube[:, :-1]), (cube[:, :, 1:], cube[:, :, :-1])):
        assert abs(np.corrcoef(left.ravel(), right.ravel())[0, 1]) < 0.02


def test_seed_key_sample_and_step_decide_and_nothing_else() -> None:
    numbers = uniforms(4, [7, -3], 5, 10)
    assert (uniforms(4, [-3], 2, 4) == numbers[5:7, :4]).all()
    assert (uniforms(5, [7, -3], 5, 10) != numbers).all()
    # Written down once: what a seed draws does not change with a version.
    assert uniforms(0, [0], 1, 2)[0].tolist() == [0.1296456182997474, 0.16526896395580137]


@pytest.mark.parametrize("wanted", [{"top_k": 1}, {"temperature": 1e-6}, {"temperature": 1e-307}, {"top_p": 1e-9}])
def test_without_choice_sampling_is_greedy_search(wanted: dict[str, float]) -> None:
    model = TableModel(9, shift=1.5)
    greedy = run(model, 20, 7, GREEDY)
    for alone, drawn in zip(greedy, run(model, 20, 7, _drawing(samples=3, **wanted)), strict=True):
        for h in drawn:
            assert (h.tokens, h.capped) == (alone[0].tokens, alone[0].capped)
            assert h.score == pytest.approx(alone[0].score, abs=1e-6)


def test_samples_are_the_same_in_every_batch_and_order() -> None:
    model, settings = TableModel(9, sharpness=1.0), _drawing(samples=4, seed=2)
    limits = [9, 2, 6, 7, 4, 9]
    wishes = [Wish(key=100 + s) for s in range(6)]
    together = run(model, 6, limits, settings, wishes)
    order = [3, 5, 0, 4, 1, 2]
    shuffled = run(model, order, [limits[s] for s in order], settings, [wishes[s] for s in order])
    assert [together[s] for s in order] == shuffled
    for s in range(6):
        assert run(model, [s], limits[s], settings, [wishes[s]]) == together[s : s + 1]
    # Fewer of them are some of the same; another seed or key gives others.
    fewer = run(model, 6, limits, _drawing(samples=2, seed=2), wishes)
    for few, more in zip(fewer, together, strict=True):
        assert {tuple(h.tokens) for h in few} <= {tuple(h.tokens) for h in more}
    assert run(model, 6, limits, _drawing(samples=4, seed=3), wishes) != together
    assert run(model, 6, limits, settings, [Wish(key=s) for s in range(6)]) != together


def test_without_wishes_a_sentence_is_known_by_its_place() -> None:
    model, settings = TableModel(9), _drawing(samples=3)
    assert run(model, 4, 6, settings) == run(model, 4, 6, settings, [Wish(key=place) for place in range(4)])


def test_samples_come_best_first_with_their_own_scores() -> None:
    """Scores are of the model, over length ** alpha: temperature and filters do not enter. Equal samples stay."""
    model = TableModel(6, sharpness=1.0)
    settings = SearchSettings(
        BOS, EOS, banned=(0, 1), length_penalty=0.7, sampling=Sampling(samples=50, temperature=3.0, top_k=3)
    )
    for sentence, drawn in enumerate(run(model, 4, 4, settings)):
        known = {tuple(h.tokens): h.score for h in all_hypotheses(model, sentence, 4, 0.7, {0, 1})}
        assert len(drawn) == 50
        assert [h.score for h in drawn] == sorted((h.score for h in drawn), reverse=True)
        assert len({tuple(h.tokens) for h in drawn}) < 50
        for h in drawn:
            assert h.score == pytest.approx(known[tuple(h.tokens)], abs=1e-5)


def test_a_transformer_draws_the_same_alone_and_in_a_batch() -> None:
    """Padded sources, finished neighbours and all."""
    torch.manual_seed(1)
    model = Transformer(
        ModelConfig(d_model=16, d_ff=32, num_heads=2, encoder_layers=1, decoder_layers=2), 30, 30
    ).eval()
    lengths = [3, 9, 5, 1, 7]
    source = torch.randint(4, 30, (5, 9))
    mask = torch.arange(9) < torch.tensor(lengths)[:, None]
    limits = torch.tensor([6, 20, 9, 3, 15])
    wishes = [Wish(key=s) for s in range(5)]
    together = search(SingleModel(model), source, mask, limits, _drawing(samples=5), wishes=wishes)
    for s, length in enumerate(lengths):
        one = slice(s, s + 1)
        alone = search(
            SingleModel(model), source[one, :length], None, limits[one], _drawing(samples=5), wishes=wishes[one]
        )
        assert [h.tokens for h in alone[0]] == [h.tokens for h in together[s]]
        assert [h.score for h in alone[0]] == pytest.approx([h.score for h in together[s]], abs=1e-5)


def test_scores_that_are_no_numbers_give_no_samples() -> None:
    class Broken(TableModel):
        def log_probs(self, sentence, prefix):
            return torch.full((6,), float("nan"))

    for wanted in ({}, {"top_k": 2}, {"top_p": 0.5}):
        assert run(Broken(6), 2, 4, _drawing(samples=3, **wanted)) == [[], []]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"samples": 0}, "samples is 0"),
        ({"temperature": 0.0}, "temperature is 0"),
        ({"temperature": float("nan")}, "temperature is nan"),
        ({"temperature": float("inf")}, "temperature is inf"),
        ({"top_k": -1}, "top_k is -1"),
        ({"top_p": 0.0}, "top_p is 0"),
        ({"top_p": 1.5}, "top_p is 1.5"),
    ],
)
def test_values_that_make_no_sense_are_refused(wanted: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Sampling(**wanted)


def test_sampling_goes_neither_with_beams_nor_with_phrases() -> None:
    with pytest.raises(UsageError, match="sampling does not go with beam_size 4"):
        SearchSettings(BOS, EOS, beam_size=4, sampling=Sampling())
    with pytest.raises(UsageError, match="phrases need a beam search"):
        run(TableModel(6), 1, 4, _drawing(samples=2), [Wish(phrases=((4,),))])


@pytest.mark.parametrize("sharpness", [0.01, 1.0, 4.0])
@pytest.mark.parametrize("top_p", [0.3, 0.9, 0.999])
def test_top_p_over_a_large_vocabulary_is_as_if_all_were_ranked(sharpness: float, top_p: float) -> None:
    """Flat distributions need more tokens than are looked at first."""
    scores = torch.randn(5, 3000, generator=torch.Generator().manual_seed(3)) * sharpness
    found = probabilities(scores, Sampling(top_p=top_p)) > 0
    chances = scores.double().softmax(dim=-1)
    ranked, index = chances.sort(dim=-1, descending=True)
    wanted = torch.zeros_like(found).scatter(1, index, ranked.cumsum(dim=-1) - ranked < top_p)
    assert torch.equal(found, wanted)
