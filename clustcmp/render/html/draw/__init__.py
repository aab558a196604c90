"""Drawings as figures of plotly: dictionaries, without plotly itself.

A figure has `data`, `layout`, `narrow` (what is different on a phone) and `columns`, which several
traces share: {"take": {"x": name}, "rows": rows} is a trace whose x are these rows of a column. A
colour of the page is {"css": name}. The page's script and `clustcmp.plots` put in what is meant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clustcmp.render.drawings import (
    Bullets,
    Clouds,
    Dots,
    Drawing,
    Flowing,
    Heat,
    Lives,
    Series,
    Tree,
    Trials,
)
from clustcmp.render.html.draw.clouds import draw_clouds
from clustcmp.render.html.draw.dots import draw_bullets, draw_dots, draw_trials
from clustcmp.render.html.draw.flowing import draw_flowing
from clustcmp.render.html.draw.heat import draw_heat
from clustcmp.render.html.draw.lives import draw_lives
from clustcmp.render.html.draw.series import draw_series
from clustcmp.render.html.draw.tree import draw_tree

WAYS: dict[type, Callable[[Any], dict[str, Any]]] = {
    Heat: draw_heat,
    Flowing: draw_flowing,
    Clouds: draw_clouds,
    Tree: draw_tree,
    Series: draw_series,
    Lives: draw_lives,
    Trials: draw_trials,
    Dots: draw_dots,
    Bullets: draw_bullets,
}


def draw(drawing: Drawing) -> dict[str, Any]:
    """The figure of a drawing."""
    return WAYS[type(drawing)](drawing)
