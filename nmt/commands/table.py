"""Columns in a terminal, and numbers as people read them."""

import unicodedata
from collections.abc import Collection, Sequence


def width(text: str) -> int:
    """Cells that it takes in a terminal."""
    if text.isascii():
        return len(text)
    marks = sum(unicodedata.combining(character) > 0 for character in text)
    return len(text) - marks + sum(unicodedata.east_asian_width(character) in "WF" for character in text)


def columns(rows: Sequence[Sequence[str]], right: Collection[int] = (), gap: int = 2) -> list[str]:
    """One line a row, its cells below those of the row before. right: columns of numbers, which end below each other.

    A row may have fewer cells than others.
    """
    widths = [max(width(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows), default=0))]
    lines = []
    for row in rows:
        cells = []
        for i, text in enumerate(row):
            blank = " " * (widths[i] - width(text))
            cells.append(blank + text if i in right else text + blank)
        lines.append((" " * gap).join(cells).rstrip())
    return lines


def visible(text: str) -> str:
    """What others have written must not move the cursor: control, direction and broken characters as U+FFFD."""
    if text.isprintable():
        return text
    hidden = "Cc", "Cf", "Cs"
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(letter) in hidden and letter != "\n" else letter
        for letter in text
    )


def shortened(text: str, most: int) -> str:
    """At most so many characters; what is taken out is in the middle, as ends tell names apart."""
    if len(text) <= most:
        return text
    kept = max(most - 1, 2)
    return f"{text[: kept // 2]}…{text[-(kept - kept // 2) :]}"


def duration(seconds: float) -> str:
    """In the unit that fits."""
    for size, unit in ((86_400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"


def count(number: float) -> str:
    """12,345 as it is; from a million on in millions or billions."""
    for size, unit in ((1e9, "G"), (1e6, "M")):
        if number >= size:
            return f"{number / size:.2f} {unit}"
    return f"{number:,.0f}"
