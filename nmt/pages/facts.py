"""All that is told of a run, as plain values: what the page draws, the model card says and `--json` prints.

Scores are 0 to 100 (TER can exceed it), shares and probabilities 0 to 1, times seconds unless said otherwise.
None: not known.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from nmt.analysis import Analysis


@dataclass(frozen=True)
class Measured:
    """One score with its 95 % interval. key: bleu, chrf, chrf++, ter or exact."""

    key: str
    name: str
    score: float
    low: float | None = None
    high: float | None = None
    signature: str = ""
    higher_is_better: bool = True


@dataclass(frozen=True)
class Scored:
    """What one test set has said of the model.

    role: dev scores are those that the best checkpoint was chosen by.  decode: how it was translated, in words.
    here: measured for this report, not read from an earlier record.  text: fingerprint of the lines.
    """

    test: str
    lines: int
    scores: tuple[Measured, ...]
    role: Literal["test", "dev"] = "test"
    decode: str = ""
    date: str = ""
    here: bool = False
    text: str = ""

    def get(self, key: str) -> Measured | None:
        """The score of one metric."""
        return next((score for score in self.scores if score.key == key), None)


@dataclass(frozen=True)
class Curves:
    """How the training went: rows of metrics.jsonl as they are, by update.

    updates: step, loss, learning_rate, tokens_per_second, seconds.  validations: step, epoch, dev_loss, dev_bleu, ...
    best: the update that this report is of.
    """

    updates: tuple[Mapping[str, Any], ...] = ()
    validations: tuple[Mapping[str, Any], ...] = ()
    best: int | None = None


@dataclass(frozen=True)
class Corpus:
    """One text of the run. tokens: pieces, source and target.  left_out: how many pairs, by reason."""

    role: Literal["train", "dev", "test"]
    name: str
    pairs: int | None = None
    source_tokens: int | None = None
    target_tokens: int | None = None
    left_out: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Sample:
    """One line of the test set, and what the model did with it.

    why: it is shown.  source, words: of the source and the translation.  probabilities: of each word of the latter.
    attention: one row a word of the translation: its share of each source word; what is missing from 1 went to the end.
    """

    line: int
    why: str
    source: tuple[str, ...]
    words: tuple[str, ...]
    probabilities: tuple[float, ...]
    attention: tuple[tuple[float, ...], ...]
    reference: str
    chrf: float
    confidence: float | None = None


@dataclass(frozen=True)
class Bin:
    """Lines whose confidence is from low to high. predicted: its mean.  good: their share; its 95 % interval."""

    low: float
    high: float
    lines: int
    predicted: float
    good: float
    good_low: float
    good_high: float


@dataclass(frozen=True)
class Reliability:
    """Whether the model's confidence comes true on this test set.

    threshold: chrF from which a line is good, the median of dev.  brier: mean squared error; always_the_share: that of
    telling every line the share of good ones.  error: expected calibration error over the bins.
    """

    bins: tuple[Bin, ...]
    lines: int
    threshold: float
    good: float
    brier: float
    always_the_share: float
    error: float


@dataclass(frozen=True)
class Speed:
    """As measured while this report was made.

    seconds: of translating all lines in batches; loading and scoring are not in it.  pieces: written, ends included.
    latencies: milliseconds of single lines, one at a time.
    """

    seconds: float
    lines: int
    source_words: int
    pieces: int
    latencies: tuple[float, ...]
    device: str
    threads: int
    decode: str


@dataclass(frozen=True)
class RunReport:
    """name: of the run.  model: the model folder, as seen from the run.  made: when, ISO 8601.

    parent: what it was fine-tuned from; "" for nothing.
    seconds: of training.  metric: by which the best checkpoint was chosen.  vocabulary: pieces, source and target.
    parameters: by part.  commands: of each sitting of the training, exactly.  versions, hardware: of the training.
    missing: what is not told and why, one sentence each.  notes: what to know before trusting the scores.
    """

    name: str
    model: str
    made: str
    nmtkit: str
    source_language: str
    target_language: str
    step: int | None = None
    parent: str = ""
    seconds: float | None = None
    metric: str = ""
    vocabulary: tuple[int, int] | None = None
    parameters: Mapping[str, int] = field(default_factory=dict)
    scored: tuple[Scored, ...] = ()
    curves: Curves = field(default_factory=Curves)
    corpora: tuple[Corpus, ...] = ()
    analysis: Analysis | None = None
    samples: tuple[Sample, ...] = ()
    attention: str = ""
    reliability: Reliability | None = None
    speed: Speed | None = None
    commands: tuple[str, ...] = ()
    config: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    hardware: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> int | None:
        """All parameters."""
        return sum(self.parameters.values()) or None

    @property
    def main(self) -> Scored | None:
        """The scores to show first: the first measured for this report, of which mistakes, samples and speed are, too;
        else the latest on a test set, else on dev."""
        return max(self.scored, key=lambda each: (each.here, each.role == "test", each.date), default=None)

    def as_json(self) -> dict[str, Any]:
        """Plain values for `json.dump`: every number of the page."""
        values = asdict(self) | {"size": self.size}
        values["analysis"] = None if self.analysis is None else self.analysis.as_json()
        return values
