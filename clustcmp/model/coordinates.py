"""Tables of coordinates, and the points of a clustering among the ids of a table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustcmp.arrays import NONE, Floats, Integers
from clustcmp.errors import InputError
from clustcmp.model.clustering import Clustering
from clustcmp.model.texts import Texts, match
from clustcmp.notes import Note


@dataclass(frozen=True, eq=False)
class CoordinateTable:
    """Rows of coordinates (m, d) under the names of their columns, with ids if they have any."""

    title: str
    names: tuple[str, ...]
    coordinates: Floats
    ids: Texts | None = None
    is_file: bool = False
    notes: tuple[Note, ...] = ()


def known_coordinates(clustering: Clustering) -> Floats:
    """The coordinates (n, d) of the points, for a metric that only runs where there are some."""
    coordinates = clustering.points.coordinates
    if coordinates is None:
        raise ValueError("a metric that needs coordinates was called without coordinates")
    return coordinates


def find_points(clustering: Clustering, title: str, ids: Texts, missing: str) -> Integers:
    """The position of each point among the ids.

    The title is what messages call the clustering; `missing` begins the error about a point that
    is not among the ids.
    """
    points = clustering.points
    if points.ids is None:
        raise InputError(
            f"distances are looked up by id, but {title} has no ids",
            hint="give it an id column, or name one with ::id=NAME",
        )
    mine, theirs = match(points.ids, ids)
    positions = np.full(points.size, NONE)
    positions[mine] = theirs
    absent = np.flatnonzero(positions == NONE)
    if len(absent):
        more = f" and {len(absent) - 1} more" if len(absent) > 1 else ""
        raise InputError(
            f"{missing} for point {points.ids[int(absent[0])]!r} of {title}{more}",
            hint="add it, or leave the point out of the clustering"
            if len(mine)
            else "none of the points is there: check that both have the same kind of ids",
        )
    return positions
