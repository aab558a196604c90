"""First lines: whether they name the columns, or may be rows."""

from __future__ import annotations

from collections.abc import Sequence

from clustcmp.errors import InputError
from clustcmp.read.sample import FirstRows, is_number, is_whole
from clustcmp.wording import say

# First lines of files with one label per line that are rather names than labels.
NAMES_OF_LABELS = ("id", "label", "labels", "cluster", "clusters")


def may_be_row(cells: Sequence[str]) -> bool:
    """Whether a first line holds only numbers, or a fraction, which seldom names a column.

    pandas names the columns of an array 0, 1, 2, ...
    """
    if any(is_number(cell) and not is_whole(cell) for cell in cells):
        return True
    if not all(map(is_number, cells)):
        return False
    return len(cells) == 1 or not counts(cells)


def counts(cells: Sequence[str], first: int = 0) -> bool:
    """Whether texts are whole numbers one after the other."""
    return list(cells) == [str(number) for number in range(first, first + len(cells))]


def is_counted_on(header: Sequence[str], sample: FirstRows) -> bool:
    """Whether the first column goes on counting where a first line 0, 1, ... begins."""
    cells = sample.columns[header[0]]
    return counts(header) and len(cells) > 1 and counts(cells, 1)


def lacks_name_of_ids(header: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether all rows have a field more than the header, as write.table of R leaves it.

    A delimiter at the end of each row makes one field more, too, which is empty.
    """
    width = len(header) + 1
    return bool(rows) and all(len(row) == width for row in rows) and any(row[-1] for row in rows)


def first_line_may_be_row(name: str, why: str) -> InputError:
    """The error for a first line that was not said to be a header and does not look like one."""
    path = "-" if name == "stdin" else name
    return InputError(
        f"{name}:1: the first line {why}, so it may be a row and not a header",
        hint=f"say {say('no_header')} if it is a row, or {say('header')} if it names the columns; "
        f"for this file alone write {path}::header=no or {path}::header=yes",
    )


def first_line_may_be_header(name: str, line: str) -> InputError:
    """The error for a first line among labels that looks like the name of a column."""
    return InputError(
        f"{name}:1: the first line is {line!r}, so it may be a header and not a label",
        hint=f"write {name}::header=yes if it is a header, or {name}::header=no if it is a label",
    )
