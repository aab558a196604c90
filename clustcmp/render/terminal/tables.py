"""Tables for terminals, with bars and strips in their cells."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from clustcmp.render.blocks import Cell, Group, Table, Tone
from clustcmp.render.terminal.console import room
from clustcmp.render.terminal.text import (
    HANGING,
    LONGEST_STRIP,
    STYLES,
    Hanging,
    as_text,
    draw_strip,
)
from clustcmp.render.widths import LONGEST_NAME

# Columns between two cells, and in front of the rows of a group.
GAP = 2

# The most and the fewest columns for a name beside a strip, and the columns left for sentences.
NAME_BY_STRIP = 28
SHORTEST_NAME = 8
ROOM_FOR_SENTENCES = 26


def draw_table(block: Table) -> Iterator[RenderableType]:
    """A table without a frame; a table of several charts is drawn group by group."""
    columns = [number for number, column in enumerate(block.columns) if not column.spare]
    if not any(group.curve for group in block.groups):
        yield draw_groups(block, columns, block.groups)
        return
    for number, group in enumerate(block.groups):
        if number:
            yield Text()
        strip = draw_strip(group.curve.shares, LONGEST_STRIP) if group.curve else ""
        yield Text.assemble(
            (group.title, STYLES[Tone.heading]),
            (f"  {strip}", STYLES[Tone.chart]),
            (f"  {group.about}" if group.about else "", STYLES[Tone.faint]),
        )
        yield draw_groups(block, columns, [group])


def draw_groups(block: Table, columns: Sequence[int], groups: Sequence[Group]) -> Grid:
    """Some groups of a table, with the columns that are not spare."""
    grid = Grid(box=None, padding=(0, GAP, 0, 0), header_style=STYLES[Tone.faint], pad_edge=False)
    heads = [block.columns[number].brief for number in columns]
    grid.show_header = any(head != "" for head in heads)
    for number in columns:
        column = block.columns[number]
        grid.add_column(
            " " * (block.indent if not number else 0)
            + (column.head if column.brief is None else column.brief),
            justify="right" if column.right or column.digits else "left",
            no_wrap=not column.wraps,
            overflow="fold" if column.wraps else "ellipsis",
            min_width=column.narrowest or None,
            style=STYLES[column.tone],
        )
    longest = share_room(block, columns) if block.has_strips else (LONGEST_NAME, LONGEST_STRIP)
    for group in groups:
        if group.title and not group.curve:
            word = [*[""] * (len(columns) - 2), group.word] if group.word else []
            grid.add_row(Text(group.title, STYLES[Tone.heading]), *word)
        indent = GAP if group.title else block.indent
        for row in group.rows:
            cells = [row[number] for number in columns if number < len(row)]
            first, *others = (
                draw_cell(cell, 0 if at else indent, *longest) for at, cell in enumerate(cells)
            )
            grid.add_row(Hanging(first, indent + HANGING), *others)
    return grid


def draw_cell(cell: Cell, indent: int, longest_name: int, longest_strip: int) -> Text:
    """The text of a cell, in its brief form if it has one."""
    line = cell.line if cell.brief is None else cell.brief
    return as_text(line, cell.tone, indent, longest_name, longest_strip)


def share_room(block: Table, columns: Sequence[int]) -> tuple[int, int]:
    """How many columns a name and a strip may have, so that all columns fit the terminal.

    The first column holds names, the second one strips; the one that wraps takes what is left.
    """
    rows = [row for group in block.groups for row in group.rows]
    _, strip, *others = columns
    if not sys.stdout.isatty():
        return NAME_BY_STRIP, LONGEST_STRIP
    longest = min(LONGEST_STRIP, max(len(as_text(row[strip].line).plain) for row in rows))
    fixed = [number for number in others if not block.columns[number].wraps]
    widths = [max(cell_len(as_text(row[number].line).plain) for row in rows) for number in fixed]
    heads = [len(block.columns[number].head) for number in fixed]
    taken = sum(map(max, widths, heads)) + block.indent + GAP * (len(columns) - 1)
    free = room() - taken - ROOM_FOR_SENTENCES
    wanted = max(min(longest, free // 2), len(block.columns[strip].head), 1)
    return max(min(NAME_BY_STRIP, free - wanted), SHORTEST_NAME), min(longest, wanted)
