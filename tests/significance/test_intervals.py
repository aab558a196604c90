"""Intervals: standard errors by really leaving points out, ends on the metric's scale, coverage."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

import clustcmp
from clustcmp import METRICS, Contingency
from clustcmp.results import Result
from clustcmp.significance.intervals import interval_around
from clustcmp.sureness import Interval

LABELS = np.random.default_rng(7)
A = LABELS.integers(0, 4, 60)
B = np.where(LABELS.random(60) < 0.7, A, LABELS.integers(0, 5, 60))

# Metrics that a table of counts is enough for. ami keeps the E[MI] of all points, see below; no
# cluster is the same in A and in B, whichever point is left out.
OTHERS = {"ami", "cluster_precision", "cluster_recall", "cluster_f1"}
OF_TABLES = [m.name for m in METRICS.values() if m.subject is Contingency and m.name not in OTHERS]


def interval_of(result: Result) -> Interval:
    assert result.interval is not None
    return result.interval


def leave_each(a: Any, b: Any, metric: str) -> list[float]:
    """The values of a metric, each of the points really left out."""
    values = []
    for point in range(len(a)):
        value = clustcmp.compare(np.delete(a, point), np.delete(b, point), [metric])[metric]
        assert value is not None
        values.append(value)
    return values


def error_of(values: list[float]) -> float:
    n = len(values)
    mean = sum(values) / n
    return math.sqrt((n - 1) / n * sum((value - mean) ** 2 for value in values))


@pytest.mark.parametrize("metric", OF_TABLES)
def test_the_standard_error_is_that_of_really_leaving_each_point_out(metric: str) -> None:
    (result,) = clustcmp.compare(A, B, [metric], confidence=0.95)
    found = interval_of(result)
    assert found.standard_error == pytest.approx(error_of(leave_each(A, B, metric)), rel=1e-9)
    assert (found.method, found.unit, found.level) == ("leave_one_out", "point", 0.95)
    assert found.low is not None
    assert found.high is not None
    assert result.value is not None
    assert found.low < result.value < found.high


@pytest.mark.parametrize("metric", ["ari", "vi", "nmi", "pair_f1", "match", "purity", "mirkin"])
def test_the_standard_error_of_clusters_is_that_of_leaving_them_out_whole(metric: str) -> None:
    generator = np.random.default_rng(3)
    a = generator.integers(0, 12, 80)
    b = np.where(generator.random(80) < 0.8, a, generator.integers(0, 15, 80))
    (result,) = clustcmp.compare(a, b, [metric], confidence=0.9, unit="cluster")
    values = []
    for cluster in np.unique(a):
        value = clustcmp.compare(a[a != cluster], b[a != cluster], [metric])[metric]
        assert value is not None
        values.append(value)
    found = interval_of(result)
    assert found.standard_error == pytest.approx(error_of(values), rel=1e-9)
    assert found.unit == "cluster"


def test_ami_keeps_the_expected_information_of_all_points() -> None:
    from scipy.stats import entropy
    from sklearn.metrics import mutual_info_score
    from sklearn.metrics.cluster import contingency_matrix, expected_mutual_information

    table = contingency_matrix(A, B, sparse=True).astype(np.int64)
    expected = expected_mutual_information(table, len(A))
    values = []
    for point in range(len(A)):
        a, b = np.delete(A, point), np.delete(B, point)
        room = (entropy(np.bincount(a)) + entropy(np.bincount(b))) / 2 - expected
        values.append((mutual_info_score(a, b) - expected) / room)
    (result,) = clustcmp.compare(A, B, ["ami"], confidence=0.95)
    assert interval_of(result).standard_error == pytest.approx(error_of(values), rel=1e-6)


def test_the_ends_are_on_the_logistic_scale_of_the_range() -> None:
    # By hand: ari has the range -0.5 to 1, so the logit is log((x + 0.5) / (1 - x)).
    (result,) = clustcmp.compare(A, B, ["ari"], confidence=0.9)
    found = interval_of(result)
    value, error = result.value, found.standard_error
    assert value is not None
    assert error is not None
    middle = math.log((value + 0.5) / (1 - value))
    half = student.ppf(0.95, 59) * error * 1.5 / ((value + 0.5) * (1 - value))
    ends = [-0.5 + 1.5 / (1 + math.exp(-(middle + sign * half))) for sign in (-1, 1)]
    assert found.ends == pytest.approx(ends, rel=1e-12)


def test_the_ends_are_on_the_logarithmic_scale_of_a_range_with_one_end() -> None:
    (result,) = clustcmp.compare(A, B, ["vi"], confidence=0.95)
    found = interval_of(result)
    value, error = result.value, found.standard_error
    assert value is not None
    assert error is not None
    factor = math.exp(student.ppf(0.975, 59) * error / value)
    assert found.ends == pytest.approx((value / factor, value * factor), rel=1e-12)


RANGES = [(0.0, 1.0), (-0.5, 1.0), (math.inf, 0.0), (-math.inf, 1.0), (1.0, 0.0)]


@given(st.sampled_from(RANGES), st.floats(0.0, 1.0), st.floats(0.0, 1e6))
def test_no_interval_leaves_the_range_or_its_value(
    ends: tuple[float, float], value: float, reach: float
) -> None:
    low, high = interval_around(value, reach, ends)
    assert math.isfinite(low)
    assert math.isfinite(high)
    assert min(ends) <= low <= value + 1e-12
    assert value - 1e-12 <= high <= max(ends)


def test_identical_clusterings_reach_to_the_table_that_is_blended_with_chance() -> None:
    # By hand: two clusters of 50, n = 100, level 0.95: s = -ln(0.025) / 100. The blended table has
    # 50 - 25 s on the diagonal and 25 s beside it.
    a = np.repeat([0, 1], 50)
    s = -math.log(0.025) / 100
    (ari, match, cc) = clustcmp.compare(a, a, ["ari", "match", "cc"], confidence=0.95)
    both = (2 * (50 - 25 * s) ** 2 + 2 * (25 * s) ** 2 - 100) / 2
    within, pairs = 50 * 49, 100 * 99 / 2
    expected = within * within / pairs
    assert interval_of(ari).ends == pytest.approx(((both - expected) / (within - expected), 1.0))
    assert interval_of(match).ends == pytest.approx((2 * (50 - 25 * s) / 100, 1.0))
    assert interval_of(match).method == "blend"
    # cc looks at points and not at a table.
    assert interval_of(cc).ends is None
    assert interval_of(cc).reason


@pytest.mark.parametrize("metric", ["ari", "vi", "nmi", "ami", "pair_recall", "jaccard"])
def test_the_blend_of_sums_is_that_of_all_cells(metric: str) -> None:
    from clustcmp.requests import find_requests
    from clustcmp.significance.intervals import blend_cells, blended_value
    from clustcmp.significance.leaving import evaluate_table

    (request,) = find_requests([metric])
    table = Contingency.of([[30, 2, 0], [1, 25, 3]])
    cells = evaluate_table(request, blend_cells(table, 0.1))
    assert blended_value(request, table, 0.1) == pytest.approx(cells, rel=1e-9)


def test_over_1000_cells_without_a_quick_update_groups_are_left_out() -> None:
    generator = np.random.default_rng(1)
    a, b = generator.integers(0, 60, 3000), generator.integers(0, 60, 3000)
    (result,) = clustcmp.compare(a, b, ["match"], confidence=0.95, seed=5)
    found = interval_of(result)
    assert found.method == "groups"
    assert found.low is not None
    assert found.high is not None
    assert result.value is not None
    assert found.low < result.value < found.high


def test_soft_clusterings_and_coordinates_have_intervals_by_groups() -> None:
    generator = np.random.default_rng(2)
    soft = generator.dirichlet([1.0, 1.0, 1.0], 50)
    hard = soft.argmax(axis=1)
    space = generator.normal(size=(50, 2)) + 3.0 * hard[:, None]
    report = clustcmp.compare(
        hard, soft, ["ari", "css"], confidence=0.95, seed=1, coordinates=space
    )
    assert [interval_of(result).method for result in report] == ["groups", "groups"]
    assert all(interval_of(result).ends for result in report)
    assert report.seed == 1
    again = clustcmp.compare(hard, soft, ["ari", "css"], confidence=0.95, seed=1, coordinates=space)
    assert again.to_dict() == report.to_dict()


def test_different_points_have_no_interval_and_say_why() -> None:
    generator = np.random.default_rng(2)
    space = generator.normal(size=(40, 2))
    (result,) = clustcmp.compare(
        [0] * 20 + [1] * 20,
        [0] * 10 + [1] * 20,
        ["cdistance"],
        coordinates_a=space,
        coordinates_b=space[:30],
        confidence=0.95,
    )
    assert interval_of(result).ends is None
    assert interval_of(result).reason == "a and b have different points"


@pytest.mark.parametrize("labels", [[[0], [0]], [[0, 1], [0, 0]], [[0, 1, 2], [0, 1, 2]]])
def test_tiny_input_has_an_interval_or_a_reason(labels: list[list[int]]) -> None:
    for result in clustcmp.compare(
        labels[0], labels[1], "all", confidence=0.95, permutations=9, seed=0
    ):
        found = interval_of(result)
        assert (found.ends is None) == (found.reason is not None)


def law_of(name: str) -> tuple[int, Any]:
    """The number of points and the joint law of one of the laws of the coverage test."""
    k = {"near identical": 5, "near independent": 5, "sparse": 12, "iris": 3, "middle": 6}[name]
    same = {
        "near identical": 0.99,
        "near independent": 0.1,
        "sparse": 0.8,
        "iris": 0.0,
        "middle": 0.6,
    }[name]
    sizes = 1.0 / np.arange(1, k + 1) if name == "sparse" else np.ones(k)
    sizes /= sizes.sum()
    joint = same * np.diag(sizes) + (1 - same) * np.outer(sizes, sizes)
    if name == "iris":
        joint = np.array([[50, 0, 0], [0, 47, 14], [0, 3, 36]]) / 150
    n = {"near identical": 300, "near independent": 500, "sparse": 150, "iris": 150, "middle": 300}
    return n[name], joint


@pytest.mark.parametrize("law", ["near identical", "near independent", "sparse", "iris", "middle"])
def test_intervals_cover_what_another_sample_gives_on_average(law: str) -> None:
    # 400 tables of each law; the target is the mean value at the same number of points, here of
    # 4,000 further tables. 95 % intervals have to cover it in 90 % of the tables or more.
    from clustcmp.requests import find_requests
    from clustcmp.significance.intervals import blended_value, find_interval
    from clustcmp.significance.leaving import evaluate_table, leave_out_units

    n, joint = law_of(law)
    generator = np.random.default_rng(2024)
    tables = [
        Contingency.of(counts.reshape(joint.shape))
        for counts in generator.multinomial(n, joint.ravel(), size=4400)
    ]
    for request in find_requests(["ari", "nmi", "vi", "maximum_matching"]):
        target = np.mean([evaluate_table(request, table) for table in tables[400:]])
        covered = 0
        for table in tables[:400]:
            left_out = leave_out_units(table, request, "point")
            assert left_out is not None
            value = evaluate_table(request, table)
            ends = request.metric.worst, request.metric.best
            blended = partial(blended_value, request, table)
            found = find_interval(value, left_out, 0.95, ends, "point", blended)
            assert found.low is not None
            assert found.high is not None
            covered += int(found.low <= target <= found.high)
        assert covered >= 360, (request.spec, covered)


def test_a_point_left_out_of_equal_clusterings_leaves_equal_ones() -> None:
    # Without one of the first two points no pair is together, and jaccard is 0/0.
    (result,) = clustcmp.compare([1, 1, 2], [1, 1, 2], ["jaccard"], confidence=0.95)
    assert interval_of(result).standard_error == 0.0
    assert interval_of(result).method == "blend"
