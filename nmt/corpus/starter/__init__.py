"""The starter corpus: French and English sentences made by a grammar and by hand, so that anyone can begin at once."""

from nmt.corpus.starter.baseline import dictionary_baseline
from nmt.corpus.starter.pairs import StarterCorpus, StarterPair, write
from nmt.corpus.starter.split import generate

__all__ = ["StarterCorpus", "StarterPair", "dictionary_baseline", "generate", "write"]
