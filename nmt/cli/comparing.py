"""nmt compare."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from nmt import console
from nmt.cli.application import app
from nmt.cli.options import (
    BeamSize,
    Device,
    Guard,
    JsonLines,
    LengthPenalty,
    Lowercase,
    MaxBatchTokens,
    Mbr,
    Precision,
    Quiet,
    References,
    Source,
    Tags,
    Tests,
    Threads,
    Workers,
)

if TYPE_CHECKING:
    from nmt.evaluation import Key

METRICS = "bleu", "chrf", "chrf++", "ter", "exact"


def _known(names: list[str] | None) -> list[str] | None:
    """Typer takes no list of choices."""
    for name in names or ():
        if name not in METRICS:
            raise typer.BadParameter(f"{name!r} is none of {', '.join(METRICS)}.")
    return names


@app.command()
def compare(
    systems: Annotated[
        list[Path],
        typer.Argument(
            metavar="SYSTEM",
            help="Two or more: runs, model folders, files of translations. The first one, A, is the baseline.",
        ),
    ],
    test: Tests = None,
    source: Source = None,
    reference: References = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="|".join(METRICS),
            callback=_known,
            help="Compare by this; repeat for several. Default: bleu and chrf.",
        ),
    ] = None,
    lines: Annotated[
        int, typer.Option(min=0, help="Show so many lines where a system differs most from A, by chrF.")
    ] = 0,
    json: JsonLines = False,
    lowercase: Lowercase = False,
    language: Annotated[
        str | None, typer.Option(help="Target language: how BLEU finds words. Default: the models'.")
    ] = None,
    beam_size: BeamSize = None,
    length_penalty: LengthPenalty = None,
    mbr: Mbr = None,
    tag: Tags = None,
    guard: Guard = None,
    max_batch_tokens: MaxBatchTokens = None,
    precision: Precision = None,
    device: Device = "auto",
    threads: Threads = None,
    workers: Workers = "auto",
    quiet: Quiet = False,
) -> None:
    """Say which system is better, and whether that can be believed: paired significance tests against A."""
    console.set_quiet(quiet)
    from nmt.commands.compare import Arguments, run

    run(
        Arguments(
            systems=tuple(systems),
            tests=tuple(test or ()),
            source=source,
            references=tuple(reference or ()),
            metrics=tuple(cast("Key", name) for name in dict.fromkeys(metric or ("bleu", "chrf"))),
            lines=lines,
            json=json,
            lowercase=lowercase,
            language=language,
            tags=tuple(tag or ()),
            decode={
                "beam_size": beam_size,
                "length_penalty": length_penalty,
                "mbr": mbr,
                "precision": precision,
                "guard": guard,
            },
            max_batch_tokens=max_batch_tokens,
            device=device,
            threads=threads,
            workers="auto" if workers == "auto" else int(workers),
        )
    )
