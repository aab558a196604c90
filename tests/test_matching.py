"""Clusters are matched optimally, however many there are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from clustcmp import matching
from clustcmp.matching import WeightedCells, find_prices, match_by_prices, match_lines

Table = np.ndarray[Any, np.dtype[Any]]


def tables(largest: int) -> st.SearchStrategy[Table]:
    """Small tables with many zeros and ties."""
    return st.tuples(st.integers(1, 7), st.integers(1, 7)).flatmap(
        lambda shape: st.lists(
            st.one_of(st.just(0), st.integers(1, 3), st.integers(1, largest)),
            min_size=shape[0] * shape[1],
            max_size=shape[0] * shape[1],
        ).map(lambda weights: np.array(weights).reshape(shape))
    )


def matched_weight(table: Table) -> float:
    """The weight of our matching, which is checked to be one."""
    rows, columns = np.nonzero(table)
    chosen = match_lines(rows, columns, table[rows, columns], *table.shape)
    assert len(set(rows[chosen])) == len(set(columns[chosen])) == len(chosen)
    return float(table[rows[chosen], columns[chosen]].sum())


def best_weight(table: Table) -> float:
    """The largest weight, by scipy."""
    return float(table[linear_sum_assignment(table, maximize=True)].sum())


@given(table=tables(1000))
@settings(max_examples=300)
def test_small_tables_are_matched_optimally(table: Table) -> None:
    assert matched_weight(table) == best_weight(table)


# Here a matching of most lines alone would leave out a line that costs something.
TIGHT = np.array([[2, 2, 3, 1, 0], [0, 1, 2, 1, 1]])


@given(table=tables(1000))
@example(table=TIGHT)
@example(table=TIGHT.T)
@settings(max_examples=300)
def test_large_tables_are_matched_optimally(table: Table) -> None:
    # Without room for a dense table even the smallest tables are matched like the largest.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "LARGEST_DENSE_TABLE", -1)
        assert matched_weight(table) == best_weight(table)


@given(table=tables(1000))
@settings(max_examples=300)
def test_prices_alone_find_the_optimum_and_prove_it(table: Table) -> None:
    rows, columns = np.nonzero(table)
    cells = WeightedCells(rows, columns + len(table), table[rows, columns], sum(table.shape))
    prices = find_prices(cells)
    chosen = match_by_prices(cells, prices)
    assert (cells.weights <= prices[cells.rows] + prices[cells.columns]).all()
    assert cells.weights[chosen].sum() == prices.sum() == best_weight(table)


@given(table=tables(1000))
def test_soft_tables_are_matched_optimally(table: Table) -> None:
    assert matched_weight(table / 7.0) == pytest.approx(best_weight(table / 7.0))


def test_a_greedy_matching_would_be_worse() -> None:
    assert matched_weight(np.array([[5, 4], [4, 0]])) == 8.0


def test_many_small_clusters_are_matched_without_a_dense_table() -> None:
    generator = np.random.default_rng(0)
    a, b = generator.integers(0, 30_000, (2, 60_000))
    cells, weights = np.unique(a * 30_000 + b, return_counts=True)
    rows, columns = np.divmod(cells, 30_000)
    chosen = match_lines(rows, columns, weights, 30_000, 30_000)
    prices = find_prices(WeightedCells(rows, columns + 30_000, weights, 60_000))
    assert len(set(rows[chosen])) == len(set(columns[chosen])) == len(chosen)
    assert weights[chosen].sum() == prices.sum()


@pytest.mark.parametrize(("largest", "unused"), [(4, "match_by_prices"), (3, "match_dense_table")])
def test_small_tables_are_matched_as_a_whole_and_larger_ones_by_prices(
    largest: int, unused: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # In a table of 2 x 2 cells 3 + 3 is more than 4 + 1.
    monkeypatch.setattr(matching, "LARGEST_DENSE_TABLE", largest)
    monkeypatch.setattr(matching, unused, None)
    rows, columns = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    weights = np.array([4, 3, 3, 1])
    assert sorted(match_lines(rows, columns, weights, 2, 2).tolist()) == [1, 2]
