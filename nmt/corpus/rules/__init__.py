"""The rules that a pair of segments should keep to: what the check tells of, and what cleaning drops.

`Judge` names the rules that a pair breaks. It looks at one pair at a time and does not change it; what pairs have to do
with each other (duplicates, dev text among them) is cleaning's matter.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Self

import numpy as np

from nmt.corpus.duplicates.keys import text_key
from nmt.corpus.rules import faults
from nmt.corpus.rules.identify import Listener, common_words
from nmt.corpus.rules.languages import density, letters_of, needs_joiners, reads_leftwards, scripts_of
from nmt.text.languages import base
from nmt.text.lines import clean
from nmt.text.surface import EMAIL, URL, letters

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True)
class Rule:
    """One thing that can be wrong.

    severity: error: such a pair teaches nothing right; warning: most likely; info: worth knowing.
    threshold: which of `Limits` it goes by.  drops: whether cleaning drops such pairs unless told otherwise.
    single: whether one pair alone shows it.
    """

    name: str
    severity: Severity
    doc: str
    threshold: str = ""
    drops: bool = True
    single: bool = True


RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule("blank", "error", "one side or both are empty"),
        Rule("too_long", "error", "a side has too many words or characters", "max_words"),
        Rule("controls", "error", "control characters, U+FFFD, private use, marks without width"),
        Rule("mojibake", "error", "UTF-8 read as Windows-1252: schÃ¶n, itâ€™s"),
        Rule("letters", "error", "mostly no letters: markup, tables, drawings", "least_letters"),
        Rule("repeated", "error", "a word or a character over and over", "most_repeated"),
        Rule("copied", "error", "the target is the source, though it should have been translated"),
        Rule("script", "error", "letters of a script that the language is not written in", "most_foreign"),
        Rule("language", "error", "clearly in another language"),
        Rule("length_ratio", "warning", "one side is far longer than usual for the other", "max_ratio"),
        Rule("numbers", "warning", "a number of three digits or more is on one side only"),
        Rule("urls", "warning", "the sides name different sites or addresses"),
        Rule("duplicate", "warning", "the pair was there before", single=False),
        Rule("near_duplicate", "info", "it was, but for case, punctuation, digits and spacing", single=False),
        Rule("duplicate_source", "info", "the source was there before", drops=False, single=False),
        Rule("duplicate_target", "info", "the target was there before", drops=False, single=False),
        Rule(
            "overlap",
            "error",
            "the pair, or one but for a word on a side, is in the given dev or test text",
            single=False,
        ),
    )
}
SINGLE = tuple(rule.name for rule in RULES.values() if rule.single)


@dataclass(frozen=True)
class Limits:
    """Where the rules draw their lines.

    max_words, max_characters: of a side.  max_ratio: how many times longer than usual a side may be.
    least_letters: share of a side's characters.  most_repeated: words in a row that only repeat.
    most_foreign: share of a side's letters.
    """

    max_words: int = 250
    max_characters: int = 2000
    max_ratio: float = 2.5
    least_letters: float = 0.4
    most_repeated: int = 5
    most_foreign: float = 0.5


USUAL_LIMITS = Limits()


class Usual(NamedTuple):
    """What is learnt of a corpus from its first lines.

    ratio: of the lengths, target over source, in characters; None: by the languages' scripts.
    source, target: words that hardly a line does without.
    """

    ratio: float | None = None
    source: frozenset[str] = frozenset()
    target: frozenset[str] = frozenset()


UNKNOWN = Usual()


class Verdict(NamedTuple):
    """broken: names of rules, in their order.  source, target: the cleaned text.

    source_key, target_key: the `near_key` of each side; 0 where nobody has asked for it.
    """

    broken: list[str]
    source: str
    target: str
    source_key: int
    target_key: int


FEWEST = 100  # pairs to learn a ratio from
SMOOTHING = 20  # characters added to both sides before they are compared, so that short ones are forgiven much
FEWEST_FOREIGN = 6  # letters


class Judge:
    """Names the rules that a pair breaks, in the order of `RULES`. Picklable; the same answers in every process."""

    def __init__(
        self,
        source_language: str,
        target_language: str,
        limits: Limits = USUAL_LIMITS,
        *,
        usual: Usual = UNKNOWN,
        rules: Sequence[str] = SINGLE,
    ) -> None:
        """usual: what `learn` has learnt of the corpus.  rules: the names of those to look for."""
        self.limits = limits
        self.usual = usual
        self.rules = frozenset(rules)
        self._sides = (
            _Side(source_language, usual.source, limits, self.rules),
            _Side(target_language, usual.target, limits, self.rules),
        )
        self._same = base(source_language) == base(target_language)
        ratio = density(target_language) / density(source_language) if usual.ratio is None else usual.ratio
        self._shortest, self._longest = ratio / limits.max_ratio, ratio * limits.max_ratio

    @classmethod
    def learn(
        cls,
        source_language: str,
        target_language: str,
        sample: Sequence[tuple[str, str]],
        limits: Limits = USUAL_LIMITS,
        *,
        rules: Sequence[str] = SINGLE,
    ) -> Self:
        """A judge who knows what is usual in a corpus from some of its pairs; a thousand or more is best."""
        ratio = _usual_ratio(sample) if "length_ratio" in rules else None
        if "language" in rules:
            source = common_words([pair[0] for pair in sample], source_language)
            target = common_words([pair[1] for pair in sample], target_language)
            both = source & target  # names, and what two languages share, tell nothing
            usual = Usual(ratio, source - both, target - both)
        else:
            usual = Usual(ratio)
        return cls(source_language, target_language, limits, usual=usual, rules=rules)

    def __call__(self, source: str, target: str) -> list[str]:
        """Names of the rules that this pair breaks; none for a good one."""
        return self.examine(source, target, keys=False).broken

    def examine(self, source: str, target: str, *, keys: bool = True) -> Verdict:
        """The same, with the text as it was looked at, and its fingerprints if wanted."""
        texts = source, target
        source, target = clean(source), clean(target)
        if not source or not target:
            broken = ["blank"] if "blank" in self.rules else []
            return Verdict(broken, source, target, text_key(source), text_key(target))
        source_letters, target_letters = letters(source), letters(target)
        found = self._broken(source, target, source_letters, target_letters)
        if "controls" in self.rules and (
            faults.has_odd_characters(texts[0], source, self._sides[0].odd)
            or faults.has_odd_characters(texts[1], target, self._sides[1].odd)
        ):
            found.append("controls")
        if found:
            found = [name for name in SINGLE if name in found]
        if not keys:
            return Verdict(found, source, target, 0, 0)
        ours, theirs = text_key(source_letters or source), text_key(target_letters or target)
        return Verdict(found, source, target, ours, theirs)

    def _broken(self, source: str, target: str, source_letters: str, target_letters: str) -> list[str]:
        ours, theirs = self._sides
        source_words, target_words = source.split(), target.split()
        ratio = _ratio(source, target)
        if (
            self._shortest < ratio < self._longest
            and source_letters != target_letters
            and ours.is_ordinary(source, source_words, source_letters)
            and theirs.is_ordinary(target, target_words, target_letters)
        ):
            return []
        rules = self.rules
        found = ours.examine(source, source_words, source_letters)
        found += theirs.examine(target, target_words, target_letters)
        if "too_long" in found:  # all else would be about a text that nobody trains on
            return ["too_long"]
        if source_letters == target_letters:
            if "copied" in rules and not self._same and faults.is_sentence(target, target_words):
                found.append("copied")
        elif "script" in rules and (
            ours.is_foreign(source_letters, source) or theirs.is_foreign(target_letters, target)
        ):
            found.append("script")
        elif "language" in rules and (
            ours.listener.hears_another(source, source_words, len(source_letters))
            or theirs.listener.hears_another(target, target_words, len(target_letters))
        ):
            found.append("language")
        if "length_ratio" in rules and not self._shortest < ratio < self._longest:
            found.append("length_ratio")
        both = f"{source}\n{target}"
        if "numbers" in rules and faults.has_digits(both) and faults.numbers_differ(source, target):
            found.append("numbers")
        if "urls" in rules and faults.may_have_addresses(both) and faults.addresses_differ(source, target):
            found.append("urls")
        return found


class _Side:
    """What can be said about a side alone."""

    def __init__(self, language: str, common: frozenset[str], limits: Limits, rules: frozenset[str]) -> None:
        self.listener = Listener(language, common)
        self._limits, self._rules = limits, rules
        self.odd = faults.odd_characters(joiners=needs_joiners(language), directions=reads_leftwards(language))
        scripts = scripts_of(language)
        self._latin = "Latn" in scripts
        self._own = letters_of(scripts) if scripts else None

    def is_ordinary(self, text: str, words: list[str], letters: str) -> bool:
        """Whether it surely breaks no rule about a text alone: one look, for those many that need no second one."""
        count, limits = len(words), self._limits
        return (
            count <= limits.max_words
            and len(text) <= limits.max_characters
            and len(letters) * 2 > len(text)
            and faults.NEEDS_A_LOOK.search(text) is None
            and (count <= limits.most_repeated or len(set(words)) >= faults.DIFFERENT * count)
            and max(map(len, words)) < faults.LONG_RUN
            and (letters.isascii() or not faults.may_be_mojibake(text))
            and (self._own is None or (self._latin and letters.isascii()) or not self._own.sub("", letters))
            and "www" not in letters
            and self.listener.sounds_familiar(text, words)
        )

    def examine(self, text: str, words: list[str], letters: str) -> list[str]:
        """text: cleaned."""
        rules, limits = self._rules, self._limits
        if "too_long" in rules and (len(words) > limits.max_words or len(text) > limits.max_characters):
            return ["too_long"]
        found = []
        if "mojibake" in rules and not text.isascii() and faults.is_mojibake(text):
            found.append("mojibake")
        if "letters" in rules and faults.lacks_letters(text, len(letters), limits.least_letters):
            found.append("letters")
        if "repeated" in rules and faults.is_repetitive(text, words, limits.most_repeated):
            found.append("repeated")
        return found

    def is_foreign(self, letters: str, text: str) -> bool:
        """Whether most letters are of other scripts than the language's."""
        if self._own is None or (self._latin and letters.isascii()):
            return False
        if faults.may_have_addresses(text):
            letters = _letters_without_addresses(text)
        foreign = len(self._own.sub("", letters))
        return foreign >= FEWEST_FOREIGN and foreign > self._limits.most_foreign * len(letters)


def _letters_without_addresses(text: str) -> str:
    return letters(EMAIL.sub(" ", URL.sub(" ", text)))


def _usual_ratio(sample: Sequence[tuple[str, str]]) -> float | None:
    """The median, so that what is wrong in the sample does not count; None where it is too small."""
    cleaned = ((clean(source), clean(target)) for source, target in sample)
    ratios = [_ratio(source, target) for source, target in cleaned if source and target]
    return float(np.median(ratios)) if len(ratios) >= FEWEST else None


def _ratio(source: str, target: str) -> float:
    """Of their lengths in characters; for short ones nearer to 1."""
    return (len(target) + SMOOTHING) / (len(source) + SMOOTHING)
