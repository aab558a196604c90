"""Clusters from window to window as bands."""

from __future__ import annotations

from collections.abc import Iterator

from clustcmp.render.drawings import Life, Lives
from clustcmp.render.html.draw.flowing import EASE, STEPS, shape
from clustcmp.render.html.draw.looks import (
    FAINT,
    INK,
    LONGEST,
    Figure,
    bare_axis,
    colour_of,
    fade,
    label,
    layout_of,
    named_axis,
)

# Half the width of a window's bar, where windows are one apart.
HALF = 0.06

# The share of the height between the bars of a window, and the least height of a named bar.
GAPS, NAMED = 0.2, 0.03

# Names of windows below the bands.
MOST_NAMES = 30

Place = tuple[float, float]


def draw_lives(lives: Lives) -> Figure:
    """The bars of each window, the bands between them, and the names where lives begin."""
    places = place(lives)
    n = len(lives.windows)
    data = [*bands(lives, places), *bars(lives, places), beginnings(lives, places)]
    every = max(1, -(-n // MOST_NAMES))
    axis = named_axis([label(name) for name in lives.windows], range=[-0.5, n - 0.2])
    axis["tickvals"], axis["ticktext"] = axis["tickvals"][::every], axis["ticktext"][::every]
    layout = layout_of(
        max(280, min(700, 22 * len(lives.lives) + 60)),
        xaxis=axis,
        yaxis=bare_axis(-0.02, 1.04),
        shapes=list(events(lives, places)),
    )
    return {"data": data, "layout": layout, "narrow": {"font": {"size": 9}}}


def place(lives: Lives) -> list[list[Place | None]]:
    """For each life the upper and the lower end of its bar in each window."""
    sums = [sum(life.masses[at] or 0.0 for life in lives.lives) for at in range(len(lives.windows))]
    largest = max(sums) or 1.0
    most = max(sum(life.masses[at] is not None for life in lives.lives) for at in range(len(sums)))
    gap = GAPS / max(most - 1, 1)
    tops = [1.0] * len(sums)
    places: list[list[Place | None]] = []
    for life in lives.lives:
        own: list[Place | None] = []
        for at, mass in enumerate(life.masses):
            if mass is None:
                own.append(None)
                continue
            bottom = tops[at] - (1.0 - GAPS) * mass / largest
            own.append((tops[at], bottom))
            tops[at] = bottom - gap
        places.append(own)
    return places


def bands(lives: Lives, places: list[list[Place | None]]) -> Iterator[Figure]:
    """A band from each window in which a cluster lives to the next one."""
    for life, own in zip(lives.lives, places, strict=True):
        for at in range(len(own) - lives.lag):
            here, there = own[at], own[at + lives.lag]
            if here is None or there is None:
                continue
            x = at + HALF + (lives.lag - 2.0 * HALF) * STEPS
            upper = here[0] + (there[0] - here[0]) * EASE
            lower = here[1] + (there[1] - here[1]) * EASE
            colour = colour_of(life.style)
            yield shape(
                [*x, *x[::-1]], [*upper, *lower[::-1]], fade(colour, 0.45), say(life), colour
            )


def bars(lives: Lives, places: list[list[Place | None]]) -> Iterator[Figure]:
    """A bar for each cluster of each window."""
    for life, own in zip(lives.lives, places, strict=True):
        for at, here in enumerate(own):
            if here is None:
                continue
            top, bottom = here
            colour = colour_of(life.style)
            text = f"{say(life)}<br>{label(lives.windows[at])}: {life.masses[at]:,.6g} points"
            x = [at - HALF, at + HALF, at + HALF, at - HALF]
            yield shape(x, [top, top, bottom, bottom], colour, text, colour)


def say(life: Life) -> str:
    """What the pointer shows for a life."""
    words = f"<br>{label(life.words, LONGEST)}" if life.words else ""
    return f"{label(life.name, LONGEST)}{words}"


def beginnings(lives: Lives, places: list[list[Place | None]]) -> Figure:
    """The names of clusters, where their lives begin."""
    x, y, text = [], [], []
    for life, own in zip(lives.lives, places, strict=True):
        at = next(at for at, here in enumerate(own) if here is not None)
        top, bottom = own[at] or (0.0, 0.0)
        if top - bottom >= NAMED:
            x.append(at + HALF + 0.02)
            y.append(round((top + bottom) / 2.0, 4))
            text.append(label(life.name))
    return {
        "type": "scatter",
        "mode": "text",
        "x": x,
        "y": y,
        "text": text,
        "textposition": "middle right",
        "textfont": {"color": INK},
        "hoverinfo": "skip",
    }


def events(lives: Lives, places: list[list[Place | None]]) -> Iterator[Figure]:
    """A thin line from the cluster that a life split from, and one into its heir."""
    for life, own in zip(lives.lives, places, strict=True):
        there = [at for at, here in enumerate(own) if here is not None]
        first, last = there[0], there[-1]
        ends = []
        if life.origin is not None and first >= lives.lag:
            ends.append(
                (places[life.origin][first - lives.lag], first - lives.lag, own[first], first)
            )
        if life.heir is not None and last + lives.lag < len(own):
            ends.append((own[last], last, places[life.heir][last + lives.lag], last + lives.lag))
        for begin, x0, end, x1 in ends:
            if begin is not None and end is not None:
                yield {
                    "type": "line",
                    "x0": x0 + HALF,
                    "x1": x1 - HALF,
                    "y0": sum(begin) / 2.0,
                    "y1": sum(end) / 2.0,
                    "line": {"color": FAINT, "width": 1.5, "dash": "dot"},
                }
