"""The verdict of a gate: which bounds are kept, and the exit status that follows from it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

from clustcmp.analyses.bounds.thresholds import (
    COVERAGE,
    OF_THE_CANDIDATE,
    QUANTITIES,
    Kind,
    Level,
    Threshold,
    no_bound,
)
from clustcmp.errors import ClustcmpError
from clustcmp.metrics import METRICS
from clustcmp.model import Coverage, Described, Side
from clustcmp.records import (
    Added,
    Count,
    JsonObject,
    Key,
    Merged,
    PythonOnly,
    Record,
    Rule,
    UpToOne,
    in_json,
    json_fields,
)
from clustcmp.results import Joined, Proven, Report, Reported, Result, as_frame
from clustcmp.wording import say

if TYPE_CHECKING:
    from clustcmp.results import Frame

# What has a bound, but is not among the results of metrics.
WITHOUT_RESULT = frozenset(what for what, _ in QUANTITIES.values())


class Outcome(StrEnum):
    """What became of a bound or of a whole gate; an error leaves a gate without checks."""

    fail = "fail"
    error = "error"
    no_verdict = "no_verdict"
    warn = "warn"
    passed = "pass"


# Only these let a pipeline go on. An error has the exit status that it has in every command.
EXIT_STATUS = {Outcome.passed: 0, Outcome.warn: 0, Outcome.fail: 1, Outcome.no_verdict: 3}

# The order of Outcome is also its severity, the most severe first.
SEVERITY = {outcome: rank for rank, outcome in enumerate(Outcome)}


ExitStatus = Annotated[int, Rule(enum=[0, 1, 2, 3])]


@dataclass(frozen=True)
class Check(Record):
    """One bound and what was found.

    Of an approximate value `interval` holds the proven ends, and `found` is the worse one. Of an
    approximate accepted value `accepted_interval` holds the ends, and `accepted` is the worst case.
    `step` names the two windows of a track that were compared.
    """

    threshold: Merged[Threshold]
    outcome: Annotated[Outcome, Rule(enum=["fail", "no_verdict", "warn", "pass"])]
    found: float | None
    accepted: Annotated[float | None, "The value of the baseline, for a change."] = None
    reason: Annotated[
        str | None, "Why there is no value, or how an approximate one was judged."
    ] = None
    side: Annotated[str | None, Rule(enum=["b", None])] = None
    interval: Added[Proven] = None
    accepted_interval: Added[Proven] = None
    step: PythonOnly[tuple[str, str] | None] = None

    @property
    @in_json()
    def margin(self) -> float | None:
        """How far the value is on the good side of the bound; negative on the other side."""
        return None if self.found is None else self.threshold.margin(self.found, self.accepted)


@dataclass(frozen=True)
class Extent(Coverage):
    """Points in both clusterings, in one only and dropped."""

    dropped: Count = 0

    @property
    @in_json()
    def share(
        self,
    ) -> Annotated[UpToOne, "Of all points in a or b, those in both and not dropped."]:
        """The share of all points that both clusterings have and that were not dropped."""
        return super().share


@dataclass(frozen=True, repr=False)
class Verdict(Joined):
    """All checks of one gate, the failures first, or the error that prevented them.

    A track has a verdict, too: bound by bound, with a check for each step.
    """

    command = "gate"

    outcome: Outcome
    checks: Annotated[tuple[Check, ...], "The failures first."] = ()
    name: str | None = None
    inputs: tuple[Side, ...] = ()
    coverage: Extent | None = None
    notes: tuple[str, ...] = ()
    error: Annotated[str | None, "What prevented the gate from being run."] = None
    hint: Annotated[str | None, "What to do about the error."] = None
    explained_by: Added[
        Annotated[str | None, "The command that shows what changed, if the gate failed."]
    ] = None
    error_status: PythonOnly[int] = 0

    @classmethod
    def of_error(cls, error: ClustcmpError, name: str | None = None) -> Verdict:
        """The verdict of a gate that could not be run."""
        return cls(
            Outcome.error,
            name=name,
            error=error.message,
            hint=error.hint or None,
            error_status=error.exit_status,
        )

    @property
    @in_json()
    def exit_status(self) -> ExitStatus:
        """0 only if every bound that can fail is known to be kept."""
        return self.error_status or EXIT_STATUS[self.outcome]

    def __bool__(self) -> bool:
        return self.exit_status == 0

    def having(self, *outcomes: Outcome) -> tuple[Check, ...]:
        """The checks with one of these outcomes."""
        return tuple(check for check in self.checks if check.outcome in outcomes)

    @property
    def by_threshold(self) -> tuple[Verdict, ...]:
        """The verdict on each bound by itself: over all steps, if it is one on a track."""
        groups = [
            tuple(checks) for _, checks in groupby(self.checks, key=lambda check: check.threshold)
        ]
        return tuple(Verdict(worst_of(checks), checks) for checks in groups)

    def to_dict(self) -> JsonObject:
        """The document that `clustcmp gate -f json` prints for this gate alone."""
        return Verdicts((self,)).to_dict()

    def to_frame(self) -> Frame:
        """One row for each check, indexed by metric; the failures first."""
        return Verdicts((self,)).to_frame().droplevel("gate")


@dataclass(frozen=True, repr=False)
class Verdicts(Reported):
    """The verdicts of all gates of one run; the most severe one decides."""

    command = "gate"

    verdicts: Annotated[tuple[Verdict, ...], Key("gates"), Rule(minItems=1)]

    @property
    def inputs(self) -> tuple[Described, ...]:
        """What the gates compared, in their order."""
        return tuple(side for verdict in self.verdicts for side in verdict.inputs)

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of all gates, each once."""
        return tuple(dict.fromkeys(note for verdict in self.verdicts for note in verdict.notes))

    @property
    def deciding(self) -> Verdict:
        """The most severe verdict, the first of equals."""
        return min(self.verdicts, key=lambda verdict: SEVERITY[verdict.outcome])

    @property
    @in_json()
    def outcome(self) -> Outcome:
        """The outcome of the verdict that decides."""
        return self.deciding.outcome

    @property
    @in_json()
    def exit_status(self) -> ExitStatus:
        """The exit status of the verdict that decides."""
        return self.deciding.exit_status

    def to_frame(self) -> Frame:
        """One row for each check, indexed by gate and metric."""
        rows = [
            [verdict.name, *check.to_dict().values()]
            for verdict in self.verdicts
            for check in verdict.checks
        ]
        return as_frame(["gate", *json_fields(Check)], rows, "gate", "metric")


def worst_of(checks: Iterable[Check]) -> Outcome:
    """The most severe outcome."""
    return min((check.outcome for check in checks), key=SEVERITY.__getitem__)


class GateFailed(AssertionError):
    """A gate that did not pass; its text is that of the command."""

    # A traceback calls the error by the name that users import.
    __module__ = "clustcmp"

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.to_text())
        self.verdict = verdict

    def __reduce__(self) -> tuple[type[GateFailed], tuple[Verdict]]:
        return GateFailed, (self.verdict,)


def judge(
    report: Report,
    thresholds: Sequence[Threshold],
    accepted: Mapping[str, tuple[float, ...]] | None = None,
    name: str | None = None,
    quantities: Mapping[str, float] | None = None,
) -> Verdict:
    """The verdict on a report.

    `accepted` holds the values of a baseline by metric, both ends of an approximate one.
    `quantities` are the shares and counts that have a bound, but for the coverage.
    """
    if not thresholds:
        raise no_bound()
    known = {COVERAGE: report.coverage.share, **(quantities or {})}
    checks = [check(report, threshold, accepted, known) for threshold in thresholds]
    checks.sort(key=lambda check: SEVERITY[check.outcome])
    notes = (*report.notes, *dict.fromkeys(remarks(report, thresholds)))
    coverage = Extent(**vars(report.coverage))
    return Verdict(checks[0].outcome, tuple(checks), name, report.inputs, coverage, notes)


def check(
    report: Report,
    threshold: Threshold,
    accepted: Mapping[str, tuple[float, ...]] | None = None,
    quantities: Mapping[str, float] | None = None,
) -> Check:
    """What became of one bound. Without a value it is never kept."""
    # A report is plain data: it says which metric was asked for, and does not hold the metric.
    plain = replace(threshold, request=None)
    result = find_result(report, threshold)
    side = result.side if result else None
    values, reason = find_values(result)
    if threshold.metric in WITHOUT_RESULT:
        quantity = (quantities or {}).get(threshold.metric)
        values, reason = () if quantity is None else (quantity,), ""
        side = "b" if threshold.metric in OF_THE_CANDIDATE else None
    befores: tuple[float, ...] = ()
    if threshold.kind.is_change and result:
        befores = (accepted or {}).get(result.metric, ())
        if not befores:
            values, reason = (), "the baseline has no value of it"
    if not values or not all(map(math.isfinite, values)):
        before = befores[0] if befores else None
        return Check(plain, Outcome.no_verdict, None, before, reason or "no value", side)
    # Of an approximate value the worse end counts.
    found, before = threshold.worst_case(values, befores)
    outcome = Outcome.passed
    if not threshold.holds(found, before):
        outcome = Outcome.fail if threshold.level is Level.fail else Outcome.warn
    intervals = as_interval(values), as_interval(befores)
    return Check(plain, outcome, found, before, explain(*intervals), side, *intervals)


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


def find_result(report: Report, threshold: Threshold) -> Result | None:
    """The result that a bound is on; of a metric of one clustering that of the candidate."""
    if threshold.metric in WITHOUT_RESULT:
        return None
    found = report.results_of(threshold.metric)
    return next((result for result in found if result.side != "a"), None)


def find_values(result: Result | None) -> tuple[tuple[float, ...], str]:
    """The value, or both ends of an approximate one, or the reason why there is none."""
    if result is None:
        return (), "was not computed"
    if result.value is None:
        return (), f"{result.status.value.replace('_', ' ')}: {result.reason}"
    return result.proven or (result.value,), ""


def remarks(report: Report, thresholds: Iterable[Threshold]) -> Iterator[str]:
    """Notes on bounds that are allowed but probably a mistake."""
    if all(threshold.level is Level.warn for threshold in thresholds):
        yield "all bounds are for warnings, so nothing can fail this gate"
    strict = {
        (threshold.metric, threshold.kind): threshold.bound
        for threshold in thresholds
        if threshold.level is Level.fail
    }
    for threshold in thresholds:
        if threshold.metric in WITHOUT_RESULT:
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
    """Notes on a bound against the direction of its metric, or that every or no value keeps."""
    kind, better = threshold.kind, METRICS[result.name].higher_is_better
    wrong = {Kind.min: False, Kind.max_drop: False, Kind.max: True, Kind.max_rise: True}
    bound = say(threshold.key, {threshold.metric: threshold.typed})
    if kind in wrong and better is wrong[kind]:
        direction = "higher" if better else "lower"
        fails = "better values" if kind.is_change else "similar clusterings"
        yield f"{bound}: {direction} is better here, so this bound fails for {fails}"
    if kind.is_change:
        return
    ends = [end for end in (result.worst, result.best) if end is not None]
    if len(ends) < 2:
        return
    keeps = [threshold.holds(end) for end in ends]
    if all(keeps):
        yield f"{bound}: every possible value keeps this bound"
    elif not any(keeps):
        yield f"{bound}: no possible value keeps this bound"
