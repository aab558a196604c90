"""clustcmp matrix: how far apart several clusterings are from each other or from one."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from clustcmp.commands.arguments import metric_option
from clustcmp.commands.completion import complete_file
from clustcmp.commands.running import choose_format, files_in, run
from clustcmp.commands.takes import takes
from clustcmp.errors import UsageError
from clustcmp.keywords import declared, part_of
from clustcmp.output_settings import MatrixOutputSettings, MatrixView, OutputFormat, PartsView
from clustcmp.settings import InputSettings, MatrixSettings
from clustcmp.wording import name_of

EXAMPLES = """
\b
Examples:
  clustcmp matrix runs/*.csv
  clustcmp matrix 'results.csv::*' -m nmi -f csv > nmi.csv
  clustcmp matrix runs/*.csv --reference truth.csv \\
      -m ari -m nmi -m vi --sort nmi
  clustcmp matrix kmeans=old.csv ward=new.csv \\
      --reference truth1.csv --reference truth2.csv --best
  clustcmp matrix 'obs.csv::leiden_*' \\
      --reference obs.csv::cell_type --digits 3 -o table.tex
  clustcmp matrix runs/*.csv --reference truth.csv --confidence 0.95
  clustcmp matrix runs/*.csv --per point --top 50
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
            "one matrix each, or one column with --reference. Default: adjusted_rand. See "
            "'clustcmp metrics'."
        ),
    ] = None,
    per: Annotated[
        Literal["point"] | None,
        typer.Option(
            "--per",
            help="Show which points move from run to run: element_consistency, the mean of "
            "element_centric over all pairs of FILES, the worst points first.",
        ),
    ] = None,
    *,
    settings: MatrixSettings,
    output: MatrixOutputSettings,
) -> None:
    """Compare all clusterings with each other, or with references.

    Each row is the reference of its values. The clustering with the best mean value to all others
    is marked as the medoid. Every value is what 'clustcmp compare ROW COLUMN' says. JSON has the
    rows in the order given; csv and tables have similar clusterings next to each other, or
    the same order with --order given.

    With --reference there is one table: a row for each clustering, a column for each metric, the
    best value of each column marked, ordered by the first metric or by --sort. Several references
    have a column each; with --best there is one column for all, and beside each value the reference
    that it belongs to.

    With --confidence each value has an interval, and lines below the table say which differences
    are real: whether a clustering is really closer to its closest one than to the others, or with
    --reference whether the best one is really closer to the reference. --unit cluster leaves out
    the clusters of each row, or of the reference.
    """
    from clustcmp.analyses.matrix.library import matrix, prepare_requests
    from clustcmp.render.matrix import check_format

    if per is not None:
        check_points(metric, settings, output)
        show_points(files, settings, output)
        return
    if flags := [name_of(key) for key in part_of(PartsView, output)]:
        raise UsageError(f"{flags[0]} has no effect without --per", hint="add --per point")
    check_references(settings, output)
    requests = prepare_requests(metric)
    form = choose_format(OutputFormat, output)
    check_format(form, len(requests), "reference" in settings)
    run(
        output,
        [*files, *files_in(MatrixSettings, settings)],
        lambda: matrix(files, requests, **settings),
        **part_of(MatrixView, output),
    )


def show_points(files: list[str], settings: MatrixSettings, output: MatrixOutputSettings) -> None:
    """Show which points move from run to run."""
    from clustcmp.analyses.parts.consistency import consistency

    run(
        output,
        files,
        lambda: consistency(files, **part_of(InputSettings, settings)),
        **part_of(PartsView, output),
    )


def check_points(
    metrics: list[str] | None, settings: MatrixSettings, output: MatrixOutputSettings
) -> None:
    """Refuse other metrics than the one of points, and what belongs to a matrix."""
    from clustcmp.metrics import METRICS

    for word in metrics or ():
        if METRICS.find(word).name != "element_centric":
            raise UsageError(
                f"{word}: has no value for each point of several runs",
                hint="leave it out, for element_consistency",
            )
    flags = [name_of(key) for key in settings if key not in declared(InputSettings)]
    flags += [name_of(key) for key in part_of(MatrixView, output)]
    if flags:
        raise UsageError(
            f"{flags[0]} is about a matrix of values, but --per shows points",
            hint=f"leave out {' and '.join(flags)}, or --per",
        )


def check_references(settings: MatrixSettings, output: MatrixOutputSettings) -> None:
    """Refuse references that are typed twice, and two orders for one table."""
    from clustcmp.analyses.several.named import check_names

    # In Python a list of equal texts is the labels of one reference.
    check_names(settings.get("reference", []))
    if "sort" in settings and output.get("order") == "given":
        raise UsageError(
            "--sort and --order given are two orders for one table", hint="say one of them"
        )
