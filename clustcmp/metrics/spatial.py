"""Pair counting that looks at where points are: how near, or in whose company."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Literal

from clustcmp.arrays import SAME_SUM
from clustcmp.errors import Undefined
from clustcmp.model import Comparison
from clustcmp.options import AtLeast, Options, ShareOfOne
from clustcmp.registry import Ends, Family

if TYPE_CHECKING:
    from clustcmp.metrics.neighborhood import Costs

spatial = Family("spatial", "Pairs in space")

Adjusted = Annotated[bool, "scaled so that chance scores 0: b's labels permuted over the points."]
Neighbours = Annotated[
    int, AtLeast(1), "how many of the nearest other points are neighbours; ties all count."
]
Own = Annotated[
    float, ShareOfOne(), "the share of a point's own cluster; its neighbours share the rest."
]
LUO = "Luo et al. 2025, doi:10.1093/nar/gkaf921"


def ends_if_adjusted(options: Options, hard: bool) -> Ends:
    """A value below chance has no lower end."""
    return (-math.inf if options["adjusted"] else 0.0), 1.0


def describe_chance(options: Options) -> str:
    """Whether 0 is chance."""
    return "0 is chance" if options["adjusted"] else "not adjusted for chance"


def above_chance(cost: float, cost_by_chance: float, adjusted: bool) -> float:
    """1 less the cost of the pairs that a and b disagree on, as it is or on the scale of chance."""
    if not adjusted:
        return 1.0 - cost
    # What is left of sums that cancel counts as nothing.
    if cost_by_chance <= SAME_SUM:
        return 0.0
    return 1.0 - cost / cost_by_chance


def check_one_space(comparison: Comparison) -> None:
    """The points of a and b are in one place each."""
    if not comparison.same_coordinates:
        raise Undefined("the points of a have other coordinates than those of b")


def describe_decay(options: Options) -> str:
    """How far points count as near, and what chance is; a function by name can be pickled."""
    return f"{options['decay']}, {describe_chance(options)}"


@spatial.metric(
    "spatial_rand",
    "spari",
    brief="Rand index that forgives near points",
    worst=-math.inf,
    best=1.0,
    ends=ends_if_adjusted,
    symmetric=False,
    needs_coordinates=True,
    weights="counts",
    convention=describe_decay,
    formula="(v - E) / (1 - E) with v = (TP + TN + sum of f(d) over pairs that b alone joins + sum "
    "of h(d) over pairs that b alone parts) / N, E the mean of v over permutations of b's labels",
    citation="Yan, Feng and Luo 2025, doi:10.1101/2025.03.25.645156",
)
def spatial_rand(
    comparison: Comparison,
    *,
    adjusted: Adjusted = True,
    alpha: Annotated[float, ShareOfOne(is_inside=True), "the most that a pair can earn."] = 0.8,
    decay: Annotated[
        Literal["gaussian", "exponential"],
        "f = alpha exp(-d^2) and h = alpha (1 - exp(-d^2)), or alpha exp(-4d) and "
        "alpha (1 - exp(-d)).",
    ] = "gaussian",
    ground: Annotated[
        Literal["euclidean", "precomputed"],
        "the distance d; precomputed stands for the distances that are given.",
    ] = "euclidean",
) -> float:
    """Rand index in which a pair on which a and b disagree still earns a part, by its distance.

    A pair that only b joins earns more the nearer its points are, a pair that only b parts the
    farther they are. Coordinates are scaled to 0..1 on each axis; given distances stay as they are.

    A candidate of one cluster does not score 0, because where a's clusters are in space is random
    in the expectation, too.
    """
    from clustcmp.metrics.spatial_pairs import sum_earnings

    if ground != "precomputed":
        check_one_space(comparison)
    earned = comparison.once(sum_earnings, alpha, decay, ground == "precomputed")
    n_pairs = earned.n_pairs
    if not n_pairs:
        return 1.0
    joined_a, joined_b = earned.joined_a / n_pairs, earned.joined_b / n_pairs
    cost = (earned.lost_joined + earned.lost_parted) / n_pairs
    mean_joined = earned.all_joined / n_pairs
    mean_parted = earned.all_parted / n_pairs
    by_chance = (1.0 - joined_a) * joined_b * (1.0 - mean_joined)
    by_chance += joined_a * (1.0 - joined_b) * (1.0 - mean_parted)
    return above_chance(cost, by_chance, adjusted)


@spatial.metric(
    "neighborhood_rand",
    "nsari",
    brief="Rand index that forgives like company",
    worst=-math.inf,
    best=1.0,
    ends=ends_if_adjusted,
    symmetric=False,
    needs_coordinates=True,
    convention=describe_chance,
    formula="(v - E) / (1 - E) with v = 1 - (sum of c over pairs that b alone parts + sum of 1 - c "
    "over pairs that b alone joins) / N, c = 1 - sum |u_x - u_y| / 2, u_x the shares of a's "
    "clusters around x",
    citation=LUO,
)
def neighborhood_rand(
    comparison: Comparison,
    *,
    k: Neighbours = 6,
    own: Own = 0.5,
    adjusted: Adjusted = True,
) -> float:
    """Rand index in which wrong pairs cost less where the clusters of a meet.

    The company of a point are the clusters of a around it: `own` for its own cluster, the rest for
    those of its nearest points. A pair that only b parts costs as much as the companies of its
    points are alike, a pair that only b joins as much as they differ. What b puts wrong at the
    border of two clusters costs less than inside of one.
    """
    costs = find_costs(comparison, k, own)
    if not costs.n_pairs:
        return 1.0
    joined_b = costs.pairs_b / costs.n_pairs
    by_chance = (1.0 - joined_b) * costs.alike_in_a + joined_b * costs.different_apart
    cost = (costs.parted + costs.joined) / costs.n_pairs
    return above_chance(cost, by_chance / costs.n_pairs, adjusted)


@spatial.metric(
    "neighborhood_wallace_ab",
    "nsawc",
    brief="a's pairs kept, forgiving company",
    worst=-math.inf,
    best=1.0,
    ends=ends_if_adjusted,
    symmetric=False,
    needs_coordinates=True,
    convention=describe_chance,
    formula="(v - E) / (1 - E) with v = 1 - sum of c over pairs that b alone parts / (TP + FN), c "
    "as in neighborhood_rand",
    citation=LUO,
)
def neighborhood_wallace_ab(
    comparison: Comparison,
    *,
    k: Neighbours = 6,
    own: Own = 0.5,
    adjusted: Adjusted = True,
) -> float:
    """Share of a's pairs that b keeps together; parted ones cost less where clusters of a meet.

    Without pairs in a the value is 1, but 0 on the scale of chance if b is one cluster. See
    neighborhood_rand for what company is.
    """
    costs = find_costs(comparison, k, own)
    if not costs.pairs_a:
        return 0.0 if adjusted and costs.pairs_b == costs.n_pairs else 1.0
    joined_b = costs.pairs_b / costs.n_pairs
    by_chance = (1.0 - joined_b) * costs.alike_in_a / costs.pairs_a
    return above_chance(costs.parted / costs.pairs_a, by_chance, adjusted)


@spatial.metric(
    "neighborhood_wallace_ba",
    "nsawh",
    brief="b's pairs right, forgiving company",
    worst=-math.inf,
    best=1.0,
    ends=ends_if_adjusted,
    symmetric=False,
    needs_coordinates=True,
    convention=describe_chance,
    formula="(v - E) / (1 - E) with v = 1 - sum of 1 - c over pairs that b alone joins / (TP + "
    "FP), c as in neighborhood_rand",
    citation=LUO,
)
def neighborhood_wallace_ba(
    comparison: Comparison,
    *,
    k: Neighbours = 6,
    own: Own = 0.5,
    adjusted: Adjusted = True,
) -> float:
    """Share of b's pairs that are together in a; others cost less where clusters of a meet.

    Without pairs in b the value is 1, but 0 on the scale of chance if a is one cluster. See
    neighborhood_rand for what company is.
    """
    costs = find_costs(comparison, k, own)
    if not costs.pairs_b:
        return 0.0 if adjusted and costs.pairs_a == costs.n_pairs else 1.0
    by_chance = costs.different_apart / costs.n_pairs
    return above_chance(costs.joined / costs.pairs_b, by_chance, adjusted)


def find_costs(comparison: Comparison, k: int, own: float) -> Costs:
    """What pairs cost by the company of their points, computed once for all metrics of a family."""
    from clustcmp.metrics.neighborhood import sum_costs

    check_one_space(comparison)
    return comparison.once(sum_costs, k, own)
