"""The whole check: one pass over the pairs, by one process or several, and what it adds up to."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from shlex import quote
from typing import Any

from nmt.corpus.checking.alignment import Sample, evidence_of, shifts_of, shifts_of_files
from nmt.corpus.checking.commands import Commands
from nmt.corpus.checking.details import describe
from nmt.corpus.checking.findings import EXAMPLES, Example, Finding, by_severity
from nmt.corpus.checking.heldout import Watch
from nmt.corpus.checking.heldout_findings import overlap_findings, own_findings, unseen_findings
from nmt.corpus.checking.reading import BLOCK, Corpus, FileCorpus, open_corpus
from nmt.corpus.checking.shift import CLEAR, LEARN, Shift
from nmt.corpus.checking.sides import Heard, hear
from nmt.corpus.checking.survey import Surveyor
from nmt.corpus.checking.tally import Tally
from nmt.corpus.checking.telling import (
    describe_offset,
    duplicate_findings,
    encoding_findings,
    language_findings,
    order_findings,
    rule_findings,
    shift_findings,
    sureness,
    told_by,
    unrelated_findings,
)
from nmt.corpus.checking.vocabulary import Vocabulary, recommended, vocabularies
from nmt.corpus.rules import Judge
from nmt.corpus.stream import PairStream
from nmt.errors import DataError
from nmt.processes import usable_cores, working

DEFAULT_MOST = 1_000_000  # pairs that are looked at unless all are asked for
ENOUGH = 500  # lines from which it means something that none looks shifted
ONE_PROCESS = 50_000  # pairs up to which starting others would take longer
VOCABULARY_PAIRS, THOROUGH = 5_000, 50_000  # to learn subwords from: by default, where they are asked for


@dataclass(frozen=True)
class Request:
    """What to check.

    most: pairs to look at, None: all.  workers: processes, None: as is best.
    vocabulary: whether to try subword vocabularies; None: where it takes seconds.
    """

    stream: PairStream
    languages: tuple[str, str]
    commands: Commands
    held_out: dict[str, PairStream] = field(default_factory=dict)
    most: int | None = DEFAULT_MOST
    workers: int | None = None
    vocabulary: bool | None = None


@dataclass
class Report:
    """What the check has found.

    pairs: there are.  looked_at: of these.  distinct: pairs and sources that differ from all others.
    held_out: pairs of dev and test.
    """

    name: str
    languages: tuple[str, str]
    pairs: int
    looked_at: int
    findings: list[Finding]
    shifts: list[Shift]
    tally: Tally
    distinct: tuple[int, int]
    heard: tuple[Heard, Heard]
    vocabularies: list[Vocabulary]
    held_out: dict[str, int]

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        sides = {
            name: {
                "language": heard.language,
                "heard": dict(heard.languages),
                "words": side.words,
                "characters": side.characters,
                "distinct_words": len(side.vocabulary),
                "distinct_characters": len(side.letters),
                "lengths": side.lengths.tolist(),
            }
            for name, side, heard in zip(("source", "target"), self.tally.sides, self.heard, strict=True)
        }
        best = recommended(self.vocabularies)
        return {
            "name": self.name,
            "pairs": self.pairs,
            "looked_at": self.looked_at,
            "distinct_pairs": self.distinct[0],
            "distinct_sources": self.distinct[1],
            **sides,
            "held_out": self.held_out,
            "shifts": [shift._asdict() for shift in self.shifts],
            "findings": [finding.as_json() for finding in self.findings],
            "vocabularies": [vocabulary.as_json() for vocabulary in self.vocabularies],
            "recommended_vocabulary": best.size if best else None,
        }


def check(request: Request, progress: Callable[[Iterable[Any], int], Iterable[Any]] = lambda items, _: items) -> Report:
    """Look at a corpus, and at dev and test if they are given.

    progress: what shows how far it is, given the blocks and their number.
    Errors: DataError for what cannot be read at all, and for a corpus without any pair.
    """
    corpus = open_corpus(request.stream)
    findings: list[Finding] = []
    if isinstance(corpus, FileCorpus) and len(corpus.source) != len(corpus.target):
        findings.append(mismatch_finding(corpus, request.commands))
        corpus.count = max(0, min([corpus.count, *(example.line - 1 for example in findings[0].examples)]))
    if not corpus.count and not findings:
        raise DataError(f"{request.stream.name} is empty: there is no pair in it.", "check how it was made")
    held_out = {name: list(stream) for name, stream in request.held_out.items()}
    sample = Sample(corpus, LEARN)
    evidence, mean = evidence_of(sample)
    judge = Judge.learn(*request.languages, sample.texts)
    surveyor = Surveyor(judge, evidence, Watch(held_out))
    numbers = _chosen(corpus, request.most)
    tally = Tally(min(corpus.count, len(numbers) * BLOCK))
    workers = request.workers or (usable_cores() if len(numbers) * BLOCK > ONE_PROCESS else 1)
    workers = max(1, min(workers, len(numbers)))
    with working(partial(_same, surveyor), corpus.blocks(numbers), workers, here=surveyor) as results:
        for _, surveyed in progress(results, len(numbers)):
            tally.add(surveyed)
    duplicates = tally.finish()
    heard = hear(sample.texts, request.languages)
    shifts = shifts_of(corpus, evidence, tally.stretches) if evidence and not findings else []
    findings += _all_findings(request, tally, heard, shifts, mean if evidence else None)
    findings += duplicate_findings(duplicates, tally, request.commands)
    complete = tally.pairs == corpus.count and corpus.complete
    for name, pairs in held_out.items():
        seen = tally.seen.get(name)
        findings += overlap_findings(name, pairs, seen, complete, request.commands) if seen else []
        findings += own_findings(name, pairs)
        findings += unseen_findings(name, pairs, (tally.sides[0].letters, tally.sides[1].letters), complete)
    tried = _vocabularies(request, corpus, tally)
    return Report(
        request.stream.name,
        request.languages,
        corpus.count,
        tally.pairs,
        _fill(by_severity(findings), request, corpus),
        shifts,
        tally,
        (tally.pairs - duplicates.exact.again, tally.pairs - duplicates.exact.again - duplicates.sources.again),
        heard,
        tried,
        {name: len(pairs) for name, pairs in held_out.items()},
    )


def _same(surveyor: Surveyor) -> Surveyor:
    return surveyor


def _chosen(corpus: Corpus, most: int | None) -> list[int]:
    """Blocks to look at: all, or some from all over the corpus."""
    count = -(-corpus.count // BLOCK)
    wanted = count if most is None or corpus.count <= most else max(1, most // BLOCK)
    return [count * index // wanted for index in range(wanted)]


def mismatch_finding(corpus: FileCorpus, commands: Commands) -> Finding:
    """Two files of unequal length, and where they run apart, as far as that can be told."""
    source, target = corpus.source, corpus.target
    message = f"{source.path} has {len(source):,} lines but {target.path} has {len(target):,}"
    shifts = shifts_of_files(source, target)
    remedy = "take both files from the same source again: line N of one must be the translation of line N of the other"
    examples: tuple[Example, ...] = ()
    if shifts:
        first = shifts[0]
        message += f"; the first pair that looks shifted is line {first.start + 1:,} ({sureness(first)})"
        examples = tuple(Example(shift.start + 1, detail=_at(shift)) for shift in shifts[:EXAMPLES])
        remedy = f"compare the files around line {first.start + 1}, mend one of them, then: {commands.check()}"
    elif corpus.count < ENOUGH:
        message += "; where they run apart cannot be told from so few lines"
    else:
        shorter, longer = sorted((source, target), key=len)
        message += f"; as far as {shorter.path} goes no pair looks shifted: it may have been cut off"
        cut = f"head -n {len(shorter)} {quote(str(longer.path))}"
        remedy = f"take {shorter.path} from its source again, or cut the other: {cut}"
    off = abs(len(source) - len(target))
    return Finding("line_mismatch", "error", message, off, max(len(source), len(target)), "lines", examples, remedy)


def _at(shift: Shift) -> str:
    return f"from here on {describe_offset(shift)}; {sureness(shift)}"


def _all_findings(
    request: Request, tally: Tally, heard: tuple[Heard, Heard], shifts: Sequence[Shift], mean: float | None
) -> list[Finding]:
    """Those about the pairs themselves."""
    commands = request.commands
    languages = language_findings(heard, tally, commands)
    return [
        *shift_findings(shifts, tally.pairs, commands),
        *languages,
        *encoding_findings(tally.sides, tally.pairs),
        *rule_findings(tally, commands, told_by(languages)),
        *unrelated_findings(tally, mean, shifts, commands, CLEAR),
        *order_findings(tally, commands),
    ]


def _vocabularies(request: Request, corpus: Corpus, tally: Tally) -> list[Vocabulary]:
    wanted = request.vocabulary
    if wanted is None:
        wanted = tally.pairs <= ONE_PROCESS
    if not wanted or not tally.pairs:
        return []
    sample = Sample(corpus, THOROUGH if request.vocabulary else VOCABULARY_PAIRS).texts
    return vocabularies(sample, corpus.count / max(1, len(sample)))


def _fill(findings: Sequence[Finding], request: Request, corpus: Corpus) -> list[Finding]:
    """With the texts of those examples that have none yet, and what is to be seen in them."""
    stream = request.stream
    wanted = sorted(
        {example.line - 1 for finding in findings for example in finding.examples if not _has_text(example)}
    )
    pairs = dict(zip(wanted, corpus.fetch([(line, line + 1) for line in wanted]), strict=True))
    filled = []
    for finding in findings:
        examples = []
        for example in finding.examples:
            found = pairs.get(example.line - 1)
            if not _has_text(example) and found:
                source, target = found[0]
                detail = example.detail or describe(finding.name, source, target, request.languages)
                where = "" if stream.files else str(stream.place(example.line))
                example = Example(example.line, source, target, detail, where)
            examples.append(example)
        filled.append(replace(finding, examples=tuple(examples)))
    return filled


def _has_text(example: Example) -> bool:
    return bool(example.source or example.target)
