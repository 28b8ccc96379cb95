"""`nmt eval`: how good translations are, as numbers that can be compared."""

import contextlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nmt import console
from nmt.commands.models import choose_model
from nmt.commands.streams import check_output, standard_output
from nmt.errors import DataError, UsageError
from nmt.evaluation import Evaluation, Score, corpus_bleu, evaluate, exact_match
from nmt.text.lines import atomic_file, read_lines

if TYPE_CHECKING:
    from nmt.corpus.starter import StarterCorpus


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt eval`."""

    model: Path | None = None
    source: Path | None = None
    references: tuple[Path, ...] = ()
    hypotheses: Path | None = None
    output: Path | None = None
    json: bool = False
    lowercase: bool = False
    language: str | None = None
    beam_size: int | None = None
    length_penalty: float | None = None
    max_batch_tokens: int | None = None
    device: str = "auto"
    threads: int | None = None


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
    rows = [
        f"{score.name:<6}{score.score:7.2f}   {score.signature}" for score in (result.bleu, result.chrf, result.ter)
    ]
    rows.append(f"{result.lines} lines")
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
    if arguments.model is not None or arguments.source is not None or arguments.output is not None:
        raise UsageError("--hypotheses scores a file as it is; no model, --source or --output", "leave those out")
    if not arguments.references:
        raise UsageError("--hypotheses needs --reference", "nmt eval --hypotheses F --reference F")
    references = [read_lines(path) for path in arguments.references]
    return evaluate(read_lines(arguments.hypotheses), references, arguments.language, arguments.lowercase)


def _translate_and_score(arguments: Arguments) -> tuple[Evaluation, list[Part]]:
    if bool(arguments.source) != bool(arguments.references):
        raise UsageError("--source and --reference go together", "give both, or neither to use the config's data.test")
    # Imported here: scoring a file must not wait for torch.
    from nmt import runtime
    from nmt.checkpoint import load_model
    from nmt.corpus.sources import read_test, starter_test
    from nmt.decoding.translator import Translator

    model = choose_model(arguments.model)
    runtime.prepare(arguments.threads)
    loaded = load_model(model, arguments.device)
    data = loaded.config.data
    if arguments.source is not None:
        source = read_lines(arguments.source)
        references = [read_lines(path) for path in arguments.references]
    else:
        test = read_test(data)
        if test is None:
            raise UsageError(f"{model} was configured without data.test", "give --source F --reference F")
        source, references = test.source, [test.target]
    for lines in references:  # before translating for minutes
        if len(lines) != len(source):
            raise DataError(f"{len(source)} source lines, but {len(lines)} reference lines", "give files of one length")
    translator = Translator.of(
        loaded,
        decode={"beam_size": arguments.beam_size, "length_penalty": arguments.length_penalty},
        max_batch_tokens=arguments.max_batch_tokens,
    )
    console.log(f"model: {loaded.folder}, beam {translator.decode.beam_size}")
    # Opened first: a place that cannot be written to must not cost the translations.
    with contextlib.nullcontext() if arguments.output is None else atomic_file(arguments.output) as file:
        with console.progress(total=len(source), description="translating", unit="line") as bar:
            hypotheses = [result.text for result in translator.translate_segments(source, on_done=bar.update)]
        if file is not None:
            file.write("".join(f"{text}\n" for text in hypotheses).encode("utf-8"))
    language = arguments.language or data.target_language
    result = evaluate(hypotheses, references, language, arguments.lowercase)
    built_in = starter_test(data) if arguments.source is None else None
    if built_in is None:
        return result, []

    def part(name: str, about: str, found: Sequence[str], expected: Sequence[str]) -> Part:
        score = corpus_bleu(found, [expected], language, arguments.lowercase)
        return Part(name, about, len(found), replace(result.bleu, score=score), exact_match(found, [expected]))

    return result, _starter_parts(built_in, hypotheses, part)


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
