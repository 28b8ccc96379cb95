"""`nmt compare`: which of several systems is better, and whether that can be believed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from nmt import console
from nmt.commands.compare_text import Compared, System, as_json, describe
from nmt.commands.eval_sets import EvalSet, eval_sets, recipe_for, tell_search, translate_set
from nmt.commands.streams import standard_output
from nmt.errors import DataError, UsageError
from nmt.evaluation import Key, Metric, evaluate, metrics_for
from nmt.evaluation.significance import compare
from nmt.text.lines import read_lines

if TYPE_CHECKING:
    from nmt.config import DataConfig


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt compare`.

    systems: runs, model folders, and files of translations.  tests: places as `data.test` may name them.
    lines: how many to show of those where two systems differ most.
    decode: of `decode.*` over each model's own.  tags: of every source line.
    threads: of all workers together; None: all cores.
    """

    systems: tuple[Path, ...]
    tests: tuple[str, ...] = ()
    source: Path | None = None
    references: tuple[Path, ...] = ()
    metrics: tuple[Key, ...] = ("bleu", "chrf")
    lines: int = 0
    json: bool = False
    lowercase: bool = False
    language: str | None = None
    tags: tuple[str, ...] = ()
    decode: Mapping[str, object] = field(default_factory=dict)
    max_batch_tokens: int | None = None
    device: str = "auto"
    threads: int | None = None
    workers: int | Literal["auto"] = "auto"


def run(arguments: Arguments) -> None:
    """Translate with the models, compare all systems with the first one, and print what can be said of each.

    Errors: UsageError for what cannot be compared, DataError for files that do not belong together.
    """
    systems = _systems(arguments.systems)
    models = [system for system in systems if system.model is not None]
    tests = _tests_of_models(arguments, models) if models else [_test_of_files(arguments)]
    files = {system.path: read_lines(system.path) for system in systems if system.model is None}
    if files and len(tests) > 1:
        raise UsageError(
            f"there are {len(tests)} test sets, and {next(iter(files))} can only be of one",
            "name that one: --test PLACE",
        )
    for test in tests:
        _check_lengths(files, test)
    for test in tests:
        metrics = metrics_for(arguments.language or test.target_language, arguments.lowercase, arguments.metrics)
        compared = _compare(systems, test, metrics, files | _translate(arguments, models, test))
        for note in _notes(arguments, compared):
            console.warn(note)
        if arguments.json:
            text = json.dumps(as_json(compared, arguments.lines), ensure_ascii=False)
        else:
            text = describe(compared, arguments.lines) + ("\n" if len(tests) > 1 else "")
        with standard_output() as output:
            output.write(text.encode("utf-8", errors="replace") + b"\n")


def _systems(paths: Sequence[Path]) -> list[System]:
    if len(paths) < 2:
        raise UsageError(
            "one system cannot be compared with itself", "nmt compare A B: models, or files of translations"
        )
    from nmt.folders import find_model

    names = [chr(ord("A") + index) if index < 26 else f"S{index + 1}" for index in range(len(paths))]
    return [
        System(name, path, find_model(path) if path.is_dir() else None) for name, path in zip(names, paths, strict=True)
    ]


def _tests_of_models(arguments: Arguments, models: Sequence[System]) -> list[EvalSet]:
    """The test sets that are named, else those of the first model."""
    from nmt.folders import load_config

    datas = [load_config(system.folder).data for system in models]
    pairs = [_languages(data) for data in datas]
    for system, pair in zip(models, pairs, strict=True):
        if pair != pairs[0]:
            raise UsageError(
                f"{models[0].path} translates {pairs[0]}, but {system.path} {pair}: no text is a test of both",
                "models of one language pair",
            )
    return eval_sets(datas[0], arguments.tests, arguments.source, arguments.references, str(models[0].path))


def _languages(data: "DataConfig") -> str:
    return f"{data.source_language}-{data.target_language}"


def _test_of_files(arguments: Arguments) -> EvalSet:
    """Without a model there is nothing to translate: the source text is only for people to look at."""
    if arguments.tests:
        raise UsageError(
            "--test needs a model among the systems, which says what languages it is in", "give --reference F"
        )
    if not arguments.references:
        raise UsageError("files of translations need a reference", "--reference F")
    if arguments.tags or any(value is not None for value in arguments.decode.values()):
        raise UsageError("without a model among the systems there is nothing to search", "leave those options out")
    references = [read_lines(path) for path in arguments.references]
    source = [] if arguments.source is None else read_lines(arguments.source)
    if source and len(source) != len(references[0]):
        raise DataError(
            f"{len(source)} source lines, but {len(references[0])} reference lines", "give files of one length"
        )
    path = arguments.references[0]
    return EvalSet(path.name, str(path), source, references, arguments.language or "")


def _check_lengths(files: Mapping[Path, Sequence[str]], test: EvalSet) -> None:
    """Before models translate for minutes."""
    for path, lines in files.items():
        for reference in test.references:
            if len(lines) != len(reference):
                raise DataError(
                    f"{path} has {len(lines)} lines, but {test.name} has {len(reference)}",
                    "compare the files line by line: one was cut short, or they belong to different sets",
                )


def _translate(arguments: Arguments, models: Sequence[System], test: EvalSet) -> dict[Path, list[str]]:
    """What each model says, by the path that names it; a model that is named twice is asked once."""
    asked = {name: value for name, value in arguments.decode.items() if value is not None}
    found: dict[Path, list[str]] = {}
    for system in models:
        if system.folder not in found:
            recipe = recipe_for([system.folder], asked, arguments.device, arguments.max_batch_tokens)
            tell_search(recipe, system.name)
            translated = translate_set(
                recipe, test, tags=arguments.tags, threads=arguments.threads, workers=arguments.workers
            )
            found[system.folder] = translated.texts
    return {system.path: found[system.folder] for system in models}


def _compare(
    systems: Sequence[System],
    test: EvalSet,
    metrics: Sequence[Metric],
    texts: Mapping[Path, Sequence[str]],
) -> Compared:
    """All systems by all metrics."""
    outputs = [texts[system.path] for system in systems]
    with console.progress(total=len(metrics) * len(systems), description="comparing", unit="step") as bar:
        found = []
        for metric in metrics:
            counts = []
            for lines in outputs:
                counts.append(metric.statistics(lines, test.references))
                bar.update()
            found.append((metric, compare(metric, counts)))
    return Compared(list(systems), test, outputs, found)


def _notes(arguments: Arguments, compared: Compared) -> list[str]:
    """What to know before trusting any of it; with the names of the systems, unless it is so for all."""
    said: dict[str, list[str]] = {}
    for system, lines in zip(compared.systems, compared.outputs, strict=True):
        # Only the notes are wanted, and there is one on BLEU; exact match is the quickest.
        key: Key = "bleu" if "bleu" in arguments.metrics else "exact"
        language = arguments.language or compared.test.target_language
        for note in evaluate(lines, compared.test.references, language, keys=[key], samples=0).notes:
            said.setdefault(note, []).append(system.name)
    everyone = len(compared.systems)
    return [note if len(names) == everyone else f"{' and '.join(names)}: {note}" for note, names in said.items()]
