"""Which clusterings are similar: an order of similar neighbours, and the most typical one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clustcmp.arrays import SAME_SUM, Floats
from clustcmp.results import Result

# The best order of n leaves takes n^3 steps. For more leaves than these any order of the tree is
# taken.
BEST_LEAVES = 200


def distances_between(
    cells: Sequence[Sequence[Result]], higher_is_better: bool, best: float | None
) -> Floats | None:
    """How far apart the clusterings are there and back, from 0 on; None if no two have a value.

    The distances in both directions, which differ if a metric is not symmetric, are added. Two
    clusterings without a value are as far apart as the farthest two with a value.
    """
    values = np.array([[np.nan if c.value is None else c.value for c in row] for row in cells])
    off_diagonal = values[~np.eye(len(values), dtype=np.bool_)]
    known = off_diagonal[~np.isnan(off_diagonal)]
    if not len(known):
        return None
    closest = best
    if closest is None:
        closest = float(known.max() if higher_is_better else known.min())
    distances = np.abs(closest - values)
    distances = distances + distances.T
    np.fill_diagonal(distances, 0.0)
    distances[np.isnan(distances)] = np.nanmax(distances)
    return distances


def order_by_similarity(distances: Floats) -> tuple[int, ...]:
    """The leaves of a hierarchical clustering, beginning with the end that was given first."""
    n = len(distances)
    if n < 3 or not distances.any():
        return tuple(range(n))
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    # Scaled, because a metric may have huge or tiny values.
    condensed = squareform(distances / distances.max(), checks=False)
    tree = linkage(condensed, "average", optimal_ordering=n <= BEST_LEAVES)
    leaves = [int(leaf) for leaf in leaves_list(tree)]
    return tuple(leaves if leaves[0] < leaves[-1] else leaves[::-1])


def find_medoid(distances: Floats) -> int | None:
    """The clustering that is closest to the others on average; of equal ones the first."""
    if len(distances) < 3:
        return None
    totals = distances.sum(axis=1)
    return int(np.flatnonzero(totals <= totals.min() + SAME_SUM * totals.max())[0])


def order_by_value(cells: Sequence[Result], higher_is_better: bool | None) -> tuple[int, ...]:
    """The columns from the best value to the worst, then those without a value.

    Columns with the same value, and all columns of a metric without a direction, are in the order
    given.
    """
    if higher_is_better is None:
        return tuple(range(len(cells)))
    sign = -1.0 if higher_is_better else 1.0

    def key(column: int) -> tuple[bool, float]:
        value = cells[column].value
        return value is None, 0.0 if value is None else sign * value

    return tuple(sorted(range(len(cells)), key=key))
