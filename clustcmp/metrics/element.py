"""Metrics that look at each point's own cluster in a and in b."""

from __future__ import annotations

import math

import numpy as np

from clustcmp.model import Contingency
from clustcmp.registry import Family

element = Family("element", "Element-centric")


@element.metric(
    "element_centric",
    "ecs",
    brief="overlap of clusters, point by point",
    worst=0.0,
    best=1.0,
    featured=True,
    weights="masses",
    formula="mean over points of |A_k and B_j| / max(|A_k|, |B_j|), the clusters of the point",
    citation="Gates, Wood, Hetrick and Ahn 2019, doi:10.1038/s41598-019-44892-y",
)
def element_centric(table: Contingency) -> float:
    """Mean over the points of how much their cluster in a and their cluster in b overlap.

    For hard clusterings the damping factor of the published random walk cancels, so there is no
    alpha to choose.
    """
    sizes_a = table.masses_a[table.rows]
    sizes_b = table.masses_b[table.columns]
    larger = np.maximum(sizes_a, sizes_b)
    return math.fsum(table.masses / larger * table.masses) / table.total
