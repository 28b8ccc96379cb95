"""XLIFF 1.2 and 2.x: texts on their way through a translation, in files of one source and one target language."""

from nmt.corpus.formats.languages import closeness
from nmt.corpus.formats.markup import Attributes, Segment, Units
from nmt.errors import DataError

_UNITS = "trans-unit", "segment"  # of 1.2, of 2.x: what has a source and a target
_UNTRANSLATED = "new", "needs-translation"  # states of a target in 1.2


class XliffUnits(Units):
    """Each unit that has been translated; of its texts only those right inside, not what a memory has suggested.

    A file is also read from its target to its source language.
    """

    def __init__(self, languages: tuple[str, str]) -> None:
        super().__init__(languages)
        self._path: list[str] = []
        self._segment: Segment | None = None
        self._sides: dict[str, Segment] = {}  # source, seg-source, target of this unit
        self._line = 0
        self._fixed = self._untranslated = False  # this unit: is not to be translated, is not translated yet
        self._direction = 1  # of this file: 1: as asked for, -1: the other way, 0: other languages
        self._fits = False  # whether any file was in these languages

    def start(self, name: str, attributes: Attributes, line: int) -> None:
        if self._segment is not None:
            self._segment.start(name, attributes)
            return
        parent = self._path[-1] if self._path else ""
        self._path.append(name)
        if (name == "xliff" and "srcLang" in attributes) or (name == "file" and "source-language" in attributes):
            self._enter_file(attributes)
        elif parent in _UNITS and name in ("source", "seg-source", "target"):
            self._segment = Segment()
            if name == "target":
                self._untranslated = attributes.get("state") in _UNTRANSLATED
        elif name in ("trans-unit", "unit"):
            self._fixed = attributes.get("translate") == "no"
        if name in _UNITS:
            self._sides, self._line, self._untranslated = {}, line, False

    def end(self, name: str) -> None:
        if self._segment is not None and self._segment.depth:
            self._segment.end()
            return
        if self._segment is not None:
            self._sides[name] = self._segment
            self._segment = None
        self._path.pop()
        if name in _UNITS:
            self._give()

    def text(self, data: str) -> None:
        if self._segment is not None:
            self._segment.text(data)

    def _enter_file(self, attributes: Attributes) -> None:
        own = attributes.get("source-language") or attributes.get("srcLang") or ""
        other = attributes.get("target-language") or attributes.get("trgLang") or ""
        if len(self.known) < 1000:
            self.known.update(dict.fromkeys(code for code in (own, other) if code))
        source, target = self.languages
        # The target's language may be left open.
        forward = closeness(source, own) and (not other or closeness(target, other))
        backward = closeness(target, own) and (not other or closeness(source, other))
        self._direction = 1 if forward else -1 if backward else 0
        self._fits = self._fits or self._direction != 0

    def _give(self) -> None:
        source, target = self._sides.get("source"), self._sides.get("target")
        if not self._direction:
            self.skipped["in other languages"] += 1
        elif self._fixed:
            self.skipped["not to be translated"] += 1
        elif self._untranslated:
            self.skipped["not translated yet"] += 1
        elif source is None or target is None:
            self.skip_without(*(side is not None for side in (source, target)[:: self._direction]))
        else:
            cut = self._sides.get("seg-source")
            if cut is not None and list(cut.cuts) == list(target.cuts):
                source = cut
            if self._direction < 0:
                source, target = target, source
            self.give(source, target, self._line)

    def check(self, name: str) -> None:
        if self.known and not self._fits:
            message = f"{name} has no text from {' to '.join(self.languages)}; it has {', '.join(self.known)}."
            raise DataError(message, "choose the languages by these names")
