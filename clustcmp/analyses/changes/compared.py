"""One side of a comparison as plain data, without coordinates and distances."""

from __future__ import annotations

from dataclasses import dataclass, replace

from clustcmp.arrays import Integers
from clustcmp.model import Clustering, Comparison
from clustcmp.model.texts import Texts


@dataclass(frozen=True, eq=False)
class Compared:
    """A clustering as it was given and as it was compared, both without coordinates.

    Point i of `clustering` is row `rows[i]` of `given`. The points that both sides of a comparison
    have come first, in the same order on both sides.
    """

    clustering: Clustering
    given: Clustering
    rows: Integers

    @property
    def names(self) -> Texts:
        """The names of the compared clusters, by their codes."""
        return self.clustering.names


def both_sides(comparison: Comparison) -> tuple[Compared, Compared]:
    """The two sides of a comparison."""
    sides = zip((comparison.a, comparison.b), comparison.given, comparison.rows, strict=True)
    a, b = (
        Compared(without_coordinates(clustering), without_coordinates(given), rows)
        for clustering, given, rows in sides
    )
    return a, b


def without_coordinates(clustering: Clustering) -> Clustering:
    """The same clustering of points whose coordinates are not known."""
    return replace(clustering, points=replace(clustering.points, coordinates=None))
