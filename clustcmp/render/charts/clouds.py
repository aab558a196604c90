"""Where the points are: two scatter plots side by side."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clustcmp.analyses.changes.columns import strongest
from clustcmp.analyses.changes.moved import name_points
from clustcmp.analyses.changes.report import ChangeReport
from clustcmp.arrays import Flags, Floats, Integers
from clustcmp.errors import plural, printable
from clustcmp.model.columns import SideColumns
from clustcmp.render.blocks import Chart
from clustcmp.render.charts.styles import Styles
from clustcmp.render.drawings import OTHERS, Cloud, Clouds
from clustcmp.render.widths import short
from clustcmp.render.words import show_share

# Points on a page, and those of a cluster that a sample keeps before it takes any others.
MOST_POINTS = 50_000
LEAST_OF_CLUSTER = 20

# Rings around points that moved: more of them would hide the points.
MOST_RINGS = 200

# Characters of the id of a point.
LONGEST_ID = 16


class Plane(NamedTuple):
    """Points of both sides in two dimensions, the names of these, and words on a projection."""

    a: Floats
    b: Floats
    axes: tuple[str, str]
    about: str


def cloud_chart(report: ChangeReport, styles: Styles) -> Chart | None:
    """The points of a and of b in the colours of their clusters, if it is known where they are."""
    both = report.places.both
    if both is None or report.a.is_counted:
        return None
    codes = strongest(report.a.membership), strongest(report.b.membership)
    moved = find_moves(report, codes)
    kept = [choose_points(one, own) for one, own in zip(codes, moved, strict=True)]
    if report.places.a is report.places.b or not (report.coverage.only_a or report.coverage.only_b):
        kept[1] = kept[0]
    plane = flatten(report, *both)
    a, b = (
        cloud_of(report, side, points, *facts)
        for side, points, *facts in zip(
            "ab", (plane.a, plane.b), codes, moved, kept, styles, strict=True
        )
    )
    n_moved = int(moved[0].sum())
    has_rings = int(a.moved.sum()) <= MOST_RINGS
    mark = "a ring marks a point that moved"
    if not has_rings:
        mark = "points that moved are strong, the others pale"
    about = f" {plane.about}" if plane.about else ""
    return Chart(
        "Where the points are",
        "Each dot is a point, on the left in the colour and shape of its cluster of a, on the "
        f"right of b; matched clusters look the same and a line connects them, and {mark}."
        f"{about}{say_sample(kept, codes)}",
        f"{len(a.points):,} points of a and {len(b.points):,} of b; {n_moved:,} points of a moved. "
        "The clusters and the points that moved are in the tables below.",
        Clouds(a, b, plane.axes, has_rings),
    )


def find_moves(report: ChangeReport, codes: tuple[Integers, Integers]) -> tuple[Flags, Flags]:
    """Which points of a, and which points of b, are not in the match of their old cluster."""
    moved = tuple(np.zeros(len(one), dtype=np.bool_) for one in codes)
    shared = report.coverage.shared
    if not report.changes.by_plan:
        old, new = (one[:shared] for one in codes)
        for flags in moved:
            flags[:shared] = report.changes.partners.of_a[old] != new
    return moved[0], moved[1]


def choose_points(codes: Integers, moved: Flags) -> Integers:
    """All points or, of too many, some of every cluster, then those that moved, then others.

    The points are spread evenly over the order of the rows, so that the same input gives the same
    sample. Where even the first points of all clusters are too many, one of each cluster is kept.
    """
    n = len(codes)
    if n <= MOST_POINTS:
        return np.arange(n)
    order = np.argsort(codes, kind="stable")
    begins = np.searchsorted(codes[order], codes[order])
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n) - begins
    # Without a seed: a multiplier without common factors with 2**32 scatters the rows.
    scattered = (np.arange(n, dtype=np.uint64) * np.uint64(2654435761)) % np.uint64(1 << 32)
    keys = [scattered, ~moved, place >= LEAST_OF_CLUSTER, place > 0]
    return np.sort(np.lexsort(keys)[:MOST_POINTS])


def say_sample(kept: list[Integers], codes: tuple[Integers, Integers]) -> str:
    """That only a sample is shown, if so."""
    n = max(map(len, codes))
    if n <= MOST_POINTS:
        return ""
    return (
        f" Shown are {MOST_POINTS:,} of {n:,} points: some of every cluster, then those that "
        "moved, then a sample of the others."
    )


def flatten(report: ChangeReport, a: Floats, b: Floats) -> Plane:
    """The points in two dimensions: as they are, or on their two principal components."""
    names = [printable(name) for name in report.inputs[0].coordinates]
    d = a.shape[1]
    if d == 1:
        a, b = (np.column_stack([one, np.zeros(len(one))]) for one in (a, b))
        return Plane(a, b, (names[0], ""), "")
    if d == 2:
        return Plane(a, b, (names[0], names[1]), "")
    both = a if a is b else np.concatenate([a, b])
    middle = both.mean(axis=0)
    # Divided by the largest one, so that squares of huge coordinates do not overflow.
    scale = float(np.abs(both - middle).max()) or 1.0
    centred = (both - middle) / scale
    values, vectors = np.linalg.eigh(centred.T @ centred)
    first = vectors[:, [-1, -2]]
    # A component and its negative are equally good: the largest entry is made positive.
    first = first * np.sign(first[np.abs(first).argmax(axis=0), [0, 1]])
    shares = values[[-1, -2]] / (values.sum() or 1.0)
    flat = [(one - middle) @ first for one in (a, b)]
    axes = tuple(
        f"principal component {number} ({show_share(float(share))})"
        for number, share in enumerate(shares, 1)
    )
    about = (
        f"The {d} coordinates are projected on two principal components, which hold "
        f"{show_share(float(shares.sum()))} of the variance."
    )
    return Plane(flat[0], flat[1], (axes[0], axes[1]), about)


def cloud_of(
    report: ChangeReport,
    side: str,
    points: Floats,
    codes: Integers,
    moved: Flags,
    kept: Integers,
    styles: Integers,
) -> Cloud:
    """The points of one side; clusters without a style are one group, the last one."""
    own: SideColumns = getattr(report, side)
    with_style = np.flatnonzero(styles != OTHERS)
    with_style = with_style[np.argsort(styles[with_style])]
    group_of = np.full(len(styles), len(with_style))
    group_of[with_style] = np.arange(len(with_style))
    names = own.names.take(with_style).tolist()
    n_others = len(styles) - len(with_style)
    groups = group_of[codes[kept]]
    others = [plural(n_others, "other cluster")] if n_others else []
    given = report.inputs["ab".index(side)]
    title = f"{side}: {short(given.title or given.file or plural(given.clusters, 'cluster'), 36)}"
    rows = own.rows[kept]
    # Of points without ids, row i of a and row i of b are the same one.
    ids = name_points(report, rows) if own.ids is None else own.ids.take(rows)
    return Cloud(
        title,
        points[kept],
        groups,
        moved[kept],
        [*names, *others],
        [*styles[with_style].tolist(), *([OTHERS] if others else [])],
        [short(one, LONGEST_ID) for one in ids.tolist()],
    )
