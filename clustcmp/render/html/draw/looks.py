"""How all charts look: colours, symbols, names and axes."""

from __future__ import annotations

import html
from typing import Any

from clustcmp.render.drawings import OTHERS
from clustcmp.render.widths import short

Figure = dict[str, Any]

# Six colours that people with any kind of colour blindness tell apart, on white and on black. The
# tests simulate what they see.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "star")
GREY = "#8b949e"

INK, FAINT, PAPER, LINE, BAND, STRONG = (
    {"css": name} for name in ("ink", "faint", "paper", "line", "band", "heat")
)

# Columns for a name beside a mark, and for one that the pointer shows.
BRIEF = 14
LONGEST = 60


def colour_of(style: int) -> str:
    """The colour of a style."""
    return GREY if style == OTHERS else COLOURS[style % len(COLOURS)]


def symbol_of(style: int) -> str:
    """The symbol of a style: no two of 36 styles share both colour and symbol."""
    if style == OTHERS:
        return "circle-open"
    return SYMBOLS[(style + style // len(COLOURS)) % len(SYMBOLS)]


def fade(colour: str, opacity: float) -> str:
    """A colour that lets others shine through."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


def label(name: str, width: int = BRIEF) -> str:
    """A name in which plotly finds no markup."""
    return html.escape(short(name, width), quote=False)


def layout_of(height: int, **more: Any) -> Figure:
    """What the layouts of all charts have in common."""
    return {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "paper_bgcolor": PAPER,
        "plot_bgcolor": PAPER,
        "font": {"color": INK, "family": "system-ui, sans-serif", "size": 12},
        "hoverlabel": {"bgcolor": PAPER, "bordercolor": LINE, "font": {"color": INK}},
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
        **more,
    }


def bare_axis(low: float, high: float) -> Figure:
    """An axis that is not seen."""
    return {"range": [low, high], "visible": False, "fixedrange": True}


def named_axis(names: list[str], **more: Any) -> Figure:
    """An axis with a name at each whole number."""
    return {
        "tickvals": list(range(len(names))),
        "ticktext": names,
        "automargin": True,
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
        **more,
    }


def number_axis(title: str = "", **more: Any) -> Figure:
    """An axis of numbers."""
    return {
        "title": {"text": title},
        "gridcolor": LINE,
        "zerolinecolor": LINE,
        "linecolor": LINE,
        "automargin": True,
        **more,
    }
