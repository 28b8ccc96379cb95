"""TMX: translation memories. A unit (tu) has variants (tuv), each of a language and with one segment."""

from nmt.corpus.formats.languages import choose
from nmt.corpus.formats.markup import Attributes, Segment, Units
from nmt.errors import DataError


class TmxUnits(Units):
    """The variants of each unit that are in the two languages; the first of each language."""

    def __init__(self, languages: tuple[str, str]) -> None:
        super().__init__(languages)
        self._line = 0
        self._codes: list[str] = []  # of the variants of this unit that have a segment
        self._segments: list[Segment] = []
        self._code = ""
        self._segment: Segment | None = None
        self._chosen: dict[tuple[str, ...], tuple[int | None, int | None]] = {}

    def start(self, name: str, attributes: Attributes, line: int) -> None:
        if self._segment is not None:
            self._segment.start(name, attributes)
        elif name == "seg":
            self._segment = Segment()
        elif name == "tuv":
            self._code = attributes.get("xml:lang") or attributes.get("lang") or ""
        elif name == "tu":
            self._line, self._codes, self._segments = line, [], []

    def end(self, name: str) -> None:
        if self._segment is not None and self._segment.depth:
            self._segment.end()
        elif self._segment is not None:
            self._codes.append(self._code)
            self._segments.append(self._segment)
            self._segment = None
        elif name == "tu":
            self._give()

    def text(self, data: str) -> None:
        if self._segment is not None:
            self._segment.text(data)

    def _give(self) -> None:
        codes = tuple(self._codes)
        if codes not in self._chosen:
            if len(self._chosen) > 1000:  # a file that makes them up
                self._chosen.clear()
            self._chosen[codes] = choose(self.languages, self._codes)
            if len(self.known) < 1000:
                self.known.update(dict.fromkeys(codes))
        source, target = self._chosen[codes]
        if source is None or target is None:
            self.skip_without(source is not None, target is not None)
        else:
            self.give(self._segments[source], self._segments[target], self._line)

    def check(self, name: str) -> None:
        absent = [
            code
            for code, side in zip(self.languages, choose(self.languages, list(self.known)), strict=True)
            if side is None
        ]
        if absent and self.known:
            found = ", ".join(code or '""' for code in self.known)
            message = f"{name} has no text in {' and '.join(absent)}; it has {found}."
            raise DataError(message, "choose the languages by these names")
