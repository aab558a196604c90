"""The document of `clustcmp stability`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from clustcmp.analyses.stability.report import ClusterStability, CurvePoint, StabilityReport
from clustcmp.analyses.stability.report_of_runs import GroupCluster
from clustcmp.analyses.stability.strength import ENOUGH
from clustcmp.errors import plural, printable
from clustcmp.render.blocks import (
    Bar,
    Block,
    Cell,
    Column,
    Data,
    Heading,
    Headline,
    Lines,
    Name,
    Notes,
    OnPage,
    Table,
    Tone,
    table,
)
from clustcmp.render.brief import Brief, fill, left_out
from clustcmp.render.drawings import Trial
from clustcmp.render.words import chosen_decimals, show_share

# A prediction strength that misses what is needed by less than this is close.
CLOSE = 0.05

# The longest word for a cluster, "highly stable".
WIDEST_VERDICT = 13

NOT_REAL = "stable is not real: an algorithm can cut one cloud in the same way each time"


def document(report: StabilityReport) -> list[Block]:
    """The curve, what is best and what is supported, and the clusters."""
    columns, rows = report.table("curve")
    seed = report.settings.seed
    return [
        Heading(summary(report), 1, Tone.strong),
        OnPage(lambda: [Headline([*say_best(report)[:1], *say_supported(report)[:1]])]),
        OnPage(lambda: charts_of(report)),
        curve_table(report),
        Lines([*say_best(report), *say_supported(report)]),
        *cluster_blocks(report),
        Lines([NOT_REAL], Tone.faint),
        Notes(report.notes),
        Data((*columns, "seed"), lambda: ([*row, seed] for row in rows)),
    ]


def charts_of(report: StabilityReport) -> Iterator[Block]:
    """The curve, and how well the clusters of each value hold."""
    from clustcmp.render.charts.trials import dots_chart, trials_chart

    trials = [
        Trial(
            printable(str(value_of(one))),
            one.value,
            one.low,
            one.high,
            one.prediction_strength,
            ", ".join(marks_of(report, one)),
        )
        for one in report.curve
    ]
    shown: dict[Any, list[ClusterStability]] = {}
    for one in report.clusters:
        shown.setdefault(value_of(one), []).append(one)
    found = [trials_chart(varied(report), report.settings.metric, trials, ENOUGH)]
    for value, rows in shown.items():
        title = f"Clusters, {varied(report)} = {printable(str(value))}"
        found.append(dots_chart(title, rows))
    yield from filter(None, found)


def brief(report: StabilityReport, lines: int) -> Brief:
    """The curve, and the best and the supported value."""
    shown = report.curve[: fill(len(report.curve), lines - 4)]
    rows = [[str(value_of(one)), show_number(one.value), show_strength(one)] for one in shown]
    more = left_out(len(report.curve) - len(shown), "value", "to_frame() has all")
    facts = [f"stability: {summary(report)}", *say_best(report)[:1], *say_supported(report)[:1]]
    return Brief(facts, (varied(report), "value", "strength"), rows, range(3), more)


def summary(report: StabilityReport) -> str:
    """What was clustered, by what, how often, and how samples were compared."""
    data, how = report.data, report.settings
    drawn = f"{plural(how.samples, 'sample')} of {how.size:,} points"
    if how.fraction is not None:
        drawn = f"{plural(how.samples, 'sample')} of {show_share(how.fraction)}"
    if how.bootstrap:
        drawn = f"{plural(how.samples, 'bootstrap sample')}"
    where = "on whole samples, less the floor" if how.all_points else "on common points"
    parts = [
        f"{plural(data.points, 'point')}, {plural(len(data.columns), 'column')}",
        printable(how.algorithm),
        drawn,
        f"{how.metric} {where}",
        f"seed {how.seed}",
    ]
    return ", ".join(parts)


def varied(report: StabilityReport) -> str:
    """What was varied: k or a parameter."""
    return printable(report.settings.varied)


def value_of(row: Any) -> Any:
    """The value that was tried."""
    return row.setting if row.k is None else row.k


def show_number(value: float | None, decimals: int = 3) -> str:
    """A number with three decimals, or as many as the user asks for; a dash for none."""
    asked = chosen_decimals()
    return "—" if value is None else f"{value:z.{decimals if asked is None else asked}f}"


def show_strength(row: CurvePoint) -> str:
    """The prediction strength with two decimals, never rounded up to what is needed."""
    strength = row.prediction_strength
    if strength is None:
        return "—"
    return show_number(min(strength, 0.794) if strength < ENOUGH else strength, 2)


def curve_table(report: StabilityReport) -> Table:
    """A row for each value that was tried."""
    columns = [
        Column(varied(report), right=True),
        Column("stability", digits=True),
        Column("", chart=True, tone=Tone.chart),
        Column("5 % to 95 %", digits=True),
        Column("prediction strength", digits=True, brief="strength"),
        Column(""),
    ]
    if report.key == "setting":
        columns.insert(1, Column("clusters", right=True))
    return table(columns, [curve_row(report, one) for one in report.curve])


def curve_row(report: StabilityReport, row: CurvePoint) -> list[Cell]:
    """The cells of one value."""
    error = "" if row.standard_error is None else f" ± {show_number(row.standard_error)}"
    spread = "" if row.low is None else f"{show_number(row.low, 2)} - {show_number(row.high, 2)}"
    cells = [
        Cell(printable(str(value_of(row)))),
        Cell(show_number(row.value) + error),
        Cell(Bar(share_of(report, row.value)), Tone.chart),
        Cell(spread),
        Cell(show_strength(row)),
        Cell(", ".join(marks_of(report, row)), Tone.good),
    ]
    if report.key == "setting":
        cells.insert(1, Cell("—" if row.clusters is None else str(row.clusters)))
    return cells


def share_of(report: StabilityReport, value: float | None) -> float | None:
    """How long the bar of a value is: from 0 to 1, of distances as a share of the largest one."""
    if value is None:
        return None
    if report.settings.higher_is_better:
        return min(max(value, 0.0), 1.0)
    largest = max(one.value or 0.0 for one in report.curve)
    return max(value, 0.0) / largest if largest > 0.0 else 0.0


def marks_of(report: StabilityReport, row: CurvePoint) -> Iterator[str]:
    """Words beside the best and the supported value."""
    value = value_of(row)
    if report.best is not None and value_of(report.best) == value:
        yield "◆ best"
    if supported(report) is not None and supported(report) == value:
        yield "supported"
    if row.failed:
        yield f"{row.failed} failed"


def supported(report: StabilityReport) -> Any:
    """The supported value, or None."""
    return getattr(report.supported, report.key)


def say_best(report: StabilityReport) -> list[str]:
    """The best value, and how clear that is."""
    best = report.best
    if best is None:
        return [f"no {varied(report)} is the best: none can be compared with others"]
    first = f"best {varied(report)} {value_of(best)}"
    if report.ties:
        others = ", ".join(map(str, report.ties))
        chosen = "the largest" if report.key == "k" else "the one with the most clusters"
        return [f"{first}: as stable as {varied(report)} = {others}; of equal ones {chosen}"]
    if best.margin is None or best.clear is None:
        return [first]
    how = "clear" if best.clear else "not clear"
    error = show_number(best.standard_error)
    return [
        f"{first}, {how}: {show_number(best.margin)} ± {error} better than "
        f"{varied(report)} = {best.next}"
    ]


def say_supported(report: StabilityReport) -> list[str]:
    """The supported value with its strength and its p; values that are close to it."""
    found, name = report.supported, varied(report)
    if found.prediction_strength is None:
        return [f"no {name} is supported: {why_none(report)}", *say_close(report)]
    strength = show_number(found.prediction_strength, 2)
    words = [
        f"supported {name} {supported(report)}: prediction strength {strength} ({ENOUGH} or more "
        "needed)"
    ]
    if found.p is not None:
        n, how = report.settings.gaussians, "clear" if found.clear else "not clear"
        words.append(
            f"{how}: one Gaussian cloud reaches it in {report.as_strong} of {n}, p {found.p:.2g}"
        )
    return ["; ".join(words), *say_close(report)]


def why_none(report: StabilityReport) -> str:
    """Why no value is supported."""
    tested = [
        one
        for one in report.curve
        if one.prediction_strength is not None and (one.clusters if one.k is None else one.k) != 1
    ]
    if not tested:
        return "none was tried that has several clusters and fits into half of the points"
    return (
        f"one cluster, or shapes that {printable(report.settings.algorithm)} cannot follow "
        f"(prediction strength below {ENOUGH})"
    )


def say_close(report: StabilityReport) -> Iterator[str]:
    """The values whose prediction strength is just below what is needed."""
    close = [
        f"{varied(report)} = {value_of(one)} ({show_strength(one)})"
        for one in report.curve
        if one.prediction_strength is not None
        and ENOUGH - CLOSE <= one.prediction_strength < ENOUGH
    ]
    if close:
        yield f"close: {', '.join(close)}"


def cluster_blocks(report: StabilityReport) -> Iterator[Block]:
    """A table of clusters for each value that is shown."""
    shown: dict[Any, list[ClusterStability]] = {}
    for one in report.clusters:
        shown.setdefault(value_of(one), []).append(one)
    for value, rows in shown.items():
        title = f"clusters of all points, {varied(report)} = {printable(str(value))}"
        yield Heading(title, 3)
        yield cluster_table(rows)


def cluster_table(rows: Iterable[ClusterStability | GroupCluster]) -> Table:
    """A row for each cluster."""
    columns = [
        Column("cluster"),
        Column("size", right=True),
        Column("jaccard", digits=True),
        Column("", chart=True, tone=Tone.chart),
        Column("recovered", right=True),
        Column("dissolved", right=True),
        Column("", narrowest=WIDEST_VERDICT),
    ]
    return table(
        columns,
        [
            [
                Cell(Name(one.cluster)),
                Cell(f"{one.size:,}"),
                Cell(show_number(one.jaccard, 2)),
                Cell(Bar(one.jaccard), Tone.chart),
                Cell(f"{one.recovered}/{one.samples}"),
                Cell(str(one.dissolved)),
                Cell(one.verdict or ""),
            ]
            for one in rows
        ],
    )
