"""The company of points: which clusters are around them, and how alike it is for pairs."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.backends import allowed_jobs
from clustcmp.geometry import merge_places, unit_of
from clustcmp.model import Comparison

# Two distances are equal if they differ by rounding only.
TIE = 1.0 + 1e-9


class Costs(NamedTuple):
    """Pairs of points, and sums of how alike their company is.

    `pairs_a` are together in a, `pairs_b` in b. `parted` is how alike the pairs are that b alone
    parts, `joined` how different those that b alone joins; `alike_in_a` is how alike all pairs of
    a are, and `different_apart` how different all pairs are that are apart in a.
    """

    n_pairs: int
    pairs_a: int
    pairs_b: int
    parted: float
    joined: float
    alike_in_a: float
    different_apart: float


class Company(NamedTuple):
    """The shares of clusters around points: of which point, which cluster, and how much."""

    points: Integers
    clusters: Integers
    shares: Floats


def sum_costs(comparison: Comparison, k: int, own: float) -> Costs:
    """The sums over pairs, by k neighbours of each point and the share of its own cluster."""
    a, b = comparison.a.membership.strongest(), comparison.b.membership.strongest()
    n = len(a)
    company = find_company(comparison, a, k, own)
    n_a, n_b = comparison.a.n_clusters, comparison.b.n_clusters
    _, cells = np.unique(a.astype(np.int64) * n_b + b, return_inverse=True)
    groups = (np.zeros(n, dtype=np.int64), a, b, cells.reshape(-1))
    sizes = [np.bincount(codes) for codes in groups]
    pairs = [sum(math.comb(size, 2) for size in one.tolist()) for one in sizes]
    # How different the company of a pair is: half of the sum of all differences.
    different = [
        sum_differences(company, codes, size, n_a) / 2.0
        for codes, size in zip(groups, sizes, strict=True)
    ]
    everywhere, in_a, in_b, in_both = different
    n_pairs, pairs_a, pairs_b, pairs_both = pairs
    return Costs(
        n_pairs,
        pairs_a,
        pairs_b,
        parted=max((pairs_a - pairs_both) - (in_a - in_both), 0.0),
        joined=max(in_b - in_both, 0.0),
        alike_in_a=pairs_a - in_a,
        different_apart=max(everywhere - in_a, 0.0),
    )


def sum_differences(company: Company, groups: Integers, sizes: Integers, n_clusters: int) -> float:
    """The sum of |u_x - u_y| over all clusters and over all pairs of points of the same group.

    Of m sorted numbers the one of rank r is the larger one in r pairs and the smaller one in
    m - 1 - r. Shares that are not listed are 0 and come first.
    """
    keys = groups[company.points].astype(np.int64) * n_clusters + company.clusters
    order = np.lexsort((company.shares, keys))
    keys, shares = keys[order], company.shares[order]
    begins = np.flatnonzero(np.diff(keys, prepend=-1))
    counts = np.diff(begins, append=len(keys))
    members = sizes[keys[begins] // n_clusters]
    ranks = np.arange(len(keys)) + np.repeat(members - counts - begins, counts)
    times = 2 * ranks - np.repeat(members, counts) + 1
    return float((shares * times).sum())


def find_company(comparison: Comparison, codes: Integers, k: int, own: float) -> Company:
    """The shares of a's clusters around each point: its own and those of its neighbours."""
    from scipy.sparse import csr_array

    coordinates = comparison.a.points.coordinates
    assert coordinates is not None
    places, place_of = merge_places(coordinates / unit_of(coordinates))
    n, n_clusters = len(codes), comparison.a.n_clusters
    here = csr_array((np.ones(n), (place_of, codes)), shape=(len(places), n_clusters))
    here.sum_duplicates()
    around = (find_near(places, np.bincount(place_of), k) @ here).tocsr()
    # All points of a place and a cluster have the same company: those around less the point itself.
    kinds, kind_of = np.unique(place_of * n_clusters + codes, return_inverse=True)
    at, cluster = np.divmod(kinds, n_clusters)
    others = np.asarray(around.sum(axis=1)).reshape(-1)[at] - 1.0
    shared = np.divide(1.0 - own, others, out=np.zeros(len(at)), where=others > 0.0)
    # A point without any neighbour has the company of its own cluster alone.
    itself = np.where(others > 0.0, own, 1.0) - shared
    scaled = around[at] * shared[:, None]
    scaled = scaled + csr_array((itself, (np.arange(len(at)), cluster)), shape=scaled.shape)
    return spread_out(scaled.tocsr(), kind_of.reshape(-1))


def spread_out(shares: Any, kind_of: Integers) -> Company:
    """The rows of a sparse matrix, once for each point of their kind."""
    shares.sum_duplicates()
    rows = shares[kind_of].tocoo()
    return Company(rows.row.astype(np.int64), rows.col.astype(np.int64), rows.data)


def find_near(places: Floats, masses: Integers, k: int) -> Any:
    """Which places are at most as far as the k-th nearest other point, as a sparse matrix of ones.

    A place is near itself. `masses` is the number of points at each place.
    """
    from scipy.sparse import csr_array
    from scipy.spatial import cKDTree

    n = len(places)
    tree = cKDTree(places)
    # k other points are at k other places at most; one more shows whether there are ties.
    n_asked = min(k + 2, n)
    ranks = np.arange(1, n_asked + 1)
    answer: Any = tree.query(places, k=ranks, workers=allowed_jobs())
    distances, found = answer
    others = np.cumsum(masses[found], axis=1) - 1
    last = np.minimum((others < k).sum(axis=1), n_asked - 1)
    radius = distances[np.arange(n), last] * TIE
    near = distances <= radius[:, None]
    # Where the last place that was asked for is near, there may be more.
    (tied,) = np.nonzero(near[:, -1] & (n_asked < n))
    near[tied] = False
    rows, columns = np.nonzero(near)[0], found[near]
    if len(tied):
        balls = tree.query_ball_point(places[tied], radius[tied], workers=allowed_jobs())
        rows = np.concatenate([rows, np.repeat(tied, [len(ball) for ball in balls])])
        columns = np.concatenate([columns, np.concatenate([*map(np.asarray, balls)])])
    return csr_array((np.ones(len(rows)), (rows, columns.astype(np.int64))), shape=(n, n))
