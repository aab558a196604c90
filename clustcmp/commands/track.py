"""clustcmp track: how a clustering changes along a stream of windows."""

from __future__ import annotations

from typing import Annotated

import typer

from clustcmp.commands.arguments import FILE, metric_option
from clustcmp.commands.completion import complete_file
from clustcmp.commands.running import run
from clustcmp.commands.takes import takes
from clustcmp.keywords import part_of
from clustcmp.output_settings import TrackOutputSettings, TrackView
from clustcmp.settings import TrackSettings

EXAMPLES = """
\b
Examples:
  clustcmp track monday.csv tuesday.csv wednesday.csv
  clustcmp track w1.csv w2.csv w3.csv --coordinates points.csv \\
      -m adco -m cdistance
  clustcmp track w1.csv w2.csv --coordinates x1.csv --coordinates x2.csv
  clustcmp track day*.csv --window-lag 7 --points intersect -m ari -f csv
  clustcmp track day*.csv --coordinates points.csv --max adco=0.3 \\
      || echo "it drifts"
  clustcmp track 'obs.csv::leiden_*' --by clusters --stable 0.99
"""


@takes
def track(
    windows: Annotated[
        list[str],
        typer.Argument(
            metavar="W1 W2 ...",
            help=f"The windows in their order: {FILE}",
            autocompletion=complete_file,
        ),
    ],
    metric: Annotated[
        list[str] | None,
        metric_option(
            "What to follow, as in 'clustcmp compare'; repeat for more. "
            "Default: adco with --coordinates, else adjusted_rand; with --by clusters "
            "adjusted_wallace_ab and simpson_b."
        ),
    ] = None,
    *,
    settings: TrackSettings,
    output: TrackOutputSettings,
) -> None:
    """Follow a stream of clusterings from window to window.

    Each window is compared with the next one or, with --window-lag, a later one. The windows may
    share all points, some, or none: adco and cdistance compare windows of any points if there are
    coordinates. The bins of adco cover all windows. The largest jump is the step with the worst
    value, if there are several steps.

    A life line is a cluster through the windows in which it lives. Cluster b of a later window
    continues a if more than half of a is in b; if that is so for no cluster, b continues a if more
    than half of b comes from a. A cluster continues one at most, and one at most continues it.
    Where a life line ends, its cluster merged into one that has more than half of it, or died;
    where it begins, it split from one that gives more than half of it, or was born. The mass of a
    cluster is its number of points, in a soft window the sum of their degrees.
    Where windows share too few points, the transport plan of their clusters says what is in what,
    and b must be near a, too: it overlaps a, or no other cluster of the two windows is as close.

    Columns of one file are windows, too: cuts.csv::* follows a sweep over resolutions, or the cuts
    of a tree, with --by clusters from few clusters to many. With --stable 0.99 the output names
    stable regions: runs of at least --length steps at each of which a metric keeps this value.

    With --min or --max the exit status is 1 if a value breaks a bound at any step, and 3 if a value
    that a bound is on is undefined.
    """
    from clustcmp.analyses.track.library import track

    tables = settings.pop("coordinates", [])
    if len(tables) == 1:
        settings["coordinates"] = tables[0]
    else:
        settings["coordinates_each"] = tables
    found = run(
        output,
        [*windows, *tables],
        lambda: track(windows, metric or None, **settings),
        **part_of(TrackView, output),
    )
    if found.verdict is not None and found.verdict.exit_status:
        raise typer.Exit(found.verdict.exit_status)
