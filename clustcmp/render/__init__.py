"""Results in, text out: one function for each thing to show, in every format."""

from __future__ import annotations

import json
from collections.abc import Sequence

from clustcmp.choices import Color, OutputFormat
from clustcmp.registry import Metric, Registry
from clustcmp.render import machine
from clustcmp.results import Report

__all__ = ["render_metrics", "render_report"]


def render_report(
    report: Report, registry: Registry, format: OutputFormat, color: Color = Color.auto
) -> str:
    """The text for one comparison."""
    if format is OutputFormat.json:
        return to_json(machine.report_object(report))
    if format is OutputFormat.csv:
        return machine.report_csv(report)
    if format is OutputFormat.markdown:
        return machine.report_markdown(report, registry)
    from clustcmp.render import tables

    return tables.report_table(report, registry, color)


def render_metrics(
    metrics: Sequence[Metric],
    format: OutputFormat,
    color: Color = Color.auto,
    in_full: bool = False,
) -> str:
    """The text about metrics: a list, or everything about each of them."""
    if format is OutputFormat.json:
        return to_json(machine.metrics_object(metrics))
    if format is OutputFormat.csv:
        return machine.metrics_csv(metrics)
    if format is OutputFormat.markdown:
        return machine.metrics_markdown(metrics)
    from clustcmp.render import tables

    return tables.metric_pages(metrics, color) if in_full else tables.metrics_table(metrics, color)


def to_json(document: object) -> str:
    """JSON that is the same for the same input, in ASCII, without NaN."""
    text = json.dumps(document, indent=2, sort_keys=True, allow_nan=False)
    # In a log of GitHub Actions ##[ gives a command; only within a string it can stand in JSON.
    return text.replace("##[", "##\\u005b") + "\n"
