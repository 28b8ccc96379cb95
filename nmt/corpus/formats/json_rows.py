"""JSON: a row on each line (JSON Lines), or one document that has a list of rows in it."""

import json
import re
from collections.abc import Iterator
from typing import Any

from nmt.corpus.formats.inputs import Input
from nmt.corpus.formats.lines import LONGEST, Lines, text_blocks, too_long
from nmt.corpus.formats.segments import joined
from nmt.corpus.formats.streams import NumberedStream
from nmt.errors import DataError

_SHAPE = 'such as {"translation": {"en": "...", "de": "..."}} or {"en": "...", "de": "..."}'
_HALF = re.compile("[\ud800-\udfff]")
_WHITE = re.compile(r"[ \t\r\n]*")


class _Rows:
    """What rows mean."""

    def __init__(self, name: str, languages: tuple[str, str]) -> None:
        self._name, self._languages = name, languages

    def pair(self, row: Any, line: int) -> tuple[str, str]:
        """Errors: DataError, with the line, for a row of another shape."""
        inner = row
        if isinstance(row, dict) and isinstance(row.get("translation"), dict):
            inner = row["translation"]
        if not isinstance(inner, dict):
            raise self._wrong(line, f"holds a {_kind(row)}, not an object", f"write each pair as an object, {_SHAPE}")
        source, target = self._languages
        if source in inner and target in inner:
            return self._text(inner[source], line), self._text(inner[target], line)
        if "source" in inner and "target" in inner:
            return self._text(inner["source"], line), self._text(inner["target"], line)
        absent = [language for language in self._languages if language not in inner]
        found = ", ".join(map(str, inner)) or "nothing"
        raise self._wrong(
            line, f"has no text in {' and '.join(absent)}; it has {found}", f"name the texts by language, {_SHAPE}"
        )

    def _text(self, value: Any, line: int) -> str:
        """What is null is a blank text."""
        if type(value) is not str:
            if value is None:
                return ""
            raise self._wrong(
                line, f"holds a {_kind(value)} where text is needed", "put it into quotes, or leave it out"
            )
        if value.isprintable():  # neither of the below; and nearly always so
            return value
        if _HALF.search(value):
            raise self._wrong(line, "holds half of a character (a lone \\ud800 ... \\udfff)", "mend or remove that row")
        return joined(value)

    def _wrong(self, line: int, what: str, remedy: str) -> DataError:
        return DataError(f"{self._name} line {line} {what}.", remedy)


def _kind(value: Any) -> str:
    match value:
        case list():
            return "list"
        case str():
            return "string"
        case bool():
            return "true or false"
        case int() | float():
            return "number"
        case None:
            return "null"
    return "object"


class JsonLines(NumberedStream):
    """An object on each line; blank lines are passed over."""

    def __init__(self, source: Input, languages: tuple[str, str]) -> None:
        super().__init__(source.name, source)
        self._source, self._languages = source, languages

    def pairs(self) -> Iterator[tuple[str, str]]:
        rows, lines = _Rows(self.name, self._languages), Lines(self._source)
        number = 0
        for block in lines.blocks():
            for line, text in enumerate(block, start=lines.count - len(block) + 1):
                try:
                    row = json.loads(text)
                except (ValueError, RecursionError) as error:
                    if not text.strip():
                        continue
                    raise _not_json(self.name, line, error, "each line must be one object") from error
                number += 1
                self.note(number, line)
                yield rows.pair(row, line)
        self.length = number


def _not_json(name: str, line: int, error: Exception, rule: str) -> DataError:
    reason, column = str(error), ""
    if isinstance(error, json.JSONDecodeError):
        reason, column = error.msg, f" column {error.colno}"
    if isinstance(error, RecursionError):
        reason = "it is nested too deep"
    return DataError(f"{name} line {line}{column} is not valid JSON: {reason.lower()}.", f"{rule}, {_SHAPE}")


class JsonDocument(NumberedStream):
    """A list of rows; or an object that has such a list under "data", or under the name of the split; or rows one
    after the other, as in JSON Lines but laid out freely. Never more than a row in memory.
    """

    def __init__(self, source: Input, languages: tuple[str, str], split: str) -> None:
        super().__init__(source.name, source)
        self._source, self._languages, self._split = source, languages, split

    def pairs(self) -> Iterator[tuple[str, str]]:
        rows = _Rows(self.name, self._languages)
        number = 0
        for row, line in self._rows(_Reader(self._source)):
            number += 1
            self.note(number, line)
            yield rows.pair(row, line)
        self.length = number

    def _rows(self, reader: "_Reader") -> Iterator[tuple[Any, int]]:
        while opening := reader.peek():
            line = reader.line
            if opening == "[":
                yield from reader.items()
            elif opening != "{":
                yield reader.value(), line
            else:
                row: dict[str, Any] = {}
                lists = []
                for key in reader.members():
                    if reader.peek() != "[":
                        row[key] = reader.value()
                    elif key in ("data", self._split):
                        yield from reader.items()
                        lists.append(key)
                    else:
                        lists.append(key)
                        for _ in reader.items():
                            pass
                if "data" in lists or self._split in lists:
                    continue
                if lists and not row.keys() & {"translation", "source", *self._languages}:
                    message = f"{self.name} line {line}: there are no rows under data or {self._split}; it has "
                    raise DataError(f"{message}{', '.join(lists)}.", "let the file be one list of rows")
                yield row, line


class _Reader:
    """Reads a document value by value, with little of it in memory. line: of the next value, counted from 1."""

    def __init__(self, source: Input) -> None:
        self._name = source.name
        self._blocks = text_blocks(source)
        self._text, self._at = "", 0
        self._over = False
        self._decode = json.JSONDecoder().raw_decode
        self.line = 1

    def peek(self) -> str:
        """The next character that is no white space; "" at the end."""
        while True:
            end = _WHITE.match(self._text, self._at).end()  # type: ignore[union-attr]
            self._move(end)
            if end < len(self._text):
                return self._text[end]
            if not self._more():
                return ""

    def value(self) -> Any:
        self.peek()
        while True:
            try:
                value, end = self._decode(self._text, self._at)
            except json.JSONDecodeError as error:
                # At the very end, or in a string, more text may make it valid.
                hopeful = error.msg.startswith("Unterminated") or error.pos > len(self._text) - 16
                place = error.pos - self._at
                if not (hopeful and self._more()):
                    raise self._broken(error.msg, self._at + place) from error
            except (ValueError, RecursionError) as error:
                reason = "it is nested too deep" if isinstance(error, RecursionError) else str(error)
                raise self._broken(reason, self._at) from error
            else:
                if end < len(self._text) or not self._more():  # a number may go on
                    self._move(end)
                    return value

    def items(self) -> Iterator[tuple[Any, int]]:
        """The values of a list, each with its line."""
        self._take("[")
        if self.peek() == "]":
            self._take("]")
            return
        while True:
            self.peek()
            line = self.line
            yield self.value(), line
            if self._take(",]") == "]":
                return

    def members(self) -> Iterator[str]:
        """The keys of an object; the value of each must be read before the next one is asked for."""
        self._take("{")
        if self.peek() == "}":
            self._take("}")
            return
        while True:
            if self.peek() != '"':
                raise self._broken("Expecting property name enclosed in double quotes", self._at)
            key = self.value()
            self._take(":")
            yield key
            if self._take(",}") == "}":
                return

    def _take(self, allowed: str) -> str:
        found = self.peek()
        if not found or found not in allowed:
            expected = " or ".join(f"'{character}'" for character in allowed)
            raise self._broken(f"expecting {expected}" if found else "the file ends in the middle", self._at)
        self._move(self._at + 1)
        return found

    def _move(self, end: int) -> None:
        self.line += self._text.count("\n", self._at, end)
        self._at = end

    def _more(self) -> bool:
        """Get at least as much again as is left; False at the end of the file."""
        parts = [self._text[self._at :]]
        if len(parts[0]) > LONGEST:
            raise too_long(self._name, self.line)
        wanted, got = max(len(parts[0]), 1), 0
        while got < wanted and not self._over:
            block = next(self._blocks, "")
            self._over = not block
            parts.append(block)
            got += len(block)
        self._text, self._at = "".join(parts), 0
        return got > 0

    def _broken(self, reason: str, place: int) -> DataError:
        line = self.line + self._text.count("\n", self._at, place)
        if self._over and not self._text[place:].strip():
            reason = "the file ends in the middle"
        message = f"{self._name} line {line} is not valid JSON: {reason.lower()}."
        return DataError(message, "let the file be a list of objects, " + _SHAPE)
