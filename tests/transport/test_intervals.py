"""Proven intervals: the exact value lies inside, for clouds of every kind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clustcmp
from clustcmp.transport import bounds
from clustcmp.transport.bounds import bound_transport
from clustcmp.transport.cells import one_cell, refine
from clustcmp.transport.distances import cluster_distances
from tests.transport.test_kernel import KINDS, Array, problems_of


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


def exact_value(coordinates: Array, a: Array, b: Array) -> float:
    """cdistance by POT."""
    report = clustcmp.compare(a, b, "cdistance:solver=pot", coordinates=coordinates)
    value = report.results[0].value
    assert value is not None
    return value


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("tolerance", [0.2, 0.01])
def test_cdistance_is_within_its_tolerance(seed: int, tolerance: float) -> None:
    coordinates, a, b = runs(1_200, seed)
    exact = exact_value(coordinates, a, b)
    word = f"cdistance:tolerance={tolerance}"
    result = clustcmp.compare(a, b, word, coordinates=coordinates).results[0]
    assert result.proven is not None
    assert result.value is not None
    low, high = result.proven
    assert low < high
    assert low <= exact <= high
    assert high - low <= tolerance * result.value


def test_jobs_do_not_change_a_bit() -> None:
    coordinates, a, b = runs(900, 7)
    one, three = (
        clustcmp.compare(a, b, "cdistance:tolerance=0.05", coordinates=coordinates, jobs=jobs)
        for jobs in (1, 3)
    )
    assert one.results[0].proven == three.results[0].proven


def test_without_the_kernel_intervals_hold_the_exact_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bounds, "load_kernel", lambda: None)
    coordinates, a, b = runs(400, 2)
    exact = exact_value(coordinates, a, b)
    found = clustcmp.compare(a, b, "cdistance:tolerance=0.05", coordinates=coordinates)
    low, high = found.results[0].proven or (1.0, 0.0)
    assert low <= exact <= high
