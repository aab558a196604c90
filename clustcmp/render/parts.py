"""The documents of `clustcmp compare --per cluster` and `--per point`."""

from __future__ import annotations

from clustcmp.analyses.parts.measures import CLUSTER_MEASURES, POINT_MEASURES
from clustcmp.analyses.parts.report import Parts
from clustcmp.errors import plural
from clustcmp.output_settings import PartsView
from clustcmp.render.blocks import (
    Block,
    Cell,
    Column,
    Data,
    Group,
    Inputs,
    Lines,
    Notes,
    Table,
    Tone,
)
from clustcmp.render.brief import Brief, cut_name, fill, left_out, show_sides
from clustcmp.render.words import (
    ARROWS,
    describe_all,
    how_to_show_all,
    show_coverage,
    show_mass,
    show_value,
)

# What can be chosen about the document.
VIEW = PartsView

# The measures that count something.
WHOLE = ("parts", "exact")

MEASURES = {"clusters": CLUSTER_MEASURES, "points": POINT_MEASURES}


def document(report: Parts, top: int, show_all: bool) -> list[Block]:
    """The inputs, a row for each cluster or point, and what the columns mean."""
    shown = len(report) if show_all else min(top, len(report))
    return [
        Inputs(describe_all(report.inputs), [show_coverage(report.coverage, report.joined_by)]),
        table_of(report, shown),
        Lines(show_rest(report, shown), Tone.faint, close=True),
        Lines(list(explain(report)), Tone.faint),
        Notes(report.notes),
        Data((*report.heads, *report.measures), lambda: report.rows()),
    ]


def table_of(report: Parts, shown: int) -> Table:
    """A row for each of the first clusters or points."""
    names = [Column(head, wraps=True) for head in report.heads]
    if report.command == "clusters":
        names[-1] = Column(report.heads[-1], right=True)
    columns = [*names, *(Column(name, right=True) for name in report.measures)]
    rows = [
        [
            *map(head_cell, report.head(row)),
            *(measure_cell(name, value) for name, value in report.values(row).items()),
        ]
        for row in range(shown)
    ]
    return Table(columns, [Group(rows)])


def head_cell(entry: str | int) -> Cell:
    """A side, a name or a size."""
    return Cell(show_mass(entry) if isinstance(entry, int) else entry)


def measure_cell(name: str, value: float | None) -> Cell:
    """A value, or a dash."""
    return Cell(show_measure(name, value), Tone.faint if value is None else Tone.plain)


def show_measure(name: str, value: float | None) -> str:
    """A value, or a dash."""
    if value is None:
        return "—"
    return f"{value:.0f}" if name in WHOLE else show_value(value)


def show_rest(report: Parts, shown: int) -> list[str]:
    """How many rows are not shown, and how to see them."""
    if shown == len(report):
        return []
    noun = report.command.removesuffix("s")
    more = plural(len(report) - shown, f"more {noun}")
    return [f"not shown: {more}, none of them worse; {how_to_show_all()} shows all"]


def explain(report: Parts) -> list[str]:
    """What each column means, and what the rows are ordered by."""
    known = MEASURES[report.command]
    lines = [
        f"{name} {ARROWS[known[name].higher_is_better]}: {known[name].about}"
        for name in report.measures
    ]
    return [f"the worst by {report.measures[0]} first", *lines]


def brief(report: Parts, lines: int) -> Brief:
    """The worst clusters or points."""
    facts = [f"{report.command}: {show_sides(report.inputs)}"]
    shown = fill(len(report), lines - len(facts) - 1)
    measures = report.measures[:3]
    rows = [
        [
            *(cut_name(str(entry)) for entry in report.head(row)),
            *(show_measure(name, report.values(row)[name]) for name in measures),
        ]
        for row in range(shown)
    ]
    more = left_out(len(report) - shown, report.command.removesuffix("s"), "to_frame() has all")
    first = len(report.heads) - (report.command == "clusters")
    return Brief(facts, (*report.heads, *measures), rows, range(first, 6), more)
