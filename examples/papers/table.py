"""The table as text: columns of fixed width, long cells over several lines."""

from __future__ import annotations

import textwrap
from itertools import zip_longest

from .rows import Outcome, Row

WIDTHS = (11, 11, 31, 13, 15, 36)
HEADS = ("paper", "where", "what", "printed", "ours", "verdict")


def show_head() -> str:
    """The names of the columns, underlined."""
    return show_cells(HEADS) + "\n" + "  ".join("-" * width for width in WIDTHS)


def show_row(row: Row, outcome: Outcome) -> str:
    """One row of the table."""
    verdict = f"{outcome.verdict} ({outcome.reason})" if outcome.reason else str(outcome.verdict)
    return show_cells((row.paper, row.where, row.what, row.printed, outcome.ours, verdict))


def show_cells(cells: tuple[str, ...]) -> str:
    """The lines of one row; a cell that is too long goes on below."""
    parts = [textwrap.wrap(cell, width) for cell, width in zip(cells, WIDTHS, strict=True)]
    lines = [
        "  ".join(f"{part:<{width}}" for part, width in zip(line, WIDTHS, strict=True)).rstrip()
        for line in zip_longest(*parts, fillvalue="")
    ]
    return "\n".join(lines)
