"""Transport metrics agree with linear programs written down as the papers have them."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

import clustcmp
from clustcmp import memory
from clustcmp.align import align
from clustcmp.errors import InputError, LimitExceeded, Undefined
from clustcmp.evaluate import evaluate
from clustcmp.geometry import ground_distances
from clustcmp.metrics import METRICS
from clustcmp.metrics.transport import finite_parts
from clustcmp.model import Clustering, Comparison, Hard, PointSet, Soft
from clustcmp.model.texts import Texts
from clustcmp.results import Result
from clustcmp.transport import clusters
from clustcmp.transport.places import Places
from tests.transport.test_exact import linear_program

Array = np.ndarray[Any, np.dtype[Any]]
GROUNDS = ["euclidean", "cityblock", "chebyshev", "cosine", "sqeuclidean", "haversine"]


def clustering(coordinates: Array, membership: Array) -> Clustering:
    """A clustering of points at these coordinates; degrees have two dimensions, codes one."""
    k = membership.shape[1] if membership.ndim == 2 else int(membership.max()) + 1
    found = Soft(membership) if membership.ndim == 2 else Hard(membership.astype(np.int32), k)
    return Clustering(
        PointSet(len(coordinates), None, coordinates), found, Texts.of(map(str, range(k)))
    )


def comparison(a: Clustering, b: Clustering, jobs: int = 1, **more: Any) -> Comparison:
    """Two clusterings side by side."""
    return dataclasses.replace(align(a, b), jobs=jobs, **more)


def result(metric: str, compared: Comparison) -> Result:
    """The result of one metric."""
    return evaluate(compared, METRICS.requests([metric]))[0][0]


def value(metric: str, compared: Comparison) -> float:
    """The value of one metric."""
    found = result(metric, compared).value
    assert found is not None
    return found


def as_degrees(membership: Array) -> Array:
    """Rows of degrees, without clusters that have no points."""
    degrees = membership
    if membership.ndim == 1:
        degrees = np.eye(int(membership.max()) + 1)[membership]
    return degrees[:, degrees.any(axis=0)]


def cdistance_by_definition(x: Array, a: Array, y: Array, b: Array, ground: str) -> float:
    """CDistance as the paper writes it, all points with all their weights."""
    p, q = as_degrees(a), as_degrees(b)
    cost = ground_distances(x, y, ground)
    table = np.zeros((p.shape[1], q.shape[1]))
    for k, j in np.ndindex(*table.shape):
        table[k, j] = linear_program(cost, p[:, k] / p[:, k].sum(), q[:, j] / q[:, j].sum())
    mass_a, mass_b = p.sum(axis=0) / len(p), q.sum(axis=0) / len(q)
    naive = float(mass_a @ table @ mass_b)
    return linear_program(table, mass_a, mass_b) / naive if naive > 1e-15 else 0.0


@st.composite
def situations(draw: st.DrawFn, same_points: bool = False) -> tuple[Array, Array, Array, Array]:
    """Coordinates and memberships of two clusterings: hard or soft, on a grid with coincidences."""
    dimensions = draw(st.integers(1, 3))
    sides: list[tuple[Array, Array]] = []
    membership: Array
    for _ in range(2):
        n = draw(st.integers(2, 6)) if not (same_points and sides) else len(sides[0][0])
        grid = st.lists(st.integers(1, 4), min_size=n * dimensions, max_size=n * dimensions)
        coordinates = np.array(draw(grid), dtype=float).reshape(n, dimensions)
        if draw(st.booleans()):
            labels = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
            _, membership = np.unique(labels, return_inverse=True)
        else:
            rows = draw(st.lists(st.integers(0, 3), min_size=2 * n, max_size=2 * n))
            membership = np.array(rows, dtype=float).reshape(n, 2)
            membership[:, 0] += 1.0
            membership /= membership.sum(axis=1, keepdims=True)
        sides.append((coordinates, membership))
    if same_points:
        sides[1] = (sides[0][0], sides[1][1])
    return (*sides[0], *sides[1])


@given(situation=situations(), ground=st.sampled_from(GROUNDS))
@settings(max_examples=150)
def test_cdistance_agrees_with_the_paper(
    situation: tuple[Array, Array, Array, Array], ground: str
) -> None:
    x, a, y, b = situation
    if ground == "haversine" and x.shape[1] != 2:
        ground = "euclidean"
    expected = cdistance_by_definition(x, a, y, b, ground)
    found = value(f"cdistance:ground={ground}", comparison(clustering(x, a), clustering(y, b)))
    if 1 in (as_degrees(a).shape[1], as_degrees(b).shape[1]):
        assert found in (0.0, 1.0)
        expected = round(expected)
    assert found == pytest.approx(expected, abs=1e-9)


@given(situation=situations())
@settings(max_examples=60)
def test_similarity_distance_agrees_with_the_paper(
    situation: tuple[Array, Array, Array, Array],
) -> None:
    x, a, y, b = situation
    cost = cdist(x, y)
    uniform = np.full(len(x), 1 / len(x)), np.full(len(y), 1 / len(y))
    naive = float(cost.mean())
    expected = linear_program(cost, *uniform) / naive if naive else 0.0
    found = value("similarity_distance", comparison(clustering(x, a), clustering(y, b)))
    assert found == pytest.approx(expected, abs=1e-9)


@given(
    situation=situations(same_points=True),
    weights=st.sampled_from(["equal", "proportional"]),
    p=st.sampled_from([1.0, 2.0, 3.5]),
)
@settings(max_examples=100)
def test_cc_agrees_with_the_paper(
    situation: tuple[Array, Array, Array, Array], weights: str, p: float
) -> None:
    x, a, y, b = situation
    degrees_a, degrees_b = as_degrees(a), as_degrees(b)
    cost = (np.abs(degrees_a[:, :, None] - degrees_b[:, None, :]) ** p).sum(axis=0)
    masses = [masses_of(degrees, weights) for degrees in (degrees_a, degrees_b)]
    expected = linear_program(cost, *masses) ** (1 / p)
    compared = comparison(clustering(x, a), clustering(y, b))
    assert value(f"cc:weights={weights},p={p}", compared) == pytest.approx(expected, abs=1e-7)
    assert value(f"cc:weights={weights},p={p},normalize", compared) == pytest.approx(
        expected / len(a) ** (1 / p), abs=1e-7
    )


@given(situation=situations(same_points=True), weights=st.sampled_from(["equal", "proportional"]))
@settings(max_examples=100)
def test_css_agrees_with_the_paper(
    situation: tuple[Array, Array, Array, Array], weights: str
) -> None:
    x, a, y, b = situation
    p, q = as_degrees(a), as_degrees(b)
    table = p.T @ q
    means = [(m.T @ x) / m.sum(axis=0)[:, None] for m in (p, q)]
    moved = table * cdist(means[0], means[1])
    alpha, beta = masses_of(p, weights), masses_of(q, weights)
    gain = -2.0 * moved / np.add.outer(alpha, beta)
    expected = moved.sum() + linear_program(gain, alpha, beta)
    found = value(f"css:weights={weights}", comparison(clustering(x, a), clustering(y, b)))
    assert found == pytest.approx(max(expected, 0.0), abs=1e-8)


def masses_of(degrees: Array, weights: str) -> Array:
    """The masses of clusters in a plan."""
    k = degrees.shape[1]
    return np.full(k, 1 / k) if weights == "equal" else degrees.sum(axis=0) / len(degrees)


def blobs(seed: int = 0, n: int = 60, dimensions: int = 2) -> tuple[Array, Array, Array]:
    """Points in four clusters, and a second clustering that moves some of them."""
    generator = np.random.default_rng(seed)
    a = generator.integers(0, 4, n)
    b = np.where(generator.random(n) < 0.2, generator.integers(0, 5, n), a)
    coordinates = generator.normal(size=(n, dimensions)) + 3.0 * a[:, None]
    return coordinates, a, b


SPATIAL = ["css", "cdistance", "cdistance:ground=cityblock"]


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e6])
@pytest.mark.parametrize("dimensions", [1, 2, 5])
def test_scale_and_shift_do_not_cost_digits(scale: float, dimensions: int) -> None:
    coordinates, a, b = blobs(dimensions=dimensions)
    # Multiples of 2^-20 plus an offset of 1e8 are exact, so all digits of the values must agree.
    coordinates = np.round(coordinates * 2.0**20) / 2.0**20
    plain = comparison(clustering(coordinates, a), clustering(coordinates, b))
    scaled = comparison(clustering(coordinates * scale, a), clustering(coordinates * scale, b))
    shifted = comparison(clustering(coordinates + 1e8, a), clustering(coordinates + 1e8, b))
    for metric in SPATIAL:
        unit = scale if metric == "css" else 1.0
        assert value(metric, scaled) == pytest.approx(unit * value(metric, plain), rel=1e-9)
        assert value(metric, shifted) == pytest.approx(value(metric, plain), rel=1e-9)


def test_rotation_does_not_change_values_with_euclidean_distances() -> None:
    coordinates, a, b = blobs()
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    plain = comparison(clustering(coordinates, a), clustering(coordinates, b))
    turned = comparison(clustering(coordinates @ turn, a), clustering(coordinates @ turn, b))
    for metric in ("css", "cdistance"):
        assert value(metric, turned) == pytest.approx(value(metric, plain), rel=1e-9)


def test_the_number_of_jobs_does_not_change_values() -> None:
    coordinates, a, b = blobs(n=200)
    sides = clustering(coordinates, a), clustering(coordinates, b)
    values = {value("cdistance", comparison(*sides, jobs=jobs)) for jobs in (1, 2, 7)}
    assert len(values) == 1


def test_order_of_rows_and_names_of_clusters_do_not_change_values() -> None:
    coordinates, a, b = blobs()
    order = np.random.default_rng(1).permutation(len(a))
    plain = comparison(clustering(coordinates, a), clustering(coordinates, b))
    mixed = comparison(
        clustering(coordinates[order], 3 - a[order]), clustering(coordinates[order], 4 - b[order])
    )
    for metric in (*SPATIAL, "cc"):
        assert value(metric, mixed) == pytest.approx(value(metric, plain), rel=1e-12)


@pytest.mark.parametrize("metric", ["cc", "css", "cdistance", "similarity_distance"])
def test_one_hot_soft_equals_hard(metric: str) -> None:
    coordinates, a, b = blobs()
    hard = comparison(clustering(coordinates, a), clustering(coordinates, b))
    soft = comparison(clustering(coordinates, np.eye(4)[a]), clustering(coordinates, np.eye(5)[b]))
    assert value(metric, soft) == value(metric, hard)


@pytest.mark.parametrize("metric", ["cc", "cdistance", "similarity_distance"])
def test_a_soft_clustering_has_the_distance_0_to_itself(metric: str) -> None:
    coordinates, a, _ = blobs()
    degrees = np.eye(4)[a] * 0.7 + 0.075
    same = comparison(clustering(coordinates, degrees), clustering(coordinates, degrees))
    assert value(metric, same) == pytest.approx(0.0, abs=1e-12)


def test_cc_is_twice_the_clustering_error_for_equal_numbers_of_clusters() -> None:
    generator = np.random.default_rng(2)
    a, b = generator.integers(0, 6, (2, 300))
    compared = comparison(clustering(np.zeros((300, 1)), a), clustering(np.zeros((300, 1)), b))
    expected = 2 * 300 * value("clustering_error", compared) / 6
    assert value("cc", compared) == pytest.approx(expected)


def test_identical_labels_at_other_places_have_a_distance_above_0() -> None:
    coordinates, a, _ = blobs()
    moved = comparison(clustering(coordinates, a), clustering(coordinates + 50.0, a))
    assert value("cdistance", moved) > 0.5
    assert value("cc", moved) == 0.0


@pytest.mark.parametrize("metric", ["cdistance", "similarity_distance"])
def test_precomputed_distances_give_the_same_as_coordinates(metric: str) -> None:
    coordinates, a, b = blobs()
    located = comparison(clustering(coordinates, a), clustering(coordinates + 0.5, b))
    by_distance = dataclasses.replace(located, distances=cdist(coordinates, coordinates + 0.5))
    found = value(f"{metric}:ground=precomputed", by_distance)
    assert found == pytest.approx(value(metric, located), rel=1e-9)


def test_clusterings_of_different_points_are_compared() -> None:
    coordinates, a, b = blobs()
    compared = comparison(clustering(coordinates, a), clustering(coordinates[:31] + 0.1, b[:31]))
    assert 0.0 < value("cdistance", compared) < 1.0
    assert 0.0 < value("similarity_distance", compared) < 1.0


def test_cdistance_of_a_single_cluster_is_1_with_a_remark() -> None:
    coordinates, a, _ = blobs()
    compared = comparison(
        clustering(coordinates, a), clustering(coordinates, np.zeros(len(a), dtype=int))
    )
    results, remarks = evaluate(compared, METRICS.requests(["cdistance"]))
    assert results[0].value == 1.0
    assert any("single cluster" in remark for remark in remarks)


def test_details_are_the_two_transports() -> None:
    coordinates, a, b = blobs()
    found = result("cdistance", comparison(clustering(coordinates, a), clustering(coordinates, b)))
    assert found.value == pytest.approx(found.details["d_ot"] / found.details["d_nt"])


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("copies", [1, 3], ids=["same points", "each point of b three times"])
def test_points_at_the_same_places_have_the_distance_0_without_any_work(
    ground: str, copies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: Any) -> Any:
        raise AssertionError("a distance was computed")

    monkeypatch.setattr(Places, "cost", refuse)
    monkeypatch.setattr(clusters, "QUICK_CELLS", 0)
    coordinates, a, b = blobs()
    other = np.random.default_rng(0).permutation(np.repeat(coordinates, copies, axis=0))
    compared = comparison(clustering(coordinates, a), clustering(other, np.repeat(b, copies)))
    found = result(f"similarity_distance:ground={ground}", compared)
    assert found.value == 0.0
    assert found.details == {"d_ot": 0.0, "d_nt": None}


def test_the_naive_transport_of_the_same_points_is_shown_where_that_is_quick() -> None:
    coordinates, a, b = blobs()
    found = result(
        "similarity_distance", comparison(clustering(coordinates, a), clustering(coordinates, b))
    )
    assert found.details == {
        "d_ot": 0.0,
        "d_nt": pytest.approx(cdist(coordinates, coordinates).mean()),
    }


@pytest.mark.parametrize("jobs", [1, 3])
def test_similarity_distance_is_optimal_over_mean_distance(
    jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "BLOCK_CELLS", 100)
    monkeypatch.setattr(clusters, "WORTHWHILE", 0.0)
    coordinates, a, b = blobs()
    moved = np.concatenate([coordinates[:5] + 0.5, coordinates[5:]])
    compared = comparison(clustering(coordinates, a), clustering(moved, b), jobs)
    cost = cdist(coordinates[:5], moved[:5])
    optimal = cost[linear_sum_assignment(cost)].sum() / len(coordinates)
    expected = optimal / cdist(coordinates, moved).mean()
    assert value("similarity_distance", compared) == pytest.approx(expected, rel=1e-12)


def test_all_points_at_one_place_have_the_distance_0() -> None:
    coordinates = np.ones((6, 2))
    compared = comparison(
        clustering(coordinates, np.array([0, 0, 1, 1, 2, 2])),
        clustering(coordinates, np.array([0] * 3 + [1] * 3)),
    )
    assert value("cdistance", compared) == 0.0
    assert value("css", compared) == 0.0


def test_problems_too_large_for_memory_are_refused_before_solving(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory, "ALWAYS_FREE", 0.0)
    monkeypatch.setattr(memory, "available_memory", lambda: 1000.0)
    coordinates, a, b = blobs()
    compared = comparison(clustering(coordinates, a), clustering(coordinates + 0.5, b))
    with pytest.raises(LimitExceeded, match=r"GB of memory, but only 0\.0 GB are free"):
        result("cdistance", compared)


def test_too_many_clusters_for_a_plan_are_refused_only_if_asked_for_by_name() -> None:
    n = 3000
    coordinates, a, b = np.zeros((n, 1)), np.arange(n), np.arange(n) // 2
    compared = comparison(clustering(coordinates, a), clustering(coordinates, b))
    with pytest.raises(LimitExceeded, match="3000 and 1500 clusters"):
        result("cc", compared)
    results, _ = evaluate(compared, METRICS.requests(["transport", "ari"]))
    assert results[0].status == "not_applicable"
    assert "too large" in (results[0].reason or "")


@pytest.mark.parametrize("scale", [1e-300, 1e-170, 1e200, 1e300])
@pytest.mark.parametrize("ground", ["euclidean", "cosine", "sqeuclidean"])
def test_huge_and_tiny_coordinates_do_not_change_quotients(scale: float, ground: str) -> None:
    coordinates, a, b = blobs()
    plain = comparison(clustering(coordinates, a), clustering(coordinates + 0.5, b))
    scaled = comparison(
        clustering(coordinates * scale, a), clustering((coordinates + 0.5) * scale, b)
    )
    for metric in ("cdistance", "similarity_distance"):
        spec = f"{metric}:ground={ground}"
        assert value(spec, scaled) == pytest.approx(value(spec, plain), rel=1e-9)
    assert value("css", scaled) == pytest.approx(scale * value("css", plain), rel=1e-9)


def test_points_in_one_direction_have_the_cosine_distance_0() -> None:
    _, a, b = blobs(n=12)
    coordinates = np.outer(np.arange(1.0, 13.0), [0.3, 0.7, 0.1])
    compared = comparison(clustering(coordinates, a), clustering(coordinates, b))
    assert value("cdistance:ground=cosine", compared) == 0.0
    assert value("similarity_distance:ground=cosine", compared) == 0.0


def test_impossible_latitudes_are_refused() -> None:
    coordinates, a, b = blobs()
    compared = comparison(clustering(coordinates * 100.0, a), clustering(coordinates, b))
    with pytest.raises(InputError, match="latitude"):
        value("cdistance:ground=haversine", compared)


def test_huge_distances_do_not_change_quotients() -> None:
    coordinates, a, b = blobs()
    compared = comparison(clustering(coordinates, a), clustering(coordinates, b))
    distances = cdist(coordinates, coordinates)
    for metric in ("cdistance", "similarity_distance"):
        plain, huge = (
            value(
                f"{metric}:ground=precomputed",
                dataclasses.replace(compared, distances=distances * scale),
            )
            for scale in (1.0, 1e306)
        )
        assert huge == pytest.approx(plain, rel=1e-9, abs=1e-12)


def test_haversine_goes_over_the_pole() -> None:
    # Half of the points move from 60 degrees north to the other side of the pole, 60 degrees away.
    places = [[60.0, 0.0], [60.0, 180.0]]
    (found,) = clustcmp.compare([0, 1], [0, 0], "cdistance:ground=haversine", coordinates=places)
    assert found.details["d_ot"] == pytest.approx(math.pi / 6)


def test_parts_whose_sum_is_too_large_for_a_float_are_undefined() -> None:
    with (
        np.errstate(over="ignore"),
        pytest.raises(Undefined, match="the value is too large for a float"),
    ):
        finite_parts(np.array([1e308, 1e308]))
