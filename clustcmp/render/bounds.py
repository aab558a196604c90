"""Bounds, and what was found, in words."""

from __future__ import annotations

from clustcmp.analyses.bounds.ends import show_level, which_end
from clustcmp.analyses.bounds.thresholds import Kind, Threshold
from clustcmp.analyses.bounds.verdict import Check, Outcome
from clustcmp.errors import printable
from clustcmp.options import show_option
from clustcmp.render.words import show_interval, show_percent, show_value, show_within
from clustcmp.sureness import Interval


def show_bound(threshold: Threshold) -> str:
    """A bound as a formula: `ari ≥ 0.9`."""
    if threshold.kind.is_change:
        bound = show_percent(threshold.bound) if threshold.relative else show_exactly(threshold)
        return f"{threshold.kind.removeprefix('max_')} of {threshold.metric} ≤ {bound}"
    sign = "≥" if threshold.kind is Kind.min else "≤"
    return f"{threshold.metric} {sign} {show_exactly(threshold)}"


def show_exactly(threshold: Threshold) -> str:
    """The bound itself, with all its digits."""
    return show_percent(threshold.bound) if threshold.is_share else show_option(threshold.bound)


def show_found(check: Check) -> str:
    """What was found, never rounded to the other side of the bound."""
    if check.found is None:
        value = "" if check.value is None else f"{show_number(check.threshold, check.value)}, "
        return value + printable(check.reason or "")
    if check.confidence:
        return show_surely(check, check.confidence)
    shown = show_number(check.threshold, check.found)
    if check.interval:
        shown += f" (the worse end of {show_interval(check.interval)})"
    if check.threshold.kind.is_change:
        before = show_value(check.accepted) if check.accepted is not None else "nothing"
        shown += f" after {before}"
        if check.accepted_interval:
            shown += f" (the worst case of {show_interval(check.accepted_interval)})"
    return shown


def show_surely(check: Check, confidence: Interval) -> str:
    """A value with its interval; of a change also which end went where."""
    threshold, ends = check.threshold, confidence.ends or (0.0, 0.0)
    value = show_number(threshold, check.value or 0.0)
    low, high = (show_end(threshold, end, ends) for end in ends)
    shown = f"{value}, {show_level(confidence)} between {low} and {high}"
    if check.interval and check.interval != confidence.ends:
        # The proven ends of an approximate value are farther out.
        shown += f" (with proven ends {show_interval(check.interval)})"
    if check.accepted is None or check.found is None:
        return shown
    found, before = (show_value(one) for one in (check.found, check.accepted))
    return f"{shown}; {deciding_end(check) or 'value'} {found} after {before}"


def show_end(threshold: Threshold, end: float, ends: tuple[float, float]) -> str:
    """An end of an interval in short, or in full if rounding would cross the bound."""
    shown = show_within(end, *ends)
    is_safe = threshold.kind.is_change or threshold.holds(float(shown)) == threshold.holds(end)
    return shown if is_safe else repr(end)


def show_number(threshold: Threshold, value: float) -> str:
    """A value with six decimals, or with all of them if rounding would cross the bound."""
    if threshold.is_count:
        return show_option(value)
    if threshold.is_share:
        shown, exact = show_percent(value, 4), f"{100.0 * value!r} %"
        rounded = float(shown.removesuffix(" %")) / 100.0
    else:
        shown, exact = show_value(value), repr(value)
        rounded = float(shown)
    if threshold.kind.is_change:
        return shown if threshold.is_share else show_distance(value)
    return shown if threshold.holds(rounded) == threshold.holds(value) else exact


def show_distance(distance: float) -> str:
    """How far two numbers are apart; only equal ones are shown as 0, whatever the decimals."""
    shown = show_value(distance)
    return shown if float(shown) or not distance else f"{distance:.1g}"


def show_margin(check: Check) -> str:
    """How far the value is from the bound, and on which side."""
    if check.margin is None:
        return ""
    distance = abs(check.margin)
    size = show_distance(distance)
    low, high = "low", "high"
    if check.threshold.is_share:
        size = show_percent(float(f"{distance:.4g}"))
    if check.threshold.is_count:
        size, low, high = show_option(distance), "few", "many"
    end = f" at the {deciding_end(check)}" if deciding_end(check) else ""
    if check.outcome is Outcome.passed:
        return f"{size} to spare{end}" if distance else f"exactly on the bound{end}"
    if check.threshold.kind.is_change:
        return f"{size} too much{end}"
    return f"{size} too {low if check.threshold.kind is Kind.min else high}{end}"


def deciding_end(check: Check) -> str:
    """Which end of an interval decided, if there is an interval and the value did not decide."""
    if check.confidence is None or check.found is None:
        return ""
    return which_end(check.found, check.interval)
