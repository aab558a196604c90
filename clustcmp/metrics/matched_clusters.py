"""Metrics that match clusters by how much they resemble each other, not by shared points alone."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np

from clustcmp.arrays import Masses
from clustcmp.errors import Undefined
from clustcmp.metrics.elementwise import share
from clustcmp.metrics.overlaps import largest
from clustcmp.metrics.set_matching import matched_mass, set_matching
from clustcmp.model import Contingency
from clustcmp.options import Options
from clustcmp.registry import Ends

# The family with the metrics that this module adds.
__all__ = ["set_matching"]

Likeness = Literal["f1", "jaccard", "cosine"]


def likenesses(table: Contingency, match: str) -> Masses:
    """For each cell how much its two clusters resemble each other."""
    x = table.masses_a[table.rows].astype(np.float64)
    y = table.masses_b[table.columns]
    if match == "jaccard":
        return table.masses / (x + y - table.masses)
    if match == "cosine":
        return table.masses / np.sqrt(x * y)
    return 2.0 * table.masses / (x + y)


def mean_of_best(table: Contingency, side: str, match: str, weight: str) -> float:
    """The mean over one side's clusters of the likeness with their best counterpart."""
    sizes = table.masses_a if side == "a" else table.masses_b
    lines = table.rows if side == "a" else table.columns
    best = largest(likenesses(table, match), lines, len(sizes))
    if weight == "point":
        return math.fsum(best * sizes) / float(sizes.sum())
    return math.fsum(best) / len(sizes)


def kind_of_average_f1(options: Options) -> str:
    """Over which side's clusters, or points, the mean is, and what else differs from F1."""
    side = {"both": "both sides"}.get(str(options["side"]), f"{options['side']}'s clusters")
    parts = ["by points"] if options["weight"] == "point" else []
    parts += [str(options["match"])] if options["match"] != "f1" else []
    parts += ["harmonic"] if options["mean"] == "harmonic" and options["side"] == "both" else []
    return ", ".join([side, *parts])


def is_of_both(options: Options) -> bool:
    """Whether the value is the same with a and b exchanged, unlike the mean over one side."""
    return options["side"] == "both"


@set_matching.metric(
    "average_f1",
    brief="mean F1 with the best counterpart",
    worst=0.0,
    best=1.0,
    symmetric_with=is_of_both,
    convention=kind_of_average_f1,
    weights="masses",
    formula="mean over clusters of the largest 2 n_kj / (|A_k| + |B_j|); then mean of a's and b's",
    citation="Yang and Leskovec 2013, doi:10.1145/2433396.2433471",
)
def average_f1(
    table: Contingency,
    *,
    side: Annotated[
        Literal["both", "a", "b"], "over whose clusters the mean is, or the mean of both means."
    ] = "both",
    weight: Annotated[
        Literal["cluster", "point"], "whether clusters count alike or by their size."
    ] = "cluster",
    mean: Annotated[
        Literal["arithmetic", "harmonic"], "the mean of the values of both sides."
    ] = "arithmetic",
    match: Annotated[Likeness, "how much two clusters resemble each other."] = "f1",
) -> float:
    """Mean over the clusters of both sides of their F1 with the cluster that they resemble most.

    f_measure takes the cluster that shares most points instead, for b's clusters only.
    side=a,weight=point is the F-measure of Larsen and Aone (1999, doi:10.1145/312129.312186).
    With mean=harmonic it is the F1h of xmeasures, and with match=cosine besides its F1p.
    """
    if side != "both":
        return mean_of_best(table, side, match, weight)
    a, b = (mean_of_best(table, one, match, weight) for one in ("a", "b"))
    return 2.0 * a * b / (a + b) if mean == "harmonic" else (a + b) / 2.0


def matched_shares(table: Contingency) -> float:
    """The largest sum of n_kj / max(|A_k|, |B_j|) over one-to-one matchings."""
    from clustcmp.matching_weight import weigh_matching

    sizes = np.maximum(table.masses_a[table.rows], table.masses_b[table.columns])
    return weigh_matching(table.rows, table.columns, table.masses / sizes, table.n_a, table.n_b)


def kind_of_pair_sets(options: Options) -> str:
    """What chance is taken to be."""
    return "chance 1" if options["simplified"] else "0 is chance"


@set_matching.metric(
    "pair_sets",
    "psi",
    brief="matched clusters, chance scores 0",
    worst=0.0,
    best=1.0,
    convention=kind_of_pair_sets,
    weights="masses",
    formula="max(0, (S - E) / (max(K, J) - E)), S the best matching by n_kj / max(|A_k|, |B_j|)",
    citation="Rezaei and Franti 2016, doi:10.1109/TKDE.2016.2551240",
)
def pair_sets(
    table: Contingency,
    *,
    simplified: Annotated[bool, "take E = 1 instead of the expectation."] = False,
) -> float:
    """How well clusters match one-to-one, scaled so that chance scores 0; worse scores 0 too.

    Clusters count alike, whatever their size. E is what clusters share by chance if the largest is
    matched with the largest, the next with the next, and so on.
    """
    expected = 1.0
    if not simplified:
        n_matched = min(table.n_a, table.n_b)
        sizes = [np.sort(one)[::-1][:n_matched] for one in (table.masses_a, table.masses_b)]
        # x y / n of two clusters, divided by the larger size, is the smaller size / n.
        expected = math.fsum(np.minimum(*sizes)) / table.total
    above_chance = table.once(matched_shares) - expected
    value: float = share(above_chance, max(table.n_a, table.n_b) - expected)
    return max(0.0, value)


def matched_recall(table: Contingency) -> float:
    """The largest sum of n_kj / |A_k| over one-to-one matchings."""
    from clustcmp.matching_weight import weigh_matching

    shares = table.masses / table.masses_a[table.rows]
    return weigh_matching(table.rows, table.columns, shares, table.n_a, table.n_b)


def ends_of_accuracy(options: Options, hard: bool) -> Ends:
    """Where points count alike the matching keeps at least the share that is subtracted."""
    return (0.0 if options["weight"] == "point" else -1.0), 1.0


def kind_of_accuracy(options: Options) -> str:
    """What counts alike."""
    return f"each {options['weight']} counts alike"


def counts_points(options: Options) -> bool:
    """Whether the value is the same with a and b exchanged: points count alike."""
    return options["weight"] == "point"


@set_matching.metric(
    "normalized_accuracy",
    "nca",
    brief="matched share of a's clusters, scaled",
    worst=-1.0,
    best=1.0,
    symmetric=False,
    symmetric_with=counts_points,
    ends=ends_of_accuracy,
    convention=kind_of_accuracy,
    weights="masses",
    formula="(M - 1/K) / (1 - 1/K), M = 1/K times the best matching by n_kj / |A_k|",
    citation="Gagolewski 2025, doi:10.1007/s00357-024-09482-2",
)
def normalized_accuracy(
    table: Contingency,
    *,
    weight: Annotated[
        Literal["cluster", "point"], "whether the clusters of a or all points count alike."
    ] = "cluster",
) -> float:
    """Share of each of a's clusters that the best one-to-one matching keeps, above 1/K.

    With weight=point it is maximum_matching above 1/m, where m is the larger number of clusters.
    Undefined if a is one cluster and b is not.
    """
    if weight == "point":
        matched, n_clusters = (
            table.once(matched_mass, "product") / table.total,
            max(table.n_a, table.n_b),
        )
    else:
        matched, n_clusters = table.once(matched_recall) / table.n_a, table.n_a
    if n_clusters == 1:
        if table.one_to_one:
            return 1.0
        raise Undefined("a is one cluster, so that nothing is left above 1/K")
    return (matched - 1.0 / n_clusters) / (1.0 - 1.0 / n_clusters)
