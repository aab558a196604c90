"""The nouns of a track: a step from a window to a later one, a life line, a jump."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, overload

from clustcmp.analyses.bounds.thresholds import Kind
from clustcmp.analyses.bounds.verdict import Check, Outcome, Verdict, worst_of
from clustcmp.model import Coverage, Described
from clustcmp.model.origin import show_label
from clustcmp.notes import Note
from clustcmp.records import Added, Asked, AtLeastOne, Key, Label, PythonOnly, Record, Rule, in_json
from clustcmp.results import FACTS, Joined, Proven, Report, Result, as_frame

if TYPE_CHECKING:
    from clustcmp.results import Frame

WindowName = Annotated[str, Rule(pattern="^W[1-9][0-9]*$")]
StreamOutcome = Annotated[Outcome, Rule(enum=["pass", "fail", "no_verdict"])]

# The columns of a table with a row for each metric at each step.
COLUMNS = ("from", "to", "metric", *FACTS, "jump", "outcome", "low", "high")


@dataclass(frozen=True)
class Window(Described):
    """One window by itself, after drops."""

    name: WindowName


@dataclass(frozen=True)
class Cluster(Record):
    """A cluster of one window, with all of its mass there: its number of points if hard."""

    window: WindowName
    name: Label
    mass: Annotated[float, Rule(minimum=0)]

    def in_texts(self) -> Cluster:
        """The same cluster with a text for its label."""
        return self if isinstance(self.name, str) else replace(self, name=show_label(self.name))


class Begin(StrEnum):
    """How a life line begins: in the first window, split from a cluster, or from no earlier one."""

    first = "first"
    split_off = "split"
    born = "born"


class End(StrEnum):
    """How a life line ends: not yet, merged into another cluster, or in no later cluster."""

    alive = "alive"
    merged = "merged"
    died = "died"


@dataclass(frozen=True)
class LifeLine(Record):
    """A cluster through all windows in which it lives, whatever it is called there.

    A life line continues with the cluster of a later window that has more than half of its mass or,
    without such a cluster, with one of which more than half comes from it. `origin` is the cluster
    that the life line split from, `heir` the cluster that it merged into.
    """

    clusters: Annotated[tuple[Cluster, ...], Rule(minItems=1)]
    begins: Begin
    ends: End
    origin: Annotated[Cluster | None, Key("from"), "What the life line split from."] = None
    heir: Annotated[Cluster | None, Key("into"), "What the life line merged into."] = None

    @property
    def mass(self) -> float:
        """The mass in all windows together."""
        return sum(cluster.mass for cluster in self.clusters)

    def in_texts(self) -> LifeLine:
        """The same life line with all labels as texts."""
        return replace(
            self,
            clusters=tuple(cluster.in_texts() for cluster in self.clusters),
            origin=self.origin and self.origin.in_texts(),
            heir=self.heir and self.heir.in_texts(),
        )

    @property
    def is_eventful(self) -> bool:
        """Whether the life line begins or ends within the stream."""
        return self.begins is not Begin.first or self.ends is not End.alive


@dataclass(frozen=True)
class StepEnds(Record):
    """The names of two windows that were compared."""

    source: Annotated[WindowName, Key("from")]
    target: Annotated[WindowName, Key("to")]


@dataclass(frozen=True)
class Step(StepEnds):
    """Two windows that were compared, the earlier one as the reference."""

    report: PythonOnly[Report]

    @property
    def title(self) -> str:
        """What to call the step in messages."""
        return f"{self.source} → {self.target}"

    @property
    @in_json()
    def coverage(self) -> Coverage:
        """Points in both windows and in one only."""
        return self.report.coverage

    @property
    @in_json(Rule(minItems=1))
    def results(self) -> tuple[Result, ...]:
        """The results of all metrics."""
        return self.report.results


@dataclass(frozen=True)
class Jump(StepEnds):
    """The step of several with the worst value of a metric; of equal ones the first."""

    metric: str
    value: float
    interval: Annotated[Added[Proven], Key("bounds")] = None


@dataclass(frozen=True)
class FailedStep(StepEnds):
    """A step at which a bound is not kept; of an approximate value the worse end."""

    value: float
    interval: Annotated[Added[Proven], Key("bounds")] = None


@dataclass(frozen=True)
class UnknownStep(StepEnds):
    """A step at which a bound is not known to be kept."""

    reason: str


@dataclass(frozen=True)
class JudgedBound(Record):
    """A bound, and the steps at which it is not kept, or not known to be kept."""

    metric: str
    kind: Annotated[Kind, Rule(enum=["min", "max"])]
    bound: float
    outcome: StreamOutcome
    failed: tuple[FailedStep, ...]
    no_verdict: tuple[UnknownStep, ...]


@dataclass(frozen=True)
class Judged(Record):
    """The bounds over all steps."""

    outcome: StreamOutcome
    bounds: Annotated[tuple[JudgedBound, ...], Rule(minItems=1)]


@dataclass(frozen=True)
class StableRegion(StepEnds):
    """A run of steps, from its first window to its last, at which a metric keeps a value."""

    metric: str
    steps: AtLeastOne
    bound: float
    worst: Annotated[float, "The worst value of the steps."]


@dataclass(frozen=True, repr=False)
class Track(Joined, Sequence[Step]):
    """A stream that was followed; `track["adco"]` are the values, one for each step.

    A step goes from a window to the one `lag` windows later. `life_lines` are in the order of
    their mass, and None if they were not asked for or could not be found.
    """

    command = "track"

    windows: Annotated[tuple[Window, ...], Rule(minItems=2)]
    steps: Annotated[tuple[Step, ...], Rule(minItems=1)]
    jumps: Annotated[
        tuple[Jump, ...],
        "For each metric with a direction the step with the worst value, of several the first; "
        "none if all values are the best.",
    ]
    life_lines: Annotated[
        tuple[LifeLine, ...] | None,
        "Those with most mass first; null if they were not asked for or could not be found.",
    ]
    verdict: PythonOnly[Verdict | None] = None
    notes: tuple[Note, ...] = ()
    lag: Annotated[
        AtLeastOne, "Each window is compared with the window that comes this many windows later."
    ] = 1
    stable: Annotated[
        Asked[tuple[StableRegion, ...] | None], "Runs of steps at which a metric keeps a value."
    ] = None

    @property
    def inputs(self) -> tuple[Described, ...]:
        """What was compared: the windows."""
        return self.windows

    def __len__(self) -> int:
        return len(self.steps)

    @overload
    def __getitem__(self, key: str) -> tuple[float | None, ...]: ...
    @overload
    def __getitem__(self, key: int) -> Step: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Step, ...]: ...

    def __getitem__(self, key: str | int | slice) -> Any:
        if not isinstance(key, str):
            return self.steps[key]
        return tuple(result.value for result in self.series(key))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that were followed."""
        return tuple(result.metric for result in self.steps[0].report)

    def series(self, metric: str) -> tuple[Result, ...]:
        """The results of one metric, one for each step."""
        return tuple(step.report.result(metric) for step in self.steps)

    def jump(self, metric: str) -> Jump | None:
        """The largest jump of one metric, if it has one."""
        found = [jump for jump in self.jumps if jump.metric == metric]
        return found[0] if found else None

    def is_jump(self, step: Step, metric: str) -> bool:
        """Whether the largest jump of a metric is at this step."""
        jump = self.jump(metric)
        return jump is not None and (jump.source, jump.target) == (step.source, step.target)

    def checks(self, step: Step, metric: str) -> tuple[Check, ...]:
        """What became of the bounds on a metric at one step."""
        return tuple(self._checks.get((metric, (step.source, step.target)), ()))

    @cached_property
    def _checks(self) -> dict[tuple[str, tuple[str, str] | None], list[Check]]:
        """All checks by metric and step."""
        found: dict[tuple[str, tuple[str, str] | None], list[Check]] = {}
        for check in () if self.verdict is None else self.verdict.checks:
            found.setdefault((check.threshold.metric, check.step), []).append(check)
        return found

    def rows(self) -> Iterator[list[Any]]:
        """The columns of a table with a row for each metric at each step."""
        for step in self.steps:
            for result in step.report:
                checks = self.checks(step, result.metric)
                facts = [getattr(result, name) for name in FACTS]
                jump = self.is_jump(step, result.metric)
                outcome = worst_of(checks).value if checks else None
                ends = [result.low, result.high]
                yield [step.source, step.target, result.metric, *facts, jump, outcome, *ends]

    def to_frame(self) -> Frame:
        """A row for each metric at each step, indexed by the windows and the metric."""
        return as_frame(COLUMNS, self.rows(), "from", "to", "metric")

    def in_texts(self) -> Track:
        """The same report with all labels as texts, as commands show it."""
        lines = self.life_lines
        return replace(self, life_lines=lines and tuple(line.in_texts() for line in lines))

    @property
    @in_json(Key("verdict"))
    def judged(self) -> Judged | None:
        """The bounds and the steps at which they are not kept; none without bounds."""
        if self.verdict is None:
            return None
        return Judged(self.verdict.outcome, tuple(map(judge_bound, self.verdict.by_threshold)))


def judge_bound(verdict: Verdict) -> JudgedBound:
    """The verdict on one bound, with the steps at which it is not known to be kept."""
    threshold = verdict.checks[0].threshold
    return JudgedBound(
        threshold.metric,
        threshold.kind,
        threshold.bound,
        verdict.outcome,
        tuple(
            FailedStep(*check.step, check.found, check.interval)
            for check in verdict.having(Outcome.fail)
            if check.step and check.found is not None
        ),
        tuple(
            UnknownStep(*check.step, check.reason or "")
            for check in verdict.having(Outcome.no_verdict)
            if check.step
        ),
    )
