"""Diagrams as inline SVG: no script, colours by the page's CSS variables, every point's numbers as a tooltip.

Each has a class the page styles: `.grid` and `.axis` for what is behind, `.c1` ... for series, `.hit` for what answers
the pointer. Text that comes from outside is escaped here.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 480, 240  # of a plot with its axes; a page shows it about so large
LEFT, RIGHT, TOP, BOTTOM = 56, 14, 12, 48
POINTS = 120  # most of a line; more could not be told apart
TICKS = 5  # about so many on an axis


@dataclass(frozen=True)
class Line:
    """One series. points: (x, y), by x.  colour: 1 to 3.  marked: with a dot at each point, else without."""

    name: str
    points: Sequence[tuple[float, float]]
    colour: int = 1
    marked: bool = False


@dataclass(frozen=True)
class Mark:
    """An x that is pointed out."""

    x: float
    name: str


def ticks(low: float, high: float, most: int = TICKS) -> list[float]:
    """Round numbers from at or below `low` to at or above `high`, evenly apart: steps of 1, 2 or 5 times a power of 10.

    Where both are the same number there is room around it.
    """
    if high <= low:
        room = abs(low) / 10 or 1.0
        low, high = low - room, high + room
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(index * step, 12) for index in range(first, last + 1)]


def number(value: float, step: float = 0.0) -> str:
    """As short as it can be read. step: between the ticks of its axis, which says how many decimals tell them apart."""
    if value == 0:
        return "0"
    if abs(value) >= 10_000 and value % 100 == 0:
        return f"{value / 1000:,.6g}k"
    if abs(value) < 0.001:
        return f"{value:.3g}"
    decimals = max(0, -math.floor(math.log10(step) + 1e-9)) if step else (0 if float(value).is_integer() else 3)
    return f"{value:,.{decimals}f}"


def thinned(points: Sequence[tuple[float, float]], most: int = POINTS) -> list[tuple[float, float]]:
    """At most so many points: each the mean of neighbours. What is not finite is left out."""
    sound = [(x, y) for x, y in points if math.isfinite(x) and math.isfinite(y)]
    size = max(1, math.ceil(len(sound) / most))
    groups = [sound[begin : begin + size] for begin in range(0, len(sound), size)]
    return [tuple(math.fsum(side) / len(group) for side in zip(*group, strict=True)) for group in groups]  # type: ignore[misc]


def plot(
    lines: Sequence[Line],
    title: str,
    *,
    x_name: str,
    y_name: str,
    x_range: tuple[float, float] | None = None,
    from_zero: bool = False,
    mark: Mark | None = None,
) -> str:
    """A figure of lines over one x axis and one y axis; nothing where no line has a point.

    x_range: of the axis, where several plots are to be read together; None: as far as there are points.
    from_zero: the y axis begins at 0: for amounts, of which a part can be seen.
    """
    x_name = escape(x_name)
    drawn = [Line(line.name, thinned(line.points), line.colour, line.marked) for line in lines]
    drawn = [line for line in drawn if line.points]
    if not drawn:
        return ""
    xs = [x for line in drawn for x, _ in line.points] + list(x_range or ())
    ys = [y for line in drawn for _, y in line.points] + ([0.0] if from_zero else [])
    x_ticks, y_ticks = ticks(min(xs), max(xs)), ticks(min(ys), max(ys))
    x_axis = _Axis(min(xs), max(xs), LEFT, WIDTH - RIGHT)
    y_axis = _Axis(y_ticks[0], y_ticks[-1], HEIGHT - BOTTOM, TOP)
    body = _grid(x_ticks, y_ticks, x_axis, y_axis, x_name)
    if mark is not None and x_axis.low <= mark.x <= x_axis.high:
        x = x_axis(mark.x)
        body += (
            f'<g class="mark"><path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}"/>'
            f"<title>{escape(mark.name)}: {x_name} {number(mark.x)}</title></g>\n"
        )
    body += "".join(_line(line, x_axis, y_axis, x_name) for line in drawn)
    keys = "".join(f'<span class="key c{line.colour}">{escape(line.name)}</span>' for line in drawn if len(drawn) > 1)
    caption = f"<figcaption><strong>{escape(title)}</strong> <small>{escape(y_name)}</small>{keys}</figcaption>"
    told = "; ".join(_summary(line) for line in drawn)
    return f"<figure>{caption}\n{_svg(WIDTH, HEIGHT, f'{title}: {told}', body)}</figure>\n"


def _summary(line: Line) -> str:
    """For those who do not see the drawing."""
    (first_x, first_y), (last_x, last_y) = line.points[0], line.points[-1]
    return f"{line.name} from {first_y:.4g} at {first_x:,.0f} to {last_y:.4g} at {last_x:,.0f}"


@dataclass(frozen=True)
class _Axis:
    """From values to places: low at `begin`, high at `end`."""

    low: float
    high: float
    begin: float
    end: float

    def __call__(self, value: float) -> float:
        if self.high == self.low:
            return (self.begin + self.end) / 2
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)


def _grid(x_ticks: Sequence[float], y_ticks: Sequence[float], x_axis: _Axis, y_axis: _Axis, x_name: str) -> str:
    parts = []
    y_step, x_step = y_ticks[1] - y_ticks[0], x_ticks[1] - x_ticks[0]
    for value in y_ticks:
        y = y_axis(value)
        parts.append(
            f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
            f'<text class="axis" x="{LEFT - 7}" y="{y + 4:.1f}" text-anchor="end">{number(value, y_step)}</text>\n'
        )
    for value in x_ticks:
        if not x_axis.low <= value <= x_axis.high:
            continue
        x = x_axis(value)
        anchor = "end" if x > WIDTH - RIGHT - 16 else "middle"
        parts.append(
            f'<path class="grid" d="M{x:.1f} {HEIGHT - BOTTOM}v4"/><text class="axis" x="{x:.1f}" '
            f'y="{HEIGHT - BOTTOM + 22}" text-anchor="{anchor}">{number(value, x_step)}</text>\n'
        )
    parts.append(
        f'<text class="axis" x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 4}" text-anchor="middle">'
        f"{x_name}</text>\n"
    )
    return "".join(parts)


def _line(line: Line, x_axis: _Axis, y_axis: _Axis, x_name: str) -> str:
    places = [(x_axis(x), y_axis(y)) for x, y in line.points]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    points = "".join(
        f'<g class="hit"><circle cx="{left:.1f}" cy="{top:.1f}" r="7"/>'
        f'<circle class="dot{"" if line.marked or len(places) == 1 else " quiet"}" cx="{left:.1f}" cy="{top:.1f}" '
        f'r="3"/><title>{escape(line.name)} at {x_name} {x:,.0f}: {y:,.5g}</title></g>\n'
        for (left, top), (x, y) in zip(places, line.points, strict=True)
    )
    return f'<g class="c{line.colour}"><path class="line" d="{path}"/>\n{points}</g>\n'


def _svg(width: float, height: float, about: str, body: str) -> str:
    """about: what is told to those who do not see it."""
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img" '
        f'aria-label="{escape(about)}">\n{body}</svg>\n'
    )


@dataclass(frozen=True)
class Dot:
    """Where a share of lines lies, and its interval: all 0 to 1. lines: how many there are."""

    x: float
    y: float
    low: float
    high: float
    lines: int
    about: str


SIDE, SQUARE_RIGHT = 320, 26  # of a square plot; room for its last tick


def reliability(dots: Sequence[Dot], title: str, *, x_name: str, y_name: str) -> str:
    """Predicted against actual shares: on the diagonal they are equal. Grey bars below: lines of each dot."""
    x_axis, y_axis = _Axis(0, 1, LEFT, SIDE - SQUARE_RIGHT), _Axis(0, 1, SIDE - BOTTOM, TOP)
    parts = []
    for value in (0, 0.25, 0.5, 0.75, 1):
        x, y = x_axis(value), y_axis(value)
        parts.append(
            f'<path class="grid" d="M{LEFT} {y:.1f}H{SIDE - SQUARE_RIGHT}M{x:.1f} {SIDE - BOTTOM}v4"/>'
            f'<text class="axis" x="{LEFT - 7}" y="{y + 4:.1f}" text-anchor="end">{100 * value:g} %</text>'
            f'<text class="axis" x="{x:.1f}" y="{SIDE - BOTTOM + 22}" text-anchor="middle">{100 * value:g} %</text>\n'
        )
    parts.append(
        f'<text class="axis" x="{(LEFT + SIDE - SQUARE_RIGHT) / 2:.0f}" y="{SIDE - 4}" text-anchor="middle">'
        f"{escape(x_name)}</text>\n"
        f'<path class="mark" d="M{x_axis(0):.1f} {y_axis(0):.1f}L{x_axis(1):.1f} {y_axis(1):.1f}"/>\n'
    )
    most = max((dot.lines for dot in dots), default=1)
    for dot in dots:
        x, height = x_axis(dot.x), 50 * dot.lines / most
        parts.append(
            f'<rect class="lines" x="{x - 7:.1f}" y="{SIDE - BOTTOM - height:.1f}" width="14" height="{height:.1f}"/>\n'
        )
    for dot in dots:
        x, y = x_axis(dot.x), y_axis(dot.y)
        parts.append(
            f'<g class="hit c1"><path class="line" d="M{x:.1f} {y_axis(dot.low):.1f}V{y_axis(dot.high):.1f}"/>'
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="10"/><circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
            f"<title>{escape(dot.about)}</title></g>\n"
        )
    caption = f"<figcaption><strong>{escape(title)}</strong> <small>{escape(y_name)}</small></figcaption>"
    told = "; ".join(dot.about for dot in dots)
    return f"<figure>{caption}\n{_svg(SIDE, SIDE, f'{title}: {told}', ''.join(parts))}</figure>\n"


ROW_WIDTH, ROW_HEIGHT = 180, 18  # of a diagram in a table's cell


def whisker(score: float, low: float | None, high: float | None, whole: float, scale: tuple[float, float]) -> str:
    """One score with its interval, for the cell of a table; a thin line where the score of all lines is.

    scale: what the left and the right end stand for: the same in all rows that are compared.
    """
    axis = _Axis(*scale, 6, ROW_WIDTH - 6)
    middle = ROW_HEIGHT / 2

    def place(value: float) -> float:
        return axis(min(max(value, scale[0]), scale[1]))

    interval = (
        "" if low is None or high is None else f'<path class="line" d="M{place(low):.1f} {middle}H{place(high):.1f}"/>'
    )
    about = f"{score:.1f}" + ("" if low is None or high is None else f" ({low:.1f} to {high:.1f})")
    return (
        f'<svg class="whisker c1" viewBox="0 0 {ROW_WIDTH} {ROW_HEIGHT}" width="{ROW_WIDTH}" height="{ROW_HEIGHT}" '
        f'aria-hidden="true"><title>{about}; all lines: {whole:.1f}</title>'
        f'<path class="mark" d="M{axis(whole):.1f} 0V{ROW_HEIGHT}"/>{interval}'
        f'<circle class="dot" cx="{place(score):.1f}" cy="{middle}" r="4"/></svg>'
    )
