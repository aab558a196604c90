"""Points for figures whose points a paper does not list; seeded, so the same every time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Codes = NDArray[np.int64]


def make_clusters(
    centres: Sequence[tuple[float, float]],
    sizes: Sequence[int],
    spreads: Sequence[float],
    seed: int,
) -> tuple[Points, Codes]:
    """Round Gaussian clusters (n, 2) and the number of the cluster that each point is in."""
    generator = np.random.default_rng(seed)
    points = [
        generator.normal(centre, spread, size=(size, 2))
        for centre, size, spread in zip(centres, sizes, spreads, strict=True)
    ]
    return np.concatenate(points), np.repeat(np.arange(len(sizes)), sizes)


def reassign(codes: Codes, moved: Codes, cluster: int) -> Codes:
    """The clustering after some points went to another cluster."""
    changed = codes.copy()
    changed[moved] = cluster
    return changed


def nearest(points: Points, codes: Codes, cluster: int, location: Points, count: int) -> Codes:
    """The points of a cluster that are nearest to a location, the nearest first."""
    members = np.flatnonzero(codes == cluster)
    distances = np.linalg.norm(points[members] - location, axis=1)
    return members[np.argsort(distances, kind="stable")][:count]


def farthest(points: Points, codes: Codes, cluster: int, location: Points, count: int) -> Codes:
    """The points of a cluster that are farthest from a location, the farthest first."""
    return nearest(points, codes, cluster, location, len(points))[::-1][:count]
