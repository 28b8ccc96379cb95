"""The training text spelled anew in each epoch: subword sampling (Kudo 2018; Provilkov et al. 2020), and noise."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from nmt import distributed
from nmt.corpus.encoded import CorpusWriter, EncodedCorpus, open_corpus
from nmt.corpus.spelling import Spelling


class SampledCorpus:
    """A corpus whose `epoch` is another spelling of the same pairs each time; of the same epoch always the same one.

    Memory stays flat: the text lies on the disk, and is spelled line by line. Of several processes the first on each
    machine does that; the others wait, and map what it has written. So all have to ask for an epoch.
    """

    def __init__(
        self,
        plain: EncodedCorpus,
        folder: Path,
        name: str,
        spelling: Spelling,
        *,
        seed: int,
    ) -> None:
        """plain: the usual spelling.  folder, name: where `keep_text` has put the text of the same pairs."""
        self.plain = plain
        self.folder = folder
        self.name = name
        self.spelling = spelling
        self.seed = seed

    def __len__(self) -> int:
        return len(self.plain)

    def fingerprint(self) -> str:
        """Of the text, whatever the epoch."""
        return self.plain.fingerprint()

    def epoch(self, number: int) -> EncodedCorpus:
        """The corpus of that epoch, which takes the place of the one asked for before."""
        name = f"{self.name}.epoch-{number}"
        distributed.once_per_machine(lambda: self._spell(number, name))
        return open_corpus(self.folder, name)

    def _spell(self, number: int, name: str) -> None:
        for old in self.folder.glob(f"{self.name}.epoch-*"):
            with suppress(OSError):  # Windows keeps a file that is still mapped
                old.unlink()
        seeds = np.random.default_rng([self.seed, number]).integers(2**32, size=len(self))
        texts = [path.open(encoding="utf-8", newline="\n") for path in _text_files(self.folder, self.name)]
        with texts[0], texts[1], CorpusWriter(self.folder, name) as writer:
            for source, target, seed in zip(*texts, seeds, strict=True):
                spelled = self.spelling.respell(source.removesuffix("\n"), target.removesuffix("\n"), int(seed))
                writer.add(spelled)


@contextmanager
def keep_text(folder: Path, name: str) -> Iterator[Callable[[tuple[str, str]], None]]:
    """What writes text pairs, of one line each, to where a `SampledCorpus` of that folder and name reads them."""
    folder.mkdir(parents=True, exist_ok=True)
    source, target = (path.open("w", encoding="utf-8", newline="\n") for path in _text_files(folder, name))

    def write(pair: tuple[str, str]) -> None:
        source.write(f"{pair[0]}\n")
        target.write(f"{pair[1]}\n")

    with source, target:
        yield write


def _text_files(folder: Path, name: str) -> list[Path]:
    return [folder / f"{name}.source.txt", folder / f"{name}.target.txt"]
