"""Which word each subword piece belongs to.

A word is a run without white space, as `text.split()` cuts it, its punctuation included. In scripts that put no blanks
between words it is whatever stands between two blanks or at an end: often a whole clause.
"""

from collections.abc import Sequence

from nmt.text.lines import clean, one_line
from nmt.text.tokenizer import Tokenizer


def source_words(tokenizer: Tokenizer, text: str, *, tagged: bool = True) -> list[int]:
    """For each piece of `encode_source(clean(text))` the index of its word in `text.split()`.

    text: as the user wrote it. A piece that is a blank only belongs to the word behind it. A tag belongs to none, which
    is -1: it says how to translate, and nothing is its translation.
    tagged: whether the text may begin with tags; else it is as of `encode(clean(text))`.
    """
    cleaned = clean(text)
    tags, rest = tokenizer.split_tags(cleaned) if tagged else ([], cleaned)
    if not rest:
        return []
    front = cleaned[: len(cleaned) - len(rest)]
    escaped, spans = tokenizer.origins(rest)
    whole = front + escaped
    word_at = _word_at(whole)
    back = _words_before_cleaning(text, cleaned)
    shifted = (range(span.start + len(front), span.stop + len(front)) for span in spans)
    return [-1] * len(tags) + [back[_word_of(span, whole, word_at)] for span in shifted]


def target_words(tokenizer: Tokenizer, ids: Sequence[int]) -> list[int]:
    """For each of the ids that a model wrote the index of its word in `one_line(decode(ids)).split()`.

    Byte pieces that form no character leave nothing in the text; they belong to the word beside which they stand.
    """
    surfaces = tokenizer.surfaces(ids)
    # Each byte that is no part of a character becomes a lone surrogate.
    text = one_line(b"".join(surfaces).decode("utf-8", errors="surrogateescape"))
    places = [index for index, character in enumerate(text) for _ in _encoded(character)]
    word_at = _word_at(text)
    words: list[int] = []
    at = 0
    for surface in surfaces:
        covered = places[at : at + len(surface)]
        span = range(covered[0], covered[-1] + 1) if covered else range(0)
        words.append(_word_of(span, text, word_at) if covered else words[-1] if words else 0)
        at += len(surface)
    return words


def _encoded(character: str) -> bytes:
    return character.encode("utf-8", errors="surrogateescape")


def _is_ink(character: str) -> bool:
    """Whether it is part of a word: no white space, and no byte that decoding drops."""
    return not character.isspace() and not "\udc80" <= character <= "\udcff"


def _word_at(text: str) -> list[int]:
    """For each character the index of its word; one between words belongs to the next, one at the end to the last."""
    words: list[int] = []
    word, between = -1, True
    for character in text:
        if _is_ink(character):
            word += between
            between = False
        elif character.isspace():
            between = True
        words.append(word + between if not _is_ink(character) else word)
    return [max(0, min(index, word)) for index in words]


def _word_of(span: range, text: str, word_at: Sequence[int]) -> int:
    """The word of the first character of the span that is part of one; a span of blanks has that behind it."""
    return word_at[next((index for index in span if _is_ink(text[index])), span[0])]


def _words_before_cleaning(text: str, cleaned: str) -> list[int]:
    """For each word of `cleaned` the index of the word of `text` that it was.

    Cleaning cuts a word at a control character, and takes a word of marks without width off both ends.
    """
    left = cleaned.split()
    back: list[int] = []
    for index, word in enumerate(text.split()):
        parts = len(clean(word).split()) or int(left[len(back) : len(back) + 1] == [word])
        back += [index] * parts
    return back
