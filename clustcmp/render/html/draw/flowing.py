"""Flows between clusters on the left and on the right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from clustcmp.render.drawings import OTHERS, Flowing, Node, Stream
from clustcmp.render.html.draw.looks import (
    INK,
    LONGEST,
    Figure,
    bare_axis,
    colour_of,
    fade,
    label,
    layout_of,
)

# Of the height, what is left between clusters; of the width, the bar of a cluster.
GAPS = 0.18
WIDTH = 0.025

# The width on both sides for names, where the flows are from 0 to 1.
ROOM, ROOM_ON_A_PHONE = 0.26, 0.5

# Of the height, the least that a node with a name needs; and pixels of a node.
NAMED = 0.018
PIXELS = 26

# From 0 to 1, slow at both ends, so that bands leave and arrive level.
STEPS = np.linspace(0.0, 1.0, 13)
EASE = STEPS * STEPS * (3.0 - 2.0 * STEPS)

Place = tuple[float, float]


def draw_flowing(drawing: Flowing) -> Figure:
    """A band for each flow, a bar for each cluster, and their names."""
    total = sum(node.mass for node in drawing.left)
    left, right = (place(nodes) for nodes in (drawing.left, drawing.right))
    data = [*bands(drawing, left, right, total)]
    data += [*bars(drawing.left, left, 0.0, total), *bars(drawing.right, right, 1.0 - WIDTH, total)]
    data += [names(drawing.left, left, -0.01, "left"), names(drawing.right, right, 1.01, "right")]
    height = max(260, PIXELS * max(len(drawing.left), len(drawing.right)))
    layout = layout_of(height, xaxis=bare_axis(-ROOM, 1.0 + ROOM), yaxis=bare_axis(-0.01, 1.01))
    narrow = {
        "font": {"size": 10},
        "xaxis": {"range": [-ROOM_ON_A_PHONE, 1.0 + ROOM_ON_A_PHONE]},
    }
    return {"data": data, "layout": layout, "narrow": narrow}


def place(nodes: Sequence[Node]) -> list[Place]:
    """The upper and the lower end of each node, from 1 at the top to 0."""
    total = sum(node.mass for node in nodes)
    gap = GAPS / (len(nodes) - 1) if len(nodes) > 1 else 0.0
    room = 1.0 - gap * (len(nodes) - 1)
    places, top = [], 1.0
    for node in nodes:
        bottom = top - room * node.mass / total
        places.append((top, bottom))
        top = bottom - gap
    return places


def bands(
    drawing: Flowing, left: Sequence[Place], right: Sequence[Place], total: float
) -> Iterator[Figure]:
    """A band for each flow; at a node, bands are in the order of their other ends."""
    begins = ends_of(drawing.streams, drawing.left, left, "left")
    ends = ends_of(drawing.streams, drawing.right, right, "right")
    # Flows to matches lie below the others, which the reader is looking for.
    order = sorted(
        range(len(drawing.streams)), key=lambda at: (not drawing.streams[at].is_match, at)
    )
    for at in order:
        stream = drawing.streams[at]
        source, target = drawing.left[stream.left], drawing.right[stream.right]
        (top, bottom), (other_top, other_bottom) = begins[at], ends[at]
        upper = top + (other_top - top) * EASE
        lower = bottom + (other_bottom - bottom) * EASE
        x = WIDTH + (1.0 - 2.0 * WIDTH) * STEPS
        colour = colour_of(source.style)
        is_folded = OTHERS in (source.style, target.style)
        where = "" if is_folded else ": moved"
        where = ": stays in the match" if stream.is_match else where
        yield shape(
            [*x, *x[::-1]],
            [*upper, *lower[::-1]],
            fade(colour, 0.3 if stream.is_match or is_folded else 0.75),
            f"{label(source.name, LONGEST)} → {label(target.name, LONGEST)}<br>"
            f"{stream.mass:,.6g} points, {100.0 * stream.mass / total:.3g} % of all{where}",
            colour,
        )


def ends_of(
    streams: Sequence[Stream], nodes: Sequence[Node], places: Sequence[Place], side: str
) -> dict[int, Place]:
    """Where each flow begins or ends: one below the other within its node."""
    other = "right" if side == "left" else "left"
    order = sorted(
        range(len(streams)),
        key=lambda at: (getattr(streams[at], side), getattr(streams[at], other)),
    )
    found, last, top = {}, -1, 0.0
    for at in order:
        node = getattr(streams[at], side)
        if node != last:
            last, top = node, places[node][0]
        upper, lower = places[node]
        bottom = top - (upper - lower) * streams[at].mass / nodes[node].mass
        found[at] = (top, bottom)
        top = bottom
    return found


def bars(
    nodes: Sequence[Node], places: Sequence[Place], x: float, total: float
) -> Iterator[Figure]:
    """A bar for each cluster."""
    for node, (top, bottom) in zip(nodes, places, strict=True):
        yield shape(
            [x, x + WIDTH, x + WIDTH, x],
            [top, top, bottom, bottom],
            colour_of(node.style),
            f"{label(node.name, LONGEST)}<br>{node.mass:,.6g} points, "
            f"{100.0 * node.mass / total:.3g} % of all",
            colour_of(node.style),
        )


def shape(x: Sequence[float], y: Sequence[float], fill: str, text: str, edge: str) -> Figure:
    """A filled outline that says something under the pointer."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [round(float(one), 4) for one in x],
        "y": [round(float(one), 5) for one in y],
        "fill": "toself",
        "fillcolor": fill,
        "line": {"width": 0.5, "color": edge},
        "hoveron": "fills",
        "hoverinfo": "text",
        "text": text,
    }


def names(nodes: Sequence[Node], places: Sequence[Place], x: float, side: str) -> Figure:
    """The names of the clusters that are high enough for one."""
    named = [
        (node, (top + bottom) / 2.0)
        for node, (top, bottom) in zip(nodes, places, strict=True)
        if top - bottom >= NAMED or len(nodes) <= 1.0 / NAMED / 2.0
    ]
    return {
        "type": "scatter",
        "mode": "text",
        "x": [x] * len(named),
        "y": [round(middle, 5) for _, middle in named],
        "text": [label(node.name) for node, _ in named],
        "textposition": f"middle {side}",
        "textfont": {"color": INK},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }
