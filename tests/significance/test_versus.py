"""Versus: the difference between two candidates, by really leaving each point out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import t as student

import clustcmp
from clustcmp.sureness import Versus

GENERATOR = np.random.default_rng(11)
A = GENERATOR.integers(0, 4, 70)
B = np.where(GENERATOR.random(70) < 0.9, A, GENERATOR.integers(0, 4, 70))
C = np.where(GENERATOR.random(70) < 0.5, A, GENERATOR.integers(0, 5, 70))


def versus_of(metric: str, b: Any = B, c: Any = C, **settings: Any) -> Versus:
    (result,) = clustcmp.compare(A, b, [metric], versus=c, **settings)
    assert result.versus is not None
    return result.versus


def value(a: Any, b: Any, metric: str) -> float:
    found = clustcmp.compare(a, b, [metric])[metric]
    assert found is not None
    return found


@pytest.mark.parametrize("metric", ["ari", "vi", "nmi", "match", "f_measure", "ecs"])
def test_the_difference_varies_as_if_each_point_were_really_left_out(metric: str) -> None:
    left = [
        value(np.delete(A, i), np.delete(B, i), metric)
        - value(np.delete(A, i), np.delete(C, i), metric)
        for i in range(70)
    ]
    mean = sum(left) / 70
    error = math.sqrt(69 / 70 * sum((one - mean) ** 2 for one in left))
    difference = value(A, B, metric) - value(A, C, metric)
    reach = student.ppf(0.95, 69) * error
    found = versus_of(metric, confidence=0.9)
    assert found.value == pytest.approx(value(A, C, metric))
    assert found.difference == pytest.approx(difference)
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    assert (found.low, found.high) == pytest.approx((difference - reach, difference + reach))
    assert found.p == pytest.approx(2 * student.sf(abs(difference) / error, 69))


@pytest.mark.parametrize("metric", ["ari", "vi"])
def test_the_closer_candidate_is_named_only_if_that_is_sure(metric: str) -> None:
    assert versus_of(metric).closer == "b"
    assert versus_of(metric, C, B).closer == "c"
    assert versus_of(metric, B, B).closer == "undecided"
    assert versus_of(metric, B, B).p == 1.0


def test_clusters_can_be_the_units_of_a_difference() -> None:
    a = np.repeat(np.arange(15), 4)
    b, c = a.copy(), a.copy()
    b[::9] = 3
    c[::5] = 7
    (result,) = clustcmp.compare(a, b, ["pair_f1"], versus=c, unit="cluster")
    left = [
        value(a[a != k], b[a != k], "pair_f1") - value(a[a != k], c[a != k], "pair_f1")
        for k in range(15)
    ]
    mean = sum(left) / 15
    error = math.sqrt(14 / 15 * sum((one - mean) ** 2 for one in left))
    assert result.versus is not None
    assert result.versus.standard_error == pytest.approx(error, rel=1e-9)


def test_candidates_with_many_and_with_few_cells_leave_out_the_same_groups() -> None:
    generator = np.random.default_rng(0)
    a = generator.integers(0, 50, 4000)
    b, c = np.where(generator.random(4000) < 0.9, a, 0), generator.integers(0, 50, 4000)
    (result,) = clustcmp.compare(a, b, ["match"], versus=c, seed=1)
    assert result.versus is not None
    assert result.versus.closer == "b"


def test_another_candidate_has_the_same_points() -> None:
    with pytest.raises(clustcmp.InputError, match="same points"):
        clustcmp.compare(A, B, ["ari"], versus=C[:-1])


def test_coordinates_are_compared_by_groups() -> None:
    space = np.random.default_rng(0).normal(size=(70, 2)) + 4.0 * A[:, None]
    found = versus_of("css", coordinates=space, seed=3)
    assert found.closer == "b"
    assert found.p is not None
    assert found.p < 0.05
