"""The shape of the JSON of `clustcmp track`; its schema is generated from these types."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from clustcmp.analyses.bounds.thresholds import Kind
from clustcmp.analyses.bounds.verdict import Outcome
from clustcmp.analyses.track.report import Jump, LifeLine, WindowName
from clustcmp.results import AtLeastOne, Count, CoverageDict, JsonObject, OneResult, Rule

StreamOutcome = Annotated[Outcome, Rule(enum=["pass", "fail", "no_verdict"])]

# Fields that are called `from` cannot be written as attributes of a class.
EndsDict = TypedDict("EndsDict", {"from": WindowName, "to": WindowName})


class WindowDict(TypedDict):
    """One window by itself, after drops."""

    name: WindowName
    file: str | None
    kind: Annotated[str, Rule(enum=["hard", "soft"])]
    points: AtLeastOne
    clusters: AtLeastOne
    noise: Count


class StepDict(EndsDict):
    """Two windows that were compared, the earlier one as the reference."""

    coverage: CoverageDict
    results: Annotated[list[OneResult], Rule(minItems=1)]


class FailedDict(EndsDict):
    """A step at which a bound is not kept."""

    value: Annotated[float | None, Rule(type="number")]


class UnknownDict(EndsDict):
    """A step at which a bound is not known to be kept."""

    reason: str


class BoundDict(TypedDict):
    """A bound, and the steps at which it is not kept, or not known to be kept."""

    metric: str
    kind: Annotated[Kind, Rule(enum=["min", "max"])]
    bound: float
    outcome: StreamOutcome
    failed: list[FailedDict]
    no_verdict: list[UnknownDict]


class TrackVerdictDict(TypedDict):
    """The bounds over all steps."""

    outcome: StreamOutcome
    bounds: Annotated[list[BoundDict], Rule(minItems=1)]


class TrackDict(TypedDict):
    """What `clustcmp track -f json` prints."""

    schema: Literal["clustcmp/track/1"]
    version: Annotated[str, "The version of clustcmp."]
    lag: Annotated[
        AtLeastOne, "Each window is compared with the window that comes this many windows later."
    ]
    windows: Annotated[list[WindowDict], Rule(minItems=2)]
    steps: Annotated[list[StepDict], Rule(minItems=1)]
    jumps: Annotated[
        list[Annotated[JsonObject, Jump]],
        "For each metric with a direction the step with the worst value, of several the first; "
        "none if all values are the best.",
    ]
    life_lines: Annotated[
        list[Annotated[JsonObject, LifeLine]] | None,
        "Those with most mass first; null if they were not asked for or could not be found.",
    ]
    verdict: Annotated[TrackVerdictDict | None, "null without bounds."]
    notes: list[str]
