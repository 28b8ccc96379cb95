"""What is told about dev and test text."""

from collections import Counter
from collections.abc import Sequence

from nmt.corpus.checking.commands import Commands
from nmt.corpus.checking.findings import EXAMPLES, Example, Finding, Severity
from nmt.corpus.checking.heldout import Seen
from nmt.corpus.checking.reading import Pair
from nmt.text.lines import clean

GRAVE = 0.1  # share of a held-out text in train from which its scores mean nothing
MANY = 0.02  # share of lines from which something is worth a warning


def overlap_findings(name: str, pairs: Sequence[Pair], seen: Seen, complete: bool, commands: Commands) -> list[Finding]:
    """What of a held-out text is in the training text. name: dev or test, as given. complete: all of train was read."""
    near = {line: pair for line, pair in seen.near.items() if line not in seen.exact}
    source = {line: pair for line, pair in seen.source.items() if line not in seen.exact and line not in near}
    hint = "" if complete else ", as far as train was read"
    remedy = commands.clean()
    found = []
    told = (
        ("overlap", seen.exact, f"pairs of {name} are in the training text, too{hint}: scores there are too good"),
        ("near_overlap", near, f"pairs of {name} are in the training text but for a word on a side{hint}"),
        ("source_overlap", source, f"sources of {name} are in the training text, with another target{hint}"),
    )
    for kind, lines, message in told:
        if not lines:
            continue
        severity: Severity = "error" if kind == "overlap" and len(lines) >= GRAVE * len(pairs) else "warning"
        if kind != "overlap" and len(lines) < MANY * len(pairs):
            severity = "info"
        examples = tuple(
            Example(line + 1, *pairs[line], f"in train: line {lines[line] + 1:,}") for line in sorted(lines)[:EXAMPLES]
        )
        found.append(
            Finding(
                kind, severity, message, len(lines), len(pairs), f"pairs of {name}", examples,
                remedy if kind != "source_overlap" else "",
            )
        )  # fmt: skip
    return found


def own_findings(name: str, pairs: Sequence[Pair]) -> list[Finding]:
    """What is wrong with a held-out text itself."""
    cleaned = [(clean(source), clean(target)) for source, target in pairs]
    found = []
    unit = f"pairs of {name}"
    blank = [line for line, pair in enumerate(cleaned) if not all(pair)]
    if blank:
        examples = _examples(pairs, blank)
        message = f"{name} has blank sides: they count as wrong in any score"
        found.append(
            Finding(
                "heldout_blank",
                "warning",
                message,
                len(blank),
                len(pairs),
                unit,
                examples,
                f"drop these lines from {name}",
            )
        )
    first: dict[Pair, int] = {}
    again = [line for line, pair in enumerate(cleaned) if first.setdefault(pair, line) != line]
    if again:
        examples = tuple(
            Example(line + 1, *pairs[line], f"first in line {first[cleaned[line]] + 1:,}") for line in again[:EXAMPLES]
        )
        message = f"{name} has pairs more than once: they count more than others"
        severity: Severity = "warning" if len(again) >= MANY * len(pairs) else "info"
        found.append(Finding("heldout_duplicate", severity, message, len(again), len(pairs), unit, examples))
    return found


def unseen_findings(
    name: str, pairs: Sequence[Pair], letters: tuple[set[str], set[str]], complete: bool
) -> list[Finding]:
    """Characters of a held-out text that the training text does not have. letters: those it has, of each side."""
    found = []
    for index, side in enumerate(("source", "target")):
        unseen: Counter[str] = Counter()
        lines = []
        for line, pair in enumerate(pairs):
            new = {letter for letter in clean(pair[index]) if not letter.isspace()} - letters[index]
            if new:
                unseen.update(new)
                lines.append((line, new))
        if not lines:
            continue
        commonest = " ".join(letter for letter, _ in unseen.most_common(10))
        hint = "" if complete else ", as far as it was read"
        message = f"the {side} of {name} has characters that are not in the training text{hint}: {commonest}"
        severity: Severity = "warning" if len(lines) >= MANY * len(pairs) else "info"
        examples = tuple(Example(line + 1, *pairs[line], " ".join(sorted(new))) for line, new in lines[:EXAMPLES])
        found.append(
            Finding("unseen_characters", severity, message, len(lines), len(pairs), f"pairs of {name}", examples)
        )
    return found


def _examples(pairs: Sequence[Pair], lines: Sequence[int]) -> tuple[Example, ...]:
    return tuple(Example(line + 1, *pairs[line]) for line in lines[:EXAMPLES])
