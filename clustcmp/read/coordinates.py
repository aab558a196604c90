"""Where points are: the coordinates in a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from clustcmp.errors import InputError, show_names
from clustcmp.model import CoordinateTable
from clustcmp.read.address import Address
from clustcmp.read.columns import Columns, ColumnType, ColumnTypes, TabularFile
from clustcmp.read.roles import Roles, find_id, no_column, other_columns


class CoordinateRoles(NamedTuple):
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
