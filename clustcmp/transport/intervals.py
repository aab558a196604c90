"""A proven interval of cdistance: pairs of clusters are refined where that narrows it most."""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

import numpy as np

from clustcmp.arrays import Floats
from clustcmp.backends import map_tasks
from clustcmp.model import Comparison
from clustcmp.results import Estimate
from clustcmp.transport.bounds import bound_transport
from clustcmp.transport.cells import Cells, one_cell, refine, split
from clustcmp.transport.clusters import mass_shares
from clustcmp.transport.distances import left_to_move
from clustcmp.transport.exact import check_memory, check_problem, solve_with_prices
from clustcmp.transport.places import Places, Spread, find_places, spread_clusters

# Cells of each cluster to begin with.
FIRST = 48

# Cells whose parts of the gap make up this share of all are cut.
CUT_SHARE = 0.97

# In each round at least so many pairs are refined.
LEAST_PAIRS = 16

# The table of distances between clusters is solved in double precision; shares of the largest one.
ROUNDING = 1e-12


class Pair(NamedTuple):
    """Two clusters, as cells of the mass that moves; `share` is this mass, of 1 in all.

    The gaps are None before the first bounds; cells are None if nothing moves.
    """

    cells: tuple[Cells, Cells] | None
    share: float
    low: float
    high: float
    gaps: tuple[Floats, Floats] | None

    @property
    def is_done(self) -> bool:
        """Whether each cell is a single place, so that the ends differ by rounding alone."""
        return self.cells is None or all(cells.spread.max() == 0.0 for cells in self.cells)


def cdistance_interval(comparison: Comparison, tolerance: float) -> Estimate:
    """cdistance between proven ends that differ by at most the tolerance, as a share of the value.

    The interval is wider only where even single points cannot make it narrower.
    """
    places = find_places(comparison, "euclidean")
    positions = places.positions - places.positions.mean(axis=0)
    a = list(spread_clusters(comparison.a, places.of_a))
    b = list(spread_clusters(comparison.b, places.of_b))
    start = partial(start_pair, places, positions)
    tasks = [(one, other) for one in a for other in b]
    pairs = map_tasks(start, tasks, comparison.jobs, what="bounds between clusters")
    masses = mass_shares(comparison)
    shape = len(a), len(b)
    while True:
        low, high = (
            np.array([getattr(pair, end) for pair in pairs]).reshape(shape)
            for end in ("low", "high")
        )
        found, weights = combine(low, high, *masses)
        losses = (weights * (high - low)).ravel()
        open_ones = [i for i in np.argsort(-losses, kind="stable") if not pairs[i].is_done]
        if found.high - found.low <= tolerance * found.value or not open_ones:
            return found
        # The pairs with the largest losses, until what is left of all losses is half.
        sums = np.cumsum(losses[open_ones])
        count = max(LEAST_PAIRS, int(np.searchsorted(sums, 0.5 * sums[-1])) + 1)
        chosen = open_ones[:count]
        check_memory([next_size(pairs[i]) for i in chosen], comparison.jobs)
        what = f"interval of cdistance, now {found.low:.6g} to {found.high:.6g}"
        refined = map_tasks(refine_pair, [pairs[i] for i in chosen], comparison.jobs, what=what)
        for i, pair in zip(chosen, refined, strict=True):
            pairs[i] = pair


def start_pair(places: Places, positions: Floats, clusters: tuple[Spread, Spread]) -> Pair:
    """The first bounds of two clusters, after mass that both have at a place has cancelled."""
    a, b = clusters
    sources, supply, sinks, demand = left_to_move(places, a, b)
    if not len(sources) or not len(sinks):
        return Pair(None, 0.0, 0.0, 0.0, None)
    share = math.fsum(supply) / (a.total * b.total)
    cells = (
        refine(one_cell(positions[sources], supply), FIRST),
        refine(one_cell(positions[sinks], demand), FIRST),
    )
    return bounded(Pair(cells, share, 0.0, math.inf, None), cells)


def refine_pair(pair: Pair) -> Pair:
    """The bounds with cells cut in two where most of the gap is."""
    if pair.cells is None or pair.gaps is None:
        return pair
    a, b = (cut(cells, gap) for cells, gap in zip(pair.cells, pair.gaps, strict=True))
    return bounded(pair, (a, b))


def cut(cells: Cells, gaps: Floats) -> Cells:
    """The cells with the largest gaps cut in two; if these are single places, all others are."""
    order = np.argsort(-gaps, kind="stable")
    before = np.cumsum(gaps[order]) - gaps[order]
    finer = split(cells, order[(before < CUT_SHARE * gaps.sum()) & (gaps[order] > 0.0)])
    return finer if finer.count > cells.count else split(cells, np.arange(cells.count))


def bounded(pair: Pair, cells: tuple[Cells, Cells]) -> Pair:
    """The pair with other cells; its bounds never become wider."""
    found = bound_transport(*cells, sum(len(side.points) for side in cells))
    low = max(pair.low, found.low * pair.share)
    high = min(pair.high, found.high * pair.share)
    return Pair(cells, pair.share, low, high, (found.gaps_a, found.gaps_b))


def next_size(pair: Pair) -> tuple[int, int]:
    """The number of sources and sinks after every cell was cut in two."""
    if pair.cells is None:
        return 0, 0
    a, b = (min(2 * cells.count, len(cells.points)) for cells in pair.cells)
    return a, b


def combine(low: Floats, high: Floats, a: Floats, b: Floats) -> tuple[Estimate, Floats]:
    """The interval of optimal over naive transport, and how much the width of each pair adds.

    Both transports grow with the distances between clusters, so the ends of the distances give
    the ends of both.
    """
    if not high.any():
        return Estimate(0.0, 0.0, 0.0), np.zeros(high.shape)
    naive = np.outer(a, b)
    lowest_naive = float((naive * low).sum()) * (1.0 - ROUNDING)
    highest_naive = float((naive * high).sum()) * (1.0 + ROUNDING)
    lowest = least_cost(low, a, b)
    highest, plan = plan_cost(high, a, b)
    ends = (
        min(lowest / highest_naive, 1.0),
        min(highest / lowest_naive, 1.0) if lowest_naive > 0.0 else 1.0,
    )
    weights = plan / max(highest, lowest, 1e-300) + naive / highest_naive
    return Estimate(0.5 * (ends[0] + ends[1]), *ends), weights


def least_cost(distances: Floats, a: Floats, b: Floats) -> float:
    """At most the optimal cost: potentials that exceed no distance prove it."""
    if not check_problem(distances, a, b):
        return 0.0
    _, prices = solve_with_prices(np.ascontiguousarray(distances), a / a.sum(), b / b.sum())
    u = (distances - prices).min(axis=1)
    v = (distances - u[:, None]).min(axis=0)
    return max(float(a @ u + b @ v) - ROUNDING * float(distances.max()), 0.0)


def plan_cost(distances: Floats, a: Floats, b: Floats) -> tuple[float, Floats]:
    """At least the optimal cost, by a plan, and this plan (n_a, n_b)."""
    plan, _ = solve_with_prices(np.ascontiguousarray(distances), a / a.sum(), b / b.sum())
    flows = np.zeros(distances.shape)
    flows[plan.sources, plan.sinks] = plan.flows
    missed = np.abs(flows.sum(axis=1) - a).sum() + np.abs(flows.sum(axis=0) - b).sum()
    cost = float((flows * distances).sum())
    return cost + (float(missed) + ROUNDING) * float(distances.max()), flows
