"""Parts of tables for the documents that are not made of blocks yet."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from clustcmp.model import Described
from clustcmp.render.terminal.console import NARROWEST, UNLIMITED, draw
from clustcmp.render.words import describe

__all__ = ["NARROWEST", "UNLIMITED", "draw", "inputs_grid", "plain_table"]


def inputs_grid(inputs: Sequence[Described]) -> Table:
    """What was compared: one line for each side."""
    grid = Table.grid(padding=(0, 2))
    for words in map(describe, inputs):
        side, file, points, *rest = words
        grid.add_row(Text(side, style="bold"), Text(file), Text(points, justify="right"), *rest)
    return grid


def plain_table() -> Table:
    """A table without a frame."""
    return Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
