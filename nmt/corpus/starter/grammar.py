"""The grammar: the list of its templates, each with how often it is used, and one sentence drawn from it."""

from collections.abc import Callable
from itertools import accumulate
from random import Random
from typing import NamedTuple

from nmt.corpus.starter import (
    comparisons,
    demands,
    joined,
    measures,
    places,
    pronouns,
    questions,
    relatives,
    statements,
)
from nmt.corpus.starter.collocations import Pair
from nmt.corpus.starter.draw import Draw
from nmt.corpus.starter.words import Phrase, Tokens, alignment, english_tokens, french_tokens

Template = Callable[[Draw], Phrase]

TEMPLATES: tuple[tuple[float, Template], ...] = (
    (2.6, statements.event),
    (2.6, statements.plan),
    (2.6, statements.habit),
    (1.6, statements.going_on),
    (1.6, statements.formerly),
    (1.3, statements.interrupted),
    (2, statements.not_so),
    (3.7, statements.never),
    (4, statements.no_longer),
    (4.7, statements.nothing),
    (2, statements.already),
    (1.2, statements.just_now),
    (3, statements.wish),
    (1.2, statements.liking),
    (3.6, statements.groceries),
    (1.5, statements.pastime),
    (1.8, statements.concern),
    (1.7, pronouns.looking),
    (2.5, pronouns.here_it_is),
    (1.7, pronouns.got_and_used),
    (2, pronouns.helped),
    (2, pronouns.gave),
    (3, pronouns.handed_over),
    (4.4, pronouns.there),
    (2.6, pronouns.thought_of),
    (3.6, pronouns.some_of_it),
    (2.3, pronouns.so_many_of_them),
    (2.5, questions.yes_or_no),
    (2.7, questions.yes_or_no_usually),
    (2, questions.where_or_when),
    (2, questions.why),
    (2, questions.what),
    (1.5, questions.whom),
    (1.5, questions.who),
    (2, questions.which),
    (2.5, questions.how_many),
    (2.5, questions.what_time),
    (1, measures.departure),
    (1.5, measures.routine),
    (0.8, measures.event_begins),
    (2.6, measures.dated),
    (1.5, measures.born),
    (0.8, measures.age),
    (1, measures.price),
    (0.8, measures.how_long),
    (1, measures.how_long_ago),
    (1, measures.for_years),
    (6, comparisons.compared),
    (2.5, comparisons.superlative),
    (0.8, places.position),
    (0.8, places.location),
    (0.8, places.whereabouts),
    (1.3, places.going),
    (2.4, places.coming_home),
    (1.5, places.weather),
    (0.5, places.description),
    (3, places.possession),
    (1.3, places.belongs),
    (1.8, places.made_by),
    (1, places.what_a),
    (0.8, places.hunger),
    (1.2, relatives.who_does),
    (1, relatives.knows_who),
    (1.5, relatives.that_one),
    (1.5, relatives.searched_for),
    (0.9, relatives.where_one_does),
    (0.8, relatives.of_which),
    (0.8, joined.because),
    (1, joined.too_tired),
    (1, joined.if_it),
    (1, joined.if_one_were),
    (1, joined.when_then),
    (1.5, joined.meanwhile),
    (1, joined.although_not),
    (1.5, joined.said),
    (1, joined.before_that),
    (1, joined.in_order_to),
    (1, joined.while_doing),
    (1, demands.told_to),
    (1.5, demands.give_it),
    (1.8, demands.must),
    (2, demands.needs),
)
WEIGHTS = tuple(accumulate(weight for weight, _ in TEMPLATES))


class Sentence(NamedTuple):
    """A sentence in both languages, as text and as tokens, and the pairs of words that it puts together."""

    fr: str
    en: str
    french: Tokens
    english: Tokens
    pairs: tuple[Pair, ...]

    @property
    def links(self) -> tuple[tuple[int, int], ...]:
        """The gold alignment, French first."""
        return alignment(self.french, self.english)


class Grammar:
    """An endless supply of sentences; the same seed gives the same ones."""

    def __init__(self, seed: int, share: float = 1.0) -> None:
        self.draw = Draw(Random(seed), share)

    def sentence(self) -> Sentence:
        """The next one."""
        return self.say(self.draw.weighted(TEMPLATES, WEIGHTS)[1])

    def say(self, template: Template) -> Sentence:
        """One sentence made by this template."""
        self.draw.begin()
        said = template(self.draw)
        french, english = french_tokens(said.fr), english_tokens(said.en)
        return Sentence(
            " ".join(french.texts),
            " ".join(english.texts),
            french,
            english,
            tuple(self.draw.pairs),
        )
