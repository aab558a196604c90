"""Metrics of one clustering: how close points of one cluster are, compared with other points."""

from __future__ import annotations

import math

from clustcmp.arrays import SAME_SUM
from clustcmp.errors import Undefined
from clustcmp.geometry import Ground, kind_of_ground
from clustcmp.model import Clustering
from clustcmp.registry import Family

internal_family = Family("internal", "Inside one clustering")

ZAKI = "Zaki and Meira 2020, chapter 17, doi:10.1017/9781108564175"


@internal_family.metric(
    "beta_cv",
    "betacv",
    brief="distances within, over those between",
    worst=math.inf,
    best=0.0,
    needs_coordinates=True,
    convention=kind_of_ground,
    weights="counts",
    formula="mean distance of pairs in one cluster / mean distance of pairs in different clusters",
    citation=ZAKI,
)
def beta_cv(clustering: Clustering, *, ground: Ground = "euclidean") -> float:
    """How far apart points of one cluster are, compared with points of different clusters.

    Each pair of points counts once. Undefined for one cluster, for all singletons, and if all
    points of different clusters coincide.
    """
    from clustcmp.metrics.pair_distances import group_points, sum_batch, sum_groups

    groups = group_points(clustering, ground)
    groups.foretell(sum_batch, "beta_cv", passes=1)
    within, between = sum_groups(groups)
    if not between:
        raise Undefined("all points of different clusters coincide")
    mean_within = within / groups.n_within
    mean_between = between / (groups.n_pairs - groups.n_within)
    return mean_within / mean_between


@internal_family.metric(
    "c_index",
    brief="how small the distances within are",
    worst=1.0,
    best=0.0,
    needs_coordinates=True,
    convention=kind_of_ground,
    weights="counts",
    formula="(W - W_min) / (W_max - W_min) with W = sum of the distances of the m pairs in one "
    "cluster, W_min and W_max = sum of the m smallest and of the m largest distances",
    citation=f"Hubert and Levin 1976, doi:10.1037/0033-2909.83.6.1072; {ZAKI}",
)
def c_index(clustering: Clustering, *, ground: Ground = "euclidean") -> float:
    """Where the distances within clusters lie between the smallest and the largest possible sum.

    0 means that no pair of points in different clusters is closer than any pair in one cluster.
    Undefined for one cluster, for all singletons, and if all distances are equal.
    """
    from clustcmp.metrics.extreme_distances import sum_extremes
    from clustcmp.metrics.pair_distances import group_points

    groups = group_points(clustering, ground)
    smallest, largest, within = sum_extremes(groups, groups.n_within, "c_index")
    # Distances that are equal by geometry may differ in their last digit.
    if largest - smallest <= SAME_SUM * largest:
        raise Undefined("all distances between points are equal")
    return min(max((within - smallest) / (largest - smallest), 0.0), 1.0)
