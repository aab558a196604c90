"""The distances between all points of one clustering, tile by tile, on all cores."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import NamedTuple, TypeVar

import numpy as np

from clustcmp.arrays import Flags, Floats, Integers
from clustcmp.backends import allowed_jobs, map_tasks
from clustcmp.errors import Undefined, UsageError
from clustcmp.geometry import ground_distances, unit_of
from clustcmp.metrics.repeating import repeat_rows
from clustcmp.model import Clustering
from clustcmp.progress import foretell

Answer = TypeVar("Answer")

# Tiles of 512 x 512 distances: 2 MB, which stays in the processor's cache.
SIDE = 512

# All tiles are divided among at most this many tasks, because each task has a result to keep.
MOST_TASKS = 256

# Seconds that a task must take to be worth a thread.
WORTHWHILE = 0.003

# How many tiles are timed to say how long all of them take.
TIMED = 8


class Tile(NamedTuple):
    """Some pairs of points: how far apart, and which are within a cluster: all, none, or a mask.

    `keys` have the order of the distances: their squares if these are Euclidean, because a root
    takes twice as long as a square. `Groups.distances` turns them into distances.
    """

    keys: Floats
    within: bool | Flags


class PairBatch(NamedTuple):
    """Some of the tiles: the one of `rows[i]` and `columns[i]`, counted in tiles, for each i."""

    rows: Integers
    columns: Integers


@lru_cache(maxsize=2)
def above_diagonal(side: int) -> tuple[Integers, Integers]:
    """The rows and columns above the diagonal of a square, which take longer than its distances."""
    rows, columns = np.triu_indices(side, 1)
    return rows, columns


@dataclass(frozen=True, eq=False)
class Groups:
    """The coordinates (n, d) of points, cluster by cluster, and the row where each cluster ends."""

    coordinates: Floats
    ends: Integers
    ground: str

    @property
    def n_pairs(self) -> int:
        """The number of unordered pairs of points."""
        return math.comb(len(self.coordinates), 2)

    @property
    def n_within(self) -> int:
        """The number of pairs of points of the same cluster."""
        return sum(math.comb(size, 2) for size in np.diff(self.ends, prepend=0).tolist())

    @cached_property
    def codes(self) -> Integers:
        """The cluster of each point."""
        return np.repeat(np.arange(len(self.ends)), np.diff(self.ends, prepend=0))

    def all_tiles(self) -> PairBatch:
        """The tiles on and above the diagonal, which have all pairs of points."""
        return PairBatch(*np.triu_indices(-(-len(self.coordinates) // SIDE)))

    def tiles(self, batch: PairBatch) -> Iterator[Tile]:
        """The tiles of a batch, with each pair of points once."""
        order = "sqeuclidean" if self.ground == "euclidean" else self.ground
        for row, column in zip(batch.rows.tolist(), batch.columns.tolist(), strict=True):
            above = slice(row * SIDE, (row + 1) * SIDE)
            beside = slice(column * SIDE, (column + 1) * SIDE)
            keys = ground_distances(self.coordinates[above], self.coordinates[beside], order)
            once = above_diagonal(len(keys)) if row == column else ()
            yield Tile(keys[once].ravel(), self._within(above, beside, once))

    def distances(self, keys: Floats) -> Floats:
        """The distances that the keys of a tile stand for."""
        return np.sqrt(keys) if self.ground == "euclidean" else keys

    def _within(self, above: slice, beside: slice, once: tuple[Integers, ...]) -> bool | Flags:
        """Which pairs of the points in two slices, of those chosen by `once`, share a cluster."""
        rows, columns = self.codes[above], self.codes[beside]
        if rows[-1] < columns[0]:
            return False
        if rows[0] == columns[-1]:
            return True
        same: Flags = rows[:, None] == columns
        return same[once].ravel()

    def map(self, compute: Callable[[Groups, PairBatch], Answer], what: str) -> list[Answer]:
        """What a function returns for batches of about the same size, which have all tiles."""
        tiles = self.all_tiles()
        n_tasks = min(len(tiles.rows), MOST_TASKS)
        split = (np.array_split(side, n_tasks) for side in tiles)
        batches = [PairBatch(*sides) for sides in zip(*split, strict=True)]
        task = partial(compute, self)
        return map_tasks(task, batches, allowed_jobs(), what=what, worthwhile=WORTHWHILE)

    def foretell(
        self, compute: Callable[[Groups, PairBatch], object], what: str, passes: int
    ) -> None:
        """Say how long a function takes for all tiles, measured with some of them."""
        tiles = self.all_tiles()
        if len(tiles.rows) <= 10 * TIMED:
            return
        some = np.linspace(0, len(tiles.rows) - 1, TIMED).astype(np.int64)
        few = PairBatch(tiles.rows[some], tiles.columns[some])
        times = passes * len(tiles.rows) / TIMED / allowed_jobs()
        foretell(f"{what} of {len(self.coordinates):,} points", partial(compute, self, few), times)


def group_points(clustering: Clustering, ground: str) -> Groups:
    """The points of a clustering, ordered by cluster.

    One cluster of all points and clusters of one point each have no value.
    """
    coordinates = clustering.points.coordinates
    if ground == "precomputed" or coordinates is None:
        raise UsageError(
            "ground=precomputed has the distances between a and b, but distances within one "
            "clustering are needed",
            hint="give coordinates and another ground, for example ground=euclidean",
        )
    if ground != "haversine":
        # Scaling the coordinates does not change the metrics, and keeps squares from overflowing.
        coordinates = coordinates / unit_of(coordinates)
    codes, repeated = clustering.membership.strongest(), repeat_rows(clustering)
    order = np.argsort(codes, kind="stable")
    if repeated is not None:
        order = repeated[np.argsort(codes[repeated], kind="stable")]
    groups = Groups(coordinates[order], np.cumsum(clustering.masses), ground)
    if len(groups.ends) == 1:
        raise Undefined("all points are in one cluster")
    if not groups.n_within:
        raise Undefined("every point is a cluster of its own")
    return groups


def sum_groups(groups: Groups) -> tuple[float, float]:
    """The sums of the distances within clusters and between clusters."""
    within, between = zip(*groups.map(sum_batch, "distances of all points"), strict=True)
    return math.fsum(within), math.fsum(between)


def sum_batch(groups: Groups, batch: PairBatch) -> tuple[float, float]:
    """The sums of the distances of a batch within clusters and between clusters."""
    within, between = list[float](), list[float]()
    for keys, is_within in groups.tiles(batch):
        distances = groups.distances(keys)
        if isinstance(is_within, bool):
            (within if is_within else between).append(float(distances.sum()))
        else:
            within.append(float(distances[is_within].sum()))
            between.append(float(distances[~is_within].sum()))
    return math.fsum(within), math.fsum(between)
