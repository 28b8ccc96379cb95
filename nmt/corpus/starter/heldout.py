"""Word pairs kept away from training: a tenth of all (verb, object) and (noun, adjective) pairs.

A model that translates them right has learned how words combine, and not only what it saw together.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

from nmt.corpus.starter.collocations import ADJECTIVES, OBJECTS, Pair
from nmt.corpus.starter.french import (
    SimpleTense,
    conjugate,
    conjugation,
    french_plural,
    gerund,
    imperative,
    subjunctive,
)
from nmt.corpus.starter.lexicon_adjectives import DESCRIPTIONS, VOWEL_FORMS
from nmt.corpus.starter.lexicon_nouns import NOUNS

SHARE = 0.1
# Words with fewer partners than this keep them all, or they might be left with none.
FEW = 4
TENSES: tuple[SimpleTense, ...] = ("present", "imperfect", "future", "conditional")
TOKEN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@cache
def all_pairs() -> tuple[Pair, ...]:
    """Every (verb, object) and (noun, adjective) pair that the grammar can say, in a fixed order."""
    verbs = {(verb.fr, noun.fr) for verb, nouns in OBJECTS.items() for noun in nouns}
    described = {(noun.fr, adjective.fr) for noun, adjectives in ADJECTIVES.items() for adjective in adjectives}
    return tuple(sorted(verbs | described))


def held_out_pairs(seed: int, known: frozenset[str]) -> frozenset[Pair]:
    """The pairs of this seed. known: French sentences that will be trained on, whose pairs cannot be held out."""
    spoken = [lemmas(sentence) for sentence in sorted(known)]
    taken = {(first, second) for words in spoken for first in words for second in words}
    partners = Counter(word for pair in all_pairs() for word in pair)
    free = [pair for pair in all_pairs() if pair not in taken and min(partners[word] for word in pair) >= FEW]
    return frozenset(Random(f"held out {seed}").sample(free, int(len(all_pairs()) * SHARE)))


class HeldOut:
    """The held-out pairs of a seed, and whether a sentence holds one."""

    def __init__(self, pairs: frozenset[Pair]) -> None:
        self.pairs = pairs
        self.partners: dict[str, set[str]] = {}
        for first, second in pairs:
            self.partners.setdefault(first, set()).add(second)

    def holds(self, sentence: str) -> bool:
        """Whether a French sentence has both words of a pair, in any form and however far apart."""
        found = lemmas(sentence)
        partners = self.partners
        return any(word in partners and not partners[word].isdisjoint(found) for word in found)


def lemmas(sentence: str) -> set[str]:
    """All dictionary forms that the words of a French sentence may belong to."""
    forms = _forms()
    found: set[str] = set()
    for token in TOKEN.findall(sentence.lower()):
        known = forms.get(token)
        if known is not None:
            found.update(known)
        elif "-" in token:  # mange-t-elle
            for part in token.split("-"):
                found.update(forms.get(part, ()))
    return found


@cache
def _forms() -> dict[str, frozenset[str]]:
    forms: dict[str, set[str]] = {}
    for lemma, form in _all_forms():
        forms.setdefault(form, set()).add(lemma)
    return {form: frozenset(found) for form, found in forms.items()}


def _all_forms() -> Iterator[Pair]:
    for noun in NOUNS:
        yield noun.fr, noun.fr
        yield noun.fr, noun.fr_plural
    for adjective in DESCRIPTIONS:
        for form in (adjective.fr, adjective.fr_feminine, VOWEL_FORMS.get(adjective.fr, adjective.fr)):
            yield adjective.fr, form
            yield adjective.fr, french_plural(form)
    for infinitive in {verb.fr for verb in OBJECTS}:
        for form in _verb_forms(infinitive):
            yield infinitive, form


def _verb_forms(infinitive: str) -> Iterator[str]:
    yield infinitive
    yield gerund(infinitive)
    participle = conjugation(infinitive).participle
    yield from (participle, participle + "e", french_plural(participle), participle + "es")
    for person in range(6):
        for tense in TENSES:
            yield conjugate(infinitive, tense, person)
        yield subjunctive(infinitive, person)
        yield imperative(infinitive, person)
