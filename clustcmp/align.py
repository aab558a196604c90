"""Bring two clusterings to the same points in the same order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clustcmp.arrays import Codes, Flags, Floats, Integers
from clustcmp.errors import InputError
from clustcmp.keywords import DEFAULTS
from clustcmp.model import (
    NOISE,
    Clustering,
    Comparison,
    Coverage,
    Described,
    Hard,
    Membership,
    PointSet,
    Soft,
    Texts,
)
from clustcmp.model.texts import match
from clustcmp.notes import Note
from clustcmp.settings import InputSettings


class Rows(NamedTuple):
    """Rows of a and of b: those of the points that both have, and the rest of each side."""

    shared_a: Integers
    shared_b: Integers
    only_a: Integers
    only_b: Integers


def align(
    a: Clustering,
    b: Clustering,
    settings: InputSettings = DEFAULTS,
    distances: Floats | None = None,
    jobs: int = 1,
) -> Comparison:
    """The comparison of two clusterings, by id if both have ids, else by position.

    A point that one side drops is dropped on both. Points are ordered by the hash of their id and
    clusters by their first point, so that nothing depends on the order of rows or on names.
    The distances (n_a, n_b) follow the points.
    """
    noise_policy = settings["noise_policy"]
    joined, notes = join(a, b)
    rows = drop(joined, dropped(a, noise_policy), dropped(b, noise_policy))
    coverage = Coverage(
        shared=len(rows.shared_a),
        only_a=len(rows.only_a),
        only_b=len(rows.only_b),
        dropped=count_points(joined) - count_points(rows),
    )
    difference = ""
    if settings["points"] == "intersect":
        rows_a, rows_b = rows.shared_a, rows.shared_b
        notes += note_left_out(coverage)
    else:
        rows_a = np.concatenate([rows.shared_a, rows.only_a])
        rows_b = np.concatenate([rows.shared_b, rows.only_b])
        difference = describe_difference(a, b, rows)
    if not len(rows_a) or not len(rows_b):
        raise nothing_left(a, b, joined)
    tidy_a, side_a = restrict(a, rows_a, noise_policy, "a")
    tidy_b, side_b = restrict(b, rows_b, noise_policy, "b")
    # What was found about a file that both sides use is said once.
    notes = tuple(dict.fromkeys((*a.notes, *b.notes, *notes, *note_dropped(coverage))))
    if distances is not None:
        distances = distances[np.ix_(rows_a, rows_b)]
    sides = side_a, side_b
    return Comparison(
        tidy_a,
        tidy_b,
        sides,
        coverage,
        difference,
        notes,
        distances,
        jobs,
        given=(a, b),
        rows=(rows_a, rows_b),
    )


def join(a: Clustering, b: Clustering) -> tuple[Rows, tuple[Note, ...]]:
    """Which row of a and which row of b are the same point, and a note if by position."""
    if a.points.ids is not None and b.points.ids is not None:
        shared_a, shared_b = match(a.points.ids, b.points.ids)
        only_a, only_b = rest(a.points.ids, shared_a), rest(b.points.ids, shared_b)
        return Rows(shared_a, shared_b, only_a, only_b), ()
    rows_a, rows_b = np.arange(a.points.size), np.arange(b.points.size)
    nothing = rows_a[:0]
    if a.points.size != b.points.size:
        return Rows(nothing, nothing, rows_a, rows_b), ()
    without = [side.source for side in (a, b) if side.points.ids is None and side.source]
    note = Note("no id column, so rows are compared by position", " and ".join(without))
    return Rows(rows_a, rows_b, nothing, nothing), (note,) if without else ()


def rest(ids: Texts, rows: Integers) -> Integers:
    """All rows but the given ones, in an order that depends on their ids alone."""
    if len(rows) == len(ids):
        return rows[:0]
    is_left = np.ones(len(ids), dtype=np.bool_)
    is_left[rows] = False
    order = ids.ranking.order
    return order[is_left[order]]


def dropped(clustering: Clustering, noise_policy: str) -> Flags | None:
    """Which points this side leaves out, or None if it keeps them all."""
    membership = clustering.membership
    if not isinstance(membership, Hard) or membership.is_complete:
        return None
    is_dropped = membership.is_missing
    if noise_policy == "drop":
        is_dropped |= membership.is_noise
    return is_dropped


def drop(rows: Rows, dropped_a: Flags | None, dropped_b: Flags | None) -> Rows:
    """The rows of the points that neither side drops."""
    shared_a, shared_b, only_a, only_b = rows
    for is_dropped, index in ((dropped_a, 0), (dropped_b, 1)):
        if is_dropped is not None:
            kept = ~is_dropped[(shared_a, shared_b)[index]]
            shared_a, shared_b = shared_a[kept], shared_b[kept]
    if dropped_a is not None:
        only_a = only_a[~dropped_a[only_a]]
    if dropped_b is not None:
        only_b = only_b[~dropped_b[only_b]]
    return Rows(shared_a, shared_b, only_a, only_b)


def count_points(rows: Rows) -> int:
    """How many different points a and b have together."""
    return len(rows.shared_a) + len(rows.only_a) + len(rows.only_b)


def note_dropped(coverage: Coverage) -> tuple[Note, ...]:
    """A note that says how many points are gone because of their label."""
    if not coverage.dropped:
        return ()
    points = (
        "1 point that is noise or has"
        if coverage.dropped == 1
        else (f"{coverage.dropped} points that are noise or have")
    )
    return (Note(f"dropped: {points} no label in a or b"),)


def note_left_out(coverage: Coverage) -> tuple[Note, ...]:
    """A note that says how many points an intersection leaves out."""
    if not coverage.only_a and not coverage.only_b:
        return ()
    return (Note(f"left out: {coverage.only_a} points only in a, {coverage.only_b} only in b"),)


def restrict(
    clustering: Clustering, rows: Integers, noise_policy: str, side: str
) -> tuple[Clustering, Described]:
    """The clustering of the given rows only, without clusters that have no points."""
    membership = clustering.membership.take(rows)
    names = clustering.names
    if isinstance(membership, Soft):
        membership, names = tidy_degrees(membership.degrees, names)
    n_noise = 0
    if isinstance(membership, Hard):
        codes, names, n_noise = place_noise(membership.codes, names, noise_policy)
        membership, names = tidy_codes(codes, names)
    coordinates = clustering.points.coordinates
    points = PointSet(len(rows), None, None if coordinates is None else coordinates[rows])
    tidy = Clustering(points, membership, names, clustering.source)
    return tidy, Described(side, clustering.source, tidy.kind, len(rows), tidy.n_clusters, n_noise)


def place_noise(codes: Codes, names: Texts, noise_policy: str) -> tuple[Codes, Texts, int]:
    """Codes in which noise is a cluster, or each point of it is one; and how many there are."""
    noise = np.flatnonzero(codes == NOISE)
    if not len(noise):
        return codes, names, 0
    codes = codes.copy()
    if noise_policy == "singletons":
        codes[noise] = len(names) + np.arange(len(noise))
        added = [f"noise {number + 1}" for number in range(len(noise))]
    else:
        codes[noise] = len(names)
        added = ["noise"]
    # A label of a file may be called so as well.
    while len(match(Texts.of(added), names)[0]):
        added = [f"({name})" for name in added]
    return codes, names + Texts.of(added), len(noise)


def tidy_codes(codes: Codes, names: Texts) -> tuple[Membership, Texts]:
    """Clusters in the order of their first point, those without points left out."""
    n_points = len(codes)
    first = np.full(len(names), n_points, dtype=np.int64)
    # Where a code occurs several times the last assignment stays: that of the first point.
    first[codes[::-1]] = np.arange(n_points - 1, -1, -1)
    order = np.argsort(first, kind="stable")[: np.count_nonzero(first < n_points)]
    new_codes = np.empty(len(names), dtype=np.int32)
    new_codes[order] = np.arange(len(order), dtype=np.int32)
    return Hard(new_codes[codes], len(order)), names.take(order)


def tidy_degrees(degrees: Floats, names: Texts) -> tuple[Membership, Texts]:
    """Clusters in an order that depends on their degrees alone, those without any left out."""
    # As big-endian bytes, numbers that are not negative compare like the numbers themselves.
    keys = {
        column: degrees[:, column].astype(">f8").tobytes()
        for column in np.flatnonzero(degrees.any(axis=0)).tolist()
    }
    order = np.array(sorted(keys, key=keys.__getitem__, reverse=True))
    return Soft(np.ascontiguousarray(degrees[:, order])).hardened, names.take(order)


def describe_difference(a: Clustering, b: Clustering, rows: Rows) -> str:
    """How the points of a and b differ, in words; empty if they do not."""
    if not len(rows.only_a) and not len(rows.only_b):
        return ""
    name_a, name_b = titles(a, b)
    if a.points.ids is None or b.points.ids is None:
        return (
            f"{name_a} has {a.points.size} rows and {name_b} has {b.points.size}, "
            "and without ids rows are compared by position"
        )
    parts = [
        f"{len(only)} only in {name} (such as {ids[int(only.min())]!r})"
        for only, name, ids in (
            (rows.only_a, name_a, a.points.ids),
            (rows.only_b, name_b, b.points.ids),
        )
        if len(only)
    ]
    parts.insert(0, f"{len(rows.shared_a) or 'none'} in both")
    return f"{name_a} and {name_b} do not have the same points: {', '.join(parts)}"


def titles(a: Clustering, b: Clustering) -> tuple[str, str]:
    """What to call the two in messages: their files or, without files, a and b."""
    return (a.title if a.source else "a"), (b.title if b.source else "b")


def nothing_left(a: Clustering, b: Clustering, joined: Rows) -> InputError:
    """The error when there is nothing to compare."""
    if not len(joined.shared_a):
        return InputError(
            describe_difference(a, b, joined),
            hint="check that both have the same kind of ids; choose the column with ::id=NAME",
        )
    return InputError(
        f"{' and '.join(titles(a, b))}: no points are left without noise and missing labels",
        hint="choose another --noise-policy or --missing",
    )
