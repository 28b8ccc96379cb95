"""Which texts deny something, by the words that languages do it with."""

import re
from functools import cache

from nmt.text.languages import base

# Whole words, without case; "*" stands for any ending. Left out is what mostly means something else (Spanish "nada",
# he swims), and languages that deny by changing the verb (Czech, Turkish) or within a word (Chinese).
_CUES = {
    "en": "not *n't cannot no never none nobody nothing nowhere neither nor without",
    "de": "nicht nichts kein keine keinen keinem keiner keines keinerlei nie niemals niemand niemanden niemandem "
    "nirgends nirgendwo weder ohne nein keinesfalls keineswegs",
    "fr": "ne n'* non pas ni sans aucun aucune nul nulle jamais",
    "es": "no nunca jamás nadie ningún ninguno ninguna ni sin tampoco",
    "it": "non no mai nessun nessuno nessuna nulla niente né senza nessun'* neanche nemmeno neppure",
    "pt": "não nunca jamais ninguém nenhum nenhuma nem sem",
    "nl": "niet niets geen nooit niemand nergens noch zonder nee",
    "sv": "inte ej icke ingen inget inga aldrig ingenting nej utan varken",
    "da": "ikke ej ingen intet ingenting aldrig nej uden hverken",
    "no": "ikke ei ingen intet ingenting aldri nei uten verken",
    "pl": "nie nigdy nikt nikogo nikomu nic niczego nigdzie żaden żadna żadne żadnego żadnej żadnych ani bez",
    "ru": "не нет ни никогда никто никого никому ничего ничто нигде никак нельзя без",
    "uk": "не ні немає нема ніколи ніхто нікого нічого ніде без",
}
# What one of these words is where it denies nothing: "No. 5", and a step in French.
_NOT_CUES = {
    "en": re.compile(r"\bno\.\s*(?=\d)"),
    "fr": re.compile(r"\b(?:un|le|les|des|ses|leurs|chaque|petits?|grands?|faux)\s+pas\b"),
}


def judged() -> list[str]:
    """Codes of the languages whose negation is known here."""
    return sorted(_CUES)


def can_judge(language: str | None) -> bool:
    """Whether `negates` knows it."""
    return _code(language) in _CUES


def negates(text: str, language: str) -> bool:
    """Whether the text holds a word that denies. It does not say what is denied, nor how often.

    language: one that `can_judge`; KeyError for another.
    """
    code = _code(language)
    text = text.lower().replace("’", "'")
    if code in _NOT_CUES:
        text = _NOT_CUES[code].sub(" ", text)
    return _pattern(code).search(text) is not None


def _code(language: str | None) -> str:
    return base(language or "")


@cache
def _pattern(code: str) -> re.Pattern[str]:
    words = "|".join(re.escape(word).replace(r"\*", r"\w*") for word in _CUES[code].split())
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)")
