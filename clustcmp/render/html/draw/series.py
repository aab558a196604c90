"""Curves over the same steps, one below the other."""

from __future__ import annotations

from collections.abc import Iterator

from clustcmp.render.drawings import Curve, Series
from clustcmp.render.html.draw.looks import (
    COLOURS,
    FAINT,
    INK,
    LONGEST,
    Figure,
    label,
    layout_of,
    number_axis,
)
from clustcmp.render.words import show_value

# Pixels of a curve, and the share of them between two curves.
PIXELS, GAP = 130, 0.3

# The colour of values that do not keep a bound.
BROKEN = COLOURS[5]

# Names of steps that fit below the last curve.
MOST_STEPS = 24


def draw_series(series: Series) -> Figure:
    """A plot for each curve."""
    n = len(series.curves)
    every = max(1, -(-len(series.steps) // MOST_STEPS))
    layout = layout_of(
        PIXELS * n + 50,
        xaxis=number_axis(
            tickvals=list(range(0, len(series.steps), every)),
            ticktext=[label(step, LONGEST) for step in series.steps[::every]],
            anchor=f"y{n}" if n > 1 else "y",
            range=[-0.5, len(series.steps) - 0.5],
            zeroline=False,
            fixedrange=True,
        ),
        annotations=[],
        margin={"l": 8, "r": 8, "t": 26, "b": 8},
    )
    data: list[Figure] = []
    for number, curve in enumerate(series.curves, 1):
        axis = "" if number == 1 else str(number)
        top = 1.0 - (number - 1) / n
        layout[f"yaxis{axis}"] = number_axis(
            domain=[top - (1.0 - (GAP if n > 1 else 0.0)) / n, top],
            nticks=4,
            zeroline=False,
            fixedrange=True,
        )
        layout["annotations"].append(title_of(curve, axis))
        data += traces(series, curve, axis)
    return {"data": data, "layout": layout, "narrow": {"font": {"size": 10}}}


def title_of(curve: Curve, axis: str) -> Figure:
    """The name of a metric above its curve."""
    return {
        "text": f"<b>{label(curve.metric, LONGEST)}</b> {curve.about}",
        "xref": "paper",
        "yref": f"y{axis} domain",
        "x": 0,
        "y": 1.02,
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"color": INK},
    }


def traces(series: Series, curve: Curve, axis: str) -> Iterator[Figure]:
    """The bounds, the curve, the broken values and the largest jump."""
    steps = list(range(len(series.steps)))
    where = {"type": "scatter", "yaxis": f"y{axis}"}
    for title, bound in curve.bounds:
        yield {
            **where,
            "mode": "lines",
            "x": [-0.5, len(steps) - 0.5],
            "y": [bound, bound],
            "line": {"color": FAINT, "dash": "dash", "width": 1.5},
            "text": label(title, LONGEST),
            "hoverinfo": "text",
        }
    yield {
        **where,
        "mode": "lines+markers",
        "x": steps,
        "y": list(curve.values),
        "line": {"color": COLOURS[0], "width": 2},
        "marker": {"size": 7},
        "text": [
            f"{step}<br>{'no value' if value is None else show_value(value)}"
            for step, value in zip(series.steps, curve.values, strict=True)
        ],
        "hoverinfo": "text",
    }
    broken = [at for at in curve.failed if curve.values[at] is not None]
    if broken:
        look = {"symbol": "x", "size": 12, "color": BROKEN}
        yield {**where, **marks(curve, broken, look)}
    if curve.jump is not None:
        look = {"symbol": "circle-open", "size": 16, "color": INK, "line": {"width": 2}}
        yield {**where, **marks(curve, [curve.jump], look)}


def marks(curve: Curve, at: list[int], look: Figure) -> Figure:
    """Marks at some of the values."""
    y = [curve.values[one] for one in at]
    return {"mode": "markers", "x": at, "y": y, "marker": look, "hoverinfo": "skip"}
