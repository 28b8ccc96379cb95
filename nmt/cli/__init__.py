"""Every command's name, options and help. Imports lazily, makes one call.

`nmt --help` must be instant, so nothing here imports torch; a test checks it.
"""

import io
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Annotated

import typer

import nmt
from nmt import console

# Each adds its commands.
from nmt.cli import (  # noqa: F401
    checking,
    cleaning,
    comparing,
    data,
    dividing,
    looking,
    reporting,
    training,
    translating,
)
from nmt.cli.application import app
from nmt.cli.training import BENCH_DATA, BENCH_DECODE
from nmt.errors import NMTError


def _version(wanted: bool) -> None:
    if wanted:
        print(f"nmt {nmt.__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show a traceback with an error; anywhere on the line.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """The `nmt` command."""
    try:
        _main()
    except SystemExit as end:
        _leave(end.code if isinstance(end.code, int) else 0)
        raise
    except BaseException:
        traceback.print_exc()
        _leave(1)
        sys.exit(1)


def _leave(code: int) -> None:
    """One of several processes has its own way out."""
    if "nmt.distributed" in sys.modules:
        from nmt import distributed

        distributed.leave(code)


def _main() -> None:
    """Every error a user can meet is two lines and an exit code, without a traceback."""
    if sys.stderr is None:  # closed (`2>&-`): what nobody hears must not land in the results
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):  # not what the locale says, and a name of bytes must not end it
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    words = sys.argv[1:]
    options = words[: words.index("--")] if "--" in words else words
    debug = "--debug" in options  # wherever it stands
    words = [word for word in options if word != "--debug"] + words[len(options) :]
    for command in (BENCH_DECODE, BENCH_DATA):
        if words[:2] == command.split():
            words[:2] = [command]
    # As an exception, so that what is half done is cleaned up on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        app(words)
    except NMTError as error:
        if debug:
            raise
        console.error(str(error))
        sys.exit(error.exit_code)
    except OSError as error:  # what no room has foreseen: a file where a folder should be, a full disk
        if debug:
            raise
        where = f"{error.filename}: " if error.filename is not None else ""
        reason = (error.strerror or str(error)).lower()
        console.error(str(NMTError(f"{where}{reason}", "check the path, its permissions and the space on the disk")))
        sys.exit(1)
    except SystemExit as end:
        if _is_interrupt(end) and os.environ.get("RANK", "0") == "0":  # of several processes the first one says it
            console.error("interrupted")
        raise


def _is_interrupt(end: BaseException) -> bool:
    """Whether this is Typer's way out of a Ctrl-C, which says nothing."""
    before = end.__context__
    return before is not None and (isinstance(before, KeyboardInterrupt) or _is_interrupt(before))


if __name__ == "__main__":
    main()
