"""Flows between clusterings of which at least one is soft.

Of a point's degree in a cluster of a and its degree in the match of this cluster, the smaller one
stays. The rest of the point moves, in proportion to the degrees that are left. For two hard
clusterings these flows are the counts of points, and between equal soft ones nothing moves.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from clustcmp.analyses.flows.fates import Flows, Partners
from clustcmp.arrays import NONE, SAME_SUM, Floats
from clustcmp.model import Clustering


def share_degrees(a: Clustering, b: Clustering, shared: int) -> Flows:
    """The sums over the first points of the smaller degree in a cluster of a and of b."""
    from scipy.spatial.distance import cdist

    overlaps = np.zeros((a.n_clusters, b.n_clusters))
    for degrees_a, degrees_b in chunks(a, b, shared):
        # min(x, y) = (x + y - |x - y|) / 2
        sums = degrees_a.sum(axis=0)[:, None] + degrees_b.sum(axis=0)[None, :]
        overlaps += (sums - cdist(degrees_a.T, degrees_b.T, "cityblock")) / 2.0
    return as_flows(overlaps, mass_of(a, shared))


def move_degrees(a: Clustering, b: Clustering, shared: int, partners: Partners) -> Flows:
    """The flows of the first points, of which as much as possible stays in the matches."""
    table = np.zeros((a.n_clusters, b.n_clusters))
    matched = np.flatnonzero(partners.of_a != NONE)
    matches = partners.of_a[matched]
    for degrees_a, degrees_b in chunks(a, b, shared):
        stays = np.minimum(degrees_a[:, matched], degrees_b[:, matches])
        table[matched, matches] += stays.sum(axis=0)
        degrees_a[:, matched] -= stays
        degrees_b[:, matches] -= stays
        rest = degrees_a.sum(axis=1)
        # A smaller rest is a rounding error of a difference of equal degrees.
        moves = rest > SAME_SUM * (stays.sum(axis=1) + rest)
        shares = degrees_a[moves] / rest[moves, None]
        # einsum adds up in the same order for any number of threads, a product of matrices may not.
        table += np.einsum("ik,ij->kj", shares, degrees_b[moves])
    return as_flows(table, mass_of(a, shared))


def chunks(a: Clustering, b: Clustering, shared: int) -> Iterator[tuple[Floats, Floats]]:
    """The degrees of the first points in a and in b times their weights, few points at a time."""
    weights = a.points.weights
    for rows in a.membership.chunks(shared):
        degrees_a, degrees_b = a.membership.degrees_of(rows), b.membership.degrees_of(rows)
        if weights is not None:
            degrees_a *= weights[rows, None]
            degrees_b *= weights[rows, None]
        yield degrees_a, degrees_b


def mass_of(clustering: Clustering, shared: int) -> float:
    """The mass of the first points."""
    weights = clustering.points.weights
    return shared if weights is None else float(weights[:shared].sum())


def as_flows(table: Floats, mass: float) -> Flows:
    """The cells of a table whose mass is more than a rounding error."""
    rows, columns = np.nonzero(table > SAME_SUM * mass)
    return Flows(rows, columns, table[rows, columns])
