"""Prediction strength: whether one half of the points foretells the clusters of the other half.

    strengths = predict_strengths(data, clusterer, [2, 3, 4], seed=1, jobs=2)
    strengths[0].value

The points are halved at random and both halves are clustered. Each point of one half also gets the
cluster that it would have in the other half. The strength of a cluster is the share of its pairs of
points that stay together. The smallest one counts, and the mean over both halves and all splits
is the prediction strength (Tibshirani and Walther, doi:10.1198/106186005X59243).

A cluster of one point has no pairs and counts 0: counted as 1, an algorithm that splits off single
points would find clusters in noise. Noise is not a cluster: points that a half leaves without a
cluster are in no pair, and a point that becomes noise by the other half stays together with no
other one. A half without any cluster counts 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple
from zlib import crc32

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.clusterers.base import Clusterer, Found, Sample, Transfer, Value
from clustcmp.clusterers.fitting import one_thread
from clustcmp.clusterers.running import run_fits
from clustcmp.clusterers.transfer import strongest_codes, transfer
from clustcmp.errors import ClustererFailed
from clustcmp.model.membership import NOISE

SPLITS = 20

# Data sets of one Gaussian are split less often: they are many.
GAUSSIAN_SPLITS = 5

# A number of clusters is supported from this strength on.
ENOUGH = 0.8

# Strengths are means of quotients; equal ones may differ by rounding.
SAME_STRENGTH = 1e-12

# The first of the numbers that a seed hangs on; other uses of the seed have other numbers.
HALVING, GAUSSIAN = 0x5713, 0x6A55

# Stands for the data themselves where others are numbers of Gaussian data sets.
OBSERVED = -1


class Strength(NamedTuple):
    """The prediction strength, that of each split, and the number of splits that failed.

    `value` is None where no split has a strength.
    """

    value: float | None
    splits: tuple[float, ...] = ()
    failed: int = 0


class Support(NamedTuple):
    """How often one Gaussian is as strong: `strong` of `strengths`, and p with the data counted."""

    p: float
    strong: int
    strengths: tuple[float, ...]


class Task(NamedTuple):
    """One split to be made: of the data, or of the Gaussian data set with this number."""

    value: Value
    split: int
    gaussian: int = OBSERVED


class Halving(NamedTuple):
    """What is the same for all splits; `rule` is None for the rule that fits the clusterer."""

    data: Sample
    clusterer: Clusterer
    rule: Transfer | None
    seed: int
    skip_failures: bool = False


def predict_strengths(
    halving: Halving, values: Sequence[Value], jobs: int, n_splits: int = SPLITS
) -> list[Strength]:
    """The prediction strength for each value: each number of clusters, or each parameter."""
    tasks = [Task(value, split) for value in values for split in range(n_splits)]
    return gather(halving, tasks, jobs, n_splits, "halving the points")


def compare_with_gaussians(
    halving: Halving, value: Value, observed: float, n_gaussians: int, jobs: int
) -> Support:
    """How often the prediction strength of one Gaussian with the same covariance is as large.

    p counts the data themselves: (1 + as strong) / (1 + number of Gaussian data sets).
    """
    splits = range(GAUSSIAN_SPLITS)
    tasks = [Task(value, split, number) for number in range(n_gaussians) for split in splits]
    found = gather(halving, tasks, jobs, GAUSSIAN_SPLITS, "clustering Gaussian points")
    strengths = tuple(one.value for one in found if one.value is not None)
    strong = sum(one >= observed - SAME_STRENGTH for one in strengths)
    return Support((1 + strong) / (1 + len(strengths)), strong, strengths)


def gather(
    halving: Halving, tasks: Sequence[Task], jobs: int, n_splits: int, what: str
) -> list[Strength]:
    """The strength of each run of `n_splits` tasks."""
    split = partial(strength_of_split, halving)
    found = run_fits(halving.clusterer, split, tasks, jobs, what)
    return [summarize(found[first : first + n_splits]) for first in range(0, len(found), n_splits)]


def summarize(found: Sequence[float | None]) -> Strength:
    """The mean of the splits that have a strength."""
    splits = tuple(one for one in found if one is not None)
    mean = float(np.mean(splits)) if splits else None
    return Strength(mean, splits, len(found) - len(splits))


def strength_of_split(halving: Halving, task: Task) -> float | None:
    """The mean strength of the two halves of one split; None if a clustering failed."""
    data, clusterer, seed = halving.data, halving.clusterer, halving.seed
    if task.gaussian != OBSERVED:
        points = gaussian_like(data.coordinates, seed, task.gaussian)
        data = data._replace(coordinates=points)
    where = (HALVING, task.gaussian + 1, task.split)
    halves = [data.take(rows) for rows in halve(len(data.coordinates), seed, where)]
    rule = halving.rule or clusterer.transfer_of(task.value)
    try:
        fits = [
            clusterer.cluster(half, task.value, fit_seed(seed, (*where, side), task.value))
            for side, half in enumerate(halves)
        ]
    except ClustererFailed:
        if halving.skip_failures:
            return None
        raise
    return float(np.mean([foretold(fits, halves, side, rule) for side in (0, 1)]))


def foretold(fits: Sequence[Found], halves: Sequence[Sample], side: int, rule: Transfer) -> float:
    """How well the clusters of one half are foretold by the other half."""
    points, others = halves[side].coordinates, halves[1 - side].coordinates
    codes = transfer(fits[1 - side], others, points, rule)
    return weakest(strongest_codes(fits[side].membership), codes)


def weakest(own: Integers, foretold: Integers) -> float:
    """The smallest share, over clusters of `own`, of the pairs that are together in `foretold`."""
    clusters = np.unique(own[own != NOISE])
    return min((share_together(foretold[own == one]) for one in clusters), default=0.0)


def share_together(codes: Integers) -> float:
    """The share of all pairs of points that have the same code and are not noise."""
    n = len(codes)
    if n < 2:
        return 0.0
    counts = np.unique(codes[codes != NOISE], return_counts=True)[1]
    together = int((counts * (counts - 1)).sum())
    return together / (n * (n - 1))


def halve(n_points: int, seed: int, where: Sequence[int]) -> tuple[Integers, Integers]:
    """The rows of two random halves, each in order; of an odd number the second has one more."""
    rows = generator(seed, where).permutation(n_points)
    middle = n_points // 2
    return np.sort(rows[:middle]), np.sort(rows[middle:])


def gaussian_like(coordinates: Floats, seed: int, number: int) -> Floats:
    """As many points of one Gaussian that has the mean and the covariance of the coordinates."""
    mean = coordinates.mean(axis=0)
    with one_thread():
        # The singular values of centred points are those of the covariance, and need no inverse:
        # columns may depend on each other, and there may be more columns than points.
        _, sizes, axes = np.linalg.svd(coordinates - mean, full_matrices=False)
    # LAPACK chooses the signs of the axes; the law of the points does not depend on them.
    scaled = axes * (sizes / np.sqrt(max(1, len(coordinates) - 1)))[:, None]
    drawn = generator(seed, (GAUSSIAN, number)).standard_normal((len(coordinates), len(sizes)))
    return np.ascontiguousarray(mean + np.einsum("ij,jk->ik", drawn, scaled))


def generator(seed: int, where: Sequence[int]) -> np.random.Generator:
    """Random numbers that hang on the seed and on the place in which they are used."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=tuple(where)))


def fit_seed(seed: int, where: Sequence[int], value: Value) -> int:
    """The seed of one fit."""
    place = value if type(value) is int and value >= 0 else crc32(repr(value).encode())
    sequence = np.random.SeedSequence(seed, spawn_key=(*where, place))
    return int(sequence.generate_state(1)[0])
