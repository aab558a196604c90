"""Apply metrics to a comparison."""

from __future__ import annotations

import math
from collections.abc import Iterable

from clustcmp.errors import InputError, Undefined, UsageError
from clustcmp.model import Comparison, Result, Status
from clustcmp.registry import Ends, Metric, Request


def evaluate(comparison: Comparison, requests: Iterable[Request]) -> tuple[Result, ...]:
    """A result for each request; an error for a named metric that does not fit the input."""
    results = []
    for request in requests:
        obstacle = find_obstacle(request.metric, comparison)
        if obstacle and request.named:
            raise does_not_fit(request.metric.name, obstacle, comparison)
        results.append(
            unfit(request, comparison, obstacle) if obstacle else apply(request, comparison)
        )
    if all(result.status is Status.not_applicable for result in results):
        raise does_not_fit("none of the metrics", results[0].reason or "", comparison)
    return tuple(results)


def fitting(comparison: Comparison, requests: Iterable[Request]) -> tuple[Request, ...]:
    """The requests whose metric can deal with this input, or all of them if none can."""
    requests = tuple(requests)
    return (
        tuple(request for request in requests if not find_obstacle(request.metric, comparison))
        or requests
    )


def find_obstacle(metric: Metric, comparison: Comparison) -> str:
    """What the input lacks for a metric; empty if nothing."""
    if not comparison.same_points and not metric.accepts_different_points:
        return "needs the same points in a and b"
    if not comparison.is_hard and not metric.accepts_soft:
        return "needs hard clusterings"
    if metric.needs_coordinates:
        return "needs coordinates"
    return ""


def does_not_fit(what: str, obstacle: str, comparison: Comparison) -> InputError | UsageError:
    """The error for a metric that the input cannot serve."""
    if comparison.difference:
        remedy = "give both the same points"
        if comparison.coverage.shared:
            remedy += ", or compare those in both with --points intersect"
        return InputError(comparison.difference, hint=remedy)
    soft = [side.file or side.side for side in comparison.sides if side.kind == "soft"]
    return UsageError(
        f"{what}: {obstacle}" + (f", and {' and '.join(soft)} is soft" if soft else ""),
        hint="'clustcmp metrics' says what each metric needs",
    )


def unfit(request: Request, comparison: Comparison, obstacle: str) -> Result:
    """The result of a metric that does not fit the input."""
    return result(request, comparison, None, Status.not_applicable, obstacle)


def apply(request: Request, comparison: Comparison) -> Result:
    """The result of a metric that fits the input."""
    _, best = find_ends(request, comparison)
    # Equal clusterings score best exactly, also where the formula is 0/0 or off by a rounding.
    if comparison.identical and best is not None and math.isfinite(best):
        return result(request, comparison, best, Status.ok, None)
    try:
        value = request.metric.compute(comparison, **request.options)
    except Undefined as reason:
        return result(request, comparison, None, Status.undefined, str(reason))
    return result(request, comparison, value, Status.ok, None)


def find_ends(request: Request, comparison: Comparison) -> Ends:
    """The worst and the best value that the metric can have with these options."""
    metric = request.metric
    if metric.ends is None:
        return metric.worst, metric.best
    return metric.ends(request.options, comparison.is_hard)


def result(
    request: Request,
    comparison: Comparison,
    value: float | None,
    status: Status,
    reason: str | None,
) -> Result:
    """The result that says all there is to say about a request."""
    worst, best = find_ends(request, comparison)
    details = request.metric.details
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
        details=dict(details(comparison))
        if details and status is not Status.not_applicable
        else {},
    )


def finite_or_none(end: float | None) -> float | None:
    """An end of a range as JSON can say it."""
    return end if end is not None and math.isfinite(end) else None
