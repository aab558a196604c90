"""Pair counting in space: against sums over all pairs, and by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from clustcmp.errors import UsageError

NAMES = ("neighborhood_rand", "neighborhood_wallace_ab", "neighborhood_wallace_ba")

Places = list[tuple[float, float]]


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[int], list[int], Places]:
    """Two clusterings of points on a small grid, where many coincide or are equally far away."""
    n = draw(st.integers(2, 12))
    labels = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    place = st.tuples(st.integers(0, 4), st.integers(0, 4))
    return draw(labels), draw(labels), draw(st.lists(place, min_size=n, max_size=n))


def are_identical(a: Sequence[int], b: Sequence[int]) -> bool:
    """Whether the clusterings are equal but for the names of their clusters."""
    return len(set(zip(a, b, strict=True))) == len(set(a)) == len(set(b))


def adjust(value: float, chance: float, adjusted: bool) -> float:
    """The value on the scale of chance; 0 where chance scores best."""
    if not adjusted:
        return value
    return (value - chance) / (1.0 - chance) if 1.0 - chance > 1e-12 else 0.0


def companies(a: Sequence[int], places: Places, k: int, own: float) -> np.ndarray[Any, Any]:
    """The shares of clusters around each point, by looking at all other points."""
    shares = np.zeros((len(a), max(a) + 1))
    for x, place in enumerate(places):
        others = [y for y in range(len(a)) if y != x]
        radius = sorted(math.dist(place, places[y]) for y in others)[min(k, len(others)) - 1]
        near = [y for y in others if math.dist(place, places[y]) <= radius * (1 + 1e-9)]
        shares[x, a[x]] += own
        for y in near:
            shares[x, a[y]] += (1 - own) / len(near)
    return shares


def by_company(
    a: list[int], b: list[int], places: Places, k: int, own: float, adjusted: bool
) -> list[float]:
    """The three metrics of neighbourhoods by their definition, pair by pair."""
    shares = companies(a, places, k, own)
    n_pairs = math.comb(len(a), 2)
    in_a = in_b = 0
    parted = joined = alike = different = 0.0
    for x, y in combinations(range(len(a)), 2):
        c = 1.0 - float(np.abs(shares[x] - shares[y]).sum()) / 2.0
        in_a += a[x] == a[y]
        in_b += b[x] == b[y]
        alike += c if a[x] == a[y] else 0.0
        different += 1.0 - c if a[x] != a[y] else 0.0
        parted += c if a[x] == a[y] and b[x] != b[y] else 0.0
        joined += 1.0 - c if a[x] != a[y] and b[x] == b[y] else 0.0
    q = in_b / n_pairs
    chance = 1.0 - ((1.0 - q) * alike + q * different) / n_pairs
    values = [adjust(1.0 - (parted + joined) / n_pairs, chance, adjusted)]
    if in_a:
        values.append(adjust(1.0 - parted / in_a, 1.0 - (1.0 - q) * alike / in_a, adjusted))
    else:
        values.append(0.0 if adjusted and in_b == n_pairs else 1.0)
    if in_b:
        values.append(adjust(1.0 - joined / in_b, 1.0 - different / n_pairs, adjusted))
    else:
        values.append(0.0 if adjusted and in_a == n_pairs else 1.0)
    return values


@given(problems(), st.integers(1, 8), st.sampled_from([0.0, 0.3, 0.5, 1.0]), st.booleans())
def test_neighbourhoods_are_as_defined(
    problem: tuple[list[int], list[int], Places], k: int, own: float, adjusted: bool
) -> None:
    a, b, places = problem
    options = f"k={k},own={own},adjusted={str(adjusted).lower()}"
    metrics = [f"{name}:{options}" for name in NAMES]
    found = [one.value for one in clustcmp.compare(a, b, metrics, coordinates=places)]
    expected = [1.0] * 3 if are_identical(a, b) else by_company(a, b, places, k, own, adjusted)
    assert found == pytest.approx(expected, abs=1e-9)


def by_distance(
    a: list[int], b: list[int], places: Places, alpha: float, decay: str, adjusted: bool
) -> float:
    """spatial_rand by its definition, pair by pair."""
    given = np.array(places, dtype=np.float64)
    span = given.max(axis=0) - given.min(axis=0)
    unit = (given - given.min(axis=0)) / np.where(span > 0.0, span, 1.0)
    n_pairs = math.comb(len(a), 2)
    value = all_joined = all_parted = 0.0
    in_a = in_b = 0
    for x, y in combinations(range(len(a)), 2):
        d = math.dist(unit[x], unit[y])
        near = math.exp(-d * d) if decay == "gaussian" else math.exp(-4.0 * d)
        far = 1.0 - (math.exp(-d * d) if decay == "gaussian" else math.exp(-d))
        in_a += a[x] == a[y]
        in_b += b[x] == b[y]
        all_joined += alpha * near
        all_parted += alpha * far
        if (a[x] == a[y]) == (b[x] == b[y]):
            value += 1.0
        else:
            value += alpha * (near if b[x] == b[y] else far)
    p, q = in_a / n_pairs, in_b / n_pairs
    chance = p * q + (1.0 - p) * (1.0 - q)
    chance += ((1.0 - p) * q * all_joined + p * (1.0 - q) * all_parted) / n_pairs
    return adjust(value / n_pairs, chance, adjusted)


@given(
    problems(),
    st.sampled_from([0.2, 0.8]),
    st.sampled_from(["gaussian", "exponential"]),
    st.booleans(),
)
def test_spatial_rand_is_as_defined(
    problem: tuple[list[int], list[int], Places], alpha: float, decay: str, adjusted: bool
) -> None:
    a, b, places = problem
    metric = f"spatial_rand:alpha={alpha},decay={decay},adjusted={str(adjusted).lower()}"
    found = clustcmp.compare(a, b, metric, coordinates=places).results[0].value
    same = are_identical(a, b)
    expected = 1.0 if same else by_distance(a, b, places, alpha, decay, adjusted)
    assert found == pytest.approx(expected, abs=1e-9)


# Four points in a row: a parts them in the middle, b takes the second one to the other side.
A, B, ROW = [0, 0, 1, 1], [0, 1, 1, 1], [[0.0], [1.0], [2.0], [3.0]]


def test_spatial_rand_by_hand() -> None:
    # Of six pairs three agree; f(1/3) and f(2/3) are earned by pairs that b joins, h(1/3) by one
    # that b parts: (3 + 0.8 e^(-1/9) + 0.8 e^(-4/9) + 0.8 (1 - e^(-1/9))) / 6.
    expected = (3.8 + 0.8 * math.exp(-4 / 9)) / 6
    report = clustcmp.compare(A, B, "spatial_rand:adjusted=false", coordinates=ROW)
    assert report.results[0].value == pytest.approx(expected, abs=1e-12)


def test_neighborhood_rand_by_hand() -> None:
    # With one neighbour and ties: the company of the points is (1, 0), (3/4, 1/4), (1/4, 3/4) and
    # (0, 1) in shares of a's clusters. The pair 1, 2 that b parts costs c = 3/4; the pairs 2, 3 and
    # 2, 4 that b joins cost 1 - c = 1/2 and 3/4.
    report = clustcmp.compare(A, B, "neighborhood_rand:k=1,adjusted=false", coordinates=ROW)
    assert report.results[0].value == pytest.approx(1.0 - (0.75 + 0.5 + 0.75) / 6, abs=1e-12)


def test_given_distances_are_taken_as_they_are() -> None:
    distances = [[abs(x - y) / 3.0 for y in range(4)] for x in range(4)]
    report = clustcmp.compare(A, B, "spatial_rand", distances=distances)
    located = clustcmp.compare(A, B, "spatial_rand", coordinates=ROW)
    assert report["spatial_rand"] == pytest.approx(located["spatial_rand"], abs=1e-12)
    with pytest.raises(UsageError, match="needs coordinates"):
        clustcmp.compare(A, B, "neighborhood_rand", distances=distances)


def test_points_that_moved_have_no_value() -> None:
    elsewhere = [[x[0] + 1.0] for x in ROW]
    report = clustcmp.compare(A, B, "spatial", coordinates_a=ROW, coordinates_b=elsewhere)
    assert {one.status.value for one in report} == {"undefined"}


def test_near_mistakes_cost_less_than_far_ones() -> None:
    generator = np.random.default_rng(3)
    places = np.concatenate([generator.normal(0, 1, (40, 2)), generator.normal(2, 1, (40, 2))])
    a = [0] * 40 + [1] * 40
    order = np.argsort(np.linalg.norm(places[:40] - 2.0, axis=1))
    near, far = (list(a), list(a))
    for row in order[:5]:
        near[row] = 1
    for row in order[-5:]:
        far[row] = 1
    for name in ("spatial_rand", *NAMES):
        one, other = (clustcmp.compare(a, b, name, coordinates=places)[name] for b in (near, far))
        assert one is not None
        assert other is not None
        assert one > other, name
    assert clustcmp.compare(a, near, "ari")["ari"] == clustcmp.compare(a, far, "ari")["ari"]


@pytest.mark.parametrize(
    ("option", "allowed"),
    [
        ("spatial_rand:alpha=0", "above 0 and below 1"),
        ("spatial_rand:alpha=1", "above 0 and below 1"),
        ("neighborhood_rand:own=1.5", "from 0 to 1"),
        ("neighborhood_rand:k=0", ">= 1"),
    ],
)
def test_options_out_of_range_say_what_is_allowed(option: str, allowed: str) -> None:
    with pytest.raises(UsageError) as error:
        clustcmp.compare(A, B, option, coordinates=ROW)
    assert allowed in error.value.hint
