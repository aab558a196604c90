"""The values of an accepted run, kept in a file, and whether a new run can be measured by them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args, get_origin

from clustcmp.analyses.gate.definition import SPACE, Gate
from clustcmp.analyses.gate.digests import digest_membership, identity
from clustcmp.analyses.gate.documents import load
from clustcmp.arrays import LAST_DIGITS
from clustcmp.errors import InputError, SolverFailed, UsageError
from clustcmp.keywords import check, complete, declared, find_noise_policy, without_none
from clustcmp.metrics import METRICS
from clustcmp.model import Comparison
from clustcmp.options import Options
from clustcmp.read import Address
from clustcmp.read.address import is_path
from clustcmp.records import Added, Asked, AtLeastOne, JsonObject, Key, PythonOnly, Record, Rule
from clustcmp.registry import Request
from clustcmp.requests import canonical, find_requests
from clustcmp.results import Proven, Report, Result
from clustcmp.settings import KeptSettings, Labels
from clustcmp.significance_settings import ConfidenceSettings
from clustcmp.sureness import Interval
from clustcmp.typed import fit_record
from clustcmp.version import VERSION
from clustcmp.wording import either

SCHEMA = "clustcmp/baseline/1"

# The settings that decide about values besides the files, with their types.
RECORDED = {key: one.kind for key, one in declared(KeptSettings).items() if one.setting.decides}

# Those of intervals, which decide about nothing else; a baseline without intervals has none.
OF_INTERVALS = tuple(declared(ConfidenceSettings))

Digest = Annotated[str, Rule(pattern="^[0-9a-f]{64}$")]


def object_rule(properties: Mapping[str, Any], optional: Iterable[str] = ()) -> Rule:
    """The rule for an object that has exactly these properties, the optional ones perhaps."""
    required = sorted({*properties} - {*optional})
    return Rule(properties=dict(properties), required=required, additionalProperties=False)


def schema_of_setting(kind: Any) -> JsonObject:
    """The schema of a setting's value in JSON."""
    if get_origin(choices := without_none(kind)) is Literal:
        return {"enum": list(get_args(choices))}
    if kind is Labels:
        return {"type": "array", "items": {"type": "string"}}
    name = {bool: "boolean", int: "integer", float: "number"}.get(without_none(kind), "string")
    return {"type": [name, "null"] if type(None) in get_args(kind) else name}


FILES = object_rule({key: {"type": ["string", "null"]} for key in ("a", *SPACE)})
POLICIES = object_rule(
    {
        key: schema_of_setting(without_none(kind) if key in OF_INTERVALS else kind)
        for key, kind in RECORDED.items()
    },
    OF_INTERVALS,
)


@dataclass(frozen=True)
class AcceptedValue(Record):
    """One accepted value, with all options of its metric."""

    metric: str
    options: Options
    value: float
    proven: Annotated[Added[Proven], Key("bounds")] = None
    interval: Annotated[Added[Asked[Interval | None]], "How sure the value is."] = None

    def __post_init__(self) -> None:
        if not self.ends[0] <= self.value <= self.ends[-1]:
            raise InputError(f"the value {self.value} is outside of its bounds")
        low, high = (self.interval and self.interval.ends) or (self.value, self.value)
        slack = LAST_DIGITS * max(1.0, abs(self.value))
        if not low - slack <= self.value <= high + slack:
            raise InputError(f"the value {self.value} is outside of its interval")

    @property
    def ends(self) -> tuple[float, ...]:
        """The value, or both ends of an approximate one."""
        return self.proven or (self.value,)


@dataclass(frozen=True)
class Baseline(Record):
    """An accepted run, and the path of its file."""

    path: PythonOnly[str]
    version: Annotated[str, "The version of clustcmp."]
    files: Annotated[
        Mapping[str, str | None], "The files, found from the folder of the baseline.", FILES
    ]
    policies: Annotated[Mapping[str, Any], "The settings behind the values.", POLICIES]
    n: Annotated[tuple[AtLeastOne, AtLeastOne], "The points of the reference and of the candidate."]
    k: Annotated[AtLeastOne, "The clusters of the reference."]
    candidate_k: Annotated[AtLeastOne, "The clusters of the candidate."]
    points: Annotated[Digest, "A digest of the ids."]
    reference: Annotated[Digest, "A digest of the reference, whatever its clusters are called."]
    candidate: Annotated[Digest, "A digest of the candidate, whatever its clusters are called."]
    space: Annotated[Digest | None, "A digest of the coordinates or distances."]
    values: tuple[AcceptedValue, ...]

    def __post_init__(self) -> None:
        check(KeptSettings, self.policies)

    @property
    def accepted(self) -> dict[str, AcceptedValue]:
        """The accepted values by metric, under the name that the metric has today."""
        return {canonical(accepted.metric): accepted for accepted in self.values}

    def to_dict(self) -> JsonObject:
        """The document in the file."""
        return {"schema": SCHEMA, **super().to_dict()}

    def complete(self, gate: Gate) -> Gate:
        """The gate, with what the accepted run says where the gate says nothing."""
        files: dict[str, Any] = {
            key: os.path.join(os.path.dirname(self.path), file)
            for key, file in self.files.items()
            if file is not None
        }
        reference = files.pop("a", None)
        # What the accepted run left at its default was not said.
        said = {**files, **unusual(complete(KeptSettings, self.policies))}
        return Gate(a=reference, said=said).overridden_by(gate)

    def check(self, comparison: Comparison, gate: Gate) -> None:
        """Refuse to measure a run by values that were computed on something else."""
        current_settings = recorded_settings(gate.settings)
        # If the baseline was written before a setting existed, assume its default.
        before_settings = recorded_settings(complete(KeptSettings, self.policies))
        for key, accepted in before_settings.items():
            if key not in OF_INTERVALS and current_settings[key] != accepted:
                raise self.differs(f"{key} was {accepted} and is {current_settings[key]}")
        current = identity(comparison)
        for name, words in COMPARABLE.items():
            before, now = getattr(self, name), current[name]
            if now != before:
                raise self.differs(words.format(before=before, now=now))

    def check_intervals(self, gate: Gate) -> None:
        """Refuse to measure changes of intervals by intervals of another kind.

        Bounds on the values of this run alone do not look at accepted intervals.
        """
        current = recorded_settings(gate.settings)
        before = recorded_settings(complete(KeptSettings, self.policies))
        if not any(bound.kind.is_change for bound in gate.all_thresholds):
            return
        if "confidence" in current and "confidence" not in before:
            raise self.differs("it has no intervals")
        for key, accepted in before.items():
            if key in OF_INTERVALS and current[key] != accepted:
                raise self.differs(f"{key} was {accepted} and is {current[key]}")

    def check_values(self, report: Report, changes: Iterable[str]) -> None:
        """Refuse values of other options, and the change of a metric without an accepted value."""
        for metric in changes:
            if not any(result.metric in self.accepted for result in report.results_of(metric)):
                raise self.differs(f"there is no value of {metric}")
        is_soft = any(side.kind != "hard" for side in report.inputs)
        for result in report:
            before = self.accepted.get(result.metric)
            if before is None:
                continue
            options = with_defaults(before, result, is_soft)
            if options != dict(result.options):
                raise self.differs(f"{result.metric} had the options {options}")

    def find_requests(self, has_distances: bool) -> tuple[Request, ...]:
        """The metrics that have an accepted value."""
        try:
            return find_requests(list(self.accepted), has_distances) if self.values else ()
        except UsageError as error:
            raise InputError(f"{self.path}: {error.message}", error.hint) from None

    def differs(self, how: str) -> InputError:
        """The error for a run that cannot be compared with the accepted one."""
        return InputError(
            f"{self.path}: the accepted values belong to another run: {how}",
            hint=f"accept the new values with {to_update()}",
        )


# What a run must have in common with the accepted one, with the words for a run that differs.
COMPARABLE = {
    "n": "a had {before[0]} points and b {before[1]}, but a has {now[0]} now and b {now[1]}",
    "points": "the points have other ids or weights",
    "k": "the reference had {before} clusters and has {now}",
    "reference": "the reference is another clustering",
    "space": "the coordinates or distances differ",
}


def with_defaults(before: AcceptedValue, result: Result, is_soft: bool) -> Options:
    """The options of an accepted value; one that did not exist then had its default, or stood for
    what the metric did with soft clusterings.
    """
    options = METRICS[result.name].options
    known = [options[name] for name in result.options if name in options]
    formerly = {
        option.name: option.for_soft.formerly
        for option in known
        if is_soft and option.for_soft and option.for_soft.formerly
    }
    return {**{option.name: option.default for option in known}, **formerly, **before.options}


def read_baseline(path: str) -> Baseline:
    """The accepted run in a file."""
    return parse_baseline(path, load_document(path))


def to_update() -> str:
    """What a user calls to accept the values of a run."""
    return either("--update-baseline", "clustcmp.accept_baseline")


def find_old(path: str) -> Baseline | None:
    """The accepted run that a new one would replace; any other file is left alone."""
    document = load_document(path) if os.path.exists(path) else None
    if document is not None:
        with suppress(InputError):
            return parse_baseline(path, document)
    return None


def load_document(path: str) -> dict[str, Any]:
    """The document in a file that calls itself a baseline."""
    if not os.path.exists(path):
        raise InputError(f"{path}: there is no such baseline", hint=f"write one with {to_update()}")
    hint = f"name the file that {to_update()} wrote"
    try:
        document = load(path, json.loads, "JSON")
    except InputError as error:
        raise InputError(error.message, hint) from None
    if isinstance(document, dict) and document.get("schema") == SCHEMA:
        return document
    raise InputError(f"{path}: is not a baseline ({SCHEMA})", hint)


def parse_baseline(path: str, document: JsonObject) -> Baseline:
    """The accepted run in a document that calls itself a baseline."""
    try:
        fields = {key: value for key, value in document.items() if key != "schema"}
        return fit_record(Baseline, fields, path=path)
    except UsageError as error:
        raise InputError(
            f"{path}: is a broken baseline: {error.message}",
            hint=f"accept the new values with {to_update()}",
        ) from None


def make_baseline(path: str, comparison: Comparison, report: Report, gate: Gate) -> Baseline:
    """The accepted run that a report is, to be written to a path."""
    files = {"a": gate.a, **{key: gate.said.get(key) for key in SPACE}}
    return Baseline(
        path,
        VERSION,
        {name: relative(file, path) for name, file in files.items()},
        recorded_settings(gate.settings, report.seed),
        **identity(comparison),
        candidate=digest_membership(comparison.b),
        candidate_k=comparison.b.n_clusters,
        values=tuple(
            accept_value(result)
            for result in report
            # A metric that was not named is recorded only if it has a value.
            if result.side != "a" and (gate.requests or result.value is not None)
        ),
    )


def accept_value(result: Result) -> AcceptedValue:
    """One accepted value with all options behind it."""
    if result.value is None:
        raise SolverFailed(
            f"{result.metric} has no value to accept: {result.reason}",
            hint="the baseline was left as it is",
        )
    return AcceptedValue(
        result.metric, dict(result.options), result.value, result.proven, result.interval
    )


def relative(file: Any, path: str) -> str | None:
    """A file as it is found from the folder of another; None for an object in memory."""
    if not is_path(file):
        return None
    return Address.of_file(str(file)).relative_to(os.path.dirname(path))


def unusual(settings: KeptSettings) -> dict[str, Any]:
    """The recorded settings that are not at their defaults."""
    usual = recorded_settings(complete(KeptSettings, {}))
    recorded = recorded_settings(settings)
    return {key: value for key, value in recorded.items() if value != usual.get(key)}


def recorded_settings(settings: KeptSettings, seed: int | None = None) -> dict[str, Any]:
    """The settings behind the values, as JSON has them; those of intervals if there are any.

    `seed` is the one that was used.
    """
    known: dict[str, Any] = {**settings, "noise_policy": find_noise_policy(settings)}
    known["unit"] = known["unit"] or "point"
    known["seed"] = known["seed"] if seed is None else seed
    left_out = [key for key in OF_INTERVALS if settings["confidence"] is None or known[key] is None]
    return {
        key: list(known[key]) if isinstance(known[key], tuple) else known[key]
        for key in RECORDED
        if key not in left_out
    }
