"""The charts of pages as figures of plotly, for notebooks and programs.

Each function takes a report and returns a figure; `plot` is the chart that says most.

    from clustcmp import plots

    plots.flows(clustcmp.compare(old, new)).show()
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

import numpy as np

from clustcmp.errors import UsageError
from clustcmp.render import document_of
from clustcmp.render.blocks import Chart
from clustcmp.render.drawings import (
    Bullets,
    Clouds,
    Dots,
    Flowing,
    Heat,
    Lives,
    Series,
    Tree,
    Trials,
)
from clustcmp.render.html.draw import draw
from clustcmp.results import Reported

# plotly.graph_objects.Figure; plotly has no types, and may not be installed.
Figure = Any


def plot(report: Reported) -> Figure:
    """The chart of a report that says most: the first one on its page."""
    for chart in charts_of(report):
        return figure_of(chart)
    raise has_no("charts")


def flows(report: Reported) -> Figure:
    """Where the points went, as bands from the clusters of a to those of b."""
    return find(report, Flowing, "flows: those of compare, changes and gate have")


def points(report: Reported) -> Figure:
    """Where the points are, as two scatter plots in matched colours."""
    return find(report, Clouds, "points: give coordinates to compare, changes or gate")


def shares(report: Reported) -> Figure:
    """Which share of each cluster of a is in which cluster of b, as a heat map."""
    return find(report, Heat, "shares of clusters: those of compare, changes and gate have")


def matrix(report: Reported, metric: int = 0) -> Figure:
    """How alike several clusterings are, as a heat map under a tree; the metric by its position."""
    return find(report, Tree, "matrix: that of matrix without a reference has", metric)


def series(report: Reported) -> Figure:
    """The curves of metrics along a stream."""
    return find(report, Series, "series: that of track has")


def life_lines(report: Reported) -> Figure:
    """The lives of clusters along a stream, as bands."""
    return find(report, Lives, "life lines: that of track has")


def curve(report: Reported) -> Figure:
    """How stable each number of clusters, or each group of runs, is."""
    return find(report, Trials, "curve: that of stability has")


def clusters(report: Reported, value: int = 0) -> Figure:
    """How well each cluster holds; of several values that were tried the one at this position."""
    return find(report, Dots, "clusters that were followed: that of stability has", value)


def bounds(verdict: Reported) -> Figure:
    """The bounds of a gate, each on its scale."""
    return find(verdict, Bullets, "bounds: that of gate has")


def charts_of(report: Reported) -> Iterator[Chart]:
    """The charts on the page of a report."""
    blocks = document_of(report.in_texts(), on_page=True)
    return (block for block in blocks if isinstance(block, Chart))


def find(report: Reported, kind: type, what: str, position: int = 0) -> Figure:
    """The chart of a report that shows this kind of drawing."""
    found = [chart for chart in charts_of(report) if isinstance(chart.drawing, kind)]
    if not 0 <= position < len(found):
        raise has_no(what)
    return figure_of(found[position])


def has_no(what: str) -> UsageError:
    """The error for a report without such a chart."""
    what, _, which = what.partition(": ")
    return UsageError(f"this report has no {what}", hint=which)


def figure_of(chart: Chart) -> Figure:
    """A chart as a figure of plotly, in the light colours of the page."""
    if find_spec("plotly") is None:
        raise UsageError(
            "charts need plotly, which is not installed", hint="pip install 'clustcmp[report]'"
        )
    import plotly.graph_objects as go

    figure = draw(chart.drawing)
    columns = figure.get("columns", {})
    data = [resolve(take_rows(trace, columns)) for trace in figure["data"]]
    layout = resolve(figure["layout"])
    layout["title"] = {"text": chart.title}
    layout["margin"] = {**layout["margin"], "t": layout["margin"]["t"] + 50}
    layout["height"] += 50
    return go.Figure({"data": data, "layout": layout})


def take_rows(trace: dict[str, Any], columns: dict[str, Any]) -> dict[str, Any]:
    """A trace with its rows of the columns that several traces share."""
    if "take" not in trace:
        return trace
    rest = {key: value for key, value in trace.items() if key not in ("take", "rows")}
    taken = {
        key: np.asarray(columns[name], dtype=None)[trace["rows"]].tolist()
        for key, name in trace["take"].items()
    }
    return {**rest, **taken}


def resolve(value: Any) -> Any:
    """A part of a figure with the colours that it names."""
    if isinstance(value, dict):
        if value.keys() == {"css"}:
            return light_colours()[value["css"]]
        return {key: resolve(entry) for key, entry in value.items()}
    return list(map(resolve, value)) if isinstance(value, list) else value


def light_colours() -> dict[str, str]:
    """The colours of a light page, by their names in its style."""
    style = files("clustcmp.render.html").joinpath("page.css").read_text(encoding="utf-8")
    return dict(re.findall(r"--([a-z]+):(#[0-9a-f]+)", style.partition("}")[0]))
