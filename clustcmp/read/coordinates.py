"""Where points are: the coordinates in a file, and how they join the points of clusterings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.errors import InputError, plural, show_names
from clustcmp.model import Clustering, Texts
from clustcmp.model.texts import match
from clustcmp.notes import Note
from clustcmp.read.address import Address
from clustcmp.read.columns import Columns, ColumnType, ColumnTypes, TabularFile
from clustcmp.read.roles import Roles, find_id, no_column, other_columns


@dataclass(frozen=True, eq=False)
class CoordinateTable:
    """Rows of coordinates (m, d) under the names of their columns, with ids if they have any."""

    title: str
    names: tuple[str, ...]
    coordinates: Floats
    ids: Texts | None = None
    is_file: bool = False


@dataclass(frozen=True)
class CoordinateRoles:
    """The columns of coordinates in a file: the ids, if there are any, and the numbers."""

    id: str | None
    names: tuple[str, ...]

    @property
    def types(self) -> ColumnTypes:
        """What each column is read as."""
        types = dict.fromkeys(self.names, ColumnType.number)
        if self.id is not None:
            types[self.id] = ColumnType.text
        return types


def find_coordinates(
    file: TabularFile, address: Address, beside: Sequence[Roles]
) -> CoordinateRoles:
    """The columns of the coordinates at an address.

    Columns of the clusterings that are read from the same file are not coordinates; `beside` are
    the roles of these columns.
    """
    for name in (*address.columns, address.id):
        if name is not None and name not in file.header:
            raise no_column(file, name)
    point_id = choose_id(file, address, beside)
    return CoordinateRoles(point_id, address.columns or all_numbers(file, point_id, beside))


def choose_id(file: TabularFile, address: Address, beside: Sequence[Roles]) -> str | None:
    """The id column: as typed, else as in a clustering in the same file, else as in any file."""
    if address.id is not None:
        found: str | None = address.id
    else:
        found = beside[0].id if beside else find_id(file)
    if found is None or found not in address.columns:
        return found
    if not file.has_header and address.id is None:
        # The first of two columns was only a guess at the ids, and the user names it otherwise.
        return None
    raise InputError(
        f"{file.name}: column {found!r} cannot be both id and coordinate",
        hint=f"leave it out; the columns are {show_names(file.header)}",
    )


def all_numbers(
    file: TabularFile, point_id: str | None, beside: Sequence[Roles]
) -> tuple[str, ...]:
    """All columns that are neither ids nor part of a clustering."""
    taken = {name for roles in beside for name in (roles.id, roles.label, *roles.clusters)}
    names = tuple(name for name in other_columns(file, point_id) if name not in taken)
    if not names:
        raise InputError(
            f"{file.name}: has no column with coordinates, only {show_names(file.header)}",
            hint="ids, labels and degrees are not coordinates; choose columns with ::x,y",
        )
    return names


def build_coordinates(
    address: Address, roles: CoordinateRoles, columns: Columns
) -> CoordinateTable:
    """The coordinates in the columns of a file."""
    ids = columns.texts[roles.id] if roles.id is not None else None
    coordinates = np.stack([columns.numbers[name] for name in roles.names], axis=1)
    return CoordinateTable(address.name, roles.names, coordinates, ids, is_file=True)


def locate(clustering: Clustering, side: str, table: CoordinateTable) -> Clustering:
    """The clustering with coordinates: by id if its points and the table have ids, else in order.

    Rows without a point are ignored; the side is for messages.
    """
    if clustering.points.ids is not None and table.ids is not None:
        rows = find_points(clustering, side, table.ids, f"{table.title}: has no row")
        return with_coordinates(clustering, table.coordinates[rows])
    n_points, n_rows = clustering.points.size, len(table.coordinates)
    if n_points != n_rows:
        raise InputError(
            f"{table.title} has {plural(n_rows, 'row')} of coordinates and "
            f"{title_of(clustering, side)} has {plural(n_points, 'point')}, "
            "and without ids they are joined by position",
            hint="give both an id column, or each point one row",
        )
    without = [table.title] if table.ids is None else []
    without += [clustering.title] if clustering.points.ids is None and clustering.source else []
    note = Note("no id column, so coordinates are joined by position", " and ".join(without))
    return with_coordinates(clustering, table.coordinates, *([note] if table.is_file else []))


def locate_both(
    a: Clustering, b: Clustering, table: CoordinateTable
) -> tuple[Clustering, Clustering]:
    """Both clusterings with coordinates from one table."""
    has_ids = a.points.ids is not None, b.points.ids is not None
    if table.ids is None or all(has_ids) or not any(has_ids) or a.points.size != b.points.size:
        return locate(a, "a", table), locate(b, "b", table)
    # Rows of a and b will be compared by position, so both must be at the place of the one id.
    side, named = ("a", a) if has_ids[0] else ("b", b)
    coordinates = locate(named, side, table).points.coordinates
    return with_coordinates(a, coordinates), with_coordinates(b, coordinates)


def locate_each(
    a: Clustering, b: Clustering, table_a: CoordinateTable, table_b: CoordinateTable
) -> tuple[Clustering, Clustering]:
    """Each clustering with coordinates from its own table, in the order of a's columns."""
    table_b, notes = order_columns(table_b, table_a)
    a, b = locate(a, "a", table_a), locate(b, "b", table_b)
    return a, replace(b, notes=(*b.notes, *notes))


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
    if set(names) == set(wanted):
        order = [names.index(name) for name in wanted]
        return replace(table, names=wanted, coordinates=table.coordinates[:, order]), ()
    note = Note(
        f"columns {show_names(names)} are taken for {show_names(wanted)} of {first.title}, "
        "by position",
        table.title,
    )
    return replace(table, names=wanted), (note,)


def with_coordinates(
    clustering: Clustering, coordinates: Floats | None, *notes: Note
) -> Clustering:
    """The clustering of the same points, with what is known about their places."""
    points = replace(clustering.points, coordinates=coordinates)
    return replace(clustering, points=points, notes=(*clustering.notes, *notes))


def find_points(clustering: Clustering, side: str, ids: Texts, missing: str) -> Integers:
    """Where each point stands among the ids; `missing` begins the error about one that does not."""
    title, points = title_of(clustering, side), clustering.points
    if points.ids is None:
        raise InputError(
            f"{title} has no ids, so its points cannot be found among those with distances",
            hint="give it an id column, or name one with ::id=NAME",
        )
    mine, theirs = match(points.ids, ids)
    where = np.full(points.size, -1)
    where[mine] = theirs
    absent = np.flatnonzero(where < 0)
    if len(absent):
        more = f" and {len(absent) - 1} more" if len(absent) > 1 else ""
        raise InputError(
            f"{missing} for point {points.ids[absent[0]]!r} of {title}{more}",
            hint="add it, or leave the point out of the clustering"
            if len(mine)
            else "none of the points is there: check that both have the same kind of ids",
        )
    return where


def title_of(clustering: Clustering, side: str) -> str:
    """What to call a clustering in messages: its file or, without a file, its side."""
    return clustering.title if clustering.source else side
