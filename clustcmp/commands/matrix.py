"""clustcmp matrix: how far apart several clusterings are from each other or from one."""

from __future__ import annotations

import re
import sys
import time
from typing import Annotated

import typer

from clustcmp.choices import MAX_BYTES, Color, Missing, NoisePolicy, Order, OutputFormat, Points
from clustcmp.commands import options, tell

EXAMPLES = """
Examples:

  clustcmp matrix runs/*.csv

  clustcmp matrix results.csv::* -m nmi -f csv > nmi.csv

  clustcmp matrix runs/*.csv --reference truth.csv -m ari -m vi

  clustcmp matrix old.csv new.csv soft.csv --coordinates cells.csv::x,y -m cdistance
"""


def matrix(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILES...",
            help="Two or more clusterings: path, path::COLUMN, path::label=COLUMN,id=COLUMN, "
            "path::* for all columns but the id, or - for stdin.",
        ),
    ],
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            "-m",
            metavar="METRIC",
            help="A metric of two clusterings, with options (nmi:average=geometric); repeat for "
            "one matrix each. Default: adjusted_rand. See 'clustcmp metrics'.",
            autocompletion=options.complete_metric,
        ),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(
            "--reference",
            metavar="FILE",
            help="Compare all with this one only, and list them from the closest on. "
            "It may be one of FILES, and is left out of the list then.",
        ),
    ] = None,
    order: Annotated[
        Order,
        typer.Option("--order", help="Rows and columns so that like stands by like, or as given."),
    ] = Order.similarity,
    coordinates: options.Coordinates = None,
    format: options.Format = OutputFormat.table,
    points: options.PointsPolicy = Points.error,
    noise: options.NoiseLabels = None,
    noise_policy: options.NoiseAs = NoisePolicy.cluster,
    missing: options.MissingAs = Missing.error,
    normalize: options.Normalize = False,
    no_header: options.NoHeader = False,
    max_bytes: options.MaxBytes = MAX_BYTES,
    jobs: options.Jobs = None,
    color: options.Colors = Color.auto,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Compare all clusterings with each other, or with one reference.

    Each row is the reference of its values. The clustering with the best mean value to all others
    is marked as the medoid. Every value is what 'clustcmp compare ROW COLUMN' says. JSON has the
    rows in the order given; csv and tables have like by like, or --order given.
    """
    from clustcmp.analyses.matrix.library import matrix_of, prepare_requests, read_named
    from clustcmp.inputs import Policies, check_stdin
    from clustcmp.metrics import METRICS
    from clustcmp.progress import told_to
    from clustcmp.render.bar import Bar
    from clustcmp.render.matrix import check_format, render_matrix

    files = [as_typed(file) for file in files]
    reference = None if reference is None else as_typed(reference)
    requests = prepare_requests(metric)
    check_format(format, len(requests), reference is not None)
    policies = Policies(
        points, tuple(noise or ()), noise_policy, missing, normalize, no_header, max_bytes, jobs
    )
    if coordinates is not None:
        check_stdin([*{file.partition("::")[0] for file in [*files, reference or ""]}, coordinates])
    began = time.perf_counter()
    named, chosen = read_named(files, reference, policies)
    read = time.perf_counter()
    with Bar(quiet) as bar, told_to(bar):
        report = matrix_of(named, requests, policies, chosen, coordinates)
    compared = time.perf_counter()
    text = render_matrix(report, METRICS, format, order, color)
    tell((f"note: {note}" for note in report.notes), quiet)
    if verbose:
        tell([f"read in {read - began:.3f} s, compared in {compared - read:.3f} s"])
    sys.stdout.write(text)


def as_typed(file: str) -> str:
    """The file by the name that people give it: -::COLUMN comes here as a path with a column."""
    return re.sub(r"^/dev/stdin::", "-::", file)
