"""The section `data`: which text a model learns from and is judged by."""

import re
from pathlib import PurePath
from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationError

from nmt.config.values import Location, Section, Tags, key, location


def _until(value: Any) -> Any:
    if isinstance(value, str) and re.fullmatch(r"\d+", value):
        value = int(value)
    whole = isinstance(value, int) and not isinstance(value, bool) and value > 0
    share = isinstance(value, str) and re.fullmatch(r"\d+(\.\d+)?%", value) and 0 < float(value[:-1]) < 100
    if not (whole or share):
        raise ValueError("must be a number of updates, or a share of the training as in 30%")
    return value


Until = Annotated[int | str, BeforeValidator(_until)]


class CorpusConfig(Section):
    """One of several corpora. Its name, where none is given, is the last part of its place."""

    text: Location = key(..., "A place, as data.train names one.", "location")
    name: str = key("", "What data.stages calls it; unset: the last part of its place.")
    weight: float | None = key(
        None, "Its share of what is learned from; for all corpora or none. Unset: by size.", "share", gt=0
    )
    repeat: float = key(
        1.0, "Where sizes decide: it counts as if it were so many times as large.", "times", gt=0, le=1e6
    )
    tags: Tags = key((), "Put in front of its source lines: deu means >>deu<<.", "names")
    source_language: str | None = key(None, "Where its files or columns are named for another language than data's.")
    target_language: str | None = key(None, "The same for the target side.")

    def model_post_init(self, _: Any) -> None:
        """A name for each."""
        if not self.name:
            place = self.text if isinstance(self.text, str) else self.text[0]
            object.__setattr__(self, "name", PurePath(place).name.partition(".")[0] or place)


class StageConfig(Section):
    """A time of the training with shares of its own."""

    until: Until | None = key(None, "When it ends: after so many updates, or at a share of the training as in 30%.")
    weights: dict[str, float] = key(..., "Shares of the corpora by name; those not named are left out.")

    def is_over(self, step: int, progress: float) -> bool:
        """step: updates done.  progress: share of the training that is done."""
        if isinstance(self.until, str):
            return progress >= float(self.until.removesuffix("%")) / 100
        return self.until is not None and step >= self.until


def _listed(kind: type[Section], what: str) -> Any:
    """A list of sections, whose mistakes are told with the number of the item."""

    def read(value: Any) -> Any:
        if not isinstance(value, list | tuple) or not all(isinstance(item, dict | kind) for item in value):
            return value
        mistakes, items = [], []
        for number, item in enumerate(value, start=1):
            try:
                items.append(kind.model_validate(item))
            except ValidationError as invalid:
                for error in invalid.errors():
                    name = ".".join(str(part) for part in error["loc"][:1])
                    if error["type"] == "extra_forbidden":
                        told = f"{name} is no key of a {what}; there are {', '.join(kind.model_fields)}"
                    elif error["type"] == "missing":
                        told = f"{name} is missing"
                    else:
                        text = error["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
                        text = text.partition(", unable to ")[0]
                        told = f"{name} {text[0].lower()}{text[1:]}"
                    mistakes.append(f"{what} {number}: {told}")
        if mistakes:
            raise ValueError("; ".join(mistakes))
        return tuple(items)

    return read


def _training_text(value: Any) -> Any:
    if not isinstance(value, list | tuple) or not any(isinstance(item, dict | CorpusConfig) for item in value):
        return location(value)
    if not all(isinstance(item, dict | CorpusConfig) for item in value):
        raise ValueError("must be a list of corpora, each as in {text: corpus/train}")
    return _listed(CorpusConfig, "corpus")(value)


def _stages(value: Any) -> Any:
    if value is None:
        return ()
    if not isinstance(value, list | tuple) or not all(isinstance(item, dict | StageConfig) for item in value):
        raise ValueError("must be a list of stages, each as in {until: 2000, weights: {news: 1}}")
    return _listed(StageConfig, "stage")(value)


# One place, or several corpora.
Corpora = Annotated[str | tuple[str, str] | tuple[CorpusConfig, ...], BeforeValidator(_training_text)]
Stages = Annotated[tuple[StageConfig, ...], BeforeValidator(_stages)]


class DataConfig(Section):
    source_language: str = key("fr", "Language translated from; also the ending of its files.", "ISO 639 code")
    target_language: str = key("en", "Language translated into; also the ending of its files.", "ISO 639 code")
    train: Corpora = key(
        "starter",
        "Text to train on: a prefix (corpus/train means corpus/train.en + corpus/train.de), two files, one file of "
        "pairs (.tsv, .jsonl, .tmx, ...), hf:NAME[:CONFIG][#SPLIT] (hub or local folder), or starter (built in). "
        "Several: a list of {text: PLACE}, each with name, weight, repeat, tags, source_language and target_language "
        "where wanted.",
        "location",
    )
    temperature: float = key(
        1.0,
        "Several corpora without weights: their shares are their sizes to the power 1 / temperature. "
        "1: as large as they are; 5: nearly even; above 1 the small ones are repeated.",
        "exponent",
        gt=0,
    )
    stages: Stages = key(
        (),
        "Several corpora: other weights at other times, as a list of {until: 2000 (updates) or 30% (of the training), "
        "weights: {NAME: SHARE}}; corpora not named are left out, and the last stage has no until.",
        "list",
    )
    cache: str | None = key(
        None,
        "Folder where large texts are kept as ids and found again by the next training; off: none. "
        "Unset: $NMT_CACHE, else ~/.cache/nmt.",
        "folder",
    )
    dev: Corpora | None = key(
        None,
        "Text to validate on; a list of {text, tags, ...} puts several together. "
        "Unset: the starter's or the data set's own, else pairs held out of train.",
        "location",
    )
    parent_dev: Corpora | None = key(
        None,
        "Fine-tuning: text that the parent (train.init_from) is good at, scored beside dev at each validation so that "
        "forgetting is seen. It does not decide the best.",
        "location",
    )
    test: Corpora | None = key(None, "Text that `nmt eval` scores when no files are given.", "location")
    starter_pairs: int = key(
        20_000, "How many pairs to generate when train is starter.", "pairs", ge=2000, le=1_000_000
    )

    @property
    def corpora(self) -> tuple[CorpusConfig, ...]:
        """What is trained on, as a list; of one for one place."""
        return corpora_of(self.train)

    @property
    def tags(self) -> tuple[str, ...]:
        """All that the corpora put in front of their lines."""
        return tuple(dict.fromkeys(tag for corpus in self.corpora for tag in corpus.tags))


def corpora_of(text: str | tuple[str, str] | tuple[CorpusConfig, ...]) -> tuple[CorpusConfig, ...]:
    """As a list; of one for one place."""
    if isinstance(text, tuple) and text and isinstance(text[0], CorpusConfig):
        return text
    return (CorpusConfig(text=text),)  # type: ignore[arg-type]
