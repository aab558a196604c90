"""BetaCV and C-index: published numbers, plain computation, and where they have no value."""

from __future__ import annotations

import csv
import itertools
import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist

import clustcmp
from clustcmp import progress
from clustcmp.align import align
from clustcmp.errors import Undefined, UsageError
from clustcmp.evaluate import evaluate
from clustcmp.metrics import METRICS, extreme_distances, pair_distances
from clustcmp.metrics.extreme_distances import Bucket, sum_extremes
from clustcmp.metrics.internal import beta_cv, c_index
from clustcmp.metrics.pair_distances import Groups
from clustcmp.model import Clustering, Hard, PointSet, Soft
from clustcmp.model.texts import Texts
from clustcmp.progress import told_to
from clustcmp.results import Status
from tests.cases import HERE
from tests.conftest import Ear

Floats = npt.NDArray[np.float64]


def clustering(coordinates: Any, codes: Any) -> Clustering:
    """A hard clustering of points without ids."""
    coordinates = np.array(coordinates, dtype=np.float64)
    names, members = np.unique(np.array(codes), return_inverse=True)
    points = PointSet(len(coordinates), None, coordinates.reshape(len(coordinates), -1))
    return Clustering(points, Hard(members.astype(np.int32), len(names)), Texts.of(map(str, names)))


def read(name: str) -> dict[str, list[str]]:
    """An example file by id."""
    with open(HERE.parent / "examples" / f"{name}.csv", encoding="utf-8", newline="") as file:
        return {row[0]: row[1:] for row in list(csv.reader(file))[1:]}


def iris(labels: str, n_components: int | None = None) -> Clustering:
    """A clustering of iris, on its attributes or on its first principal components."""
    coordinates = read("iris")
    clusters = read(labels)
    table = np.array(list(coordinates.values()), dtype=np.float64)
    if n_components:
        centred = table - table.mean(axis=0)
        table = centred @ np.linalg.svd(centred, full_matrices=False)[2][:n_components].T
    return clustering(table, [clusters[point][0] for point in coordinates])


# Counted by plain Python with exact fractions from the example files.
@pytest.mark.parametrize(
    ("labels", "beta", "c"),
    [
        ("iris_kmeans_good", 0.2728745791, 0.0329894118),
        ("iris_kmeans_bad", 0.3559085415, 0.0823068876),
        ("iris_species", 0.2882861015, 0.0468037741),
    ],
)
def test_values_on_the_attributes_of_iris(labels: str, beta: float, c: float) -> None:
    assert beta_cv(iris(labels)) == pytest.approx(beta, abs=1e-10)
    assert c_index(iris(labels)) == pytest.approx(c, abs=1e-10)


# Zaki and Meira's slides; the digits after theirs are counted like those above.
@pytest.mark.parametrize(
    ("labels", "beta", "c", "published"),
    [
        ("iris_kmeans_good", 0.2385558108, 0.0337626511, (0.24, 0.034)),
        ("iris_kmeans_bad", 0.3251702728, 0.0797315467, (0.33, 0.08)),
    ],
)
def test_published_values_on_two_principal_components(
    labels: str, beta: float, c: float, published: tuple[float, float]
) -> None:
    found = beta_cv(iris(labels, 2)), c_index(iris(labels, 2))
    assert found == pytest.approx((beta, c), abs=1e-9)
    assert (round(found[0], 2), round(found[1], 3 if published[1] == 0.034 else 2)) == published


def plain(coordinates: Any, codes: Any, ground: Any = "euclidean") -> tuple[float, float]:
    """BetaCV and C-index with all distances in one list."""
    distances = pdist(np.array(coordinates, dtype=np.float64).reshape(len(codes), -1), ground)
    same = np.array([x == y for x, y in itertools.combinations(codes, 2)])
    within, between = distances[same], distances[~same]
    ordered = np.sort(distances)
    smallest = math.fsum(ordered[: len(within)])
    largest = math.fsum(ordered[len(ordered) - len(within) :])
    beta = (math.fsum(within) / len(within)) / (math.fsum(between) / len(between))
    return beta, (math.fsum(within) - smallest) / (largest - smallest)


# Whole numbers on a small grid, so that most distances are tied.
tied = st.integers(3, 14).flatmap(
    lambda n: st.tuples(
        st.lists(st.tuples(*[st.integers(0, 3)] * 2), min_size=n, max_size=n, unique=n < 9),
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
    )
)


def has_both_values(coordinates: Any, codes: Any) -> bool:
    """Whether neither metric is undefined."""
    distances = pdist(np.array(coordinates, dtype=np.float64))
    same = [x == y for x, y in itertools.combinations(codes, 2)]
    apart = distances[~np.array(same)]
    return any(same) and apart.any() and bool(np.ptp(distances))


@pytest.mark.parametrize("few", [1, 5, 1 << 22])
@pytest.mark.parametrize("side", [2, 512])
@given(points=tied)
def test_tied_distances_are_summed_exactly(few: int, side: int, points: Any) -> None:
    if not has_both_values(*points):
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extreme_distances, "FEW", few)
        patch.setattr(pair_distances, "SIDE", side)
        found = beta_cv(clustering(*points)), c_index(clustering(*points))
    assert found == pytest.approx(plain(*points), abs=1e-12)


@pytest.mark.parametrize("ground", ["euclidean", "cityblock", "chebyshev", "cosine", "sqeuclidean"])
def test_values_of_3000_points_agree_with_sorting_all_distances(
    ground: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extreme_distances, "FEW", 1000)
    generator = np.random.default_rng(1)
    codes = generator.integers(0, 7, 3000)
    coordinates = generator.normal(size=(3000, 3)) + codes[:, None] % 3
    points = clustering(coordinates, codes)
    found = beta_cv(points, ground=ground), c_index(points, ground=ground)
    assert found == pytest.approx(plain(coordinates, codes, ground), rel=1e-12)


@pytest.mark.parametrize("n_smallest", [1, 2, 17, 2475, 4949])
@pytest.mark.parametrize("few", [1, 100])
@pytest.mark.parametrize("sample", [2, 20])
def test_sums_of_extreme_distances_agree_with_sorting_all_distances(
    n_smallest: int, few: int, sample: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extreme_distances, "FEW", few)
    monkeypatch.setattr(extreme_distances, "SAMPLE", sample)
    monkeypatch.setattr(pair_distances, "SIDE", 16)
    coordinates = np.random.default_rng(2).integers(0, 30, (100, 2)).astype(np.float64)
    groups = Groups(coordinates, np.array([50, 100]), "euclidean")
    ordered = np.sort(pdist(coordinates))
    within = math.fsum(pdist(coordinates[:50])) + math.fsum(pdist(coordinates[50:]))
    expected = math.fsum(ordered[:n_smallest]), math.fsum(ordered[-n_smallest:]), within
    assert sum_extremes(groups, n_smallest) == pytest.approx(expected, rel=1e-14)


def test_a_wrong_guess_is_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extreme_distances, "FEW", 10)
    far_off = [Bucket(2**62, 2**62 + 5), Bucket(0, 1)]
    monkeypatch.setattr(extreme_distances, "guess_buckets", lambda groups, ranks: far_off)
    coordinates = np.arange(60.0)[:, None] ** 2
    ordered = np.sort(pdist(coordinates))
    expected = ordered[:800].sum(), ordered[-800:].sum()
    found = sum_extremes(Groups(coordinates, np.array([60]), "euclidean"), 800)
    assert found[:2] == pytest.approx(expected, rel=1e-14)


def test_haversine_takes_degrees() -> None:
    # Two pairs 1 degree apart on the equator, a quarter of the globe between them.
    coordinates = [[0.0, 0.0], [0.0, 1.0], [0.0, 90.0], [0.0, 91.0]]
    assert beta_cv(clustering(coordinates, [0, 0, 1, 1]), ground="haversine") == pytest.approx(
        1 / 90
    )


@pytest.mark.parametrize("metric", [beta_cv, c_index])
@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1e9, 1e300])
def test_scale_and_shift_do_not_change_values(metric: Any, scale: float) -> None:
    coordinates, codes = np.random.default_rng(4).normal(size=(20, 2)), [0, 1, 2, 3] * 5
    expected = metric(clustering(coordinates, codes))
    assert metric(clustering(coordinates * scale, codes)) == pytest.approx(expected)
    assert metric(clustering(coordinates + 1e6, codes)) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("metric", [beta_cv, c_index])
def test_values_are_plain_floats(metric: Any) -> None:
    assert type(metric(clustering([0, 1, 5, 7], [0, 0, 1, 1]))) is float


def test_clusters_far_apart_score_low_and_mixed_ones_high() -> None:
    assert c_index(clustering([0, 1, 100, 101], [0, 0, 1, 1])) == 0.0
    assert c_index(clustering([0, 1, 100, 101], [0, 1, 1, 0])) == pytest.approx(198 / 199)
    assert beta_cv(clustering([0, 1, 100, 101], [0, 0, 1, 1])) == pytest.approx(0.01)


@pytest.mark.parametrize("metric", [beta_cv, c_index])
@pytest.mark.parametrize(
    ("coordinates", "codes", "reason"),
    [
        ([1.0], [0], "one cluster"),
        ([1.0, 2.0, 4.0], [0, 0, 0], "one cluster"),
        ([1.0, 2.0, 4.0], [0, 1, 2], "a cluster of its own"),
    ],
)
def test_one_cluster_and_all_singletons_have_no_value(
    metric: Any, coordinates: Any, codes: Any, reason: str
) -> None:
    with pytest.raises(Undefined, match=reason):
        metric(clustering(coordinates, codes))


def test_beta_cv_has_no_value_if_different_clusters_coincide() -> None:
    with pytest.raises(Undefined, match="coincide"):
        beta_cv(clustering([3.0, 3.0, 3.0], [0, 0, 1]))


@pytest.mark.parametrize("height", [0.0, math.sqrt(0.75)])
def test_c_index_has_no_value_if_all_distances_are_equal(height: float) -> None:
    triangle = [[0.1, 0.1], [1.1, 0.1], [0.6, 0.1 + height]] if height else [[3.0, 3.0]] * 3
    with pytest.raises(Undefined, match="equal"):
        c_index(clustering(triangle, [0, 0, 1]))


@pytest.mark.parametrize("metric", [beta_cv, c_index])
def test_precomputed_distances_are_refused_for_metrics_of_one_clustering(metric: Any) -> None:
    with pytest.raises(UsageError, match="within one clustering are needed") as caught:
        metric(clustering([0, 1, 2], [0, 0, 1]), ground="precomputed")
    assert caught.value.hint


def test_each_side_has_a_result_and_a_soft_one_is_not_applicable() -> None:
    hard = clustering([0.0, 1.0, 5.0], [0, 0, 1])
    degrees = np.array([[0.5, 0.5], [0.2, 0.8], [1.0, 0.0]])
    soft = Clustering(hard.points, Soft(degrees), Texts.of("xy"))
    results, _ = evaluate(align(hard, soft), METRICS.requests(["internal"]))
    assert [(result.name, result.side, result.status) for result in results] == [
        ("beta_cv", "a", Status.ok),
        ("beta_cv", "b", Status.not_applicable),
        ("c_index", "a", Status.ok),
        ("c_index", "b", Status.not_applicable),
    ]


def test_a_side_without_a_value_has_a_reason() -> None:
    points = clustering([0.0, 1.0, 5.0], [0, 0, 0])
    results, _ = evaluate(align(points, points), METRICS.requests(["beta_cv"]))
    assert {result.status for result in results} == {Status.undefined}
    assert {result.reason for result in results} == {"all points are in one cluster"}


def test_tiles_are_small_and_have_each_pair_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_distances, "SIDE", 8)
    coordinates = np.random.default_rng(6).normal(size=(70, 2))
    groups = Groups(coordinates, np.array([1, 3, 40, 70]), "euclidean")
    tiles = list(groups.tiles(groups.all_tiles()))
    assert max(tile.keys.size for tile in tiles) <= 64
    found = np.concatenate([groups.distances(tile.keys) for tile in tiles])
    assert np.sort(found) == pytest.approx(np.sort(pdist(coordinates)))
    within = [np.broadcast_to(tile.within, tile.keys.shape).sum() for tile in tiles]
    assert sum(within) == groups.n_within == 0 + 1 + 37 * 36 // 2 + 30 * 29 // 2


@pytest.mark.parametrize("metric", ["beta_cv", "c_index"])
def test_values_do_not_depend_on_the_number_of_threads(
    metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_distances, "SIDE", 16)
    monkeypatch.setattr(pair_distances, "WORTHWHILE", 0.0)
    generator = np.random.default_rng(8)
    codes, coordinates = generator.integers(0, 5, 300), generator.normal(size=(300, 3))
    values = [
        [
            result.value
            for result in clustcmp.compare(
                codes, codes, metrics=metric, jobs=jobs, coordinates=coordinates
            )
        ]
        for jobs in (1, 3)
    ]
    assert values[0] == values[1]


@pytest.mark.parametrize("metric", ["beta_cv", "c_index"])
def test_the_metrics_run_on_as_many_threads_as_are_allowed(
    metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs_of_calls = []

    def note_jobs(function: Any, tasks: Any, jobs: int, **options: Any) -> Any:
        jobs_of_calls.append(jobs)
        return [function(task) for task in tasks]

    monkeypatch.setattr(pair_distances, "map_tasks", note_jobs)
    labels = [0, 0, 1, 1, 1]
    clustcmp.compare(labels, labels, metrics=metric, coordinates=[[0], [1], [4], [5], [9]], jobs=7)
    assert set(jobs_of_calls) == {7}


@pytest.mark.parametrize("metric", ["beta_cv", "c_index"])
def test_clusters_of_points_at_one_place_each_have_the_best_value(metric: str) -> None:
    labels = [0, 0, 1, 1, 1]
    report = clustcmp.compare(labels, labels, metrics=metric, coordinates=[[0.0]] * 2 + [[4.0]] * 3)
    assert [result.value for result in report] == [0.0, 0.0]
    assert METRICS[metric].best == 0.0


@pytest.mark.parametrize("metric", ["beta_cv", "c_index"])
def test_progress_reaches_its_end(metric: str) -> None:
    ear = Ear()
    labels = [0, 0, 1, 1, 1]
    with told_to(ear):
        clustcmp.compare(labels, labels, metrics=metric, coordinates=[[0], [1], [4], [5], [9]])
    assert all(0 < done <= total for _, done, total in ear.told)
    finished = {what for what, done, total in ear.told if done == total}
    assert finished == {what for what, *_ in ear.told} != set()


# 80 points are 20 x 20 tiles of 4 x 4, of which 210 are on or above the diagonal. If 8 of them take
# a second, all take 26.25; the C-index looks at all of them twice.
@pytest.mark.parametrize(("metric", "seconds"), [("beta_cv", 26.25), ("c_index", 52.5)])
@pytest.mark.parametrize("jobs", [1, 2])
def test_long_work_is_foretold_before_it_begins(
    metric: str, seconds: float, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = itertools.count()
    monkeypatch.setattr(pair_distances, "SIDE", 4)
    monkeypatch.setattr(progress, "LONG", 0.0)
    monkeypatch.setattr(progress, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    ear = Ear()
    labels = [0, 1] * 40
    points = np.arange(80.0)[:, None]
    with told_to(ear):
        clustcmp.compare(labels, labels, metrics=metric, coordinates=points, jobs=jobs)
    assert ear.expected == [(f"{metric} of 80 points", seconds / jobs)] * 2
