"""The coordinates of several clusterings, each joined to its points once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clustcmp.align.form import order_points
from clustcmp.align.locate import Location, locate, note_location, order_tables, relocate
from clustcmp.align.rows import Alignment
from clustcmp.arrays import NONE, Floats, Integers
from clustcmp.model import Clustering, CoordinateTable
from clustcmp.model.once import ComputesOnce
from clustcmp.notes import Note

# The coordinates of the points of a and of b.
Both = tuple[Floats | None, Floats | None]


@dataclass(frozen=True, eq=False)
class Locations(ComputesOnce):
    """Where the points of several clusterings are, by no table, one for all, or one for each.

    `groups` has for each clustering the first one with the same ids, NONE without ids. Clusterings
    of the same points at the same rows of a table share one array of coordinates.
    """

    clusterings: tuple[Clustering, ...]
    titles: tuple[str, ...]
    tables: tuple[CoordinateTable, ...]
    groups: tuple[int, ...]

    @cached_property
    def ordered(self) -> list[tuple[CoordinateTable, tuple[Note, ...]]]:
        """The tables with their columns in one order, and notes about the columns."""
        return order_tables(self.tables)

    @cached_property
    def may_guide(self) -> bool:
        """Whether one table has ids, and only some of the clusterings do."""
        has_ids = {group != NONE for group in self.groups}
        return len(self.tables) == 1 and self.tables[0].ids is not None and len(has_ids) == 2

    def guide(self, a: int, b: int) -> int | None:
        """The clustering with ids, if the other has none and borrows its coordinates.

        The rows of a and b are compared by position if only one of them has ids. Then each row
        without an id has the coordinates of the row that it is compared with.
        """
        if not self.may_guide:
            return None
        has_ids = [self.groups[one] != NONE for one in (a, b)]
        same_size = self.clusterings[a].points.size == self.clusterings[b].points.size
        if has_ids[0] == has_ids[1] or not same_size:
            return None
        return a if has_ids[0] else b

    def notes(self, index: int, is_clear: bool) -> tuple[Note, ...]:
        """What there is to note about the coordinates of one clustering.

        Nothing is noted about the way in which they are joined if that is clear.
        """
        if not self.tables:
            return ()
        table, notes = self.ordered[index if len(self.tables) > 1 else 0]
        own = () if is_clear else note_location(self.clusterings[index], table)
        return (*own, *table.notes, *notes)

    def columns(self, index: int) -> tuple[str, ...]:
        """The names of the coordinates of one clustering; numbers where they have no names."""
        if self.tables:
            return self.tables[index if len(self.tables) > 1 else 0].names
        own = self.clusterings[index].points.coordinates
        return () if own is None else tuple(map(str, range(own.shape[1])))

    def of_all(self, index: int, by_id: bool) -> Floats | None:
        """The coordinates of all points of one clustering, in the order of its canonical form."""
        return self.once(find_all, index, by_id)

    def of_both(self, a: int, b: int, alignment: Alignment) -> Both:
        """The coordinates of the compared points of two clusterings."""
        guide = self.guide(a, b)
        one, two = (a, b) if guide is None else (guide, guide)
        if alignment.is_whole:
            return self.of_all(one, alignment.by_id), self.of_all(two, alignment.by_id)
        here, there = self.find(one), self.find(two)
        if here is None or there is None:
            return take(here, alignment.rows_a), take(there, alignment.rows_b)
        rows_a, rows_b = here.find(alignment.rows_a), there.find(alignment.rows_b)
        coordinates = here.coordinates[rows_a]
        if here.coordinates is there.coordinates and np.array_equal(rows_a, rows_b):
            return coordinates, coordinates
        return coordinates, there.coordinates[rows_b]

    def find(self, index: int) -> Location | None:
        """Where the points of one clustering are, if that is known."""
        return self.once(find_location, index)


def take(location: Location | None, points: Integers) -> Floats | None:
    """The coordinates of some points, if their location is known."""
    return None if location is None else location.take(points)


def find_location(locations: Locations, index: int) -> Location | None:
    """Where the points of one clustering are; found by those of another one with the same ids."""
    clustering = locations.clusterings[index]
    if not locations.tables:
        own = clustering.points.coordinates
        return None if own is None else Location(np.ascontiguousarray(own))
    table, _ = locations.ordered[index if len(locations.tables) > 1 else 0]
    first = locations.groups[index]
    if len(locations.tables) == 1 and table.ids is not None and first not in (NONE, index):
        found = locations.find(first)
        if found is not None:
            orders = (order_points(locations.clusterings[one]) for one in (first, index))
            return relocate(found, *orders)
    return locate(clustering, locations.titles[index], table)


def find_all(locations: Locations, index: int, by_id: bool) -> Floats | None:
    """The coordinates of all points, in the array of an earlier clustering if they are the same."""
    first = locations.groups[index]
    if by_id and first not in (NONE, index) and is_at_same_rows(locations, first, index):
        return locations.of_all(first, by_id)
    found = locations.find(index)
    if found is None or not by_id or first == NONE:
        return None if found is None else found.all
    return found.take(order_points(locations.clusterings[index]))


def is_at_same_rows(locations: Locations, first: int, index: int) -> bool:
    """Whether the points of two clusterings with the same ids are at the same rows of a table."""
    if len(locations.tables) == 1 and locations.tables[0].ids is not None:
        return True
    one, other = locations.find(first), locations.find(index)
    if one is None or other is None or one.coordinates is not other.coordinates:
        return False
    rows = one.find(order_points(locations.clusterings[first]))
    return np.array_equal(rows, other.find(order_points(locations.clusterings[index])))
