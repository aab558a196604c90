"""Stability: a curve over the numbers of clusters or groups, and how well each cluster holds."""

from __future__ import annotations

from collections.abc import Iterable

from clustcmp.analyses.stability.per_cluster import DISSOLVED, RECOVERED
from clustcmp.analyses.stability.report import ClusterStability
from clustcmp.analyses.stability.report_of_runs import GroupCluster
from clustcmp.errors import plural
from clustcmp.render.blocks import Chart
from clustcmp.render.drawings import Dot, Dots, Trial, Trials
from clustcmp.render.widths import short
from clustcmp.render.words import show_value

# Clusters in a chart; the table has all.
MOST_DOTS = 60


def trials_chart(
    varied: str, metric: str, trials: list[Trial], enough: float | None
) -> Chart | None:
    """The curve, if it has a value."""
    known = [(one.value, one.name) for one in trials if one.value is not None]
    if not known:
        return None
    what = {"k": "number of clusters", "group": "group of runs"}.get(varied, f"value of {varied}")
    strength = ""
    if any(one.strength is not None for one in trials):
        strength = (
            f" Squares are the prediction strength; a {what} is supported from the dashed line at "
            f"{enough} on."
        )
    words = ", ".join(
        f"{short(one.name)}: {'—' if one.value is None else f'{one.value:.3f}'}"
        for one in trials[:12]
    )
    more = f" and {len(trials) - 12} more" if len(trials) > 12 else ""
    return Chart(
        "How stable",
        f"Each dot is the mean {metric} between two samples or runs for one {what}; the bar spans "
        f"5 % to 95 % of the pairs.{strength}",
        f"Mean {metric} for each {what}: {words}{more}.",
        Trials(varied, metric, trials, enough),
    )


def dots_chart(title: str, rows: Iterable[ClusterStability | GroupCluster]) -> Chart | None:
    """How often each cluster comes back."""
    found = [one for one in rows if one.jaccard is not None]
    if not found:
        return None
    found.sort(key=lambda one: -(one.jaccard or 0.0))
    dots = [
        Dot(
            one.cluster,
            one.jaccard,
            f"{plural(one.size, 'point')}, recovered in {one.recovered} of {one.samples}, "
            f"dissolved in {one.dissolved}{f': {one.verdict}' if one.verdict else ''}",
        )
        for one in found[:MOST_DOTS]
    ]
    rest = ""
    if len(found) > MOST_DOTS:
        rest = f" Shown are the first {MOST_DOTS} of {len(found):,} clusters."
    least = found[-1]
    zones = [
        (0.0, DISSOLVED, "dissolved"),
        (DISSOLVED, RECOVERED, "in between"),
        (RECOVERED, 1.0, "recovered"),
    ]
    return Chart(
        title,
        "Each dot is a cluster: how similar (Jaccard) the most similar cluster of a sample or run "
        f"is to it on average. Further right is more stable.{rest}",
        f"{plural(len(found), 'cluster')}; the least stable is {short(least.cluster)} with "
        f"{show_value(least.jaccard or 0.0)}.",
        Dots(dots, zones, "mean Jaccard similarity"),
    )
