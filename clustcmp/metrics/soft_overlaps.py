"""What clusters of soft clusterings share: the smaller of two degrees, or their product."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

import numpy as np

from clustcmp.arrays import Floats, Integers, Masses
from clustcmp.model import Contingency, Soft
from clustcmp.model.contingency import SUM_BLOCK
from clustcmp.options import ForSoft

SoftShare = Annotated[
    Literal["min", "product"],
    ForSoft("product"),
    "what a point adds to two clusters of soft clusterings: the smaller degree, or the product.",
]


class SharedMasses(NamedTuple):
    """The mass that clusters share, with the numbers of the two clusters, cell by cell."""

    rows: Integers
    columns: Integers
    masses: Masses


def shared(table: Contingency, soft: str) -> SharedMasses:
    """What clusters share: the cells of the table, unless two soft clusterings share least degrees.

    If one side is hard, its degrees are 0 and 1, and the smaller degree is the product.
    """
    if soft == "min" and table.memberships is not None:
        a, b = table.memberships
        if isinstance(a, Soft) and isinstance(b, Soft):
            return table.once(share_least)
    return SharedMasses(table.rows, table.columns, table.masses)


def share_least(table: Contingency) -> SharedMasses:
    """The sums over points of the smaller of two degrees."""
    assert table.memberships is not None
    a, b = (membership.array for membership in table.memberships)
    sums = sum_least(a, b, table.weights)
    rows, columns = np.nonzero(sums)
    return SharedMasses(rows, columns, sums[rows, columns])


def sum_least(a: Floats, b: Floats, weights: Floats | None = None) -> Floats:
    """The (n_a, n_b) table of the sums of min(p_ik, q_ij), each times the weight of its point."""
    sums = np.zeros((a.shape[1], b.shape[1]))
    for first in range(0, len(a), SUM_BLOCK):
        # Each column in one piece of memory, which numpy adds up several times faster.
        p, q = (np.ascontiguousarray(side[first : first + SUM_BLOCK].T) for side in (a, b))
        weigh = None if weights is None else weights[first : first + SUM_BLOCK]
        for k, column in enumerate(p):
            least = np.minimum(column, q)
            sums[k] += least.sum(axis=1) if weigh is None else least @ weigh
    return sums
