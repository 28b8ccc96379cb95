"""Links between words: from pieces to words, and which heads and which step tell, found out by planted attention."""

import json
import math
import random
from collections.abc import Sequence
from typing import Any

import pytest
import torch

from nmt.decoding import alignment
from nmt.decoding.alignment import AlignmentHeads, choose_heads, links, word_attention
from nmt.decoding.scoring import Scored, score
from nmt.errors import ModelError
from nmt.model import Transformer
from nmt.text.lines import clean
from nmt.text.tokenizer import EOS_ID, Tokenizer
from nmt.text.words import source_words, target_words
from tests.conftest import sentences, tiny_config, tiny_model


def align(
    model: Transformer,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    sources: Sequence[str],
    outputs: Sequence[Sequence[int]],
    heads: AlignmentHeads,
    *,
    max_batch_tokens: int | None = None,
) -> list[list[tuple[int, int]]]:
    """Each pair's links, as the translator finds them."""
    ids = source_tokenizer.encode_batch([clean(text) for text in sources])
    found = score([model], ids, outputs, attention=heads.heads, max_batch_tokens=max_batch_tokens)
    linked = []
    for text, output, scored in zip(sources, outputs, found, strict=True):
        assert scored.attention is not None
        words = source_words(source_tokenizer, text), target_words(target_tokenizer, output)
        linked.append(links(word_attention(scored.attention, *words, heads.shift)))
    return linked


def test_words_add_up_their_source_pieces_and_average_over_their_own() -> None:
    """Two target words of two and one piece; two source words of one and two pieces, and EOS."""
    rows = [[0.1, 0.2, 0.3, 0.4], [0.3, 0.0, 0.1, 0.6], [0.6, 0.1, 0.1, 0.2], [0.0, 0.0, 0.0, 1.0]]
    attention = torch.tensor(rows)
    found = word_attention(attention, [0, 1, 1], [0, 0, 1], 0)
    assert torch.allclose(found, torch.tensor([[0.2, 0.3], [0.6, 0.2]]))
    assert links(found) == [(0, 1), (1, 0)]
    shifted = word_attention(attention, [0, 1, 1], [0, 0, 1], 1)  # each piece at the step behind it
    assert torch.allclose(shifted, torch.tensor([[0.45, 0.15], [0.0, 0.0]]))
    both = word_attention(attention.expand(2, 3, 4, 4), [0, 1, 1], [0, 0, 1], 0)
    assert torch.equal(both, found.expand(2, 3, 2, 2))


def test_links_are_sorted_by_source_and_nothing_has_none() -> None:
    assert links(torch.tensor([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])) == [(0, 1), (1, 0), (1, 2)]
    assert links(torch.tensor([[0.0, 0.0], [0.0, 0.1]])) == [(1, 1)]
    gap = word_attention(torch.ones(3, 3), [0, 1], [0, 2], 0)  # of a piece that spells two words the first one counts
    assert links(gap) == [(0, 0), (0, 2)]
    assert gap[1].tolist() == [0.0, 0.0]
    assert links(word_attention(torch.ones(1, 1), [], [], 0)) == []
    assert links(word_attention(torch.ones(1, 3), [0, 1], [], 0)) == []
    assert links(word_attention(torch.ones(3, 1), [], [0, 0], 0)) == []


def test_align_is_the_heads_mean_in_words(tokenizer: Tokenizer) -> None:
    model = tiny_model(tokenizer.vocab_size)
    sources = ["the  cat sees", "", "a 你好 dog\x00.", "red"]
    outputs = [tokenizer.encode(text) for text in ("cat the the", "dog", "blue 😀 bird", "")]
    heads = AlignmentHeads(((1, 2), (0, 1)), 1)
    found = align(model, tokenizer, tokenizer, sources, outputs, heads)
    assert found[1] == []
    assert found[3] == []
    with torch.no_grad():
        for text, output, linked in zip(sources, outputs, found, strict=True):
            source = torch.tensor([[*tokenizer.encode(clean(text)), EOS_ID]])
            _, layers = model.decode_with_attention(torch.tensor([[0, *output]]), model.encode(source))
            mean = (layers[1][0, 2] + layers[0][0, 1]) / 2
            words = source_words(tokenizer, text), target_words(tokenizer, output)
            assert linked == links(word_attention(mean, *words, 1))
    assert [target for _, target in sorted(found[0], key=lambda link: link[1])] == [0, 1, 2]
    assert align(model, tokenizer, tokenizer, sources[:1], outputs[:1], heads, max_batch_tokens=1) == found[:1]


class Planted:
    """A stand-in for `score`: some heads look at the right piece at one of the steps, all others anywhere."""

    def __init__(self, good: Sequence[tuple[int, int]], shift: int, noise: float = 0.0) -> None:
        self.good, self.shift, self.noise, self.seen = good, shift, noise, 0

    def __call__(self, models: Any, sources: Any, targets: Any, *, attention: str) -> list[Scored]:
        assert attention == "all"
        generator = torch.Generator().manual_seed(self.seen)
        self.seen += len(sources)
        found = []
        for source, target in zip(sources, targets, strict=True):
            looked = torch.rand(2, 4, len(target) + 1, len(source) + 1, generator=generator)
            for layer, head in self.good:
                looked[layer, head] *= self.noise
                for step, token in enumerate(target):
                    if token in source:  # each piece is copied
                        looked[layer, head, step + self.shift, source.index(token)] += 0.9
            found.append(Scored([*target, EOS_ID], [0.0] * (len(target) + 1), looked))
        return found


def _pairs(tokenizer: Tokenizer) -> tuple[list[str], list[str], list[list[tuple[int, int]]]]:
    """Sources of different words, and targets that have the same ones in another order."""
    chance = random.Random(4)
    names = [word for word in " ".join(sentences(50)).replace(".", "").split() if len(tokenizer.encode(word)) == 1]
    sources, targets, gold = [], [], []
    for _ in range(40):
        words = chance.sample(sorted(set(names)), 5)
        order = chance.sample(range(5), 5)
        sources.append(" ".join(words))
        targets.append(" ".join(words[i] for i in order))
        gold.append([(i, j) for j, i in enumerate(order)])
    return sources, targets, gold


@pytest.mark.parametrize("shift", [0, 1])
def test_the_head_and_the_step_that_tell_are_found(
    tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch, shift: int
) -> None:
    monkeypatch.setattr(alignment, "score", Planted([(0, 2)], shift))
    chosen = choose_heads(_model(tokenizer), tokenizer, tokenizer, *_pairs(tokenizer))
    assert chosen == AlignmentHeads(((0, 2),), shift, "gold links", 0.0, 200)  # type: ignore[arg-type]


def test_heads_that_tell_together_are_taken_together(tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "score", Planted([(0, 1), (1, 0), (1, 3)], 0, noise=1.6))
    chosen = choose_heads(_model(tokenizer), tokenizer, tokenizer, *_pairs(tokenizer))
    assert chosen.heads == ((0, 1), (1, 0), (1, 3))
    assert chosen.error is not None
    assert 0 < chosen.error < 0.3


def test_the_error_is_that_of_och_and_ney(tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the gold links are missing and one is a second link of a word: 1 - 2 * hits / (found + gold)."""
    monkeypatch.setattr(alignment, "score", Planted([(0, 2)], 0))
    sources, targets, gold = _pairs(tokenizer)
    some = [pairs[:3] for pairs in gold]
    chosen = choose_heads(_model(tokenizer), tokenizer, tokenizer, sources, targets, some)
    assert chosen.error == pytest.approx(1 - 2 * 120 / (200 + 120), abs=1e-3)
    assert chosen.links == 120
    more = [[*pairs, ((pairs[0][0] + 1) % 5, pairs[0][1])] for pairs in gold]
    chosen = choose_heads(_model(tokenizer), tokenizer, tokenizer, sources, targets, more)
    assert chosen.error == pytest.approx(1 - 2 * 200 / (200 + 240), abs=1e-3)


def test_without_gold_copied_numbers_and_names_tell(tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the copy counts, so that what the other words look at does not matter."""
    monkeypatch.setattr(alignment, "score", Planted([(1, 1)], 0, noise=0.01))
    numbers = [(f"{n}{n + 1}", f"{n + 3}{n + 2}") for n in range(1, 7)] * 7
    sources = [f"the cat {one} sees {two} birds" for one, two in numbers]
    targets = [f"{two}, le chat {one}" for one, two in numbers]
    chosen = choose_heads(_model(tokenizer), tokenizer, tokenizer, sources, targets, [[]] * 42)
    assert chosen.method == "copied words"
    assert chosen.heads == ((1, 1),)
    assert (chosen.shift, chosen.links) == (0, 84)
    assert chosen.error == 0


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("In 1984 war es", "It was 1984.", [(1, 2)]),
        ("Berlin liegt hier", "here lies Berlin", []),  # a first word has its capital anyhow
        ("er sah Anna (gern)", "Yesterday he saw «Anna»", [(2, 3)]),
        ("3 und 3", "3 and three", []),
        ("ein haus", "a haus", []),
    ],
)
def test_what_counts_as_copied(source: str, target: str, expected: list[tuple[int, int]]) -> None:
    assert alignment._copied(source, target) == expected


def test_too_little_to_choose_by_gives_the_default(tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "score", Planted([(0, 2)], 0))
    sources, targets, gold = _pairs(tokenizer)
    default = AlignmentHeads(tuple((1, head) for head in range(4)))
    for pairs in ((sources, targets), (sources[:5], targets[:5], gold[:5]), ([], [])):
        assert choose_heads(_model(tokenizer), tokenizer, tokenizer, *pairs) == default
    assert AlignmentHeads.default(tiny_config(decoder_layers=1)).heads == tuple((0, head) for head in range(4))


def test_a_real_model_is_asked_and_long_pairs_are_passed_over(tokenizer: Tokenizer) -> None:
    sources, targets, gold = _pairs(tokenizer)
    long = ["dog " * 100], ["cat " * 100], [[(0, 0)]]
    gold[0] = [*gold[0], (77, 0), (0, 77)]  # words that are not there
    model = _model(tokenizer)
    chosen = choose_heads(model, tokenizer, tokenizer, sources + long[0], targets + long[1], gold + long[2])
    assert chosen.links == 200
    assert chosen.error is not None
    assert 0 < chosen.error < 1


def _model(tokenizer: Tokenizer) -> Transformer:
    return tiny_model(tokenizer.vocab_size)


def test_the_choice_survives_a_file() -> None:
    for heads in (AlignmentHeads(((0, 1), (1, 3)), 1, "gold links", 0.25, 77), AlignmentHeads.default(tiny_config())):
        assert AlignmentHeads.from_json(json.loads(json.dumps(heads.as_json())), tiny_config()) == heads


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"heads": [[2, 0]]}, "are of another model"),
        ({"heads": [[0, 4]]}, "are of another model"),
        ({"heads": []}, "are of another model"),
        ({"shift": 2}, "are of another model"),
        ({"heads": [[0]]}, "cannot be read"),
        ({"heads": None}, "cannot be read"),
        ({"heads": [[math.inf, 0]]}, "cannot be read"),
        ({"shift": [1]}, "cannot be read"),
    ],
)
def test_a_choice_that_does_not_fit_is_an_error(change: dict[str, object], told: str) -> None:
    kept = AlignmentHeads(((0, 1),)).as_json()
    with pytest.raises(ModelError, match=told):
        AlignmentHeads.from_json(kept | change, tiny_config())
    with pytest.raises(ModelError, match="cannot be read"):
        AlignmentHeads.from_json({}, tiny_config())


def test_heads_of_another_model_are_not_taken(capsys: pytest.CaptureFixture[str]) -> None:
    config = tiny_config()
    default = AlignmentHeads.default(config)
    assert AlignmentHeads.learnt(None, config) == default
    right = AlignmentHeads(((0, 1),), 1, "gold links", 0.1, 40)
    assert AlignmentHeads.learnt(right.as_json(), config) == right
    assert capsys.readouterr().err == ""
    assert AlignmentHeads.learnt(right.as_json() | {"heads": [[9, 0]]}, config) == default
    assert "warning: the model's alignment heads are of another model; the default is taken" in capsys.readouterr().err
