"""The document of `clustcmp matrix --per point`."""

from __future__ import annotations

from clustcmp.analyses.parts.consistency import ConsistencyReport
from clustcmp.errors import plural
from clustcmp.output_settings import PartsView
from clustcmp.render.blocks import (
    Block,
    Cell,
    Column,
    Data,
    Group,
    Heading,
    Lines,
    Notes,
    Table,
    Tone,
)
from clustcmp.render.brief import Brief, cut_name, fill, left_out
from clustcmp.render.words import how_to_show_all, show_ids, show_value

# What can be chosen about the document.
VIEW = PartsView


def document(report: ConsistencyReport, top: int, show_all: bool) -> list[Block]:
    """What was compared, a row for each of the worst points, and what its value means."""
    shown = len(report) if show_all else min(top, len(report))
    rows = [[Cell(str(point)), Cell(show_value(value))] for point, value in report.rows(shown)]
    columns = [Column("id", wraps=True), Column("element_consistency", right=True)]
    rest = []
    if shown < len(report):
        more = plural(len(report) - shown, "more point")
        rest = [f"not shown: {more}, none of them worse; {how_to_show_all()} shows all"]
    meaning = "element_consistency ↑: the mean of element_centric over all pairs of runs"
    return [
        Heading("", 1, Tone.strong, aside=summary(report)),
        Table(columns, [Group(rows)]),
        Lines(rest, Tone.faint, close=True),
        Lines([meaning], Tone.faint),
        Notes(report.notes),
        Data(("id", "element_consistency"), lambda: report.rows()),
    ]


def summary(report: ConsistencyReport) -> str:
    """How many runs of how many points were compared."""
    runs = plural(len(report.inputs), "clustering")
    joined = "" if report.joined_by is None else f", joined by {show_ids(report.joined_by)}"
    return f"{runs} of {plural(len(report), 'point')}{joined}"


def brief(report: ConsistencyReport, lines: int) -> Brief:
    """The worst points."""
    shown = fill(len(report), lines - 2)
    rows = [[cut_name(str(point)), show_value(value)] for point, value in report.rows(shown)]
    more = left_out(len(report) - shown, "point", "to_frame() has all")
    facts = [f"consistency: {summary(report)}"]
    return Brief(facts, ("id", "element_consistency"), rows, range(1, 2), more)
