"""JSON, CSV and Markdown: formats that programs read, or that show up in other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from typing import Any

from clustcmp.errors import printable
from clustcmp.model import Coverage, Described
from clustcmp.options import Option
from clustcmp.registry import Metric, Registry
from clustcmp.render.words import (
    show_coverage,
    show_direction,
    show_metric,
    show_range,
    show_side,
    show_unfit,
    show_value,
)
from clustcmp.results import Report, Result, Status
from clustcmp.version import VERSION

RESULT_COLUMNS = ("metric", "value", "status", "reason", "worst", "best", "side")
METRIC_COLUMNS = ("metric", "aliases", "family", "worst", "best", "soft", "options", "summary")


def report_object(report: Report) -> dict[str, Any]:
    """What a comparison is in JSON; see schemas/compare-1.json."""
    return {
        "schema": "clustcmp/compare/1",
        "version": VERSION,
        "inputs": [side_object(side) for side in report.inputs],
        "coverage": coverage_object(report.coverage),
        "results": [result_object(result) for result in report],
        "notes": list(report.notes),
    }


def side_object(side: Described) -> dict[str, Any]:
    """One of the two clusterings in JSON."""
    return {"side" if name == "name" else name: value for name, value in asdict(side).items()}


def coverage_object(coverage: Coverage) -> dict[str, int]:
    """How many points are in both and in one only; a note tells about dropped ones."""
    return {name: getattr(coverage, name) for name in ("shared", "only_a", "only_b")}


def result_object(result: Result) -> dict[str, Any]:
    """One result in JSON."""
    hidden = ("family", "obstacle", "convention", "higher_is_better")
    names = [field.name for field in fields(result) if field.name not in hidden]
    return {name: getattr(result, name) for name in names}


def report_csv(report: Report) -> str:
    """A line for each result."""
    return to_csv(RESULT_COLUMNS, ([getattr(r, name) for name in RESULT_COLUMNS] for r in report))


def report_markdown(report: Report, registry: Registry) -> str:
    """The inputs as a list and the results as a table."""
    lines = []
    for words in map(show_side, report.inputs):
        side, file, *rest = words
        lines.append(f"- **{side}**: {code(file)}, {', '.join(rest)}")
    lines += [f"- {show_coverage(report)}", ""]
    shown = [result for result in report if result.status is not Status.not_applicable]
    unfit = [result for result in report if result.status is Status.not_applicable]
    rows = []
    for result in shown:
        metric = registry[result.name]
        value = f"undefined: {result.reason}" if result.value is None else show_value(result.value)
        convention = metric.describe(result.options)
        rows.append([code(show_metric(result)), value, show_direction(result, metric), convention])
    lines += markdown_table(("metric", "value", "best", "convention"), rows, right="value")
    for line in [*show_unfit(unfit), *(f"note: {printable(note)}" for note in report.notes)]:
        lines += ["", escape(line)]
    return "\n".join(lines) + "\n"


def metrics_object(metrics: Sequence[Metric]) -> dict[str, Any]:
    """What is known about metrics in JSON; see schemas/metrics-1.json."""
    return {
        "schema": "clustcmp/metrics/1",
        "version": VERSION,
        "metrics": [metric_object(metric) for metric in metrics],
    }


def metric_object(metric: Metric) -> dict[str, Any]:
    """One declaration in JSON; ends that are infinite or unknown are null."""
    finite = {
        end: None if end is None or abs(end) == float("inf") else end
        for end in (metric.worst, metric.best)
    }
    return {
        "metric": metric.name,
        "aliases": list(metric.aliases),
        "family": metric.family.name,
        "summary": metric.summary,
        "notes": list(metric.notes),
        "formula": metric.formula,
        "citation": metric.citation,
        "worst": finite[metric.worst],
        "best": finite[metric.best],
        "higher_is_better": metric.higher_is_better,
        "symmetric": metric.symmetric,
        "arity": metric.arity,
        "featured": metric.featured,
        "accepts_soft": metric.accepts_soft,
        "soft_identity": metric.soft_identity,
        "accepts_different_points": metric.fits_different_points,
        "needs_coordinates": metric.needs_coordinates,
        "options": [option_object(option) for option in metric.options.values()],
    }


def option_object(option: Option) -> dict[str, Any]:
    """One option in JSON."""
    return {
        "name": option.name,
        "default": option.default,
        "allowed": option.allowed,
        "choices": list(option.choices),
        "help": option.help,
    }


def metrics_csv(metrics: Sequence[Metric]) -> str:
    """A line for each metric."""
    return to_csv(METRIC_COLUMNS, map(metric_cells, metrics))


def metric_cells(metric: Metric) -> list[Any]:
    """The cells of a metric in a plain list."""
    known = metric_object(metric)
    return [
        metric.name,
        " ".join(metric.aliases),
        metric.family.name,
        known["worst"],
        known["best"],
        metric.accepts_soft,
        " ".join(metric.options),
        metric.summary,
    ]


def metrics_markdown(metrics: Sequence[Metric]) -> str:
    """A table for each family."""
    lines: list[str] = []
    for family in dict.fromkeys(metric.family for metric in metrics):
        members = [metric for metric in metrics if metric.family is family]
        rows = [metric_row(metric) for metric in members]
        lines += [f"**{family.title}** (`-m {family.name}`)", ""]
        lines += [*markdown_table(("metric", "worst → best", "soft", "what it is"), rows), ""]
    return "\n".join(lines[:-1]) + "\n"


def metric_row(metric: Metric) -> list[str]:
    """The cells of a metric in Markdown."""
    names = ", ".join(code(name) for name in (metric.name, *metric.aliases))
    return [names, show_range(metric), "yes" if metric.accepts_soft else "", metric.summary]


def to_csv(header: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """CSV text; None is an empty cell, and floats keep all their digits."""
    # Only with this end of a line the writer quotes a carriage return, too.
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    lines = []
    for row in (header, *rows):
        writer.writerow(row)
        lines.append(text.getvalue().removesuffix("\r\n"))
        text.seek(0)
        text.truncate()
    return "\n".join(lines) + "\n"


def markdown_table(
    header: Sequence[str], rows: Iterable[Sequence[str]], right: str = ""
) -> list[str]:
    """The lines of a table."""
    rules = ["--:" if name == right else "---" for name in header]
    cells = [header, rules, *([escape(cell) for cell in row] for row in rows)]
    return [f"| {' | '.join(row)} |" for row in cells]


def escape(text: str) -> str:
    """Text that cannot end a cell or start a tag."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def code(text: str) -> str:
    """Text in backticks, as many as it takes."""
    fence = "`"
    while fence in text:
        fence += "`"
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"
