"""The texts that a model is scored on, and what it says of them: shared by all commands that score models."""

import contextlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import xxhash

import nmt
from nmt import console
from nmt.errors import DataError, UsageError
from nmt.text.lines import atomic_file, read_lines

if TYPE_CHECKING:
    from nmt.config import DataConfig, DecodeConfig
    from nmt.corpus.starter import StarterCorpus
    from nmt.decoding.translation import Translation
    from nmt.decoding.translator import Translator
    from nmt.decoding.workers import Recipe
    from nmt.evaluation import Evaluation


@dataclass(frozen=True)
class EvalSet:
    """A test set. references: sets of lines, each with one for each source line; all as they are written.

    name: short, for people and file names.  place: where it is from.
    built_in: the starter, when this is its test set.  paths: the files that it was read from.
    """

    name: str
    place: str
    source: Sequence[str]
    references: Sequence[Sequence[str]]
    target_language: str
    built_in: "StarterCorpus | None" = field(default=None, repr=False)
    paths: Sequence[Path] = ()

    def fingerprint(self) -> str:
        """Of the text, so that scores on the same text are found again whatever it is called."""
        digest = xxhash.xxh3_64()
        for lines in (self.source, *self.references):
            for line in lines:
                digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
            digest.update(b"\0")
        return digest.hexdigest()


def check_together(source: Path | None, references: Sequence[Path]) -> None:
    """Raises UsageError when only one side of a test set is given."""
    if bool(source) != bool(references):
        raise UsageError("--source and --reference go together", "give both, or neither to use the config's data.test")


def eval_sets(
    data: "DataConfig",
    places: Sequence[str] = (),
    source: Path | None = None,
    references: Sequence[Path] = (),
    named: str = "the model",
) -> list[EvalSet]:
    """The test sets that are meant.

    places: as `data.test` may name them.  source, references: files, which are one set more.  Without any of these the
    configuration's own test sets. named: whose configuration it is, for messages.
    Errors: UsageError when there is none, or only one of source and references; DataError for what cannot be read.
    """
    check_together(source, references)
    own = not places and source is None
    found = _of_config(data) if own else [_at(data, place) for place in places]
    if source is not None:
        lines, translations = read_lines(source), [read_lines(path) for path in references]
        name = source.name.removesuffix(f".{data.source_language}")
        read = source, *references
        found.append(EvalSet(name, str(source), lines, translations, data.target_language, paths=read))
    if not found:
        raise UsageError(f"{named} was configured without data.test", "give --test PLACE, or --source F --reference F")
    for test in found:  # before translating for minutes
        for reference in test.references:
            if len(reference) != len(test.source):
                raise DataError(
                    f"{len(test.source)} source lines, but {len(reference)} reference lines", "give files of one length"
                )
    names = [test.name for test in found]
    return [test if names.count(test.name) == 1 else replace(test, name=test.place) for test in found]


def _at(data: "DataConfig", place: str) -> EvalSet:
    (test,) = _of_config(data.model_copy(update={"test": place}))
    return test


def _of_config(data: "DataConfig") -> list[EvalSet]:
    from nmt.corpus.sources import STARTER, read_tests, starter_test

    return [
        EvalSet(
            STARTER if corpus.text == STARTER else Path(text.name).name,
            text.name,
            text.source,
            [text.target],
            corpus.target_language or data.target_language,
            starter_test(data) if corpus.text == STARTER else None,
            text.paths,
        )
        for corpus, text in read_tests(data)
    ]


def recipe_for(
    models: Sequence[Path], asked: Mapping[str, object], device: str, max_batch_tokens: int | None
) -> "Recipe":
    """How models are scored: on what they say themselves, so with the guard off unless it is asked for.

    models: model folders; several translate as one.  asked: of `decode.*`; None: as the first model has it.
    """
    from nmt.decoding.workers import Recipe

    return Recipe(tuple(models), device=device, decode={"guard": "off", **asked}, max_batch_tokens=max_batch_tokens)


def tell_search(recipe: "Recipe", name: str) -> None:
    """Log who translates, and how; warn of settings that do nothing. name: of the model, in the log."""
    from nmt.commands.idle import warn_of_idle
    from nmt.decoding.configuration import decode_settings
    from nmt.folders import load_config

    decode = decode_settings(load_config(recipe.models[0]).decode, recipe.decode)
    warn_of_idle(decode, recipe.decode, len(recipe.models))
    console.log(f"{name}: {' and '.join(map(str, recipe.models))}, {told(decode)}")


@dataclass(frozen=True)
class Translated:
    """What a model said of one set. seconds: that translating took, without loading the model."""

    translations: "list[Translation]"
    seconds: float

    @property
    def texts(self) -> list[str]:
        """The translations alone."""
        return [translation.text for translation in self.translations]


def translate_set(
    recipe: "Recipe",
    test: EvalSet,
    *,
    tags: Sequence[str] = (),
    output: Path | None = None,
    threads: int | None = None,
    workers: int | Literal["auto"] = "auto",
    translator: "Translator | None" = None,
) -> Translated:
    """All lines of a set, into the file that is to keep them, too.

    translator: one of this recipe that is loaded already.
    Errors: UsageError and DataError for tags that are not the model's, ModelError without a sound model.
    """
    from nmt import runtime
    from nmt.commands.tags import check_tags
    from nmt.decoding.translation import Request
    from nmt.decoding.workers import Job, job_lines, translating, workers_for

    check_tags(recipe.models[0], tags, test.source)
    runtime.prepare(threads)
    size, lines = job_lines(recipe.device), len(test.source)
    count = workers_for(workers, lines, recipe.device, threads)
    requests = [Request(line, tags=tuple(tags)) for line in test.source]
    jobs = (Job(begin + 1, requests[begin : begin + size]) for begin in range(0, lines, size))
    # Opened first: a place that cannot be written to must not cost the translations.
    with (
        contextlib.nullcontext() if output is None else atomic_file(output) as file,
        console.progress(total=lines, description="translating", unit="line") as bar,
        translating(recipe, jobs, workers=count, threads=threads, translator=translator, on_done=bar.update) as results,
    ):
        began = time.monotonic()
        translations = [translation for _, of_job in results for translation in of_job]
        seconds = time.monotonic() - began
        if file is not None:
            file.write("".join(f"{translation.text}\n" for translation in translations).encode("utf-8"))
    return Translated(translations, seconds)


def keep_scores(
    recipe: "Recipe",
    test: EvalSet,
    translated: Translated,
    result: "Evaluation",
    *,
    tags: Sequence[str] = (),
    lowercase: bool = False,
    language: str | None = None,
) -> None:
    """Write the scores of one model of a run into its folder, for `nmt info`, `nmt runs` and `nmt report`.

    A model folder outside a run is left as it is: others may share it.
    language: by which words were found, where it was asked for.
    """
    from nmt.decoding.configuration import decode_settings
    from nmt.folders import is_checkpoint, load_config
    from nmt.history import record_scores

    if len(recipe.models) > 1 or not is_checkpoint(recipe.models[0]):
        return
    values = result.as_json()
    entry = {
        "test": test.name,
        "hash": test.fingerprint(),
        "lines": result.lines,
        "decode": unusual(decode_settings(load_config(recipe.models[0]).decode, recipe.decode)),
        "tags": list(tags),
        "lowercase": lowercase,
        "language": None if language == test.target_language else language,
        "date": datetime.now().astimezone().isoformat(timespec="seconds"),
        "nmtkit": nmt.__version__,
        "seconds": round(translated.seconds, 3),
        "results": {key: values[key] for key in result.scores},
    }
    record_scores(recipe.models[0], entry)


def told(decode: "DecodeConfig") -> str:
    """The beam, and what else is not as by default: for the log."""
    return ", ".join(f"{name} {value}" for name, value in unusual(decode).items()).replace("beam_size", "beam")


def unusual(decode: "DecodeConfig") -> dict[str, Any]:
    """The beam, and the settings that are not as by default when a model is scored."""
    usual = type(decode)(guard="off", beam_size=decode.beam_size)
    others = {name: value for name, value in decode if value != getattr(usual, name)}
    return {"beam_size": decode.beam_size, **others}
