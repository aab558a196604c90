"""A report in a few lines of text, for Python's prompt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size

from clustcmp.errors import printable
from clustcmp.render.brief import brief_of
from clustcmp.render.widths import ELLIPSIS, short, thin_out
from clustcmp.results import Reported

# Lines of a report, columns of a line, and columns of a cell in a table.
MOST_LINES = 12
WIDEST = 100
WIDEST_CELL = 40


def write(report: Reported) -> str:
    """The text that Python shows for a report."""
    brief = brief_of(report, MOST_LINES - bool(report.notes))
    table = [brief.head, *brief.rows] if any(brief.head) else brief.rows
    lines = [*brief.facts, *align(table, brief.right)]
    lines += [f"  {brief.more}"] if brief.more else []
    if report.notes:
        lines.append(show_notes(report.notes))
    return "\n".join(map(cut, lines))


def align(rows: Sequence[Sequence[str]], right: range) -> Iterator[str]:
    """The rows of a table as lines, in which each column has one width."""
    cells = [[short(cell, WIDEST_CELL) if cell else "" for cell in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        padded = []
        for position, (cell, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - cell_len(cell))
            padded.append(space + cell if position in right else cell + space)
        yield f"  {'  '.join(padded)}".rstrip()


def show_notes(notes: Sequence[str]) -> str:
    """The only note, or the first one and how many there are."""
    first = printable(notes[0])
    return f"note: {first}" if len(notes) == 1 else f"{len(notes)} notes, the first: {first}"


def cut(line: str) -> str:
    """The line in at most WIDEST columns."""
    text = thin_out(line)
    return text if cell_len(text) <= WIDEST else set_cell_size(text, WIDEST - 1) + ELLIPSIS
