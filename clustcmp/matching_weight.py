"""The weight of the best one-to-one match between the rows and the columns of a sparse table.

The weight is unique where the matching is not, so it can be found by steps that never say which
cells are matched: leaves are folded into the line that they hang on, and what is left falls apart
into components that share no line. A million small clusters are a million tiny problems.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.errors import LimitExceeded
from clustcmp.matching import WeightedCells, build_graph, take_sure_cells

# Components are solved together until they have so many lines: one call for each of 100,000 tiny
# components would take longer than solving them.
LINES_AT_ONCE = 512

# 32 MB as float64. A small dense table is solved faster than a sparse one.
LARGEST_DENSE_TABLE = 1 << 18

# The rows of one component times its cells. The sparse solver takes up to a minute for so many.
MOST_WORK = 10**10


def weigh_matching(
    rows: Integers, columns: Integers, weights: Floats, n_rows: int, n_columns: int
) -> float:
    """The largest total weight of cells of which no two share a row or a column.

    The cells are different and their weights positive. No table of all rows and columns is built.
    """
    cells = WeightedCells(rows, columns + n_rows, weights, n_rows + n_columns)
    sure, left = take_sure_cells(cells)
    folded, core = fold_leaves(cells.take(left))
    parts = [weigh_core(part) for part in split(core)]
    return math.fsum([math.fsum(weights[sure]), folded, *parts])


def fold_leaves(cells: WeightedCells) -> tuple[float, WeightedCells]:
    """The weight that leaves are sure to add, and the cells without leaves.

    A leaf is a line with one cell, which hangs on the other line of the cell, its hub. The hub can
    always be matched with its heaviest leaf. Another cell of the hub adds only what it weighs more
    than that (Karp and Sipser 1981, with weights).
    """
    sums = []
    while len(cells.weights):
        if cells.n_lines > 4 * len(cells.weights):
            cells, _ = cells.renumber()
        degrees = np.bincount(cells.rows, minlength=cells.n_lines)
        degrees += np.bincount(cells.columns, minlength=cells.n_lines)
        heaviest = np.zeros(cells.n_lines)
        row_is_leaf = degrees[cells.rows] == 1
        column_is_leaf = (degrees[cells.columns] == 1) & ~row_is_leaf
        for is_leaf, hubs in ((row_is_leaf, cells.columns), (column_is_leaf, cells.rows)):
            np.maximum.at(heaviest, hubs[is_leaf], cells.weights[is_leaf])
        if not heaviest.any():
            break
        sums.append(math.fsum(heaviest))
        left = cells.weights - heaviest[cells.rows] - heaviest[cells.columns]
        kept = (left > 0.0) & ~row_is_leaf & ~column_is_leaf
        cells = cells._replace(weights=left).take(kept)
    return math.fsum(sums), cells


def split(cells: WeightedCells) -> Iterator[WeightedCells]:
    """The cells by their components; small components stay together."""
    if not len(cells.weights):
        return
    from scipy.sparse.csgraph import connected_components

    cells, _ = cells.renumber()
    graph = build_graph(cells.rows, cells.columns, cells.n_lines)
    _, component = connected_components(graph, directed=False)
    # Components one after another, each in the batch that its last line falls into.
    batch = (np.cumsum(np.bincount(component)) // LINES_AT_ONCE)[component[cells.rows]]
    order = np.argsort(batch, kind="stable")
    for chosen in np.split(order, np.flatnonzero(np.diff(batch[order])) + 1):
        yield cells.take(chosen).renumber()[0]


def weigh_core(cells: WeightedCells) -> float:
    """The weight of a best matching of a few components, whose lines are numbered rows first."""
    n_rows = int(cells.rows.max()) + 1
    n_columns = cells.n_lines - n_rows
    columns = cells.columns - n_rows
    if n_rows * n_columns <= LARGEST_DENSE_TABLE:
        from scipy.optimize import linear_sum_assignment

        table = np.zeros((n_rows, n_columns))
        table[cells.rows, columns] = cells.weights
        return math.fsum(table[linear_sum_assignment(table, maximize=True)])
    if n_rows * len(columns) > MOST_WORK:
        raise LimitExceeded(
            f"the best matching of clusters is not computed: {cells.n_lines:,} clusters hang "
            f"together by {len(columns):,} cells of the contingency table"
        )
    return weigh_sparse(cells.rows, columns, cells.weights, n_rows, n_columns)


def weigh_sparse(
    rows: Integers, columns: Integers, weights: Floats, n_rows: int, n_columns: int
) -> float:
    """The weight of a best matching, without a table of all rows and columns."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    # The solver matches every row, so each row gets a column of its own with weight 0; and it
    # takes no cost of 0, so weights are taken from more than the largest one.
    own = np.arange(n_rows)
    top = 2.0 * float(weights.max())
    costs = top - np.concatenate([weights, np.zeros(n_rows)])
    places = np.concatenate([rows, own]), np.concatenate([columns, n_columns + own])
    graph = csr_array((costs, places), shape=(n_rows, n_columns + n_rows))
    matched_rows, matched_columns = min_weight_full_bipartite_matching(graph)
    return math.fsum(top - graph[matched_rows, matched_columns])
