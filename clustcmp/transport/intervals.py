"""Proven intervals of quotients of transports, made narrower where that is worth most."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Protocol

import numpy as np

from clustcmp.arrays import Floats
from clustcmp.backends import map_tasks, stay_here
from clustcmp.errors import LimitExceeded
from clustcmp.model import Comparison
from clustcmp.results import Estimate
from clustcmp.transport.cell_pairs import (
    Pair,
    bound_level,
    by_points,
    deepen,
    next_size,
    start_cloud,
    start_pair,
)
from clustcmp.transport.clock import Clock
from clustcmp.transport.clusters import (
    distance_table,
    mass_shares,
    problems_of_clusters,
    transport_clusters,
)
from clustcmp.transport.costs_of_exact import fits_budget, is_quick, sizes_of
from clustcmp.transport.distances import (
    Batch,
    Problems,
    solve_clouds,
    takes_kernel,
)
from clustcmp.transport.exact import check_memory, check_problem, solve_with_prices
from clustcmp.transport.native import as_clouds
from clustcmp.wording import name_of

# In each round at least so many pairs are refined, and those that have this share of all losses.
LEAST_PAIRS = 16
LOSS_SHARE = 0.5

# Pairs of clusters with at most so many pairs of points are solved exactly.
SMALL = 1 << 16

# Small pairs are divided among at most so many tasks.
MOST_TASKS = 256

# The table of distances between clusters is solved in double precision; shares of the largest one.
ROUNDING = 1e-12

# Bytes for each pair of cells while their transport is solved: costs, and bounds row by row.
BYTES_PER_PAIR = 8


class Narrowing(Protocol):
    """An interval that can be made narrower."""

    def interval(self) -> Estimate:
        """The interval so far."""

    def refine(self, what: str, clock: Clock) -> bool:
        """Make it narrower; False if nothing can be done."""


def narrow(narrowing: Narrowing, name: str, tolerance: float, clock: Clock) -> Estimate:
    """The interval when it is narrow enough, or when time is over.

    It is wider only where even single points cannot make it narrower.
    """
    while True:
        found = narrowing.interval()
        if found.high - found.low <= tolerance * found.value or clock.is_over:
            return found
        what = f"{name}, now between {found.low:.6g} and {found.high:.6g}"
        try:
            if not narrowing.refine(what, clock):
                return found
        except LimitExceeded as limit:
            if clock.has_budget:
                return found
            raise LimitExceeded(
                f"{what}: to narrow this, {limit.message}",
                hint=f"allow a larger tolerance, or give a time with {name_of('budget')} and take "
                "the interval that is known then",
            ) from None


def cdistance_interval(comparison: Comparison, tolerance: float) -> float | Estimate:
    """cdistance between proven ends that differ by at most the tolerance, as a share of the value.

    What is quick is done exactly.
    """
    problems = comparison.once(problems_of_clusters, "euclidean")
    if is_quick(problems):
        return exact_interval(comparison, tolerance)
    to_the_end = not tolerance and fits_budget(problems, comparison.jobs, comparison.budget)
    with Clock(comparison.budget) as clock, stay_here():
        clusters = Clusters(problems, mass_shares(comparison), comparison.jobs, to_the_end)
        return narrow(clusters, "cdistance", tolerance, clock)


def exact_interval(comparison: Comparison, tolerance: float) -> float | Estimate:
    """The exact cdistance; with a tolerance also how far rounding may reach."""
    found = comparison.once(transport_clusters, "euclidean", "auto")
    value = found.optimal / found.naive if found.naive else 0.0
    if not tolerance:
        return value
    distances, _ = comparison.once(distance_table, "euclidean", "auto")
    around = combine(*around_exact(distances), *mass_shares(comparison))[0]
    return Estimate(value, min(around.low, value), max(around.high, value))


def around_exact(distances: Floats) -> tuple[Floats, Floats]:
    """The ends of exact distances, whose coordinates are between -1 and 1."""
    return np.maximum(distances - ROUNDING, 0.0), distances + ROUNDING


class Clusters:
    """The interval of cdistance: bounds of the distances between all clusters.

    If there is time `to_the_end`, pairs are solved point by point after their first bounds.
    """

    def __init__(
        self,
        problems: Problems,
        masses: tuple[Floats, Floats],
        jobs: int,
        to_the_end: bool = False,
    ) -> None:
        """The first bounds of all pairs."""
        places, self.masses, self.jobs = problems.places, masses, jobs
        self.to_the_end = to_the_end
        self.positions = places.positions - places.positions.mean(axis=0)
        start = partial(start_cloud, self.positions)
        a, b = (
            map_tasks(start, side, jobs, what="cells of clusters")
            for side in (problems.a, problems.b)
        )
        self.clouds = a, b
        small, others = divide(problems)
        self.pairs = solve_small(problems, small, jobs)
        begin = partial(start_task, problems, self.positions)
        started = map_tasks(begin, others, jobs, what="cells of pairs")
        self.pairs += self._bounded(started, Clock(None), "bounds between clusters")

    def interval(self) -> Estimate:
        """Optimal over naive transport, for distances at the ends of their bounds."""
        return self._combined()[0]

    def refine(self, what: str, clock: Clock) -> bool:
        """Finer cells for the pairs with the largest losses."""
        chosen = self._choose()
        if not chosen:
            return False
        pairs = [self.pairs[i] for i in chosen]
        a, b = self.clouds
        if self.to_the_end:
            pairs = [by_points(pair, a[pair.row], b[pair.column]) for pair in pairs]
        sizes = [next_size(pair, a[pair.row], b[pair.column]) for pair in pairs]
        check_memory(sizes, self.jobs, BYTES_PER_PAIR)
        self._deepen(pairs)
        found = self._bounded(pairs, clock, what)
        for i, pair in zip(chosen, found, strict=True):
            self.pairs[i] = pair
        return True

    def _choose(self) -> list[int]:
        """The pairs with the largest losses, until what is left of all losses is a part."""
        weights = self._combined()[1]
        losses = np.array(
            [weights[pair.row, pair.column] * (pair.high - pair.low) for pair in self.pairs]
        )
        order = [i for i in np.argsort(-losses, kind="stable") if not self.pairs[i].is_done]
        sums = np.cumsum(losses[order])
        if not order:
            return []
        return order[: max(LEAST_PAIRS, int(np.searchsorted(sums, LOSS_SHARE * sums[-1])) + 1)]

    def _deepen(self, pairs: Sequence[Pair]) -> None:
        """Make the next levels of cells that these pairs need."""
        for side, clouds in enumerate(self.clouds):
            needed = {(pair.row, pair.column)[side]: 0 for pair in pairs if pair.cells is None}
            for pair in pairs:
                if pair.cells is None:
                    k = (pair.row, pair.column)[side]
                    needed[k] = max(needed[k], pair.level + 2)
            which = [k for k, levels in needed.items() if len(clouds[k].levels) < levels]
            deeper = map_tasks(deepen, [clouds[k] for k in which], self.jobs)
            for k, cloud in zip(which, deeper, strict=True):
                clouds[k] = cloud

    def _bounded(self, pairs: Sequence[Pair], clock: Clock, what: str) -> list[Pair]:
        """Pairs with bounds from the cells of the next level."""
        a, b = self.clouds
        tasks = []
        for pair in pairs:
            level = pair.level if pair.high == math.inf else pair.level + 1
            tasks.append((pair, a[pair.row].at(level), b[pair.column].at(level)))
        return map_tasks(partial(bound_level, clock), tasks, self.jobs, what=what)

    def _combined(self) -> tuple[Estimate, Floats]:
        """The interval, and how much the width of each pair adds to its width."""
        low, high = np.zeros((2, *(len(side) for side in self.clouds)))
        for pair in self.pairs:
            low[pair.row, pair.column], high[pair.row, pair.column] = pair.low, pair.high
        return combine(low, high, *self.masses)


def divide(problems: Problems) -> tuple[Batch, list[tuple[int, int]]]:
    """The pairs of clusters that the kernel solves exactly in no time, and all others."""
    sizes = np.outer(sizes_of(problems.a), sizes_of(problems.b))
    is_small = sizes <= (SMALL if takes_kernel(problems.places, "auto") else 0)
    rows, columns = np.nonzero(~is_small)
    return Batch(*np.nonzero(is_small)), list(zip(rows.tolist(), columns.tolist(), strict=True))


def solve_small(problems: Problems, small: Batch, jobs: int) -> list[Pair]:
    """The exact distances of small pairs of clusters."""
    if not len(small.rows):
        return []
    solve = partial(solve_clouds, as_clouds(problems.places, problems.a, problems.b))
    step = max(len(small.rows) // MOST_TASKS, 1)
    batches = [
        Batch(*(side[i : i + step] for side in small)) for i in range(0, len(small.rows), step)
    ]
    found = map_tasks(solve, batches, jobs, what="transport between small clusters")
    low, high = around_exact(np.concatenate(found))
    found_pairs = zip(*(side.tolist() for side in (*small, low, high)), strict=True)
    return [Pair(*one)._replace(is_done=True) for one in found_pairs]


def start_task(problems: Problems, positions: Floats, which: tuple[int, int]) -> Pair:
    """A pair of clusters without bounds."""
    row, column = which
    return start_pair(problems.places, positions, problems.a[row], problems.b[column], row, column)


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
