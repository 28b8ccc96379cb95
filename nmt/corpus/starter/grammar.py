"""The grammar: the list of its templates, each with how often it is used, and one sentence drawn from it."""

from collections.abc import Callable
from itertools import accumulate
from random import Random
from typing import NamedTuple

from nmt.corpus.starter import statements
from nmt.corpus.starter.draw import Draw, Pair
from nmt.corpus.starter.words import Phrase, alignment, english_tokens, french_tokens

Template = Callable[[Draw], Phrase]

TEMPLATES: tuple[tuple[float, Template], ...] = (
    (3, statements.event),
    (3, statements.plan),
    (3, statements.habit),
    (2, statements.going_on),
    (2, statements.formerly),
    (2, statements.interrupted),
    (2, statements.not_so),
    (2, statements.never),
    (2, statements.no_longer),
    (2, statements.nothing),
    (2, statements.already),
    (1.5, statements.just_now),
    (3, statements.wish),
    (1.5, statements.liking),
    (1.5, statements.pastime),
    (1.5, statements.concern),
)
WEIGHTS = tuple(accumulate(weight for weight, _ in TEMPLATES))


class Sentence(NamedTuple):
    """A sentence in both languages, the links between their tokens, and the pairs of words that it puts together."""

    fr: str
    en: str
    links: tuple[tuple[int, int], ...]
    pairs: tuple[Pair, ...]


class Grammar:
    """An endless supply of sentences; the same seed gives the same ones."""

    def __init__(self, seed: int) -> None:
        self.draw = Draw(Random(seed))

    def sentence(self) -> Sentence:
        """The next one."""
        ((_, template),) = self.draw.rng.choices(TEMPLATES, cum_weights=WEIGHTS)
        return self.say(template)

    def say(self, template: Template) -> Sentence:
        """One sentence made by this template."""
        self.draw.begin()
        said = template(self.draw)
        french, english = french_tokens(said.fr), english_tokens(said.en)
        return Sentence(
            " ".join(word.text for word in french),
            " ".join(word.text for word in english),
            alignment(french, english),
            tuple(self.draw.pairs),
        )
