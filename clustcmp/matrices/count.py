"""The contingencies of one clustering with two others, counted in one pass over the points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clustcmp.contingency import COUNT_BLOCK, Codes, Contingency, Integers
from clustcmp.model import Clustering, Comparison

# More counters than these leave the cache, and two passes are faster again.
MOST_COUNTERS = 1 << 15


@dataclass(frozen=True, eq=False)
class Counted(Comparison):
    """A comparison whose contingency is known already."""

    counted: Contingency | None = None

    @cached_property
    def contingency(self) -> Contingency:
        """The mass that each cluster of a shares with each cluster of b."""
        return self.counted if self.counted is not None else super().contingency


def is_worthwhile(a: Clustering, b: Clustering, c: Clustering) -> bool:
    """Whether one pass for (a, b) and (a, c) is faster than two."""
    if not (a.is_hard and b.is_hard and c.is_hard):
        return False
    n_counters = a.n_clusters * b.n_clusters * c.n_clusters
    return n_counters <= MOST_COUNTERS and n_counters <= a.points.size


def join_codes(b: Clustering, c: Clustering) -> Codes:
    """A code (n,) for each point that tells both its cluster of b and that of c."""
    return np.asarray(b.membership * np.int32(c.n_clusters) + c.membership, dtype=np.int32)


def count_two(
    a: Clustering, b: Clustering, c: Clustering, joined: Codes
) -> tuple[Contingency, Contingency]:
    """The contingencies of (a, b) and of (a, c), as `count_hard` gives them."""
    n_joined = b.n_clusters * c.n_clusters
    counters = np.zeros(a.n_clusters * n_joined, dtype=np.int64)
    for first in range(0, len(joined), COUNT_BLOCK):
        cells = a.membership[first : first + COUNT_BLOCK] * np.int32(n_joined)
        cells += joined[first : first + COUNT_BLOCK]
        counters += np.bincount(cells, minlength=len(counters))
    table = counters.reshape(a.n_clusters, b.n_clusters, c.n_clusters)
    return to_contingency(a, b, table.sum(axis=2)), to_contingency(a, c, table.sum(axis=1))


def to_contingency(a: Clustering, b: Clustering, table: Integers) -> Contingency:
    """The contingency in a table of counts."""
    rows, columns = np.nonzero(table)
    n_points = a.points.size
    return Contingency(
        rows, columns, table[rows, columns], a.masses, b.masses, n_points, *[float(n_points)] * 3
    )
