"""Commands that use a model: translate, eval, score, explain."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from nmt import console
from nmt.cli.application import app
from nmt.cli.options import (
    BeamSize,
    Combination,
    Device,
    Guard,
    JsonLines,
    LengthPenalty,
    Lowercase,
    MaxBatchTokens,
    Mbr,
    Model,
    Models,
    Precision,
    Quiet,
    References,
    Samples,
    Source,
    Tags,
    Tests,
    Threads,
    Workers,
    only,
)


@app.command()
def translate(
    texts: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT", help="Segments; none: --input, else standard input.")
    ] = None,
    model: Models = None,
    input: Annotated[Path | None, typer.Option("--input", "-i", help="A text file, one segment a line.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file that appears when it is complete. Default: stdout.")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="A JSON object a line: scores, tokens, alignment, confidence, flags.")
    ] = False,
    n_best: Annotated[
        int,
        typer.Option(
            min=1,
            max=1000,
            help="Outputs to tell of each segment, fewer where no other is found; more than 1 needs --json.",
        ),
    ] = 1,
    beam_size: BeamSize = None,
    length_penalty: LengthPenalty = None,
    patience: Annotated[
        float | None, typer.Option(help="Stop at so many times the beam's finished outputs. Default: an exact stop.")
    ] = None,
    min_length: Annotated[
        int | None, typer.Option(min=0, help="Shortest output in pieces, the end not counted.")
    ] = None,
    max_length: Annotated[
        int | None, typer.Option(min=1, help="Longest output in pieces, the end counted. Default: the model's limit.")
    ] = None,
    no_repeat_ngram: Annotated[
        int | None, typer.Option(min=0, help="No run of so many pieces twice; 0: no such rule.")
    ] = None,
    diverse_groups: Annotated[
        int | None, typer.Option(min=1, help="Diverse beam search: groups of beams that avoid each other's pieces.")
    ] = None,
    diversity: Annotated[
        float | None, typer.Option(min=0, help="How much those groups do so; with --diverse-groups.")
    ] = None,
    sample: Annotated[
        bool,
        typer.Option(
            "--sample", help="Draw outputs by their probability, without a search; so do the next three options."
        ),
    ] = False,
    temperature: Annotated[float | None, typer.Option(help="Below 1: nearer to the most probable.")] = None,
    top_k: Annotated[int | None, typer.Option(min=0, help="Only so many most probable pieces; 0: all.")] = None,
    top_p: Annotated[
        float | None, typer.Option(max=1, help="Only the most probable pieces that together reach this.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of sampling: other numbers, other samples.")] = None,
    mbr: Mbr = None,
    mbr_utility: Annotated[
        Literal["bleu", "chrf"] | None, typer.Option(help="By what --mbr calls outputs alike.")
    ] = None,
    combine: Combination = None,
    prefix: Annotated[str, typer.Option(metavar="TEXT", help="How every output begins; its last word may go on.")] = "",
    prefixes: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="How each output begins, line by line; a blank line: as --prefix."),
    ] = None,
    phrase: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="Appears in every output; repeat for several.")
    ] = None,
    phrases: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What appears in each output, parted by TABs, line by line.")
    ] = None,
    tag: Tags = None,
    guard: Guard = None,
    long: Annotated[
        Literal["split", "error"], typer.Option(help="Segments longer than the model takes: split them, or refuse.")
    ] = "split",
    max_batch_tokens: MaxBatchTokens = None,
    precision: Precision = None,
    device: Device = "auto",
    threads: Threads = None,
    workers: Workers = "auto",
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with OUTPUT.part, what an interrupted run has left.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Begin anew, whatever OUTPUT.part holds.")] = False,
    quiet: Quiet = False,
) -> None:
    """Translate text: one line in, one line out, in order. What is not asked for is as the model was configured."""
    console.set_quiet(quiet)
    from nmt.commands.translate import Arguments, run

    drawn = sample or temperature is not None or top_k is not None or top_p is not None
    run(
        Arguments(
            texts=tuple(texts or ()),
            models=tuple(model or ()),
            input=input,
            output=output,
            resume=resume,
            overwrite=overwrite,
            json=json,
            n_best=n_best,
            prefix=prefix,
            prefixes=prefixes,
            phrases=tuple(phrase or ()),
            phrases_file=phrases,
            tags=tuple(tag or ()),
            decode={
                "beam_size": beam_size,
                "length_penalty": length_penalty,
                "patience": patience,
                "min_length": min_length,
                "no_repeat_ngram": no_repeat_ngram,
                "diverse_groups": diverse_groups,
                "diversity": diversity,
                "sampling": drawn or None,
                "temperature": temperature,
                "top_k": top_k,
                "top_p": top_p,
                "seed": seed,
                "mbr": mbr,
                "mbr_utility": mbr_utility,
                "combination": combine,
                "precision": precision,
                "guard": guard,
            },
            max_length=max_length,
            max_batch_tokens=max_batch_tokens,
            long=long,
            device=device,
            threads=threads,
            workers="auto" if workers == "auto" else int(workers),
        )
    )


@app.command(name="eval")
def evaluate(
    settings: Annotated[
        list[str] | None,
        typer.Argument(metavar="decode.KEY=VALUE", help="How to search; nmt train --explain lists the keys."),
    ] = None,
    model: Models = None,
    test: Tests = None,
    source: Source = None,
    reference: References = None,
    hypotheses: Annotated[Path | None, typer.Option(help="Score this file; no model is needed.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Keep the translations here; of several test sets in a folder."),
    ] = None,
    json: JsonLines = False,
    lowercase: Lowercase = False,
    language: Annotated[
        str | None, typer.Option(help="Target language: how BLEU finds words. Default: the model's.")
    ] = None,
    samples: Samples = 1000,
    analyse: Annotated[
        bool, typer.Option("--analyse", help="Where and how it goes wrong, too; with --hypotheses add --source.")
    ] = False,
    train: Annotated[
        str | None,
        typer.Option(
            metavar="PLACE",
            help="For --analyse: where the training text is, for rare and unseen words. Default: the config's.",
        ),
    ] = None,
    source_language: Annotated[
        str | None, typer.Option(help="For --analyse: the source's language. Default: the model's.")
    ] = None,
    beam_size: BeamSize = None,
    length_penalty: LengthPenalty = None,
    mbr: Mbr = None,
    combine: Combination = None,
    tag: Tags = None,
    guard: Guard = None,
    max_batch_tokens: MaxBatchTokens = None,
    precision: Precision = None,
    device: Device = "auto",
    threads: Threads = None,
    workers: Workers = "auto",
    quiet: Quiet = False,
) -> None:
    """Score a model on test sets, or a file of translations: BLEU, chrF, chrF++, TER and exact match."""
    console.set_quiet(quiet)
    for word in settings or ():
        if "=" not in word:
            raise typer.BadParameter(f"{word!r} is no decode.KEY=VALUE; -m names a model, --test a test set.")
    from nmt.commands.evaluate import Arguments, run

    run(
        Arguments(
            settings=tuple(settings or ()),
            models=tuple(model or ()),
            tests=tuple(test or ()),
            source=source,
            references=tuple(reference or ()),
            hypotheses=hypotheses,
            output=output,
            json=json,
            lowercase=lowercase,
            language=language,
            samples=samples,
            analyse=analyse,
            train=train,
            source_language=source_language,
            tags=tuple(tag or ()),
            decode={
                "beam_size": beam_size,
                "length_penalty": length_penalty,
                "mbr": mbr,
                "combination": combine,
                "precision": precision,
                "guard": guard,
            },
            max_batch_tokens=max_batch_tokens,
            device=device,
            threads=threads,
            workers="auto" if workers == "auto" else int(workers),
        )
    )


@app.command()
def score(
    source: Annotated[Path, typer.Option("--source", "-s", help="Source text, one segment a line.")],
    target: Annotated[Path, typer.Option("--target", "-t", help="Its translations, line by line.")],
    model: Model = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file that appears when it is complete. Default: stdout.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON object a line, with every piece's score.")] = False,
    normalise: Annotated[
        Literal["none", "length"],
        typer.Option(help="Log-probability of the line, or its mean over pieces and the end."),
    ] = "none",
    max_batch_tokens: Annotated[
        int | None, typer.Option(min=1, help="Padded pieces scored at once. Default: by device.")
    ] = None,
    device: Device = "auto",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Score translations by a model: log-probability and perplexity, a line a pair."""
    console.set_quiet(quiet)
    from nmt.commands.score import Arguments, run

    run(
        Arguments(
            source=source,
            target=target,
            model=only(model),
            output=output,
            json=json,
            normalise=normalise,
            max_batch_tokens=max_batch_tokens,
            device=device,
            threads=threads,
        )
    )


@app.command()
def explain(
    texts: Annotated[list[str], typer.Argument(metavar="TEXT", help="Sentences; quote each.")],
    model: Model = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The page.")] = Path("explain.html"),
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file there.")] = False,
    device: Device = "auto",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Translate, and show on an HTML page how sure the model was and where it looked."""
    console.set_quiet(quiet)
    from nmt.commands.explain import Arguments, run

    run(
        Arguments(
            texts=tuple(texts), model=only(model), output=output, overwrite=overwrite, device=device, threads=threads
        )
    )
