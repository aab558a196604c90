"""The shape of the JSON of `clustcmp matrix`; its schema is generated from these types."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from clustcmp.results import VALUE_OR_REASON, AtLeastOne, Count, Interval, Rule, Status

Spec = Annotated[str, "The canonical spec: the name and the options that are not defaults."]
CommonEnd = Annotated[float | None, "null where unknown, infinite or not the same for all."]


class InputDict(TypedDict):
    """One of the clusterings by itself, without the points that it drops."""

    name: Annotated[str, "The file as typed, or the file and the column."]
    kind: Annotated[str, Rule(enum=["hard", "soft"])]
    points: AtLeastOne
    clusters: AtLeastOne
    noise: Count


class MissingDict(TypedDict):
    """Why a value of the matrix is null."""

    a: str
    b: str
    status: Annotated[Status, Rule(enum=["undefined", "not_applicable"])]
    reason: Annotated[str, Rule(minLength=1)]


class ApproximateDict(TypedDict):
    """The proven ends of an approximate value."""

    a: str
    b: str
    bounds: Interval


class RankedDict(TypedDict):
    """The value of one clustering compared with the reference."""

    name: str
    value: float | None
    status: Status
    reason: str | None
    bounds: NotRequired[Annotated[Interval | None, "The proven ends of an approximate value."]]


class FactsDict(TypedDict):
    """A metric with its options and its range."""

    metric: Spec
    name: str
    options: dict[str, str | float | bool]
    worst: CommonEnd
    best: CommonEnd
    higher_is_better: bool | None


class SquareDict(FactsDict):
    """All clusterings compared with each other."""

    matrix: Annotated[
        list[Annotated[list[float | None], Rule(minItems=2)]],
        "Row i, column j: 'clustcmp compare' of inputs i and j, in the order of the inputs.",
        Rule(minItems=2),
    ]
    order: Annotated[
        list[str],
        "The names in an order in which similar clusterings are neighbours.",
        Rule(minItems=2, uniqueItems=True),
    ]
    medoid: Annotated[
        str | None,
        "The clustering with the best mean value to the others; null with fewer than three.",
    ]
    missing: list[MissingDict]
    approximate: NotRequired[list[ApproximateDict]]


class RankingDict(FactsDict):
    """All clusterings compared with the reference."""

    ranking: Annotated[
        list[Annotated[RankedDict, VALUE_OR_REASON]],
        "From the best value to the worst, then those without a value.",
        Rule(minItems=1),
    ]


class MatrixDict(TypedDict):
    """What `clustcmp matrix -f json` prints: squares or, with a reference, rankings."""

    schema: Literal["clustcmp/matrix/1"]
    version: Annotated[str, "The version of clustcmp."]
    inputs: Annotated[list[InputDict], Rule(minItems=1)]
    reference: InputDict | None
    results: Annotated[list[SquareDict | RankingDict], Rule(minItems=1)]
    notes: list[str]


# With a reference there are rankings and nothing else, without one squares of at least two.
OneMatrix = Annotated[
    MatrixDict,
    Rule(
        {
            "if": {"properties": {"reference": {"type": "null"}}},
            "then": {
                "properties": {
                    "inputs": {"minItems": 2},
                    "results": {"items": {"$ref": "#/$defs/SquareDict"}},
                }
            },
            "else": {"properties": {"results": {"items": {"$ref": "#/$defs/RankingDict"}}}},
        }
    ),
]
