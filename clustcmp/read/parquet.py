"""Tables that Arrow knows: Parquet, also in a folder of parts, and Feather (Arrow's own format)."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from clustcmp.errors import InputError, show_names
from clustcmp.read.sample import MOST_ROWS
from clustcmp.read.source import IN_FOLDERS, Stored, cannot_open, more_than_allowed
from clustcmp.read.typed_table import TypedTable, is_plain

# What pandas calls an index without a name, in a file.
NAMELESS_INDEX = "__index_level_0__"

# Programs that write folders of parts put files beside them that are no parts, such as _SUCCESS.
ASIDE = ("_", ".")


class Part(NamedTuple):
    """A Parquet file by itself or in a folder: its name for messages, where it is, its metadata."""

    name: str
    stored: Stored
    schema: Any
    metadata: Any

    @property
    def columns(self) -> list[tuple[str, Any]]:
        """The names and types of all columns."""
        return [(field.name, field.type) for field in self.schema]

    def open(self, dictionaries: Collection[str] = ()) -> Any:
        """The file; texts of these columns come out as the codes that they have in the file."""
        import pyarrow.parquet as pq

        source = self.stored.for_arrow
        return pq.ParquetFile(source, metadata=self.metadata, read_dictionary=list(dictionaries))


def parse_parquet(name: str, stored: Stored, has_header: bool | None) -> TypedTable:
    """A Parquet file or a folder of parts; only the columns that are asked for are read."""
    import pyarrow as pa

    parts = find_parts(name, stored)
    schema = parts[0].schema
    check_alike(parts)
    known = find_columns(name, schema, sum(part.metadata.num_rows for part in parts))

    def read(names: Sequence[str], as_labels: Collection[str]) -> list[Any]:
        wanted = [known[one] for one in names]
        check_unpacked(name, parts, wanted, stored.max_bytes)
        dictionaries = [known[one] for one in as_labels]
        tables = []
        for part in parts:
            with explained(part.name, "Parquet"), part.open(dictionaries) as file:
                tables.append(file.read(wanted))
        table = tables[0] if len(tables) == 1 else pa.concat_tables(tables)
        return [table.column(one) for one in wanted]

    first = pa.Table.from_batches(first_rows(parts, list(known.values())))
    return TypedTable(name, tuple(known), read, [first.column(one) for one in known.values()])


def find_parts(name: str, stored: Stored) -> list[Part]:
    """The files to read, with their metadata: one, or those in a folder by the order of names."""
    if not isinstance(stored.data, Path) or not stored.data.is_dir():
        return [open_part(name, stored)]
    try:
        found = [one for one in os.listdir(stored.data) if not one.startswith(ASIDE)]
    except OSError as error:
        raise cannot_open(name, error) from None
    if not found:
        raise InputError(f"{name}: is a directory without parts", hint=IN_FOLDERS)
    parts = []
    for one in sorted(found, key=by_numbers):
        path = stored.data / one
        if path.is_dir():
            raise InputError(
                f"{name}: has a folder {one!r} among its parts, but only files are read",
                hint="write the table without columns in the names of folders (partitions)",
            )
        if not starts_as_parquet(path):
            raise InputError(
                f"{name}: is a directory, and {one!r} in it is no Parquet file", hint=IN_FOLDERS
            )
        parts.append(open_part(str(path), stored._replace(data=path)))
    return parts


def starts_as_parquet(path: Path) -> bool:
    """Whether the first bytes of a file are those of Parquet."""
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"PAR1"
    except OSError as error:
        raise cannot_open(str(path), error) from None


def by_numbers(name: str) -> list[tuple[int, str]]:
    """The key that puts part-9 before part-10."""
    pieces = re.split(r"(\d+)", name)
    return [(int(piece), piece) if piece.isdecimal() else (0, piece) for piece in pieces]


def open_part(name: str, stored: Stored) -> Part:
    """A Parquet file, of which the metadata is read."""
    import pyarrow.parquet as pq

    with explained(name, "Parquet"), pq.ParquetFile(stored.for_arrow) as file:
        return Part(name, stored, file.schema_arrow, file.metadata)


def check_alike(parts: Sequence[Part]) -> None:
    """Refuse parts with different columns."""
    first = parts[0]
    for part in parts[1:]:
        if part.columns != first.columns:
            mine, others = (
                [f"{column} ({type_})" for column, type_ in given.columns]
                for given in (part, first)
            )
            raise InputError(
                f"{part.name}: has the columns {show_names(mine)}, but {first.name} has "
                f"{show_names(others)}",
                hint="the parts of one table have the same columns of the same types",
            )


def check_unpacked(name: str, parts: Sequence[Part], wanted: Sequence[str], most: int) -> None:
    """Refuse columns with more bytes than allowed, as far as the metadata says so."""
    total = 0
    for part in parts:
        groups = [part.metadata.row_group(at) for at in range(part.metadata.num_row_groups)]
        for at in range(part.metadata.num_columns):
            if groups and groups[0].column(at).path_in_schema in wanted:
                total += sum(group.column(at).total_uncompressed_size for group in groups)
    if total > most:
        raise more_than_allowed(name, most)


def first_rows(parts: Sequence[Part], columns: Sequence[str]) -> list[Any]:
    """The first rows of a table, as many as a sample has."""
    batches: list[Any] = []
    n_rows = 0
    for part in parts:
        with explained(part.name, "Parquet"), part.open() as file:
            for batch in file.iter_batches(MOST_ROWS, columns=list(columns)):
                batches.append(batch)
                n_rows += len(batch)
                if n_rows >= MOST_ROWS:
                    return batches
    return batches


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
    if len(set(schema.names)) < len(schema.names):
        for one in fields:
            if schema.names.count(one) > 1:
                raise InputError(
                    f"{name}: has several columns called {one!r}", hint="rename one of them"
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
