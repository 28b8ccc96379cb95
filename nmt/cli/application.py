"""The application that every command joins."""

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
