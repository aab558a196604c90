"""Named algorithms: what they find, which parameters they take, and what is refused."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering, KMeans, SpectralClustering
from sklearn.datasets import load_iris, make_moons
from sklearn.mixture import GaussianMixture
from threadpoolctl import threadpool_info

from clustcmp.clusterers import algorithms, fitting
from clustcmp.clusterers.algorithms import (
    Algorithm,
    parse_parameters,
    parse_value,
    parse_varied,
)
from clustcmp.clusterers.base import Sample, gather_codes
from clustcmp.errors import ClustererFailed, UsageError
from clustcmp.model.membership import NOISE, Hard, Soft
from clustcmp.wording import read_by

IRIS = np.ascontiguousarray(load_iris().data)
MOONS = make_moons(120, noise=0.05, random_state=1)[0]


def codes(algorithm: Algorithm, value: Any, seed: int = 7, points: Any = IRIS) -> Any:
    membership = algorithm.cluster(Sample(points), value, seed).membership
    assert isinstance(membership, Hard)
    return membership.codes


@pytest.mark.parametrize(
    ("algorithm", "value", "estimator"),
    [
        (Algorithm("kmeans"), 3, KMeans(3, n_init=10, random_state=7)),
        (Algorithm("kmeans", {"n_init": 1}), 4, KMeans(4, n_init=1, random_state=7)),
        (Algorithm("agglomerative"), 3, AgglomerativeClustering(3)),
        (
            Algorithm("agglomerative", {"linkage": "single"}),
            2,
            AgglomerativeClustering(2, linkage="single"),
        ),
        (Algorithm("gmm"), 3, GaussianMixture(3, random_state=7)),
        (Algorithm("spectral"), 3, SpectralClustering(3, random_state=7)),
        (Algorithm("dbscan", varied="eps"), 0.6, DBSCAN(eps=0.6)),
        (
            Algorithm("hdbscan", varied="min_cluster_size"),
            8,
            HDBSCAN(min_cluster_size=8, copy=True),
        ),
        (
            Algorithm("agglomerative", varied="distance_threshold"),
            5.0,
            AgglomerativeClustering(None, distance_threshold=5.0),
        ),
    ],
    ids=lambda one: one.name if isinstance(one, Algorithm) else "",
)
def test_an_algorithm_is_that_of_scikit_learn(
    algorithm: Algorithm, value: Any, estimator: Any
) -> None:
    expected = estimator.fit_predict(IRIS)
    assert np.array_equal(codes(algorithm, value), gather_codes(expected)[0])
    assert len(np.unique(expected)) > 1


def test_a_seed_of_any_size_is_taken() -> None:
    expected = KMeans(3, n_init=10, random_state=5).fit_predict(IRIS)
    assert np.array_equal(codes(Algorithm("kmeans"), 3, seed=(1 << 32) + 5), expected)


def test_noise_of_dbscan_is_noise() -> None:
    expected = DBSCAN(eps=0.4).fit_predict(IRIS)
    found = codes(Algorithm("dbscan", varied="eps"), 0.4)
    assert np.array_equal(found == NOISE, expected == -1)
    assert 0 < np.count_nonzero(found == NOISE) < len(IRIS)


def test_soft_gives_the_memberships_of_the_mixture() -> None:
    found = Algorithm("gmm", soft=True).cluster(Sample(IRIS), 3, 7)
    expected = GaussianMixture(3, random_state=7).fit(IRIS).predict_proba(IRIS)
    assert isinstance(found.membership, Soft)
    assert np.allclose(found.membership.degrees, expected, atol=1e-12)


def test_the_own_prediction_is_that_of_the_estimator() -> None:
    found = Algorithm("kmeans").cluster(Sample(IRIS[::2]), 3, 7)
    estimator = KMeans(3, n_init=10, random_state=7).fit(IRIS[::2])
    assert found.predict is not None
    assert np.array_equal(found.predict(IRIS[1::2]), estimator.predict(IRIS[1::2]))


def test_codes_have_no_gaps_and_predictions_use_the_same_codes() -> None:
    # Three places for four centres: one of scikit-learn's labels stays without points.
    places = np.repeat([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]], 4, axis=0)
    found = Algorithm("kmeans").cluster(Sample(places), 4, 1)
    assert isinstance(found.membership, Hard)
    assert found.membership.masses.tolist() == [4, 4, 4]
    assert found.predict is not None
    assert np.array_equal(found.predict(places), found.membership.codes)


def test_labels_are_gathered_by_hand() -> None:
    found, known = gather_codes(np.array([7, -1, 3, 7, -5]))
    assert found.tolist() == [1, NOISE, 0, 1, NOISE]
    assert known.tolist() == [3, 7]
    assert gather_codes(np.array([-1, -1]))[0].tolist() == [NOISE, NOISE]


def test_warnings_of_a_fit_become_notes() -> None:
    places = np.repeat([[0.0, 0.0], [9.0, 0.0]], 4, axis=0)
    notes = Algorithm("kmeans").cluster(Sample(places), 3, 1).notes
    assert len(notes) == 1
    assert "distinct clusters (2)" in notes[0]


def test_every_fit_runs_in_one_thread_and_sets_the_number_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = {one["filepath"]: one["num_threads"] for one in threadpool_info()}
    during: list[int] = []

    class Watched(KMeans):  # type: ignore[misc]
        def fit_predict(self, points: Any, y: Any = None) -> Any:
            during.extend(one["num_threads"] for one in threadpool_info())
            return super().fit_predict(points)

    monkeypatch.setattr(algorithms, "estimator_of", lambda name: Watched)
    codes(Algorithm("kmeans"), 3)
    assert set(during) == {1}
    assert {one["filepath"]: one["num_threads"] for one in threadpool_info()} == before


def test_a_fit_beside_another_keeps_its_one_thread() -> None:
    with fitting.one_thread():
        with fitting.one_thread():
            pass
        assert {one["num_threads"] for one in threadpool_info()} == {1}


@pytest.mark.parametrize(
    ("algorithm", "value", "transfer"),
    [
        (Algorithm("kmeans"), 3, "predict"),
        (Algorithm("gmm"), 3, "predict"),
        (Algorithm("agglomerative"), 3, "centroid"),
        (Algorithm("agglomerative", {"linkage": "average"}), 3, "centroid"),
        (Algorithm("agglomerative", {"linkage": "complete"}), 3, "centroid"),
        (Algorithm("agglomerative", {"linkage": "single"}), 3, "neighbours"),
        (Algorithm("agglomerative", {"n_clusters": 2}, "linkage"), "single", "neighbours"),
        (Algorithm("spectral"), 3, "neighbours"),
        (Algorithm("dbscan", varied="eps"), 0.5, "neighbours"),
        (Algorithm("hdbscan", varied="min_samples"), 5, "neighbours"),
    ],
)
def test_points_are_transferred_by_the_rule_that_fits_the_shape(
    algorithm: Algorithm, value: Any, transfer: str
) -> None:
    assert algorithm.transfer_of(value) == transfer


def test_an_algorithm_can_be_pickled() -> None:
    algorithm = Algorithm("kmeans", {"n_init": 2})
    again = pickle.loads(pickle.dumps(algorithm))
    assert np.array_equal(codes(again, 3), codes(algorithm, 3))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10", 10),
        ("-3", -3),
        ("0.5", 0.5),
        ("1e-3", 0.001),
        (".5", 0.5),
        ("true", True),
        ("False", False),
        ("None", None),
        ("ward", "ward"),
        ("k-means++", "k-means++"),
        ("nan", "nan"),
        ("1e999", "1e999"),
        ("1_000", "1_000"),
    ],
)
def test_the_text_of_a_parameter_is_read_by_its_form(text: str, value: Any) -> None:
    found = parse_value(text)
    assert found == value
    assert type(found) is type(value)


def test_parameters_are_words_with_an_equals_sign() -> None:
    assert parse_parameters(["n_init=10", "init=random"]) == {"n_init": 10, "init": "random"}
    assert parse_varied("eps=0.2,0.4") == ("eps", (0.2, 0.4))
    assert parse_varied("linkage=ward") == ("linkage", ("ward",))


@pytest.mark.parametrize("words", [["n_init"], ["=3"], ["n_init="], ["tol=1", "tol=2"]])
def test_words_that_do_not_set_one_parameter_are_refused(words: list[str]) -> None:
    with pytest.raises(UsageError):
        parse_parameters(words)


@pytest.mark.parametrize("text", ["eps", "=1,2", "eps=", "eps=1,,2", "eps=1,1"])
def test_a_text_that_does_not_vary_a_parameter_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_varied(text)


def refusal(name: str, **arguments: Any) -> str:
    with read_by("command line"), pytest.raises(UsageError) as caught:
        Algorithm(name, **arguments)
    assert caught.value.exit_status == 2
    return str(caught.value)


def test_an_unknown_algorithm_gets_the_nearest_name_and_the_list() -> None:
    text = refusal("k-means")
    assert "did you mean 'kmeans'?" in text
    assert "kmeans, agglomerative, gmm, spectral, dbscan, hdbscan" in text


def test_an_unknown_parameter_gets_the_nearest_name_and_the_list() -> None:
    text = refusal("kmeans", parameters={"ninit": 10})
    assert "kmeans has no parameter 'ninit'" in text
    assert "did you mean 'n_init'?" in text
    assert "max_iter" in text
    assert "random_state" not in text


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("kmeans", {"parameters": {"random_state": 3}}, "say --seed"),
        ("dbscan", {"parameters": {"n_jobs": 3}, "varied": "eps"}, "say --jobs"),
        ("kmeans", {"parameters": {"n_clusters": 3}}, "leave out --set n_clusters"),
        ("kmeans", {"varied": "n_clusters"}, "--k 2:10"),
        ("kmeans", {"varied": "init"}, "--set n_clusters=3"),
        ("kmeans", {"varied": "epsilon"}, "kmeans has no parameter 'epsilon'"),
        ("dbscan", {}, "--vary eps=0.2,0.4"),
        ("hdbscan", {}, "--vary min_cluster_size=5,10,20"),
        ("dbscan", {"varied": "eps", "parameters": {"eps": 1.0}}, "both set and varied"),
        ("kmeans", {"soft": True}, "gmm has soft memberships"),
    ],
)
def test_what_does_not_fit_the_algorithm_is_refused_with_what_to_say(
    name: str, arguments: dict[str, Any], said: str
) -> None:
    assert said in refusal(name, **arguments)


def test_python_reads_its_own_words() -> None:
    with pytest.raises(UsageError, match=r'vary=\{"eps": \[0.2, 0.4\]\}'):
        Algorithm("dbscan")


def test_without_scikit_learn_the_error_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(algorithms, "find_spec", lambda name: None)
    text = refusal("kmeans")
    assert "kmeans needs scikit-learn" in text
    assert "pip install 'clustcmp[cluster]'" in text


def test_a_value_that_the_estimator_refuses_is_bad_input() -> None:
    with pytest.raises(UsageError, match=r"kmeans, k = 3, seed 1: .*'n_init'"):
        Algorithm("kmeans", {"n_init": -1}).cluster(Sample(IRIS), 3, 1)


def test_a_fit_that_fails_says_which_one_it_was() -> None:
    with pytest.raises(ClustererFailed, match=r"kmeans, k = 5, seed 1: ValueError: .*n_samples=2"):
        Algorithm("kmeans").cluster(Sample(IRIS[:2]), 5, 1)


def test_a_sample_keeps_ids_beside_their_coordinates() -> None:
    sample = Sample(MOONS[:3], ["a", "b", "c"], ("x", "y")).take(np.array([2, 0]))
    assert sample.ids == ["c", "a"]
    assert np.array_equal(sample.coordinates, MOONS[[2, 0]])
    assert sample.columns == ("x", "y")
    assert Sample(MOONS).take(np.array([1])).ids == ()
