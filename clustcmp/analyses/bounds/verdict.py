"""The verdict of a gate: which bounds are kept, and the exit status that follows from it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

from clustcmp.analyses.bounds.ends import (
    Before,
    as_interval,
    explain,
    explain_interval,
    find_accepted,
    find_values,
    worst_case,
)
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
    Asked,
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
from clustcmp.results import Joined, Report, Reported, Result, as_frame
from clustcmp.sureness import Interval
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


Ends = Annotated[
    tuple[float, float] | None,
    "The ends that were judged: those of an approximate value are proven, and with a level of "
    "confidence they reach at least as far as the interval.",
]
ExitStatus = Annotated[int, Rule(enum=[0, 1, 2, 3])]


@dataclass(frozen=True)
class Check(Record):
    """One bound and what was found.

    Of an approximate value `interval` holds the proven ends, and `found` is the worse one. Of an
    approximate accepted value `accepted_interval` holds the ends, and `accepted` is the worst case.
    With a level of confidence these ends reach as far as the interval does, `value` is the value
    itself, and `confidence` its interval. `step` names the two windows of a track that were
    compared.
    """

    threshold: Merged[Threshold]
    outcome: Annotated[Outcome, Rule(enum=["fail", "no_verdict", "warn", "pass"])]
    found: float | None
    accepted: Annotated[float | None, "The value of the baseline, for a change."] = None
    reason: Annotated[
        str | None, "Why there is no value or no interval, or how one with ends was judged."
    ] = None
    side: Annotated[str | None, Rule(enum=["b", None])] = None
    interval: Added[Ends] = None
    accepted_interval: Added[Ends] = None
    value: Annotated[Asked[float | None], "The value itself, if it has an interval."] = None
    confidence: Annotated[Asked[Interval | None], "How sure the value is."] = None
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
    seed: Annotated[Asked[Count | None], "The seed of what intervals have drawn."] = None
    error_status: PythonOnly[int] = 0
    comparison: PythonOnly[Report | None] = field(default=None, compare=False)

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
        columns = [key for key in json_fields(Check) if key not in ("value", "confidence")]
        asked = sure_columns(self.verdicts)
        rows = [
            [verdict.name, *map(check.to_dict().get, columns), *sure_facts(check, asked)]
            for verdict in self.verdicts
            for check in verdict.checks
        ]
        return as_frame(["gate", *columns, *asked], rows, "gate", "metric")


def sure_columns(verdicts: Iterable[Verdict]) -> list[str]:
    """The columns of a table of checks that say how sure values are; none if that is not asked."""
    if not any(check.confidence for verdict in verdicts for check in verdict.checks):
        return []
    return ["value", *(f"confidence_{key}" for key in json_fields(Interval))]


def sure_facts(check: Check, columns: Sequence[str]) -> Iterator[str | float | None]:
    """What these columns say about a check."""
    for column in columns:
        of = check if column == "value" else check.confidence
        yield getattr(of, column.removeprefix("confidence_"), None)


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
    accepted: Mapping[str, Before] | None = None,
    name: str | None = None,
    quantities: Mapping[str, float] | None = None,
) -> Verdict:
    """The verdict on a report.

    `accepted` holds the values of a baseline by metric.
    `quantities` are the shares and counts that have a bound, but for the coverage.
    """
    if not thresholds:
        raise no_bound()
    known = {COVERAGE: report.coverage.share, **(quantities or {})}
    checks = [check(report, threshold, accepted, known) for threshold in thresholds]
    checks.sort(key=lambda check: SEVERITY[check.outcome])
    notes = (*report.notes, *dict.fromkeys(remarks(report, thresholds)))
    coverage = Extent(**vars(report.coverage))
    return Verdict(
        checks[0].outcome, tuple(checks), name, report.inputs, coverage, notes, seed=report.seed
    )


def check(
    report: Report,
    threshold: Threshold,
    accepted: Mapping[str, Before] | None = None,
    quantities: Mapping[str, float] | None = None,
) -> Check:
    """What became of one bound. Without a value it is never kept."""
    # A report is plain data: it says which metric was asked for, and does not hold the metric.
    plain = replace(threshold, request=None)
    if threshold.metric in WITHOUT_RESULT:
        return check_quantity(plain, (quantities or {}).get(threshold.metric))
    result = find_result(report, threshold)
    values, reason = find_values(result)
    befores: tuple[float, ...] = ()
    before = None
    if threshold.kind.is_change and result:
        before = (accepted or {}).get(result.metric)
        befores, why_not = find_accepted(result, before)
        values, reason = (values, reason) if befores else ((), why_not)
    interval = result.interval if result else None
    sure = (result.value if result and interval else None, interval)
    if result is None or not values or not all(map(math.isfinite, values)):
        side, was = result.side if result else None, befores[0] if befores else None
        known = (None, was, reason or "no value", side, None, None)
        return Check(plain, Outcome.no_verdict, *known, *sure)
    # Of an approximate value the worse end counts.
    found, was = worst_case(threshold, result, before)
    ends, ends_before = as_interval(values), as_interval(befores)
    judged = explain(ends, ends_before)
    if interval is not None:
        judged = explain_interval(threshold, result, ends, found, was)
    outcome = outcome_of(threshold, found, was)
    return Check(plain, outcome, found, was, judged, result.side, ends, ends_before, *sure)


def check_quantity(threshold: Threshold, quantity: float | None) -> Check:
    """What became of a bound on a share or on a count, which are facts and have no interval."""
    side = "b" if threshold.metric in OF_THE_CANDIDATE else None
    if quantity is None or not math.isfinite(quantity):
        return Check(threshold, Outcome.no_verdict, None, reason="no value", side=side)
    return Check(threshold, outcome_of(threshold, quantity), quantity, side=side)


def outcome_of(threshold: Threshold, found: float, accepted: float | None = None) -> Outcome:
    """Whether a bound is kept by what was found, and what follows if it is not."""
    if threshold.holds(found, accepted):
        return Outcome.passed
    return Outcome.fail if threshold.level is Level.fail else Outcome.warn


def find_result(report: Report, threshold: Threshold) -> Result | None:
    """The result that a bound is on; of a metric of one clustering that of the candidate."""
    if threshold.metric in WITHOUT_RESULT:
        return None
    found = report.results_of(threshold.metric)
    return next((result for result in found if result.side != "a"), None)


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
