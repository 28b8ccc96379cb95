"""Formats with a pair on each line: two plain files, and TSV."""

from collections.abc import Iterator
from itertools import chain

from nmt.corpus.formats.inputs import Input
from nmt.corpus.formats.streams import FormatStream
from nmt.corpus.stream import Place
from nmt.errors import DataError
from nmt.text.lines import BOM, convert, not_utf8

LONGEST = 1 << 26  # bytes of a line, or characters of a JSON value: more is no text, but would fill the memory


class Lines:
    """The lines of an input by the rules of `nmt.text.lines`, many at a time; for one pass.

    count: lines read so far.
    """

    def __init__(self, source: Input, encoding: str = "utf-8") -> None:
        """encoding: one in which LF and the letters of ASCII are the bytes that they are in ASCII."""
        self.source = source
        self.count = 0
        self._encoding = encoding

    def blocks(self) -> Iterator[list[str]]:
        """Errors: DataError for the first byte that is not UTF-8, with its line; for UTF-16; for an endless line."""
        held: list[bytes] = []  # the beginning of a line
        size = 0  # of it
        for block in self.source.blocks():
            end = block.rfind(b"\n") + 1
            if not end:
                held.append(block)
                size += len(block)
                if size > LONGEST:
                    raise too_long(self.source.name, self.count + 1)
                continue
            held.append(block[:end])
            yield self._cut(b"".join(held))
            held, size = ([block[end:]] if end < len(block) else []), len(block) - end
        if held:
            yield self._cut(b"".join(held))

    def _cut(self, data: bytes) -> list[str]:
        """data: whole lines."""
        first = not self.count
        if first:
            data = data.removeprefix(BOM)
        try:
            text = data.decode(self._encoding)
        except UnicodeDecodeError as error:
            start = data.rfind(b"\n", 0, error.start) + 1
            line = self.count + data.count(b"\n", 0, start) + 1
            raise not_utf8(self.source.name, line, error.start - start, data[error.start], error.encoding) from error
        lines = text.split("\n")
        if not lines[-1]:
            lines.pop()
        if "\r" in text:
            lines = [line.removesuffix("\r") for line in lines]
        if first and "\0" in text:
            self._refuse_utf16(lines)
        self.count += len(lines)
        return lines

    def _refuse_utf16(self, lines: list[str]) -> None:
        """UTF-16 without its mark is valid UTF-8 as long as it is ASCII, and would be learned letter by letter."""
        if sum("\0" in line for line in lines) > len(lines) / 2:
            name = self.source.name
            message = f"{name} looks like UTF-16, not UTF-8: most of its lines have NUL bytes."
            raise DataError(message, convert("UTF-16LE", name))


def too_long(name: str, line: int) -> DataError:
    """The error to raise for a line that has no end."""
    return DataError(f"{name} line {line} is over {LONGEST >> 20} MB long: that is no text.", "check how it was made")


def keeps_ascii(name: str) -> bool:
    """Whether an encoding can be read line by line: LF and the letters of ASCII are in it what they are in ASCII."""
    letters = bytes((10, *range(32, 92), *range(93, 126)))  # not \\ and ~, which are other signs in Japan and Korea
    try:
        kept = all(text.decode(name) == text.decode("ascii") for text in (letters, b"xn--mnchen-3ya"))
        return kept and b"\\u0041".decode(name) != "A"
    except (UnicodeError, LookupError):
        return False


def is_encoding(name: str) -> bool:
    """Whether bytes can be read as text by this name; not `codecs.lookup`, which knows more than text."""
    try:
        b"x".decode(name)
    except UnicodeError:  # one that needs more bytes
        return True
    except LookupError:
        return False
    return True


def text_blocks(source: Input) -> Iterator[str]:
    """The text of an input, cut anywhere, without a byte order mark.

    Errors: DataError for the first byte that is not UTF-8, with its line.
    """
    held, line, column = b"", 1, 0  # what is held back, and where it begins
    blocks = chain(source.blocks(), [b""])
    for block in blocks:
        data = held + block
        if line == 1 and not column:
            data = data.removeprefix(BOM)
        try:
            text, held = data.decode("utf-8"), b""
        except UnicodeDecodeError as error:
            if not block or error.reason != "unexpected end of data":
                start = data.rfind(b"\n", 0, error.start) + 1
                line += data.count(b"\n", 0, start)
                place = error.start - start + (0 if start else column)
                raise not_utf8(source.name, line, place, data[error.start]) from error
            text, held = data[: error.start].decode("utf-8"), data[error.start :]
        ended = len(data) - len(held)
        if lines := data.count(b"\n", 0, ended):
            line += lines
            column = ended - data.rfind(b"\n", 0, ended) - 1
        else:
            column += ended
        if text:
            yield text


class TwoFiles(FormatStream):
    """Line N of one file is the translation of line N of the other."""

    unit = "line"

    def __init__(self, source: Input, target: Input, name: str = "") -> None:
        super().__init__(name or f"{source.name} and {target.name}", source, target)
        self._source, self._target = source, target
        if source.is_plain_file() and target.is_plain_file():
            assert source.path is not None
            assert target.path is not None
            self.files = source.path, target.path

    def pairs(self) -> Iterator[tuple[str, str]]:
        sides = Lines(self._source), Lines(self._target)
        blocks = [side.blocks() for side in sides]
        yield from zip(*(chain.from_iterable(side) for side in blocks), strict=False)
        for rest in blocks:  # one file is at its end: how long is the other?
            for _ in rest:
                pass
        self.length = sides[0].count
        if sides[1].count != self.length:
            counts = f"{self._source.name} has {_counted(sides[0])} but {self._target.name} has {_counted(sides[1])}"
            raise DataError(
                f"{counts}{self._first_shift()}.",
                "take both files from the same source again: line N of one must be the translation of line N of "
                "the other",
            )

    def _first_shift(self) -> str:
        """Where they begin to run apart, in words; "" where it cannot be told."""
        if self.files is None:
            return ""
        from nmt.corpus.checking.alignment import first_shift  # it reads by this room

        shift = first_shift(*self.files)
        return "" if shift is None else f"; the first pair that looks shifted is line {shift.start + 1:,}"

    def place(self, number: int) -> Place:
        return Place(f"{self._source.name} line {number}", f"{self._target.name} line {number}")


def _counted(lines: Lines) -> str:
    return f"{lines.count} line" if lines.count == 1 else f"{lines.count} lines"


class Tsv(FormatStream):
    """source TAB target; a quote is a character like any other."""

    unit = "line"

    def __init__(self, source: Input) -> None:
        super().__init__(source.name, source)
        self._source = source

    def pairs(self) -> Iterator[tuple[str, str]]:
        lines = Lines(self._source)
        for block in lines.blocks():
            for line in block:
                source, tab, target = line.partition("\t")
                if not tab or "\t" in target:
                    number = lines.count - len(block) + self._index(block) + 1
                    raise self._not_two(number, line)
                yield source, target
        self.length = lines.count

    def _index(self, block: list[str]) -> int:
        """Of the first bad line."""
        return next(index for index, line in enumerate(block) if line.count("\t") != 1)

    def _not_two(self, number: int, line: str) -> DataError:
        fields = line.count("\t") + 1
        found = "1 field" if fields == 1 else f"{fields} fields"
        return DataError(
            f"{self.name} line {number} has {found}, not 2.",
            "each line must be: source TAB target; cut other columns off, as with: cut -f 1,2",
        )
