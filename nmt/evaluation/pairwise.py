"""How alike translations of one sentence are: sentence-level chrF or BLEU of every pair of a list, all at once.

Equal to sacreBLEU's sentence scores, which take some 0.2 ms a pair: too slow for all pairs of a line.

U texts  G n-grams
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU

Matrix = NDArray[np.float64]

CHRF_ORDERS, CHRF_BETA = 6, 2  # sacreBLEU's defaults
BLEU_ORDERS = 4


def chrf_pairs(texts: Sequence[str]) -> Matrix:
    """Sentence chrF2 (Popović 2015) of each text, row, with each text as its reference, column: (U, U), 0 to 100.

    As `CHRF().sentence_score`: blanks do not count, and only orders that both texts have (eff:yes).
    """
    codes = [np.frombuffer("".join(text.split()).encode("utf-32-le", "surrogatepass"), "<u4") for text in texts]
    totals, matches = _overlaps(codes, CHRF_ORDERS)
    both = (totals[:, :, None] > 0) & (totals[:, None, :] > 0)  # (orders, U, U)
    orders = both.sum(axis=0).clip(min=1)
    filled = totals.clip(min=1)
    precision = (matches / filled[:, :, None]).sum(axis=0) / orders
    recall = (matches / filled[:, None, :]).sum(axis=0) / orders
    weight = CHRF_BETA**2
    divisor = weight * precision + recall
    return 100 * (1 + weight) * precision * recall / np.where(divisor > 0, divisor, 1)


class BleuPairs:
    """Sentence BLEU of every pair; `BleuPairs("13a")(texts)`."""

    def __init__(self, tokenizer: str) -> None:
        """tokenizer: sacreBLEU's name for how words are found, as `evaluation.bleu_tokenizer` gives it."""
        self._tokenize = BLEU(tokenize=tokenizer).tokenizer

    def __call__(self, texts: Sequence[str]) -> Matrix:
        """BLEU of each text, row, with each text as its reference, column: (U, U), 0 to 100.

        As `BLEU(effective_order=True).sentence_score`: exponential smoothing (Chen & Cherry 2014, method 3), and
        only orders that the row's text has.
        """
        words: dict[str, int] = {}
        split = [self._tokenize(text.rstrip()).split() for text in texts]
        ids = [np.asarray([words.setdefault(word, len(words)) for word in line], dtype=np.int64) for line in split]
        totals, matches = _overlaps(ids, BLEU_ORDERS)
        has = totals[:, :, None] > 0  # (orders, U, 1)
        missed = (has & (matches == 0)).cumsum(axis=0)
        hits = np.where(matches > 0, matches, 0.5**missed)
        log_precision = np.where(has, np.log(hits / totals.clip(min=1)[:, :, None]), 0)
        lengths = totals[0].clip(min=1)
        brevity = np.minimum(1 - totals[0] / lengths[:, None], 0)
        score = 100 * np.exp(brevity + log_precision.sum(axis=0) / has.sum(axis=0).clip(min=1))
        # Without a common word there is no smoothing either: orders above cannot match.
        return np.where(matches[0] > 0, score, 0)


def _overlaps(sequences: Sequence[NDArray[np.integer]], orders: int) -> tuple[Matrix, Matrix]:
    """n-grams of each text, (orders, U), and common to each pair, (orders, U, U), each as often as both have it.

    sequences: symbols of each text, any numbers below 2**32.
    """
    count = len(sequences)
    lengths = np.array([len(sequence) for sequence in sequences])
    totals = np.maximum(lengths - np.arange(orders)[:, None], 0).astype(np.float64)
    matches = np.zeros((orders, count, count))
    text = np.repeat(np.arange(count), lengths)
    room = np.repeat(lengths.cumsum(), lengths) - np.arange(len(text))  # symbols from here to the end of the text
    _, symbols = np.unique(np.concatenate(sequences), return_inverse=True)
    grams, starts = symbols, np.arange(len(text))  # of each n-gram: its id, and where it starts
    for order in range(1, orders + 1):
        if order > 1:
            inside = room[starts] >= order
            starts = starts[inside]
            # An n-gram is the one before, by its id, and one symbol more.
            longer = grams[inside] * (len(text) + 1) + symbols[starts + order - 1]
            _, grams = np.unique(longer, return_inverse=True)
        if len(starts) == 0:
            break
        matches[order - 1] = _common(text[starts], grams, count)
    return totals, matches


def _common(text: NDArray[np.integer], grams: NDArray[np.integer], count: int) -> Matrix:
    """Sum of min(count in i, count in j) over all n-grams, (U, U). text, grams: of each n-gram, where it is and its id.

    min(a, b) is the number of levels that both reach, so that it becomes a product of matrices of zeros and ones.
    """
    width = int(grams.max()) + 1
    counts = np.bincount(text * width + grams, minlength=count * width).reshape(count, width)
    levels = np.flatnonzero(np.bincount(counts.ravel()))
    found = np.zeros((count, count))
    for below, level in pairwise([0, *levels[levels > 0].tolist()]):
        reached = counts >= level
        if level > 1:
            reached = reached[:, reached.any(axis=0)]
        ones = reached.astype(np.float32)
        found += (level - below) * (ones @ ones.T)
    return found
