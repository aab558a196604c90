"""clustcmp matrix: how far apart several clusterings are from each other or from one."""

from __future__ import annotations

from typing import Annotated

import typer

from clustcmp.commands.arguments import metric_option
from clustcmp.commands.completion import complete_file
from clustcmp.commands.running import choose_format, files_in, run
from clustcmp.commands.takes import takes
from clustcmp.settings import MatrixOutputSettings, MatrixSettings, OutputFormat

EXAMPLES = """
\b
Examples:
  clustcmp matrix runs/*.csv
  clustcmp matrix 'results.csv::*' -m nmi -f csv > nmi.csv
  clustcmp matrix runs/*.csv --reference truth.csv -m ari -m vi
  clustcmp matrix old.csv new.csv soft.csv \\
      --coordinates cells.csv::x,y -m cdistance
"""


@takes
def matrix(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILES...",
            help="Two or more clusterings: path, path::COLUMN, path::label=COLUMN,id=COLUMN, "
            "path::* for all columns but ids and measurements, path::leiden_* or path::a,b for "
            "some, or - for stdin. NAME=path names a clustering.",
            autocompletion=complete_file,
        ),
    ],
    metric: Annotated[
        list[str] | None,
        metric_option(
            "A metric of two clusterings, with options (nmi:average=geometric); repeat for "
            "one matrix each. Default: adjusted_rand. See 'clustcmp metrics'."
        ),
    ] = None,
    *,
    settings: MatrixSettings,
    output: MatrixOutputSettings,
) -> None:
    """Compare all clusterings with each other, or with one reference.

    Each row is the reference of its values. The clustering with the best mean value to all others
    is marked as the medoid. Every value is what 'clustcmp compare ROW COLUMN' says. JSON has the
    rows in the order given; csv and tables have similar clusterings next to each other, or
    the same order with --order given.
    """
    from clustcmp.analyses.matrix.library import matrix, prepare_requests
    from clustcmp.render.matrix import check_format

    requests = prepare_requests(metric)
    form = choose_format(OutputFormat, output)
    check_format(form, len(requests), "reference" in settings)
    run(
        output,
        [*files, *files_in(MatrixSettings, settings)],
        lambda: matrix(files, requests, **settings),
        order=output.get("order", "similarity"),
    )
