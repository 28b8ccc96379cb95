"""What `nmt report` finds out by translating: scores, mistakes, samples, whether confidence comes true, speed."""

import math
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import torch

from nmt import console
from nmt.checkpoint import LoadedModel
from nmt.commands.analysis import analysis_of_model
from nmt.commands.eval_sets import EvalSet, Translated, keep_scores, recipe_for, told, translate_set
from nmt.commands.explain import describe_heads, explain
from nmt.commands.report_record import measured
from nmt.decoding.alignment import AlignmentHeads
from nmt.decoding.confidence import BINS
from nmt.decoding.scoring import score
from nmt.decoding.translator import Translator
from nmt.evaluation import Evaluation, evaluate, sentence_chrf
from nmt.pages.facts import Bin, Reliability, RunReport, Sample, Scored, Speed
from nmt.text.lines import clean

ALONE = 20  # lines that are translated one at a time, for latency
LONGEST = 25  # words of a sample; a larger map of attention is hard to read
FEWEST = 100  # lines, to say whether confidence comes true
RANKS = (0.1, 0.3, 0.5, 0.7, 0.9)  # of the samples among all lines, by chrF


class Measurement:
    """One model at work for its report."""

    def __init__(self, loaded: LoadedModel, device: str, threads: int | None, max_batch_tokens: int | None) -> None:
        self.loaded = loaded
        self.recipe = recipe_for([loaded.folder], {}, device, max_batch_tokens)
        self.translator = Translator.of(loaded, decode=self.recipe.decode, max_batch_tokens=max_batch_tokens)
        self.threads = threads
        self.decode = told(self.translator.decode)

    def score(self, test: EvalSet, role: Literal["test", "dev"], made: str) -> tuple[Translated, Evaluation, Scored]:
        """Translate a test set and score it."""
        console.log(f"{test.name}: {len(test.source):,} lines, {self.decode}")
        translated = translate_set(self.recipe, test, threads=self.threads, workers=1, translator=self.translator)
        result = evaluate(translated.texts, test.references, test.target_language)
        if role == "test":
            keep_scores(self.recipe, test, translated, result)
        scores = measured({key: one.as_json() for key, one in result.scores.items()})
        text = test.fingerprint()
        one = Scored(test.name, result.lines, tuple(scores), role, self.decode, made, here=True, text=text)
        return translated, result, one

    def look(
        self, report: RunReport, test: EvalSet, translated: Translated, train: str | None
    ) -> tuple[RunReport, list[str]]:
        """The report with all that one translated test set tells, and what is missing and why.

        train: where the training text is now; None: where it was.
        """
        missing: list[str] = []
        chrf = sentence_chrf(translated.texts, test.references)
        analysis = analysis_of_model(
            self.loaded.config.data, self.loaded.source_tokenizer, test, translated.texts, train=train
        )
        console.log("how sure it was, and where it looked")
        confidence = self._confidence(test, translated)
        calibration = self.translator.calibration
        median = calibration.dev.get("median_chrf")
        reliability = None
        if calibration.confidence is None or not isinstance(median, int | float):
            missing.append("Whether its confidence comes true is not known: it has none; nmt calibrate teaches it.")
        elif len(chrf) < FEWEST:
            missing.append(f"Whether its confidence comes true is not told: {len(chrf)} lines say too little.")
        else:
            reliability = _reliability(confidence, chrf, float(median))
        heads = AlignmentHeads.learnt(self.loaded.calibration.get("alignment"), self.loaded.model.config)
        return replace(
            report,
            analysis=analysis,
            samples=tuple(self._samples(test, translated, chrf, confidence, heads)),
            attention=describe_heads(heads),
            reliability=reliability,
            speed=self._speed(test, translated),
        ), missing

    # ---- how sure

    def _confidence(self, test: EvalSet, translated: Translated) -> list[float | None]:
        """Of each line; None where it has none: a blank line, one that was split, a model without calibration."""
        confidence = self.translator.calibration.confidence
        if confidence is None:
            return [None] * len(test.source)
        sources, targets = self._encoded(test, translated)
        sound = self._sound(sources, targets)
        with console.progress(total=len(sound), description="scoring", unit="line") as bar:
            chosen = [sources[i] for i in sound], [targets[i] for i in sound]
            scored = score([self.loaded.model], *chosen, on_done=bar.update)
        found: list[float | None] = [None] * len(test.source)
        for index, one in zip(sound, scored, strict=True):
            found[index] = confidence(one.log_probs)
        return found

    def _encoded(self, test: EvalSet, translated: Translated) -> tuple[list[list[int]], list[list[int]]]:
        sources = self.loaded.source_tokenizer.encode_source_batch([clean(line) for line in test.source])
        return sources, self.loaded.target_tokenizer.encode_batch([clean(text) for text in translated.texts])

    def _sound(self, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]) -> list[int]:
        """Lines that the model takes whole, and that have text on both sides."""
        most = self.loaded.model.config.max_length - 1  # EOS takes a place
        pairs = enumerate(zip(sources, targets, strict=True))
        return [index for index, sides in pairs if all(0 < len(side) <= most for side in sides)]

    # ---- samples

    def _samples(
        self,
        test: EvalSet,
        translated: Translated,
        chrf: Sequence[float],
        confidence: Sequence[float | None],
        heads: AlignmentHeads,
    ) -> list[Sample]:
        sound = self._sound(*self._encoded(test, translated))
        short = [index for index in sound if _words(test.source[index], translated.texts[index]) <= LONGEST]
        chosen = _chosen(short or sound, chrf, confidence)
        found = explain(self.loaded, [test.source[index] for index in chosen], heads, decode=self.recipe.decode)
        return [
            Sample(
                line=index + 1,
                why=why,
                source=tuple(one.source),
                words=tuple(word.text for word in one.words),
                probabilities=tuple(math.exp(word.log_prob) for word in one.words),
                attention=tuple(map(tuple, one.chosen.rows)),
                reference=" / ".join(reference[index] for reference in test.references),
                chrf=chrf[index],
                confidence=confidence[index],
            )
            for (index, why), one in zip(chosen.items(), found, strict=True)
        ]

    # ---- speed

    def _speed(self, test: EvalSet, translated: Translated) -> Speed:
        lines = [index for index, line in enumerate(test.source) if clean(line)]
        places = np.unique(np.linspace(0, max(0, len(lines) - 1), min(len(lines), ALONE)).round().astype(int))
        chosen = [test.source[lines[place]] for place in places.tolist()] if lines else []
        latencies = []
        for line in console.progress(chosen, description="one at a time", unit="line"):
            began = time.perf_counter()
            self.translator.translate_segments([line])
            latencies.append(1000 * (time.perf_counter() - began))
        ends = sum(bool(text) for text in translated.texts)
        return Speed(
            seconds=translated.seconds,
            lines=len(test.source),
            source_words=sum(len(line.split()) for line in test.source),
            pieces=sum(map(len, self.loaded.target_tokenizer.encode_batch(translated.texts))) + ends,
            latencies=tuple(latencies),
            device=str(next(self.loaded.model.parameters()).device),
            threads=torch.get_num_threads(),
            decode=f"{self.decode}, {self.translator.decode.precision}",
        )


def _words(*lines: str) -> int:
    """Of the longest line."""
    return max(len(line.split()) for line in lines)


def _chosen(sound: Sequence[int], chrf: Sequence[float], confidence: Sequence[float | None]) -> dict[int, str]:
    """Lines from bad to good, the one it was least sure of, and the worst one that it was sure of; and why each."""
    if not sound:
        return {}
    order = sorted(sound, key=lambda index: (chrf[index], index))
    chosen: dict[int, str] = {}
    for rank in RANKS:
        index = order[min(len(order) - 1, int(rank * len(order)))]
        chosen.setdefault(index, f"no worse than {10 * rank:.0f} of 10 lines")
    sure = {index: value for index in sound if (value := confidence[index]) is not None}
    if sure:
        doubtful = min(sure, key=lambda index: (sure[index], index))
        chosen.setdefault(doubtful, "the one it was least sure of")
        surest = sorted(sure, key=lambda index: (-sure[index], index))[: max(1, len(sure) // 4)]
        mistaken = min(surest, key=lambda index: (chrf[index], index))
        chosen.setdefault(mistaken, "the worst of the quarter it was surest of")
    return chosen


def _reliability(confidence: Sequence[float | None], chrf: Sequence[float], threshold: float) -> Reliability:
    """Of lines with a confidence: predicted against actual share of good ones, in `BINS` equal bins."""
    known = [
        (said, float(of_line >= threshold)) for said, of_line in zip(confidence, chrf, strict=True) if said is not None
    ]
    said, good = np.array(known, dtype=float).reshape(-1, 2).T
    places = np.minimum((said * BINS).astype(int), BINS - 1)
    bins = []
    for number in range(BINS):
        inside = places == number
        if inside.any():
            share = float(good[inside].mean())
            low, high = _wilson(share, int(inside.sum()))
            predicted = float(said[inside].mean())
            bins.append(Bin(number / BINS, (number + 1) / BINS, int(inside.sum()), predicted, share, low, high))
    all_good = float(good.mean())
    return Reliability(
        bins=tuple(bins),
        lines=len(known),
        threshold=threshold,
        good=all_good,
        brier=float(np.mean((said - good) ** 2)),
        always_the_share=all_good * (1 - all_good),
        error=sum(bin.lines * abs(bin.predicted - bin.good) for bin in bins) / len(known),
    )


def _wilson(share: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927): sound for few lines, and near 0 and 1."""
    z = 1.959964
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, middle - half), min(1.0, middle + half)
