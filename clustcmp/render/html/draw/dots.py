"""Values as dots: how stable numbers of clusters and clusters are, and the bounds of a gate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clustcmp.render.drawings import Bullets, Dots, Trials
from clustcmp.render.html.draw.looks import (
    BAND,
    COLOURS,
    FAINT,
    INK,
    LINE,
    LONGEST,
    Figure,
    bare_axis,
    label,
    layout_of,
    named_axis,
    number_axis,
)
from clustcmp.render.words import show_value

# Pixels of a row.
ROW = 28

# The colours and the symbols of what keeps a bound, of a warning, and of what does not keep one.
TONES = {"good": ("good", "circle"), "caution": ("caution", "diamond-tall"), "bad": ("bad", "x")}

# Pixels of a bound, whose words stand above its scale.
BOUND = 76


def draw_trials(trials: Trials) -> Figure:
    """The mean, its spread and the prediction strength for each number of clusters."""
    known = [(at, one) for at, one in enumerate(trials.trials) if one.value is not None]
    values = [one.value or 0.0 for _, one in known]
    ends = [
        ((one.high or value) - value, value - (value if one.low is None else one.low))
        for (_, one), value in zip(known, values, strict=True)
    ]
    data: list[Figure] = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "x": [at for at, _ in known],
            "y": values,
            "error_y": {
                "type": "data",
                "symmetric": False,
                "array": [above for above, _ in ends],
                "arrayminus": [below for _, below in ends],
                "color": COLOURS[0],
                "thickness": 1.5,
            },
            "line": {"color": COLOURS[0], "width": 2},
            "marker": {"size": 9},
            "text": [
                f"{label(one.name, LONGEST)}<br>{label(trials.metric, LONGEST)} "
                f"{show_value(value)}{f'<br>{one.mark}' if one.mark else ''}"
                for (_, one), value in zip(known, values, strict=True)
            ],
            "hoverinfo": "text",
            "name": f"mean {label(trials.metric, LONGEST)}",
        }
    ]
    strengths = [
        (at, one.strength) for at, one in enumerate(trials.trials) if one.strength is not None
    ]
    shapes: list[Figure] = []
    if strengths and trials.enough is not None:
        data.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "x": [at for at, _ in strengths],
                "y": [strength for _, strength in strengths],
                "line": {"color": COLOURS[5], "width": 2, "dash": "dot"},
                "marker": {"size": 9, "symbol": "square"},
                "text": [f"prediction strength {strength:.3f}" for _, strength in strengths],
                "hoverinfo": "text",
                "name": "prediction strength",
            }
        )
        shapes.append(level(trials.enough))
    names = [label(one.name) for one in trials.trials]
    layout = layout_of(
        380,
        xaxis=named_axis(names, title={"text": label(trials.varied, LONGEST)}),
        yaxis=number_axis(zeroline=False, fixedrange=True),
        shapes=shapes,
        annotations=[mark(at, one.mark) for at, one in known if one.mark],
        showlegend=True,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    )
    return {"data": data, "layout": layout, "narrow": {"font": {"size": 10}}}


def level(at: float) -> Figure:
    """A dashed line at a height."""
    line = {"color": FAINT, "dash": "dash", "width": 1.5}
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": at, "y1": at, "line": line}


def mark(at: int, words: str) -> Figure:
    """Words above the best and the supported value."""
    return {
        "text": label(words, LONGEST),
        "x": at,
        "yref": "paper",
        "y": 0.02,
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"color": INK, "size": 11},
    }


def draw_dots(dots: Dots) -> Figure:
    """A row for each cluster, in front of what its value means."""
    n = len(dots.dots)
    data: list[Figure] = [
        {
            "type": "scatter",
            "mode": "markers",
            "x": [one.value for one in dots.dots],
            "y": list(range(n)),
            "marker": {"size": 11, "color": COLOURS[0]},
            "text": [
                f"{label(one.name, LONGEST)}: {show_value(one.value or 0.0)}<br>"
                f"{label(one.words, 90)}"
                for one in dots.dots
            ],
            "hoverinfo": "text",
        }
    ]
    shapes = [
        {
            "type": "rect",
            "yref": "paper",
            "layer": "below",
            "x0": low,
            "x1": high,
            "y0": 0,
            "y1": 1,
            "fillcolor": BAND if at % 2 else "rgba(0,0,0,0)",
            "line": {"width": 0},
        }
        for at, (low, high, _) in enumerate(dots.zones)
    ]
    layout = layout_of(
        ROW * n + 90,
        xaxis=number_axis(dots.title, range=[-0.02, 1.02], zeroline=False, fixedrange=True),
        yaxis=named_axis([label(one.name) for one in dots.dots], range=[n - 0.5, -0.5]),
        shapes=shapes,
        annotations=[
            {
                "text": title,
                "x": (low + high) / 2.0,
                "yref": "paper",
                "y": 1.0,
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"color": FAINT, "size": 11},
            }
            for low, high, title in dots.zones
        ],
        margin={"l": 8, "r": 8, "t": 24, "b": 8},
    )
    return {"data": data, "layout": layout}


def draw_bullets(bullets: Bullets) -> Figure:
    """A scale for each bound, from 0 to 1 whatever its ends are."""
    data: list[Figure] = []
    shapes: list[Figure] = []
    notes: list[Figure] = []
    for row, one in enumerate(bullets.bullets):
        low, high = one.scale

        def at(value: float, low: float = low, high: float = high) -> float:
            """Where a value is on the scale."""
            return round((value - low) / ((high - low) or 1.0), 5)

        colour, symbol = TONES[one.tone]
        shapes += [box(row, 0.0, 1.0, BAND, LINE)]
        shapes += [box(row, at(one.kept[0]), at(one.kept[1]), {"css": "kept"}, LINE)]
        if one.ends is not None:
            data.append(line(row, [at(end) for end in one.ends]))
        if one.accepted is not None:
            data.append(dot(row, at(one.accepted), "diamond-open", "faint", "accepted value"))
        if one.value is not None:
            text = f"{one.word}: {label(one.bound, LONGEST)}<br>found {label(one.found, 90)}"
            data.append(dot(row, at(one.value), symbol, colour, text))
        title = f"<b>{label(one.word)}</b> {label(one.bound, LONGEST)}"
        notes += [
            note(row, 0.0, -0.17, "left", "bottom", title, INK),
            note(row, 0.0, 0.17, "left", "top", show_end(low), FAINT),
            note(row, 1.0, 0.17, "right", "top", show_end(high), FAINT),
        ]
    n = len(bullets.bullets)
    layout = layout_of(
        BOUND * n + 16,
        xaxis=bare_axis(-0.02, 1.02),
        yaxis=bare_axis(n - 0.5, -0.5),
        shapes=shapes,
        annotations=notes,
    )
    return {"data": data, "layout": layout, "narrow": {"font": {"size": 11}}}


def show_end(value: float) -> str:
    """An end of a scale in short."""
    return f"{value:.4g}"


def box(row: int, x0: float, x1: float, fill: Any, edge: Any) -> Figure:
    """A part of a scale."""
    return {
        "type": "rect",
        "layer": "below",
        "x0": x0,
        "x1": x1,
        "y0": row - 0.15,
        "y1": row + 0.15,
        "fillcolor": fill,
        "line": {"color": edge, "width": 1},
    }


def line(row: int, ends: Sequence[float]) -> Figure:
    """An interval on a scale."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": list(ends),
        "y": [row, row],
        "line": {"color": INK, "width": 2},
        "hoverinfo": "skip",
    }


def dot(row: int, x: float, symbol: str, colour: str, text: str) -> Figure:
    """A value on a scale."""
    edge = {"width": 2 if "open" in symbol else 1, "color": {"css": "ink"}}
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [x],
        "y": [row],
        "marker": {"symbol": symbol, "size": 14, "color": {"css": colour}, "line": edge},
        "text": [text],
        "hoverinfo": "text",
        "cliponaxis": False,
    }


def note(
    row: int, x: float, shift: float, xanchor: str, yanchor: str, text: str, colour: Any
) -> Figure:
    """Words beside a scale."""
    return {
        "text": text,
        "x": x,
        "y": row + shift,
        "xanchor": xanchor,
        "yanchor": yanchor,
        "showarrow": False,
        "font": {"color": colour, "size": 12},
    }
