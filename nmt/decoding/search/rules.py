"""Rules on the next token, the same for every kind of search.

They are laid on the scores after normalisation: a rule takes choices away, it does not make others more probable.

B sentences  N rows  T steps so far  P longest prefix  V vocabulary
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from nmt.decoding.search.settings import NEVER, SearchSettings, Wish

FREE = -1  # this place of the output is not given


class Rules:
    """Target prefixes, minimum length and n-grams that may not come again."""

    def __init__(self, settings: SearchSettings, wishes: Sequence[Wish], limits: Tensor) -> None:
        """limits: (B,).  wishes: one a sentence, or none at all."""
        self.settings = settings
        self.limits = limits
        # A prefix leaves EOS its place: the limit goes before it.
        prefixes = [w.prefix[: limit - 1] for w, limit in zip(wishes, limits.tolist(), strict=True)] if wishes else []
        width = max(map(len, prefixes), default=0)
        padded = [[*prefix, *[FREE] * (width - len(prefix))] for prefix in prefixes]
        self.prefixes = torch.tensor(padded, dtype=torch.long, device=limits.device).view(
            len(prefixes), width
        )  # (B, P)

    @classmethod
    def of(cls, settings: SearchSettings, wishes: Sequence[Wish], limits: Tensor) -> "Rules | None":
        """None where no rule is asked for, so that it costs nothing."""
        asked = settings.min_length or settings.no_repeat_ngram or any(wish.prefix for wish in wishes)
        return cls(settings, wishes, limits) if asked else None

    def apply(self, scores: Tensor, sentences: Tensor, written: Tensor) -> None:
        """Takes choices away, in place; never a row's last one, for then it may end.

        scores: (N, V).  sentences: (N,), whose each row is.  written: (N, T).
        """
        step, eos_id = written.size(1), self.settings.eos_id
        given = None
        if step < self.prefixes.size(1):
            given = self.prefixes[sentences, step][:, None]
            index = given.clamp(min=0)
            raw = scores.gather(1, index)
        short, ngram = step < self.settings.min_length, self.settings.no_repeat_ngram
        if short or ngram:
            ending = scores[:, eos_id].clone()
            if short:
                scores[:, eos_id].masked_fill_(self.limits[sentences] > step + 1, NEVER)
            if ngram:
                _forbid_repeats(scores, written, ngram)
            stuck = scores.amax(dim=-1) == NEVER
            scores[:, eos_id] = torch.where(stuck, ending, scores[:, eos_id])
        if given is not None:
            forced = given != FREE
            kept = torch.where(forced, raw, scores.gather(1, index))
            scores.masked_fill_(forced, NEVER).scatter_(1, index, kept)


def _forbid_repeats(scores: Tensor, written: Tensor, size: int) -> None:
    """No token that would make the last `size` tokens equal to as many before: (N, V), (N, T)."""
    step = written.size(1)
    if step < size:
        return
    runs = written.unfold(1, size, 1)  # (N, T - size + 1, size)
    recent = written[:, None, step - size + 1 :]
    again = (runs[:, :, :-1] == recent).all(dim=-1)
    row, place = again.nonzero(as_tuple=True)
    scores[row, runs[row, place, size - 1]] = NEVER
