"""A cloud of points as cells: boxes that are cut in two, again and again, where that matters.

A few numbers of each cell (mass, centre, covariance, box) are enough to bound transports between
clouds of any size.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from clustcmp.arrays import Flags, Floats, Integers

# With more dimensions only the trace of a covariance is used: the whole takes long to compute.
MOST_DIMENSIONS = 8


@dataclass(frozen=True, eq=False)
class Cells:
    """Points in an order in which each cell is a stretch, and what is known of each cell.

    Cell i has the points `begin[i]` to `end[i]`. `low` and `high` are the box of the points around
    the `centre`, which is their mean. `covariance` is empty if there are many dimensions; `spread`
    is its trace. `points` may be empty in cells that are not cut again.
    """

    points: Floats
    weights: Floats
    begin: Integers
    end: Integers
    mass: Floats
    centre: Floats
    low: Floats
    high: Floats
    spread: Floats
    covariance: Floats

    @property
    def count(self) -> int:
        """How many cells there are."""
        return len(self.mass)

    @property
    def radius(self) -> Floats:
        """How far a point of each cell can be from the centre."""
        farthest = np.maximum(np.abs(self.low), np.abs(self.high))
        radii: Floats = np.sqrt((farthest * farthest).sum(axis=1))
        return radii

    @property
    def reach(self) -> float:
        """A length that no point is farther from the origin than."""
        return float((np.sqrt((self.centre**2).sum(axis=1)) + self.radius).max())


def one_cell(points: Floats, weights: Floats) -> Cells:
    """All points (n, d) with their masses (n,) as one cell."""
    n, d = points.shape
    begin, end = np.array([0]), np.array([n])
    none = np.zeros((0, d))
    nothing = Cells(
        points, weights, begin[:0], end[:0], none[:, 0], none, none, none, none[:, 0], none
    )
    return measured(nothing, begin, end, np.zeros(1, dtype=np.int64))


def single_points(points: Floats, weights: Floats) -> Cells:
    """Each point as a cell."""
    n, d = points.shape
    none, begin = np.zeros((n, d)), np.arange(n)
    covariance = np.zeros((n, d, d) if d <= MOST_DIMENSIONS else (n, 0, 0))
    return Cells(
        points, weights, begin, begin + 1, weights, points, none, none, none[:, 0], covariance
    )


def without_points(cells: Cells) -> Cells:
    """The same cells, which cannot be cut again and need less memory."""
    return replace(cells, points=cells.points[:0].copy(), weights=cells.weights[:0].copy())


def refine(cells: Cells, count: int) -> Cells:
    """About so many cells: those with the most mass times spread are cut first."""
    while cells.count < count:
        score = cells.mass * cells.spread
        cuts = min(count - cells.count, max(cells.count // 2, 1))
        which = np.argsort(-score, kind="stable")[:cuts]
        more = split(cells, which[score[which] > 0.0])
        if more.count == cells.count:
            break
        cells = more
    return cells


def split(cells: Cells, which: Integers) -> Cells:
    """Each of these cells cut in two, across the longest side of its box; single places stay."""
    sides = cells.high[which] - cells.low[which]
    which, sides = which[sides.max(axis=1) > 0.0], sides[sides.max(axis=1) > 0.0]
    if not len(which):
        return cells
    begin, end = cells.begin[which], cells.end[which]
    axis = np.argmax(sides, axis=1)
    positions, owner, starts = stretches(begin, end)
    values = cells.points[positions, axis[owner]]
    beyond = values > cells.centre[which, axis][owner]
    n_beyond = np.add.reduceat(beyond.astype(np.int64), starts)
    odd = (n_beyond == 0) | (n_beyond == end - begin)
    if odd.any():
        # A centre that rounding moved onto the border of the box leaves one part empty.
        least = np.minimum.reduceat(values, starts)
        beyond = np.where(odd[owner], values > least[owner], beyond)
        n_beyond = np.add.reduceat(beyond.astype(np.int64), starts)
        which, n_beyond, beyond, positions, begin, end = without_empty(
            which, n_beyond, beyond, positions, begin, end, owner
        )
        if not len(which):
            return cells
        positions, owner, starts = stretches(begin, end)
    order = positions[np.lexsort((beyond, owner))]
    points, weights = cells.points.copy(), cells.weights.copy()
    points[positions], weights[positions] = cells.points[order], cells.weights[order]
    middle = end - n_beyond
    begins, ends = np.concatenate([cells.begin, middle]), np.concatenate([cells.end, end])
    ends[which] = middle
    changed = np.concatenate([which, np.arange(cells.count, cells.count + len(which))])
    return measured(replace(cells, points=points, weights=weights), begins, ends, changed)


def without_empty(
    which: Integers,
    n_beyond: Integers,
    beyond: Flags,
    positions: Integers,
    begin: Integers,
    end: Integers,
    owner: Integers,
) -> tuple[Integers, Integers, Flags, Integers, Integers, Integers]:
    """What `split` has found, without cells whose points all coincide."""
    fine = (n_beyond > 0) & (n_beyond < end - begin)
    return (
        which[fine],
        n_beyond[fine],
        beyond[fine[owner]],
        positions[fine[owner]],
        begin[fine],
        end[fine],
    )


def stretches(begin: Integers, end: Integers) -> tuple[Integers, Integers, Integers]:
    """The positions in all stretches, the stretch of each of them, and where each one starts."""
    lengths = end - begin
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64)
    owner = np.repeat(np.arange(len(begin)), lengths)
    return (begin - starts)[owner] + np.arange(len(owner)), owner, starts


def measured(cells: Cells, begin: Integers, end: Integers, which: Integers) -> Cells:
    """Cells with new borders, of which some are measured anew from their points."""
    d = cells.points.shape[1]
    positions, owner, starts = stretches(begin[which], end[which])
    weights = cells.weights[positions]
    # Relative to a point of the cell, no digits are lost where cells are far from the origin.
    base = cells.points[begin[which]]
    offsets = cells.points[positions] - base[owner]
    mass = np.add.reduceat(weights, starts)
    mean = np.add.reduceat(weights[:, None] * offsets, starts) / mass[:, None]
    offsets -= mean[owner]
    weighted = weights[:, None] * offsets
    squares = np.add.reduceat(weighted * offsets, starts) / mass[:, None]
    covariance = np.zeros((len(which), 0, 0))
    if d <= MOST_DIMENSIONS:
        covariance = np.zeros((len(which), d, d))
        for k in range(d):
            products = np.add.reduceat(weighted * offsets[:, k : k + 1], starts)
            covariance[:, k] = products / mass[:, None]
    news = {
        "mass": mass,
        "centre": base + mean,
        "low": np.minimum.reduceat(offsets, starts),
        "high": np.maximum.reduceat(offsets, starts),
        "spread": squares.sum(axis=1),
        "covariance": covariance,
    }
    olds = {name: getattr(cells, name) for name in news}
    grown = {name: put(olds[name], new, which, len(begin)) for name, new in news.items()}
    return Cells(cells.points, cells.weights, begin, end, **grown)


def put(old: Floats, new: Floats, which: Integers, count: int) -> Floats:
    """Rows of `count` cells: the old ones, and new ones where cells were measured."""
    rows = np.zeros((count, *new.shape[1:]))
    if len(old):
        rows[: len(old)] = old
    rows[which] = new
    return rows
