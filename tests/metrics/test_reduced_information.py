"""Reduced mutual information and Cramer's V agree with their definitions and with scipy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from scipy.stats.contingency import association

import clustcmp
from tests.conftest import Labels, label_pairs


def value(metric: str, a: Any, b: Any) -> float | None:
    """The value of one metric."""
    return clustcmp.compare(a, b, metrics=[metric]).results[0].value


def count(a: Labels, b: Labels) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The contingency table, counted point by point."""
    table = np.zeros((max(a) + 1, max(b) + 1), dtype=np.int64)
    for k, j in zip(a, b, strict=True):
        table[k, j] += 1
    return table[table.any(axis=1)][:, table.any(axis=0)]


def log_ways(m: int, parts: np.ndarray[Any, np.dtype[np.float64]]) -> Any:
    """log binomial(m + parts - 1, parts - 1) as a product, for many numbers of parts at once."""
    return sum((np.log((parts + i) / (i + 1)) for i in range(m)), np.zeros_like(parts))


def describe(columns: Any) -> float:
    """The nats that tell a table and the points behind it, when the sums of columns are known."""
    t = np.exp(np.linspace(math.log(1e-4), math.log(1e4), 4001))
    cost = np.zeros_like(t)
    points = 0.0
    for column in np.asarray(columns):
        cost += log_ways(int(column.sum()), len(column) * t)
        cost -= sum(log_ways(int(m), t) for m in column)
        points += math.lgamma(column.sum() + 1) - sum(math.lgamma(m + 1) for m in column)
    return float(cost.min()) + points


@given(pair=label_pairs)
@settings(max_examples=40)
def test_reduced_information_is_the_nats_that_b_saves(pair: tuple[Labels, Labels]) -> None:
    a, b = pair
    table = count(a, b)
    sizes = table.sum(axis=1)
    assume(1 < len(sizes) < len(a))
    whole = describe([sizes])
    saved = whole - describe(table.T)
    per_point = value("rmi:normalize=none", a, b)
    assert per_point == pytest.approx(saved / len(a), abs=1e-5)
    most = whole - describe(np.diag(sizes))
    if most > 1e-3 and count(a, b).shape != count(a, a).shape:
        assert value("rmi", a, b) == pytest.approx(saved / most, rel=1e-2, abs=1e-3)


def test_one_cluster_or_single_points_have_no_reduced_information() -> None:
    assert value("rmi", [0, 0, 0], [0, 0, 1]) is None
    assert value("rmi", [0, 1, 2], [0, 0, 1]) is None
    assert value("rmi", [0, 0, 1], [0, 0, 0]) == 0.0


@given(pair=label_pairs)
def test_cramers_v_agrees_with_scipy(pair: tuple[Labels, Labels]) -> None:
    table = count(*pair)
    assume(min(table.shape) > 1)
    assert value("cramers_v", *pair) == pytest.approx(association(table), abs=1e-7)


@given(pair=label_pairs)
def test_corrected_cramers_v_follows_bergsma(pair: tuple[Labels, Labels]) -> None:
    table = count(*pair)
    n, (k, j) = len(pair[0]), table.shape
    assume(min(k, j) > 1 and len(np.flatnonzero(table)) > min(k, j))
    square = association(table) ** 2 * (min(k, j) - 1)
    square = max(0.0, square - (k - 1) * (j - 1) / (n - 1))
    least = min(k - (k - 1) ** 2 / (n - 1), j - (j - 1) ** 2 / (n - 1))
    found = value("cramers_v:corrected", *pair)
    if least <= 1.0 + 1e-12:
        assert found is None
    else:
        assert found == pytest.approx(min(1.0, math.sqrt(square / (least - 1.0))), abs=1e-6)


def test_independent_clusterings_have_no_association() -> None:
    a, b = zip(
        *[(k, j) for k in range(3) for j in range(7) for _ in range((k + 1) * (j + 2))], strict=True
    )
    assert value("cramers_v", a, b) == 0.0
    assert value("cramers_v", [0, 0, 0], [0, 0, 1]) == 0.0
