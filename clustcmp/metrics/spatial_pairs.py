"""What pairs of points that a and b disagree on earn, by their distance."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.backends import allowed_jobs, map_tasks
from clustcmp.geometry import ground_distances, unit_of
from clustcmp.metrics.pair_distances import SIDE, WORTHWHILE
from clustcmp.metrics.repeating import repeat_points
from clustcmp.model import Comparison


class Earnings(NamedTuple):
    """Pairs of points, and sums of what they earn or miss.

    `joined_a` and `joined_b` are numbers of pairs that are together in a, and in b. Sums over all
    pairs: `all_joined` if each earned as one that b alone joins, `all_parted` as one that b alone
    parts. `lost_joined` and `lost_parted` are what such pairs miss of 1.
    """

    n_pairs: int
    joined_a: int
    joined_b: int
    all_joined: float
    all_parted: float
    lost_joined: float
    lost_parted: float


@dataclass(frozen=True, eq=False)
class Located:
    """The clusters of the points in a and in b, with coordinates (n, d) or distances (n, n)."""

    a: Integers
    b: Integers
    coordinates: Floats | None
    distances: Floats | None
    alpha: float
    decay: str

    def blocks(self, first: int) -> Iterator[tuple[slice, slice]]:
        """Squares on and above the diagonal, of one row of squares."""
        rows = slice(first, first + SIDE)
        for column in range(first, len(self.a), SIDE):
            yield rows, slice(column, column + SIDE)

    def between(self, rows: slice, columns: slice) -> Floats:
        """The distances between some points and others."""
        if self.distances is not None:
            both = self.distances[rows, columns] + self.distances[columns, rows].T
            return both / 2.0
        assert self.coordinates is not None
        return ground_distances(self.coordinates[rows], self.coordinates[columns], "euclidean")

    def earn(self, distances: Floats) -> tuple[Floats, Floats]:
        """What pairs earn that b alone joins, and that b alone parts."""
        if self.decay == "gaussian":
            near = np.exp(-np.square(distances))
            return self.alpha * near, self.alpha * (1.0 - near)
        near = np.exp(-distances)
        return self.alpha * near**4, self.alpha * (1.0 - near)


def sum_earnings(comparison: Comparison, alpha: float, decay: str, given: bool) -> Earnings:
    """The sums over all pairs, by coordinates or by the distances that are given."""
    comparison = repeat_points(comparison)
    coordinates = comparison.a.points.coordinates
    located = Located(
        comparison.a.membership.strongest(),
        comparison.b.membership.strongest(),
        None if given or coordinates is None else scaled(coordinates),
        comparison.distances if given else None,
        alpha,
        decay,
    )
    rows = range(0, len(located.a), SIDE)
    sums = map_tasks(
        partial(sum_rows, located),
        rows,
        allowed_jobs(),
        what="distances of all points",
        worthwhile=WORTHWHILE,
    )
    return Earnings(
        math.comb(len(located.a), 2),
        count_pairs(comparison.a.membership.masses),
        count_pairs(comparison.b.membership.masses),
        *(math.fsum(one) for one in zip(*sums, strict=True)),
    )


def count_pairs(masses: Integers) -> int:
    """The number of pairs of points of the same cluster."""
    return sum(math.comb(int(size), 2) for size in masses.tolist())


def scaled(coordinates: Floats) -> Floats:
    """Coordinates from 0 to 1 on each axis; an axis on which all points agree is 0."""
    within = coordinates / unit_of(coordinates)
    lowest = within.min(axis=0)
    span = within.max(axis=0) - lowest
    unit: Floats = np.divide(within - lowest, span, out=np.zeros_like(within), where=span > 0.0)
    return unit


def sum_rows(located: Located, first: int) -> tuple[float, ...]:
    """The four sums over the pairs of one row of squares."""
    sums = np.zeros(4)
    for rows, columns in located.blocks(first):
        joined, parted = located.earn(located.between(rows, columns))
        in_a = located.a[rows, None] == located.a[columns]
        in_b = located.b[rows, None] == located.b[columns]
        once = np.triu(np.ones(in_a.shape, dtype=np.bool_), 1) if rows == columns else True
        only_b, only_a = ~in_a & in_b & once, in_a & ~in_b & once
        sums += (
            joined.sum(where=once),
            parted.sum(where=once),
            (1.0 - joined).sum(where=only_b),
            (1.0 - parted).sum(where=only_a),
        )
    return tuple(sums.tolist())
