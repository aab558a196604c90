"""Bounds of the transport between two clusters, made narrower step by step.

Most pairs of clusters share no points, or few. Such pairs share the cells of their clusters: the
cells of each cluster are made once, on several levels, each with twice as many cells. Where much
mass stays at its place it cancels first, and the rest gets cells of its own, which are cut where
the gap between the bounds is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from clustcmp.arrays import Floats
from clustcmp.transport.bounds import bound_transport
from clustcmp.transport.cells import Cells, one_cell, refine, single_points, split, without_points
from clustcmp.transport.clock import Clock
from clustcmp.transport.distances import left_to_move
from clustcmp.transport.places import Places, Spread

# Cells of each cluster to begin with.
FIRST = 48

# A cluster with at most so many times as many points as cells is taken point by point.
POINTS_EACH = 4

# Cells whose parts of the gap make up this share of all are cut.
CUT_SHARE = 0.97

# From this level on a pair has cells of its own: each pair has its gaps in other places.
OWN_FROM = 3

# Mass that two clusters have at the same places cancels if it is more than this share.
WORTH_CANCELLING = 0.02


@dataclass(frozen=True, eq=False)
class Cloud:
    """A cluster as cells on several levels; `finest` are those of the last one, with points."""

    finest: Cells
    levels: tuple[Cells, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether no cell of the last level can be cut."""
        return bool(self.levels) and float(self.levels[-1].spread.max()) == 0.0

    def at(self, level: int) -> Cells:
        """The cells of a level, or of the last one if all places are single there."""
        return self.levels[min(level, len(self.levels) - 1)]


class Pair(NamedTuple):
    """Two clusters, a's cluster `row` and b's cluster `column`, and bounds of their distance.

    `share` is the mass that moves, of 1 in all, if equal mass has cancelled; then `cells` are those
    of the rest, and `gaps` what each of them adds to the gap. Otherwise the pair takes the cells of
    its clusters on a level.
    """

    row: int
    column: int
    low: float = 0.0
    high: float = math.inf
    level: int = 0
    share: float = 1.0
    cells: tuple[Cells, Cells] | None = None
    gaps: tuple[Floats, Floats] | None = None
    is_done: bool = False


def start_cloud(positions: Floats, spread: Spread) -> Cloud:
    """A cluster as one cell, and on its first level; places without mass are left out."""
    has_mass = spread.masses > 0.0
    return deepen(Cloud(one_cell(positions[spread.places[has_mass]], spread.masses[has_mass])))


def deepen(cloud: Cloud) -> Cloud:
    """The cloud with one more level; complete clouds stay as they are."""
    if cloud.is_complete:
        return cloud
    finest = to_count(cloud.finest, FIRST << len(cloud.levels))
    # Pairs cut the cells of later levels by themselves, for which points are needed.
    may_be_cut = len(cloud.levels) >= OWN_FROM or float(finest.spread.max()) == 0.0
    return Cloud(finest, (*cloud.levels, finest if may_be_cut else without_points(finest)))


def to_count(cells: Cells, count: int) -> Cells:
    """About so many cells, or all points where these are not many more."""
    if len(cells.points) <= POINTS_EACH * count:
        return single_points(cells.points, cells.weights)
    return refine(cells, count)


def start_pair(
    places: Places, positions: Floats, a: Spread, b: Spread, row: int, column: int
) -> Pair:
    """Two clusters without bounds; with cells of their own if much of their mass stays."""
    sources, supply, sinks, demand = left_to_move(places, a, b)
    if not len(sources) or not len(sinks):
        return Pair(row, column, 0.0, 0.0, is_done=True)
    share = math.fsum(supply) / (a.total * b.total)
    if share >= 1.0 - WORTH_CANCELLING:
        return Pair(row, column)
    cells = (
        to_count(one_cell(positions[sources], supply), FIRST),
        to_count(one_cell(positions[sinks], demand), FIRST),
    )
    return Pair(row, column, share=share, cells=cells)


def bound_level(clock: Clock, task: tuple[Pair, Cells, Cells]) -> Pair:
    """The pair with its first bounds, or with those by the cells of a finer level.

    When time is over a pair that has bounds stays as it is.
    """
    pair, *cells = task
    if clock.is_over and pair.high < math.inf:
        return pair
    if pair.cells is not None:
        if pair.gaps is None:
            return bounded(pair, *pair.cells)
        halves = (cut(*one) for one in zip(pair.cells, pair.gaps, strict=True))
        return bounded(pair, *halves)
    found = bounded(pair, *cells)
    level = pair.level if pair.high == math.inf else pair.level + 1
    if level >= OWN_FROM:
        return found._replace(level=level)
    return found._replace(cells=None, gaps=None, level=level)


def bounded(pair: Pair, a: Cells, b: Cells) -> Pair:
    """The pair with these cells; its bounds never become wider."""
    n_points = int(a.end.max() + b.end.max())
    found = bound_transport(a, b, n_points)
    return pair._replace(
        low=max(pair.low, found.low * pair.share),
        high=min(pair.high, found.high * pair.share),
        cells=(a, b),
        gaps=(found.gaps_a, found.gaps_b),
        is_done=a.spread.max() == b.spread.max() == 0.0,
    )


def by_points(pair: Pair, a: Cloud, b: Cloud) -> Pair:
    """The pair with each point as a cell."""
    cells = pair.cells or (a.finest, b.finest)
    whole = [single_points(one.points, one.weights) for one in cells]
    return pair._replace(cells=(whole[0], whole[1]), gaps=None)


def cut(cells: Cells, gaps: Floats) -> Cells:
    """The cells with the largest gaps cut in two; if these are single places, all others are."""
    if len(cells.points) <= POINTS_EACH * cells.count:
        return single_points(cells.points, cells.weights)
    order = np.argsort(-gaps, kind="stable")
    before = np.cumsum(gaps[order]) - gaps[order]
    finer = split(cells, order[(before < CUT_SHARE * gaps.sum()) & (gaps[order] > 0.0)])
    return finer if finer.count > cells.count else split(cells, np.arange(cells.count))


def next_size(pair: Pair, a: Cloud, b: Cloud) -> tuple[int, int]:
    """At least the number of sources and sinks that the next bounds need."""
    if pair.cells is None:
        count = FIRST << (pair.level + 1)
        at_most = (
            len(one.finest.points) if not one.is_complete else one.levels[-1].count
            for one in (a, b)
        )
        sizes = [n if n <= POINTS_EACH * count else count for n in at_most]
    else:
        sizes = [
            n if n <= POINTS_EACH * one.count else 2 * one.count
            for one in pair.cells
            for n in [len(one.points)]
        ]
    return sizes[0], sizes[1]
