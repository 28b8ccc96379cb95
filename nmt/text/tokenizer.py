"""Text to subword ids and back, by one SentencePiece model.

Under the "identity" normalisation `decode(encode(text)) == text` for every text, under another rule it equals
`normalize(text)`. What a user types is always text: "</s>" typed is five characters, never the control id. The one
exception are tags such as ">>deu<<", where the model declares them, at the start of a source line: see `split_tags`.
"""

import io
import random
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal, Self

import sentencepiece

from nmt.errors import ConfigError, DataError, ModelError, UsageError
from nmt.text.escapes import escape, unescape
from nmt.text.learning import sample_lines, training_error, training_lines
from nmt.text.lines import atomic_file, one_line
from nmt.text.protobuf import model_settings
from nmt.text.sampling import SPACE, BpeDropout, Pieces, Sampler, UnigramSampler

BOS_ID, PAD_ID, EOS_ID, UNK_ID = 0, 1, 2, 3

# How a tag stands in front of a text; the blanks behind it are no part of the text.
_TAG = re.compile(r">>([^\s<>]+)<<\s*")

_SHOWN_TAGS = 20
_TRAINING_THREADS = 4  # fixed: the result depends on it


class Tokenizer:
    """One SentencePiece model: text in, ids out, and back. No BOS and no EOS is added here."""

    def __init__(self, proto: bytes) -> None:
        """proto: a serialized SentencePiece model. Errors: ModelError if it is none, or has other special ids."""
        self.proto = proto
        self._processor = sentencepiece.SentencePieceProcessor()
        try:
            if not self._processor.LoadFromSerializedProto(proto):
                raise RuntimeError("it is empty")
        except RuntimeError as error:
            raise ModelError("this is no SentencePiece model.", "copy or train it again") from error
        sp = self._processor
        found = (sp.bos_id(), sp.pad_id(), sp.eos_id(), sp.unk_id())
        if found != (BOS_ID, PAD_ID, EOS_ID, UNK_ID):
            raise ModelError(
                f"the SentencePiece model has <s>, <pad>, </s>, <unk> at {found}, not at (0, 1, 2, 3).",
                "train it with --bos_id=0 --pad_id=1 --eos_id=2 --unk_id=3, or let `nmt` train it",
            )
        self.vocab_size: int = sp.GetPieceSize()
        self._pieces: list[str] = [sp.IdToPiece(i) for i in range(self.vocab_size)]
        # Piece of each id as decode needs it: text, the value of a byte, or None for what stands for no text.
        self._meaning: list[str | int | None] = [self._meaning_of(i) for i in range(self.vocab_size)]
        self.byte_fallback: bool = any(isinstance(meaning, int) for meaning in self._meaning)
        # Tags that the model declares, by the name inside the brackets.
        self.tags: dict[str, int] = {
            match[1]: i
            for i, piece in enumerate(self._pieces)
            if self._meaning[i] is None and (match := _TAG.fullmatch(piece))
        }
        self.control_ids: list[int] = [i for i in range(self.vocab_size) if self._is_banned(i)]

    pad_id, bos_id, eos_id, unk_id = PAD_ID, BOS_ID, EOS_ID, UNK_ID

    @classmethod
    def load(cls, path: Path) -> Self:
        """Errors: ModelError if the file is missing or no SentencePiece model."""
        try:
            proto = path.read_bytes()
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ModelError(f"{path} cannot be read: {reason}.", "check the path of the subword model") from error
        try:
            return cls(proto)
        except ModelError as error:
            raise ModelError(f"{path}: {error.message}", error.remedy) from error

    def save(self, path: Path) -> None:
        """Write the model; the file appears when it is complete."""
        with atomic_file(path) as file:
            file.write(self.proto)

    @classmethod
    def train(
        cls,
        lines: Iterable[str],
        *,
        kind: Literal["unigram", "bpe"],
        vocab_size: int,
        byte_fallback: bool = True,
        normalization: Literal["identity", "nfkc", "nmt_nfkc"] = "identity",
        character_coverage: float = 0.9995,
        split_digits: bool = False,
        tags: Sequence[str] = (),
        max_lines: int = 2_000_000,
        seed: int = 1,
        quiet: bool = False,
    ) -> Self:
        """Learn a subword model; the same lines and settings give the same bytes.

        vocab_size: pieces wanted, the special ones and the 256 bytes included. A text too uniform for so many gives
        fewer, with a warning: `vocab_size` of the result says how many.
        character_coverage: share of all characters that get a piece of their own.
        tags: names that the model declares, without the brackets; in front of a line they are not learned from.
        max_lines: from more lines than this a random sample, drawn with `seed`, is learned from.
        quiet: no warning of a text too uniform.
        Errors: DataError without any text; ConfigError, with the smallest possible size, if `vocab_size` is too small.
        """
        sample = sample_lines(training_lines(lines, tags), max_lines, random.Random(seed))
        if not sample:
            raise DataError("there is no text to learn subwords from.", "check that the training files are not empty")
        model = io.BytesIO()
        try:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(sample),
                model_writer=model,
                model_type=kind,
                vocab_size=vocab_size,
                hard_vocab_limit=False,
                byte_fallback=byte_fallback,
                normalization_rule_name=normalization,
                remove_extra_whitespaces=False,
                add_dummy_prefix=True,
                character_coverage=character_coverage,
                split_digits=split_digits,
                control_symbols=[in_brackets(name) for name in tags],  # control pieces never match inside a text
                bos_id=BOS_ID,
                pad_id=PAD_ID,
                eos_id=EOS_ID,
                unk_id=UNK_ID,
                num_threads=_TRAINING_THREADS,
                minloglevel=2,
            )
        except RuntimeError as error:
            raise training_error(error, vocab_size) from error
        tokenizer = cls(model.getvalue())
        if tokenizer.vocab_size < vocab_size and not quiet:
            from nmt import console

            console.warn(
                f"the text has only {tokenizer.vocab_size} different pieces to offer, so the vocabulary has that size"
                f" and not tokenizer.vocab_size = {vocab_size}"
            )
        return tokenizer

    def encode(self, text: str) -> list[int]:
        """Ids of `text`, without BOS and EOS; a tag in it is text."""
        ids: list[int] = self._processor.EncodeAsIds(escape(text))
        return ids

    def encode_batch(self, texts: Sequence[str], threads: int = 1) -> list[list[int]]:
        """Ids of each text. threads: CPU threads to share the work among."""
        ids: list[list[int]] = self._processor.Encode([escape(text) for text in texts], num_threads=threads)
        return ids

    def split_tags(self, text: str, place: str = "") -> tuple[list[int], str]:
        """The ids of the tags that a source line begins with, and the text behind them.

        A model that declares no tags has none anywhere.  place: where the text stands, for the message.
        Errors: DataError for a tag that the model does not declare.
        """
        ids: list[int] = []
        at = 0
        while self.tags and (match := _TAG.match(text, at)):
            try:
                ids += self.tag_ids([match[1]])
            except UsageError as error:
                remedy = f"{error.remedy}; where it is meant as text, put blanks inside: >> {match[1]} <<"
                raise DataError(f"{place}: {error.message}" if place else error.message, remedy) from error
            at = match.end()
        return ids, text[at:]

    def tag_ids(self, names: Iterable[str]) -> list[int]:
        """Ids of tags by the names inside their brackets.

        Errors: UsageError for one that the model does not declare.
        """
        names = list(names)
        if unknown := [name for name in names if name not in self.tags]:
            if not self.tags:
                raise UsageError(
                    f"there is no tag {in_brackets(unknown[0])}: this model declares none",
                    "leave it out, or train with tokenizer.tags",
                )
            known = [in_brackets(name) for name in self.tags]
            shown = ", ".join(known[:_SHOWN_TAGS]) + (", ..." if len(known) > _SHOWN_TAGS else "")
            raise UsageError(
                f"the model has no tag {in_brackets(unknown[0])}; it has {shown}", "take one of these, or none"
            )
        return [self.tags[name] for name in names]

    def encode_source(self, text: str, place: str = "") -> list[int]:
        """Ids of a source line: its tags, then the text behind them as `encode` spells it; none for tags alone.

        place, errors: as of `split_tags`.
        """
        tags, rest = self.split_tags(text, place)
        return tags + self.encode(rest) if rest else []

    def encode_source_batch(
        self, texts: Sequence[str], threads: int = 1, place: Callable[[int], str] = lambda _: ""
    ) -> list[list[int]]:
        """As `encode_source` each.  threads: CPU threads to share the work among.  place: of the text of an index."""
        if not self.tags:
            return self.encode_batch(texts, threads)
        split = [self.split_tags(text, place(index)) for index, text in enumerate(texts)]
        encoded = self.encode_batch([rest for _, rest in split], threads)
        return [tags + ids if rest else [] for (tags, rest), ids in zip(split, encoded, strict=True)]

    def sampler(self, strength: float) -> Callable[[str, int], list[int]]:
        """What gives ids of one of the ways to spell a text, drawn with a seed; they decode to the same text.

        strength: for unigram the exponent of the probabilities, for BPE the share of merges left out: see sampling.py.
        Errors: ConfigError for another kind of model.
        """
        kind = self.kind
        if kind not in ("unigram", "bpe"):
            raise ConfigError(f"text cannot be sampled from a subword model of kind {kind}.", "leave sampling out")
        bytes_ = {meaning: i for i, meaning in enumerate(self._meaning) if isinstance(meaning, int)}
        pieces = Pieces(
            {
                piece: (i, self._processor.GetScore(i))
                for i, piece in enumerate(self._pieces)
                if isinstance(self._meaning[i], str) and i != UNK_ID
            },
            lambda character: [bytes_[byte] for byte in character.encode()] if bytes_ else [UNK_ID],
        )
        sample = Sampler(
            pieces, UnigramSampler(pieces, strength) if kind == "unigram" else BpeDropout(pieces, strength)
        )

        def spell(text: str, seed: int) -> list[int]:
            ids = sample(self._processor.Normalize(escape(text)), seed)
            if UNK_ID not in ids:
                return ids
            # Neighbours without a piece are one <unk>, as in `encode`.
            return [i for i, before in zip(ids, [None, *ids], strict=False) if not i == before == UNK_ID]

        return spell

    def decode(self, ids: Iterable[int]) -> str:
        """The text of `ids`: special ids skipped, and bytes that form no character dropped."""
        return self.decode_checked(ids)[0]

    def decode_checked(self, ids: Iterable[int]) -> tuple[str, bool]:
        """The text of `ids`, and whether bytes that form no character were dropped from it."""
        parts: list[str] = []
        run = bytearray()  # neighbouring byte pieces, which form characters together
        broken = False
        for meaning in [*(self._meaning[i] for i in ids), ""]:
            if isinstance(meaning, int):
                run.append(meaning)
            elif meaning is not None:
                if run:
                    character = run.decode("utf-8", errors="ignore")
                    broken = broken or character.encode("utf-8") != run
                    parts.append(character)
                    run.clear()
                parts.append(meaning)
        text = "".join(parts)
        # SentencePiece puts one space before every text, so that a first word is spelled as any other.
        if parts and parts[0].startswith(" "):
            text = text[1:]
        return unescape(text), broken

    def pieces(self, ids: Iterable[int]) -> list[str]:
        """Each id as SentencePiece writes it, for people to read."""
        return [self._pieces[i] for i in ids]

    def origins(self, text: str) -> tuple[str, list[range]]:
        """Where the pieces of `encode(text)` come from: the text as it was cut, and each piece's characters in it.

        It is `text` itself but for the escapes, so it has the same words. What the normalisation changed is led back;
        a byte piece has the whole character.
        """
        escaped = escape(text)
        normalized, offsets = self._processor.Normalize(escaped, with_offsets=True)
        # Character of `escaped` that each byte of the normalized text comes from.
        places = [offsets[index] for index, character in enumerate(normalized) for _ in character.encode("utf-8")]
        spans, at = [], 0
        for i, surface in zip(self.encode(text), self._processor.EncodeAsPieces(escaped), strict=True):
            end = at + (1 if isinstance(self._meaning[i], int) else len(surface.encode("utf-8")))
            spans.append(range(places[at], places[end - 1] + 1))
            at = end
        return escaped, spans

    def surfaces(self, ids: Iterable[int]) -> list[bytes]:
        """What each id adds to the decoded text, in UTF-8; a byte piece is part of a character."""
        meanings = (self._meaning[i] for i in ids)
        return [bytes([m]) if isinstance(m, int) else (m or "").encode("utf-8") for m in meanings]

    def normalize(self, text: str) -> str:
        """`text` as the model sees it, which is all that decoding can give back."""
        normalized: str = self._processor.Normalize(escape(text))
        return unescape(normalized.replace(SPACE, " ").removeprefix(" "))

    @property
    def kind(self) -> str:
        """unigram, bpe, word or char."""
        return model_settings(self.proto)[0]

    @property
    def description(self) -> str:
        """One line for the log: kind, size, normalisation, coverage, byte fallback."""
        kind, normalization, coverage = model_settings(self.proto)
        fallback = "with" if self.byte_fallback else "without"
        return (
            f"{kind}, {self.vocab_size} pieces, normalization {normalization}, "
            f"character coverage {coverage:g}, {fallback} byte fallback"
        )

    def _meaning_of(self, i: int) -> str | int | None:
        piece = self._pieces[i]
        if self._processor.IsByte(i):
            return int(piece[3:-1], 16)  # <0x0A>
        if self._processor.IsControl(i):
            return None
        if self._processor.IsUnknown(i):
            return " \u2047 "  # what every SentencePiece decoder prints
        return piece.replace(SPACE, " ")

    def _is_banned(self, i: int) -> bool:
        """Whether a translation may never contain this id."""
        meaning = self._meaning[i]
        if i == UNK_ID:
            return self.byte_fallback  # every text can be written without it then
        if isinstance(meaning, int):
            return meaning < 0x20 or meaning == 0x7F
        if meaning is None:
            return i != EOS_ID
        return one_line(meaning) != meaning  # a foreign model may have learned a line separator


def in_brackets(tag: str) -> str:
    """A tag as it stands in front of a text."""
    return f">>{tag}<<"
