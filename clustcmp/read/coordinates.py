"""Where points are: the coordinates in a file joined to a clustering, and given distances."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.errors import InputError
from clustcmp.keywords import DEFAULTS
from clustcmp.model import Clustering, Texts
from clustcmp.model.texts import match
from clustcmp.notes import Note
from clustcmp.read.clusterings import (
    Roles,
    check_ids,
    find_id,
    find_roles,
    no_column,
    open_table,
)
from clustcmp.read.delimited import Kind, Table, plural, show_names
from clustcmp.read.source import FileSpec
from clustcmp.settings import InputSettings

HOW_TO_CHOOSE = "write path::COLUMN,COLUMN or path::id=COLUMN,COLUMN,COLUMN"


@dataclass(frozen=True, eq=False)
class CoordinateTable:
    """Rows of coordinates (m, d) under the names of their columns, with ids if they have any."""

    title: str
    names: tuple[str, ...]
    coordinates: Floats
    ids: Texts | None = None
    is_file: bool = False


def read_coordinates(
    text: str, settings: InputSettings = DEFAULTS, clusterings: Iterable[Clustering] = ()
) -> CoordinateTable:
    """The coordinates in a file: `path`, `path::x,y` to choose columns, or `-`.

    The id and label columns of a clustering that was read from the same file are not coordinates.
    """
    spec, chosen = parse_spec(text)
    table = open_table(spec, settings)
    others = [FileSpec.parse(other.source) for other in clusterings if other.source]
    roles = [find_roles(table, other) for other in others if is_same_file(spec, other)]
    for name in (*chosen, spec.id):
        if name is not None and name not in table.header:
            raise no_column(table, name)
    point_id = choose_id(table, spec, chosen, roles)
    names = chosen or coordinate_columns(table, point_id, roles)
    kinds = dict.fromkeys(names, Kind.number)
    if point_id is not None:
        kinds[point_id] = Kind.text
    columns = table.read(kinds, f"correct it, or leave the column out with {spec.name}::x,y")
    ids = columns.texts[point_id] if point_id is not None else None
    if ids is not None:
        check_ids(table, ids)
    coordinates = np.stack([columns.numbers[name] for name in names], axis=1)
    return CoordinateTable(spec.name, names, coordinates, ids, is_file=True)


def parse_spec(text: str) -> tuple[FileSpec, tuple[str, ...]]:
    """Split what the user typed into the file and the columns chosen from it, if any."""
    path, colons, columns = text.partition("::")
    if not colons or os.path.exists(text):
        return FileSpec(text, text), ()
    named = columns.split(",")
    ids = [name.removeprefix("id=") for name in named if name.startswith("id=")]
    chosen = tuple(name for name in named if not name.startswith("id="))
    if not all((*ids, *chosen)):
        raise InputError(f"{text!r} does not name a column after ::", hint=HOW_TO_CHOOSE)
    if len(ids) > 1 or len(set(chosen)) < len(chosen):
        raise InputError(f"{text!r} names the same column twice", hint=HOW_TO_CHOOSE)
    return FileSpec(text, path, id=ids[0] if ids else None), chosen


def is_same_file(one: FileSpec, other: FileSpec) -> bool:
    """Whether two arguments name one file, however they write its path."""
    try:
        return not one.is_stdin and os.path.samefile(one.path, other.path)
    except (OSError, ValueError):
        return False


def choose_id(
    table: Table, spec: FileSpec, chosen: Sequence[str], roles: Sequence[Roles]
) -> str | None:
    """The id column: as typed, else as in the clustering in the same file, else as in any file."""
    if spec.id is not None:
        found: str | None = spec.id
    else:
        found = roles[0].id if roles else find_id(table)
    if found is None or found not in chosen:
        return found
    has_no_header = table.first_line == 1
    if has_no_header and spec.id is None:
        # The first of two columns without names was a guess, and the user knows better.
        return None
    raise InputError(
        f"{table.path}: column {found!r} cannot be both id and coordinate",
        hint=f"leave it out; the columns are {show_names(table.header)}",
    )


def coordinate_columns(
    table: Table, point_id: str | None, roles: Sequence[Roles]
) -> tuple[str, ...]:
    """All columns that are nothing else."""
    taken = {point_id}
    for role in roles:
        taken |= {role.id, role.label, *role.clusters}
    header = table.header
    # An index beside an id column, as DataFrame.to_csv writes it, means nothing.
    names = [name for name in header if name not in taken and (name or name != header[0])]
    if not names:
        raise InputError(
            f"{table.path}: has no column with coordinates, only {show_names(header)}",
            hint="ids, labels and degrees are not coordinates; choose columns with ::x,y",
        )
    return tuple(names)


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


def read_distances(
    text: str, a: Clustering, b: Clustering, settings: InputSettings = DEFAULTS
) -> Floats:
    """The distances (n_a, n_b) in a file with a's ids in the first column and b's in the header."""
    spec = FileSpec(text, text)
    # Without the ids of b there is nothing to read, so --no-header cannot be meant for this file.
    table = open_table(spec, {**settings, "no_header": False})
    layout = "the first column holds the ids of a, and the header those of b"
    corner, *columns = table.header
    wanted = find_points(b, "b", Texts.of(columns), f"{spec.name}:1: has no column")
    names = [columns[position] for position in wanted.tolist()]
    read = table.read(
        {corner: Kind.text, **dict.fromkeys(names, Kind.number)}, f"correct it; {layout}"
    )
    ids = read.texts[corner]
    check_ids(table, ids, f"; {layout}")
    rows = find_points(a, "a", ids, f"{spec.name}: has no row")
    distances = np.stack([read.numbers[name][rows] for name in names], axis=1)
    negative = np.argwhere(distances < 0.0)
    if len(negative):
        row, column = negative[0].tolist()
        raise InputError(
            f"{table.place(int(rows[row]))}: column {names[column]!r}: "
            f"the distance {distances[row, column]:.6g} is negative",
            hint="distances are 0 or more",
        )
    return distances


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
