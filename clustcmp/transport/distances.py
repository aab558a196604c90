"""The optimal transport distances between each cluster of a and each cluster of b.

Each problem is made as small as possible without changing its optimum: mass that both clusters
have at a place stays there, if the ground distance is a metric; in one dimension the distribution
functions tell the distance without a solver. The problems are independent of each other, so they
are solved by the backend in use: many of them in one call of the kernel, if the distance is
Euclidean and the kernel was built, otherwise one by one by POT.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.backends import map_tasks
from clustcmp.errors import LimitExceeded
from clustcmp.transport.exact import BYTES_PER_CELL, check_memory, transport
from clustcmp.transport.native import Clouds, as_clouds, load_kernel
from clustcmp.transport.places import Places, Spread

# A smaller share of all mass is the rounding error of a difference of equal masses.
DUST = 1e-15

# A task solves problems of at least this many cells in all: handing over a task takes as long as
# solving a small problem, and a million pairs of clusters would be a million tasks.
BATCH_CELLS = 1 << 15

# The kernel solves small problems hundreds of times faster.
KERNEL_CELLS = 1 << 18

# Memory of the kernel for each cell: one number in single precision, and room to grow.
KERNEL_BYTES = 5


@dataclass(frozen=True, eq=False)
class Problems:
    """The transport problems between each spread of a and each spread of b over the same places."""

    places: Places
    a: Sequence[Spread]
    b: Sequence[Spread]


class Batch(NamedTuple):
    """Some of the problems: the one of `rows[i]` of a and `columns[i]` of b, for each i."""

    rows: Integers
    columns: Integers


def cluster_distances(problems: Problems, jobs: int, solver: str = "auto") -> Floats:
    """The (n_a, n_b) optimal transport distances between all spreads of a and all of b."""
    solve = partial(solve_batch, problems)
    cells = BATCH_CELLS
    if takes_kernel(problems.places, solver):
        check_sizes(problems, jobs, KERNEL_BYTES)
        solve = partial(solve_clouds, as_clouds(problems.places, problems.a, problems.b))
        cells = KERNEL_CELLS
    elif not problems.places.on_a_line:
        check_sizes(problems, jobs)
    sizes = count_cells(problems)
    batches = plan_batches(sizes, cells)
    costs = [float(sizes[batch.rows, batch.columns].sum()) for batch in batches]
    solved = map_tasks(solve, batches, jobs, what="transport between clusters", costs=costs)
    distances = np.zeros((len(problems.a), len(problems.b)))
    for batch, found in zip(batches, solved, strict=True):
        distances[batch.rows, batch.columns] = found
    return distances


def takes_kernel(places: Places, solver: str) -> bool:
    """Whether the kernel solves the problems between these places."""
    return (
        solver == "auto"
        and places.ground == "euclidean"
        and places.coordinates is not None
        and not places.on_a_line
        and load_kernel() is not None
    )


def count_cells(problems: Problems) -> Integers:
    """The number of distances between the places of each cluster of a and each of b."""
    n_places_a, n_places_b = (
        [len(spread.places) for spread in spreads] for spreads in (problems.a, problems.b)
    )
    return np.outer(n_places_a, n_places_b)


def plan_batches(sizes: Integers, cells_each: int) -> list[Batch]:
    """All pairs of clusters; the largest first, as one at the end would leave other cores idle."""
    order = np.argsort(-sizes, axis=None, kind="stable")
    cells = np.cumsum(sizes.ravel()[order])
    # A new batch begins with the pair that brings the sum over a border.
    begins = np.flatnonzero(np.diff(cells // cells_each)) + 1
    rows, columns = np.unravel_index(order, sizes.shape)
    borders = [0, *begins.tolist(), len(order)]
    return [Batch(rows[first:last], columns[first:last]) for first, last in pairwise(borders)]


def solve_clouds(clouds: Clouds, batch: Batch) -> Floats:
    """The optimal transport distances of the problems of a batch, by the kernel."""
    return clouds.distances(batch.rows, batch.columns)


def solve_batch(problems: Problems, batch: Batch) -> Floats:
    """The optimal transport distances of the problems of a batch, by POT or on a line."""
    places, a, b = problems.places, problems.a, problems.b
    pairs = zip(batch.rows.tolist(), batch.columns.tolist(), strict=True)
    return np.array([spread_distance(places, a[row], b[column]) for row, column in pairs])


def check_sizes(problems: Problems, jobs: int, bytes_per_cell: int = BYTES_PER_CELL) -> None:
    """Refuse problems that do not fit in memory.

    The number of places of each cluster is an upper bound, and quickly known. Only if that seems
    too much, the size of each problem is determined after equal masses have cancelled.
    """
    places, a, b = problems.places, problems.a, problems.b
    try:
        check_memory([(len(x.places), len(y.places)) for x in a for y in b], jobs, bytes_per_cell)
    except LimitExceeded:
        check_memory([problem_size(places, x, y) for x in a for y in b], jobs, bytes_per_cell)


def spread_distance(places: Places, a: Spread, b: Spread) -> float:
    """The optimal transport distance between two spreads, each scaled to a mass of 1."""
    if places.on_a_line:
        return line_distance(places.positions[:, 0], a, b)
    sources, supply, sinks, demand = left_to_move(places, a, b)
    if not len(sources) or not len(sinks):
        return 0.0
    share = math.fsum(supply) / (a.total * b.total)
    return share * transport(places.cost(sources, sinks), supply, demand)


def problem_size(places: Places, a: Spread, b: Spread) -> tuple[int, int]:
    """The number of sources and sinks of the problem that is left to solve."""
    sources, _, sinks, _ = left_to_move(places, a, b)
    return len(sources), len(sinks)


def left_to_move(places: Places, a: Spread, b: Spread) -> tuple[Integers, Floats, Integers, Floats]:
    """Sources with their supply and sinks with their demand.

    All masses, as shares of their side, are multiplied by a.total * b.total. In these units the
    masses of hard clusters are whole numbers, so equal ones cancel exactly.
    """
    supply, demand = a.masses * b.total, b.masses * a.total
    if not places.may_cancel:
        if places.coordinates is not None and is_same(a.places, supply, b.places, demand):
            # Each place keeps its mass at the distance 0 from itself, whatever the ground.
            return a.places[:0], supply[:0], b.places[:0], demand[:0]
        return a.places, supply, b.places, demand
    at = np.minimum(np.searchsorted(b.places, a.places), len(b.places) - 1)
    in_a = np.flatnonzero(b.places[at] == a.places)
    in_b = at[in_a]
    stays = np.minimum(supply[in_a], demand[in_b])
    supply[in_a] -= stays
    demand[in_b] -= stays
    dust = DUST * a.total * b.total
    moves, receives = supply > dust, demand > dust
    return a.places[moves], supply[moves], b.places[receives], demand[receives]


def is_same(sources: Integers, supply: Floats, sinks: Integers, demand: Floats) -> bool:
    """Whether each source is a sink of the same mass."""
    return np.array_equal(sources, sinks) and np.array_equal(supply, demand)


def line_distance(positions: Floats, a: Spread, b: Spread) -> float:
    """The area between the distribution functions of two spreads on a line."""
    places = np.concatenate([a.places, b.places])
    masses = np.concatenate([a.masses / a.total, -b.masses / b.total])
    order = np.argsort(places, kind="stable")
    difference = np.cumsum(masses[order])[:-1]
    return math.fsum(np.abs(difference) * np.diff(positions[places[order]]))
