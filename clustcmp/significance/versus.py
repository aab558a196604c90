"""Versus: whether b or another candidate c is closer to a, on the same points."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from clustcmp.arrays import Integers
from clustcmp.errors import InputError, LimitExceeded
from clustcmp.model import Comparison
from clustcmp.model.comparison import same_weights
from clustcmp.results import Result
from clustcmp.significance.intervals import is_nothing, standard_error, t_quantile
from clustcmp.significance.leaving import Ask, Groups, LeftOut, leave_out, why_no_draws
from clustcmp.sureness import Versus
from clustcmp.wording import name_of, say


def check_rival(comparison: Comparison, rival: Comparison) -> None:
    """Refuse a candidate that was not compared with a on the same points as b."""
    same = comparison.same_points and rival.same_points
    if same and np.array_equal(comparison.rows[0], rival.rows[0]):
        if not same_weights(comparison.a, rival.a):
            raise InputError(
                "b and c are not compared with a under the same weights",
                hint=f"give them for all with {say('weights', 'weights.csv::weight')}",
            )
        return
    b, c = (one.sides[1] for one in (comparison, rival))
    n_b, n_c = (len(one.rows[0]) for one in (comparison, rival))
    difference = rival.difference or comparison.difference
    if not difference:
        difference = f"{n_b:,} points of a are compared with b, {n_c:,} with c"
    raise InputError(
        f"{c.file or 'c'} and {b.file or 'b'} are not compared with a on the same points: "
        f"{difference}",
        hint=f"{say('versus')} needs the points of a, each once",
    )


def compare_candidates(
    comparison: Comparison,
    rival: Comparison,
    results: Mapping[Ask, tuple[Result, Result]],
    unit: str,
    groups: Groups,
    level: float,
) -> dict[Ask, Versus]:
    """For each metric whether b or c is closer to a, from its results for b and for c."""
    file = rival.sides[1].file
    found = {}
    asks = []
    for ask, (one, other) in results.items():
        if reason := why_not(ask, one, other, comparison):
            found[ask] = Versus(file, other.value, reason=reason)
        else:
            asks.append(ask)
    for ask, left in leave_out_both(comparison, rival, asks, unit, groups).items():
        one, other = results[ask]
        assert one.value is not None
        assert other.value is not None
        better = ask.request.metric.higher_is_better
        found[ask] = judge(file, one.value, other.value, left, level, better)
    return found


def why_not(ask: Ask, one: Result, other: Result, comparison: Comparison) -> str | None:
    """Why two values of a metric cannot be compared, or None."""
    if ask.side == "a":
        return "describes a alone"
    if one.value is None:
        return "b has no value"
    if other.value is None:
        return f"c has no value: {other.reason}"
    if comparison.a.points.mass < 2:
        return "there is only one point"
    return why_no_draws(ask, comparison)


def leave_out_both(
    comparison: Comparison, rival: Comparison, asks: Sequence[Ask], unit: str, groups: Groups
) -> dict[Ask, LeftOut]:
    """The differences between the values of b and of c, with the same unit left out of both."""
    if not asks:
        return {}
    left_b = leave_out(comparison, asks, unit, groups)
    left_c = leave_out(rival, asks, unit, groups)
    if comparison.weighting != "none" and any(
        left.method == "groups" for left in (*left_b.values(), *left_c.values())
    ):
        raise LimitExceeded(
            "there are too many cells to leave out single points, and groups of points with "
            "weights are not drawn",
            hint=f"leave out {name_of('weights')} or {name_of('versus')}",
        )
    mixed = [ask for ask in asks if left_b[ask].method != left_c[ask].method]
    if mixed:
        left_b |= leave_out(comparison, mixed, unit, groups, by_group=True)
        left_c |= leave_out(rival, mixed, unit, groups, by_group=True)
    return {ask: pair_up(comparison, rival, left_b[ask], left_c[ask], unit) for ask in asks}


def pair_up(
    comparison: Comparison, rival: Comparison, b: LeftOut, c: LeftOut, unit: str
) -> LeftOut:
    """The differences between values that leave out the same units by the same method."""
    if b.method == "leave_one_out" and unit == "point":
        apart = b.values[cells_of(comparison)] - c.values[cells_of(rival)]
        weights = comparison.a.points.weights
        return LeftOut(apart, np.ones(len(apart)) if weights is None else weights, b.method)
    return LeftOut(b.values - c.values, b.weights, b.method)


def cells_of(comparison: Comparison) -> Integers:
    """For each point the position of its cell among those of the contingency."""
    return comparison.once(find_cells)


def find_cells(comparison: Comparison) -> Integers:
    """For each point the position of its cell among those of the contingency."""
    table = comparison.contingency
    codes_a, codes_b = (one.membership.strongest() for one in (comparison.a, comparison.b))
    cells = table.rows * table.n_b + table.columns
    return np.searchsorted(cells, codes_a * table.n_b + codes_b)


def judge(
    file: str | None,
    value: float,
    other: float,
    left_out: LeftOut,
    level: float,
    higher_is_better: bool | None,
) -> Versus:
    """The difference of two values with its interval, and which one is better if that is sure."""
    from scipy.special import stdtr

    difference = value - other
    if not np.isfinite(left_out.values).all():
        return Versus(file, other, difference, reason="no value without some of the units")
    n_units = left_out.n_units
    error = standard_error(left_out)
    if is_nothing(error, max(abs(value), abs(other)), n_units):
        if difference:
            reason = "leaving out units changes both values alike, so the spread is not known"
            return Versus(file, other, difference, 0.0, reason=reason)
        closer = choose(0.0, 0.0, higher_is_better)
        return Versus(file, other, 0.0, 0.0, 0.0, 0.0, 1.0, closer)
    reach = t_quantile(level, n_units - 1) * error
    low, high = difference - reach, difference + reach
    p = min(1.0, 2.0 * float(stdtr(n_units - 1, -abs(difference) / error)))
    closer = choose(low, high, higher_is_better)
    return Versus(file, other, difference, error, low, high, p, closer)


def choose(low: float, high: float, higher_is_better: bool | None) -> str | None:
    """Which candidate is closer to a, given the interval of b's value minus c's."""
    if higher_is_better is None:
        return None
    if low <= 0.0 <= high or math.isnan(low):
        return "undecided"
    return "b" if (low > 0.0) == higher_is_better else "c"
