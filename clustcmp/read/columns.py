"""Columns of a file: what each is read as, and the arrays that come out, whatever the format.

A format gives a `TabularFile`. A format that Arrow reads turns Arrow's arrays into columns with
`from_arrow`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Codes, Floats
from clustcmp.model import Origin, Texts
from clustcmp.notes import Note
from clustcmp.read.sample import FirstRows


class ColumnType(Enum):
    """What a column is read as."""

    text = "text"
    labels = "labels"
    number = "number"


# The columns that are wanted from a file, each with what it is read as.
ColumnTypes = Mapping[str, ColumnType]


class LabelColumn(NamedTuple):
    """A column of labels: `names` holds each distinct text once, `codes` point to them.

    `origin` knows what the texts were in Python.
    """

    codes: Codes
    names: Texts
    origin: Origin | None = None


@dataclass(frozen=True)
class Columns:
    """Columns by their names, those of each type by themselves."""

    texts: Mapping[str, Texts] = field(default_factory=dict)
    labels: Mapping[str, LabelColumn] = field(default_factory=dict)
    numbers: Mapping[str, Floats] = field(default_factory=dict)

    @property
    def has_empty_text(self) -> bool:
        """Whether a text or a label is empty somewhere."""
        distinct = [labels.names for labels in self.labels.values()]
        return any(len(texts.find_empty()) for texts in (*self.texts.values(), *distinct))

    def has(self, types: ColumnTypes) -> bool:
        """Whether all of these columns are here, as these types."""
        of_type = {
            ColumnType.text: self.texts,
            ColumnType.labels: self.labels,
            ColumnType.number: self.numbers,
        }
        return all(name in of_type[type_] for name, type_ in types.items())

    def __or__(self, others: Columns) -> Columns:
        return Columns(
            {**self.texts, **others.texts},
            {**self.labels, **others.labels},
            {**self.numbers, **others.numbers},
        )


class TabularFile(Protocol):
    """A file with named columns, which are read when they are asked for."""

    @property
    def name(self) -> str:
        """The file as messages call it."""

    @property
    def header(self) -> tuple[str, ...]:
        """The names of all columns; without a header these are 1, 2, ..."""

    @property
    def has_header(self) -> bool:
        """Whether the file itself names its columns."""

    @property
    def header_is_said(self) -> bool:
        """Whether it is known for sure if the first line names the columns."""

    @property
    def sample(self) -> FirstRows:
        """The first rows."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """Remarks on how the file is read, where it may be meant otherwise."""

    @property
    def index(self) -> str | None:
        """The column of the ids, if the format itself says so."""

    @property
    def arrays(self) -> Mapping[str, tuple[str, ...]]:
        """Names that stand for several columns, which need not be in the header."""

    @property
    def is_partial(self) -> bool:
        """Whether a point that is not in the file is a cluster of its own."""

    def read(self, types: ColumnTypes, advice: str = "") -> Columns:
        """Some columns; the advice is for the error about a cell that is not a number."""

    @property
    def unit(self) -> str:
        """What numbers in messages count: the lines of a text, the rows of any other file."""

    def line(self, row: int) -> int:
        """The line on which a row (from 0) begins; outside of texts the row, counted from 1."""


def where_in(file: TabularFile, row: int) -> str:
    """Where a row (from 0) stands, for messages."""
    number = file.line(row)
    return f"{file.name}:{number}" if file.unit == "line" else f"{file.name}: {file.unit} {number}"


class KnownColumns:
    """The columns of one file, parsed at most once if all wanted columns are named first."""

    def __init__(self, file: TabularFile) -> None:
        """Nothing is read yet."""
        self.file = file
        self._known = Columns()

    def read(self, types: ColumnTypes, advice: str = "") -> Columns:
        """The columns of these names and types; others may be there as well."""
        if not self._known.has(types):
            # Columns that were read before are parsed again, because an error names the id of its
            # row.
            self._known |= self.file.read(types, advice)
        return self._known

    def read_together(self, wanted: Sequence[ColumnTypes]) -> None:
        """Read all columns at once, except that a second type of one column takes another pass."""
        passes: list[dict[str, ColumnType]] = []
        for name, type_ in {pair: None for types in wanted for pair in types.items()}:
            fitting = (one for one in passes if one.get(name, type_) is type_)
            if (chosen := next(fitting, None)) is None:
                passes.append(chosen := {})
            chosen[name] = type_
        for types in passes:
            self._known |= self.file.read(types)


def from_arrow(types: ColumnTypes, arrays: Sequence[Any]) -> Columns:
    """Arrow arrays, one for each column, as the arrays that the rest of clustcmp works with."""
    found = list(zip(types.items(), arrays, strict=True))
    return Columns(
        texts={name: to_texts(array) for (name, type_), array in found if type_ is ColumnType.text},
        labels={
            name: to_labels(array) for (name, type_), array in found if type_ is ColumnType.labels
        },
        numbers={
            name: values(array, np.float64)
            for (name, type_), array in found
            if type_ is ColumnType.number
        },
    )


def one_array(column: Any) -> Any:
    """A chunked Arrow column in one piece, with one dictionary if it has dictionaries."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries()
    array = column.combine_chunks()
    return array.chunk(0) if isinstance(array, pa.ChunkedArray) else array


def values(array: Any, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """The numbers of an Arrow array; its own to_numpy would import pandas first."""
    return np.frombuffer(array.buffers()[1], dtype)[array.offset : array.offset + len(array)]


def to_texts(array: Any) -> Texts:
    """The texts of an Arrow array of strings."""
    import pyarrow as pa

    width = np.int64 if pa.types.is_large_string(array.type) else np.int32
    offsets = np.frombuffer(array.buffers()[1], width)[array.offset : array.offset + len(array) + 1]
    data = np.frombuffer(array.buffers()[2] or b"", np.uint8)
    return Texts(offsets.astype(np.int64, copy=False), data)


def to_labels(array: Any) -> LabelColumn:
    """The labels of an Arrow array with a dictionary."""
    return LabelColumn(values(array.indices, np.int32), to_texts(array.dictionary))
