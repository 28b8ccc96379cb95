"""`nmt train --explain`: every configuration key."""

import textwrap

from nmt import config
from nmt.commands.streams import standard_output


def run() -> None:
    """Print each key with its default, unit and documentation."""
    with standard_output():
        for name, default, unit, documentation in config.explain():
            note = f"  [{unit}]" if unit else ""
            print(f"{name} = {default}{note}")
            print(textwrap.fill(documentation, 110, initial_indent="    ", subsequent_indent="    "))
