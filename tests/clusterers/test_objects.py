"""Estimators and functions that Python gives."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans, MiniBatchKMeans
from sklearn.datasets import load_iris
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from clustcmp.clusterers.algorithms import Algorithm
from clustcmp.clusterers.base import Clusterer, Sample, gather_codes
from clustcmp.clusterers.make import make
from clustcmp.clusterers.objects import Estimator, Function
from clustcmp.errors import ClustererFailed, UsageError
from clustcmp.model.membership import Hard, Soft

IRIS = np.ascontiguousarray(load_iris().data)


def codes(clusterer: Clusterer, value: Any, seed: int = 7) -> Any:
    membership = clusterer.cluster(Sample(IRIS), value, seed).membership
    assert isinstance(membership, Hard)
    return membership.codes


@pytest.mark.parametrize(
    ("given", "value", "expected"),
    [
        (KMeans(n_init=2), 4, KMeans(4, n_init=2, random_state=7)),
        (MiniBatchKMeans(), 3, MiniBatchKMeans(3, random_state=7)),
        (GaussianMixture(), 3, GaussianMixture(3, random_state=7)),
        (
            AgglomerativeClustering(linkage="average"),
            3,
            AgglomerativeClustering(3, linkage="average"),
        ),
        (
            make_pipeline(StandardScaler(), KMeans(n_init=2)),
            3,
            make_pipeline(StandardScaler(), KMeans(3, n_init=2, random_state=7)),
        ),
    ],
    ids=["KMeans", "MiniBatchKMeans", "GaussianMixture", "average", "pipeline"],
)
def test_a_copy_of_the_estimator_is_fitted_with_k_and_the_seed(
    given: Any, value: int, expected: Any
) -> None:
    before = repr(given)
    assert np.array_equal(codes(make(given), value), gather_codes(expected.fit_predict(IRIS))[0])
    assert repr(given) == before
    assert not hasattr(given, "labels_")


def test_a_parameter_of_an_estimator_is_varied_or_set() -> None:
    varied = make(DBSCAN(), varied="eps", parameters={"min_samples": 4})
    expected = DBSCAN(eps=0.6, min_samples=4).fit_predict(IRIS)
    assert np.array_equal(codes(varied, 0.6), expected)


class Thresholds:
    """Not of scikit-learn: fit and labels_ alone, parameters as attributes."""

    def __init__(self, n_clusters: int = 2) -> None:
        self.n_clusters = n_clusters
        self.random_state = 0

    def fit(self, points: Any) -> Thresholds:
        ends = np.linspace(points[:, 0].min(), points[:, 0].max(), self.n_clusters + 1)[1:-1]
        self.labels_ = np.searchsorted(ends, points[:, 0]) * 10 + self.random_state
        return self


def test_fit_and_labels_are_enough() -> None:
    given = Thresholds()
    found = make(given).cluster(Sample(np.array([[0.0], [1.0], [9.0], [10.0]])), 2, 3)
    assert found.membership.array.tolist() == [0, 0, 1, 1]
    assert (given.n_clusters, given.random_state) == (2, 0)
    assert found.predict is None


def test_soft_memberships_of_an_estimator() -> None:
    found = make(GaussianMixture(), soft=True).cluster(Sample(IRIS), 3, 7)
    expected = GaussianMixture(3, random_state=7).fit(IRIS).predict_proba(IRIS)
    assert isinstance(found.membership, Soft)
    assert np.allclose(found.membership.degrees, expected)
    with pytest.raises(UsageError, match="predict_proba"):
        make(KMeans(), soft=True)


@pytest.mark.parametrize(
    ("given", "transfer"),
    [
        (KMeans(), "predict"),
        (AgglomerativeClustering(), "centroid"),
        (AgglomerativeClustering(linkage="single"), "neighbours"),
        (Thresholds(), "neighbours"),
        (lambda points, k, seed: points, "neighbours"),
    ],
)
def test_points_are_transferred_by_the_rule_that_fits(given: Any, transfer: str) -> None:
    assert make(given).transfer_of(2) == transfer


def by_size(points: Any, k: int, seed: int) -> Any:
    """Cuts the points by their first coordinate into k groups of equal size."""
    return points[:, 0].argsort(kind="stable").argsort(kind="stable") * k // len(points)


def degrees(points: Any, k: int, seed: int) -> Any:
    return np.full((len(points), k), 1.0 / k)


def test_a_function_gives_labels_or_degrees() -> None:
    assert np.bincount(codes(make(by_size), 3)).tolist() == [50, 50, 50]
    found = make(degrees).cluster(Sample(IRIS), 4, 1).membership
    assert isinstance(found, Soft)
    assert found.degrees.shape == (150, 4)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ([5, 5, -1, 2], [1, 1, -1, 0]),
        (["b", "b", "a", "c"], [1, 1, 0, 2]),
        ([1.0, 0.0, -1.0, 1.0], [1, 0, -1, 1]),
        (pd.Series([1, 1, 0, 0], index=[9, 8, 7, 6]), [1, 1, 0, 0]),
        ([True, False, False, True], [1, 0, 0, 1]),
    ],
)
def test_labels_are_whole_numbers_or_texts(answer: Any, expected: list[int]) -> None:
    found = make(lambda points, k, seed: answer).cluster(Sample(IRIS[:4]), 2, 1)
    assert found.membership.array.tolist() == expected


@pytest.mark.parametrize(
    "answer", [[1, 2], None, [0.5, 1.0, 1.0, 1.0], [float("nan")] * 4, np.ones((4, 2))]
)
def test_an_answer_that_is_not_a_clustering_says_which_call_it_was(answer: Any) -> None:
    def wrong(points: Any, k: int, seed: int) -> Any:
        return answer

    with pytest.raises(ClustererFailed, match="wrong, k = 2, seed 17: "):
        make(wrong).cluster(Sample(IRIS[:4]), 2, 17)


def test_the_error_of_a_function_is_kept_as_the_cause() -> None:
    def broken(points: Any, k: int, seed: int) -> Any:
        raise KeyError("nothing here")

    with pytest.raises(ClustererFailed, match="broken, k = 2, seed 3: KeyError") as caught:
        make(broken).cluster(Sample(IRIS), 2, 3)
    assert isinstance(caught.value.__cause__, KeyError)


def test_where_fits_may_run_side_by_side() -> None:
    assert make("kmeans").runs == "processes"
    assert make(KMeans()).runs == "processes"
    assert make(partial(by_size)).runs == "processes"
    assert make(partial(by_size)).name == "by_size"
    assert make(lambda points, k, seed: points).runs == "threads"

    class Local(Thresholds):
        pass

    assert make(Local()).runs == "serial"


def test_a_function_of_the_script_that_runs_stays_in_its_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import __main__

    monkeypatch.setattr(by_size, "__module__", "__main__")
    monkeypatch.setattr(__main__, "by_size", by_size, raising=False)
    assert make(by_size).runs == "threads"


@pytest.mark.parametrize(
    ("given", "arguments", "said"),
    [
        (KMeans, {}, r"KMeans\(\)"),
        (3, {}, "type int"),
        (None, {}, "kmeans, agglomerative"),
        (DBSCAN(), {}, "no parameter n_clusters or n_components"),
        (KMeans(), {"parameters": {"ninit": 3}}, "did you mean 'n_init'"),
        (KMeans(), {"varied": "eps"}, "no parameter 'eps'"),
        (by_size, {"parameters": {"a": 3}}, r"functools\.partial"),
    ],
)
def test_what_cannot_cluster_is_refused_with_what_can(
    given: Any, arguments: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        make(given, **arguments)


def test_names_make_algorithms_and_objects_keep_theirs() -> None:
    assert isinstance(make("kmeans"), Algorithm)
    assert isinstance(make(KMeans()), Estimator)
    assert isinstance(make(by_size), Function)
    assert (make(KMeans()).name, make(by_size).name) == ("KMeans", "by_size")
