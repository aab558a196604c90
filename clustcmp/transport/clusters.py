"""Optimal transport between the clusters of a and b, whose distances are transports of points."""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.backends import map_tasks
from clustcmp.model import Comparison
from clustcmp.progress import foretell
from clustcmp.transport.costs_of_exact import check_affordable
from clustcmp.transport.distances import Problems, cluster_distances, left_to_move
from clustcmp.transport.exact import transport, transport_plan
from clustcmp.transport.places import Places, Spread, find_places, spread_clusters, spread_points

# How many distances between points are held in memory at once where all are summed: 2 MB, which
# stay in the processor's cache.
BLOCK_CELLS = 1 << 18

# Where the optimal transport costs nothing, the naive one is computed for up to so many distances.
QUICK_CELLS = 1 << 24

# All rows of distances are divided among at most this many tasks.
MOST_TASKS = 256

# Seconds that a task must take to be worth a thread.
WORTHWHILE = 0.003

# How many places are timed to say how long all of them take.
TIMED = 50


class Transported(NamedTuple):
    """The optimal and the naive cost of turning a into b.

    The naive plan moves a share of each cluster of a to each cluster of b, in proportion to the
    mass of that cluster. Its cost is None where the optimal cost is 0 and the naive one would take
    long to compute.

    Both are given in a unit in which they are neither huge nor tiny.
    """

    optimal: float
    naive: float | None
    unit: float


class ClusterPlan(NamedTuple):
    """The optimal plan between clusters: weights, which sum to 1, and the distances they go.

    The distances are given in a unit in which they are neither huge nor tiny.
    """

    sources: Integers
    sinks: Integers
    weights: Floats
    distances: Floats
    unit: float


def transport_clusters(comparison: Comparison, ground: str, solver: str = "auto") -> Transported:
    """The transport between the clusters of a and of b, weighted by their mass."""
    problems = comparison.once(problems_of_clusters, ground)
    check_affordable(problems, comparison.jobs, solver, "cdistance", comparison.budget)
    distances, unit = comparison.once(distance_table, ground, solver)
    mass_a, mass_b = mass_shares(comparison)
    naive = math.fsum((mass_a[:, None] * distances * mass_b[None, :]).ravel())
    return Transported(transport(distances, mass_a, mass_b), naive, unit)


def plan_clusters(comparison: Comparison, ground: str) -> ClusterPlan:
    """The plan behind the optimal transport between the clusters of a and of b."""
    distances, unit = comparison.once(distance_table, ground)
    plan = transport_plan(distances, *mass_shares(comparison))
    return ClusterPlan(*plan, distances[plan.sources, plan.sinks], unit)


def distance_table(
    comparison: Comparison, ground: str, solver: str = "auto"
) -> tuple[Floats, float]:
    """The (n_a, n_b) transport distances between clusters, and their unit."""
    problems = comparison.once(problems_of_clusters, ground)
    return cluster_distances(problems, comparison.jobs, solver), problems.places.unit


def problems_of_clusters(comparison: Comparison, ground: str) -> Problems:
    """The transports between the clusters of a and those of b."""
    places = find_places(comparison, ground)
    a = tuple(spread_clusters(comparison.a, places.of_a))
    b = tuple(spread_clusters(comparison.b, places.of_b))
    return Problems(places, a, b)


def mass_shares(comparison: Comparison) -> tuple[Floats, Floats]:
    """The mass of each cluster of a, and of b, as a share of all mass."""
    a, b = (side.masses / side.points.mass for side in (comparison.a, comparison.b))
    return a, b


def transport_points(comparison: Comparison, ground: str, solver: str = "auto") -> Transported:
    """The transport between all points of a and all points of b, by their weights."""
    problems = problems_of_points(comparison, ground)
    places, (a,), (b,) = problems.places, problems.a, problems.b
    check_affordable(
        moving(problems), comparison.jobs, solver, "similarity_distance", comparison.budget
    )
    optimal = float(cluster_distances(problems, comparison.jobs, solver)[0, 0])
    if not optimal and len(a.places) * len(b.places) > QUICK_CELLS:
        return Transported(0.0, None, places.unit)
    naive = sum_costs(places, a, b, comparison.jobs) / (a.total * b.total)
    return Transported(optimal, naive, places.unit)


def problems_of_points(comparison: Comparison, ground: str) -> Problems:
    """The one transport between all points of a and all points of b."""
    places = find_places(comparison, ground)
    points_a, points_b = comparison.a.points, comparison.b.points
    a = spread_points(places.of_a, points_a.mass, points_a.weights)
    b = spread_points(places.of_b, points_b.mass, points_b.weights)
    return Problems(places, [a], [b])


def moving(problems: Problems) -> Problems:
    """The transport of what is left when mass that both sides have at a place has cancelled."""
    (a,), (b,) = problems.a, problems.b
    sources, supply, sinks, demand = left_to_move(problems.places, a, b)
    left = (Spread(sources, supply, a.total), Spread(sinks, demand, b.total))
    return Problems(problems.places, [left[0]], [left[1]])


def sum_costs(places: Places, a: Spread, b: Spread, jobs: int) -> float:
    """The sum of mass times mass times distance over all places of a and all places of b."""
    task = partial(sum_rows, places, a, b)
    rows = np.arange(len(a.places))
    some = rows[:: max(len(rows) // TIMED, 1)]
    what = f"the distances between {len(a.places):,} and {len(b.places):,} places"
    foretell(what, partial(task, some), len(rows) / len(some) / jobs)
    tasks = np.array_split(rows, min(len(rows), MOST_TASKS))
    parts = map_tasks(task, tasks, jobs, what="distances of all points", worthwhile=WORTHWHILE)
    return math.fsum(parts)


def sum_rows(places: Places, a: Spread, b: Spread, rows: Integers) -> float:
    """The part of the sum that some places of a, given by their positions, have."""
    step = max(BLOCK_CELLS // len(b.places), 1)
    parts = []
    for first in range(0, len(rows), step):
        some = rows[first : first + step]
        costs = np.einsum("ij,j->i", places.cost(a.places[some], b.places), b.masses)
        parts.append(float((costs * a.masses[some]).sum()))
    return math.fsum(parts)
