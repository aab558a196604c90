"""The report of `clustcmp metrics`: what is declared about metrics."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict

from clustcmp.evaluate import finite_or_none
from clustcmp.metrics import METRICS
from clustcmp.model import Described
from clustcmp.notes import Note
from clustcmp.options import Option
from clustcmp.records import JsonObject, Rule
from clustcmp.registry import Metric
from clustcmp.results import Reported, as_frame
from clustcmp.version import VERSION

if TYPE_CHECKING:
    from clustcmp.results import Frame

Text = Annotated[str, Rule(minLength=1)]

COLUMNS = ("metric", "aliases", "family", "worst", "best", "soft", "options", "summary")


class OptionDict(TypedDict):
    """One option of a metric in JSON."""

    name: str
    default: str | float | bool
    allowed: Text
    choices: list[str]
    help: Text


class MetricDict(TypedDict):
    """What is declared about one metric, in JSON; an infinite or unknown end is null."""

    metric: Annotated[str, Rule(pattern="^[a-z][a-z0-9_]*$")]
    aliases: list[str]
    family: str
    summary: Text
    notes: list[str]
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
    options: list[OptionDict]


class MetricsDict(TypedDict):
    """What `clustcmp metrics -f json` prints."""

    schema: Literal["clustcmp/metrics/1"]
    version: Annotated[str, "The version of clustcmp."]
    metrics: Annotated[list[MetricDict], Rule(minItems=1)]


@dataclass(frozen=True, repr=False)
class MetricsReport(Reported):
    """Declarations of metrics, in the order asked for."""

    command = "metrics"

    metrics: tuple[Metric, ...]
    inputs: tuple[Described, ...] = ()
    notes: tuple[Note, ...] = ()

    def to_dict(self) -> JsonObject:
        """The document that `clustcmp metrics -f json` prints."""
        return {
            "schema": "clustcmp/metrics/1",
            "version": VERSION,
            "metrics": [metric_dict(metric) for metric in self.metrics],
        }

    def to_frame(self) -> Frame:
        """One row for each metric, indexed by its name."""
        return as_frame(COLUMNS, self.rows(), "metric")

    def rows(self) -> list[list[Any]]:
        """What the columns say about each metric."""
        return [
            [
                metric.name,
                " ".join(metric.aliases),
                metric.family.name,
                finite_or_none(metric.worst),
                finite_or_none(metric.best),
                metric.accepts_soft,
                " ".join(metric.options),
                metric.summary,
            ]
            for metric in self.metrics
        ]


def metrics_report(names: Iterable[str] | None = None) -> MetricsReport:
    """The declarations of metrics or families by name, or of all metrics."""
    return MetricsReport(tuple(request.metric for request in METRICS.requests(names or ["all"])))


def metric_dict(metric: Metric) -> MetricDict:
    """One declaration in JSON."""
    return {
        "metric": metric.name,
        "aliases": list(metric.aliases),
        "family": metric.family.name,
        "summary": metric.summary,
        "notes": list(metric.notes),
        "formula": metric.formula,
        "citation": metric.citation,
        "worst": finite_or_none(metric.worst),
        "best": finite_or_none(metric.best),
        "higher_is_better": metric.higher_is_better,
        "symmetric": metric.symmetric,
        "arity": metric.arity,
        "featured": metric.featured,
        "accepts_soft": metric.accepts_soft,
        "soft_identity": metric.soft_identity,
        "accepts_different_points": metric.fits_different_points,
        "needs_coordinates": metric.needs_coordinates,
        "options": [option_dict(option) for option in metric.options.values()],
    }


def option_dict(option: Option) -> OptionDict:
    """One option of a metric in JSON."""
    return {
        "name": option.name,
        "default": option.default,
        "allowed": option.allowed,
        "choices": list(option.choices),
        "help": option.help,
    }
