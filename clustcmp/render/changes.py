"""The document of `clustcmp changes`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from clustcmp.analyses.changes.order import rank
from clustcmp.analyses.changes.records import Birth, ClusterChange, Part, in_one_order
from clustcmp.analyses.changes.report import ChangeReport
from clustcmp.analyses.flows.fates import BORN, FATES, MEANINGS, Fate
from clustcmp.arrays import NONE, Integers
from clustcmp.errors import plural
from clustcmp.output_settings import ChangesView
from clustcmp.render.blocks import (
    NO_BREAK,
    Block,
    Cell,
    Column,
    Data,
    Facts,
    Heading,
    Inputs,
    Line,
    Lines,
    Name,
    Notes,
    OnPage,
    Piece,
    Shares,
    Table,
    Tone,
    join,
    table,
)
from clustcmp.render.brief import Brief, cut_name, fill, left_out, show_sides
from clustcmp.render.charts.headline import headline
from clustcmp.render.charts.pair import moved_points, pair_charts
from clustcmp.render.words import (
    describe_all,
    how_to_show_all,
    legend,
    show_coordinates,
    show_coverage,
    show_mass,
    show_share,
    show_value,
)

CSV_COLUMNS = ("from", "to", "kind", "mass", "share_of_from", "share_of_to", "matched")

TONES = {
    Fate.died: Tone.bad,
    Fate.split: Tone.caution,
    Fate.merged: Tone.caution,
    Fate.regrouped: Tone.caution,
    Fate.changed: Tone.plain,
    Fate.renamed: Tone.faint,
    Fate.same: Tone.faint,
}

# Stands before the match of a cluster.
MATCH = "="

# What the columns with masses are.
MASSES = {
    "left": "in other clusters of b",
    "joined": "in the match from other clusters of a",
    "gone": "not in b",
    "new": "in the match, not in a",
}

# What can be chosen about the document.
VIEW = ChangesView

# The parts of a cluster that are named in one line.
MOST_PARTS = 4

# The first column, whose sentences take several lines, leaves that much of a line to the numbers.
NARROWEST_CHANGE = 12

# A heat map with more rows and columns cannot be read.
LARGEST_HEAT_MAP = 20


def document(report: ChangeReport, top: int, show_all: bool) -> list[Block]:
    """The inputs, the sums, what became of the clusters, and a heat map of the flows.

    People see the `top` most important clusters, or all of them.
    """
    clusters, births = choose_rows(report, None if show_all else top)
    return [
        OnPage(lambda: [headline(report, largest_change(report))]),
        Inputs(describe_all(report.inputs), facts_of(report)),
        Facts(list(sums(report))),
        OnPage(lambda: [Heading("What became of each cluster")]),
        clusters_table(report, clusters, births),
        Lines(list(show_rest(report, clusters, births)), Tone.faint, close=True),
        Lines(list(explain(report, clusters, births)), Tone.faint),
        OnPage(lambda: [*pair_charts(report), *moved_points(report)], [heat_map(report)]),
        Notes(report.notes),
        Data(CSV_COLUMNS, lambda: flow_rows(report)),
    ]


def largest_change(report: ChangeReport) -> Line | None:
    """What became of the cluster that changed most, if one changed."""
    for cluster in report.first_clusters(1, unchanged=False):
        return [*show_change(report, cluster), f" ({cluster.kind.value})"]
    return None


def facts_of(report: ChangeReport) -> list[str]:
    """What was compared: the points in both, and where they are."""
    coverage = show_coverage(report.coverage, report.joined_by)
    return [coverage, *show_coordinates(report.inputs)]


def brief(report: ChangeReport, lines: int) -> Brief:
    """The sums, and the clusters that changed most."""
    facts = [f"changes: {show_sides(report.inputs, '→')}", *sums(report)]
    n_changed = len(report.changes.sizes_a) - int(report.changes.is_same.sum())
    n_shown = fill(n_changed, lines - len(facts) - 1)
    rows = [
        [
            cut_name(one.cluster),
            "—" if one.match is None else cut_name(one.match),
            one.kind.value,
            *(show_mass(mass) for mass in (one.size, one.left, one.joined)),
        ]
        for one in report.first_clusters(n_shown, unchanged=False)
    ]
    head = ("cluster", "match", "kind", "points", "left", "joined")
    more = left_out(n_changed - n_shown, "changed cluster", "to_frame() has all")
    return Brief(facts, head if rows else (), rows, range(3, 6), more)


def choose_rows(
    report: ChangeReport, top: int | None
) -> tuple[Sequence[ClusterChange], Sequence[Birth]]:
    """The clusters to show: all of them if they are few enough, else the first that changed."""
    if top is None:
        return report.clusters, report.births
    everything = len(report.changes.sizes_a) <= top
    return report.first_clusters(top, unchanged=everything), report.first_births(top)


def sums(report: ChangeReport) -> Iterator[str]:
    """How many points moved, how many clusters are of each kind, and the values of the metrics."""
    changes = report.changes
    share = show_share(report.moved_share)
    if changes.by_plan:
        yield f"{share} of the mass is outside of the matches, by the plan between clusters"
    else:
        followed = show_mass(type(report.moved)(changes.followed))
        yield f"{show_mass(report.moved)} of {followed} points moved ({share})"
    kinds = [f"{number:,} {kind}" for kind, number in report.kinds.items() if number]
    born = f"; {len(changes.born):,} born in b" if len(changes.born) else ""
    yield f"clusters of a: {', '.join(kinds)}{born}"
    titles = {"cdistance": "d_ot of cdistance", "css": "css"}
    for name, total in report.contributions.totals.items():
        yield f"{titles[name]}: {show_value(total)}"


def clusters_table(
    report: ChangeReport, clusters: Sequence[ClusterChange], births: Sequence[Birth]
) -> Table:
    """A row for each cluster of a and each birth, the most important first."""
    masses = mass_columns(report)
    columns = [
        Column("change", brief="a → b", wraps=True, narrowest=NARROWEST_CHANGE),
        Column("kind"),
        *(Column(head, digits=True) for head in (*masses, *report.contributions.parts)),
    ]
    rows = (
        birth_cells(one)
        if isinstance(one, Birth)
        else list(cluster_cells(report, one, list(masses.values())))
        for one in in_one_order(clusters, births)
    )
    return table(columns, rows)


def mass_columns(report: ChangeReport) -> dict[str, str]:
    """The heads of the columns with masses, and the fields of a cluster that they show."""
    columns = {"points": "size", "left": "left", "joined": "joined"}
    if report.changes.gone.any() or report.changes.new.any():
        columns |= {"gone": "gone", "new": "new"}
    return columns


def cluster_cells(
    report: ChangeReport, cluster: ClusterChange, masses: Sequence[str]
) -> Iterator[Cell]:
    """The cells of one cluster of a; a terminal shows the shares of metrics without the values."""
    yield Cell(show_change(report, cluster))
    yield Cell(cluster.kind.value, TONES[cluster.kind])
    for field in masses:
        mass = getattr(cluster, field)
        yield Cell(show_mass(mass), Tone.plain if mass else Tone.faint)
    for name, total in report.contributions.totals.items():
        part = cluster.contributions[name]
        share = show_share(part / total if total else 0.0)
        value = show_value(part)
        yield Cell(f"{value} ({share})" if total else value, brief=share)


def birth_cells(birth: Birth) -> list[Cell]:
    """The cells of a cluster of b that was born; the columns behind its size stay empty."""
    return [Cell(show_birth(birth)), Cell("born", Tone.good), Cell(show_mass(birth.size))]


def show_change(report: ChangeReport, cluster: ClusterChange) -> Line:
    """What became of a cluster, such as 7 → 7 (91 %), 12 (9 %)."""
    lines = list(show_parts(cluster.parts))
    if cluster.gone:
        lines.append([f"gone{NO_BREAK}{unbroken(cluster.gone / cluster.size)}"])
    line = [Name(cluster.cluster), " → ", *join(lines)]
    if cluster.kind in (Fate.merged, Fate.regrouped):
        others, number = report.merged_with(cluster.code, MOST_PARTS)
        line += [", with ", *join([[Name(other)] for other in others])]
        if number > len(others):
            line.append(f" and {number - len(others):,} more")
    return line


def show_birth(birth: Birth) -> Line:
    """Where the points of a cluster of b come from."""
    lines = list(show_parts(birth.parts))
    if birth.new:
        lines.append([f"new{NO_BREAK}{unbroken(birth.new / birth.size)}"])
    return [Name(birth.cluster), " ← ", *join(lines)]


def show_parts(parts: Sequence[Part]) -> Iterator[list[Piece]]:
    """The largest parts of a cluster and the one in its match, and how many more there are."""
    shown = choose_parts(parts)
    for part in shown:
        sign = [MATCH] if part.is_match else []
        yield [*sign, Name(part.cluster), f"{NO_BREAK}({unbroken(part.share)})"]
    rest = [part for part in parts if part not in shown]
    if rest:
        share = unbroken(math.fsum(part.share for part in rest))
        yield [f"{len(rest):,} more{NO_BREAK}({share})"]


def choose_parts(parts: Sequence[Part]) -> Sequence[Part]:
    """All parts of a cluster if these are few, else the largest and the one in its match."""
    if len(parts) <= MOST_PARTS + 1:
        return parts
    largest, others = parts[:MOST_PARTS], parts[MOST_PARTS:]
    match = [part for part in others if part.is_match]
    return [*largest[: MOST_PARTS - len(match)], *match]


def unbroken(share: float) -> str:
    """A share whose sign stays on the line of its number."""
    return show_share(share).replace(" ", NO_BREAK)


def explain(
    report: ChangeReport, clusters: Sequence[ClusterChange], births: Sequence[Birth]
) -> Iterator[str]:
    """What the signs, the columns and the kinds in the table mean, as far as they are there."""
    if not clusters and not births:
        return
    columns = [f"{head}: {MASSES[head]}" for head in mass_columns(report) if head in MASSES]
    yield legend(f"{MATCH} match", *columns)
    if report.changes.by_plan:
        yield (
            "points are the mass that the transport plan carries between clusters, in points of a"
        )
    elif report.changes.sizes_a.dtype.kind == "f":
        yield "points are counted by their degrees: the mass of a soft cluster is their sum"
    kinds = {cluster.kind for cluster in clusters}
    yield from (f"{fate.value}: {MEANINGS[fate]}" for fate in FATES if fate in kinds)
    if births:
        yield f"born: {BORN}"


def show_rest(
    report: ChangeReport, shown: Sequence[ClusterChange], births: Sequence[Birth]
) -> Iterator[str]:
    """How many clusters are not shown, and how to see them."""
    n_same = int(report.changes.is_same.sum()) - sum(c.kind.is_unchanged for c in shown)
    n_changed = len(report.changes.sizes_a) - len(shown) - n_same
    n_births = len(report.changes.born) - len(births)
    words = []
    if n_changed:
        words.append(f"{plural(n_changed, 'more cluster')} changed")
    if n_births:
        words.append(f"{n_births:,} more born")
    if n_same:
        n_renamed = report.kinds["renamed"] - sum(c.kind is Fate.renamed for c in shown)
        renamed = f" ({n_renamed:,} under another name)" if n_renamed else ""
        words.append(f"{plural(n_same, 'cluster')} unchanged{renamed}")
    if words:
        yield f"not shown: {', '.join(words)}; {how_to_show_all()} shows all"


def heat_map(report: ChangeReport) -> Shares:
    """The shares of clusters of a in clusters of b, with the matches on the diagonal."""
    rows, columns = choose_lines(report)
    n_a, n_b = len(report.changes.sizes_a), len(report.changes.sizes_b)
    which = f"; {len(rows)} of {n_a:,} and {len(columns)} of {n_b:,} clusters, the most changed"
    return Shares(
        "share of each cluster of a (rows) in clusters of b (columns)",
        report.a.names.take(rows).tolist(),
        report.b.names.take(columns).tolist(),
        find_shares(report, rows, columns),
        "" if (len(rows), len(columns)) == (n_a, n_b) else which,
    )


def choose_lines(report: ChangeReport) -> tuple[Integers, Integers]:
    """The clusters of a that changed most; of b their matches, then what has most of the others."""
    changes = report.changes
    every_a, every_b = np.arange(len(changes.sizes_a)), np.arange(len(changes.sizes_b))
    rows = np.array(report.rank_clusters(every_a, LARGEST_HEAT_MAP))
    # The largest first, and all rows with a match before the others, so that the diagonal is whole.
    rows = np.array(rank([changes.sizes_a[rows]], rows, report.a.names, len(rows)))
    partners = changes.partners.of_a[rows]
    rows = np.concatenate([rows[partners != NONE], rows[partners == NONE]])
    matches = partners[partners != NONE]
    others = every_b[~np.isin(every_b, matches)]
    shown = np.concatenate([changes.flows_out_of(row) for row in rows.tolist()])
    received = np.bincount(
        changes.flows.columns[shown], changes.flows.masses[shown], minlength=len(every_b)
    )
    keys = [received[others], changes.sizes_b[others]]
    found = rank(keys, others, report.b.names, LARGEST_HEAT_MAP - len(matches))
    return rows, np.array([*matches.tolist(), *found])


def find_shares(report: ChangeReport, rows: Integers, columns: Integers) -> list[list[float]]:
    """The share of each cluster of a in `rows` that is in each cluster of b in `columns`."""
    changes = report.changes
    where = np.full(len(changes.sizes_b), NONE)
    where[columns] = np.arange(len(columns))
    shares = np.zeros((len(rows), len(columns)))
    for index, row in enumerate(rows.tolist()):
        flows = changes.flows_out_of(row)
        at = where[changes.flows.columns[flows]]
        is_shown = at != NONE
        shares[index, at[is_shown]] = changes.flows.masses[flows[is_shown]] / changes.sizes_a[row]
    listed: list[list[float]] = shares.tolist()
    return listed


def flow_rows(report: ChangeReport) -> Iterator[list[Any]]:
    """A row for each flow in the order of the clusters; without `to` for mass that is gone.

    A row without `from` is for mass that is new: first in clusters that were born, then in others.
    """
    for one in in_one_order(report.clusters, report.births):
        if isinstance(one, ClusterChange):
            yield from rows_of_cluster(one)
        elif one.new:
            yield [None, one.cluster, "born", one.new, None, one.new / one.size, "false"]
    changes = report.changes
    for target in np.setdiff1d(np.flatnonzero(changes.new), changes.born).tolist():
        mass = changes.new[target].item()
        share = mass / changes.sizes_b[target].item()
        yield [None, report.b.names[target], "", mass, None, share, "false"]


def rows_of_cluster(cluster: ClusterChange) -> Iterator[list[Any]]:
    """Where the points of a cluster of a went, and how many are gone."""
    kind = cluster.kind.value
    for part in cluster.parts:
        shares = [part.share, part.share_of_other, str(part.is_match).lower()]
        yield [cluster.cluster, part.cluster, kind, part.mass, *shares]
    if cluster.gone:
        share = cluster.gone / cluster.size
        yield [cluster.cluster, None, kind, cluster.gone, share, None, "false"]
