"""One file and all that it is read for: opened once, its columns parsed together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple, cast

from clustcmp.errors import ClustcmpError
from clustcmp.model import Clustering, CoordinateTable, PointSet
from clustcmp.read import source
from clustcmp.read.address import Address
from clustcmp.read.clusterings import build_clustering, build_points, check_ids
from clustcmp.read.columns import ColumnTypes, KnownColumns, TabularFile
from clustcmp.read.coordinates import CoordinateRoles, build_coordinates, find_coordinates
from clustcmp.read.formats import open_file
from clustcmp.read.roles import Roles, expand, find_roles
from clustcmp.settings import InputSettings


class Role(Enum):
    """What a file is read for: `clusterings` allows path::*, one clustering for each column."""

    clustering = "clustering"
    clusterings = "clusterings"
    coordinates = "coordinates"
    distances = "distances"


@dataclass(frozen=True)
class Use:
    """One thing that a file is read for; equal uses give the same result.

    The settings are those that matter for the role. `beside` are the addresses of the clusterings
    in the same file, whose columns are not coordinates.
    """

    address: Address
    role: Role
    settings: tuple[tuple[str, Any], ...]
    beside: tuple[Address, ...] = ()

    @property
    def reading(self) -> InputSettings:
        """The settings by their keys."""
        return cast(InputSettings, dict(self.settings))


# What a file gives for a use: clusterings, coordinates, the columns of distances, or an error.
Outcome = tuple[Clustering, ...] | CoordinateTable | KnownColumns | ClustcmpError


class Plan(NamedTuple):
    """The columns of one use: those of each clustering by its address, or those of coordinates."""

    clusterings: tuple[tuple[Address, Roles], ...] = ()
    coordinates: CoordinateRoles | None = None

    @property
    def types(self) -> ColumnTypes:
        """What each column is read as."""
        if self.coordinates is not None:
            return self.coordinates.types
        return {name: kind for _, roles in self.clusterings for name, kind in roles.types.items()}


def read_uses(uses: Sequence[Use]) -> dict[Use, Outcome]:
    """What one file gives for each use; an error of one use leaves the others alone."""
    address = uses[0].address
    limits = {use: use.reading["max_bytes"] for use in uses}
    outcomes: dict[Use, Outcome] = {}
    try:
        data = source.load(address, max(limits.values()))
    except ClustcmpError as error:
        return dict.fromkeys(uses, error)
    for no_header in dict.fromkeys(use.reading["no_header"] for use in uses):
        alike = [use for use in uses if use.reading["no_header"] == no_header]
        fitting = [use for use in alike if len(data) <= limits[use]]
        outcomes |= {
            use: source.too_large(address, limits[use]) for use in alike if use not in fitting
        }
        try:
            file = open_file(address, data, not no_header)
        except ClustcmpError as error:
            outcomes |= dict.fromkeys(fitting, error)
        else:
            outcomes |= take_uses(file, fitting)
    return outcomes


def take_uses(file: TabularFile, uses: Sequence[Use]) -> dict[Use, Outcome]:
    """What a file gives for each use, its columns read together where that is possible."""
    outcomes: dict[Use, Outcome] = {}
    plans: dict[Use, Plan] = {}
    known = KnownColumns(file)
    for use in uses:
        try:
            if use.role is Role.distances:
                # The ids of the clusterings say which columns are wanted, so they are read later.
                outcomes[use] = known
            else:
                plans[use] = make_plan(file, use)
        except ClustcmpError as error:
            outcomes[use] = error
    if len(plans) > 1:
        read_together(known, [plan.types for plan in plans.values()])
    points: dict[str | None, PointSet] = {}
    for use, plan in plans.items():
        try:
            outcomes[use] = build(known, use, plan, points)
        except ClustcmpError as error:
            outcomes[use] = error
    return outcomes


def make_plan(file: TabularFile, use: Use) -> Plan:
    """The columns that a use needs."""
    if use.role is Role.coordinates:
        columns = [one for address in use.beside for one in expand(file, address)]
        roles = [find_roles(file, address) for address in columns]
        return Plan(coordinates=find_coordinates(file, use.address, roles))
    addresses = expand(file, use.address) if use.role is Role.clusterings else [use.address]
    return Plan(tuple((address, find_roles(file, address)) for address in addresses))


def read_together(known: KnownColumns, wanted: Sequence[ColumnTypes]) -> None:
    """Read the columns of several uses at once, unless one of them has an error."""
    try:
        known.read_together(wanted)
    except ClustcmpError:
        # Each use then reads its own columns, so that only the faulty ones have an error.
        return


def build(
    known: KnownColumns, use: Use, plan: Plan, points: dict[str | None, PointSet]
) -> tuple[Clustering, ...] | CoordinateTable:
    """The clusterings or the coordinates of a use; equal id columns give one point set."""
    # On stdin a column is named after the dash.
    file, name = known.file, "-" if use.address.is_stdin else use.address.name
    if plan.coordinates is not None:
        advice = f"correct it, or leave the column out with {name}::x,y"
        columns = known.read(plan.types, advice)
        if plan.coordinates.id is not None:
            check_ids(file, columns.texts[plan.coordinates.id])
        return build_coordinates(use.address, plan.coordinates, columns)
    columns = known.read(plan.types, f"if a column holds labels, name it with {name}::COLUMN")
    clusterings = []
    for address, roles in plan.clusterings:
        if roles.id not in points:
            points[roles.id] = build_points(file, roles, columns)
        one = build_clustering(file, address, roles, columns, points[roles.id], use.reading)
        clusterings.append(one)
    return tuple(clusterings)
