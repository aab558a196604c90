"""Prediction strength: by hand, by a double loop over pairs, and on data of known structure."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, make_blobs, make_moons

from clustcmp.analyses.stability.strength import (
    HALVING,
    Halving,
    Task,
    compare_with_gaussians,
    fit_seed,
    gaussian_like,
    halve,
    predict_strengths,
    strength_of_split,
    weakest,
)
from clustcmp.arrays import Floats
from clustcmp.clusterers.algorithms import Algorithm
from clustcmp.clusterers.base import Clusterer, Found, Sample, Transfer, Value, hard_of
from clustcmp.errors import ClustererFailed
from clustcmp.model.membership import NOISE

IRIS = np.ascontiguousarray(load_iris().data)
FIVE = make_blobs(200, centers=[[0, 0], [8, 0], [0, 8], [8, 8], [4, 16]], random_state=1)[0]


def strengths(
    points: Floats, clusterer: Clusterer, values: list[Any], seed: int = 3, splits: int = 8
) -> list[float]:
    found = predict_strengths(Halving(Sample(points), clusterer, None, seed), values, 1, splits)
    return [one.value for one in found if one.value is not None]


@pytest.mark.parametrize(
    ("own", "foretold", "expected"),
    [
        # Of 3 pairs of cluster 0 one stays together; the pair of cluster 1 does.
        ([0, 0, 0, 1, 1], [0, 0, 1, 1, 1], 1 / 3),
        # Of 6 pairs 1 + 1 stay together.
        ([0, 0, 0, 0], [0, 0, 1, 1], 2 / 6),
        ([0, 0, 1, 1], [5, 5, 2, 2], 1.0),
        # Both clusters end in one cluster of the other half: no pair is parted.
        ([0, 0, 1, 1], [0, 0, 0, 0], 1.0),
        ([0, 0, 1, 1], [0, 1, 0, 1], 0.0),
        # A cluster of one point counts 0, however well the other is foretold.
        ([0, 0, 0, 1], [0, 0, 0, 1], 0.0),
        # Noise of the own half is in no pair, and is not a cluster of its own.
        ([0, 0, NOISE, NOISE], [0, 0, 1, 2], 1.0),
        # Points that become noise stay together with no other point: 1 of 6 pairs is left.
        ([0, 0, 0, 0], [0, 0, NOISE, NOISE], 1 / 6),
        # Without a cluster there is nothing to foretell.
        ([NOISE, NOISE], [0, 0], 0.0),
    ],
)
def test_the_weakest_cluster_by_hand(own: list[int], foretold: list[int], expected: float) -> None:
    assert weakest(np.array(own), np.array(foretold)) == pytest.approx(expected, abs=1e-15)


@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), min_size=1, max_size=30))
def test_the_weakest_cluster_is_that_of_a_loop_over_pairs(rows: list[tuple[int, int]]) -> None:
    shares = []
    for cluster in {own for own, _ in rows if own != NOISE}:
        members = [foretold for own, foretold in rows if own == cluster]
        pairs = list(combinations(members, 2))
        together = [a == b != NOISE for a, b in pairs]
        shares.append(sum(together) / len(pairs) if pairs else 0.0)
    own, foretold = np.array(rows).T
    assert weakest(own, foretold) == pytest.approx(min(shares, default=0.0))


@dataclass(frozen=True)
class Cut:
    """Cuts a line of points at some places; the second half by size is cut elsewhere."""

    name: str = "cut"
    varied: str = "k"
    runs: Literal["serial"] = "serial"

    def transfer_of(self, value: Value) -> Transfer:
        return "predict"

    def cluster(self, sample: Sample, value: Value, seed: int) -> Found:
        # The half that has the point 0 is cut at 3.5, the other half at 5.5.
        place = 3.5 if 0.0 in sample.coordinates else 5.5

        def predict(points: Floats) -> Any:
            return (points[:, 0] > place).astype(np.int64)

        return Found(hard_of(predict(sample.coordinates)), predict)

    def opened(self) -> AbstractContextManager[object]:
        return nullcontext()


def test_a_split_by_hand() -> None:
    # The half with 0 is 0, 2, 4, 5, 8 and is cut into 0, 2 | 4, 5, 8; the other one is
    # 1, 3, 6, 7, 9, cut into 1, 3 | 6, 7, 9. Cut at 5.5, the first half is 0, 2, 4, 5 | 8: of the
    # pairs of 4, 5, 8 one of three stays. Cut at 3.5, the second half is as before: 1.
    line = np.arange(10.0)[:, None]
    found = None
    for seed in range(2000):
        first, second = halve(10, seed, (HALVING, 0, 0))
        if {0, 2, 4, 5, 8} in ({*first.tolist()}, {*second.tolist()}):
            found = strength_of_split(Halving(Sample(line), Cut(), None, seed), Task(2, 0))
            break
    assert found == pytest.approx((1 / 3 + 1) / 2)


def test_a_split_is_that_of_a_double_loop_over_pairs_with_scikit_learn() -> None:
    seed, where = 11, (HALVING, 0, 4)
    rows = halve(len(IRIS), seed, where)
    fits = [
        KMeans(3, n_init=10, random_state=fit_seed(seed, (*where, side), 3)).fit(IRIS[rows[side]])
        for side in (0, 1)
    ]
    directions = []
    for side in (0, 1):
        own, other = fits[side].labels_, fits[1 - side].predict(IRIS[rows[side]])
        shares = []
        for cluster in range(3):
            members = np.flatnonzero(own == cluster)
            pairs = list(combinations(members.tolist(), 2))
            shares.append(sum(other[i] == other[j] for i, j in pairs) / len(pairs))
        directions.append(min(shares))
    halving = Halving(Sample(IRIS), Algorithm("kmeans"), None, seed)
    found = strength_of_split(halving, Task(3, 4))
    assert found == pytest.approx(sum(directions) / 2)
    assert 0.3 < sum(directions) / 2 < 1.0


def test_halves_are_disjoint_and_all_points_and_differ_by_split() -> None:
    first, second = halve(11, 5, (HALVING, 0, 0))
    assert sorted([*first, *second]) == list(range(11))
    assert (len(first), len(second)) == (5, 6)
    assert first.tolist() == sorted(first)
    assert not np.array_equal(first, halve(11, 5, (HALVING, 0, 1))[0])
    assert not np.array_equal(first, halve(11, 6, (HALVING, 0, 0))[0])


@pytest.mark.parametrize("seed", [1, 2])
def test_five_blobs_are_foretold_at_five_and_not_at_six(seed: int) -> None:
    four, five, six = strengths(FIVE, Algorithm("kmeans"), [4, 5, 6], seed)
    assert five > 0.95
    assert four < 0.8
    assert six < 0.8


def test_two_pairs_of_blobs_are_foretold_at_two_and_at_four() -> None:
    centers = [[0, 0], [0, 4], [40, 0], [40, 4]]
    points = make_blobs(160, centers=centers, cluster_std=0.5, random_state=1)[0]
    two, four, five = strengths(points, Algorithm("kmeans"), [2, 4, 5])
    assert (two, four) == (1.0, 1.0)
    assert five < 0.8


UNIFORM = np.random.default_rng(1).random((200, 2))
TEN = np.random.default_rng(2).standard_normal((200, 10))
PLANE = np.random.default_rng(3).standard_normal((200, 2))


@pytest.mark.parametrize(
    ("points", "algorithm"),
    [
        (UNIFORM, Algorithm("kmeans")),
        (TEN, Algorithm("kmeans")),
        (PLANE, Algorithm("agglomerative")),
        (PLANE, Algorithm("agglomerative", {"linkage": "average"})),
        (PLANE, Algorithm("agglomerative", {"linkage": "single"})),
        (PLANE, Algorithm("gmm")),
    ],
    ids=["uniform", "10 columns", "ward", "average", "single", "gmm"],
)
def test_noise_supports_no_number_of_clusters(points: Floats, algorithm: Algorithm) -> None:
    assert max(strengths(points, algorithm, [2, 3, 4, 5])) < 0.8


def test_moons_are_foretold_by_single_linkage() -> None:
    moons = make_moons(200, noise=0.05, random_state=1)[0]
    two, three = strengths(moons, Algorithm("agglomerative", {"linkage": "single"}), [2, 3])
    assert two > 0.8 > three


def test_one_cluster_is_always_foretold() -> None:
    assert strengths(PLANE, Algorithm("kmeans"), [1]) == [1.0]


def test_soft_memberships_count_by_their_strongest_cluster() -> None:
    hard = strengths(IRIS, Algorithm("gmm"), [2, 3], splits=3)
    assert strengths(IRIS, Algorithm("gmm", soft=True), [2, 3], splits=3) == hard


def test_gaussian_points_have_the_mean_and_the_covariance_of_the_data() -> None:
    drawn = np.concatenate([gaussian_like(IRIS, 1, number) for number in range(400)])
    assert drawn.mean(axis=0) == pytest.approx(IRIS.mean(axis=0), abs=0.03)
    assert np.cov(drawn.T) == pytest.approx(np.cov(IRIS.T), abs=0.05)
    assert gaussian_like(IRIS, 1, 0).shape == IRIS.shape
    assert not np.array_equal(gaussian_like(IRIS, 1, 0), gaussian_like(IRIS, 1, 1))
    assert not np.array_equal(gaussian_like(IRIS, 1, 0), gaussian_like(IRIS, 2, 0))


def test_gaussian_points_stay_on_the_line_or_among_few_points_of_the_data() -> None:
    line = np.outer(np.arange(9.0), [1.0, 2.0])
    drawn = gaussian_like(line, 1, 0)
    assert drawn[:, 1] == pytest.approx(2.0 * drawn[:, 0])
    assert gaussian_like(np.random.default_rng(1).random((4, 9)), 1, 0).shape == (4, 9)


def test_gaussian_points_have_the_variance_of_two_points_and_stay_where_a_single_one_is() -> None:
    # 0 and 2 have the variance ((0 - 1)² + (2 - 1)²) / (2 - 1) = 2.
    two = np.array([[0.0], [2.0]])
    drawn = np.concatenate([gaussian_like(two, 1, number) for number in range(2000)])
    assert ((drawn - 1.0) ** 2).mean() == pytest.approx(2.0, rel=0.1)
    assert gaussian_like(np.array([[3.0, 4.0]]), 1, 0).tolist() == [[3.0, 4.0]]


def test_blobs_are_clearer_than_a_gaussian_and_one_long_cloud_is_not() -> None:
    five = Halving(Sample(FIVE), Algorithm("kmeans"), None, 3)
    observed = predict_strengths(five, [5], 1, 5)[0].value
    assert observed is not None
    support = compare_with_gaussians(five, 5, observed, 19, 1)
    assert (support.p, support.strong, len(support.strengths)) == (1 / 20, 0, 19)

    cloud = np.random.default_rng(1).standard_normal((200, 2)) * [12.0, 1.0]
    long = Halving(Sample(cloud), Algorithm("kmeans"), None, 3)
    observed = predict_strengths(long, [2], 1, 5)[0].value
    assert observed is not None
    assert compare_with_gaussians(long, 2, observed, 19, 1).p > 0.05


@pytest.mark.parametrize(("observed", "expected"), [(0.0, 10 / 10), (1.1, 1 / 10)])
def test_p_counts_the_data_among_the_gaussians(observed: float, expected: float) -> None:
    halving = Halving(Sample(PLANE), Algorithm("kmeans", {"n_init": 1}), None, 3)
    assert compare_with_gaussians(halving, 2, observed, 9, 1).p == expected


def test_a_gaussian_that_is_equally_strong_counts() -> None:
    # One cluster is foretold without fail, by the data and by every Gaussian.
    halving = Halving(Sample(PLANE), Algorithm("kmeans", {"n_init": 1}), None, 3)
    assert compare_with_gaussians(halving, 1, 1.0, 4, 1).p == 1.0


def test_results_depend_on_the_seed_alone() -> None:
    one = strengths(IRIS, Algorithm("kmeans"), [2, 3], seed=5, splits=3)
    assert strengths(IRIS, Algorithm("kmeans"), [3], seed=5, splits=3) == one[1:]
    assert strengths(IRIS, Algorithm("kmeans"), [2, 3], seed=6, splits=3) != one


class Failing(Cut):
    """Fails in the half that has the point 0."""

    def cluster(self, sample: Sample, value: Value, seed: int) -> Found:
        if 0.0 in sample.coordinates and seed % 2:
            raise ClustererFailed("no clustering today")
        return super().cluster(sample, value, seed)


def test_failures_end_the_run_or_are_counted() -> None:
    line = Sample(np.arange(10.0)[:, None])
    with pytest.raises(ClustererFailed):
        predict_strengths(Halving(line, Failing(), None, 1), [2], 1, 20)
    (found,) = predict_strengths(Halving(line, Failing(), None, 1, skip_failures=True), [2], 1, 20)
    assert 0 < found.failed < 20
    assert len(found.splits) == 20 - found.failed
    assert found.value == pytest.approx(sum(found.splits) / len(found.splits))


def test_transfer_is_chosen_by_the_user_if_asked_for() -> None:
    ward = Algorithm("agglomerative")
    by_rule = [
        predict_strengths(Halving(Sample(IRIS), ward, rule, 1), [3], 1, 4)[0].value
        for rule in (None, "centroid", "neighbours")
    ]
    assert by_rule[0] == by_rule[1] != by_rule[2]
