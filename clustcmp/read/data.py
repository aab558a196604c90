"""Points without labels: the coordinates in a file or an object, which a clusterer clusters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from clustcmp.errors import ClustcmpError
from clustcmp.model import CoordinateTable
from clustcmp.read.address import Address, is_path
from clustcmp.read.files import Role, Use, read_uses
from clustcmp.read.indexes import IndexIds, is_pandas
from clustcmp.read.joining import TableReading
from clustcmp.read.load import PARSING
from clustcmp.settings import ReadSettings


def read_data(given: Any, settings: ReadSettings, name: str = "data") -> CoordinateTable:
    """The coordinates of points: `path`, `path::x,y`, `-`, an array or a DataFrame.

    Ids are those in the id column, else in the only column of texts that could be ids, or those in
    the index of a DataFrame if each is there once. The name is for messages about objects.
    """
    if not is_path(given):
        from clustcmp.read.objects import as_coordinates

        index = given.index if is_pandas(given) and given.index.is_unique else None
        return as_coordinates(given, name, IndexIds() if index is not None else None)
    known = cast(Mapping[str, Any], settings)
    reading = tuple((key, known[key]) for key in PARSING)
    use = Use(Address.of_coordinates(str(given)), Role.coordinates, reading)
    content = read_uses([use])[use]
    if isinstance(content, ClustcmpError):
        raise content
    table = cast(TableReading, content)
    texts = [column for column in table.candidates if column not in table.table.names]
    if table.table.ids is None and len(texts) == 1:
        return table.with_ids(texts[0])
    return table.table
