"""PO: the message catalogues of gettext. Read line by line, cut at LF only."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from nmt.corpus.formats.inputs import Input
from nmt.corpus.formats.languages import closeness
from nmt.corpus.formats.lines import Lines, is_encoding, keeps_ascii
from nmt.corpus.formats.segments import joined
from nmt.corpus.formats.streams import NumberedStream
from nmt.errors import DataError

_QUOTED = r'"((?:[^"\\]|\\.)*)"'
_KEYWORD = re.compile(rf"(msgctxt|msgid_plural|msgid|msgstr|domain)\s*(?:\[\s*([0-9]{{1,9}})\s*\]\s*)?{_QUOTED}")
_MORE = re.compile(_QUOTED)
_CHARSET = re.compile(rb"charset=([A-Za-z0-9_.:-]+)")
_ESCAPE = re.compile(r"\\([0-7]{1,3}|x[0-9A-Fa-f]{1,2}|.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


@dataclass
class _Entry:
    """line: of its msgid.  texts: what has been read of it, by keyword: msgid, msgid_plural, msgstr0, msgstr1, ..."""

    line: int = 0
    fuzzy: bool = False
    texts: dict[str, list[str]] = field(default_factory=dict)

    def translated(self) -> bool:
        """Whether its translations have begun: then what follows is the next entry's."""
        return any(key.startswith("msgstr") for key in self.texts)

    def text(self, key: str) -> str:
        text = "".join(self.texts.get(key, ()))
        return _ESCAPE.sub(_unescaped, text) if "\\" in text else text


class PoStream(NumberedStream):
    """Source texts (msgid) with their translations, forms of the plural too; not what is fuzzy, obsolete or empty.

    The msgid's language is not in the file, the translation's mostly is: it says which side is which.
    """

    def __init__(self, source: Input, languages: tuple[str, str]) -> None:
        super().__init__(source.name, source)
        self._source, self._languages = source, languages

    def pairs(self) -> Iterator[tuple[str, str]]:
        self.skipped.clear()
        swapped = False
        number = 0
        for entry in self._entries():
            if entry.text("msgid") == "":
                if "msgctxt" not in entry.texts:
                    swapped = self._is_swapped(entry.text("msgstr0"))
                continue
            for pair in self._pairs_of(entry):
                number += 1
                self.note(number, entry.line)
                yield pair[::-1] if swapped else pair
        self.length = number

    def _pairs_of(self, entry: _Entry) -> Iterator[tuple[str, str]]:
        if entry.fuzzy:
            self.skipped["fuzzy"] += 1
            return
        found = False
        for key in entry.texts:
            if not key.startswith("msgstr") or not (translation := joined(entry.text(key))):
                continue
            found = True
            plural = "msgid_plural" in entry.texts and key != "msgstr0"
            yield joined(entry.text("msgid_plural" if plural else "msgid")), translation
        if not found:
            self.skipped["not translated"] += 1

    def _is_swapped(self, header: str) -> bool:
        """Whether the translation is in our source language.

        Errors: DataError if it is in neither of our languages.
        """
        said = re.search(r"^Language:[ \t]*([A-Za-z][\w@.-]*)", header, re.MULTILINE)
        if said is None:
            return False
        code = said[1].partition("@")[0].partition(".")[0]  # sr@latin, de_DE.UTF-8
        source, target = self._languages
        if closeness(target, code):
            return False
        if closeness(source, code):
            return True
        message = f"{self.name} has no text in {source} or {target}: its translations are in {code}."
        raise DataError(message, "choose the languages by these names, or mend the line Language: at its head")

    def _entries(self) -> Iterator[_Entry]:
        lines = Lines(self._source, self._encoding())
        entry, key = _Entry(), ""
        for block in lines.blocks():
            for number, line in enumerate(block, start=lines.count - len(block) + 1):
                line = line.strip(" \t\r\f")
                if not line or line.startswith("#|"):
                    continue
                found = None
                if starts_new := line.startswith("#"):
                    pass
                elif more := _MORE.fullmatch(line):
                    if not key:
                        raise self._wrong(number, "text without a keyword before it")
                    entry.texts[key].append(more[1])
                    continue
                elif (found := _KEYWORD.fullmatch(line)) is None:
                    raise self._wrong(number, "no keyword with a text in quotes")
                else:
                    starts_new = found[1] in ("msgctxt", "msgid", "domain")
                if starts_new and entry.translated():
                    yield entry
                    entry, key = _Entry(), ""
                if found is None:
                    flagged = line.startswith("#,") and "fuzzy" in re.split(r"[,\s]+", line)
                    entry.fuzzy = (entry.fuzzy or flagged) and not line.startswith("#~")  # the flag was of that one
                    continue
                key = self._begin(entry, found, number)
        if entry.translated():
            yield entry
        elif "msgid" in entry.texts:
            raise self._wrong(entry.line, "a msgid without a msgstr: the file ends in the middle")

    def _begin(self, entry: _Entry, found: re.Match[str], number: int) -> str:
        """Put the first text of a keyword into its entry; gives the key of what follows."""
        word, index, text = found.groups()
        key = f"msgstr{int(index or 0)}" if word == "msgstr" else word
        if key in entry.texts and word != "domain":
            raise self._wrong(number, f"a second {word} in one entry")
        if word.startswith("msgstr") and "msgid" not in entry.texts:
            raise self._wrong(number, "a msgstr without a msgid")
        if word == "msgid":
            entry.line = number
        entry.texts[key] = [text]
        return key

    def _encoding(self) -> str:
        """What the header says; it must come first, and nothing but ASCII before it."""
        head = next(self._source.blocks(), b"")
        said = _CHARSET.search(head)
        encoding = said[1].decode() if said else "utf-8"
        if encoding == "CHARSET":  # of a template that nobody has filled in
            return "utf-8"
        if not is_encoding(encoding):
            message = f"{self.name}: there is no encoding {encoding}, which its header names as charset."
            raise DataError(message, "put the right one there, or convert the file to UTF-8")
        if not keeps_ascii(encoding):
            message = f"{self.name}: its header names {encoding} as charset, in which PO cannot be written."
            raise DataError(message, "put the right one there, or convert the file to UTF-8")
        return encoding

    def _wrong(self, line: int, what: str) -> DataError:
        return DataError(f"{self.name} line {line} is not valid PO: {what}.", "to see all that is wrong: msgfmt -c")


def _unescaped(found: re.Match[str]) -> str:
    code = found[1]
    if code[0] in "01234567":
        return chr(int(code, 8))
    if code[0] == "x" and len(code) > 1:
        return chr(int(code[1:], 16))
    return _ESCAPED.get(code, code)
