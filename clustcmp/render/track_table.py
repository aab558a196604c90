"""A track for people: the series with bars and sparklines, and the life lines."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from functools import partial

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from clustcmp.analyses.track.report import Track
from clustcmp.choices import Color
from clustcmp.registry import Registry
from clustcmp.render.tables import NARROWEST, draw, plain_table
from clustcmp.render.track_words import (
    LONGEST_STRIP,
    choose_lines,
    heights,
    largest_mass,
    masses_by_window,
    show_events,
    show_lives,
    show_masses,
    show_remarks,
    show_rest,
    show_result,
    show_stream,
    show_verdict,
    sort_metrics,
    sparkline,
)
from clustcmp.render.widths import short
from clustcmp.render.words import show_direction, show_unfit
from clustcmp.results import Status

# Characters of a full bar, and of a cluster's name.
BAR = 20
LONGEST_NAME = 28
SHORTEST_NAME = 8
EIGHTHS = " ▏▎▍▌▋▊▉"

# Columns that are left for what happened to a cluster, beside its name and its strip.
ROOM_FOR_EVENTS = 26

LEGEND = "bars: how far from the best value   ↑ higher is better   ↓ lower is better"


def track_table(track: Track, registry: Registry, color: Color, show_all: bool) -> str:
    """The windows, the series of each metric, the life lines, the verdict."""
    parts: list[RenderableType] = [windows_grid(track)]
    shown, unfit = sort_metrics(track)
    for metric in shown:
        parts += [Text(), *series_parts(track, metric, registry)]
    parts += [Text(), *(Text(line, style="dim") for line in (LEGEND, *show_unfit(unfit)))]
    if track.life_lines is not None:
        parts += [Text(), *life_parts(track, show_all)]
    parts += verdict_parts(track)
    return draw(parts, color)


def windows_grid(track: Track) -> Table:
    """One line for each window."""
    grid = Table.grid(padding=(0, 2))
    for name, file, points, clusters, *rest in show_stream(track):
        numbers = [Text(words, justify="right") for words in (points, clusters)]
        grid.add_row(Text(name, style="bold"), Text(file), *numbers, *rest)
    return grid


def series_parts(track: Track, metric: str, registry: Registry) -> Iterator[RenderableType]:
    """The values of one metric along the stream."""
    results = track.series(metric)
    declared = registry[results[0].name]
    shares = heights(results)
    words = [
        show_direction(results[0].higher_is_better, results[0].best),
        declared.describe(results[0].options),
    ]
    yield Text.assemble(
        (metric, "bold cyan"),
        (f"  {sparkline(shares)}", "cyan"),
        ("".join(f"  {word}" for word in words if word), "dim"),
    )
    table = Table.grid(padding=(0, 2))
    for step, result, share in zip(track.steps, results, shares, strict=True):
        remarks = Text(", ".join(show_remarks(track, step, result)), style="bold yellow")
        if "✗" in remarks.plain:
            remarks.stylize("bold red")
        value = Text(show_result(result), justify="right", no_wrap=True)
        value.stylize("bold" if result.status is Status.ok else "yellow")
        table.add_row(Text(f"  {step.title}", no_wrap=True), value, show_bar(share), remarks)
    yield table


def show_bar(share: float | None) -> Text:
    """A bar as long as the share; nothing where there is no value."""
    eighths = round((share or 0.0) * BAR * 8)
    return Text(("█" * (eighths // 8) + EIGHTHS[eighths % 8]).rstrip(), style="cyan", no_wrap=True)


def life_parts(track: Track, show_all: bool) -> Iterator[RenderableType]:
    """The largest life lines, or all of them."""
    lines = track.life_lines or ()
    shown = choose_lines(lines, show_all)
    largest = largest_mass(lines)
    yield Text(show_lives(track), style="bold cyan")
    masses = [show_masses(line) for line in shown]
    longest_name, longest_strip = share_room(track, max(map(len, masses)))
    quote = partial(short, width=longest_name)
    table = life_table(track)
    for line, mass in zip(shown, masses, strict=True):
        events = "; ".join(show_events(line, track.lag, quote))
        strip = masses_by_window(line, track.windows, largest, longest_strip)
        name = quote(line.clusters[0].name)
        table.add_row(Text(f"  {name}"), Text(strip), Text(mass), Text(events, overflow="fold"))
    yield table
    if len(shown) < len(lines):
        yield Text(f"  {show_rest(len(lines) - len(shown))}", style="dim")


def life_table(track: Track) -> Table:
    """The table of life lines without its rows; only what happened may take several lines."""
    table = plain_table()
    for header in ("  cluster", f"W1-W{len(track.windows)}"):
        table.add_column(header, no_wrap=True)
    table.add_column("mass", justify="right", no_wrap=True)
    table.add_column("what happened")
    return table


def share_room(track: Track, widest_mass: int) -> tuple[int, int]:
    """How many columns a name and a strip may have, so that all columns fit the terminal."""
    places = min(len(track.windows), LONGEST_STRIP)
    if not sys.stdout.isatty():
        return LONGEST_NAME, places
    terminal = max(shutil.get_terminal_size().columns, NARROWEST)
    title = len(f"W1-W{len(track.windows)}")
    room = terminal - len("  ") - 3 * len("  ") - max(widest_mass, len("mass")) - ROOM_FOR_EVENTS
    strip = max(min(places, room // 2), title, 1)
    return max(min(LONGEST_NAME, room - strip), SHORTEST_NAME), min(places, strip)


def verdict_parts(track: Track) -> Iterator[RenderableType]:
    """The verdict, if bounds were given."""
    lines = show_verdict(track)
    if lines:
        yield Text()
    for number, line in enumerate(lines):
        style = "green" if "pass" in line.split(":")[0 if number else 1] else "red"
        yield Text(line if not number else f"  {line}", style=f"bold {style}" if not number else "")
