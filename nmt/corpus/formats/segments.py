"""What a segment is, where a format could hold anything: text on one line."""

import re

_BREAKS = re.compile(r"[\r\n]+")
# What XML takes for white space, and nothing else: a no-break space is text.
_WHITE = re.compile(r"[ \t\r\n]+")


def joined(text: str) -> str:
    """`text` with its line breaks made spaces, or taken off its ends."""
    return _BREAKS.sub(" ", text.strip("\r\n"))


def collapsed(text: str) -> str:
    """`text` with each run of white space made one space, and none at its ends: line breaks in XML are layout."""
    if "\n" in text or "  " in text or "\t" in text or "\r" in text:
        text = _WHITE.sub(" ", text)
    return text.strip(" ")
