"""Metrics that match clusters of a with clusters of b and count what the matches share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from clustcmp.arrays import Masses
from clustcmp.metrics.overlaps import largest, mean_bcubed
from clustcmp.metrics.soft_overlaps import SoftShare, shared
from clustcmp.model import Contingency
from clustcmp.options import Options
from clustcmp.registry import Family, ends_if_normalized

set_matching = Family("set_matching", "Set matching")

ZAKI = "Zaki and Meira 2020, chapter 17, doi:10.1017/9781108564175"
BAGGA = "Bagga and Baldwin 1998, doi:10.3115/980845.980859"
AMIGO = "Amigo, Gonzalo, Artiles and Verdejo 2009, doi:10.1007/s10791-008-9066-8"


def kept_by_a(table: Contingency, soft: str) -> float:
    """The mass that stays if each cluster of a keeps only what is in its largest part in b."""
    cells = shared(table, soft)
    return add_up(largest(cells.masses, cells.rows, len(table.masses_a)))


def kept_by_b(table: Contingency, soft: str) -> float:
    """The mass that stays if each cluster of b keeps only what is in its largest part in a."""
    cells = shared(table, soft)
    return add_up(largest(cells.masses, cells.columns, len(table.masses_b)))


def add_up(masses: Masses) -> float:
    """The sum of masses: of counts a whole number, which is exact above 2^53, too."""
    return int(masses.sum()) if masses.dtype.kind == "i" else math.fsum(masses)


@set_matching.metric(
    "purity",
    brief="how pure the clusters of b are",
    worst=0.0,
    best=1.0,
    symmetric=False,
    accepts=("hard", "soft"),
    soft_identity=True,
    featured=True,
    convention="of b's clusters",
    weights="masses",
    formula="1/n sum over b's clusters of the largest n_kj",
    citation=ZAKI,
)
def purity(table: Contingency, *, soft: SoftShare = "min") -> float:
    """Share of the points that belong to the cluster of a that dominates their cluster of b.

    If every point is a cluster of its own in b the value is 1, so look at inverse_purity or at the
    number of clusters too.
    """
    return table.once(kept_by_b, soft) / table.total


@set_matching.metric(
    "inverse_purity",
    brief="how pure the clusters of a are",
    worst=0.0,
    best=1.0,
    symmetric=False,
    accepts=("hard", "soft"),
    soft_identity=True,
    convention="of a's clusters",
    weights="masses",
    formula="1/n sum over a's clusters of the largest n_kj",
    citation=AMIGO,
)
def inverse_purity(table: Contingency, *, soft: SoftShare = "min") -> float:
    """Share of the points that belong to the cluster of b that dominates their cluster of a."""
    return table.once(kept_by_a, soft) / table.total


def matched_mass(table: Contingency, soft: str) -> float:
    """The largest mass that a one-to-one matching of clusters can share."""
    from clustcmp.matching import match_lines

    rows, columns, masses = shared(table, soft)
    matched = match_lines(rows, columns, masses, len(table.masses_a), len(table.masses_b))
    return add_up(masses[matched])


@set_matching.metric(
    "maximum_matching",
    "match",
    "ceafm",
    "cluster_accuracy",
    brief="points in clusters matched one-to-one",
    worst=0.0,
    best=1.0,
    accepts=("hard", "soft"),
    soft_identity=True,
    featured=True,
    convention="one-to-one, optimal",
    weights="masses",
    formula="1/n times the largest sum of n_kj over one-to-one matchings of k and j",
    citation=ZAKI,
)
def maximum_matching(table: Contingency, *, soft: SoftShare = "min") -> float:
    """Share of the points in matched clusters, with the best one-to-one matching of clusters.

    The matching is optimal, never greedy; with different numbers of clusters the rest of the
    larger side stays unmatched.
    """
    return table.once(matched_mass, soft) / table.total


@set_matching.metric(
    "clustering_error",
    "ce",
    brief="points outside of matched clusters",
    worst=1.0,
    best=0.0,
    accepts=("hard", "soft"),
    soft_identity=True,
    weights="masses",
    formula="1 - maximum_matching",
    citation="Meila and Heckerman 2001, doi:10.1023/A:1007648401407",
)
def clustering_error(table: Contingency, *, soft: SoftShare = "min") -> float:
    """Share of the points outside of matched clusters, with the best one-to-one matching."""
    total = table.total
    return (total - table.once(matched_mass, soft)) / total


@set_matching.metric(
    "f_measure",
    brief="mean F1 of b's clusters with a's",
    worst=0.0,
    best=1.0,
    symmetric=False,
    featured=True,
    convention="mean over b's clusters",
    weights="masses",
    formula="mean over b's clusters j of 2 n_kj / (n_j + m_k), where k has the largest n_kj",
    citation=ZAKI,
)
def f_measure(table: Contingency) -> float:
    """Mean over b's clusters of the F1 with the cluster of a that shares most points with it.

    Each cluster counts the same, whatever its size. If several clusters of a share equally many
    points, the largest F1 is taken, so that names and order do not matter. A slide of Zaki and
    Meira prints .895 for iris where .885 follows from the table beside it.
    """
    n_clusters = len(table.masses_b)
    sizes = table.masses_a[table.rows] + table.masses_b[table.columns]
    f1 = 2.0 * table.masses / sizes
    most = largest(table.masses, table.columns, n_clusters)
    is_match = table.masses == most[table.columns]
    return math.fsum(largest(f1[is_match], table.columns[is_match], n_clusters)) / n_clusters


def kind_of_van_dongen(options: Options) -> str:
    """The unit, or what the value was divided by."""
    return "divided by 2n" if options["normalize"] else "points"


def show_halves(table: Contingency, options: Options) -> Mapping[str, Any]:
    """The points outside of the best counterpart of their cluster of a, and of b."""
    soft = str(options["soft"])
    return {
        "a_to_b": table.total - table.once(kept_by_a, soft),
        "b_to_a": table.total - table.once(kept_by_b, soft),
    }


@set_matching.metric(
    "van_dongen",
    brief="points outside of best counterparts",
    worst=math.inf,
    best=0.0,
    ends=ends_if_normalized,
    convention=kind_of_van_dongen,
    details=show_halves,
    accepts=("hard", "soft"),
    soft_identity=True,
    weights="masses",
    formula="2n - sum over k of the largest n_kj - sum over j of the largest n_kj",
    citation="van Dongen 2000, CWI report INS-R0012; Meila 2007, doi:10.1016/j.jmva.2006.11.013",
)
def van_dongen(
    table: Contingency,
    *,
    normalize: Annotated[bool, "divide by twice the number of points."] = False,
    soft: SoftShare = "min",
) -> float:
    """Points outside of the best counterpart of their cluster, counted from a and from b.

    Between hard clusterings it is a true metric.
    """
    total = table.total
    moved = max(2 * total - table.once(kept_by_a, soft) - table.once(kept_by_b, soft), 0)
    return moved / (2 * total) if normalize else float(moved)


def count_points(sizes: Masses) -> Mapping[str, Any]:
    """How many points the mean is over, and how many score 1 because they are alone.

    Points that have masses are not counted.
    """
    if sizes.dtype.kind == "f":
        return {}
    return {"points": int(sizes.sum()), "alone": int((sizes == 1).sum())}


def show_points_of_a(table: Contingency, options: Options) -> Mapping[str, Any]:
    """The points behind B-cubed recall, and those that are alone in their cluster of a."""
    return count_points(table.masses_a)


def show_points_of_b(table: Contingency, options: Options) -> Mapping[str, Any]:
    """The points behind B-cubed precision, and those that are alone in their cluster of b."""
    return count_points(table.masses_b)


Weight = Annotated[
    Literal["point", "cluster"],
    "what counts alike: each point, or each cluster of a, with the mean over its points.",
]


def kind_of_bcubed(options: Options) -> str:
    """Whether the mean is over clusters."""
    return "each cluster of a counts alike" if options["weight"] == "cluster" else ""


def counts_points(options: Options) -> bool:
    """Whether the value is the same with a and b exchanged: the mean is not over a's clusters."""
    return options["weight"] == "point"


@set_matching.metric(
    "bcubed_precision",
    brief="precision, averaged over the points",
    worst=0.0,
    best=1.0,
    symmetric=False,
    details=show_points_of_b,
    convention=kind_of_bcubed,
    weights="masses",
    formula="mean over points of n_kj / |B_j|, the clusters of the point",
    citation=BAGGA,
)
def bcubed_precision(table: Contingency, *, weight: Weight = "point") -> float:
    """Mean over the points of the share of their cluster of b that is with them in a too."""
    return mean_bcubed(table, table.masses_b[table.columns], weight)


@set_matching.metric(
    "bcubed_recall",
    brief="recall, averaged over the points",
    worst=0.0,
    best=1.0,
    symmetric=False,
    details=show_points_of_a,
    convention=kind_of_bcubed,
    weights="masses",
    formula="mean over points of n_kj / |A_k|, the clusters of the point",
    citation=BAGGA,
)
def bcubed_recall(table: Contingency, *, weight: Weight = "point") -> float:
    """Mean over the points of the share of their cluster of a that is with them in b too."""
    return mean_bcubed(table, table.masses_a[table.rows], weight)


@set_matching.metric(
    "bcubed_f1",
    "bcubed",
    brief="F1 of B-cubed precision and recall",
    worst=0.0,
    best=1.0,
    symmetric_with=counts_points,
    convention=kind_of_bcubed,
    weights="masses",
    formula="2 P R / (P + R) with P = bcubed_precision, R = bcubed_recall",
    citation=BAGGA,
)
def bcubed_f1(table: Contingency, *, weight: Weight = "point") -> float:
    """Harmonic mean of B-cubed precision and recall."""
    precision = bcubed_precision(table, weight=weight)
    recall = bcubed_recall(table, weight=weight)
    return 2.0 * precision * recall / (precision + recall)
