"""XML, streaming and safe: what TMX and XLIFF have in common.

Read by expat, which keeps nothing but the open elements and knows the line of each. A document type is accepted but
never loaded; entities of its own are refused, so there is nothing that could grow or reach out.
"""

import codecs
import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from html.entities import html5
from xml.parsers import expat

from nmt.corpus.formats.inputs import Input
from nmt.corpus.formats.lines import is_encoding
from nmt.corpus.formats.segments import collapsed
from nmt.corpus.formats.streams import NumberedStream
from nmt.errors import DataError
from nmt.text.lines import not_utf8

Attributes = Mapping[str, str]

_DEEPEST = 256  # elements in each other
_LONGEST = 10_000_000  # characters of a segment
_DECLARED = re.compile(rb"""^<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)""")
_OWN_ENCODINGS = "utf-8", "utf8", "utf-16", "us-ascii", "ascii", "iso-8859-1"  # of expat
_INVALID, _PARTIAL, _UNKNOWN_ENTITY, _WRONG_ENCODING = 4, 6, 11, 19  # expat's error codes

# Native code of the text's own format (a tag, a macro): no part of the sentence. All else in a segment is read on
# through: hi, g, mrk, pc, ...
_CODES = frozenset(("bpt", "ept", "ph", "it", "ut", "x", "bx", "ex", "sc", "ec", "sm", "em", "cp"))
_LINE_BREAKS = frozenset(("lb", "x-lb", "pb", "x-pb", "br", "x-br", "x-html-br"))  # type or ctype of such code


class Segment:
    """The text of a segment while its elements come by.

    whole: the text itself, without native codes.  subs: texts inside of native codes (a tooltip, a footnote).
    cuts: what is marked as one sentence of it (XLIFF: mrk of mtype "seg"), by its mark.
    """

    def __init__(self) -> None:
        self.whole: list[str] = []
        self.subs: list[list[str]] = []
        self.cuts: dict[str, list[str]] = {}
        self._open: list[tuple[list[str], ...]] = [(self.whole,)]  # who gets the text that comes now
        self._size = 0

    def start(self, name: str, attributes: Attributes) -> None:
        here = self._open[-1]
        if name in _CODES:
            if name == "cp" or (attributes.get("ctype") or attributes.get("type")) in _LINE_BREAKS:
                self.text(" ")
            here = ()
        elif name == "sub":
            self.subs.append([])
            here = (self.subs[-1],)
        elif name == "mrk" and attributes.get("mtype") == "seg":
            here = (*here, self.cuts.setdefault(attributes.get("mid", ""), []))
        self._open.append(here)

    def end(self) -> None:
        self._open.pop()

    @property
    def depth(self) -> int:
        """How many elements of the segment are open."""
        return len(self._open) - 1

    def text(self, data: str) -> None:
        for parts in self._open[-1]:
            parts.append(data)
        self._size += len(data)
        if self._size > _LONGEST:
            raise ValueError(f"a segment of more than {_LONGEST:,} characters")


def pairs_of_segments(source: Segment, target: Segment) -> list[tuple[str, str]]:
    """The texts of two segments; sentence by sentence where both mark the same; then what their codes have inside."""
    if source.cuts and list(source.cuts) == list(target.cuts):
        pairs = list(zip(source.cuts.values(), target.cuts.values(), strict=True))
    else:
        pairs = [(source.whole, target.whole)]
    if len(source.subs) == len(target.subs):
        pairs += zip(source.subs, target.subs, strict=True)
    return [(collapsed("".join(ours)), collapsed("".join(theirs))) for ours, theirs in pairs]


class Units:
    """What a format makes of elements: pairs of segments. One for each pass.

    found: pairs that nobody has taken yet, each with the line on which its unit begins.
    """

    def __init__(self, languages: tuple[str, str]) -> None:
        self.languages = languages
        self.found: list[tuple[str, str, int]] = []
        self.skipped: Counter[str] = Counter()
        self.known: dict[str, None] = {}  # languages that occur, in order

    @abstractmethod
    def start(self, name: str, attributes: Attributes, line: int) -> None: ...

    @abstractmethod
    def end(self, name: str) -> None: ...

    @abstractmethod
    def text(self, data: str) -> None: ...

    def give(self, source: Segment, target: Segment, line: int) -> None:
        for ours, theirs in pairs_of_segments(source, target):
            if ours and theirs:
                self.found.append((ours, theirs, line))
            else:
                self.skip_without(bool(ours), bool(theirs))

    def skip_without(self, source: bool, target: bool) -> None:
        """Count a unit that lacks a side. source, target: whether it is there."""
        absent = [code for code, there in zip(self.languages, (source, target), strict=True) if not there]
        self.skipped[f"without {' and '.join(absent)}"] += 1

    def check(self, name: str) -> None:
        """Raises DataError if, at the end of the file, a language has never occurred."""


class MarkupStream(NumberedStream):
    """Pairs out of an XML file."""

    def __init__(self, source: Input, units: type[Units], root: str, languages: tuple[str, str]) -> None:
        """root: the name of the outermost element."""
        super().__init__(source.name, source)
        self._source, self._units, self._root, self._languages = source, units, root, languages

    def pairs(self) -> Iterator[tuple[str, str]]:
        units = self._units(self._languages)
        number = 0
        for _ in parsed(self._source, units, self._root):
            for source, target, line in units.found:
                number += 1
                self.note(number, line)
                yield source, target
            units.found.clear()
        self.length, self.skipped = number, units.skipped
        if not number:
            units.check(self.name)


def parsed(source: Input, units: Units, root: str) -> Generator[None]:
    """Shows `units` all elements of an XML file; comes up for air after each block of it.

    Errors: DataError, with the line, for what is no well-formed XML, for another root, and for entities.
    """
    name = source.name
    blocks = source.blocks()
    first = next(blocks, b"")
    if not first:
        raise DataError(f"{name} is empty: there is no XML in it.", "check how it was made")
    blocks, encoding = _recoded(first, blocks, name)
    parser = expat.ParserCreate(encoding)
    _connect(parser, units, name, root)
    done = line_start = 0  # bytes
    for block in blocks:
        try:
            parser.Parse(block)
        except expat.ExpatError as error:
            if (wrong := _not_utf8(error, parser.ErrorByteIndex - done, block, done - line_start, name)) is not None:
                raise wrong from error
            raise _broken(error, source, cut_short=False) from error
        except ValueError as error:  # of ours: too much of something
            raise DataError(f"{name} line {parser.CurrentLineNumber}: {error}.", "check how it was made") from error
        if end := block.rfind(b"\n") + 1:
            line_start = done + end
        done += len(block)
        if done - parser.CurrentByteIndex > _LONGEST:  # a tag or comment without end, which expat keeps and rereads
            message = f"{name} line {parser.CurrentLineNumber}: a tag or comment of more than {_LONGEST:,} bytes."
            raise DataError(message, "check how it was made")
        yield
    try:
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise _broken(error, source, cut_short=True) from error
    yield


def _connect(parser: expat.XMLParserType, units: Units, name: str, root: str) -> None:
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        if ":" in tag:
            tag = tag.rpartition(":")[2]
        if depth == 0 and tag != root:
            raise DataError(f"{name} is no {root.upper()} file: its first element is {tag}.", "check its format")
        if depth == _DEEPEST:
            raise ValueError(f"elements are nested more than {_DEEPEST} deep")
        depth += 1
        units.start(tag, attributes, parser.CurrentLineNumber)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        units.end(tag.rpartition(":")[2] if ":" in tag else tag)

    def declared(entity: str, *_: object) -> None:
        message = f"{name} line {parser.CurrentLineNumber} defines an entity ({entity}), which is not allowed here."
        raise DataError(message, "write the text itself where the entity stands")

    def skipped(entity: str, is_parameter: bool) -> None:
        """An entity of a document type that is not loaded; what HTML calls so is meant."""
        if is_parameter:
            return
        if f"{entity};" not in html5:
            message = f"{name} line {parser.CurrentLineNumber}: there is no entity &{entity};."
            raise DataError(message, "write the character itself, or its number: &#160;")
        units.text(html5[f"{entity};"])

    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = units.text
    parser.EntityDeclHandler = declared
    parser.SkippedEntityHandler = skipped


def _recoded(first: bytes, rest: Iterator[bytes], name: str) -> tuple[Iterator[bytes], str | None]:
    """The blocks, and the encoding to read them by; None: as the file says. expat itself knows few encodings."""

    def whole() -> Iterator[bytes]:
        yield first
        yield from rest

    said = _DECLARED.match(first)
    if said is None or (encoding := said[1].decode().lower()) in _OWN_ENCODINGS:
        return whole(), None
    if not is_encoding(encoding):
        message = f"{name} line 1: there is no encoding {encoding}."
        raise DataError(message, "put the right one there, or convert the file to UTF-8")

    def recode() -> Iterator[bytes]:
        decoder = codecs.getincrementaldecoder(encoding)()
        line = 1
        for block in whole():
            try:
                text = decoder.decode(block)
            except UnicodeError as error:
                if isinstance(error, UnicodeDecodeError):
                    line += error.object.count(b"\n", 0, error.start)
                message = f"{name} line {line}: it is not {encoding} here, as the file says it is."
                raise DataError(message, "put the right encoding into the first line of the file") from error
            line += text.count("\n")
            yield text.encode(errors="replace")

    return recode(), "utf-8"


def _not_utf8(error: expat.ExpatError, place: int, block: bytes, before: int, name: str) -> DataError | None:
    """The error to raise if a byte that is not UTF-8 is what expat stumbled over; else None.

    place: where it stopped in `block`.  before: how many bytes of the line lie in earlier blocks.
    """
    if error.code not in (_INVALID, _PARTIAL) or not 0 <= place < len(block) or block[place] < 0x80 or b"\0" in block:
        return None
    start = block.rfind(b"\n", 0, place) + 1
    return not_utf8(name, error.lineno, place - start + (0 if start else before), block[place])


def _broken(error: expat.ExpatError, source: Input, cut_short: bool) -> DataError:
    """cut_short: whether there is no more of the file."""
    name = source.name
    where, reason = f"{name} line {error.lineno}", expat.ErrorString(error.code)
    if cut_short:
        return DataError(f"{where}: the file ends in the middle ({reason}).", "it was cut short: get it again")
    if error.code == _UNKNOWN_ENTITY:
        return DataError(f"{where}: {reason}.", "write the character itself, or its number: &#160;")
    if error.code == _WRONG_ENCODING:
        remedy = "put the right encoding into the first line of the file"
    else:
        more = f"; to see all that is wrong: xmllint --noout {name}" if source.is_plain_file() else ""
        remedy = f"mend or remove that line{more}"
    return DataError(f"{where} column {error.offset + 1} is not valid XML: {reason}.", remedy)
