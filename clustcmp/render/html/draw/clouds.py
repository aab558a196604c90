"""Two scatter plots side by side."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from clustcmp.arrays import Integers
from clustcmp.render.drawings import OTHERS, Cloud, Clouds
from clustcmp.render.html.draw.looks import (
    FAINT,
    INK,
    LONGEST,
    PAPER,
    Figure,
    colour_of,
    label,
    layout_of,
    number_axis,
    symbol_of,
)

# Above so many points a browser draws them with its graphics processor.
MOST_SHAPES = 4000

# Clusters whose names are in the plot.
MOST_NAMES = 14

# The opacity of points that did not move, where those that did have no rings.
PALE = 0.12

HEIGHT, HEIGHT_ON_A_PHONE = 440, 720


def draw_clouds(drawing: Clouds) -> Figure:
    """Each side with a trace for each of its groups and one for the points that moved."""
    a, b = drawing.a, drawing.b
    columns: Figure = {}
    data: list[Figure] = []
    is_same = np.array_equal(a.points, b.points) and a.ids == b.ids
    for cloud, axis in ((a, ""), (b, "2")):
        own = "" if is_same else axis
        if own not in columns:
            columns |= {
                f"x{own}": cloud.points[:, 0].astype(np.float32),
                f"y{own}": cloud.points[:, 1].astype(np.float32),
                f"id{own}": [label(one, LONGEST) for one in cloud.ids],
            }
        data += traces(cloud, axis, own, drawing.has_rings)
    first, second = drawing.axes
    x, y = number_axis(label(first, LONGEST)), number_axis(label(second, LONGEST))
    layout = layout_of(
        HEIGHT,
        xaxis={**x, "domain": [0, 0.48]},
        yaxis=y,
        xaxis2={**x, "domain": [0.52, 1], "matches": "x", "anchor": "y2"},
        yaxis2={
            **y,
            "matches": "y",
            "anchor": "x2",
            "title": {"text": ""},
            "showticklabels": False,
        },
        annotations=[*titles(drawing), *group_names(a, ""), *group_names(b, "2")],
        shapes=list(lines(drawing)),
        dragmode="zoom",
        margin={"l": 8, "r": 8, "t": 34, "b": 8},
    )
    narrow = {
        "height": HEIGHT_ON_A_PHONE,
        "xaxis": {"domain": [0, 1]},
        "yaxis": {"domain": [0.58, 1]},
        "xaxis2": {"domain": [0, 1]},
        "yaxis2": {"domain": [0, 0.42], "showticklabels": True},
        # A finger scrolls the page.
        "dragmode": False,
    }
    return {"data": data, "layout": layout, "narrow": narrow, "columns": columns}


def traces(cloud: Cloud, axis: str, columns: str, has_rings: bool) -> Iterator[Figure]:
    """The points of each group; those that moved have rings, or the others are pale."""
    n = len(cloud.points)
    size = 9 if n <= 300 else 6 if n <= MOST_SHAPES else 4
    usual = 0.85 if n <= MOST_SHAPES else 0.6
    chosen = [(np.ones(n, dtype=np.bool_), usual)]
    if not has_rings:
        chosen = [(~cloud.moved, PALE), (cloud.moved, 0.9)]
    for which, opacity in chosen:
        for group, (name, style) in enumerate(zip(cloud.names, cloud.styles, strict=True)):
            rows = np.flatnonzero(which & (cloud.groups == group))
            look = {"color": colour_of(style), "symbol": symbol_of(style), "size": size}
            if len(rows):
                words = f"cluster {label(name, LONGEST)}"
                yield trace(cloud, rows, axis, columns, {**look, "opacity": opacity}, words)
    rows = np.flatnonzero(cloud.moved)
    if has_rings and len(rows):
        ring = {"width": 1.5 if n <= MOST_SHAPES else 1, "color": INK}
        marker = {"color": INK, "symbol": "circle-open", "size": size + 5, "line": ring}
        yield trace(cloud, rows, axis, columns, marker, "moved", skip=True)


def trace(
    cloud: Cloud,
    rows: Integers,
    axis: str,
    columns: str,
    marker: Figure,
    meta: str,
    skip: bool = False,
) -> Figure:
    """Some of the points with one look."""
    take = {"x": f"x{columns}", "y": f"y{columns}", "text": f"id{columns}"}
    if skip:
        del take["text"]
    # Two bytes for each row are enough for as many points as a page has.
    small = np.uint16 if len(cloud.points) <= 1 << 16 else np.int32
    return {
        "type": "scattergl" if len(cloud.points) > MOST_SHAPES else "scatter",
        "mode": "markers",
        "take": take,
        "rows": rows.astype(small),
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
        "marker": marker,
        "meta": meta,
        # The dot below a ring says what the point is.
        **(
            {"hoverinfo": "skip"}
            if skip
            else {"hovertemplate": "%{text}<br>%{meta}<extra></extra>"}
        ),
    }


def titles(drawing: Clouds) -> Iterator[Figure]:
    """What each side is, above it."""
    for cloud, axis in ((drawing.a, ""), (drawing.b, "2")):
        yield {
            "text": label(cloud.title, LONGEST),
            "xref": f"x{axis} domain",
            "yref": f"y{axis} domain",
            "x": 0.5,
            "y": 1.01,
            "yanchor": "bottom",
            "showarrow": False,
            "font": {"color": FAINT, "size": 13},
        }


def middles(cloud: Cloud) -> dict[int, tuple[float, float]]:
    """The middle of each group that has a style, by its style."""
    found = {}
    for group, style in enumerate(cloud.styles):
        points = cloud.points[cloud.groups == group]
        if style != OTHERS and len(points):
            x, y = np.median(points, axis=0).tolist()
            found[style] = (x, y)
    return found


def group_names(cloud: Cloud, axis: str) -> Iterator[Figure]:
    """The names of the largest groups, in their middle."""
    where = middles(cloud)
    for name, style in zip(cloud.names, cloud.styles, strict=True):
        if 0 <= style < MOST_NAMES and style in where:
            x, y = where[style]
            yield {
                "text": label(name),
                "x": x,
                "y": y,
                "xref": f"x{axis}",
                "yref": f"y{axis}",
                "showarrow": False,
                "bgcolor": PAPER,
                "opacity": 0.85,
                "font": {"color": INK, "size": 11},
                "borderpad": 1,
                "bordercolor": colour_of(style),
            }


def lines(drawing: Clouds) -> Iterator[Figure]:
    """A line from the middle of each group of a to that of its match, across both plots."""
    left, right = middles(drawing.a), middles(drawing.b)
    for style in sorted(left.keys() & right.keys()):
        (x0, y0), (x1, y1) = left[style], right[style]
        yield {
            "type": "line",
            "xref": ["x", "x2"],
            "yref": ["y", "y2"],
            "x0": x0,
            "x1": x1,
            "y0": y0,
            "y1": y1,
            "line": {"color": colour_of(style), "width": 1.5, "dash": "dot"},
        }
