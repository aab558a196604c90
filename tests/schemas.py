"""JSON schemas, generated from the types of the documents that reports are in JSON.

A type such as CompareDict, or a record such as Result, is the declaration: its docstring is the
description, and `Annotated` adds a description (a text) or keywords of JSON Schema (a Rule) to a
field.
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

from clustcmp.analyses.bounds.verdict import GateDict
from clustcmp.analyses.changes.shapes import ChangesDict
from clustcmp.analyses.gate.update import BaselineDict
from clustcmp.analyses.matrix.shapes import OneMatrix
from clustcmp.analyses.metrics import MetricsDict
from clustcmp.analyses.track.shapes import TrackDict
from clustcmp.results import CompareDict, JsonObject, Record, Rule, json_fields

FOLDER = Path(__file__).parent.parent / "clustcmp" / "schemas"

DOCUMENTS: dict[str, Any] = {
    "baseline": BaselineDict,
    "changes": ChangesDict,
    "compare": CompareDict,
    "gate": GateDict,
    "matrix": OneMatrix,
    "metrics": MetricsDict,
    "track": TrackDict,
}

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
    kind, *extras = typing.get_args(DOCUMENTS[name]) or [DOCUMENTS[name]]
    whole = refine(object_schema(kind, definitions), extras)
    dialect = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"clustcmp/{name}/1",
    }
    return {**dialect, **whole, "$defs": definitions}


def schema_of(kind: Any, definitions: dict[str, Schema]) -> Schema:
    """The schema of a type; that of a typed dictionary is put among the definitions."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        kind, *extras = arguments[1:] if arguments[0] is JsonObject else arguments
        return refine(schema_of(kind, definitions), extras)
    if origin in (typing.Union, types.UnionType):
        return one_of([schema_of(argument, definitions) for argument in arguments])
    if origin is typing.Literal:
        return {"const": arguments[0]} if len(arguments) == 1 else {"enum": list(arguments)}
    if origin is list or arguments[1:] == (...,):
        return {"type": "array", "items": schema_of(arguments[0], definitions)}
    if origin is tuple:
        items = {"items": schema_of(arguments[0], definitions)}
        return {"type": "array", **items, "minItems": len(arguments), "maxItems": len(arguments)}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": schema_of(arguments[1], definitions)}
    if typing.is_typeddict(kind) or (isinstance(kind, type) and issubclass(kind, Record)):
        if kind.__name__ not in definitions:
            definitions[kind.__name__] = {}
            definitions[kind.__name__] = object_schema(kind, definitions)
        return {"$ref": f"#/$defs/{kind.__name__}"}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [member.value for member in kind]}
    return dict(SIMPLE[kind])


def object_schema(kind: Any, definitions: dict[str, Schema]) -> Schema:
    """The schema of a typed dictionary or a record: exactly these fields."""
    if typing.is_typeddict(kind):
        hints = typing.get_type_hints(kind, include_extras=True)
    else:
        hints = {key: hint for key, (_, hint) in json_fields(kind).items()}
    optional = {
        name for name, hint in hints.items() if typing.get_origin(hint) is typing.NotRequired
    }
    properties = {
        name: schema_of(typing.get_args(hint)[0] if name in optional else hint, definitions)
        for name, hint in hints.items()
    }
    first_paragraph = (inspect.cleandoc(kind.__dict__.get("__doc__") or "")).split("\n\n")[0]
    about = {"description": first_paragraph} if first_paragraph else {}
    return {
        **about,
        "type": "object",
        "additionalProperties": False,
        "required": sorted(hints.keys() - optional),
        "properties": properties,
    }


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
