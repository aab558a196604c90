"""Points with weights as so many points, for metrics that look at pairs of single points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from clustcmp.arrays import Integers
from clustcmp.errors import LimitExceeded
from clustcmp.model import Clustering, Comparison, PointSet

# The distances between so many points take hours.
MOST_REPEATED = 1_000_000


def repeat_rows(clustering: Clustering) -> Integers | None:
    """Each row as often as its point counts; None if each counts once."""
    points = clustering.points
    if points.weights is None:
        return None
    if points.mass > MOST_REPEATED:
        raise LimitExceeded(
            f"distances between {int(points.mass):,} points, by their weights, are too many",
            hint="divide all weights by a number, or leave them out",
        )
    return np.repeat(np.arange(points.size), points.weights.astype(np.int64))


def repeat_points(comparison: Comparison) -> Comparison:
    """The comparison of points that are repeated as often as they count, without weights."""
    rows_a, rows_b = repeat_rows(comparison.a), repeat_rows(comparison.b)
    if rows_a is None or rows_b is None:
        return comparison
    distances = comparison.distances
    return replace(
        comparison,
        a=repeat(comparison.a, rows_a),
        b=repeat(comparison.b, rows_b),
        distances=None if distances is None else distances[np.ix_(rows_a, rows_b)],
    )


def repeat(clustering: Clustering, rows: Integers) -> Clustering:
    """The clustering of some rows, which may be there several times; they have no ids."""
    coordinates = clustering.points.coordinates
    located = None if coordinates is None else coordinates[rows]
    points = PointSet(len(rows), None, located)
    return replace(clustering, points=points, membership=clustering.membership.take(rows))
