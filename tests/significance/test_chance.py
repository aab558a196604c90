"""Chance: moments and p against all tables of small cases, the law of the draws, one seed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product
from math import comb, factorial, prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from clustcmp import Contingency
from clustcmp.significance import drawing
from clustcmp.significance.moments import pair_moments
from clustcmp.sureness import Chance

Table = tuple[tuple[int, ...], ...]

LINEAR = [
    "rand", "adjusted_rand", "fowlkes_mallows", "pair_precision", "pair_recall", "pair_f1",
    "wallace_ab", "wallace_ba", "mirkin", "hubert_gamma",
]  # fmt: skip


def all_tables(rows: tuple[int, ...], columns: tuple[int, ...]) -> Iterator[Table]:
    """All tables of counts with these sums."""
    if len(rows) == 1:
        yield (columns,)
        return
    for first in product(*(range(min(rows[0], size) + 1) for size in columns)):
        if sum(first) == rows[0]:
            rest = tuple(size - taken for size, taken in zip(columns, first, strict=True))
            yield from ((first, *others) for others in all_tables(rows[1:], rest))


def probability(table: Table, rows: tuple[int, ...], columns: tuple[int, ...]) -> Fraction:
    """The probability of a table if points are dealt at random."""
    ways = prod(map(factorial, rows)) * prod(map(factorial, columns))
    cells = prod(factorial(count) for row in table for count in row)
    return Fraction(ways, factorial(sum(rows)) * cells)


def pairs_in(table: Table) -> int:
    return sum(comb(count, 2) for row in table for count in row)


def labels_of(table: Any) -> tuple[list[int], list[int]]:
    """Labels that have this table."""
    cells = [(k, j) for k, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    a, b = zip(*cells, strict=True)
    return list(a), list(b)


SIZES = st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple)


@given(SIZES, SIZES)
def test_null_moments_are_those_of_all_tables(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    missing = sum(a) - sum(b)
    a, b = (a, (*b, missing)) if missing > 0 else ((*a, -missing) if missing else a, b)
    laws = [(pairs_in(table), probability(table, a, b)) for table in all_tables(a, b)]
    assert sum(chance for _, chance in laws) == 1
    mean = sum((pairs * chance for pairs, chance in laws), Fraction(0))
    square = sum((pairs * pairs * chance for pairs, chance in laws), Fraction(0))
    assert pair_moments(np.array(a), np.array(b)) == (mean, square - mean * mean)


def chance_of(a: Any, b: Any, metric: str, **settings: Any) -> Chance:
    (result,) = clustcmp.compare(a, b, [metric], **{"permutations": 99, "seed": 1, **settings})
    assert result.chance is not None
    return result.chance


OBSERVED = ((4, 1, 0), (1, 2, 1))


@pytest.mark.parametrize("metric", LINEAR)
def test_mean_and_sd_of_what_is_linear_in_pairs_are_exact(metric: str) -> None:
    rows, columns = (5, 4), (5, 3, 1)
    mean = square = 0.0
    for table in all_tables(rows, columns):
        value = clustcmp.compare(*labels_of(table), [metric])[metric]
        assert value is not None
        weight = float(probability(table, rows, columns))
        mean, square = mean + weight * value, square + weight * value * value
    found = chance_of(*labels_of(OBSERVED), metric)
    assert found.exact
    assert found.mean == pytest.approx(mean, abs=1e-12)
    assert found.sd == pytest.approx(math.sqrt(square - mean * mean), rel=1e-9)


@pytest.mark.parametrize("metric", ["ari", "jaccard", "vi", "ami", "match", "purity", "ecs", "cc"])
def test_p_is_the_share_of_tables_as_good_or_better(metric: str) -> None:
    rows, columns = (5, 4), (5, 3, 1)
    observed = clustcmp.compare(*labels_of(OBSERVED), [metric]).results[0]
    assert observed.value is not None
    p = mean = Fraction(0)
    for table in all_tables(rows, columns):
        value = clustcmp.compare(*labels_of(table), [metric])[metric]
        assert value is not None
        sign = 1 if observed.higher_is_better else -1
        weight = probability(table, rows, columns)
        p += weight * (sign * value >= sign * observed.value - 1e-9)
        mean += weight * Fraction(value)
    found = chance_of(*labels_of(OBSERVED), metric, permutations=4000)
    assert found.p is not None
    assert found.mean is not None
    assert found.p == pytest.approx(float(p), abs=4 * math.sqrt(float(p * (1 - p)) / 4000) + 1e-3)
    assert found.mean == pytest.approx(float(mean), rel=0.05, abs=0.02)
    assert found.exact == (metric == "ari")


@pytest.mark.parametrize("few", [0, 10**9])
def test_tables_are_drawn_with_their_probabilities(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Both ways to draw, by scipy and by numpy, against the probabilities of all tables.
    monkeypatch.setattr(drawing, "FEW_CELLS", few)
    rows, columns = (3, 4), (2, 2, 3)
    table = Contingency.of([[1, 1, 1], [1, 1, 2]])
    counts: dict[Table, int] = {}
    for block in drawing.draw_blocks(table, 20_000, np.random.default_rng(4)):
        for drawn in block.tables:
            dense = np.zeros((2, 3), dtype=int)
            dense[drawn.rows, drawn.columns] = drawn.masses
            key = tuple(map(tuple, dense.tolist()))
            counts[key] = counts.get(key, 0) + 1
    statistic = 0.0
    known = list(all_tables(rows, columns))
    for one in known:
        expected = 20_000 * float(probability(one, rows, columns))
        statistic += (counts.pop(one, 0) - expected) ** 2 / expected
    assert not counts
    # The chi-square of so many cells is above this once in 10,000 times.
    from scipy.stats import chi2

    assert statistic < chi2.ppf(0.9999, len(known) - 1)


def test_shuffled_codes_and_cells_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(0)
    a, b = generator.integers(0, 5, 200), generator.integers(0, 6, 200)
    by_cells = [chance_of(a, b, metric, permutations=2000) for metric in ("jaccard", "vi", "match")]
    monkeypatch.setattr(drawing, "DENSE_CELLS", 1)
    shuffled = [chance_of(a, b, metric, permutations=2000) for metric in ("jaccard", "vi", "match")]
    for one, other in zip(by_cells, shuffled, strict=True):
        assert one.mean is not None
        assert one.sd is not None
        assert other.mean == pytest.approx(one.mean, abs=5 * one.sd / math.sqrt(1000))
        assert other.sd == pytest.approx(one.sd, rel=0.15)
        assert one.p == pytest.approx(other.p, abs=0.08)


@pytest.mark.parametrize("labels", [([0] * 6, [0, 0, 0, 1, 1, 2]), ([0, 0, 0, 1, 1, 2], [0] * 6)])
def test_one_cluster_leaves_one_possible_table(labels: tuple[list[int], list[int]]) -> None:
    for metric in ("ari", "nmi", "match", "purity"):
        found = chance_of(*labels, metric)
        assert (found.p, found.sd, found.z) == (1.0, 0.0, None)


def test_names_of_clusters_and_the_order_of_points_do_not_change_the_draws() -> None:
    generator = np.random.default_rng(0)
    a, b = generator.integers(0, 3, 50), generator.integers(0, 4, 50)
    order = generator.permutation(50)
    metrics = ["ari", "vi", "match"]
    first = clustcmp.compare(a, b, metrics, permutations=50, seed=3)
    again = clustcmp.compare(7 - a[order], b[order] * 2, metrics, permutations=50, seed=3)
    turned = clustcmp.compare(b, a, metrics, permutations=50, seed=3)
    for other in (again, turned):
        assert [one.chance.p for one in first if one.chance] == [
            one.chance.p for one in other if one.chance
        ]
        for metric, values in first.draws.items():
            assert other.draws[metric] == pytest.approx(values)


def test_a_seed_that_nobody_chose_is_in_the_report_and_gives_the_same_again() -> None:
    a, b = [0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 2, 2, 2, 1]
    first = clustcmp.compare(a, b, ["jaccard"], permutations=30)
    assert first.seed is not None
    assert first.to_dict()["seed"] == first.seed
    again = clustcmp.compare(a, b, ["jaccard"], permutations=30, seed=first.seed)
    assert again.to_dict() == first.to_dict()


def test_without_draws_the_seed_is_null_and_without_questions_no_key() -> None:
    a, b = [0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 2, 2, 2, 1]
    asked = clustcmp.compare(a, b, ["ari"], confidence=0.95)
    assert asked.seed is None
    assert asked.to_dict()["seed"] is None
    assert clustcmp.compare(a, b, ["ari"], confidence=0.95, seed=7).to_dict()["seed"] == 7
    plain = clustcmp.compare(a, b, ["ari"]).to_dict()
    assert "seed" not in plain
    assert not {"interval", "chance", "versus"} & set(plain["results"][0])


@pytest.mark.parametrize("metric", ["entropy_a", "entropy_b", "joint_entropy"])
def test_a_metric_without_a_direction_that_is_named_is_refused(metric: str) -> None:
    with pytest.raises(clustcmp.UsageError, match="neither high nor low"):
        clustcmp.compare([0, 1], [0, 1], [metric], permutations=9)


def test_what_chance_cannot_change_does_not_apply() -> None:
    space = np.random.default_rng(0).normal(size=(12, 2))
    a, b = [0] * 6 + [1] * 6, [0] * 5 + [1] * 7
    report = clustcmp.compare(
        a, b, ["information", "similarity_distance", "beta_cv"], coordinates=space, permutations=9
    )
    reasons = {
        (one.metric, one.side): one.chance.reason for one in report if one.chance is not None
    }
    for key in [("entropy_a", None), ("similarity_distance", None), ("beta_cv", "a")]:
        assert reasons[key]
    assert reasons["beta_cv", "b"] is None
    assert reasons["nmi", None] is None


def test_soft_rows_are_permuted() -> None:
    generator = np.random.default_rng(5)
    soft = generator.dirichlet([0.3, 0.3], 30)
    (result,) = clustcmp.compare(soft.argmax(axis=1), soft, ["ari"], permutations=99, seed=0)
    assert result.chance is not None
    assert result.chance.p == 0.01
    assert result.chance.mean == pytest.approx(0.0, abs=0.05)
    assert not result.chance.exact


def test_cdistance_draws_19_times_unless_it_is_named() -> None:
    space = np.random.default_rng(0).normal(size=(12, 2))
    a, b = [0] * 6 + [1] * 6, [0] * 5 + [1] * 7
    report = clustcmp.compare(a, b, coordinates=space, permutations=30, seed=0)
    chance = report.result("cdistance").chance
    assert chance is not None
    assert chance.draws == 19
    (named,) = clustcmp.compare(a, b, ["cdistance"], coordinates=space, permutations=30, seed=0)
    assert named.chance is not None
    assert named.chance.draws == 30


def test_counts_alone_are_those_of_the_whole_tables() -> None:
    from clustcmp.model.chance import draw_counts, draw_tables

    table = Contingency.of([[3, 1, 4], [1, 5, 2]])
    counts = islice(draw_counts(table, np.random.default_rng(2)), 20)
    whole = islice(draw_tables(table, np.random.default_rng(2)), 20)
    for one, other in zip(counts, whole, strict=True):
        assert sorted(one.tolist()) == sorted(other.masses.tolist())


@pytest.mark.parametrize("small", [0, 2, 50])
def test_pairs_of_shuffled_points_have_their_probabilities(
    small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Pairs within small clusters are compared, those within large ones counted by cells.
    from clustcmp.model import chance

    monkeypatch.setattr(chance, "SMALL_CLUSTER", small)
    rows, columns = (1, 2, 2, 4), (3, 3, 3)
    table = Contingency.of([[1, 0, 0], [1, 1, 0], [0, 1, 1], [1, 1, 2]])
    expected: dict[int, float] = {}
    for one in all_tables(rows, columns):
        weight = 20_000 * float(probability(one, rows, columns))
        expected[pairs_in(one)] = expected.get(pairs_in(one), 0.0) + weight
    drawn = Counter(islice(chance.draw_pairs(table, np.random.default_rng(5)), 20_000))
    assert set(drawn) <= set(expected)
    statistic = sum((drawn[pairs] - mean) ** 2 / mean for pairs, mean in expected.items())
    from scipy.stats import chi2

    assert statistic < chi2.ppf(0.9999, len(expected) - 1)


def test_pairs_of_shuffled_points_do_not_depend_on_which_side_is_a() -> None:
    from clustcmp.model.chance import draw_pairs

    dense = np.array([[3, 1, 4], [1, 5, 2]])
    one, other = (
        list(islice(draw_pairs(Contingency.of(table), np.random.default_rng(2)), 50))
        for table in (dense, dense[::-1].T)
    )
    assert one == other
    assert len(set(one)) > 1


@pytest.mark.parametrize("asked", [["ari"], ["ari", "vi"], ["ari", "match"]])
def test_the_chance_of_pairs_is_near_its_exact_moments_whatever_else_is_asked(
    asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Pairs alone, counts and whole tables are drawn in different ways.
    generator = np.random.default_rng(0)
    a, b = generator.integers(0, 40, 200), generator.integers(0, 60, 200)
    by_cells = chance_of(a, b, "jaccard", permutations=2000)
    monkeypatch.setattr(drawing, "DENSE_CELLS", 1)
    report = clustcmp.compare(a, b, [*asked, "jaccard"], permutations=2000, seed=1)
    ari, jaccard = report.result("ari").chance, report.result("jaccard").chance
    assert ari is not None
    assert jaccard is not None
    assert ari.exact
    assert ari.p == jaccard.p
    assert jaccard.mean == pytest.approx(by_cells.mean, rel=0.03)
    assert jaccard.sd == pytest.approx(by_cells.sd, rel=0.1)


@pytest.mark.parametrize("labels", [[1], [1, 2, 3], [1, 1, 1]])
@pytest.mark.parametrize("metric", ["jaccard", "pair_f1", "ari", "nmi", "f_measure"])
def test_where_only_equal_clusterings_are_possible_chance_has_their_value(
    labels: list[int], metric: str
) -> None:
    # The formulas of jaccard and pair_f1 are 0/0 without any pair.
    (result,) = clustcmp.compare(labels, labels, [metric], permutations=9, seed=1)
    assert result.chance is not None
    assert (result.chance.mean, result.chance.sd, result.chance.p) == (1.0, 0.0, 1.0)


def test_a_draw_equal_to_a_has_the_best_value_where_the_formula_is_0_over_0() -> None:
    # Of {1, 2} and {3} the draw is equal in one of three cases, with jaccard 1, else 0.
    draws = clustcmp.compare([1, 1, 2], [1, 1, 2], ["jaccard"], permutations=99, seed=1).draws
    assert set(draws["jaccard"]) == {0.0, 1.0}
