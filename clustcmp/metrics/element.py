"""Metrics that look at each point's own cluster in a and in b."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from clustcmp.model import Contingency
from clustcmp.options import ForSoft, ShareOfOne
from clustcmp.registry import Family

element = Family("element", "Element-centric")


@element.metric(
    "element_centric",
    "ecs",
    brief="overlap of clusters, point by point",
    worst=0.0,
    best=1.0,
    accepts=("hard", "soft"),
    soft_identity=True,
    featured=True,
    weights="masses",
    formula="mean over points of |A_k and B_j| / max(|A_k|, |B_j|), the clusters of the point",
    citation="Gates, Wood, Hetrick and Ahn 2019, doi:10.1038/s41598-019-44892-y",
)
def element_centric(
    table: Contingency,
    *,
    alpha: Annotated[
        float,
        ShareOfOne(is_inside=True),
        ForSoft(),
        "the chance that the random walk of a point in a soft clustering goes on.",
    ] = 0.9,
) -> float:
    """Mean over the points of how much their cluster in a and their cluster in b overlap.

    For hard clusterings the damping factor alpha of the published random walk cancels. In a soft
    clustering the walk chooses a cluster by the degrees of its point, and a point of the cluster by
    theirs. One cluster that is shared out evenly over two columns is still one cluster.
    """
    if table.memberships is not None:
        from clustcmp.metrics.random_walk import compare_walks

        return compare_walks(table, alpha)
    sizes_a = table.masses_a[table.rows]
    sizes_b = table.masses_b[table.columns]
    larger = np.maximum(sizes_a, sizes_b)
    return math.fsum(table.masses / larger * table.masses) / table.total
