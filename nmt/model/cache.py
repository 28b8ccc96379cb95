"""What a decoder remembers between steps. Passed in and returned, never hung on a module.

B sentences  K beams  N = B*K rows  H heads  L room for tokens  S source length  E = D/H
"""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass
class LayerCache:
    """One block's keys and values.

    Those of self-attention, (N, H, L, E), grow by a column a step; those of cross-attention, (B, H, S, E), are
    computed once per sentence and shared by its beams.
    """

    self_keys: Tensor
    self_values: Tensor
    cross_keys: Tensor | None = None
    cross_values: Tensor | None = None
    spare_keys: Tensor | None = None  # where rows are moved to; the two places change roles
    spare_values: Tensor | None = None

    def append(self, keys: Tensor, values: Tensor, length: int) -> tuple[Tensor, Tensor]:
        """Write the columns (N, H, T, E) behind the first `length`; returns all columns so far."""
        end = length + keys.size(2)
        self.self_keys[:, :, length:end] = keys
        self.self_values[:, :, length:end] = values
        return self.self_keys[:, :, :end], self.self_values[:, :, :end]

    @torch.no_grad()
    def reorder(self, parents: Tensor, length: int) -> None:
        """Row n goes on from row parents[n], (N,): one pass over the first `length` columns, into the spare place."""
        if self.spare_keys is None or self.spare_values is None:
            self.spare_keys, self.spare_values = torch.empty_like(self.self_keys), torch.empty_like(self.self_values)
        torch.index_select(self.self_keys[:, :, :length], 0, parents, out=self.spare_keys[:, :, :length])
        torch.index_select(self.self_values[:, :, :length], 0, parents, out=self.spare_values[:, :, :length])
        self.self_keys, self.spare_keys = self.spare_keys, self.self_keys
        self.self_values, self.spare_values = self.spare_values, self.self_values


@dataclass
class Cache:
    """All blocks' caches, and what they share.

    length: tokens decoded so far.  beams: K, rows per sentence.
    memory_mask: (B, S), True on real source tokens; None when there is no padding.
    """

    layers: list[LayerCache]
    memory_mask: Tensor | None = None
    beams: int = 1
    length: int = 0

    def reorder(self, parents: Tensor) -> None:
        """Let row n go on from row parents[n]: (N,). Only the self-attention's columns in use are moved."""
        for layer in self.layers:
            layer.reorder(parents, self.length)

    def keep(self, sentences: Tensor) -> "Cache":
        """The cache of these sentences only, (B',) indices: finished ones are dropped to save work."""
        offsets = torch.arange(self.beams, device=sentences.device)
        rows = (sentences[:, None] * self.beams + offsets).flatten()
        layers = []
        for layer in self.layers:
            cross_keys = None if layer.cross_keys is None else layer.cross_keys.index_select(0, sentences)
            cross_values = None if layer.cross_values is None else layer.cross_values.index_select(0, sentences)
            layers.append(
                LayerCache(
                    layer.self_keys.index_select(0, rows),
                    layer.self_values.index_select(0, rows),
                    cross_keys,
                    cross_values,
                )
            )
        mask = None if self.memory_mask is None else self.memory_mask.index_select(0, sentences)
        return Cache(layers, mask, self.beams, self.length)
