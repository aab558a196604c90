"""Changes as JSON, CSV and Markdown, and the words for them that all formats share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from clustcmp.analyses.changes.records import Birth, ClusterChange, Flow, Mass, Part, in_one_order
from clustcmp.analyses.changes.report import ChangeReport
from clustcmp.analyses.flows.fates import Fate
from clustcmp.choices import Color, OutputFormat
from clustcmp.errors import printable
from clustcmp.render.csv import to_csv
from clustcmp.render.json import write as to_json
from clustcmp.render.machine import markdown_table
from clustcmp.render.markdown import code, escape
from clustcmp.render.widths import quote_blank
from clustcmp.render.words import count, show_coverage, show_value
from clustcmp.render.words import describe as show_side
from clustcmp.results import coverage_dict as coverage_object
from clustcmp.results import side_dict as side_object
from clustcmp.version import VERSION

CSV_COLUMNS = ("from", "to", "kind", "mass", "share_of_from", "share_of_to", "matched")

# So many parts of a cluster are named in one line.
MOST_PARTS = 4

Name = Callable[[str], str]


def render_changes(
    report: ChangeReport, format: OutputFormat, color: Color = Color.auto, top: int | None = None
) -> str:
    """The text about changes; `top` clusters for people (None: all), and all for programs."""
    if format is OutputFormat.json:
        return to_json(changes_object(report))
    if format is OutputFormat.csv:
        return changes_csv(report)
    if format is OutputFormat.markdown:
        return changes_markdown(report, top)
    from clustcmp.render.changes_table import changes_table

    return changes_table(report, color, top)


def changes_object(report: ChangeReport) -> dict[str, Any]:
    """What changes are in JSON; see schemas/changes-1.json."""
    return {
        "schema": "clustcmp/changes/1",
        "version": VERSION,
        "inputs": [side_object(side) for side in report.inputs],
        "coverage": coverage_object(report.coverage),
        "matched_by": report.matched_by,
        "moved": {"points": report.moved, "share": report.moved_share},
        "kinds": report.kinds,
        "clusters": [cluster_object(cluster) for cluster in report.clusters],
        "births": [
            {"cluster": birth.cluster, "size": birth.size, "new": birth.new}
            for birth in report.births
        ],
        "deaths": list(report.deaths),
        "splits": [{"from": split.source, "to": list(split.targets)} for split in report.splits],
        "merges": [{"from": list(merge.sources), "to": merge.target} for merge in report.merges],
        "flows": [flow_object(flow) for flow in report.flows],
        "plan": plan_object(report),
        "notes": list(report.notes),
    }


def cluster_object(cluster: ClusterChange) -> dict[str, Any]:
    """What became of one cluster in JSON."""
    return {
        "cluster": cluster.cluster,
        "size": cluster.size,
        "kind": cluster.kind.value,
        "match": cluster.match,
        "left": cluster.left,
        "joined": cluster.joined,
        "gone": cluster.gone,
        "new": cluster.new,
        "contributions": cluster.contributions,
    }


def flow_object(flow: Flow) -> dict[str, Any]:
    """One flow in JSON."""
    return {
        "from": flow.source,
        "to": flow.target,
        "mass": flow.mass,
        "share_of_from": flow.share_of_source,
        "share_of_to": flow.share_of_target,
        "matched": flow.is_match,
    }


def plan_object(report: ChangeReport) -> dict[str, Any] | None:
    """The transport plan between the clusters in JSON."""
    plan = report.plan
    if plan is None:
        return None
    return {
        "ground": plan.ground,
        "d_ot": plan.d_ot,
        "cells": [
            {
                "from": cell.source,
                "to": cell.target,
                "weight": cell.weight,
                "distance": cell.distance,
            }
            for cell in plan.cells
        ],
    }


def changes_csv(report: ChangeReport) -> str:
    """A line for each flow; without `to` what is gone, without `from` what is new."""
    return to_csv(CSV_COLUMNS, flow_rows(report))


def flow_rows(report: ChangeReport) -> Iterator[list[Any]]:
    """The cells of all flows, in the order of their clusters."""
    for one in in_one_order(report.clusters, report.births):
        if isinstance(one, ClusterChange):
            yield from rows_of_cluster(one)
        elif one.new:
            yield [None, one.cluster, "born", one.new, None, one.new / one.size, "false"]
    changes = report.changes
    grown = np.setdiff1d(np.flatnonzero(changes.new), changes.born)
    for target in grown.tolist():
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


def changes_markdown(report: ChangeReport, top: int | None) -> str:
    """The inputs and the sums as a list, the clusters as a table."""
    lines = []
    for side, file, *rest in map(show_side, report.inputs):
        lines.append(f"- **{side}**: {code(file)}, {', '.join(rest)}")
    lines += [f"- {line}" for line in summary(report)]
    totals = report.contributions.totals
    metrics = list(totals)
    masses = mass_columns(report)
    header = ["change", "kind", *masses, *metrics]
    shown, births = choose_rows(report, top)
    rows = []
    for one in in_one_order(shown, births):
        if isinstance(one, Birth):
            cells = [show_birth(one, code_name), "born", show_mass(one.size)]
            rows.append(cells + [""] * (len(header) - len(cells)))
            continue
        numbers = [show_mass(getattr(one, field)) for field in masses.values()]
        parts = [show_part_of(one.contributions[name], totals[name]) for name in metrics]
        rows.append([show_change(report, one, code_name), one.kind.value, *numbers, *parts])
    lines += ["", *markdown_table(header, rows)]
    rest_lines = [*show_rest(report, shown, births, "--all"), *(f"note: {n}" for n in report.notes)]
    for line in rest_lines:
        lines += ["", escape(printable(line))]
    return "\n".join(lines) + "\n"


def mass_columns(report: ChangeReport) -> dict[str, str]:
    """The headings of the columns with masses, and the fields of a cluster that they show."""
    columns = {"points": "size", "left": "left", "joined": "joined"}
    if report.changes.gone.any() or report.changes.new.any():
        columns |= {"gone": "gone", "new": "new"}
    return columns


def code_name(name: str) -> str:
    """A name of a cluster in Markdown."""
    return code(quote_blank(printable(name)))


def choose_rows(
    report: ChangeReport, top: int | None
) -> tuple[Sequence[ClusterChange], Sequence[Birth]]:
    """The clusters to show: all, if they are few or wanted, else the first that changed."""
    if top is None:
        return report.clusters, report.births
    everything = len(report.changes.sizes_a) <= top
    return report.first_clusters(top, unchanged=everything), report.first_births(top)


def show_rest(
    report: ChangeReport, shown: Sequence[ClusterChange], births: Sequence[Birth], option: str
) -> Iterator[str]:
    """How many clusters are not shown."""
    n_same = int(report.changes.is_same.sum()) - sum(c.kind.is_unchanged for c in shown)
    n_changed = len(report.changes.sizes_a) - len(shown) - n_same
    n_births = len(report.changes.born) - len(births)
    words = []
    if n_changed:
        words.append(f"{count(n_changed, 'more cluster')} changed")
    if n_births:
        words.append(f"{n_births:,} more born")
    if n_same:
        n_renamed = report.kinds["renamed"] - sum(c.kind is Fate.renamed for c in shown)
        renamed = f" ({n_renamed:,} under another name)" if n_renamed else ""
        words.append(f"{count(n_same, 'cluster')} unchanged{renamed}")
    if words:
        yield f"not shown: {', '.join(words)}; {option} shows all"


def summary(report: ChangeReport) -> Iterator[str]:
    """How many points moved and what became of how many clusters, a line each."""
    changes = report.changes
    yield show_coverage(report.coverage)
    share = show_share(report.moved_share)
    if changes.by_plan:
        yield f"{share} of the mass is outside of the matches, by the plan between clusters"
    else:
        followed = show_mass(type(report.moved)(changes.followed))
        yield f"{show_mass(report.moved)} of {followed} points moved ({share})"
    kinds = [f"{number:,} {kind}" for kind, number in report.kinds.items() if number]
    born = f"; {len(changes.born):,} born in b" if len(changes.born) else ""
    yield f"clusters of a: {', '.join(kinds)}{born}"
    totals = {"cdistance": "d_ot of cdistance", "css": "css"}
    for name, total in report.contributions.totals.items():
        yield f"{totals[name]}: {show_value(total)}"


def show_change(report: ChangeReport, cluster: ClusterChange, name: Name) -> str:
    """What became of a cluster, such as 7 → 7 (91 %), 12 (9 %)."""
    words = list(show_parts(cluster.parts, name))
    if cluster.gone:
        words.append(f"gone {show_share(cluster.gone / cluster.size)}")
    line = f"{name(cluster.cluster)} → {', '.join(words)}"
    if cluster.kind in (Fate.merged, Fate.regrouped):
        others, number = report.merged_with(cluster.code, MOST_PARTS)
        named = ", ".join(map(name, others))
        more = f" and {number - len(others):,} more" if number > len(others) else ""
        line += f", with {named}{more}"
    return line


def show_birth(birth: Birth, name: Name) -> str:
    """Where a cluster of b comes from."""
    words = list(show_parts(birth.parts, name))
    if birth.new:
        words.append(f"new {show_share(birth.new / birth.size)}")
    return f"{name(birth.cluster)} ← {', '.join(words)}"


def show_parts(parts: Sequence[Part], name: Name) -> Iterator[str]:
    """The largest parts of a cluster, and how many more there are."""
    shown = parts if len(parts) <= MOST_PARTS + 1 else parts[:MOST_PARTS]
    for part in shown:
        yield f"{name(part.cluster)} ({show_share(part.share)})"
    rest = parts[len(shown) :]
    if rest:
        share = show_share(math.fsum(part.share for part in rest))
        yield f"{len(rest):,} more ({share})"


def show_part_of(part: float, total: float) -> str:
    """A part of a value, and its share."""
    return f"{show_value(part)} ({show_share(part / total)})" if total else show_value(part)


def show_share(share: float) -> str:
    """A share in percent; only all is 100 % and only nothing is 0 %."""
    percent = 100.0 * share
    if share <= 0.0 or share >= 1.0:
        return f"{percent:.0f} %"
    if percent < 0.1:
        return "<0.1 %"
    if percent < 0.95:
        return f"{percent:.1f} %"
    if percent > 99.0:
        return f"{min(percent, 99.9):.1f} %"
    return f"{percent:.0f} %"


def show_mass(mass: Mass) -> str:
    """A number of points, or of parts of points."""
    return f"{mass:,}" if isinstance(mass, int) else f"{mass:,.1f}"
