"""nmt data check."""

from pathlib import Path
from typing import Annotated

import typer

from nmt import console
from nmt.cli.application import data_app
from nmt.cli.dividing import Languages, Location
from nmt.cli.options import Quiet, Workers


@data_app.command()
def check(
    location: Location,
    languages: Languages,
    dev: Annotated[str | None, typer.Option(metavar="LOCATION", help="Text to validate on: is it in there?")] = None,
    test: Annotated[str | None, typer.Option(metavar="LOCATION", help="The same for test text.")] = None,
    sample: Annotated[
        int | None, typer.Option(min=1000, help="Look at about so many pairs from all over. Default: a million.")
    ] = None,
    all_pairs: Annotated[bool, typer.Option("--all", help="Look at all, however many.")] = False,
    vocab: Annotated[
        bool | None,
        typer.Option("--vocab/--no-vocab", help="What subword vocabularies would give. Default: for small corpora."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit code 1 for warnings, too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write a page with diagrams, too.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the page there.")] = False,
    workers: Workers = "auto",
    quiet: Quiet = False,
) -> None:
    """Say what is wrong with a corpus, where, and what mends it. Exit code 1 if there is an error."""
    console.set_quiet(quiet)
    if all_pairs and sample is not None:
        raise typer.BadParameter("--all and --sample exclude each other.")
    from nmt.commands.data_check import Arguments, run
    from nmt.corpus.checking.full import DEFAULT_MOST

    code = run(
        Arguments(
            location=tuple(location),
            languages=languages,
            dev=dev,
            test=test,
            most=None if all_pairs else sample or DEFAULT_MOST,
            workers=None if workers == "auto" else int(workers),
            vocabulary=vocab,
            as_json=as_json,
            html=html,
            overwrite=overwrite,
            strict=strict,
        )
    )
    if code:
        raise typer.Exit(code)
