"""Proven intervals: the exact value lies inside, for clouds of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clustcmp
from clustcmp.transport import bounds, cell_pairs, costs_of_exact, intervals, point_intervals
from clustcmp.transport.bounds import bound_transport
from clustcmp.transport.cells import one_cell, refine
from clustcmp.transport.distances import cluster_distances
from tests.transport.test_kernel import KINDS, Array, draw_cloud, problems_of


@contextmanager
def cells_for_all(first: int = 48) -> Iterator[None]:
    """A block in which small problems get intervals by cells, too, with few cells at first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(costs_of_exact, "QUICK", -1.0)
        patch.setattr(costs_of_exact, "FEW_DIMENSIONS", 1_000)
        patch.setattr(intervals, "SMALL", 0)
        patch.setattr(cell_pairs, "FIRST", first)
        yield


@given(
    seed=st.integers(0, 2**32),
    kind=st.sampled_from(KINDS),
    dimensions=st.sampled_from([2, 2, 3, 7, 20]),
    whole=st.booleans(),
    count=st.sampled_from([1, 2, 5, 12, 100]),
)
@settings(max_examples=400, deadline=None)
def test_the_exact_transport_lies_between_its_bounds(
    seed: int, kind: str, dimensions: int, whole: bool, count: int
) -> None:
    problems = problems_of(seed, kind, dimensions, whole)
    positions = problems.places.positions
    exact = cluster_distances(problems, 1, "pot")
    a, b = (
        [refine(one_cell(positions[one.places], one.masses), count) for one in side]
        for side in (problems.a, problems.b)
    )
    for (i, j), value in np.ndenumerate(exact):
        found = bound_transport(a[i], b[j], len(positions))
        assert found.low <= value + 1e-13
        assert value - 1e-13 <= found.high


def runs(n: int, seed: int) -> tuple[Array, Array, Array]:
    """Points in the plane, and two clusterings that differ for some points."""
    random = np.random.default_rng(seed)
    a = random.integers(0, 4, n)
    b = np.where(random.random(n) < 0.1, random.integers(0, 4, n), a)
    return random.normal(size=(n, 2)) + 3.0 * np.stack([a // 2, a % 2], axis=1), a, b


def result_of(a: Any, b: Any, word: str, **settings: Any) -> clustcmp.Result:
    """The one result of a metric."""
    return clustcmp.compare(a, b, word, **settings).results[0]


def value_of(result: clustcmp.Result) -> float:
    """The value of a result that has one."""
    assert result.value is not None
    return result.value


def exact_value(coordinates: Array, a: Array, b: Array) -> float:
    """cdistance by POT."""
    return value_of(result_of(a, b, "cdistance:solver=pot", coordinates=coordinates))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("tolerance", [0.2, 0.01])
def test_cdistance_is_within_its_tolerance(seed: int, tolerance: float) -> None:
    coordinates, a, b = runs(1_200, seed)
    exact = exact_value(coordinates, a, b)
    word = f"cdistance:tolerance={tolerance}"
    with cells_for_all(first=8):
        result = result_of(a, b, word, coordinates=coordinates)
    assert result.proven is not None
    low, high = result.proven
    assert low < high
    assert low <= exact <= high
    assert high - low <= tolerance * value_of(result)


@given(
    seed=st.integers(0, 2**32),
    kind=st.sampled_from(KINDS),
    dimensions=st.sampled_from([2, 2, 3, 9]),
    is_soft=st.booleans(),
    tolerance=st.sampled_from([0.5, 0.05, 1e-6]),
    metric=st.sampled_from(["cdistance", "similarity_distance"]),
)
@settings(max_examples=120, deadline=None)
def test_intervals_of_all_kinds_hold_the_exact_value(
    seed: int, kind: str, dimensions: int, is_soft: bool, tolerance: float, metric: str
) -> None:
    random = np.random.default_rng(seed)
    sizes = [int(n) for n in random.integers(4, 90, 2)]
    places = [draw_cloud(random, kind, n, dimensions) for n in sizes]
    if random.random() < 0.5:
        # Some points of b are where points of a are.
        shared = min(sizes) // 2
        places[1][:shared] = places[0][:shared]
    sides: list[Any] = []
    for n in sizes:
        k = int(random.integers(2, 5))
        degrees = random.dirichlet(np.ones(k), n)
        sides.append(degrees if is_soft else np.arange(n) % k)
    where: dict[str, Any] = {"coordinates_a": places[0], "coordinates_b": places[1]}
    a, b = sides
    exact = value_of(result_of(a, b, f"{metric}:solver=pot", **where))
    with cells_for_all(first=2):
        found = result_of(a, b, f"{metric}:tolerance={tolerance}", **where)
    low, high = found.proven or (exact, exact)
    # POT's own value has a rounding error, which is large where points are far from the origin.
    off = 1e-9 if kind == "far away" else 1e-12
    assert low - off <= exact <= high + off
    assert high - low <= max(tolerance * value_of(found), 1e-4 if kind == "far away" else 1e-7)


def test_jobs_do_not_change_a_bit() -> None:
    coordinates, a, b = runs(900, 7)
    with cells_for_all(first=8):
        one, three = (
            result_of(a, b, "cdistance:tolerance=0.05", coordinates=coordinates, jobs=jobs)
            for jobs in (1, 3)
        )
    assert one.proven == three.proven


def test_without_the_kernel_intervals_hold_the_exact_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bounds, "load_kernel", lambda: None)
    coordinates, a, b = runs(400, 2)
    exact = exact_value(coordinates, a, b)
    with cells_for_all():
        found = result_of(a, b, "cdistance:tolerance=0.05", coordinates=coordinates)
    low, high = found.proven or (1.0, 0.0)
    assert low <= exact <= high


def test_what_is_quick_is_exact_within_a_tolerance_too() -> None:
    coordinates, a, b = runs(300, 4)
    exact = result_of(a, b, "cdistance", coordinates=coordinates)
    found = result_of(a, b, "cdistance:tolerance=0.1", coordinates=coordinates)
    low, high = found.proven or (0.0, 0.0)
    assert found.value == exact.value
    assert high - low < 1e-9


def test_the_mean_distance_of_two_uniform_clouds_lies_in_its_interval() -> None:
    # The mean distance between two points of two grids, all pairs summed.
    grid = np.stack(np.meshgrid(np.arange(30.0), np.arange(30.0)), axis=-1).reshape(-1, 2)
    moved = grid + np.array([100.0, 0.0])
    labels = np.arange(900) % 3
    word = "similarity_distance:tolerance=0.001"
    with cells_for_all(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(point_intervals, "QUICK_PAIRS", 0)
        found = result_of(labels, labels, word, coordinates_a=grid, coordinates_b=moved)
    naive = np.sqrt(((grid[:, None] - moved[None]) ** 2).sum(axis=2)).mean()
    low, high = found.proven or (1.0, 0.0)
    # All mass moves by 100, which no plan can beat: that is how far the means are apart.
    assert low <= 100.0 / naive <= high
    assert high - low <= 0.001 * high


def test_distances_of_zero_between_all_clusters_are_a_cdistance_of_zero() -> None:
    nothing, shares = np.zeros((2, 2)), np.array([0.5, 0.5])
    found, widths = intervals.combine(nothing, nothing, shares, shares)
    assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)
    assert not widths.any()


@pytest.mark.parametrize("metric", ["cdistance", "similarity_distance"])
def test_with_a_budget_and_no_tolerance_what_is_quick_is_one_exact_number(metric: str) -> None:
    points, a, b = runs(30, 1)
    result = clustcmp.compare(a, b, metric, coordinates=points, budget=60.0).results[0]
    assert result.proven is None
    assert result.value == clustcmp.compare(a, b, metric, coordinates=points)[metric]


@pytest.mark.parametrize("budget", ["1h", 0.001])
def test_a_budget_gives_the_exact_value_or_the_interval_known_by_then(budget: str | float) -> None:
    coordinates, a, b = runs(1_000, 3)
    exact = exact_value(coordinates, a, b)
    with cells_for_all(first=8):
        report = clustcmp.compare(a, b, "cdistance", coordinates=coordinates, budget=budget)
    low, high = report.results[0].proven or (1.0, 0.0)
    assert low <= exact <= high
    in_time = budget == "1h"
    assert (high - low < 1e-9) == in_time
    assert any("the time of budget= was over" in note for note in report.notes) != in_time


def test_a_budget_changes_nothing_that_is_quick() -> None:
    coordinates, a, b = runs(300, 4)
    plain = clustcmp.compare(a, b, coordinates=coordinates).to_dict()
    within = clustcmp.compare(a, b, coordinates=coordinates, budget=9).to_dict()
    assert plain == within


@pytest.mark.parametrize("metric", ["cdistance", "similarity_distance"])
def test_what_takes_too_long_is_refused_with_another_way(
    metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(costs_of_exact, "AFFORDABLE", 1e-9)
    coordinates, a, b = runs(300, 4)
    moved = coordinates + 0.5
    where: dict[str, Any] = {"coordinates_a": coordinates, "coordinates_b": moved}
    with cells_for_all(), pytest.raises(clustcmp.LimitExceeded, match="would take about") as error:
        clustcmp.compare(a, b, metric, **where)
    assert f"{metric}:tolerance=0.01 gives a proven interval" in error.value.hint
    # A budget allows it, and asks for no other way.
    assert clustcmp.compare(a, b, f"{metric}:solver=pot", budget="1h", **where)[
        metric + ":solver=pot"
    ]


@pytest.mark.parametrize("budget", ["soon", "0s", "-3", "5 weeks"])
def test_a_budget_that_is_no_time_is_refused(budget: str) -> None:
    with pytest.raises(clustcmp.UsageError, match="is not a time"):
        clustcmp.compare([1, 2], [1, 2], "ari", budget=budget)


def test_a_gate_judges_an_interval_by_its_worse_end() -> None:
    coordinates, a, b = runs(1_000, 3)
    with cells_for_all(first=8):
        result = result_of(a, b, "cdistance:tolerance=0.2", coordinates=coordinates)
        low, high = result.proven or (0.0, 0.0)
        between = 0.5 * (value_of(result) + high)
        clustcmp.gate(a, b, max={result.metric: high}, coordinates=coordinates)
        with pytest.raises(clustcmp.GateFailed):
            clustcmp.gate(a, b, max={result.metric: between}, coordinates=coordinates)
    assert low < value_of(result) < between < high
