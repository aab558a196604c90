"""clustcmp compare: how far apart two clusterings are."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Annotated

import typer

from clustcmp.choices import Color, Missing, NoisePolicy, OutputFormat, Points
from clustcmp.commands import Colors, Format, Quiet, Verbose, complete_metric, tell
from clustcmp.errors import UsageError

if TYPE_CHECKING:
    from clustcmp.model import Clustering
    from clustcmp.read import ReadOptions, Space

FILE = "path, path::COLUMN, path::label=COLUMN,id=COLUMN, or - for stdin."

EXAMPLES = """
Examples:

  clustcmp compare old.csv new.csv

  clustcmp compare truth.csv found.csv -m pair_f1 -m bcubed_f1

  clustcmp compare cells.tsv::leiden cells.tsv::louvain -m nmi:average=geometric -f json

  clustcmp compare old.csv new.csv --coordinates cells.csv::x,y

  zcat new.csv.gz | clustcmp compare old.csv - -m all --points intersect
"""


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help=f"The reference: {FILE}")],
    b: Annotated[str, typer.Argument(metavar="B", help="The candidate, in the same way.")],
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            "-m",
            metavar="METRIC",
            help="A metric (ari), with options (nmi:average=geometric), a family (information), "
            "or all; repeat for more. Default: the featured ones. See 'clustcmp metrics'.",
            autocompletion=complete_metric,
        ),
    ] = None,
    coordinates: Annotated[
        str | None,
        typer.Option(
            "--coordinates",
            "--coords",
            metavar="FILE",
            help="Where the points are: path, or path::x,y to choose columns.",
        ),
    ] = None,
    coordinates_a: Annotated[
        str | None, typer.Option(metavar="FILE", help="Where the points of A are.")
    ] = None,
    coordinates_b: Annotated[
        str | None, typer.Option(metavar="FILE", help="Where the points of B are.")
    ] = None,
    distances: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Distances instead of coordinates: the first column holds the ids of A, "
            "the header those of B.",
        ),
    ] = None,
    format: Format = OutputFormat.table,
    points: Annotated[
        Points,
        typer.Option(help="If a and b have different points: refuse, or use the common ones."),
    ] = Points.error,
    noise: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LABEL", help="A label that marks noise, such as --noise=-1; repeat for more."
        ),
    ] = None,
    noise_policy: Annotated[
        NoisePolicy,
        typer.Option(
            help="What noise is: one cluster, dropped (on both sides), or a cluster per point."
        ),
    ] = NoisePolicy.cluster,
    missing: Annotated[
        Missing, typer.Option(help="What a point with an empty label is.")
    ] = Missing.error,
    normalize: Annotated[
        bool, typer.Option("--normalize", help="Divide the degrees of each soft row by their sum.")
    ] = False,
    no_header: Annotated[
        bool, typer.Option("--no-header", help="The first line is a row; columns are 1, 2, ...")
    ] = False,
    max_bytes: Annotated[
        int, typer.Option(min=1, help="Refuse files that are larger than this when unpacked.")
    ] = 4 << 30,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, help="How many threads to use. Default: all cores."),
    ] = None,
    color: Colors = Color.auto,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Compare clustering B with the reference A.

    The files are CSV or TSV with a header, or .txt with one label per line; .gz, .bz2 and .xz are
    unpacked. Rows are joined by the column id, else by position. A column label or cluster, or the
    only other column, holds labels; several numeric columns are soft memberships.
    """
    from clustcmp.api import compare_clusterings, find_requests
    from clustcmp.metrics import METRICS
    from clustcmp.progress import told_to
    from clustcmp.read import ReadOptions, Space, enter_space
    from clustcmp.render import render_report
    from clustcmp.render.bar import Bar

    find_requests(metric, distances is not None)
    space = Space(coordinates, coordinates_a, coordinates_b, distances)
    options = ReadOptions(
        has_header=not no_header,
        noise=tuple(noise or ()),
        missing=missing,
        normalize=normalize,
        max_bytes=max_bytes,
    )
    began = time.perf_counter()
    check_stdin(a, b, space)
    located_a, located_b, between = enter_space(*read_both(a, b, options), space, options)
    read = time.perf_counter()
    with Bar(quiet) as bar, told_to(bar):
        report = compare_clusterings(
            located_a, located_b, metric or None, points, noise_policy, between, jobs, options.noise
        )
    compared = time.perf_counter()
    text = render_report(report, METRICS, format, color)
    tell((f"note: {note}" for note in report.notes), quiet)
    if verbose:
        tell([f"read in {read - began:.3f} s, compared in {compared - read:.3f} s"])
    sys.stdout.write(text)


def check_stdin(a: str, b: str, space: Space) -> None:
    """Refuse to read stdin twice."""
    from clustcmp.read import FileSpec

    paths = [file.partition("::")[0] for file in (a, b, *space.parts)]
    if sum(FileSpec(path, path).is_stdin for path in paths) > 1:
        raise UsageError("two files are -, and stdin can be read once only", hint="name a file")


def read_both(a: str, b: str, options: ReadOptions) -> tuple[Clustering, Clustering]:
    """The clusterings in two files, read at the same time."""
    from clustcmp.read import FileSpec, read_clustering

    specs = [FileSpec.parse(a), FileSpec.parse(b)]
    pool = ThreadPoolExecutor(2)
    try:
        first, second = pool.map(lambda spec: read_clustering(spec, options), specs)
    finally:
        # After Ctrl-C nobody waits for the other file.
        pool.shutdown(wait=False, cancel_futures=True)
    return first, second
