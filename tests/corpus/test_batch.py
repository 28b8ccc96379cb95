"""Padding, the mask, and the one place where the target is shifted."""

import numpy as np
import torch

from nmt.corpus.batch import collate, pad, pad_source
from nmt.text.tokenizer import BOS_ID, EOS_ID, PAD_ID


def rows(*lists: list[int]) -> list[np.ndarray]:
    return [np.array(ids, dtype=np.int32) for ids in lists]


def test_the_decoder_reads_bos_and_y_and_should_say_y_and_eos() -> None:
    batch = collate(rows([5, 6, 7], [8]), rows([9, 10], [11, 12, 13]))
    assert batch.source.tolist() == [[5, 6, 7, EOS_ID], [8, EOS_ID, PAD_ID, PAD_ID]]
    assert batch.target_in.tolist() == [[BOS_ID, 9, 10, PAD_ID], [BOS_ID, 11, 12, 13]]
    assert batch.target_out.tolist() == [[9, 10, EOS_ID, PAD_ID], [11, 12, 13, EOS_ID]]
    assert batch.tokens == 7  # EOS counted, padding not
    assert batch.source_mask is not None
    assert batch.source_mask.tolist() == [[True] * 4, [True, True, False, False]]
    assert {part.dtype for part in (batch.source, batch.target_in, batch.target_out)} == {torch.int64}


def test_each_column_out_is_the_next_column_in() -> None:
    batch = collate(rows([4], [4], [4]), rows([5, 6, 7, 8], [9], []))
    for into, out in zip(batch.target_in.tolist(), batch.target_out.tolist(), strict=True):
        real = out.index(EOS_ID)
        assert into[0] == BOS_ID
        assert out[:real] == into[1 : real + 1]
        assert out[real + 1 :] == into[real + 1 :] == [PAD_ID] * (len(out) - real - 1)


def test_rows_of_one_length_need_no_mask() -> None:
    assert collate(rows([5, 6], [7, 8]), rows([9], [10, 11])).source_mask is None
    assert collate(rows([5, 6]), rows([9])).source_mask is None


def test_the_mask_covers_the_source_alone() -> None:
    ids, mask = pad_source(rows([5], [6, 7], []))
    assert mask is not None
    assert mask.tolist() == (ids != PAD_ID).tolist()
    assert mask.sum(1).tolist() == [2, 3, 1]


def test_a_typed_pad_id_inside_a_row_is_no_padding() -> None:
    """The mask follows lengths, not values: whatever ids a foreign subword model gives, no token is hidden."""
    _, mask = pad_source(rows([PAD_ID, PAD_ID, 5], [6]))
    assert mask is not None
    assert mask.tolist() == [[True] * 4, [True, True, False, False]]


def test_a_batch_does_not_change_the_corpus() -> None:
    ids = np.arange(4, 10, dtype=np.int32)
    batch = collate([ids[:3]], [ids[3:]])
    batch.source.zero_()
    batch.target_in.zero_()
    assert ids.tolist() == [4, 5, 6, 7, 8, 9]


def test_padding_is_on_the_right_and_what_surrounds_a_row_is_asked_for() -> None:
    assert pad(rows([5, 6], [7])).tolist() == [[5, 6], [7, PAD_ID]]
    assert pad(rows([5], []), first=0, last=2).tolist() == [[0, 5, 2], [0, 2, PAD_ID]]


def test_moving_a_batch_moves_all_of_it() -> None:
    batch = collate(rows([5, 6], [7]), rows([9], [10, 11])).to(torch.device("meta"))
    assert batch.source_mask is not None
    parts = (batch.source, batch.source_mask, batch.target_in, batch.target_out)
    assert {part.device.type for part in parts} == {"meta"}
    assert batch.tokens == 5
    even = collate(rows([5]), rows([9])).to(torch.device("meta"))
    assert even.source_mask is None
