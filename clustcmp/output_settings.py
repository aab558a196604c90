"""The settings that say how and where a result is shown; like those in `settings`, each once.

This module has no `from __future__ import annotations`: its annotations are read at run time, and
parsing them from text would slow --help.
"""

from typing import Annotated, Literal, TypedDict

from clustcmp.declarations import Setting, file

# When to use colours.
Color = Literal["auto", "always", "never"]

# How a result is printed, and how a verdict is.
OutputFormat = Literal["table", "json", "csv", "markdown", "latex", "html"]
GateFormat = Literal["table", "json", "csv", "markdown", "latex", "html", "github"]

# The format that the ending of a file stands for.
ENDINGS = {
    ".json": "json",
    ".csv": "csv",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".txt": "table",
}

# How several clusterings are ordered: similar ones side by side, or as they were given.
Order = Literal["similarity", "given"]


class ShowSettings(TypedDict, total=False):
    """How and where the result of a command is shown, and what is said besides."""

    output: Annotated[
        str | None,
        Setting(
            "Write the result to this file instead of stdout; its ending chooses the format: "
            f"{', '.join(ENDINGS)}.",
            flags=("--output", "-o"),
            metavar="FILE",
        ),
    ]
    color: Annotated[
        Color, Setting("When to use colours; NO_COLOR and FORCE_COLOR count for auto.", "auto")
    ]
    quiet: Annotated[
        bool, Setting("No notes on stderr, only errors.", False, flags=("--quiet", "-q"))
    ]
    verbose: Annotated[
        bool, Setting("Say on stderr what is being done.", False, flags=("--verbose", "-v"))
    ]


class DigitSettings(TypedDict, total=False):
    """How values are rounded for people."""

    digits: Annotated[
        int | None,
        Setting(
            "Decimals of the values in tables, 0 to 17; json and csv always have all. Default: 6.",
            minimum=0,
            maximum=17,
        ),
    ]


class FormatSettings(ShowSettings, total=False):
    """How the text of a command is shown."""

    format: Annotated[
        OutputFormat, Setting("How to print the result.", "table", flags=("--format", "-f"))
    ]


# What a list of metrics can be restricted to.
Fits = Literal["overlapping", "soft", "space", "different-points"]


class ListSettings(TypedDict, total=False):
    """Which metrics a list has."""

    fits: Annotated[
        Fits | None,
        Setting(
            "List the metrics that take overlapping clusterings, soft ones or different points, or "
            "that look at where points are.",
            flags=("--for",),
        ),
    ]
    like: Annotated[
        str | None,
        Setting(
            "Search names, words of other programs, formulas and texts, and say what to write.",
            flags=("--like",),
            metavar="WORD",
        ),
    ]


class OutputSettings(DigitSettings, FormatSettings, total=False):
    """How the result of a command is shown, which holds values."""


class View(TypedDict, total=False):
    """What can be chosen about a document: nothing, unless a command has more to choose."""


class ChangesView(View, total=False):
    """Which clusters the document of `changes` shows."""

    top: Annotated[
        int,
        Setting(
            "Show so many of the clusters that changed most; json and csv always have all.",
            20,
            metavar="NUMBER",
            minimum=1,
        ),
    ]
    show_all: Annotated[
        bool,
        Setting("Show all clusters, also those that did not change.", False, flags=("--all",)),
    ]


class ChangesOutputSettings(ChangesView, OutputSettings, total=False):
    """How the result of `changes` is shown."""


class PartsView(View, total=False):
    """How many rows the documents of `compare --per` show."""

    top: Annotated[
        int,
        Setting(
            "With --per: show so many rows, the worst ones; json and csv always have all.",
            20,
            metavar="NUMBER",
            minimum=1,
        ),
    ]
    show_all: Annotated[bool, Setting("With --per: show all rows.", False, flags=("--all",))]


class CompareOutputSettings(PartsView, OutputSettings, total=False):
    """How the result of `compare` is shown."""


class TrackView(View, total=False):
    """Which life lines the document of `track` shows."""

    show_all: Annotated[
        bool,
        Setting("Show all life lines, not only the largest.", False, flags=("--all",)),
    ]


class TrackOutputSettings(TrackView, OutputSettings, total=False):
    """How the result of `track` is shown."""


class MatrixView(View, total=False):
    """In which order the document of `matrix` shows clusterings."""

    order: Annotated[
        Order,
        Setting(
            "Rows and columns with similar clusterings next to each other, or as given.",
            "similarity",
        ),
    ]


class MatrixOutputSettings(MatrixView, PartsView, OutputSettings, total=False):
    """How the result of `matrix` is shown."""


class MetricsView(View, total=False):
    """Whether `metrics` shows a table of the metrics, or a page for each of them."""

    in_full: Annotated[bool, Setting("A page for each metric.", False, python_only=True)]


class GateOutputSettings(DigitSettings, ShowSettings, total=False):
    """How the verdict of `gate` is shown."""

    junit: Annotated[str | None, file("Write the verdict as JUnit XML, too.")]
    format: Annotated[
        GateFormat | None,
        Setting(
            "How to print the verdict. Default: table; in GitHub Actions github.",
            flags=("--format", "-f"),
        ),
    ]
