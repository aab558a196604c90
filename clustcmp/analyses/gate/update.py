"""Accept the values of a run: a report with the old baseline and the new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, get_args, get_origin

from clustcmp.analyses.gate.baseline import RECORDED, Baseline, find_old, make_baseline
from clustcmp.analyses.gate.definition import SPACE, Gate
from clustcmp.analyses.gate.run import find_sides
from clustcmp.errors import UsageError
from clustcmp.evaluate import report_on
from clustcmp.inputs import Preparer
from clustcmp.keywords import declared
from clustcmp.model import Described
from clustcmp.notes import Note
from clustcmp.records import AtLeastOne, JsonObject, Rule
from clustcmp.registry import unique
from clustcmp.requests import find_requests
from clustcmp.results import Reported, as_frame
from clustcmp.settings import InputSettings, Labels
from clustcmp.wording import say
from clustcmp.write import write_text

if TYPE_CHECKING:
    from clustcmp.results import Frame


Digest = Annotated[str, Rule(pattern="^[0-9a-f]{64}$")]


def object_rule(properties: Mapping[str, Any]) -> Rule:
    """The rule for an object that has exactly these properties."""
    return Rule(
        properties=dict(properties), required=sorted(properties), additionalProperties=False
    )


def schema_of_setting(kind: Any) -> dict[str, Any]:
    """The schema of a setting's value in JSON."""
    if get_origin(kind) is Literal:
        return {"enum": list(get_args(kind))}
    if kind is Labels:
        return {"type": "array", "items": {"type": "string"}}
    if type(None) in get_args(kind):
        return {"type": ["string", "null"]}
    return {"type": {bool: "boolean", int: "integer"}.get(kind, "string")}


# The files of a run, as they are found from the folder of the baseline.
FILES = object_rule({key: {"type": ["string", "null"]} for key in ("a", *SPACE)})

# The settings behind the accepted values.
POLICIES = object_rule(
    {
        key: schema_of_setting(one.kind)
        for key, one in declared(InputSettings).items()
        if key in RECORDED
    }
)


class ValueDict(TypedDict):
    """One accepted value, with all options of its metric."""

    metric: str
    options: dict[str, str | float | bool]
    value: float


class BaselineDict(TypedDict):
    """What `clustcmp gate --update-baseline` writes."""

    schema: Literal["clustcmp/baseline/1"]
    version: Annotated[str, "The version of clustcmp."]
    files: Annotated[dict[str, Any], "The files, found from the folder of the baseline.", FILES]
    policies: Annotated[dict[str, Any], "The settings behind the values.", POLICIES]
    n: Annotated[
        list[AtLeastOne],
        "The points of the reference and of the candidate.",
        Rule(minItems=2, maxItems=2),
    ]
    k: Annotated[AtLeastOne, "The clusters of the reference."]
    candidate_k: Annotated[AtLeastOne, "The clusters of the candidate."]
    points: Annotated[Digest, "A digest of the ids."]
    reference: Annotated[Digest, "A digest of the reference, whatever its clusters are called."]
    candidate: Annotated[Digest, "A digest of the candidate, whatever its clusters are called."]
    space: Annotated[Digest | None, "A digest of the coordinates or distances."]
    values: list[ValueDict]


@dataclass(frozen=True, repr=False)
class BaselineUpdate(Reported):
    """What changes when the values of a run are accepted; `old` is None for the first run."""

    command = "baseline"

    old: Baseline | None
    new: Baseline
    inputs: tuple[Described, ...] = ()
    notes: tuple[Note, ...] = ()

    def to_dict(self) -> JsonObject:
        """The new baseline, as it is in its file."""
        return dict(self.new.document)

    def to_frame(self) -> Frame:
        """One row for each metric, indexed by its name: the values before and now."""
        return as_frame(("metric", "before", "now"), self.rows(), "metric")

    def rows(self) -> list[tuple[str, float | None, float | None]]:
        """Each metric with its accepted value before and now; metrics that were dropped last."""
        before, now = self.old.values if self.old else {}, self.new.values
        metrics = [*now, *sorted(before.keys() - now.keys())]
        return [(metric, before.get(metric), now.get(metric)) for metric in metrics]


def accept(gate: Gate) -> BaselineUpdate:
    """The baseline that there is, if any, and the one that this run would put in its place."""
    if gate.baseline is None:
        raise UsageError("no baseline is named", hint=f"name the file with {say('baseline')}")
    gate.check()
    path = gate.baseline
    old = find_old(path)
    if old:
        gate = old.complete(gate)
    wanted = find_sides(gate)
    comparison = Preparer(wanted).prepare(wanted)
    has_distances = comparison.distances is not None
    known = find_requests(list(old.values), has_distances) if old and old.values else ()
    requests = unique([*known, *gate.requests]) or find_requests(None, has_distances)
    report = report_on(comparison, requests)
    return BaselineUpdate(old, make_baseline(path, comparison, report, gate))


def save_baseline(update: BaselineUpdate) -> None:
    """Write the new baseline to its file, whole or not at all."""
    write_text(update.new.path, update.to_text("json"))
