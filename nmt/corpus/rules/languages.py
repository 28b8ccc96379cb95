"""What is known of languages by their codes: their scripts, what a detector calls them, which ones it mixes up."""

import re
from functools import cache

from nmt.text.languages import base

# Ranges of code points by the name of the script, as in a character class of a regular expression.
_RANGES = {
    "Latn": "A-Za-zªº\u00c0-\u024f\u0250-\u02ff\u1d00-\u1dbf\u1e00-\u1eff\u2c60-\u2c7f\ua720-\ua7ff\uff21-\uff5a",
    "Cyrl": "\u0400-\u052f\u1c80-\u1c8f\u2de0-\u2dff\ua640-\ua69f",
    "Grek": "\u0370-\u03ff\u1f00-\u1fff",
    "Armn": "\u0531-\u058f\ufb13-\ufb17",
    "Geor": "\u10a0-\u10ff\u1c90-\u1cbf\u2d00-\u2d2f",
    "Hebr": "\u0591-\u05f4\ufb1d-\ufb4f",
    "Arab": "\u0610-\u06ff\u0750-\u077f\u0870-\u08ff\ufb50-\ufdff\ufe70-\ufefc",
    "Syrc": "\u0700-\u074f",
    "Thaa": "\u0780-\u07bf",
    "Nkoo": "\u07c0-\u07ff",
    "Deva": "\u0900-\u097f\ua8e0-\ua8ff",
    "Beng": "\u0980-\u09ff",
    "Guru": "\u0a00-\u0a7f",
    "Gujr": "\u0a80-\u0aff",
    "Orya": "\u0b00-\u0b7f",
    "Taml": "\u0b80-\u0bff",
    "Telu": "\u0c00-\u0c7f",
    "Knda": "\u0c80-\u0cff",
    "Mlym": "\u0d00-\u0d7f",
    "Sinh": "\u0d80-\u0dff",
    "Thai": "\u0e00-\u0e7f",
    "Laoo": "\u0e80-\u0eff",
    "Tibt": "\u0f00-\u0fff",
    "Mymr": "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f",
    "Hang": "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff",
    "Ethi": "\u1200-\u139f\u2d80-\u2ddf\uab00-\uab2f",
    "Khmr": "\u1780-\u17ff",
    "Mong": "\u1800-\u18af",
    "Olck": "\u1c50-\u1c7f",
    "Tfng": "\u2d30-\u2d7f",
    "Kana": "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f",
    "Hani": "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af",
}
# What data sets append to a code, where it is not the name of one script.
_WRITINGS = {
    "Hans": ("Hani",), "Hant": ("Hani",), "Jpan": ("Hani", "Kana"), "Hrkt": ("Kana",), "Hira": ("Kana",),
    "Kore": ("Hang", "Hani"), "Aran": ("Arab",),
}  # fmt: skip
_LANGUAGES_OF_SCRIPTS = {
    "Latn": "af an ast az bcl br bs ca ceb cs cy da de en eo es et eu ext fi fo fr fy ga gd gl gn gsw gug ha haw hr ht "
    "hu id ig ilo is it jv kl kik la lb lg li lij ln lt ltg lv mg mi ms mt nb nds nl nn no nso oc om pap pcm pl pt qu "
    "rm ro rw scn se sk sl sm sn so sq ss st su sv sw tk tl tn to tr ts vec vi vo wa wo xh yo zu",
    "Cyrl": "ba be bg ce cv kk ky mk mn mhr os ru sah tg tt udm uk",
    "Grek": "el grc", "Armn": "hy", "Geor": "ka xmf", "Hebr": "he yi hbo",
    "Arab": "ar arz ary ckb fa glk mzn ps sd sdh ug ur",
    "Syrc": "syr", "Thaa": "dv", "Deva": "hi mr ne sa bho mai gom", "Beng": "bn as", "Guru": "pa", "Gujr": "gu",
    "Orya": "or", "Taml": "ta", "Telu": "te", "Knda": "kn", "Mlym": "ml", "Sinh": "si", "Thai": "th", "Laoo": "lo",
    "Tibt": "bo dz", "Mymr": "my", "Ethi": "am ti", "Khmr": "km", "Olck": "sat", "Hani": "zh yue wuu",
    "Latn Cyrl": "sr uz crh", "Latn Arab": "ku ace", "Hani Kana": "ja", "Hang Hani": "ko", "Latn Hani": "nan",
}  # fmt: skip
_SCRIPTS = {
    language: tuple(scripts.split())
    for scripts, languages in _LANGUAGES_OF_SCRIPTS.items()
    for language in languages.split()
}
# Standard languages and their near kin, which a detector takes for one another.
_KIN = (
    "da no nn|bs hr sr|id ms jv ace|cs sk|pt gl|es gl ext an|ca oc|bg mk|af nl fy|zh wuu yue|ar arz ary|uz uzs crh|"
    "ku sdh|it lij vec|fr wa|lv ltg|de lb|xh zu|st nso|ru be uk ba|hi mr ne sa gom|"
    "fa ps|en pcm|tr az crh|ht gcf gcr|es gug"
)


@cache
def scripts_of(language: str) -> tuple[str, ...]:
    """ISO 15924 names of the scripts that it is written in; none where that is not known."""
    for part in re.split("[-_]", language)[1:]:
        if (name := part.title()) in _RANGES:
            return (name,)
        if name in _WRITINGS:
            return _WRITINGS[name]
    return _SCRIPTS.get(base(language), ())


def letters_of(scripts: tuple[str, ...]) -> re.Pattern[str]:
    """Runs of characters of these scripts."""
    return re.compile("[{}]+".format("".join(_RANGES[script] for script in scripts)))


def script_name(text: str) -> str:
    """The script of the first character that has one of those known here; "" for none."""
    return next((script for script in _RANGES if letters_of((script,)).search(text)), "")


@cache
def kin_of(language: str) -> frozenset[str]:
    """Codes of the languages that a detector may take it for, itself included."""
    code = base(language)
    return frozenset([code]).union(*(group.split() for group in _KIN.split("|") if code in group.split()))


def is_unspaced(language: str) -> bool:
    """Whether it is written without blanks between words."""
    return not {"Hani", "Kana", "Thai", "Laoo", "Khmr", "Mymr", "Tibt"}.isdisjoint(scripts_of(language)) and (
        base(language) != "ko"
    )


def density(language: str) -> float:
    """How many characters it takes to say what 100 letters of an alphabet do, roughly, as a share of these."""
    scripts = scripts_of(language)
    if "Kana" in scripts or "Hang" in scripts:
        return 0.5
    return 0.35 if "Hani" in scripts else 1.0


def needs_joiners(language: str) -> bool:
    """Whether U+200C and U+200D are part of its spelling."""
    joining = {"Arab", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym", "Sinh", "Khmr", "Mong"}
    return not joining.isdisjoint(scripts_of(language))


def reads_leftwards(language: str) -> bool:
    """Whether it is written from right to left, so that marks of direction are part of its texts."""
    return not {"Arab", "Hebr", "Syrc", "Thaa", "Nkoo"}.isdisjoint(scripts_of(language))
