"""ADCO: the paper's numbers, borders of bins, and what a plain computation gives."""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clustcmp.align import align
from clustcmp.errors import LimitExceeded, UsageError
from clustcmp.evaluate import evaluate
from clustcmp.metrics import METRICS, density
from clustcmp.model import Clustering, Comparison, Hard, PointSet, Soft
from clustcmp.model.texts import Texts
from clustcmp.results import Result
from tests.cases import HERE

Floats = npt.NDArray[np.float64]
Rows = Sequence[Sequence[float]]


def clustering(coordinates: Rows | Floats, membership: Any) -> Clustering:
    """A clustering of points without ids: codes if hard, degrees if soft."""
    coordinates = np.array(coordinates, dtype=np.float64)
    coordinates = coordinates.reshape(len(coordinates), -1)
    members = np.array(membership)
    n_clusters = members.shape[1] if members.ndim == 2 else int(members.max()) + 1
    membership = Soft(members) if members.ndim == 2 else Hard(members.astype(np.int32), n_clusters)
    points = PointSet(len(coordinates), None, coordinates)
    return Clustering(points, membership, Texts.of(map(str, range(n_clusters))))


def compare(a: tuple[Any, Any], b: tuple[Any, Any]) -> Comparison:
    """The comparison of two clusterings, each given by coordinates and membership."""
    return align(clustering(*a), clustering(*b))


def result(comparison: Comparison, options: str = "") -> Result:
    """What adco says with the given options."""
    results, _ = evaluate(comparison, METRICS.requests([f"adco:{options}" if options else "adco"]))
    return results[0]


def value(comparison: Comparison, options: str = "") -> float:
    """The value of adco."""
    found = result(comparison, options).value
    assert found is not None
    return found


def sums(details: Any) -> dict[str, float]:
    """PairwiseSim and MaxSim among the details."""
    return {name: details[name] for name in ("pairwise_sim", "max_sim")}


def profiles(
    coordinates: Any, codes: Sequence[int], q: int, ranges: Sequence[tuple[Any, Any]]
) -> list[list[int]]:
    """Counts in all bins for each cluster, in exact arithmetic."""
    found = [[0] * (q * len(ranges)) for _ in sorted(set(codes))]
    names = sorted(set(codes))
    for point, code in zip(coordinates, codes, strict=True):
        for attribute, (x, (low, high)) in enumerate(zip(point, ranges, strict=True)):
            t = Fraction(x - low) * q / Fraction(high - low) if high > low else Fraction(0)
            cell = min(max(math.floor(t), 0), q - 1)
            found[names.index(code)][attribute * q + cell] += 1
    return found


def dot(x: list[int], y: list[int]) -> int:
    return sum(p * q for p, q in zip(x, y, strict=True))


def brute_force(a: list[list[int]], b: list[list[int]]) -> tuple[int, int]:
    """PairwiseSim and MaxSim by trying all matchings."""
    few, many = sorted([a, b], key=len)
    pairwise = max(
        sum(dot(x, y) for x, y in zip(few, chosen, strict=True))
        for chosen in itertools.permutations(many, len(few))
    )
    return pairwise, max(sum(dot(x, x) for x in side) for side in (a, b))


def bae() -> Comparison:
    """Figure 2 of the paper: two attributes of two bins, 14 points, two clusterings."""
    # How many points have this bin of x, bin of y, cluster of a and cluster of b.
    groups = {
        (0, 0, 0, 0): 2,
        (0, 0, 0, 1): 3,
        (0, 1, 0, 0): 3,
        (1, 0, 1, 1): 3,
        (1, 1, 1, 0): 2,
        (1, 1, 1, 1): 1,
    }
    points = [group for group, count in groups.items() for _ in range(count)]
    coordinates = [(x, y) for x, y, _, _ in points]
    return compare(
        (coordinates, [a for *_, a, _ in points]), (coordinates, [b for *_, b in points])
    )


def test_adco_of_figure_2_is_the_published_value() -> None:
    found = result(bae(), "bins=2")
    assert sums(found.details) == {"pairwise_sim": 110.0, "max_sim": 152.0}
    assert found.details["matching"] == [["0", "0"], ["1", "1"]]
    assert found.value == pytest.approx(0.27632, abs=5e-6)


def test_the_profiles_of_figure_2_are_the_published_densities() -> None:
    comparison = bae()
    coordinates = comparison.a.points.coordinates
    assert coordinates is not None
    grid = density.make_grid(coordinates, coordinates, 2, "")
    a, b = density.find_profiles(coordinates, grid, [comparison.a, comparison.b])
    assert a.tolist() == [[8, 0, 5, 3], [0, 6, 3, 3]]
    assert sorted(b.tolist()) == [[3, 4, 6, 1], [5, 2, 2, 5]]
    similarity = a @ b.T
    matchings = similarity.trace(), similarity[::-1].trace()
    assert sorted(matchings) == [90, 110]


def iris() -> tuple[list[list[str]], list[int], list[int]]:
    """The coordinates of iris as they are written, its species and the clusters of k-means."""
    tables = []
    for name in ("iris", "iris_species", "iris_kmeans_bad"):
        with open(HERE.parent / "examples" / f"{name}.csv", encoding="utf-8", newline="") as file:
            tables.append({row[0]: row[1:] for row in list(csv.reader(file))[1:]})
    coordinates, *labels = tables
    columns = []
    for table in labels:
        words = sorted({row[0] for row in table.values()})
        columns.append([words.index(table[point][0]) for point in coordinates])
    return list(coordinates.values()), columns[0], columns[1]


@pytest.mark.parametrize("bins", [2, 3, 6, 10, 12, 59])
def test_bins_follow_the_decimal_numbers_of_the_file(bins: int) -> None:
    texts, species, bad = iris()
    exact = [[Fraction(text) for text in row] for row in texts]
    ranges = [(min(column), max(column)) for column in zip(*exact, strict=True)]
    expected = brute_force(
        profiles(exact, species, bins, ranges),
        profiles(exact, bad, bins, ranges),
    )
    coordinates = [[float(text) for text in row] for row in texts]
    found = result(compare((coordinates, species), (coordinates, bad)), f"bins={bins}").details
    assert (found["pairwise_sim"], found["max_sim"]) == expected


def test_a_value_on_a_border_is_in_the_upper_bin_and_the_last_bin_is_closed() -> None:
    grid = density.Grid(np.array([0.1]), np.array([1.1]), 10)
    tenths = np.arange(1, 12)[:, None] / 10.0
    assert grid.find_bins(tenths)[0].tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9]


def test_only_values_within_rounding_of_a_border_are_in_the_upper_bin() -> None:
    grid = density.Grid(np.array([0.0]), np.array([1.0]), 4)
    below = np.array([[0.5 - 2e-9], [0.5 - 5e-10], [0.5]])
    assert grid.find_bins(below)[0].tolist() == [1, 2, 2]


def test_a_range_whose_width_overflows_has_bins() -> None:
    huge = np.finfo(np.float64).max
    grid = density.Grid(np.array([-huge]), np.array([huge]), 4)
    coordinates = np.array([[-huge], [-huge / 4.0], [0.0], [huge]])
    assert grid.find_bins(coordinates)[0].tolist() == [0, 1, 2, 3]


def test_a_constant_attribute_counts_as_one_bin() -> None:
    a, b = [0, 0, 1, 1], [0, 1, 1, 1]
    x = np.array([0.0, 1.0, 8.0, 9.0])
    with_constant = np.column_stack([x, np.full(4, 7.0)])
    alone = result(compare((x, a), (x, b))).details
    both = result(compare((with_constant, a), (with_constant, b))).details
    # 2 * 1 + 2 * 3 and max(2 * 2 + 2 * 2, 1 * 1 + 3 * 3).
    assert both["pairwise_sim"] == alone["pairwise_sim"] + 8
    assert (alone["max_sim"], both["max_sim"]) == (4.0, 14.0)


def test_with_more_clusters_on_one_side_some_of_them_stay_unmatched() -> None:
    x = [0.0, 0.0, 0.0, 9.0, 9.0, 9.0]
    # Cluster 0 of b finds 2 * 2 points in cluster 0 of a; cluster 2 of b finds 3 * 3.
    comparison = compare((x, [0, 0, 0, 1, 1, 1]), (x, [0, 0, 1, 2, 2, 2]))
    assert sums(result(comparison).details) == {"pairwise_sim": 15.0, "max_sim": 18.0}
    assert value(comparison) == pytest.approx(1 / 6)


grids = st.integers(1, 9).flatmap(
    lambda n: st.tuples(
        st.lists(st.tuples(*[st.integers(0, 12)] * 2), min_size=n, max_size=n),
        st.lists(st.integers(0, 3), min_size=n, max_size=n),
    )
)


@given(a=grids, b=grids, bins=st.integers(1, 7))
def test_adco_agrees_with_trying_all_matchings(a: Any, b: Any, bins: int) -> None:
    everything = [*a[0], *b[0]]
    ranges = [(min(column), max(column)) for column in zip(*everything, strict=True)]
    expected = brute_force(profiles(a[0], a[1], bins, ranges), profiles(b[0], b[1], bins, ranges))
    comparison = compare(a, b)
    assert sums(
        density.show_similarity(comparison, {"bins": bins, "density": "count", "ranges": ""})
    ) == dict(zip(("pairwise_sim", "max_sim"), map(float, expected), strict=True))
    assert value(comparison, f"bins={bins}") == pytest.approx(
        1 - expected[0] / expected[1], abs=1e-12
    )


@given(a=grids, b=grids)
def test_values_stay_in_range_and_are_the_same_with_a_and_b_swapped(a: Any, b: Any) -> None:
    for options in ("", "density=relative", "bins=3", "ranges=2:5;0:100"):
        forth, back = value(compare(a, b), options), value(compare(b, a), options)
        assert type(forth) is float
        assert 0.0 <= forth <= 1.0
        assert forth == pytest.approx(back, abs=1e-12)


@given(a=grids, seed=st.integers(0, 9))
def test_identical_clusterings_score_0_in_every_order(a: Any, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(a[1]))
    shuffled = [a[0][i] for i in order], [3 - a[1][i] for i in order]
    assert value(compare(a, shuffled)) == 0.0


@given(a=grids, b=grids, seed=st.integers(0, 9))
def test_the_order_of_rows_does_not_change_adco(a: Any, b: Any, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(a[1]))
    shuffled = [a[0][i] for i in order], [a[1][i] for i in order]
    assert value(compare(shuffled, b)) == value(compare(a, b))


@given(a=grids, b=grids)
def test_one_hot_soft_equals_hard(a: Any, b: Any) -> None:
    hard = compare(a, b)
    profile = np.zeros((hard.a.n_clusters, 20))
    coordinates = hard.a.points.coordinates
    assert coordinates is not None
    grid = density.make_grid(coordinates, coordinates, 10, "")
    degrees = Soft(np.eye(len(profile))[hard.a.membership.array])
    density.add_masses(profile, grid.find_bins(coordinates), degrees)
    assert (profile == density.find_profiles(coordinates, grid, [hard.a])[0]).all()
    one_hot = a[0], np.eye(4)[a[1]]
    assert value(compare(one_hot, b)) == value(hard)


def test_the_profile_of_a_soft_cluster_sums_degrees() -> None:
    soft = [[0.75, 0.25], [0.5, 0.5], [0.0, 1.0]]
    # Profiles (1.25, 0) and (0.75, 1) against (2, 0) and (0, 1): 1.25 * 2 + 1 of 5.
    found = result(compare(([0, 0, 1], soft), ([0, 0, 1], [0, 0, 1])), "bins=2")
    assert sums(found.details) == pytest.approx({"pairwise_sim": 3.5, "max_sim": 5.0})
    assert found.value == pytest.approx(0.3)


def test_a_soft_clustering_has_the_distance_0_to_itself() -> None:
    generator = np.random.default_rng(5)
    coordinates, degrees = generator.normal(size=(30, 3)), generator.dirichlet(np.ones(4), 30)
    assert value(compare((coordinates, degrees), (coordinates, degrees))) == pytest.approx(
        0.0, abs=1e-12
    )


def test_different_numbers_of_points_matter_unless_densities_are_relative() -> None:
    once = [[0.0], [1.0], [5.0], [6.0]], [0, 0, 1, 1]
    twice = once[0] * 2, once[1] * 2
    comparison = compare(once, twice)
    assert value(comparison) == 0.5
    assert value(comparison, "density=relative") == 0.0
    assert sums(result(comparison, "density=relative").details) == {
        "pairwise_sim": 0.25,
        "max_sim": 0.25,
    }


def test_a_note_says_that_different_numbers_of_points_matter() -> None:
    once = [[0.0], [1.0], [5.0], [6.0]], [0, 0, 1, 1]
    twice = once[0] * 2, once[1] * 2
    _, notes = evaluate(compare(once, twice), METRICS.requests(["adco"]))
    assert [note for note in notes if "4 points" in note and "density=relative" in note]
    relative = METRICS.requests(["adco:density=relative"])
    assert evaluate(compare(once, twice), relative)[1] == ()
    assert evaluate(compare(once, once), METRICS.requests(["adco"]))[1] == ()


def test_given_ranges_fix_the_bins_and_points_outside_are_in_the_end_bins() -> None:
    x, codes = [[-5.0], [0.5], [9.5], [99.0]], [0, 0, 1, 1]
    y = [[0.2], [0.9], [9.1], [9.9]]
    comparison = compare((x, codes), (y, codes))
    assert value(comparison, "ranges=0:10") == 0.0
    assert value(comparison) > 0.0


def test_given_ranges_are_part_of_the_name_of_the_result() -> None:
    x, codes = [[0.0, 1.0], [1.0, 2.0]], [0, 1]
    spec = "adco:ranges=-1.5:1e1;0:3"
    (request,) = METRICS.requests([spec])
    assert request.spec == spec
    assert result(compare((x, codes), (x, codes)), "ranges=-1.5:1e1;0:3").metric == spec


@pytest.mark.parametrize(
    ("ranges", "complaint"),
    [
        ("0:1", "1 attributes"),
        ("0:1;0:1;0:1", "3 attributes"),
        ("0:1;1:0", "'1:0'"),
        ("0:1;2:2", "'2:2'"),
        ("0:1;x:2", "'x:2'"),
        ("0:1;nan:2", "'nan:2'"),
        ("0:1;0:1e999", "'0:1e999'"),
        ("0:1;2", "'2'"),
        ("0:1;0:1:2", "'0:1:2'"),
        ("0:1;", "''"),
    ],
)
@pytest.mark.parametrize("codes", [[0, 1], [0, 0]], ids=["identical", "different"])
def test_wrong_ranges_are_refused_with_a_hint(
    ranges: str, complaint: str, codes: list[int]
) -> None:
    comparison = compare(([[0, 1], [2, 3]], [0, 1]), ([[0, 1], [2, 3]], codes))
    with pytest.raises(UsageError, match="metric adco: ") as caught:
        result(comparison, f"ranges={ranges}")
    assert complaint in caught.value.message
    assert "adco:ranges=" in caught.value.hint


@pytest.mark.parametrize("options", ["bins=0", "bins=2.5", "density=log", "ranges"])
def test_wrong_options_are_refused(options: str) -> None:
    with pytest.raises(UsageError, match="is not allowed"):
        METRICS.requests([f"adco:{options}"])


def test_the_size_of_blocks_does_not_change_adco(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(3)
    coordinates, degrees = generator.normal(size=(1000, 3)), generator.dirichlet(np.ones(4), 1000)
    a, b = generator.integers(0, 5, 1000), generator.integers(0, 7, 1000)
    hard = result(compare((coordinates, a), (coordinates, b)))
    soft = result(compare((coordinates, degrees), (coordinates, b)))
    monkeypatch.setattr(density, "SMALLEST_BLOCK", 30)
    monkeypatch.setattr(density, "LARGEST_BLOCK", 30)
    assert result(compare((coordinates, a), (coordinates, b))) == hard
    assert result(compare((coordinates, degrees), (coordinates, b))).value == pytest.approx(
        soft.value
    )


@pytest.mark.parametrize("n_points", [1, 255, 256, 257, 1000])
def test_the_range_covers_all_points(n_points: int) -> None:
    coordinates = np.random.default_rng(n_points).normal(size=(n_points, 3))
    low, high = density.find_range(coordinates)
    assert low.tolist() == coordinates.min(axis=0).tolist()
    assert high.tolist() == coordinates.max(axis=0).tolist()


def test_too_many_bins_are_refused_unless_the_clusterings_are_identical() -> None:
    points = [[0.0], [1.0]], [0, 1]
    other = [[0.0], [1.0]], [0, 0]
    with pytest.raises(LimitExceeded, match="adco: 2 and 1 clusters"):
        result(compare(points, other), "bins=100000000")
    same = result(compare(points, points), "bins=100000000")
    assert (same.value, same.details) == (0.0, {})


def test_different_clusterings_may_have_the_distance_0() -> None:
    x = [0.0, 0.01, 0.99, 1.0]
    assert value(compare((x, [0, 1, 0, 1]), (x, [0, 1, 1, 0]))) == 0.0


def test_the_triangle_inequality_does_not_hold() -> None:
    x = [0.0, 0.0, 0.0, 1.0, 1.0]
    a, b, c = (x, [0, 0, 0, 0, 0]), (x, [0, 0, 1, 0, 0]), (x, [0, 0, 1, 1, 1])
    assert value(compare(a, c)) > value(compare(a, b)) + value(compare(b, c)) + 0.1


def test_values_do_not_depend_on_the_size_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(5)
    places, a, b = generator.normal(size=(40, 3)), generator.integers(0, 3, 40), [0, 1] * 20
    expected = value(compare((places, a.tolist()), (places, b)))
    # Blocks of less than one row are not possible.
    monkeypatch.setattr(density, "SMALLEST_BLOCK", 1)
    monkeypatch.setattr(density, "LARGEST_BLOCK", 1)
    assert value(compare((places, a.tolist()), (places, b))) == expected


def test_the_convention_of_adco_says_whether_ranges_are_given() -> None:
    points = [[0.0], [1.0]], [0, 1]
    assert result(compare(points, points)).convention == "10 bins, counts"
    given = result(compare(points, points), "ranges=0:4")
    assert given.convention == "10 bins, counts, given ranges"
