"""Commands that divide a corpus or look into it: nmt data split, stats, sample."""

from pathlib import Path
from typing import Annotated

import typer

from nmt import console
from nmt.cli.application import data_app
from nmt.cli.options import Quiet, Workers

Location = Annotated[
    list[str],
    typer.Argument(metavar="LOCATION", help="A prefix, a .tsv, another file of pairs, hf:NAME, or two files."),
]
Languages = Annotated[tuple[str, str], typer.Option("--languages", help="Source and target, as in: en de.")]
Seed = Annotated[int, typer.Option(min=0, help="Another seed draws other pairs.")]


@data_app.command()
def split(
    location: Location,
    languages: Languages,
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for train, dev and test.")],
    dev: Annotated[int, typer.Option(min=0, help="Pairs to validate on.")] = 1000,
    test: Annotated[int, typer.Option(min=0, help="Pairs to judge by.")] = 1000,
    seed: Seed = 1,
    keep_near: Annotated[
        bool, typer.Option("--keep-near", help="Leave in train what is within one word of dev or test, too.")
    ] = False,
    workers: Workers = "auto",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the files there.")] = False,
    quiet: Quiet = False,
) -> None:
    """Divide a corpus into train, dev and test that share no sentence and none that is almost the same."""
    console.set_quiet(quiet)
    from nmt.commands.data_split import Arguments, run

    run(
        Arguments(
            location=location,
            languages=languages,
            output=output,
            dev=dev,
            test=test,
            seed=seed,
            keep_near=keep_near,
            workers=None if workers == "auto" else int(workers),
            overwrite=overwrite,
        )
    )


@data_app.command()
def stats(
    location: Location,
    languages: Languages,
    model: Annotated[
        Path | None,
        typer.Option("--model", "-m", help="Count the pieces of a run, a model folder or a .spm file, too."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")] = False,
    workers: Workers = "auto",
    quiet: Quiet = False,
) -> None:
    """Count a corpus: words, characters, lengths, scripts, repeated pairs; with a model its subwords."""
    console.set_quiet(quiet)
    from nmt.commands.data_stats import run

    count = None if workers == "auto" else int(workers)
    run(location, languages, model=model, as_json=as_json, workers=count)


@data_app.command()
def sample(
    location: Location,
    languages: Languages,
    count: Annotated[int | None, typer.Option("--count", "-n", min=1, help="Pairs to draw at random.")] = None,
    seed: Seed = 1,
    lines: Annotated[
        str | None, typer.Option(metavar="5,10-12", help="Show these pairs instead, with file and line.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A prefix for two files, or a .tsv. Default: print.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the files there.")] = False,
    quiet: Quiet = False,
) -> None:
    """Draw some pairs of a corpus at random, or show those with certain numbers."""
    console.set_quiet(quiet)
    from nmt.commands.data_sample import Arguments, run

    run(
        Arguments(
            location=location,
            languages=languages,
            count=count,
            seed=seed,
            lines=lines,
            output=output,
            overwrite=overwrite,
        )
    )
