"""Where the points of a and b are, and how the mass of a cluster is spread over these places.

Points that coincide are one place. This makes the transport problems smaller and does not change
their optimum.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.errors import UsageError
from clustcmp.geometry import (
    LINEAR,
    TRUE_METRICS,
    distance_unit,
    ground_distances,
    merge_places,
    unit_of,
)
from clustcmp.model import Clustering, Comparison, Hard
from clustcmp.wording import say


@dataclass(frozen=True, eq=False)
class Places:
    """The place of each point of a and of each point of b, and how far places are from each other.

    Either the `coordinates` (m, d) of the m places are known, or the `distances` between places of
    a and places of b. Both are divided by a power of two so that they are neither huge nor tiny;
    a distance times `unit` is the distance in the user's units.
    """

    of_a: Integers
    of_b: Integers
    coordinates: Floats | None
    distances: Floats | None
    ground: str
    unit: float

    @property
    def may_cancel(self) -> bool:
        """Whether mass that both sides have at a place can stay there in an optimal plan."""
        return self.coordinates is not None and self.ground in TRUE_METRICS

    @property
    def on_a_line(self) -> bool:
        """Whether places are numbers, in ascending order, and distances their differences."""
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
        """The coordinates of the places, where coordinates are known."""
        if self.coordinates is None:
            raise ValueError("these places have distances instead of coordinates")
        return self.coordinates


@dataclass(frozen=True, eq=False)
class Spread:
    """The masses of a cluster at the places of its points, which are in ascending order."""

    places: Integers
    masses: Floats
    total: float


def find_places(comparison: Comparison, ground: str) -> Places:
    """The places of all points of a comparison."""
    a, b = comparison.a.points, comparison.b.points
    if ground == "precomputed":
        given = comparison.distances
        if given is None:
            raise UsageError(
                "ground=precomputed needs distances, but none are given",
                hint=f"give them with {say('distances')}",
            )
        unit = unit_of(given)
        return Places(np.arange(a.size), np.arange(b.size), None, given / unit, ground, unit)
    if a.coordinates is None or b.coordinates is None:
        raise UsageError(
            f"ground={ground} needs coordinates, but none are given",
            hint=f"give them with {say('coordinates')}, or use ground=precomputed with distances",
        )
    together = a.coordinates
    if not comparison.same_coordinates:
        together = np.concatenate([a.coordinates, b.coordinates])
    unit = 1.0 if ground == "haversine" else unit_of(together)
    coordinates, places = merge_places(together / unit)
    if coordinates.shape[1] > 1:
        # Neighbours in a row slow the network simplex down by a quarter; a shuffle that depends on
        # nothing but the number of places keeps them apart.
        shuffled = np.random.default_rng(0).permutation(len(coordinates))
        places, coordinates = np.argsort(shuffled)[places], coordinates[shuffled]
    unit = distance_unit(unit, ground)
    of_b = places if comparison.same_coordinates else places[a.size :]
    return Places(places[: a.size], of_b, coordinates, None, ground, unit)


def spread_clusters(clustering: Clustering, places: Integers) -> Iterator[Spread]:
    """The spread of each cluster over the places of the points, in the order of the clusters."""
    membership, weights = clustering.membership, clustering.points.weights
    if isinstance(membership, Hard):
        order = np.argsort(membership.codes, kind="stable")
        clusters = np.split(order, np.cumsum(membership.masses)[:-1])
        for points, mass in zip(clusters, clustering.masses.tolist(), strict=True):
            yield spread_points(places[points], mass, None if weights is None else weights[points])
        return
    for degrees in membership.array.T:
        masses = degrees if weights is None else degrees * weights
        at_place = np.asarray(np.bincount(places, weights=masses), dtype=np.float64)
        found = np.flatnonzero(at_place)
        yield Spread(found, at_place[found], math.fsum(at_place[found]))


def spread_points(places: Integers, mass: float, weights: Floats | None = None) -> Spread:
    """The spread of some points, given the place and weight of each point and the mass of all."""
    if weights is None:
        found, counts = np.unique(places, return_counts=True)
        return Spread(found, counts.astype(np.float64), float(mass))
    found, positions = np.unique(places, return_inverse=True)
    masses = np.bincount(positions, weights=weights).astype(np.float64)
    return Spread(found, masses, float(mass))
