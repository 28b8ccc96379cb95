"""`nmt score`: what a model thinks of translations that are there already."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from nmt import console, runtime
from nmt.checkpoint import LoadedModel, load_model
from nmt.commands.models import choose_model
from nmt.commands.streams import check_output, standard_output
from nmt.decoding.scoring import Scored, check_lengths, perplexity, score
from nmt.errors import DataError
from nmt.text.lines import atomic_file, clean, read_lines

CHUNK = 4096  # pairs scored together: enough to sort by length, little to hold in memory

Ids = list[list[int]]


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt score`."""

    source: Path
    target: Path
    model: Path | None = None
    output: Path | None = None
    json: bool = False
    normalise: Literal["none", "length"] = "none"
    max_batch_tokens: int | None = None
    device: str = "auto"
    threads: int | None = None


def run(arguments: Arguments) -> None:
    """One line a pair: the log-probability of the target given its source, and its perplexity a token.

    A line is cleaned as for training. A blank one is the end of a sentence alone, and is scored as such: one line in,
    one line out. Raises DataError for files of different lengths and for a pair that is too long, before any work.
    """
    check_output(arguments.output, arguments.source, arguments.target)
    sources, targets = read_lines(arguments.source), read_lines(arguments.target)
    if len(sources) != len(targets):
        raise DataError(
            f"{arguments.source} has {len(sources):,} lines, but {arguments.target} has {len(targets):,}",
            "give files of one length, whose lines belong together",
        )
    model = choose_model(arguments.model)
    runtime.prepare(arguments.threads)
    loaded = load_model(model, arguments.device)
    if arguments.model is None:
        console.log(f"model: {model}")
    for first, source, target in _chunks(loaded, sources, targets):  # and again below: ids would fill the memory
        check_lengths([loaded.model], source, target, first)
    total, pairs, tokens = 0.0, 0, 0
    with (
        standard_output() if arguments.output is None else atomic_file(arguments.output) as output,
        console.progress(total=len(sources), description="scoring", unit="line") as bar,
    ):
        for _, source, target in _chunks(loaded, sources, targets):
            found = score(
                [loaded.model], source, target, max_batch_tokens=arguments.max_batch_tokens, on_done=bar.update
            )
            for pair in found:
                output.write(_told(pair, loaded, arguments).encode("utf-8") + b"\n")
                total += pair.log_prob
                pairs += 1
                tokens += len(pair.tokens)
            output.flush()
    console.log(
        f"{pairs:,} pairs, {tokens:,} target tokens: log-probability {total:.2f},"
        f" perplexity {perplexity(total, tokens):.4f}"
    )


def _chunks(loaded: LoadedModel, sources: Sequence[str], targets: Sequence[str]) -> Iterator[tuple[int, Ids, Ids]]:
    """The number of the first line, and the ids of both sides."""
    for begin in range(0, len(sources), CHUNK):
        chosen = slice(begin, begin + CHUNK)
        cleaned = [clean(line) for line in sources[chosen]]
        yield (
            begin + 1,
            loaded.source_tokenizer.encode_source_batch(cleaned, place=partial(_line, begin + 1)),
            loaded.target_tokenizer.encode_batch([clean(line) for line in targets[chosen]]),
        )


def _line(first: int, index: int) -> str:
    return f"line {first + index}"


def _told(pair: Scored, loaded: LoadedModel, arguments: Arguments) -> str:
    """A line of the output."""
    log_prob = pair.log_prob / len(pair.tokens) if arguments.normalise == "length" else pair.log_prob
    if not arguments.json:
        return f"{log_prob:.6f}\t{pair.perplexity:.6f}"
    pieces = loaded.target_tokenizer.pieces(pair.tokens)
    tokens = [{"piece": p, "log_prob": value} for p, value in zip(pieces, pair.log_probs, strict=True)]
    told = {"log_prob": log_prob, "perplexity": pair.perplexity, "tokens": tokens}
    return json.dumps(told, ensure_ascii=False)
