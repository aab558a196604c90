"""The contingency table: the mass that each cluster of a shares with each cluster of b.

Cells without mass are not stored, so a million against a million small clusters takes no more
memory than the points themselves.
"""

from __future__ import annotations

import math
from dataclasses import InitVar, dataclass
from typing import Any

import numpy as np

from clustcmp.arrays import SAME_MASS, WHOLE, Codes, Floats, Integers, Masses, is_array, show_type
from clustcmp.errors import InputError
from clustcmp.model.membership import COUNT_BLOCK, Hard, Membership, Soft, count_weights
from clustcmp.model.once import ComputesOnce
from clustcmp.model.points import LARGEST_TOTAL, are_whole

# Up to this many cells a table of counters is faster than sorting the points. Their numbers fit 32
# bits, which numpy multiplies faster than 64.
DENSE_CELLS = 1 << 22

# Points whose degrees are summed at a time. The number is fixed, so that sums of degrees do not
# depend on the number of threads.
SUM_BLOCK = 1 << 12


@dataclass(frozen=True, eq=False)
class Contingency(ComputesOnce):
    """The cells with mass, row by row, the sums of rows and columns, and the sums over self-pairs.

    `masses[i]` is shared by cluster `rows[i]` of a and `columns[i]` of b; masses are whole numbers
    if both clusterings are hard. The chance that two draws of point i's cluster, by its degrees in
    a, agree is sum_k p_ik^2. `self_a` is the sum of these chances over the points, `self_b` the
    same sum for b, `self_both` the sum of the products of both chances. All three sums equal the
    `total` mass of the points if both clusterings are hard.

    Points may have weights. If all of these are whole numbers, the table is that of the points
    repeated so often. Otherwise the masses are shares of a whole (`has_masses`): pairs of points
    are drawn with replacement, so that no pair is left out as that of a point with itself, and the
    three sums over self-pairs are 0.

    `memberships` are the degrees, and `weights` the weights of the points, that a table of which a
    side is soft was summed from; None if both clusterings are hard.
    """

    rows: Integers
    columns: Integers
    masses: Masses
    masses_a: Masses
    masses_b: Masses
    total: float
    self_a: float
    self_b: float
    self_both: float
    trusted: InitVar[bool] = False
    memberships: tuple[Membership, Membership] | None = None
    weights: Floats | None = None

    def __post_init__(self, trusted: bool) -> None:
        # A table that was counted here is right, and a matrix of clusterings counts thousands.
        if not trusted:
            self._check()

    def _check(self) -> None:
        """Refuse cells that contradict each other or their margins."""
        self._check_shapes()
        if not len(self.masses) or not self.masses.min() > 0 or not np.isfinite(self.masses.sum()):
            raise InputError(
                "the contingency table has no cell with mass, or a mass is negative or not finite"
            )
        # The degrees of a soft point may miss 1 by as much as Soft allows.
        tolerance = SAME_MASS if self.is_hard else 2.0 * WHOLE
        for name, lines, expected in (
            ("row", self.rows, self.masses_a),
            ("column", self.columns, self.masses_b),
        ):
            if lines.min() < 0 or lines.max() >= len(expected):
                raise InputError(f"a {name} of the contingency table is out of range")
            sums = np.bincount(lines, weights=self.masses, minlength=len(expected))
            # np.allclose takes six times as long for a small table, and a matrix has many of these.
            if not (np.abs(sums - expected) <= tolerance * (1.0 + expected)).all():
                raise InputError(
                    f"the masses of a {name} of the contingency table do not sum to its margin"
                )

        cells = self.rows * len(self.masses_b) + self.columns
        if not (np.diff(cells) > 0).all():
            raise InputError(
                "a cell of the contingency table stands twice, or out of the order of its rows"
            )
        if not abs(self.masses_a.sum() - self.total) <= tolerance * self.total:
            raise InputError(
                f"the masses of the contingency table sum to {self.masses_a.sum():g}, not to "
                f"{self.total:g}"
            )

    def _check_shapes(self) -> None:
        """Refuse anything but arrays with a row, a column and a mass for each cell."""
        for lines in (self.rows, self.columns):
            if not is_array(lines, 1, np.integer) or len(lines) != len(self.masses):
                raise InputError(
                    f"the cells of a contingency table have row and column numbers, not "
                    f"{show_type(lines)}"
                )

    @classmethod
    def of(cls, table: Any) -> Contingency:
        """The contingency in a table (k_a, k_b) of counted points, such as a pandas crosstab.

        Rows are clusters of a, columns clusters of b; those without points are left out.
        """
        dense = np.asarray(table)
        if not is_array(dense, 2, np.integer, np.floating, np.bool_):
            raise InputError(f"a contingency table is a matrix of counts, not {show_type(dense)}")
        if not np.isfinite(dense).all() or (dense < 0).any() or (dense != np.floor(dense)).any():
            raise InputError("the counts of a contingency table are whole numbers, at least 0")
        if float(dense.sum(dtype=np.float64)) >= LARGEST_TOTAL:
            raise InputError(f"the contingency table counts {LARGEST_TOTAL:g} points or more")
        counts = dense.astype(np.int64)
        counts = counts[counts.any(axis=1)][:, counts.any(axis=0)]
        rows, columns = np.nonzero(counts)
        masses_a, masses_b = counts.sum(axis=1), counts.sum(axis=0)
        total = int(masses_a.sum())
        return cls.counted(rows, columns, counts[rows, columns], masses_a, masses_b, total)

    @classmethod
    def counted(
        cls,
        rows: Integers,
        columns: Integers,
        counts: Masses,
        masses_a: Masses,
        masses_b: Masses,
        total: int,
        trusted: bool = False,
    ) -> Contingency:
        """The contingency of two hard clusterings, given the cells with their counts of points."""
        mass = float(total)
        return cls(rows, columns, counts, masses_a, masses_b, total, mass, mass, mass, trusted)

    @property
    def is_hard(self) -> bool:
        """Whether all masses are counts."""
        return self.masses.dtype == np.int64

    @property
    def has_masses(self) -> bool:
        """Whether points have weights that are not counts, so that only shares matter."""
        return self.self_both == 0.0

    @property
    def n_points(self) -> int:
        """The number of points: the total of a table whose masses are counts."""
        return int(self.total)

    @property
    def n_a(self) -> int:
        """The number of clusters of a."""
        return len(self.masses_a)

    @property
    def n_b(self) -> int:
        """The number of clusters of b."""
        return len(self.masses_b)

    @property
    def one_to_one(self) -> bool:
        """Whether each cluster of a shares points with one cluster of b only, and vice versa."""
        return len(self.masses) == len(self.masses_a) == len(self.masses_b)


def count_table(a: Membership, b: Membership, weights: Floats | None = None) -> Contingency:
    """The contingency of two clusterings of the same points, in the same order.

    The weights (n,) are the masses of the points, above 0; without them each point has the mass 1.
    """
    if not isinstance(a, Hard) or not isinstance(b, Hard):
        return sum_soft(a, b, weights)
    if weights is None:
        return count_codes(a.codes, b.codes, a.masses, b.masses)
    return weigh_codes(a, b, weights)


def weigh_codes(a: Hard, b: Hard, weights: Floats) -> Contingency:
    """The contingency of weighted points in two hard clusterings."""
    cells = np.multiply(a.codes, b.n_clusters, dtype=np.int64)
    cells += b.codes
    found, positions = np.unique(cells, return_inverse=True)
    rows, columns = np.divmod(found, b.n_clusters)
    if are_whole(weights):
        counts = count_weights(positions, weights, len(found))
        margins = sum_lines(rows, counts, a.n_clusters), sum_lines(columns, counts, b.n_clusters)
        return Contingency.counted(rows, columns, counts, *margins, int(counts.sum()))
    masses = np.bincount(positions, weights=weights)
    # Sums of cells, so that a cluster with a single cell has exactly the mass of this cell.
    mass_a = np.bincount(rows, weights=masses, minlength=a.n_clusters)
    mass_b = np.bincount(columns, weights=masses, minlength=b.n_clusters)
    return Contingency(rows, columns, masses, mass_a, mass_b, math.fsum(weights), 0.0, 0.0, 0.0)


def sum_lines(lines: Integers, counts: Integers, n_lines: int) -> Integers:
    """The exact sums of rows or columns of counts; np.bincount would add floats."""
    sums = np.zeros(n_lines, dtype=np.int64)
    np.add.at(sums, lines, counts)
    return sums


def count_codes(codes_a: Codes, codes_b: Codes, masses_a: Masses, masses_b: Masses) -> Contingency:
    """The contingency of the same points in two hard clusterings whose cluster sizes are known."""
    n_a, n_b = len(masses_a), len(masses_b)
    count = count_dense if n_a * n_b <= DENSE_CELLS else count_sparse
    cells, counts = count(codes_a, n_a, codes_b, n_b)
    rows, columns = np.divmod(cells, n_b)
    total = len(codes_a)
    return Contingency.counted(rows, columns, counts, masses_a, masses_b, total, trusted=True)


def count_dense(codes_a: Codes, n_a: int, codes_b: Codes, n_b: int) -> tuple[Integers, Integers]:
    """Cell numbers and counts, by one counter for each possible cell."""
    counters = np.zeros(n_a * n_b, dtype=np.int64)
    block = max(COUNT_BLOCK, len(counters))
    for first in range(0, len(codes_a), block):
        cells = np.multiply(codes_a[first : first + block], n_b, dtype=np.int32)
        cells += codes_b[first : first + block]
        counters += np.bincount(cells, minlength=len(counters))
    (cells,) = counters.nonzero()
    return cells, counters[cells]


def count_sparse(codes_a: Codes, n_a: int, codes_b: Codes, n_b: int) -> tuple[Integers, Integers]:
    """Cell numbers and counts, by sorting the points' cells."""
    cells = np.multiply(codes_a, n_b, dtype=np.int64)
    cells += codes_b
    found, counts = np.unique(cells, return_counts=True)
    return found, counts


def sum_soft(a: Membership, b: Membership, weights: Floats | None) -> Contingency:
    """The contingency of two clusterings of which at least one is soft."""
    table = sum_products(a, b, weights)
    rows, columns = np.nonzero(table)
    mass_a, mass_b = (
        side.masses.astype(np.float64) if weights is None else side.weigh(weights)
        for side in (a, b)
    )
    cells = rows, columns, table[rows, columns], mass_a, mass_b
    if weights is not None and not are_whole(weights):
        mass = math.fsum(weights)
        return Contingency(*cells, mass, 0.0, 0.0, 0.0, memberships=(a, b), weights=weights)
    total = a.n_points if weights is None else int(weights.sum())
    squares_a, squares_b = sum_squares(a), sum_squares(b)
    weigh = 1.0 if weights is None else weights
    return Contingency(
        *cells,
        total,
        math.fsum(weigh * squares_a),
        math.fsum(weigh * squares_b),
        math.fsum(weigh * squares_a * squares_b),
        memberships=(a, b),
        weights=weights,
    )


def sum_products(a: Membership, b: Membership, weights: Floats | None = None) -> Floats:
    """The (n_a, n_b) table of the sums of p_ik q_ij over the points, each times its weight."""
    if isinstance(a, Hard) and isinstance(b, Soft):
        columns = [
            np.bincount(
                a.codes,
                weights=degrees if weights is None else degrees * weights,
                minlength=a.n_clusters,
            )
            for degrees in b.degrees.T
        ]
        return np.stack(columns, axis=1)
    if isinstance(a, Soft) and isinstance(b, Hard):
        return sum_products(b, a, weights).T
    table = np.zeros((a.n_clusters, b.n_clusters))
    for first in range(0, a.n_points, SUM_BLOCK):
        rows = slice(first, first + SUM_BLOCK)
        degrees = a.array[rows] if weights is None else a.array[rows] * weights[rows, None]
        table += degrees.T @ b.array[rows]
    return table


def sum_squares(membership: Membership) -> Floats:
    """For each point the sum of its squared degrees, which is 1 when hard."""
    if isinstance(membership, Soft):
        squares: Floats = np.einsum("ik,ik->i", membership.degrees, membership.degrees)
        return squares
    return np.ones(membership.n_points)
