"""What two clusterings come down to, in words that are computed from the values."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from clustcmp.analyses.changes.report import ChangeReport
from clustcmp.metrics.pair_counting import adjusted_rand
from clustcmp.model import Contingency
from clustcmp.render.blocks import Headline, Line, Span, Tone
from clustcmp.render.words import show_mass, show_share

# From which adjusted Rand index on a word is used; docs/html.md has the same list.
DEGREES = (
    (1.0, "identical"),
    (0.9, "nearly the same"),
    (0.75, "much alike"),
    (0.5, "alike in part"),
    (0.25, "little alike"),
    (0.0, "hardly more alike than by chance"),
)
LEAST_ALIKE = "less alike than by chance"


def headline(report: ChangeReport, largest: Line | None) -> Headline:
    """How similar two clusterings are, whether that is much, and what changed most."""
    lines: list[Line] = [list(say_moved(report))]
    if judged := say_chance(report):
        lines.append(judged)
    if largest is not None:
        lines.append(
            ["The largest change: ", *([largest] if isinstance(largest, str) else largest)]
        )
    return Headline(lines)


def say_moved(report: ChangeReport) -> Iterator[str | Span]:
    """How many points moved."""
    share = show_share(report.moved_share)
    if report.changes.by_plan:
        yield Span(f"{share} of the mass is outside of the matches", Tone.strong)
        yield " between clusters, by the transport plan."
        return
    followed = show_mass(type(report.moved)(report.changes.followed))
    if not report.moved:
        n_same = int(report.changes.is_same.sum())
        whole = n_same == len(report.changes.sizes_a) == len(report.changes.sizes_b)
        yield Span("No point moved", Tone.strong)
        yield f": all {followed} stayed in the match of their cluster"
        yield ", and all clusters are the same." if whole else "."
        return
    yield Span(f"{show_mass(report.moved)} of {followed} points moved ({share})", Tone.strong)
    yield " to a cluster that is not the match of their old one."


def say_chance(report: ChangeReport) -> str:
    """How far the clusterings are on the way from chance to identical, in a word and a number."""
    changes = report.changes
    if changes.by_plan or changes.flows.masses.dtype.kind == "f":
        return ""
    flows = changes.flows
    rows, masses_a = np.unique(flows.rows, return_inverse=True)[1], flows.masses
    columns = np.unique(flows.columns, return_inverse=True)[1]
    table = Contingency.counted(
        rows,
        columns,
        flows.masses,
        np.bincount(rows, masses_a).astype(np.int64),
        np.bincount(columns, flows.masses).astype(np.int64),
        int(flows.masses.sum()),
    )
    value = adjusted_rand(table)
    word = next((word for least, word in DEGREES if value >= least), LEAST_ALIKE)
    if value >= 1.0:
        return "As groups of points the two clusterings are identical."
    way = f"{show_share(value)} of the way from chance to identical"
    if value <= 0.0:
        way = "not above chance"
    return f"The clusterings are {word}: {way}, by the adjusted Rand index ({value:.3f})."
