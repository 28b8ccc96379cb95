"""The application that every command joins, and its groups."""

import typer

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
data_app = typer.Typer(help="Corpora: check them, clean them, divide them.", no_args_is_help=True)
app.add_typer(tokenizer_app, name="tokenizer")
app.add_typer(data_app, name="data")
