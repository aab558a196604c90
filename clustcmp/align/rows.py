"""Which rows of two clusterings are the same point, and which rows are compared."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clustcmp.arrays import Flags, Integers
from clustcmp.errors import InputError
from clustcmp.model import Clustering, Coverage, Texts
from clustcmp.model.texts import match
from clustcmp.notes import Note
from clustcmp.wording import name_of


class Rows(NamedTuple):
    """Rows of a and of b: those of the points that both have, and the rest of each side."""

    shared_a: Integers
    shared_b: Integers
    only_a: Integers
    only_b: Integers

    @property
    def n_points(self) -> int:
        """How many different points a and b have together."""
        return len(self.shared_a) + len(self.only_a) + len(self.only_b)

    @property
    def rows_a(self) -> Integers:
        """All rows of a, the shared ones first."""
        return append(self.shared_a, self.only_a)

    @property
    def rows_b(self) -> Integers:
        """All rows of b, the shared ones first."""
        return append(self.shared_b, self.only_b)


def append(some: Integers, others: Integers) -> Integers:
    """Both arrays as one; without a copy if there are no others."""
    return np.concatenate([some, others]) if len(others) else some


class Alignment(NamedTuple):
    """The rows of a and of b that are compared, the points that both have first.

    The order depends on the ids alone if the rows were joined by id (`by_id`). `is_whole` says that
    both have the same points and none is left out, so that the canonical forms can be compared as
    they are. `difference` says how the compared points differ, if they do. `unseen` are the rows of
    a and of b that are left out because the other side has no such point or no label for it.
    """

    rows_a: Integers
    rows_b: Integers
    coverage: Coverage
    by_id: bool
    is_whole: bool = False
    difference: str = ""
    notes: tuple[Note, ...] = ()
    unseen: tuple[Integers, ...] = ()

    @property
    def is_by_position(self) -> bool:
        """Whether rows are the same point because they have the same position."""
        return not self.by_id and self.coverage.shared > 0


def join_ids(a: Texts, b: Texts) -> Rows:
    """The rows of the same ids, and the rest, in an order that depends on the ids alone."""
    shared_a, shared_b = match(a, b)
    return Rows(shared_a, shared_b, find_rest(a, shared_a), find_rest(b, shared_b))


def find_rest(ids: Texts, rows: Integers) -> Integers:
    """All rows but the given ones, in the hash order of their ids."""
    if len(rows) == len(ids):
        return rows[:0]
    is_left = np.ones(len(ids), dtype=np.bool_)
    is_left[rows] = False
    order = ids.hash_order.order
    return order[is_left[order]]


def drop(rows: Rows, dropped_a: Flags | None, dropped_b: Flags | None) -> Rows:
    """The rows of the points that neither side drops."""
    shared_a, shared_b, only_a, only_b = rows
    if dropped_a is not None:
        kept = ~dropped_a[shared_a]
        shared_a, shared_b = shared_a[kept], shared_b[kept]
        only_a = only_a[~dropped_a[only_a]]
    if dropped_b is not None:
        kept = ~dropped_b[shared_b]
        shared_a, shared_b = shared_a[kept], shared_b[kept]
        only_b = only_b[~dropped_b[only_b]]
    return Rows(shared_a, shared_b, only_a, only_b)


def count_coverage(joined: Rows, kept: Rows) -> Coverage:
    """How many of the kept points both have and only one has, and how many were dropped."""
    return Coverage(
        shared=len(kept.shared_a),
        only_a=len(kept.only_a),
        only_b=len(kept.only_b),
        dropped=joined.n_points - kept.n_points,
    )


def note_positions(*clusterings: Clustering) -> tuple[Note, ...]:
    """A note that rows of files without ids are compared by position, if there are such files."""
    without = [one.source for one in clusterings if one.points.ids is None and one.source]
    if not without:
        return ()
    files = " and ".join(dict.fromkeys(without))
    return (Note("no id column, so rows are compared by position", files),)


def note_dropped(coverage: Coverage) -> tuple[Note, ...]:
    """A note that says how many points were dropped because of their label."""
    if not coverage.dropped:
        return ()
    points = (
        "1 point that is noise or has"
        if coverage.dropped == 1
        else f"{coverage.dropped} points that are noise or have"
    )
    return (Note(f"dropped: {points} no label in a or b"),)


def note_left_out(coverage: Coverage) -> tuple[Note, ...]:
    """A note that says how many points an intersection leaves out."""
    if not coverage.only_a and not coverage.only_b:
        return ()
    return (Note(f"left out: {coverage.only_a} points only in a, {coverage.only_b} only in b"),)


def describe_difference(
    a: Clustering, b: Clustering, rows: Rows, title_a: str, title_b: str
) -> str:
    """How the points of a and b differ, in words; empty if they do not."""
    if not len(rows.only_a) and not len(rows.only_b):
        return ""
    if a.points.ids is None or b.points.ids is None:
        return (
            f"{title_a} has {a.points.size} rows and {title_b} has {b.points.size}, "
            "but without ids rows are compared by position"
        )
    parts = [
        f"{len(only)} only in {title} (such as {ids[int(only.min())]!r})"
        for only, title, ids in (
            (rows.only_a, title_a, a.points.ids),
            (rows.only_b, title_b, b.points.ids),
        )
        if len(only)
    ]
    parts.insert(0, f"{len(rows.shared_a) or 'none'} in both")
    return f"{title_a} and {title_b} do not have the same points: {', '.join(parts)}"


def nothing_left(
    a: Clustering, b: Clustering, joined: Rows, title_a: str, title_b: str
) -> InputError:
    """The error for two clusterings of which no points are left to compare."""
    if not len(joined.shared_a):
        return InputError(
            describe_difference(a, b, joined, title_a, title_b),
            hint="check that both have the same kind of ids; choose the column with ::id=NAME",
        )
    return InputError(
        f"{title_a} and {title_b}: no points are left without noise and missing labels",
        hint=f"choose another {name_of('noise_policy')} or {name_of('missing')}",
    )
