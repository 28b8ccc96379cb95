"""Commands that make a model, or measure how fast this machine does: train, average, calibrate, bench."""

import os
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from nmt import console
from nmt.cli.application import app
from nmt.cli.options import Device, MaxBatchTokens, Model, Quiet, Threads, only

# Two words that mean one command: `nmt bench` alone takes words of its own, which a group of commands cannot.
BENCH_DECODE, BENCH_DATA = "bench decode", "bench data"


@app.command()
def train(
    settings: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CONFIG|KEY=VALUE",
            help="A config file or the name of a shipped one (none: the starter corpus), then settings over it.",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Run folder. Default: runs/NAME by config or languages.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the output folder.")] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the run there, once the new one has a checkpoint.")
    ] = False,
    device: Device = "auto",
    seed: Annotated[int | None, typer.Option(min=0, help="Short for train.seed=N.")] = None,
    budget: Annotated[str | None, typer.Option(help="Short for train.budget=TIME, such as 30m or 2h.")] = None,
    threads: Threads = None,
    nproc: Annotated[int | None, typer.Option(min=1, help="Train in so many processes, one a GPU.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read, check and forecast; write nothing.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="List every configuration key and exit.")] = False,
    quiet: Quiet = False,
) -> None:
    """Train a model from parallel text."""
    console.set_quiet(quiet)
    if explain:
        from nmt.commands.keys import run as list_keys

        list_keys()
        return
    words = list(settings or [])
    config = words.pop(0) if words and "=" not in words[0] else None
    if seed is not None:
        words.append(f"train.seed={seed}")
    if budget is not None:
        words.append(f"train.budget={budget}")
    if nproc is not None and nproc > 1 and "RANK" not in os.environ:
        from nmt.commands.launch import run as launch

        raise typer.Exit(launch(nproc, sys.argv[1:]))
    from nmt.commands.train import Arguments, run

    run(
        Arguments(
            config=config,
            overrides=tuple(words),
            output=output,
            resume=resume,
            overwrite=overwrite,
            device=device,
            threads=threads,
            dry_run=dry_run,
            words=tuple(sys.argv[1:]),
        )
    )


@app.command()
def average(
    models: Annotated[list[Path], typer.Argument(metavar="RUN|MODEL", help="Checkpoints, or a run: all it has kept.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The new model folder.")],
    last: Annotated[int | None, typer.Option(min=2, help="Only so many of a run's newest checkpoints.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the model there.")] = False,
    quiet: Quiet = False,
) -> None:
    """Average the weights of several checkpoints."""
    console.set_quiet(quiet)
    from nmt.commands.average import run

    run(models, output, last=last, overwrite=overwrite)


@app.command()
def calibrate(
    model: Model = None,
    source: Annotated[Path | None, typer.Option("--source", "-s", help="Dev set. Default: the config's.")] = None,
    reference: Annotated[Path | None, typer.Option("--reference", "-r", help="Its translation.")] = None,
    max_batch_tokens: MaxBatchTokens = None,
    device: Device = "auto",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Learn from a dev set when to flag a translation, and how sure to be of one; training does so by itself."""
    console.set_quiet(quiet)
    from nmt.commands.calibrate import Arguments, run

    run(
        Arguments(
            model=only(model),
            source=source,
            reference=reference,
            max_batch_tokens=max_batch_tokens,
            device=device,
            threads=threads,
        )
    )


@app.command()
def bench(
    settings: Annotated[
        list[str] | None, typer.Argument(metavar="KEY=VALUE", help="Settings over the standing case.")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the figures here, too.")] = None,
    updates: Annotated[int, typer.Option(min=1, help="Updates timed, after 10 to warm up.")] = 60,
    device: Device = "auto",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Measure training and decoding on this machine; print JSON."""
    console.set_quiet(quiet)
    from nmt.commands.bench import run

    run(settings or [], output=output, threads=threads, updates=updates, device=device)


@app.command(name=BENCH_DECODE)
def bench_decode(
    case: Annotated[
        Literal["small", "base", "both"],
        typer.Option(help="Random weights: d256 with 3 + 3 blocks, d512 with 6 + 6, vocabulary 8,000."),
    ] = "small",
    model: Annotated[Path | None, typer.Option("--model", "-m", help="A run or a model folder instead.")] = None,
    source: Annotated[
        Path | None, typer.Option("--source", "-s", help="Lines for that model to read. Default: random pieces.")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the figures here, too.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=1024, help="Cores to use. Default: all.")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Times that each side is measured, by turns.")] = 5,
    no_ct2: Annotated[bool, typer.Option("--no-ct2", help="Measure without CTranslate2.")] = False,
    quiet: Quiet = False,
) -> None:
    """Measure decoding beside CTranslate2 with the same weights; print JSON."""
    console.set_quiet(quiet)
    from nmt.commands.bench_decode import Arguments, run

    run(
        Arguments(
            case=case,
            model=model,
            source=source,
            output=output,
            workers=workers,
            rounds=rounds,
            compare=not no_ct2,
        )
    )


@app.command(name=BENCH_DATA)
def bench_data(
    pairs: Annotated[
        str, typer.Option(metavar="N,N,...", help="Sizes of corpora to make; 10000000 takes hours and 7 GB.")
    ] = "10000,100000,1000000",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the figures here, too.")] = None,
    quiet: Quiet = False,
) -> None:
    """Measure reading, checking, cleaning, dividing and encoding of corpora; print JSON lines."""
    console.set_quiet(quiet)
    from nmt.commands.bench_data import run

    run(pairs, output=output)
