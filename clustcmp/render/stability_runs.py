"""The document of `clustcmp stability --runs`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from clustcmp.analyses.stability.report_of_runs import GroupPoint, RunsReport
from clustcmp.errors import plural
from clustcmp.render.blocks import (
    Block,
    Cell,
    Column,
    Data,
    Heading,
    Line,
    Lines,
    Name,
    Notes,
    OnPage,
    Piece,
    Table,
    Tone,
    table,
)
from clustcmp.render.brief import Brief, cut_name, fill, left_out
from clustcmp.render.charts.trials import dots_chart, trials_chart
from clustcmp.render.drawings import Trial
from clustcmp.render.stability import cluster_table, show_number
from clustcmp.render.words import show_share

NO_VALUE = "—"

STABLE_IS_NOT_REAL = "stable is not real: runs may agree on clusters that the data do not have"

ERROR = "± is the standard error, by leaving out one run at a time"

# Clusters that a table shows; JSON has all.
MOST_CLUSTERS = 40


def document(report: RunsReport) -> list[Block]:
    """What was compared, how much the runs of each group agree, and which clusters hold."""
    columns, rows = report.table("curve")
    blocks: list[Block] = [
        Heading(summary(report), 1, Tone.strong),
        OnPage(lambda: charts_of(report)),
        curve_of(report),
    ]
    if any(one.standard_error is not None for one in report.curve):
        blocks.append(Lines([ERROR], Tone.faint, close=True))
    return [
        *blocks,
        Lines([*say_best(report), *say_medoids(report)]),
        *cluster_blocks(report),
        Lines([STABLE_IS_NOT_REAL], Tone.faint),
        Notes(report.notes),
        Data(columns, lambda: rows),
    ]


def charts_of(report: RunsReport) -> Iterator[Block]:
    """How much the runs of each group agree, and how well the clusters of each group hold."""
    best = None if report.best is None else report.best.group
    trials = [
        Trial(one.group, one.value, one.low, one.high, None, "◆ best" if one.group == best else "")
        for one in report.curve
    ]
    found = [trials_chart("group", report.settings.metric, trials, None)]
    for group, rows in groupby(report.clusters, key=lambda one: one.group):
        found.append(dots_chart(f"Clusters of {cut_name(group)}", rows))
    yield from filter(None, found)


def brief(report: RunsReport, lines: int) -> Brief:
    """The mean of each group."""
    facts = [f"stability: {summary(report)}"]
    if report.best is not None:
        facts.append(f"best group {cut_name(report.best.group)}")
    shown = report.curve[: fill(len(report.curve), lines - 1 - len(facts))]
    rows = [[cut_name(one.group), show_mean(one), str(one.runs)] for one in shown]
    more = left_out(len(report.curve) - len(shown), "group")
    return Brief(facts, ("group", "value", "runs"), rows, range(1), more)


def summary(report: RunsReport) -> str:
    """How many runs of how many points, and how they are compared."""
    sizes = sorted({run.points for run in report.inputs})
    points = plural(sizes[0], "point")
    if len(sizes) > 1:
        points = f"{sizes[0]:,} to {sizes[-1]:,} points"
    words = f"{plural(len(report.inputs), 'run')} of {points}"
    return f"{words}, {report.settings.metric} on common points"


def curve_of(report: RunsReport) -> Table:
    """A row for each group."""
    columns = [
        Column("group"),
        Column("stability", digits=True),
        Column("5 % to 95 %", digits=True),
        Column("runs", right=True),
        Column("pairs", right=True),
        Column("partitions", right=True),
        Column("commonest", right=True),
        Column(""),
    ]
    return table(columns, [curve_row(report, one) for one in report.curve])


def curve_row(report: RunsReport, one: GroupPoint) -> list[Cell]:
    """The cells of one group."""
    is_best = report.best is not None and report.best.group == one.group
    return [
        Cell(Name(one.group)),
        Cell(show_mean(one)),
        Cell(show_spread(one)),
        Cell(f"{one.runs:,}"),
        Cell(f"{one.pairs:,}"),
        Cell(f"{one.partitions:,}"),
        Cell(show_share(one.commonest)),
        Cell("◆ best" if is_best else "", Tone.good),
    ]


def show_mean(one: GroupPoint) -> str:
    """The mean with its standard error."""
    if one.standard_error is None:
        return show_number(one.value)
    return f"{show_number(one.value)} ± {show_number(one.standard_error)}"


def show_spread(one: GroupPoint) -> str:
    """The 5 % and the 95 % quantile of the pairs."""
    if one.low is None or one.high is None:
        return NO_VALUE
    return f"{show_number(one.low, 2)} - {show_number(one.high, 2)}"


def say_best(report: RunsReport) -> Iterator[Line]:
    """The group whose runs agree best, and how clear that is."""
    best = report.best
    if best is None:
        return
    if best.margin is None or best.next is None:
        yield ["best group ", Name(best.group)]
        return
    how = {True: ", clear", False: ", not clear", None: ""}[best.clear]
    error = "" if best.standard_error is None else f" ± {show_number(best.standard_error)}"
    margin = f"{how}: {show_number(best.margin)}{error} better than "
    yield ["best group ", Name(best.group), margin, Name(best.next)]


def say_medoids(report: RunsReport) -> Iterator[Line]:
    """The medoids, if their clusters are not shown."""
    if report.reference is None:
        return
    for one in report.curve:
        where = ["medoid: "] if len(report.curve) == 1 else ["medoid of ", Name(one.group), ": "]
        if one.medoid is not None:
            yield [*where, Name(one.medoid)]


def cluster_blocks(report: RunsReport) -> Iterator[Block]:
    """A table of the clusters that were followed in each group, as far as there is room."""
    medoids = {one.group: one.medoid for one in report.curve}
    shown = report.clusters[:MOST_CLUSTERS]
    for group, rows in groupby(shown, key=lambda one: one.group):
        where: list[Piece] = [] if len(medoids) == 1 else ["group ", Name(group), ": "]
        whose: list[Piece] = ["clusters of the medoid ", Name(medoids[group] or "")]
        if report.reference is not None:
            whose = ["clusters of the reference ", Name(report.reference.name)]
        yield Heading([*where, *whose], 3)
        yield cluster_table(rows)
    more = left_out(len(report.clusters) - len(shown), "cluster", "the JSON has all")
    if more:
        yield Lines([more], Tone.faint, close=True)
