"""`nmt data split`: train, dev and test that share nothing, out of one corpus."""

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nmt import console
from nmt.commands.data_streams import check_outputs, open_location
from nmt.corpus.splitting import Part, draw, parted
from nmt.corpus.stream import PairStream
from nmt.corpus.writing import pair_writer, row_files
from nmt.errors import UsageError
from nmt.text.lines import one_line

PARTS: tuple[Part, ...] = ("train", "dev", "test")


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt data split`. dev, test: pairs wanted; 0: no such set."""

    location: Sequence[str]
    languages: tuple[str, str]
    output: Path
    dev: int = 1000
    test: int = 1000
    seed: int = 1
    keep_near: bool = False
    workers: int | None = None
    overwrite: bool = False


def run(arguments: Arguments) -> None:
    """Divide the corpus; the files appear together, when all is done."""
    paths = _paths(arguments)
    stream = open_location(arguments.location, arguments.languages)
    drawn = draw(stream, arguments.dev, arguments.test, arguments.seed, arguments.workers)
    counts: Counter[Part | None] = Counter()
    with row_files([path for two in paths.values() for path in two]) as files:
        write = {part: pair_writer(files[2 * at : 2 * at + 2]) for at, part in enumerate(paths)}
        pairs = parted(stream, drawn, keep_near=arguments.keep_near, workers=arguments.workers)
        for part, pair in console.progress(pairs, total=drawn.pairs, description="writing", unit=" pairs"):
            counts[part] += 1
            if part is not None:
                write[part](*map(one_line, pair))
    _tell(arguments, stream, counts)


def _paths(arguments: Arguments) -> dict[Part, list[Path]]:
    """Where each set goes. Raises UsageError when that would take the place of something."""
    folder = arguments.output
    if not arguments.dev and not arguments.test:
        raise UsageError("--dev 0 --test 0 leaves nothing to draw", "--dev 1000")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file, not a folder", "another --output")
    paths = {part: [folder / f"{part}.{language}" for language in arguments.languages] for part in PARTS}
    there = [path for two in paths.values() for path in two if path.exists()]
    if there and not arguments.overwrite:
        raise UsageError(f"{there[0]} exists", "--overwrite, or another --output")
    wanted = {"train": 1, "dev": arguments.dev, "test": arguments.test}
    for part, two in paths.items():
        if not wanted[part] and (old := [path for path in two if path.exists()]):
            raise UsageError(f"{old[0]} is of an older split, and --{part} 0 makes no new one", f"remove {old[0]}")
    check_outputs(
        [path for two in paths.values() for path in two], open_location(arguments.location, arguments.languages)
    )
    return {part: two for part, two in paths.items() if wanted[part]}


def _tell(arguments: Arguments, stream: PairStream, counts: Counter[Part | None]) -> None:
    folder, (source, target) = arguments.output, arguments.languages
    sets = ", ".join(f"{counts[part]:,} {part}" for part in PARTS if counts[part])
    console.log(f"{folder}: {sets} pairs of the {counts.total():,} in {stream.name}")
    if counts[None]:
        pairs = "1 pair" if counts[None] == 1 else f"{counts[None]:,} pairs"
        console.log(
            f"left out of train: {pairs} within one word of dev or test on either side (--keep-near keeps them)"
        )
    sets = shlex.join(f"data.{part}={folder}/{part}" for part in PARTS if counts[part])
    console.log(f"next:  nmt train data.source_language={source} data.target_language={target} {sets}")
