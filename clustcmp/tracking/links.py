"""How the clusters of one window go on in another: as which, into which, out of which.

Only what both windows have tells where a cluster went: its followed mass. Its home is the cluster
with more than half of that, and the origin of a later cluster is the one that gives more than half.
Windows may share few points by design; so a cluster whose points are gone, or new, more than twice
as often as points are on average has no home, or no origin: it died, or was born.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from clustcmp.contingency import Integers, Masses
from clustcmp.geometry import Floats
from clustcmp.model import Clustering, Comparison
from clustcmp.moves.changes import Changes, find_changes, follow_plan
from clustcmp.tracking.stream import Survey

NOBODY = -1

# How much of a mass is lost by rounding where masses are computed and not counted.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Links:
    """How clusters of one window go on in another, by their codes in the two surveys.

    `successors` goes from a cluster to the one that continues it, `heirs` from one without a
    successor to the cluster it merged into, `origins` from a new one to that which it split from.
    """

    successors: Mapping[int, int]
    heirs: Mapping[int, int]
    origins: Mapping[int, int]


def find_links(
    comparison: Comparison, source: Survey, target: Survey, ground: str = "euclidean"
) -> Links:
    """How the clusters of two windows are linked."""
    changes = follow_clusters(comparison, ground)
    codes_a = source.find_clusters(comparison.a, comparison.rows[0])
    codes_b = target.find_clusters(comparison.b, comparison.rows[1])
    rows, columns, masses = changes.flows
    sizes_a, sizes_b = changes.sizes_a, changes.sizes_b
    if not changes.by_plan:
        # An intersection leaves points out that a cluster has, and that are gone or new.
        sizes_a, sizes_b = source.clustering.masses[codes_a], target.clustering.masses[codes_b]
    homes = find_most(rows, columns, masses, sizes_a)
    origins = find_most(columns, rows, masses, sizes_b)
    successors = find_successors(changes, homes, origins)
    if changes.by_plan:
        # A plan has to put all mass somewhere, also that of a cluster far from all others.
        homes, origins = keep_neighbours(comparison, homes, origins)
    continued = {b for b in successors.tolist() if b != NOBODY}
    heirs, parents = enumerate(homes.tolist()), enumerate(origins.tolist())
    return Links(
        {codes_a[a]: codes_b[b] for a, b in enumerate(successors.tolist()) if b != NOBODY},
        {codes_a[a]: codes_b[b] for a, b in heirs if b != NOBODY and successors[a] == NOBODY},
        {codes_b[b]: codes_a[a] for b, a in parents if a != NOBODY and b not in continued},
    )


def follow_clusters(comparison: Comparison, ground: str) -> Changes:
    """The changes by the points that both windows have, else by the transport plan."""
    sides = comparison.a.points, comparison.b.points
    is_located = all(points.coordinates is not None for points in sides)
    if is_located and not has_witnesses(comparison):
        return follow_plan(comparison, ground)
    return find_changes(comparison, ground)


def has_witnesses(comparison: Comparison) -> bool:
    """Whether enough points are in both windows to tell what became of the clusters.

    That is at least half of the smaller window. Rows without ids at different places are not the
    same points, although they are compared by position.
    """
    if any(given.points.ids is None for given in comparison.given) and not comparison.same_places:
        return False
    smaller = min(comparison.a.points.size, comparison.b.points.size)
    return 2 * comparison.coverage.shared >= smaller


def find_most(lines: Integers, others: Integers, masses: Masses, sizes: Masses) -> Integers:
    """For each line the other one with more than half of its followed mass, or NOBODY."""
    followed = np.bincount(lines, weights=masses, minlength=len(sizes))
    is_usual = 2.0 * followed / sizes >= (1.0 - ROUNDING) * followed.sum() / sizes.sum()
    is_most = (2.0 * masses > (1.0 + ROUNDING) * followed[lines]) & is_usual[lines]
    found = np.full(len(sizes), NOBODY)
    found[lines[is_most]] = others[is_most]
    return found


def find_successors(changes: Changes, homes: Integers, origins: Integers) -> Integers:
    """The match of each cluster of a if it really continues it, else NOBODY.

    It does if it is its home, or all came from this cluster and no other is its home. The rest of
    a cluster that went elsewhere is matched, too, and is no more than a part that split off.
    """
    successors = np.full(len(homes), NOBODY)
    for match in changes.matches:
        is_rest = homes[match.a] == NOBODY and origins[match.b] == match.a
        if homes[match.a] == match.b or is_rest:
            successors[match.a] = match.b
    return successors


def keep_neighbours(
    comparison: Comparison, homes: Integers, origins: Integers
) -> tuple[Integers, Integers]:
    """Only homes and origins that are where the cluster itself is: their balls touch.

    The ball of a cluster has its centroid for centre; its radius is the root of the mean square
    distance from there.
    """
    places_a, places_b = comparison.a.points.coordinates, comparison.b.points.coordinates
    if places_a is None or places_b is None:
        return homes, origins
    # From the middle of the points, so that squares lose no digits far from the origin.
    middle = places_a.mean(axis=0)
    balls_a = find_balls(comparison.a, places_a - middle)
    balls_b = find_balls(comparison.b, places_b - middle)
    return drop_strangers(homes, balls_a, balls_b), drop_strangers(origins, balls_b, balls_a)


def drop_strangers(
    found: Integers, own: tuple[Floats, Floats], others: tuple[Floats, Floats]
) -> Integers:
    """For each cluster the other that was found for it if their balls touch, else NOBODY."""
    (centres, radii), (other_centres, other_radii) = own, others
    distances = np.linalg.norm(centres - other_centres[found], axis=1)
    touch = distances <= (1.0 + ROUNDING) * (radii + other_radii[found])
    return np.where(touch, found, NOBODY)


def find_balls(clustering: Clustering, places: Floats) -> tuple[Floats, Floats]:
    """The centroid (k, d) and the radius (k,) of each cluster of points at places (n, d)."""
    masses = clustering.masses.astype(np.float64)
    centres = sum_up(clustering, places) / masses[:, None]
    squares = sum_up(clustering, np.square(places).sum(axis=1)[:, None])[:, 0] / masses
    radii = np.sqrt(np.maximum(squares - np.square(centres).sum(axis=1), 0.0))
    return centres, radii


def sum_up(clustering: Clustering, numbers: Floats) -> Floats:
    """The sums (k, d) of numbers (n, d) over the points of each cluster."""
    if not clustering.is_hard:
        return np.asarray(clustering.membership.T @ numbers)
    columns = [
        np.bincount(clustering.membership, weights=column, minlength=clustering.n_clusters)
        for column in numbers.T
    ]
    return np.stack(columns, axis=1)
