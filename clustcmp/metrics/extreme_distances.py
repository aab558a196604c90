"""The sums of the smallest and of the largest distances, without all distances in memory.

A few points tell roughly which distance has a given rank. One pass over all distances counts how
many are below and around it, until few distances are left that may have this rank. Another pass
adds up the distances on either side and collects these few.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from clustcmp.arrays import Flags, Floats, Integers
from clustcmp.metrics.pair_distances import Groups, PairBatch

# A bucket of distances is divided into parts by so many bits at a time, until it has at most FEW.
DIGIT = 13
FEW = 1 << 22

# How many points stand for all in a guess, and how many standard deviations the guess may be off.
SAMPLE = 2048
DEVIATIONS = 3.0


@dataclass(frozen=True)
class Bucket:
    """The distances whose keys, their binary forms read as whole numbers, are in first..last.

    Floats that are not negative have the same order as these numbers. `n_below` distances are less
    than all in the bucket, `n_inside` are in it, or None if they are not counted yet.
    """

    first: int
    last: int
    n_below: int = 0
    n_inside: int | None = None

    @property
    def is_one_value(self) -> bool:
        """Whether all distances in the bucket are equal."""
        return self.first == self.last

    @property
    def is_narrow(self) -> bool:
        """Whether few, or only equal, distances are in the bucket."""
        return self.n_inside is not None and (self.is_one_value or self.n_inside <= FEW)

    @property
    def shift(self) -> int:
        """How many of the last bits do not tell in which part of the bucket a number is."""
        return max((self.last - self.first).bit_length() - DIGIT, 0)

    def take(self, bits: Integers) -> Integers:
        """Those of the numbers that are in the bucket."""
        return bits.compress((bits >= self.first) & (bits <= self.last))

    def count(self, bits: Integers) -> Integers:
        """How many numbers are below the bucket, followed by how many are in each of its parts."""
        parts = (self.take(bits) - self.first) >> self.shift
        counts = np.bincount(parts + 1, minlength=1 + (1 << DIGIT))
        counts[0] = np.count_nonzero(bits < self.first)
        return counts

    def narrow(self, counts: Integers, rank: int) -> Bucket:
        """The part with the distance of this rank, counted from 0; all distances if none has it."""
        ends = np.cumsum(counts)
        part = int(np.searchsorted(ends, rank, side="right"))
        if part == 0 or part == len(counts):
            return EVERYTHING
        first = self.first + ((part - 1) << self.shift)
        last = min(first + (1 << self.shift) - 1, self.last)
        return Bucket(first, last, int(ends[part - 1]), int(counts[part]))


EVERYTHING = Bucket(0, (1 << 63) - 1)


class Extremes(NamedTuple):
    """The sums of the smallest distances, of the largest, and of those within clusters."""

    smallest: float
    largest: float
    within: float


def sum_extremes(groups: Groups, n_smallest: int, what: str = "distances") -> Extremes:
    """The sums of the `n_smallest` smallest and of as many largest distances."""
    ranks = n_smallest - 1, groups.n_pairs - n_smallest
    buckets = guess_buckets(groups, ranks)
    groups.foretell(partial(count_batch, buckets), what, passes=2)
    low, high = narrow_buckets(groups, buckets, ranks)
    sums = groups.map(partial(sum_outside, low, high), "adding up distances")
    below, above, within, in_low, in_high = zip(*sums, strict=True)
    ordered_low, ordered_high = np.sort(np.concatenate(in_low)), np.sort(np.concatenate(in_high))
    n_low = n_smallest - low.n_below
    n_high = n_smallest - (groups.n_pairs - high.n_below - (high.n_inside or 0))
    smallest = sum_inside(groups, low, ordered_low[:n_low], n_low)
    largest = sum_inside(groups, high, ordered_high[len(ordered_high) - n_high :], n_high)
    return Extremes(math.fsum([*below, smallest]), math.fsum([*above, largest]), math.fsum(within))


def sum_inside(groups: Groups, bucket: Bucket, chosen: Integers, n_chosen: int) -> float:
    """The sum of the chosen distances in a bucket; equal ones are not collected but counted."""
    if bucket.is_one_value:
        only = np.array([bucket.first]).view(np.float64)
        return n_chosen * float(groups.distances(only)[0])
    return float(groups.distances(chosen.view(np.float64)).sum())


def guess_buckets(groups: Groups, ranks: Sequence[int]) -> list[Bucket]:
    """For each rank a bucket that probably holds it, by the distances of some points.

    The share of the distances below a value has at most the variance 2 p (1 - p) / m if it is
    estimated by all distances of m points.
    """
    if groups.n_pairs <= FEW:
        return [replace(EVERYTHING, n_inside=groups.n_pairs)] * len(ranks)
    n = len(groups.coordinates)
    chosen = np.random.default_rng(0).permutation(n)[:SAMPLE]
    sample = Groups(groups.coordinates[chosen], np.array([len(chosen)]), groups.ground)
    tiles = [tile.keys for tile in sample.tiles(sample.all_tiles())]
    ordered = np.sort(np.concatenate(tiles).view(np.int64))
    return [guess_bucket(ordered, (rank + 0.5) / groups.n_pairs, len(chosen)) for rank in ranks]


def guess_bucket(ordered: Integers, share: float, n_points: int) -> Bucket:
    """A bucket that probably holds the distance with this share of all distances below it."""
    margin = DEVIATIONS * math.sqrt(2.0 * share * (1.0 - share) / n_points)
    low = math.floor((share - margin) * len(ordered))
    high = math.ceil((share + margin) * len(ordered))
    first = int(ordered[low]) if low > 0 else EVERYTHING.first
    last = int(ordered[high]) if high < len(ordered) else EVERYTHING.last
    return Bucket(first, last)


def narrow_buckets(groups: Groups, buckets: Sequence[Bucket], ranks: Sequence[int]) -> list[Bucket]:
    """For each rank a narrow bucket that holds it, starting with these buckets."""
    narrow = list(buckets)
    while wide := [index for index, bucket in enumerate(narrow) if not bucket.is_narrow]:
        asked = [narrow[index] for index in wide]
        counted = groups.map(partial(count_batch, asked), "counting distances")
        for index, counts in zip(wide, np.sum(counted, axis=0), strict=True):
            narrow[index] = narrow[index].narrow(counts, ranks[index])
    return narrow


def count_batch(buckets: Sequence[Bucket], groups: Groups, batch: PairBatch) -> Integers:
    """For each bucket how many distances of a batch are below it and in each of its parts."""
    counts = np.zeros((len(buckets), 1 + (1 << DIGIT)), dtype=np.int64)
    for tile in groups.tiles(batch):
        bits = tile.keys.view(np.int64)
        for total, bucket in zip(counts, buckets, strict=True):
            total += bucket.count(bits)
    return counts


def sum_outside(
    low: Bucket, high: Bucket, groups: Groups, batch: PairBatch
) -> tuple[float, float, float, Integers, Integers]:
    """What a batch adds: sums below `low`, above `high` and within clusters; distances inside."""
    below, above, within = list[float](), list[float](), list[float]()
    in_low, in_high = list[Integers](), list[Integers]()
    for keys, is_within in groups.tiles(batch):
        bits = keys.view(np.int64)
        below.append(sum_where(groups, keys, bits < low.first))
        above.append(sum_where(groups, keys, bits > high.last))
        if is_within is not False:
            within.append(sum_where(groups, keys, np.broadcast_to(is_within, keys.shape)))
        in_low.append(bits[:0] if low.is_one_value else low.take(bits))
        in_high.append(bits[:0] if high.is_one_value else high.take(bits))
    collected = np.concatenate(in_low), np.concatenate(in_high)
    return math.fsum(below), math.fsum(above), math.fsum(within), *collected


def sum_where(groups: Groups, keys: Floats, chosen: Flags) -> float:
    """The sum of some of the distances that the keys stand for."""
    return float(groups.distances(keys.compress(chosen)).sum())
