"""The sides of a comparison as plain columns, which a report can keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Floats, Integers, Masses
from clustcmp.model.clustering import Clustering
from clustcmp.model.comparison import Comparison, Coverage, Side
from clustcmp.model.contingency import Contingency
from clustcmp.model.membership import Counted, Hard, Membership, Soft
from clustcmp.model.origin import Origin
from clustcmp.model.points import PointSet
from clustcmp.model.texts import Texts
from clustcmp.records import Label


class SideColumns(NamedTuple):
    """The points of a clustering as they were compared, and as they were given.

    `names` and `masses` are those of the compared clusters, by their codes. `membership` holds the
    codes (n,) of the compared points or, if the side is soft, their degrees (n, k). The points that
    both sides have come first, in the same order on both sides. Point i was row `rows[i]` of the
    codes or degrees in `given`, for clusters that are called `given_names`; `ids` are the ids of
    all rows that were given, if there are ids. `origin` knows what labels and ids were in Python.
    """

    names: Texts
    masses: Masses
    membership: npt.NDArray[Any]
    rows: Integers
    given: npt.NDArray[Any]
    given_names: Texts
    ids: Texts | None
    origin: Origin | None = None

    @property
    def is_counted(self) -> bool:
        """Whether only the sizes of the clusters are known, and no single point."""
        return len(self.membership) == 0

    @property
    def given_is_hard(self) -> bool:
        """Whether one cluster was given for each point, and not degrees."""
        return self.given.ndim == 1

    @property
    def index(self) -> Any:
        """The ids of all rows as Python gave them, or None."""
        return None if self.origin is None else self.origin.index

    def label(self, code: int) -> Label:
        """The label of a compared cluster, of the type that it had in Python."""
        return give_back(self.origin, self.names[code])

    def labels(self, codes: Integers | None = None) -> list[Label]:
        """The labels of some compared clusters or of all, of the types that they had in Python."""
        names = self.names if codes is None else self.names.take(codes)
        return [give_back(self.origin, name) for name in names.tolist()]


def both_sides(comparison: Comparison) -> tuple[SideColumns, SideColumns]:
    """The columns of the two sides of a comparison; nothing is copied."""
    if comparison.is_counted:
        return counted_side(comparison.a), counted_side(comparison.b)
    sides = zip((comparison.a, comparison.b), comparison.rows, comparison.given, strict=True)
    a, b = (
        SideColumns(
            clustering.names,
            clustering.masses,
            clustering.membership.array,
            rows,
            given.membership.array,
            given.names,
            given.points.ids,
            given.origin,
        )
        for clustering, rows, given in sides
    )
    return a, b


def counted_side(clustering: Clustering) -> SideColumns:
    """The columns of a side of which only the sizes of the clusters are known."""
    names, masses, nothing = clustering.names, clustering.masses, np.empty(0, dtype=np.int64)
    return SideColumns(names, masses, nothing, nothing, nothing, names, None)


def give_back(origin: Origin | None, name: str) -> Label:
    """A label of the type that it had in Python; a label of a file is a text."""
    return name if origin is None else origin.label(name)


class Forgotten:
    """What a report keeps for its page alone: a pickled report does not have it."""

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        return type(None), ()


@dataclass(frozen=True, eq=False)
class Places(Forgotten):
    """The coordinates of the compared points of a and of b, or the distances between them."""

    a: Floats | None = None
    b: Floats | None = None
    distances: Floats | None = None

    @classmethod
    def of(cls, comparison: Comparison) -> Places:
        """Where the points of a comparison are; nothing is copied."""
        a, b = (side.points.coordinates for side in (comparison.a, comparison.b))
        return cls(a, b, comparison.distances)

    @property
    def both(self) -> tuple[Floats, Floats] | None:
        """The coordinates of both sides, if they are known and of the same space."""
        if self.a is None or self.b is None or self.a.shape[1] != self.b.shape[1]:
            return None
        return self.a, self.b


@dataclass(frozen=True, eq=False)
class Kept(Forgotten):
    """What a report keeps of a comparison, so that its page can show points and flows.

    `counts` is the contingency where nothing else is known.
    """

    a: SideColumns
    b: SideColumns
    places: Places
    difference: str = ""
    counts: Contingency | None = None

    @classmethod
    def of(cls, comparison: Comparison) -> Kept:
        """What to keep of a comparison; nothing is copied."""
        counts = comparison.contingency if comparison.is_counted else None
        a, b = both_sides(comparison)
        return cls(a, b, Places.of(comparison), comparison.difference, counts)

    def restore(self, sides: tuple[Side, Side], coverage: Coverage) -> Comparison:
        """The comparison again, as far as its points and their clusters go."""
        a = as_clustering(self.a, self.places.a)
        b = as_clustering(self.b, self.places.b)
        distances = self.places.distances
        found = Comparison(a, b, sides, coverage, self.difference, distances=distances)
        return found if self.counts is None else found.with_table(self.counts)


def as_clustering(side: SideColumns, coordinates: Floats | None) -> Clustering:
    """The clustering whose columns these are, without the ids of its points."""
    membership: Membership
    if side.is_counted:
        membership = Counted(side.masses)
    elif side.membership.ndim == 1:
        membership = Hard(side.membership, len(side.names))
    else:
        membership = Soft(side.membership)
    points = PointSet(membership.n_points, None, coordinates)
    return Clustering(points, membership, side.names)
