"""A matrix as a heat map under the tree that joins similar clusterings."""

from __future__ import annotations

import numpy as np

from clustcmp.analyses.matrix.order import BEST_LEAVES, distances_between
from clustcmp.analyses.matrix.report import Matrix
from clustcmp.arrays import Floats
from clustcmp.render.blocks import Chart, Square
from clustcmp.render.drawings import Tree
from clustcmp.render.widths import short
from clustcmp.render.words import show_value

# More rows and columns make a page slow; the table has all.
MOST_ROWS = 200


def tree_chart(found: Matrix, square: Square, columns: list[int]) -> Chart | None:
    """The values of all clusterings, in the order of the table, with the tree of similar ones."""
    n = len(square.names)
    if n > MOST_ROWS:
        return None
    joins = find_joins(found, columns)
    medoid = square.medoid
    how = [
        "Each cell compares the clustering of its row with that of its column; the darker, the "
        "more alike."
    ]
    if joins:
        how.append(
            "The tree above joins the most similar clusterings first: the higher the join, the "
            "less alike."
        )
    if medoid is not None:
        how.append("◆ marks the medoid, which is most like all others.")
    text = f"{n} rows and columns."
    between = square.values[~np.eye(n, dtype=np.bool_)]
    if known := between[~np.isnan(between)].tolist():
        text += f" Values between two clusterings are from {show_value(min(known))} to "
        text += f"{show_value(max(known))}."
    if medoid is not None:
        text += f" The medoid is {short(square.names[medoid])}."
    drawing = Tree(
        square.names, square.values, joins, medoid, square.higher_is_better, found.metric
    )
    return Chart(f"How alike: {found.metric}", " ".join(how), text, drawing)


def find_joins(found: Matrix, columns: list[int]) -> list[tuple[float, float, float, float, float]]:
    """The joins of the tree; none if the columns are not in the order of its leaves."""
    n = len(columns)
    if found.higher_is_better is None or n < 3:
        return []
    distances = distances_between(found.cells, found.higher_is_better, found.best)
    if distances is None or not distances.any():
        return []
    return join(distances, columns)


def join(distances: Floats, columns: list[int]) -> list[tuple[float, float, float, float, float]]:
    """The joins of the tree of average linkage."""
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    n = len(columns)
    condensed = squareform(distances / distances.max(), checks=False)
    tree = linkage(condensed, "average", optimal_ordering=n <= BEST_LEAVES)
    place = np.empty(n)
    place[columns] = np.arange(n)
    where = [*place.tolist()]
    spans: list[tuple[float, float, int]] = [(one, one, 1) for one in where]
    heights = [0.0] * n
    highest = float(tree[-1, 2]) or 1.0
    joins = []
    for left, right, height, _ in tree.tolist():
        i, j = sorted((int(left), int(right)), key=where.__getitem__)
        low, high = min(spans[i][0], spans[j][0]), max(spans[i][1], spans[j][1])
        size = spans[i][2] + spans[j][2]
        if high - low != size - 1:
            # The leaves of a branch are not neighbours: the columns are in an order of their own.
            return []
        joins.append((where[i], where[j], heights[i], heights[j], height / highest))
        where.append((where[i] + where[j]) / 2.0)
        heights.append(height / highest)
        spans.append((low, high, size))
    return joins
