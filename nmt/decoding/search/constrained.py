"""Beam search for outputs that hold given phrases, at the places the model finds best for them.

The beams of a sentence are shared among banks, one for each number of phrase tokens that a beam has met, so that those
that have begun a phrase live on beside those that are still more probable (Post & Vilar 2018). Tokens that take up or
go on with a phrase are always among the candidates. A beam may end when it has met all phrases; one that leaves a
phrase half-way has given it back, and must write it elsewhere. So there is an end as soon as the limit has room for all
phrases, one behind the other; where it has not, the beams with the most whole phrases may end at the limit, as
`unmet`.

With fewer beams than banks the fullest banks are served: phrases then come early. Sentences without phrases are
searched as ever.

B sentences  K beams  N = B*K rows  V vocabulary
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from nmt.decoding.search.beam import Beams, Candidates, Plan, beam_search
from nmt.decoding.search.rules import Rules
from nmt.decoding.search.settings import NEVER, Hypothesis, SearchSettings, Wish
from nmt.decoding.step import S, StepModel


def constrained_search(
    model: StepModel[S],
    source: Tensor,
    mask: Tensor | None,
    limits: Tensor,
    settings: SearchSettings,
    rules: Rules | None,
    wishes: Sequence[Wish],
) -> list[list[Hypothesis]]:
    """The n best of each sentence that hold its phrases, best first; else the best there is, marked `unmet`."""
    plan = PhrasePlan(settings, rules, limits, wishes)
    found = beam_search(model, source, mask, limits, settings, plan)
    return [
        [h._replace(unmet=not phrases.complete(phrases.read(h.tokens))) for h in hypotheses]
        for phrases, hypotheses in zip(plan.phrases, found, strict=True)
    ]


class Progress(NamedTuple):
    """What a text has of the phrases asked for, each named once.

    begun: how many tokens of each phrase its end agrees with.  seen: how often each has come, up to what was asked.
    """

    begun: tuple[int, ...]
    seen: tuple[int, ...]


class Phrases:
    """One sentence's phrases: followed token by token, all at once (Knuth, Morris & Pratt 1977)."""

    def __init__(self, phrases: Sequence[tuple[int, ...]]) -> None:
        counts = Counter(phrases)
        self.phrases = list(counts)
        self.wanted = list(counts.values())
        self.borders = [_borders(phrase) for phrase in self.phrases]
        self.tokens = sum(map(len, phrases))  # the fullest bank
        self.start = Progress((0,) * len(counts), (0,) * len(counts))
        self.known: dict[tuple[Progress, int], Progress] = {}

    def after(self, progress: Progress, token: int) -> Progress:
        """Progress once this token is written, too."""
        if (progress, token) not in self.known:
            begun, seen = list(progress.begun), list(progress.seen)
            for number, phrase in enumerate(self.phrases):
                length = begun[number]
                while length and phrase[length] != token:
                    length = self.borders[number][length]
                length += phrase[length] == token
                if length == len(phrase):
                    seen[number] = min(seen[number] + 1, self.wanted[number])
                    length = self.borders[number][length]
                begun[number] = length
            self.known[progress, token] = Progress(tuple(begun), tuple(seen))
        return self.known[progress, token]

    def read(self, tokens: Sequence[int]) -> Progress:
        """Progress of a whole text."""
        progress = self.start
        for token in tokens:
            progress = self.after(progress, token)
        return progress

    def complete(self, progress: Progress) -> bool:
        """Whether all have come."""
        return list(progress.seen) == self.wanted

    def met(self, progress: Progress) -> int:
        """The bank: tokens of whole phrases, and of the one that is furthest begun."""
        whole = sum(len(phrase) * seen for phrase, seen in zip(self.phrases, progress.seen, strict=True))
        return whole + max((progress.begun[number] for number in self._missing(progress)), default=0)

    def next_tokens(self, progress: Progress) -> set[int]:
        """What goes on with a missing phrase or takes one up; one of them always leads to a fuller bank."""
        return {self.phrases[number][progress.begun[number]] for number in self._missing(progress)}

    def _missing(self, progress: Progress) -> list[int]:
        return [number for number, wanted in enumerate(self.wanted) if progress.seen[number] < wanted]


def _borders(phrase: tuple[int, ...]) -> list[int]:
    """For each length, the longest shorter start of the phrase that the first so many tokens also end in."""
    borders = [0, 0]
    for token, length in zip(phrase[1:], range(1, len(phrase)), strict=True):
        border = borders[length]
        while border and phrase[border] != token:
            border = borders[border]
        borders.append(border + (phrase[border] == token))
    return borders


class PhrasePlan(Plan):
    """Shares the beams of sentences that have phrases among their banks."""

    def __init__(self, settings: SearchSettings, rules: Rules | None, limits: Tensor, wishes: Sequence[Wish]) -> None:
        super().__init__(settings, rules)
        self.limits = limits
        self.wishes = wishes
        self.phrases = [Phrases(wish.phrases) for wish in wishes]
        self.progress = [[phrases.start] * settings.beam_size for phrases in self.phrases]

    def restrict(self, scores: Tensor, live: Beams, step: int) -> None:
        """No rule but the prefix takes away what a phrase needs; nothing ends before it has met its phrases."""
        beams, ending = self.settings.beam_size, self._may_end_unmet(live, step)
        rows: list[int] = []
        tokens: list[int] = []
        endless: list[int] = []
        for place, sentence in self._places(live):
            phrases = self.phrases[sentence]
            for row, progress in enumerate(self.progress[sentence], start=place * beams):
                if not phrases.complete(progress) and row not in ending:
                    endless.append(row)
                if step >= len(self.wishes[sentence].prefix):
                    needed = phrases.next_tokens(progress)
                    tokens += needed
                    rows += [row] * len(needed)
        where = self._index(scores, rows), self._index(scores, tokens)
        kept = scores[where]
        super().restrict(scores, live, step)
        scores[where] = kept
        scores[self._index(scores, endless), self.settings.eos_id] = NEVER

    def choose(self, scores: Tensor, normaliser: Tensor, live: Beams, last: Tensor) -> Candidates:
        """As ever for most; where there are phrases the first K candidates end and the others live on."""
        found = super().choose(scores, normaliser, live, last)
        at_limit = last.tolist()
        shared = [(place, sentence) for place, sentence in self._places(live) if not at_limit[place]]
        if not shared:
            return found
        beams = live.sums.size(1)
        places = self._index(scores, [place for place, _ in shared])
        raw = scores.view(-1, beams, scores.size(-1))[places]  # (P, K, V)
        normaliser, sums = normaliser.view(-1, beams)[places], live.sums[places]  # (P, K)
        best, index = raw.topk(min(2 * beams, raw.size(-1)), dim=-1)
        best = sums[:, :, None] + (best - normaliser[:, :, None])
        chosen = []
        for number, (_, sentence) in enumerate(shared):
            candidates: dict[tuple[int, int], float] = {}
            for beam, progress in enumerate(self.progress[sentence]):
                for token in self.phrases[sentence].next_tokens(progress):
                    score = raw[number, beam, token] - normaliser[number, beam]
                    candidates[beam, token] = float(sums[number, beam] + score)
                row = zip(index[number, beam].tolist(), best[number, beam].tolist(), strict=True)
                candidates |= {(beam, token): total for token, total in row}
            chosen.append(self._share(sentence, candidates))
        rows = torch.tensor(chosen, dtype=torch.float64)  # (P, 2K, 3)
        for part, new in zip((found.totals, found.parents, found.tokens), rows.unbind(dim=-1), strict=True):
            part[places] = new.to(part)
        return found

    def follow(self, live: Beams, parents: Tensor, step: int) -> None:
        """What each beam has met now."""
        origins, written = parents.tolist(), live.tokens[:, :, step].tolist()
        for place, sentence in self._places(live):
            before, after = self.progress[sentence], self.phrases[sentence].after
            steps = zip(origins[place], written[place], strict=True)
            self.progress[sentence] = [after(before[origin], token) for origin, token in steps]

    def _share(self, sentence: int, candidates: dict[tuple[int, int], float]) -> list[tuple[float, int, int]]:
        """K candidates that end and K that live on, each (sum, parent, token).

        candidates: the sum of each (parent, token).
        """
        phrases, before, beams = self.phrases[sentence], self.progress[sentence], self.settings.beam_size
        enough = beams if self.settings.patience is not None else 2 * beams
        ending: list[tuple[float, int, int]] = []
        banks: dict[int, list[tuple[float, int, int]]] = defaultdict(list)
        for (beam, token), total in sorted(candidates.items(), key=lambda item: -item[1]):
            if total == NEVER:
                break
            if token != self.settings.eos_id:
                banks[phrases.met(phrases.after(before[beam], token))].append((total, beam, token))
            elif len(ending) < beams and len(ending) + len(banks[phrases.tokens]) < enough:
                ending.append((total, beam, token))
        # The best of each bank, the fullest first, then the second of each, and so on.
        order = sorted((rank, -bank) for bank, members in banks.items() for rank in range(len(members)))[:beams]
        going = [banks[-emptiness][rank] for rank, emptiness in order]
        nothing = (NEVER, 0, self.settings.eos_id)
        return [*ending, *[nothing] * (beams - len(ending)), *going, *[nothing] * (beams - len(going))]

    def _may_end_unmet(self, live: Beams, step: int) -> set[int]:
        """Rows of sentences that are at their limit with nothing found: those with the most whole phrases."""
        rows: set[int] = set()
        last = self.limits[live.alive] == step + 1
        waiting = (last & (live.finished_scores[live.alive, 0] == NEVER)).tolist()
        living = (live.sums > NEVER).tolist()
        for place, sentence in self._places(live):
            if waiting[place]:
                beams = zip(self.progress[sentence], living[place], strict=True)
                whole = [sum(progress.seen) if lives else -1 for progress, lives in beams]
                rows |= {place * len(whole) + beam for beam, seen in enumerate(whole) if seen == max(whole)}
        return rows

    def _places(self, live: Beams) -> list[tuple[int, int]]:
        """(place in the batch, sentence) of those that have phrases."""
        return [(place, s) for place, s in enumerate(live.alive.tolist()) if self.phrases[s].phrases]

    @staticmethod
    def _index(scores: Tensor, numbers: list[int]) -> Tensor:
        return torch.tensor(numbers, dtype=torch.long, device=scores.device)
