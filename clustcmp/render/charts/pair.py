"""What a page shows of two clusterings besides their tables."""

from __future__ import annotations

from collections.abc import Iterator

from clustcmp.analyses.changes.moved import find_moved
from clustcmp.analyses.changes.report import ChangeReport
from clustcmp.arrays import NONE
from clustcmp.render.blocks import Block, Cell, Column, Heading, Lines, Name, Tone, table
from clustcmp.render.charts.clouds import cloud_chart
from clustcmp.render.charts.flows import flow_chart, heat_chart
from clustcmp.render.charts.styles import find_styles

# Points that moved, in the page.
MOST_MOVED = 10_000


def pair_charts(report: ChangeReport) -> Iterator[Block]:
    """The flows, the places of the points and the heat map."""
    styles = find_styles(report)
    yield flow_chart(report, styles)
    clouds = cloud_chart(report, styles)
    if clouds is not None:
        yield clouds
    yield heat_chart(report)


def moved_points(report: ChangeReport) -> Iterator[Block]:
    """The points that moved, as far as it is known which ones these are."""
    if report.a.is_counted or report.changes.by_plan:
        return
    found = find_moved(report)
    n = len(found.rows)
    if not n:
        return
    yield Heading("Points that moved")
    if n > MOST_MOVED:
        yield Lines(
            [
                f"{MOST_MOVED:,} of {n:,} points are shown; "
                "“clustcmp changes A B --moved FILE” writes all of them"
            ],
            Tone.faint,
        )
    names_a, names_b = report.a.names, report.b.names
    rows = zip(
        found.ids.tolist()[:MOST_MOVED],
        found.old[:MOST_MOVED].tolist(),
        found.new[:MOST_MOVED].tolist(),
        found.expected[:MOST_MOVED].tolist(),
        strict=True,
    )
    yield table(
        [Column("point"), Column("from"), Column("to"), Column("expected")],
        [
            [
                Cell(Name(point)),
                Cell(Name(names_a[old])),
                Cell(Name(names_b[new])),
                Cell("—" if match == NONE else Name(names_b[match])),
            ]
            for point, old, new, match in rows
        ],
    )
