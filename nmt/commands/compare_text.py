"""What `nmt compare` says: a table a metric, a verdict a system, and the lines where two differ most."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nmt.commands.eval_sets import EvalSet
from nmt.commands.table import columns
from nmt.evaluation import Metric, sentence_chrf
from nmt.evaluation.resampling import SAMPLES, SEED
from nmt.evaluation.significance import ALPHA, TRIALS, Comparison, Difference
from nmt.text.lines import visible


@dataclass(frozen=True)
class System:
    """What is compared. name: a letter.  path: as it was given.  model: its folder; None for a file of translations."""

    name: str
    path: Path
    model: Path | None

    @property
    def folder(self) -> Path:
        """Of a model."""
        assert self.model is not None
        return self.model


@dataclass(frozen=True)
class Compared:
    """Systems on one test set. outputs: the lines of each system.  found: each metric with what it says of them."""

    systems: list[System]
    test: EvalSet
    outputs: list[Sequence[str]]
    found: list[tuple[Metric, Comparison]]

    @property
    def lines(self) -> int:
        """Of the test set."""
        return len(self.outputs[0])

    def equal_lines(self, other: int) -> int:
        """In how many lines a system says just what the first one says."""
        return sum(one == another for one, another in zip(self.outputs[0], self.outputs[other], strict=True))


@dataclass(frozen=True)
class Line:
    """A line of the test set, counted from 1, and the sentence chrF of the first system's output and of another's."""

    number: int
    first: float
    other: float


def describe(compared: Compared, lines: int = 0) -> str:
    """All of it for a terminal. lines: how many to show of those where a system differs most from the first."""
    count, sets = len(compared.systems) - 1, len(compared.test.references)
    references = "1 reference" if sets == 1 else f"{sets} references"
    head = [f"{compared.test.name}: {compared.lines:,} lines, {references}"]
    for index, system in enumerate(compared.systems):
        equal = f"  ({compared.equal_lines(index):,} lines just as A)" if index else ""
        head.append(f"  {system.name}  {_shown(str(system.path))}{equal}")
    blocks = ["\n".join(head), *(_block(compared, metric, result) for metric, result in compared.found)]
    blocks.append(
        f"p: approximate randomisation, {TRIALS:,} trials. p': paired bootstrap, {SAMPLES:,} resamples, which gives\n"
        f"the 95 % intervals, too. Verdicts: p < {ALPHA}"
        + (f", corrected for {count} comparisons with A (Holm)." if count > 1 else ".")
    )
    if lines:
        blocks += [_most_different(compared, other, lines) for other in range(1, count + 1)]
    return "\n\n".join(blocks)


def verdict(compared: Compared, difference: Difference, other: int) -> str:
    """What can be said of a system, beside the first one, by one metric."""
    first, name, lines = compared.systems[0].name, compared.systems[other].name, compared.lines
    if compared.equal_lines(other) == lines:
        return f"{name} is the same as {first}, line for line"
    p, bootstrap = difference.corrected.randomisation, difference.corrected.bootstrap
    corrected = "corrected " if difference.corrected != difference.p else ""
    if difference.better is not None:
        better, worse = (first, name) if difference.better == "first" else (name, first)
        doubt = (
            ""
            if difference.corrected.agree
            else f"; but the bootstrap does not see it, {corrected}p' = {_p(bootstrap)}"
        )
        return f"{better} is better than {worse}, {corrected}p = {_p(p)}{doubt}"
    words = f"no difference between {first} and {name} can be shown with these {lines:,} lines, {corrected}p = {_p(p)}"
    if difference.lines_needed is None:
        return f"{words}: they score the same" if abs(difference.value) < 0.005 else words
    if not difference.corrected.agree:
        words += f"; the bootstrap, which is easier to convince, sees one, {corrected}p' = {_p(bootstrap)}"
    needed = _rounded(difference.lines_needed)
    return f"{words}; about {needed:,} would be needed" if needed > lines else words


def as_json(compared: Compared, lines: int = 0) -> dict[str, Any]:
    """Plain values for `json.dump`; what `describe` prints is in here."""
    systems = compared.systems
    told: dict[str, Any] = {
        "test": compared.test.name,
        "place": compared.test.place,
        "lines": compared.lines,
        "references": len(compared.test.references),
        "systems": {
            system.name: {
                "path": str(system.path),
                "kind": "file" if system.model is None else "model",
                "lines_equal_to_first": compared.equal_lines(index),
            }
            for index, system in enumerate(systems)
        },
        "significance": {"alpha": ALPHA, "seed": SEED, "samples": SAMPLES, "trials": TRIALS},
        "metrics": {metric.key: _metric_as_json(compared, metric, result) for metric, result in compared.found},
    }
    if lines:
        told["most_different"] = {
            systems[other].name: [
                _line_as_json(compared, other, line) for line in most_different(compared, other, lines)
            ]
            for other in range(1, len(systems))
        }
    return told


def _metric_as_json(compared: Compared, metric: Metric, result: Comparison) -> dict[str, Any]:
    systems = compared.systems
    scores = {
        system.name: {"score": score, "low": low, "high": high}
        for system, score, (low, high) in zip(systems, result.scores, result.intervals, strict=True)
    }
    differences = {}
    for other, found in enumerate(result.differences, start=1):
        better = {"first": systems[0].name, "other": systems[other].name, None: None}[found.better]
        differences[systems[other].name] = {
            "difference": found.value,
            "low": found.interval[0],
            "high": found.interval[1],
            "standard_error": found.standard_error,
            "randomisation_p": found.p.randomisation,
            "bootstrap_p": found.p.bootstrap,
            "corrected_randomisation_p": found.corrected.randomisation,
            "corrected_bootstrap_p": found.corrected.bootstrap,
            "tests_agree": found.corrected.agree,
            "better": better,
            "lines_needed": found.lines_needed,
            "verdict": verdict(compared, found, other),
        }
    signature = metric.signature(len(compared.test.references), SAMPLES, SEED)
    about = {"name": metric.name, "higher_is_better": metric.higher_is_better, "signature": signature}
    return about | {"scores": scores, "differences": differences}


def most_different(compared: Compared, other: int, count: int) -> list[Line]:
    """The lines whose sentence chrF differs most between a system and the first one; none that is equal."""
    both = [np.array(sentence_chrf(compared.outputs[which], compared.test.references)) for which in (0, other)]
    gaps = np.abs(both[0] - both[1])
    chosen = [index for index in np.argsort(-gaps, kind="stable")[:count].tolist() if gaps[index] > 0]
    return [Line(index + 1, float(both[0][index]), float(both[1][index])) for index in chosen]


def _line_as_json(compared: Compared, other: int, line: Line) -> dict[str, Any]:
    index, test = line.number - 1, compared.test
    first, name = compared.systems[0].name, compared.systems[other].name
    return {
        "line": line.number,
        **({"source": test.source[index]} if test.source else {}),
        "references": [reference[index] for reference in test.references],
        "outputs": {first: compared.outputs[0][index], name: compared.outputs[other][index]},
        "chrf": {first: line.first, name: line.other},
    }


def _most_different(compared: Compared, other: int, count: int) -> str:
    first, name = compared.systems[0].name, compared.systems[other].name
    found = most_different(compared, other, count)
    if not found:
        return f"No line of {name} differs from {first} in chrF."
    rows = [f"Where {name} differs most from {first}, by the chrF of a line:"]
    for line in found:
        told = _line_as_json(compared, other, line)
        rows.append(f"  line {line.number:,}: {first} {line.first:.1f}, {name} {line.other:.1f}")
        rows += [f"    source     {_shown(told['source'])}"] if "source" in told else []
        rows += [f"    reference  {_shown(reference)}" for reference in told["references"]]
        rows += [f"    {system:<9}  {_shown(text)}" for system, text in told["outputs"].items()]
    return "\n".join(rows)


def _block(compared: Compared, metric: Metric, result: Comparison) -> str:
    """The signature, a row a system, and the verdicts."""
    direction = "" if metric.higher_is_better else " (lower is better)"
    signature = metric.signature(len(compared.test.references), SAMPLES, SEED)
    rows = [["", "score", "interval", f"against {compared.systems[0].name}", "interval", "p", "p'"]]
    for system, score, ends in zip(compared.systems, result.scores, result.intervals, strict=True):
        rows.append([system.name, f"{score:.2f}", f"[{ends[0]:.2f}, {ends[1]:.2f}]"])
    for row, found in zip(rows[2:], result.differences, strict=True):
        low, high = found.interval
        row += [f"{found.value:+.2f}", f"[{low:+.2f}, {high:+.2f}]", _p(found.p.randomisation), _p(found.p.bootstrap)]
    verdicts = [f"  {verdict(compared, found, other)}." for other, found in enumerate(result.differences, start=1)]
    table = [f"  {line}" for line in columns(rows, right=range(len(rows[0])))]
    return "\n".join([f"{metric.name}{direction}  {signature}", *table, *verdicts])


def _p(p: float) -> str:
    """Two digits; a third where the second could hide on which side of 0.05 it lies."""
    return f"{p:.{3 if 0.9 * ALPHA <= p < 1.1 * ALPHA else 2}g}"


def _rounded(count: int) -> int:
    """To two digits."""
    return int(float(f"{count:.2g}"))


def _shown(text: str) -> str:
    """One line of a terminal, with nothing in it that a terminal obeys."""
    return visible(text) or "(blank)"
