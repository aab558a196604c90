"""Tables that Arrow knows: Parquet and Feather (Arrow's own file format)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from clustcmp.errors import InputError
from clustcmp.read.sample import MOST_ROWS
from clustcmp.read.typed_table import TypedTable, is_plain

# What pandas calls an index without a name, in a file.
NAMELESS_INDEX = "__index_level_0__"


def parse_parquet(name: str, data: bytes, has_header: bool | None) -> TypedTable:
    """A Parquet file; only the columns that are asked for are decoded."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with explained(name, "Parquet"):
        file = pq.ParquetFile(pa.BufferReader(data))
        schema = file.schema_arrow
    known = find_columns(name, schema, file.metadata.num_rows)

    def read(names: Sequence[str], as_labels: Collection[str]) -> list[Any]:
        wanted = [known[one] for one in names]
        dictionaries = [known[one] for one in as_labels]
        with explained(name, "Parquet"):
            # Texts with few different values come out as the codes that they have in the file.
            table = pq.ParquetFile(pa.BufferReader(data), read_dictionary=dictionaries).read(wanted)
        return [table.column(one) for one in wanted]

    with explained(name, "Parquet"):
        first = next(file.iter_batches(MOST_ROWS, columns=list(known.values())))
    firsts = [pa.chunked_array([first.column(one)]) for one in known.values()]
    return TypedTable(name, tuple(known), read, firsts)


def parse_feather(name: str, data: bytes, has_header: bool | None) -> TypedTable:
    """A Feather file, which is an Arrow file."""
    import pyarrow as pa
    import pyarrow.feather

    with explained(name, "Feather"):
        table = pa.feather.read_table(pa.BufferReader(data), memory_map=False)
    known = find_columns(name, table.schema, table.num_rows)

    def read(names: Sequence[str], as_labels: Collection[str]) -> list[Any]:
        return [table.column(known[one]) for one in names]

    first = [table.column(one).slice(0, MOST_ROWS) for one in known.values()]
    return TypedTable(name, tuple(known), read, first)


def find_columns(name: str, schema: Any, n_rows: int) -> dict[str, str]:
    """The columns that can be read: how clustcmp calls each, and how the file does.

    An index of pandas without a name is the first column and has no name, as in a CSV file.
    """
    fields = [field.name for field in schema if is_plain(field.type)]
    twice = (
        {one for one in fields if fields.count(one) > 1} if len(set(fields)) < len(fields) else ()
    )
    if twice:
        raise InputError(
            f"{name}: has several columns called {min(twice)!r}", hint="rename one of them"
        )
    if not fields:
        nested = ", ".join(f"{field.name!r} ({field.type})" for field in schema) or "none"
        raise InputError(
            f"{name}: has no column of texts or numbers; its columns: {nested}",
            hint="a clustering needs a column of labels",
        )
    if not n_rows:
        raise InputError(f"{name}: has no rows", hint="a label for each point is needed")
    known = {one: one for one in fields}
    if NAMELESS_INDEX in fields and NAMELESS_INDEX in index_columns(schema):
        del known[NAMELESS_INDEX]
        known = {"": NAMELESS_INDEX, **known}
    return known


def index_columns(schema: Any) -> list[Any]:
    """The columns that were the index of a DataFrame."""
    import json

    try:
        found = json.loads((schema.metadata or {}).get(b"pandas", b"{}"))
        return list(found.get("index_columns", ()))
    except (ValueError, AttributeError, TypeError):
        return []


@contextmanager
def explained(name: str, format_: str) -> Iterator[None]:
    """What Arrow says of a broken file, as an error of clustcmp."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = str(error).splitlines()[0].rstrip(". ") if str(error) else type(error).__name__
        raise InputError(
            f"{name}: cannot be read as {format_}: {reason}",
            hint="the file is broken or cut off, or is none; write it again",
        ) from None
