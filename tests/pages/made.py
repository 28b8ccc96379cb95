"""A report made by hand: every part of it is there."""

from dataclasses import replace

from nmt.analysis.results import (
    Analysis,
    Band,
    Bucket,
    Confusion,
    Estimate,
    Finding,
    Group,
    Kept,
    Sentence,
    WrongWord,
)
from nmt.pages.facts import Bin, Corpus, Curves, Measured, Reliability, RunReport, Sample, Scored, Speed

UPDATES = tuple(
    {
        "step": step,
        "loss": 8 - step / 100,
        "learning_rate": step / 1e5,
        "tokens_per_second": 900,
        "seconds": step / 10.0,
    }
    for step in range(10, 501, 10)
)
VALIDATIONS = (
    {"step": 250, "epoch": 1.0, "dev_loss": 4.5, "dev_bleu": 12.5, "dev_chrf": 33.0},
    {"step": 500, "epoch": 2.0, "dev_loss": 3.5, "dev_bleu": 21.5, "dev_chrf": 44.0},
)


def sentence(line: int, detail: str = "") -> Sentence:
    return Sentence(line, 12.25, f"la mer {line}", f"the see {line}", (f"the sea {line}",), detail)


def bucket(name: str, lines: int, chrf: float, side: str = "") -> Bucket:
    wide = 60 / lines**0.5
    ends = (chrf - wide, chrf + wide) if lines >= 10 else (None, None)
    outside = "better" if side == "better" else "worse" if side == "worse" else ""
    return Bucket(name, lines, lines / 400, Estimate(chrf - 20), Estimate(chrf, *ends), outside)


ANALYSIS = Analysis(
    lines=400,
    source_language="fr",
    target_language="en",
    unit="words",
    bleu=Estimate(30.0, 28.0, 32.0),
    chrf=Estimate(55.0, 53.5, 56.5),
    lengths=0.95,
    groups=(
        Group(
            "length",
            "Source length",
            "words of the source",
            (bucket("1 to 9", 200, 60, "better"), bucket("10 to 19", 195, 50, "worse"), bucket("over 19", 5, 20)),
        ),
        Group(
            "numbers",
            "Numbers",
            "whether it has any",
            (bucket("all", 400, 55),),
            Kept("numbers in digits", 8, 6, (3, 4)),
        ),
        Group("rarity", "Rarest word", "how often it was seen", not_judged="the training text is gone"),
    ),
    findings=(
        Finding(
            "repetition", "Repetition", "loops", tuple(range(1, 21)), tuple(sentence(n, "a loop") for n in range(9))
        ),
        Finding("lost_number", "Lost numbers", "digits", (7,), (sentence(7),)),
        Finding("lost_negation", "Lost negation", "not", not_judged="nobody knows how xx denies"),
    ),
    bands=(Band("never", 40, Estimate(20.0, 10.0, 30.0)),),
    worst=(sentence(11),),
    best=(sentence(12),),
    missed=(WrongWord("sea", 9, 12, 11),),
    invented=(WrongWord("see", 8, 8, 11),),
    confusions=(Confusion("sea", "see", 7, 11),),
    train="corpus/train (5,000 pairs)",
    notes=("Half of these lines are blank.",),
)
SAMPLE = Sample(
    line=33,
    why="no worse than 5 of 10 lines",
    source=("la", "mer", "dort"),
    words=("the", "sea", "sleeps"),
    probabilities=(0.9, 0.25, 0.5),
    attention=((0.7, 0.1, 0.1), (0.1, 0.8, 0.0), (0.0, 0.25, 0.6)),
    reference="the sea is asleep",
    chrf=61.5,
    confidence=0.625,
)
MADE = RunReport(
    name="harbour",
    model="checkpoints/step-500",
    made="2026-11-30T21:18:54+00:00",
    nmtkit="0.1.0",
    source_language="fr",
    target_language="en",
    step=500,
    seconds=4186.2,
    metric="bleu",
    vocabulary=(4000, 3000),
    parameters={"embeddings": 500_000, "encoder": 700_000, "decoder": 1_300_000},
    scored=(
        Scored(
            "corpus/test",
            400,
            (
                Measured("bleu", "BLEU", 30.04, 28.0, 32.0, "nrefs:1|tok:13a"),
                Measured("chrf", "chrF2", 55.0, 53.5, 56.5, "nrefs:1|nc:6"),
                Measured("ter", "TER", 51.25, 49.0, 53.0, "nrefs:1|tok:tercom", higher_is_better=False),
            ),
            decode="beam 5",
            here=True,
        ),
        Scored("corpus/dev", 200, (Measured("bleu", "BLEU", 21.5),), "dev", "beam 5"),
    ),
    curves=Curves(UPDATES, VALIDATIONS, 500),
    corpora=(
        Corpus("train", "/home/someone/corpus/train", 5000, 60_000, 61_000, (("with blank target", 3),)),
        Corpus("dev", "/home/someone/corpus/dev", 200),
    ),
    analysis=ANALYSIS,
    samples=(SAMPLE, replace(SAMPLE, line=34, confidence=None)),
    attention="the mean of layer 2 heads 1, 2",
    reliability=Reliability(
        (Bin(0.2, 0.3, 150, 0.25, 0.3, 0.23, 0.38), Bin(0.7, 0.8, 250, 0.75, 0.7, 0.64, 0.75)),
        400,
        54.1,
        0.55,
        0.2,
        0.2475,
        0.05,
    ),
    speed=Speed(20.0, 400, 4000, 5000, (30.0, 50.0, 40.0, 90.0), "cpu", 2, "beam 5, fp32"),
    commands=("nmt train data.train=corpus/train -o runs/harbour",),
    config="train:\n  seed: 1\n",
    versions={"nmtkit": "0.1.0", "torch": "2.13.0"},
    hardware={"processor": "Steam 3000", "cores": "2"},
    missing=("The weather was not recorded.",),
    notes=("corpus/test: 3 of 400 hypotheses are empty.",),
)
EMPTY = RunReport("bare", "", "2026-11-30T21:18:54+00:00", "0.1.0", "fr", "en")
