"""From hypotheses to text: which one is taken, how parts become a segment again, and what was odd on the way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nmt.decoding.mbr import Utility, choose
from nmt.decoding.parts import Part
from nmt.decoding.search.settings import Hypothesis
from nmt.decoding.translation import Alternative, Request
from nmt.text.lines import clean, one_line
from nmt.text.tokenizer import Tokenizer

UNSPACED_LANGUAGES = frozenset({"zh", "ja", "th", "lo", "km", "my", "bo"})  # written without blanks between sentences


class Candidate(NamedTuple):
    """A hypothesis and its text. broken: it holds bytes that are no character."""

    hypothesis: Hypothesis
    text: str
    broken: bool


@dataclass(frozen=True)
class Draft:
    """A segment's translation before it is described.

    parts: what was translated, with the hypothesis taken for each in `taken`; none for a blank segment.
    ranked: all candidates, the one taken first; of a segment in one part only.
    """

    text: str
    score: float
    flags: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    taken: tuple[Hypothesis, ...] = ()
    ranked: tuple[Alternative, ...] = ()


# Puts the candidates of a part, best score first, into the order in which they are wanted.
Ranking = Callable[[Part, Sequence[Candidate]], Sequence[Candidate]]


class Writer:
    """Turns what a search has found into drafts."""

    def __init__(self, tokenizer: Tokenizer, language: str, rank: Ranking | None = None) -> None:
        """tokenizer, language: of the target.  rank: None takes the best score."""
        self.tokenizer = tokenizer
        self.blank = "" if language in UNSPACED_LANGUAGES else " "
        self.rank = rank

    def draft(self, request: Request, parts: Sequence[Part], found: Sequence[Sequence[Hypothesis]]) -> Draft:
        """parts: of the segment, in order.  found: hypotheses of each, best first; at least one."""
        if not parts:
            return Draft("", 0.0)
        ranked = [[self._read(hypothesis) for hypothesis in of_part] for of_part in found]
        if self.rank is not None:
            ranked = [list(self.rank(*of_part)) for of_part in zip(parts, ranked, strict=True)]
        first = [candidates[0] for candidates in ranked]
        text = self.blank.join(candidate.text for candidate in first)
        flags = [flag for part in parts for flag in part.flags]
        if any(candidate.broken for candidate in first):
            flags.append("broken bytes")
        if any(candidate.hypothesis.capped for candidate in first):
            flags.append("reached the length limit")
        if any(phrase not in text for phrase in cleaned(request.phrases)):
            flags.append("missing phrase")
        return Draft(
            text,
            sum(candidate.hypothesis.score for candidate in first) / len(first),
            tuple(dict.fromkeys(flags)),
            tuple(parts),
            tuple(candidate.hypothesis for candidate in first),
            tuple(Alternative(c.text, c.hypothesis.score) for c in ranked[0]) if parts[0].whole else (),
        )

    def _read(self, hypothesis: Hypothesis) -> Candidate:
        text, broken = self.tokenizer.decode_checked(hypothesis.tokens)
        return Candidate(hypothesis, one_line(text).strip(), broken)


def cleaned(phrases: Sequence[str]) -> list[str]:
    """Phrases as an output can hold them; blank ones ask for nothing."""
    return [phrase for phrase in map(clean, phrases) if phrase]


def by_expected_utility(utility: Utility) -> Ranking:
    """Minimum Bayes risk: what is most like all others first."""

    def rank(_: Part, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        choice = choose([candidate.text for candidate in candidates], utility)
        order = sorted(range(len(candidates)), key=lambda i: (i != choice.best, -choice.utilities[i]))
        return [candidates[index] for index in order]

    return rank
