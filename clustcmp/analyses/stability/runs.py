"""Several clusterings of points of one set, laid out so that any two of them can be counted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from clustcmp.align.form import order_of_first_points
from clustcmp.arrays import Codes, Flags, Integers, Masses
from clustcmp.errors import InputError
from clustcmp.model import Contingency, Hard, Membership
from clustcmp.model.contingency import DENSE_CELLS, count_dense, count_sparse
from clustcmp.model.once import ComputesOnce

# The number that stands for the cluster of a point that is not in a run; clusters begin at 1.
ABSENT = 0


class Laid(NamedTuple):
    """The clusters of all points in one run: their numbers from 1 on, or ABSENT.

    Clusters are numbered in the order of their first point, so that two runs with the same clusters
    have the same numbers.
    """

    codes: Codes
    clusters: int

    @property
    def is_present(self) -> Flags:
        """Which points the run has."""
        return np.asarray(self.codes != ABSENT)


@dataclass(frozen=True, eq=False)
class Runs(ComputesOnce):
    """Several clusterings of points of one set of `n_points`.

    Run i has the points `rows[i]`, which are sorted and distinct; row r of `memberships[i]` is that
    of the point `rows[i][r]`, and every point there has a cluster.
    """

    n_points: int
    rows: tuple[Integers, ...]
    memberships: tuple[Membership, ...]

    def __post_init__(self) -> None:
        if len(self.rows) != len(self.memberships):
            raise InputError(
                f"there are {len(self.memberships)} clusterings for {len(self.rows)} runs"
            )
        for number, (rows, membership) in enumerate(
            zip(self.rows, self.memberships, strict=True), 1
        ):
            check_run(f"run {number}", self.n_points, rows, membership)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def is_hard(self) -> bool:
        """Whether every run is hard."""
        return all(membership.is_hard for membership in self.memberships)

    @cached_property
    def laid(self) -> tuple[Laid, ...]:
        """The clusters of all points in each run; a soft point is in its strongest cluster."""
        return tuple(
            lay_out(self.n_points, rows, membership)
            for rows, membership in zip(self.rows, self.memberships, strict=True)
        )

    def choose(self, chosen: list[int]) -> Runs:
        """Some of the runs, in the order asked for; they are not laid out again."""
        runs = Runs(
            self.n_points,
            tuple(self.rows[run] for run in chosen),
            tuple(self.memberships[run] for run in chosen),
        )
        runs.__dict__["laid"] = tuple(self.laid[run] for run in chosen)
        return runs


def check_run(name: str, n_points: int, rows: Integers, membership: Membership) -> None:
    """Refuse a run whose points are not sorted, distinct points of the set, each in a cluster."""
    if len(rows) != membership.n_points:
        raise InputError(f"{name} has {len(rows)} points, but {membership.n_points} memberships")
    if not len(rows):
        raise InputError(f"{name} has no points")
    if rows[0] < 0 or rows[-1] >= n_points or not (np.diff(rows) > 0).all():
        raise InputError(f"the points of {name} are not sorted, distinct and below {n_points}")
    if isinstance(membership, Hard) and not membership.is_complete:
        raise InputError(f"{name} has points without a cluster")


def lay_out(n_points: int, rows: Integers, membership: Membership) -> Laid:
    """The clusters of all points in one run."""
    codes = membership.array if isinstance(membership, Hard) else membership.strongest()
    order = order_of_first_points(codes, membership.n_clusters)
    numbers = np.empty(membership.n_clusters, dtype=np.int32)
    numbers[order] = np.arange(1, len(order) + 1, dtype=np.int32)
    laid = np.full(n_points, ABSENT, dtype=np.int32)
    laid[rows] = numbers[codes]
    return Laid(laid, len(order))


class Shared(NamedTuple):
    """The cells (rows, columns, counts) that clusters of two runs share, counted from 0 on.

    `masses_a` and `masses_b` are the numbers of common points of each cluster, 0 for clusters that
    have none.
    """

    rows: Integers
    columns: Integers
    counts: Integers
    masses_a: Masses
    masses_b: Masses

    @property
    def n_common(self) -> int:
        """The number of points that both runs have."""
        return int(self.masses_a.sum())

    @property
    def table(self) -> Contingency:
        """The contingency of the common points, without clusters that have none of these."""
        rows, masses_a = drop_empty(self.rows, self.masses_a)
        columns, masses_b = drop_empty(self.columns, self.masses_b)
        return Contingency.counted(
            rows, columns, self.counts, masses_a, masses_b, self.n_common, trusted=True
        )


def count_shared(a: Laid, b: Laid) -> Shared:
    """The cells of two runs on their common points, counted without looking for these first."""
    n_a, n_b = a.clusters + 1, b.clusters + 1
    count = count_dense if n_a * n_b <= DENSE_CELLS else count_sparse
    cells, counts = count(a.codes, n_a, b.codes, n_b)
    rows, columns = np.divmod(cells, n_b)
    # Row 0 and column 0 are the points that one of the runs does not have.
    is_common = (rows != ABSENT) & (columns != ABSENT)
    rows, columns, counts = rows[is_common] - 1, columns[is_common] - 1, counts[is_common]
    return Shared(
        rows, columns, counts, add_up(rows, counts, a.clusters), add_up(columns, counts, b.clusters)
    )


def add_up(lines: Integers, counts: Integers, length: int) -> Integers:
    """The sum of the counts of each row or column."""
    # Sums of fewer than 2**53 points are exact in floats, which bincount adds up by weight.
    return np.bincount(lines, weights=counts, minlength=length).astype(np.int64)


def drop_empty(lines: Integers, masses: Masses) -> tuple[Integers, Masses]:
    """Rows or columns numbered without those that have no mass."""
    if masses.all():
        return lines, masses
    has_points = masses > 0
    return (np.cumsum(has_points) - 1)[lines], masses[has_points]
