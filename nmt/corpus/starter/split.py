"""Train, dev and test out of the grammar and the hand-written pairs."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from random import Random
from typing import NamedTuple

from nmt.corpus.starter.everyday import PAIRS
from nmt.corpus.starter.grammar import Grammar, Sentence
from nmt.corpus.starter.heldout import HeldOut, held_out_pairs
from nmt.corpus.starter.pairs import StarterCorpus, StarterPair
from nmt.errors import DataError

SMALLEST, LARGEST = 2_000, 1_000_000
# From this size on all words are used; a smaller corpus keeps to fewer, so as to have each of them often.
ROOMY = 10_000
# Every word of the test set is this often in train, so that a miss is never for want of having met the word.
TIMES_SEEN = 5
# What is said every day is said often: in a corpus of some size each hand-written pair comes this many times. Met once
# among 20,000, "Je vais bien." became "I am going to cow.".
WRITTEN_TIMES, ROOMY_FOR_WRITTEN = 5, 4_000
# Draws without a new sentence after which the grammar counts as exhausted.
PATIENCE = 20_000
# Novel pairs kept for the test set.
WAITING = 5_000


def generate(
    pairs: int = 20_000,
    seed: int = 1,
    source_language: str = "fr",
    target_language: str = "en",
    dev: int = 1000,
    test: int = 1000,
) -> StarterCorpus:
    """Make the corpus; the same arguments always give the same one.

    pairs: size of train, the hand-written pairs included (they are always there, five times from 20,000 on).
    A tenth of the (verb, object) and (noun, adjective) pairs is held out of train and dev; each sentence in the second
    half of test has one. Every word of test is at least five times in train.
    Raises DataError for other languages than French and English, and for sizes that cannot be had.
    """
    _check(pairs, source_language, target_language, dev, test)
    corpus = _make(pairs, seed, source_language == "en", dev, test)
    return StarterCorpus(list(corpus.train), list(corpus.dev), list(corpus.test))


@lru_cache(maxsize=2)  # a run asks three times: for train, for dev, for test
def _make(pairs: int, seed: int, turned: bool, dev: int, test: int) -> StarterCorpus:
    pool = Pool(seed, pairs, turned)
    again = max(0, min(WRITTEN_TIMES, pairs // ROOMY_FOR_WRITTEN) - 1) * pool.written
    single = [*pool.written, *(pool.plain() for _ in range(pairs - len(pool.written) - len(again)))]
    train = [*single, *again]
    held = [pool.plain() for _ in range(dev)]
    usual = Usual(_often(pair.source for pair in single), _often(pair.target for pair in single))
    plain = [pool.plain(usual) for _ in range(test - test // 2)]
    novel = [pool.novel(usual) for _ in range(test // 2)]
    Random(f"order {seed}").shuffle(train)
    return StarterCorpus(train, held, plain + novel)


class Usual(NamedTuple):
    """The words of each side that train has often enough."""

    source: frozenset[str]
    target: frozenset[str]

    def covers(self, pair: StarterPair) -> bool:
        """Whether the pair has no other words. With "pomme." also "pomme" is known, so tokens are taken as they are."""
        return self.source.issuperset(pair.source.split()) and self.target.issuperset(pair.target.split())


def _often(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(
        word for word, times in Counter(w for t in texts for w in t.split()).items() if times >= TIMES_SEEN
    )


class Pool:
    """New pairs, sorted into plain ones and ones with held-out words. No French and no English sentence comes twice."""

    def __init__(self, seed: int, size: int, turned: bool) -> None:
        self.turned = turned
        self.written = [StarterPair(*(pair[::-1] if turned else pair)) for pair in PAIRS]
        self.grammar = Grammar(seed, share=min(1.0, size / ROOMY))
        self.held_out = HeldOut(held_out_pairs(seed, frozenset(french for french, _ in PAIRS)))
        self.met = {side for pair in PAIRS for side in pair}
        self.waiting: list[StarterPair] = []  # novel ones that turned up while plain ones were wanted

    def plain(self, usual: Usual | None = None) -> StarterPair:
        """One that has no held-out pair, made of these words only."""
        for _ in range(PATIENCE):
            sentence = self._new()
            if sentence is None:
                continue
            if self.held_out.holds(sentence.fr):
                if len(self.waiting) < WAITING and self._is_novel(sentence):
                    self.waiting.append(self._pair(sentence, novel=True))
                continue
            pair = self._pair(sentence)
            if usual is None or usual.covers(pair):
                return pair
        raise _exhausted()

    def novel(self, usual: Usual) -> StarterPair:
        """One that has a held-out pair, made of these words only."""
        for _ in range(PATIENCE):
            if self.waiting:
                pair = self.waiting.pop()
            else:
                sentence = self._new()
                if sentence is None or not self._is_novel(sentence):
                    continue
                pair = self._pair(sentence, novel=True)
            if usual.covers(pair):
                return pair
        raise _exhausted()

    def _new(self) -> Sentence | None:
        sentence = self.grammar.sentence()
        if sentence.fr in self.met or sentence.en in self.met:
            return None
        self.met.update((sentence.fr, sentence.en))
        return sentence

    def _is_novel(self, sentence: Sentence) -> bool:
        return not self.held_out.pairs.isdisjoint(sentence.pairs)

    def _pair(self, sentence: Sentence, novel: bool = False) -> StarterPair:
        if self.turned:
            return StarterPair(sentence.en, sentence.fr, tuple(sorted((j, i) for i, j in sentence.links)), novel)
        return StarterPair(sentence.fr, sentence.en, sentence.links, novel)


def _exhausted() -> DataError:
    return DataError(
        "the starter grammar finds no more sentences for sets of these sizes",
        "ask for more training pairs, or for a smaller dev and test set",
    )


def _check(pairs: int, source_language: str, target_language: str, dev: int, test: int) -> None:
    if {source_language, target_language} != {"fr", "en"}:
        raise DataError(
            f"the starter corpus is French and English, not {source_language!r} and {target_language!r}",
            "fr to en or en to fr; or text of your own: data.train=corpus/train",
        )
    if not SMALLEST <= pairs <= LARGEST:
        raise DataError(
            f"the starter corpus cannot have {pairs:,} training pairs", f"ask for {SMALLEST:,} to {LARGEST:,}"
        )
    if dev < 0 or test < 0:
        raise DataError(f"a dev set of {dev} and a test set of {test} pairs make no sense", "ask for 0 or more")
