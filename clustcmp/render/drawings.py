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
    """Two clouds side by side, with lines between the middles of matched groups.

    Points that moved have rings or, where so many rings would hide the rest, others are pale.
    """

    a: Cloud
    b: Cloud
    axes: tuple[str, str]
    has_rings: bool = True


class Tree(NamedTuple):
    """How far things are from each other, and the tree that joins similar ones.

    `values` (n, n) are NaN where there is none. A join has the positions of its two branches along
    the names, their heights, and its own height; the highest one is 1.
    """

    names: Sequence[str]
    values: Floats
    joins: Sequence[tuple[float, float, float, float, float]]
    medoid: int | None
    higher_is_better: bool | None
    metric: str


class Curve(NamedTuple):
    """One metric along the steps of a stream, None where it has no value.

    `bounds` are those that were set; `failed` are the positions at which one is not kept, and
    `jump` is that of the largest jump.
    """

    metric: str
    about: str
    values: Sequence[float | None]
    bounds: Sequence[tuple[str, float]]
    failed: Sequence[int]
    jump: int | None


class Series(NamedTuple):
    """Curves over the same steps."""

    steps: Sequence[str]
    curves: Sequence[Curve]


class Life(NamedTuple):
    """A cluster through the windows: its name and its mass in each, None where it does not live.

    `words` say how it begins and ends. `origin` is the life that it split from and `heir` the one
    that it merged into, by their positions.
    """

    name: str
    masses: Sequence[float | None]
    words: str
    style: int
    origin: int | None = None
    heir: int | None = None


class Lives(NamedTuple):
    """Clusters through all windows; a band continues to the window `lag` later."""

    windows: Sequence[str]
    lives: Sequence[Life]
    lag: int


class Trial(NamedTuple):
    """How stable one number of clusters is: the mean, the spread, and the prediction strength."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    strength: float | None
    mark: str


class Trials(NamedTuple):
    """The stability of each number of clusters, or of each group of runs."""

    varied: str
    metric: str
    trials: Sequence[Trial]
    enough: float | None


class Dot(NamedTuple):
    """A cluster with a value from 0 to 1, if it has one, and a few words."""

    name: str
    value: float | None
    words: str


class Dots(NamedTuple):
    """Clusters with a value from 0 to 1, and what the values between some limits are called."""

    dots: Sequence[Dot]
    zones: Sequence[tuple[float, float, str]]
    title: str


class Bullet(NamedTuple):
    """A bound on a value: the scale, the part of it that keeps the bound, and what was found.

    `ends` are those of an interval of the value, `accepted` is the value of a baseline. `tone` is
    good, caution or bad.
    """

    bound: str
    found: str
    word: str
    tone: str
    scale: tuple[float, float]
    kept: tuple[float, float]
    value: float | None
    ends: tuple[float, float] | None
    accepted: float | None


class Bullets(NamedTuple):
    """The bounds of a gate."""

    bullets: Sequence[Bullet]


Drawing = Heat | Flowing | Clouds | Tree | Series | Lives | Trials | Dots | Bullets
