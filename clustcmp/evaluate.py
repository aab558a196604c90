"""Apply metrics to a comparison; the only loop that does so."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from clustcmp.align import note_unseen
from clustcmp.arrays import LAST_DIGITS
from clustcmp.backends import allow_jobs
from clustcmp.errors import (
    ClustcmpError,
    InputError,
    LimitExceeded,
    Obstacle,
    SolverFailed,
    Undefined,
    UsageError,
)
from clustcmp.model import Comparison, Contingency
from clustcmp.notes import Note
from clustcmp.registry import Ends, Request
from clustcmp.results import Estimate, Report, Result, Status
from clustcmp.wording import name_of, say

# A metric of two clusterings has one result, without a side. A metric of one clustering has one
# result for a and one for b.
SIDES: dict[int, tuple[str | None, ...]] = {1: ("a", "b"), 2: (None,)}

HOW_TO_FIND_OUT = "'clustcmp metrics' says what each metric needs"


class Answer(NamedTuple):
    """The answer to a request: its results, one or one for each side, and remarks on the input."""

    request: Request
    results: tuple[Result, ...]
    remarks: tuple[Note, ...]

    @property
    def unfit(self) -> Result | None:
        """The first result, if the metric fits the input on no side."""
        if all(result.status is Status.not_applicable for result in self.results):
            return self.results[0]
        return None


def report_on(comparison: Comparison, requests: Sequence[Request]) -> Report:
    """The report of one comparison: the results of these metrics, and all notes."""
    results, remarks = evaluate(comparison, requests)
    notes = (*comparison.notes, *note_unseen(comparison), *remarks)
    # Workers may have counted files whose rows are as known as if they had been read here.
    counted = any(side.is_counted for side in comparison.sides)
    return Report(comparison.sides, comparison.coverage, results, notes, is_counted=counted)


def evaluate(
    comparison: Comparison, requests: Iterable[Request]
) -> tuple[tuple[Result, ...], tuple[Note, ...]]:
    """The results of all requests, and the remarks of their metrics on the input.

    A metric that was named and does not fit the input at all is an error.
    """
    results: list[Result] = []
    remarks: list[Note] = []
    for one in answers(comparison, fitting(comparison, requests)):
        if one.request.named and one.unfit:
            raise does_not_fit(one.request.metric.name, one.unfit, comparison)
        results += one.results
        remarks += one.remarks
    if all(result.status is Status.not_applicable for result in results):
        raise does_not_fit("none of the metrics", results[0], comparison)
    return tuple(results), tuple(dict.fromkeys(remarks))


def answers(comparison: Comparison, requests: Iterable[Request]) -> Iterator[Answer]:
    """The answer to each request, computed when it is asked for."""
    for request in requests:
        found = tuple([answer_side(request, comparison, side) for side in sides_of(request)])
        remarks: tuple[Note, ...] = ()
        if request.metric.remarks and any(result.status is Status.ok for result in found):
            subject = subject_of(request, comparison, found[0].side)
            remarks = tuple(map(Note, request.metric.remarks(subject, request.options)))
        if not comparison.is_hard and any(result.status is Status.ok for result in found):
            remarks += note_formerly(request)
        yield Answer(request, found, remarks)


# How soft clusterings are compared by default, by the value of the option.
SOFT_DEFAULTS = {
    "matrix": "pairs of points count by how much they are together",
    "min": "a point counts in two clusters by its smaller degree",
}
FORMER_EXAMPLES = {"matrix": "adjusted_rand:soft=expected", "min": "purity:soft=product"}


def note_formerly(request: Request) -> tuple[Note, ...]:
    """The note on a default for soft clusterings that gave other numbers in the first version."""
    option = request.metric.options.get("soft")
    if option is None or option.for_soft is None or "soft" in request.given:
        return ()
    former, example = option.for_soft.formerly, FORMER_EXAMPLES[str(option.default)]
    return (
        Note(
            f"soft clusterings: {SOFT_DEFAULTS[str(option.default)]} (soft={option.default}), so "
            f"that one compared with itself scores best; soft={former} gives the numbers of "
            f"clustcmp 0.1: {say('metrics', example)}"
        ),
    )


def fitting(comparison: Comparison, requests: Iterable[Request]) -> tuple[Request, ...]:
    """The requests without the optional ones that do not fit this input, or all if none fits."""
    asked = tuple(requests)
    fit = [
        request
        for request in asked
        if not request.optional
        or not all(find_obstacle(request, comparison, side) for side in sides_of(request))
    ]
    return tuple(fit) or asked


def sides_of(request: Request) -> tuple[str | None, ...]:
    """The sides that a metric has a result for."""
    return SIDES[request.metric.arity]


def find_obstacle(request: Request, comparison: Comparison, side: str | None) -> Obstacle | None:
    """What keeps a metric from being applied to the input, or None."""
    metric = request.metric
    clusterings = {"a": [comparison.a], "b": [comparison.b]}.get(
        side or "", [comparison.a, comparison.b]
    )
    if comparison.is_counted and metric.subject is not Contingency:
        return Obstacle.no_points
    if comparison.weighting != "none":
        takes = metric.takes_weights(request.options)
        if takes == "none":
            return Obstacle.no_weights
        if takes == "counts" and comparison.weighting == "masses":
            return Obstacle.only_counts
    if not comparison.same_points and not metric.fits_different_points:
        return Obstacle.different_points
    if any(clustering.kind not in metric.accepts for clustering in clusterings):
        return Obstacle.not_hard
    if request.options.get("ground") == "precomputed":
        return None if comparison.distances is not None else Obstacle.no_distances
    if metric.needs_coordinates and any(
        clustering.points.coordinates is None for clustering in clusterings
    ):
        return Obstacle.no_coordinates
    return None


def say_obstacle(obstacle: Obstacle) -> str:
    """The reason that a result gives for an obstacle."""
    return f"needs {name_of('distances')}" if obstacle is Obstacle.no_distances else str(obstacle)


def does_not_fit(what: str, unfit: Result, comparison: Comparison) -> ClustcmpError:
    """The error for a metric that does not fit the input."""
    if unfit.obstacle is Obstacle.different_points and comparison.difference:
        return different_points(comparison)
    reason, hint = unfit.reason or "", HOW_TO_FIND_OUT
    if unfit.obstacle is Obstacle.not_hard:
        soft = [side.file or side.name for side in comparison.sides if side.kind == "soft"]
        reason += f" ({' and '.join(soft)}: soft)" if soft else ""
    if unfit.obstacle is Obstacle.no_coordinates:
        hint = f"say where the points are with {say('coordinates')}"
    if unfit.obstacle is Obstacle.no_distances:
        hint = f"give the distances with {say('distances')}"
    if unfit.obstacle in (Obstacle.no_weights, Obstacle.only_counts):
        hint = f"leave it out, or leave out {name_of('weights')}"
    if unfit.obstacle is Obstacle.no_points:
        hint = "compare the clusterings themselves"
    return UsageError(f"{what}: {reason}", hint=hint)


def different_points(comparison: Comparison) -> InputError:
    """The error for clusterings of different points where the same are needed."""
    remedy = "give both the same points"
    if comparison.coverage.shared:
        remedy += f", or compare those in both with {say('points', 'intersect')}"
    return InputError(comparison.difference, hint=remedy)


def answer_side(request: Request, comparison: Comparison, side: str | None) -> Result:
    """The result of a metric, of one side if it is of one clustering."""
    if obstacle := find_obstacle(request, comparison, side):
        reason = say_obstacle(obstacle)
        return result(request, comparison, side, Status.not_applicable, reason, obstacle)
    best = find_ends(request, comparison)[1]
    # Equal clusterings get exactly the best value, also where the formula is 0/0 or has a rounding
    # error.
    identical = comparison.identical and (
        comparison.same_coordinates or not request.metric.needs_coordinates
    )
    if side is None and identical and best is not None and math.isfinite(best):
        return result(request, comparison, side, value=best)
    try:
        with allow_jobs(comparison.jobs):
            value = request.metric.compute(subject_of(request, comparison, side), **request.options)
    except Undefined as reason:
        return result(request, comparison, side, Status.undefined, str(reason))
    except (LimitExceeded, SolverFailed) as failure:
        # Only a metric that was named may stop the run; one from a family becomes not_applicable.
        if request.named:
            raise
        return result(request, comparison, side, Status.not_applicable, failure.message)
    return result(request, comparison, side, value=value)


def answer_table(request: Request, table: Contingency) -> float:
    """The value of a metric that looks at nothing but the contingency of two hard clusterings.

    For analyses of thousands of tables, which need no more of a result. Raises Undefined where the
    formula has no value.
    """
    worst, best = ends_of(request, is_hard=True)
    if table.one_to_one and best is not None and math.isfinite(best):
        return best
    value = request.metric.compute(table, **request.options)
    return within_ends(value.value if isinstance(value, Estimate) else value, worst, best)


def subject_of(request: Request, comparison: Comparison, side: str | None) -> Any:
    """What the metric looks at."""
    if request.metric.subject is Contingency:
        return comparison.contingency
    return {"a": comparison.a, "b": comparison.b}.get(side or "", comparison)


def find_ends(request: Request, comparison: Comparison) -> Ends:
    """The worst and the best value that the metric can have with these options."""
    return ends_of(request, comparison.is_hard)


def ends_of(request: Request, is_hard: bool) -> Ends:
    """The worst and the best value for hard clusterings, or for others."""
    metric = request.metric
    if metric.ends is None:
        return metric.worst, metric.best
    return metric.ends(request.options, is_hard)


def result(
    request: Request,
    comparison: Comparison,
    side: str | None,
    status: Status = Status.ok,
    reason: str | None = None,
    obstacle: Obstacle | None = None,
    value: float | Estimate | None = None,
) -> Result:
    """The result of a request: its value or reason, and all that the declaration says about it."""
    ends = find_ends(request, comparison)
    interval = None
    if isinstance(value, Estimate):
        interval = clip(value.low, *ends), clip(value.high, *ends)
        value = value.value
    details: dict[str, Any] = {}
    if status is not Status.not_applicable:
        details = find_details(request, comparison, side)
    return Result(
        metric=request.spec,
        name=request.metric.name,
        family=request.metric.family.title,
        options=dict(request.options),
        value=None if value is None else within_ends(value, *ends),
        status=status,
        reason=reason,
        worst=finite_or_none(ends[0]),
        best=finite_or_none(ends[1]),
        side=side,
        details=details,
        proven=interval,
        convention=request.metric.describe(request.options, comparison.is_hard),
        higher_is_better=request.metric.higher_is_better,
        obstacle=obstacle,
    )


def clip(limit: float, *ends: float | None) -> float:
    """The end of an interval, or the end of the metric's range that it lies beyond."""
    known = [end for end in ends if end is not None]
    if len(known) == 2:
        return min(max(limit, min(known)), max(known))
    return within_ends(limit, *ends)


def within_ends(value: float, *ends: float | None) -> float:
    """The value, or the nearest end of its range, if the two differ by rounding only."""
    for end in ends:
        if end is not None and abs(value - end) <= LAST_DIGITS:
            return end
    return value


def find_details(request: Request, comparison: Comparison, side: str | None) -> dict[str, Any]:
    """What a result says besides its value; nothing if the details cannot be computed."""
    if request.metric.details is None:
        return {}
    try:
        subject = subject_of(request, comparison, side)
        return dict(request.metric.details(subject, request.options))
    except (Undefined, LimitExceeded, SolverFailed):
        return {}


def finite_or_none(end: float | None) -> float | None:
    """The end of a range, or None where the end is infinite, because JSON has no infinity."""
    return end if end is not None and math.isfinite(end) else None
