"""What charts show, as plain data: a writer decides how to draw it.

Names are as they came, and a format that draws them makes them harmless. A `style` is a position
in a palette: the same style is the same cluster on both sides. OTHERS is what has no style.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from clustcmp.arrays import Flags, Floats, Integers

OTHERS = -1


class Heat(NamedTuple):
    """For each row how its mass is spread over the columns, as shares of the row."""

    rows: Sequence[str]
    columns: Sequence[str]
    shares: Sequence[Sequence[float]]
    masses: Sequence[Sequence[float]]


class Node(NamedTuple):
    """A cluster at the edge of flows."""

    name: str
    mass: float
    style: int


class Stream(NamedTuple):
    """A flow between two nodes, by their positions."""

    left: int
    right: int
    mass: float
    is_match: bool


class Flowing(NamedTuple):
    """Clusters on both sides from top to bottom, and the flows between them."""

    left: Sequence[Node]
    right: Sequence[Node]
    streams: Sequence[Stream]


class Cloud(NamedTuple):
    """Points (n, 2) of one side: for each the position of its group, and whether it moved.

    `names` and `styles` are of the groups. Groups of the two sides with the same style are matched.
    `ids` are those of the points.
    """

    title: str
    points: Floats
    groups: Integers
    moved: Flags
    names: Sequence[str]
    styles: Sequence[int]
    ids: Sequence[str]


class Clouds(NamedTuple):
    """Two clouds side by side, with lines between the middles of matched groups."""

    a: Cloud
    b: Cloud
    axes: tuple[str, str]


Drawing = Heat | Flowing | Clouds
