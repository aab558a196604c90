"""Which group of runs agrees best, and how clear that is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from clustcmp.analyses.stability.choice import Candidate as Position
from clustcmp.analyses.stability.choice import Chosen, best_of
from clustcmp.analyses.stability.report_of_runs import GroupBest, GroupPoint, Run


def find_best(
    curve: Sequence[GroupPoint], runs: Sequence[Sequence[Run]], higher_is_better: bool
) -> GroupBest | None:
    """The group with the best mean, of equal ones the last; None unless there are several groups.

    `runs` are those of each group. Groups have no run in common, so that the squares of the
    standard errors of two means add up to that of their difference.
    """
    sign = 1.0 if higher_is_better else -1.0
    means = {
        Position(at, 0): sign * one.value
        for at, one in enumerate(curve)
        if one.value is not None and not all(map(is_trivial, runs[at]))
    }
    if len(curve) < 2 or not means:
        return None
    best = best_of(means)
    others = {one: mean for one, mean in means.items() if one is not best}
    if not others:
        return GroupBest(curve[best.position].group, None, None, None, None)
    second = best_of(others)
    margin = means[best] - means[second]
    errors = [curve[one.position].standard_error for one in (best, second)]
    chosen = Chosen(best.position, second.position, margin, add_up(errors))
    return GroupBest(
        curve[chosen.best].group,
        curve[second.position].group,
        margin,
        chosen.standard_error,
        chosen.is_clear,
    )


def is_trivial(run: Run) -> bool:
    """Whether all points are one cluster, or each is one: such runs agree whatever the data is."""
    return run.clusters in (1, run.points)


def add_up(errors: Iterable[float | None]) -> float | None:
    """The standard error of a difference of independent values; None if one is unknown."""
    known = [error for error in errors if error is not None]
    return math.hypot(*known) if len(known) == 2 else None
