"""Tables whose columns have types of their own: Parquet, Feather, arrays of numpy, JSON.

Labels and ids are texts everywhere in clustcmp. A whole number becomes its decimal text, so that it
joins with the same number in a CSV file; a text stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from clustcmp.arrays import Floats
from clustcmp.errors import InputError, show_names
from clustcmp.model import Texts, WholeNumbers
from clustcmp.model.origin import Origin, find_types, show_label
from clustcmp.notes import Note
from clustcmp.read.columns import (
    Columns,
    ColumnType,
    ColumnTypes,
    LabelColumn,
    one_array,
    to_texts,
    values,
)
from clustcmp.read.sample import MOST_ROWS, FirstRows

# Gives some columns of a table as Arrow columns: their names, and those to encode as labels.
ReadColumns = Callable[[Sequence[str], Collection[str]], Sequence[Any]]


@dataclass(frozen=True, eq=False)
class TypedTable:
    """A table of typed columns, which are read when they are asked for.

    `first` holds the first rows, at least as many as a sample has. Without `has_header` the columns
    are called 1, 2, ... `is_partial` means that a point that is not in the table is a cluster of
    its own. `index` is the column of the ids, if the format itself says so. `arrays` are names that
    stand for several columns, which need not be in the header. `is_object` means that labels
    remember what they were in Python.
    """

    name: str
    header: tuple[str, ...]
    read_columns: ReadColumns
    first: Sequence[Any]
    has_header: bool = True
    unit: str = "row"
    is_partial: bool = False
    index: str | None = None
    arrays: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    is_object: bool = False

    @property
    def header_is_said(self) -> bool:
        """The format itself says whether columns have names."""
        return True

    @property
    def notes(self) -> tuple[Note, ...]:
        """A typed table cannot be meant otherwise."""
        return ()

    @cached_property
    def sample(self) -> FirstRows:
        """The first rows as texts."""
        columns = [texts_of(one_array(column).slice(0, MOST_ROWS)) for column in self.first]
        rows = list(zip(*(column.to_pylist() for column in columns), strict=True))
        return FirstRows(self.header, rows)

    def line(self, row: int) -> int:
        """The number of a row (from 0) in the file, counted from 1."""
        return row + 1

    def read(self, types: ColumnTypes, advice: str = "") -> Columns:
        """Some columns; the advice is for the error about a cell that is not a number."""
        as_labels = [name for name, type_ in types.items() if type_ is ColumnType.labels]
        texts, labels, numbers = {}, {}, {}
        arrays = self.read_columns(list(types), as_labels)
        for (name, type_), column in zip(types.items(), arrays, strict=True):
            array = one_array(column)
            if type_ is ColumnType.number:
                numbers[name] = self._numbers(name, array, advice)
            elif type_ is ColumnType.labels:
                labels[name] = self._labels(name, array)
            else:
                texts[name] = ids_of(array)
        return Columns(texts, labels, numbers)

    def _labels(self, name: str, array: Any) -> LabelColumn:
        """A column of labels; one that is missing has an empty name."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if pa.types.is_null(array.type):
            array = array.cast(pa.string())
        if not pa.types.is_dictionary(array.type):
            array = array.dictionary_encode()
        names, codes = texts_of(array.dictionary), array.indices
        origin = find_origin(array.dictionary, names) if self.is_object else None
        if codes.null_count:
            codes = pc.fill_null(codes, pa.scalar(len(names), codes.type))
            names = pa.concat_arrays([names, pa.array([""], pa.large_string())])
        codes = values(codes.cast(pa.int32()), np.int32)
        if pa.types.is_floating(array.dictionary.type):
            self._check_finite(name, array)
        # Dictionaries may have an entry twice, and a missing label may stand in one.
        merged = names.dictionary_encode()
        if len(merged.dictionary) < len(names):
            codes = values(merged.indices, np.int32)[codes]
            names = merged.dictionary
        return LabelColumn(codes, to_texts(names), origin)

    def _check_finite(self, name: str, array: Any) -> None:
        """Refuse an infinite number, which is the result of a calculation and not a label."""
        import pyarrow.compute as pc

        is_infinite = pc.fill_null(pc.is_inf(array.dictionary_decode()), False)
        row = pc.index(is_infinite, True).as_py()
        if row >= 0:
            raise InputError(
                f"{self.name}: row {row + 1}: column {name!r}: the label is not a finite number",
                hint="labels are texts or finite numbers; a missing label is null",
            )

    def _numbers(self, name: str, array: Any, advice: str) -> Floats:
        """A column of finite numbers."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if pa.types.is_dictionary(array.type):
            array = array.dictionary_decode()
        if not is_numeric(array.type):
            raise InputError(
                f"{self.name}: column {name!r} holds {array.type}, not numbers",
                hint=f"{advice}; the columns are {show_names(self.header)}".lstrip("; "),
            )
        if pa.types.is_boolean(array.type):
            array = array.cast(pa.int8())
        array = array.cast(pa.float64(), safe=False)
        numbers = values(pc.fill_null(array, np.nan), np.float64)
        wrong = np.flatnonzero(~np.isfinite(numbers))
        if len(wrong):
            row = int(wrong[0])
            what = "is empty" if not array[row].is_valid else f"{numbers[row]} is not a number"
            raise InputError(
                f"{self.name}: row {row + 1}: column {name!r}: {what}",
                hint=f"{advice}; the columns are {show_names(self.header)}".lstrip("; "),
            )
        return numbers


def find_origin(labels: Any, texts: Any) -> Origin | None:
    """What labels in an Arrow array were in Python, if they were no texts."""
    import pyarrow as pa

    if pa.types.is_integer(labels.type):
        return Origin(is_whole=True)
    types = find_types(texts.to_pylist(), labels.to_pylist())
    return Origin(types) if types else None


def is_numeric(type_: Any) -> bool:
    """Whether an Arrow type holds numbers; true and false count as 1 and 0."""
    import pyarrow as pa

    kinds = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_boolean)
    return any(is_kind(type_) for is_kind in kinds)


def is_plain(type_: Any) -> bool:
    """Whether each value of an Arrow type can be one text: no lists, structs or raw bytes."""
    import pyarrow as pa

    if pa.types.is_dictionary(type_):
        return is_plain(type_.value_type)
    kinds = (
        is_numeric,
        pa.types.is_string,
        pa.types.is_large_string,
        pa.types.is_string_view,
        pa.types.is_temporal,
        pa.types.is_null,
    )
    return any(is_kind(type_) for is_kind in kinds)


def ids_of(array: Any) -> Texts:
    """The values of an Arrow array as texts; whole numbers of 64 bits stay numbers."""
    import pyarrow as pa

    is_whole = pa.types.is_integer(array.type) and not pa.types.is_uint64(array.type)
    if is_whole and not array.null_count:
        return WholeNumbers(values(array.cast(pa.int64()), np.int64))
    return to_texts(texts_of(array))


def texts_of(array: Any) -> Any:
    """The values of an Arrow array as large strings; a missing value is the empty text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(array.type):
        texts = texts_of(array.dictionary).take(array.indices)
    elif pa.types.is_boolean(array.type):
        # As Python, numpy and pandas write them.
        texts = pc.if_else(array, pa.scalar("True", pa.large_string()), "False")
    elif pa.types.is_floating(array.type):
        encoded = array.cast(pa.float64()).dictionary_encode()
        shown = [show_number(number) for number in encoded.dictionary.to_pylist()]
        texts = pa.array(shown, pa.large_string()).take(encoded.indices)
    else:
        texts = array.cast(pa.large_string())
    return pc.fill_null(texts, "")


def show_number(number: float | None) -> str | None:
    """A number as a label is written, 1.0 as 1; nan stands for a missing value."""
    return None if number is None or np.isnan(number) else show_label(number)


def table_of(name: str, columns: dict[str, Any], has_header: bool = True) -> TypedTable:
    """A table whose columns are in memory already, as Arrow arrays."""
    import pyarrow as pa

    chunked = {key: pa.chunked_array([column]) for key, column in columns.items()}

    def read(names: Sequence[str], as_labels: Collection[str]) -> list[Any]:
        return [chunked[key] for key in names]

    first = [column.slice(0, MOST_ROWS) for column in chunked.values()]
    return TypedTable(name, tuple(columns), read, first, has_header)
