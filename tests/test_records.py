"""Records: what a field declares is what JSON has, and what the schema says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Annotated

import jsonschema
import pytest

from clustcmp.records import (
    Added,
    Count,
    Key,
    Mark,
    Merged,
    PythonOnly,
    Record,
    Rule,
    in_json,
    json_fields,
)
from tests.schemas import object_schema


class Colour(StrEnum):
    """A colour."""

    red = "red"
    blue = "blue"


@dataclass(frozen=True)
class Size(Record):
    """How large something is."""

    width: Count
    height: Count
    unit: PythonOnly[str] = "m"


@dataclass(frozen=True)
class Box(Record):
    """Something with a size.

    This paragraph is for readers of the code.
    """

    rule = Rule(minProperties=1)

    size: Merged[Size]
    colours: Annotated[tuple[Colour, ...], Key("paint"), "Of all sides.", Rule(minItems=1)]
    inner: Box | None = None
    weight: Added[float | None] = None

    @property
    @in_json(Key("area"), Rule(minimum=0))
    def floor(self) -> int:
        """What it covers.

        Not the sides.
        """
        return self.size.width * self.size.height

    @cached_property
    @in_json(Mark.added)
    def is_square(self) -> bool:
        """Whether both lengths are equal."""
        return self.size.width == self.size.height

    @property
    def perimeter(self) -> int:
        """For Python only."""
        return 2 * (self.size.width + self.size.height)


SMALL = Box(Size(1, 1), (Colour.red,))
LARGE = Box(Size(2, 3), (Colour.red, Colour.blue), SMALL, 4.5)


def schema() -> dict[str, object]:
    """The schema of a box."""
    definitions: dict[str, dict[str, object]] = {}
    return {**object_schema(Box, definitions), "$defs": definitions}


def test_json_has_what_the_fields_declare() -> None:
    inner = {
        "width": 1, "height": 1, "paint": ["red"], "inner": None, "weight": None,
        "area": 1, "is_square": True,
    }  # fmt: skip
    assert SMALL.to_dict() == inner
    assert LARGE.to_dict() == {
        "width": 2, "height": 3, "paint": ["red", "blue"], "inner": inner, "weight": 4.5,
        "area": 6, "is_square": False,
    }  # fmt: skip
    assert all(type(colour) is str for colour in LARGE.to_dict()["paint"])


def test_a_record_may_have_a_single_field() -> None:
    @dataclass(frozen=True)
    class Pile(Record):
        """Boxes."""

        boxes: tuple[Box, ...]

    assert Pile((SMALL, SMALL)).to_dict() == {"boxes": [SMALL.to_dict(), SMALL.to_dict()]}


def test_the_schema_has_what_the_fields_declare() -> None:
    found = object_schema(Box, {})
    assert list(found["properties"]) == list(json_fields(Box))
    assert found["description"] == "Something with a size."
    assert found["required"] == ["area", "height", "inner", "paint", "width"]
    assert found["minProperties"] == 1
    paint, area = found["properties"]["paint"], found["properties"]["area"]
    assert (paint["description"], paint["minItems"]) == ("Of all sides.", 1)
    assert area == {"type": "integer", "description": "What it covers.", "minimum": 0}


@pytest.mark.parametrize("box", [SMALL, LARGE])
def test_records_keep_their_schema(box: Box) -> None:
    validator = jsonschema.Draft202012Validator(schema())
    validator.validate(box.to_dict())
    assert list(validator.iter_errors({**box.to_dict(), "unit": "m"}))
    assert list(validator.iter_errors({**box.to_dict(), "width": -1}))


def test_documents_of_earlier_versions_keep_the_schema() -> None:
    before = {key: value for key, value in LARGE.to_dict().items() if key != "weight"}
    del before["is_square"]
    before["inner"] = None
    jsonschema.Draft202012Validator(schema()).validate(before)
