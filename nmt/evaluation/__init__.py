"""How good a translation is: strings in, scores out. A score never travels without its signature."""

from nmt.evaluation.languages import bleu_tokenizer
from nmt.evaluation.metrics import KEYS, Key, Metric, metrics_for
from nmt.evaluation.scores import Evaluation, Score, corpus_bleu, corpus_chrf, evaluate, sentence_chrf

__all__ = [
    "KEYS",
    "Evaluation",
    "Key",
    "Metric",
    "Score",
    "bleu_tokenizer",
    "corpus_bleu",
    "corpus_chrf",
    "evaluate",
    "metrics_for",
    "sentence_chrf",
]
