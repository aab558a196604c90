"""Intervals: how far a value would be from another sample's, on the scale of its metric."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from clustcmp.model import Contingency
from clustcmp.registry import Ends, Request
from clustcmp.significance.leaving import LeftOut, evaluate_table
from clustcmp.significance.many import NoQuickUpdate, blend, evaluate_many
from clustcmp.sureness import Interval

# A table is blended cell by cell only if it has at most so many cells.
MOST_CELLS = 1 << 20

# On a logarithmic scale no end is more than exp(STEEPEST) times as far from the end of the range.
STEEPEST = 10.0

# Rounding errors of values with one unit left out.
ROUNDING = 1e-14

NO_SPREAD = "the value is the same without any of the units, so that its spread is not known"
NO_VALUE = "the metric has no value without some of the units"


def standard_error(left_out: LeftOut) -> float:
    """The standard error of a value, from the values with one unit left out at a time."""
    values, weights = left_out.values, left_out.weights
    n = weights.sum()
    # Differences from one of the values keep digits that the values themselves would lose.
    apart = values - values[0]
    mean = np.dot(weights, apart) / n
    return math.sqrt((n - 1.0) / n * np.dot(weights, (apart - mean) ** 2))


def is_nothing(error: float, value: float, n_units: int) -> bool:
    """Whether a standard error is a rounding error."""
    return error <= ROUNDING * math.sqrt(n_units) * max(1.0, abs(value))


def t_quantile(level: float, degrees: int) -> float:
    """How many standard errors an interval reaches in both directions."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 1.0 - (1.0 - level) / 2.0))


def interval_around(value: float, reach: float, ends: Ends) -> tuple[float, float]:
    """The interval that reaches so far from a value, on the scale of the metric's range."""
    finite = sorted(end for end in ends if end is not None and math.isfinite(end))
    if any(value == end for end in finite):
        return clip(value - reach, finite, ends), clip(value + reach, finite, ends)
    if len(finite) == 2:
        return between(value, reach, *finite)
    if len(finite) == 1:
        return beyond(value, reach, finite[0])
    return value - reach, value + reach


def between(value: float, reach: float, low: float, high: float) -> tuple[float, float]:
    """The interval on the logistic scale, which never leaves a range with two ends."""
    middle = math.log((value - low) / (high - value))
    half = reach * (high - low) / ((value - low) * (high - value))
    return (
        low + (high - low) * logistic(middle - half),
        low + (high - low) * logistic(middle + half),
    )


def logistic(number: float) -> float:
    """1 / (1 + exp(-number)), without overflow."""
    return 0.5 * (1.0 + math.tanh(0.5 * number))


def beyond(value: float, reach: float, end: float) -> tuple[float, float]:
    """The interval on the logarithmic scale, which never crosses the only end of a range."""
    distance = value - end
    half = reach / abs(distance)
    if half > STEEPEST:
        # So close to the end of the range, the logarithm says nothing: a factor of exp(10) or more.
        plain = value - reach, value + reach
        return (max(plain[0], end), plain[1]) if distance > 0 else (plain[0], min(plain[1], end))
    low, high = sorted((end + distance * math.exp(-half), end + distance * math.exp(half)))
    return low, high


def clip(limit: float, finite: list[float], ends: Ends) -> float:
    """The end of an interval, no farther out than the metric's range."""
    known = [end for end in ends if end is not None]
    return min(max(limit, min(known)), max(known)) if len(known) == 2 else limit


def find_interval(
    value: float,
    left_out: LeftOut,
    level: float,
    ends: Ends,
    unit: str,
    spread_nothing: Callable[[float], float] | None,
) -> Interval:
    """The interval of a value, given the values with one unit left out at a time.

    `spread_nothing` gives the value of the table blended with chance by a share, for values that
    do not vary at all; None if there is no table.
    """
    n_units = left_out.n_units
    found = Interval(level, None, None, None, unit, left_out.method)
    if n_units < 2:
        return replace(found, method=None, reason=f"there is only one {unit}")
    if not np.isfinite(left_out.values).all():
        return replace(found, method=None, reason=NO_VALUE)
    error = standard_error(left_out)
    if not is_nothing(error, value, n_units):
        low, high = interval_around(value, t_quantile(level, n_units - 1) * error, ends)
        return replace(found, low=low, high=high, standard_error=error)
    share = min(1.0, -math.log((1.0 - level) / 2.0) / n_units)
    other = math.nan if spread_nothing is None else spread_nothing(share)
    if not math.isfinite(other) or abs(other - value) <= ROUNDING * max(1.0, abs(value)):
        return replace(found, method=None, standard_error=0.0, reason=NO_SPREAD)
    low, high = sorted((value, other))
    return replace(found, low=low, high=high, standard_error=0.0, method="blend")


def blended_value(request: Request, table: Contingency, share: float) -> float:
    """The value of a table that is blended with chance by a share, NaN where it is not known."""
    try:
        return float(evaluate_many(request, blend(table, share)))
    except NoQuickUpdate:
        if table.n_a * table.n_b > MOST_CELLS:
            return math.nan
        return evaluate_table(request, blend_cells(table, share))


def blend_cells(table: Contingency, share: float) -> Contingency:
    """A table that is blended with chance by a share, cell by cell."""
    dense = np.outer(table.masses_a, table.masses_b) * (share / table.total)
    dense[table.rows, table.columns] += (1.0 - share) * table.masses
    rows, columns = np.nonzero(dense)
    total = float(table.total)
    return Contingency(
        rows, columns, dense[rows, columns], table.masses_a, table.masses_b, table.total,
        total, total, total, trusted=True,
    )  # fmt: skip
