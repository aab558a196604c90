"""compare_table: a table of counts gives what its points would give, without listing them."""

from __future__ import annotations

import math
import tracemalloc
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_matrix

import clustcmp
from clustcmp import METRICS, Contingency, InputError, UsageError
from clustcmp.results import Report, Status

OF_TABLES = [metric.name for metric in METRICS.values() if metric.subject is Contingency]
DIRECTED = [name for name in OF_TABLES if METRICS[name].higher_is_better is not None]
OF_POINTS = [metric.name for metric in METRICS.values() if metric.subject is not Contingency]

# Metrics of tables that are not of sums of pairs or logarithms only.
WITHOUT_SUMS = ["maximum_matching", "purity", "f_measure", "bcubed_f1", "element_centric"]

GENERATOR = np.random.default_rng(2)
A = GENERATOR.integers(0, 12, 200)
B = np.where(GENERATOR.random(200) < 0.7, A, GENERATOR.integers(0, 9, 200))
TABLE = pd.crosstab(A, B)

ASKED: list[dict[str, Any]] = [
    {},
    {"confidence": 0.95},
    {"confidence": 0.9, "unit": "cluster"},
    {"permutations": 49, "seed": 3},
]


def listed(table: Any) -> tuple[list[int], list[int]]:
    """The clusters of all points that a matrix counts, row by row."""
    cells = [(i, j, count) for i, row in enumerate(table) for j, count in enumerate(row)]
    return (
        [i for i, _, count in cells for _ in range(count)],
        [j for _, j, count in cells for _ in range(count)],
    )


def check_same(found: Report, expected: Report) -> None:
    """Each number of a report is that of the other one, but for the last digits."""
    assert [one.metric for one in found] == [one.metric for one in expected]
    for one, other in zip(found, expected, strict=True):
        for mine, others in zip(numbers_of(one), numbers_of(other), strict=True):
            if isinstance(mine, float):
                assert mine == pytest.approx(others, rel=1e-9, abs=1e-12), one.metric
            else:
                assert mine == others, one.metric


def numbers_of(result: Any) -> list[Any]:
    """The value, its interval and its place among random ones, word by word."""
    parts = [vars(part) for part in (result.interval, result.chance) if part is not None]
    return [result.value, result.details, *(value for part in parts for value in part.values())]


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_a_table_gives_what_its_points_give(asked: dict[str, Any]) -> None:
    metrics = DIRECTED if "permutations" in asked else OF_TABLES
    found = clustcmp.compare_table(TABLE, metrics, **asked)
    check_same(found, clustcmp.compare(A, B, metrics, **asked))


@given(
    arrays(np.int64, st.tuples(st.integers(1, 4), st.integers(1, 4)), elements=st.integers(0, 5))
)
def test_any_table_gives_what_its_points_give(table: Any) -> None:
    if table.sum() < 1:
        return
    asked: dict[str, Any] = {"confidence": 0.95, "permutations": 9, "seed": 1}
    found = clustcmp.compare_table(table, DIRECTED, **asked)
    check_same(found, clustcmp.compare(*listed(table), DIRECTED, **asked))


@pytest.mark.parametrize("unit", ["point", "cluster"])
def test_the_groups_of_a_large_table_are_those_of_its_points_row_by_row(unit: str) -> None:
    generator = np.random.default_rng(4)
    a = generator.integers(0, 1200, 4000)
    b = np.where(generator.random(4000) < 0.5, a, generator.integers(0, 1200, 4000))
    cells = pd.DataFrame({"a": a, "b": b, "count": 1}).sort_values(["a", "b"])
    asked: dict[str, Any] = {"confidence": 0.95, "unit": unit, "seed": 8}
    found = clustcmp.compare_table(cells, WITHOUT_SUMS, **asked)
    assert {one.interval.method for one in found if one.interval} == {"groups"}
    assert found.seed == 8
    check_same(found, clustcmp.compare(cells["a"], cells["b"], WITHOUT_SUMS, **asked))


@pytest.mark.parametrize(
    "given",
    [
        TABLE,
        TABLE.to_numpy(),
        TABLE.to_numpy().astype(float),
        TABLE.to_numpy().astype(object),
        TABLE.to_numpy().tolist(),
        csr_matrix(TABLE.to_numpy()),
        Contingency.of(TABLE),
        TABLE.rename_axis("a").reset_index().melt("a", var_name="b", value_name="count"),
        pd.DataFrame({"count": 1, "b": [f"b{one}" for one in B], "a": A}),
    ],
    ids=["frame", "array", "floats", "objects", "lists", "sparse", "contingency", "long", "points"],
)
def test_counts_come_in_many_forms(given: Any) -> None:
    found = clustcmp.compare_table(given, ["ari", "vi", "match"])
    check_same(found, clustcmp.compare(A, B, ["ari", "vi", "match"]))
    assert (found.inputs[0].clusters, found.inputs[1].clusters) == TABLE.shape
    assert found.inputs[0].points == found.coverage.shared == 200
    assert found.joined_by is None


def test_clusters_without_points_do_not_count() -> None:
    (result,) = clustcmp.compare_table([[3, 0, 0], [0, 0, 0], [0, 0, 2]], "entropy_b")
    assert result.value == pytest.approx(-(0.6 * math.log(0.6) + 0.4 * math.log(0.4)))
    report = clustcmp.compare_table([[3, 0, 0], [0, 0, 0], [0, 0, 2]], "ari")
    assert (report.inputs[0].clusters, report["ari"]) == (2, 1.0)


def test_rows_for_the_same_two_clusters_are_added_up_and_a_note_says_so() -> None:
    frame = pd.DataFrame({"a": ["x", "x", "y"], "b": ["p", "p", "q"], "count": [2, 3, 4]})
    report = clustcmp.compare_table(frame, "mutual_information")
    assert report.notes == ("1 cell counted in several rows, which are added up",)
    nats = -(5 / 9 * math.log(5 / 9) + 4 / 9 * math.log(4 / 9))
    assert report["mutual_information"] == pytest.approx(nats)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([[1, 2], [3, -1]], "row 1, column 1: -1 is not a count"),
        ([[1, 2.5], [3, 1]], "row 0, column 1: 2.5 is not a count"),
        ([[1, math.nan], [3, 1]], "row 0, column 1: nan is not a count"),
        (np.array([[1, np.inf], [3, 1]]), "row 0, column 1: inf is not a count"),
        ([["1", "2"], ["3", "4"]], "row 0, column 0: 1 is not a count"),
        ([[True, False], [False, True]], "row 0, column 0: True is not a count"),
        ([[0, 0], [0, 0]], "there is no point"),
        ([[1, 2], [3]], "rows have different lengths"),
        ([1, 2, 3], r"an array of the shape \(3,\) is not a table of counts"),
        ([[]], r"an array of the shape \(1, 0\) is not a table of counts"),
        (7, "an object of the type int is not a table of counts"),
        ([[2**61, 2**61], [1, 1]], r"there are 4.6e\+18 points"),
        ([[10**30]], "row 0, column 0: 1000000000000000000000000000000 is not a count"),
        (pd.DataFrame({"p": [1, -2]}, index=["x", "y"]), "row 'y', column 'p': -2 is not a count"),
        (
            pd.DataFrame({"a": ["x", None], "b": 1, "count": 2}),
            "row 1 has no cluster in column 'a'",
        ),
        (pd.DataFrame({"a": ["x"], "b": 1, "count": -2}), "row 0: -2 is not a count"),
        (pd.crosstab(A, B, margins=True), "'All' is the sum of the others"),
        (csr_matrix([[1, -4]]), "row 0, column 1: -4 is not a count"),
    ],
)
def test_what_is_not_a_count_is_refused_with_its_cell(counts: Any, message: str) -> None:
    with pytest.raises(InputError, match=f"^counts: {message}"):
        clustcmp.compare_table(counts)


def test_a_contingency_of_soft_clusterings_is_refused() -> None:
    from clustcmp.model.contingency import count_table
    from clustcmp.model.membership import Soft

    soft = Soft(np.array([[0.5, 0.5], [1.0, 0.0]]))
    with pytest.raises(InputError, match="soft"):
        clustcmp.compare_table(count_table(soft, soft))


@pytest.mark.parametrize("metric", OF_POINTS)
def test_metrics_of_points_are_refused_by_name_and_not_applicable_among_others(metric: str) -> None:
    with pytest.raises(UsageError, match=f"^{metric}: needs the points, not only their counts"):
        clustcmp.compare_table(TABLE, metric)
    results = clustcmp.compare_table(TABLE, "all", confidence=0.95).results_of(metric)
    assert {one.status for one in results} == {Status.not_applicable}


def test_the_usual_metrics_of_a_table_leave_out_those_of_coordinates() -> None:
    assert all(one.status is Status.ok for one in clustcmp.compare_table(TABLE))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"versus": TABLE}, "there is no setting 'versus'"),
        ({"confidence": 1.5}, "confidence=1.5 is not possible"),
        ({"seed": 1}, "seed= has no effect without confidence= or permutations="),
        ({"unit": "cluster"}, "unit= has no effect without confidence="),
        ({"permutations": 0}, "permutations"),
        ({"confidence": 0.9, "unit": "cluster"}, "needs at least 10 clusters, but a has 2"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        clustcmp.compare_table([[3, 1], [1, 3]], "ari", **settings)


def exact_ari(table: list[list[int]]) -> Fraction:
    def pairs(sizes: list[int]) -> int:
        return sum(size * (size - 1) // 2 for size in sizes)

    rows = [sum(row) for row in table]
    columns = [sum(column) for column in zip(*table, strict=True)]
    both = pairs([cell for row in table for cell in row])
    expected = Fraction(pairs(rows) * pairs(columns), pairs([sum(rows)]))
    return (both - expected) / (Fraction(pairs(rows) + pairs(columns), 2) - expected)


@pytest.mark.parametrize("scale", [1, 10**6, 10**12, 10**16])
def test_counts_of_any_size_take_no_more_time_and_memory(scale: int) -> None:
    table = [[50 * scale, 3 * scale, 0], [2 * scale, 40 * scale + 1, 7 * scale]]
    tracemalloc.start()
    report = clustcmp.compare_table(table, ["ari", "ami"], confidence=0.95, seed=1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert report["ari"] == pytest.approx(float(exact_ari(table)), rel=1e-12)
    assert peak < 200e6
    small = clustcmp.compare_table([[50, 3, 0], [2, 41, 7]], ["ari", "ami"], confidence=0.95)
    for one, other in zip(report, small, strict=True):
        assert one.interval is not None
        assert other.interval is not None
        assert one.interval.standard_error is not None
        # The error falls with the root of the points; groups know it to a sixth or so.
        error = one.interval.standard_error * math.sqrt(scale)
        assert other.interval.standard_error == pytest.approx(error, rel=0.6)


def test_chance_of_too_many_points_says_why_and_keeps_what_is_known_exactly() -> None:
    table = [[3 * 10**9, 10**9], [10**9, 3 * 10**9]]
    ari, vi = clustcmp.compare_table(table, ["ari", "vi"], permutations=9, seed=1)
    assert ari.chance is not None
    assert (ari.chance.p, ari.chance.mean, ari.chance.exact) == (None, 0.0, True)
    assert ari.chance.reason == "no draws from more than 2,000,000,000 points"
    assert ari.chance.sd is not None
    # n ari + 1 is nearly chi-square with one degree of freedom, whose variance is 2.
    assert ari.chance.sd == pytest.approx(math.sqrt(2) / 8e9, rel=1e-6)
    assert vi.chance is not None
    assert (vi.chance.p, vi.chance.mean, vi.chance.exact) == (None, None, False)
