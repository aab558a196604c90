"""clustcmp changes: which cluster became which."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clustcmp.choices import MAX_BYTES, Color, Missing, NoisePolicy, OutputFormat, Points
from clustcmp.commands import options, tell
from clustcmp.errors import UsageError

if TYPE_CHECKING:
    from clustcmp.analyses.changes.report import ChangeReport

EXAMPLES = """
Examples:

  clustcmp changes old.csv new.csv

  clustcmp changes old.csv new.csv --moved moved.csv --relabel new_as_old.csv

  clustcmp changes old.csv new.csv --coordinates cells.csv::x,y --all

  clustcmp changes january.csv may.csv --coordinates-a x1.csv --coordinates-b x2.csv -f json
"""

EUCLIDEAN = "euclidean"

# The endings of a table with a header.
TABLES = ("", ".csv", ".tsv")


def changes(
    a: options.FileA,
    b: options.FileB,
    top: Annotated[
        int,
        typer.Option(
            min=1,
            help="Show so many of the clusters that changed most; json and csv always have all.",
        ),
    ] = 20,
    show_all: Annotated[
        bool,
        typer.Option("--all", help="Show all clusters, also those that did not change."),
    ] = False,
    moved: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Write the points that moved as CSV: id, from, to, expected."
        ),
    ] = None,
    relabel: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Write B as CSV or .tsv, with A's names on matched clusters."
        ),
    ] = None,
    coordinates: options.Coordinates = None,
    coordinates_a: options.CoordinatesA = None,
    coordinates_b: options.CoordinatesB = None,
    distances: options.Distances = None,
    ground: Annotated[
        str,
        typer.Option(
            help="The distance between points with coordinates, as in 'clustcmp metrics cdistance'."
        ),
    ] = EUCLIDEAN,
    format: options.Format = OutputFormat.table,
    points: Annotated[
        Points,
        typer.Option(
            "--points",
            help="Points in one file only: count them as gone or new (error, which refuses nothing "
            "here), or leave them out (intersect).",
        ),
    ] = Points.error,
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
    """Show which cluster of A became which cluster of B, and which points moved.

    Clusters are matched one to one by the points that A and B share. Points only in A are gone,
    those only in B are new. Without any common point, coordinates or distances tell: clusters are
    matched by the transport plan between them. With coordinates each cluster's part of cdistance
    and css is shown.
    """
    from clustcmp.analyses.changes.library import check_ground
    from clustcmp.analyses.changes.report import report_changes
    from clustcmp.inputs import Policies, bring_together, read_inputs
    from clustcmp.progress import told_to
    from clustcmp.read import Space
    from clustcmp.render import show
    from clustcmp.render.bar import Bar

    check_ground(ground, distances is not None)
    space = Space(coordinates, coordinates_a, coordinates_b, distances)
    if ground != EUCLIDEAN and not space.parts:
        raise UsageError(
            f"--ground {ground} does nothing without coordinates",
            hint="name them with --coordinates FILE, or leave out --ground",
        )
    check_files([moved, relabel], [a, b, *space.parts])
    policies = Policies(
        points, tuple(noise or ()), noise_policy, missing, normalize, no_header, max_bytes, jobs
    )
    began = time.perf_counter()
    located = read_inputs(a, b, space, policies)
    read = time.perf_counter()
    with Bar(quiet) as bar, told_to(bar):
        report = report_changes(bring_together(located, policies), ground, (noise or [""])[0])
    compared = time.perf_counter()
    text = show(report, format, color, top=None if show_all else top)
    notes = [*report.notes, *write_files(report, moved, relabel)]
    tell((f"note: {note}" for note in notes), quiet)
    if verbose:
        tell([f"read in {read - began:.3f} s, compared in {compared - read:.3f} s"])
    sys.stdout.write(text)


def check_files(written: list[str | None], read: list[str]) -> None:
    """Refuse files that cannot be written, or that are read or written otherwise."""
    from clustcmp.write import check_apart, check_writable

    used = [name for file in read for name in (file, file.partition("::")[0])]
    for path in filter(None, written):
        check_writable(path)
        check_apart(path, used)
        used.append(path)
    moved, relabel = written
    for path in filter(None, [moved, relabel]):
        if Path(path).suffix.lower() not in TABLES or ".labels" in Path(path).name.lower():
            raise UsageError(
                f"{path}: a table is written as CSV or .tsv", hint="name it .csv or .tsv"
            )


def write_files(report: ChangeReport, moved: str | None, relabelled: str | None) -> list[str]:
    """Write the files that are asked for, and return notes about them."""
    from clustcmp.analyses.changes.moved import list_moved
    from clustcmp.analyses.changes.relabel import relabel
    from clustcmp.write import write_text

    # Both texts are made before the first file is written.
    made = {}
    if moved is not None:
        made[moved] = list_moved(report, delimiter_of(moved))
    if relabelled is not None:
        made[relabelled] = relabel(report, delimiter_of(relabelled))
    for path, file in made.items():
        write_text(path, file.text)
    return [note for file in made.values() for note in file.notes]


def delimiter_of(path: str) -> str:
    """What stands between the cells of a file, by its ending."""
    return "\t" if path.lower().endswith(".tsv") else ","
