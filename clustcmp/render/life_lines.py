"""Life lines in the document of `clustcmp track`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clustcmp.analyses.track.report import Begin, End, LifeLine, Track
from clustcmp.errors import plural
from clustcmp.render.blocks import (
    Block,
    Cell,
    Column,
    Heading,
    Lines,
    Name,
    Piece,
    Strip,
    Tone,
    join,
    table,
)
from clustcmp.render.words import (
    how_to_show_all,
    show_mass,
)

# Life lines that are shown unless all are asked for, and names in one line.
MOST_LINES = 20
MOST_NAMES = 2

# What a life line is, and what its events mean.
CONTINUES = (
    "life line: goes on with the cluster that has more than half of it, else with one that mostly "
    "comes from it"
)
EVENTS: dict[Begin | End, tuple[str, str]] = {
    Begin.split_off: (
        "split from",
        "more than half of it comes from this cluster, which goes on as another one",
    ),
    Begin.born: ("born", "no earlier cluster gives more than half of it"),
    End.merged: (
        "merged into",
        "more than half of it went to this cluster, which continues another one",
    ),
    End.died: ("died", "no later cluster has more than half of it"),
}

# Columns of a name in any format but JSON.
LONGEST_NAME = 60


def life_blocks(track: Track, lines: Sequence[LifeLine], show_all: bool) -> Iterator[Block]:
    """The largest life lines, or all of them."""
    shown = choose_lines(lines, show_all)
    largest = max((cluster.mass for line in lines for cluster in line.clusters), default=1.0)
    yield Heading(show_lives(lines), 3, Tone.heading)
    columns = [
        Column("cluster"),
        Column(f"{track.windows[0].name}-{track.windows[-1].name}", chart=True),
        Column("windows", spare=True),
        Column("mass", right=True),
        Column("what happened", wraps=True),
    ]
    yield table(columns, [life_cells(track, line, largest) for line in shown], indent=2)
    if len(shown) < len(lines):
        more = plural(len(lines) - len(shown), "more life line")
        yield Lines(
            [f"and {more}: {how_to_show_all()} shows them"], Tone.faint, close=True, indent=2
        )
    yield Lines(list(explain(track, shown)), Tone.faint, indent=2)


def explain(track: Track, lines: Sequence[LifeLine]) -> Iterator[str]:
    """What life lines, their mass and the events that are shown mean."""
    yield CONTINUES
    is_soft = any(window.kind == "soft" for window in track.windows)
    mass = "sum of degrees" if is_soft else "number of points"
    yield f"mass: the {mass}, from the first window of the line to the last"
    events = {line.begins for line in lines} | {line.ends for line in lines}
    yield from (f"{name}: {text}" for event, (name, text) in EVENTS.items() if event in events)


def choose_lines(lines: Sequence[LifeLine], show_all: bool) -> Sequence[LifeLine]:
    """All life lines, or the largest ones and the largest of those that begin or end."""
    if show_all or len(lines) <= MOST_LINES:
        return lines
    eventful = [line for line in lines[MOST_LINES // 2 :] if line.is_eventful]
    chosen = eventful[: MOST_LINES // 2]
    return [*lines[: MOST_LINES - len(chosen)], *chosen]


def show_lives(lines: Sequence[LifeLine]) -> str:
    """How many life lines there are, and how they begin and end."""
    words = {
        "throughout": sum(not line.is_eventful for line in lines),
        "born": sum(line.begins is Begin.born for line in lines),
        "split off": sum(line.begins is Begin.split_off for line in lines),
        "merged": sum(line.ends is End.merged for line in lines),
        "died": sum(line.ends is End.died for line in lines),
    }
    parts = [f"{number:,} {word}" for word, number in words.items() if number]
    return f"{plural(len(lines), 'life line')}: {', '.join(parts)}"


def life_cells(track: Track, line: LifeLine, largest: float) -> list[Cell]:
    """The cells of one life line, with its mass in each window as a strip."""
    first, last = line.clusters[0].window, line.clusters[-1].window
    mass_in = {cluster.window: cluster.mass for cluster in line.clusters}
    masses = [mass_in.get(window.name) for window in track.windows]
    return [
        Cell(quote(line.clusters[0].name)),
        Cell(Strip([None if mass is None else mass / largest for mass in masses])),
        Cell(first if first == last else f"{first}-{last}"),
        Cell(show_masses(line)),
        Cell(list(join(show_events(track, line), "; "))),
    ]


def quote(name: str) -> Name:
    """The name of a cluster."""
    return Name(name, widest=LONGEST_NAME)


def show_masses(line: LifeLine) -> str:
    """The mass at the beginning and at the end, or from the least to the most if these agree."""
    masses = [cluster.mass for cluster in line.clusters]
    ends = (masses[0], masses[-1], min(masses), max(masses))
    first, last, least, most = (show_mass(mass, decimals=2) for mass in ends)
    if first != last:
        return f"{first} → {last}"
    return first if least == most else f"{least} to {most}"


def show_events(track: Track, line: LifeLine) -> Iterator[list[Piece]]:
    """What happened to a cluster, with the window in which it shows."""
    first, last = line.clusters[0], line.clusters[-1]
    if line.begins is Begin.split_off and line.origin:
        yield [f"{first.window}: split from ", quote(line.origin.name)]
    elif line.begins is Begin.born:
        yield [f"{first.window}: born"]
    yield from show_names(line)
    if line.ends is End.merged and line.heir:
        yield [f"{line.heir.window}: merged into ", quote(line.heir.name)]
    elif line.ends is End.died:
        names = [window.name for window in track.windows]
        yield [f"{names[names.index(last.window) + track.lag]}: died"]


def show_names(line: LifeLine) -> Iterator[list[Piece]]:
    """The other names of a cluster, and since when it has them."""
    renamed = [
        cluster
        for before, cluster in zip(line.clusters, line.clusters[1:], strict=False)
        if cluster.name != before.name
    ]
    for cluster in renamed[:MOST_NAMES]:
        yield [f"{cluster.window}: called ", quote(cluster.name)]
    if len(renamed) > MOST_NAMES:
        yield [plural(len(renamed) - MOST_NAMES, "more name")]
