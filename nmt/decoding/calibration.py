"""What a dev set has taught about a model's translations: `calibration.json` in its model folder.

What is usual (the guard), how far token probabilities can be trusted (confidence), and where it looks (alignment). All
of it is optional: without the file, or with a broken one, the defaults hold.
"""

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

import numpy as np

from nmt import console
from nmt.config import DecodeConfig
from nmt.decoding import confidence, guard
from nmt.decoding.confidence import Confidence, HeldOut
from nmt.decoding.guard import Thresholds
from nmt.decoding.parts import ADDED_LENGTH
from nmt.decoding.scoring import score
from nmt.evaluation import sentence_chrf
from nmt.model import Transformer
from nmt.text.lines import clean
from nmt.text.tokenizer import Tokenizer

MOST_LINES = 1000  # of dev, that confidence is fitted to and tested on
REPAIR_BEAMS = 5  # at least; a wider beam escapes loops that a greedy search falls into
REPAIR_NO_REPEAT = 3  # no n-gram of so many pieces twice


@dataclass(frozen=True)
class Calibration:
    """guard: what is usual.  confidence: None where dev could not teach it.

    longest: pieces that references need per source piece, beyond `ADDED_LENGTH`; None: unknown.
    alignment: what `alignment.py` keeps; carried, not read here.
    dev: figures of the dev set: lines, median_chrf, flagged (times each flag), held_out (of confidence).
    """

    guard: Thresholds = field(default_factory=Thresholds)
    confidence: Confidence | None = None
    longest: float | None = None
    alignment: Mapping[str, Any] | None = None
    dev: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Plain values for `calibration.json`."""
        return {
            "guard": self.guard.as_json(),
            "confidence": None if self.confidence is None else self.confidence.as_json(),
            "longest": self.longest,
            "alignment": None if self.alignment is None else dict(self.alignment),
            "dev": dict(self.dev),
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The other way, never an error: of a broken one the defaults, with one warning. Unknown keys are ignored."""
        try:
            held = {name: values.get(name) for name in ("guard", "confidence", "alignment", "dev")}
            for name, part in held.items():
                if part is not None and not isinstance(part, Mapping):
                    raise ValueError(f"{name} is {part!r}")
            longest = values.get("longest")
            if longest is not None and (isinstance(longest, bool) or not 0 < longest < 1000):
                raise ValueError(f"longest is {longest!r}")
            return cls(
                Thresholds.from_json(held["guard"] or {}),
                None if held["confidence"] is None else Confidence.from_json(held["confidence"]),
                longest,
                held["alignment"],
                held["dev"] or {},
            )
        except (ValueError, TypeError, OverflowError) as error:
            console.warn(f"the model's calibration.json is not used: {error}; nmt calibrate writes it anew")
            return cls()

    def safer(self, decode: DecodeConfig) -> DecodeConfig:
        """The search that `decode.guard: repair` tries on a flagged line."""
        ratio = decode.max_length_ratio if self.longest is None else min(self.longest, decode.max_length_ratio)
        beams = max(decode.beam_size, REPAIR_BEAMS)
        changes = {"beam_size": beams, "no_repeat_ngram": REPAIR_NO_REPEAT, "max_length_ratio": ratio}
        plain = {"sampling": False, "mbr": 0, "diverse_groups": 1, "patience": None}
        return decode.model_copy(update=changes | plain)

    def __str__(self) -> str:
        """One line for a log: what confidence is worth."""
        if self.confidence is None:
            return f"confidence: none, {self.dev.get('lines', 0)} dev lines are too few or score alike"
        try:
            return f"confidence: {HeldOut(**self.dev['held_out'])}"
        except (KeyError, TypeError):
            return "confidence: fitted, but nothing says how well"


def calibrate(
    model: Transformer,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    sources: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    alignment: Mapping[str, Any] | None = None,
) -> Calibration:
    """Learn from a dev set and the model's translations of it. The model stays as it is; nothing random is drawn."""
    texts = sources  # without tags, which are nothing to keep or to lose
    if source_tokenizer.tags:
        texts = [source_tokenizer.split_tags(clean(source))[1] for source in sources]
    usual = guard.fit(texts, references)
    pairs = zip(texts, hypotheses, strict=True)
    flagged = Counter(flag for source, output in pairs for flag in guard.check(source, output, usual))
    chosen = np.unique(np.linspace(0, len(sources) - 1, min(len(sources), MOST_LINES)).round().astype(int)).tolist()
    source_ids = source_tokenizer.encode_source_batch([clean(sources[index]) for index in chosen])
    hypothesis_ids, reference_ids = (
        target_tokenizer.encode_batch([clean(lines[index]) for index in chosen]) for lines in (hypotheses, references)
    )
    most = model.config.max_length - 1  # EOS takes a place
    sound = [
        place
        for place, ids in enumerate(zip(source_ids, hypothesis_ids, strict=True))
        if all(0 < len(side) <= most for side in ids)
    ]
    scored = score([model], [source_ids[i] for i in sound], [hypothesis_ids[i] for i in sound])
    lines = [chosen[place] for place in sound]
    chrf = sentence_chrf([hypotheses[i] for i in lines], [[references[i] for i in lines]]) if lines else []
    fitted = confidence.fit([one.log_probs for one in scored], chrf)
    dev: dict[str, Any] = {"lines": len(sources), "flagged": dict(sorted(flagged.items()))}
    if chrf:
        dev["median_chrf"] = round(statistics.median(chrf), 4)
    if fitted is not None:
        dev["held_out"] = asdict(fitted[1])
    lengths = [(len(s), len(r)) for s, r in zip(source_ids, reference_ids, strict=True) if s and r]
    return Calibration(usual, fitted and fitted[0], _longest(lengths), alignment, dev)


def _longest(lengths: Sequence[tuple[int, int]]) -> float | None:
    """lengths: pieces of source and reference. The ratio that all but a few stay within, and a tenth; at least 1."""
    if len(lengths) < guard.FEWEST:
        return None
    ratios = sorted(((target - ADDED_LENGTH) / source for source, target in lengths), reverse=True)
    return max(1.0, round(1.1 * ratios[int(guard.ALLOWED * len(ratios))], 4))
