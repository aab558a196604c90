"""All pairs of runs compared on their common points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from clustcmp.align.form import restrict
from clustcmp.analyses.stability.runs import Runs, count_shared
from clustcmp.arrays import Flags, Floats, Integers
from clustcmp.backends import map_tasks
from clustcmp.errors import Undefined
from clustcmp.evaluate import answer_side, answer_table
from clustcmp.model import Clustering, Comparison, Contingency, Coverage, PointSet, Side, Texts
from clustcmp.registry import Request

# With one common point every metric has its best value, whatever the clusterings are.
FEWEST_POINTS = 2

# numpy's bincount holds the GIL: rows of pairs that take less than this many seconds are not worth
# a thread.
WORTHWHILE = 0.2


class Pairs(NamedTuple):
    """The value of each pair of runs, first < second; NaN where there is none.

    `common` are the numbers of common points. `reason` says why the first value that is missing is
    missing; it is empty if all pairs have a value.
    """

    first: Integers
    second: Integers
    values: Floats
    common: Integers
    reason: str = ""


class Compared(NamedTuple):
    """One pair: its value or the reason why there is none, and how many points are common."""

    value: float
    common: int
    reason: str = ""


def compare_pairs(
    runs: Runs,
    request: Request,
    jobs: int = 1,
    coordinates: Floats | None = None,
    whole: bool = False,
) -> Pairs:
    """All pairs of runs, compared on their common points by one metric of two clusterings.

    A metric that is not symmetric has the mean of both directions, because no run is the reference.
    `coordinates` (n_points, d) are those of all points. With `whole` a metric that accepts
    different points compares all points of both runs instead of the common ones.
    """
    lean = replace(request, metric=replace(request.metric, details=None))
    is_counted = runs.is_hard and lean.metric.subject is Contingency and not whole
    if is_counted:
        compare = partial(count_row, runs, lean)
    else:
        # Metrics with coordinates divide each comparison among the threads themselves.
        compare = partial(compare_row, runs, lean, coordinates, whole, jobs)
        jobs = 1
    firsts = range(len(runs) - 1)
    found = map_tasks(
        compare,
        firsts,
        jobs,
        what="comparing",
        worthwhile=WORTHWHILE,
        costs=range(len(runs) - 1, 0, -1),
        divides=not is_counted,
    )
    return to_pairs(len(runs), [one for row in found for one in row])


def to_pairs(n_runs: int, found: Sequence[Compared]) -> Pairs:
    """All pairs of so many runs, in the order (0, 1), (0, 2) and so on, as arrays."""
    first, second = np.triu_indices(n_runs, 1)
    return Pairs(
        first,
        second,
        np.array([one.value for one in found], dtype=np.float64),
        np.array([one.common for one in found], dtype=np.int64),
        next((one.reason for one in found if one.reason), ""),
    )


def count_row(runs: Runs, request: Request, first: int) -> list[Compared]:
    """One run compared with all runs after it, by their contingencies."""
    laid = runs.laid
    return [count_pair(runs, request, first, second) for second in range(first + 1, len(laid))]


def count_pair(runs: Runs, request: Request, first: int, second: int) -> Compared:
    """Two runs compared by their contingency."""
    a, b = runs.laid[first], runs.laid[second]
    shared = count_shared(a, b)
    common = shared.n_common
    if common < FEWEST_POINTS:
        return too_few(common)
    try:
        value = answer_table(request, shared.table)
        if not request.symmetric:
            value = (value + answer_table(request, count_shared(b, a).table)) / 2.0
    except Undefined as reason:
        return Compared(np.nan, common, str(reason))
    return Compared(value, common)


def too_few(common: int) -> Compared:
    """What there is to say about two runs with too few common points."""
    points = "no point" if not common else "only 1 point"
    return Compared(np.nan, common, f"{points} in common, but a value needs {FEWEST_POINTS}")


def compare_row(
    runs: Runs,
    request: Request,
    coordinates: Floats | None,
    whole: bool,
    jobs: int,
    first: int,
) -> list[Compared]:
    """One run compared with all runs after it, point by point."""
    return [
        compare_two(runs, request, coordinates, whole, jobs, first, second)
        for second in range(first + 1, len(runs))
    ]


def compare_two(
    runs: Runs,
    request: Request,
    coordinates: Floats | None,
    whole: bool,
    jobs: int,
    first: int,
    second: int,
) -> Compared:
    """Two runs compared point by point."""
    both = runs.laid[first].is_present & runs.laid[second].is_present
    common = int(np.count_nonzero(both))
    if common < FEWEST_POINTS and not whole:
        return too_few(common)
    sides = [take_side(runs, run, None if whole else both, coordinates) for run in (first, second)]
    orders = [sides] if request.symmetric else [sides, sides[::-1]]
    values = []
    for a, b in orders:
        difference = "the runs have different points" if whole else ""
        comparison = comparison_of(a, b, common, difference, jobs)
        result = answer_side(request, comparison, None)
        if result.value is None:
            return Compared(np.nan, common, result.reason or "")
        values.append(result.value)
    return Compared(sum(values) / len(values), common)


def take_side(
    runs: Runs, run: int, is_kept: Flags | None, coordinates: Floats | None
) -> Clustering:
    """Some points of a run, or all of them, as a clustering."""
    rows, membership = runs.rows[run], runs.memberships[run]
    names = Texts.of(str(code) for code in range(membership.n_clusters))
    clustering = Clustering(PointSet(len(rows)), membership, names)
    kept = np.arange(len(rows)) if is_kept is None else np.flatnonzero(is_kept[rows])
    located = None if coordinates is None else np.ascontiguousarray(coordinates[rows[kept]])
    return restrict(clustering, kept, "drop", located)[0]


def comparison_of(
    a: Clustering, b: Clustering, common: int, difference: str, jobs: int
) -> Comparison:
    """Two clusterings that do not come from files, ready to be compared."""
    sides = tuple(
        Side(name, None, one.kind, one.points.size, one.n_clusters, 0)
        for name, one in (("a", a), ("b", b))
    )
    coverage = Coverage(common, a.points.size - common, b.points.size - common)
    return Comparison(a, b, (sides[0], sides[1]), coverage, difference, jobs=jobs)
