"""Element-centric similarity of memberships that are not hard: two random walks compared.

A walk steps from a point to one of its clusters, by its degrees, and on to a point of the cluster,
by the degrees of the points; it goes on with probability alpha and otherwise returns to its start.
"""

from __future__ import annotations

import math

import numpy as np

from clustcmp.arrays import Floats
from clustcmp.errors import LimitExceeded
from clustcmp.model import Contingency

# Points with the same degrees in a and in b are one kind. The walks of so many kinds are compared
# in about 20 s.
MOST_KINDS = 50_000

# Entries of the walks that are compared at a time.
BLOCK = 1 << 22


def compare_walks(table: Contingency, alpha: float) -> float:
    """Mean over the points of 1 - half the difference of their two walks / alpha."""
    assert table.memberships is not None
    a, b = (side.degrees_of(slice(0, side.n_points)) for side in table.memberships)
    both = np.concatenate([a, b], axis=1)
    refuse_many(both)
    kinds, kind_of_point = np.unique(both, axis=0, return_inverse=True)
    times = np.bincount(kind_of_point, weights=table.weights).astype(np.float64)
    k = a.shape[1]
    return compare_kinds(kinds[:, :k], kinds[:, k:], times, alpha)


def refuse_many(both: Floats) -> None:
    """Refuse more kinds of points than can be compared pair by pair."""
    if len(both) <= MOST_KINDS:
        return
    # Sums of the degrees with different weights tell kinds apart sooner than sorting all rows.
    sums = np.round(both @ np.sqrt(np.arange(2.0, both.shape[1] + 2.0)), 9)
    n_kinds = len(np.unique(sums))
    if n_kinds > MOST_KINDS:
        raise LimitExceeded(
            f"element_centric of soft clusterings compares points that differ in their degrees "
            f"with each other: at most {MOST_KINDS:,}, and there are {n_kinds:,}",
            hint="adjusted_rand takes any number of points",
        )


def compare_kinds(a: Floats, b: Floats, times: Floats, alpha: float) -> float:
    """The mean for points of some kinds, with their non-negative degrees in a and b."""
    (starts_a, ends_a), (starts_b, ends_b) = (walk(one, times, alpha) for one in (a, b))
    starts = np.concatenate([starts_a, -starts_b], axis=1)
    ends = np.concatenate([ends_a, ends_b], axis=1).T
    step = max(1, BLOCK // len(times))
    different = []
    for first in range(0, len(times), step):
        visits = starts[first : first + step] @ ends
        np.abs(visits, out=visits)
        different.append(visits @ times)
    apart = math.fsum(np.concatenate(different) * times)
    return 1.0 - apart / (2.0 * alpha * math.fsum(times))


def walk(degrees: Floats, times: Floats, alpha: float) -> tuple[Floats, Floats]:
    """Two factors of the visits of a walk from each point to each other, without the stay at home.

    The visits are (1 - alpha) (I - alpha U V')^-1 with rows of U and columns of V that sum to 1;
    the inverse of the small matrix I - alpha V' U stands in for that of all points.
    """
    steps = degrees / degrees.sum(axis=1, keepdims=True)
    returns = degrees / (times @ degrees)
    onward = np.eye(degrees.shape[1]) - alpha * ((returns * times[:, None]).T @ steps)
    starts = alpha * (1.0 - alpha) * np.linalg.solve(onward.T, steps.T).T
    return starts, returns
