"""Values agree with other programs, and with definitions written out as loops over the points."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

import clustcmp
from clustcmp.metrics import expected_information
from clustcmp.metrics.expected_information import expected_terms
from clustcmp.metrics.pairs import pairs_within
from clustcmp.model.contingency import Contingency
from tests.conftest import Labels, label_pairs
from tests.metrics.test_contracts import Degrees, soft_pairs


def value(metric: str, a: Any, b: Any) -> float:
    """The value of one metric."""
    result = clustcmp.compare(a, b, metrics=[metric])[metric]
    assert result is not None
    return result


SKLEARN = {
    "rand": sk.rand_score,
    "adjusted_rand": sk.adjusted_rand_score,
    "mutual_information": sk.mutual_info_score,
    "homogeneity": sk.homogeneity_score,
    "completeness": sk.completeness_score,
    "v_measure": sk.v_measure_score,
    "v_measure:beta=2": lambda a, b: sk.v_measure_score(a, b, beta=2.0),
    "nmi": sk.normalized_mutual_info_score,
    "nmi:average=geometric": lambda a, b: sk.normalized_mutual_info_score(
        a, b, average_method="geometric"
    ),
    "ami": sk.adjusted_mutual_info_score,
    "ami:average=max": lambda a, b: sk.adjusted_mutual_info_score(a, b, average_method="max"),
}


@pytest.mark.parametrize("metric", SKLEARN)
@pytest.mark.parametrize("seed", range(12))
def test_hard_values_agree_with_scikit_learn(metric: str, seed: int) -> None:
    generator = np.random.default_rng(seed)
    n_points = int(generator.integers(20, 400))
    a = generator.integers(0, generator.integers(2, 30), n_points)
    b = np.where(generator.random(n_points) < 0.4, a, generator.integers(0, 9, n_points))
    assert value(metric, a, b) == pytest.approx(SKLEARN[metric](a, b), abs=1e-10)


def test_v_measure_of_independent_clusterings_is_0() -> None:
    # Both homogeneity and completeness are 0, and their harmonic mean is 0/0.
    assert value("v_measure", [0, 0, 1, 1], [0, 1, 0, 1]) == 0.0


@pytest.mark.parametrize("block", [1, 50])
def test_the_size_of_blocks_does_not_change_ami(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = np.random.default_rng(2)
    a, b = generator.integers(0, 30, 200) ** 2 // 60, generator.integers(0, 9, 200)
    monkeypatch.setattr(expected_information, "BLOCK", block)
    assert value("ami", a, b) == pytest.approx(sk.adjusted_mutual_info_score(a, b), abs=1e-10)


@given(pair=label_pairs)
def test_pair_counts_agree_with_a_loop_over_pairs(pair: tuple[Labels, Labels]) -> None:
    a, b = pair
    counts = {"tp": 0, "fn": 0, "fp": 0, "tn": 0}
    for i, j in itertools.combinations(range(len(a)), 2):
        kind = {(1, 1): "tp", (1, 0): "fn", (0, 1): "fp", (0, 0): "tn"}
        counts[kind[int(a[i] == a[j]), int(b[i] == b[j])]] += 1
    details = clustcmp.compare(a, b, metrics=["rand"]).result("rand").details
    assert details == counts
    assert all(type(count) is int for count in details.values())


@given(pair=soft_pairs)
def test_soft_pair_counts_are_expectations(pair: tuple[Degrees, Degrees]) -> None:
    a, b = pair
    tp = together_a = together_b = 0.0
    for i, j in itertools.combinations(range(len(a)), 2):
        same_a = math.fsum(a[i] * a[j])
        same_b = math.fsum(b[i] * b[j])
        tp, together_a, together_b = tp + same_a * same_b, together_a + same_a, together_b + same_b
    details = clustcmp.compare(a, b, metrics=["rand:soft=expected"]).results[0].details
    assert details["tp"] == pytest.approx(tp, abs=1e-9)
    assert details["fn"] == pytest.approx(together_a - tp, abs=1e-9)
    assert details["fp"] == pytest.approx(together_b - tp, abs=1e-9)


@given(pair=soft_pairs)
def test_soft_information_uses_the_joint_law(pair: tuple[Degrees, Degrees]) -> None:
    a, b = pair
    law = np.sum([np.outer(p, q) for p, q in zip(a, b, strict=True)], axis=0) / len(a)

    def entropy(shares: Any) -> float:
        return -math.fsum(p * math.log(p) for p in np.ravel(shares) if p > 0.0)

    joint, h_a, h_b = entropy(law), entropy(law.sum(axis=1)), entropy(law.sum(axis=0))
    assert value("joint_entropy", a, b) == pytest.approx(joint, abs=1e-9)
    assert value("vi", a, b) == pytest.approx(2.0 * joint - h_a - h_b, abs=1e-9)
    assert value("mi", a, b) == pytest.approx(h_a + h_b - joint, abs=1e-9)


@given(pair=soft_pairs)
def test_soft_matching_uses_the_sums_of_products_of_degrees(pair: tuple[Degrees, Degrees]) -> None:
    a, b = pair
    table = a.T @ b
    best = max(
        math.fsum(table[k, j] for k, j in enumerate(columns))
        for columns in itertools.permutations(range(table.shape[1]), table.shape[0])
    )
    product = "soft=product"
    purity = table.max(axis=0).sum() / len(a)
    assert value(f"maximum_matching:{product}", a, b) == pytest.approx(best / len(a), abs=1e-9)
    assert value(f"purity:{product}", a, b) == pytest.approx(purity, abs=1e-9)


@given(pair=label_pairs)
def test_bcubed_agrees_with_a_loop_over_points(pair: tuple[Labels, Labels]) -> None:
    a, b = pair
    points = range(len(a))
    in_a = [{j for j in points if a[j] == a[i]} for i in points]
    in_b = [{j for j in points if b[j] == b[i]} for i in points]
    precision = sum(len(in_a[i] & in_b[i]) / len(in_b[i]) for i in points) / len(a)
    recall = sum(len(in_a[i] & in_b[i]) / len(in_a[i]) for i in points) / len(a)
    assert value("bcubed_precision", a, b) == pytest.approx(precision)
    assert value("bcubed_recall", a, b) == pytest.approx(recall)


@given(pair=label_pairs, alpha=st.sampled_from([0.2, 0.9]))
def test_element_centric_agrees_with_the_random_walk(
    pair: tuple[Labels, Labels], alpha: float
) -> None:
    def walk(labels: Labels) -> Degrees:
        together = np.equal.outer(labels, labels)
        steps: Degrees = (1.0 - alpha) * np.eye(len(labels))
        steps += alpha * together / together.sum(axis=1, keepdims=True)
        return steps

    a, b = pair
    distances = np.abs(walk(a) - walk(b)).sum(axis=1)
    expected = float(np.mean(1.0 - distances / (2.0 * alpha)))
    assert value("element_centric", a, b) == pytest.approx(expected)


@given(
    labels=st.integers(2, 5).flatmap(
        lambda n: st.tuples(
            *[st.lists(st.integers(0, 2), min_size=n, max_size=n) for _ in range(2)]
        )
    )
)
@settings(max_examples=30)
def test_expected_information_is_the_mean_over_all_permutations(
    labels: tuple[Labels, Labels],
) -> None:
    a, b = labels
    drawn = [sk.mutual_info_score(a, shuffled) for shuffled in itertools.permutations(b)]
    expected = math.fsum(drawn) / len(drawn)
    sizes = [np.unique(side, return_counts=True)[1] for side in (a, b)]
    ours = math.fsum(math.fsum(expected_terms(int(s), sizes[1], float(len(a)))) for s in sizes[0])
    assert ours == pytest.approx(expected, abs=1e-12)


def test_expected_information_of_large_clusters_keeps_its_digits() -> None:
    # For large clusters the expectation approaches (K - 1)(J - 1) / 2n, here 9 / 6e6.
    sizes = np.array([1_000_000, 1_000_000, 1_000_000])
    ours = math.fsum(math.fsum(expected_terms(int(size), sizes, 3e6)) for size in sizes)
    assert ours == pytest.approx(4.0 / 6e6, rel=1e-5)


def test_ami_of_ten_thousand_points_agrees_with_scikit_learn() -> None:
    generator = np.random.default_rng(5)
    a, b = generator.integers(0, 300, 10_000), generator.zipf(1.7, 10_000) % 500
    assert value("ami", a, b) == pytest.approx(sk.adjusted_mutual_info_score(a, b), abs=1e-9)


@pytest.mark.parametrize("size", [3_000_000_001, 1_500_000_000, 1_499_999_999])
def test_counts_beyond_two_to_the_53_stay_exact(size: int) -> None:
    assert (
        pairs_within(np.array([size, size - 1]), 2 * size - 1)
        == size * (size - 1) // 2 + (size - 1) * (size - 2) // 2
    )


def test_three_billion_points_give_exact_pair_counts() -> None:
    from clustcmp.metrics.pairs import count_pairs

    big = 1_500_000_001
    cells = np.array([big, 1, 2, big])
    contingency = Contingency(
        np.array([0, 0, 1, 1]),
        np.array([0, 1, 0, 1]),
        cells,
        np.array([big + 1, big + 2]),
        np.array([big + 2, big + 1]),
        2 * big + 3,
        float(2 * big + 3),
        float(2 * big + 3),
        float(2 * big + 3),
    )

    counts = count_pairs(contingency)
    n = 2 * big + 3
    assert counts.both == 2 * (big * (big - 1) // 2) + 1
    assert sum(counts) == n * (n - 1) // 2


def test_the_sampled_null_is_the_quotient_of_the_lecture() -> None:
    a, b = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]
    drawn = [sk.rand_score(a, shuffled) for shuffled in itertools.permutations(b)]
    mean, spread = math.fsum(drawn) / len(drawn), max(drawn) - min(drawn)
    expected = (sk.rand_score(a, b) - mean) / spread
    sampled = value("adjusted_rand:null=sampled,draws=5000,seed=1", a, b)
    assert sampled == pytest.approx(expected, abs=0.02)


def test_the_sampled_null_is_undefined_if_all_draws_are_equal() -> None:
    report = clustcmp.compare([0, 0, 0], [0, 1, 2], metrics=["ari:null=sampled"])
    assert report.results[0].status == "undefined"


def test_expected_information_of_billions_follows_from_the_variance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    n = 2_000_000_000
    sizes = np.array([n // 5, n // 2, 40], dtype=np.int64)
    quick = expected_terms(n // 4, sizes, float(n))
    monkeypatch.setattr(expected_information, "MOST_TERMS", n)
    summed = expected_terms(n // 4, sizes, float(n))
    assert quick == pytest.approx(summed, rel=1e-8)
    assert (quick != summed).tolist() == [True, True, False]
