"""The least that a trained model must beat: translation word by word, with a dictionary and no grammar."""

import re
from collections import Counter, defaultdict

from nmt.corpus.starter.pairs import StarterCorpus

TOKEN = re.compile(r"^(.*?)([,.?!]*)$")


def dictionary_baseline(corpus: StarterCorpus) -> list[str]:
    """Translate the test sources word by word: one word for one word, the one that it is most often linked to in train.

    An unknown word is copied. Word order is the source's.
    """
    dictionary = _dictionary(corpus)
    return [_translate(pair.source, dictionary) for pair in corpus.test]


def _dictionary(corpus: StarterCorpus) -> dict[str, str]:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for pair in corpus.train:
        source, target = pair.source.split(), pair.target.split()
        for i, j in pair.links:
            counts[_bare(source[i])][_bare(target[j])] += 1
    # the first of equals in the alphabet, so that the result does not hang on the order of training
    return {word: min(found, key=lambda other: (-found[other], other)) for word, found in counts.items()}


def _bare(token: str) -> str:
    match = TOKEN.match(token)
    return (match[1] if match else token).lower()


def _translate(source: str, dictionary: dict[str, str]) -> str:
    words: list[str] = []
    for token in source.split():
        match = TOKEN.match(token)
        word, mark = (match[1], match[2]) if match else (token, "")
        if not word and words:
            words[-1] += mark
            continue
        words.append(dictionary.get(word.lower(), word) + mark)
    text = " ".join(words)
    return text[:1].upper() + text[1:]
