"""Strings in, strings out: the one way from text to translation, for the commands, validation and Python users."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from pydantic import ValidationError

from nmt.checkpoint import LoadedModel, load_model
from nmt.config import DecodeConfig
from nmt.corpus.batch import pad_source
from nmt.decoding.parts import Part, batches, cut
from nmt.decoding.search import Hypothesis, SearchSettings, search
from nmt.decoding.step import SingleModel
from nmt.decoding.translation import Request, Translation
from nmt.errors import ModelError, UsageError
from nmt.model import Transformer
from nmt.text.lines import one_line
from nmt.text.tokenizer import BOS_ID, EOS_ID, Tokenizer

# Padded source tokens of one batch, times beams. Past this a CPU's caches no longer hold a step's activations.
BATCH_TOKENS = {"cpu": 12_000, "cuda": 200_000}
ADDED_LENGTH = 10  # an output may have max_length_ratio * source + this many pieces: short sources need room too
UNSPACED_LANGUAGES = frozenset({"zh", "ja", "th", "lo", "km", "my", "bo"})  # written without blanks between sentences


def decode_settings(configured: DecodeConfig, wanted: Mapping[str, object]) -> DecodeConfig:
    """The model's own settings with `wanted` over them; None means as configured. Raises UsageError for what is not."""
    given = {key: value for key, value in wanted.items() if value is not None}
    try:
        return DecodeConfig.model_validate(configured.model_dump() | given)
    except ValidationError as error:
        mistake = error.errors()[0]
        where = ".".join(map(str, mistake["loc"]))
        raise UsageError(f"decode.{where} is {mistake['input']!r}: {mistake['msg']}", "another value") from error


class Translator:
    """A model, its tokenizers and how to search. Not bound to files: validation hands it a model in training."""

    def __init__(
        self,
        model: Transformer,
        source_tokenizer: Tokenizer,
        target_tokenizer: Tokenizer,
        *,
        decode: DecodeConfig,
        source_language: str,
        target_language: str,
        max_length: int | None = None,
        max_batch_tokens: int | None = None,
    ) -> None:
        """max_length: longest output in pieces, EOS counted; the model's own limit when None."""
        for name, value in (("max_length", max_length), ("max_batch_tokens", max_batch_tokens)):
            if value is not None and value < 1:
                raise UsageError(f"{name} is {value}", "1 or more, or None")
        self.model = model
        self.source_tokenizer = source_tokenizer
        self.target_tokenizer = target_tokenizer
        self.decode = decode
        self.source_language = source_language
        self.target_language = target_language
        self.max_length = min(max_length or model.config.max_length, model.config.max_length)
        self.max_batch_tokens = max_batch_tokens

    @classmethod
    def load(
        cls,
        path: Path,
        *,
        device: str = "auto",
        decode: Mapping[str, object] | None = None,
        max_length: int | None = None,
        max_batch_tokens: int | None = None,
    ) -> "Translator":
        """From a run (its best checkpoint) or a model folder. decode: settings of `decode.*` over the model's own."""
        loaded = load_model(path, device)
        return cls.of(loaded, decode=decode, max_length=max_length, max_batch_tokens=max_batch_tokens)

    @classmethod
    def of(
        cls,
        loaded: LoadedModel,
        *,
        decode: Mapping[str, object] | None = None,
        max_length: int | None = None,
        max_batch_tokens: int | None = None,
    ) -> "Translator":
        """From a model folder that has been loaded already. Raises UsageError for settings that make no sense."""
        return cls(
            loaded.model,
            loaded.source_tokenizer,
            loaded.target_tokenizer,
            decode=decode_settings(loaded.config.decode, decode or {}),
            source_language=loaded.config.data.source_language,
            target_language=loaded.config.data.target_language,
            max_length=max_length,
            max_batch_tokens=max_batch_tokens,
        )

    def translate(self, segments: Iterable[str]) -> list[str]:
        """Each segment's translation, in order; a blank one stays blank. Raises UsageError for what is not text."""
        if isinstance(segments, str):
            raise UsageError("translate() takes a list of segments, not one string", "translate([text])")
        segments = list(segments)  # of a generator, too
        for index, segment in enumerate(segments):
            if not isinstance(segment, str):
                raise UsageError(f"segment {index} is {type(segment).__name__}, not text", "translate([text])")
        return [result.text for result in self.translate_segments(segments)]

    def translate_segments(
        self,
        segments: Sequence[str | Request],
        *,
        long: Literal["split", "error"] = "split",
        with_scores: bool = False,
        first_line: int = 1,
        on_done: Callable[[int], object] | None = None,
    ) -> list[Translation]:
        """Each segment's translation with its score and flags, in order.

        long: a segment over the model's length is split at sentence ends, or is a DataError before any work.
        first_line: the number of the first segment, for messages.  on_done: called with how many more are done.
        Raises ModelError when the model's scores are not numbers.
        """
        requests = [Request(segment) if isinstance(segment, str) else segment for segment in segments]
        parts = self._parts(requests, long, first_line)
        waiting = Counter(part.segment for part in parts)  # parts of each segment still to do
        if on_done is not None:
            on_done(len(segments) - len(waiting))  # blank ones
        done: dict[int, Hypothesis] = {}
        for batch in batches(parts, self._budget()):
            done.update(zip(batch, self._search([parts[i] for i in batch], with_scores), strict=True))
            waiting.subtract(parts[i].segment for i in batch)
            if on_done is not None:
                on_done(sum(waiting[segment] == 0 for segment in {parts[i].segment for i in batch}))
        pieces: list[list[Translation]] = [[] for _ in segments]
        for index, part in enumerate(parts):
            pieces[part.segment].append(self._detokenize(done[index], part.flags))
        return [self._join(piece) for piece in pieces]

    def check_lengths(self, segments: Sequence[str], first_line: int = 1) -> None:
        """Raises DataError naming the first segment that is longer than the model takes."""
        self._parts([Request(segment) for segment in segments], "error", first_line)

    def _parts(self, requests: Sequence[Request], long: Literal["split", "error"], first_line: int) -> list[Part]:
        longest = self.model.config.max_length - 1  # EOS takes a place
        language = self.source_language
        return list(cut(requests, self.source_tokenizer, longest, language, long=long, first_line=first_line))

    def _budget(self) -> int:
        device = next(self.model.parameters()).device.type
        return self.max_batch_tokens or BATCH_TOKENS.get(device, BATCH_TOKENS["cpu"]) // self.decode.beam_size

    def _search(self, parts: Sequence[Part], with_scores: bool) -> list[Hypothesis]:
        device = next(self.model.parameters()).device
        source, mask = pad_source([np.asarray(part.ids) for part in parts])
        limits = [self._limit(len(part.ids) + 1) for part in parts]
        settings = SearchSettings(
            bos_id=BOS_ID,
            eos_id=EOS_ID,
            banned=self.target_tokenizer.control_ids,
            beam_size=self.decode.beam_size,
            length_penalty=self.decode.length_penalty,
        )
        training = self.model.training
        self.model.eval()
        try:
            found = search(
                SingleModel(self.model),
                source.to(device),
                None if mask is None else mask.to(device),
                torch.tensor(limits, device=device),
                settings,
                with_scores=with_scores,
            )
        finally:
            self.model.train(training)
        if not all(found):
            raise ModelError(
                "the model's scores are not numbers: its weights are damaged", "take an earlier checkpoint"
            )
        return [hypotheses[0] for hypotheses in found]

    def _limit(self, source_length: int) -> int:
        """Longest output for a source of this many pieces, EOS counted on both sides."""
        return max(1, min(self.max_length, int(self.decode.max_length_ratio * source_length) + ADDED_LENGTH))

    def _detokenize(self, hypothesis: Hypothesis, flags: Sequence[str]) -> Translation:
        text, broken = self.target_tokenizer.decode_checked(hypothesis.tokens)
        seen = list(flags)
        if broken:
            seen.append("broken bytes")
        if hypothesis.capped:
            seen.append("reached the length limit")
        return Translation(one_line(text), hypothesis.score, tuple(seen))

    def _join(self, pieces: Sequence[Translation]) -> Translation:
        """The parts of one segment as one line."""
        if not pieces:
            return Translation("", 0.0)
        if len(pieces) == 1:
            return replace(pieces[0], text=pieces[0].text.strip())
        blank = "" if self.target_language in UNSPACED_LANGUAGES else " "
        text = blank.join(piece.text.strip() for piece in pieces)
        score = sum(piece.score for piece in pieces) / len(pieces)
        return Translation(text, score, tuple(dict.fromkeys(flag for piece in pieces for flag in piece.flags)))
