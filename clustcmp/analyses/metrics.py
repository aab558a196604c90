"""The report of `clustcmp metrics`: what is declared about metrics."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, get_args

from clustcmp.errors import UsageError
from clustcmp.evaluate import finite_or_none
from clustcmp.known import Found
from clustcmp.metrics import METRICS
from clustcmp.metrics.searching import search
from clustcmp.model import Described
from clustcmp.notes import Note
from clustcmp.options import Option
from clustcmp.output_settings import Fits
from clustcmp.records import Asked, Key, PythonOnly, Record, Rule, Text
from clustcmp.registry import Metric, Weights
from clustcmp.results import Reported, as_frame
from clustcmp.wording import say

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
    formulas: Annotated[tuple[str, ...], "Numbers with names of their own that follow from it."]
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
            "formulas": METRICS.formulas_of(metric),
        }
        return cls(**named | changed)


@dataclass(frozen=True)
class FoundWord(Record):
    """A word that was found, what to write for it, and what that is.

    `write` are metrics with options to choose from, or a formula; empty if there is no such metric.
    """

    word: Text
    write: tuple[str, ...]
    what: Text
    metrics: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class MetricsReport(Reported):
    """Declarations of metrics, in the order asked for."""

    command = "metrics"

    metrics: Annotated[tuple[MetricFacts, ...], Rule(minItems=1)]
    like: Annotated[Asked[tuple[FoundWord, ...] | None], "What a search found, best first."] = None
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


def metrics_report(
    names: Iterable[str] | None = None, fits: Fits | None = None, like: str | None = None
) -> MetricsReport:
    """The declarations of metrics or families by name, of those that fit, or of all metrics."""
    if like is not None:
        if names:
            raise UsageError(
                f"{say('like', like)} searches all metrics, but {', '.join(names)} is named, too",
                hint="search for a word, or name metrics",
            )
        return found_report(search(like), fits)
    metrics = [request.metric for request in METRICS.requests(names or ["all"])]
    return MetricsReport(facts_of(metrics, fits))


def found_report(found: Iterable[Found], fits: Fits | None) -> MetricsReport:
    """What a search found, and the metrics that it leads to."""
    words = tuple(FoundWord(*one) for one in found)
    names = dict.fromkeys(name for one in words for name in one.metrics)
    if not names:
        raise UsageError(f"{words[0].word}: {words[0].what}", hint="'clustcmp metrics' lists all")
    return MetricsReport(facts_of([METRICS[name] for name in names], fits), words)


def facts_of(metrics: Iterable[Metric], fits: Fits | None) -> tuple[MetricFacts, ...]:
    """What is declared about the metrics that fit; without any it is an error."""
    fitting = tuple(MetricFacts.of(metric) for metric in metrics if does_fit(metric, fits))
    if not fitting:
        raise UsageError(
            f"{say('fits', str(fits))}: none of these metrics fits",
            hint="'clustcmp metrics' lists all metrics",
        )
    return fitting


def does_fit(metric: Metric, fits: Fits | None) -> bool:
    """Whether a metric takes such clusterings, or looks at where points are."""
    if fits == "space":
        return metric.needs_coordinates
    if fits == "different-points":
        return metric.fits_different_points
    return fits is None or fits in metric.accepts
