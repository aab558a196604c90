"""The nouns of a track: a window, a step from one to a later one, a life line, a jump."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from clustcmp.analyses.bounds.thresholds import Threshold
from clustcmp.analyses.bounds.verdict import EXIT_STATUS, SEVERITY, Check, Outcome
from clustcmp.results import Report, Result


@dataclass(frozen=True)
class Window:
    """One clustering of the stream, as it was read: W1 is the first."""

    name: str
    file: str | None
    kind: str
    points: int
    clusters: int
    noise: int


@dataclass(frozen=True)
class Cluster:
    """A cluster of one window, with all of its mass there."""

    window: str
    name: str
    mass: float


class Begin(StrEnum):
    """How a life line begins: there from the start, out of another cluster, or out of nothing."""

    first = "first"
    split_off = "split"
    born = "born"


class End(StrEnum):
    """How a life line ends: not yet, in another cluster, or in nothing."""

    alive = "alive"
    merged = "merged"
    died = "died"


@dataclass(frozen=True)
class LifeLine:
    """A cluster through all windows in which it lives, whatever it is called there.

    It goes on as the cluster that has more than half of it or, if none has, as one of which more
    than half comes from it.
    `origin` is the cluster it split from, `heir` the one that it merged into.
    """

    clusters: tuple[Cluster, ...]
    begins: Begin
    ends: End
    origin: Cluster | None = None
    heir: Cluster | None = None

    @property
    def mass(self) -> float:
        """The mass in all windows together."""
        return sum(cluster.mass for cluster in self.clusters)

    @property
    def is_eventful(self) -> bool:
        """Whether it begins or ends within the stream."""
        return self.begins is not Begin.first or self.ends is not End.alive


@dataclass(frozen=True)
class Step:
    """Two windows that were compared, the earlier one as the reference."""

    source: str
    target: str
    report: Report

    @property
    def title(self) -> str:
        """What to call it in messages."""
        return f"{self.source} → {self.target}"


@dataclass(frozen=True)
class Jump:
    """The step of several with the worst value of a metric; of equal ones the first."""

    metric: str
    source: str
    target: str
    value: float


@dataclass(frozen=True)
class BoundCheck:
    """A bound over the whole stream: what became of it at each step."""

    threshold: Threshold
    steps: tuple[tuple[Step, Check], ...]

    @property
    def outcome(self) -> Outcome:
        """Kept only if it is known to be kept at every step."""
        return min((check.outcome for _, check in self.steps), key=SEVERITY.__getitem__)

    def having(self, outcome: Outcome) -> tuple[tuple[Step, Check], ...]:
        """The steps with this outcome."""
        return tuple(pair for pair in self.steps if pair[1].outcome is outcome)


@dataclass(frozen=True)
class TrackVerdict:
    """All bounds over the whole stream."""

    bounds: tuple[BoundCheck, ...]

    @property
    def outcome(self) -> Outcome:
        """What the worst of the bounds says."""
        return min((bound.outcome for bound in self.bounds), key=SEVERITY.__getitem__)

    @property
    def exit_status(self) -> int:
        """0 only if every bound is known to be kept at every step."""
        return EXIT_STATUS[self.outcome]


@dataclass(frozen=True)
class Track(Sequence[Step]):
    """A stream that was followed; `track["adco"]` are the values, one for each step.

    A step goes from a window to the one `lag` windows later. `life_lines` are in the order of
    their mass, and None if they were not asked for or could not be found.
    """

    windows: tuple[Window, ...]
    steps: tuple[Step, ...]
    jumps: tuple[Jump, ...]
    life_lines: tuple[LifeLine, ...] | None
    verdict: TrackVerdict | None = None
    notes: tuple[str, ...] = ()
    lag: int = 1
    _canonical: Callable[[str], str] = field(default=str, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return self.steps[key]
        return tuple(result.value for result in self.series(self._canonical(key)))

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
