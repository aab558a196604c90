"""clustcmp metrics: what each metric is."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from clustcmp.choices import Color, OutputFormat
from clustcmp.commands import options

EXAMPLES = """
Examples:

  clustcmp metrics

  clustcmp metrics ari vi

  clustcmp metrics information -f json
"""


def metrics(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            help="Metrics or families to tell everything about.",
            autocompletion=options.complete_metric,
        ),
    ] = None,
    format: options.Format = OutputFormat.table,
    color: options.Colors = Color.auto,
) -> None:
    """List all metrics, or tell everything about some of them."""
    from clustcmp.analyses.metrics import metrics_report
    from clustcmp.render import show

    in_full = bool(names) and format is OutputFormat.table
    sys.stdout.write(show(metrics_report(names), format, color, in_full=in_full))
