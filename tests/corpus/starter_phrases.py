"""What the tests of the starter grammar say and read."""

from typing import Any

from nmt.corpus.starter.collocations import nouns_named
from nmt.corpus.starter.nominals import Nominal, noun_phrase
from nmt.corpus.starter.words import Phrase, english_tokens, french_tokens


def said(words: Phrase) -> tuple[str, str]:
    """Both sides as text, less the capital letter."""
    sides = (" ".join(french_tokens(words.fr).texts), " ".join(english_tokens(words.en).texts))
    french, english = (side[:1].lower() + side[1:] for side in sides)
    return french, english


def things(french: str, **how: Any) -> Nominal:
    return noun_phrase(nouns_named(french)[0], **how)
