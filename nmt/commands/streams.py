"""Standard input and output as bytes: lines that others pipe in, and results that others read."""

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from nmt.errors import UsageError


def check_output(output: Path | None, *inputs: Path | None) -> None:
    """Raises UsageError when the output would take the place of something that is read."""
    for path in inputs:
        if output is not None and path is not None and output.exists() and path.exists() and output.samefile(path):
            raise UsageError(f"{output} is read and would be overwritten", "another --output")


def standard_input() -> BinaryIO:
    """Raises UsageError when it is closed (`<&-`)."""
    if sys.stdin is None:
        raise UsageError("there is nothing to read: standard input is closed", "give the text, or --input FILE")
    try:
        # Our own, since Python cannot end while a thread waits in a read of sys.stdin.
        return os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    except (OSError, io.UnsupportedOperation):  # no real file: a test's, a notebook's
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
