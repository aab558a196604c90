"""The options that several commands share, each with its one help text."""

from __future__ import annotations

from typing import Annotated

import typer

from clustcmp.choices import Color, Missing, NoisePolicy, OutputFormat, Points


def complete_metric(incomplete: str) -> list[tuple[str, str]]:
    """The metrics, aliases and families that a shell can complete a word to."""
    from clustcmp.metrics import METRICS

    words = [word for word in METRICS.words if word.startswith(incomplete)]
    return [(word, METRICS.explain(word)) for word in words]


FILE = "path, path::COLUMN, path::label=COLUMN,id=COLUMN, or - for stdin."

FileA = Annotated[str, typer.Argument(metavar="A", help=f"The reference: {FILE}")]
FileB = Annotated[str, typer.Argument(metavar="B", help="The candidate, in the same way.")]

Coordinates = Annotated[
    str | None,
    typer.Option(
        "--coordinates",
        "--coords",
        metavar="FILE",
        help="Where the points are: path, or path::x,y to choose columns.",
    ),
]
CoordinatesA = Annotated[
    str | None, typer.Option(metavar="FILE", help="Where the points of A are.")
]
CoordinatesB = Annotated[
    str | None, typer.Option(metavar="FILE", help="Where the points of B are.")
]
Distances = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Distances instead of coordinates: the first column holds the ids of A, "
        "the header those of B.",
    ),
]
PointsPolicy = Annotated[
    Points,
    typer.Option(
        "--points", help="If a and b have different points: refuse, or use the common ones."
    ),
]
NoiseLabels = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LABEL", help="A label that marks noise, such as --noise=-1; repeat for more."
    ),
]
NoiseAs = Annotated[
    NoisePolicy,
    typer.Option(
        "--noise-policy",
        help="What noise is: one cluster, dropped (on both sides), or a cluster per point.",
    ),
]
MissingAs = Annotated[
    Missing, typer.Option("--missing", help="What a point with an empty label is.")
]
Normalize = Annotated[
    bool, typer.Option("--normalize", help="Divide the degrees of each soft row by their sum.")
]
NoHeader = Annotated[
    bool, typer.Option("--no-header", help="The first line is a row; columns are 1, 2, ...")
]
MaxBytes = Annotated[
    int, typer.Option(min=1, help="Refuse files that are larger than this when unpacked.")
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=1, help="How many threads to use. Default: all cores."),
]
Format = Annotated[OutputFormat, typer.Option("--format", "-f", help="How to print the result.")]
Colors = Annotated[
    Color, typer.Option("--color", help="When to use colours; NO_COLOR counts for auto.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No notes on stderr, only errors.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say on stderr what is being done.")]
