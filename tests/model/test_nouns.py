"""Nouns are checked when they are built: what makes no sense is an InputError, never a value."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from clustcmp.align import align
from clustcmp.errors import InputError
from clustcmp.evaluate import evaluate
from clustcmp.metrics import METRICS
from clustcmp.model import Clustering, Comparison, Contingency, Hard, PointSet, Soft, Texts

ONE_HOT = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
OVERLAPPING = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])


def build(membership: Any, coordinates: Any = None, names: str = "xy") -> Clustering:
    """A clustering of three points, as a user of the library builds one."""
    return clustcmp.Clustering(PointSet(3, None, coordinates), membership, Texts.of(names))


def codes(*numbers: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    """An array of codes."""
    return np.array(numbers, dtype=np.int32)


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "overlapping rows": (lambda: build(Soft(OVERLAPPING)), "position 1 sum to 2, not to 1"),
    "rows below 1": (lambda: build(Soft(ONE_HOT * 0.9)), "position 1 sum to 0.9, not to 1"),
    "a row of zeros": (lambda: build(Soft(np.zeros((3, 2)))), "sum to 0, not to 1"),
    "a NaN degree": (lambda: build(Soft(np.full((3, 2), np.nan))), "sum to nan, not to 1"),
    "an infinite degree": (lambda: build(Soft(np.full((3, 2), np.inf))), "sum to inf, not to 1"),
    "a negative degree": (
        lambda: build(Soft(np.array([[1.0, 0.0], [0.0, 1.0], [1.5, -0.5]]))),
        "a degree of the point at position 3 is negative",
    ),
    "whole numbers as degrees": (lambda: Soft(ONE_HOT.astype(int)), "not an array of int64"),
    "a list as degrees": (lambda: Soft([[1.0]]), "not an object of the type list"),  # type: ignore[arg-type]
    "degrees of one dimension": (lambda: Soft(np.ones(3)), r"with the shape \(3,\)"),
    "a code too high": (lambda: build(Hard(codes(0, 1, 2), 2)), "code 2 is out of range"),
    "a code too low": (lambda: build(Hard(codes(0, 1, -3), 2)), "code -3 is out of range"),
    "codes of two dimensions": (lambda: Hard(codes(0, 1)[None], 2), r"with the shape \(1, 2\)"),
    "floats as codes": (lambda: Hard(np.zeros(3), 1), "not an array of float64"),  # type: ignore[arg-type]
    "a list as codes": (lambda: Hard([0, 1], 2), "not an object of the type list"),  # type: ignore[arg-type]
    "a bare array": (lambda: build(ONE_HOT), "the membership of the clustering is an array of"),
    "too few codes": (lambda: build(Hard(codes(0, 1), 2)), "2 memberships for 3 points"),
    "too few names": (
        lambda: build(Hard(codes(0, 1, 0), 2), names="x"),
        "2 clusters, but there are 1 names",
    ),
    "no points": (
        lambda: clustcmp.Clustering(PointSet(0), Hard(codes(), 1), Texts.of("x")),
        "the clustering has no points",
    ),
    "a NaN coordinate": (
        lambda: build(Soft(ONE_HOT), np.array([[0.0], [np.nan], [1.0]])),
        "coordinate nan in row 1, column 0",
    ),
    "an infinite coordinate": (
        lambda: build(Soft(ONE_HOT), np.array([[0.0], [1.0], [-np.inf]])),
        "coordinate -inf in row 2, column 0",
    ),
    "too few coordinates": (lambda: PointSet(3, None, np.zeros((2, 1))), "2 rows of coordinates"),
    "coordinates of one dimension": (lambda: PointSet(3, None, np.zeros(3)), r"the shape \(3,\)"),
    "coordinates without columns": (
        lambda: PointSet(3, None, np.zeros((3, 0))),
        r"the shape \(3, 0\)",
    ),
    "whole numbers as coordinates": (
        lambda: PointSet(3, None, np.zeros((3, 1), dtype=int)),
        "the coordinates are an array of int64",
    ),
    "too few ids": (lambda: PointSet(3, Texts.of("ab")), "2 ids for 3 points"),
    "an id twice": (lambda: PointSet(3, Texts.of("aba")), "'a' is listed twice"),
    "too few weights": (lambda: PointSet(3, weights=np.ones(2)), "the weights of 3 points are"),
    "a negative weight": (lambda: PointSet(2, weights=np.array([1.0, -2.0])), "is negative or"),
    "a negative count": (lambda: Contingency.of([[1, -1]]), "whole numbers, at least 0"),
    "half a point": (lambda: Contingency.of([[1.5]]), "whole numbers, at least 0"),
    "a NaN count": (lambda: Contingency.of([[np.nan]]), "whole numbers, at least 0"),
    "counts of one dimension": (lambda: Contingency.of([1, 2]), r"with the shape \(2,\)"),
    "texts as counts": (lambda: Contingency.of([["x"]]), "a matrix of counts, not an array of"),
    "too many points": (lambda: Contingency.of([[2**61, 2**61]]), "points or more"),
    "no counts at all": (lambda: Contingency.of([[0, 0]]), "has no cell with mass"),
    "wrong margins": (
        lambda: replace(Contingency.of([[1, 2]]), masses_b=np.array([2, 1])),
        "a column of the contingency table do not sum to its margin",
    ),
    "too few rows": (
        lambda: replace(Contingency.of([[1, 2]]), rows=np.array([0])),
        "have row and column numbers",
    ),
    "rows that are fractions": (
        lambda: replace(Contingency.of([[1, 2]]), rows=np.array([0.0, 0.0])),
        "have row and column numbers",
    ),
    "a row out of range": (
        lambda: replace(Contingency.of([[1, 2]]), rows=np.array([0, 1])),
        "a row of the contingency table is out of range",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_nouns_refuse_contradictory_arrays(what: str) -> None:
    make, message = WRONG[what]
    with pytest.raises(InputError, match=message):
        make()


def test_degrees_that_miss_1_by_rounding_are_accepted() -> None:
    degrees = np.array([[1 / 3 + 1e-9, 2 / 3], [0.1 + 0.2, 0.7], [1.0, 0.0]])
    assert build(Soft(degrees)).masses.sum() == pytest.approx(3.0)


def test_overlapping_rows_do_not_score_1_against_their_strongest_clusters() -> None:
    hardened = build(Hard(codes(0, 0, 1), 2))
    with pytest.raises(InputError, match="sum to 2, not to 1"):
        clustcmp.compare(build(Soft(OVERLAPPING)), hardened, metrics="ari")


@given(
    st.lists(
        st.lists(st.floats(allow_nan=True, allow_infinity=True, width=32), min_size=2, max_size=2),
        min_size=3,
        max_size=3,
    )
)
def test_any_degrees_are_memberships_or_an_input_error(rows: list[list[float]]) -> None:
    degrees = np.array(rows, dtype=np.float64)
    try:
        clustering = build(Soft(degrees))
    except InputError:
        assert not (
            np.isfinite(degrees).all()
            and (degrees >= 0.0).all()
            and (np.abs(degrees.sum(axis=1) - 1.0) <= 1e-7).all()
        )
    else:
        assert (clustering.masses >= 0.0).all()
        assert clustering.masses.sum() == pytest.approx(clustering.points.mass, abs=1e-5)


def compared(**changes: Any) -> Comparison:
    """A comparison of two clusterings of three points on a line."""
    coordinates = np.array([[0.0], [1.0], [2.0]])
    a, b = (build(Hard(codes(*numbers), 2), coordinates) for numbers in ((0, 0, 1), (0, 1, 1)))
    return replace(align(a, b), **changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"distances": np.zeros((3, 2))}, "between 3 points of a and 3 points of b are an array"),
        ({"a": build(Hard(codes(0, -1, 1), 2))}, "the clustering has points without a cluster"),
        (
            {"b": Clustering(PointSet(1), Hard(codes(0), 1), Texts.of("x"))},
            "a has 3 of them and b has 1",
        ),
    ],
)
def test_a_comparison_that_makes_no_sense_is_an_input_error(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        compared(**changes)


def value(metric: str, comparison: Comparison) -> float | None:
    """The value of one metric."""
    ((found,), _) = evaluate(comparison, METRICS.requests([metric]))
    return found.value


def test_a_comparison_with_another_span_has_another_adco() -> None:
    comparison = compared()
    assert value("adco:bins=2", comparison) != 0.0
    # With a span this wide all points are in the first bin of two.
    wide = replace(comparison, span=np.array([[0.0], [100.0]]))
    alone = compared(span=np.array([[0.0], [100.0]]))
    assert value("adco:bins=2", wide) == value("adco:bins=2", alone)
    assert value("adco:bins=2", wide) != value("adco:bins=2", comparison)


def test_a_comparison_with_another_b_has_another_contingency() -> None:
    comparison = compared()
    assert value("ari", comparison) != 1.0
    assert value("ari", replace(comparison, b=comparison.a)) == 1.0


def test_what_is_computed_once_is_not_a_field() -> None:
    comparison = compared()
    value("adco", comparison)
    assert "_computed" in vars(comparison)
    assert "_computed" not in vars(replace(comparison))


def two_of_three() -> Comparison:
    """The comparison of two clusterings of three points."""
    a, b = clustcmp.read_clustering([1, 1, 2]), clustcmp.read_clustering([1, 2, 2])
    return align(a, b)


def test_replace_leaves_a_counted_table_behind() -> None:
    comparison = two_of_three()
    counted = comparison.with_table(comparison.contingency)
    same = replace(counted, b=counted.a)
    assert same.identical
    with pytest.raises(InputError, match="was not counted on"):
        comparison.with_table(Contingency.of([[1, 2], [3, 400]]))


@pytest.mark.parametrize("wrong", [-1.0, math.nan, math.inf])
def test_distances_of_a_comparison_are_finite_and_at_least_0(wrong: float) -> None:
    comparison = two_of_three()
    with pytest.raises(InputError, match="distance"):
        replace(comparison, distances=np.full((3, 3), wrong))


@pytest.mark.parametrize(
    "span", [np.full((2, 1), math.nan), np.array([[1.0], [0.0]]), np.zeros((3, 1))]
)
def test_a_span_is_a_row_of_lowest_and_a_row_of_highest_coordinates(span: Any) -> None:
    comparison = two_of_three()
    with pytest.raises(InputError, match="range of coordinates"):
        replace(comparison, span=span)


def test_a_contingency_table_agrees_with_its_total_and_has_each_cell_once() -> None:
    table = Contingency.of([[2, 0], [0, 1]])
    with pytest.raises(InputError, match="sum to 3, not to 100"):
        replace(table, total=100)
    twice, margin = np.array([0, 0]), np.array([3, 0])
    with pytest.raises(InputError, match="stands twice"):
        replace(table, rows=twice, columns=twice, masses_a=margin, masses_b=margin)
    with pytest.raises(InputError, match="points or more"):
        Contingency.of([[1e30, 1.0]])


def test_degrees_in_single_precision_can_be_compared() -> None:
    logits = np.random.default_rng(0).normal(size=(200, 5)).astype(np.float32)
    degrees = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    names = Texts.of("abcde")
    soft = Clustering(PointSet(200), Soft(degrees.astype(np.float64)), names)
    assert clustcmp.compare(soft, soft, "cc")["cc"] == pytest.approx(0.0, abs=1e-9)
    assert clustcmp.compare(soft, soft, "ari")["ari"] is not None
