"""Every setting of commands and library calls, declared once.

A group of settings is a TypedDict. One key of it is the flag on the command line with its help, the
keyword of the library function (`**settings: Unpack[Group]`, so that a type checker knows a wrong
one), the key in a TOML file, and the entry in a baseline. A dictionary with some of the keys holds
what was said; `keywords.complete` fills in the defaults. Nothing here needs numpy or Typer.

This module has no `from __future__ import annotations`: its annotations are read at run time, and
parsing them from text would slow --help.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypedDict

from clustcmp.declarations import SCHEDULER, Setting, bound, file, label, share
from clustcmp.file_formats import FORMAT_NAMES
from clustcmp.significance_settings import ConfidenceSettings, SignificanceSettings

# How large a file may be when unpacked, unless --max-bytes says otherwise.
MAX_BYTES = 4 << 30


# One label or several, as text or as numbers.
Labels = str | int | float | Sequence[str | int | float]

# Bounds by metric, {"ari": 0.9}, or as they are typed, ["ari=0.9"].
Bounds = Mapping[str, float | str] | Sequence[str] | None

# A share of points: 0.01 or "1%".
Share = float | str | None

# Seconds, or a time with its unit: 90 or "5min".
Time = str | int | float | None

# Two flags for the same setting.
COORDINATES = ("--coordinates", "--coords")


class ReadSettings(TypedDict, total=False):
    """How a file is read: its labels, its degrees, its header."""

    noise: Annotated[
        Labels, label("A label that marks noise, such as --noise=-1; repeat for more.")
    ]
    missing: Annotated[
        Literal["error", "drop", "noise"],
        Setting("Points without a label: an error, dropped, or noise.", "error"),
    ]
    missing_label: Annotated[
        Labels,
        label(
            "A label that counts as missing, as an empty cell does, such as NA; repeat for more."
        ),
    ]
    normalize: Annotated[bool, Setting("Divide the degrees of each soft row by their sum.", False)]
    id: Annotated[
        str | None,
        Setting("The column of the ids in all files; path::id=NAME is for one.", metavar="NAME"),
    ]
    no_header: Annotated[
        bool,
        Setting(
            "The first line is a row; columns are 1, 2, ... For one file: path::header=no.", False
        ),
    ]
    header: Annotated[
        bool, Setting("The first line names the columns, even if it looks like a row.", False)
    ]
    max_bytes: Annotated[
        int,
        Setting(
            "Refuse files that are larger than this when unpacked.",
            MAX_BYTES,
            minimum=1,
            decides=False,
        ),
    ]


class JoinSettings(ReadSettings, total=False):
    """How files are read and their rows joined, and how noise is compared."""

    by_position: Annotated[
        bool,
        Setting("Row 1 of each file is the same point, and so on, whatever ids there are.", False),
    ]
    noise_policy: Annotated[
        Literal["cluster", "drop", "singletons"] | None,
        Setting(
            "How noise is compared: as one cluster, not at all (dropped on both sides), or each "
            "point as a cluster. Default: cluster.",
        ),
    ]


class InputSettings(JoinSettings, total=False):
    """How files are read and joined, and what happens to noise and points in one file only."""

    points: Annotated[
        Literal["error", "intersect"],
        Setting(
            "If clusterings have different points: refuse where a metric needs the same ones, or "
            "use the common ones alone.",
            "error",
        ),
    ]
    pairs: Annotated[
        bool,
        Setting(
            "Files hold pairs of ids that belong together; what pairs connect is a cluster. For "
            "one file: path::format=pairs.",
            False,
            decides=False,
        ),
    ]
    jobs: Annotated[
        int | None,
        Setting(
            "How many threads to use. Default: all cores.",
            flags=("--jobs", "-j"),
            minimum=1,
            decides=False,
        ),
    ]
    scheduler: Annotated[Any, SCHEDULER]


class BudgetSettings(TypedDict, total=False):
    """How long a value may take that need not be exact."""

    budget: Annotated[
        Time,
        Setting(
            "The time that each cdistance and similarity_distance may take, such as 90s, 5min or "
            "1.5h. Values that take longer get a proven interval instead: the one known when time "
            "is over, or at Ctrl-C.",
            metavar="TIME",
            decides=False,
        ),
    ]


class InspectSettings(InputSettings, total=False):
    """The settings of `inspect`."""


class SidesSettings(InputSettings, total=False):
    """How two clusterings are read and joined, also if their files differ in noise and format."""

    noise_a: Annotated[Labels, label("A label that marks noise in A only; repeat for more.")]
    noise_b: Annotated[Labels, label("A label that marks noise in B only; repeat for more.")]
    format_a: Annotated[
        str | None,
        Setting(
            "The format of A, if its name and its first bytes do not tell: "
            f"{', '.join(FORMAT_NAMES)}. Also path::format=NAME.",
            metavar="NAME",
            decides=False,
        ),
    ]
    format_b: Annotated[
        str | None, Setting("The format of B, as for --format-a.", metavar="NAME", decides=False)
    ]


class CoordinateSettings(TypedDict, total=False):
    """Where the points of all clusterings are."""

    coordinates: Annotated[
        Any,
        file("Where the points are: path, or path::x,y to choose columns.", *COORDINATES),
    ]


class WeightSettings(TypedDict, total=False):
    """How much the points weigh."""

    weights: Annotated[
        Any,
        file(
            "How much each point weighs: path::COLUMN, or 'balanced' for clusters of the reference "
            "that weigh the same. Also path::weights=COLUMN in an address.",
        ),
    ]


class SpaceSettings(CoordinateSettings, total=False):
    """Where the points of a and b are, or how far they are from each other."""

    coordinates_a: Annotated[Any, file("Where the points of A are.")]
    coordinates_b: Annotated[Any, file("Where the points of B are.")]
    distances: Annotated[
        Any,
        file(
            "Distances instead of coordinates: the first column holds the ids of A, "
            "the header those of B."
        ),
    ]


class TwoSettings(SpaceSettings, WeightSettings, SidesSettings, total=False):
    """How two clusterings are read, joined and located, or where they were counted."""

    contingency: Annotated[
        Any,
        file(
            "Instead of A and B, how many points their clusters share: columns a, b, count, or a "
            "matrix with names."
        ),
    ]


class SqlSettings(TypedDict, total=False):
    """The settings of `sql`: the columns of tables in a database."""

    id: Annotated[
        str | None,
        Setting("The column of the ids in both tables; table::id=NAME is for one.", metavar="NAME"),
    ]
    label: Annotated[
        str | None,
        Setting("The column of the labels in both tables; table::NAME is for one.", metavar="NAME"),
    ]
    quote: Annotated[
        Literal["none", "double", "backtick"],
        Setting(
            "Quote all names: double for DuckDB and Snowflake, backtick for BigQuery and Spark.",
            "none",
        ),
    ]


class CompareSettings(SignificanceSettings, BudgetSettings, TwoSettings, total=False):
    """The settings of `compare`."""


class ChangesSettings(TwoSettings, total=False):
    """The settings of `changes`."""

    ground: Annotated[
        str,
        Setting(
            "The distance between points with coordinates, as in 'clustcmp metrics cdistance'.",
            "euclidean",
        ),
    ]
    relabel_share: Annotated[
        Share,
        share(
            "A cluster gets the name of its match only if more than this share of one of the two "
            "is in the other; 0 is for any share.",
            0.5,
        ),
    ]


class MatrixSettings(
    CoordinateSettings,
    BudgetSettings,
    WeightSettings,
    InputSettings,
    ConfidenceSettings,
    total=False,
):
    """The settings of `matrix`."""

    reference: Annotated[
        Any,
        file(
            "Compare all with this one only, in one table with a column for each metric; repeat "
            "for several. A reference that is one of FILES, by its path or NAME, is not listed.",
            repeated=True,
        ),
    ]
    best: Annotated[
        bool,
        Setting("With several references: the best value over them, and which one it is.", False),
    ]
    sort: Annotated[
        str | None,
        Setting(
            "The metric whose best value comes first in the table of a reference. Default: the "
            "first one.",
            metavar="METRIC",
            is_metric=True,
        ),
    ]


class TrackSettings(BudgetSettings, WeightSettings, InputSettings, total=False):
    """The settings of `track`."""

    lag: Annotated[
        int,
        Setting(
            "Compare each window with the window that comes this many windows later.",
            1,
            flags=("--window-lag",),
            minimum=1,
        ),
    ]
    coordinates: Annotated[
        Any,
        file(
            "Where the points are: path, or path::x,y to choose columns; once for all "
            "windows, or once for each in the same order.",
            *COORDINATES,
            repeated=True,
        ),
    ]
    by: Annotated[
        Literal["order", "clusters"],
        Setting(
            "The order of the windows: as given, or by their number of clusters, the fewest first, "
            "as for the cuts of a tree.",
            "order",
        ),
    ]
    stable: Annotated[
        float | None,
        Setting(
            "Find stable regions: runs of steps at each of which a metric keeps this value.",
            metavar="NUMBER",
        ),
    ]
    length: Annotated[
        int | None,
        Setting("The fewest steps of a stable region. Default: 5.", minimum=1, metavar="NUMBER"),
    ]
    coordinates_each: Annotated[
        Sequence[Any], Setting("A table of coordinates for each window.", (), python_only=True)
    ]
    min: Annotated[Bounds, bound("Fail if a value is below this; repeatable.")]
    max: Annotated[Bounds, bound("Fail if a value is above this; repeatable.")]
    life_lines: Annotated[
        bool,
        Setting(
            "Find out which cluster continues as which.",
            True,
            flags=("--life-lines/--no-life-lines",),
        ),
    ]


class KeptSettings(SidesSettings, ConfidenceSettings, total=False):
    """The settings that baselines keep: what decides about values and intervals, but for files."""


class MeasuredSettings(BudgetSettings, TwoSettings, ConfidenceSettings, total=False):
    """How two clusterings are read, joined and located, and how sure values are."""


class GateSettings(MeasuredSettings, total=False):
    """The settings of one gate, without its two files and its name."""

    min: Annotated[Bounds, bound("Fail below this value; the bound itself passes.")]
    max: Annotated[Bounds, bound("Fail above this value; the bound itself passes.")]
    warn_min: Annotated[Bounds, bound("Warn below this; the bound itself does not.")]
    warn_max: Annotated[Bounds, bound("Warn above this; the bound itself does not.")]
    max_change: Annotated[
        Bounds,
        bound(
            "Fail if the value is farther from that of the baseline, in either direction: "
            "ari=0.02, or ari=2% of the accepted value."
        ),
    ]
    max_drop: Annotated[
        Bounds, bound("Fail if the value is lower than that of the baseline by more than this.")
    ]
    max_rise: Annotated[
        Bounds, bound("Fail if the value is higher than that of the baseline by more than this.")
    ]
    max_moved: Annotated[
        Share,
        share(
            "Fail if more than this share of the points moved out of the match of their old "
            "cluster: 1% or 0.01, inclusive."
        ),
    ]
    min_coverage: Annotated[
        Share,
        share(
            "Fail if fewer of all points are in both files (and not dropped): 99% or 0.99, "
            "inclusive."
        ),
    ]
    min_clusters: Annotated[
        int | None, Setting("Fail if the candidate has fewer clusters, without noise.", minimum=1)
    ]
    max_clusters: Annotated[
        int | None, Setting("Fail if the candidate has more clusters, without noise.", minimum=1)
    ]
    max_largest: Annotated[
        Share, share("Fail if the candidate's largest cluster has a larger share of its points.")
    ]
    max_noise: Annotated[
        Share, share("Fail if a larger share of the candidate's points is noise, as --noise says.")
    ]
    baseline: Annotated[Any, file("The values of an accepted run.")]
