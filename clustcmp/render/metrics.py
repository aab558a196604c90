"""The document of `clustcmp metrics`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from clustcmp.analyses.metrics import COLUMNS, FoundWord, MetricFacts, MetricsReport
from clustcmp.errors import plural
from clustcmp.options import show_option
from clustcmp.output_settings import MetricsView
from clustcmp.render.blocks import (
    Block,
    Cell,
    Column,
    Data,
    Group,
    Legend,
    Page,
    Span,
    Table,
    Tone,
    join,
)
from clustcmp.render.brief import Brief, fill, left_out
from clustcmp.render.words import LEGEND, legend, show_direction

# What can be chosen about the document.
VIEW = MetricsView

FOUND_COLUMNS = ("word", "write", "what")

# What stands below the table.
EXPLANATIONS = (
    f"{LEGEND}   {legend('bold: shown without -m')}",
    "soft: takes soft memberships, too",
    "'clustcmp metrics NAME' says everything about one, --like WORD searches",
)
WEIGHTS = {
    "none": "not possible",
    "counts": "whole numbers, as repeated rows",
    "masses": "whole numbers, as repeated rows, or masses",
}
# A name and its shortest alias; what the metric is then still fits a terminal of 80 columns.
WIDEST_NAME = 27

BETTER = {True: "higher is better", False: "lower is better", None: "neither is better"}


def document(report: MetricsReport, in_full: bool) -> list[Block]:
    """A table of the metrics, grouped by family, or a page for each metric."""
    if in_full:
        return [page_of(metric) for metric in report.metrics]
    if report.like is not None:
        return found_blocks(report, report.like)
    columns = [
        Column("metric"),
        Column("worst → best", brief="best"),
        Column("soft"),
        Column("what it is", wraps=True),
    ]
    groups = [
        Group([cells_of(metric) for metric in members], title, f"-m {family}")
        for (family, title), members in groupby(report.metrics, key=family_of)
    ]
    return [
        Table(columns, groups, apart=True),
        Legend(EXPLANATIONS),
        Data(COLUMNS, report.rows),
    ]


def found_blocks(report: MetricsReport, found: Sequence[FoundWord]) -> list[Block]:
    """What a search found: the word, what to write for it, and what that is."""
    columns = [Column("word"), Column("write", wraps=True), Column("what it is", wraps=True)]
    rows = [
        [
            Cell([Span(one.word, code=True)]),
            Cell(" or ".join(one.write) or "—"),
            Cell(one.what),
        ]
        for one in found
    ]
    return [
        Table(columns, [Group(rows)]),
        Legend(EXPLANATIONS[-1:]),
        Data(
            FOUND_COLUMNS, lambda: [[one.word, " or ".join(one.write), one.what] for one in found]
        ),
    ]


def brief(report: MetricsReport, lines: int) -> Brief:
    """The names and the ranges of the first metrics."""
    shown = report.metrics[: fill(len(report.metrics), lines - 1)]
    rows = [[metric.name, show_range(metric), metric.summary] for metric in shown]
    more = left_out(len(report.metrics) - len(shown), "metric")
    return Brief([plural(len(report.metrics), "metric")], (), rows, more=more)


def family_of(metric: MetricFacts) -> tuple[str, str]:
    """The name and the title of a metric's family."""
    return metric.family, metric.family_title


def cells_of(metric: MetricFacts) -> list[Cell]:
    """The cells of one metric."""
    listed = list(join([Span(name, code=True)] for name in (metric.name, *metric.aliases)))
    room = WIDEST_NAME - len(metric.name) - 1
    shorter = [f" {alias}" for alias in metric.aliases if len(alias) <= room]
    aliases = min(shorter, key=len, default="")
    tone = Tone.strong if metric.featured else Tone.plain
    direction = show_direction(metric.higher_is_better, metric.best)
    return [
        Cell(listed, tone, brief=[metric.name, Span(aliases, Tone.faint)]),
        Cell(show_range(metric), brief=direction),
        Cell("yes" if metric.accepts_soft else ""),
        Cell(metric.summary, brief=metric.brief or metric.summary),
    ]


def page_of(metric: MetricFacts) -> Page:
    """Everything about one metric."""
    options = metric.options
    example = ""
    if options:
        example = f"written as -m {metric.name}:{options[0].name}={options[0].example}"
    return Page(
        (metric.name, *metric.aliases),
        metric.summary,
        list(facts_of(metric)),
        [
            (option.name, show_option(option.default), f"{option.help} ({option.allowed})")
            for option in options
        ],
        example,
        metric.notes,
    )


def facts_of(metric: MetricFacts) -> Iterator[tuple[str, str]]:
    """What the declaration says, in words."""
    yield "formula", metric.formula
    yield "worst", show_end(metric.ends[0])
    yield "best", f"{show_end(metric.ends[1])} ({BETTER[metric.higher_is_better]})"
    order = "symmetric" if metric.symmetric else "a is the reference"
    yield "of", "each clustering by itself" if metric.arity == 1 else f"two clusterings, {order}"
    yield "needs", ", ".join(metric.needs) or "nothing"
    soft = "accepted" if metric.accepts_soft else "not accepted"
    if metric.accepts_soft and not metric.soft_identity:
        soft += "; a soft clustering compared with itself does not score best"
    yield "soft", soft
    yield "weights", WEIGHTS[metric.weights]
    if metric.formulas:
        yield "formulas", "; ".join(metric.formulas)
    yield "family", f"{metric.family_title} (-m {metric.family})"
    yield "citation", metric.citation


def show_range(metric: MetricFacts) -> str:
    """From the worst to the best value of a metric."""
    if metric.ends == (None, None):
        return "no direction"
    return f"{show_end(metric.ends[0])} → {show_end(metric.ends[1])}"


def show_end(end: float | None) -> str:
    """One end of a range."""
    if end is None:
        return "—"
    if math.isinf(end):
        return "∞" if end > 0 else "-∞"
    return show_option(float(end))
