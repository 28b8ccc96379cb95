"""What a search is asked for, and what it answers.

B sentences  K beams  V vocabulary
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from torch import Tensor

from nmt.errors import UsageError

NEVER = float("-inf")
NOT_ASKED = float("nan")
ENDLESS = 1e9  # finished hypotheses: more than there can be


class Hypothesis(NamedTuple):
    """tokens: without BOS and EOS.  score: sum(log p) / length ** length_penalty; NaN when it was not asked for.

    capped: at its last permitted place the model would have written on.
    unmet: not all phrases that were asked for are in it, because the limit is too short for them.
    """

    tokens: list[int]
    score: float
    capped: bool
    unmet: bool = False


class Wish(NamedTuple):
    """What is asked for one sentence alone.

    prefix: the tokens it begins with. They count in the score. What does not fit before EOS is cut off.
    phrases: runs of tokens that it holds, wherever the model puts them; one that is named twice is there twice. Runs
    may overlap.
    key: who the sentence is, whatever batch it is in: its random numbers follow from it.
    """

    prefix: tuple[int, ...] = ()
    phrases: tuple[tuple[int, ...], ...] = ()
    key: int = 0


@dataclass(frozen=True)
class Sampling:
    """Draw from the model instead of searching it. The filters work in the order they are named in.

    samples: drawn for each sentence; all are returned, best first, equal ones too.
    temperature: what log-probabilities are divided by: below 1 keeps nearer to the most probable.
    top_k: only the k most probable tokens; 0 = all.
    top_p: only the smallest set of most probable tokens that has this much probability (Holtzman et al. 2020); 1 = all.
    seed: other numbers, other samples.
    """

    samples: int = 1
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        """Raises UsageError for a value that makes no sense."""
        if self.samples < 1:
            raise UsageError(f"samples is {self.samples}", "1 or more")
        if not 0 < self.temperature < math.inf:
            raise UsageError(f"temperature is {self.temperature:g}", "more than 0; for no chance at all do not sample")
        if self.top_k < 0:
            raise UsageError(f"top_k is {self.top_k}", "1 or more, or 0 for all tokens")
        if not 0 < self.top_p <= 1:
            raise UsageError(f"top_p is {self.top_p:g}", "more than 0, and 1 at most")


@dataclass(frozen=True)
class SearchSettings:
    """What a search must know beside the model.

    banned: ids never chosen (pad, BOS, control bytes); banned after normalisation, so scores stay comparable.
    beam_size: K; 1 is greedy search.
    length_penalty: 0 prefers short outputs, 1 is the mean log-probability.
    n_best: hypotheses returned per sentence, at most K.
    patience: None stops when no beam can still enter the n best. P stops at round(P * K) finished hypotheses, as
    CTranslate2 does (Kasai et al. 2022). Greedy search stops at its first in any case.
    min_length: tokens before EOS may be chosen. A sentence's limit goes before it.
    no_repeat_ngram: no run of so many tokens is written twice; 0 = off. Prefixes and phrases go before it.
    groups, diversity: diverse beam search; see `diverse.py`.
    sampling: draw instead; beam_size is then 1.
    """

    bos_id: int
    eos_id: int
    banned: Sequence[int] = ()
    beam_size: int = 1
    length_penalty: float = 1.0
    n_best: int = 1
    patience: float | None = None
    min_length: int = 0
    no_repeat_ngram: int = 0
    groups: int = 1
    diversity: float = 0.0
    sampling: Sampling | None = None

    def __post_init__(self) -> None:
        """Raises UsageError for values that make no sense, alone or together."""
        for name in ("beam_size", "n_best", "groups"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is {getattr(self, name)}", "1 or more")
        for name in ("min_length", "no_repeat_ngram"):
            if getattr(self, name) < 0:
                raise UsageError(f"{name} is {getattr(self, name)}", "1 or more, or 0 for off")
        if self.sampling is not None and self.beam_size > 1:
            raise UsageError(f"sampling does not go with beam_size {self.beam_size}", "beam_size 1")
        if self.n_best > self.beam_size:
            raise UsageError(f"n_best is {self.n_best} but beam_size is {self.beam_size}", "raise beam_size to n_best")
        if self.beam_size % self.groups:
            raise UsageError(
                f"beam_size {self.beam_size} cannot be divided into {self.groups} groups",
                f"beam_size {math.ceil(self.beam_size / self.groups) * self.groups}",
            )
        if not 0 <= self.diversity < math.inf:
            raise UsageError(f"diversity is {self.diversity:g}", "0 or more")
        if self.diversity and self.groups == 1:
            raise UsageError("diversity is between groups of beams, and there is one", "groups 2 or more")
        if self.patience is not None and self.beam_size > 1:
            if not 0 < self.patience < math.inf:
                raise UsageError(f"patience is {self.patience:g}", "more than 0; 1 stops at beam_size hypotheses")
            if self.n_best > self.patient_for * self.groups:
                raise UsageError(
                    f"n_best is {self.n_best} but with patience {self.patience:g} the search stops at "
                    f"{self.patient_for * self.groups} hypotheses",
                    "a higher patience or beam_size",
                )

    @property
    def patient_for(self) -> int:
        """How many finished hypotheses end the search of a group (there is one, usually), where patience is given."""
        assert self.patience is not None
        return max(1, round(min(self.patience * (self.beam_size // self.groups), ENDLESS)))

    def check(self, wishes: Sequence[Wish]) -> None:
        """Raises UsageError for wishes that no output can fulfil, or that this kind of search cannot."""
        never = {self.bos_id, self.eos_id, *self.banned}
        for number, wish in enumerate(wishes):
            for tokens in (wish.prefix, *wish.phrases):
                if not never.isdisjoint(tokens):
                    wrong = min(never.intersection(tokens))
                    raise UsageError(
                        f"what is asked for sentence {number} holds id {wrong}, which is never written", ""
                    )
            if not all(wish.phrases):
                raise UsageError(f"a phrase asked for sentence {number} has no tokens", "leave it out")
            if wish.phrases and (self.beam_size == 1 or self.groups > 1):
                raise UsageError(
                    "phrases need a beam search: not a greedy, a sampled or a diverse one",
                    "beam_size 5 or more, 1 group",
                )


def length_penalty(length: Tensor, alpha: float) -> Tensor:
    """Divisor that keeps beam search from preferring short hypotheses.

    length: tokens including EOS, any shape.  alpha: 0 = none, 1 = mean log-probability.
    Returns the same shape.
    """
    return length.float() ** alpha
