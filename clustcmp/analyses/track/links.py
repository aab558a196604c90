"""How the clusters of one window continue in a later window: as which, into which, out of which.

The followed mass of a cluster is the mass of those of its points that both windows have. The home
of a cluster is the cluster of the later window with more than half of its followed mass; the origin
of a later cluster is the cluster that gives more than half of its followed mass. Windows may share
few points by design. So a cluster has no home, and died, or no origin, and was born, only if the
followed share of its points is less than half of the followed share of all points.

A transport plan moves all mass somewhere, also that of a cluster far from all others. So where a
plan says what went where, a cluster continues only as a cluster that is near, and splits and merges
only happen between clusters that touch. `Closeness` says which clusters are near and which touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from clustcmp.align import Canonical
from clustcmp.analyses.flows.follow import Changes, find_changes, follow_plan
from clustcmp.arrays import NONE, SAME_MASS, Flags, Floats, Integers, Masses
from clustcmp.matching import match_lines
from clustcmp.model import Clustering, Comparison


class Links(NamedTuple):
    """How clusters of one window continue in a later one, by their codes in the canonical windows.

    `successors` goes from a cluster to the one that continues it, `heirs` from one without a
    successor to the cluster it merged into, `origins` from a new one to that which it split from.
    """

    successors: Mapping[int, int]
    heirs: Mapping[int, int]
    origins: Mapping[int, int]


def find_links(
    comparison: Comparison, source: Canonical, target: Canonical, ground: str = "euclidean"
) -> Links:
    """How the clusters of two windows are linked."""
    changes = follow_clusters(comparison, ground)
    codes_a = find_codes(source, comparison.a, comparison.rows[0])
    codes_b = find_codes(target, comparison.b, comparison.rows[1])
    rows, columns, masses = changes.flows
    sizes_a, sizes_b = changes.sizes_a, changes.sizes_b
    if not changes.by_plan:
        # A comparison of common points leaves out the points of a cluster that are gone or new.
        sizes_a, sizes_b = source.clustering.masses[codes_a], target.clustering.masses[codes_b]
    close = find_closeness(comparison, changes)
    homes = find_majority(rows, columns, masses, sizes_a, close.is_near)
    origins = find_majority(columns, rows, masses, sizes_b, close.is_near)
    successors = find_successors(match_near(comparison, changes, close.is_near), homes, origins)
    homes = find_majority(rows, columns, masses, sizes_a, close.is_touching)
    origins = find_majority(columns, rows, masses, sizes_b, close.is_touching)
    continued = {b for b in successors.tolist() if b != NONE}
    heirs, parents = enumerate(homes.tolist()), enumerate(origins.tolist())
    return Links(
        {codes_a[a]: codes_b[b] for a, b in enumerate(successors.tolist()) if b != NONE},
        {codes_a[a]: codes_b[b] for a, b in heirs if b != NONE and successors[a] == NONE},
        {codes_b[b]: codes_a[a] for b, a in parents if a != NONE and b not in continued},
    )


def find_codes(window: Canonical, compared: Clustering, rows: Integers) -> list[int]:
    """The code in the canonical window of each cluster of a comparison.

    The compared points are the given rows of the window. A comparison may leave out points, and
    then its clusters have other codes, and single points of noise have other names.
    """
    if compared.membership is window.clustering.membership:
        return list(range(compared.n_clusters))
    if not window.given.is_hard:
        # The clusters of a soft window keep their names, which are unique.
        code_of = {name: code for code, name in enumerate(window.clustering.names.tolist())}
        return [code_of[name] for name in compared.names.tolist()]
    some_row = np.empty(compared.n_clusters, dtype=np.int64)
    some_row[compared.membership.strongest()] = rows
    return [int(code) for code in window.code_by_row[some_row]]


def follow_clusters(comparison: Comparison, ground: str) -> Changes:
    """The changes by the points that both windows have, or by the transport plan.

    Rows without ids are compared by position. If their coordinates differ, they are not the same
    points, and the plan says what went where.
    """
    by_position = any(given.points.ids is None for given in comparison.given)
    if by_position and comparison.is_located and not comparison.same_coordinates:
        return follow_plan(comparison, ground)
    return find_changes(comparison, ground)


def find_majority(
    lines: Integers, others: Integers, masses: Masses, sizes: Masses, allowed: Flags
) -> Integers:
    """For each cluster the other one with more than half of its followed mass, or NONE.

    `lines` and `others` are the clusters that share `masses`; the mass counts only where `allowed`.
    """
    followed = np.bincount(lines, weights=masses, minlength=len(sizes))
    is_usual = 2.0 * followed / sizes >= (1.0 - SAME_MASS) * followed.sum() / sizes.sum()
    is_most = (2.0 * masses > (1.0 + SAME_MASS) * followed[lines]) & is_usual[lines] & allowed
    found = np.full(len(sizes), NONE)
    found[lines[is_most]] = others[is_most]
    return found


def find_successors(
    matches: Iterable[tuple[int, int]], homes: Integers, origins: Integers
) -> Integers:
    """For each cluster of a the match that continues it, or NONE.

    A match continues a cluster if it is the home of the cluster; or if the cluster has no home, and
    is the origin of the match. Where most of a cluster went elsewhere, what is left of it is its
    match as well, but has only split off.
    """
    successors = np.full(len(homes), NONE)
    for a, b in matches:
        if homes[a] == b or (homes[a] == NONE and origins[b] == a):
            successors[a] = b
    return successors


def match_near(
    comparison: Comparison, changes: Changes, is_near: Flags
) -> Iterable[tuple[int, int]]:
    """The one-to-one match of clusters with the most common mass.

    By plan only near clusters match, and of equal matches the one with equal names is taken.
    """
    if not changes.by_plan:
        return [(match.a, match.b) for match in changes.matches]
    rows, columns, masses = (values[is_near] for values in changes.flows)
    names_a, names_b = (
        np.array(side.names.tolist(), object) for side in (comparison.a, comparison.b)
    )
    bonus = SAME_MASS * (names_a[rows] == names_b[columns]).astype(np.float64)
    chosen = match_lines(rows, columns, masses * (1.0 + bonus), len(names_a), len(names_b))
    return zip(rows[chosen].tolist(), columns[chosen].tolist(), strict=True)


class Closeness(NamedTuple):
    """Which flows are between clusters that touch, and which between clusters that are near.

    The ball of a cluster has its centroid for centre; its radius is the root of the mean square
    distance from there. Clusters touch if their balls do. Clusters are near if they touch, or if
    they are closer to each other than to any other cluster of their own windows, such as a small
    cluster before and after a drift.
    """

    is_touching: Flags
    is_near: Flags


def find_closeness(comparison: Comparison, changes: Changes) -> Closeness:
    """How close clusters are; clusters that share points count as touching."""
    rows, columns, _ = changes.flows
    here, there = comparison.a.points.coordinates, comparison.b.points.coordinates
    if not changes.by_plan or here is None or there is None:
        everywhere = np.ones(len(rows), dtype=np.bool_)
        return Closeness(everywhere, everywhere)
    centres_a, radii_a = find_balls(comparison.a, here)
    centres_b, radii_b = find_balls(comparison.b, there)
    distances = np.linalg.norm(centres_a[rows] - centres_b[columns], axis=1)
    is_touching = distances <= (1.0 + SAME_MASS) * (radii_a[rows] + radii_b[columns])
    gaps = np.minimum(find_gaps(centres_a)[rows], find_gaps(centres_b)[columns])
    return Closeness(is_touching, is_touching | (distances < gaps))


def find_gaps(centres: Floats) -> Floats:
    """The distance from each centre to the nearest other centre; 0 without another centre."""
    from scipy.spatial import cKDTree

    if len(centres) == 1:
        return np.zeros(1)
    distances, _ = cKDTree(centres).query(centres, k=[2])
    return np.asarray(distances, dtype=np.float64).ravel()


def find_balls(clustering: Clustering, coordinates: Floats) -> tuple[Floats, Floats]:
    """The centroid (k, d) and the radius (k,) of each cluster of points with coordinates (n, d)."""
    masses = clustering.masses.astype(np.float64)
    # Measured from the mean of the points, because squares lose digits far from the origin.
    middle = coordinates.mean(axis=0)
    shifted = coordinates - middle
    centres = clustering.membership.sum_up(shifted) / masses[:, None]
    squares = clustering.membership.sum_up(np.square(shifted).sum(axis=1)[:, None])[:, 0] / masses
    radii = np.sqrt(np.maximum(squares - np.square(centres).sum(axis=1), 0.0))
    return centres + middle, radii
