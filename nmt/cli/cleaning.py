"""nmt data clean: what is not worth training on is left out."""

from pathlib import Path
from typing import Annotated

import typer

from nmt import console
from nmt.cli.application import data_app
from nmt.cli.dividing import Languages, Location
from nmt.cli.options import Quiet, Workers

RULE_NAMES = (
    "blank, too_long, controls, mojibake, letters, repeated, copied, script, language, length_ratio, numbers, urls, "
    "duplicate, near_duplicate, duplicate_source, duplicate_target, overlap"
)


@data_app.command()
def clean(
    location: Location,
    languages: Languages,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", help="A prefix for two files, or NAME.tsv; gzipped with .gz behind; - is standard output."
        ),
    ],
    dropped: Annotated[
        Path | None, typer.Option(help="Write what is left out: line, rules, source and target as a TSV.")
    ] = None,
    with_rules: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="RULE", help="Drop by a rule that is off: duplicate_source, duplicate_target."),
    ] = None,
    without_rules: Annotated[
        list[str] | None,
        typer.Option("--without", metavar="RULE", help=f"Keep what breaks a rule; repeat it. Rules: {RULE_NAMES}."),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="DEV", help="Leave out what is in this dev or test text, but for a word; repeat it."),
    ] = None,
    max_words: Annotated[int, typer.Option(min=1, help="Of a side.")] = 250,
    max_characters: Annotated[int, typer.Option(min=1, help="Of a side.")] = 2000,
    max_ratio: Annotated[
        float, typer.Option(min=1.1, help="How many times longer a side may be than is usual in this corpus.")
    ] = 2.5,
    raw: Annotated[
        bool, typer.Option("--raw", help="Write lines as they were: no Unicode NFC, control characters kept.")
    ] = False,
    workers: Workers = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="The counts as JSON instead of a table.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the files there.")] = False,
    quiet: Quiet = False,
) -> None:
    """Write the pairs of a corpus that are worth training on, and say why the others are not."""
    console.set_quiet(quiet)
    from nmt.commands.data_clean import Arguments, run
    from nmt.corpus.rules import Limits

    run(
        Arguments(
            location=location,
            languages=languages,
            output=output,
            dropped=dropped,
            with_rules=with_rules or (),
            without_rules=without_rules or (),
            limits=Limits(max_words=max_words, max_characters=max_characters, max_ratio=max_ratio),
            against=against or (),
            raw=raw,
            workers=None if workers == "auto" else int(workers),
            as_json=as_json,
            overwrite=overwrite,
        )
    )
