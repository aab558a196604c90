"""Metrics of one clustering: how close points of one cluster are, compared with other points."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np

from clustcmp.arrays import SAME_SUM, Floats, Integers
from clustcmp.errors import Undefined, UsageError
from clustcmp.geometry import Ground, ground_distances, kind_of_ground, unit_of
from clustcmp.model import Clustering
from clustcmp.progress import announce
from clustcmp.registry import Family

internal_family = Family("internal", "Inside one clustering")

ZAKI = "Zaki and Meira 2020, chapter 17, doi:10.1017/9781108564175"

# Blocks of 512 x 512 distances: 2 MB, which stays in the processor's cache.
BLOCK_SIDE = 512

# Distances are divided into buckets by so many bits at a time, until a bucket has at most FEW.
DIGIT = 16
FEW = 1 << 22


class Groups(NamedTuple):
    """The coordinates (n, d) of points, cluster by cluster, and the row where each cluster ends."""

    coordinates: Floats
    ends: Integers
    ground: str

    @property
    def n_pairs(self) -> int:
        """The number of unordered pairs of points."""
        return math.comb(len(self.coordinates), 2)

    @property
    def n_within(self) -> int:
        """The number of pairs of points of the same cluster."""
        return sum(math.comb(size, 2) for size in np.diff(self.ends, prepend=0).tolist())

    def distances(self) -> Iterator[Floats]:
        """The distances of all pairs, each once, in blocks."""
        blocks = pairs_within(self.coordinates, self.ground)
        return announce(blocks, "distances of all points", self.n_pairs, len)

    def distances_within(self) -> Iterator[Floats]:
        """The distances of all pairs of points of the same cluster, in blocks."""
        clusters = np.split(self.coordinates, self.ends[:-1])
        blocks = chain.from_iterable(pairs_within(cluster, self.ground) for cluster in clusters)
        return announce(blocks, "distances within clusters", self.n_within, len)

    def distances_between(self) -> Iterator[Floats]:
        """The distances of all pairs of points of different clusters, in blocks."""
        clusters = np.split(self.coordinates, self.ends[:-1])
        blocks = chain.from_iterable(
            pairs_between(cluster, self.coordinates[end:], self.ground)
            for cluster, end in zip(clusters, self.ends.tolist(), strict=True)
        )
        n_between = self.n_pairs - self.n_within
        return announce(blocks, "distances between clusters", n_between, len)


def group_points(clustering: Clustering, ground: str) -> Groups:
    """The points of a clustering, ordered by cluster.

    One cluster of all points and clusters of one point each have no value.
    """
    coordinates = clustering.points.coordinates
    if ground == "precomputed" or coordinates is None:
        raise UsageError(
            "ground=precomputed has the distances between a and b, but distances within one "
            "clustering are needed",
            hint="give coordinates and another ground, for example ground=euclidean",
        )
    if ground != "haversine":
        # Scaling the coordinates does not change the metrics, and keeps squares from overflowing.
        coordinates = coordinates / unit_of(coordinates)
    order = np.argsort(clustering.membership.strongest(), kind="stable")
    groups = Groups(coordinates[order], np.cumsum(clustering.membership.masses), ground)
    if len(groups.ends) == 1:
        raise Undefined("all points are in one cluster")
    if not groups.n_within:
        raise Undefined("every point is a cluster of its own")
    return groups


def pairs_within(points: Floats, ground: str) -> Iterator[Floats]:
    """The distances between all points, each pair once, in blocks."""
    for first in range(0, len(points), BLOCK_SIDE):
        rows = points[first : first + BLOCK_SIDE]
        yield ground_distances(rows, rows, ground)[np.triu_indices(len(rows), 1)]
        yield from pairs_between(rows, points[first + BLOCK_SIDE :], ground)


def pairs_between(left: Floats, right: Floats, ground: str) -> Iterator[Floats]:
    """The distances between all points on the left and all on the right, in blocks."""
    for first in range(0, len(left), BLOCK_SIDE):
        rows = left[first : first + BLOCK_SIDE]
        n_columns = BLOCK_SIDE * BLOCK_SIDE // len(rows)
        for start in range(0, len(right), n_columns):
            columns = right[start : start + n_columns]
            yield ground_distances(rows, columns, ground).ravel()


def add_up(blocks: Iterable[Floats]) -> float:
    """The sum of all numbers of all blocks."""
    return math.fsum(float(block.sum()) for block in blocks)


class Bucket(NamedTuple):
    """The distances whose binary form, read as a whole number, is in first..last.

    Floats that are not negative have the same order as these numbers. `n_below` distances are less
    than all in the bucket, `n_inside` are in it.
    """

    first: int
    last: int
    n_below: int
    n_inside: int

    @property
    def is_one_value(self) -> bool:
        """Whether all distances in the bucket are equal."""
        return self.first == self.last

    @property
    def shift(self) -> int:
        """How many of the last bits do not tell in which part of the bucket a number is."""
        return max((self.last - self.first).bit_length() - DIGIT, 0)

    def take(self, bits: Integers) -> Integers:
        """Those of the numbers that are in the bucket."""
        return bits[(bits >= self.first) & (bits <= self.last)]

    def count_parts(self, inside: Integers) -> Integers:
        """How many of the numbers in the bucket are in each of its parts."""
        return np.bincount((inside - self.first) >> self.shift, minlength=1 << DIGIT)

    def narrow(self, counts: Integers, rank: int) -> Bucket:
        """The part that has the distance of this rank, counted from 0, by the counts of parts."""
        below = self.n_below + np.cumsum(counts) - counts
        part = int(np.searchsorted(below, rank, side="right")) - 1
        first = self.first + (part << self.shift)
        last = first + (1 << self.shift) - 1
        return Bucket(first, last, int(below[part]), int(counts[part]))

    def sum_ends(self, collected: list[Integers], n_smallest: int, n_largest: int) -> list[float]:
        """The sums of the smallest and of the largest distances in the bucket."""
        if self.is_one_value:
            value = float(np.int64(self.first).view(np.float64))
            return [n_smallest * value, n_largest * value]
        ordered = np.sort(np.concatenate(collected)).view(np.float64)
        ends = ordered[:n_smallest], ordered[len(ordered) - n_largest :]
        return [float(end.sum()) for end in ends]


def find_buckets(groups: Groups, ranks: tuple[int, int]) -> list[Bucket]:
    """For each rank a bucket of few, or of only equal, distances that holds this rank."""
    everything = Bucket(0, (1 << 63) - 1, 0, groups.n_pairs)
    buckets = [everything for _ in ranks]
    while wide := {
        bucket for bucket in buckets if bucket.n_inside > FEW and not bucket.is_one_value
    }:
        counts = {bucket: np.zeros(1 << DIGIT, dtype=np.int64) for bucket in wide}
        for block in groups.distances():
            bits = block.view(np.int64)
            for bucket in wide:
                inside = bits if bucket == everything else bucket.take(bits)
                counts[bucket] += bucket.count_parts(inside)
        buckets = [
            bucket.narrow(counts[bucket], rank) if bucket in wide else bucket
            for bucket, rank in zip(buckets, ranks, strict=True)
        ]
    return buckets


def sum_extremes(groups: Groups, n_smallest: int) -> tuple[float, float]:
    """The sums of the `n_smallest` smallest and of as many largest distances."""
    low, high = find_buckets(groups, (n_smallest - 1, groups.n_pairs - n_smallest))
    below, above = list[float](), list[float]()
    in_low, in_high = list[Integers](), list[Integers]()
    for block in groups.distances():
        bits = block.view(np.int64)
        below.append(float((block * (bits < low.first)).sum()))
        above.append(float((block * (bits > high.last)).sum()))
        if not low.is_one_value:
            in_low.append(low.take(bits))
        if not high.is_one_value:
            in_high.append(high.take(bits))
    n_above = groups.n_pairs - high.n_below - high.n_inside
    smallest, _ = low.sum_ends(in_low, n_smallest - low.n_below, 0)
    _, largest = high.sum_ends(in_high, 0, n_smallest - n_above)
    return math.fsum([*below, smallest]), math.fsum([*above, largest])


@internal_family.metric(
    "beta_cv",
    "betacv",
    brief="distances within, over those between",
    worst=math.inf,
    best=0.0,
    needs_coordinates=True,
    convention=kind_of_ground,
    formula="mean distance of pairs in one cluster / mean distance of pairs in different clusters",
    citation=ZAKI,
)
def beta_cv(clustering: Clustering, *, ground: Ground = "euclidean") -> float:
    """How far apart points of one cluster are, compared with points of different clusters.

    Each pair of points counts once. Undefined for one cluster, for all singletons, and if all
    points of different clusters coincide.
    """
    groups = group_points(clustering, ground)
    n_between = groups.n_pairs - groups.n_within
    mean_between = add_up(groups.distances_between()) / n_between
    if not mean_between:
        raise Undefined("all points of different clusters coincide")
    mean_within = add_up(groups.distances_within()) / groups.n_within
    return mean_within / mean_between


@internal_family.metric(
    "c_index",
    brief="how small the distances within are",
    worst=1.0,
    best=0.0,
    needs_coordinates=True,
    convention=kind_of_ground,
    formula="(W - W_min) / (W_max - W_min) with W = sum of the distances of the m pairs in one "
    "cluster, W_min and W_max = sum of the m smallest and of the m largest distances",
    citation=f"Hubert and Levin 1976, doi:10.1037/0033-2909.83.6.1072; {ZAKI}",
)
def c_index(clustering: Clustering, *, ground: Ground = "euclidean") -> float:
    """Where the distances within clusters lie between the smallest and the largest possible sum.

    0 means that no pair of points in different clusters is closer than any pair in one cluster.
    Undefined for one cluster, for all singletons, and if all distances are equal.
    """
    groups = group_points(clustering, ground)
    smallest, largest = sum_extremes(groups, groups.n_within)
    # Distances that are equal by geometry may differ in their last digit.
    if largest - smallest <= SAME_SUM * largest:
        raise Undefined("all distances between points are equal")
    above_smallest = add_up(groups.distances_within()) - smallest
    return min(max(above_smallest / (largest - smallest), 0.0), 1.0)
