"""Strings in, strings out: the one way from text to translation, for the commands, validation and Python users."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from pydantic import ValidationError

from nmt.checkpoint import LoadedModel, load_model
from nmt.config import DecodeConfig
from nmt.corpus.batch import pad_source
from nmt.decoding.search import Hypothesis, SearchSettings, search
from nmt.decoding.step import SingleModel
from nmt.errors import DataError, ModelError, UsageError
from nmt.model import Transformer
from nmt.text.lines import clean, one_line
from nmt.text.sentences import split_sentences
from nmt.text.tokenizer import BOS_ID, EOS_ID, Tokenizer

# Padded source tokens of one batch, times beams. Past this a CPU's caches no longer hold a step's activations.
BATCH_TOKENS = {"cpu": 12_000, "cuda": 200_000}
ADDED_LENGTH = 10  # an output may have max_length_ratio * source + this many pieces: short sources need room too
UNSPACED_LANGUAGES = frozenset({"zh", "ja", "th", "lo", "km", "my", "bo"})  # written without blanks between sentences


@dataclass(frozen=True)
class Translation:
    """One segment's result.

    text: one line.  score: of the search, the mean over parts when a long segment was split; NaN when not asked for.
    flags: what a reader should know (`cut source`, `reached the length limit`, `broken bytes`).
    """

    text: str
    score: float = float("nan")
    flags: tuple[str, ...] = ()


@dataclass
class _Part:
    """A piece of a segment that fits the model."""

    segment: int
    ids: list[int]
    flags: list[str] = field(default_factory=list)


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
        beam_size: int | None = None,
        length_penalty: float | None = None,
        max_length: int | None = None,
        max_batch_tokens: int | None = None,
    ) -> "Translator":
        """From a run (its best checkpoint) or a model folder; what is None is as the model was configured."""
        return cls.of(load_model(path, device), beam_size, length_penalty, max_length, max_batch_tokens)

    @classmethod
    def of(
        cls,
        loaded: LoadedModel,
        beam_size: int | None = None,
        length_penalty: float | None = None,
        max_length: int | None = None,
        max_batch_tokens: int | None = None,
    ) -> "Translator":
        """From a model folder that has been loaded already. Raises UsageError for settings that make no sense."""
        given = {"beam_size": beam_size, "length_penalty": length_penalty}
        wanted = loaded.config.decode.model_dump() | {k: v for k, v in given.items() if v is not None}
        for name, value in (("max_length", max_length), ("max_batch_tokens", max_batch_tokens)):
            if value is not None and value < 1:
                raise UsageError(f"{name} is {value}", "1 or more, or None")
        try:
            decode = DecodeConfig.model_validate(wanted)
        except ValidationError as error:
            mistake = error.errors()[0]
            raise UsageError(
                f"{mistake['loc'][0]} is {mistake['input']!r}: {mistake['msg']}", "another value"
            ) from error
        return cls(
            loaded.model,
            loaded.source_tokenizer,
            loaded.target_tokenizer,
            decode=decode,
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
        segments: Sequence[str],
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
        parts = list(self._parts(segments, long, first_line))
        waiting = Counter(part.segment for part in parts)  # parts of each segment still to do
        if on_done is not None:
            on_done(len(segments) - len(waiting))  # blank ones
        done: dict[int, Hypothesis] = {}
        for batch in self._batches(parts):
            done.update(zip(batch, self._search([parts[i] for i in batch], with_scores), strict=True))
            waiting.subtract(parts[i].segment for i in batch)
            if on_done is not None:
                on_done(sum(waiting[segment] == 0 for segment in {parts[i].segment for i in batch}))
        pieces: list[list[Translation]] = [[] for _ in segments]
        for index, part in enumerate(parts):
            pieces[part.segment].append(self._detokenize(done[index], part.flags))
        return [self._join(piece) for piece in pieces]

    def check_lengths(self, segments: Sequence[str]) -> None:
        """Raises DataError naming the first segment that is longer than the model takes."""
        for _ in self._parts(segments, "error", 1):
            pass

    def _parts(self, segments: Sequence[str], long: Literal["split", "error"], first_line: int) -> Iterator[_Part]:
        cleaned = [clean(segment) for segment in segments]
        longest = self.model.config.max_length - 1  # EOS takes a place
        for number, ids in enumerate(self.source_tokenizer.encode_batch(cleaned)):
            if not cleaned[number] or not ids:
                continue
            if len(ids) <= longest:
                yield _Part(number, ids)
            elif long == "error":
                raise DataError(
                    f"line {first_line + number} has {len(ids)} pieces; the model takes {longest}",
                    "shorten the line, or leave out --long error: it is then split at sentence ends",
                )
            else:
                yield from self._split(number, cleaned[number], longest)

    def _split(self, segment: int, text: str, longest: int) -> Iterator[_Part]:
        """A segment over the model's length, one part a sentence: most models have learned from single sentences."""
        for sentence in split_sentences(text, self.source_language):
            ids = self.source_tokenizer.encode(sentence.strip())
            if len(ids) > longest:
                yield _Part(segment, ids[:longest], ["cut source"])
            elif ids:
                yield _Part(segment, ids)

    def _batches(self, parts: Sequence[_Part]) -> Iterator[list[int]]:
        """Indices of parts of similar length; longest first, so that memory is at its highest at once."""
        device = next(self.model.parameters()).device.type
        budget = self.max_batch_tokens or BATCH_TOKENS.get(device, BATCH_TOKENS["cpu"]) // self.decode.beam_size
        batch: list[int] = []
        for index in sorted(range(len(parts)), key=lambda i: -len(parts[i].ids)):
            widest = len(parts[batch[0]].ids) if batch else 0
            if batch and (len(batch) + 1) * (widest + 1) > budget:
                yield batch
                batch = []
            batch.append(index)
        if batch:
            yield batch

    def _search(self, parts: Sequence[_Part], with_scores: bool) -> list[Hypothesis]:
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
