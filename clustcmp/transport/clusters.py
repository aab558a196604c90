"""How far it is from each cluster of a to each cluster of b, by optimal transport of their points.

Each problem is made as small as it can be without changing its optimum: points that coincide are
one place; mass that both clusters have at a place stays there, if the ground distance is a metric;
in one dimension the distribution functions tell the distance without a solver.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.errors import LimitExceeded, UsageError
from clustcmp.geometry import (
    LINEAR,
    METRICS,
    distance_unit,
    ground_distances,
    merge_places,
    unit_of,
)
from clustcmp.model import Clustering, Comparison, Hard
from clustcmp.progress import track
from clustcmp.transport.exact import check_memory, transport, transport_plan

# What is left of a mass after subtracting an equal one, as a share of all mass.
DUST = 1e-15

# A task of the threads solves problems of at least so many cells in all: handing over a task takes
# as long as solving a small problem, and a million pairs of clusters would be a million tasks.
BATCH_CELLS = 1 << 15

# Distances that are summed at once.
BLOCK_CELLS = 1 << 22


class Transported(NamedTuple):
    """The optimal and the naive cost of turning a into b; naive is each to all in proportion.

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


@dataclass(frozen=True, eq=False)
class Spread:
    """The masses of a cluster at the places of its points, which are in ascending order."""

    places: Integers
    masses: Floats
    total: float


@dataclass(frozen=True, eq=False)
class Space:
    """Where the points of a and b are, and how far places are from each other."""

    places_a: Integers
    places_b: Integers
    coordinates: Floats | None
    distances: Floats | None
    ground: str
    unit: float

    @property
    def may_cancel(self) -> bool:
        """Whether mass that both sides have at a place can stay there."""
        return self.coordinates is not None and self.ground in METRICS

    @property
    def is_line(self) -> bool:
        """Whether places are numbers and distances their differences."""
        return (
            self.coordinates is not None
            and self.coordinates.shape[1] == 1
            and self.ground in LINEAR
        )

    def cost(self, sources: Integers, sinks: Integers) -> Floats:
        """The distances from places of a to places of b."""
        if self.distances is not None:
            return self.distances[np.ix_(sources, sinks)]
        coordinates = self.positions
        return ground_distances(coordinates[sources], coordinates[sinks], self.ground)

    @property
    def positions(self) -> Floats:
        """The coordinates of the places."""
        if self.coordinates is None:
            raise ValueError("there are distances instead of coordinates")
        return self.coordinates


def find_space(comparison: Comparison, ground: str) -> Space:
    """The places of all points of a comparison."""
    a, b = comparison.a.points, comparison.b.points
    if ground == "precomputed":
        given = comparison.distances
        if given is None:
            raise UsageError("there are no distances", hint="give them with --distances")
        unit = unit_of(given)
        return Space(np.arange(a.size), np.arange(b.size), None, given / unit, ground, unit)
    if a.coordinates is None or b.coordinates is None:
        raise UsageError("there are no coordinates", hint="give them, or use ground=precomputed")
    together = a.coordinates
    if not comparison.same_places:
        together = np.concatenate([a.coordinates, b.coordinates])
    unit = 1.0 if ground == "haversine" else unit_of(together)
    coordinates, places = merge_places(together / unit)
    if coordinates.shape[1] > 1:
        # Neighbours in a row slow the network simplex down by a quarter; a shuffle that depends on
        # nothing but the number of places keeps them apart.
        shuffled = np.random.default_rng(0).permutation(len(coordinates))
        places, coordinates = np.argsort(shuffled)[places], coordinates[shuffled]
    unit = distance_unit(unit, ground)
    places_b = places if comparison.same_places else places[a.size :]
    return Space(places[: a.size], places_b, coordinates, None, ground, unit)


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
    space = find_space(comparison, ground)
    a = list(spread_clusters(comparison.a, space.places_a))
    b = list(spread_clusters(comparison.b, space.places_b))
    return cluster_distances(space, a, b, comparison.jobs), space.unit


def mass_shares(comparison: Comparison) -> tuple[Floats, Floats]:
    """The mass of each cluster of a, and of b, as a share of all."""
    a, b = (side.masses / side.points.mass for side in (comparison.a, comparison.b))
    return a, b


def transport_points(comparison: Comparison, ground: str) -> Transported:
    """The transport between all points of a and all points of b, each of the same mass."""
    space = find_space(comparison, ground)
    a, b = (spread_points(places) for places in (space.places_a, space.places_b))
    optimal = float(cluster_distances(space, [a], [b], 1)[0, 0])
    step = max(BLOCK_CELLS // len(b.places), 1)
    parts = [
        np.einsum(
            "i,ij,j->",
            a.masses[i : i + step],
            space.cost(a.places[i : i + step], b.places),
            b.masses,
        )
        for i in range(0, len(a.places), step)
    ]
    naive = math.fsum(parts) / (a.total * b.total)
    return Transported(optimal, naive, space.unit)


def spread_clusters(clustering: Clustering, places: Integers) -> Iterator[Spread]:
    """The spread of each cluster, in their order."""
    membership = clustering.membership
    if isinstance(membership, Hard):
        order = np.argsort(membership.codes, kind="stable")
        borders = np.cumsum(clustering.masses)[:-1]
        for points in np.split(order, borders):
            found, counts = np.unique(places[points], return_counts=True)
            yield Spread(found, counts.astype(np.float64), float(len(points)))
        return
    for degrees in membership.array.T:
        at_place = np.asarray(np.bincount(places, weights=degrees), dtype=np.float64)
        found = np.flatnonzero(at_place)
        yield Spread(found, at_place[found], math.fsum(at_place[found]))


def spread_points(places: Integers) -> Spread:
    """The spread of all points together."""
    found, counts = np.unique(places, return_counts=True)
    return Spread(found, counts.astype(np.float64), float(len(places)))


def cluster_distances(space: Space, a: list[Spread], b: list[Spread], jobs: int) -> Floats:
    """The (n_a, n_b) optimal transport distances between clusters."""
    distances = np.zeros((len(a), len(b)))
    if not space.is_line:
        check_sizes(space, a, b, jobs)

    def solve_batch(batch: list[tuple[int, int]]) -> None:
        for k, j in batch:
            distances[k, j] = spread_distance(space, a[k], b[j])

    pool = ThreadPoolExecutor(jobs)
    try:
        work = [pool.submit(solve_batch, batch) for batch in batches(a, b)]
        for future in track(as_completed(work), "transport between clusters", len(work)):
            future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return distances


def batches(a: list[Spread], b: list[Spread]) -> list[list[tuple[int, int]]]:
    """All pairs of clusters; the largest first, as one at the end would leave other cores idle."""
    sizes = np.outer([len(x.places) for x in a], [len(y.places) for y in b])
    order = np.argsort(-sizes, axis=None, kind="stable")
    cells = np.cumsum(sizes.ravel()[order])
    # A new batch begins with the pair that brings the sum over a border.
    begins = np.flatnonzero(np.diff(cells // BATCH_CELLS)) + 1
    rows, columns = np.unravel_index(order, sizes.shape)
    pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
    borders = [0, *begins.tolist(), len(pairs)]
    return [pairs[first:last] for first, last in pairwise(borders)]


def check_sizes(space: Space, a: list[Spread], b: list[Spread], jobs: int) -> None:
    """Refuse problems that do not fit in memory; only if they might not, each is looked at."""
    try:
        check_memory([(len(x.places), len(y.places)) for x in a for y in b], jobs)
    except LimitExceeded:
        check_memory([problem_size(space, x, y) for x in a for y in b], jobs)


def spread_distance(space: Space, a: Spread, b: Spread) -> float:
    """The optimal transport distance between two spreads, each of mass 1."""
    if space.is_line:
        return line_distance(space.positions[:, 0], a, b)
    sources, supply, sinks, demand = left_to_move(space, a, b)
    if not len(sources) or not len(sinks):
        return 0.0
    share = math.fsum(supply) / (a.total * b.total)
    return share * transport(space.cost(sources, sinks), supply, demand)


def problem_size(space: Space, a: Spread, b: Spread) -> tuple[int, int]:
    """The number of sources and sinks of the problem that is left to solve."""
    sources, _, sinks, _ = left_to_move(space, a, b)
    return len(sources), len(sinks)


def left_to_move(space: Space, a: Spread, b: Spread) -> tuple[Integers, Floats, Integers, Floats]:
    """Sources with their supply and sinks with their demand, where 1 is written as a.total b.total.

    In these units the masses of hard clusters are whole numbers, so equal ones cancel exactly.
    """
    supply, demand = a.masses * b.total, b.masses * a.total
    if not space.may_cancel:
        return a.places, supply, b.places, demand
    at = np.minimum(np.searchsorted(b.places, a.places), len(b.places) - 1)
    in_a = np.flatnonzero(b.places[at] == a.places)
    in_b = at[in_a]
    stays = np.minimum(supply[in_a], demand[in_b])
    supply[in_a] -= stays
    demand[in_b] -= stays
    dust = DUST * a.total * b.total
    moves, receives = supply > dust, demand > dust
    return a.places[moves], supply[moves], b.places[receives], demand[receives]


def line_distance(positions: Floats, a: Spread, b: Spread) -> float:
    """The area between the distribution functions of two spreads on a line."""
    places = np.concatenate([a.places, b.places])
    masses = np.concatenate([a.masses / a.total, -b.masses / b.total])
    order = np.argsort(places, kind="stable")
    difference = np.cumsum(masses[order])[:-1]
    return math.fsum(np.abs(difference) * np.diff(positions[places[order]]))
