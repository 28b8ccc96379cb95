"""Whether the tags of a text, and those asked for, are tags of the model: found out before any work."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from nmt.text.lines import clean
from nmt.text.tokenizer import Tokenizer


def without_tags(tokenizer: Tokenizer, text: Sequence[str]) -> list[str]:
    """The lines without the tags that they begin with; as they are where the model has none.

    tokenizer: of its source.

    Errors: DataError as of `check_tags`.
    """
    return [tokenizer.split_tags(clean(line))[1] for line in text] if tokenizer.tags else list(text)


def check_tags(model: Path, asked: Sequence[str], text: Iterable[str]) -> None:
    """model: its folder.  asked: names, to go in front of each line.

    Raises UsageError for one asked for that the model does not declare, DataError for one in front of a line.
    """
    tokenizer = Tokenizer.load(model / "source.spm")
    tokenizer.tag_ids(asked)
    for number, line in enumerate(text if tokenizer.tags else (), start=1):
        tokenizer.split_tags(clean(line), f"line {number}")
