"""What is computed for each cluster, and for each point, of a table of two hard clusterings.

Each value is a column: of all clusters of one side, or of all cells, whose points have the same
values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.model import Contingency


class Measure(NamedTuple):
    """A column: what it is, which direction is better, and the function that computes it."""

    about: str
    higher_is_better: bool
    compute: Callable[..., Floats]


class OneSide(NamedTuple):
    """The clusters of one side: for each cell its cluster, its mass, and the sizes of both.

    `sizes` are those of all clusters of this side, `together` is the share of all pairs of points
    that the other side has together.
    """

    cluster: Integers
    masses: Floats
    own: Floats
    other: Floats
    sizes: Floats
    together: float


class Cells(NamedTuple):
    """All cells: their masses, the sizes of their clusters, and the number of points."""

    masses: Floats
    in_a: Floats
    in_b: Floats
    total: float


def side_of(table: Contingency, name: str) -> OneSide:
    """The clusters of one side of a table."""
    sides = (table.rows, table.masses_a), (table.columns, table.masses_b)
    (cluster, sizes), (others, other_sizes) = sides if name == "a" else sides[::-1]
    n_pairs = pairs_in(np.array([float(table.total)]))[0]
    together = pairs_in(other_sizes.astype(np.float64)).sum() / n_pairs if n_pairs else 1.0
    return OneSide(
        cluster,
        table.masses.astype(np.float64),
        sizes[cluster].astype(np.float64),
        other_sizes[others].astype(np.float64),
        sizes.astype(np.float64),
        float(together),
    )


def cells_of(table: Contingency) -> Cells:
    """The cells of a table."""
    in_a, in_b = table.masses_a[table.rows], table.masses_b[table.columns]
    return Cells(
        table.masses.astype(np.float64),
        in_a.astype(np.float64),
        in_b.astype(np.float64),
        float(table.total),
    )


def pairs_in(masses: Floats) -> Floats:
    """The number of pairs among so many points."""
    pairs: Floats = masses * (masses - 1.0) / 2.0
    return pairs


def summed(side: OneSide, values: Floats) -> Floats:
    """The sum over the cells of each cluster."""
    sums = np.bincount(side.cluster, weights=values, minlength=len(side.sizes))
    return sums.astype(np.float64)


def largest(side: OneSide, values: Floats) -> Floats:
    """The largest value among the cells of each cluster."""
    found = np.zeros(len(side.sizes))
    np.maximum.at(found, side.cluster, values)
    return found


def parts(side: OneSide) -> Floats:
    """How many clusters of the other side it meets."""
    return summed(side, np.ones(len(side.masses)))


def largest_share(side: OneSide) -> Floats:
    """The largest share of it in one cluster of the other side."""
    return largest(side, side.masses / side.own)


def f1(side: OneSide) -> Floats:
    """The F1 of its best counterpart."""
    return largest(side, 2.0 * side.masses / (side.own + side.other))


def jaccard(side: OneSide) -> Floats:
    """The Jaccard similarity of its best counterpart."""
    return largest(side, side.masses / (side.own + side.other - side.masses))


def exact(side: OneSide) -> Floats:
    """1 if the other side has the same cluster."""
    same = (side.masses == side.own) & (side.masses == side.other)
    return largest(side, same.astype(np.float64))


def pairs_kept(side: OneSide) -> Floats:
    """The share of its pairs that the other side has together; a single point has no pairs."""
    kept, pairs = summed(side, pairs_in(side.masses)), pairs_in(side.sizes)
    unknown = np.full(len(pairs), np.nan)
    share: Floats = np.divide(kept, pairs, out=unknown, where=pairs > 0.0)
    return share


def pairs_kept_adjusted(side: OneSide) -> Floats:
    """The same on the scale of chance; there is no value if the other side is one cluster."""
    if side.together == 1.0:
        return np.full(len(side.sizes), np.nan)
    adjusted: Floats = (pairs_kept(side) - side.together) / (1.0 - side.together)
    return adjusted


def element_centric(side: OneSide) -> Floats:
    """The mean of element_centric over its points."""
    score = side.masses**2 / np.maximum(side.own, side.other)
    mean: Floats = summed(side, score) / side.sizes
    return mean


def missing(side: OneSide) -> Floats:
    """How many points of it the other side parts from one of its points, on average."""
    return summed(side, side.masses * (side.own - side.masses)) / side.sizes


def extra(side: OneSide) -> Floats:
    """How many strange points the other side puts together with one of its points, on average."""
    return summed(side, side.masses * (side.other - side.masses)) / side.sizes


def entropy(side: OneSide) -> Floats:
    """How widely it is spread over clusters of the other side, in nats."""
    shares = side.masses / side.own
    # A plain minus would give a cluster in one piece the entropy -0.
    spread: Floats = 0.0 - summed(side, shares * np.log(shares))
    return spread


CLUSTER_MEASURES: Mapping[str, Measure] = {
    "f1": Measure("F1 with its best counterpart", True, f1),
    "jaccard": Measure("Jaccard similarity with its best counterpart", True, jaccard),
    "parts": Measure("clusters of the other side that it meets", False, parts),
    "largest_share": Measure("its largest share in one cluster", True, largest_share),
    "exact": Measure("1 if the other side has the same cluster", True, exact),
    "pairs_kept": Measure("its pairs that the other side has together", True, pairs_kept),
    "pairs_kept_adjusted": Measure("the same, 0 is chance", True, pairs_kept_adjusted),
    "element_centric": Measure("mean over its points", True, element_centric),
    "missing": Measure("points parted from one of its points, on average", False, missing),
    "extra": Measure("strange points put to one of its points, on average", False, extra),
    "entropy": Measure("of its spread over the other side, in nats", False, entropy),
}

# The columns that are shown unless others are named.
USUAL = {
    "cluster": ("f1", "parts", "pairs_kept", "missing", "extra"),
    "point": ("element_centric", "bcubed_precision", "bcubed_recall"),
}

POINT_MEASURES: Mapping[str, Measure] = {
    "element_centric": Measure(
        "of both clusters, over the larger one",
        True,
        lambda cells: element_score(cells),
    ),
    "bcubed_precision": Measure(
        "of its cluster in b, with it in a, too", True, lambda cells: cells.masses / cells.in_b
    ),
    "bcubed_recall": Measure(
        "of its cluster in a, with it in b, too", True, lambda cells: cells.masses / cells.in_a
    ),
    "rand": Measure(
        "other points that a and b both join to it, or both part from it",
        True,
        lambda cells: agreeing(cells),
    ),
    "overlap": Measure(
        "of both clusters together",
        True,
        lambda cells: cells.masses / (cells.in_a + cells.in_b - cells.masses),
    ),
}


def element_score(cells: Cells) -> Floats:
    """The points of a cell as a share of the larger one of their two clusters."""
    share: Floats = cells.masses / np.maximum(cells.in_a, cells.in_b)
    return share


def cells_of_points(table: Contingency, a: Integers, b: Integers) -> Integers:
    """The cell of each point, by the codes of its clusters."""
    numbers = table.rows * table.n_b + table.columns
    return np.searchsorted(numbers, a.astype(np.int64) * table.n_b + b)


def agreeing(cells: Cells) -> Floats:
    """The share of the other points on which a and b agree; 1 if there are none."""
    if cells.total == 1.0:
        return np.ones(len(cells.masses))
    either = cells.in_a + cells.in_b - cells.masses
    share: Floats = (cells.masses - 1.0 + cells.total - either) / (cells.total - 1.0)
    return share
