"""`nmt translate`: one line in, one line out, in order."""

import contextlib
import itertools
import json
import queue
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Literal

import nmt
from nmt import console, folders, runtime
from nmt.commands.idle import warn_of_idle
from nmt.commands.models import choose_models
from nmt.commands.partial import PartialFile, can_be_partial, places
from nmt.commands.streams import check_output, standard_input, standard_output
from nmt.commands.tags import check_tags
from nmt.decoding.configuration import decode_settings
from nmt.decoding.translation import Request, Translation
from nmt.decoding.workers import Job, Recipe, job_lines, translating, workers_for
from nmt.errors import DataError, UsageError
from nmt.text.lines import TextFile, atomic_file, clean, iter_lines

SHOWN_LINES = 10  # of those with a flag
SEPARATORS = re.compile("[\x85\u2028\u2029]")
Write = Callable[[bytes], object]


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt translate`; None means as the model was configured.

    prefix, phrases, tags: of every line; prefixes, phrases_file: line by line.
    decode: settings of `decode.*` over the model's own.  threads: of all workers together; None: all cores.
    """

    texts: tuple[str, ...] = ()
    models: tuple[Path, ...] = ()
    input: Path | None = None
    output: Path | None = None
    resume: bool = False
    overwrite: bool = False
    json: bool = False
    n_best: int = 1
    prefix: str = ""
    prefixes: Path | None = None
    phrases: tuple[str, ...] = ()
    phrases_file: Path | None = None
    tags: tuple[str, ...] = ()
    decode: Mapping[str, object] = field(default_factory=dict)
    max_length: int | None = None
    max_batch_tokens: int | None = None
    long: Literal["split", "error"] = "split"
    device: str = "auto"
    threads: int | None = None
    workers: int | Literal["auto"] = "auto"


def run(arguments: Arguments) -> None:
    """Translate the texts, else the file, else standard input."""
    _check(arguments)
    # Read first: a byte that is not UTF-8 is an error before anything is written.
    text = TextFile(arguments.input) if arguments.input is not None else arguments.texts or None
    if len(arguments.texts) > 1 and not any(" " in words for words in arguments.texts):
        console.warn(f"{len(arguments.texts)} segments, translated one by one; quote a sentence to keep it together")
    wishes = Wishes(arguments, None if text is None else len(text))
    models = choose_models(arguments.models)
    runtime.prepare(arguments.threads)
    recipe = Recipe(
        # The folders themselves: a training that goes on must not change a model between two workers.
        models=tuple(folders.find_model(model) for model in models),
        device=arguments.device,
        decode=arguments.decode,
        max_length=arguments.max_length,
        max_batch_tokens=arguments.max_batch_tokens,
        long=arguments.long,
        n_best=arguments.n_best,
        details=arguments.json,
    )
    check_tags(recipe.models[0], arguments.tags, text or ())
    decode = decode_settings(folders.load_config(recipe.models[0]).decode, recipe.decode)
    warn_of_idle(decode, (name for name, value in arguments.decode.items() if value is not None), len(models))
    size = job_lines(arguments.device)
    workers = 1 if text is None else workers_for(arguments.workers, len(text), arguments.device, arguments.threads)
    check = text is not None and arguments.long == "error"
    translator = recipe.make() if workers == 1 or check else None
    if check and translator is not None:
        for first, lines in chunks(text or (), size):
            translator.check_lengths([Request(line, tags=arguments.tags) for line in lines], first)
    if not arguments.models:
        console.log(f"model: {models[0]}")
    flags = Flags()
    with _output(arguments, recipe, text, wishes) as (write, done):
        total = None if text is None else len(text)
        cut = live(size) if text is None else chunks(text, size, done)
        jobs = (Job(first, wishes.requests(first, segments)) for first, segments in cut)
        with (
            console.progress(total=total, done=done, description="translating", unit="line") as bar,
            translating(
                recipe,
                jobs,
                workers=workers,
                threads=arguments.threads,
                translator=translator,
                on_done=None if text is None else bar.update,
            ) as results,
        ):
            for job, translations in results:
                write(b"".join(map(as_json if arguments.json else as_line, job.segments, translations)))
                flags.count(job.first_line, translations)
    flags.tell()


def as_line(_: str | Request, result: Translation) -> bytes:
    """The text alone, on one line whatever it holds."""
    return result.text.encode("utf-8") + b"\n"


def as_json(source: str | Request, result: Translation) -> bytes:
    """All that is known of a result, as one line of JSON."""
    text = source if isinstance(source, str) else source.text
    told = json.dumps(result.as_json(text), ensure_ascii=False)
    # JSON leaves these as they are, and some readers take them for the end of a line.
    return SEPARATORS.sub(lambda found: f"\\u{ord(found[0]):04x}", told).encode("utf-8", errors="replace") + b"\n"


class Wishes:
    """What the command line asks of the translations, line by line."""

    def __init__(self, arguments: Arguments, lines: int | None) -> None:
        """lines: of the text; None while nobody knows. Raises DataError when a file has another number of lines."""
        self._prefix, self._phrases, self._tags = arguments.prefix, arguments.phrases, arguments.tags
        files = {"--prefixes": arguments.prefixes, "--phrases": arguments.phrases_file}
        self._files = {option: None if path is None else TextFile(path) for option, path in files.items()}
        for option, file in self._files.items():
            if file is None:
                continue
            if lines is None:
                raise UsageError(f"{option} goes line by line with a text that is there", "--input FILE")
            if len(file) != lines:
                raise DataError(
                    f"{file.path} has {len(file):,} lines, but the text has {lines:,}", "give files of one length"
                )
        self.checksums = {option: file.sha256 for option, file in self._files.items() if file is not None}
        self._lines = {option: iter(file) for option, file in self._files.items() if file is not None}
        self._next = 1

    def requests(self, first_line: int, segments: Sequence[str]) -> Sequence[str | Request]:
        """Called in the order of lines, perhaps not from the first on."""
        if not (self._prefix or self._phrases or self._tags or self._lines):
            return segments
        for lines in self._lines.values():  # what an earlier run has done
            for _ in itertools.islice(lines, first_line - self._next):
                pass
        self._next = first_line + len(segments)
        return [self._request(segment) for segment in segments]

    def _request(self, segment: str) -> Request:
        prefix = next(self._lines["--prefixes"]) if "--prefixes" in self._lines else ""
        phrases = next(self._lines["--phrases"]).split("\t") if "--phrases" in self._lines else []
        return Request(segment, prefix or self._prefix, (*self._phrases, *phrases), self._tags)


def _check(arguments: Arguments) -> None:
    """Raises UsageError for options that do not go together."""
    if arguments.texts and arguments.input is not None:
        raise UsageError("texts and --input exclude each other", "give one of them")
    if arguments.resume and arguments.overwrite:
        raise UsageError("--resume and --overwrite exclude each other", "leave one out")
    if arguments.resume and (arguments.input is None or arguments.output is None):
        raise UsageError("--resume needs --input and --output", "nmt translate --input FILE --output FILE --resume")
    if arguments.resume and arguments.output is not None and not can_be_partial(arguments.output):
        raise UsageError(f"--resume cannot go on with {arguments.output}, which is no file", "--output FILE")
    if arguments.workers not in ("auto", 1) and arguments.input is None:
        raise UsageError("--workers needs --input: several processes translate a file", "leave it out, or --input FILE")
    if arguments.n_best > 1 and not arguments.json:
        raise UsageError("--n-best tells several outputs of a line, and one line in is one line out", "add --json")
    if not all(clean(phrase) for phrase in arguments.phrases):
        raise UsageError("--phrase is blank", "--phrase TEXT, or leave it out")
    shortest, longest = arguments.decode.get("min_length"), arguments.max_length
    if isinstance(shortest, int) and longest is not None and shortest >= longest:
        raise UsageError(
            f"--min-length {shortest} leaves no place for the end within --max-length {longest}",
            f"--max-length {shortest + 1} or more",
        )
    if arguments.output is not None:
        for written in (arguments.output, *places(arguments.output)):
            check_output(written, arguments.input, arguments.prefixes, arguments.phrases_file)


@contextlib.contextmanager
def _output(
    arguments: Arguments, recipe: Recipe, text: TextFile | tuple[str, ...] | None, wishes: Wishes
) -> Iterator[tuple[Write, int]]:
    """Where lines go, and how many of them an earlier run has put there."""
    if arguments.output is not None and isinstance(text, TextFile) and can_be_partial(arguments.output):
        with PartialFile(
            arguments.output,
            _belongs(arguments, recipe, text, wishes),
            total=len(text),
            block=job_lines(recipe.device),
            resume=arguments.resume,
            overwrite=arguments.overwrite,
        ) as partial:
            yield partial.write, partial.lines
        return
    with standard_output() if arguments.output is None else atomic_file(arguments.output) as file:

        def write(data: bytes) -> None:
            file.write(data)
            file.flush()

        yield write, 0


def _belongs(arguments: Arguments, recipe: Recipe, text: TextFile, wishes: Wishes) -> dict[str, Any]:
    """All that decides about the lines of the output, and about how they are cut into batches."""
    decode = decode_settings(folders.load_config(recipe.models[0]).decode, recipe.decode)
    return {
        "version": nmt.__version__,
        "input": {"lines": len(text), "sha256": text.sha256},
        "models": {str(number): folders.checksums(model) for number, model in enumerate(recipe.models, start=1)},
        "decode": decode.model_dump(mode="json"),
        "json": arguments.json,
        "n_best": arguments.n_best,
        "wishes": {"prefix": arguments.prefix, "phrases": arguments.phrases, **wishes.checksums},
        "tags": arguments.tags,
        "max_length": recipe.max_length,
        "max_batch_tokens": recipe.max_batch_tokens,
        "long": recipe.long,
        "device": runtime.pick_device(recipe.device).type,
        "lines_at_once": job_lines(recipe.device),
    }


class Flags:
    """Which flags were seen: how often, and on which lines first."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[int, list[int]]] = {}

    def count(self, first_line: int, results: Iterable[Translation]) -> None:
        for number, result in enumerate(results, start=first_line):
            for flag in result.flags:
                times, lines = self._seen.get(flag, (0, []))
                self._seen[flag] = times + 1, [*lines, number][:SHOWN_LINES]

    def tell(self) -> None:
        for flag, (times, lines) in sorted(self._seen.items()):
            more = f", ... ({times:,} in all)" if times > len(lines) else ""
            console.warn(f"line{'s' if times > 1 else ''} {', '.join(map(str, lines))}{more}: {flag}")


def chunks(lines: Iterable[str], size: int, done: int = 0) -> Iterator[tuple[int, list[str]]]:
    """So many lines at a time after the first `done` of them, each time with the number of the first one."""
    rest, first = itertools.islice(lines, done, None), done + 1
    while chunk := list(itertools.islice(rest, size)):
        yield first, chunk
        first += len(chunk)


def live(size: int) -> Iterator[tuple[int, list[str]]]:
    """Standard input as it comes: a line typed is answered at once, a pipe that has much ready is read in chunks."""
    stream = standard_input()
    if stream.isatty():
        console.log("one segment a line; Ctrl-D ends")
    ready: queue.Queue[str | BaseException | None] = queue.Queue(maxsize=size)
    threading.Thread(target=_read_ahead, args=(stream, ready.put), daemon=True).start()
    number, ended = 1, False
    while not ended:
        items = [ready.get()]  # waits for the first line, then takes what is there already
        while len(items) < size and items[-1] is not None and not ready.empty():
            items.append(ready.get())
        if isinstance(items[-1], BaseException):
            raise items[-1]
        chunk = [item for item in items if isinstance(item, str)]
        ended = items[-1] is None
        if chunk:
            yield number, chunk
            number += len(chunk)


def _read_ahead(stream: BinaryIO, put: Callable[[str | BaseException | None], None]) -> None:
    """Runs in a thread of its own, since a read of standard input waits for the next line."""

    def replaced(line: int) -> None:
        console.warn(f"standard input line {line} is not UTF-8; what cannot be read is replaced by U+FFFD")

    try:
        for line in iter_lines(stream, "standard input", "replace", replaced):
            put(line)
        put(None)
    except BaseException as error:  # handed to the thread that translates
        put(error)
