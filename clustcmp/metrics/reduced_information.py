"""Metrics that charge for the table itself: reduced mutual information, and Cramer's V."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Literal

import numpy as np

from clustcmp.arrays import Floats, Masses
from clustcmp.errors import Undefined
from clustcmp.metrics.information import Base, information, unit
from clustcmp.model import Contingency
from clustcmp.options import Options
from clustcmp.registry import Ends, Weights

# The family with the metrics that this module adds.
__all__ = ["information"]

# The ends of the concentration of counts, and how many values in between are looked at before the
# best one is refined.
LEAST, MOST = math.log(1e-4), math.log(1e4)
STEPS = 81


class Counts:
    """Counts, each distinct one once, for sums of functions over all of them."""

    def __init__(self, counts: Masses) -> None:
        """Group equal counts."""
        distinct, times = np.unique(counts, return_counts=True)
        self.distinct, self.times = distinct.astype(np.float64), times.astype(np.float64)

    def sum_ways(self, parts: Floats) -> Floats:
        """For each p the sum of log binomial(m + p - 1, p - 1): the ways to write m as p parts."""
        from scipy.special import gammaln

        ways: Floats = gammaln(self.distinct + parts[:, None]) - gammaln(parts)[:, None]
        return ways @ self.times - self.sum_factorials()

    def sum_factorials(self) -> float:
        """The sum of log m!."""
        from scipy.special import gammaln

        return float(np.dot(self.times, gammaln(self.distinct + 1.0)))


def least(cost: Callable[[Floats], Floats]) -> float:
    """The least cost over all concentrations between the two ends, which are included."""
    from scipy.optimize import minimize_scalar

    logs = np.linspace(LEAST, MOST, STEPS)
    costs = cost(np.exp(logs))
    best = int(np.argmin(costs))
    between = logs[max(best - 1, 0)], logs[min(best + 1, STEPS - 1)]
    found = minimize_scalar(
        lambda log: float(cost(np.exp([log]))[0]),
        bounds=between,
        method="bounded",
        options={"xatol": 1e-10},
    )
    return min(float(costs[best]), float(found.fun))


def cost_of(groups: Masses, cells: Masses, n_parts: int) -> float:
    """The nats that tell which points are in which of so many parts, when groups are known.

    The cells are the parts of the groups; a part without points costs nothing. First come the
    sizes of the parts, whose concentration is chosen well, then the points in each part.
    """
    of_groups, of_cells = Counts(groups), Counts(cells)

    def sizes(concentrations: Floats) -> Floats:
        whole = of_groups.sum_ways(n_parts * concentrations)
        return whole - of_cells.sum_ways(concentrations)

    return least(sizes) + of_groups.sum_factorials() - of_cells.sum_factorials()


def cost_of_a(table: Contingency) -> float:
    """The nats that tell a, when nothing is known but n and K."""
    return cost_of(np.array([table.total]), table.masses_a, table.n_a)


def cost_of_a_given_b(table: Contingency) -> float:
    """The nats that tell a, when b is known."""
    return cost_of(table.masses_b, table.masses, table.n_a)


def cost_of_a_given_a(table: Contingency) -> float:
    """The nats that the same description needs to tell a when a itself is known."""
    return cost_of(table.masses_a, table.masses_a, table.n_a)


def ends_of_reduced(options: Options, hard: bool) -> Ends:
    """Information in nats has no ends that hold for all clusterings."""
    return (None, None) if options["normalize"] == "none" else (-math.inf, 1.0)


def kind_of_reduced(options: Options) -> str:
    """The unit, or what the value was divided by."""
    return f"{unit(options)} per point" if options["normalize"] == "none" else "a given a is 1"


@information.metric(
    "reduced_mutual_information",
    "rmi",
    brief="what b tells about a, less its table",
    worst=-math.inf,
    best=1.0,
    symmetric=False,
    ends=ends_of_reduced,
    convention=kind_of_reduced,
    formula="(H(a) - H(a|b)) / (H(a) - H(a|a)), where H is the length of a description",
    citation="Jerdee, Kirkley and Newman 2024, doi:10.48550/arXiv.2405.05393",
)
def reduced_mutual_information(
    table: Contingency,
    *,
    normalize: Annotated[
        Literal["a", "none"], "divide by what a tells about itself, or give nats per point."
    ] = "a",
    base: Base = math.e,
) -> float:
    """How much b tells about a, less the cost of telling the contingency table.

    A description of a that knows b begins with the table, and many small clusters make that dear:
    the value is below 0 where b is no help. Undefined if a is one cluster or has single points
    only. Three different published measures have the name; this one is the latest, normalized as in
    doi:10.48550/arXiv.2307.01282.
    """
    if table.n_a == 1 or table.n_a == table.total:
        raise Undefined("a is one cluster, or all of its clusters are single points")
    whole = table.once(cost_of_a)
    saved = whole - table.once(cost_of_a_given_b)
    if normalize == "none":
        return saved / table.total / math.log(base)
    most = whole - table.once(cost_of_a_given_a)
    if most <= 0.0:
        raise Undefined("a tells nothing about itself once its table is paid for")
    return saved / most


def mean_square_contingency(table: Contingency) -> float:
    """chi-square / n: 0 exactly where all shares are products."""
    n = float(table.total)
    by_chance = table.masses_a[table.rows].astype(np.float64) * table.masses_b[table.columns]
    occupied = math.fsum((n * table.masses - by_chance) ** 2 / by_chance) / (n * n)
    if len(table.masses) == table.n_a * table.n_b:
        return occupied
    return occupied + max(0.0, 1.0 - math.fsum(by_chance) / (n * n))


def kind_of_cramer(options: Options) -> str:
    """Whether the bias is taken off."""
    return "corrected after Bergsma" if options["corrected"] else ""


def weights_of_cramer(options: Options) -> Weights:
    """The correction needs the number of points."""
    return "counts" if options["corrected"] else "masses"


@information.metric(
    "cramers_v",
    brief="association of the table, 0 to 1",
    worst=0.0,
    best=1.0,
    convention=kind_of_cramer,
    weights=weights_of_cramer,
    formula="square root of chi-square / (n (min(K, J) - 1))",
    citation="Cramer 1946; corrected Bergsma 2013, doi:10.1016/j.jkss.2012.10.002",
)
def cramers_v(
    table: Contingency,
    *,
    corrected: Annotated[bool, "take off what chance alone would give (Bergsma)."] = False,
) -> float:
    """Association between the clusters of a and b, from 0 (independent) to 1.

    1 as soon as each cluster of the side with fewer clusters is a union of clusters of the other.
    0 if one side is one cluster and the other is not.
    """
    square = table.once(mean_square_contingency)
    k, j = float(table.n_a), float(table.n_b)
    if 1.0 in (k, j):
        return 1.0 if k == j else 0.0
    if corrected:
        others = table.total - 1.0
        square = max(0.0, square - (k - 1.0) * (j - 1.0) / others)
        k, j = (x - (x - 1.0) ** 2 / others for x in (k, j))
        if min(k, j) <= 1.0:
            raise Undefined("too few points for so many clusters: the correction leaves nothing")
    return min(1.0, math.sqrt(square / (min(k, j) - 1.0)))
