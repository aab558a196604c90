"""clustcmp metrics: what each metric is."""

from __future__ import annotations

from typing import Annotated

import typer

from clustcmp.commands.completion import complete_metric
from clustcmp.commands.running import choose_format, run
from clustcmp.commands.takes import takes
from clustcmp.output_settings import FormatSettings, ListSettings, OutputFormat

EXAMPLES = """
\b
Examples:
  clustcmp metrics
  clustcmp metrics ari vi
  clustcmp metrics information -f json
  clustcmp metrics --for soft
  clustcmp metrics --like dice
"""


@takes
def metrics(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            help="Metrics or families to tell everything about; names that other programs use, "
            "such as adjusted_rand_score, lead to ours.",
            autocompletion=complete_metric,
        ),
    ] = None,
    *,
    listed: ListSettings,
    output: FormatSettings,
) -> None:
    """List all metrics, or tell everything about some of them."""
    from clustcmp.analyses.metrics import metrics_report

    in_full = bool(names) and choose_format(OutputFormat, output) == "table"
    run(output, [], lambda: metrics_report(names, **listed), in_full=in_full)
