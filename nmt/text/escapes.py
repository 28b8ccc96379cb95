"""Characters that mean something to SentencePiece, carried through it as text."""

import re

from nmt.text.sampling import SPACE

# A U+2581 in the text would come back as a space. It travels as a noncharacter, which no text uses for itself; should
# one be met all the same, it travels behind another. A lone surrogate (from JSON) has no UTF-8: it becomes U+FFFD.
_STAND_IN, _ESCAPE = "\ufdd0", "\ufdd1"
_TO_ESCAPE = re.compile(f"[{SPACE}{_STAND_IN}{_ESCAPE}\ud800-\udfff]")
_ESCAPED = re.compile(f"{_ESCAPE}([{_STAND_IN}{_ESCAPE}]?)|{_STAND_IN}")
_ESCAPES = {SPACE: _STAND_IN, _STAND_IN: _ESCAPE + _STAND_IN, _ESCAPE: _ESCAPE + _ESCAPE}


def escape(text: str) -> str:
    """As SentencePiece is to see the text."""
    return _TO_ESCAPE.sub(lambda match: _ESCAPES.get(match[0], "\ufffd"), text)


def unescape(text: str) -> str:
    """The other way."""
    # A model may emit an escape with nothing behind it: that stands for nothing.
    return _ESCAPED.sub(lambda match: match[1] or (SPACE if match[0] == _STAND_IN else ""), text)
