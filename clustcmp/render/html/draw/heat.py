"""A heat map of shares."""

from __future__ import annotations

from clustcmp.render.drawings import Heat
from clustcmp.render.html.draw.looks import (
    BAND,
    LINE,
    LONGEST,
    STRONG,
    Figure,
    label,
    layout_of,
    named_axis,
)
from clustcmp.render.words import show_share

# Cells with a number in them, in one row.
MOST_NUMBERS = 12

# Columns whose names stand level.
MOST_LEVEL = 6

# Pixels of a row.
LOWEST, HIGHEST = 20, 34


def draw_heat(heat: Heat) -> Figure:
    """A cell for each row and column; the first row is on top."""
    has_numbers = len(heat.columns) <= MOST_NUMBERS
    columns = [label(name, LONGEST) for name in heat.columns]
    texts = [
        [
            f"{label(row, LONGEST)} → {column}<br>{mass:,.6g} points, {show_share(share)}"
            for column, mass, share in zip(columns, masses, shares, strict=True)
        ]
        for row, masses, shares in zip(heat.rows, heat.masses, heat.shares, strict=True)
    ]
    trace: Figure = {
        "type": "heatmap",
        "z": heat.shares,
        "zmin": 0,
        "zmax": 1,
        "xgap": 1,
        "ygap": 1,
        "colorscale": [[0, BAND], [1, STRONG]],
        "showscale": False,
        "hovertext": texts,
        "hoverinfo": "text",
    }
    if has_numbers:
        trace["text"] = [
            [show_share(share) if share else "" for share in shares] for shares in heat.shares
        ]
        trace["texttemplate"] = "%{text}"
    pixels = HIGHEST if has_numbers else LOWEST
    layout = layout_of(
        pixels * len(heat.rows) + 110,
        xaxis=named_axis(
            [label(name) for name in heat.columns],
            side="top",
            tickangle=0 if len(heat.columns) <= MOST_LEVEL else -40,
        ),
        yaxis=named_axis([label(name) for name in heat.rows], autorange="reversed"),
    )
    layout["plot_bgcolor"] = LINE
    narrow = {"font": {"size": 10}}
    return {"data": [trace], "layout": layout, "narrow": narrow}
