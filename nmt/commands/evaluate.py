"""`nmt eval`: how good translations are, as numbers that can be compared."""

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path

from nmt import console
from nmt.commands.models import choose_model
from nmt.commands.streams import standard_output
from nmt.errors import DataError, UsageError
from nmt.evaluation import Evaluation, evaluate
from nmt.text.lines import atomic_file, read_lines


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


def run(arguments: Arguments) -> None:
    """Translate a test set and score it, or score translations that are there already; print the scores."""
    if arguments.hypotheses is not None:
        result = _score_file(arguments)
    else:
        result = _translate_and_score(arguments)
    for note in result.notes:
        console.warn(note)
    with standard_output():
        print(json.dumps(result.as_json()) if arguments.json else describe(result))


def describe(result: Evaluation) -> str:
    """One line a metric: score and signature."""
    rows = [
        f"{score.name:<6}{score.score:7.2f}   {score.signature}" for score in (result.bleu, result.chrf, result.ter)
    ]
    return "\n".join([*rows, f"{result.lines} lines"])


def _score_file(arguments: Arguments) -> Evaluation:
    assert arguments.hypotheses is not None
    if arguments.model is not None or arguments.source is not None or arguments.output is not None:
        raise UsageError("--hypotheses scores a file as it is; no model, --source or --output", "leave those out")
    if not arguments.references:
        raise UsageError("--hypotheses needs --reference", "nmt eval --hypotheses F --reference F")
    references = [read_lines(path) for path in arguments.references]
    return evaluate(read_lines(arguments.hypotheses), references, arguments.language, arguments.lowercase)


def _translate_and_score(arguments: Arguments) -> Evaluation:
    if bool(arguments.source) != bool(arguments.references):
        raise UsageError("--source and --reference go together", "give both, or neither to use the config's data.test")
    # Imported here: scoring a file must not wait for torch.
    from nmt import runtime
    from nmt.checkpoint import load_model
    from nmt.corpus.sources import read_test
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
        loaded, arguments.beam_size, arguments.length_penalty, max_batch_tokens=arguments.max_batch_tokens
    )
    console.log(f"model: {loaded.folder}, beam {translator.decode.beam_size}")
    # Opened first: a place that cannot be written to must not cost the translations.
    with contextlib.nullcontext() if arguments.output is None else atomic_file(arguments.output) as file:
        with console.progress(total=len(source), description="translating", unit="line") as bar:
            hypotheses = [result.text for result in translator.translate_segments(source, on_done=bar.update)]
        if file is not None:
            file.write("".join(f"{text}\n" for text in hypotheses).encode("utf-8"))
    return evaluate(hypotheses, references, arguments.language or data.target_language, arguments.lowercase)
