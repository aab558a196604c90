"""The entries of a report on changes, by the names of clusters; masses are counts where both
clusterings are hard.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clustcmp.analyses.changes.shapes import (
    BirthDict,
    CellDict,
    ClusterDict,
    FlowDict,
    MergeDict,
    PlanDict,
    SplitDict,
)
from clustcmp.analyses.flows.fates import Fate

# A whole number where points are counted, else a float.
Mass = float | int

Importance = tuple[Mass, Mass, bool, Mass]


@dataclass(frozen=True)
class Part:
    """What a cluster shares with a cluster of the other side.

    `share` is the mass as a share of this cluster, `share_of_other` as a share of the other one.
    """

    cluster: str
    mass: Mass
    share: float
    share_of_other: float
    is_match: bool


@dataclass(frozen=True)
class ClusterChange:
    """What became of one cluster of a.

    `left` is the mass that went to clusters other than the match, `joined` what came into the match
    from other clusters, `gone` what is not in b, and `new` what in the match was not in a. `parts`
    are the clusters of b that have its points, the largest part first. `contributions` are its
    parts of cdistance and css. `code` is its number in the columns of the report.
    """

    code: int
    cluster: str
    size: Mass
    kind: Fate
    match: str | None
    parts: tuple[Part, ...]
    left: Mass
    joined: Mass
    gone: Mass
    new: Mass
    contributions: Mapping[str, float]

    @property
    def importance(self) -> Importance:
        """The key by which rows are sorted: what moved, what is gone or new, any change, size."""
        return self.left + self.joined, self.gone + self.new, not self.kind.is_unchanged, self.size

    def to_dict(self) -> ClusterDict:
        """The cluster in JSON; its parts are among the flows."""
        return {
            "cluster": self.cluster,
            "size": self.size,
            "kind": self.kind.value,
            "match": self.match,
            "left": self.left,
            "joined": self.joined,
            "gone": self.gone,
            "new": self.new,
            "contributions": dict(self.contributions),
        }


@dataclass(frozen=True)
class Birth:
    """A cluster of b without a match, to which no cluster of a gives more than half of its points.

    `new` is the mass that is not in a; `parts` are the clusters of a that the rest comes from.
    """

    cluster: str
    size: Mass
    new: Mass
    parts: tuple[Part, ...]

    @property
    def importance(self) -> Importance:
        """The key by which rows are sorted: what moved, what is gone or new, any change, size."""
        return math.fsum(part.mass for part in self.parts), self.new, True, self.size

    def to_dict(self) -> BirthDict:
        """The cluster in JSON; its parts are among the flows."""
        return {"cluster": self.cluster, "size": self.size, "new": self.new}


@dataclass(frozen=True)
class Flow:
    """The mass that went from a cluster of a, the source, to a cluster of b, the target."""

    source: str
    target: str
    mass: Mass
    share_of_source: float
    share_of_target: float
    is_match: bool

    def to_dict(self) -> FlowDict:
        """The flow in JSON."""
        return {
            "from": self.source,
            "to": self.target,
            "mass": self.mass,
            "share_of_from": self.share_of_source,
            "share_of_to": self.share_of_target,
            "matched": self.is_match,
        }


@dataclass(frozen=True)
class Split:
    """A cluster of a and its match with the clusters of b that mostly come from it."""

    source: str
    targets: tuple[str, ...]

    def to_dict(self) -> SplitDict:
        """The split in JSON."""
        return {"from": self.source, "to": list(self.targets)}


@dataclass(frozen=True)
class Merge:
    """A cluster of b and its match with the clusters of a that mostly went into it."""

    sources: tuple[str, ...]
    target: str

    def to_dict(self) -> MergeDict:
        """The merge in JSON."""
        return {"from": list(self.sources), "to": self.target}


@dataclass(frozen=True)
class PlannedFlow:
    """The weight that the plan carries from a cluster of a to one of b, and their distance."""

    source: str
    target: str
    weight: float
    distance: float

    def to_dict(self) -> CellDict:
        """The cell in JSON."""
        return {
            "from": self.source,
            "to": self.target,
            "weight": self.weight,
            "distance": self.distance,
        }


@dataclass(frozen=True)
class TransportPlan:
    """The transport plan between the clusters that cdistance is based on; its weights sum to 1."""

    ground: str
    d_ot: float
    cells: tuple[PlannedFlow, ...]

    def to_dict(self) -> PlanDict:
        """The plan in JSON."""
        cells = [cell.to_dict() for cell in self.cells]
        return {"ground": self.ground, "d_ot": self.d_ot, "cells": cells}


def in_one_order(
    clusters: Sequence[ClusterChange], births: Sequence[Birth]
) -> list[ClusterChange | Birth]:
    """One list by importance of clusters and births, each of which are sorted by it already."""
    both: list[Sequence[ClusterChange | Birth]] = [clusters, births]
    return list(heapq.merge(*both, key=lambda one: one.importance, reverse=True))
