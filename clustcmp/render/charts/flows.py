"""Which cluster became which: as flows from left to right, and as a heat map."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clustcmp.analyses.changes.order import rank
from clustcmp.analyses.changes.report import ChangeReport
from clustcmp.arrays import NONE, Flags, Floats, Integers
from clustcmp.errors import plural
from clustcmp.render.blocks import Chart
from clustcmp.render.charts.crossings import few_crossings
from clustcmp.render.charts.styles import Styles
from clustcmp.render.drawings import OTHERS, Flowing, Heat, Node, Stream
from clustcmp.render.widths import short
from clustcmp.render.words import show_mass, show_share

# Clusters of each side that have a place of their own.
MOST_NODES = 24
MOST_ROWS = 40

# A flow with a smaller share of all mass is not drawn by itself, unless it goes to a match.
SMALLEST = 0.004


class Folded(NamedTuple):
    """The flows between the clusters that are shown; the last row and column hold all the others.

    Behind the others are the points that are in a only (a column) or in b only (a row).
    """

    rows: Integers
    columns: Integers
    masses: Floats
    n_rest: tuple[int, int]


def flow_chart(report: ChangeReport, styles: Styles) -> Chart:
    """The clusters of a on the left, those of b on the right, and the points that go between."""
    folded = fold(report, *choose(report, MOST_NODES))
    drawing = lay_out(report, folded, styles)
    rest = [
        f"{plural(number, 'other cluster')} of {side}"
        for number, side in zip(folded.n_rest, "ab", strict=True)
        if number
    ]
    folding = f" “Others” are {' and '.join(rest)}" if rest else " “Others” are"
    if has_tangle(report, folded):
        folding += (
            f"{', and' if rest else ''} flows of less than {show_share(SMALLEST)} of all points"
        )
    folding += "; what goes between them is not drawn." if all(folded.n_rest) else "."
    has_others = any(node.name == "others" for node in (*drawing.left, *drawing.right))
    between = (one for one in drawing.streams if not one.is_match and is_named(drawing, one))
    largest = sorted(between, key=lambda one: -one.mass)[:3]
    words = [
        f"{show_mass(as_number(report, one.mass))} from {short(drawing.left[one.left].name)} to "
        f"{short(drawing.right[one.right].name)}"
        for one in largest
    ]
    return Chart(
        "Where the points went",
        "Each band is a group of points, as thick as the group is large; it goes from its cluster "
        "of a on the left to its cluster of b on the right, and matched clusters share a colour."
        + (folding if has_others else ""),
        f"{len(drawing.left)} groups on the left, {len(drawing.right)} on the right; "
        f"{show_share(report.moved_share)} of the points left their match. Largest such flows: "
        f"{', '.join(words) or 'none'}.",
        drawing,
    )


def is_named(drawing: Flowing, one: Stream) -> bool:
    """Whether a flow is between two clusters, and not from or to a group of others."""
    return OTHERS not in (drawing.left[one.left].style, drawing.right[one.right].style)


def as_number(report: ChangeReport, mass: float) -> float:
    """A mass as a whole number where points are counted."""
    return mass if report.changes.sizes_a.dtype.kind == "f" else round(mass)


def choose(report: ChangeReport, most: int) -> tuple[Integers, Integers]:
    """The largest clusters of a, and of b their matches and the largest others."""
    changes = report.changes
    rows = np.array(rank([changes.sizes_a], np.arange(len(changes.sizes_a)), report.a.names, most))
    partners = changes.partners.of_a[rows]
    # Rows with a match come first, so that the matches are on the diagonal.
    rows = np.concatenate([rows[partners != NONE], rows[partners == NONE]])
    matches = partners[partners != NONE]
    others = np.setdiff1d(np.arange(len(changes.sizes_b)), matches)
    more = rank([changes.sizes_b[others]], others, report.b.names, most - len(matches))
    return rows, np.array([*matches.tolist(), *more], dtype=np.int64)


def fold(report: ChangeReport, rows: Integers, columns: Integers) -> Folded:
    """The flows between some clusters, with everything else as one more cluster on each side."""
    changes = report.changes
    where_a = np.full(len(changes.sizes_a), len(rows))
    where_b = np.full(len(changes.sizes_b), len(columns))
    where_a[rows], where_b[columns] = np.arange(len(rows)), np.arange(len(columns))
    masses = np.zeros((len(rows) + 2, len(columns) + 2))
    at = where_a[changes.flows.rows], where_b[changes.flows.columns]
    np.add.at(masses, at, changes.flows.masses)
    np.add.at(masses[:, -1], where_a, changes.gone)
    np.add.at(masses[-1], where_b, changes.new)
    n_rest = len(changes.sizes_a) - len(rows), len(changes.sizes_b) - len(columns)
    return Folded(rows, columns, masses, n_rest)


def lay_out(report: ChangeReport, folded: Folded, styles: Styles) -> Flowing:
    """The nodes in an order with few crossings, and the flows between them, the small ones folded.

    A small flow goes to the others on the right, so that the mass of no cluster is left out.
    """
    masses, n_rows, n_columns = folded.masses.copy(), len(folded.rows), len(folded.columns)
    is_match = find_matches(report, folded)
    is_small = find_small(report, folded)
    if has_tangle(report, folded):
        masses[:, n_columns] += np.where(is_small, masses, 0.0).sum(axis=1)
        masses[is_small] = 0.0
    # Among the others there is nothing to be seen, and of many clusters they are most.
    masses[n_rows, n_columns] = 0.0
    order_a, order_b = few_crossings(masses[:n_rows, :n_columns])
    order_a = np.array([*order_a.tolist(), n_rows, n_rows + 1])
    order_b = np.array([*order_b.tolist(), n_columns, n_columns + 1])
    order_a = order_a[masses.sum(axis=1)[order_a] > 0]
    order_b = order_b[masses.sum(axis=0)[order_b] > 0]
    names = report.a.names.take(folded.rows).tolist(), report.b.names.take(folded.columns).tolist()
    own = styles.of_a[folded.rows].tolist(), styles.of_b[folded.columns].tolist()
    left = nodes_of(names[0], own[0], masses.sum(axis=1), order_a, "only in b")
    right = nodes_of(names[1], own[1], masses.sum(axis=0), order_b, "only in a")
    streams = [
        Stream(i, j, float(masses[row, column]), bool(is_match[row, column]))
        for i, row in enumerate(order_a.tolist())
        for j, column in enumerate(order_b.tolist())
        if masses[row, column] > 0
    ]
    return Flowing(left, right, streams)


def find_matches(report: ChangeReport, folded: Folded) -> Flags:
    """Which of the flows go to a match."""
    is_match = np.zeros(folded.masses.shape, dtype=np.bool_)
    partners = report.changes.partners.of_a[folded.rows]
    is_match[: len(folded.rows), : len(folded.columns)] = partners[:, None] == folded.columns
    return is_match


def find_small(report: ChangeReport, folded: Folded) -> Flags:
    """Which of the flows between two clusters that are shown are small and not to a match."""
    masses = folded.masses
    is_small: Flags = (masses > 0) & (masses < SMALLEST * masses.sum())
    is_small &= ~find_matches(report, folded)
    is_small[len(folded.rows) :] = False
    is_small[:, len(folded.columns) :] = False
    return is_small


def has_tangle(report: ChangeReport, folded: Folded) -> bool:
    """Whether so many flows are small that they are folded: a few have the room that they take."""
    return int(find_small(report, folded).sum()) > MOST_NODES


def nodes_of(
    names: list[str], styles: list[int], totals: Floats, order: Integers, absent: str
) -> list[Node]:
    """The nodes of one side from top to bottom."""
    names, styles = [*names, "others", absent], [*styles, OTHERS, OTHERS]
    return [Node(names[at], float(totals[at]), styles[at]) for at in order.tolist()]


def heat_chart(report: ChangeReport) -> Chart:
    """Which share of each cluster of a is in which cluster of b, matches on the diagonal."""
    rows, columns = choose(report, MOST_ROWS)
    masses = fold(report, rows, columns).masses[: len(rows), : len(columns)]
    shares = masses / report.changes.sizes_a[rows][:, None]
    n_a, n_b = len(report.changes.sizes_a), len(report.changes.sizes_b)
    which = ""
    if (len(rows), len(columns)) != (n_a, n_b):
        which = f" Shown are {len(rows)} of {n_a:,} and {len(columns)} of {n_b:,} clusters, the "
        which += "largest first."
    kept = float(np.diag(shares[: len(columns)]).mean()) if shares.size else 0.0
    return Chart(
        "Shares of clusters",
        "Each row is a cluster of a; the darker a cell, the larger the share of this cluster that "
        "is in the cluster of b above. Matched clusters are on the diagonal, so a change is a "
        f"colour off the diagonal.{which}",
        f"{len(rows)} rows and {len(columns)} columns; on average {show_share(kept)} of a row is "
        "on the diagonal.",
        Heat(
            report.a.names.take(rows).tolist(),
            report.b.names.take(columns).tolist(),
            shares.tolist(),
            masses.tolist(),
        ),
    )
