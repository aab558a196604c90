"""The entries of a report on changes, by the labels of clusters; masses are counts where both
clusterings are hard.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from clustcmp.analyses.flows.fates import Fate
from clustcmp.records import Key, Label, PythonOnly, Record, Rule, UpToOne

# A whole number where points are counted, else a float.
Mass = Annotated[float, Rule(minimum=0)]

CONTRIBUTED_TO = ["cdistance", "css"]

Importance = tuple[float, float, bool, float]


@dataclass(frozen=True)
class Moved(Record):
    """The mass that is not in the match of its old cluster, and its share of what was followed."""

    points: Mass
    share: UpToOne


class Part(NamedTuple):
    """What a cluster shares with a cluster of the other side.

    `share` is the mass as a share of this cluster, `share_of_other` as a share of the other one.
    """

    cluster: Label
    mass: Mass
    share: float
    share_of_other: float
    is_match: bool


@dataclass(frozen=True)
class ClusterChange(Record):
    """What became of one cluster of a.

    `parts` are the clusters of b that have its points, the largest part first; in JSON they are
    among the flows. `code` is the number of the cluster in the columns of the report.
    """

    code: PythonOnly[int]
    cluster: Label
    size: Mass
    kind: Fate
    match: Label | None
    parts: PythonOnly[tuple[Part, ...]]
    left: Annotated[Mass, "What went elsewhere than to the match."]
    joined: Annotated[Mass, "What came into the match from other clusters of a."]
    gone: Annotated[Mass, "Points that b does not have."]
    new: Annotated[Mass, "Points of the match that a does not have."]
    contributions: Annotated[
        Mapping[str, Mass],
        "The parts of d_ot and of css that the cluster adds; only with coordinates or distances.",
        Rule(propertyNames={"enum": CONTRIBUTED_TO}),
    ]

    @property
    def importance(self) -> Importance:
        """The key by which rows are sorted: what moved, what is gone or new, any change, size."""
        return self.left + self.joined, self.gone + self.new, not self.kind.is_unchanged, self.size


@dataclass(frozen=True)
class Birth(Record):
    """A cluster of b without a match, to which no cluster of a gives more than half of its points.

    `new` is the mass that is not in a; `parts` are the clusters of a that the rest comes from.
    """

    cluster: Label
    size: Mass
    new: Mass
    parts: PythonOnly[tuple[Part, ...]]

    @property
    def importance(self) -> Importance:
        """The key by which rows are sorted: what moved, what is gone or new, any change, size."""
        return math.fsum(part.mass for part in self.parts), self.new, True, self.size


@dataclass(frozen=True)
class Flow(Record):
    """The mass that went from a cluster of a, the source, to a cluster of b, the target."""

    source: Annotated[Label, Key("from")]
    target: Annotated[Label, Key("to")]
    mass: Annotated[float, Rule(exclusiveMinimum=0)]
    share_of_source: Annotated[UpToOne, Key("share_of_from")]
    share_of_target: Annotated[UpToOne, Key("share_of_to")]
    is_match: Annotated[bool, Key("matched")]


@dataclass(frozen=True)
class Split(Record):
    """A cluster of a and its match with the clusters of b that mostly come from it."""

    source: Annotated[Label, Key("from")]
    targets: Annotated[tuple[Label, ...], Key("to")]


@dataclass(frozen=True)
class Merge(Record):
    """A cluster of b and its match with the clusters of a that mostly went into it."""

    sources: Annotated[tuple[Label, ...], Key("from")]
    target: Annotated[Label, Key("to")]


@dataclass(frozen=True)
class PlannedFlow(Record):
    """The weight that the plan carries from a cluster of a to one of b, and their distance."""

    source: Annotated[Label, Key("from")]
    target: Annotated[Label, Key("to")]
    weight: Mass
    distance: Mass


@dataclass(frozen=True)
class TransportPlan(Record):
    """The transport plan between the clusters that cdistance is based on; its weights sum to 1."""

    ground: str
    d_ot: Mass
    cells: tuple[PlannedFlow, ...]


def in_one_order(
    clusters: Sequence[ClusterChange], births: Sequence[Birth]
) -> list[ClusterChange | Birth]:
    """One list by importance of clusters and births, each of which are sorted by it already."""
    both: list[Sequence[ClusterChange | Birth]] = [clusters, births]
    return list(heapq.merge(*both, key=lambda one: one.importance, reverse=True))
