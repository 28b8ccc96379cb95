"""`nmt eval`: how good translations are, as numbers that can be compared."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from nmt import console
from nmt.commands.eval_sets import (
    EvalSet,
    Translated,
    check_together,
    eval_sets,
    keep_scores,
    recipe_for,
    tell_search,
    translate_set,
)
from nmt.commands.models import choose_models
from nmt.commands.streams import check_output, standard_output
from nmt.errors import UsageError
from nmt.evaluation import Evaluation, Score, bleu_tokenizer, evaluate
from nmt.text.lines import read_lines

if TYPE_CHECKING:
    from nmt.analysis import Analysis
    from nmt.config import DataConfig
    from nmt.corpus.starter import StarterCorpus
    from nmt.decoding.workers import Recipe
    from nmt.text.tokenizer import Tokenizer

FEWEST_SAMPLES = 100


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt eval`.

    settings, decode: of `decode.*` over the model's own, as words and as values.  tags: of every source line.
    tests: places as `data.test` may name them.  samples: of the bootstrap; 0: no intervals.
    analyse: look at mistakes, too; beside `hypotheses` this needs the source.  train, source_language: for that alone.
    threads: of all workers together; None: all cores.
    """

    settings: tuple[str, ...] = ()
    models: tuple[Path, ...] = ()
    tests: tuple[str, ...] = ()
    source: Path | None = None
    references: tuple[Path, ...] = ()
    hypotheses: Path | None = None
    output: Path | None = None
    json: bool = False
    lowercase: bool = False
    language: str | None = None
    samples: int = 1000
    analyse: bool = False
    train: str | None = None
    source_language: str | None = None
    tags: tuple[str, ...] = ()
    decode: Mapping[str, object] = field(default_factory=dict)
    max_batch_tokens: int | None = None
    device: str = "auto"
    threads: int | None = None
    workers: int | Literal["auto"] = "auto"


@dataclass(frozen=True)
class Part:
    """What is told of one half of the built-in test set, or of a rival on the whole of it: BLEU and exact match."""

    name: str
    about: str
    scores: Evaluation


def run(arguments: Arguments) -> None:
    """Translate test sets and score them, or score translations that are there already; print the scores."""
    check_output(arguments.output, arguments.source, *arguments.references)
    check_samples(arguments.samples)
    if not arguments.analyse and (arguments.train is not None or arguments.source_language is not None):
        raise UsageError("--train and --source-language are for the error analysis", "add --analyse, or leave them out")
    if arguments.hypotheses is not None:
        _tell(arguments, *_score_file(arguments))
    else:
        check_together(arguments.source, arguments.references)
        _translate_and_score(arguments)


def check_samples(samples: int) -> None:
    """Raises UsageError for so few resamples that their 95 % would be all or nothing."""
    if 0 < samples < FEWEST_SAMPLES:
        raise UsageError(
            f"--samples {samples} is too few for an interval", f"--samples {FEWEST_SAMPLES} or more; 0 for no intervals"
        )


def describe(result: Evaluation, parts: Sequence[Part] = ()) -> str:
    """One line a metric, with its interval and signature; one line a part, whose BLEU has the signature above."""
    scores = list(result.scores.values())
    width = max(len(score.name) for score in scores)
    rows = [f"{score.name:<{width}}{score.score:8.2f}  {_interval(score)}{score.signature}" for score in scores]
    repaired = "" if result.repaired is None else f", {result.repaired} of them repaired by the guard"
    intervals = "" if scores[0].interval is None else "; in brackets: 95 % intervals, by bootstrap resampling"
    rows.append(f"{result.lines:,} lines{repaired}{intervals}")
    rows += [
        f"  {part.name:<11} BLEU {part.scores['bleu'].score:6.2f}   exact {part.scores['exact'].score:5.1f} %   "
        f"{part.scores.lines:,} lines: {part.about}"
        for part in parts
    ]
    return "\n".join(rows)


def _interval(score: Score) -> str:
    if score.interval is None:
        return ""
    low, high = score.interval
    return f"{f'[{low:.2f}, {high:.2f}]':<18}"


def _tell(
    arguments: Arguments,
    result: Evaluation,
    analysis: "Analysis | None",
    parts: Sequence[Part] = (),
    name: str = "",
) -> None:
    """name: of the test set, where there are several."""
    for note in result.notes:
        console.warn(f"{name}: {note}" if name else note)
    with standard_output():
        if arguments.json:
            found = {} if analysis is None else {"analysis": analysis.as_json()}
            print(json.dumps(({"test": name} if name else {}) | _as_json(result, parts) | found))
        else:
            text = describe(result, parts) + _analysis_text(analysis)
            print(f"{name}\n{text}\n" if name else text)


def _analysis_text(analysis: "Analysis | None") -> str:
    if analysis is None:
        return ""
    from nmt.commands.analysis_text import describe

    return f"\n\n{describe(analysis)}"


def _as_json(result: Evaluation, parts: Sequence[Part]) -> dict[str, Any]:
    """The scores; those of parts below `parts`, where there are some."""
    of_parts = {part.name: part.scores.as_json() for part in parts}
    return result.as_json() | ({"parts": of_parts} if of_parts else {})


def _score_file(arguments: Arguments) -> "tuple[Evaluation, Analysis | None]":
    assert arguments.hypotheses is not None
    of_model = arguments.models or arguments.settings or arguments.tests
    if of_model or (arguments.source is not None and not arguments.analyse) or arguments.output is not None:
        raise UsageError(
            "--hypotheses scores a file as it is; no model, --test, --source or --output", "leave those out"
        )
    if arguments.analyse and arguments.source is None:
        raise UsageError("--analyse of --hypotheses needs the text that was translated", "add --source F")
    if arguments.tags or any(value is not None for value in arguments.decode.values()):
        raise UsageError("--hypotheses scores a file as it is; there is nothing to search", "leave those options out")
    if not arguments.references:
        raise UsageError("--hypotheses needs --reference", "nmt eval --hypotheses F --reference F")
    references = [read_lines(path) for path in arguments.references]
    hypotheses = read_lines(arguments.hypotheses)
    result = evaluate(hypotheses, references, arguments.language, arguments.lowercase, samples=arguments.samples)
    if not arguments.analyse:
        return result, None
    assert arguments.source is not None
    from nmt.commands.analysis import analysis_of_file

    return result, analysis_of_file(
        arguments.source,
        hypotheses,
        references,
        languages=(arguments.source_language, arguments.language),
        train=arguments.train,
        lowercase=arguments.lowercase,
        samples=arguments.samples,
    )


def _translate_and_score(arguments: Arguments) -> None:
    """One test set after the other; each is told of as soon as it is done."""
    # Imported here: scoring a file must not wait for torch.
    from nmt.config import read_overrides
    from nmt.folders import find_model, load_config
    from nmt.text.tokenizer import Tokenizer

    models = choose_models(arguments.models)
    asked = read_overrides(arguments.settings, "decode") | {k: v for k, v in arguments.decode.items() if v is not None}
    folders = [find_model(model) for model in models]
    recipe = recipe_for(folders, asked, arguments.device, arguments.max_batch_tokens)
    data, tokenizer = load_config(recipe.models[0]).data, Tokenizer.load(recipe.models[0] / "source.spm")
    tests = eval_sets(data, arguments.tests, arguments.source, arguments.references, str(models[0]))
    for test in tests:  # before translating for minutes
        bleu_tokenizer(arguments.language or test.target_language)
    if arguments.analyse:
        from nmt.commands.analysis import check_train

        check_train(arguments.train, data)
    outputs = output_files(arguments.output, tests)
    tell_search(recipe, "model")
    translator = recipe.make() if len(tests) > 1 else None  # else loaded where it is needed
    for test, output in zip(tests, outputs, strict=True):
        translated = translate_set(
            recipe,
            test,
            tags=arguments.tags,
            output=output,
            threads=arguments.threads,
            workers=arguments.workers,
            translator=translator,
        )
        result, parts = _score(arguments, recipe, test, translated)
        if arguments.samples:  # a quick look does not take the place of a score with its interval
            keep_scores(
                recipe,
                test,
                translated,
                result,
                tags=arguments.tags,
                lowercase=arguments.lowercase,
                language=arguments.language,
            )
        analysis = _analysis(arguments, data, tokenizer, test, translated) if arguments.analyse else None
        _tell(arguments, result, analysis, parts, test.name if len(tests) > 1 else "")


def output_files(output: Path | None, tests: Sequence[EvalSet]) -> list[Path | None]:
    """Where the translations of each set go: into the file, or, of several sets, into files of that folder.

    Raises UsageError where one would take the place of another, or of a text that is read.
    """
    if output is None:
        return [None] * len(tests)
    several = len(tests) > 1
    paths = (
        [output / f"{test.name.replace('/', '_')}.{test.target_language}" for test in tests] if several else [output]
    )
    for index, path in enumerate(paths):
        if path in paths[:index]:
            raise UsageError(f"two test sets would be written to {path}", "one at a time, or without --output")
        check_output(path, *(read for test in tests for read in test.paths))
    if several:
        output.mkdir(parents=True, exist_ok=True)
    return list(paths)


def _score(
    arguments: Arguments, recipe: "Recipe", test: EvalSet, translated: Translated
) -> tuple[Evaluation, list[Part]]:
    language, hypotheses = arguments.language or test.target_language, translated.texts
    result = evaluate(hypotheses, test.references, language, arguments.lowercase, samples=arguments.samples)
    if recipe.decode["guard"] == "repair":
        result = replace(result, repaired=sum("repaired" in one.flags for one in translated.translations))
    if test.built_in is None:
        return result, []

    def part(name: str, about: str, found: Sequence[str], expected: Sequence[str]) -> Part:
        scores = evaluate(
            found, [expected], language, arguments.lowercase, keys=["bleu", "exact"], samples=arguments.samples
        )
        return Part(name, about, scores)

    return result, _starter_parts(test.built_in, hypotheses, part)


def _analysis(
    arguments: Arguments, data: "DataConfig", tokenizer: "Tokenizer", test: EvalSet, translated: Translated
) -> "Analysis":
    from nmt.commands.analysis import analysis_of_model

    return analysis_of_model(
        data,
        tokenizer,
        test,
        translated.texts,
        train=arguments.train,
        languages=(arguments.source_language, arguments.language),
        lowercase=arguments.lowercase,
        samples=arguments.samples,
    )


def _starter_parts(
    corpus: "StarterCorpus", hypotheses: Sequence[str], part: Callable[[str, str, Sequence[str], Sequence[str]], Part]
) -> list[Part]:
    """Both halves of the built-in test set, and word-by-word translation as the least to beat."""
    from nmt.corpus.starter import dictionary_baseline

    parts = []
    for name, novel, about in (
        ("plain", False, "sentences like those in train"),
        ("novel", True, "words put together that train never puts together"),
    ):
        chosen = [index for index, pair in enumerate(corpus.test) if pair.novel == novel]
        expected = [corpus.test[index].target for index in chosen]
        parts.append(part(name, about, [hypotheses[index] for index in chosen], expected))
    whole = [pair.target for pair in corpus.test]
    return [*parts, part("dictionary", "word by word, without a model", dictionary_baseline(corpus), whole)]
