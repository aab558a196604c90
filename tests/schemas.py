"""JSON schemas, generated from the records that reports are.

A record such as Result is the declaration: its docstring is the description, and `Annotated` adds a
description (a text) or keywords of JSON Schema (a Rule) to a field.
"""

from __future__ import annotations

import inspect
import json
import types
import typing
from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from clustcmp.analyses.bounds.verdict import Verdicts
from clustcmp.analyses.changes.report import ChangeReport
from clustcmp.analyses.gate.baseline import Baseline
from clustcmp.analyses.inspect import InspectReport
from clustcmp.analyses.matrix.report import MatrixReport
from clustcmp.analyses.metrics import MetricsReport
from clustcmp.analyses.parts.consistency import ConsistencyReport
from clustcmp.analyses.parts.report import ClusterReport, PointReport
from clustcmp.analyses.stability.report import StabilityReport
from clustcmp.analyses.stability.report_of_runs import RunsReport
from clustcmp.analyses.track.report import Track
from clustcmp.notes import Note
from clustcmp.records import Mark, Record, Rule, extras_of, json_fields
from clustcmp.results import Draws, Report

FOLDER = Path(__file__).parent.parent / "clustcmp" / "schemas"

DOCUMENTS: dict[str, type[Record] | tuple[type[Record], ...]] = {
    "baseline": Baseline,
    "changes": ChangeReport,
    "clusters": ClusterReport,
    "compare": Report,
    "consistency": ConsistencyReport,
    "draws": Draws,
    "gate": Verdicts,
    "inspect": InspectReport,
    "matrix": MatrixReport,
    "metrics": MetricsReport,
    "points": PointReport,
    "stability": (StabilityReport, RunsReport),
    "track": Track,
}

# The commands whose names are not those of their documents.
COMMANDS = {
    "baseline": "gate --update-baseline",
    "clusters": "compare --per cluster",
    "consistency": "matrix --per point",
    "points": "compare --per point",
}

# The documents that a command writes to a file.
WRITTEN = {"draws": "What `clustcmp compare --draws FILE.json` writes."}

SIMPLE = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    types.NoneType: {"type": "null"},
    Any: {},
}

Schema = dict[str, Any]


def schema_of_document(name: str) -> Schema:
    """The schema of what a command prints as JSON, or writes to a baseline."""
    definitions: dict[str, Schema] = {}
    title = f"clustcmp/{name}/1"
    kinds = DOCUMENTS[name]
    printed = f"What `clustcmp {COMMANDS.get(name, name)} -f json` prints."
    if isinstance(kinds, tuple):
        whole: Schema = {"oneOf": [document_schema(kind, title, definitions) for kind in kinds]}
    else:
        whole = document_schema(kinds, title, definitions)
    whole = {**whole, "description": WRITTEN.get(name, printed)}
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    return {**dialect, **whole, "$defs": definitions}


def document_schema(kind: type[Record], title: str, definitions: dict[str, Schema]) -> Schema:
    """The schema of a document: the fields of a report, the schema's name, and the version."""
    whole = object_schema(kind, definitions)
    whole["required"] = sorted({*whole["required"], "schema", "version"})
    version = {"type": "string", "description": "The version of clustcmp."}
    whole["properties"] = {
        "schema": {"const": title},
        "version": version,
        **whole["properties"],
    }
    return whole


def schema_of(kind: Any, definitions: dict[str, Schema]) -> Schema:
    """The schema of a type; that of a record is put among the definitions."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        kind, *extras = arguments
        return refine(schema_of(kind, definitions), extras)
    if origin in (typing.Union, types.UnionType):
        return one_of([schema_of(argument, definitions) for argument in arguments])
    if arguments[1:] == (...,):
        return {"type": "array", "items": schema_of(arguments[0], definitions)}
    if origin is tuple:
        items = {"items": schema_of(arguments[0], definitions)}
        return {"type": "array", **items, "minItems": len(arguments), "maxItems": len(arguments)}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": schema_of(arguments[1], definitions)}
    if issubclass(kind, Record):
        if kind.__name__ not in definitions:
            definitions[kind.__name__] = {}
            definitions[kind.__name__] = object_schema(kind, definitions)
        return {"$ref": f"#/$defs/{kind.__name__}"}
    if issubclass(kind, Enum):
        return {"enum": [member.value for member in kind]}
    if kind is Note:
        kind = str
    return dict(SIMPLE[kind])


def object_schema(kind: Any, definitions: dict[str, Schema]) -> Schema:
    """The schema of a record: exactly these fields."""
    hints = {key: hint for key, (_, hint) in json_fields(kind).items()}
    optional = {Mark.added, Mark.asked}
    required = [name for name, hint in hints.items() if not optional & marks_of(hint)]
    schema = {
        "description": inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0],
        "type": "object",
        "additionalProperties": False,
        "required": sorted(required),
        "properties": {name: schema_of(hint, definitions) for name, hint in hints.items()},
    }
    return refine(schema, [kind.rule])


def marks_of(hint: Any) -> set[Mark]:
    """What is special about a field in JSON."""
    return {extra for extra in extras_of(hint) if isinstance(extra, Mark)}


def refine(schema: Schema, extras: Iterable[Any]) -> Schema:
    """A schema with a description or more keywords; an enumeration replaces the type."""
    refined = dict(schema)
    for extra in extras:
        if isinstance(extra, Rule):
            refined |= extra.keywords
        elif type(extra) is str:
            refined["description"] = extra
    if "enum" in refined:
        refined.pop("type", None)
    return refined


def one_of(schemas: list[Schema]) -> Schema:
    """A schema that any of several fits."""
    if all(list(schema) == ["type"] for schema in schemas):
        return {"type": [schema["type"] for schema in schemas]}
    return {"anyOf": schemas}


def write(schema: Schema) -> str:
    """A schema as text, a line for each field and each definition."""
    nested = {"properties", "$defs"}
    entries = [
        f"{json.dumps(key)}: {lines_of(value) if key in nested else json.dumps(value)}"
        for key, value in schema.items()
    ]
    return "{\n" + ",\n".join(entries) + "\n}\n"


def lines_of(entries: dict[str, Schema]) -> str:
    """An object as text, a line for each of its entries."""
    lines = (f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in entries.items())
    return "{\n" + ",\n".join(lines) + "\n}"


def main() -> None:
    """Write all schemas anew."""
    for name in DOCUMENTS:
        (FOLDER / f"{name}-1.json").write_text(write(schema_of_document(name)), encoding="utf-8")
