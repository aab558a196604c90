"""Which clusters of a reference come back in other runs, and which points stay in theirs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clustcmp.analyses.stability.runs import ABSENT, Laid, Runs, Shared, count_shared
from clustcmp.arrays import Floats, Integers
from clustcmp.model import Membership

# A cluster is dissolved in a run up to the first similarity, recovered above the second (Hennig
# 2008, as in the R package fpc).
DISSOLVED, RECOVERED = 0.5, 0.75

# The lowest mean similarity that a word stands for, after the manual of fpc.
WORDS = ((0.85, "highly stable"), (0.75, "stable"), (0.6, "doubtful"))
NOT_STABLE = "not stable"


class Followed(NamedTuple):
    """How the clusters of a reference do in other runs.

    Of each cluster of the reference: `sizes`, the number of its points; `samples`, the number of
    runs that have any of these; `jaccard`, the mean over these runs of the similarity with the most
    similar cluster (NaN without such a run); in how many of them it is `dissolved` and `recovered`.
    `values` (runs, clusters) are all similarities, NaN where a run has no point of a cluster.
    `shares` (n_points,) are the shares of the runs with a point in which the point is in the match
    of its cluster, NaN for points that are not in the reference or in no run.
    """

    sizes: Integers
    samples: Integers
    jaccard: Floats
    dissolved: Integers
    recovered: Integers
    values: Floats
    shares: Floats


class Matches(NamedTuple):
    """The most similar cluster of a run for each cluster of a reference.

    `similarity` (k,) is NaN for a cluster of which the run has no points. `rows` and `columns` are
    the matches; a cluster with several equally similar ones has them all.
    """

    similarity: Floats
    rows: Integers
    columns: Integers


def follow(reference: Membership, runs: Runs, rows: Integers | None = None) -> Followed:
    """How the clusters of a reference do in other runs.

    The reference has the points `rows`, or all points, each in a cluster. Clusters are compared on
    the points that both the reference and the run have. A soft point counts for its strongest
    cluster.
    """
    everything = np.arange(runs.n_points) if rows is None else rows
    n_clusters = reference.n_clusters
    home = codes_of(reference, everything, runs.n_points)
    values = np.full((len(runs), n_clusters), np.nan)
    hits, seen = np.zeros(runs.n_points), np.zeros(runs.n_points, dtype=np.int64)
    for number, run in enumerate(runs.laid):
        matches = find_matches(count_shared(home, run))
        values[number] = matches.similarity
        hits += share_in_match(home, run, matches)
        seen += run.is_present & home.is_present
    shares = np.full(runs.n_points, np.nan)
    np.divide(hits, seen, out=shares, where=seen > 0)
    return summarise(np.bincount(home.codes, minlength=n_clusters + 1)[1:], values, shares)


def codes_of(reference: Membership, rows: Integers, n_points: int) -> Laid:
    """The clusters of the reference laid out, under its own numbers."""
    codes = np.full(n_points, ABSENT, dtype=np.int32)
    codes[rows] = reference.strongest() + 1
    return Laid(codes, reference.n_clusters)


def summarise(sizes: Integers, values: Floats, shares: Floats) -> Followed:
    """The similarities of each cluster in figures."""
    is_known = ~np.isnan(values)
    samples = np.count_nonzero(is_known, axis=0)
    jaccard = np.full(len(sizes), np.nan)
    np.divide(np.where(is_known, values, 0.0).sum(axis=0), samples, out=jaccard, where=samples > 0)
    dissolved = np.count_nonzero(values <= DISSOLVED, axis=0)
    recovered = np.count_nonzero(values > RECOVERED, axis=0)
    return Followed(sizes, samples, jaccard, dissolved, recovered, values, shares)


def find_matches(shared: Shared) -> Matches:
    """The most similar clusters by the Jaccard coefficient of their common points."""
    either = shared.masses_a[shared.rows] + shared.masses_b[shared.columns] - shared.counts
    jaccard = shared.counts / either
    best = np.full(len(shared.masses_a), np.nan)
    np.fmax.at(best, shared.rows, jaccard)
    # Equal fractions are equal floats, because a division is rounded correctly.
    is_best = jaccard == best[shared.rows]
    return Matches(best, shared.rows[is_best], shared.columns[is_best])


def share_in_match(home: Laid, run: Laid, matches: Matches) -> Floats:
    """For each point whether its run has it in the match of its cluster: 1 or 0.

    Of several equally similar matches each counts for an equal share, so that the order of clusters
    does not matter.
    """
    if not len(matches.rows):
        return np.zeros(len(home.codes))
    n_columns = run.clusters + 1
    weights = 1.0 / np.bincount(matches.rows, minlength=home.clusters)[matches.rows]
    wanted = (matches.rows + 1) * n_columns + matches.columns + 1
    order = np.argsort(wanted)
    wanted, weights = wanted[order], weights[order]
    cells = home.codes.astype(np.int64) * n_columns + run.codes
    at = np.minimum(np.searchsorted(wanted, cells), len(wanted) - 1)
    return np.where(wanted[at] == cells, weights[at], 0.0)


def word_for(jaccard: float) -> str:
    """What a mean similarity says about a cluster, in words."""
    return next((word for least, word in WORDS if jaccard >= least), NOT_STABLE)
