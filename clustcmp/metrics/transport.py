"""Metrics that move the mass of one clustering to the other at the least cost."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from clustcmp.arrays import Floats
from clustcmp.errors import LimitExceeded, Undefined
from clustcmp.geometry import Ground, kind_of_ground, unit_of
from clustcmp.metrics.approximate import approximate_clusters, approximate_points
from clustcmp.metrics.transport_remarks import remark_on_clusters, remark_on_points
from clustcmp.model import Clustering, Comparison, known_coordinates
from clustcmp.options import AtLeast, Options, OptionValue
from clustcmp.registry import Family, ends_if_normalized
from clustcmp.results import Estimate

if TYPE_CHECKING:
    from clustcmp.transport.clusters import ClusterPlan, Transported

transport_family = Family("transport", "Transport")

Weights = Annotated[
    Literal["equal", "proportional"],
    "the mass of a cluster in the plan: the same for each, or its share of the points.",
]

Solver = Annotated[
    Literal["auto", "pot"],
    "what solves the transports: the kernel of clustcmp where it can, or POT; the values are "
    "the same.",
]

Tolerance = Annotated[
    float,
    AtLeast(0),
    "how wide the proven interval of the value may be, as a share of the value; 0 is exact. Only "
    "for the ground euclidean; others are always exact.",
]

ZHOU = "Zhou, Li and Zha 2005, doi:10.1145/1102351.1102481"
COEN = "Coen, Ansari and Fillmore 2010, ICML (no DOI)"

# Cells of a plan between clusters, which is dense: 32 MB of cost, and seconds in the solver.
LARGEST_PLAN = 4_000_000


def plan_cost(comparison: Comparison, cost: Floats, weights: str) -> float:
    """The least cost of a plan between the clusters of a and those of b."""
    from clustcmp.transport.exact import transport, transport_equal

    if weights == "equal":
        return transport_equal(cost)
    masses = (side.masses.astype(np.float64) for side in (comparison.a, comparison.b))
    return transport(cost, *masses)


def check_plan(comparison: Comparison) -> None:
    """Refuse a plan between too many clusters."""
    n_a, n_b = comparison.a.n_clusters, comparison.b.n_clusters
    if n_a * n_b > LARGEST_PLAN:
        raise LimitExceeded(
            f"a transport plan between {n_a} and {n_b} clusters is too large: at most "
            f"{LARGEST_PLAN:,} pairs of clusters are possible",
            hint="maximum_matching compares any number of clusters",
        )


def kind_of_cc(options: Options) -> str:
    """The weights of the clusters, the exponent, and the unit."""
    unit = "per point" if options["normalize"] else "points"
    return f"{options['weights']} weights, p {options['p']:g}, {unit}"


@transport_family.metric(
    "cc",
    brief="how far matched memberships differ",
    worst=math.inf,
    best=0.0,
    ends=ends_if_normalized,
    accepts=("hard", "soft"),
    soft_identity=True,
    featured=True,
    convention=kind_of_cc,
    weights="masses",
    formula="(least sum of w_kj sum over points |p_ik - q_ij|^p)^(1/p) over plans w",
    citation=ZHOU,
)
def cc(
    comparison: Comparison,
    *,
    weights: Weights = "equal",
    p: Annotated[float, AtLeast(1), "the exponent of the difference."] = 1.0,
    normalize: Annotated[bool, "divide by n^(1/p)."] = False,
) -> float:
    """How much membership differs between clusters that are matched in the cheapest way.

    A true metric, between soft clusterings too. With equal numbers of clusters and equal weights
    it is 2 n clustering_error / K for hard clusterings. The paper bounds it by n for p = 1.
    """
    least = least_difference(comparison, weights, p)
    return float((least / comparison.a.points.mass if normalize else least) ** (1.0 / p))


def least_difference(comparison: Comparison, weights: str, p: float) -> float:
    """The least sum of w_kj sum over points |p_ik - q_ij|^p."""
    n_a, n_b = comparison.a.n_clusters, comparison.b.n_clusters
    if comparison.is_hard and weights == "equal" and n_a == n_b:
        from clustcmp.matching import match_lines

        # A plan between equally many equal masses is a matching, which needs no dense table.
        table = comparison.contingency
        matched = match_lines(table.rows, table.columns, table.masses, n_a, n_b)
        apart: float = table.total - table.masses[matched].sum()
        return 2.0 * max(float(apart), 0.0) / n_a
    check_plan(comparison)
    return plan_cost(comparison, membership_differences(comparison, p), weights)


def membership_differences(comparison: Comparison, p: float) -> Floats:
    """The (n_a, n_b) table of sum over points |p_ik - q_ij|^p."""
    n_a, n_b = comparison.a.n_clusters, comparison.b.n_clusters
    if comparison.is_hard:
        table = comparison.contingency
        shared = np.zeros((n_a, n_b))
        shared[table.rows, table.columns] = table.masses
        return table.masses_a[:, None] + table.masses_b[None, :] - 2.0 * shared
    from scipy.spatial.distance import cdist

    sums = np.zeros((n_a, n_b))
    weights = comparison.a.points.weights
    for rows in comparison.a.membership.chunks():
        a, b = (side.membership.degrees_of(rows).T for side in (comparison.a, comparison.b))
        if weights is not None:
            a, b = (degrees * weights[rows] ** (1.0 / p) for degrees in (a, b))
        sums += cdist(a, b, "cityblock") if p == 1.0 else cdist(a, b, "minkowski", p=p) ** p
    return sums


def kind_of_css(options: Options) -> str:
    """The weights of the clusters, and the unit."""
    return f"{options['weights']} weights, in units of the coordinates"


@transport_family.metric(
    "css",
    brief="how far matched means are apart",
    worst=math.inf,
    best=0.0,
    needs_coordinates=True,
    accepts=("hard", "soft"),
    featured=True,
    convention=kind_of_css,
    weights="masses",
    formula="least sum of (1 - 2 w_kj / (alpha_k + beta_j)) n_kj L_kj over plans w, "
    "L the distance of the means",
    citation=ZHOU,
)
def css(comparison: Comparison, *, weights: Weights = "equal") -> float:
    """How far points are from the cluster that theirs is matched with, as distance of the means.

    The paper calls it a metric, but it is not: the triangle inequality does not hold, different
    clusterings may have the value 0, and identical soft ones a value above 0. The paper divides
    the value by 100; clustcmp does not.
    """
    check_plan(comparison)
    moved, gain, unit = css_tables(comparison, weights)
    # A plan moves a mass of 1 in all, so adding a constant to each cost adds it to the least cost.
    highest = float(gain.max())
    least = plan_cost(comparison, highest - gain, weights) - highest
    value = max(math.fsum(moved.ravel()) + least, 0.0) * unit
    if not math.isfinite(value):
        raise Undefined("the value is too large for a float")
    return value


def css_tables(comparison: Comparison, weights: str) -> tuple[Floats, Floats, float]:
    """How far the points of each cell move, what a plan of weight 1 there saves, and the unit."""
    table = comparison.contingency
    moved = np.zeros((comparison.a.n_clusters, comparison.b.n_clusters))
    moved[table.rows, table.columns] = table.masses
    distances, unit = mean_distances(comparison)
    moved *= distances
    alpha, beta = (
        np.full(side.n_clusters, 1.0 / side.n_clusters)
        if weights == "equal"
        else side.masses / side.points.mass
        for side in (comparison.a, comparison.b)
    )
    return moved, 2.0 * moved / (alpha[:, None] + beta[None, :]), unit


def css_parts(comparison: Comparison) -> Floats:
    """What each cluster of a adds to css, with equal weights; they sum to the value."""
    from clustcmp.transport.exact import plan_equal

    check_plan(comparison)
    moved, gain, unit = css_tables(comparison, "equal")
    sources, sinks, flows = plan_equal(float(gain.max()) - gain)
    # A plan never saves more in a cell than moves there, but the difference has a rounding error.
    moved[sources, sinks] = np.maximum(moved[sources, sinks] - flows * gain[sources, sinks], 0.0)
    return finite_parts(np.array([math.fsum(row) for row in moved]) * unit)


def cdistance_parts(comparison: Comparison, ground: str) -> Floats:
    """What each cluster of a adds to the optimal transport behind cdistance."""
    check_plan(comparison)
    plan = cluster_plan(comparison, ground)
    costs = plan.weights * plan.distances
    parts = np.bincount(plan.sources, costs, comparison.a.n_clusters) * plan.unit
    return finite_parts(np.asarray(parts, dtype=np.float64))


def finite_parts(parts: Floats) -> Floats:
    """The parts of a value; undefined if their sum is too large for a float."""
    if not math.isfinite(parts.sum()):
        raise Undefined("the value is too large for a float")
    return parts


def mean_distances(comparison: Comparison) -> tuple[Floats, float]:
    """The Euclidean distances (n_a, n_b) between the means of the clusters, and their unit."""
    from scipy.spatial.distance import cdist

    of_a, of_b = (known_coordinates(side) for side in (comparison.a, comparison.b))
    together = np.concatenate([of_a, of_b])
    unit = unit_of(together)
    # The centre is subtracted because an offset of 1e8 would cost eight digits.
    centre = (together / unit).mean(axis=0)
    means_a = cluster_means(comparison.a, of_a / unit - centre)
    means_b = cluster_means(comparison.b, of_b / unit - centre)
    return cdist(means_a, means_b), unit


def cluster_means(clustering: Clustering, coordinates: Floats) -> Floats:
    """The mean (k, d) of each cluster's points, by their degrees and weights."""
    weights = clustering.points.weights
    weighted = coordinates if weights is None else coordinates * weights[:, None]
    return clustering.membership.sum_up(weighted) / clustering.masses[:, None]


def cluster_plan(comparison: Comparison, ground: str) -> ClusterPlan:
    """The plan of the optimal transport between the clusters, computed once."""
    from clustcmp.transport.clusters import plan_clusters

    return comparison.once(plan_clusters, ground)


def between_clusters(
    comparison: Comparison, ground: OptionValue, solver: OptionValue
) -> Transported:
    """The optimal and the naive transport between the clusters, computed once."""
    from clustcmp.transport.clusters import transport_clusters

    return comparison.once(transport_clusters, ground, solver)


def between_points(comparison: Comparison, ground: OptionValue, solver: OptionValue) -> Transported:
    """The optimal and the naive transport between all points, computed once."""
    from clustcmp.transport.clusters import transport_points

    return comparison.once(transport_points, ground, solver)


def show_distances(comparison: Comparison, options: Options) -> Mapping[str, Any]:
    """The optimal and the naive transport behind a quotient; nothing if they are not exact."""
    if isinstance(approximate_clusters(comparison, options), Estimate):
        return {}
    return show_transported(between_clusters(comparison, options["ground"], options["solver"]))


def show_point_distances(comparison: Comparison, options: Options) -> Mapping[str, Any]:
    """The optimal and the naive transport between all points; nothing if they are not exact."""
    if isinstance(approximate_points(comparison, options), Estimate):
        return {}
    return show_transported(between_points(comparison, options["ground"], options["solver"]))


def show_transported(found: Transported) -> Mapping[str, Any]:
    """Both costs in the unit of the coordinates, or None where a cost is too large for a float.

    The naive cost is also None where it was not computed because the optimal one is 0.
    """
    costs = {"d_ot": found.optimal, "d_nt": math.inf if found.naive is None else found.naive}
    shown = {name: cost * found.unit for name, cost in costs.items()}
    return {name: cost if math.isfinite(cost) else None for name, cost in shown.items()}


def quotient(found: Transported) -> float:
    """Optimal over naive transport, and 0 where the optimal one costs nothing."""
    return found.optimal / found.naive if found.naive else 0.0


@transport_family.metric(
    "cdistance",
    brief="how badly clusters overlap in space",
    worst=1.0,
    best=0.0,
    needs_coordinates=True,
    accepts=("hard", "soft"),
    soft_identity=True,
    accepts_different_points=True,
    featured=True,
    convention=kind_of_ground,
    details=show_distances,
    remarks=remark_on_clusters,
    weights="masses",
    formula="optimal over naive transport between clusters, whose distance is the optimal "
    "transport between their points",
    citation=COEN,
)
def cdistance(
    comparison: Comparison,
    *,
    ground: Ground = "euclidean",
    solver: Solver = "auto",
    tolerance: Tolerance = 0.0,
) -> float | Estimate:
    """How badly the clusters of a and b overlap in space, from 0 to 1.

    Points, their number and the number of clusters may all differ. It does not change with scale
    and shift. It is not a metric: the triangle inequality does not hold, and where points coincide
    different clusterings may have the value 0. With a tolerance the value is the middle of a
    proven interval, which is found for many more points than the exact value.
    """
    check_plan(comparison)
    options = {"ground": ground, "solver": solver, "tolerance": tolerance}
    approximate = approximate_clusters(comparison, options)
    if approximate is not None:
        return approximate
    found = between_clusters(comparison, ground, solver)
    if 1 in (comparison.a.n_clusters, comparison.b.n_clusters):
        return 1.0 if found.naive else 0.0
    return quotient(found)


@transport_family.metric(
    "similarity_distance",
    brief="how badly the points overlap in space",
    worst=1.0,
    best=0.0,
    needs_coordinates=True,
    accepts=("hard", "soft"),
    soft_identity=True,
    accepts_different_points=True,
    convention=kind_of_ground,
    details=show_point_distances,
    remarks=remark_on_points,
    weights="masses",
    formula="optimal over naive transport between all points of a and all points of b",
    citation=COEN,
)
def similarity_distance(
    comparison: Comparison,
    *,
    ground: Ground = "euclidean",
    solver: Solver = "auto",
    tolerance: Tolerance = 0.0,
) -> float | Estimate:
    """How badly the two point sets overlap in space, from 0 to 1; clusters play no role.

    With a tolerance the value is the middle of a proven interval, as that of cdistance.
    """
    options = {"ground": ground, "solver": solver, "tolerance": tolerance}
    approximate = approximate_points(comparison, options)
    if approximate is not None:
        return approximate
    return quotient(between_points(comparison, ground, solver))
