"""Clusterings that are compared with many others, each brought into order once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from clustcmp.align import align, dropped, restrict
from clustcmp.analyses.matrix.count import count_two, is_worthwhile, join_codes
from clustcmp.arrays import Codes, Floats
from clustcmp.errors import InputError
from clustcmp.model import Clustering, Comparison, Coverage, Described, Hard, PointSet
from clustcmp.model.contingency import Contingency
from clustcmp.model.texts import Texts, match
from clustcmp.read.coordinates import CoordinateTable, locate, locate_both
from clustcmp.settings import InputSettings

# A clustering, and whether its points stand in the order of their ids or as they were given.
Ordered = tuple[int, bool]


@dataclass(frozen=True, eq=False)
class Gathering:
    """Several clusterings under the same settings, with the title of each as its source.

    `comparison(i, j)` has the same values as `align` would give for these two. `table` is only
    there if each comparison has to find its own coordinates.
    """

    clusterings: tuple[Clustering, ...]
    settings: InputSettings
    jobs: int = 1
    table: CoordinateTable | None = None
    _laid: dict[Ordered, Clustering] = field(default_factory=dict, repr=False)
    _tidy: dict[Ordered, tuple[Clustering, Described]] = field(default_factory=dict, repr=False)
    _joined: dict[Ordered, Codes] = field(default_factory=dict, repr=False)
    _counted: dict[tuple[int, int, bool], Contingency] = field(default_factory=dict, repr=False)
    _places: dict[tuple[int, bool], Floats] = field(default_factory=dict, repr=False)

    @cached_property
    def groups(self) -> tuple[int, ...]:
        """For each clustering the first one that has the same ids; -1 without ids."""
        first: dict[int, Texts] = {}
        groups = []
        for index, clustering in enumerate(self.clusterings):
            ids = clustering.points.ids
            group = -1
            if ids is not None:
                alike = (one for one, others in first.items() if same_texts(others, ids))
                group = next(alike, index)
                first.setdefault(group, ids)
            groups.append(group)
        return tuple(groups)

    @cached_property
    def drops(self) -> tuple[bool, ...]:
        """Whether each clustering leaves out points."""
        policy = self.settings["noise_policy"]
        masks = (dropped(clustering, policy) for clustering in self.clusterings)
        return tuple(mask is not None and bool(mask.any()) for mask in masks)

    def comparison(self, a: int, b: int) -> Comparison:
        """The comparison of two of the clusterings, by the order that they share if they do."""
        one, two = self.clusterings[a], self.clusterings[b]
        by_id = self.groups[a] >= 0 and self.groups[b] >= 0
        shared = self.groups[a] == self.groups[b] if by_id else one.points.size == two.points.size
        if self.table is not None:
            return self._align(*locate_both(one, two, self.table))
        if not shared:
            return self._align(one, two)
        if self.drops[a] or self.drops[b]:
            return self._align(self._lay(a, by_id), self._lay(b, by_id))
        (tidy_a, side_a), (tidy_b, side_b) = self._tidied(a, by_id), self._tidied(b, by_id)
        sides = replace(side_a, name="a"), replace(side_b, name="b")
        coverage = Coverage(one.points.size, 0, 0)
        counted = self._count(a, b, by_id)
        return Comparison(tidy_a, tidy_b, sides, coverage, jobs=self.jobs, table=counted)

    def describe(self, index: int) -> Described:
        """A clustering by itself, without the points that it leaves out."""
        clustering, policy = self.clusterings[index], self.settings["noise_policy"]
        if self.drops[index]:
            mask = dropped(clustering, policy)
            rows = np.arange(clustering.points.size) if mask is None else np.flatnonzero(~mask)
            if not len(rows):
                raise InputError(
                    f"{clustering.title}: no points are left without noise and missing labels",
                    hint="choose another --noise-policy or --missing",
                )
            _, side = restrict(clustering, rows, policy, "a")
        else:
            _, side = self._tidied(index, self.groups[index] >= 0)
        return replace(side, name=clustering.source or "")

    def _count(self, a: int, b: int, by_id: bool) -> Contingency | None:
        """The contingency, if it was counted together with that of b's neighbour.

        Neighbours are 0 and 1, 2 and 3, and so on; the one that comes first counts for both.
        """
        if (found := self._counted.pop((a, b, by_id), None)) is not None:
            return found
        left, right = b & ~1, b | 1
        # Above the diagonal the right one comes next; that is all we know about what comes.
        if b != left or right == len(self.clusterings) or self.drops[right]:
            return None
        sizes = {self.clusterings[index].points.size for index in (left, right)}
        if self.groups[left] != self.groups[right] or len(sizes) > 1:
            return None
        one, two, three = (self._tidied(index, by_id)[0].membership for index in (a, left, right))
        if not (isinstance(one, Hard) and isinstance(two, Hard) and isinstance(three, Hard)):
            return None
        if not is_worthwhile(one, two, three):
            return None
        if (joined := self._joined.get((left, by_id))) is None:
            joined = self._joined[left, by_id] = join_codes(two, three)
        found, self._counted[a, right, by_id] = count_two(one, two, three, joined)
        return found

    def _align(self, a: Clustering, b: Clustering) -> Comparison:
        return align(a, b, self.settings, None, self.jobs)

    def _lay(self, index: int, by_id: bool) -> Clustering:
        """The clustering with its points in the order in which they are compared."""
        if (laid := self._laid.get((index, by_id))) is None:
            laid = self._reorder(index, by_id)
            # Where it leaves out points, each comparison begins here.
            if any(self.drops):
                self._laid[index, by_id] = laid
        return laid

    def _reorder(self, index: int, by_id: bool) -> Clustering:
        clustering = self.clusterings[index]
        points, membership = clustering.points, clustering.membership
        coordinates = points.coordinates
        if by_id and points.ids is not None:
            order = points.ids.ranking.order
            membership = membership.take(order)
            coordinates = None if coordinates is None else coordinates[order]
        laid = PointSet(points.size, None, self._share(coordinates, index, by_id))
        return replace(clustering, points=laid, membership=membership)

    def _tidied(self, index: int, by_id: bool) -> tuple[Clustering, Described]:
        """The clustering as `align` leaves it, with every cluster in its place."""
        if (found := self._tidy.get((index, by_id))) is None:
            laid = self._lay(index, by_id)
            rows = np.arange(laid.points.size)
            tidy, side = restrict(laid, rows, self.settings["noise_policy"], "a")
            points = replace(tidy.points, coordinates=laid.points.coordinates)
            found = self._tidy[index, by_id] = replace(tidy, points=points), side
        return found

    def _share(self, coordinates: Floats | None, index: int, by_id: bool) -> Floats | None:
        """The coordinates, in the one copy that all clusterings of the same points share."""
        if coordinates is None:
            return None
        held = self._places.setdefault((self.groups[index], by_id), coordinates)
        return held if np.array_equal(held, coordinates) else coordinates


def same_texts(some: Texts, others: Texts) -> bool:
    """Whether both hold the same texts, in any order."""
    return some is others or (len(some) == len(others) and len(match(some, others)[0]) == len(some))


def find_places(
    clusterings: Iterable[Clustering], table: CoordinateTable | None
) -> tuple[tuple[Clustering, ...], CoordinateTable | None]:
    """The clusterings with coordinates, or the table where each comparison has to look itself.

    Where some have ids and others do not, a row without an id is where its counterpart is.
    """
    given = tuple(clusterings)
    has_ids = {clustering.points.ids is not None for clustering in given}
    if table is None or (table.ids is not None and len(has_ids) > 1):
        return given, table
    return tuple(locate(clustering, clustering.title, table) for clustering in given), None
