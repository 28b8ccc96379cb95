"""What can be told of a translation beside its text: token by token, word by word, and how far to trust it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from nmt.decoding.alignment import AlignmentHeads, links, word_attention
from nmt.decoding.confidence import Confidence
from nmt.decoding.drafts import Draft
from nmt.decoding.ensemble import Combination
from nmt.decoding.scoring import Scored, score
from nmt.decoding.translation import Request, Token, Translation
from nmt.model import Transformer
from nmt.text.tokenizer import Tokenizer
from nmt.text.words import source_words, target_words


class Describer(NamedTuple):
    """Scores translations once more by forced decoding, all tokens at once, and reads off what is asked for."""

    models: Sequence[Transformer]
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer
    combination: Combination
    heads: AlignmentHeads
    confidence: Confidence | None

    def describe(
        self, requests: Sequence[Request], drafts: Sequence[Draft], told: Sequence[Translation]
    ) -> list[Translation]:
        """The translations with their tokens, alignment and confidence. told: those of the drafts, without."""
        sources = [part.ids for draft in drafts for part in draft.parts]
        targets = [hypothesis.tokens for draft in drafts for hypothesis in draft.taken]
        scored = iter(
            score(self.models, sources, targets, combination=self.combination, attention=self.heads.heads)
            if sources
            else ()
        )
        return [
            self._describe(request, draft, [next(scored) for _ in draft.parts], translation)
            for request, draft, translation in zip(requests, drafts, told, strict=True)
        ]

    def _describe(
        self, request: Request, draft: Draft, scored: Sequence[Scored], translation: Translation
    ) -> Translation:
        log_probs = [log_prob for part in scored for log_prob in part.log_probs]
        ids = [i for part in scored for i in part.tokens]
        return replace(
            translation,
            tokens=tuple(map(Token, self.target_tokenizer.pieces(ids), log_probs, ids)),
            alignment=self._align(request, draft, scored),
            confidence=self.confidence(log_probs) if self.confidence is not None and log_probs else None,
        )

    def _align(self, request: Request, draft: Draft, scored: Sequence[Scored]) -> tuple[tuple[int, int], ...]:
        """Words are those of `request.text.split()` and `draft.text.split()`; none where parts cut words in two."""
        found: list[tuple[int, int]] = []
        # Words of a text that was split are counted from behind its tags.
        split = bool(draft.parts) and not draft.parts[0].whole
        source_from, target_from = draft.parts[0].tags - len(request.tags) if split else 0, 0
        for part, taken, one in zip(draft.parts, draft.taken, scored, strict=True):
            text = part.text if split else request.text
            words = source_words(self.source_tokenizer, text, tagged=not split)
            asked = len(request.tags) if part.whole else part.tags
            source = ([-1] * asked + words)[: len(part.ids)]
            target = target_words(self.target_tokenizer, taken.tokens)
            assert one.attention is not None
            if source and target:
                pairs = links(word_attention(one.attention, source, target, self.heads.shift))
                found += [(source_from + i, target_from + j) for i, j in pairs]
            source_from += len(text.split())
            target_from += max(target, default=-1) + 1
        whole = source_from == len(request.text.split()) and target_from == len(draft.text.split())
        return tuple(sorted(found)) if whole else ()
