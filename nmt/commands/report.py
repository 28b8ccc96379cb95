"""`nmt report`: what there is to know of a run, on one page and as a model card."""

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from nmt import console, runtime
from nmt.commands.analysis import check_train
from nmt.commands.eval_sets import EvalSet, eval_sets
from nmt.commands.models import choose_model
from nmt.commands.report_record import recorded
from nmt.commands.streams import check_output, standard_output
from nmt.corpus.sources import read_dev
from nmt.errors import DataError, UsageError
from nmt.folders import METRICS
from nmt.history import RunHistory, read_history
from nmt.pages.card import MARKER, card
from nmt.pages.facts import RunReport
from nmt.pages.report import page
from nmt.text.lines import atomic_file

PAGE, CARD = "report.html", "README.md"


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt report`.

    run: a run or a model folder.  output: the page; None: report.html in there.
    tests: places as `data.test` may name them.  train: where the training text is now; None: where it was.
    translate: whether to translate anything; without, only what is on record is told.
    """

    run: Path | None = None
    output: Path | None = None
    tests: tuple[str, ...] = ()
    train: str | None = None
    translate: bool = True
    card: bool = True
    json: bool = False
    overwrite: bool = False
    max_batch_tokens: int | None = None
    device: str = "auto"
    threads: int | None = None


def run(arguments: Arguments) -> None:
    """Translate the test set once, write the page and the card, print the page's path (or all facts as JSON).

    Raises UsageError when the page is there already, or when there is nothing to do with --test; ModelError without a
    sound model; DataError for a test set that is named and cannot be read.
    """
    if arguments.tests and not arguments.translate:
        raise UsageError("--test is for translating", "leave out --no-translate, or --test")
    place = choose_model(arguments.run)
    output = arguments.output or place / PAGE
    history = read_history(place)
    _check_output(output, arguments.overwrite)
    of_model = (path for path in history.model.iterdir() if path.name != PAGE)
    check_output(output, *(place / name for name in (METRICS, "best", "last")), *of_model)
    if arguments.run is None:
        console.log(f"run: {place}")
    report = recorded(history)
    if arguments.translate:
        report = _measured(arguments, history, report, output)
    else:
        missing = "Nothing was translated for this report: mistakes, samples, confidence and speed are not told."
        report = replace(report, missing=(*report.missing, missing))
    with atomic_file(output) as file:
        file.write(page(report).encode("utf-8", errors="replace"))
    if arguments.card:
        _write_card(history.model / CARD, card(report))
    with standard_output():
        if arguments.json:
            print(json.dumps(report.as_json(), ensure_ascii=False))
            console.log(f"page: {output}")
        else:
            print(output)


def _check_output(output: Path, overwrite: bool) -> None:
    """Before anything is translated. Raises an error where no page can be written, or one is there already."""
    if output.is_dir():
        raise UsageError(f"{output} is a folder", "name a file inside it")
    if output.exists() and not overwrite:
        raise UsageError(f"{output} exists", "--overwrite, or another --output")
    if not output.parent.is_dir():
        raise DataError(f"{output} cannot be written: there is no folder {output.parent}", "make it first")
    if (output.is_file() or not output.exists()) and not os.access(output.parent, os.W_OK):
        raise DataError(f"{output} cannot be written: permission denied", "another --output")


def _write_card(path: Path, text: str) -> None:
    """What others have written stays; a folder that cannot be written to is worth a warning, as the page is there."""
    try:
        if path.exists() and MARKER not in path.read_text(encoding="utf-8", errors="replace"):
            console.warn(f"{path} is not by nmt report and stays as it is: no model card is written")
            return
        with atomic_file(path) as file:
            file.write(text.encode("utf-8", errors="replace"))
    except (DataError, OSError) as error:
        reason = error.message if isinstance(error, DataError) else f"{path}: {error.strerror or error}"
        console.warn(f"no model card is written: {reason}")
        return
    console.log(f"model card: {path}")


# ---- what is measured


def _measured(arguments: Arguments, history: RunHistory, report: RunReport, output: Path) -> RunReport:
    """With all that translating tells; a set that is not there any more is told in `missing`."""
    tests, role, missing = _tests(arguments, history)
    check_train(arguments.train, history.config.data)
    check_output(output, *(read for test in tests for read in test.paths))
    if not tests:
        return replace(report, missing=(*report.missing, *missing))
    from nmt.checkpoint import load_model
    from nmt.commands.report_measure import Measurement

    runtime.prepare(arguments.threads)
    measurement = Measurement(
        load_model(history.model, arguments.device), arguments.device, arguments.threads, arguments.max_batch_tokens
    )
    scored, notes = [], []
    for index, test in enumerate(tests):
        translated, result, one = measurement.score(test, role, report.made)
        scored.append(one)
        notes += [f"{test.name}: {note}" for note in result.notes]
        if index == 0:
            report, more = measurement.look(report, test, translated, arguments.train)
            missing += more
    # What is measured now takes the place of what was measured before.
    now = {(one.test, one.text, one.decode) for one in scored}
    earlier = [one for one in report.scored if (one.test, one.text, one.decode) not in now]
    if role == "dev":
        earlier = [one for one in earlier if one.role == "test"]
    return replace(
        report,
        scored=(*scored, *earlier),
        notes=(*report.notes, *notes),
        missing=(*report.missing, *missing),
    )


def _tests(arguments: Arguments, history: RunHistory) -> tuple[list[EvalSet], Literal["test", "dev"], list[str]]:
    """The test sets that are meant, else the dev set, else none; and what is missing."""
    data, seed = history.config.data, history.config.train.seed
    if arguments.tests:
        return eval_sets(data, arguments.tests), "test", []
    try:
        return eval_sets(data), "test", []
    except UsageError:
        missing = "There is no test set in the configuration (data.test)."
    except DataError as error:
        missing = f"The test set cannot be read: {_reason(error)}."
    try:
        dev = read_dev(data, seed)
        if not dev.source:
            raise DataError(f"{dev.name} is empty")
    except DataError as error:
        untold = "Mistakes, samples, confidence and speed are not told; --test PLACE names another test set."
        return [], "dev", [f"{missing} The dev set cannot be read, either: {_reason(error)}.", untold]
    return (
        [EvalSet(dev.name, dev.name, dev.source, [dev.target], data.target_language, paths=dev.paths)],
        "dev",
        [f"{missing} What follows is of the dev set, which the checkpoint was chosen by."],
    )


def _reason(error: DataError) -> str:
    return error.message.rstrip(".")
