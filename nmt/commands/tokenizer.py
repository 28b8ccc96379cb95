"""`nmt tokenizer`: train a subword model, and look at what it does."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Literal

from nmt import console
from nmt.commands.streams import check_output, standard_input, standard_output
from nmt.config import Settings
from nmt.errors import DataError, UsageError
from nmt.text.lines import clean, iter_lines, one_line, read_lines
from nmt.text.tokenizer import Tokenizer


def train(
    inputs: Sequence[Path],
    output: Path,
    *,
    vocab_size: int,
    kind: Literal["unigram", "bpe"],
    tags: Sequence[str] = (),
    overwrite: bool = False,
) -> None:
    """Train a subword model on text files; the other settings are the configuration's defaults.

    tags: names that it declares.  Raises ConfigError for one that cannot be a name.
    """
    check_output(output, *inputs)
    if output.exists() and not overwrite:
        raise UsageError(f"{output} exists", "--overwrite, or another --output")
    defaults = Settings({"tokenizer": {"tags": list(tags)}}, {}).config.tokenizer
    lines = [text for path in inputs for line in read_lines(path) if (text := clean(line))]
    model = Tokenizer.train(
        lines,
        kind=kind,
        vocab_size=vocab_size,
        byte_fallback=defaults.byte_fallback,
        normalization=defaults.normalization,
        character_coverage=defaults.character_coverage,
        tags=defaults.tags,
    )
    model.save(output)
    console.log(f"{output}: {model.description}")


def encode(model: Path, texts: Sequence[str], *, ids: bool) -> None:
    """Print the pieces (or ids) of each text, or of each line of standard input, separated by blanks.

    Text is taken as a source: tags that the model declares are recognised in front of it.
    """
    tokenizer = Tokenizer.load(model)
    with standard_output() as output:
        for number, text in enumerate(texts or _stdin(), start=1):
            encoded = tokenizer.encode_source(clean(text), f"line {number}")
            _write(output, " ".join(map(str, encoded) if ids else tokenizer.pieces(encoded)))


def decode(model: Path, texts: Sequence[str]) -> None:
    """Print the text of each line of ids or pieces."""
    tokenizer = Tokenizer.load(model)
    known = {piece: number for number, piece in enumerate(tokenizer.pieces(range(tokenizer.vocab_size)))}
    with standard_output() as output:
        for text in texts or _stdin():
            items = text.split()
            # Among pieces "7" is the piece; in a line of numbers only it is an id.
            pieces = all(item in known for item in items) and not all(map(_is_number, items))
            ids = []
            for item in items:
                number = known[item] if pieces else int(item) if _is_number(item) else None
                if number is None or number >= tokenizer.vocab_size:
                    raise DataError(f"{item!r} is neither a piece nor an id of {model}", "nmt tokenizer encode")
                ids.append(number)
            _write(output, one_line(tokenizer.decode(ids)))


def _is_number(item: str) -> bool:
    return item.isascii() and item.isdigit()


def _write(output: BinaryIO, line: str) -> None:
    output.write(line.encode("utf-8") + b"\n")
    output.flush()


def _stdin() -> Iterator[str]:
    return iter_lines(standard_input(), "standard input")
