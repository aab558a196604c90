"""Charts as figures of plotly in a page: the data, and the library that draws them."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from clustcmp.render.blocks import Chart
from clustcmp.render.html.draw import draw

NO_CHARTS = (
    "This page has tables and no charts: charts need plotly (pip install 'clustcmp[report]')"
)

# Arrays in a page are written as plotly reads them, by these names of their types.
TYPES = {"float32": "f4", "int32": "i4", "uint16": "u2"}


@cache
def plotly_script() -> str:
    """The library that draws charts, as a script; empty where plotly is not installed."""
    found = find_spec("plotly")
    for folder in found.submodule_search_locations or () if found else ():
        path = Path(folder) / "package_data" / "plotly.min.js"
        if path.is_file():
            # In a page line ends are \n, and the hash of the script is that of the page's text.
            return path.read_text(encoding="utf-8").replace("\r\n", "\n")
    return ""


def figures_of(charts: Sequence[Chart]) -> str:
    """The figures of all charts as JSON that is inert within a page."""
    figures = [{"name": chart.title, **draw(chart.drawing)} for chart in charts]
    if not figures:
        return ""
    text = json.dumps(
        figures, default=as_json, allow_nan=False, separators=(",", ":"), ensure_ascii=False
    )
    # No tag and no comment can begin or end within the data, and GitHub finds no command.
    for character in "<>&#":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def as_json(value: Any) -> Any:
    """An array as plotly reads it, or a number of numpy."""
    if isinstance(value, np.ndarray):
        data = b64encode(np.ascontiguousarray(value).tobytes()).decode()
        return {"dtype": TYPES[value.dtype.name], "bdata": data}
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a chart has {type(value)}")
