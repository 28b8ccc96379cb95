"""Options that several commands have: the same name, meaning and help everywhere."""

from pathlib import Path
from typing import Annotated, Literal

import typer


def _at_most_one(models: list[Path] | None) -> list[Path] | None:
    """Without this the last of several would be taken in silence; other commands take them all."""
    if models and len(models) > 1:
        raise typer.BadParameter("this command takes one model.")
    return models


def only(models: list[Path] | None) -> Path | None:
    """The one that may have been named."""
    return models[0] if models else None


Model = Annotated[
    list[Path] | None,
    typer.Option(
        "--model",
        "-m",
        metavar="<path>",
        callback=_at_most_one,
        help="A run or a model folder. Default: $NMT_MODEL, else the newest run in runs/.",
    ),
]
Models = Annotated[
    list[Path] | None,
    typer.Option(
        "--model",
        "-m",
        help="A run or a model folder; repeat it, and several translate as one. Default: $NMT_MODEL, else the newest "
        "run in runs/.",
    ),
]
Device = Annotated[str, typer.Option(help="auto (a CUDA GPU, else the CPU), cpu, cuda, cuda:1 or mps.")]


def _count_or_auto(word: str) -> str:
    """As a usage error of its own: a parser's message says what is allowed."""
    if word == "auto" or (word.isascii() and word.isdigit() and 1 <= int(word) <= 1024):
        return word
    raise typer.BadParameter(f"{word!r} is neither auto nor a number from 1 to 1024.")


Workers = Annotated[
    str,
    typer.Option(
        metavar="auto|N",
        callback=_count_or_auto,
        help="Processes that share the work; auto: one a core for a long file.",
    ),
]
Threads = Annotated[int | None, typer.Option(min=1, max=1024, help="CPU threads of all processes. Default: all cores.")]
Tests = Annotated[
    list[str] | None,
    typer.Option(
        "--test",
        metavar="PLACE",
        help="A test set, wherever data.test could find one; repeat for several. Default: the configuration's own.",
    ),
]
Source = Annotated[Path | None, typer.Option("--source", "-s", help="A test set's source text.")]
References = Annotated[
    list[Path] | None, typer.Option("--reference", "-r", help="Its translation; repeat for several.")
]
Lowercase = Annotated[bool, typer.Option("--lowercase", help="Ignore case in BLEU and chrF.")]
JsonLines = Annotated[bool, typer.Option("--json", help="Print a JSON object for each test set, one a line.")]
Samples = Annotated[
    int, typer.Option(min=0, max=1_000_000, help="Bootstrap resamples behind each interval; 0: no intervals.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only results, warnings and errors.")]
BeamSize = Annotated[
    int | None, typer.Option(min=1, max=1000, help="Hypotheses kept alive; 1 is greedy. Default: the model's.")
]
LengthPenalty = Annotated[
    float | None, typer.Option(min=0, max=10, help="Score = sum of log p / length ** this. Default: the model's.")
]
MaxBatchTokens = Annotated[
    int | None, typer.Option(min=1, help="Padded source pieces translated at once. Default: by device.")
]
Combination = Annotated[
    Literal["linear", "log-linear"] | None,
    typer.Option("--combine", help="Several models: the mean of their probabilities, or of their logarithms."),
]
Precision = Annotated[
    Literal["fp32", "bf16", "int8"] | None,
    typer.Option(help="Arithmetic of matrix products; with fewer bits faster. Default: the model's."),
]
Tags = Annotated[
    list[str] | None,
    typer.Option(
        "--tag", metavar="NAME", help="Put >>NAME<<, a tag of the model, in front of each line; repeat for several."
    ),
]
Mbr = Annotated[
    int | None,
    typer.Option(min=1, max=1000, help="Of so many outputs take the one most like all others: minimum Bayes risk."),
]
Guard = Annotated[
    Literal["off", "flag", "repair"] | None,
    typer.Option(help="Doubtful outputs: say nothing, say so, or translate them again with more care."),
]
