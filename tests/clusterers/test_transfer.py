"""The clusters of points that were not clustered, against scikit-learn's classifiers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid

from clustcmp.arrays import Floats, Integers
from clustcmp.clusterers.algorithms import Algorithm
from clustcmp.clusterers.base import Found, Sample, hard_of
from clustcmp.clusterers.transfer import transfer
from clustcmp.errors import UsageError
from clustcmp.model.membership import NOISE, Soft

IRIS = load_iris()
WINE = load_wine()


def halves(points: Floats) -> tuple[Floats, Floats]:
    rows = np.random.default_rng(3).permutation(len(points))
    return points[rows[::2]], points[rows[1::2]]


def found(labels: list[int] | Integers) -> Found:
    return Found(hard_of(np.asarray(labels)))


@pytest.mark.parametrize("data", [IRIS, WINE], ids=["4 columns", "13 columns"])
def test_the_nearest_mean_is_that_of_scikit_learn(data: object) -> None:
    points = data.data  # type: ignore[attr-defined]
    known, asked = halves(points)
    labels = np.random.default_rng(1).integers(0, 4, len(known))
    expected = NearestCentroid().fit(known, labels).predict(asked)
    assert np.array_equal(transfer(found(labels), known, asked, "centroid"), expected)


@pytest.mark.parametrize("columns", [4, 40], ids=["tree", "all distances"])
def test_five_neighbours_are_those_of_scikit_learn_where_votes_are_not_tied(columns: int) -> None:
    generator = np.random.default_rng(5)
    known, asked = generator.random((200, columns)), generator.random((2500, columns))
    labels = generator.integers(0, 3, len(known))
    classifier = KNeighborsClassifier(5).fit(known, labels)
    shares = np.sort(classifier.predict_proba(asked), axis=1)
    is_clear = shares[:, -1] > shares[:, -2]
    mine = transfer(found(labels), known, asked, "neighbours")
    assert np.array_equal(mine[is_clear], classifier.predict(asked)[is_clear])
    assert 500 < np.count_nonzero(is_clear) < len(asked)


def test_tied_votes_go_to_the_nearest_point() -> None:
    # From 0: 1 and 2 are in cluster 1, 3 and 4 in cluster 0, and 5 in cluster 2.
    known = np.array([[1.0], [2.0], [3.0], [4.0], [5.0]])
    asked = np.array([[0.0], [9.0]])
    found_codes = transfer(found([1, 1, 0, 0, 2]), known, asked, "neighbours")
    assert found_codes.tolist() == [1, 0]


def test_fewer_than_five_points_all_vote() -> None:
    known = np.array([[0.0], [1.0], [10.0]])
    assert transfer(found([0, 1, 1]), known, np.array([[0.0]]), "neighbours").tolist() == [1]
    assert transfer(found([0]), known[:1], np.array([[7.0]]), "neighbours").tolist() == [0]


def test_most_neighbours_are_noise_so_the_point_is_noise() -> None:
    known = np.arange(5.0)[:, None]
    asked = np.array([[0.0]])
    assert transfer(found([0, 0, -1, -1, -1]), known, asked, "neighbours").tolist() == [NOISE]
    assert transfer(found([0, 0, 0, -1, -1]), known, asked, "neighbours").tolist() == [0]


def test_noise_does_not_move_the_means() -> None:
    known = np.array([[0.0], [2.0], [10.0], [12.0], [1000.0]])
    labels = [0, 0, 1, 1, -1]
    # The means are 1 and 11; their middle is 6.
    asked = np.array([[5.9], [6.1], [2000.0]])
    assert transfer(found(labels), known, asked, "centroid").tolist() == [0, 1, 1]


@pytest.mark.parametrize("rule", ["centroid", "neighbours"])
def test_without_any_cluster_every_point_is_noise(rule: str) -> None:
    known = np.array([[0.0], [2.0]])
    assert transfer(found([-1, -1]), known, known, rule).tolist() == [NOISE] * 2  # type: ignore[arg-type]


def test_the_strongest_cluster_counts_where_memberships_are_soft() -> None:
    known = np.array([[0.0], [1.0], [10.0]])
    soft = Found(Soft(np.array([[0.9, 0.1, 0.0], [0.6, 0.4, 0.0], [0.2, 0.8, 0.0]])))
    assert transfer(soft, known, np.array([[2.0], [8.0]]), "centroid").tolist() == [0, 1]


def test_prediction_by_the_estimator_needs_one_that_predicts() -> None:
    points = IRIS.data
    ward = Algorithm("agglomerative").cluster(Sample(points), 3, 1)
    with pytest.raises(UsageError, match="transfer="):
        transfer(ward, points, points, "predict")
    kmeans = Algorithm("kmeans").cluster(Sample(points), 3, 1)
    assert np.array_equal(
        transfer(kmeans, points, points, "predict"), kmeans.membership.strongest()
    )


@given(st.lists(st.integers(-1, 3), min_size=6, max_size=30), st.permutations(range(4)))
def test_the_names_of_clusters_do_not_matter(labels: list[int], names: list[int]) -> None:
    generator = np.random.default_rng(len(labels))
    known, asked = generator.random((len(labels), 2)), generator.random((9, 2))
    codes = np.array(labels)
    renamed = np.where(codes < 0, codes, np.array(names)[codes])
    meaning = dict(zip(codes.tolist(), renamed.tolist(), strict=True))
    for rule in ("centroid", "neighbours"):
        mine = named(transfer(found(codes), known, asked, rule), codes)
        others = named(transfer(found(renamed), known, asked, rule), renamed)
        assert [meaning.get(one, NOISE) for one in mine] == others


def named(codes: Integers, labels: Integers) -> list[int]:
    """The labels that codes without gaps stand for."""
    known = np.unique(labels[labels >= 0])
    return [NOISE if code == NOISE else int(known[code]) for code in codes.tolist()]
