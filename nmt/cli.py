"""Every command's name, options and help. Imports lazily, makes one call.

`nmt --help` must be instant, so nothing here imports torch; a test checks it.
"""

import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Annotated, Literal

import typer

import nmt
from nmt import console
from nmt.errors import NMTError

app = typer.Typer(
    name="nmt",
    help="Train, use and score machine translation models.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
tokenizer_app = typer.Typer(help="Train a subword model, and look at what it does.", no_args_is_help=True)
data_app = typer.Typer(help="Corpora to train on.", no_args_is_help=True)
app.add_typer(tokenizer_app, name="tokenizer")
app.add_typer(data_app, name="data")

Model = Annotated[
    Path | None,
    typer.Option("--model", "-m", help="A run or a model folder. Default: $NMT_MODEL, else the newest run in runs/."),
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
        metavar="auto|N", callback=_count_or_auto, help="Processes that translate; auto: one a core for a long file."
    ),
]
Threads = Annotated[int | None, typer.Option(min=1, max=1024, help="CPU threads of all processes. Default: all cores.")]
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


def _version(wanted: bool) -> None:
    if wanted:
        print(f"nmt {nmt.__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show a traceback with an error; anywhere on the line.")
    ] = False,
) -> None:
    pass


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
        )
    )


@app.command()
def translate(
    texts: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT", help="Segments; none: --input, else standard input.")
    ] = None,
    model: Model = None,
    input: Annotated[Path | None, typer.Option("--input", "-i", help="A text file, one segment a line.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file that appears when it is complete. Default: stdout.")
    ] = None,
    beam_size: BeamSize = None,
    length_penalty: LengthPenalty = None,
    max_length: Annotated[
        int | None, typer.Option(min=1, help="Longest output in pieces. Default: the model's limit.")
    ] = None,
    max_batch_tokens: MaxBatchTokens = None,
    long: Annotated[
        Literal["split", "error"], typer.Option(help="Segments longer than the model takes: split them, or refuse.")
    ] = "split",
    device: Device = "auto",
    threads: Threads = None,
    workers: Workers = "auto",
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with OUTPUT.part, what an interrupted run has left.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Begin anew, whatever OUTPUT.part holds.")] = False,
    quiet: Quiet = False,
) -> None:
    """Translate text: one line in, one line out, in order."""
    console.set_quiet(quiet)
    from nmt.commands.translate import Arguments, run

    run(
        Arguments(
            texts=tuple(texts or ()),
            model=model,
            input=input,
            output=output,
            resume=resume,
            overwrite=overwrite,
            decode={"beam_size": beam_size, "length_penalty": length_penalty},
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
    model: Model = None,
    source: Annotated[Path | None, typer.Option("--source", "-s", help="Test set. Default: the config's.")] = None,
    reference: Annotated[
        list[Path] | None, typer.Option("--reference", "-r", help="Its translation; repeat for several.")
    ] = None,
    hypotheses: Annotated[Path | None, typer.Option(help="Score this file; no model is needed.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Keep the translations here.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    lowercase: Annotated[bool, typer.Option("--lowercase", help="Ignore case in BLEU and chrF.")] = False,
    language: Annotated[
        str | None, typer.Option(help="Target language: how BLEU finds words. Default: the model's.")
    ] = None,
    beam_size: BeamSize = None,
    length_penalty: LengthPenalty = None,
    max_batch_tokens: MaxBatchTokens = None,
    device: Device = "auto",
    threads: Threads = None,
    workers: Workers = "auto",
    quiet: Quiet = False,
) -> None:
    """Score a model on a test set, or a file of translations: BLEU, chrF and TER with their signatures."""
    console.set_quiet(quiet)
    from nmt.commands.evaluate import Arguments, run

    run(
        Arguments(
            model=model,
            source=source,
            references=tuple(reference or ()),
            hypotheses=hypotheses,
            output=output,
            json=json,
            lowercase=lowercase,
            language=language,
            decode={"beam_size": beam_size, "length_penalty": length_penalty},
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
            model=model,
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

    run(Arguments(texts=tuple(texts), model=model, output=output, overwrite=overwrite, device=device, threads=threads))


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
            model=model,
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


@tokenizer_app.command(name="train")
def tokenizer_train(
    inputs: Annotated[list[Path], typer.Argument(metavar="FILE", help="Text files, one segment a line.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the model.")],
    vocab_size: Annotated[int, typer.Option(min=16, help="Pieces; capped to what the text allows.")] = 4000,
    kind: Annotated[Literal["unigram", "bpe"], typer.Option(help="Subword algorithm.")] = "unigram",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file there.")] = False,
    quiet: Quiet = False,
) -> None:
    """Train a subword model."""
    console.set_quiet(quiet)
    from nmt.commands.tokenizer import train as run

    run(inputs, output, vocab_size=vocab_size, kind=kind, overwrite=overwrite)


@tokenizer_app.command(name="encode")
def tokenizer_encode(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A SentencePiece model, such as MODEL/source.spm.")],
    texts: Annotated[list[str] | None, typer.Argument(metavar="TEXT", help="None: standard input.")] = None,
    ids: Annotated[bool, typer.Option("--ids", help="Numbers instead of pieces.")] = False,
) -> None:
    """Show text as subword pieces."""
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


def main() -> None:
    """The `nmt` command."""
    try:
        _main()
    except SystemExit as end:
        _leave(end.code if isinstance(end.code, int) else 0)
        raise
    except BaseException:
        traceback.print_exc()
        _leave(1)
        sys.exit(1)


def _leave(code: int) -> None:
    """One of several processes has its own way out."""
    if "nmt.distributed" in sys.modules:
        from nmt import distributed

        distributed.leave(code)


def _main() -> None:
    """Every error a user can meet is two lines and an exit code, without a traceback."""
    if sys.stderr is None:  # closed (`2>&-`): what nobody hears must not land in the results
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    words = sys.argv[1:]
    options = words[: words.index("--")] if "--" in words else words
    debug = "--debug" in options  # wherever it stands
    words = [word for word in options if word != "--debug"] + words[len(options) :]
    # As an exception, so that what is half done is cleaned up on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        app(words)
    except NMTError as error:
        if debug:
            raise
        console.error(str(error))
        sys.exit(error.exit_code)
    except OSError as error:  # what no room has foreseen: a file where a folder should be, a full disk
        if debug:
            raise
        where = f"{error.filename}: " if error.filename is not None else ""
        reason = (error.strerror or str(error)).lower()
        console.error(str(NMTError(f"{where}{reason}", "check the path, its permissions and the space on the disk")))
        sys.exit(1)
    except SystemExit as end:
        if end.code == 130:  # Typer's way out of a Ctrl-C, which says nothing
            console.error("interrupted")
        raise


if __name__ == "__main__":
    main()
