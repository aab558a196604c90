"""Optimal transport between the clusters of a and b, whose distances are transports of points."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.model import Comparison
from clustcmp.transport.distances import Problems, cluster_distances
from clustcmp.transport.exact import transport, transport_plan
from clustcmp.transport.places import Places, Spread, find_places, spread_clusters, spread_points

# How many distances between points are held in memory at once where all are summed.
BLOCK_CELLS = 1 << 22


class Transported(NamedTuple):
    """The optimal and the naive cost of turning a into b.

    The naive plan moves a share of each cluster of a to each cluster of b, in proportion to the
    mass of that cluster.

    Both are given in a unit in which they are neither huge nor tiny.
    """

    optimal: float
    naive: float
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


def transport_clusters(comparison: Comparison, ground: str) -> Transported:
    """The transport between the clusters of a and of b, weighted by their mass."""
    distances, unit = comparison.once(distance_table, ground)
    mass_a, mass_b = mass_shares(comparison)
    naive = math.fsum((mass_a[:, None] * distances * mass_b[None, :]).ravel())
    return Transported(transport(distances, mass_a, mass_b), naive, unit)


def plan_clusters(comparison: Comparison, ground: str) -> ClusterPlan:
    """The plan behind the optimal transport between the clusters of a and of b."""
    distances, unit = comparison.once(distance_table, ground)
    plan = transport_plan(distances, *mass_shares(comparison))
    return ClusterPlan(*plan, distances[plan.sources, plan.sinks], unit)


def distance_table(comparison: Comparison, ground: str) -> tuple[Floats, float]:
    """The (n_a, n_b) transport distances between clusters, and their unit."""
    places = find_places(comparison, ground)
    a = tuple(spread_clusters(comparison.a, places.of_a))
    b = tuple(spread_clusters(comparison.b, places.of_b))
    return cluster_distances(Problems(places, a, b), comparison.jobs), places.unit


def mass_shares(comparison: Comparison) -> tuple[Floats, Floats]:
    """The mass of each cluster of a, and of b, as a share of all mass."""
    a, b = (side.masses / side.points.mass for side in (comparison.a, comparison.b))
    return a, b


def transport_points(comparison: Comparison, ground: str) -> Transported:
    """The transport between all points of a and all points of b, each of the same mass."""
    places = find_places(comparison, ground)
    a = spread_points(places.of_a, comparison.a.points.mass)
    b = spread_points(places.of_b, comparison.b.points.mass)
    optimal = float(cluster_distances(Problems(places, [a], [b]), comparison.jobs)[0, 0])
    naive = sum_costs(places, a, b) / (a.total * b.total)
    return Transported(optimal, naive, places.unit)


def sum_costs(places: Places, a: Spread, b: Spread) -> float:
    """The sum of mass times mass times distance over all places of a and all places of b."""
    step = max(BLOCK_CELLS // len(b.places), 1)
    parts = [
        np.einsum(
            "i,ij,j->",
            a.masses[i : i + step],
            places.cost(a.places[i : i + step], b.places),
            b.masses,
        )
        for i in range(0, len(a.places), step)
    ]
    return math.fsum(parts)
