"""Where points are: the coordinates in a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from clustcmp.arrays import Floats
from clustcmp.errors import InputError, show_names
from clustcmp.model import CoordinateTable
from clustcmp.notes import Note
from clustcmp.read.address import Address
from clustcmp.read.columns import Columns, ColumnType, ColumnTypes
from clustcmp.read.evidence import Evidence
from clustcmp.read.roles import (
    ID,
    LABELS,
    Roles,
    named_id,
    no_column,
    other_columns,
)


class CoordinateRoles(NamedTuple):
    """The columns of coordinates in a file: the ids, if there are any, and the numbers.

    `candidates` are columns that could be ids, where the file alone does not tell which are. Some
    of them may be numbers as well.
    """

    id: str | None
    names: tuple[str, ...]
    candidates: tuple[str, ...] = ()

    @property
    def types(self) -> ColumnTypes:
        """What each column is read as; the candidates are read before."""
        types = dict.fromkeys(self.names, ColumnType.number)
        if self.id is not None:
            types[self.id] = ColumnType.text
        return types


def find_coordinates(
    evidence: Evidence,
    address: Address,
    beside: Sequence[Roles],
    id_for_all: str | None = None,
    are_chosen: bool = True,
) -> CoordinateRoles:
    """The columns of the coordinates at an address, which the user may have chosen.

    Columns of the clusterings that are read from the same file are not coordinates; `beside` are
    the roles of these columns. `id_for_all` is the id column that the user named for all files.
    """
    file = evidence.file
    said = address.id if address.id is not None else id_for_all
    arrays = file.arrays
    for name in (*address.columns, said):
        if name is not None and name not in file.header and name not in arrays:
            raise no_column(file, name)
    check_choice(evidence, address)
    known = [roles.id for roles in beside if roles.id is not None]
    point_id = said if said is not None else next(iter(known), named_id(evidence))
    if point_id is not None and point_id in address.columns:
        raise InputError(
            f"{file.name}: column {point_id!r} cannot be both id and coordinate",
            hint=f"leave it out; the columns are {show_names(file.header)}",
        )
    candidates: list[str] = []
    chosen = address.columns if are_chosen else ()
    if not point_id:
        # The ids of labels may be in a column with a name, beside a first one without.
        possible = evidence.possible_ids({})
        candidates = [name for name in possible if name and name not in chosen]
    names = tuple(
        column
        for name in address.columns
        for column in ((name,) if name in file.header else arrays[name])
    )
    names = names or find_numbers(evidence, point_id, candidates, beside)
    return CoordinateRoles(point_id, names, tuple(candidates))


def check_choice(evidence: Evidence, address: Address) -> None:
    """Refuse columns that nobody chose in a file whose coordinates are in arrays beside them."""
    file = evidence.file
    beside = [name for name, columns in file.arrays.items() if columns[0] not in file.header]
    if beside and not address.columns:
        raise InputError(
            f"{file.name}: which coordinates? It has {show_names(beside)}",
            hint=f"choose some: {address.path}::{beside[0]}",
        )


def find_numbers(
    evidence: Evidence, point_id: str | None, candidates: Sequence[str], beside: Sequence[Roles]
) -> tuple[str, ...]:
    """All columns that are neither ids nor part of a clustering."""
    file = evidence.file
    taken = {name for roles in beside for name in roles.used}
    names = tuple(
        name
        for name in other_columns(file, point_id)
        if name not in taken
        and name.lower() not in (ID, *LABELS)
        and not (name in candidates and evidence.sample.has_text(name))
    )
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
    notes = () if address.columns else note_whole_numbers(address, roles.names, coordinates)
    return CoordinateTable(address.name, roles.names, coordinates, ids, True, notes)


def note_whole_numbers(
    address: Address, names: Sequence[str], coordinates: Floats
) -> tuple[Note, ...]:
    """A note on columns of whole numbers beside others that are not: they may be labels."""
    is_whole = (coordinates == np.rint(coordinates)).all(axis=0)
    if is_whole.all() or not is_whole.any():
        return ()
    whole = [name for name, one in zip(names, is_whole, strict=True) if one]
    others = [name for name, one in zip(names, is_whole, strict=True) if not one]
    path = "-" if address.is_stdin else address.path
    text = (
        f"{show_names(whole)} {'is' if len(whole) == 1 else 'are'} whole numbers, unlike the other "
        f"coordinates; if these are labels, leave them out: {path}::{','.join(others)}"
    )
    return (Note(text, address.name),)
