"""Commands that look at what there is: nmt info, nmt runs."""

from pathlib import Path
from typing import Annotated

import typer

from nmt import console
from nmt.cli.application import app
from nmt.cli.options import Model, Quiet, only


@app.command()
def info(
    model: Annotated[Path | None, typer.Argument(metavar="MODEL", help="A run or a model folder; as -m.")] = None,
    named: Model = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    quiet: Quiet = False,
) -> None:
    """Say what a model is: its parts, subwords and languages, how it was trained and what it scored."""
    console.set_quiet(quiet)
    if model is not None and named:
        raise typer.BadParameter("MODEL and --model are the same; give one.")
    from nmt.commands.info import Arguments, run

    run(Arguments(model=model or only(named), json=json))


@app.command()
def runs(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FOLDER", help="Folders of runs, or runs and model folders. Default: runs/."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    quiet: Quiet = False,
) -> None:
    """Show runs side by side, and what differs in their configurations."""
    console.set_quiet(quiet)
    from nmt.commands.runs import Arguments, run

    run(Arguments(folders=tuple(folders or ()), json=json))
