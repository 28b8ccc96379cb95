"""What a verb is, and how one is read from a line of the lexicon."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Verb:
    """A verb in both languages; lexicon_verbs says what a line of its tables means."""

    fr: str
    en: str
    takes: frozenset[str] = frozenset()
    fr_preposition: str = ""
    en_particle: str = ""
    reflexive: bool = False
    state: bool = False
    with_etre: bool = False
    singular_objects: bool = False
    plain_objects: bool = False
    separable: bool = False
    instant: bool = False
    seldom: bool = False
    plural_objects: bool = False
    brief: bool = False
    slow: bool = False
    unmeant: bool = False
    where: str = ""


def read_verb(line: str) -> Verb:
    """One line of a table."""
    french, english, takes, flags, where, *_ = [*(field.strip() for field in line.split("|")), "", "", ""]
    words = french.removeprefix("se ").split()
    base, tilde, separable = english.partition("~")
    head, _, particle = base.partition(" ")
    marks = flags.split()
    return Verb(
        fr=words[0],
        en=head,
        takes=frozenset(takes.split()),
        fr_preposition=" ".join(words[1:]),
        en_particle=separable or particle,
        reflexive=french.startswith("se "),
        state="state" in marks,
        with_etre="être" in marks or french.startswith("se "),
        singular_objects="one" in marks,
        plain_objects="plain" in marks,
        separable=bool(tilde),
        instant=bool({"instant", "once"} & set(marks)),
        seldom=bool({"seldom", "once"} & set(marks)),
        plural_objects="several" in marks,
        brief="brief" in marks,
        slow="slow" in marks,
        unmeant="unmeant" in marks,
        where=where,
    )


def read_verbs(lines: str) -> tuple[Verb, ...]:
    """A table of verbs."""
    return tuple(read_verb(line) for line in lines.strip().split("\n"))


def named(french: str, verbs: Iterable[Verb]) -> tuple[Verb, ...]:
    """Those of the verbs that are named: named("lire écrire", TRANSITIVE)."""
    names = french.split()
    return tuple(verb for verb in verbs if verb.fr in names)


def others(french: str, verbs: Iterable[Verb]) -> tuple[Verb, ...]:
    """Those of the verbs that are not named."""
    names = french.split()
    return tuple(verb for verb in verbs if verb.fr not in names)
