"""Standard input and output as bytes: lines that others pipe in, and results that others read."""

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import BinaryIO

from nmt.errors import UsageError


def standard_input() -> BinaryIO:
    """Raises UsageError when it is closed (`<&-`)."""
    if sys.stdin is None:
        raise UsageError("there is nothing to read: standard input is closed", "give the text, or --input FILE")
    return sys.stdin.buffer


@contextlib.contextmanager
def standard_output() -> Iterator[BinaryIO]:
    """Where results go. Raises UsageError when it is closed; a reader that leaves early (`| head`) is no error."""
    if sys.stdout is None:
        raise UsageError("there is nowhere to write: standard output is closed", "--output FILE")
    try:
        yield sys.stdout.buffer
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes stdout once more at its end, and would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
