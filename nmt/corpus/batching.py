"""Which sentences make an update, and how an update is cut to fit memory.

Two separate questions. The first is the recipe: an update is a list of sentence ids, drawn from the seed and the place
in the text alone. The second is the machine's: micro-batches change speed and memory, never the sum of the gradients.
"""

from collections.abc import Sequence

import numpy as np

# Sentences of similar length are looked for within this many updates. Larger wastes less on padding; smaller keeps an
# update closer to a random draw. At 128 under 5 % of Multi30k's positions are padding, at 64 under 8 %.
WINDOW_UPDATES = 128


def draw_updates(
    source_lengths: np.ndarray, target_lengths: np.ndarray, batch_tokens: int, *, seed: Sequence[int]
) -> list[np.ndarray]:
    """Sentences as updates: each sentence once, each update a list of ids with about `batch_tokens` target tokens.

    Lengths count EOS. The same seed, of the training and of this pass, gives the same updates on any hardware.
    A sentence longer than the budget makes its update larger than the others; there is always at least one update.
    """
    random = np.random.default_rng(seed)
    order = random.permutation(len(target_lengths))
    window = max(1, int(WINDOW_UPDATES * batch_tokens / target_lengths.mean()))
    updates: list[np.ndarray] = []
    for begin in range(0, len(order), window):
        ids = order[begin : begin + window]
        ids = ids[np.lexsort((source_lengths[ids], target_lengths[ids]))]
        updates.extend(_cut(ids, target_lengths[ids], batch_tokens))
    return [updates[index] for index in random.permutation(len(updates))]


def _cut(ids: np.ndarray, lengths: np.ndarray, budget: int) -> list[np.ndarray]:
    """Even pieces of about `budget` tokens: the last one is no crumb, whose gradient would count as much as any."""
    ends = np.cumsum(lengths)
    pieces = max(1, round(float(ends[-1]) / budget))
    bounds = np.searchsorted(ends, ends[-1] * np.arange(1, pieces) / pieces, side="left") + 1
    return [piece for piece in np.split(ids, bounds) if len(piece)]


def cut_micro_batches(
    update: np.ndarray, source_lengths: np.ndarray, target_lengths: np.ndarray, budget: int, ranks: int = 1
) -> list[np.ndarray]:
    """Cut one update into pieces of at most `budget` padded tokens, both sides together.

    Within an update sentences are sorted by length first, so that a long one makes only its neighbours wide.
    A single sentence over the budget is a piece of its own.
    ranks: processes that share the pieces out; each gets as many as the others, as far as there are sentences.
    """
    ids = update[np.lexsort((source_lengths[update], target_lengths[update]))]
    pieces = _cut_greedily(ids, source_lengths, target_lengths, budget)
    wanted = -(-len(pieces) // ranks) * ranks
    if wanted > 1:
        # The last piece may be a crumb, which costs as many steps as a full one: find the smallest budget that will do.
        low = int(source_lengths[ids].sum() + target_lengths[ids].sum()) / wanted
        high = sum(padded_tokens(piece, source_lengths, target_lengths) for piece in pieces) / wanted * 1.2
        high = min(high, budget)
        for _ in range(7):
            middle = (low + high) / 2
            even = _cut_greedily(ids, source_lengths, target_lengths, int(middle))
            if len(even) <= wanted:
                pieces, high = even, middle
            else:
                low = middle
    return _split_further(pieces, min(wanted, len(ids)), source_lengths, target_lengths)


def _split_further(
    pieces: list[np.ndarray], wanted: int, source_lengths: np.ndarray, target_lengths: np.ndarray
) -> list[np.ndarray]:
    """Halve the largest until there are so many."""
    while len(pieces) < wanted:
        divisible = [index for index, piece in enumerate(pieces) if len(piece) > 1]
        largest = max(divisible, key=lambda index: padded_tokens(pieces[index], source_lengths, target_lengths))
        pieces[largest : largest + 1] = np.array_split(pieces[largest], 2)
    return pieces


def _cut_greedily(
    ids: np.ndarray, source_lengths: np.ndarray, target_lengths: np.ndarray, budget: int
) -> list[np.ndarray]:
    """Fill each piece up to the budget, in order."""
    pieces: list[np.ndarray] = []
    begin = widest_source = widest_target = 0
    for position, (source, target) in enumerate(
        zip(source_lengths[ids].tolist(), target_lengths[ids].tolist(), strict=True)
    ):
        widest_source, widest_target = max(widest_source, source), max(widest_target, target)
        if position > begin and (position - begin + 1) * (widest_source + widest_target) > budget:
            pieces.append(ids[begin:position])
            begin, widest_source, widest_target = position, source, target
    pieces.append(ids[begin:])
    return pieces


def padded_tokens(ids: np.ndarray, source_lengths: np.ndarray, target_lengths: np.ndarray) -> int:
    """Positions of these sentences as one padded batch, both sides."""
    return len(ids) * int(source_lengths[ids].max() + target_lengths[ids].max())


def padding_share(batches: Sequence[np.ndarray], source_lengths: np.ndarray, target_lengths: np.ndarray) -> float:
    """Share of padded positions that hold no token, over both sides."""
    real = padded = 0
    for ids in batches:
        real += int(source_lengths[ids].sum() + target_lengths[ids].sum())
        padded += padded_tokens(ids, source_lengths, target_lengths)
    return 1 - real / padded
