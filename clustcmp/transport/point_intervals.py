"""A proven interval of the similarity distance: of the transport and of the mean distance."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from clustcmp.arrays import Floats
from clustcmp.backends import map_tasks, stay_here
from clustcmp.model import Comparison
from clustcmp.results import Estimate
from clustcmp.transport.bounds import mean_distances, spreads_across
from clustcmp.transport.cell_pairs import (
    Pair,
    bound_level,
    deepen,
    next_size,
    start_cloud,
    start_pair,
)
from clustcmp.transport.cells import Cells
from clustcmp.transport.clock import Clock
from clustcmp.transport.clusters import moving, problems_of_points, transport_points
from clustcmp.transport.costs_of_exact import explain_cost, is_quick
from clustcmp.transport.distances import Problems
from clustcmp.transport.exact import Plan, check_memory
from clustcmp.transport.intervals import BYTES_PER_PAIR, ROUNDING, narrow

# Pairs of cells whose mean distances are bounded at once: a few arrays of 0.5 MB.
BLOCK = 1 << 16

# Up to so many pairs of points the mean distance and the transport are computed exactly.
QUICK_PAIRS = 1 << 27


def similarity_interval(comparison: Comparison, tolerance: float) -> float | Estimate:
    """The similarity distance between proven ends, or the exact one if that is quick."""
    problems = problems_of_points(comparison, "euclidean")
    (a,), (b,) = problems.a, problems.b
    left = moving(problems)
    few_pairs = len(a.places) * len(b.places) <= QUICK_PAIRS or not len(left.a[0].places)
    if few_pairs and is_quick(left):
        return exact_interval(comparison, tolerance)
    explain_cost(left, comparison.jobs)
    with Clock(comparison.budget) as clock, stay_here():
        points = Points(problems, comparison.jobs)
        return narrow(points, "similarity_distance", tolerance, clock)


def exact_interval(comparison: Comparison, tolerance: float) -> float | Estimate:
    """The exact similarity distance; with a tolerance also how far rounding may reach."""
    found = comparison.once(transport_points, "euclidean", "auto")
    value = found.optimal / found.naive if found.naive else 0.0
    if not tolerance:
        return value
    reach = ROUNDING / found.naive if found.naive else 0.0
    return Estimate(value, max(value - reach, 0.0), min(value + reach, 1.0))


class Points:
    """The interval of the similarity distance: bounds of one transport, and of a mean distance."""

    def __init__(self, problems: Problems, jobs: int) -> None:
        """The first bounds of both."""
        places, (a,), (b,) = problems.places, problems.a, problems.b
        positions = places.positions - places.positions.mean(axis=0)
        self.jobs, self.level = jobs, 0
        self.clouds = [start_cloud(positions, one) for one in (a, b)]
        pair = start_pair(places, positions, a, b, 0, 0)
        self.pair = pair if pair.is_done else self._bounded(pair, Clock(None), "first bounds")
        self.naive = self._bound_naive(0, "first bounds")

    def interval(self) -> Estimate:
        """The quotient of the transport and the mean distance at the ends of their bounds."""
        low, high = self.naive
        least = self.pair.low / high if high else 0.0
        most = min(self.pair.high / low, 1.0) if low else float(self.pair.high > 0.0)
        least, most = float(min(least, most)), float(most)
        return Estimate(0.5 * (least + most), least, most)

    def refine(self, what: str, clock: Clock) -> bool:
        """Finer cells for what has the wider bounds, as a share of its value."""
        low, high = self.naive
        is_exact = all(not cloud.at(self.level).spread.any() for cloud in self.clouds)
        if is_exact and self.pair.is_done:
            return False
        wide = (self.pair.high - self.pair.low) * low > (high - low) * self.pair.high
        if not self.pair.is_done and (wide or is_exact):
            check_memory([next_size(self.pair, *self.clouds)], 1, BYTES_PER_PAIR)
            self._deepen(self.pair.level + 1)
            self.pair = self._bounded(self.pair, clock, what)
        else:
            self.level += 1
            self._deepen(self.level)
            self.naive = self._bound_naive(self.level, what)
        return True

    def _deepen(self, level: int) -> None:
        """Make the levels of cells up to this one."""
        while any(not one.is_complete and len(one.levels) <= level for one in self.clouds):
            self.clouds = map_tasks(deepen, self.clouds, self.jobs)

    def _bounded(self, pair: Pair, clock: Clock, what: str) -> Pair:
        """The transport's bounds by the next level of cells."""
        level = pair.level if pair.high == math.inf else pair.level + 1
        task = (pair, *(cloud.at(level) for cloud in self.clouds))
        return map_tasks(partial(bound_level, clock), [task], self.jobs, what=what)[0]

    def _bound_naive(self, level: int, what: str) -> tuple[float, float]:
        """At least and at most the mean distance between a point of a and one of b."""
        a, b = (cloud.at(level) for cloud in self.clouds)
        step = max(BLOCK // b.count, 1)
        blocks = [(first, min(first + step, a.count)) for first in range(0, a.count, step)]
        parts = map_tasks(partial(bound_means, a, b), blocks, self.jobs, what=what)
        total = float(a.mass.sum()) * float(b.mass.sum())
        low, high = (math.fsum(side) / total for side in zip(*parts, strict=True))
        return low * (1.0 - ROUNDING), high * (1.0 + ROUNDING) + ROUNDING


def bound_means(a: Cells, b: Cells, rows: tuple[int, int]) -> tuple[float, float]:
    """What some cells of a add to the sums of mass times mass times the ends of mean distances.

    With t and s the parts of x - y along the direction of the centres and across it, the distance
    is t + s^2 / (t + |x - y|): at least t + s^2 / 2 (c + r), as |x - y| <= c + r, with r the sum of
    both radii and c the distance of the centres, which is the mean of t.
    """
    first, last = rows
    sources, sinks = (one.ravel() for one in np.mgrid[first:last, : b.count])
    ways = a.centre[sources] - b.centre[sinks]
    lengths = np.sqrt((ways * ways).sum(axis=1))
    directions = ways / np.maximum(lengths, 1e-300)[:, None]
    masses: Floats = a.mass[sources] * b.mass[sinks]
    plan = Plan(sources, sinks, masses)
    across = spreads_across(a, b, plan, directions)
    high = mean_distances(a, b, plan, lengths, across)
    reach = lengths + a.radius[sources] + b.radius[sinks]
    low = lengths
    if a.covariance.shape[1]:
        low = lengths + across / (2.0 * np.maximum(reach, 1e-300))
    return float(masses @ low), float(masses @ high)
