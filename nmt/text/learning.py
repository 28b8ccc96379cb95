"""What a subword model is learned from, and what is said when it cannot be."""

import random
import re
from collections.abc import Iterable, Iterator, Sequence

from nmt.errors import ConfigError
from nmt.text.escapes import escape

_TRAINING_CHARACTERS = 1000  # SentencePiece drops lines over 4192 bytes without a word


def training_lines(lines: Iterable[str], tags: Sequence[str]) -> Iterator[str]:
    """The lines as SentencePiece is to see them: without tags, escaped, and long ones cut into stretches it takes."""
    names = "|".join(map(re.escape, tags))
    declared = re.compile(rf"(?:>>(?:{names})<<\s*)+")
    if tags:
        lines = (declared.sub("", line, count=1) if declared.match(line) else line for line in lines)
    for line in filter(str.strip, lines):
        for start in range(0, len(line), _TRAINING_CHARACTERS):
            yield escape(line[start : start + _TRAINING_CHARACTERS])


def sample_lines(lines: Iterable[str], size: int, randomness: random.Random) -> list[str]:
    """At most `size` of the lines, each with equal chance, in one pass and without keeping more (Vitter 1985, R)."""
    sample: list[str] = []
    for seen, line in enumerate(lines):
        if seen < size:
            sample.append(line)
        elif (place := randomness.randrange(seen + 1)) < size:
            sample[place] = line
    return sample


def training_error(error: RuntimeError, vocab_size: int) -> ConfigError:
    """The error to raise for one of SentencePiece's."""
    if match := re.search(r"smaller than required_chars\. \d+ vs (\d+)", str(error)):
        smallest = int(match[1])
        return ConfigError(
            f"tokenizer.vocab_size is {vocab_size}, but this text needs at least {smallest}:"
            " the special pieces, the bytes and one for each character.",
            f"set tokenizer.vocab_size to {smallest} or more, or lower tokenizer.character_coverage",
        )
    return ConfigError(
        f"SentencePiece cannot train a model with tokenizer.vocab_size = {vocab_size}: {str(error).strip()}",
        "try a larger tokenizer.vocab_size",
    )
