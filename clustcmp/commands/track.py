"""clustcmp track: how a clustering changes along a stream of windows."""

from __future__ import annotations

import sys
import time
from typing import Annotated

import typer

from clustcmp.choices import MAX_BYTES, Color, Missing, NoisePolicy, OutputFormat, Points
from clustcmp.commands import options, tell

# More notes than this are counted only; JSON has them all.
MOST_NOTES = 10

EXAMPLES = """
Examples:

  clustcmp track monday.csv tuesday.csv wednesday.csv

  clustcmp track w1.csv w2.csv w3.csv --coordinates points.csv -m adco -m cdistance

  clustcmp track w1.csv w2.csv --coordinates x1.csv --coordinates x2.csv

  clustcmp track day*.csv --window-lag 7 --points intersect -m ari -f csv

  clustcmp track day*.csv --coordinates points.csv --max adco=0.3 || echo "it drifts"
"""


def track(
    windows: Annotated[
        list[str],
        typer.Argument(metavar="W1 W2 ...", help=f"The windows in their order: {options.FILE}"),
    ],
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            "-m",
            metavar="METRIC",
            help="What to follow, as in 'clustcmp compare'; repeat for more. "
            "Default: adco with --coordinates, else adjusted_rand.",
            autocompletion=options.complete_metric,
        ),
    ] = None,
    window_lag: Annotated[
        int, typer.Option(min=1, help="Compare each window with the one so many windows later.")
    ] = 1,
    coordinates: Annotated[
        list[str] | None,
        typer.Option(
            "--coordinates",
            "--coords",
            metavar="FILE",
            help="Where the points are: path, or path::x,y to choose columns; once for all "
            "windows, or once for each in the same order.",
        ),
    ] = None,
    minimum: Annotated[
        list[str] | None,
        typer.Option(
            "--min", metavar="METRIC=NUMBER", help="Fail if a value is below this; repeatable."
        ),
    ] = None,
    maximum: Annotated[
        list[str] | None,
        typer.Option(
            "--max", metavar="METRIC=NUMBER", help="Fail if a value is above this; repeatable."
        ),
    ] = None,
    life_lines: Annotated[
        bool,
        typer.Option(help="Find out which cluster continues as which."),
    ] = True,
    all: Annotated[
        bool, typer.Option("--all", help="Show all life lines, not only the largest.")
    ] = False,
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
    """Follow a stream of clusterings from window to window.

    Each window is compared with the next one, or with a later one (--window-lag). The windows may
    share all points, some, or none: adco and cdistance compare windows of any points if there are
    coordinates. The bins of adco cover all windows. The largest jump is the step with the worst
    value, if there are several steps.

    A life line is a cluster through the windows in which it lives. Cluster b of a later window
    continues a if more than half of a is in b; if that is so for no cluster, b continues a if more
    than half of b comes from a. A cluster continues one at most, and one at most continues it.
    Where windows share too few points, the transport plan of their clusters says what is in what,
    and b must be near a, too: it overlaps a, or no other cluster of the two windows is as close.

    With --min or --max the exit status is 1 if a value breaks a bound at any step, and 3 if a value
    that a bound is on is undefined.
    """
    from clustcmp.analyses.bounds.thresholds import Kind, parse_threshold
    from clustcmp.analyses.track.library import find_followed, follow
    from clustcmp.analyses.track.stream import read_stream
    from clustcmp.inputs import Policies
    from clustcmp.metrics import METRICS
    from clustcmp.progress import told_to
    from clustcmp.render.bar import Bar
    from clustcmp.render.track import render_track

    thresholds = [parse_threshold(Kind.min, text) for text in minimum or ()]
    thresholds += [parse_threshold(Kind.max, text) for text in maximum or ()]
    requests = find_followed(metric or None, thresholds, bool(coordinates))
    policies = Policies(
        points, tuple(noise or ()), noise_policy, missing, normalize, no_header, max_bytes, jobs
    )
    began = time.perf_counter()
    stream = read_stream(windows, coordinates or [], policies, window_lag)
    read = time.perf_counter()
    with Bar(quiet) as bar, told_to(bar):
        found = follow(stream, requests, thresholds, life_lines)
    followed = time.perf_counter()
    text = render_track(found, METRICS, format, color, all)
    tell((f"note: {note}" for note in found.notes[:MOST_NOTES]), quiet)
    if len(found.notes) > MOST_NOTES:
        tell([f"note: and {len(found.notes) - MOST_NOTES} more notes; -f json has all"], quiet)
    if verbose:
        tell([f"read in {read - began:.3f} s, followed in {followed - read:.3f} s"])
    sys.stdout.write(text)
    if found.verdict and found.verdict.exit_status:
        raise typer.Exit(found.verdict.exit_status)
