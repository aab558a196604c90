"""What the declaration of a metric promises holds for all input."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clustcmp
from clustcmp.metrics import METRICS
from clustcmp.registry import Metric
from clustcmp.results import Result, Status
from tests.conftest import Labels, evaluate_all, label_pairs, values_of, variants

Degrees = np.ndarray[Any, np.dtype[np.float64]]

DEGENERATE: dict[str, Labels] = {
    "one cluster": [0] * 6,
    "all singletons": list(range(6)),
    "two halves": [0, 0, 0, 1, 1, 1],
    "one apart": [0, 0, 0, 0, 0, 1],
}

# Coordinates of six points, for metrics that need them; haversine reads them as degrees.
COORDINATES = np.array([[1.0, 2.0], [1.5, 2.5], [2.0, 9.0], [7.0, 8.5], [7.5, 1.0], [8.0, 4.0]])


def to_degrees(counts: list[list[int]]) -> Degrees:
    """Small counts as rows of degrees; one more for the first cluster so that no row is empty."""
    table = np.array(counts, dtype=np.float64)
    table[:, 0] += 1.0
    table /= table.sum(axis=1, keepdims=True)
    return table


def soft_clusterings(n_points: int, n_clusters: int) -> st.SearchStrategy[Degrees]:
    """Degrees with many coincidences."""
    row = st.lists(st.integers(0, 4), min_size=n_clusters, max_size=n_clusters)
    return st.lists(row, min_size=n_points, max_size=n_points).map(to_degrees)


soft_pairs = st.integers(1, 6).flatmap(
    lambda n: st.tuples(soft_clusterings(n, 2), soft_clusterings(n, 3))
)


def check_range(result: Result) -> None:
    """A plain float between worst and best, or a reason."""
    if result.status is Status.undefined:
        assert result.value is None
        assert result.reason, result.metric
        return
    assert type(result.value) is float, result.metric
    ends = [end for end in (result.worst, result.best) if end is not None]
    if len(ends) == 2:
        assert min(ends) - 1e-12 <= result.value <= max(ends) + 1e-12, result.metric


def test_finite_ends_are_0_and_1() -> None:
    # Hubert and Arabie's index has its minimum at -1/2, a correlation at -1; half of the points
    # of two clusters are below what normalized_accuracy takes for nothing.
    others = {"adjusted_rand": -0.5, "hubert_gamma": -1.0, "normalized_accuracy": -1.0}
    for name, metric in METRICS.items():
        ends = {end for end in (metric.worst, metric.best) if end is not None and isfinite(end)}
        assert ends <= {0.0, 1.0, others.get(name, 0.0)}, name
        assert others.get(name, metric.worst) == metric.worst


@pytest.mark.parametrize("labels", [*DEGENERATE.values(), [0], [0, 1]], ids=str)
def test_identical_degenerate_clusterings_score_best_exactly(labels: Labels) -> None:
    for result in evaluate_all(labels, [f"cluster {label}" for label in labels]):
        if result.best is not None:
            assert result.value == result.best, result.metric


@given(pair=label_pairs)
def test_identical_clusterings_score_best_exactly(pair: tuple[Labels, Labels]) -> None:
    for result in evaluate_all(pair[0], pair[0]):
        if result.best is not None:
            assert result.value == result.best, result.metric


@given(pair=label_pairs)
@settings(max_examples=300)
def test_values_are_plain_floats_between_worst_and_best(pair: tuple[Labels, Labels]) -> None:
    for result in evaluate_all(*pair):
        check_range(result)


@given(pair=soft_pairs)
@settings(max_examples=300)
def test_soft_values_are_plain_floats_between_worst_and_best(pair: tuple[Degrees, Degrees]) -> None:
    for result in evaluate_all(*pair):
        check_range(result)


@pytest.mark.parametrize("name_a", DEGENERATE)
@pytest.mark.parametrize("name_b", DEGENERATE)
def test_degenerate_pairs_have_a_value_or_a_reason(name_a: str, name_b: str) -> None:
    for result in evaluate_all(DEGENERATE[name_a], DEGENERATE[name_b]):
        check_range(result)


@pytest.mark.parametrize("name_a", DEGENERATE)
@pytest.mark.parametrize("name_b", DEGENERATE)
def test_degenerate_pairs_in_space_have_a_value_or_a_reason(name_a: str, name_b: str) -> None:
    for result in evaluate_all(DEGENERATE[name_a], DEGENERATE[name_b], COORDINATES):
        check_range(result)
        if name_a == name_b and result.side is None and result.best is not None:
            assert result.value == result.best, result.metric


@given(pair=label_pairs)
def test_symmetric_metrics_give_the_same_value_with_a_and_b_swapped(
    pair: tuple[Labels, Labels],
) -> None:
    a, b = pair
    back = values_of(b, a)
    for spec, value in values_of(a, b).items():
        (request,) = METRICS.requests([spec])
        if request.symmetric:
            assert value == pytest.approx(back[spec], abs=1e-12), spec


OF_TWO = [metric for metric in METRICS.values() if metric.arity == 2]

# The second pair is for metrics of pairs that are together in one clustering only, the third for
# metrics of clusters that are the same in both.
UNLIKE = [
    ([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]),
    ([0, 1, 2, 3, 4, 5], [0, 0, 1, 1, 1, 1]),
    ([0, 0, 0, 1, 1, 2], [0, 0, 0, 1, 1, 1]),
]


def is_the_same_back(spec: str, a: Labels, b: Labels) -> bool:
    """Whether a metric gives the same with a and b exchanged."""
    forth, back = (
        clustcmp.compare(*pair, metrics=[spec], coordinates=COORDINATES)[spec]
        for pair in ((a, b), (b, a))
    )
    return forth is None or back is None or forth == pytest.approx(back, abs=1e-3)


@pytest.mark.parametrize(
    "spec", [spec for metric in OF_TWO for spec in variants(metric) if "sampled" not in spec]
)
def test_metrics_are_as_symmetric_as_declared(spec: str) -> None:
    (request,) = METRICS.requests([spec])
    assert request.symmetric == all(is_the_same_back(spec, *pair) for pair in UNLIKE)


@given(pair=label_pairs, seed=st.integers(0, 9))
def test_names_of_clusters_and_order_of_points_do_not_change_values(
    pair: tuple[Labels, Labels], seed: int
) -> None:
    a, b = map(np.array, pair)
    order = np.random.default_rng(seed).permutation(len(a))
    renamed = [f"x{7 - label}" for label in a[order].tolist()]
    assert values_of(renamed, b[order]) == values_of(a, b)


@given(pair=soft_pairs, seed=st.integers(0, 9))
def test_names_of_clusters_and_order_of_points_do_not_change_soft_values(
    pair: tuple[Degrees, Degrees], seed: int
) -> None:
    a, b = pair
    generator = np.random.default_rng(seed)
    order, columns = generator.permutation(len(a)), generator.permutation(a.shape[1])
    shuffled = values_of(a[order][:, columns], b[order])
    for spec, value in values_of(a, b).items():
        assert shuffled[spec] == pytest.approx(value, abs=1e-9), spec


@given(pair=label_pairs)
def test_one_hot_soft_equals_hard(pair: tuple[Labels, Labels]) -> None:
    a, b = map(np.array, pair)
    hard = values_of(a, b)
    assert values_of(np.eye(5)[a], b) == hard
    assert values_of(np.eye(5)[a], np.eye(5)[b]) == hard


def test_degrees_that_are_one_hot_but_for_rounding_equal_hard() -> None:
    labels, b = [0, 0, 1, 1, 2], [0, 1, 1, 1, 0]
    nearly = np.eye(3)[labels] * (1.0 - 1e-7) + 1e-7 / 3.0
    assert values_of(nearly, b) == values_of(labels, b)


def test_soft_clustering_against_itself_scores_best_only_if_declared() -> None:
    # Three clusters, because css is 0 if two clusters are swapped.
    soft = np.array([[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.2, 0.7], [0.4, 0.4, 0.2]])
    for result in evaluate_all(soft, soft, COORDINATES[:4]):
        if result.best is not None:
            (request,) = METRICS.requests([result.metric])
            is_best = result.value == pytest.approx(result.best, abs=1e-9)
            assert is_best == request.soft_identity, result.metric


@pytest.mark.parametrize("metric", METRICS.values(), ids=lambda metric: metric.name)
def test_metrics_take_soft_clusterings_only_if_declared(metric: Metric) -> None:
    soft = [[0.7, 0.3], [0.4, 0.6], [0.1, 0.9]]
    # A metric of one clustering gets two soft ones, because a hard one would have a value.
    other: Any = [0, 1, 1] if metric.arity == 2 else soft
    asked: dict[str, Any] = {"metrics": [metric.name], "coordinates": COORDINATES[:3]}
    if metric.accepts_soft:
        assert clustcmp.compare(soft, other, **asked)[metric.name] is not None
    else:
        with pytest.raises(clustcmp.UsageError, match="needs hard clusterings"):
            clustcmp.compare(soft, other, **asked)
