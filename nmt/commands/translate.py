"""`nmt translate`: one line in, one line out, in order."""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

from nmt import console, runtime
from nmt.commands.models import choose_model
from nmt.commands.streams import check_output, standard_input, standard_output
from nmt.decoding.translation import Translation
from nmt.decoding.translator import Translator
from nmt.errors import UsageError
from nmt.text.lines import atomic_file, iter_lines, read_lines

SHOWN_LINES = 10  # of those with a flag
CHUNK = 4096  # lines translated together: enough to sort by length, little to hold in memory


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt translate`; None means as the model was configured."""

    texts: tuple[str, ...] = ()
    model: Path | None = None
    input: Path | None = None
    output: Path | None = None
    beam_size: int | None = None
    length_penalty: float | None = None
    max_length: int | None = None
    max_batch_tokens: int | None = None
    long: Literal["split", "error"] = "split"
    device: str = "auto"
    threads: int | None = None


def run(arguments: Arguments) -> None:
    """Translate the texts, else the file, else standard input."""
    if arguments.texts and arguments.input is not None:
        raise UsageError("texts and --input exclude each other", "give one of them")
    check_output(arguments.output, arguments.input)
    # Read first: a byte that is not UTF-8 is an error before anything is written.
    lines = list(arguments.texts) if arguments.texts else None
    if arguments.input is not None:
        lines = read_lines(arguments.input)
    if len(arguments.texts) > 1 and not any(" " in text for text in arguments.texts):
        console.warn(f"{len(arguments.texts)} segments, translated one by one; quote a sentence to keep it together")
    model = choose_model(arguments.model)
    runtime.prepare(arguments.threads)
    translator = Translator.load(
        model,
        device=arguments.device,
        decode={"beam_size": arguments.beam_size, "length_penalty": arguments.length_penalty},
        max_length=arguments.max_length,
        max_batch_tokens=arguments.max_batch_tokens,
    )
    if arguments.model is None:
        console.log(f"model: {model}")
    if lines is not None and arguments.long == "error":
        translator.check_lengths(lines)
    flagged: dict[str, list[int]] = {}
    with standard_output() if arguments.output is None else atomic_file(arguments.output) as output:
        chunks = _live_chunks() if lines is None else _chunks(lines)
        total = None if lines is None else len(lines)
        with console.progress(total=total, description="translating", unit="line") as bar:
            for first, chunk in chunks:
                results = translator.translate_segments(
                    chunk, long=arguments.long, first_line=first, on_done=bar.update if lines is not None else None
                )
                _write(output, results)
                for number, result in enumerate(results, start=first):
                    for flag in result.flags:
                        flagged.setdefault(flag, []).append(number)
    for flag, numbers in sorted(flagged.items()):
        shown = ", ".join(map(str, numbers[:SHOWN_LINES]))
        more = f", ... ({len(numbers):,} in all)" if len(numbers) > SHOWN_LINES else ""
        console.warn(f"line{'s' if len(numbers) > 1 else ''} {shown}{more}: {flag}")


def _write(output: BinaryIO, results: Sequence[Translation]) -> None:
    for result in results:
        output.write(result.text.encode("utf-8") + b"\n")
    output.flush()


def _chunks(lines: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    for begin in range(0, len(lines), CHUNK):
        yield begin + 1, lines[begin : begin + CHUNK]


def _live_chunks() -> Iterator[tuple[int, Sequence[str]]]:
    """Standard input as it comes: a line typed is answered at once, a pipe that has much ready is read in chunks."""
    stream = standard_input()
    if stream.isatty():
        console.log("one segment a line; Ctrl-D ends")
    ready: queue.Queue[str | BaseException | None] = queue.Queue(maxsize=CHUNK)
    threading.Thread(target=_read_ahead, args=(stream, ready.put), daemon=True).start()
    number, ended = 1, False
    while not ended:
        items = [ready.get()]  # waits for the first line, then takes what is there already
        while len(items) < CHUNK and items[-1] is not None and not ready.empty():
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
