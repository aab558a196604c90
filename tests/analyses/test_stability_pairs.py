"""Runs compared in pairs: values on common points, means, errors by leaving out runs, clusters."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

import clustcmp
from clustcmp.analyses.stability.pairs import Pairs, compare_pairs, comparison_of
from clustcmp.analyses.stability.per_cluster import Followed, follow, word_for
from clustcmp.analyses.stability.runs import Runs
from clustcmp.analyses.stability.spread import margin_between, spread_of
from clustcmp.arrays import Floats, Integers
from clustcmp.errors import InputError
from clustcmp.metrics import METRICS
from clustcmp.model import Contingency, Hard, Soft
from clustcmp.read.objects import as_clustering
from clustcmp.registry import Request
from clustcmp.requests import find_requests

ABSENT = -1

# Metrics of a contingency, of which hard clusterings need no Comparison.
TABLED = sorted(name for name, metric in METRICS.items() if metric.subject is Contingency)


def asked(metric: str) -> Request:
    """The request for one metric."""
    (request,) = find_requests(metric)
    return request


def hard_runs(labels: Any) -> Runs:
    """Runs from a matrix of labels: a row for each run, -1 for points that it does not have."""
    table = np.array(labels, dtype=np.int32)
    rows = tuple(np.flatnonzero(run != ABSENT) for run in table)
    members = [run[own] for run, own in zip(table, rows, strict=True)]
    return Runs(table.shape[1], rows, tuple(Hard(codes, int(codes.max()) + 1) for codes in members))


def to_pairs(matrix: Any) -> Pairs:
    """Pairs with the values of a symmetric matrix."""
    values = np.array(matrix, dtype=np.float64)
    first, second = np.triu_indices(len(values), 1)
    return Pairs(first, second, values[first, second], np.full(len(first), 9))


def name_points(rows: Integers) -> pd.Index:
    """Ids of points that cannot be taken for positions."""
    return pd.Index([f"p{row}" for row in rows.tolist()], name="id")


def on_common_points(runs: Runs, metric: str, **more: Any) -> Floats:
    """The value of `clustcmp.compare` for each pair, on the points that both runs have."""
    found = []
    for i, j in combinations(range(len(runs)), 2):
        one, other = (
            pd.Series(runs.memberships[run].array, name_points(runs.rows[run])) for run in (i, j)
        )
        report = clustcmp.compare(one, other, metric, points="intersect", **more)
        found.append(next(iter(report)).value)
    return np.array(found, dtype=np.float64)


@st.composite
def label_tables(draw: st.DrawFn) -> Integers:
    """Three to five runs of up to eight points, any two of which have two points in common."""
    n_points = draw(st.integers(2, 8))
    n_runs = draw(st.integers(3, 5))
    labels = st.integers(ABSENT, 3)
    table = np.array(
        draw(
            st.lists(
                st.lists(labels, min_size=n_points, max_size=n_points),
                min_size=n_runs,
                max_size=n_runs,
            )
        )
    )
    table[:, :2] = np.abs(table[:, :2])
    return table


def sample_of_blobs(seed: int, n_runs: int = 8) -> tuple[Runs, Integers]:
    """Runs of 80 % of 300 points, one tenth of whose labels are wrong; the labels in a matrix."""
    chance = np.random.default_rng(seed)
    base = chance.integers(4, size=300)
    table = np.full((n_runs, 300), ABSENT)
    for run in table:
        rows = chance.permutation(300)[:240]
        run[rows] = np.where(chance.random(240) < 0.1, chance.integers(4, size=240), base[rows])
    return hard_runs(table), table


def test_every_pair_has_scikit_learns_value_on_the_common_points() -> None:
    runs, table = sample_of_blobs(1)
    pairs = compare_pairs(runs, asked("ari"))
    expected = []
    for i, j in combinations(range(len(runs)), 2):
        both = (table[i] != ABSENT) & (table[j] != ABSENT)
        expected.append(adjusted_rand_score(table[i][both], table[j][both]))
        assert pairs.common[len(expected) - 1] == both.sum()
    assert pairs.values == pytest.approx(expected, abs=1e-12)
    assert (pairs.first.tolist(), pairs.second.tolist()) == (
        [i for i, _ in combinations(range(8), 2)],
        [j for _, j in combinations(range(8), 2)],
    )


@pytest.mark.parametrize("metric", [name for name in TABLED if METRICS[name].symmetric])
@given(label_tables())
def test_pairs_have_the_values_of_compare(metric: str, table: Integers) -> None:
    runs = hard_runs(table)
    pairs = compare_pairs(runs, asked(metric))
    assert pairs.values == pytest.approx(
        on_common_points(runs, metric), rel=1e-9, abs=1e-12, nan_ok=True
    )


def test_a_metric_with_a_direction_has_the_mean_of_both() -> None:
    # purity of {0,1},{2,3} against one cluster is 1/2, the other way round 1.
    runs = hard_runs([[0, 0, 1, 1], [0, 0, 0, 0]])
    assert not METRICS["purity"].symmetric
    assert compare_pairs(runs, asked("purity")).values.tolist() == [0.75]


def test_an_option_that_gives_a_metric_a_direction_has_the_mean_of_both() -> None:
    # The second run splits a cluster of the first. Homogeneity is 1 and completeness 2/3, or the
    # other way round: (1 + 3) 2/3 / (3 + 2/3) = 8/11 and (1 + 3) 2/3 / (3 2/3 + 1) = 8/9.
    runs = hard_runs([[0, 0, 1, 1], [0, 1, 2, 2]])
    (value,) = compare_pairs(runs, asked("v_measure:beta=3")).values.tolist()
    assert value == pytest.approx((8 / 11 + 8 / 9) / 2)


def test_identical_runs_have_exactly_the_best_value() -> None:
    runs = hard_runs([[0, 0, 1, 1, 2], [2, 2, 0, 0, -1], [-1, 1, 0, 0, 2]])
    for metric, best in (("ari", 1.0), ("vi", 0.0), ("nmi", 1.0)):
        assert compare_pairs(runs, asked(metric)).values.tolist() == [best] * 3


def test_fewer_than_two_common_points_have_no_value_and_a_reason() -> None:
    runs = hard_runs([[0, 0, 1, -1, -1], [-1, -1, 0, 0, 1], [-1, -1, -1, 0, 1]])
    pairs = compare_pairs(runs, asked("ari"))
    assert np.isnan(pairs.values).tolist() == [True, True, False]
    assert pairs.common.tolist() == [1, 0, 2]
    assert pairs.reason == "only 1 point in common, but a value needs 2"
    assert spread_of(pairs, 3)[4:] == (1, 2)


def test_many_small_clusters_are_counted_without_a_dense_table() -> None:
    chance = np.random.default_rng(3)
    table = chance.integers(2500, size=(3, 3000))
    table[0, :500] = ABSENT
    runs = hard_runs(table)
    expected = []
    for i, j in combinations(range(3), 2):
        both = (table[i] != ABSENT) & (table[j] != ABSENT)
        expected.append(adjusted_rand_score(table[i][both], table[j][both]))
    assert compare_pairs(runs, asked("ari")).values == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("metric", ["cdistance", "adco"])
def test_metrics_of_points_are_compared_where_the_common_points_are(metric: str) -> None:
    chance = np.random.default_rng(5)
    coordinates = chance.normal(size=(12, 2))
    table = chance.integers(3, size=(3, 12))
    table[0, :2], table[1, 3:5] = ABSENT, ABSENT
    runs = hard_runs(table)
    frame = pd.DataFrame(coordinates, name_points(np.arange(12)), ["x", "y"])
    pairs = compare_pairs(runs, asked(metric), coordinates=coordinates)
    assert pairs.values == pytest.approx(on_common_points(runs, metric, coordinates=frame))


def test_whole_runs_of_different_points_can_be_compared() -> None:
    # Two points at distance 1 in two runs that share none: cdistance compares where they are.
    runs = hard_runs([[0, 1, -1, -1], [-1, -1, 0, 1]])
    places = np.array([[0.0], [10.0], [0.0], [10.0]])
    assert compare_pairs(runs, asked("cdistance"), coordinates=places, whole=True).values == [0.0]
    assert np.isnan(compare_pairs(runs, asked("cdistance"), coordinates=places).values).all()


def test_soft_runs_are_compared_on_their_common_points() -> None:
    chance = np.random.default_rng(6)
    degrees = chance.dirichlet([1.0, 1.0, 1.0], size=(2, 6))
    rows = np.array([0, 1, 2, 4, 5, 7]), np.array([1, 2, 3, 4, 5, 6])
    runs = Runs(8, rows, (Soft(degrees[0]), Soft(degrees[1])))
    in_a, in_b = np.isin(rows[0], rows[1]), np.isin(rows[1], rows[0])
    expected = clustcmp.compare(degrees[0][in_a], degrees[1][in_b], "ari")["ari"]
    assert compare_pairs(runs, asked("ari")).values == pytest.approx([expected])


def test_values_do_not_depend_on_the_number_of_jobs() -> None:
    runs, _ = sample_of_blobs(2)
    one, two = (compare_pairs(runs, asked("vi"), jobs).values for jobs in (1, 2))
    assert one.tobytes() == two.tobytes()


@given(label_tables(), st.randoms(use_true_random=False))
def test_renamed_clusters_and_reordered_points_change_nothing(table: Integers, dice: Any) -> None:
    names = list(range(4))
    dice.shuffle(names)
    order = list(range(table.shape[1]))
    dice.shuffle(order)
    renamed = np.where(table == ABSENT, ABSENT, np.array(names)[table])[:, order]
    runs, others = hard_runs(table), hard_runs(renamed)
    for metric in ("ari", "vi", "fowlkes_mallows"):
        before, after = (compare_pairs(one, asked(metric)).values for one in (runs, others))
        assert after == pytest.approx(before, rel=1e-12, abs=1e-12)
    one, two = follow_first(table), follow_first(renamed)
    assert sorted(one.sizes) == sorted(two.sizes)
    assert sorted(one.jaccard) == pytest.approx(sorted(two.jaccard))
    assert two.shares == pytest.approx(one.shares[order], nan_ok=True)


def follow_first(table: Integers) -> Followed:
    """How the clusters of the first run do in the others."""
    runs = hard_runs(table)
    codes = np.unique(runs.memberships[0].array, return_inverse=True)[1].astype(np.int32)
    reference = Hard(codes, int(codes.max()) + 1)
    return follow(reference, runs.choose(list(range(1, len(runs)))), runs.rows[0])


def test_the_standard_error_is_that_of_really_leaving_out_runs() -> None:
    runs, _ = sample_of_blobs(7)
    request = asked("ari")
    everyone = range(len(runs))
    left_out = [
        compare_pairs(runs.choose([i for i in everyone if i != gone]), request).values.mean()
        for gone in everyone
    ]
    n = len(runs)
    expected = math.sqrt((n - 1) / n * sum((one - np.mean(left_out)) ** 2 for one in left_out))
    pairs = compare_pairs(runs, request)
    found = spread_of(pairs, n)
    assert found.standard_error == pytest.approx(expected, rel=1e-9)
    assert found.value == pytest.approx(pairs.values.mean())
    # Over pairs, as if they were independent, the error would be far too small.
    assert expected > 1.5 * pairs.values.std(ddof=1) / math.sqrt(len(pairs.values))


def test_mean_and_quantiles_by_hand() -> None:
    # Values 1, 2, 3: leaving out run 0, 1, 2 leaves 3, 2, 1, whose mean is 2.
    found = spread_of(to_pairs([[0, 1, 2], [1, 0, 3], [2, 3, 0]]), 3)
    assert found.value == 2.0
    assert found.standard_error == pytest.approx(math.sqrt(2 / 3 * (1 + 0 + 1)))
    assert (found.low, found.high) == pytest.approx((1.1, 2.9))
    assert (found.pairs, found.failed) == (3, 0)


def test_two_runs_have_a_mean_without_a_standard_error() -> None:
    found = spread_of(to_pairs([[0, 0.5], [0.5, 0]]), 2)
    assert found == (0.5, None, 0.5, 0.5, 1, 0)


def test_pairs_without_any_value_have_no_mean() -> None:
    nothing = to_pairs([[0, np.nan], [np.nan, 0]])
    assert spread_of(nothing, 2) == (None, None, None, None, 0, 1)
    assert margin_between(nothing, nothing, 2) == (None, None)


def test_a_run_without_values_does_not_count_in_the_standard_error() -> None:
    complete = [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
    padded = np.full((4, 4), np.nan)
    padded[:3, :3] = complete
    assert spread_of(to_pairs(padded), 4)[:2] == pytest.approx(spread_of(to_pairs(complete), 3)[:2])


def test_the_margin_leaves_out_the_same_run_on_both_sides() -> None:
    # Differences of the pairs are 1, 1, 4; leaving out run 0, 1, 2 leaves 4, 1, 1; mean 2.
    best, other = (
        to_pairs([[0, 2, 3], [2, 0, 7], [3, 7, 0]]),
        to_pairs([[0, 1, 2], [1, 0, 3], [2, 3, 0]]),
    )
    margin = margin_between(best, other, 3)
    assert margin.value == pytest.approx(2.0)
    assert margin.standard_error == pytest.approx(math.sqrt(2 / 3 * (4 + 1 + 1)))


def test_clusters_are_followed_on_the_points_that_were_drawn() -> None:
    # Run 1 lacks point 3: of A = {0,1,2} it has {0,1}, 2/3; of B = {4,5} it has {2,4,5}, 2/3.
    # Run 2 lacks 4 and 5: A falls into two equal halves, 2/4 each; B is not drawn, so left out.
    # Run 3 is the reference.
    runs = hard_runs([[0, 0, 1, -1, 1, 1], [0, 0, 1, 1, -1, -1], [1, 1, 1, 1, 0, 0]])
    found = follow(Hard(np.array([0, 0, 0, 0, 1, 1], dtype=np.int32), 2), runs)
    assert found.sizes.tolist() == [4, 2]
    assert found.samples.tolist() == [3, 2]
    assert found.jaccard == pytest.approx([(2 / 3 + 1 / 2 + 1) / 3, (2 / 3 + 1) / 2])
    assert found.dissolved.tolist() == [1, 0]
    assert found.recovered.tolist() == [1, 1]
    # Of two equally similar halves each counts one half.
    assert found.shares == pytest.approx([2.5 / 3, 2.5 / 3, 1.5 / 3, 1.5 / 2, 1.0, 1.0])


def test_a_reference_may_lack_points() -> None:
    runs = hard_runs([[0, 0, 1, 1, 1]])
    found = follow(Hard(np.array([0, 0, 1], dtype=np.int32), 2), runs, np.array([0, 1, 3]))
    assert found.jaccard.tolist() == [1.0, 1.0]
    assert found.sizes.tolist() == [2, 1]
    assert found.shares == pytest.approx([1.0, 1.0, np.nan, 1.0, np.nan], nan_ok=True)


def test_a_run_without_points_of_the_reference_counts_nowhere() -> None:
    runs = hard_runs([[-1, -1, 0, 0], [0, 0, -1, -1]])
    found = follow(Hard(np.array([0, 0], dtype=np.int32), 1), runs, np.array([0, 1]))
    assert (found.samples.tolist(), found.jaccard.tolist()) == ([1], [1.0])


def test_a_cluster_that_no_run_has_points_of_has_no_similarity() -> None:
    found = follow(Hard(np.array([0, 1], dtype=np.int32), 2), hard_runs([[0, -1]]))
    assert found.jaccard == pytest.approx([1.0, np.nan], nan_ok=True)
    assert found.samples.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("jaccard", "word"),
    [
        (1.0, "highly stable"),
        (0.85, "highly stable"),
        (0.84, "stable"),
        (0.75, "stable"),
        (0.74, "doubtful"),
        (0.6, "doubtful"),
        (0.59, "not stable"),
    ],
)
def test_words_follow_the_manual_of_fpc(jaccard: float, word: str) -> None:
    assert word_for(jaccard) == word


def test_runs_are_checked_when_built() -> None:
    one = Hard(np.array([0, 0], dtype=np.int32), 1)
    for rows in ([1, 0], [0, 0], [0, 5], [-1, 0]):
        with pytest.raises(InputError, match="sorted, distinct"):
            Runs(3, (np.array(rows),), (one,))
    with pytest.raises(InputError, match="1 clusterings for 2 runs"):
        Runs(3, (np.array([0, 1]), np.array([1, 2])), (one,))
    with pytest.raises(InputError, match="1 points, but 2 memberships"):
        Runs(3, (np.array([0]),), (one,))
    with pytest.raises(InputError, match="without a cluster"):
        Runs(3, (np.array([0, 1]),), (Hard(np.array([0, -1], dtype=np.int32), 1),))


def test_a_comparison_of_runs_counts_common_points_and_those_of_one_run_only() -> None:
    a, b = as_clustering([0, 0, 1, 1, 1], "a"), as_clustering([0, 1, 1], "b")
    coverage = comparison_of(a, b, 2, "different points", 1).coverage
    assert (coverage.shared, coverage.only_a, coverage.only_b) == (2, 3, 1)
