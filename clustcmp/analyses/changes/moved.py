"""The points that moved: those that are not in the match of their old cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clustcmp.analyses.changes.columns import strongest
from clustcmp.analyses.changes.lines import File, join_lines
from clustcmp.arrays import NONE, Integers
from clustcmp.errors import UsageError
from clustcmp.model.texts import Texts
from clustcmp.notes import Note

if TYPE_CHECKING:
    import pandas as pd

    from clustcmp.analyses.changes.report import ChangeReport

COLUMNS = ("id", "from", "to", "expected")


class MovedPoints(NamedTuple):
    """The ids of the points that moved, and for each of them the codes of three clusters.

    `old` is its cluster of a, `new` its cluster of b, and `expected` the match of `old`, or NONE.
    """

    ids: Texts
    old: Integers
    new: Integers
    expected: Integers


def find_moved(report: ChangeReport) -> MovedPoints:
    """The points that moved, in the order of a.

    A point of a soft clustering is in its strongest cluster. Points without ids are named by their
    row in a, counted from 1.
    """
    if report.changes.by_plan:
        raise UsageError(
            "a and b have too few points in common to say which of them moved",
            hint="leave out the list of moved points",
        )
    n_shared = report.coverage.shared
    old, new = (strongest(side.membership[:n_shared]) for side in (report.a, report.b))
    matches = report.changes.partners.of_a
    moved = np.flatnonzero(matches[old] != new)
    rows = report.a.rows[moved]
    order = np.argsort(rows, kind="stable")
    moved, rows = moved[order], rows[order]
    return MovedPoints(name_points(report, rows), old[moved], new[moved], matches[old[moved]])


def name_points(report: ChangeReport, rows: Integers) -> Texts:
    """The ids of the points in some rows of a, or else the numbers of the rows from 1 on."""
    # If only b has ids, rows are compared by position, so that a row of a is the same row of b.
    for side in (report.a, report.b):
        if side.ids is not None:
            return side.ids.take(rows)
    return Texts.of(str(row + 1) for row in rows.tolist())


def list_moved(report: ChangeReport, delimiter: str = ",") -> File:
    """A table with a line for each point that moved."""
    moved = find_moved(report)
    names_a, names_b = report.a.names, report.b.names
    # Behind the last name is an empty one, for clusters without a match.
    expected = np.where(moved.expected == NONE, len(names_b), moved.expected)
    columns = [
        (moved.ids, np.arange(len(moved.ids))),
        (names_a, moved.old),
        (names_b, moved.new),
        (names_b + Texts.of([""]), expected),
    ]
    text = join_lines(COLUMNS, columns, delimiter)
    if all(side.kind == "hard" for side in report.inputs):
        return File(text)
    note = Note("moved points: a point of a soft clustering is in its strongest cluster")
    return File(text, (note,))


def moved_frame(report: ChangeReport) -> pd.DataFrame:
    """The points that moved as a data frame; None is the match of a cluster without one."""
    import pandas as pd

    moved = find_moved(report)
    names_a = np.array(report.a.names.tolist(), dtype=object)
    # The last entry is for clusters without a match, whose number NONE is -1.
    names_b = np.array([*report.b.names.tolist(), None], dtype=object)
    columns = (moved.ids.tolist(), names_a[moved.old], names_b[moved.new], names_b[moved.expected])
    return pd.DataFrame(dict(zip(COLUMNS, columns, strict=True)), dtype=object)
