"""What a check tells: one finding for each thing that is wrong or worth knowing, with examples and a remedy."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
EXAMPLES = 3  # shown of each finding


class Example(NamedTuple):
    """One place.

    line: of the pair, counted from 1.  detail: what is to be seen there.  where: file and line, where a pair's number
    is not that of its line.
    """

    line: int
    source: str = ""
    target: str = ""
    detail: str = ""
    where: str = ""


@dataclass(frozen=True)
class Finding:
    """One thing that was found.

    count, total: how many, and of how many that were looked at.  unit: what is counted.
    message: in plain words, without the counts where `unit` tells them.  remedy: the command that mends it; "" if
    nothing needs to be done.
    """

    name: str
    severity: Severity
    message: str
    count: int = 0
    total: int = 0
    unit: str = "pairs"
    examples: tuple[Example, ...] = ()
    remedy: str = ""

    @property
    def amount(self) -> str:
        """As in "12 of 1,000 pairs (1.2 %)"; "" where nothing is counted."""
        if not self.total:
            return ""
        share = self.count / self.total
        percent = "" if self.count in (0, self.total) else f" ({_percent(share)})"
        return f"{self.count:,} of {self.total:,} {self.unit}{percent}"

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self) | {"examples": [example._asdict() for example in self.examples]}


def _percent(share: float) -> str:
    percent = 100 * share
    if percent < 0.01:
        return "under 0.01 %"
    return f"{percent:.2f} %" if percent < 1 else f"{percent:.1f} %"


def by_severity(findings: Iterable[Finding]) -> list[Finding]:
    """The worst first; the order is kept otherwise."""
    return sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity))
