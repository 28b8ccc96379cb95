"""Commands for text: nmt tokenizer ..., nmt data ..."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from nmt import console
from nmt.cli.application import data_app, tokenizer_app
from nmt.cli.options import Quiet


@tokenizer_app.command(name="train")
def tokenizer_train(
    inputs: Annotated[list[Path], typer.Argument(metavar="FILE", help="Text files, one segment a line.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the model.")],
    vocab_size: Annotated[int, typer.Option(min=16, help="Pieces; capped to what the text allows.")] = 4000,
    kind: Annotated[Literal["unigram", "bpe"], typer.Option(help="Subword algorithm.")] = "unigram",
    tag: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Declare >>NAME<<, which may stand in front of a source line; repeatable."),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file there.")] = False,
    quiet: Quiet = False,
) -> None:
    """Train a subword model."""
    console.set_quiet(quiet)
    from nmt.commands.tokenizer import train as run

    run(inputs, output, vocab_size=vocab_size, kind=kind, tags=tag or [], overwrite=overwrite)


@tokenizer_app.command(name="encode")
def tokenizer_encode(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A SentencePiece model, such as MODEL/source.spm.")],
    texts: Annotated[list[str] | None, typer.Argument(metavar="TEXT", help="None: standard input.")] = None,
    ids: Annotated[bool, typer.Option("--ids", help="Numbers instead of pieces.")] = False,
) -> None:
    """Show source text as subword pieces."""
    from nmt.commands.tokenizer import encode as run

    run(model, texts or [], ids=ids)


@tokenizer_app.command(name="decode")
def tokenizer_decode(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A SentencePiece model.")],
    texts: Annotated[list[str] | None, typer.Argument(metavar="TEXT", help="None: standard input.")] = None,
) -> None:
    """Turn pieces or ids back into text."""
    from nmt.commands.tokenizer import decode as run

    run(model, texts or [])


@data_app.command()
def starter(
    output: Annotated[Path, typer.Option("--output", "-o", help="A new folder for train, dev and test.")],
    pairs: Annotated[int, typer.Option(min=1, help="Training pairs to generate.")] = 20_000,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, another corpus.")] = 1,
    source_language: Annotated[str, typer.Option(help="fr or en.")] = "fr",
    target_language: Annotated[str, typer.Option(help="en or fr.")] = "en",
    alignments: Annotated[bool, typer.Option("--alignments", help="Write which words belong together, too.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Write into a folder that is not empty.")] = False,
    quiet: Quiet = False,
) -> None:
    """Write the built-in French-English corpus as files."""
    console.set_quiet(quiet)
    from nmt.commands.data import write_starter

    write_starter(
        output, pairs=pairs, seed=seed, source_language=source_language, target_language=target_language,
        alignments=alignments, overwrite=overwrite,
    )  # fmt: skip
