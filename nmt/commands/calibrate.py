"""`nmt calibrate`: learn the guard's thresholds and confidence for a model folder that has none, or has others."""

from dataclasses import dataclass
from pathlib import Path

from nmt import checkpoint, console, folders, runtime
from nmt.commands.models import choose_model
from nmt.corpus.sources import read_dev
from nmt.decoding.calibration import calibrate
from nmt.decoding.translator import Translator
from nmt.errors import DataError, UsageError
from nmt.text.lines import read_lines


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt calibrate`."""

    model: Path | None = None
    source: Path | None = None
    reference: Path | None = None
    max_batch_tokens: int | None = None
    device: str = "auto"
    threads: int | None = None


def run(arguments: Arguments) -> None:
    """Translate the dev set and write calibration.json anew; what it knows of alignment stays."""
    if bool(arguments.source) != bool(arguments.reference):
        raise UsageError("--source and --reference go together", "give both, or neither to use the config's dev set")
    model = choose_model(arguments.model)
    runtime.prepare(arguments.threads)
    loaded = checkpoint.load_model(model, arguments.device)
    if arguments.source is not None and arguments.reference is not None:
        sources, references = read_lines(arguments.source), read_lines(arguments.reference)
    else:
        dev = read_dev(loaded.config.data, loaded.config.train.seed)
        sources, references = dev.source, dev.target
    if len(sources) != len(references):
        raise DataError(f"{len(sources)} source lines, but {len(references)} references", "give files of one length")
    if not sources:
        raise DataError("there is nothing to learn from: no lines", "check that the files are not empty")
    translator = Translator.of(loaded, max_batch_tokens=arguments.max_batch_tokens)
    console.log(f"model: {loaded.folder}, beam {translator.decode.beam_size}, {len(sources)} lines")
    with console.progress(total=len(sources), description="translating", unit="line") as bar:
        hypotheses = [result.text for result in translator.translate_segments(sources, on_done=bar.update)]
    learnt = calibrate(
        loaded.model,
        loaded.source_tokenizer,
        loaded.target_tokenizer,
        sources,
        hypotheses,
        references,
        alignment=loaded.calibration.get("alignment"),
    )
    checkpoint.write_calibration(loaded.folder, learnt.as_json())
    flagged = ", ".join(f"{flag} {times}" for flag, times in learnt.dev["flagged"].items()) or "none"
    console.log(f"{learnt}\nflags on these lines: {flagged}\nwritten: {loaded.folder / folders.CALIBRATION}")
