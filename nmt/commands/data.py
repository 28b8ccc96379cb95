"""`nmt data`: corpora to train on."""

import shlex
from pathlib import Path

from nmt import console
from nmt.corpus import starter
from nmt.errors import UsageError


def write_starter(
    output: Path,
    *,
    pairs: int,
    seed: int,
    source_language: str,
    target_language: str,
    alignments: bool,
    overwrite: bool,
) -> None:
    """Write the built-in corpus as plain files: train, dev and test, one for each language."""
    if output.exists() and not output.is_dir():
        raise UsageError(f"{output} is a file, not a folder", "another --output")
    if output.exists() and any(output.iterdir()) and not overwrite:
        raise UsageError(f"{output} is not empty", "--overwrite, or another --output")
    corpus = starter.generate(pairs, seed, source_language, target_language)
    starter.write(corpus, output, source_language, target_language, alignments)
    settings = shlex.join(f"data.{part}={output}/{part}" for part in ("train", "dev", "test"))
    console.log(
        f"{output}: {len(corpus.train):,} train, {len(corpus.dev):,} dev, {len(corpus.test):,} test pairs\n"
        f"next:  nmt train data.source_language={source_language} data.target_language={target_language} "
        f"{settings}"
    )
