"""In which languages the two sides really are."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from nmt.corpus.checking.reading import Pair
from nmt.corpus.rules.identify import detect, knows
from nmt.corpus.rules.languages import kin_of

PARAGRAPH = 8  # lines that are judged together: a detector is hardly ever wrong about so many
PARAGRAPHS = 60
MOST = 0.6  # share of them from which a side is in that language
FEWEST = 4


@dataclass(frozen=True)
class Heard:
    """What a side is in. languages: by share of its paragraphs, the commonest first; none: too little text."""

    language: str
    known: bool  # whether the detector knows the language that it should be
    languages: tuple[tuple[str, float], ...] = ()

    @property
    def right(self) -> float:
        """Share that is in the language that it should be, or in one that is mixed up with it."""
        return sum(share for name, share in self.languages if name in kin_of(self.language))

    @property
    def main(self) -> str:
        """The one that most of it is in; "" where none is."""
        name, share = self.languages[0] if self.languages else ("", 0.0)
        return name if share >= MOST else ""


def hear(pairs: Sequence[Pair], languages: tuple[str, str], most: int = PARAGRAPHS) -> tuple[Heard, Heard]:
    """pairs: cleaned, from all over the corpus, in order. most: paragraphs to ask the detector about."""
    found = []
    for side, language in enumerate(languages):
        lines = [pair[side] for pair in pairs if len(pair[side]) > 1]
        starts = range(0, len(lines) - PARAGRAPH + 1, PARAGRAPH) if len(lines) >= PARAGRAPH else range(0)
        chosen = list(starts)[:: max(1, -(-len(starts) // most))]
        names = Counter(detect(" ".join(lines[start : start + PARAGRAPH])) for start in chosen)
        count = names.total()
        shares = tuple((name, times / count) for name, times in names.most_common()) if count >= FEWEST else ()
        found.append(Heard(language, knows(language), shares))
    return found[0], found[1]


def are_swapped(heard: tuple[Heard, Heard]) -> bool:
    """Whether each side is in the other's language."""
    source, target = heard
    return (
        source.right < 0.2
        and target.right < 0.2
        and bool(source.main and target.main)
        and source.main in kin_of(target.language)
        and target.main in kin_of(source.language)
    )
