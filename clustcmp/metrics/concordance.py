"""How alike the degrees of two points are, in a and in b, over all pairs of points.

The concordance of two points is 1 - half the sum of the differences of their degrees: e in a, f in
b. If a side is hard, e is 1 for pairs that are together and 0 for others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from clustcmp.arrays import SAME_SUM, Floats, Integers
from clustcmp.errors import LimitExceeded
from clustcmp.metrics.pairs import pairs_within
from clustcmp.model import Contingency, Hard, Membership, Soft

# 0.5 GB for the concordances of all pairs of one side, which are sorted.
MOST_PAIRS = 1 << 26

# Pairs that are looked at together.
BLOCK = 1 << 22


def concordance(table: Contingency) -> float:
    """1 - the mean of |e - f| over all pairs (NDC)."""
    n_pairs = table.n_points * (table.n_points - 1) / 2.0
    different = table.once(sum_differences)
    return 1.0 - different / n_pairs if n_pairs and different > SAME_SUM * n_pairs else 1.0


def adjusted_concordance(table: Contingency) -> float:
    """The concordance scaled so that chance, the points of b permuted, scores 0 (ACI)."""
    n_pairs = table.n_points * (table.n_points - 1) / 2.0
    different = table.once(sum_differences)
    if different <= SAME_SUM * n_pairs:
        return 1.0
    by_chance = table.once(sum_differences_by_chance)
    # All concordances are the same in a, and in b: chance alone gives what is there.
    return 1.0 - different / by_chance if by_chance > 0.0 else 0.0


def find_hard(table: Contingency) -> tuple[Hard | None, Membership]:
    """The hard side, if there is one, and the other."""
    assert table.memberships is not None
    a, b = table.memberships
    if isinstance(b, Hard):
        return b, a
    return (a, b) if isinstance(a, Hard) else (None, a)


def sum_differences(table: Contingency) -> float:
    """The sum of |e - f| over all pairs."""
    hard, other = find_hard(table)
    if hard is not None and isinstance(other, Soft):
        everywhere = sum_apart(other.degrees)
        within = math.fsum(
            sum_apart(other.degrees[rows]) for rows in split_rows(hard) if len(rows) > 1
        )
        n_together = pairs_within(hard.masses, table.n_points)
        n_apart = table.n_points * (table.n_points - 1) // 2 - n_together
        # 1 - e for pairs that are together in the hard side, e for the others.
        return within + (n_apart - (everywhere - within))
    assert table.memberships is not None
    a, b = (soft.array for soft in table.memberships)
    refuse_many(table)
    return math.fsum(
        float(np.abs(e - f).sum()) for e, f in zip(concordances(a), concordances(b), strict=True)
    )


def sum_differences_by_chance(table: Contingency) -> float:
    """What sum_differences is on average if the points of b are permuted."""
    n_pairs = table.n_points * (table.n_points - 1) / 2.0
    hard, other = find_hard(table)
    if hard is not None and isinstance(other, Soft):
        mean = 1.0 - sum_apart(other.degrees) / n_pairs
        together = pairs_within(hard.masses, table.n_points) / n_pairs
        return n_pairs * (together * (1.0 - mean) + (1.0 - together) * mean)
    assert table.memberships is not None
    refuse_many(table)
    e, f = (np.concatenate(list(concordances(soft.array))) for soft in table.memberships)
    return mean_difference(e, f) * n_pairs


def refuse_many(table: Contingency) -> None:
    """Refuse more pairs of two soft clusterings than can be looked at."""
    if table.n_points * (table.n_points - 1) // 2 > MOST_PAIRS:
        raise LimitExceeded(
            f"soft=concordance of two soft clusterings looks at all pairs of points, and "
            f"{table.n_points:,} points have more than {MOST_PAIRS:,}",
            hint="soft=matrix takes any number of points",
        )


def split_rows(hard: Hard) -> list[Integers]:
    """For each cluster the rows of its points."""
    order = np.argsort(hard.codes, kind="stable")
    return np.split(order, np.cumsum(hard.masses)[:-1])


def sum_apart(degrees: Floats) -> float:
    """The sum over all pairs of half the differences of their degrees, without a loop over pairs.

    The r-th of m sorted values, counted from 0, is the larger one of r pairs and the smaller one of
    m - 1 - r.
    """
    m = len(degrees)
    times = 2.0 * np.arange(m) - (m - 1)
    return math.fsum(float(np.dot(np.sort(column), times)) for column in degrees.T) / 2.0


def concordances(degrees: Floats) -> Iterator[Floats]:
    """The concordances of all pairs, in blocks of points that come later in both of them."""
    n = len(degrees)
    first = 0
    while first < n - 1:
        last = min(n - 1, first + max(1, BLOCK // (n - first)))
        block = np.zeros((last - first, n - first))
        for column in degrees.T:
            block += np.abs(column[first:last, None] - column[None, first:])
        rows, columns = np.triu_indices(last - first, 1, n - first)
        yield 1.0 - block[rows, columns] / 2.0
        first = last


def mean_difference(e: Floats, f: Floats) -> float:
    """The mean of |x - y| over all x of e and all y of f."""
    e, f = np.sort(e), np.sort(f)
    below = np.searchsorted(f, e)
    sums = np.concatenate([[0.0], np.cumsum(f)])
    differences = e * (2.0 * below - len(f)) - 2.0 * sums[below] + sums[-1]
    return float(differences.mean()) / len(f)
