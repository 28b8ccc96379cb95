"""What a corpus is like, in numbers: one walk over its pairs, in memory that does not grow with it.

Lengths are of the text in the form in which it is learned from (`text.lines.clean`). A word is what stands between
blanks, so in scripts without blanks lengths in characters say more.
"""

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from nmt.corpus.chunks import Pairs, worked
from nmt.corpus.duplicates.distinct import DistinctCounter
from nmt.corpus.duplicates.keys import exact_key, text_key
from nmt.processes import Tell
from nmt.text.lines import clean
from nmt.text.surface import PUNCTUATION, script_of
from nmt.text.tokenizer import Tokenizer

QUANTILES = {"p5": 0.05, "p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
_FINEST = 100  # steps of the logarithm of a ratio: its quantiles are within half a percent of the truth
_BYTE = re.compile("<0x[0-9A-F]{2}>")


@dataclass
class Lines:
    """Lines of one language; those that are blank count only as such.

    words, characters, pieces: how many lines have so many.  letters: how often each character is there.
    """

    blank: int = 0
    words: Counter[int] = field(default_factory=Counter)
    characters: Counter[int] = field(default_factory=Counter)
    pieces: Counter[int] = field(default_factory=Counter)  # EOS counted
    letters: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Lines") -> None:
        """Count these, too."""
        self.blank += other.blank
        self.words += other.words
        self.characters += other.characters
        self.pieces += other.pieces
        self.letters += other.letters


@dataclass
class SideCounts(Lines):
    """All lines of one language, and its different words, without the punctuation around them."""

    different: DistinctCounter = field(default_factory=DistinctCounter)


@dataclass
class Statistics:
    """What `measure` has counted.

    pairs: all.  blank: those with a side that is.  ratios: how many pairs have round(100 ln(target / source)), in
    characters.  different: pairs by `exact_key`.
    """

    pairs: int = 0
    blank: int = 0
    source: SideCounts = field(default_factory=SideCounts)
    target: SideCounts = field(default_factory=SideCounts)
    ratios: Counter[int] = field(default_factory=Counter)
    different: DistinctCounter = field(default_factory=DistinctCounter)


@dataclass
class _Chunk:
    """lines, word_keys: of the source, and of the target."""

    blank: int
    lines: tuple[Lines, Lines]
    word_keys: tuple[np.ndarray, np.ndarray]
    ratios: Counter[int]
    pair_keys: np.ndarray


def measure(
    pairs: Iterable[tuple[str, str]],
    tokenizers: tuple[Tokenizer, Tokenizer] | None = None,
    workers: int | None = None,
) -> Statistics:
    """Walk through the pairs once. tokenizers: of source and target, to count pieces, too.  workers: see `worked`.

    Memory: some 100 MiB and 50 for each process, whatever the corpus.
    """
    found = Statistics()
    protos = (tokenizers[0].proto, tokenizers[1].proto) if tokenizers else None
    with worked(pairs, partial(_Measure, protos), workers) as results:
        for chunk, counts in results:
            found.pairs += len(chunk)
            found.blank += counts.blank
            for side, lines, keys in zip((found.source, found.target), counts.lines, counts.word_keys, strict=True):
                side.add(lines)
                side.different.add(keys)
            found.ratios += counts.ratios
            found.different.add(counts.pair_keys)
    return found


class _Measure:
    """Counts one chunk; made once in each process."""

    def __init__(self, protos: tuple[bytes, bytes] | None) -> None:
        self._tokenizers = [Tokenizer(proto) for proto in protos] if protos else [None, None]

    def __call__(self, pairs: Pairs, _: Tell) -> _Chunk:
        sources, targets = ([clean(pair[side]) for pair in pairs] for side in (0, 1))
        both = [pair for pair in zip(sources, targets, strict=True) if all(pair)]
        (source_lines, source_keys), (target_lines, target_keys) = map(_count, (sources, targets), self._tokenizers)
        return _Chunk(
            blank=len(pairs) - len(both),
            lines=(source_lines, target_lines),
            word_keys=(source_keys, target_keys),
            ratios=Counter(round(_FINEST * math.log(len(target) / len(source))) for source, target in both),
            pair_keys=np.fromiter(itertools.starmap(exact_key, pairs), np.uint64, len(pairs)),
        )


def _count(texts: Sequence[str], tokenizer: Tokenizer | None) -> tuple[Lines, np.ndarray]:
    blank, texts = texts.count(""), [text for text in texts if text]
    words = [text.split() for text in texts]
    different = {word.strip(PUNCTUATION) or word for word in set(itertools.chain.from_iterable(words))}
    codes = np.bincount(np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32))
    lines = Lines(
        blank=blank,
        words=Counter(map(len, words)),
        characters=Counter(map(len, texts)),
        letters=Counter({chr(code): int(codes[code]) for code in np.flatnonzero(codes)}),
    )
    if tokenizer is not None:
        lines.pieces = Counter(len(ids) + 1 for ids in tokenizer.encode_batch(texts))
    return lines, np.fromiter(map(text_key, different), np.uint64, len(different))


# ---- what is made of the counts


def total(lengths: Mapping[int, int]) -> int:
    """Of all lines together."""
    return sum(length * count for length, count in lengths.items())


def quantiles(lengths: Mapping[int, int]) -> dict[str, int]:
    """By name, as in `QUANTILES`: the smallest length that so large a share of the lines does not exceed."""
    ordered = sorted(lengths)
    ends = np.cumsum([lengths[length] for length in ordered])
    if not ordered:
        return dict.fromkeys(QUANTILES, 0)
    places = {name: int(np.searchsorted(ends, share * ends[-1] - 1e-9)) for name, share in QUANTILES.items()}
    return {name: ordered[place] for name, place in places.items()}


def scripts(letters: Mapping[str, int]) -> dict[str, float]:
    """Share of the letters that each script has, the largest first."""
    found: Counter[str] = Counter()
    for letter, count in letters.items():
        if letter.isalpha():
            found[script_of(letter)] += count
    everything = found.total()
    return {script: count / everything for script, count in found.most_common()}


def unknown(letters: Mapping[str, int], tokenizer: Tokenizer) -> Counter[str]:
    """Characters without a piece of their own, with how often they are there: written as bytes, or as `<unk>`."""
    ordered = list(letters)
    spelled = zip(ordered, tokenizer.encode_batch(ordered), strict=True)
    return Counter({letter: letters[letter] for letter, ids in spelled if not _is_known(ids, tokenizer)})


def _is_known(ids: Sequence[int], tokenizer: Tokenizer) -> bool:
    return tokenizer.unk_id not in ids and not any(map(_BYTE.fullmatch, tokenizer.pieces(ids)))
