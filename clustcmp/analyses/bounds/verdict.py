"""The verdict of a gate: which bounds are kept, and the exit status that follows from it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from clustcmp.analyses.bounds.thresholds import (
    COVERAGE,
    MOVED,
    Kind,
    Level,
    Threshold,
)
from clustcmp.errors import ClustcmpError, UsageError
from clustcmp.metrics import METRICS
from clustcmp.model import Coverage, Described
from clustcmp.options import show_option
from clustcmp.results import Report, Result


class Outcome(StrEnum):
    """What became of a bound or of a whole gate; an error leaves a gate without checks."""

    fail = "fail"
    error = "error"
    no_verdict = "no_verdict"
    warn = "warn"
    passed = "pass"


# Only these let a pipeline go on. An error has the exit status that it has in every command.
EXIT_STATUS = {Outcome.passed: 0, Outcome.warn: 0, Outcome.fail: 1, Outcome.no_verdict: 3}

# The failures first: that is also how severe an outcome is for the whole.
SEVERITY = {outcome: rank for rank, outcome in enumerate(Outcome)}


@dataclass(frozen=True)
class Check:
    """One bound and what was found; `accepted` is the value of the baseline, for a change."""

    threshold: Threshold
    outcome: Outcome
    found: float | None
    accepted: float | None = None
    reason: str = ""
    side: str | None = None

    @property
    def margin(self) -> float | None:
        """How far the value is on the good side of the bound; negative on the other side."""
        return None if self.found is None else self.threshold.margin(self.found, self.accepted)


@dataclass(frozen=True)
class Verdict:
    """All checks of one gate, the failures first, or the error that prevented them."""

    outcome: Outcome
    checks: tuple[Check, ...] = ()
    name: str | None = None
    inputs: tuple[Described, ...] = ()
    coverage: Coverage | None = None
    notes: tuple[str, ...] = ()
    error: ClustcmpError | None = None

    @property
    def exit_status(self) -> int:
        """0 only if every bound that can fail is known to be kept."""
        return self.error.exit_status if self.error else EXIT_STATUS[self.outcome]

    def __bool__(self) -> bool:
        return self.exit_status == 0

    def having(self, *outcomes: Outcome) -> tuple[Check, ...]:
        """The checks with one of these outcomes."""
        return tuple(check for check in self.checks if check.outcome in outcomes)


class GateFailed(AssertionError):
    """A gate that did not pass; its text is that of the command."""

    def __init__(self, text: str, verdict: Verdict) -> None:
        super().__init__(text)
        self.verdict = verdict


def judge(
    report: Report,
    thresholds: Sequence[Threshold],
    accepted: Mapping[str, float] | None = None,
    name: str | None = None,
    moved: float | None = None,
) -> Verdict:
    """The verdict on a report.

    `accepted` holds the values of a baseline by metric, `moved` is the share of moved points.
    """
    if not thresholds:
        raise no_bound()
    shares = {COVERAGE: report.coverage.share, MOVED: moved}
    checks = [check(report, threshold, accepted, shares) for threshold in thresholds]
    checks.sort(key=lambda check: SEVERITY[check.outcome])
    notes = (*report.notes, *dict.fromkeys(remarks(report, thresholds)))
    return Verdict(checks[0].outcome, tuple(checks), name, report.inputs, report.coverage, notes)


def no_bound() -> UsageError:
    """The error for a gate that nothing could fail."""
    return UsageError(
        "the gate has no bound, so nothing could fail it",
        hint="give one: --min ari=0.9, --max cdistance=0.05, --max-moved 1%",
    )


def overall(verdicts: Iterable[Verdict]) -> Verdict:
    """The one of several verdicts that decides: the most severe, the first of equals."""
    return min(verdicts, key=lambda verdict: SEVERITY[verdict.outcome])


def check(
    report: Report,
    threshold: Threshold,
    accepted: Mapping[str, float] | None = None,
    shares: Mapping[str, float | None] | None = None,
) -> Check:
    """What became of one bound. Without a value it is never kept."""
    result = find_result(report, threshold)
    side = result.side if result else None
    values, reason = find_values(result)
    if threshold.is_share:
        share = (shares or {}).get(threshold.metric)
        values, reason = () if share is None else (share,), ""
    before = None
    if threshold.kind is Kind.max_change and result:
        before = (accepted or {}).get(result.metric)
        if before is None:
            values, reason = (), "the baseline has no value of it"
    if not values or not all(map(math.isfinite, values)):
        return Check(threshold, Outcome.no_verdict, None, before, reason or "no value", side)
    # Of an approximate value the worse end counts.
    found = min(values, key=lambda value: threshold.margin(value, before))
    if len(values) > 1:
        reason = f"approximate, judged by the worse end of {values[0]:g} to {values[-1]:g}"
    outcome = Outcome.passed
    if not threshold.holds(found, before):
        outcome = Outcome.fail if threshold.level is Level.fail else Outcome.warn
    return Check(threshold, outcome, found, before, reason, side)


def find_result(report: Report, threshold: Threshold) -> Result | None:
    """The result that a bound is on; of a metric of one clustering that of the candidate."""
    if threshold.is_share:
        return None
    found = report.results_of(threshold.metric)
    return next((result for result in found if result.side != "a"), None)


def find_values(result: Result | None) -> tuple[tuple[float, ...], str]:
    """The value, or both ends of an approximate one, or the reason why there is none."""
    if result is None:
        return (), "was not computed"
    if result.value is None:
        return (), f"{result.status.value.replace('_', ' ')}: {result.reason}"
    return result.bounds or (result.value,), ""


def remarks(report: Report, thresholds: Iterable[Threshold]) -> Iterator[str]:
    """Bounds that are allowed and yet hardly meant."""
    if all(threshold.level is Level.warn for threshold in thresholds):
        yield "all bounds are for warnings, so nothing can fail this gate"
    strict = {
        (threshold.metric, threshold.kind): threshold.bound
        for threshold in thresholds
        if threshold.level is Level.fail
    }
    for threshold in thresholds:
        if threshold.is_share or threshold.kind is Kind.max_change:
            continue
        result = find_result(report, threshold)
        if result:
            yield from remarks_on_range(threshold, result)
        hard = strict.get((threshold.metric, threshold.kind))
        if threshold.level is Level.warn and hard is not None:
            sign = 1.0 if threshold.kind is Kind.min else -1.0
            if sign * (threshold.bound - hard) <= 0.0:
                yield (
                    f"{threshold.metric}: {threshold.key} is not stricter than "
                    f"{threshold.kind.value}, so it never warns"
                )


def remarks_on_range(threshold: Threshold, result: Result) -> Iterator[str]:
    """A bound in the direction that makes no sense, or one that every value keeps or breaks."""
    better = METRICS[result.name].higher_is_better
    wrong = {Kind.min: False, Kind.max: True}[threshold.kind]
    option = f"--{threshold.key.replace('_', '-')} {threshold.metric}"
    if better is wrong:
        direction = "higher" if better else "lower"
        yield f"{option}: {direction} is better here, so this bound refuses what agrees well"
    ends = [end for end in (result.worst, result.best) if end is not None]
    if len(ends) < 2:
        return
    keeps = [threshold.holds(end) for end in ends]
    if all(keeps):
        yield f"{option}={show_option(threshold.bound)}: every possible value keeps this bound"
    elif not any(keeps):
        yield f"{option}={show_option(threshold.bound)}: no possible value keeps this bound"
