"""Which words of a source and of its translation belong together, read off the cross-attention.

T target pieces  S source pieces  L layers  H heads  I source words  J target words  C candidates

Words are runs without white space (`text.words`). The attention from a target word to a source word is the sum over
the source word's pieces, and the mean over its own; the source's EOS, where idle heads rest, is left out. Each target
word is linked to the source word it looks at most.

Which heads tell, and whether at the step that predicts a piece or at the one that has it as its input, differs from
model to model (Garg et al. 2019; Chen et al. 2020): `choose_heads` finds out by error.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, Self

import torch
from torch import Tensor

from nmt import console
from nmt.config import ModelConfig
from nmt.decoding.scoring import score
from nmt.errors import ModelError
from nmt.model import Transformer
from nmt.text.lines import clean
from nmt.text.tokenizer import Tokenizer
from nmt.text.words import source_words, target_words

Links = Sequence[tuple[int, int]]  # (source word, target word)
Method = Literal["gold links", "copied words", "default"]

MOST_SENTENCES = 400  # to choose by: enough to tell heads apart, seconds on a CPU
FEWEST_LINKS = 30  # fewer say nothing
MOST_TOGETHER = 8  # heads whose mean is tried
_CHUNK = 64  # sentences whose attention is held in full
_EDGES = re.compile(r"^\W+|\W+$")


@dataclass(frozen=True)
class AlignmentHeads:
    """Where a model's cross-attention tells which words belong together: the mean over these heads.

    heads: (layer, head), counted from 0.  shift: 0 looks at the step that predicts a piece, 1 at the one after it,
    which has it as its input.
    method: what they were chosen by.  error: alignment error rate on gold links (Och & Ney 2003), or the share of
    copied words that were linked to another word; None for the default.  links: how many it was counted on.
    """

    heads: tuple[tuple[int, int], ...]
    shift: Literal[0, 1] = 0
    method: Method = "default"
    error: float | None = None
    links: int = 0

    @classmethod
    def default(cls, config: ModelConfig) -> Self:
        """Where nothing tells better: all heads of the upper half of the decoder, as the lower half looks around."""
        layers = range(config.decoder_layers // 2, config.decoder_layers)
        return cls(tuple((layer, head) for layer in layers for head in range(config.num_heads)))

    @classmethod
    def learnt(cls, told: Mapping[str, Any] | None, config: ModelConfig) -> Self:
        """What a model's calibration.json tells; the default where that is nothing or, with a warning, wrong."""
        try:
            return cls.default(config) if told is None else cls.from_json(told, config)
        except ModelError as error:
            console.warn(f"{error.message}; the default is taken")
            return cls.default(config)

    def as_json(self) -> dict[str, Any]:
        """As plain values, for a file."""
        return asdict(self) | {"heads": [list(pair) for pair in self.heads]}

    @classmethod
    def from_json(cls, told: Mapping[str, Any], config: ModelConfig) -> Self:
        """What `as_json` made. Raises ModelError when it does not fit the model."""
        try:
            heads = tuple((int(layer), int(head)) for layer, head in told["heads"])
            shift: Any = int(told["shift"])
            found = cls(heads, shift, told["method"], told["error"], told["links"])
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelError("the model's alignment heads cannot be read", "leave out its calibration.json") from error
        fits = all(0 <= layer < config.decoder_layers and 0 <= head < config.num_heads for layer, head in heads)
        if not heads or not fits or found.shift not in (0, 1):
            raise ModelError("the model's alignment heads are of another model", "leave out its calibration.json")
        return found


def word_attention(attention: Tensor, source: Sequence[int], target: Sequence[int], shift: int) -> Tensor:
    """From pieces to words: (..., T, S) -> (..., J, I). Row j sums to at most 1: what is missing went to EOS.

    source, target: the word of each piece, without EOS; T and S count EOS.  shift: see `AlignmentHeads`.
    """
    sources = _membership(source).to(attention)  # (S - 1, I)
    targets = _membership(target).to(attention)  # (T - 1, J)
    rows = attention[..., shift : shift + len(target), : len(source)]
    return (targets / targets.sum(dim=0).clamp(min=1)).T @ rows @ sources


def links(weights: Tensor) -> list[tuple[int, int]]:
    """Each target word with the source word it looks at most, sorted: (J, I) -> (source word, target word).

    A word that looks at none has no link.
    """
    if weights.size(1) == 0:
        return []
    most, sources = weights.max(dim=1)
    rows = enumerate(zip(sources.tolist(), most.tolist(), strict=True))
    return sorted((source, target) for target, (source, weight) in rows if weight > 0)


def _membership(words: Sequence[int]) -> Tensor:
    """1 where a piece is part of a word: (pieces, words)."""
    count = max(words, default=-1) + 1
    return (torch.tensor(words, dtype=torch.long)[:, None] == torch.arange(count)).float()


class _Evidence(NamedTuple):
    """One sentence to choose by.

    looks: word attention of every head at both shifts, (2, L*H, J, I).
    gold: (J, I), True where words belong together.  judged: (J,), the target words that count.
    """

    looks: Tensor
    gold: Tensor
    judged: Tensor


def choose_heads(
    model: Transformer,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    sources: Sequence[str],
    targets: Sequence[str],
    gold: Sequence[Collection[tuple[int, int]]] | None = None,
) -> AlignmentHeads:
    """The heads and the shift whose links have the least error on these pairs.

    gold: links of each pair, empty for one that has none. Without any the words that were copied count: numbers, and
    names inside a sentence, that stand once on either side. Where those are too few, the default.
    Tried are each head, the mean of each layer, the default, and the means of the best 2 to 8 heads.
    """
    wanted: list[Collection[tuple[int, int]]] = list(gold or ())
    method: Method = "gold links"
    if not any(wanted):
        untagged = [_without_tags(source_tokenizer, source) for source in sources]
        wanted, method = [_copied(*pair) for pair in zip(untagged, targets, strict=True)], "copied words"
    default = AlignmentHeads.default(model.config)
    evidence = _collect(model, source_tokenizer, target_tokenizer, sources, targets, wanted, method == "gold links")
    count = sum(int(item.gold.sum()) for item in evidence)
    if count < FEWEST_LINKS:
        return default
    layers, heads = model.config.decoder_layers, model.config.num_heads
    single = [((layer, head),) for layer in range(layers) for head in range(heads)]
    alone = _errors(evidence, single, heads)  # (2, L*H)
    best: tuple[float, AlignmentHeads] | None = None
    for shift in (0, 1):
        order = [single[i][0] for i in alone[shift].argsort(stable=True).tolist()]
        together = [tuple(sorted(order[:size])) for size in range(1, min(MOST_TOGETHER, len(order)) + 1)]
        whole = [tuple((layer, head) for head in range(heads)) for layer in range(layers)]
        tried = [*together, *whole, default.heads]
        errors = _errors(evidence, tried, heads)[shift].tolist()
        error, chosen = min(zip(errors, tried, strict=True), key=lambda pair: (pair[0], len(pair[1])))
        if best is None or error < best[0]:
            best = error, AlignmentHeads(chosen, 1 if shift else 0, method, round(error, 4), count)
    assert best is not None
    return best[1]


def _collect(
    model: Transformer,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    sources: Sequence[str],
    targets: Sequence[str],
    wanted: Sequence[Collection[tuple[int, int]]],
    all_words: bool,
) -> list[_Evidence]:
    """all_words: every target word counts, not only those that have a link."""
    ids = [
        source_tokenizer.encode_source_batch([clean(text) for text in sources]),
        target_tokenizer.encode_batch([clean(text) for text in targets]),
    ]
    longest = model.config.max_length - 1
    telling = [i for i, pairs in enumerate(wanted) if pairs and max(len(side[i]) for side in ids) <= longest]
    telling = telling[:MOST_SENTENCES]
    evidence = []
    for begin in range(0, len(telling), _CHUNK):
        chosen = telling[begin : begin + _CHUNK]
        found = score([model], [ids[0][i] for i in chosen], [ids[1][i] for i in chosen], attention="all")
        for index, scored in zip(chosen, found, strict=True):
            assert scored.attention is not None
            words = source_words(source_tokenizer, sources[index]), target_words(target_tokenizer, ids[1][index])
            heads = scored.attention.flatten(0, 1)  # (L*H, T, S)
            looks = torch.stack([word_attention(heads, *words, shift) for shift in (0, 1)])
            gold = torch.zeros(looks.shape[2:], dtype=torch.bool)
            for source, target in wanted[index]:
                if target < gold.size(0) and source < gold.size(1):  # a last word that the normalisation took away
                    gold[target, source] = True
            judged = torch.ones(len(gold), dtype=torch.bool) if all_words else gold.any(dim=1)
            evidence.append(_Evidence(looks, gold, judged))
    return evidence


def _errors(evidence: Sequence[_Evidence], tried: Sequence[Sequence[tuple[int, int]]], num_heads: int) -> Tensor:
    """The error of the mean of each set of heads at each shift: (2, C).

    1 - 2 * |found and gold| / (|found| + |gold|), over all sentences together.
    """
    weights = torch.zeros(len(tried), evidence[0].looks.size(1))  # (C, L*H)
    for row, heads in zip(weights, tried, strict=True):
        for layer, head in heads:
            row[layer * num_heads + head] = 1 / len(heads)
    hits, total = torch.zeros(2, len(tried)), 0
    for looks, gold, judged in evidence:
        means = torch.einsum("ch,shji->scji", weights, looks[:, :, judged])
        linked = means.argmax(dim=-1, keepdim=True) == torch.arange(gold.size(1))  # (2, C, J, I)
        hits += (linked & gold[judged]).sum(dim=(2, 3))
        total += int(judged.sum()) + int(gold.sum())
    return 1 - 2 * hits / total


def _without_tags(tokenizer: Tokenizer, source: str) -> str:
    """The source with as many words as before, of which those of its tags are no names and no numbers."""
    cleaned = clean(source) if tokenizer.tags else source
    tags, rest = tokenizer.split_tags(cleaned)
    return f"{'. ' * len(cleaned[: len(cleaned) - len(rest)].split())}{rest}" if tags else source


def _copied(source: str, target: str) -> list[tuple[int, int]]:
    """Words with a digit, and words inside a sentence with a capital, that stand once on either side."""
    places = []
    for text in (source, target):
        words = [_EDGES.sub("", word) for word in text.split()]
        once = {word for word, times in Counter(words).items() if times == 1}
        places.append({word: i for i, word in enumerate(words) if word in once and _is_name_or_number(word, i)})
    return [(i, places[1][word]) for word, i in places[0].items() if word in places[1]]


def _is_name_or_number(word: str, index: int) -> bool:
    return any(character.isdigit() for character in word) or (index > 0 and word[:1].isupper())
