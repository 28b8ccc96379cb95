"""What is to be seen in a pair that breaks a rule, in a few words."""

import unicodedata
from collections.abc import Callable

from nmt.corpus.rules import faults
from nmt.corpus.rules.identify import detect, is_another
from nmt.corpus.rules.languages import needs_joiners, reads_leftwards, script_name, scripts_of
from nmt.text.lines import clean
from nmt.text.surface import EMAIL, URL, find_numbers

_SHOWN = 3  # things of a kind


def describe(rule: str, source: str, target: str, languages: tuple[str, str]) -> str:
    """rule: one of `nmt.corpus.rules.RULES` that the pair breaks.  Returns "" where there is nothing more to say."""
    if rule == "controls":  # cleaning may take them away
        return _on_sides(source, target, languages, _odd)
    source, target = clean(source), clean(target)
    match rule:
        case "blank":
            return "both sides are blank" if not source + target else f"the {'target' if source else 'source'} is blank"
        case "too_long" | "length_ratio":
            return f"{_size(source)} beside {_size(target)}"
        case "numbers":
            return _beside(find_numbers(source), find_numbers(target))
        case "urls":
            return _beside(_addresses(source), _addresses(target))
        case "mojibake":
            return _on_sides(source, target, languages, _garbled)
        case "script":
            return _on_sides(source, target, languages, _foreign)
        case "language":
            return _on_sides(source, target, languages, _other)
    return ""


def _size(text: str) -> str:
    return ", ".join(
        f"{count:,} {what}{'' if count == 1 else 's'}"
        for count, what in ((len(text.split()), "word"), (len(text), "character"))
    )


def _beside(ours: set[str], theirs: set[str]) -> str:
    """What is on one side only."""
    left, right = (", ".join(sorted(side)[:_SHOWN]) or "nothing" for side in (ours - theirs, theirs - ours))
    return f"{left} beside {right}"


def _addresses(text: str) -> set[str]:
    return {*URL.findall(text), *EMAIL.findall(text)}


def _on_sides(source: str, target: str, languages: tuple[str, str], find: Callable[[str, str], str]) -> str:
    """find: from a side's text and its language what there is to say about it."""
    sides = zip(("source", "target"), (source, target), languages, strict=True)
    found = [(name, find(text, language)) for name, text, language in sides]
    return "; ".join(f"{name}: {what}" for name, what in found if what)


def _odd(text: str, language: str) -> str:
    pattern = faults.odd_characters(joiners=needs_joiners(language), directions=reads_leftwards(language))
    found = [
        letter for letter in text if pattern.match(letter) or (unicodedata.category(letter) == "Cc" and letter != "\t")
    ]
    return ", ".join(dict.fromkeys(map(_name, found)))


def _name(character: str) -> str:
    name = unicodedata.name(character, "").lower()
    return f"U+{ord(character):04X}" + (f" {name}" if name else "")


def _foreign(text: str, language: str) -> str:
    own = scripts_of(language)
    name = next((script_name(letter) for letter in text if letter.isalpha() and script_name(letter) not in own), "")
    return f"letters of {name}" if name and own else ""


def _garbled(text: str, _: str) -> str:
    return next(filter(faults.is_mojibake, text.split()), "")


def _other(text: str, language: str) -> str:
    return f"looks like {detect(text)}" if is_another(text, language) else ""
