"""From segments to what a model can take: encoded, cut where they are too long, batched by length."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from nmt.errors import DataError
from nmt.text.lines import clean
from nmt.text.sentences import split_sentences
from nmt.text.tokenizer import Tokenizer

ADDED_LENGTH = 10  # an output may have max_length_ratio * source + this many pieces: short sources need room too


@dataclass
class Part:
    """A piece of a segment that fits the model.

    segment: its index among the segments.  text: cleaned, without tags.  ids: its source pieces, tags first.
    whole: it is the whole segment.  flags: what became of it.  tags: how many of the ids are tags.
    """

    segment: int
    text: str
    ids: list[int]
    whole: bool = True
    flags: list[str] = field(default_factory=list)
    tags: int = 0


def cut(
    segments: Sequence[str],
    tokenizer: Tokenizer,
    longest: int,
    language: str,
    *,
    long: Literal["split", "error"],
    numbers: Sequence[int],
    tags: Sequence[Sequence[str]] = (),
) -> Iterator[Part]:
    """The parts of each segment in order; a blank segment has none, with or without tags in front.

    longest: pieces the model takes beside EOS.  language: of the source, for finding the ends of sentences.
    long: a longer segment is split there, or is a DataError.  numbers: of each segment's line, for the message.
    tags: names of those that go in front of each segment, before its own; none: of none.
    Raises DataError for a tag in front of a segment, UsageError for one of `tags`, that the tokenizer does not declare.
    """
    own, texts = [], []
    for number, segment in enumerate(segments):
        ids, text = tokenizer.split_tags(clean(segment), f"line {numbers[number]}")
        own.append((tokenizer.tag_ids(tags[number]) if tags else []) + ids)
        texts.append(text)
    for number, (front, text, pieces) in enumerate(zip(own, texts, tokenizer.encode_batch(texts), strict=True)):
        if not text or not pieces:
            continue
        ids = front + pieces
        if len(ids) <= longest:
            yield Part(number, text, ids, tags=len(front))
        elif long == "error":
            raise DataError(
                f"line {numbers[number]} has {len(ids)} pieces; the model takes {longest}",
                "shorten the line, or leave out --long error: it is then split at sentence ends",
            )
        else:
            yield from _split(number, front, text, tokenizer, longest, language)


def _split(
    segment: int, tags: list[int], text: str, tokenizer: Tokenizer, longest: int, language: str
) -> Iterator[Part]:
    """One part a sentence, each with the tags: most models have learned from single sentences."""
    for sentence in map(str.strip, split_sentences(text, language)):
        pieces = tokenizer.encode(sentence)
        ids = tags + pieces
        if len(ids) > longest:
            yield Part(segment, sentence, ids[:longest], whole=False, flags=["cut source"], tags=len(tags))
        elif pieces:
            yield Part(segment, sentence, ids, whole=False, tags=len(tags))


def batches(widths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Indices of rows of similar width; widest first, so that memory is at its highest at once.

    widths: places that each row takes, EOS counted.  budget: padded places of a batch.
    """
    batch: list[int] = []
    for index in sorted(range(len(widths)), key=lambda i: -widths[i]):
        if batch and (len(batch) + 1) * widths[batch[0]] > budget:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
