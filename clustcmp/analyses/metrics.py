"""The report of `clustcmp metrics`: what is declared about metrics."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, get_args

from clustcmp.evaluate import finite_or_none
from clustcmp.metrics import METRICS
from clustcmp.model import Described
from clustcmp.notes import Note
from clustcmp.options import Option
from clustcmp.records import Key, PythonOnly, Record, Rule, Text
from clustcmp.registry import Metric, Weights
from clustcmp.results import Reported, as_frame

if TYPE_CHECKING:
    from clustcmp.results import Frame

COLUMNS = ("metric", "aliases", "family", "worst", "best", "soft", "options", "summary")


@dataclass(frozen=True)
class MetricFacts(Record):
    """What is declared about one metric; an infinite or unknown end is null.

    `ends` are the worst and the best value also where they are infinite. `needs` says in words what
    the input must be.
    """

    name: Annotated[str, Key("metric"), Rule(pattern="^[a-z][a-z0-9_]*$")]
    aliases: tuple[str, ...]
    family: str
    summary: Text
    notes: tuple[str, ...]
    formula: Text
    citation: Text
    worst: float | None
    best: float | None
    higher_is_better: bool | None
    symmetric: bool
    arity: Annotated[int, Rule(enum=[1, 2])]
    featured: bool
    accepts_soft: bool
    soft_identity: bool
    accepts_different_points: bool
    needs_coordinates: bool
    weights: Annotated[
        str,
        Rule(enum=list(get_args(Weights))),
        "The weights of points that are possible with the default options: none, whole numbers, "
        "or any masses.",
    ]
    options: tuple[Option, ...]
    brief: PythonOnly[str]
    needs: PythonOnly[tuple[str, ...]]
    family_title: PythonOnly[str]
    ends: PythonOnly[tuple[float | None, float | None]]

    @classmethod
    def of(cls, metric: Metric) -> MetricFacts:
        """The facts of a declaration; most of them have the same name there."""
        named: dict[str, Any] = {one.name: getattr(metric, one.name, None) for one in fields(cls)}
        changed = {
            "family": metric.family.name,
            "family_title": metric.family.title,
            "worst": finite_or_none(metric.worst),
            "best": finite_or_none(metric.best),
            "ends": (metric.worst, metric.best),
            "accepts_different_points": metric.fits_different_points,
            "weights": metric.takes_weights(
                {name: option.default for name, option in metric.options.items()}
            ),
            "options": tuple(metric.options.values()),
        }
        return cls(**named | changed)


@dataclass(frozen=True, repr=False)
class MetricsReport(Reported):
    """Declarations of metrics, in the order asked for."""

    command = "metrics"

    metrics: Annotated[tuple[MetricFacts, ...], Rule(minItems=1)]
    inputs: PythonOnly[tuple[Described, ...]] = ()
    notes: PythonOnly[tuple[Note, ...]] = ()

    def to_frame(self) -> Frame:
        """One row for each metric, indexed by its name."""
        return as_frame(COLUMNS, self.rows(), "metric")

    def rows(self) -> list[list[Any]]:
        """What the columns say about each metric."""
        return [
            [
                metric.name,
                " ".join(metric.aliases),
                metric.family,
                metric.worst,
                metric.best,
                metric.accepts_soft,
                " ".join(option.name for option in metric.options),
                metric.summary,
            ]
            for metric in self.metrics
        ]


def metrics_report(names: Iterable[str] | None = None) -> MetricsReport:
    """The declarations of metrics or families by name, or of all metrics."""
    requests = METRICS.requests(names or ["all"])
    return MetricsReport(tuple(MetricFacts.of(request.metric) for request in requests))
