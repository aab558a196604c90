"""One file and all that it is read for: opened once, its columns parsed together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Any, NamedTuple, cast

from clustcmp.backends import count_jobs, map_tasks
from clustcmp.errors import ClustcmpError, InputError
from clustcmp.model import PointSet, Texts
from clustcmp.notes import Note
from clustcmp.read.address import Address
from clustcmp.read.clusterings import build_clustering, build_points, check_ids
from clustcmp.read.columns import ColumnTypes, KnownColumns, TabularFile
from clustcmp.read.coordinates import CoordinateRoles, build_coordinates, find_coordinates
from clustcmp.read.evidence import Evidence
from clustcmp.read.formats import fetch, open_file
from clustcmp.read.joining import Reading, TableReading
from clustcmp.read.own import OwnColumns, find_own
from clustcmp.read.roles import Roles, expand, find_roles, note_left_out
from clustcmp.read.sizes import check_memory, check_unpacked
from clustcmp.settings import ReadSettings
from clustcmp.wording import say


class Role(Enum):
    """What a file is read for: `clusterings` allows path::*, one clustering for each column."""

    clustering = "clustering"
    clusterings = "clusterings"
    coordinates = "coordinates"
    distances = "distances"
    # The columns of a clustering's own file that may be coordinates, by name or as a table.
    own_names = "own names"
    own_coordinates = "own coordinates"


class Use(NamedTuple):
    """One thing that a file is read for; equal uses give the same result.

    The settings are those that matter for the role. `beside` are the addresses of the clusterings
    in the same file, whose columns are not coordinates.
    """

    address: Address
    role: Role
    settings: tuple[tuple[str, Any], ...]
    beside: tuple[Address, ...] = ()

    @property
    def has_header(self) -> bool | None:
        """Whether the first line names the columns, as far as the user says so."""
        if self.reading["no_header"]:
            return False
        return True if self.reading["header"] else None

    @property
    def reading(self) -> ReadSettings:
        """The settings by their keys."""
        return cast(ReadSettings, dict(self.settings))


# What a file gives for a use: clusterings, coordinates, its own columns of coordinates, the columns
# of distances, or an error.
Content = tuple[Reading, ...] | TableReading | OwnColumns | KnownColumns | ClustcmpError


# The points of a file by the columns of their ids and weights.
KnownPoints = dict[tuple[str | None, str | None], PointSet]


class Selection(NamedTuple):
    """The columns of one use: those of each clustering by its address, or those of coordinates.

    The notes are for the first of the clusterings.
    """

    clusterings: tuple[tuple[Address, Roles], ...] = ()
    notes: tuple[Note, ...] = ()
    coordinates: CoordinateRoles | None = None
    own: OwnColumns | None = None

    @property
    def types(self) -> ColumnTypes:
        """What each column is read as."""
        if self.coordinates is not None:
            return self.coordinates.types
        return {name: kind for _, roles in self.clusterings for name, kind in roles.types.items()}


def read_uses(uses: Sequence[Use]) -> dict[Use, Content]:
    """What one file gives for each use; an error of one use leaves the others alone."""
    address = uses[0].address
    limits = {use: use.reading["max_bytes"] for use in uses}
    contents: dict[Use, Content] = {}
    try:
        data = fetch(address, max(limits.values()))
        check_unpacked(address, data)
    except ClustcmpError as error:
        return dict.fromkeys(uses, error)
    ways = {use: (use.has_header, use.address.header, limits[use]) for use in uses}
    for has_header, said, max_bytes in dict.fromkeys(ways.values()):
        alike = [use for use in uses if ways[use] == (has_header, said, max_bytes)]
        try:
            file = open_file(replace(address, header=said), data, has_header, max_bytes)
        except ClustcmpError as error:
            contents |= dict.fromkeys(alike, error)
        else:
            contents |= take_uses(file, alike)
    return contents


def take_uses(file: TabularFile, uses: Sequence[Use]) -> dict[Use, Content]:
    """What a file gives for each use, its columns read together where that is possible."""
    contents: dict[Use, Content] = {}
    selections: dict[Use, Selection] = {}
    evidence = Evidence(KnownColumns(file))
    known = evidence.known
    for use in uses:
        try:
            if use.role is Role.distances:
                # The ids of the clusterings say which columns are wanted, so they are read later.
                contents[use] = known
            else:
                selections[use] = select_columns(evidence, use)
        except ClustcmpError as error:
            contents[use] = error
    if len(selections) > 1:
        read_together(known, [selection.types for selection in selections.values()])
    points: KnownPoints = {}
    for use, selection in selections.items():
        try:
            contents[use] = build(known, use, selection, points)
        except ClustcmpError as error:
            contents[use] = error
    return contents


def select_columns(evidence: Evidence, use: Use) -> Selection:
    """The columns that a use needs."""
    id_for_all = use.reading["id"]
    find = partial(find_roles, evidence, id_for_all=id_for_all)
    if use.role in (Role.coordinates, Role.own_names, Role.own_coordinates):
        columns = [one for address in use.beside for one in expand(evidence, address, id_for_all)]
        beside = [*map(find, columns)]
        if use.role is Role.coordinates:
            found = find_coordinates(evidence, use.address, beside, id_for_all)
            return Selection(coordinates=found)
        own = find_own(evidence, use.address, beside)
        if use.role is Role.own_names or not own.are_all:
            return Selection(own=own)
        found = find_coordinates(evidence, own.address, beside, id_for_all, are_chosen=False)
        return Selection(coordinates=found, own=own)
    addresses = expand(evidence, use.address, id_for_all)
    if len(addresses) > 1 and use.role is Role.clustering:
        raise InputError(
            f"{use.address.text!r} names {len(addresses)} clusterings, but one is needed here",
            hint=f"name one of them, such as {addresses[0].text}",
        )
    notes = note_left_out(evidence, use.address, id_for_all)
    return Selection(tuple((address, find(address)) for address in addresses), tuple(notes))


def read_together(known: KnownColumns, wanted: Sequence[ColumnTypes]) -> None:
    """Read the columns of several uses at once, unless one of them has an error."""
    try:
        known.read_together(wanted)
    except ClustcmpError:
        # Each use then reads its own columns, so that only the faulty ones have an error.
        return


def build_table(known: KnownColumns, address: Address, roles: CoordinateRoles) -> TableReading:
    """The coordinates at an address, with the columns that could be ids."""
    name = "-" if address.is_stdin else address.name
    columns = known.read(roles.types, f"correct it, or leave the column out with {name}::x,y")
    if roles.id is not None:
        check_ids(known.file, columns.texts[roles.id])
    table = build_coordinates(address, roles, columns)
    return TableReading(table, {one: columns.texts[one] for one in roles.candidates})


def find_fault(file: TabularFile, ids: Texts) -> InputError | None:
    """The error for ids that do not name each point once."""
    try:
        check_ids(
            file, ids, f", name another id column with ::id=NAME, or say {say('by_position')}"
        )
    except InputError as error:
        return error
    return None


def build(
    known: KnownColumns, use: Use, selection: Selection, points: KnownPoints
) -> tuple[Reading, ...] | TableReading | OwnColumns:
    """The clusterings or the coordinates of a use; equal id columns give one point set."""
    # On stdin a column is named after the dash.
    file, name = known.file, "-" if use.address.is_stdin else use.address.name
    if selection.own is not None and selection.coordinates is None:
        return selection.own
    if selection.coordinates is not None:
        table = build_table(known, use.address, selection.coordinates)
        return table if selection.own is None else selection.own._replace(reading=table)
    advice = f"if a column holds labels, name it with {name}::COLUMN"
    known.read(selection.types, advice)
    is_said = use.reading["id"] is not None or use.address.id is not None
    readings: list[Reading] = []
    for address, found in selection.clusterings:
        # A column may be labels for one clustering and texts that could be ids for another.
        columns = known.read(found.types, advice)
        key = found.id, found.weights
        if key not in points:
            points[key] = build_points(file, found, columns)
        one = build_clustering(file, address, found, columns, points[key], use.reading)
        if not readings:
            one = replace(one, notes=(*selection.notes, *one.notes))
        candidates = {one: columns.texts[one] for one in found.candidates}
        fault = None if found.faulty is None else find_fault(file, columns.texts[found.faulty])
        readings.append(
            Reading(
                one,
                candidates,
                id_is_said=is_said,
                fault=fault,
                unused=found.unused,
                file_key=use.address.file_key,
                is_partial=file.is_partial,
            )
        )
    return tuple(readings)


class FileTask(NamedTuple):
    """The uses of one file; an error in a decisive one ends the reading of all files."""

    uses: tuple[Use, ...]
    decisive: tuple[Use, ...]


def read_file(task: FileTask) -> dict[Use, Content]:
    """What a file gives for each use, or the error of a decisive one."""
    contents = read_uses(task.uses)
    for use in task.decisive:
        content = contents[use]
        if isinstance(content, ClustcmpError):
            raise content
    return contents


def read_files(tasks: Sequence[FileTask], jobs: int | None) -> list[dict[Use, Content]]:
    """What each file gives, several read at the same time, if all fit in the free memory."""
    check_memory(task.uses[0].address for task in tasks)
    # At least two threads: if both inputs are pipes of one program, reading them in turn can
    # deadlock.
    return map_tasks(read_file, tasks, max(2, count_jobs(jobs)), stays=True)
