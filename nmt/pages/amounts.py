"""Numbers as people read them."""

from typing import Protocol


class Between(Protocol):
    """A score and the interval around it, if it has one."""

    @property
    def score(self) -> float: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


def duration(seconds: float) -> str:
    """The two largest units: "2 d 3 h", "1 h 10 min", "4 min 6 s", "12.3 s"."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole >= 3600:
        whole = round(seconds / 60) * 60
    units = (("d", 86_400), ("h", 3600), ("min", 60), ("s", 1))
    parts = []
    for name, size in units:
        count, whole = divmod(whole, size)
        if count:
            parts.append(f"{count} {name}")
    return " ".join(parts[:2])


def rounded(count: float) -> str:
    """ "2.36 million", "512 thousand", "1.2 billion"; below a thousand as it is."""
    for name, size in (("billion", 1e9), ("million", 1e6), ("thousand", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {name}"
    return f"{count:,.0f}"


def interval(score: Between) -> str:
    """ "31.9 to 34.5"; "" where there is none."""
    return "" if score.low is None or score.high is None else f"{score.low:.1f} to {score.high:.1f}"


def percent(share: float) -> str:
    """A share of 0 to 1."""
    return f"{100 * share:.1f}\N{NO-BREAK SPACE}%"


def plural(count: int, one: str, many: str = "") -> str:
    """ "1 line", "2 lines"."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def memory(size: int) -> str:
    """Bytes, in GiB or MiB."""
    return f"{size / 2**30:.1f} GiB" if size >= 2**30 else f"{size / 2**20:.0f} MiB"
