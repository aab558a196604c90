"""Where points are: the rows of a table of coordinates, by id or by position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.errors import InputError, plural, show_names
from clustcmp.model import Clustering, CoordinateTable, find_points
from clustcmp.notes import Note


class Location(NamedTuple):
    """Point i of a clustering is at row `rows[i]` of the coordinates (m, d), without rows at i."""

    coordinates: Floats
    rows: Integers | None = None

    def find(self, points: Integers) -> Integers:
        """The rows of the coordinates of some points."""
        return points if self.rows is None else self.rows[points]

    def take(self, points: Integers) -> Floats:
        """The coordinates of some points."""
        return self.coordinates[self.find(points)]

    @property
    def all(self) -> Floats:
        """The coordinates of all points."""
        return self.coordinates if self.rows is None else self.coordinates[self.rows]


def locate(clustering: Clustering, title: str, table: CoordinateTable) -> Location:
    """The location of points by id if they and the table have ids, else by position.

    Rows of the table without a point are ignored. The title is what messages call the clustering.
    """
    if clustering.points.ids is not None and table.ids is not None:
        missing = f"{table.title}: has no row"
        return Location(table.coordinates, find_points(clustering, title, table.ids, missing))
    n_points, n_rows = clustering.points.size, len(table.coordinates)
    if n_points != n_rows:
        raise InputError(
            f"{table.title} has {plural(n_rows, 'row')} of coordinates and "
            f"{title} has {plural(n_points, 'point')}, "
            "but without ids they are joined by position",
            hint="give both an id column, or each point one row",
        )
    return Location(table.coordinates)


def relocate(found: Location, order: Integers, other_order: Integers) -> Location:
    """The location of the same points in another clustering, by the orders that make them equal."""
    rows = np.empty(len(order), dtype=np.int64)
    rows[other_order] = found.find(order)
    return Location(found.coordinates, rows)


def note_location(clustering: Clustering, table: CoordinateTable) -> tuple[Note, ...]:
    """A note if the coordinates in a file are joined by position."""
    if not table.is_file or (clustering.points.ids is not None and table.ids is not None):
        return ()
    without = [table.title] if table.ids is None else []
    without += [clustering.title] if clustering.points.ids is None and clustering.source else []
    return (Note("no id column, so coordinates are joined by position", *without),)


def order_tables(
    tables: Sequence[CoordinateTable],
) -> list[tuple[CoordinateTable, tuple[Note, ...]]]:
    """Each table with the columns in the order of the first one, and notes about them."""
    ordered = []
    for table in tables:
        table, notes = order_columns(table, tables[0])
        # Points that are compared in the order given share this array, whose layout decides about
        # the last digits of sums: row by row, as in arrays that were put into another order.
        coordinates = np.ascontiguousarray(table.coordinates)
        ordered.append((replace(table, coordinates=coordinates), notes))
    return ordered


def order_columns(
    table: CoordinateTable, first: CoordinateTable
) -> tuple[CoordinateTable, tuple[Note, ...]]:
    """The table with the columns of the first in their order, and a note if only by position."""
    names, wanted = table.names, first.names
    if len(names) != len(wanted):
        raise InputError(
            f"{first.title} has {plural(len(wanted), 'coordinate')} ({show_names(wanted)}) "
            f"and {table.title} has {len(names)} ({show_names(names)})",
            hint="choose as many columns in both with ::x,y",
        )
    if names == wanted:
        return table, ()
    if set(names) == set(wanted):
        order = [names.index(name) for name in wanted]
        return replace(table, names=wanted, coordinates=table.coordinates[:, order]), ()
    note = Note(
        f"columns {show_names(names)} are taken for {show_names(wanted)} of {first.title}, "
        "by position",
        table.title,
    )
    return replace(table, names=wanted), (note,)
