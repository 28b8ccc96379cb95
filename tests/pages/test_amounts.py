"""Numbers as people read them."""

import pytest

from nmt.pages.amounts import duration, interval, memory, percent, plural, rounded
from nmt.pages.facts import Measured


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.04, "0.0 s"), (12.34, "12.3 s"), (59.94, "59.9 s"), (60, "1 min"), (246, "4 min 6 s"), (3600, "1 h"),
        (3599.6, "1 h"), (4186.2, "1 h 10 min"), (7199, "2 h"), (86_400 * 2 + 3600 * 3 + 59, "2 d 3 h"),
    ],
)  # fmt: skip
def test_durations_have_two_units(seconds: float, told: str) -> None:
    assert duration(seconds) == told


@pytest.mark.parametrize(
    ("count", "told"),
    [(7, "7"), (999, "999"), (1500, "1.5 thousand"), (2_363_904, "2.36 million"), (1.2e9, "1.2 billion")],
)
def test_large_counts_are_rounded(count: float, told: str) -> None:
    assert rounded(count) == told


def test_intervals() -> None:
    assert interval(Measured("bleu", "BLEU", 30, 28.04, 32)) == "28.0 to 32.0"
    assert interval(Measured("bleu", "BLEU", 30)) == ""


def test_the_rest() -> None:
    assert percent(0.1234) == "12.3\N{NO-BREAK SPACE}%"
    assert [plural(count, "line") for count in (0, 1, 2000)] == ["0 lines", "1 line", "2,000 lines"]
    assert plural(2, "copy", "copies") == "2 copies"
    assert [memory(size) for size in (300 << 20, 3 << 29)] == ["300 MiB", "1.5 GiB"]
