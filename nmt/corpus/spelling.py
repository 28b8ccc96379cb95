"""How a pair of training text becomes ids: anew in each epoch, with noise, with subword sampling, or both."""

from collections.abc import Callable
from random import Random

from nmt.text.tokenizer import Tokenizer

# Apart from each other: what is drawn for one is not drawn again for the next. Seeds are below 2**32.
_NOISE, _SOURCE, _TARGET = (draw << 32 for draw in range(3))


class Spelling:
    """Spells pairs. The same pair and seed are spelled in the same way, in every process."""

    def __init__(
        self,
        tokenizers: tuple[Tokenizer, Tokenizer],
        *,
        max_length: int,
        sampling: float | None = None,
        noise: Callable[[str, Random], str] | None = None,
    ) -> None:
        """tokenizers: of source and target.  max_length: pieces of a side, EOS counted.

        sampling: strength, as `Tokenizer.sampler` takes it; None: both sides are spelled as usual.
        noise: what is done to the source text, see `Noise`; tags stay as they are. None: nothing.
        """
        self._source, self._target = source, target = tokenizers
        self._max_length = max_length
        self._noise = noise
        self._random = Random()
        self._spell_source = self._spell_target = None
        if sampling is not None:
            self._spell_source = source.sampler(sampling)
            self._spell_target = self._spell_source if target is source else target.sampler(sampling)

    def respell(self, source: str, target: str, seed: int) -> tuple[list[int], list[int]]:
        """Ids of both texts, without EOS; of a pair that becomes too long, those of its usual spelling.

        source, target: cleaned, as `encode_corpus` takes them; their usual spelling is not longer than `max_length`.
        seed: below 2**32; another one, another spelling.
        """
        tags, text = self._source.split_tags(source)
        if self._noise is not None:
            self._random.seed(seed | _NOISE)
            text = self._noise(text, self._random)
        if self._spell_source is None or self._spell_target is None:
            ids = tags + self._source.encode(text), self._target.encode(target)
        else:
            ids = (
                tags + self._spell_source(text, seed | _SOURCE),
                self._spell_target(target, seed | _TARGET),
            )
        if all(len(side) < self._max_length for side in ids):
            return ids
        return self._source.encode_source(source), self._target.encode(target)
