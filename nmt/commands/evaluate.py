"""`nmt eval`: how good translations are, as numbers that can be compared."""

import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from nmt import console
from nmt.commands.models import choose_models
from nmt.commands.streams import check_output, standard_output
from nmt.errors import DataError, UsageError
from nmt.evaluation import Evaluation, Score, corpus_bleu, evaluate, exact_match
from nmt.text.lines import atomic_file, read_lines

if TYPE_CHECKING:
    from nmt.config import DecodeConfig
    from nmt.corpus.starter import StarterCorpus
    from nmt.decoding.translation import Translation
    from nmt.decoding.workers import Recipe


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt eval`.

    settings, decode: of `decode.*` over the model's own, as words and as values.  tags: of every source line.
    threads: of all workers together; None: all cores.
    """

    settings: tuple[str, ...] = ()
    models: tuple[Path, ...] = ()
    source: Path | None = None
    references: tuple[Path, ...] = ()
    hypotheses: Path | None = None
    output: Path | None = None
    json: bool = False
    lowercase: bool = False
    language: str | None = None
    tags: tuple[str, ...] = ()
    decode: Mapping[str, object] = field(default_factory=dict)
    max_batch_tokens: int | None = None
    device: str = "auto"
    threads: int | None = None
    workers: int | Literal["auto"] = "auto"


@dataclass(frozen=True)
class Part:
    """What is told of one half of the built-in test set, or of a rival on the whole of it. exact: % of lines."""

    name: str
    about: str
    lines: int
    bleu: Score
    exact: float


def run(arguments: Arguments) -> None:
    """Translate a test set and score it, or score translations that are there already; print the scores."""
    check_output(arguments.output, arguments.source, *arguments.references)
    parts: list[Part] = []
    if arguments.hypotheses is not None:
        result = _score_file(arguments)
    else:
        result, parts = _translate_and_score(arguments)
    for note in result.notes:
        console.warn(note)
    with standard_output():
        print(json.dumps(_as_json(result, parts)) if arguments.json else describe(result, parts))


def describe(result: Evaluation, parts: Sequence[Part] = ()) -> str:
    """One line a metric, with its signature; one line a part, whose BLEU has the signature above."""
    rows = [f"{score.name:<6}{score.score:7.2f}   {score.signature}" for score in result.scores.values()]
    repaired = "" if result.repaired is None else f", {result.repaired} of them repaired by the guard"
    rows.append(f"{result.lines} lines{repaired}")
    rows += [
        f"  {part.name:<11} BLEU {part.bleu.score:6.2f}   exact {part.exact:5.1f} %   {part.lines} lines: {part.about}"
        for part in parts
    ]
    return "\n".join(rows)


def _as_json(result: Evaluation, parts: Sequence[Part]) -> dict[str, Any]:
    """The scores; those of parts below `parts`, where there are some."""
    told = {
        part.name: {
            "bleu": {"score": part.bleu.score, "signature": part.bleu.signature},
            "exact": part.exact,
            "lines": part.lines,
        }
        for part in parts
    }
    return result.as_json() | ({"parts": told} if told else {})


def _score_file(arguments: Arguments) -> Evaluation:
    assert arguments.hypotheses is not None
    if arguments.models or arguments.settings or arguments.source is not None or arguments.output is not None:
        raise UsageError("--hypotheses scores a file as it is; no model, --source or --output", "leave those out")
    if arguments.tags or any(value is not None for value in arguments.decode.values()):
        raise UsageError("--hypotheses scores a file as it is; there is nothing to search", "leave those options out")
    if not arguments.references:
        raise UsageError("--hypotheses needs --reference", "nmt eval --hypotheses F --reference F")
    references = [read_lines(path) for path in arguments.references]
    return evaluate(read_lines(arguments.hypotheses), references, arguments.language, arguments.lowercase)


def _translate_and_score(arguments: Arguments) -> tuple[Evaluation, list[Part]]:
    if bool(arguments.source) != bool(arguments.references):
        raise UsageError("--source and --reference go together", "give both, or neither to use the config's data.test")
    # Imported here: scoring a file must not wait for torch.
    from nmt.config import read_overrides
    from nmt.corpus.sources import read_test, starter_test
    from nmt.decoding.workers import Recipe
    from nmt.folders import find_model, load_config

    models = choose_models(arguments.models)
    asked = read_overrides(arguments.settings, "decode") | {k: v for k, v in arguments.decode.items() if v is not None}
    recipe = Recipe(
        models=tuple(find_model(model) for model in models),
        device=arguments.device,
        decode={"guard": "off"} | asked,  # a score is of what the model says itself, unless it is asked for otherwise
        max_batch_tokens=arguments.max_batch_tokens,
    )
    config = load_config(recipe.models[0])
    data = config.data
    if arguments.source is not None:
        source = read_lines(arguments.source)
        references = [read_lines(path) for path in arguments.references]
    else:
        test = read_test(data)
        if test is None:
            raise UsageError(f"{models[0]} was configured without data.test", "give --source F --reference F")
        source, references = test.source, [test.target]
    for lines in references:  # before translating for minutes
        if len(lines) != len(source):
            raise DataError(f"{len(source)} source lines, but {len(lines)} reference lines", "give files of one length")
    translations = _translate(arguments, recipe, source)
    hypotheses = [translation.text for translation in translations]
    language = arguments.language or data.target_language
    result = evaluate(hypotheses, references, language, arguments.lowercase)
    if recipe.decode["guard"] == "repair":
        result = replace(result, repaired=sum("repaired" in translation.flags for translation in translations))
    built_in = starter_test(data) if arguments.source is None else None
    if built_in is None:
        return result, []

    def part(name: str, about: str, found: Sequence[str], expected: Sequence[str]) -> Part:
        score = corpus_bleu(found, [expected], language, arguments.lowercase)
        return Part(name, about, len(found), replace(result["bleu"], score=score), exact_match(found, [expected]))

    return result, _starter_parts(built_in, hypotheses, part)


def _translate(arguments: Arguments, recipe: "Recipe", source: Sequence[str]) -> list["Translation"]:
    """All lines, into the file that is to keep them, too."""
    from nmt import runtime
    from nmt.commands.idle import warn_of_idle
    from nmt.commands.tags import check_tags
    from nmt.decoding.configuration import decode_settings
    from nmt.decoding.translation import Request
    from nmt.decoding.workers import Job, job_lines, translating, workers_for
    from nmt.folders import load_config

    check_tags(recipe.models[0], arguments.tags, source)
    runtime.prepare(arguments.threads)
    decode = decode_settings(load_config(recipe.models[0]).decode, recipe.decode)
    warn_of_idle(decode, recipe.decode, len(recipe.models))
    console.log(f"model: {' and '.join(map(str, recipe.models))}, {_told(decode)}")
    size = job_lines(recipe.device)
    workers = workers_for(arguments.workers, len(source), recipe.device, arguments.threads)
    requests = [Request(line, tags=arguments.tags) for line in source]
    jobs = (Job(begin + 1, requests[begin : begin + size]) for begin in range(0, len(source), size))
    # Opened first: a place that cannot be written to must not cost the translations.
    with (
        contextlib.nullcontext() if arguments.output is None else atomic_file(arguments.output) as file,
        console.progress(total=len(source), description="translating", unit="line") as bar,
        translating(recipe, jobs, workers=workers, threads=arguments.threads, on_done=bar.update) as results,
    ):
        translations = [translation for _, of_job in results for translation in of_job]
        if file is not None:
            file.write("".join(f"{translation.text}\n" for translation in translations).encode("utf-8"))
    return translations


def _told(decode: "DecodeConfig") -> str:
    """The beam, and what else is not as by default."""
    usual = type(decode)(guard="off", beam_size=decode.beam_size)
    others = {name: value for name, value in decode if value != getattr(usual, name)}
    return ", ".join([f"beam {decode.beam_size}", *(f"{name} {value}" for name, value in others.items())])


def _starter_parts(
    corpus: "StarterCorpus", hypotheses: Sequence[str], part: Callable[[str, str, Sequence[str], Sequence[str]], Part]
) -> list[Part]:
    """Both halves of the built-in test set, and word-by-word translation as the least to beat."""
    from nmt.corpus.starter import dictionary_baseline

    told = []
    for name, novel, about in (
        ("plain", False, "sentences like those in train"),
        ("novel", True, "words put together that train never puts together"),
    ):
        chosen = [index for index, pair in enumerate(corpus.test) if pair.novel == novel]
        expected = [corpus.test[index].target for index in chosen]
        told.append(part(name, about, [hypotheses[index] for index in chosen], expected))
    whole = [pair.target for pair in corpus.test]
    return [*told, part("dictionary", "word by word, without a model", dictionary_baseline(corpus), whole)]
