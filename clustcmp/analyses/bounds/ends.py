"""What a bound is judged by: a value, the proven ends of an approximate one, and its interval.

A bound is kept only if everything between these ends keeps it, so that the worst one decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from clustcmp.analyses.bounds.thresholds import Kind, Level, Threshold
from clustcmp.options import show_option
from clustcmp.results import Proven, Result
from clustcmp.sureness import Interval


class Before(NamedTuple):
    """An accepted value, or both proven ends of an approximate one, and its interval if any."""

    ends: tuple[float, ...]
    interval: Interval | None = None

    @property
    def outermost(self) -> tuple[float, ...]:
        """The value, or the outermost ends of all that is known about it."""
        return reach(self.ends, self.interval)


def reach(ends: tuple[float, ...], interval: Interval | None) -> tuple[float, ...]:
    """A value or its proven ends; with an interval the outermost of these ends."""
    if interval is None or interval.ends is None:
        return ends
    both = (*ends, *interval.ends)
    return min(both), max(both)


def find_values(result: Result | None) -> tuple[tuple[float, ...], str]:
    """The value, or the outermost ends of what it may be, or the reason why there is none.

    Where an interval was asked for, a value without an interval does not count.
    """
    if result is None:
        return (), "was not computed"
    if result.value is None:
        return (), f"{result.status.value.replace('_', ' ')}: {result.reason}"
    if result.interval is not None and result.interval.ends is None:
        return (), f"no {show_level(result.interval)} interval: {result.interval.reason}"
    return reach(result.proven or (result.value,), result.interval), ""


def find_accepted(result: Result, accepted: Before | None) -> tuple[tuple[float, ...], str]:
    """The ends of an accepted value, or the reason why a change from it cannot be judged."""
    if accepted is None:
        return (), "the baseline has no value of it"
    if result.interval is not None and (
        accepted.interval is None or accepted.interval.ends is None
    ):
        why = accepted.interval.reason if accepted.interval else "it was accepted without one"
        return (), f"the accepted value has no interval: {why}"
    return accepted.outermost, ""


def worst_case(
    threshold: Threshold, result: Result, accepted: Before | None
) -> tuple[float, float | None]:
    """What a bound is judged by: of all ends the one with the least margin, and what it was.

    A change is that of the value, and with an interval also that of its ends. An end that moved
    inwards is not a change: the value has become surer.
    """
    if accepted is None:
        return threshold.worst_case(find_values(result)[0])
    assert result.value is not None
    pairs = [threshold.worst_case(result.proven or (result.value,), accepted.ends)]
    if result.interval is not None and accepted.interval is not None:
        pairs += moved_outwards(threshold.kind, result.interval, accepted.interval)
    return min(pairs, key=lambda pair: threshold.margin(*pair))


def moved_outwards(kind: Kind, now: Interval, before: Interval) -> Iterator[tuple[float, float]]:
    """The ends of an interval that are farther out than before, in the direction of the bound."""
    if now.ends is None or before.ends is None:
        return
    (low, high), (low_before, high_before) = now.ends, before.ends
    if kind is not Kind.max_rise and low < low_before:
        yield low, low_before
    if kind is not Kind.max_drop and high > high_before:
        yield high, high_before


def as_interval(ends: tuple[float, ...]) -> tuple[float, float] | None:
    """The interval of an approximate value; None for an exact one, or for none."""
    return (ends[0], ends[-1]) if len(ends) > 1 else None


def explain(interval: Proven, accepted: Proven) -> str | None:
    """How an approximate value, or a change from one, was judged; None if both are exact."""
    words = []
    if interval:
        words.append("approximate, judged by the worse end of {:g} to {:g}".format(*interval))
    if accepted:
        words.append("judged by the worst case of the accepted {:g} to {:g}".format(*accepted))
    return "; ".join(words) or None


def show_level(interval: Interval) -> str:
    """The level of an interval in percent."""
    return f"{100.0 * interval.level:.12g} %"


def which_end(found: float, interval: Proven) -> str:
    """Which end of an interval decided; empty if it was the value."""
    low, high = interval or (None, None)
    return {low: "low end", high: "high end"}.get(found, "")


def explain_interval(
    threshold: Threshold, result: Result, ends: Proven, found: float, accepted: float | None
) -> str:
    """How a value with an interval was judged, in one sentence."""
    assert result.value is not None
    assert result.interval is not None
    low, high = (show_near(threshold, end) for end in result.interval.ends or ())
    measured = (
        f"{threshold.metric} {show_near(threshold, result.value)}, "
        f"{show_level(result.interval)} between {low} and {high}"
    )
    if result.proven:
        low, high = (show_near(threshold, end) for end in result.proven)
        measured += f", approximate within {low} to {high}"
    if accepted is not None:
        return f"{measured}: {explain_change(threshold, ends, found, accepted)}"
    is_lower = threshold.kind is Kind.min
    wanted = f"must be at {'least' if is_lower else 'most'} {show_option(threshold.bound)}"
    if threshold.holds(found):
        return f"{measured}, {wanted}: the whole interval keeps it"
    word = "fails" if threshold.level is Level.fail else "warns"
    what = f"{which_end(found, ends)} {show_near(threshold, found)}"
    if not threshold.holds(result.value):
        what = "value itself"
    return f"{measured}, {wanted}: {word} because the {what} is {'below' if is_lower else 'above'}"


def explain_change(threshold: Threshold, ends: Proven, found: float, accepted: float) -> str:
    """How the change of a value or of an end of its interval was judged."""
    end = which_end(found, ends) or "value"
    moved = f"the {end} was {accepted:.4g} and is {found:.4g}"
    if threshold.holds(found, accepted):
        return f"kept, {moved}"
    word = "fails" if threshold.level is Level.fail else "warns"
    return f"{word} because {moved}, which is more than {show_option(threshold.typed)}"


def show_near(threshold: Threshold, value: float) -> str:
    """A number in a few digits, or in all of them if rounding would cross the bound."""
    shown = f"{value:.4g}"
    if threshold.kind.is_change or threshold.holds(float(shown)) == threshold.holds(value):
        return shown
    return repr(value)
