"""Leaving out: the values of a metric without one point, one cluster or one group of points."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from clustcmp.align.form import restrict
from clustcmp.arrays import Floats, Integers, Masses
from clustcmp.backends import map_tasks
from clustcmp.errors import Undefined
from clustcmp.evaluate import answer_side, answer_table
from clustcmp.metrics.expected_information import expected_information
from clustcmp.model import Clustering, Comparison, Contingency
from clustcmp.progress import announce
from clustcmp.registry import Request
from clustcmp.significance.many import (
    ManyTables,
    NoQuickUpdate,
    Sums,
    evaluate_many,
    logs_of,
    pairs_of,
    sum_logs,
    sum_pairs,
)

# A metric without a quick update is evaluated for each of so many cells or clusters; of larger
# tables groups are left out.
MOST_TABLES = 1000

# How many groups are left out, one after the other.
GROUPS = 20


# One of more points changes a value by less than its rounding error: groups are left out.
MOST_SINGLE = 10_000_000_000

# Up to so many points, those of a table of counts are dealt into groups one by one.
MOST_DEALT = 1 << 24

# Gives the random group of each point; called only if groups are needed.
Groups = Callable[[], Integers]


class LeftOut(NamedTuple):
    """The values of a metric with one unit left out at a time.

    `weights[i]` units have the value `values[i]`: all points of one cell have the same.
    """

    values: Floats
    weights: Floats
    method: str

    @property
    def n_units(self) -> int:
        """How many units there are: points, clusters or groups."""
        return int(self.weights.sum())


@dataclass(frozen=True, eq=False)
class Ask:
    """A metric that something is asked about, and the side if it is of one clustering."""

    request: Request
    side: str | None = None


def why_no_draws(ask: Ask, comparison: Comparison) -> str | None:
    """Why the weights of points keep a metric from being drawn for other points; None if none do.

    Points of a table of counts can be left out and shuffled one by one, whatever each weighs.
    """
    if comparison.weighting == "masses":
        return "the weights are masses, and not numbers of points"
    is_of_table = ask.request.metric.subject is Contingency and comparison.is_hard
    if comparison.weighting == "counts" and not is_of_table:
        return "points have weights, and the metric looks at more than a table of counts"
    return None


def without_points(table: Contingency) -> ManyTables:
    """A table of counts without one point, for each cell that the point may be in."""
    masses = table.masses, table.masses_a[table.rows], table.masses_b[table.columns]

    def logs() -> Sums:
        changes = [logs_of(one) - logs_of(one - 1) for one in masses]
        return subtract_each(table.once(sum_logs), changes)

    return ManyTables(
        table.total - 1.0,
        table.n_a - (masses[1] == 1),
        table.n_b - (masses[2] == 1),
        subtract_each(table.once(sum_pairs), [one - 1.0 for one in masses]),
        logs,
        lambda: table.once(expected_information),
    )


def subtract_each(sums: tuple[float, float, float], lost: Sequence[Floats]) -> Sums:
    """The sums without what is lost of each of them."""
    both, a, b = (every - out for every, out in zip(sums, lost, strict=True))
    return both, a, b


def without_clusters(table: Contingency) -> ManyTables:
    """A table of counts without one of a's clusters and all of its points, for each cluster."""
    sizes = table.masses_b[table.columns]

    def lost(of: Callable[[Masses], Floats]) -> tuple[Floats, Floats, Floats]:
        """What each cluster adds to the sums over cells, clusters of a and clusters of b."""
        return (
            by_cluster(table, of(table.masses)),
            of(table.masses_a),
            by_cluster(table, of(sizes) - of(sizes - table.masses)),
        )

    return ManyTables(
        table.total - table.masses_a.astype(np.float64),
        table.n_a - 1,
        table.n_b - by_cluster(table, (sizes == table.masses).astype(np.float64)),
        subtract_each(table.once(sum_pairs), lost(pairs_of)),
        lambda: subtract_each(table.once(sum_logs), lost(logs_of)),
        lambda: table.once(expected_information),
    )


def by_cluster(table: Contingency, values: Floats) -> Floats:
    """The sum over the cells of each cluster of a."""
    sums: Floats = np.bincount(table.rows, weights=values, minlength=table.n_a).astype(np.float64)
    return sums


def leave_out(
    comparison: Comparison, asks: Sequence[Ask], unit: str, groups: Groups, by_group: bool = False
) -> dict[Ask, LeftOut]:
    """The values of several metrics with one unit left out at a time.

    `groups` gives the group of each point, for metrics that are too slow to leave out single units.
    `by_group` asks for groups whatever the metric.
    """
    found: dict[Ask, LeftOut] = {}
    for ask in asks if comparison.is_hard and not by_group else ():
        if ask.request.metric.subject is Contingency:
            one = leave_out_units(comparison.contingency, ask.request, unit)
            found |= {ask: one} if one else {}
    slow = [ask for ask in asks if ask not in found]
    if slow:
        found |= left_out_groups(slow, leave_out_groups(comparison, slow, groups()))
    return found


def leave_out_units(table: Contingency, request: Request, unit: str) -> LeftOut | None:
    """The values without one point or one cluster; None if there are too many to evaluate."""
    if unit == "point" and table.total > MOST_SINGLE:
        return None
    weights = np.ones(table.n_a) if unit == "cluster" else table.masses.astype(np.float64)
    # What was counted with a unit left out serves all metrics.
    tables = table.once(without_clusters if unit == "cluster" else without_points)
    try:
        values = evaluate_many(request, tables)
    except NoQuickUpdate:
        if len(weights) > MOST_TABLES:
            return None
        values = [evaluate_table(request, one) for one in leave_each(table, unit)]
    filled: Floats = np.broadcast_to(np.asarray(values, dtype=np.float64), weights.shape)
    return LeftOut(filled, weights, "leave_one_out")


def leave_each(table: Contingency, unit: str) -> Iterator[Contingency]:
    """The tables without one point of each cell, or without each cluster of a."""
    for one in range(table.n_a if unit == "cluster" else len(table.masses)):
        if unit == "cluster":
            yield subtract(table, np.where(table.rows == one, table.masses, 0))
        else:
            taken = np.zeros_like(table.masses)
            taken[one] = 1
            yield subtract(table, taken)


def subtract(table: Contingency, taken: Integers) -> Contingency:
    """A table of counts without some points of each cell; clusters without points are dropped."""
    left = table.masses - taken
    kept = left > 0
    rows, columns = table.rows[kept], table.columns[kept]
    masses_a = table.masses_a - np.bincount(table.rows, taken, table.n_a).astype(np.int64)
    masses_b = table.masses_b - np.bincount(table.columns, taken, table.n_b).astype(np.int64)
    return Contingency.counted(
        (np.cumsum(masses_a > 0) - 1)[rows],
        (np.cumsum(masses_b > 0) - 1)[columns],
        left[kept],
        masses_a[masses_a > 0],
        masses_b[masses_b > 0],
        int(left.sum()),
        trusted=True,
    )


def evaluate_table(request: Request, table: Contingency) -> float:
    """The value of a metric for one table, NaN where it has none."""
    try:
        return answer_table(request, table)
    except Undefined:
        return math.nan


def leave_out_counts(
    table: Contingency, asks: Sequence[Ask], unit: str, throw: Callable[[], np.random.Generator]
) -> dict[Ask, LeftOut]:
    """The values of several metrics with one unit left out, where only the table is known."""
    found = {
        ask: one for ask in asks if (one := leave_out_units(table, ask.request, unit)) is not None
    }
    slow = [ask for ask in asks if ask not in found]
    if slow:
        groups = announce(deal_counts(table, unit, throw()), "leaving out groups", GROUPS)
        rests = (subtract(table, taken) for taken in groups)
        rows = [[evaluate_table(ask.request, rest) for ask in slow] for rest in rests]
        found |= left_out_groups(slow, np.array(rows))
    return found


def left_out_groups(asks: Sequence[Ask], values: Floats) -> dict[Ask, LeftOut]:
    """The values of metrics, one in each column, without one group of units in each row."""
    weights = np.ones(len(values))
    return {ask: LeftOut(values[:, column], weights, "groups") for column, ask in enumerate(asks)}


def deal_counts(
    table: Contingency, unit: str, generator: np.random.Generator
) -> Iterator[Integers]:
    """For each of the random groups how many points of each cell are in it.

    The groups are those of points that are listed cell by cell.
    """
    if unit == "cluster":
        groups = (generator.permutation(table.n_a) % GROUPS)[table.rows]
        for group in range(min(GROUPS, table.n_a)):
            yield np.where(groups == group, table.masses, 0)
    elif table.total <= MOST_DEALT:
        groups = generator.permutation(table.n_points) % GROUPS
        cells = np.repeat(np.arange(len(table.masses)), table.masses)
        for group in range(min(GROUPS, table.n_points)):
            yield np.bincount(cells[groups == group], minlength=len(table.masses))
    else:
        left = table.masses
        for group in range(GROUPS):
            # Groups of so many points are as good as equally large.
            taken = generator.binomial(left, 1.0 / (GROUPS - group))
            left = left - taken
            yield taken


def make_groups(comparison: Comparison, unit: str, generator: np.random.Generator) -> Integers:
    """The random group of each point; with clusters as units a cluster of a is in one group."""
    n_units = comparison.a.n_clusters if unit == "cluster" else comparison.a.points.size
    groups = generator.permutation(n_units) % GROUPS
    return groups[comparison.a.membership.strongest()] if unit == "cluster" else groups


def leave_out_groups(comparison: Comparison, asks: Sequence[Ask], groups: Integers) -> Floats:
    """The values of metrics without one group of points: a row for each group."""
    n_groups = int(groups.max()) + 1
    leave = partial(without_group, comparison, asks, groups)
    rows = map_tasks(leave, range(n_groups), 1, what="leaving out groups", divides=True)
    return np.array(rows)


def without_group(
    comparison: Comparison, asks: Sequence[Ask], groups: Integers, group: int
) -> list[float]:
    """The values of metrics without the points of one group."""
    (rows,) = np.nonzero(groups != group)
    rest = keep(comparison, rows)
    values = (answer_side(ask.request, rest, ask.side).value for ask in asks)
    return [math.nan if value is None else value for value in values]


def keep(comparison: Comparison, rows: Integers) -> Comparison:
    """The comparison of some of the points only."""
    distances = comparison.distances
    return replace(
        comparison,
        a=keep_side(comparison.a, rows),
        b=keep_side(comparison.b, rows),
        distances=None if distances is None else distances[np.ix_(rows, rows)],
    )


def keep_side(clustering: Clustering, rows: Integers) -> Clustering:
    """The clustering of some of its points only."""
    coordinates = clustering.points.coordinates
    located = None if coordinates is None else coordinates[rows]
    return restrict(clustering, rows, "cluster", located)[0]
