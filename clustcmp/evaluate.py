"""Apply metrics to a comparison."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from clustcmp.errors import InputError, LimitExceeded, SolverFailed, Undefined, UsageError
from clustcmp.model import Comparison, Result, Status
from clustcmp.registry import Ends, Request

# A metric of two clusterings has one result, of no side; a metric of one has a result for each.
SIDES: dict[int, tuple[str | None, ...]] = {1: ("a", "b"), 2: (None,)}


# How far a value may miss an end of its range because of the last digits.
ROUNDING = 1e-14


def evaluate(
    comparison: Comparison, requests: Iterable[Request]
) -> tuple[tuple[Result, ...], tuple[str, ...]]:
    """The results of all requests, and what there is to remark about them.

    A metric that was named and does not fit the input at all is an error.
    """
    results: list[Result] = []
    remarks: list[str] = []
    for request in requests:
        found = list(apply_to_sides(comparison, request))
        if request.named and all(result.status is Status.not_applicable for result in found):
            raise does_not_fit(request.metric.name, found[0].reason or "", comparison)
        if request.metric.remarks and any(result.status is Status.ok for result in found):
            remarks += request.metric.remarks(comparison, request.options)
        results += found
    if all(result.status is Status.not_applicable for result in results):
        raise does_not_fit("none of the metrics", results[0].reason or "", comparison)
    return tuple(results), tuple(dict.fromkeys(remarks))


def fitting(comparison: Comparison, requests: Iterable[Request]) -> tuple[Request, ...]:
    """The requests whose metric can deal with this input, or all of them if none can."""
    asked = tuple(requests)
    fit = [
        request
        for request in asked
        if not all(find_obstacle(request, comparison, side) for side in SIDES[request.metric.arity])
    ]
    return tuple(fit) or asked


def find_obstacle(request: Request, comparison: Comparison, side: str | None) -> str:
    """What the input lacks for a metric; empty if nothing."""
    metric = request.metric
    clusterings = {"a": [comparison.a], "b": [comparison.b]}.get(
        side or "", [comparison.a, comparison.b]
    )
    if metric.arity == 2 and not comparison.same_points and not metric.accepts_different_points:
        return "needs the same points in a and b"
    if not metric.accepts_soft and not all(clustering.is_hard for clustering in clusterings):
        return "needs hard clusterings"
    if request.options.get("ground") == "precomputed":
        return "" if comparison.distances is not None else "needs --distances"
    if metric.needs_coordinates and any(
        clustering.points.coordinates is None for clustering in clusterings
    ):
        return "needs coordinates"
    return ""


def does_not_fit(what: str, obstacle: str, comparison: Comparison) -> InputError | UsageError:
    """The error for a metric that the input cannot serve."""
    if comparison.difference and "same points" in obstacle:
        remedy = "give both the same points"
        if comparison.coverage.shared:
            remedy += ", or compare those in both with --points intersect"
        return InputError(comparison.difference, hint=remedy)
    soft = [side.file or side.side for side in comparison.sides if side.kind == "soft"]
    because = f" ({' and '.join(soft)}: soft)" if soft and "hard" in obstacle else ""
    return UsageError(
        f"{what}: {obstacle}{because}", hint="'clustcmp metrics' says what each metric needs"
    )


def apply_to_sides(comparison: Comparison, request: Request) -> Iterator[Result]:
    """The one result of a metric of two clusterings, or the two of a metric of one."""
    for side in SIDES[request.metric.arity]:
        obstacle = find_obstacle(request, comparison, side)
        if obstacle:
            yield result(request, comparison, side, None, Status.not_applicable, obstacle)
        else:
            yield apply(request, comparison, side)


def apply(request: Request, comparison: Comparison, side: str | None) -> Result:
    """The result of a metric that fits the input."""
    worst, best = find_ends(request, comparison)
    # Equal clusterings score best exactly, also where the formula is 0/0 or off by a rounding.
    identical = comparison.identical and (
        comparison.same_places or not request.metric.needs_coordinates
    )
    if side is None and identical and best is not None and math.isfinite(best):
        return result(request, comparison, side, best, Status.ok, None)
    subject = {"a": comparison.a, "b": comparison.b}.get(side or "", comparison)
    try:
        value = request.metric.compute(subject, **request.options)
    except Undefined as reason:
        return result(request, comparison, side, None, Status.undefined, str(reason))
    except (LimitExceeded, SolverFailed) as failure:
        # What nobody asked for by name must not stop the others.
        if request.named:
            raise
        return result(request, comparison, side, None, Status.not_applicable, failure.message)
    return result(request, comparison, side, within_ends(value, worst, best), Status.ok, None)


def within_ends(value: float, *ends: float | None) -> float:
    """The value, or the end of its range that it exceeds by no more than rounding."""
    for end in ends:
        if end is not None and abs(value - end) <= ROUNDING:
            return end
    return value


def find_ends(request: Request, comparison: Comparison) -> Ends:
    """The worst and the best value that the metric can have with these options."""
    metric = request.metric
    if metric.ends is None:
        return metric.worst, metric.best
    return metric.ends(request.options, comparison.is_hard)


def result(
    request: Request,
    comparison: Comparison,
    side: str | None,
    value: float | None,
    status: Status,
    reason: str | None,
) -> Result:
    """The result that says all there is to say about a request."""
    worst, best = find_ends(request, comparison)
    applies = status is not Status.not_applicable
    return Result(
        metric=request.spec,
        name=request.metric.name,
        family=request.metric.family.name,
        options=dict(request.options),
        value=value,
        status=status,
        reason=reason,
        worst=finite_or_none(worst),
        best=finite_or_none(best),
        side=side,
        details=find_details(request, comparison) if applies else {},
    )


def find_details(request: Request, comparison: Comparison) -> dict[str, Any]:
    """What a result says besides its value, as far as that can be computed."""
    if request.metric.details is None:
        return {}
    try:
        return dict(request.metric.details(comparison, request.options))
    except (Undefined, LimitExceeded, SolverFailed):
        return {}


def finite_or_none(end: float | None) -> float | None:
    """An end of a range as JSON can say it."""
    return end if end is not None and math.isfinite(end) else None
