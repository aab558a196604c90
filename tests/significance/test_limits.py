"""Where chance and intervals have no answer, and what is left out for those that have one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as sk

import clustcmp
from clustcmp.align import align
from clustcmp.errors import UsageError
from clustcmp.model import Contingency
from clustcmp.read.objects import as_clustering
from clustcmp.requests import find_requests
from clustcmp.significance.intervals import find_interval
from clustcmp.significance.leaving import Ask, LeftOut, leave_out_groups, without_points


def test_clusters_of_a_soft_clustering_cannot_be_left_out() -> None:
    soft = np.array([[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]])
    with pytest.raises(UsageError, match="needs a hard clustering a, but a is soft"):
        clustcmp.compare(soft, [0, 1, 1], ["rand"], confidence=0.9, unit="cluster")


def test_clusterings_of_different_points_are_not_compared_with_chance() -> None:
    (result,) = clustcmp.compare(
        pd.Series([0, 0, 1], index=["p", "q", "r"]),
        pd.Series([0, 1, 1], index=["p", "q", "s"]),
        ["cdistance"],
        coordinates=pd.DataFrame({"x": [0.0, 1.0, 2.0, 4.0]}, index=["p", "q", "r", "s"]),
        permutations=9,
    )
    assert result.chance is not None
    assert (result.chance.draws, result.chance.reason) == (0, "a and b have different points")


def test_each_group_is_left_out_once_and_the_others_are_kept() -> None:
    generator = np.random.default_rng(4)
    a, b = generator.integers(0, 3, 30), generator.integers(0, 3, 30)
    groups = np.arange(30) % 5
    both = align(as_clustering(a, "a"), as_clustering(b, "b"))
    (request,) = find_requests(["rand"])
    found = leave_out_groups(both, [Ask(request)], groups)
    expected = [sk.rand_score(a[groups != group], b[groups != group]) for group in range(5)]
    assert found[:, 0] == pytest.approx(expected)


def test_a_value_that_chance_does_not_change_has_no_interval_and_says_why() -> None:
    same = LeftOut(np.full(3, 0.5), np.ones(3), "jackknife")
    found = find_interval(0.5, same, 0.95, (0.0, 1.0), "point", lambda share: 0.5)
    assert (found.low, found.high, found.standard_error) == (None, None, 0.0)
    assert found.reason is not None


# A share of the points that is 0 in the sample is at most -ln(0.025) / n, with probability 0.975.
@pytest.mark.parametrize(("n_points", "expected"), [(2, 1.0), (40, 3.6888794541139363 / 40)])
def test_the_share_of_chance_is_at_most_all(n_points: int, expected: float) -> None:
    shares = []

    def blend(share: float) -> float:
        shares.append(share)
        return 0.25

    same = LeftOut(np.full(n_points, 0.5), np.ones(n_points), "jackknife")
    find_interval(0.5, same, 0.95, (0.0, 1.0), "point", blend)
    assert shares == [pytest.approx(expected)]


def test_without_its_only_point_a_cluster_is_gone() -> None:
    tables = without_points(Contingency.of([[1, 0], [1, 1]]))
    # One point of the cells (0, 0), (1, 0) and (1, 1) is left out: sizes are 1, 2 and 2, 1.
    assert np.asarray(tables.n_a).tolist() == [1, 2, 2]
    assert np.asarray(tables.n_b).tolist() == [2, 2, 1]
