"""Pairs out of columns: Parquet and Arrow files, and what Hugging Face data sets give."""

from collections.abc import Callable, Iterator
from typing import IO, Any

from nmt.corpus.formats.inputs import Input
from nmt.corpus.formats.segments import joined
from nmt.corpus.formats.streams import FormatStream
from nmt.corpus.stream import Place
from nmt.errors import DataError

_ROWS = 1000  # at a time: hundreds of times faster than row by row


class Table(FormatStream):
    """Rows with a column for each language, or one column `translation` that has them inside."""

    def __init__(self, source: Input, reader: Callable[[IO[bytes]], Iterator[Any]], languages: tuple[str, str]) -> None:
        """reader: gives the parts of an open file, as `pyarrow.RecordBatch`."""
        super().__init__(source.name, source)
        self._source, self._reader, self._languages = source, reader, languages

    def pairs(self) -> Iterator[tuple[str, str]]:
        import pyarrow

        count = 0
        with self._source.seekable() as file:
            parts = self._reader(file)
            while True:
                try:
                    part = next(parts, None)
                except (pyarrow.ArrowException, OSError) as error:
                    ending = "parquet" if self._reader is parquet_parts else "arrow"
                    message = f"{self.name} is damaged, or no .{ending} file: {first_line(error)}."
                    raise DataError(message, "get it again") from error
                if part is None:
                    break
                yield from pairs_of_columns(part, self.name, self._languages)
                count += part.num_rows
        self.length = count

    def place(self, number: int) -> Place:
        return Place(f"{self.name} row {number}", f"{self.name} row {number}")


def parquet_parts(file: IO[bytes]) -> Iterator[Any]:
    import pyarrow.parquet

    yield from pyarrow.parquet.ParquetFile(file).iter_batches(batch_size=_ROWS)


def arrow_parts(file: IO[bytes]) -> Iterator[Any]:
    """Both of Arrow's formats: the stream, which `datasets` writes, and the file."""
    import pyarrow.ipc

    magic = file.read(6)
    file.seek(0)
    if magic == b"ARROW1":
        whole = pyarrow.ipc.open_file(file)
        yield from (whole.get_batch(index) for index in range(whole.num_record_batches))
    else:
        yield from pyarrow.ipc.open_stream(file)


def pairs_of_columns(table: Any, name: str, languages: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """table: a `pyarrow.Table` or `RecordBatch`.  name: of what messages are about.

    Errors: DataError where a language has no column, or one of another kind than text.
    """
    import pyarrow
    from pyarrow.compute import struct_field

    inner = table.column("translation") if "translation" in table.schema.names else None
    if inner is not None and not pyarrow.types.is_struct(inner.type):
        inner = None
    found = [field.name for field in (inner.type if inner is not None else table.schema)]
    absent = [language for language in languages if language not in found]
    if absent:
        raise DataError(
            f"{name} has no text in {' and '.join(absent)}; it has {', '.join(found)}.",
            "choose the languages by these names"
            + (", or another config: hf:NAME:CONFIG" if "data set" in name else ""),
        )
    columns = [struct_field(inner, language) if inner is not None else table.column(language) for language in languages]
    source, target = (_texts(column, name) for column in columns)
    yield from zip(source, target, strict=True)


def _texts(column: Any, name: str) -> list[str]:
    """What is missing is a blank text."""
    try:
        values = column.to_pylist()
    except UnicodeDecodeError as error:
        message = f"{name} holds bytes that are not UTF-8: {error.object[error.start : error.start + 9]!r}."
        raise DataError(message, "make it anew, or convert it") from error
    for index, value in enumerate(values):
        if type(value) is not str:
            if value is not None:
                raise DataError(f"{name} holds {type(value).__name__} values where text is needed.", "name another")
            values[index] = ""
        elif "\n" in value or "\r" in value:
            values[index] = joined(value)
    return values


def first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0].removesuffix(".") or type(error).__name__
