"""The report of `clustcmp metrics`: what is declared about metrics."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clustcmp.evaluate import finite_or_none
from clustcmp.metrics import METRICS
from clustcmp.options import Option
from clustcmp.registry import Metric
from clustcmp.results import Reported, as_frame

if TYPE_CHECKING:
    from clustcmp.results import Frame

COLUMNS = ("metric", "aliases", "family", "worst", "best", "soft", "options", "summary")


@dataclass(frozen=True, repr=False)
class MetricsReport(Reported):
    """Declarations of metrics, in the order asked for."""

    command = "metrics"

    metrics: tuple[Metric, ...]

    def to_dict(self) -> dict[str, Any]:
        """The document that `clustcmp metrics -f json` prints."""
        return {**self.head, "metrics": [metric_dict(metric) for metric in self.metrics]}

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


def metric_dict(metric: Metric) -> dict[str, Any]:
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


def option_dict(option: Option) -> dict[str, Any]:
    """One option of a metric in JSON."""
    return {
        "name": option.name,
        "default": option.default,
        "allowed": option.allowed,
        "choices": list(option.choices),
        "help": option.help,
    }
