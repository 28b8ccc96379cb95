"""The commands that mend what a check has found, to be copied from its report."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from os import PathLike, fspath

from nmt.corpus.formats import Location, huggingface, locations
from nmt.corpus.rules import RULES
from nmt.corpus.stream import PairStream

SPLITS = {"dev": "validation", "test": "test"}  # of a data set where its location names none


@dataclass(frozen=True)
class Commands:
    """For one corpus. location: one word or two, as the command line takes it.  held_out: where "dev", "test" are."""

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
    def of_stream(
        cls, stream: PairStream, languages: tuple[str, str], held_out: Mapping[str, str] | None = None
    ) -> "Commands":
        """For a stream whose name is its location, or that has two files."""
        prefixes = [
            str(path).removesuffix(f".{code}") for path, code in zip(stream.files or (), languages, strict=False)
        ]
        if stream.files is None or set(prefixes) == {stream.name}:
            return cls((stream.name,), languages, held_out or {})
        return cls(tuple(map(str, stream.files)), languages, held_out or {})

    @property
    def _corpus(self) -> str:
        return " ".join(shlex.quote(word) for word in (*self.location, "--languages", *self.languages))

    def check(self) -> str:
        """To see all that is wrong."""
        held = "".join(f" --{name} {shlex.quote(place)}" for name, place in self.held_out.items())
        return f"nmt data check {self._corpus}{held}"

    def clean(self, rule: str = "") -> str:
        """To drop the pairs that break the rule, with those that break any other one that cleaning goes by."""
        extra = "" if rule not in RULES or RULES[rule].drops else f" --with {rule}"
        return f"nmt data clean {self._corpus} -o cleaned{extra}{self._against}"

    @property
    def _against(self) -> str:
        """What is in dev or test goes as well: all that is told of one corpus is mended by one run."""
        places = [self._with_split(name, place) for name, place in self.held_out.items()]
        return "".join(f" --against {shlex.quote(place)}" for place in places)

    @staticmethod
    def _with_split(name: str, place: str) -> str:
        """Of a data set cleaning reads the training split, if none is named."""
        return f"{place}#{SPLITS[name]}" if huggingface.is_data_set(place) and "#" not in place else place

    def turned(self) -> str:
        """For sides that are swapped: to read the corpus the other way round. "" where only its author can mend it."""
        source, target = self.languages
        if len(self.location) == 2:
            return replace(self, location=self.location[::-1]).check()
        match locations.single(*self.location):
            case None if not huggingface.is_data_set(*self.location):
                return replace(self, location=(f"{self.location[0]}.{target}", f"{self.location[0]}.{source}")).check()
            case locations.OneFile(format="tsv"):
                return replace(self, languages=(target, source)).check()
        return ""

    def split(self) -> str:
        """Another division into train, dev and test."""
        return f"nmt data split {self._corpus} -o divided"
