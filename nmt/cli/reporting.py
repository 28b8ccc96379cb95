"""nmt report."""

from pathlib import Path
from typing import Annotated

import typer

from nmt import console
from nmt.cli.application import app
from nmt.cli.options import Device, MaxBatchTokens, Model, Quiet, Threads, only


@app.command()
def report(
    run: Annotated[Path | None, typer.Argument(metavar="RUN", help="A run or a model folder; as -m.")] = None,
    named: Model = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The page. Default: report.html in RUN.")
    ] = None,
    test: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLACE",
            help="Text to translate and score, as data.test may name it; repeat it for several. Default: data.test.",
        ),
    ] = None,
    train: Annotated[
        str | None,
        typer.Option(
            metavar="PLACE", help="Where the training text is now, to tell rare words. Default: where it was."
        ),
    ] = None,
    no_translate: Annotated[
        bool, typer.Option("--no-translate", help="Only what is on record already: translate nothing.")
    ] = False,
    no_card: Annotated[
        bool, typer.Option("--no-card", help="Write no model card (README.md) into the model folder.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print all numbers as a JSON object, too.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the page there.")] = False,
    max_batch_tokens: MaxBatchTokens = None,
    device: Device = "auto",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Write a page about a run: curves, scores, mistakes, samples, speed, how it was made; and a model card."""
    console.set_quiet(quiet)
    if run is not None and named:
        raise typer.BadParameter("RUN and --model are the same; give one.")
    from nmt.commands.report import Arguments
    from nmt.commands.report import run as report_on

    report_on(
        Arguments(
            run=run or only(named),
            output=output,
            tests=tuple(test or ()),
            train=train,
            translate=not no_translate,
            card=not no_card,
            json=json,
            overwrite=overwrite,
            max_batch_tokens=max_batch_tokens,
            device=device,
            threads=threads,
        )
    )
