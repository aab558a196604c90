"""The shape of the JSON of `clustcmp changes`; its schema is generated from these types."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from clustcmp.analyses.changes.records import (
    Birth,
    ClusterChange,
    Flow,
    Mass,
    Merge,
    Share,
    Split,
    TransportPlan,
)
from clustcmp.analyses.flows.fates import FATES
from clustcmp.results import Count, CoverageDict, JsonObject, Rule, SideDict

KINDS = [fate.value for fate in FATES]


class MovedDict(TypedDict):
    """The mass that is not in the match of its old cluster, and its share of what was followed."""

    points: Mass
    share: Share


class ChangesDict(TypedDict):
    """What `clustcmp changes -f json` prints."""

    schema: Literal["clustcmp/changes/1"]
    version: Annotated[str, "The version of clustcmp."]
    inputs: Annotated[list[SideDict], Rule(minItems=2, maxItems=2)]
    coverage: CoverageDict
    matched_by: Annotated[
        str,
        "By the points in both or, where none is, by the transport plan between clusters; masses "
        "are then in points of a.",
        Rule(enum=["points", "plan"]),
    ]
    moved: MovedDict
    kinds: Annotated[
        dict[str, Count],
        "How many clusters of a are of each kind.",
        Rule(propertyNames={"enum": KINDS}, required=sorted(KINDS)),
    ]
    clusters: Annotated[
        list[Annotated[JsonObject, ClusterChange]],
        "The clusters of a, the most important first.",
    ]
    births: list[Annotated[JsonObject, Birth]]
    deaths: Annotated[
        list[str], "Clusters of a without a match of which no cluster of b has more than half."
    ]
    splits: Annotated[
        list[Annotated[JsonObject, Split]],
        "Clusters of a with their match and the clusters of b that come from them for more than "
        "half.",
    ]
    merges: Annotated[
        list[Annotated[JsonObject, Merge]],
        "Clusters of b with their match and the clusters of a that went there for more than half.",
    ]
    flows: Annotated[
        list[Annotated[JsonObject, Flow]], "Where the points of each cluster of a went."
    ]
    plan: Annotated[
        Annotated[JsonObject, TransportPlan] | None, "Only with coordinates or distances."
    ]
    notes: list[str]
