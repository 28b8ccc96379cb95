"""The training text spelled anew in each pool: subword sampling (Kudo 2018; Provilkov et al. 2020), and noise."""

from contextlib import suppress
from pathlib import Path

import numpy as np

from nmt import distributed
from nmt.corpus.encoded import CorpusWriter, EncodedCorpus, ids_type, open_corpus
from nmt.corpus.mixture import Mixture, Place
from nmt.corpus.spelling import Spelling

_CHUNK = 4096  # pairs


class SampledText:
    """A mixture whose pools have other spellings of their pairs each time; a pool of one place always the same ones.

    Memory stays flat: the text lies on the disk. Of several processes the first on each machine spells; the others
    wait, and map what it has written. So all have to ask for a pool.
    """

    def __init__(self, mixture: Mixture, folder: Path, spelling: Spelling, vocab_sizes: tuple[int, int]) -> None:
        """mixture: with its text kept, see `Encoding`.  folder: for the pool that is learned from."""
        self._mixture, self._folder, self._spelling = mixture, folder, spelling
        self._dtype = ids_type(*vocab_sizes)

    def fingerprint(self) -> str:
        """Of the text, whatever the spelling."""
        return self._mixture.fingerprint()

    def pools(self, stage: int) -> int:
        """See TrainingText."""
        return self._mixture.pools(stage)

    def pool(self, place: Place) -> EncodedCorpus:
        """See TrainingText."""
        name = "pool-" + "-".join(map(str, place))
        distributed.once_per_machine(lambda: self._spell(place, name))
        return open_corpus(self._folder, name, self._dtype)

    def _spell(self, place: Place, name: str) -> None:
        for old in self._folder.glob("pool-*"):
            with suppress(OSError):  # Windows keeps a file that is still mapped
                old.unlink()
        text = self._mixture.text(self._mixture.segments(place))
        drawn = np.random.default_rng([self._mixture.seed, place.epoch, place.pool, place.stage])
        seeds = drawn.integers(2**32, size=len(text)).tolist()
        with CorpusWriter(self._folder, name, self._dtype) as writer:
            for begin in range(0, len(text), _CHUNK):
                writer.add(
                    [
                        self._spelling.respell(_read(text.source[row]), _read(text.target[row]), seeds[row])
                        for row in range(begin, min(begin + _CHUNK, len(text)))
                    ]
                )


def _read(text: np.ndarray) -> str:
    return text.tobytes().decode("utf-8")
