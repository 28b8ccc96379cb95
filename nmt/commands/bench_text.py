"""Text for `nmt bench data`: as many pairs as wanted, fast, always the same, and in no human language.

Words follow Zipf's law as in real text; the commonest are real ones, so that it passes for English and German. A target
has the words of its source, a few left out. Some pairs come again, some in capitals, some have no target.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from nmt.text.lines import atomic_file

LANGUAGES = ("en", "de")
WORDS = 50_000
NUMBERS = 10_000
CHUNK = 50_000  # pairs
LONGEST = 60  # words
REPEATED, CAPITALS, BLANK = 0.02, 0.01, 0.002  # share of the pairs
NUMBER, LEFT_OUT = 0.02, 0.05  # share of the words
_COMMON = (
    "the of and to in a is that for it was on with as be at by this are from not have or an they which you were all we"
    " there can been has their more when will would who what so if no out up about into than them only some time could"
    " these two may then do first any my now such like our over new even most after also did many before must through"
    " years where much way well should because each those people how too good make world year still see work life",
    "die der und in zu den das nicht von sie ist des sich mit dem dass er es ein ich auf so eine auch als an nach"
    " wie im für man aber aus durch wenn nur war noch werden bei hat wir was wird sein einen welche sind oder um"
    " haben einer mir über ihm diese einem ihr uns da zum kann doch vor dieser mich ihn du hatte seine mehr am"
    " denn nun unter sehr selbst schon hier bis habe ihre dann ihnen seiner alle wieder meine zeit gegen vom ganz"
    " einzelnen wo muss ohne",
)
_STARTS = "b br d f fl g gr h k kl l m n p pr r s st t tr v w sch".split()
_MIDDLES = (("a", "e", "i", "o", "u", "ea", "ou"), ("a", "e", "i", "o", "u", "ei", "ie", "ä", "ö", "ü"))
_ENDS = (("n", "r", "s", "t", "ng", "ck", "ll", ""), ("n", "r", "s", "t", "ch", "ng", "ft", ""))


def write_pairs(prefix: Path, count: int) -> None:
    """Write PREFIX.en and PREFIX.de. 10 million pairs take a minute and a half, and 1.8 GB."""
    words = [np.array(_vocabulary(side), dtype=object) for side in (0, 1)]
    with atomic_file(Path(f"{prefix}.en")) as source, atomic_file(Path(f"{prefix}.de")) as target:
        for begin in range(0, count, CHUNK):
            random = np.random.default_rng([1, begin])
            sources, targets = _chunk(random, words, min(CHUNK, count - begin))
            source.write("".join(sources).encode())
            target.write("".join(targets).encode())


def _vocabulary(side: int) -> list[str]:
    """Different words by their rank, and behind them numbers."""
    random = np.random.default_rng(side)
    words = dict.fromkeys(_COMMON[side].split())
    parts = _STARTS, _MIDDLES[side], _ENDS[side]
    while len(words) < WORDS:
        syllables = [[part[random.integers(len(part))] for part in parts] for _ in range(random.integers(1, 4))]
        words["".join(map("".join, syllables))] = None
    return [*words, *map(str, range(NUMBERS))]


def _chunk(random: np.random.Generator, words: Sequence[np.ndarray], count: int) -> tuple[list[str], list[str]]:
    lengths = np.clip(random.lognormal(2.4, 0.55, count), 1, LONGEST).astype(np.int64)
    total = int(lengths.sum())
    # Of rank r with a probability of about 1 / r.
    ids = (np.exp(random.random(total) * np.log(WORDS)) - 1).astype(np.int64)
    ids = np.where(random.random(total) < NUMBER, WORDS + random.integers(0, NUMBERS, total), ids)
    ends = np.cumsum(lengths)
    is_last = np.zeros(total, np.bool_)
    is_last[ends - 1] = True
    kept = (random.random(total) > LEFT_OUT) | is_last
    sources = list(_sentences(words[0][ids].tolist(), ends))
    targets = list(_sentences(words[1][ids[kept]].tolist(), np.cumsum(kept)[ends - 1]))
    for place in np.flatnonzero(random.random(count) < REPEATED)[1:].tolist():
        earlier = int(random.integers(place))
        sources[place], targets[place] = sources[earlier], targets[earlier]
    for place in np.flatnonzero(random.random(count) < CAPITALS)[1:].tolist():
        earlier = int(random.integers(place))
        sources[place], targets[place] = sources[earlier].upper(), targets[earlier].upper()
    for place in np.flatnonzero(random.random(count) < BLANK).tolist():
        targets[place] = "\n"
    return sources, targets


def _sentences(words: Sequence[str], ends: np.ndarray) -> Iterator[str]:
    begin = 0
    for end in ends.tolist():
        text = " ".join(words[begin:end])
        yield f"{text[0].upper()}{text[1:]}.\n"
        begin = end
