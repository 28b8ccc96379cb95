"""What subword vocabularies of several sizes would make of a corpus."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from nmt.corpus.checking.reading import Pair
from nmt.errors import ConfigError
from nmt.text.tokenizer import UNK_ID, Tokenizer

SIZES = (1000, 2000, 4000, 8000, 16000, 32000)
TIMES = 10  # a piece that the corpus has less often is hardly learnt
SELDOM = 0.1  # share of such pieces from which a vocabulary is too large


@dataclass(frozen=True)
class Vocabulary:
    """One size, for both sides together.

    pieces_per_word: mean.  whole_words: share of the words in the text that are one piece.
    unused, seldom: pieces that the text never uses; that it uses less than `TIMES` (bytes and special ones apart).
    """

    size: int
    pieces_per_word: float
    whole_words: float
    unused: int
    seldom: int

    @property
    def fits(self) -> bool:
        """Whether hardly any piece is too rare to be learnt."""
        return self.seldom <= SELDOM * self.size

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def vocabularies(pairs: Sequence[Pair], scale: float = 1.0, sizes: Sequence[int] = SIZES) -> list[Vocabulary]:
    """What each size gives, as far as the text allows. pairs: cleaned.  scale: the corpus is so much larger."""
    lines = [text for pair in pairs for text in pair if text]
    words = Counter(word for line in lines for word in line.split())
    found: list[Vocabulary] = []
    for size in sizes if words else ():
        try:
            tokenizer = Tokenizer.train(lines, kind="unigram", vocab_size=size, quiet=True)
        except ConfigError:  # more characters than that
            continue
        if tokenizer.vocab_size < size:
            break  # the text has no more to offer
        found.append(_measure(tokenizer, words, scale))
        if not found[-1].fits:
            break  # larger ones fit even less
    return found


def _measure(tokenizer: Tokenizer, words: Counter[str], scale: float) -> Vocabulary:
    spelled = tokenizer.encode_batch(list(words))
    counts = list(words.values())
    total = sum(counts)
    used: Counter[int] = Counter()
    for ids, times in zip(spelled, counts, strict=True):
        for i in ids:
            used[i] += times
    names = tokenizer.pieces(range(tokenizer.vocab_size))
    pieces = [i for i, name in enumerate(names) if i > UNK_ID and not re.fullmatch("<0x..>", name)]
    return Vocabulary(
        tokenizer.vocab_size,
        sum(len(ids) * times for ids, times in zip(spelled, counts, strict=True)) / total,
        sum(times for ids, times in zip(spelled, counts, strict=True) if len(ids) == 1) / total,
        sum(not used[i] for i in pieces),
        sum(used[i] * scale < TIMES for i in pieces),
    )


def recommended(found: Sequence[Vocabulary]) -> Vocabulary | None:
    """The largest of which the corpus has nearly every piece often enough to learn it (as in Gowda & May 2020)."""
    good = [each for each in found if each.fits]
    return good[-1] if good else (found[0] if found else None)
