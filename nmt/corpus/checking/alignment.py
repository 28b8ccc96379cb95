"""Where the sides of a whole corpus run apart: with equal numbers of lines, and with unequal ones."""

from collections.abc import Sequence
from pathlib import Path

from nmt.corpus.checking.reading import Corpus, FileCorpus, LineFile, Pair, Span, spread
from nmt.corpus.checking.shift import FEWEST, LEARN, NEAR, REACH, WINDOW, WINDOWS, Evidence, Shift, learn, trace
from nmt.corpus.checking.survey import beside
from nmt.text.lines import clean

RUN = 24  # neighbouring pairs of a sample
MOST = 20_000  # lines of one stretch that are looked at again, where it cannot be jumped into
MOST_STRETCHES = 50  # followed line by line


class Sample:
    """Pairs from all over a corpus, in runs of neighbours, cleaned. Each with its number, counted from 0."""

    def __init__(self, corpus: Corpus, wanted: int) -> None:
        self._spans = spread(corpus.count, wanted, RUN)
        self._runs = [[(clean(a), clean(b)) for a, b in run] for run in corpus.fetch(self._spans)]
        starts = (start for start, _ in self._spans)
        self.pairs = [
            (start + index, pair)
            for start, run in zip(starts, self._runs, strict=True)
            for index, pair in enumerate(run)
        ]
        self._at = {
            start + index: (place, index)
            for place, (start, _) in enumerate(self._spans)
            for index in range(len(self._runs[place]))
        }

    def read(self, start: int, offset: int, count: int) -> list[Pair]:
        """As `shift.Read`, from within the run of `start`."""
        place, index = self._at[start]
        return beside(self._runs[place], index, offset, count)

    @property
    def texts(self) -> list[Pair]:
        return [pair for _, pair in self.pairs]


def evidence_of(sample: Sample, reach: int = REACH) -> tuple[Evidence | None, float]:
    """What the sample teaches about which lines belong together, and how well its own do; None: too little."""
    pairs = [(number, pair) for number, pair in sample.pairs if all(pair)]
    if len(pairs) < FEWEST:
        return None, 0.0
    return learn(pairs[:: max(1, len(pairs) // LEARN)], sample.read, reach)


def shifts_of(corpus: Corpus, evidence: Evidence, stretches: Sequence[tuple[int, int, int | None]]) -> list[Shift]:
    """The exact places of those stretches [start, end) of poor pairs of which an offset is known.

    In a small corpus all of it is followed.
    """
    spans: list[Span] = []
    for start, end, offset in stretches:
        if offset is None:
            continue
        start, end = max(0, start - NEAR), min(corpus.count, end + NEAR)
        if spans and start <= spans[-1][1]:
            spans[-1] = spans[-1][0], end
        else:
            spans.append((start, end))
    spans = spans[:MOST_STRETCHES]
    if corpus.count <= WINDOW * WINDOWS:  # no stretch is too short to be looked at in so few lines
        spans = [(0, corpus.count)]
    if not isinstance(corpus, FileCorpus):
        spans = [(start, min(end, start + MOST)) for start, end in spans]
        fetched = corpus.fetch(spans)
    found: list[Shift] = []
    for index, span in enumerate(spans):
        if isinstance(corpus, FileCorpus):
            read = Reader(corpus.source, corpus.target)
        else:
            read = Reader([a for a, _ in fetched[index]], [b for _, b in fetched[index]], span[0])
        offsets = range(-REACH, REACH + 1)
        last = [offset for _, end, offset in stretches if offset is not None and end >= corpus.count - WINDOW]
        end = last[-1] if last and span[1] == corpus.count else 0
        found += trace(evidence, read, span, offsets, end)
    return found


class Reader:
    """Source lines beside other target lines, cleaned."""

    def __init__(self, source: LineFile | Sequence[str], target: LineFile | Sequence[str], first: int = 0) -> None:
        """first: the number of the first line, where only some are there."""
        self._sides, self._first = (source, target), first

    def __call__(self, start: int, offset: int, count: int) -> list[Pair]:
        ours, theirs = (
            _lines(side, place - self._first, count)
            for side, place in zip(self._sides, (start, start + offset), strict=True)
        )
        return [(clean(a), clean(b)) for a, b in zip(ours, theirs, strict=True)]


def _lines(side: LineFile | Sequence[str], start: int, count: int) -> list[str]:
    """Always `count` lines; "" where there is none."""
    before = min(count, max(0, -start))
    first, last = max(0, start), max(0, start + count)
    lines = side.read(first, last) if isinstance(side, LineFile) else list(side[first:last])
    return [""] * before + lines + [""] * (count - before - len(lines))


def shifts_of_files(source: LineFile, target: LineFile) -> list[Shift]:
    """Where two files of unequal length run apart; nothing for too few lines.

    Learnt from their first lines, as they stand beside each other, and from their last ones, counted from the end.
    """
    lines, off = len(source), len(target) - len(source)
    if min(lines, len(target)) < FEWEST:
        return []
    read = Reader(source, target)
    part = min(LEARN // 2, min(lines, len(target)) // 2)
    pairs = [*enumerate(read(0, 0, part)), *enumerate(read(lines - part, off, part), start=lines - part)]
    evidence, _ = learn([(number, pair) for number, pair in pairs if all(pair)], read)
    offsets = sorted({around + offset for around in (0, off) for offset in range(-REACH, REACH + 1)})
    return trace(evidence, read, (0, lines), offsets, off, doubted=False)


def first_shift(source: Path, target: Path) -> Shift | None:
    """For two files of unequal length: where they begin to run apart; None: it cannot be told."""
    found = shifts_of_files(LineFile(source), LineFile(target))
    return found[0] if found else None
