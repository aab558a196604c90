"""clustcmp compare: how far apart two clusterings are."""

from __future__ import annotations

import sys
import time
from typing import Annotated

import typer

from clustcmp.choices import MAX_BYTES, Color, Missing, NoisePolicy, OutputFormat, Points
from clustcmp.commands import options, tell

EXAMPLES = """
Examples:

  clustcmp compare old.csv new.csv

  clustcmp compare truth.csv found.csv -m pair_f1 -m bcubed_f1

  clustcmp compare cells.tsv::leiden cells.tsv::louvain -m nmi:average=geometric -f json

  clustcmp compare old.csv new.csv --coordinates cells.csv::x,y

  zcat new.csv.gz | clustcmp compare old.csv - -m all --points intersect
"""


def compare(
    a: options.FileA,
    b: options.FileB,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            "-m",
            metavar="METRIC",
            help="A metric (ari), with options (nmi:average=geometric), a family (information), "
            "or all; repeat for more. Default: the featured ones. See 'clustcmp metrics'.",
            autocompletion=options.complete_metric,
        ),
    ] = None,
    coordinates: options.Coordinates = None,
    coordinates_a: options.CoordinatesA = None,
    coordinates_b: options.CoordinatesB = None,
    distances: options.Distances = None,
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
    """Compare clustering B with the reference A.

    The files are CSV or TSV with a header, or .txt with one label per line; .gz, .bz2 and .xz are
    unpacked. Rows are joined by the column id, else by position. A column label or cluster, or the
    only other column, holds labels; several numeric columns are soft memberships.
    """
    from clustcmp.evaluate import report_on
    from clustcmp.inputs import Policies, bring_together, read_inputs
    from clustcmp.progress import told_to
    from clustcmp.read import Space
    from clustcmp.render import show
    from clustcmp.render.bar import Bar
    from clustcmp.requests import find_requests

    specs = metric or None
    requests = find_requests(specs, distances is not None)
    space = Space(coordinates, coordinates_a, coordinates_b, distances)
    policies = Policies(
        points, tuple(noise or ()), noise_policy, missing, normalize, no_header, max_bytes, jobs
    )
    began = time.perf_counter()
    located = read_inputs(a, b, space, policies)
    read = time.perf_counter()
    with Bar(quiet) as bar, told_to(bar):
        report = report_on(bring_together(located, policies), requests)
    compared = time.perf_counter()
    text = show(report, format, color)
    tell((f"note: {note}" for note in report.notes), quiet)
    if verbose:
        tell([f"read in {read - began:.3f} s, compared in {compared - read:.3f} s"])
    sys.stdout.write(text)
