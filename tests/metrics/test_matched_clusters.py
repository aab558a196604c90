"""Metrics of matched clusters and of coreference agree with loops over sets of points."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import clustcmp
from clustcmp import matching_weight
from clustcmp.errors import LimitExceeded
from clustcmp.matching_weight import weigh_matching
from tests.conftest import Labels, label_pairs

Points = frozenset[int]


def value(metric: str, a: Any, b: Any) -> float | None:
    """The value of one metric."""
    return clustcmp.compare(a, b, metrics=[metric])[metric]


def clusters(labels: Labels) -> list[Points]:
    """The clusters as sets of points."""
    return [frozenset(i for i, x in enumerate(labels) if x == label) for label in set(labels)]


def best_matching(a: Labels, b: Labels, likeness: Callable[[Points, Points], float]) -> float:
    """The largest sum over all one-to-one matchings, by scipy on the full table."""
    table = np.array([[likeness(x, y) for y in clusters(b)] for x in clusters(a)])
    return float(table[linear_sum_assignment(table, maximize=True)].sum())


def f1(x: Points, y: Points) -> float:
    return 2.0 * len(x & y) / (len(x) + len(y))


def jaccard(x: Points, y: Points) -> float:
    return len(x & y) / len(x | y)


def cosine(x: Points, y: Points) -> float:
    return len(x & y) / math.sqrt(len(x) * len(y))


@given(pair=label_pairs)
def test_clusters_that_are_the_same_are_counted(pair: tuple[Labels, Labels]) -> None:
    one, other = clusters(pair[0]), clusters(pair[1])
    same = len({*one} & {*other})
    assert value("cluster_precision", *pair) == pytest.approx(same / len(other))
    assert value("cluster_recall", *pair) == pytest.approx(same / len(one))
    assert value("cluster_f1", *pair) == pytest.approx(2 * same / (len(one) + len(other)))


def spanning(one: Labels, other: Labels) -> tuple[int, int]:
    """How many links of one's spanning trees survive in the other, and how many there are."""
    parts = sum(len({other[i] for i in cluster}) for cluster in clusters(one))
    return len(one) - parts, len(one) - len(clusters(one))


@given(pair=label_pairs)
def test_muc_counts_the_links_of_spanning_trees(pair: tuple[Labels, Labels]) -> None:
    a, b = pair
    (kept, of_a), (_, of_b) = spanning(a, b), spanning(b, a)
    assert value("muc:part=recall", a, b) == pytest.approx(kept / of_a if of_a else 1.0)
    assert value("muc:part=precision", a, b) == pytest.approx(kept / of_b if of_b else 1.0)
    assert value("muc", a, b) == pytest.approx(2 * kept / (of_a + of_b) if of_a + of_b else 1.0)


def lea_recall(a: Labels, b: Labels) -> float:
    """The mean over points of the share of their cluster's links that b has."""
    scores = []
    for cluster in clusters(a):
        links = list(itertools.combinations(cluster, 2))
        kept = sum(b[i] == b[j] for i, j in links)
        score = kept / len(links) if links else float(cluster in clusters(b))
        scores.append(len(cluster) * score)
    return sum(scores) / len(a)


@given(pair=label_pairs)
def test_lea_is_the_share_of_links_kept(pair: tuple[Labels, Labels]) -> None:
    a, b = pair
    recall, precision = lea_recall(a, b), lea_recall(b, a)
    assert value("lea:part=recall", a, b) == pytest.approx(recall)
    assert value("lea:part=precision", a, b) == pytest.approx(precision)
    both = recall + precision
    assert value("lea", a, b) == pytest.approx(2 * recall * precision / both if both else 0.0)


@given(pair=label_pairs)
def test_matchings_agree_with_scipy(pair: tuple[Labels, Labels]) -> None:
    a, b = pair
    n_a, n_b = len(clusters(a)), len(clusters(b))
    matched = best_matching(a, b, f1)
    assert value("ceaf", a, b) == pytest.approx(2 * matched / (n_a + n_b))
    assert value("ceaf:part=recall", a, b) == pytest.approx(matched / n_a)
    assert value("ceaf:part=precision", a, b) == pytest.approx(matched / n_b)
    if n_a > 1:
        kept = best_matching(a, b, lambda x, y: len(x & y) / len(x)) / n_a
        accuracy = (kept - 1 / n_a) / (1 - 1 / n_a)
        assert value("normalized_accuracy", a, b) == pytest.approx(accuracy)
    shared = best_matching(a, b, lambda x, y: len(x & y) / max(len(x), len(y)))
    sizes = [sorted(map(len, clusters(one)), reverse=True) for one in (a, b)]
    for expected, spec in (
        (sum(x * y / len(a) / max(x, y) for x, y in zip(*sizes, strict=False)), "pair_sets"),
        (1.0, "pair_sets:simplified"),
    ):
        room = max(n_a, n_b) - expected
        score = max(0.0, (shared - expected) / room) if room else 1.0
        assert value(spec, a, b) == pytest.approx(score, abs=1e-12)


@given(pair=label_pairs)
@pytest.mark.parametrize("match", [f1, jaccard, cosine], ids=lambda match: match.__name__)
def test_average_f1_is_the_mean_over_best_counterparts(
    match: Callable[[Points, Points], float], pair: tuple[Labels, Labels]
) -> None:
    a, b = pair
    means, by_points = [], []
    for one, other in ((a, b), (b, a)):
        best = {x: max(match(x, y) for y in clusters(other)) for x in clusters(one)}
        means.append(sum(best.values()) / len(best))
        by_points.append(sum(len(x) * score for x, score in best.items()) / len(a))
    spec = f"average_f1:match={match.__name__}"
    assert value(spec, a, b) == pytest.approx(sum(means) / 2)
    assert value(f"{spec},side=a", a, b) == pytest.approx(means[0])
    assert value(f"{spec},side=b", a, b) == pytest.approx(means[1])
    assert value(f"{spec},weight=point", a, b) == pytest.approx(sum(by_points) / 2)
    harmonic = 2 * means[0] * means[1] / sum(means)
    assert value(f"{spec},mean=harmonic", a, b) == pytest.approx(harmonic)


@given(pair=label_pairs)
def test_bcubed_by_cluster_is_a_mean_over_the_clusters_of_a(pair: tuple[Labels, Labels]) -> None:
    a, b = pair
    own = {i: cluster for cluster in clusters(b) for i in cluster}
    precision = recall = 0.0
    for cluster in clusters(a):
        precision += sum(len(cluster & own[i]) / len(own[i]) for i in cluster) / len(cluster)
        recall += sum(len(cluster & own[i]) / len(cluster) for i in cluster) / len(cluster)
    n_clusters = len(clusters(a))
    assert value("bcubed_precision:weight=cluster", a, b) == pytest.approx(precision / n_clusters)
    assert value("bcubed_recall:weight=cluster", a, b) == pytest.approx(recall / n_clusters)


@given(pair=label_pairs)
def test_the_halves_of_van_dongen_are_its_details(pair: tuple[Labels, Labels]) -> None:
    result = clustcmp.compare(*pair, metrics=["van_dongen"]).result("van_dongen")
    a, b = pair
    a_to_b = sum(len(x) - max(len(x & y) for y in clusters(b)) for x in clusters(a))
    b_to_a = sum(len(y) - max(len(x & y) for x in clusters(a)) for y in clusters(b))
    assert result.details == {"a_to_b": a_to_b, "b_to_a": b_to_a}
    assert result.value == a_to_b + b_to_a


def test_one_cluster_has_no_normalized_accuracy() -> None:
    assert value("nca", [0, 0, 0], [0, 0, 1]) is None
    assert value("nca", [0, 0, 0], [1, 1, 1]) == 1.0
    assert value("nca:weight=point", [0, 0, 0], [0, 0, 1]) == pytest.approx(1 / 3)


tables = st.tuples(st.integers(1, 8), st.integers(1, 8), st.integers(0, 10**6))


def random_table(n_rows: int, n_columns: int, seed: int) -> np.ndarray[Any, Any]:
    """Weights with many zeros and many ties."""
    generator = np.random.default_rng(seed)
    weights = generator.integers(1, 5, (n_rows, n_columns)) / 4.0
    weights[generator.random((n_rows, n_columns)) < generator.random()] = 0.0
    return weights


@given(shape=tables, largest=st.sampled_from([-1, 1 << 18]))
@settings(max_examples=300)
def test_the_weight_of_a_sparse_matching_is_that_of_scipy(
    shape: tuple[int, int, int], largest: int
) -> None:
    table = random_table(*shape)
    rows, columns = np.nonzero(table)
    assume(len(rows))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching_weight, "LARGEST_DENSE_TABLE", largest)
        found = weigh_matching(rows, columns, table[rows, columns], *table.shape)
    assert found == pytest.approx(table[linear_sum_assignment(table, maximize=True)].sum())


def test_many_small_problems_are_solved_apart() -> None:
    # Blocks of 3 x 3 where no cell is sure and no line is a leaf; the best matching is a diagonal.
    n_blocks = 20_000
    block = np.array([[5.0, 4.0, 3.0], [3.0, 5.0, 4.0], [4.0, 3.0, 5.0]])
    k, j = np.indices((3, 3)).reshape(2, -1)
    firsts = 3 * np.repeat(np.arange(n_blocks), 9)
    rows, columns = firsts + np.tile(k, n_blocks), firsts + np.tile(j, n_blocks)
    weights = np.tile(block.ravel(), n_blocks)
    found = weigh_matching(rows, columns, weights, 3 * n_blocks, 3 * n_blocks)
    assert found == pytest.approx(15.0 * n_blocks)


def test_a_million_small_clusters_have_all_values_of_matching() -> None:
    generator = np.random.default_rng(3)
    a = np.arange(1_000_000) // 4
    b = np.where(generator.random(len(a)) < 0.95, a, generator.integers(0, len(a) // 4, len(a)))
    report = clustcmp.compare(
        a, b, metrics=["ceaf", "pair_sets", "nca", "muc", "lea", "cluster_f1"]
    )
    assert all(0.5 < (result.value or 0.0) < 1.0 for result in report)


def test_clusters_that_hang_together_too_much_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching_weight, "LARGEST_DENSE_TABLE", -1)
    monkeypatch.setattr(matching_weight, "MOST_WORK", 1)
    labels = [0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 2, 0]
    with pytest.raises(LimitExceeded, match="6 clusters hang together by 6 cells"):
        clustcmp.compare(*labels, metrics=["ceaf"])
    results = {result.name: result for result in clustcmp.compare(*labels, metrics="coreference")}
    assert results["ceaf"].status == "not_applicable"
    assert results["muc"].value is not None
