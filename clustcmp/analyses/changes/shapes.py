"""The shape of the JSON of `clustcmp changes`; its schema is generated from these types."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from clustcmp.analyses.flows.fates import FATES
from clustcmp.results import Count, CoverageDict, Rule, SideDict

NonNegative = Annotated[float, Rule(minimum=0)]
Share = Annotated[float, Rule(minimum=0, maximum=1)]

KINDS = [fate.value for fate in FATES]
METRICS = ["cdistance", "css"]


class MovedDict(TypedDict):
    """The mass that is not in the match of its old cluster, and its share of what was followed."""

    points: NonNegative
    share: Share


class ClusterDict(TypedDict):
    """What became of one cluster of a."""

    cluster: str
    size: NonNegative
    kind: Annotated[str, Rule(enum=KINDS)]
    match: str | None
    left: Annotated[NonNegative, "What went elsewhere than to the match."]
    joined: Annotated[NonNegative, "What came into the match from other clusters of a."]
    gone: Annotated[NonNegative, "Points that b does not have."]
    new: Annotated[NonNegative, "Points of the match that a does not have."]
    contributions: Annotated[
        dict[str, NonNegative],
        "The parts of d_ot and of css that the cluster adds; only with coordinates or distances.",
        Rule(propertyNames={"enum": METRICS}),
    ]


class BirthDict(TypedDict):
    """A cluster of b without a match, to which no cluster of a gives more than half."""

    cluster: str
    size: NonNegative
    new: NonNegative


SplitDict = TypedDict("SplitDict", {"from": str, "to": list[str]})
MergeDict = TypedDict("MergeDict", {"from": list[str], "to": str})
FlowDict = TypedDict(
    "FlowDict",
    {
        "from": str,
        "to": str,
        "mass": Annotated[float, Rule(exclusiveMinimum=0)],
        "share_of_from": Share,
        "share_of_to": Share,
        "matched": bool,
    },
)
CellDict = TypedDict(
    "CellDict", {"from": str, "to": str, "weight": NonNegative, "distance": NonNegative}
)


class PlanDict(TypedDict):
    """The optimal transport plan between the clusters, weighted by their mass."""

    ground: str
    d_ot: NonNegative
    cells: list[CellDict]


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
    clusters: Annotated[list[ClusterDict], "The clusters of a, the most important first."]
    births: list[BirthDict]
    deaths: Annotated[
        list[str], "Clusters of a without a match of which no cluster of b has more than half."
    ]
    splits: Annotated[
        list[SplitDict],
        "Clusters of a with their match and the clusters of b that come from them for more than "
        "half.",
    ]
    merges: Annotated[
        list[MergeDict],
        "Clusters of b with their match and the clusters of a that went there for more than half.",
    ]
    flows: Annotated[list[FlowDict], "Where the points of each cluster of a went."]
    plan: Annotated[PlanDict | None, "Only with coordinates or distances."]
    notes: list[str]
