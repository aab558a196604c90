"""Drawings as figures of plotly: dictionaries, without plotly itself.

A figure has `data`, `layout`, `narrow` (what is different on a phone) and `columns`, which several
traces share. A colour of the page is {"css": name}, some rows of a column are {"take": name, "at":
rows}; the page's script and `clustcmp.plots` put in what these stand for.
"""

from __future__ import annotations

from typing import Any

from clustcmp.render.drawings import Clouds, Drawing, Flowing, Heat
from clustcmp.render.html.draw.clouds import draw_clouds
from clustcmp.render.html.draw.flowing import draw_flowing
from clustcmp.render.html.draw.heat import draw_heat


def draw(drawing: Drawing) -> dict[str, Any]:
    """The figure of a drawing."""
    match drawing:
        case Heat():
            return draw_heat(drawing)
        case Flowing():
            return draw_flowing(drawing)
        case Clouds():
            return draw_clouds(drawing)
