"""Which sentences make an update, and how an update is cut to fit memory.

Two separate questions. The first is the recipe: an update is a list of sentence ids drawn from (seed, epoch) alone.
The second is the machine's: micro-batches change speed and memory, never the sum of the gradients.
"""

from collections.abc import Sequence

import numpy as np

# Sentences of similar length are looked for within this many updates. Larger wastes less on padding; smaller keeps an
# update closer to a random draw. At 64 some 5 % of Multi30k's positions are padding.
WINDOW_UPDATES = 64


def draw_updates(
    source_lengths: np.ndarray, target_lengths: np.ndarray, batch_tokens: int, *, seed: int, epoch: int
) -> list[np.ndarray]:
    """One epoch as updates: every sentence once, each update a list of ids with about `batch_tokens` target tokens.

    Lengths count EOS. The same (seed, epoch) gives the same updates on any hardware.
    A sentence longer than the budget is an update of its own; there is always at least one update.
    """
    random = np.random.default_rng([seed, epoch])
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
    update: np.ndarray, source_lengths: np.ndarray, target_lengths: np.ndarray, budget: int
) -> list[np.ndarray]:
    """Cut one update into pieces of at most `budget` padded tokens, both sides together.

    Within an update sentences are sorted by length first, so that a long one makes only its neighbours wide.
    A single sentence over the budget is a piece of its own.
    """
    ids = update[np.lexsort((source_lengths[update], target_lengths[update]))]
    pieces: list[np.ndarray] = []
    begin = widest_source = widest_target = 0
    for position, index in enumerate(ids):
        widest_source = max(widest_source, int(source_lengths[index]))
        widest_target = max(widest_target, int(target_lengths[index]))
        if position > begin and (position - begin + 1) * (widest_source + widest_target) > budget:
            pieces.append(ids[begin:position])
            begin = position
            widest_source, widest_target = int(source_lengths[index]), int(target_lengths[index])
    pieces.append(ids[begin:])
    return pieces


def padding_share(
    batches: Sequence[np.ndarray], source_lengths: np.ndarray, target_lengths: np.ndarray
) -> float:
    """Share of padded positions that hold no token, over both sides."""
    real = padded = 0
    for ids in batches:
        source, target = source_lengths[ids], target_lengths[ids]
        real += int(source.sum() + target.sum())
        padded += len(ids) * int(source.max() + target.max())
    return 1 - real / padded
