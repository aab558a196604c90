"""A matrix as a heat map under a tree."""

from __future__ import annotations

import numpy as np

from clustcmp.render.drawings import Tree
from clustcmp.render.html.draw.looks import (
    BAND,
    FAINT,
    LINE,
    LONGEST,
    STRONG,
    Figure,
    label,
    layout_of,
    named_axis,
)
from clustcmp.render.words import show_value

# Rows up to which cells hold their values, and pixels of a row with and without.
MOST_NUMBERS = 10
LOW, HIGH = 14, 36

# The height of the tree in pixels.
TREE = 90

MEDOID = "◆ "


def draw_tree(tree: Tree) -> Figure:
    """A cell for each two things, and the tree above."""
    n = len(tree.names)
    has_numbers = n <= MOST_NUMBERS
    pixels = HIGH if has_numbers else max(LOW, min(HIGH, 700 // n))
    height = pixels * n + 60 + (TREE if tree.joins else 0)
    share = TREE / height if tree.joins else 0.0
    names = [
        (MEDOID if at == tree.medoid else "") + label(name) for at, name in enumerate(tree.names)
    ]
    data = [cells_of(tree, has_numbers)]
    layout = layout_of(
        height,
        xaxis=named_axis(names, side="bottom", tickangle=-40, range=[-0.5, n - 0.5]),
        yaxis=named_axis(names, range=[n - 0.5, -0.5], domain=[0.0, 1.0 - share]),
    )
    layout["plot_bgcolor"] = LINE
    if tree.joins:
        data.append(branches(tree))
        layout["yaxis2"] = {
            "domain": [1.0 - share, 1.0],
            "range": [-0.02, 1.05],
            "visible": False,
            "fixedrange": True,
        }
        layout["plot_bgcolor"] = {"css": "paper"}
    return {"data": data, "layout": layout, "narrow": {"font": {"size": 9}}}


def cells_of(tree: Tree, has_numbers: bool) -> Figure:
    """The heat map; darker is more alike."""
    values = [[None if np.isnan(one) else one for one in row] for row in tree.values.tolist()]
    ends = (STRONG, BAND) if tree.higher_is_better is False else (BAND, STRONG)
    texts = [
        [
            f"{label(row, LONGEST)}<br>{label(column, LONGEST)}<br>"
            f"{'no value' if value is None else show_value(value)}"
            for column, value in zip(tree.names, line, strict=True)
        ]
        for row, line in zip(tree.names, values, strict=True)
    ]
    trace: Figure = {
        "type": "heatmap",
        "z": values,
        "xgap": 1,
        "ygap": 1,
        "colorscale": [[0, ends[0]], [1, ends[1]]],
        "showscale": False,
        "hovertext": texts,
        "hoverinfo": "text",
    }
    if has_numbers:
        trace["text"] = [["—" if one is None else f"{one:.3f}" for one in row] for row in values]
        trace["texttemplate"] = "%{text}"
    return trace


def branches(tree: Tree) -> Figure:
    """The tree as one broken line."""
    x: list[float | None] = []
    y: list[float | None] = []
    for left, right, low, other_low, high in tree.joins:
        x += [left, left, right, right, None]
        y += [low, high, high, other_low, None]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": y,
        "yaxis": "y2",
        "line": {"color": FAINT, "width": 1.5},
        "hoverinfo": "skip",
    }
