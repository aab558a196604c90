"""Proven bounds of the optimal transport between two clouds, from their cells alone.

Above: the optimal plan between the centres says how much mass goes from cell to cell; within two
cells it is spread evenly. The mean distance that this takes follows from the moments of the cells.

Below: potentials that are affine on each cell and exceed no distance between two points; see
`kernel/cells.c`. Both ends are off by the square of the size of the cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.transport.cells import Cells
from clustcmp.transport.exact import Plan, solve_with_prices
from clustcmp.transport.native import (
    Kernel,
    check_status,
    load_kernel,
    most_units,
    needed_kernel,
    round_to,
)

# Both ends are moved apart by so many rounding errors of each number that enters them.
ROUNDINGS = 16

# How far the directions that a lower bound tries are turned towards the slopes of the potentials.
TOWARDS_SLOPES = (0.0, 0.3, 0.6, 1.0)

# The kernel stops when nothing improves a plan by more than this share of the longest distance.
OPTIMAL = 1e-12

TINY = 1e-300


class Bounds(NamedTuple):
    """The ends of a distance, and how much each cell of a and of b adds to the gap between them."""

    low: float
    high: float
    gaps_a: Floats
    gaps_b: Floats


def bound_transport(a: Cells, b: Cells, n_points: int) -> Bounds:
    """The least and the most that the transport of cloud a to cloud b, of mass 1 each, can cost."""
    shares_a, shares_b = a.mass / a.mass.sum(), b.mass / b.mass.sum()
    plan, prices = plan_cells(a.centre, b.centre, shares_a, shares_b)
    sources, sinks, flows = plan
    ways = a.centre[sources] - b.centre[sinks]
    lengths = np.sqrt((ways * ways).sum(axis=1))
    directions = ways / np.maximum(lengths, TINY)[:, None]
    reach = max(a.reach, b.reach)
    # Units of mass are whole numbers; what rounding them left over moves at most this far, twice.
    missed = sum(
        float(np.abs(np.bincount(at, flows, len(shares)) - shares).sum())
        for at, shares in ((sources, shares_a), (sinks, shares_b))
    )
    rounding = ROUNDINGS * (64 + n_points) * np.finfo(float).eps * reach
    if load_kernel() is not None and a.spread.max() == b.spread.max() == 0.0:
        # The kernel proves the optimum of the points themselves.
        exact, off = float(flows @ lengths), OPTIMAL * reach + 2.0 * reach * missed + rounding
        return Bounds(max(exact - off, 0.0), exact + off, np.zeros(a.count), np.zeros(b.count))
    costs = mean_distances(a, b, plan, lengths, spreads_across(a, b, plan, directions))
    slopes_a = slopes(sources, flows, directions, shares_a)
    slopes_b = slopes(sinks, flows, directions, shares_b)
    u, v = cell_potentials(a, b, slopes_a, slopes_b, prices)
    gap = flows * (costs - u[sources] - v[sinks])
    low = max(float(shares_a @ u + shares_b @ v), distance_of_means(a, b))
    return Bounds(
        max(low - rounding, 0.0),
        float(flows @ costs) + 2.0 * reach * missed + rounding,
        np.asarray(np.bincount(sources, gap, a.count), dtype=np.float64),
        np.asarray(np.bincount(sinks, gap, b.count), dtype=np.float64),
    )


def distance_of_means(a: Cells, b: Cells) -> float:
    """The distance between the means of two clouds, which no plan can beat."""
    means = (cells.mass @ cells.centre / cells.mass.sum() for cells in (a, b))
    here, there = means
    return float(np.linalg.norm(here - there))


def spreads_across(a: Cells, b: Cells, plan: Plan, directions: Floats) -> Floats:
    """The mean square of the part of x - y across the direction of the centres, or more.

    More only in many dimensions, where covariances are not known.
    """
    spreads: Floats = a.spread[plan.sources] + b.spread[plan.sinks]
    if not a.covariance.shape[1]:
        return spreads
    both = a.covariance[plan.sources] + b.covariance[plan.sinks]
    along = np.einsum("ei,eij,ej->e", directions, both, directions)
    # Where the centres coincide there is no direction.
    across: Floats = np.clip(spreads - along, 0.0, spreads)
    return across


def mean_distances(a: Cells, b: Cells, plan: Plan, lengths: Floats, across: Floats) -> Floats:
    """At least the mean distance between the points of two cells, for each arc of a plan.

    It is at most the root of the mean square. If the balls around the cells are apart, it is also
    at most c + E s^2 / (2 (c - r)), s the part of x - y across the direction of the centres, c
    their distance and r the sum of the radii: sqrt(t^2 + s^2) <= t + s^2 / (2 t).
    """
    spreads = a.spread[plan.sources] + b.spread[plan.sinks]
    room = lengths - a.radius[plan.sources] - b.radius[plan.sinks]
    costs = np.sqrt(lengths * lengths + spreads)
    apart = room > 0.0
    costs[apart] = np.minimum(costs[apart], lengths[apart] + across[apart] / (2.0 * room[apart]))
    return np.asarray(costs, dtype=np.float64)


def slopes(at: Integers, flows: Floats, directions: Floats, shares: Floats) -> Floats:
    """The mean direction of the flows of each cell."""
    sums = [np.bincount(at, flows * one, len(shares)) for one in directions.T]
    found: Floats = np.stack(sums, axis=1) / shares[:, None]
    return found


def plan_cells(a: Floats, b: Floats, supply: Floats, demand: Floats) -> tuple[Plan, Floats]:
    """The optimal plan between centres, up to the rounding of masses, and potentials of b."""
    m, n = len(a), len(b)
    if 1 in (m, n):
        sources, sinks = np.divmod(np.arange(m * n), n)
        lengths = np.sqrt(((a[sources] - b[sinks]) ** 2).sum(axis=1))
        prices = lengths if m == 1 else np.zeros(1)
        return Plan(sources, sinks, supply[sources] * demand[sinks]), prices
    if load_kernel() is None:
        from scipy.spatial.distance import cdist

        return solve_with_prices(cdist(a, b), supply, demand)
    whole = most_units(m + n)
    return plan_by_kernel(
        needed_kernel(), a, b, round_to(supply, whole), round_to(demand, whole), whole
    )


def plan_by_kernel(
    kernel: Kernel, a: Floats, b: Floats, supply: Integers, demand: Integers, whole: int
) -> tuple[Plan, Floats]:
    """The optimal plan between points for masses in whole units, and potentials of b."""
    m, n = len(a), len(b)
    points = [np.ascontiguousarray(side) for side in (a, b)]
    prices, flows = np.empty(n), np.empty(m + n, dtype=np.int64)
    sources, sinks = np.empty(m + n, dtype=np.int32), np.empty(m + n, dtype=np.int32)
    count = kernel.transport_plan(
        a.shape[1],
        m,
        points[0].ctypes.data,
        supply.ctypes.data,
        n,
        points[1].ctypes.data,
        demand.ctypes.data,
        *(array.ctypes.data for array in (prices, sources, sinks, flows)),
    )
    check_status(count)
    from_a, to_b = (array[:count].astype(np.int64) for array in (sources, sinks))
    return Plan(from_a, to_b, flows[:count] / whole), prices


def cell_potentials(
    a: Cells, b: Cells, slopes_a: Floats, slopes_b: Floats, prices: Floats
) -> tuple[Floats, Floats]:
    """Potentials at the centres that, with these slopes, hold for all points of the cells."""
    kernel = load_kernel()
    if kernel is None:
        return potentials_by_numpy(a, b, slopes_a, slopes_b, prices)
    sides = [
        [np.ascontiguousarray(one.T) for one in (cells.centre, cells.low, cells.high, slope)]
        for cells, slope in ((a, slopes_a), (b, slopes_b))
    ]
    u, v = np.empty(a.count), np.empty(b.count)
    prices = np.ascontiguousarray(prices)
    status = kernel.bound_potentials(
        a.centre.shape[1],
        a.count,
        *(array.ctypes.data for array in sides[0]),
        b.count,
        *(array.ctypes.data for array in sides[1]),
        *(array.ctypes.data for array in (prices, u, v)),
    )
    check_status(status)
    return u, v


def potentials_by_numpy(
    a: Cells, b: Cells, slopes_a: Floats, slopes_b: Floats, prices: Floats
) -> tuple[Floats, Floats]:
    """What the kernel's `bound_potentials` finds, row by row."""
    u, v = np.empty(a.count), np.full(b.count, np.inf)
    for i in range(a.count):
        ways, sums = a.centre[i] - b.centre, slopes_a[i] + slopes_b
        straight, along_slopes = unit_vectors(ways), unit_vectors(sums)
        best = np.full(b.count, -np.inf)
        for share in TOWARDS_SLOPES:
            e = unit_vectors((1.0 - share) * straight + share * along_slopes)
            in_a, in_b = e - slopes_a[i], slopes_b - e
            terms = e * ways + np.minimum(in_a * a.low[i], in_a * a.high[i])
            terms += np.minimum(in_b * b.low, in_b * b.high)
            best = np.maximum(best, terms.sum(axis=1))
        u[i] = (best - prices).min()
        v = np.minimum(v, best - u[i])
    return u, v


def unit_vectors(vectors: Floats) -> Floats:
    """The directions of some vectors, and 0 for those without a direction."""
    lengths = np.sqrt((vectors * vectors).sum(axis=1))
    found: Floats = vectors / np.maximum(lengths, 1e-100)[:, None]
    return found
