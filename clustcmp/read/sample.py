"""The first rows of a file: enough to rule out that a column holds ids, labels or degrees."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

NUMBER = re.compile(r"[ \t]*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[ \t]*", re.ASCII)

# A sample ends after this many rows, or with the row that reaches this many bytes.
MOST_ROWS = 1000
MOST_BYTES = 1 << 18

# A column with a larger share of distinct values is taken for ids with mistakes.
MOSTLY = 0.8


def is_number(cell: str) -> bool:
    """Whether a cell is a number as clustcmp reads numbers."""
    return NUMBER.fullmatch(cell) is not None


def is_whole(number: str) -> bool:
    """Whether a number has no fraction."""
    return float(number).is_integer()


@dataclass(frozen=True, eq=False)
class FirstRows:
    """The first rows of a file, each with a cell for each name in the header."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    @cached_property
    def columns(self) -> dict[str, tuple[str, ...]]:
        """The cells of each column."""
        cells = zip(*self.rows, strict=True) if self.rows else ((),) * len(self.header)
        return dict(zip(self.header, cells, strict=True))

    def repeats(self, name: str) -> bool:
        """Whether a value of the column occurs twice."""
        cells = self.columns[name]
        return len(set(cells)) < len(cells)

    def nearly_distinct(self, name: str) -> bool:
        """Whether most values of the column occur once, as in ids with a few mistakes."""
        cells = self.columns[name]
        return len(set(cells)) > MOSTLY * len(cells)

    def counts(self, name: str) -> bool:
        """Whether the column counts the rows, from 0 or from 1."""
        cells = self.columns[name]
        starts = (cells[0] == str(first) for first in (0, 1)) if cells else ()
        first = next((number for number, begins in enumerate(starts) if begins), None)
        return first is not None and list(cells) == [str(first + i) for i in range(len(cells))]

    def is_empty(self, name: str) -> bool:
        """Whether all cells of the column are empty."""
        return not any(cell.strip() for cell in self.columns[name])

    def is_distinct_with_gaps(self, name: str) -> bool:
        """Whether some cells are empty and the values of all others, if any, differ."""
        given = [cell for cell in self.columns[name] if cell.strip()]
        return len(set(given)) == len(given) < len(self.columns[name])

    def has_text(self, name: str) -> bool:
        """Whether a cell of the column is neither empty nor a number."""
        return any(cell.strip() and not is_number(cell) for cell in self.columns[name])

    def has_fractions(self, name: str) -> bool:
        """Whether the column holds numbers that are not all whole, as measurements and degrees."""
        numbers = [cell for cell in self.columns[name] if cell.strip()]
        return all(map(is_number, numbers)) and not all(map(is_whole, numbers))

    def find_label(self, name: str) -> tuple[int, str] | None:
        """The row and the text of a cell that is a text or a whole number above 1.

        None if there is no such cell, or if the column has fractions: then it may have a fault,
        but does not hold labels.
        """
        cells = [(row, cell) for row, cell in enumerate(self.columns[name]) if cell.strip()]
        if any(is_number(cell) and not is_whole(cell) for _, cell in cells):
            return None
        found = (one for one in cells if not is_number(one[1]) or float(one[1]) > 1.0)
        return next(found, None)
