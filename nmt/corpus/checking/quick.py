"""A look at a corpus before training: seconds, whatever its size, and only what is worth stopping for."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from nmt.corpus.checking.alignment import Reader, Sample, evidence_of
from nmt.corpus.checking.commands import Commands
from nmt.corpus.checking.findings import Finding, by_severity
from nmt.corpus.checking.full import mismatch_finding
from nmt.corpus.checking.heldout import Seen, Watch
from nmt.corpus.checking.heldout_findings import overlap_findings, unseen_findings
from nmt.corpus.checking.reading import BLOCK, Corpus, FileCorpus, Pair, open_beginning
from nmt.corpus.checking.repeats import repeats
from nmt.corpus.checking.shift import REACH, Evidence, Shift, trace
from nmt.corpus.checking.sides import hear
from nmt.corpus.checking.tally import Tally
from nmt.corpus.checking.telling import language_findings, rule_findings, shift_findings, told_by
from nmt.corpus.duplicates.keys import exact_key
from nmt.corpus.rules import RULES, Judge
from nmt.corpus.stream import PairStream
from nmt.text.lines import clean

SMALL = 50_000  # pairs up to which all are looked at, and the same is always said
SAMPLE = 3000
PARAGRAPHS = 20
WORTH = {"error": 0.02, "warning": 0.1}  # share of pairs from which a broken rule is worth a line, by its severity
MANY = 0.1  # the same for duplicates
ODD, FEWEST = 0.05, 5  # and for held-out lines that are almost in train, or have characters that it has not


def quick_check(
    stream: PairStream,
    source_language: str,
    target_language: str,
    *,
    dev: Iterable[Pair] | None = None,
    test: Iterable[Pair] | None = None,
    places: Mapping[str, str] | None = None,
    seconds: float = 3.0,
) -> list[Finding]:
    """What is wrong with a corpus that would spoil a training: the worst first, none for a good corpus.

    places: where "dev" and "test" are, for the commands that show more.
    seconds: about how long it may take, for a corpus of more than `SMALL` pairs; a smaller one takes no longer.
    Each finding is for one line (`headline`); its remedy is a command that mends it, or one that shows more.
    Errors: DataError for what the stream cannot read.
    """
    deadline = time.monotonic() + seconds
    languages = source_language, target_language
    commands = Commands.of_stream(stream, languages, places)
    corpus = open_beginning(stream, seconds / 3, SMALL)
    if isinstance(corpus, FileCorpus) and corpus.complete and len(corpus.source) != len(corpus.target):
        return [mismatch_finding(corpus, commands)]
    if not corpus.count:
        return []
    small = corpus.count <= SMALL
    sample = Sample(corpus, SAMPLE)
    evidence, _ = evidence_of(sample, REACH if small else REACH // 4)
    shifts = _shifts(corpus, evidence) if evidence else []
    judge = Judge.learn(*languages, sample.texts)
    tally = _judged(judge, sample)
    heard = hear(sample.texts, languages, PARAGRAPHS)
    held_out = {name: list(pairs) for name, pairs in (("dev", dev), ("test", test)) if pairs is not None}
    wrong = [finding for finding in language_findings(heard, tally, commands) if finding.severity == "error"]
    found = [
        *shift_findings(shifts, corpus.count, commands),
        *wrong,
        *(finding for finding in rule_findings(tally, commands, told_by(wrong)) if _is_grave(finding)),
        *_by_all(corpus, held_out, commands, small, None if small else deadline),
    ]
    return by_severity(replace(finding, remedy=commands.check()) for finding in found)


def headline(finding: Finding) -> str:
    """The finding in one line."""
    return f"{finding.message}: {finding.amount}" if finding.amount else finding.message


def _is_grave(finding: Finding) -> bool:
    least = WORTH.get(RULES[finding.name].severity, 1.0)
    return finding.name != "blank" and finding.count >= least * finding.total  # of blank ones training speaks itself


def _shifts(corpus: Corpus, evidence: Evidence) -> list[Shift]:
    """Where the sides run apart."""
    if isinstance(corpus, FileCorpus):
        read = Reader(corpus.source, corpus.target)
    else:
        (pairs,) = corpus.fetch([(0, corpus.count)])
        read = Reader([source for source, _ in pairs], [target for _, target in pairs])
    return trace(evidence, read, (0, corpus.count), range(-REACH, REACH + 1), 0)


def _judged(judge: Judge, sample: Sample) -> Tally:
    """What single pairs of the sample have wrong."""
    tally = Tally(0)
    tally.pairs = len(sample.pairs)
    broken: dict[str, list[int]] = {}
    for number, pair in sample.pairs:
        for name in judge(*pair):
            broken.setdefault(name, []).append(number)
    tally.broken = {name: np.array(numbers, np.int64) for name, numbers in broken.items()}
    return tally


def _by_all(
    corpus: Corpus, held_out: Mapping[str, Sequence[Pair]], commands: Commands, small: bool, deadline: float | None
) -> list[Finding]:
    """What only a walk through all pairs can tell: as many blocks as there is time for."""
    watch = Watch(held_out, near=small)
    seen: dict[str, Seen] = {name: Seen() for name in held_out}
    letters: tuple[set[str], set[str]] = (set(), set())
    keys: list[int] = []
    complete = corpus.complete
    for first, pairs in _blocks(corpus):
        cleaned = [(clean(source), clean(target)) for source, target in pairs]
        keys += [exact_key(*pair) for pair in cleaned]
        for name, there in watch.look(cleaned, first).items():
            seen[name].add(there)
        for side in (0, 1):
            letters[side].update(*(pair[side] for pair in cleaned))
        if deadline is not None and time.monotonic() > deadline:
            complete = complete and first + len(pairs) >= corpus.count
            break
    found = []
    again = repeats(np.array(keys, np.uint64)).again
    if again >= MANY * len(keys):
        found.append(Finding("duplicate", "warning", "a pair is there again, word for word", again, len(keys)))
    for name, pairs in held_out.items():
        found += overlap_findings(name, pairs, seen[name], complete, commands)
        if complete:
            found += unseen_findings(name, pairs, letters, complete)
    always = "duplicate", "overlap"
    return [each for each in found if each.name in always or each.count >= max(FEWEST, ODD * each.total)]


def _blocks(corpus: Corpus) -> Iterator[tuple[int, Sequence[Pair]]]:
    """All blocks. Of a large file those that lie far from each other come first: there may not be time for all."""
    numbers = list(range(-(-corpus.count // BLOCK)))
    if corpus.count > SMALL:
        step = max(1, len(numbers) // 50)
        numbers = [number for start in range(step) for number in numbers[start::step]]
    for block in corpus.blocks(numbers):
        yield block.first, block.read()[0]
