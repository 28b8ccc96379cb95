"""Strings in, strings out: the one way from text to translation, for the commands, validation and Python users."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch

from nmt.checkpoint import LoadedModel, load_model
from nmt.config import DecodeConfig
from nmt.corpus.batch import pad_source
from nmt.decoding import guard
from nmt.decoding.alignment import AlignmentHeads
from nmt.decoding.calibration import Calibration
from nmt.decoding.configuration import decode_settings, ranking, search_settings
from nmt.decoding.details import Describer
from nmt.decoding.drafts import Candidate, Draft, Ranking, Writer, cleaned
from nmt.decoding.ensemble import Ensemble, check_ensemble
from nmt.decoding.parts import ADDED_LENGTH, Part, batches, cut
from nmt.decoding.scoring import evaluating
from nmt.decoding.search import Hypothesis, SearchSettings, Wish, search
from nmt.decoding.step import SingleModel, StepModel
from nmt.decoding.translation import Request, Translation
from nmt.errors import ModelError, UsageError
from nmt.model import Transformer, pack
from nmt.text.lines import clean
from nmt.text.tokenizer import Tokenizer

# Padded source tokens of one batch, times beams. Past this a CPU's caches no longer hold a step's activations.
BATCH_TOKENS = {"cpu": 12_000, "cuda": 200_000}
PARTS = 10_000  # of a segment; far more than there can be: no two parts of a text share their random numbers


class Translator:
    """One model or several as one, their tokenizers and how to search.

    Not bound to files: validation hands it a model in training.
    """

    def __init__(
        self,
        models: Sequence[Transformer],
        source_tokenizer: Tokenizer,
        target_tokenizer: Tokenizer,
        *,
        decode: DecodeConfig,
        source_language: str,
        target_language: str,
        calibration: Calibration | None = None,
        max_length: int | None = None,
        max_batch_tokens: int | None = None,
    ) -> None:
        """calibration: what dev has taught, for the guard and for details; None: as without a dev set.

        max_length: longest output in pieces, EOS counted; the models' own limit when None.
        max_batch_tokens: padded source pieces translated at once; None: as the device likes it.
        """
        for name, value in (("max_length", max_length), ("max_batch_tokens", max_batch_tokens)):
            if value is not None and value < 1:
                raise UsageError(f"{name} is {value}", "1 or more, or None")
        self.models = tuple(models)
        self.source_tokenizer = source_tokenizer
        self.target_tokenizer = target_tokenizer
        self.decode = decode
        self.source_language = source_language
        self.target_language = target_language
        self.calibration = calibration or Calibration()
        self.longest = min(model.config.max_length for model in models)
        self.max_length = min(max_length or self.longest, self.longest)
        self.max_batch_tokens = max_batch_tokens
        search_settings(decode, (), 1)  # what does not go together is told now

    @classmethod
    def load(
        cls,
        *paths: Path | str,
        device: str = "auto",
        decode: Mapping[str, object] | None = None,
        max_length: int | None = None,
        max_batch_tokens: int | None = None,
    ) -> "Translator":
        """From runs (their best checkpoints) or model folders; several translate as one.

        decode: settings of `decode.*` over the first model's own. Raises UsageError without a path.
        """
        if not paths:
            raise UsageError("no model is named", "a run or a model folder")
        loaded = [load_model(Path(path), device) for path in paths]
        return cls.of(*loaded, decode=decode, max_length=max_length, max_batch_tokens=max_batch_tokens)

    @classmethod
    def of(
        cls,
        *loaded: LoadedModel,
        decode: Mapping[str, object] | None = None,
        max_length: int | None = None,
        max_batch_tokens: int | None = None,
    ) -> "Translator":
        """From model folders that have been loaded already.

        Raises UsageError for settings that make no sense, ModelError for models that cannot translate together.
        """
        check_ensemble(loaded)
        first = loaded[0]
        translator = cls(
            [each.model for each in loaded],
            first.source_tokenizer,
            first.target_tokenizer,
            decode=decode_settings(first.config.decode, decode or {}),
            source_language=first.config.data.source_language,
            target_language=first.config.data.target_language,
            calibration=Calibration.from_json(first.calibration),
            max_length=max_length,
            max_batch_tokens=max_batch_tokens,
        )
        translator.models = tuple(translator._packed())  # once: these weights will not change
        return translator

    @property
    def model(self) -> Transformer:
        """The first one."""
        return self.models[0]

    def translate(self, segments: Iterable[str], *, tags: Sequence[str] = ()) -> list[str]:
        """Each segment's translation, in order; a blank one stays blank.

        tags: names of tags to put in front of each, such as ["deu"].
        Raises UsageError for what is not text and for tags that the model does not declare.
        """
        if isinstance(segments, str):
            raise UsageError("translate() takes a list of segments, not one string", "translate([text])")
        segments = list(segments)  # of a generator, too
        for index, segment in enumerate(segments):
            if not isinstance(segment, str):
                raise UsageError(f"segment {index} is {type(segment).__name__}, not text", "translate([text])")
        requests = [Request(segment, tags=tags) for segment in segments]
        self.source_tokenizer.tag_ids(tags)  # told even where there is no segment
        return [result.text for result in self.translate_segments(requests)]

    def translate_segments(
        self,
        segments: Sequence[str | Request],
        *,
        long: Literal["split", "error"] = "split",
        with_scores: bool = False,
        n_best: int = 1,
        details: bool = False,
        first_line: int = 1,
        on_done: Callable[[int], object] | None = None,
    ) -> list[Translation]:
        """Each segment's translation with its score and flags, in order.

        long: a segment over the model's length is split at sentence ends, or is a DataError before any work.
        n_best: outputs to tell of each segment, beside the one taken; at most the beam, or `mbr`.
        details: tell tokens, alignment and confidence, too.
        first_line: the number of the first segment, for messages and for what sampling draws.
        on_done: called with how many more are done.
        Raises ModelError when the model's scores are not numbers, UsageError for what is no segment and for tags asked
        for that the model does not declare, DataError for such tags in a segment.
        """
        if isinstance(segments, str):
            raise UsageError("segments are a list, not one string", "translate_segments([text])")
        if n_best < 1:
            raise UsageError(f"n_best is {n_best}", "1 or more")
        requests = _requests(segments)
        with_scores = with_scores or details or n_best > 1 or self.decode.guard == "repair"
        models = self._packed()
        numbers = range(first_line, first_line + len(requests))
        with evaluating(models):
            drafts = self._drafts(models, requests, numbers, self.decode, long, n_best, with_scores, on_done)
            drafts = self._guarded(models, requests, numbers, drafts, n_best)
            told = [Translation(d.text, d.score, d.flags, d.ranked[:n_best] if n_best > 1 else ()) for d in drafts]
            return self._describer(models).describe(requests, drafts, told) if details else told

    def check_lengths(self, segments: Sequence[str | Request], first_line: int = 1) -> None:
        """Raises DataError naming the first segment that is longer than the model takes."""
        self._parts(_requests(segments), range(first_line, first_line + len(segments)), "error")

    def _packed(self) -> list[Transformer]:
        """The models as they are now, laid out for translating. Raises UsageError where there is no such arithmetic."""
        try:
            return [pack(model, self.decode.precision) for model in self.models]
        except ValueError as error:
            raise UsageError(f"decode.precision is {self.decode.precision}, but {error}", "fp32 or bf16") from error

    # ---- from requests to drafts

    def _drafts(
        self,
        models: Sequence[Transformer],
        requests: Sequence[Request],
        numbers: Sequence[int],
        decode: DecodeConfig,
        long: Literal["split", "error"],
        n_best: int,
        with_scores: bool,
        on_done: Callable[[int], object] | None = None,
        rank: Ranking | None = None,
    ) -> list[Draft]:
        """numbers: of each request's line.  rank: which hypothesis to take; None: as `decode` says."""
        settings = search_settings(decode, self.target_tokenizer.control_ids, n_best)
        writer = Writer(self.target_tokenizer, self.target_language, rank or ranking(decode, self.target_language))
        parts = self._parts(requests, numbers, long)
        wishes = self._wishes(parts, requests, numbers)
        waiting = Counter(part.segment for part in parts)  # parts of each segment still to do
        if on_done is not None:
            on_done(len(requests) - len(waiting))  # blank ones
        found: dict[int, list[Hypothesis]] = {}
        for batch in batches([len(part.ids) + 1 for part in parts], self._budget(settings)):
            chosen = [parts[i] for i in batch], [wishes[i] for i in batch]
            found.update(zip(batch, self._search(models, *chosen, settings, decode, with_scores), strict=True))
            waiting.subtract(parts[i].segment for i in batch)
            if on_done is not None:
                on_done(sum(waiting[segment] == 0 for segment in {parts[i].segment for i in batch}))
        of_segment: list[list[int]] = [[] for _ in requests]
        for index, part in enumerate(parts):
            of_segment[part.segment].append(index)
        return [
            writer.draft(request, [parts[i] for i in indices], [found[i] for i in indices])
            for request, indices in zip(requests, of_segment, strict=True)
        ]

    def _parts(
        self, requests: Sequence[Request], numbers: Sequence[int], long: Literal["split", "error"]
    ) -> list[Part]:
        longest = self.longest - 1  # EOS takes a place
        texts, tags = [request.text for request in requests], [request.tags for request in requests]
        tokenizer, language = self.source_tokenizer, self.source_language
        return list(cut(texts, tokenizer, longest, language, long=long, numbers=numbers, tags=tags))

    def _wishes(self, parts: Sequence[Part], requests: Sequence[Request], numbers: Sequence[int]) -> list[Wish]:
        """What is asked for each part; of a segment that was split nobody knows which part a phrase belongs to."""
        wishes = []
        seen: Counter[int] = Counter()
        for part in parts:
            request, place = requests[part.segment], seen[part.segment]
            seen[part.segment] += 1
            prefix = self.target_tokenizer.encode(clean(request.prefix)) if place == 0 else []
            phrases = self.target_tokenizer.encode_batch(cleaned(request.phrases)) if part.whole else []
            key = numbers[part.segment] * PARTS + place
            wishes.append(Wish(tuple(prefix), tuple(map(tuple, phrases)), key))
        return wishes

    def _budget(self, settings: SearchSettings) -> int:
        rows = settings.beam_size if settings.sampling is None else settings.sampling.samples
        device = self._device.type
        return self.max_batch_tokens or max(1, BATCH_TOKENS.get(device, BATCH_TOKENS["cpu"]) // rows)

    def _search(
        self,
        models: Sequence[Transformer],
        parts: Sequence[Part],
        wishes: Sequence[Wish],
        settings: SearchSettings,
        decode: DecodeConfig,
        with_scores: bool,
    ) -> list[list[Hypothesis]]:
        source, mask = pad_source([np.asarray(part.ids) for part in parts])
        limits = [self._limit(part, wish, decode) for part, wish in zip(parts, wishes, strict=True)]
        single = [SingleModel(model) for model in models]
        step_model: StepModel[Any] = single[0] if len(single) == 1 else Ensemble(single, decode.combination)
        found = search(
            step_model,
            source.to(self._device),
            None if mask is None else mask.to(self._device),
            torch.tensor(limits, device=self._device),
            settings,
            wishes=wishes,
            with_scores=with_scores,
        )
        if not all(found):
            raise ModelError(
                "the model's scores are not numbers: its weights are damaged", "take an earlier checkpoint"
            )
        return found

    def _limit(self, part: Part, wish: Wish, decode: DecodeConfig) -> int:
        """Longest output, EOS counted; what is asked for has its place in any case."""
        asked = len(wish.prefix) + sum(map(len, wish.phrases))
        usual = int(min(decode.max_length_ratio * (len(part.ids) + 1), self.max_length)) + ADDED_LENGTH
        return max(1, min(self.max_length, max(usual, asked + ADDED_LENGTH, decode.min_length + 1)))

    # ---- what is told of them

    def _guarded(
        self,
        models: Sequence[Transformer],
        requests: Sequence[Request],
        numbers: Sequence[int],
        drafts: list[Draft],
        n_best: int,
    ) -> list[Draft]:
        """The drafts with the guard's flags; under `repair` the flagged ones give way to better ones, if there are."""
        if self.decode.guard == "off":
            return drafts
        drafts = [self._judged(request, draft) for request, draft in zip(requests, drafts, strict=True)]
        if self.decode.guard == "flag":
            return drafts
        flagged = [index for index, draft in enumerate(drafts) if guard.REPAIRABLE.intersection(draft.flags)]
        if not flagged:
            return drafts
        safer = self.calibration.safer(self.decode)
        again = self._drafts(
            models,
            [requests[i] for i in flagged],
            [numbers[i] for i in flagged],
            safer,
            "split",
            max(n_best, safer.beam_size),
            with_scores=True,
            rank=self._least_flagged,
        )
        for index, draft in zip(flagged, again, strict=True):
            other = self._judged(requests[index], draft)
            if guard.best([drafts[index].flags, other.flags], [drafts[index].score, other.score]) == 1:
                drafts[index] = replace(other, flags=(*other.flags, "repaired"))
        return drafts

    def _judged(self, request: Request, draft: Draft) -> Draft:
        _, text = self.source_tokenizer.split_tags(clean(request.text))  # a tag is nothing to keep or to lose
        seen = guard.check(text, draft.text, self.calibration.guard)
        return replace(draft, flags=(*draft.flags, *seen))

    def _least_flagged(self, part: Part, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        """Candidates come by their score, and keep this order among equals."""
        return sorted(candidates, key=lambda c: len(guard.check(part.text, c.text, self.calibration.guard)))

    def _describer(self, models: Sequence[Transformer]) -> Describer:
        return Describer(
            models,
            self.source_tokenizer,
            self.target_tokenizer,
            self.decode.combination,
            AlignmentHeads.learnt(self.calibration.alignment, self.model.config),
            self.calibration.confidence,
        )

    @property
    def _device(self) -> torch.device:
        return next(self.model.parameters()).device


def _requests(segments: Sequence[str | Request]) -> list[Request]:
    return [segment if isinstance(segment, Request) else Request(segment) for segment in segments]
