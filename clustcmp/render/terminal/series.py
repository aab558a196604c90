"""Streams for terminals: values with bars and sparklines, and life lines with strips of masses."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from clustcmp.render.blocks import Curve, LifeLines, Reading, Series, Tone
from clustcmp.render.terminal.console import room
from clustcmp.render.terminal.text import STYLES, as_text, plain_grid

# The heights of a sparkline, and the characters of a bar's end by eighths.
LEVELS = "▁▂▃▄▅▆▇█"
EIGHTHS = " ▏▎▍▌▋▊▉"

# Characters of a full bar.
BAR = 20

# The most and the fewest columns for the name of a cluster.
LONGEST_NAME = 28
SHORTEST_NAME = 8

# More windows than this share their places in a strip.
LONGEST_STRIP = 40

# Columns that are left for what happened to a cluster, beside its name and its strip.
ROOM_FOR_EVENTS = 26


def draw_series(block: Series) -> Iterator[RenderableType]:
    """The curves, with an empty line between them."""
    for number, curve in enumerate(block.curves):
        if number:
            yield Text()
        yield from draw_curve(curve)


def draw_curve(curve: Curve) -> Iterator[RenderableType]:
    """A title with a sparkline, and a row with a bar for each value."""
    words = "".join(f"  {word}" for word in (curve.best, curve.convention) if word)
    strip = sparkline([reading.height for reading in curve.readings])
    yield Text.assemble(
        (curve.metric, STYLES[Tone.heading]),
        (f"  {strip}", STYLES[Tone.chart]),
        (words, STYLES[Tone.faint]),
    )
    grid = Grid.grid(padding=(0, 2))
    for reading in curve.readings:
        grid.add_row(*draw_reading(reading))
    yield grid


def draw_reading(reading: Reading) -> Iterator[Text]:
    """The cells of one value."""
    yield Text(f"  {reading.step}", no_wrap=True)
    value = Text(reading.value, justify="right", no_wrap=True)
    value.stylize(STYLES[reading.tone])
    yield value
    eighths = round((reading.height or 0.0) * BAR * 8)
    bar = ("█" * (eighths // 8) + EIGHTHS[eighths % 8]).rstrip()
    yield Text(bar, STYLES[Tone.chart], no_wrap=True)
    remarks = as_text(reading.remarks, Tone.remark)
    remarks.stylize(STYLES[reading.remarks_tone])
    yield remarks


def sparkline(heights: Sequence[float | None], longest: int = LONGEST_STRIP) -> str:
    """A character for each height from 0 to 1, or the largest of several; a dot for none."""
    n_places = min(len(heights), longest)
    strip = []
    for place in range(n_places):
        ends = (place * len(heights) // n_places, (place + 1) * len(heights) // n_places)
        known = [height for height in heights[slice(*ends)] if height is not None]
        level = min(int(max(known) * len(LEVELS)), len(LEVELS) - 1) if known else None
        strip.append("·" if level is None else LEVELS[level])
    return "".join(strip)


def draw_lives(block: LifeLines) -> Iterator[RenderableType]:
    """A row for each life line; only what happened may take several lines."""
    longest_name, longest_strip = share_room(block)
    grid = plain_grid()
    for head in ("  cluster", block.span):
        grid.add_column(head, no_wrap=True)
    grid.add_column("mass", justify="right", no_wrap=True)
    grid.add_column("what happened")
    for life in block.lives:
        name = as_text(life.name, indent=2, longest_name=longest_name)
        events = as_text(life.events, longest_name=longest_name)
        events.overflow = "fold"
        grid.add_row(name, Text(sparkline(life.heights, longest_strip)), Text(life.mass), events)
    yield grid


def share_room(block: LifeLines) -> tuple[int, int]:
    """How many columns a name and a strip may have, so that all columns fit the terminal."""
    places = min(len(block.lives[0].heights), LONGEST_STRIP)
    if not sys.stdout.isatty():
        return LONGEST_NAME, places
    mass = max(len("mass"), *(len(life.mass) for life in block.lives))
    free = room() - len("  ") - 3 * len("  ") - mass - ROOM_FOR_EVENTS
    strip = max(min(places, free // 2), len(block.span), 1)
    return max(min(LONGEST_NAME, free - strip), SHORTEST_NAME), min(places, strip)
