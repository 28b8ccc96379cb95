"""In which language a line is, asked of a detector only where a look at its commonest words does not tell."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

from nmt.corpus.rules.languages import is_unspaced, kin_of
from nmt.text.languages import base

LETTERS = 20  # fewer tell too little
SURE, UNLIKELY = 0.5, 0.05  # the other language's probability; the right one's, as a share of that
SAMPLE = 1000  # lines to learn the commonest words from
COMMON = 300  # words
_FEWEST = 100  # lines


@cache
def _detector() -> Any:
    # Imported here: its model takes half a second.
    import py3langid.langid

    return py3langid.langid.LanguageIdentifier.from_model_file("data/model.npz.xz", norm_probs=True)


@cache
def _is_known(language: str) -> bool:
    return base(language) in _detector().labels


class Listener:
    """Whether a line is clearly in another language than this one.

    Picklable; the detector itself is loaded in each process that needs it.
    """

    def __init__(self, language: str, common: frozenset[str] = frozenset()) -> None:
        """common: words (characters, in scripts without blanks) that hardly any line of the language does without."""
        self.language = language
        self.common = common
        self.by_character = is_unspaced(language)

    def hears_another(self, text: str, words: Sequence[str], letters: int) -> bool:
        """words: `text.split()`.  letters: how many it has."""
        return letters >= LETTERS and not self.sounds_familiar(text, words) and is_another(text, self.language)

    def sounds_familiar(self, text: str, words: Sequence[str]) -> bool:
        """Whether it has enough of the common words that the detector need not be asked."""
        seen = self.common.intersection(text if self.by_character else words)
        return len(seen) >= 2 + len(words) // 10


def is_another(text: str, language: str) -> bool:
    """The detector's own word on a text: that it is in another language, and surely not in this one or its kin."""
    if not _is_known(language):
        return False
    ranking = dict(_detector().rank(text))
    top = max(ranking.values())
    return top > SURE and sum(ranking.get(name, 0.0) for name in kin_of(language)) < UNLIKELY * top


def common_words(lines: Sequence[str], language: str) -> frozenset[str]:
    """The words, as they are written there, that are in most lines which the detector does not take for another's."""
    unspaced = is_unspaced(language)
    found: Counter[str] = Counter()
    step = max(1, len(lines) // SAMPLE)
    count = 0
    for line in lines[::step]:
        if not is_another(line, language):
            found.update(set(line) if unspaced else set(line.split()))
            count += 1
    if count < _FEWEST:
        return frozenset()
    return frozenset(word for word, times in found.most_common(COMMON) if any(map(str.isalpha, word)))


def detect(text: str) -> str:
    """The code of the language that it is most likely in."""
    return str(_detector().classify(text)[0])


def knows(language: str) -> bool:
    """Whether the detector knows it."""
    return _is_known(language)
