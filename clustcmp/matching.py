"""The best one-to-one match between the rows and the columns of a sparse table.

A matching takes cells of which no two share a row or a column; a best matching has the largest sum
of weights. A large table is matched in three steps: cells that are sure to be in some best matching
are taken at once, the other lines of the table get prices, and the prices show which cells are left
to choose from. A line is a row or a column. Lines have one numbering, rows first, so that one array
holds something for all lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clustcmp.arrays import Flags, Integers, Masses

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# 32 MB as float64. The worst tables, of the form a_i * b_j, take 6 s at this size, others 0.4 s.
LARGEST_DENSE_TABLE = 4_000_000

# Rounds of taking sure cells go on while each removes at least this part of the cells. A chain of
# cells would otherwise need as many rounds as it has cells.
LEAST_PROGRESS = 0.001


class WeightedCells(NamedTuple):
    """Cells of a table with their weights; `rows` and `columns` are numbers of lines."""

    rows: Integers
    columns: Integers
    weights: Masses
    n_lines: int

    def take(self, chosen: Integers | Flags) -> WeightedCells:
        """The chosen cells, with the same numbers of lines."""
        return WeightedCells(
            self.rows[chosen], self.columns[chosen], self.weights[chosen], self.n_lines
        )

    def renumber(self) -> tuple[WeightedCells, Integers]:
        """The same cells with numbers for used lines only, and the old number of each of these."""
        ends = np.concatenate([self.rows, self.columns])
        lines, renumbered = np.unique(ends, return_inverse=True)
        rows, columns = np.split(renumbered, 2)
        return WeightedCells(rows, columns, self.weights, lines.size), lines


def match_lines(
    rows: Integers, columns: Integers, weights: Masses, n_rows: int, n_columns: int
) -> Integers:
    """Positions of the cells that form a matching of the largest total weight.

    The cells are different and their weights positive. `weights[result].sum()` is the maximum,
    exact for integers, and row `rows[result]` is matched with column `columns[result]`; all other
    lines stay alone. Weights that are not integers need memory for the full table.
    """
    cells = WeightedCells(rows, columns + n_rows, weights, n_rows + n_columns)
    if weights.dtype.kind == "f":
        return match_dense_table(cells, n_rows)
    sure, left = take_sure_cells(cells)
    rest, lines = cells.take(left).renumber()
    n_rows_left = int(np.searchsorted(lines, n_rows))
    if n_rows_left * (len(lines) - n_rows_left) <= LARGEST_DENSE_TABLE:
        chosen = match_dense_table(rest, n_rows_left)
    else:
        chosen = match_by_prices(rest, find_prices(rest))
    return np.concatenate([sure, left[chosen]])


def match_dense_table(cells: WeightedCells, n_rows: int) -> Integers:
    """Positions of the cells of a best matching, found on the table with its zeros."""
    if not cells.weights.size:
        return np.empty(0, dtype=np.int64)
    from scipy.optimize import linear_sum_assignment

    table = np.zeros((n_rows, cells.n_lines - n_rows))
    table[cells.rows, cells.columns - n_rows] = cells.weights
    matched_rows, matched_columns = linear_sum_assignment(table, maximize=True)
    partner = np.full(n_rows, -1)
    partner[matched_rows] = matched_columns + n_rows
    return np.flatnonzero(partner[cells.rows] == cells.columns)


def take_sure_cells(cells: WeightedCells) -> tuple[Integers, Integers]:
    """Positions of cells that some best matching contains, and of those still to be decided."""
    rounds = [np.empty(0, dtype=np.int64)]
    left = np.arange(cells.weights.size)
    n_before = np.inf
    while left.size and left.size <= (1 - LEAST_PROGRESS) * n_before:
        n_before = left.size
        sure = left[find_sure_cells(cells.take(left))]
        rounds.append(sure)
        taken = np.zeros(cells.n_lines, dtype=np.bool_)
        taken[cells.rows[sure]] = True
        taken[cells.columns[sure]] = True
        left = left[~taken[cells.rows[left]] & ~taken[cells.columns[left]]]
    return np.concatenate(rounds), left


def find_sure_cells(cells: WeightedCells) -> Integers:
    """Positions of cells on different lines that weigh as much as any two cells they exclude."""
    excluded_in_row = heaviest_other(cells.rows, cells.weights, cells.n_lines)
    excluded_in_column = heaviest_other(cells.columns, cells.weights, cells.n_lines)
    sure = np.flatnonzero(cells.weights >= excluded_in_row + excluded_in_column)
    # Of equal cells in a row, each alone in its column, all are sure, but only one can be taken.
    for lines in (cells.rows, cells.columns):
        sure = sure[np.unique(lines[sure], return_index=True)[1]]
    return sure


def heaviest_other(lines: Integers, weights: Masses, n_lines: int) -> Masses:
    """For each cell the largest weight among the other cells of its line, 0 if it is alone."""
    largest = np.zeros(n_lines, dtype=weights.dtype)
    np.maximum.at(largest, lines, weights)
    is_largest = weights == largest[lines]
    second = np.zeros(n_lines, dtype=weights.dtype)
    np.maximum.at(second, lines[~is_largest], weights[~is_largest])
    is_tied = np.bincount(lines[is_largest], minlength=n_lines) > 1
    second[is_tied] = largest[is_tied]
    return np.where(is_largest, second[lines], largest[lines])


def find_prices(cells: WeightedCells) -> Integers:
    """The cheapest prices of lines such that no cell weighs more than its row and column cost.

    Cheapest means that the sum of all prices is as small as possible. This sum is the weight of a
    best matching.
    """
    prices = np.zeros(cells.n_lines, dtype=np.int64)
    floor = 1 << int(cells.weights.max(initial=0)).bit_length()
    # The excess over a floor is paid before lighter cells are looked at (Kao, Lam, Sung and Ting
    # 2001). Halving the floor keeps the many levels of large weights to the few cells that reach
    # them.
    while floor > 0:
        floor //= 2
        unpaid = cells.weights - prices[cells.rows] - prices[cells.columns]
        heavy = unpaid > floor
        excess = WeightedCells(
            cells.rows[heavy], cells.columns[heavy], unpaid[heavy] - floor, cells.n_lines
        )
        renumbered, lines = excess.renumber()
        prices[lines] += pay_by_levels(renumbered)
    return prices


def pay_by_levels(cells: WeightedCells) -> Integers:
    """The cheapest prices of lines, built from the largest weight down to 0."""
    prices = np.zeros(cells.n_lines, dtype=np.int64)
    unpaid = cells.weights
    while unpaid.size:
        top = unpaid.max()
        at_top = unpaid == top
        step = top - unpaid.max(where=~at_top, initial=0)
        prices += step * cover_lines(cells.take(at_top))
        unpaid = cells.weights - prices[cells.rows] - prices[cells.columns]
        cells = cells.take(unpaid > 0)
        unpaid = unpaid[unpaid > 0]
    return prices


def cover_lines(cells: WeightedCells) -> Flags:
    """Whether a line belongs to a smallest set of lines that contains all cells."""
    from scipy.sparse.csgraph import breadth_first_order

    matched = match_most_lines(cells.rows, cells.columns, cells.n_lines)
    is_free = np.zeros(cells.n_lines, dtype=np.bool_)
    is_free[cells.rows] = True
    is_free[cells.rows[matched]] = False
    free = np.flatnonzero(is_free)
    # Koenig: walk from the free rows along cells to columns, and back along matched cells to rows.
    # Rows that the walk misses and columns that it meets cover all cells.
    start = cells.n_lines
    sources = np.concatenate([np.full(free.size, start), cells.rows, cells.columns[matched]])
    targets = np.concatenate([free, cells.columns, cells.rows[matched]])
    walk = build_graph(sources, targets, cells.n_lines + 1)
    is_met = np.zeros(cells.n_lines + 1, dtype=np.bool_)
    is_met[breadth_first_order(walk, start, return_predecessors=False)] = True
    is_met[cells.rows] = ~is_met[cells.rows]
    return is_met[:start]


def match_by_prices(cells: WeightedCells, prices: Integers) -> Integers:
    """Positions of the cells of a best matching, given the cheapest prices of the lines.

    A matching is best if its cells weigh what their lines cost and it leaves out no line that costs
    something. One matching is built that keeps this for rows and one for columns. In each connected
    part of their union one of the two keeps it for both (Mendelsohn and Dulmage 1958), and this is
    the heavier one.
    """
    from scipy.sparse.csgraph import connected_components

    tight = np.flatnonzero(cells.weights == prices[cells.rows] + prices[cells.columns])
    of_rows = tight[prices[cells.rows[tight]] > 0]
    of_columns = tight[prices[cells.columns[tight]] > 0]
    first = of_rows[match_most_lines(cells.rows[of_rows], cells.columns[of_rows], cells.n_lines)]
    second = of_columns[
        match_most_lines(cells.columns[of_columns], cells.rows[of_columns], cells.n_lines)
    ]
    both = cells.take(np.concatenate([first, second]))
    union = build_graph(both.rows, both.columns, cells.n_lines)
    n_parts, part_of_line = connected_components(union, directed=False)
    part = part_of_line[cells.rows]
    weight_of_first = np.bincount(part[first], cells.weights[first], n_parts)
    weight_of_second = np.bincount(part[second], cells.weights[second], n_parts)
    prefers_first = weight_of_first >= weight_of_second
    return np.concatenate([first[prefers_first[part[first]]], second[~prefers_first[part[second]]]])


def match_most_lines(sources: Integers, targets: Integers, n_lines: int) -> Integers:
    """Positions of as many cells as possible of which no two share a line."""
    from scipy.sparse.csgraph import maximum_bipartite_matching

    graph = build_graph(sources, targets, n_lines)
    partner = maximum_bipartite_matching(graph, perm_type="column")
    return np.flatnonzero(partner[sources] == targets)


def build_graph(sources: Integers, targets: Integers, n_nodes: int) -> csr_array:
    """The directed graph with an edge from each source to its target."""
    from scipy.sparse import csr_array

    edges = np.ones(sources.size, dtype=np.int8)
    return csr_array((edges, (sources, targets)), shape=(n_nodes, n_nodes))
