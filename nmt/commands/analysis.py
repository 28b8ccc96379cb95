"""The error analysis of `nmt eval --analyse`: what it is made of."""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import chain
from pathlib import Path

from nmt import console
from nmt.analysis import Analysis, WordCounts, analyse, count_words, words_of
from nmt.analysis.words import MOST
from nmt.commands.eval_sets import EvalSet
from nmt.commands.tags import without_tags
from nmt.config import DataConfig
from nmt.corpus.formats import Location, open_pairs
from nmt.corpus.sources import train_streams
from nmt.corpus.stream import PairStream
from nmt.errors import DataError, UsageError
from nmt.text.lines import read_lines
from nmt.text.tokenizer import Tokenizer

_STANDARD_INPUT = "-"


def analysis_of_model(
    data: DataConfig,
    tokenizer: Tokenizer,
    test: EvalSet,
    hypotheses: Sequence[str],
    *,
    train: str | None = None,
    languages: tuple[str | None, str | None] = (None, None),
    lowercase: bool = False,
    samples: int = 1000,
) -> Analysis:
    """Of a model's translations of a test set. Rare and unseen words: by its training text, where that can be read.

    data, tokenizer: the model's own, of its source; as its folder may be gone by now, where a training goes on.
    train: where that text is now; None: where it was.
    languages: of source and target; None: as the model and the test set say.
    Errors: DataError for a `train` that cannot be read.
    """
    sources = without_tags(tokenizer, test.source)
    source, target = languages[0] or data.source_language, languages[1] or test.target_language
    targets = [*hypotheses, *chain.from_iterable(test.references)]
    known = (
        known_words(data, sources, targets) if train is None else words_at(train, (source, target), sources, targets)
    )
    console.log("analysing the translations")
    return analyse(
        sources,
        hypotheses,
        test.references,
        source_language=source,
        target_language=target,
        known=known,
        lowercase=lowercase,
        samples=samples,
    )


def analysis_of_file(
    source: Path,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    languages: tuple[str | None, str | None],
    train: str | None = None,
    lowercase: bool = False,
    samples: int = 1000,
) -> Analysis:
    """Of translations that are there already. languages: of the source and the target, as far as they are known.

    Errors: UsageError for a `train` without both languages, DataError for files of different lengths.
    """
    sources = read_lines(source)
    known = None
    if train is not None:
        if languages[0] is None or languages[1] is None:
            raise UsageError("--train needs to know both languages", "add --source-language and --language")
        targets = [*hypotheses, *chain.from_iterable(references)]
        known = words_at(train, (languages[0], languages[1]), sources, targets)
    console.log("analysing the translations")
    return analyse(
        sources,
        hypotheses,
        references,
        source_language=languages[0],
        target_language=languages[1],
        known=known,
        lowercase=lowercase,
        samples=samples,
    )


# ---- the words of the training text


def check_train(place: str | None, data: DataConfig) -> None:
    """Before translating for minutes. place: as `--train` names it. Errors: DataError for what is not there."""
    if place is not None:
        open_pairs(place, data.source_language, data.target_language)


def known_words(data: DataConfig, sources: Sequence[str], targets: Iterable[str]) -> WordCounts | None:
    """How often `data.train` has the words of these lines; None, with a warning, where it cannot be read any more.

    targets: hypotheses and references.  Of a large corpus a million pairs are counted, the first of each part.
    """
    places = [corpus.text if isinstance(corpus.text, tuple) else (corpus.text,) for corpus in data.corpora]
    why = "it came from standard input"
    if not any(_STANDARD_INPUT in place for place in places):
        try:
            return _count(train_streams(data), sources, targets)
        except DataError as error:
            why = error.message
    console.warn(f"rare and unseen words are not judged, as the training text cannot be read: {why}")
    console.log("  try: --train PLACE, where the text is now")
    return None


def words_at(place: Location, languages: tuple[str, str], sources: Sequence[str], targets: Iterable[str]) -> WordCounts:
    """The same of the text at this place. Errors: DataError for what cannot be read."""
    return _count([open_pairs(place, *languages)], sources, targets)


def _count(streams: Sequence[PairStream], sources: Sequence[str], targets: Iterable[str]) -> WordCounts:
    wanted = words_of(sources), words_of(targets)
    most = MOST // len(streams)
    with console.progress(description="counting words", unit="pair") as bar:

        def told(stream: PairStream) -> Iterator[tuple[str, str]]:
            for pair in stream:
                yield pair
                bar.update()

        counts = [count_words(told(stream), *wanted, name=stream.name, most=most) for stream in streams]
    return reduce(WordCounts.plus, counts)
