"""The clusters that points of another sample would have in a clustering."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.clusterers.base import Found, Transfer
from clustcmp.errors import UsageError
from clustcmp.model.membership import CHUNK, NOISE, Hard, Soft
from clustcmp.wording import say

NEIGHBOURS = 5

# With more columns a tree looks at nearly all points, and takes longer than all distances at once.
MOST_TREE_COLUMNS = 16


def transfer(found: Found, coordinates: Floats, points: Floats, rule: Transfer) -> Integers:
    """The codes of points (m, d) in a clustering of the points at the coordinates (n, d).

    The strongest cluster counts where memberships are soft. A point may become noise: by the
    estimator's own prediction, or if most of the nearest points are noise.
    """
    if rule == "predict":
        if found.predict is None:
            raise UsageError(
                "this clusterer cannot predict the clusters of points that it has not clustered",
                hint=f"say {say('transfer', 'centroid')} or {say('transfer', 'neighbours')}",
            )
        return found.predict(points)
    codes = strongest_codes(found.membership)
    if (codes == NOISE).all():
        return np.full(len(points), NOISE)
    by_rule = nearest_mean if rule == "centroid" else nearest_points
    return by_rule(coordinates, codes, points)


def strongest_codes(membership: Hard | Soft) -> Integers:
    """The cluster of each point: the only one, the strongest one, or NOISE."""
    return membership.strongest()


def nearest_mean(coordinates: Floats, codes: Integers, points: Floats) -> Integers:
    """For each point the cluster whose mean is nearest; noise has no mean."""
    known, places = np.unique(codes[codes != NOISE], return_inverse=True)
    clustered = Hard(places.reshape(-1).astype(np.int32), len(known))
    means = clustered.sum_up(coordinates[codes != NOISE]) / clustered.masses[:, None]
    nearest = [distances.argmin(axis=1) for distances in in_chunks(points, means)]
    return np.asarray(known[np.concatenate(nearest)])


def nearest_points(coordinates: Floats, codes: Integers, points: Floats) -> Integers:
    """For each point the cluster of most of its nearest points; ties go to the nearest of them."""
    n_neighbours = min(NEIGHBOURS, len(coordinates))
    near = codes[find_nearest(coordinates, points, n_neighbours)]
    votes = (near[:, :, None] == near[:, None, :]).sum(axis=2)
    # argmax takes the first of equal numbers of votes, and neighbours are in order of distance.
    return np.take_along_axis(near, votes.argmax(axis=1)[:, None], axis=1)[:, 0]


def find_nearest(coordinates: Floats, points: Floats, n_neighbours: int) -> Integers:
    """For each point the rows of the nearest coordinates, the nearest first."""
    if coordinates.shape[1] <= MOST_TREE_COLUMNS:
        from scipy.spatial import KDTree

        rows = KDTree(coordinates).query(points, k=n_neighbours)[1]
        return np.asarray(rows, dtype=np.int64).reshape(len(points), n_neighbours)
    nearest = [
        distances.argsort(axis=1, kind="stable")[:, :n_neighbours]
        for distances in in_chunks(points, coordinates)
    ]
    return np.concatenate(nearest)


def in_chunks(points: Floats, places: Floats) -> Iterator[Floats]:
    """The distances between points and places, for few points at a time."""
    from scipy.spatial.distance import cdist

    for first in range(0, len(points), CHUNK):
        yield cdist(points[first : first + CHUNK], places)
