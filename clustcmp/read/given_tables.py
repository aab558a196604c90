"""Tables of other libraries (polars, pyarrow, DuckDB ...) that speak Arrow's C interface.

They are read as the same table in a file would be: its columns are found by their names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from clustcmp.errors import ClustcmpError, InputError
from clustcmp.read.address import Address
from clustcmp.read.files import Content, Role, Use, take_uses
from clustcmp.read.indexes import is_pandas
from clustcmp.read.joining import Reading, TableReading
from clustcmp.read.parquet import find_columns
from clustcmp.read.sample import MOST_ROWS
from clustcmp.read.typed_table import TypedTable
from clustcmp.settings import InputSettings, ReadSettings

HOW_TO_GIVE = (
    "give a table with the ids in a column called id and the labels in a column called label, or "
    "say id='NAME' and give the two columns alone"
)
HOW_TO_LOCATE = "give a table with the ids in a column called id and columns of numbers"


def is_table(given: Any) -> bool:
    """Whether an object is a table with Arrow's C interface and not one of pandas.

    Columns by themselves have the interface, too, but no names of columns.
    """
    has_names = any(hasattr(given, one) for one in ("columns", "column_names", "schema"))
    return has_names and hasattr(given, "__arrow_c_stream__") and not is_pandas(given)


def read_table(given: Any, name: str, settings: InputSettings) -> Reading:
    """The clustering in a table, with its ids or the columns that could be ids."""
    table = open_table(given, name)
    readings = cast(tuple[Reading, ...], take(table, name, Role.clustering, settings, HOW_TO_GIVE))
    (one,) = readings
    # The table has no path that could be typed.
    clustering = replace(one.clustering, source=None)
    return replace(
        one,
        clustering=clustering,
        is_file=one.has_ids or bool(one.candidates),
        file_key=(),
    )


def read_located(given: Any, name: str, settings: InputSettings) -> TableReading:
    """The coordinates in a table."""
    table = open_table(given, name)
    found = cast(TableReading, take(table, name, Role.coordinates, settings, HOW_TO_LOCATE))
    return replace(found, table=replace(found.table, is_file=False))


def take(table: TypedTable, name: str, role: Role, settings: InputSettings, hint: str) -> Content:
    """What a table gives; advice to type something behind a path would be of no use."""
    known = cast(Mapping[str, Any], settings)
    use = Use(
        Address(name, name), role, tuple((key, known[key]) for key in ReadSettings.__annotations__)
    )
    content = take_uses(table, [use])[use]
    if isinstance(content, ClustcmpError):
        raise InputError(content.message, hint=hint) if "::" in content.hint else content
    return content


def open_table(given: Any, name: str) -> TypedTable:
    """The columns of a table, without a copy."""
    import pyarrow as pa

    try:
        table = pa.RecordBatchReader.from_stream(given).read_all()
    except (pa.ArrowException, TypeError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{name}: cannot be read as a table: {reason}", hint=HOW_TO_GIVE) from None
    known = find_columns(name, table.schema, table.num_rows)

    def read(names: Sequence[str], as_labels: Collection[str]) -> list[Any]:
        return [table.column(known[one]) for one in names]

    first = [table.column(one).slice(0, MOST_ROWS) for one in known.values()]
    return TypedTable(name, tuple(known), read, first, is_object=True)
