"""The points that moved: those that are not in the match of their old cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clustcmp.analyses.changes.columns import as_column, check_points_known, strongest
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
    """The rows in a and the ids of points that moved, each with the codes of three clusters.

    `old` is its cluster of a, `new` its cluster of b, and `expected` the match of `old`, or NONE.
    """

    rows: Integers
    ids: Texts
    old: Integers
    new: Integers
    expected: Integers


def find_moved(report: ChangeReport) -> MovedPoints:
    """The points that moved, in the order of a.

    A point of a soft clustering is in its strongest cluster. Points without ids are named by their
    row in a, counted from 1.
    """
    check_points_known(report.a)
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
    ids = name_points(report, rows)
    return MovedPoints(rows, ids, old[moved], new[moved], matches[old[moved]])


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
    labels_a = report.a.labels()
    # The last entry is for clusters without a match, whose number NONE is -1.
    labels_b = [*report.b.labels(), None]
    columns = (
        given_ids(report, moved),
        [labels_a[code] for code in moved.old.tolist()],
        [labels_b[code] for code in moved.new.tolist()],
        [labels_b[code] for code in moved.expected.tolist()],
    )
    return pd.DataFrame(dict(zip(COLUMNS, map(as_column, columns), strict=True)))


def given_ids(report: ChangeReport, moved: MovedPoints) -> Sequence[Any]:
    """The ids of the points that moved, of the type that they had in Python."""
    sides = report.a, report.b
    # Without ids, rows are compared by position, so that a row of a is the same row of b.
    for side in [side for side in sides if side.ids is not None] or sides:
        if side.index is not None:
            return [side.index[row] for row in moved.rows.tolist()]
        if side.ids is not None:
            break
    return moved.ids.tolist()
