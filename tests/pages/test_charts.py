"""Diagrams: round ticks, points where they belong, and nothing that is no drawing."""

import math
import re

import pytest

from nmt.pages.charts import (
    BOTTOM,
    HEIGHT,
    LEFT,
    POINTS,
    RIGHT,
    ROW_WIDTH,
    TOP,
    WIDTH,
    Dot,
    Line,
    Mark,
    number,
    plot,
    reliability,
    thinned,
    ticks,
    whisker,
)
from tests.pages.reading import Page


def drawn(lines: list[Line], **settings: object) -> str:
    return plot(lines, "Loss", x_name="update", y_name="nats", **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [
        (0, 10, [0, 2, 4, 6, 8, 10]),
        (2.1, 8.2, [2, 4, 6, 8, 10]),
        (0, 0.003, [0, 0.001, 0.002, 0.003]),
        (0, 1500, [0, 500, 1000, 1500]),
        (-3, 4, [-4, -2, 0, 2, 4]),
        (19.7, 53.6, [10, 20, 30, 40, 50, 60]),
    ],
)
def test_ticks_are_round_and_take_all_in(low: float, high: float, found: list[float]) -> None:
    assert ticks(low, high) == found


@pytest.mark.parametrize("value", [0.0, 7.0, -2.5, 1e-6])
def test_a_single_value_has_room_around_it(value: float) -> None:
    found = ticks(value, value)
    assert found[0] < value < found[-1]
    assert ticks(7.0, 7.0) == [6.0, 6.5, 7.0, 7.5, 8.0]


@pytest.mark.parametrize(
    ("value", "step", "told"),
    [
        (0, 1, "0"), (2, 2, "2"), (1500, 500, "1,500"), (20_000, 5000, "20k"), (1_250_000, 0, "1,250k"),
        (0.001, 0.001, "0.001"), (0.0004, 0.0001, "0.0004"), (2e-05, 1e-05, "2e-05"), (0.5, 0.5, "0.5"),
        (12_345, 0, "12,345"), (2.25, 0.25, "2.2"), (3.14159, 0, "3.142"),
    ],
)  # fmt: skip
def test_numbers_are_short(value: float, step: float, told: str) -> None:
    assert number(value, step) == told


def test_long_lines_are_thinned_to_means() -> None:
    points = [(float(x), 2.0 * x) for x in range(10 * POINTS)]
    found = thinned(points)
    assert len(found) == POINTS
    assert found[0] == (4.5, 9.0)
    assert thinned(points[:POINTS]) == points[:POINTS]
    assert thinned([(1, 2), (2, math.nan), (3, math.inf), (4, 5)]) == [(1, 2), (4, 5)]
    assert thinned([]) == []


def test_points_are_where_they_belong() -> None:
    page = drawn([Line("train", [(0, 10), (50, 5), (100, 0)])], x_range=(0, 100), from_zero=True)
    (path,) = re.findall(r'class="line" d="M([^"]+)"', page)
    places = [tuple(map(float, point.split())) for point in path.split("L")]
    assert places == [
        (LEFT, TOP),
        pytest.approx(((LEFT + WIDTH - RIGHT) / 2, (TOP + HEIGHT - BOTTOM) / 2), abs=0.1),
        (WIDTH - RIGHT, HEIGHT - BOTTOM),
    ]
    assert "<title>train at update 50: 5</title>" in page


def test_the_axis_reaches_as_far_as_it_is_asked_to() -> None:
    page = drawn([Line("dev", [(500, 3), (1000, 2)])], x_range=(0, 2000))
    (path,) = re.findall(r'class="line" d="M([^"]+)"', page)
    first, last = (float(point.split()[0]) for point in path.split("L"))
    assert first == pytest.approx(LEFT + (WIDTH - LEFT - RIGHT) / 4, abs=0.1)
    assert last == pytest.approx((LEFT + WIDTH - RIGHT) / 2, abs=0.1)


def test_an_amount_begins_at_nothing() -> None:
    assert ">0</text>" in drawn([Line("rate", [(10, 900), (20, 1000)])], from_zero=True).split('class="axis"', 2)[1]
    assert ">900</text>" in drawn([Line("rate", [(10, 900), (20, 1000)])]).split('class="axis"', 2)[1]


def test_several_lines_have_keys_and_one_has_none() -> None:
    one, two = Line("train", [(1, 2), (2, 1)]), Line("dev", [(1, 3), (2, 2)], 2, marked=True)
    both = drawn([one, two])
    assert Page(both).of("span") == [{"class": "key c1"}, {"class": "key c2"}]
    assert Page(drawn([one])).of("span") == []
    # Of one that is not marked the dots show under the pointer alone.
    assert both.count('class="dot quiet"') == 2
    assert both.count('class="dot"') == 2


def test_a_line_without_points_is_none() -> None:
    assert drawn([]) == drawn([Line("train", [])]) == drawn([Line("train", [(1, math.nan)])]) == ""
    assert Page(drawn([Line("train", [(1, 2), (2, 1)]), Line("dev", [])])).of("span") == []


def test_a_single_point_is_a_dot() -> None:
    page = drawn([Line("train", [(7, 2)])])
    assert "quiet" not in page
    assert "nan" not in page


def test_a_mark_is_drawn_where_the_axis_has_it() -> None:
    line = Line("train", [(0, 1), (100, 2)])
    assert f'<path d="M{WIDTH - RIGHT:.1f} ' in drawn([line], mark=Mark(100, "best"))
    assert "<title>best: update 100</title>" in drawn([line], mark=Mark(100, "best"))
    assert "best" not in drawn([line], mark=Mark(101, "best"))


def test_names_are_text() -> None:
    page = plot([Line("<b>", [(1, 2), (2, 3)])], "<i>", x_name="<u>", y_name='"&')
    assert {"b", "i", "u"}.isdisjoint(tag for tag, _ in Page(page).tags)


def test_a_reliable_dot_lies_on_the_diagonal() -> None:
    page = reliability([Dot(0.5, 0.5, 0.4, 0.6, 30, "said <half>")], "It", x_name="said", y_name="true")
    found = Page(page)
    (diagonal,) = (path["d"] for path in found.of("path") if path.get("class") == "mark")
    x1, y1, x2, y2 = map(float, re.findall(r"[\d.]+", diagonal or ""))
    dot = next(circle for circle in found.of("circle") if circle.get("class") == "dot")
    assert (float(dot["cx"] or 0), float(dot["cy"] or 0)) == ((x1 + x2) / 2, (y1 + y2) / 2)
    (interval,) = (path["d"] for path in found.of("path") if path.get("class") == "line")
    low, high = (float(value) for value in re.findall(r"[\d.]+", interval or "")[1:])
    assert (low - high) / (y1 - y2) == pytest.approx(0.2, abs=0.001)
    assert found.text.count("said <half>") == 1


def test_lines_behind_a_dot_are_bars() -> None:
    dots = [Dot(0.2, 0.2, 0.1, 0.3, 10, ""), Dot(0.8, 0.8, 0.7, 0.9, 40, "")]
    heights = [float(bar["height"] or 0) for bar in Page(reliability(dots, "", x_name="", y_name="")).of("rect")]
    assert heights[1] == pytest.approx(4 * heights[0])


def test_a_whisker_shows_score_interval_and_the_whole() -> None:
    page = whisker(50, 40, 60, 45, (0, 100))
    middle = ROW_WIDTH / 2
    assert f'cx="{middle:.1f}"' in page
    span = 0.1 * (ROW_WIDTH - 12)
    assert f'class="line" d="M{middle - span:.1f} 9.0H{middle + span:.1f}"' in page
    assert "<title>50.0 (40.0 to 60.0); all lines: 45.0</title>" in page
    assert 'class="line"' not in whisker(50, None, None, 45, (0, 100))


def test_what_is_off_the_scale_ends_at_its_edge() -> None:
    page = whisker(10, -30, 130, 45, (20, 80))
    assert 'class="line" d="M6.0 9.0H174.0"' in page
    assert 'cx="6.0"' in page
