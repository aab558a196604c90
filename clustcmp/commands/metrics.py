"""clustcmp metrics: what each metric is."""

from __future__ import annotations

from typing import Annotated

import typer

from clustcmp.commands.arguments import complete_metric
from clustcmp.commands.running import check_output, choose_format, emit, render
from clustcmp.commands.takes import takes
from clustcmp.settings import OutputFormat, OutputSettings

EXAMPLES = """
Examples:

  clustcmp metrics

  clustcmp metrics ari vi

  clustcmp metrics information -f json
"""


@takes
def metrics(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            help="Metrics or families to tell everything about.",
            autocompletion=complete_metric,
        ),
    ] = None,
    *,
    output: OutputSettings,
) -> None:
    """List all metrics, or tell everything about some of them."""
    from clustcmp.analyses.metrics import metrics_report
    from clustcmp.render import show

    form = choose_format(OutputFormat, output)
    check_output(output, [])
    in_full = bool(names) and form == "table"
    report = metrics_report(names)
    emit(output, render(output, lambda color: show(report, form, color, in_full=in_full)))
