"""The values of an accepted run, kept in a file, and whether a new run can be measured by them."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from clustcmp.analyses.gate.definition import SPACE, Gate
from clustcmp.errors import InputError, SolverFailed, UsageError
from clustcmp.keywords import check, complete, declared
from clustcmp.model import Clustering, Comparison
from clustcmp.read import Address
from clustcmp.read.address import is_path
from clustcmp.results import Report, Result
from clustcmp.settings import InputSettings
from clustcmp.version import VERSION
from clustcmp.wording import either

SCHEMA = "clustcmp/baseline/1"

# The settings that decide about values besides the files.
RECORDED = tuple(key for key, one in declared(InputSettings).items() if one.setting.decides)


@dataclass(frozen=True)
class Baseline:
    """An accepted run: the document in the file, and where the file is."""

    path: str
    document: Mapping[str, Any]

    @property
    def values(self) -> dict[str, float]:
        """The accepted values by metric."""
        return {entry["metric"]: entry["value"] for entry in self.document["values"]}

    def complete(self, gate: Gate) -> Gate:
        """The gate, with what the accepted run says where the gate says nothing."""
        files: dict[str, Any] = {
            key: os.path.join(os.path.dirname(self.path), file)
            for key, file in self.document["files"].items()
            if file is not None
        }
        reference = files.pop("a", None)
        said = {**files, **check(InputSettings, self.document["policies"])}
        return Gate(a=reference, said=said).overridden_by(gate)

    def check(self, comparison: Comparison, gate: Gate) -> None:
        """Refuse to measure a run by values that were computed on something else."""
        current_settings = recorded_settings(gate.settings)
        # If the baseline was written before a setting existed, assume its default.
        before_settings = recorded_settings(complete(InputSettings, self.document["policies"]))
        for key, accepted in before_settings.items():
            if current_settings[key] != accepted:
                raise self.differs(f"{key} was {accepted} and is {current_settings[key]}")
        current = identity(comparison)
        for name, words in COMPARABLE.items():
            before, now = self.document[name], current[name]
            if now != before:
                raise self.differs(words.format(before=before, now=now))

    def check_values(self, report: Report, changes: Iterable[str]) -> None:
        """Refuse values of other options, and the change of a metric without an accepted value."""
        for metric in changes:
            if not any(result.metric in self.values for result in report.results_of(metric)):
                raise self.differs(f"there is no value of {metric}")
        options = {entry["metric"]: entry["options"] for entry in self.document["values"]}
        for result in report:
            before = options.get(result.metric)
            if before is not None and before != dict(result.options):
                raise self.differs(f"{result.metric} had the options {before}")

    def differs(self, how: str) -> InputError:
        """The error for a run that cannot be compared with the accepted one."""
        return InputError(
            f"{self.path}: the accepted values belong to another run: {how}",
            hint=f"accept the new values with {to_update()}",
        )


# What a run must have in common with the accepted one, with the words for a run that differs.
COMPARABLE = {
    "n": "a had {before[0]} points and b {before[1]}, but a has {now[0]} now and b {now[1]}",
    "points": "the points have other ids",
    "k": "the reference had {before} clusters and has {now}",
    "reference": "the reference is another clustering",
    "space": "the coordinates or distances differ",
}


def read_baseline(path: str) -> Baseline:
    """The accepted run in a file."""
    document = load_document(path)
    if not is_well_formed(document):
        raise InputError(
            f"{path}: is a broken baseline", hint=f"accept the new values with {to_update()}"
        )
    return Baseline(path, document)


def to_update() -> str:
    """What a user calls to accept the values of a run."""
    return either("--update-baseline", "clustcmp.accept_baseline")


def find_old(path: str) -> Baseline | None:
    """The accepted run that a new one would replace; any other file is left alone."""
    if not os.path.exists(path):
        return None
    document = load_document(path)
    return Baseline(path, document) if is_well_formed(document) else None


def load_document(path: str) -> dict[str, Any]:
    """The document in a file that calls itself a baseline."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"{path}: there is no such baseline", hint=f"write one with {to_update()}"
        ) from None
    except OSError as error:
        raise InputError(f"{path}: cannot be opened: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        document = None
    if isinstance(document, dict) and document.get("schema") == SCHEMA:
        return document
    raise InputError(
        f"{path}: is not a baseline ({SCHEMA})", hint=f"name the file that {to_update()} wrote"
    )


def is_well_formed(document: dict[str, Any]) -> bool:
    """Whether a baseline is as it was written."""
    try:
        check(InputSettings, document["policies"])
        numbers = [entry["value"] for entry in document["values"]]
        return (
            all(isinstance(entry["metric"], str) for entry in document["values"])
            and all(isinstance(entry["options"], dict) for entry in document["values"])
            and all(isinstance(n, int | float) and not isinstance(n, bool) for n in numbers)
            and all(map(math.isfinite, numbers))
            and len(document["n"]) == 2
            and set(document["files"]) == {"a", *SPACE}
            and all(file is None or isinstance(file, str) for file in document["files"].values())
            and set(document["policies"]) <= set(RECORDED)
            and set(COMPARABLE) <= set(document)
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, UsageError):
        return False


def make_baseline(path: str, comparison: Comparison, report: Report, gate: Gate) -> Baseline:
    """The accepted run that a report is, to be written to a path."""
    files = {"a": gate.a, **{key: gate.said.get(key) for key in SPACE}}
    document = {
        "schema": SCHEMA,
        "version": VERSION,
        "files": {name: relative(file, path) for name, file in files.items()},
        "policies": recorded_settings(gate.settings),
        **identity(comparison),
        "candidate": digest_membership(comparison.b),
        "candidate_k": comparison.b.n_clusters,
        "values": [
            value_object(result)
            for result in report
            # A metric that was not named is recorded only if it has a value.
            if result.side != "a" and (gate.requests or result.value is not None)
        ],
    }
    return Baseline(path, document)


def value_object(result: Result) -> dict[str, Any]:
    """One accepted value with all options behind it."""
    if result.value is None:
        raise SolverFailed(
            f"{result.metric} has no value to accept: {result.reason}",
            hint="the baseline was left as it is",
        )
    return {"metric": result.metric, "options": dict(result.options), "value": result.value}


def relative(file: Any, path: str) -> str | None:
    """A file as it is found from the folder of another; None for an object in memory."""
    if not is_path(file):
        return None
    return Address.of_file(str(file)).relative_to(os.path.dirname(path))


def recorded_settings(settings: InputSettings) -> dict[str, Any]:
    """The settings behind the values, as JSON has them."""
    known = cast(Mapping[str, Any], settings)
    return {
        key: list(known[key]) if isinstance(known[key], tuple) else known[key] for key in RECORDED
    }


def identity(comparison: Comparison) -> dict[str, Any]:
    """The points, clusters and coordinates of a run, as numbers and digests.

    They do not depend on the order of rows or the names of clusters, because a comparison does not.
    """
    return {
        "n": [comparison.a.points.size, comparison.b.points.size],
        "k": comparison.a.n_clusters,
        "points": digest(digest_ids(comparison, 0), digest_ids(comparison, 1)),
        "reference": digest_membership(comparison.a),
        "space": digest_space(comparison),
    }


def digest_ids(comparison: Comparison, side: int) -> bytes:
    """The ids of a side, or the positions of its points."""
    rows = comparison.rows[side]
    ids = comparison.given[side].points.ids
    if ids is None:
        return b"positions" + rows.astype("<i8").tobytes()
    chosen = ids.take(rows)
    return chosen.offsets.astype("<i8").tobytes() + chosen.data.tobytes()


def digest_membership(clustering: Clustering) -> str:
    """Which point is in which cluster, whatever the clusters are called."""
    form = "<i8" if clustering.is_hard else "<f8"
    return digest(clustering.kind.encode(), clustering.membership.array.astype(form).tobytes())


def digest_space(comparison: Comparison) -> str | None:
    """Where the points are, if that is known."""
    if comparison.distances is not None:
        return digest(b"distances", comparison.distances.astype("<f8").tobytes())
    places = [side.points.coordinates for side in (comparison.a, comparison.b)]
    known = [coordinates for coordinates in places if coordinates is not None]
    if len(known) < len(places):
        return None
    return digest(b"coordinates", *(places.astype("<f8").tobytes() for places in known))


def digest(*parts: bytes) -> str:
    """A short name for some bytes; each part counts with its length."""
    hashed = sha256()
    for part in parts:
        hashed.update(len(part).to_bytes(8, "little"))
        hashed.update(part)
    return hashed.hexdigest()
