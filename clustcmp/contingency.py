"""The mass that the clusters of a and of b share: counted for hard, summed for soft clusterings.

Cells without mass are not stored, so a million against a million small clusters takes no more
memory than the points themselves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Degrees = npt.NDArray[np.float64]

# Codes (n,) if hard, degrees (n, k) if soft.
Membership = npt.NDArray[Any]

# Whole numbers if all is hard, else floats.
Masses = npt.NDArray[Any]

# Up to this many cells a table of counters is faster than sorting the points.
DENSE_CELLS = 1 << 22

# The block's counters and codes stay in the cache (measured: 40x faster than np.unique).
COUNT_BLOCK = 1 << 16

# Fixed, so that sums of degrees do not depend on the number of threads.
SUM_BLOCK = 1 << 12


@dataclass(frozen=True, eq=False)
class Contingency:
    """The cells with mass, row by row, and what the pairs of a point with itself add up to.

    masses[i] is shared by cluster rows[i] of a and columns[i] of b; whole numbers when both are
    hard. A point drawn twice from a is in one cluster with the chance sum_k p_ik^2; self_a sums
    this over the points, self_b does so for b, self_both their products. All are n when hard.
    """

    rows: Integers
    columns: Integers
    masses: Masses
    masses_a: Masses
    masses_b: Masses
    n_points: int
    self_a: float
    self_b: float
    self_both: float

    @property
    def is_hard(self) -> bool:
        """Whether all masses are counts."""
        return self.masses.dtype == np.int64

    @property
    def one_to_one(self) -> bool:
        """Whether each cluster of a shares points with one cluster of b only, and vice versa."""
        return len(self.masses) == len(self.masses_a) == len(self.masses_b)


def count_hard(codes_a: Codes, masses_a: Masses, codes_b: Codes, masses_b: Masses) -> Contingency:
    """The contingency of two hard clusterings of the same points."""
    n_a, n_b, n_points = len(masses_a), len(masses_b), len(codes_a)
    count = count_dense if n_a * n_b <= DENSE_CELLS else count_sparse
    cells, masses = count(codes_a, n_a, codes_b, n_b)
    rows, columns = np.divmod(cells, n_b)
    return Contingency(rows, columns, masses, masses_a, masses_b, n_points, *[float(n_points)] * 3)


def count_dense(codes_a: Codes, n_a: int, codes_b: Codes, n_b: int) -> tuple[Integers, Integers]:
    """Cell numbers and counts, by one counter for each possible cell."""
    counters = np.zeros(n_a * n_b, dtype=np.int64)
    block = max(COUNT_BLOCK, len(counters))
    for first in range(0, len(codes_a), block):
        cells = np.multiply(codes_a[first : first + block], n_b, dtype=np.intp)
        cells += codes_b[first : first + block]
        counters += np.bincount(cells, minlength=len(counters))
    cells = np.flatnonzero(counters)
    return cells, counters[cells]


def count_sparse(codes_a: Codes, n_a: int, codes_b: Codes, n_b: int) -> tuple[Integers, Integers]:
    """Cell numbers and counts, by sorting the points' cells."""
    cells = np.multiply(codes_a, n_b, dtype=np.int64)
    cells += codes_b
    found, counts = np.unique(cells, return_counts=True)
    return found, counts


def sum_soft(a: Membership, masses_a: Masses, b: Membership, masses_b: Masses) -> Contingency:
    """The contingency of two clusterings of which at least one is soft (degrees, not codes)."""
    table = sum_products(a, len(masses_a), b, len(masses_b))
    rows, columns = np.nonzero(table)
    squares_a, squares_b = sum_squares(a), sum_squares(b)
    return Contingency(
        rows,
        columns,
        table[rows, columns],
        masses_a.astype(np.float64),
        masses_b.astype(np.float64),
        len(a),
        math.fsum(squares_a),
        math.fsum(squares_b),
        math.fsum(squares_a * squares_b),
    )


def sum_products(a: Membership, n_a: int, b: Membership, n_b: int) -> Degrees:
    """The (n_a, n_b) table of sum_i p_ik q_ij."""
    if a.ndim == 1:
        columns = [np.bincount(a, weights=degrees, minlength=n_a) for degrees in b.T]
        return np.stack(columns, axis=1)
    if b.ndim == 1:
        return sum_products(b, n_b, a, n_a).T
    table = np.zeros((n_a, n_b))
    for first in range(0, len(a), SUM_BLOCK):
        table += a[first : first + SUM_BLOCK].T @ b[first : first + SUM_BLOCK]
    return table


def sum_squares(membership: Membership) -> Degrees:
    """For each point the sum of its squared degrees, which is 1 when hard."""
    if membership.ndim == 1:
        return np.ones(len(membership))
    squares: Degrees = np.einsum("ik,ik->i", membership, membership)
    return squares
