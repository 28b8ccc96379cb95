"""Data sets of the Hugging Face hub, or local folders of them: whole in the cache, or streamed."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from nmt.corpus.formats.streams import FormatStream
from nmt.corpus.formats.tables import pairs_of_columns
from nmt.corpus.stream import Place
from nmt.errors import DataError

CACHED, STREAMED = "hf:", "hf-stream:"
_ROWS = 1000  # at a time: hundreds of times faster than row by row


class Address(NamedTuple):
    """What "hf:NAME[:CONFIG][#SPLIT]" says. streamed: it began with hf-stream:."""

    name: str
    config: str | None
    split: str | None
    streamed: bool


def is_data_set(location: str) -> bool:
    return location.startswith((CACHED, STREAMED))


def parse(location: str) -> Address:
    """Errors: DataError for a location without a name."""
    streamed = location.startswith(STREAMED)
    scheme = STREAMED if streamed else CACHED
    name, _, split = location.removeprefix(scheme).partition("#")
    config = ""
    if not Path(name).exists():  # a folder may have a colon in its name
        name, _, config = name.partition(":")
    if not name:
        raise DataError(
            f'"{location}" names no data set.', f"write {scheme}NAME, {scheme}NAME:CONFIG or {scheme}NAME:CONFIG#SPLIT"
        )
    return Address(name, config or None, split or None, streamed)


class DataSet(FormatStream):
    """Rows of a data set with a column for each language, or one column `translation` that has them inside."""

    def __init__(self, location: str, languages: tuple[str, str], split: str) -> None:
        """split: what to read where `location` names none."""
        super().__init__(location)
        address = parse(location)
        self._address = address._replace(split=address.split or split)
        self._languages = languages
        self._data: Any = None

    def pairs(self) -> Iterator[tuple[str, str]]:
        name, count = self._address.name, 0
        if self._data is None:
            self._data = load(self._address, self._languages)
        parts = iter(self._data.with_format("arrow").iter(batch_size=_ROWS))
        while True:
            try:
                part = next(parts, None)
            except Exception as error:  # of a stream: a network, a dozen file formats
                raise _cannot_load(error, self._address) from error
            if part is None:
                break
            yield from pairs_of_columns(part, f"data set {name}", self._languages)
            count += part.num_rows
        self.length = count

    def place(self, number: int) -> Place:
        return Place(f"{self.name} row {number}", f"{self.name} row {number}")


def load(address: Address, languages: tuple[str, str]) -> Any:
    """A `datasets.Dataset` or `IterableDataset`, or the dictionary of all splits where `address` names none.

    Without a config the data set's own default is taken, else the one named for the two languages in either order.
    Errors: DataError for all that can go wrong.
    """
    # Imported here: it takes a second, and few need it.
    import datasets
    import huggingface_hub

    datasets.disable_progress_bars()
    datasets.logging.set_verbosity_error()
    huggingface_hub.logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    _check_local(address)
    if _is_saved(Path(address.name)):
        return _load_saved(address)
    candidates = [address.config] if address.config else [None, "-".join(languages), "-".join(reversed(languages))]
    for position, candidate in enumerate(candidates, start=1):
        try:
            if address.streamed:
                return datasets.load_dataset(address.name, candidate, split=address.split, streaming=True)
            return datasets.load_dataset(address.name, candidate, split=address.split)
        except Exception as error:  # a network, a cache, a dozen file formats: anything may come out of there
            lacks_config = "Config name is missing" in str(error) or "BuilderConfig" in str(error)
            if not lacks_config or position == len(candidates):
                raise _cannot_load(error, address) from error
    raise AssertionError("the last candidate returns or raises")


def _is_saved(folder: Path) -> bool:
    """Whether `Dataset.save_to_disk` made this folder."""
    return (folder / "dataset_dict.json").is_file() or (folder / "state.json").is_file()


def _load_saved(address: Address) -> Any:
    import datasets

    name, split = address.name, address.split
    try:
        saved = datasets.load_from_disk(name)
    except Exception as error:  # pyarrow, json, the file system: anything may come out of there
        raise DataError(f"data set {name} is damaged: {_reason(error)}", "save it again") from error
    parts = saved if isinstance(saved, datasets.DatasetDict) else {"train": saved}
    if split is None:
        return parts
    if split not in parts:
        raise _no_split(address, ", ".join(parts))
    return parts[split]


def _no_split(address: Address, found: str) -> DataError:
    message = f"data set {address.name} has no split {address.split}; it has {found}."
    return DataError(message, "name a split it has: hf:NAME#SPLIT")


def _check_local(address: Address) -> None:
    path = Path(address.name)
    if path.is_file():
        raise DataError(f"hf:{path} is a file.", f"to read that file: {path}; to read a data set, name its folder")
    if address.name.startswith((".", "/", "~")) and not path.is_dir():
        raise DataError(f"hf:{path}: there is no such folder.", "check the path")


def _reason(error: BaseException) -> str:
    """What it says on one line; what caused it, where that says more."""
    while error.__cause__ is not None:
        error = error.__cause__
    return re.sub(r"\s+", " ", str(error)).strip() or type(error).__name__


def _cannot_load(error: Exception, address: Address) -> DataError:
    text, name = _reason(error), address.name
    if found := re.search(r"(?:Unknown|Bad) split.*(?:one of|Available splits:) \[(.*)\]", text):
        return _no_split(address, found[1].replace("'", ""))
    if found := re.search(r"[Aa]vailable(?: configs)?: \[(.*?)\]", text):
        configs = found[1].replace("'", "")
        return DataError(
            f"data set {name} must be read by one of its configs: {configs}.", f"name it: hf:{name}:CONFIG"
        )
    if isinstance(error, ConnectionError) or "offline" in text.lower():
        return DataError(
            f"data set {name} cannot be reached on the Hugging Face hub, and is not in the local cache.",
            "check the network connection, or give a local folder: hf:./FOLDER",
        )
    local = Path(name).is_dir()
    remedy = "check the files in that folder" if local else "check the name on https://huggingface.co/datasets"
    return DataError(f"data set {name} cannot be loaded: {text}", remedy)
