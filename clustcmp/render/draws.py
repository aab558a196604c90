"""The document of `clustcmp compare --draws`."""

from __future__ import annotations

from clustcmp.render.blocks import Block, Cell, Column, Data, Group, Inputs, Span, Table
from clustcmp.render.brief import Brief, fill, left_out
from clustcmp.render.words import describe_all, show_approximate
from clustcmp.results import Draws


def document(report: Draws) -> list[Block]:
    """The inputs, the seed, and a row for each draw."""
    columns = [
        Column("metric", wraps=True),
        Column("draw", right=True),
        Column("value", right=True),
    ]
    rows = [
        [Cell(Span(metric, code=True)), Cell(f"{draw}"), Cell(show_approximate(value, None))]
        for metric, draw, value in report.rows()
    ]
    return [
        Inputs(describe_all(report.inputs), [f"seed {report.seed}"]),
        Table(columns, [Group(rows)]),
        Data(("metric", "draw", "value"), report.rows),
    ]


def brief(report: Draws, lines: int) -> Brief:
    """How many draws each metric has, and the lowest and the highest of them."""
    shown = list(report)[: fill(len(report), lines - 2)]
    rows = []
    for metric in shown:
        known = [value for value in report[metric] if value is not None]
        ends = (min(known), max(known)) if known else (None, None)
        rows.append(
            [metric, f"{len(report[metric]):,}", *(show_approximate(end, None) for end in ends)]
        )
    more = left_out(len(report) - len(shown), "metric")
    return Brief(
        [f"draws: seed {report.seed}"], ("", "draws", "lowest", "highest"), rows, range(1, 4), more
    )
