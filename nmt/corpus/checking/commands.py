"""The commands that mend what a check has found, to be copied from its report."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike, fspath

from nmt.corpus.formats import Location
from nmt.corpus.rules import RULES
from nmt.corpus.stream import PairStream


@dataclass(frozen=True)
class Commands:
    """For one corpus. location: as the command line takes it, in one word or two.  held_out: where dev and test are."""

    location: tuple[str, ...]
    languages: tuple[str, str]
    held_out: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, location: Location, languages: tuple[str, str], held_out: Mapping[str, str] | None = None
    ) -> "Commands":
        """For what `open_pairs` takes."""
        words = [location] if isinstance(location, str | PathLike) else list(location)
        return cls(tuple(fspath(word) for word in words), languages, held_out or {})

    @classmethod
    def of_stream(cls, stream: PairStream, languages: tuple[str, str]) -> "Commands":
        """For a stream whose name is its location, or that has two files."""
        prefixes = [
            str(path).removesuffix(f".{code}") for path, code in zip(stream.files or (), languages, strict=False)
        ]
        if stream.files is None or set(prefixes) == {stream.name}:
            return cls((stream.name,), languages)
        return cls(tuple(map(str, stream.files)), languages)

    @property
    def _corpus(self) -> str:
        return " ".join(shlex.quote(word) for word in (*self.location, "--languages", *self.languages))

    def check(self) -> str:
        """To see all that is wrong."""
        return f"nmt data check {self._corpus}"

    def clean(self, rule: str = "") -> str:
        """To drop the pairs that break the rule, with those that break any other one that cleaning goes by."""
        extra = "" if rule not in RULES or RULES[rule].drops else f" --with {rule}"
        return f"nmt data clean {self._corpus} -o cleaned{extra}"

    def against(self, name: str) -> str:
        """To drop what is in dev or test, too."""
        return f"nmt data clean {self._corpus} -o cleaned --against {shlex.quote(self.held_out.get(name, name))}"

    def split(self) -> str:
        """Another division into train, dev and test."""
        return f"nmt data split {self._corpus} -o divided"
