"""Adjusted and one-sided pair counts agree with their definitions, written out as loops."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given

import clustcmp
from clustcmp.metrics.null_models import find_peak
from tests.cases import CASES
from tests.conftest import Labels, label_pairs


def value(metric: str, a: Any, b: Any) -> float | None:
    """The value of one metric."""
    return clustcmp.compare(a, b, metrics=[metric])[metric]


def known(metric: str, a: Any, b: Any) -> float:
    """The value of a metric that has one."""
    found = value(metric, a, b)
    assert found is not None
    return found


def partitions(n_points: int) -> Iterator[Labels]:
    """All clusterings of so many points."""

    def extend(labels: Labels, highest: int) -> Iterator[Labels]:
        if len(labels) == n_points:
            yield labels
            return
        for label in range(highest + 2):
            yield from extend([*labels, label], max(highest, label))

    yield from extend([0], 0)


def together(labels: Labels) -> set[tuple[int, int]]:
    """The pairs of points in one cluster."""
    pairs = itertools.combinations(range(len(labels)), 2)
    return {(i, j) for i, j in pairs if labels[i] == labels[j]}


def rand(a: Labels, b: Labels) -> float:
    """The share of pairs that are together in both or apart in both."""
    return 1.0 - len(together(a) ^ together(b)) / math.comb(len(a), 2)


def adjusted(a: Labels, b: Labels, random_a: list[Labels], random_b: list[Labels]) -> float:
    """(rand - E) / (1 - E), with the mean over all pairs of random clusterings."""
    drawn = [rand(x, y) for x, y in itertools.product(random_a, random_b)]
    expected = math.fsum(drawn) / len(drawn)
    return (rand(a, b) - expected) / (1.0 - expected)


EVERY = list(partitions(5))
NULLS = [([0, 0, 1, 1, 2], [0, 0, 0, 1, 1]), ([0, 1, 2, 3, 4], [0, 0, 1, 1, 1])]


def as_many(labels: Labels) -> list[Labels]:
    """All clusterings with as many clusters."""
    return [other for other in EVERY if len(set(other)) == len(set(labels))]


@pytest.mark.parametrize(("a", "b"), NULLS)
def test_nulls_are_means_over_all_clusterings(a: Labels, b: Labels) -> None:
    one = "sides=one"
    expected = {
        "null=all": adjusted(a, b, EVERY, EVERY),
        "null=number": adjusted(a, b, as_many(a), as_many(b)),
        f"null=all,{one}": adjusted(a, b, [a], EVERY),
        f"null=number,{one}": adjusted(a, b, [a], as_many(b)),
    }
    for options, number in expected.items():
        assert value(f"ari:{options}", a, b) == pytest.approx(number, abs=1e-12), options


def stirling(n: int) -> list[int]:
    """How many clusterings of n points have 0, 1, ... n clusters, in whole numbers."""
    counts = [1]
    for m in range(1, n + 1):
        counts = [0] + [k * (counts[k] if k < m else 0) + counts[k - 1] for k in range(1, m + 1)]
    return counts


def with_sizes(n: int, k: int) -> Labels:
    """n points in k clusters."""
    return [min(point, k - 1) for point in range(n)]


@pytest.mark.parametrize("k", [2, 7, 60, 118, 119])
def test_nulls_of_many_points_agree_with_whole_numbers(k: int) -> None:
    n = 120
    a, b = with_sizes(n, k), with_sizes(n, 30)
    before, now = stirling(n - 1), stirling(n)
    q_a, q_b = before[k] / now[k], before[30] / now[30]
    expected = q_a * q_b + (1.0 - q_a) * (1.0 - q_b)
    found = (rand(a, b) - expected) / (1.0 - expected)
    assert value("ari:null=number", a, b) == pytest.approx(found, rel=1e-9)
    q = sum(before) / sum(now)
    expected = q * q + (1.0 - q) * (1.0 - q)
    found = (rand(a, b) - expected) / (1.0 - expected)
    assert value("ari:null=all", a, b) == pytest.approx(found, rel=1e-9)


def value_of_table(metric: str, counts: Any) -> float:
    """The value of a metric for a table of counts."""
    found = clustcmp.compare_table(counts, metrics=[metric])[metric]
    assert found is not None
    return found


def test_a_million_points_have_nulls() -> None:
    # Of many points in two clusters, two random points are together with the chance 1/2.
    counts = [[300_000, 200_000], [100_000, 400_000]]
    agreement = value_of_table("ari:null=number", counts) / 2.0 + 0.5
    assert agreement == pytest.approx(value_of_table("rand", counts), abs=1e-6)
    assert find_peak(10**6) * math.log(find_peak(10**6)) == pytest.approx(10**6)


@given(pair=label_pairs)
def test_the_multinomial_null_counts_pairs_without_a_common_point(
    pair: tuple[Labels, Labels],
) -> None:
    a, b = pair
    assume(len(a) >= 4)
    pairs = list(itertools.combinations(range(len(a)), 2))
    disjoint = [(p, q) for p, q in itertools.product(pairs, pairs) if not {*p} & {*q}]
    in_a, in_b = together(a), together(b)
    expected = len(pairs) * sum(p in in_a and q in in_b for p, q in disjoint) / len(disjoint)
    room = (len(in_a) + len(in_b)) / 2.0 - expected
    number = 1.0 if in_a == in_b else (len(in_a & in_b) - expected) / room if room else 0.0
    assert value("ari:null=multinomial", a, b) == pytest.approx(number, abs=1e-9)


def test_the_multinomial_null_of_billions_is_exact() -> None:
    small = np.array([[3, 1], [1, 5]])
    values = [value_of_table("ari:null=multinomial", small * times) for times in (10**5, 10**8)]
    assert values[0] == pytest.approx(values[1], abs=1e-5)


def test_three_points_have_no_multinomial_null() -> None:
    assert value("ari:null=multinomial", [0, 0, 1], [0, 1, 1]) is None


@given(pair=label_pairs)
def test_adjusted_rand_is_the_harmonic_mean_of_the_adjusted_wallace_coefficients(
    pair: tuple[Labels, Labels],
) -> None:
    a, b = pair
    one, other = known("awc", a, b), known("awh", a, b)
    assume(one and other and len(set(a)) > 1 and len(set(b)) > 1)
    assert 2.0 / (1.0 / one + 1.0 / other) == pytest.approx(known("ari", a, b), abs=1e-9)
    product = math.copysign(math.sqrt(one * other), one)
    if together(a) and together(b):
        assert product == pytest.approx(known("hubert_gamma", a, b), abs=1e-9)


@given(pair=label_pairs)
def test_adjusted_wallace_is_wallace_above_chance(pair: tuple[Labels, Labels]) -> None:
    a, b = pair
    in_a, in_b = together(a), together(b)
    n_pairs = math.comb(len(a), 2)
    if in_a == in_b:
        expected = 1.0
    elif len(in_b) == n_pairs:
        expected = 0.0
    elif not in_a:
        expected = 1.0
    else:
        by_chance = len(in_b) / n_pairs
        expected = (len(in_a & in_b) / len(in_a) - by_chance) / (1.0 - by_chance)
    assert value("adjusted_wallace_ab", a, b) == pytest.approx(expected, abs=1e-9)
    assert value("adjusted_wallace_ba", b, a) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("a", "b", "forth", "back"),
    [
        # All singletons have no pairs to keep, and one cluster keeps any pairs, also by chance.
        ("0000", "0123", 0.0, 0.0),
        ("0123", "0011", 1.0, 0.0),
        ("0000", "0011", 0.0, 0.0),
        ("0000", "0000", 1.0, 1.0),
    ],
)
def test_degenerate_adjusted_wallace(a: str, b: str, forth: float, back: float) -> None:
    assert value("awc", list(a), list(b)) == forth
    assert value("awc", list(b), list(a)) == back


@given(pair=label_pairs)
def test_blanc_is_the_mean_over_pairs_together_and_pairs_apart(pair: tuple[Labels, Labels]) -> None:
    a, b = pair
    every = set(itertools.combinations(range(len(a)), 2))
    in_a, in_b = together(a), together(b)
    assume(in_a != in_b)
    kinds = [(links, others) for links, others in ((in_a, in_b), (every - in_a, every - in_b))]
    kinds = [(links, others) for links, others in kinds if links]

    def ratio(part: int, whole: int) -> float:
        return part / whole if whole else 1.0

    recall = [ratio(len(links & others), len(links)) for links, others in kinds]
    precision = [ratio(len(links & others), len(others)) for links, others in kinds]
    f1 = [ratio(2 * len(x & y), len(x) + len(y)) for x, y in kinds]
    for part, scores in (("recall", recall), ("precision", precision), ("f1", f1)):
        assert value(f"blanc:part={part}", a, b) == pytest.approx(sum(scores) / len(scores))


@given(pair=label_pairs)
def test_adjusted_fowlkes_mallows_is_fowlkes_mallows_above_chance(
    pair: tuple[Labels, Labels],
) -> None:
    a, b = pair
    in_a, in_b = together(a), together(b)
    assume(in_a != in_b)
    mean = math.sqrt(len(in_a) * len(in_b))
    expected = mean / math.comb(len(a), 2)
    score = len(in_a & in_b) / mean if mean else 0.0
    adjusted_score = (score - expected) / (1.0 - expected)
    assert value("fowlkes_mallows:adjusted", a, b) == pytest.approx(adjusted_score, abs=1e-9)


def test_simpson_of_a_single_point_is_undefined() -> None:
    assert value("simpson_a", [0], [0]) is value("simpson_b", [0], [0]) is None


def test_wallace_is_another_name_of_pair_recall_and_pair_precision() -> None:
    report = clustcmp.compare(*CASES["lecture"], metrics=["wallace_ab", "wallace_ba"])
    assert [result.metric for result in report] == ["pair_recall", "pair_precision"]
    assert report["wallace_ab"] == report["pair_recall"] == 0.6
    assert report["wallace_ba"] == report["pair_precision"] == 0.3
