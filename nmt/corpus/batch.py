"""One padded batch, and the only place where the target is shifted for teacher forcing.

B sentences  S source length  T target length
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from nmt.model.masks import padding_mask
from nmt.text.tokenizer import BOS_ID, EOS_ID, PAD_ID


class Batch(NamedTuple):
    """Sentence pairs as right-padded ids.

    source: (B, S), each row ending in EOS.  source_mask: (B, S), True on real tokens; None: no padding.
    target_in: (B, T), BOS + y.  target_out: (B, T), y + EOS: column t is what should follow columns 0..t of target_in.
    tokens: real target tokens, EOS counted.
    """

    source: Tensor
    source_mask: Tensor | None
    target_in: Tensor
    target_out: Tensor
    tokens: int

    def to(self, device: torch.device) -> "Batch":
        """The same batch on another device."""
        mask = None if self.source_mask is None else self.source_mask.to(device, non_blocking=True)
        source, target_in, target_out = (
            part.to(device, non_blocking=True) for part in (self.source, self.target_in, self.target_out)
        )
        return Batch(source, mask, target_in, target_out, self.tokens)


def pad(rows: Sequence[np.ndarray], *, first: int | None = None, last: int | None = None) -> Tensor:
    """Rows of ids as one int64 tensor, padded on the right; `first` and `last` are put around each row."""
    before, after = int(first is not None), int(last is not None)
    width = max(len(row) for row in rows) + before + after
    ids = np.full((len(rows), width), PAD_ID, dtype=np.int64)
    for index, row in enumerate(rows):
        end = before + len(row)
        ids[index, before:end] = row
        if first is not None:
            ids[index, 0] = first
        if last is not None:
            ids[index, end] = last
    return torch.from_numpy(ids)


def pad_source(rows: Sequence[np.ndarray]) -> tuple[Tensor, Tensor | None]:
    """Source ids with EOS, (B, S), and their mask: None when all are of one length, which attention likes best."""
    source = pad(rows, last=EOS_ID)
    lengths = torch.tensor([len(row) + 1 for row in rows])
    if int(lengths.min()) == source.size(1):
        return source, None
    return source, padding_mask(lengths, source.size(1))


def collate(source: Sequence[np.ndarray], target: Sequence[np.ndarray]) -> Batch:
    """Ids of sentence pairs, without BOS and EOS, as a batch for teacher forcing."""
    ids, mask = pad_source(source)
    tokens = sum(len(row) + 1 for row in target)
    return Batch(ids, mask, pad(target, first=BOS_ID), pad(target, last=EOS_ID), tokens)
