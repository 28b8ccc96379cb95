"""What a translator is asked for, and what it answers: plain values, which other processes and JSON can carry."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from nmt.errors import UsageError


@dataclass(frozen=True)
class Request:
    """A segment to translate, and what its translation must hold.

    prefix: what it begins with.  phrases: each appears in it, as it is spelled here; the model chooses where.
    tags: names of tags that the model declares, without brackets, as if they stood in front of the text.
    """

    text: str
    prefix: str = ""
    phrases: Sequence[str] = ()
    tags: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Raises UsageError for what is not text, and for phrases or tags that are one text."""
        for name, texts in (("phrases", self.phrases), ("tags", self.tags)):
            if isinstance(texts, str) or not isinstance(texts, Sequence):
                raise UsageError(f"the {name} of a request are {texts!r}, no list of texts", f"{name}=[text]")
        for value in (self.text, self.prefix, *self.phrases, *self.tags):
            if not isinstance(value, str):
                raise UsageError(f"a request holds {type(value).__name__}, not text", "Request(text)")


class Alternative(NamedTuple):
    """One of the n best outputs. score: as of the search."""

    text: str
    score: float


class Token(NamedTuple):
    """A piece of the output, as SentencePiece writes it, its log-probability (natural logarithm) and its id."""

    piece: str
    log_prob: float
    id: int


@dataclass(frozen=True)
class Translation:
    """One segment's result.

    text: one line.  score: of the search, the mean over parts when a long segment was split; NaN when not asked for.
    flags: what a reader should know (`cut source`, `reached the length limit`, `repetition`, ...).
    n_best: the best outputs, `text` the first; empty unless asked for, or for a segment that was split.
    tokens: the pieces of `text`, `</s>` the last one of each part.  alignment: (source word, target word), from 0.
    confidence: probability that this is at least as good as the median of the dev set; None where dev was too small.
    """

    text: str
    score: float = float("nan")
    flags: tuple[str, ...] = ()
    n_best: tuple[Alternative, ...] = ()
    tokens: tuple[Token, ...] = ()
    alignment: tuple[tuple[int, int], ...] = ()
    confidence: float | None = None

    def as_json(self, source: str) -> dict[str, Any]:
        """Plain values for `json.dumps`: one object a line."""
        return {
            "source": source,
            "text": self.text,
            "score": self.score,
            "confidence": self.confidence,
            "flags": list(self.flags),
            "tokens": [{"piece": token.piece, "log_prob": token.log_prob} for token in self.tokens],
            "alignment": [list(link) for link in self.alignment],
            "n_best": [{"text": other.text, "score": other.score} for other in self.n_best],
        }
